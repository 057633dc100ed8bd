"""Figures of an evaluation, always with their n, and of two evaluations against each other."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from training_app.engine.statistics import (
    Comparison,
    Interval,
    avg_at_k,
    bootstrap_mean,
    mcnemar,
    mean_pass_at_k,
    paired_permutation,
    wilson,
)
from training_app.evaluation.attempts import Attempt

Facts = Mapping[str, Mapping[str, Any]]
"""Task id -> facts to break figures down by: domain, shape, K, L, simulated."""


def summarise(attempts: Sequence[Attempt], *, seed: int, facts: Facts | None = None) -> dict[str, Any]:
    """Success rate, score, pass@k and avg@k, criteria, near misses, costs and breakdowns, as JSON-able
    figures.

    Rates are over valid attempts. With one attempt per task the success rate has a Wilson interval; with
    several, attempts at a task are not independent, and the interval is a bootstrap over tasks.
    """
    valid = [attempt for attempt in attempts if attempt.valid]
    by_task = group_by_task(valid)
    if not by_task:
        return {"attempts": len(attempts), "valid": 0, "tasks": 0, "invalid": _invalid(attempts)}
    return {
        "attempts": len(attempts),
        "valid": len(valid),
        "tasks": len(by_task),
        "invalid": _invalid(attempts),
        "success_rate": vars(success_interval(by_task, seed)),
        "score": vars(bootstrap_mean([_mean([a.score for a in rows]) for rows in by_task.values()], seed=seed)),
        **_at_k(by_task),
        "criteria": _criteria(valid),
        "near_misses": _near_misses(valid),
        "truncated": sum(a.status == "truncated" for a in valid),
        "turns": _mean([float(a.turns) for a in valid]),
        "tokens": sum(a.prompt_tokens + a.completion_tokens for a in attempts),
        "cost_usd": _cost(attempts),
        "breakdowns": _breakdowns(by_task, facts or {}, seed),
    }


def compare(first: Sequence[Attempt], second: Sequence[Attempt], *, seed: int) -> dict[str, Any]:
    """Paired by task over the tasks that both have valid attempts at: differences second − first.

    Success: exact McNemar with one attempt per task on both sides, else a sign-flip test of success rates.
    Raises ValueError if no task is common.
    """
    a, b = group_by_task([x for x in first if x.valid]), group_by_task([x for x in second if x.valid])
    common = sorted(set(a) & set(b))
    if not common:
        raise ValueError("the two evaluations have no task in common")
    score = paired_permutation(
        [_mean([x.score for x in a[t]]) for t in common],
        [_mean([x.score for x in b[t]]) for t in common],
        seed=seed,
    )
    return {
        "tasks": len(common),
        "only_first": len(set(a) - set(b)),
        "only_second": len(set(b) - set(a)),
        "success_rate": vars(_compare_success(a, b, common, seed)),
        "score": vars(score),
        "gained": [t for t in common if _rate(a[t]) < _rate(b[t])],
        "lost": [t for t in common if _rate(a[t]) > _rate(b[t])],
    }


def first_divergence(calls: Sequence[tuple[str, str]], reference: Sequence[tuple[str, str]]) -> int | None:
    """Index of the first call that differs from the reference (tool or arguments); None if none does.

    A shorter attempt diverges where it ends; extra calls after the whole reference diverge too. Where to look
    first, not a verdict: many different ways solve a task.
    """
    for index, (got, want) in enumerate(zip(calls, reference, strict=False)):
        if got != want:
            return index
    return None if len(calls) == len(reference) else min(len(calls), len(reference))


def group_by_task(attempts: Sequence[Attempt]) -> dict[str, list[Attempt]]:
    """Attempts by task id, in order of their index."""
    groups: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in sorted(attempts, key=lambda a: (a.task_id, a.index)):
        groups[attempt.task_id].append(attempt)
    return dict(groups)


def success_interval(by_task: Mapping[str, Sequence[Attempt]], seed: int) -> Interval:
    """The success rate with the interval that fits the number of attempts per task."""
    if all(len(rows) == 1 for rows in by_task.values()):
        return wilson(sum(rows[0].solved for rows in by_task.values()), len(by_task))
    return bootstrap_mean([_rate(rows) for rows in by_task.values()], seed=seed)


def _compare_success(
    a: Mapping[str, Sequence[Attempt]], b: Mapping[str, Sequence[Attempt]], common: Sequence[str], seed: int
) -> Comparison:
    if all(len(a[t]) == len(b[t]) == 1 for t in common):
        return mcnemar([a[t][0].solved for t in common], [b[t][0].solved for t in common])
    return paired_permutation([_rate(a[t]) for t in common], [_rate(b[t]) for t in common], seed=seed)


def _at_k(by_task: Mapping[str, Sequence[Attempt]]) -> dict[str, dict[str, float]]:
    outcomes = [[a.solved for a in rows] for rows in by_task.values()]
    most = min(map(len, outcomes))
    ks = sorted({1, most, *(2**i for i in range(most.bit_length()) if 2**i <= most)})
    return {
        "pass_at_k": {str(k): mean_pass_at_k(outcomes, k) for k in ks},
        "avg_at_k": {str(k): avg_at_k(outcomes, k) for k in ks},
    }


def _criteria(valid: Sequence[Attempt]) -> dict[str, dict[str, Any]]:
    met: dict[str, list[bool]] = defaultdict(list)
    for attempt in valid:
        for name, outcome in (attempt.verdict or {}).items():
            met[name].append(bool(outcome))
    return {name: vars(wilson(sum(values), len(values))) for name, values in sorted(met.items())}


def _near_misses(valid: Sequence[Attempt]) -> list[dict[str, Any]]:
    """Attempts that missed exactly one of several criteria."""
    return [
        {"task_id": a.task_id, "index": a.index, "missed": a.missed[0]}
        for a in valid
        if len(a.missed) == 1 and len(a.verdict or {}) > 1
    ]


def _breakdowns(by_task: Mapping[str, Sequence[Attempt]], facts: Facts, seed: int) -> dict[str, dict[str, Any]]:
    parts: dict[str, dict[str, dict[str, Sequence[Attempt]]]] = defaultdict(lambda: defaultdict(dict))
    for task_id, rows in by_task.items():
        for name, value in facts.get(task_id, {}).items():
            parts[name][str(value)][task_id] = rows
    return {
        name: {value: vars(success_interval(tasks, seed)) for value, tasks in sorted(values.items())}
        for name, values in sorted(parts.items())
    }


def _invalid(attempts: Sequence[Attempt]) -> dict[str, int]:
    causes: dict[str, int] = defaultdict(int)
    for attempt in attempts:
        if not attempt.valid:
            causes[attempt.detail.partition(":")[0] if attempt.verdict is None else "unknown outcome"] += 1
    return dict(causes)


def _cost(attempts: Sequence[Attempt]) -> float | None:
    known = [a.cost_usd for a in attempts if a.cost_usd is not None]
    return math.fsum(known) if known else None


def _rate(rows: Sequence[Attempt]) -> float:
    return _mean([float(a.solved) for a in rows])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
