"""Database and broker for the time of one command, when no instance is running."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from workers.embedded.home import Home, HomeError
from workers.embedded.instance import FolderLock, InstanceRecord, PartRecord, clear_leftovers, log_of, wait_until
from workers.embedded.parts import Part, wait_ready
from workers.embedded.postgres import Postgres
from workers.embedded.processes import Identity, spawn, stop_all
from workers.embedded.valkey import Valkey

Whose = Literal["instance", "own", "shared"]
Running = list[tuple[Part, "subprocess.Popen[bytes]"]]
LONGEST_WAIT = 180.0


@contextmanager
def services(
    home: Home, purpose: str, *, database: bool, broker: bool, say: Callable[[str], None] = lambda _: None
) -> Iterator[Whose]:
    """The embedded services wanted, for the time of the block.

    Yields `instance` when `up` serves them, `own` when this process started them, `shared` when another
    command did. Raises HomeError and PartError with a sentence.
    """
    home.create()
    lock, users = FolderLock(home), FolderLock(home, "users")
    running: Running = []
    try:
        whose = _join(home, lock, users, purpose, say)
        if whose == "own":
            parts: list[Part] = [*([Postgres(home)] if database else []), *([Valkey(home)] if broker else [])]
            _start_all(home, parts, running)
        yield whose
        if whose == "own":
            _let_others_finish(users, say)
    finally:
        if running:
            _stop_all(home, running)
        users.release()
        lock.release()


def _join(home: Home, lock: FolderLock, users: FolderLock, purpose: str, say: Callable[[str], None]) -> Whose:
    """Take the folder, or wait until whoever has it is ready to share.

    The hold on `users` comes first: an owner that wants to stop the services needs it alone.
    """
    deadline = time.monotonic() + LONGEST_WAIT
    registered = told = False
    while time.monotonic() < deadline:
        registered = registered or users.take(shared=True)
        if registered:
            if lock.take():
                lock.sign(purpose)
                clear_leftovers(home)
                return "own"
            record = InstanceRecord.read(home)
            if record is not None and record.phase == "running" and record.supervisor.alive():
                return "instance" if lock.holder().get("purpose") == "up" else "shared"
        if not told:
            say("Another process is starting or stopping the services; waiting for it.")
            told = True
        time.sleep(0.1)
    raise HomeError(f"The data folder {home.root} stayed busy for {LONGEST_WAIT:.0f} s; see `./workbench status`.")


def _start_all(home: Home, parts: Sequence[Part], running: Running) -> None:
    supervisor = Identity.of(os.getpid())
    if supervisor is None:
        raise HomeError("This machine has no readable /proc, which the embedded services need.")
    record = InstanceRecord(instance=f"command-{os.getpid()}", supervisor=supervisor, started_at=time.time())
    for part in parts:
        part.prepare()
        log = log_of(home, part.name)
        process = spawn(part.command(), log=log, on_parent_death=part.stop_signal)
        running.append((part, process))
        record.parts.append(PartRecord(part.name, identity=Identity.of(process.pid), since=time.time()))
        record.write(home)
        wait_ready(part, process, log)
        record.parts[-1].phase = "running"
    record.phase = "running"
    record.write(home)


def _let_others_finish(users: FolderLock, say: Callable[[str], None]) -> None:
    users.release()
    if not users.take():
        say("Another command still uses the services; waiting for it to finish.")
        wait_until(users.take, float("inf"))


def _stop_all(home: Home, running: Running) -> None:
    # A second Ctrl-C must not cut this short: it would leave the next command a crash to recover from.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for part, process in reversed(running):
            identity = Identity.of(process.pid)
            if identity is not None:
                stop_all([identity], grace=part.grace, first=part.stop_signal)
            process.wait()
        home.state_file.unlink(missing_ok=True)
        shutil.rmtree(home.sockets, ignore_errors=True)
    finally:
        signal.signal(signal.SIGINT, before)
