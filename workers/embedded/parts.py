"""What the supervisor knows of a part: how to start it, when it is ready, how to stop it."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class PartError(Exception):
    """A part cannot start; the message is a sentence for the person at the terminal."""


class Part(Protocol):
    """One long-lived process."""

    @property
    def name(self) -> str: ...
    @property
    def stop_signal(self) -> signal.Signals: ...
    @property
    def grace(self) -> float:
        """Seconds between the request to stop and the kill."""

    def prepare(self) -> None:
        """Clear what a predecessor left. Raises PartError."""

    def command(self) -> list[str]: ...

    def ready(self) -> bool: ...


@dataclass(frozen=True)
class Program:
    """A part of our own: a worker, the scheduler, the web server."""

    name: str
    arguments: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    is_ready: Callable[[], bool] = lambda: True
    before: Callable[[], None] = lambda: None
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 10.0

    def prepare(self) -> None:
        self.before()

    def command(self) -> list[str]:
        return list(self.arguments)

    def ready(self) -> bool:
        return self.is_ready()


def wait_ready(part: Part, process: "subprocess.Popen[bytes]", log: Path, seconds: float = 60.0) -> None:
    """Wait for the first answer. Raises PartError when the process ends or stays silent."""
    deadline = time.monotonic() + seconds
    while not part.ready():
        if process.poll() is not None:
            raise PartError(f"{part.name} ended at once (exit code {process.returncode}). {last_words(log)}")
        if time.monotonic() > deadline:
            raise PartError(f"{part.name} did not answer within {seconds:.0f} s. {last_words(log)}")
        time.sleep(0.05)


def last_words(log: Path, size: int = 600) -> str:
    """The end of a log, for a message."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - size))
            tail = file.read().decode(errors="replace").strip()
    except OSError:
        tail = ""
    return f"The end of {log}:\n{tail}" if tail else f"Its log {log} is empty."
