"""The manifest beside a dataset's files: what they hold, where it comes from, and proof that they are
whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from training_app.engine.rundir import write_atomic
from training_app.exports.ndjson import Written, file_sha256

NAME = "manifest.json"


class FileEntry(BaseModel):
    """One file of the dataset."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    split: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0, description="Bytes.")
    records: int = Field(ge=0)

    @classmethod
    def of(cls, written: Written, split: str) -> Self:
        """The entry of a file that was just written."""
        return cls(
            name=written.path.name,
            split=split,
            sha256=written.sha256,
            size=written.size,
            records=written.records,
        )


class Manifest(BaseModel):
    """Everything that a reader must know before trusting a dataset."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = Field(description="sft, prompts or trajectories, with its version, as `sft/1`.")
    dataset: str = Field(description="Name of the dataset.")
    dataset_version: str = Field(description="Content hash of the dataset version it was made from.")
    created_at: str = Field(description="ISO 8601, handed in.")
    files: tuple[FileEntry, ...]
    split_rule: str
    split_seed: int
    overlap: int = Field(ge=0, description="Families in more than one split; computed, must be 0.")
    left_out: dict[str, int] = Field(default_factory=dict, description="Trajectories left out, by reason.")
    reasoning: str = Field(default="none", description="How reasoning was kept: none, all, per_turn.")
    simulated_share: float = Field(ge=0, le=1, description="Mean share of simulated tool calls.")
    versions: dict[str, str] = Field(default_factory=dict, description="Packages that made the files.")

    def counts(self) -> dict[str, int]:
        """Records per split."""
        totals: dict[str, int] = {}
        for entry in self.files:
            totals[entry.split] = totals.get(entry.split, 0) + entry.records
        return totals


def write_manifest(directory: Path, manifest: Manifest) -> Path:
    """Write `manifest.json` beside the files it lists. Raises ValueError if splits share families."""
    if manifest.overlap:
        raise ValueError(f"{manifest.overlap} families lie in more than one split")
    path = directory / NAME
    write_atomic(path, manifest.model_dump_json(indent=2).encode() + b"\n")
    return path


def read_manifest(directory: Path) -> Manifest:
    """Read `manifest.json`. Raises pydantic's ValidationError, or FileNotFoundError."""
    return Manifest.model_validate(json.loads((directory / NAME).read_bytes()))


def verify_files(directory: Path, manifest: Manifest) -> tuple[str, ...]:
    """Problems in words between the files on disk and their manifest; () if all are as they were written."""
    problems = []
    for entry in manifest.files:
        path = directory / entry.name
        if not path.exists():
            problems.append(f"{entry.name} is missing")
        elif file_sha256(path) != entry.sha256:
            problems.append(f"{entry.name} was changed after the export")
    return tuple(problems)


def mean_simulated_share(shares: Sequence[float]) -> float:
    """Mean over records; 0.0 for none."""
    return sum(shares) / len(shares) if shares else 0.0


def merge_left_out(parts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Add up counts by reason."""
    total: dict[str, int] = {}
    for part in parts:
        for reason, count in part.items():
            total[reason] = total.get(reason, 0) + count
    return dict(sorted(total.items()))
