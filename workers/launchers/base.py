"""Starting, watching and stopping a long process that outlives whoever started it.

A process is known by its id *and* its start time, so that a number which the system has given to somebody
else meanwhile is never taken for ours. Its descendants carry a mark in their environment, by which they are
found in whatever session they are and whoever their parent is by now. Stopping goes in steps: a STOP file
(finish the step, save), SIGTERM (save at once), SIGKILL of everything that belongs to it.
`workers.launchers.local` starts processes here, `workers.launchers.clusters` hands them to a cluster's tool.
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
    """A process group leader: its id and its start time in clock ticks since boot, and which boot that was.

    `mark` is what its descendants carry in their environment; "" = none, as of what was started before marks were.
    """

    pid: int
    started: int
    boot: str
    mark: str = ""

    def to_json(self) -> dict[str, Any]:
        """For storing with the run."""
        return {"pid": self.pid, "started": self.started, "boot": self.boot, "mark": self.mark}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read it back."""
        return cls(int(value["pid"]), int(value["started"]), str(value["boot"]), str(value.get("mark", "")))


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
        """Is any process of the group, or any that came from it, still running?"""

    def stop(self, identity: Identity, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        """Stop in steps; `patience` gives the seconds to wait after STOP, SIGTERM and SIGKILL."""
