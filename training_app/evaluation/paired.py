"""Two evaluations against each other, paired by task: differences second − first with interval and test."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training_app.engine.statistics import (
    Comparison,
    bootstrap_difference,
    fourfold,
    mcnemar,
    paired_permutation,
)
from training_app.evaluation.attempts import Attempt
from training_app.evaluation.summary import Facts, group_by_task, solved_share, success_interval

Rows = Sequence[Attempt]
Measure = Callable[[Rows], float]


def compare(
    first: Sequence[Attempt], second: Sequence[Attempt], *, seed: int, facts: Facts | None = None
) -> dict[str, Any]:
    """Figures over the tasks that both have valid attempts at, as JSON-able data.

    Success with one attempt per task on both sides: exact McNemar and its table; else a sign-flip test of success
    rates, and no table. Attempts whose outcome is unknown enter nothing and are counted. Raises ValueError if no task
    is common.
    """
    a, b = (group_by_task([x for x in side if x.valid]) for side in (first, second))
    common = sorted(set(a) & set(b))
    if not common:
        raise ValueError("the two evaluations have no task in common")
    pairs = _Pairs({task: (a[task], b[task]) for task in common}, seed)
    return {
        "tasks": len(common),
        "only_first": len(set(a) - set(b)),
        "only_second": len(set(b) - set(a)),
        "unknown_first": sum(not x.valid for x in first),
        "unknown_second": sum(not x.valid for x in second),
        "success_rate": pairs.success(),
        "score": pairs.measured(_score),
        "table": pairs.table(),
        "criteria": pairs.criteria(),
        "breakdowns": pairs.breakdowns(facts or {}),
        "gained": [task for task, (x, y) in pairs.rows.items() if solved_share(x) < solved_share(y)],
        "lost": [task for task, (x, y) in pairs.rows.items() if solved_share(x) > solved_share(y)],
        "seed": seed,
    }


@dataclass(frozen=True)
class _Pairs:
    """Task id -> the valid attempts of both sides."""

    rows: Mapping[str, tuple[Rows, Rows]]
    seed: int

    @property
    def single(self) -> bool:
        """Is there one attempt per task on both sides?"""
        return all(len(x) == len(y) == 1 for x, y in self.rows.values())

    def values(self, measure: Measure) -> tuple[list[float], list[float]]:
        return [measure(x) for x, _ in self.rows.values()], [measure(y) for _, y in self.rows.values()]

    def outcomes(self) -> tuple[list[bool], list[bool]]:
        return [x[0].solved for x, _ in self.rows.values()], [y[0].solved for _, y in self.rows.values()]

    def success(self) -> dict[str, Any]:
        found = self.measured(solved_share, mcnemar(*self.outcomes()) if self.single else None)
        for name, place in (("first", 0), ("second", 1)):
            found[name] = vars(success_interval({task: sides[place] for task, sides in self.rows.items()}, self.seed))
        return found

    def table(self) -> dict[str, int] | None:
        return vars(fourfold(*self.outcomes())) if self.single else None

    def measured(self, measure: Measure, test: Comparison | None = None) -> dict[str, Any]:
        """Means of both sides, the difference with its bootstrap interval over tasks, and a test (sign flips)."""
        x, y = self.values(measure)
        interval = bootstrap_difference(x, y, seed=self.seed)
        tested = test or paired_permutation(x, y, seed=self.seed)
        return {
            "first": {"value": _mean(x)},
            "second": {"value": _mean(y)},
            "difference": tested.difference,
            "low": interval.low,
            "high": interval.high,
            "level": interval.level,
            "p_value": tested.p_value,
            "n": tested.n,
            "test": tested.test,
        }

    def criteria(self) -> dict[str, dict[str, Any]]:
        """By criterion id: how often each side met it, over the tasks that have it, and the difference."""
        having: dict[str, list[str]] = defaultdict(list)
        for task, (x, y) in self.rows.items():
            for name in sorted(set(x[0].verdict or {}) & set(y[0].verdict or {})):
                having[name].append(task)
        return {name: self._of(tasks).plain(_meets(name)) for name, tasks in sorted(having.items())}

    def breakdowns(self, facts: Facts) -> dict[str, dict[str, dict[str, Any]]]:
        """By fact and value: success of both sides and the difference."""
        parts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for task in self.rows:
            for name, value in facts.get(task, {}).items():
                parts[name][str(value)].append(task)
        return {
            name: {value: self._of(tasks).plain(solved_share) for value, tasks in sorted(values.items())}
            for name, values in sorted(parts.items())
        }

    def plain(self, measure: Measure) -> dict[str, Any]:
        """Means and the difference with its interval, without a test: there are many of these."""
        x, y = self.values(measure)
        interval = bootstrap_difference(x, y, seed=self.seed)
        return {
            "first": _mean(x), "second": _mean(y), "difference": interval.value, "low": interval.low,
            "high": interval.high, "n": interval.n,
        }  # fmt: skip

    def _of(self, tasks: Sequence[str]) -> _Pairs:
        return _Pairs({task: self.rows[task] for task in tasks}, self.seed)


def _meets(criterion: str) -> Measure:
    return lambda rows: _mean([float((row.verdict or {}).get(criterion) is True) for row in rows])


def _score(rows: Rows) -> float:
    return _mean([row.score for row in rows])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
