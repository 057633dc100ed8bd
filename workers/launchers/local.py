"""Processes on this machine (Linux)."""

from __future__ import annotations

import contextlib
import os
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

    def start(self, command: Command) -> Identity:
        """Start in a new session. Raises LaunchError("launch:failed") if the program cannot be run."""
        command.log.parent.mkdir(parents=True, exist_ok=True)
        try:
            with command.log.open("ab") as log:
                process = subprocess.Popen(
                    list(command.arguments),
                    cwd=command.directory,
                    env={**self._base, **command.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    close_fds=True,
                )
        except OSError as error:
            raise LaunchError("launch:failed", f"{command.arguments[0]}: {error}") from error
        started = _start_time(process.pid)
        return Identity(process.pid, started if started is not None else 0, _boot())

    def is_alive(self, identity: Identity) -> bool:
        """Is any process of the group running? Zombies are not; a stranger with the same number is not
        ours.
        """
        return bool(self._members(identity))

    def stop(
        self, identity: Identity, *, stop_file: Path | None = None, patience: Sequence[float] = PATIENCE
    ) -> Stopped:
        """Ask by file, then by SIGTERM, then kill the group; returns as soon as nothing of it runs."""
        if not self.is_alive(identity):
            return Stopped("already gone", True)
        if stop_file is not None:
            stop_file.parent.mkdir(parents=True, exist_ok=True)
            stop_file.touch()
            if self._gone(identity, patience[0]):
                return Stopped("STOP", True)
        # The whole group: with several processes per run, each of them takes part in the last checkpoint.
        self._signal(identity, signal.SIGTERM)
        if self._gone(identity, patience[1]):
            return Stopped("SIGTERM", True)
        self._signal(identity, signal.SIGKILL)
        return Stopped("SIGKILL", self._gone(identity, patience[2]))

    def _signal(self, identity: Identity, number: signal.Signals) -> None:
        # Checked again right before the signal, so that a reused number is never hit.
        if self.is_alive(identity):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(identity.pid, number)

    def _gone(self, identity: Identity, seconds: float) -> bool:
        end = self._clock() + seconds
        while self.is_alive(identity):
            if self._clock() >= end:
                return False
            self._sleep(_POLL_SECONDS)
        return True

    def _members(self, identity: Identity) -> list[int]:
        if identity.boot != _boot():
            return []
        with contextlib.suppress(ChildProcessError):
            os.waitpid(identity.pid, os.WNOHANG)  # our own child would stay a zombie otherwise
        started = _start_time(identity.pid)
        if started is not None and started != identity.started:
            return []  # somebody else has the number now
        return [pid for pid, group, state in _processes() if group == identity.pid and state not in "ZX"]


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
