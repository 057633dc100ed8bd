"""Starting, watching and stopping a long process that outlives whoever started it.

A process is known by its id *and* its start time, so that a number which the system has given to somebody
else meanwhile is never taken for ours. Stopping goes in steps: a STOP file (finish the step, save), SIGTERM
(save at once), SIGKILL of the whole process group. `workers.launchers.local` is the one launcher that
exists; clusters would be others behind the same protocol and are not available.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self


class LaunchError(Exception):
    """A process could not be started; `kind` is stable (`launch:...`)."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass(frozen=True)
class Identity:
    """A process group leader: its id and its start time in clock ticks since boot, and which boot that was."""

    pid: int
    started: int
    boot: str

    def to_json(self) -> dict[str, Any]:
        """For storing with the run."""
        return {"pid": self.pid, "started": self.started, "boot": self.boot}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read it back."""
        return cls(int(value["pid"]), int(value["started"]), str(value["boot"]))


@dataclass(frozen=True)
class Command:
    """What to run: arguments, working directory, extra environment, and where its output goes (appended)."""

    arguments: Sequence[str]
    directory: Path
    log: Path
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Stopped:
    """How a stop went: the last step that was needed, and whether anything is left."""

    by: str
    gone: bool


class Launcher(Protocol):
    """Where processes run."""

    def start(self, command: Command) -> Identity:
        """Start detached, in a session and process group of its own. Raises LaunchError."""

    def is_alive(self, identity: Identity) -> bool:
        """Is any process of the group still running?"""

    def stop(self, identity: Identity, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        """Stop in steps; `patience` gives the seconds to wait after STOP, SIGTERM and SIGKILL."""
