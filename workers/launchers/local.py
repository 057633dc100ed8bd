"""Processes on this machine (Linux)."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from workers.launchers.base import Command, Identity, LaunchError, Stopped

PATIENCE = (120.0, 60.0, 10.0)
"""Seconds to wait after the STOP file, after SIGTERM and after SIGKILL."""
_POLL_SECONDS = 0.05
_PROC = Path("/proc")
MARK = "WORKBENCH_LAUNCH"
"""Variable that every process of a launch inherits. torch's launcher puts each of its workers into a session of its
own, and a worker whose parent was killed belongs to nobody: neither group nor parent says where it came from.
"""


class LocalLauncher:
    """Starts processes detached from this one; they survive its end and can be stopped by another."""

    def __init__(
        self,
        *,
        base_environment: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = dict(base_environment)
        self._clock, self._sleep = clock, sleep
        self._children: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, command: Command) -> Identity:
        """Start in a new session. Raises LaunchError("launch:failed") if the program cannot be run."""
        command.log.parent.mkdir(parents=True, exist_ok=True)
        mark = secrets.token_hex(8)
        try:
            with command.log.open("ab") as log:
                process = subprocess.Popen(
                    list(command.arguments),
                    cwd=command.directory,
                    env={**self._base, **command.environment, MARK: mark},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    close_fds=True,
                )
        except OSError as error:
            raise LaunchError("launch:failed", f"{command.arguments[0]}: {error}") from error
        self._children[process.pid] = process
        started = _start_time(process.pid)
        return Identity(process.pid, started if started is not None else 0, _boot(), mark)

    def is_alive(self, identity: Identity) -> bool:
        """Is any process of the launch running? Zombies are not; a stranger with the same number is not
        ours.
        """
        return bool(self._members(identity))

    def exit_status(self, identity: Identity) -> int | None:
        """How the process that this launcher started ended: its exit status, or minus the signal that ended it.

        None while it runs, and where another process started it: only its parent is told.
        """
        child = self._children.get(identity.pid)
        return None if child is None else child.poll()

    def stop(
        self, identity: Identity, *, stop_file: Path | None = None, patience: Sequence[float] = PATIENCE
    ) -> Stopped:
        """Ask by file, then by SIGTERM, then kill; returns as soon as nothing of the launch runs."""
        if not self.is_alive(identity):
            return Stopped("already gone", True)
        if stop_file is not None:
            stop_file.parent.mkdir(parents=True, exist_ok=True)
            stop_file.touch()
            if self._gone(identity, patience[0]):
                return Stopped("STOP", True)
        # All of it: with several processes per run, each of them takes part in the last checkpoint.
        self._signal(identity, signal.SIGTERM)
        if self._gone(identity, patience[1]):
            return Stopped("SIGTERM", True)
        return Stopped("SIGKILL", self._gone(identity, patience[2], kill=True))

    def _signal(self, identity: Identity, number: signal.Signals) -> None:
        # Looked up right before the signal, so that a reused number is never hit.
        for pid in self._members(identity):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _gone(self, identity: Identity, seconds: float, *, kill: bool = False) -> bool:
        """Wait until nothing of it runs. `kill`: again and again, since a process may start another meanwhile."""
        end = self._clock() + seconds
        while self.is_alive(identity):
            if kill:
                self._signal(identity, signal.SIGKILL)
            if self._clock() >= end:
                return False
            self._sleep(_POLL_SECONDS)
        return True

    def _members(self, identity: Identity) -> list[int]:
        if identity.boot != _boot():
            return []
        self.exit_status(identity)  # our own child would stay a zombie otherwise
        started = _start_time(identity.pid)
        is_ours = started is None or started == identity.started  # else somebody else has the number now
        return [
            pid
            for pid, group, state in _processes()
            if state not in "ZX" and ((is_ours and group == identity.pid) or _carries(pid, identity.mark))
        ]


def _carries(pid: int, mark: str) -> bool:
    if not mark:
        return False
    try:
        return f"{MARK}={mark}".encode() in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:  # it ended, or it is not ours to look at
        return False


def _processes() -> Iterator[tuple[int, int, str]]:
    """(process id, process group, state) of everything that runs."""
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields:
                yield int(entry.name), int(fields[2]), fields[0]


def _start_time(pid: int) -> int | None:
    fields = _stat(pid)
    return int(fields[19]) if fields else None


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat after the name: state, parent, group, ..., the start time is the 20th."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return text.rpartition(")")[2].split()  # the name before may hold spaces and brackets


def _boot() -> str:
    return (_PROC / "sys" / "kernel" / "random" / "boot_id").read_text().strip()
