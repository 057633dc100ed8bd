"""Bounds of a sandbox process and the one error that says which of them was hit."""

from dataclasses import dataclass
from typing import Literal

SandboxErrorKind = Literal["timeout", "cpu", "memory", "output", "message", "crash", "protocol", "refused"]

# What an error keeps of a flooded stream: enough to see what it was, little enough for a prompt.
KEPT_OUTPUT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one sandbox process. Bytes are bytes, times are seconds."""

    wall_seconds: float = 10.0
    """Per request; the process is killed when it is over."""
    cpu_seconds: int = 60
    """Processor time per request, all threads together."""
    memory_bytes: int = 1 << 30
    """Address space of the process."""
    output_bytes: int = 1 << 20
    """stdout and stderr together, per request; head and tail are kept."""
    message_bytes: int = 8 << 20
    """One JSON message, in either direction."""
    depth: int = 64
    """Nested lists and objects in one JSON message."""
    values: int = 500_000
    """Values in one JSON message: small texts can hold a great many objects."""
    start_seconds: float = 30.0
    """From the start of the process until its module is imported."""
    processes: int = 0
    """Child processes. Only 0 is possible: the filter lets threads through and nothing else."""

    def __post_init__(self) -> None:
        if self.processes != 0:
            raise ValueError("A sandbox process cannot start processes: `processes` must be 0.")
        positive = (self.wall_seconds, self.cpu_seconds, self.memory_bytes, self.output_bytes)
        if min(*positive, self.message_bytes, self.depth, self.values, self.start_seconds) <= 0:
            raise ValueError("Every sandbox limit must be greater than zero.")


@dataclass(frozen=True, slots=True)
class Output:
    """What a process printed during one request, cut in the middle when it was long."""

    stdout: str = ""
    stderr: str = ""

    def __str__(self) -> str:
        return "\n".join(part for part in (self.stdout, self.stderr) if part)


class SandboxError(Exception):
    """A request that gave no result. `message` names the bound with its number.

    `alive` tells whether the process can still be asked: an exception in the handler leaves it
    running, a bound that was hit does not.
    """

    def __init__(self, kind: SandboxErrorKind, message: str, output: str = "", *, alive: bool = False) -> None:
        super().__init__(message)
        self.kind: SandboxErrorKind = kind
        self.message = message
        self.output = output
        self.alive = alive
