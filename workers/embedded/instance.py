"""What is known of the instance in a data folder: who holds it, in which state, with which parts."""

import fcntl
import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from workers.embedded import processes
from workers.embedded.home import Home
from workers.embedded.processes import Identity

Phase = Literal["starting", "running", "stopping"]
PartPhase = Literal["starting", "running", "restarting", "finished", "stopped"]


@dataclass
class PartRecord:
    """One part as `status` shows it. Times are seconds since the epoch."""

    name: str
    phase: PartPhase = "starting"
    identity: Identity | None = None
    since: float = 0.0
    restarts: int = 0
    message: str = ""


@dataclass
class InstanceRecord:
    """The state file of a running instance."""

    instance: str
    supervisor: Identity
    phase: Phase = "starting"
    url: str = ""
    started_at: float = 0.0
    parts: list[PartRecord] = field(default_factory=list)

    def write(self, home: Home) -> None:
        """Replace the file in one step, so that a reader never sees half of it."""
        draft = home.state_file.with_suffix(".new")
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(home.state_file)

    @classmethod
    def read(cls, home: Home) -> "InstanceRecord | None":
        """The last written state; None when there is none or it cannot be understood."""
        try:
            value: dict[str, Any] = json.loads(home.state_file.read_text())
            supervisor = Identity.parse(value["supervisor"])
            if supervisor is None:
                return None
            parts = [PartRecord(**{**part, "identity": Identity.parse(part["identity"])}) for part in value["parts"]]
            return cls(**{**value, "supervisor": supervisor, "parts": parts})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def identities(self) -> list[Identity]:
        return [part.identity for part in self.parts if part.identity is not None]


class FolderLock:
    """An exclusive or shared hold on a data folder. The kernel lets go when the holder dies."""

    def __init__(self, home: Home, name: str = "instance") -> None:
        self.path = home.root / "locks" / f"{name}.lock"
        self._descriptor: int | None = None

    def take(self, *, shared: bool = False) -> bool:
        """Try once, without waiting."""
        mode = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, mode)
        except BlockingIOError:
            os.close(descriptor)
            return False
        if not self._is_current(descriptor):  # wiped by `reset` between open and lock
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def sign(self, purpose: str) -> None:
        """Leave word who holds the folder, for the message that others print."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps({"purpose": purpose, "pid": os.getpid()}).encode(), 0)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def is_held(self) -> bool:
        """Whether anybody holds it now."""
        if not self.path.exists():
            return False
        if not self.take():
            return True
        self.release()
        return False

    def holder(self) -> dict[str, Any]:
        """Who signed last: `{"purpose": ..., "pid": ...}`, or an empty dictionary."""
        try:
            found = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.fstat(descriptor).st_ino == self.path.stat().st_ino
        except FileNotFoundError:
            return False


def is_running(home: Home) -> bool:
    """Whether `up` (not a passing command) holds the folder."""
    lock = FolderLock(home)
    return lock.is_held() and lock.holder().get("purpose") == "up"


def wait_until(condition: Callable[[], bool], seconds: float, step: float = 0.1) -> bool:
    """Poll until true; False when time is up."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True


def clear_leftovers(home: Home) -> int:
    """Stop what a killed supervisor left. Returns how many processes were found. Call it with the lock held."""
    record = InstanceRecord.read(home)
    if record is None:
        return 0
    found = [each for each in record.identities() if each.alive()]
    found += [each for each in processes.of_instance(record.instance) if each not in found]
    if home.postgres_data.exists():
        found += [each for each in processes.with_cwd(home.postgres_data) if each not in found]
    postgres = {part.identity for part in record.parts if part.name == "postgres"}
    processes.stop_all([each for each in found if each not in postgres], grace=5.0)
    processes.stop_all(found, grace=10.0, first=signal.SIGINT)
    home.state_file.unlink(missing_ok=True)
    return len(found)


def log_of(home: Home, name: str) -> Path:
    return home.logs / f"{name}.log"
