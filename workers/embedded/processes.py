"""Child processes by identity: a pid alone may be used again, a pid with its start time is one process."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
# Everything that one instance starts carries this variable, so that nothing of it is lost and no stranger is hit.
INSTANCE_VARIABLE = "WORKBENCH_INSTANCE"

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Identity:
    """One process: its pid, its start in clock ticks since boot, and which boot that was."""

    pid: int
    started: int
    boot: str

    @classmethod
    def of(cls, pid: int) -> "Identity | None":
        """The process that has this pid now; None when there is none or it is a zombie."""
        fields = _stat_fields(pid)
        if fields is None or fields[0] in {"Z", "X"}:
            return None
        return cls(pid=pid, started=int(fields[19]), boot=_boot_id())

    @classmethod
    def parse(cls, value: Mapping[str, Any] | None) -> "Identity | None":
        """Read back what `as_dict` wrote; None for anything else."""
        if not value or not {"pid", "started", "boot"} <= value.keys():
            return None
        return cls(pid=int(value["pid"]), started=int(value["started"]), boot=str(value["boot"]))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def alive(self) -> bool:
        return Identity.of(self.pid) == self

    def send(self, number: signal.Signals) -> bool:
        """Signal the process, and its group when it leads one. False when it is gone."""
        if not self.alive():
            return False
        try:
            if os.getpgid(self.pid) == self.pid:
                os.killpg(self.pid, number)
            else:
                os.kill(self.pid, number)
        except ProcessLookupError:
            return False
        return True


def _stat_fields(pid: int) -> list[str] | None:
    """Fields of /proc/PID/stat from the state on; the name before it may hold spaces and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, UnicodeDecodeError):
        return None


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """Ask the kernel to send `number` to this process when the thread that started it ends."""
    if _libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")


def spawn(
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path = Path("/"),
    on_parent_death: signal.Signals = signal.SIGTERM,
) -> "subprocess.Popen[bytes]":
    """Start a part in its own session with its output appended to `log`. It gets a signal when we die.

    Call it from the main thread: the kernel watches the thread that forked, not the process.
    """
    parent = os.getpid()

    def before_exec() -> None:
        # The supervisor waits with these signals blocked; its children must not inherit that.
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        die_with_parent(on_parent_death)
        if os.getppid() != parent:  # it died between fork and prctl
            os._exit(1)

    with log.open("ab") as output:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=None if env is None else dict(env),
            start_new_session=True,
            preexec_fn=before_exec,  # noqa: PLW1509 - called by the only thread
        )


def wait_gone(identities: Sequence[Identity], seconds: float) -> list[Identity]:
    """Wait until all have ended; returns those that are still there when time is up."""
    deadline = time.monotonic() + seconds
    left = [each for each in identities if each.alive()]
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [each for each in left if each.alive()]
    return left


def stop_all(identities: Sequence[Identity], *, grace: float, first: signal.Signals = signal.SIGTERM) -> list[Identity]:
    """Ask all to stop, kill after `grace` seconds; returns what could not be stopped at all."""
    for each in identities:
        each.send(first)
    left = wait_gone(identities, grace)
    for each in left:
        each.send(signal.SIGKILL)
    return wait_gone(left, 5.0)


def everyone() -> Iterator[int]:
    """The pids of the machine, without our own."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            yield int(name)


def of_instance(instance: str) -> list[Identity]:
    """Processes that carry this instance's mark in the environment they were started with."""
    mark = f"{INSTANCE_VARIABLE}={instance}".encode()
    found = []
    for pid in everyone():
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:  # gone meanwhile, or another account's
            continue
        if mark in environment.split(b"\0") and (identity := Identity.of(pid)) is not None:
            found.append(identity)
    return found


def with_cwd(folder: Path) -> list[Identity]:
    """Living processes whose working folder is this one; every PostgreSQL process sits in its data folder."""
    found = []
    for pid in everyone():
        try:
            inside = os.path.samefile(f"/proc/{pid}/cwd", folder)
        except OSError:
            continue
        if inside and (identity := Identity.of(pid)) is not None:
            found.append(identity)
    return found
