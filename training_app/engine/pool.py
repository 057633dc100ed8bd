"""Which tasks are worth sampling: tasks whose groups stay dead leave the pool, easy ones may come first, and those that
fail now may come more often. Every choice follows from seed, step and what was played before, so that a resumed run and
all processes of a run choose alike.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from training_app.engine.advantage import GroupState

MEMORY: Final = 4
"""Groups of a task, the newest, from which its success is estimated: the policy changes."""
FLOOR: Final = 0.05
"""Least weight of a task under failure-directed choice: what was solved may be forgotten again."""


class Played(NamedTuple):
    """A group that was played: `solved` of its `valid` rollouts met every criterion."""

    task_id: str
    state: GroupState
    solved: int
    valid: int


@dataclass(frozen=True)
class Sized:
    """A task of the pool with the number of services it needs (K) and the length of its walk (L)."""

    task_id: str
    k: int = 0
    l: int = 0  # noqa: E741 - the name that the method gives it


@dataclass(frozen=True)
class Chosen:
    """The tasks of a step and figures about the choice."""

    task_ids: tuple[str, ...]
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class Choice:
    """How tasks are chosen. curriculum_steps: the pool opens evenly from the tasks with the least K, then L, to all of
    them over so many steps (None = all from the start). lean: 0 = open tasks come alike, 1 = by their failures alone.
    """

    pool: tuple[Sized, ...]
    seed: int
    curriculum_steps: int | None = None
    lean: float = 0.0
    retire_after: int | None = None

    @property
    def is_even(self) -> bool:
        """Does every task come once per pass, whatever became of it?"""
        return self.curriculum_steps is None and self.lean == 0

    def of_step(self, step: int, history: Sequence[Played], count: int) -> Chosen:
        """`count` tasks for a step (from 1); none twice unless fewer are open."""
        gone = retired(history, self.retire_after)
        ranked = sorted(self.pool, key=lambda task: (task.k, task.l, task.task_id))
        alive = [task for task in ranked if task.task_id not in gone] or ranked
        opened = alive[: max(count, math.ceil(len(alive) * self.share(step)))]
        rates, streaks = success_rates(history), dead_streaks(history)
        weights = {t.task_id: self._weight(rates.get(t.task_id, 0.5), streaks.get(t.task_id, 0)) for t in opened}
        drawn = draw(weights, count, random.Random(f"{self.seed}:{step}"))  # noqa: S311 - reproducible, not secret
        sizes = {task.task_id: task for task in opened}
        figures = {
            "open": len(opened),
            "retired": len(gone),
            "k": _mean([sizes[name].k for name in drawn]),
            "l": _mean([sizes[name].l for name in drawn]),
            "success_before": _mean([rates.get(name, 0.5) for name in drawn]),
        }
        return Chosen(tuple(drawn), figures)

    def share(self, step: int) -> float:
        """The share of the pool that is open at a step, 0..1."""
        return 1.0 if self.curriculum_steps is None else min(1.0, step / self.curriculum_steps)

    def _weight(self, rate: float, streak: int) -> float:
        """1 without a lean. With one, (1 − success), halved for each dead group in a row: tasks that no rollout solves
        teach as little as those that all solve.
        """
        return (1 - self.lean) + self.lean * max(FLOOR, (1 - rate) * 0.5**streak)


def success_rates(history: Iterable[Played]) -> dict[str, float]:
    """Success per task over its last groups, (solved + 1) / (valid + 2): 1/2 for what nobody has seen."""
    groups: dict[str, list[Played]] = {}
    for played in history:
        groups.setdefault(played.task_id, []).append(played)
    rates = {}
    for name, rows in groups.items():
        last = rows[-MEMORY:]
        rates[name] = (sum(row.solved for row in last) + 1) / (sum(row.valid for row in last) + 2)
    return rates


def draw(weights: Mapping[str, float], count: int, rng: random.Random) -> list[str]:
    """`count` names by weight, one after another without putting back; once all are drawn, all again."""
    drawn: list[str] = []
    left: dict[str, float] = {}
    while len(drawn) < count:
        left = left or dict(weights)
        name = rng.choices(list(left), list(left.values()))[0]
        drawn.append(name)
        del left[name]
    return drawn


def dead_streaks(history: Iterable[Sequence[Any]]) -> dict[str, int]:
    """Dead groups in a row per task, over (task id, state, ...) in order of time. Skipped groups say nothing."""
    streaks: dict[str, int] = {}
    for task_id, state, *_ in history:
        if state == "alive":
            streaks[task_id] = 0
        elif state != "skipped":
            streaks[task_id] = streaks.get(task_id, 0) + 1
    return streaks


def retired(history: Iterable[Sequence[Any]], after: int | None) -> frozenset[str]:
    """Tasks with at least `after` dead groups in a row; none if the rule is off (None)."""
    if after is None:
        return frozenset()
    return frozenset(task for task, streak in dead_streaks(history).items() if streak >= after)


def replacement(task_id: str, pool: Sequence[str], gone: frozenset[str]) -> str:
    """The next task of the pool after `task_id` that is not retired; the task itself if all are."""
    start = pool.index(task_id)
    for offset in range(len(pool)):
        candidate = pool[(start + offset) % len(pool)]
        if candidate not in gone:
            return candidate
    return task_id


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
