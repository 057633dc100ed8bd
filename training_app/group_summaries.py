"""What the groups of a step came to, kept beside the rollouts so that a course of many steps is read quickly.

The file of a step can hold megabytes of text; its summary (`step-000012.groups.json`) a few hundred bytes per group.
It is written when the step is first read, by whoever comes first, and made anew when the rollouts were replaced.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from training_app import rollout_files
from training_app.engine.rundir import RunDirectory, write_atomic


class GroupSummary(BaseModel):
    """One group without its rollouts. Rates are over rollouts with a verdict."""

    model_config = ConfigDict(frozen=True)

    number: int
    task_hash: str
    state: str
    skipped: str = ""
    rollouts: int
    judged: int
    solved: int
    score: float | None
    reward: float | None
    pass_rates: dict[str, float]
    broken: tuple[str, ...] = ()
    near_misses: dict[str, int] = {}
    """Criterion -> rollouts that failed it and nothing else."""
    invalid: int = 0
    truncated: int = 0

    @property
    def complete(self) -> float | None:
        """Share of the judged rollouts that met every criterion."""
        return self.solved / self.judged if self.judged else None

    @classmethod
    def of(cls, group: rollout_files.StoredGroup) -> Self:
        """Count what is in a stored group."""
        rows = group.rollouts
        judged = [row["verdict"] for row in rows if row["verdict"]]
        rewards = [row["reward"] for row in rows if row["reward"] is not None]
        return cls(
            number=group.number,
            task_hash=group.task_hash,
            state=group.state,
            skipped=group.skipped,
            rollouts=len(rows),
            judged=len(judged),
            solved=group.solved,
            score=group.mean_score,
            reward=sum(rewards) / len(rewards) if rewards else None,
            pass_rates=rows[0]["pass_rates"] or _rates(judged),
            broken=tuple(rows[0]["broken"] or ()),
            near_misses=dict(_near_misses(judged)),
            invalid=sum(row["reward"] is None for row in rows),
            truncated=sum(row["status"] == "truncated" for row in rows),
        )


def read(run: RunDirectory, step: int) -> tuple[GroupSummary, ...]:
    """The groups of a step in order; empty where nothing is stored."""
    source = run.rollouts(step)
    try:
        size = source.stat().st_size
    except FileNotFoundError:
        return ()
    path = source.with_suffix(".groups.json")
    known = _known(path, size)
    if known is not None:
        return known
    found = tuple(GroupSummary.of(group) for group in rollout_files.groups(run, step))
    text = json.dumps({"size": size, "groups": [one.model_dump() for one in found]}, ensure_ascii=False)
    write_atomic(path, text.encode())
    return found


def worst_first(groups: Sequence[GroupSummary]) -> list[GroupSummary]:
    """Lowest completion first, then lowest score; what yielded nothing before the rest."""
    return sorted(groups, key=lambda one: (one.complete or 0.0, one.score or 0.0, one.number))


def near_misses(groups: Sequence[GroupSummary]) -> list[tuple[str, int]]:
    """Criteria by how many rollouts failed nothing else, the most frequent first."""
    counts: Counter[str] = Counter()
    for group in groups:
        counts.update(group.near_misses)
    return counts.most_common()


def _known(path: Path, size: int) -> tuple[GroupSummary, ...] | None:
    try:
        value = json.loads(path.read_bytes())
        if value["size"] != size:
            return None
        return tuple(GroupSummary.model_validate(one) for one in value["groups"])
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None


def _rates(verdicts: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Pass rates of a group that got no reward, over what could be told."""
    rates = {}
    for name in sorted({name for verdict in verdicts for name in verdict}):
        known = [verdict[name] for verdict in verdicts if verdict.get(name) is not None]
        if known:
            rates[name] = sum(known) / len(known)
    return rates


def _near_misses(verdicts: Sequence[dict[str, Any]]) -> Counter[str]:
    failed = [[name for name, met in verdict.items() if met is not True] for verdict in verdicts]
    return Counter(names[0] for names, verdict in zip(failed, verdicts, strict=True) if len(names) == 1 and verdict)
