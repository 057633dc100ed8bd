"""What the check found, part by part, as words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from training_app.gpu_check.probe import Machine

Verdict = Literal["pass", "fail", "could not tell"]
PASSED, FAILED, NOT_HERE, NOT_ALL = 0, 1, 3, 4
"""Exit codes: all parts passed; one failed; nothing could run on this machine; some parts could not tell."""


@dataclass(frozen=True)
class Part:
    """One part with its verdict. `reason` is empty where it passed; `seconds` of the `bound` it had."""

    name: str
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0
    bound: float = 0.0
    figures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """Machine and parts; `files` is where logs and metrics of the parts lie."""

    machine: Machine
    parts: tuple[Part, ...] = ()
    seconds: float = 0.0
    files: str = ""

    @property
    def code(self) -> int:
        """The exit code."""
        if self.machine.problem:
            return NOT_HERE
        verdicts = {part.verdict for part in self.parts}
        return FAILED if "fail" in verdicts else NOT_ALL if "could not tell" in verdicts else PASSED

    @property
    def conclusion(self) -> str:
        """One sentence."""
        if self.machine.problem:
            return self.machine.problem
        bad = [part.name for part in self.parts if part.verdict != "pass"]
        if not bad:
            return f"All {len(self.parts)} parts passed in {self.seconds:.0f} s."
        return f"Not passed: {', '.join(bad)}. The logs lie in {self.files}."

    def to_json(self) -> dict[str, Any]:
        """For --json."""
        return {
            "code": self.code,
            "conclusion": self.conclusion,
            "machine": asdict(self.machine),
            "parts": [asdict(part) for part in self.parts],
            "seconds": round(self.seconds, 1),
            "files": self.files,
        }

    def lines(self) -> Iterator[str]:
        """For a terminal."""
        yield from machine_lines(self.machine)
        for part in self.parts:
            yield from part_lines(part)
        yield self.conclusion


def machine_lines(machine: Machine) -> Iterator[str]:
    """Device and versions, where there are some."""
    if machine.device:
        yield f"{machine.device}, {machine.gib:g} GiB, CUDA {machine.cuda}"
    if machine.versions:
        yield ", ".join(f"{name} {number}" for name, number in machine.versions.items())


def part_lines(part: Part) -> Iterator[str]:
    """Verdict, time and figures of a part."""
    yield f"{part.verdict:<15} {part.name:<10} {part.seconds:6.1f} of {part.bound:.0f} s  {part.reason}".rstrip()
    if part.figures:
        yield "                " + ", ".join(f"{name} {_shown(value)}" for name, value in part.figures.items())


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
