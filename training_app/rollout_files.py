"""Rollouts of a training run, read from its files one step at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from training_app.engine.rundir import RunDirectory
from webapp.common.svg import CriterionRow, RolloutColumn, group_matrix

_NAME: Final = re.compile(r"step-(\d{6})\.jsonl$")
_HEAD: Final = (
    "group", "index", "task_id", "state", "skipped", "reward", "advantage", "verdict", "status", "detail", "turns",
    "calls", "tool_errors", "sampled_tokens", "observation_tokens", "pass_rates", "weights", "broken",
)  # fmt: skip


@dataclass
class StoredGroup:
    """The rollouts of one task at one step, without their texts."""

    number: int
    task_hash: str
    state: str
    skipped: str
    rollouts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def solved(self) -> int:
        """Rollouts that met every criterion."""
        return sum(bool(row["verdict"]) and all(row["verdict"].values()) for row in self.rollouts)

    @property
    def mean_score(self) -> float | None:
        """Mean share of criteria met, over rollouts with a verdict."""
        verdicts = [row["verdict"] for row in self.rollouts if row["verdict"]]
        shares = [sum(map(bool, verdict.values())) / len(verdict) for verdict in verdicts]
        return sum(shares) / len(shares) if shares else None

    @property
    def complete(self) -> float | None:
        """Share of the judged rollouts that met every criterion."""
        judged = sum(bool(row["verdict"]) for row in self.rollouts)
        return self.solved / judged if judged else None


def steps(run: RunDirectory) -> list[int]:
    """Steps that have a file of rollouts, in order."""
    folder = run.root / "rollouts"
    if not folder.is_dir():
        return []
    return sorted(int(found[1]) for path in folder.iterdir() if (found := _NAME.match(path.name)))


def groups(run: RunDirectory, step: int) -> list[StoredGroup]:
    """The groups of a step; texts are dropped line by line."""
    found: dict[int, StoredGroup] = {}
    for row in _rows(run.rollouts(step)):
        head = {name: row.get(name) for name in _HEAD}
        number = int(row["group"])
        if number not in found:
            skipped = str(row.get("skipped") or "")
            found[number] = StoredGroup(number, str(row["task_id"]), str(row["state"]), skipped)
        found[number].rollouts.append(head)
    return [found[number] for number in sorted(found)]


def whole_group(run: RunDirectory, step: int, group: int) -> list[dict[str, Any]]:
    """The rollouts of one group with their texts, in order; empty where there is no such group."""
    found = [row for row in _rows(run.rollouts(step)) if row.get("group") == group]
    return sorted(found, key=lambda row: int(row["index"]))


def matrix(group: StoredGroup, hrefs: Sequence[str], caption: str) -> Any:
    """The table of criteria by rollouts with p, w, R and advantage."""
    names = sorted({name for row in group.rollouts for name in (row["verdict"] or {})})
    first: Mapping[str, Any] = group.rollouts[0]
    rates, weights = first["pass_rates"] or {}, first["weights"] or {}
    criteria = [CriterionRow(name, rates.get(name), weights.get(name)) for name in names]
    columns = [
        RolloutColumn(str(row["index"] + 1), row["reward"], None if row["reward"] is None else row["advantage"], href)
        for row, href in zip(group.rollouts, hrefs, strict=True)
    ]
    cells = [[(row["verdict"] or {}).get(name) for row in group.rollouts] for name in names]
    return group_matrix(criteria, columns, cells, caption=caption)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                if isinstance(row, dict) and "group" in row:
                    yield row
    except FileNotFoundError:
        return
