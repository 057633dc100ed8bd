"""Figures of an evaluation, always with their n; what could not be told is counted apart."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from training_app.engine.statistics import Interval, bootstrap_mean, pass_at_k, wilson
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
    counts = {
        "attempts": len(attempts),
        "valid": len(valid),
        "tasks": len(by_task),
        "tasks_without_outcome": len({attempt.task_id for attempt in attempts} - set(by_task)),
        "invalid": _invalid(attempts),
    }
    if not by_task:
        return counts
    return {
        **counts,
        "bounds": _bounds(attempts),
        "success_rate": vars(success_interval(by_task, seed)),
        "score": vars(bootstrap_mean([_mean([a.score for a in rows]) for rows in by_task.values()], seed=seed)),
        **_at_k(by_task, seed),
        "criteria": _criteria(valid),
        "near_misses": _near_misses(valid),
        "near_misses_by_criterion": dict(Counter(a.missed[0] for a in valid if _is_near_miss(a)).most_common()),
        "truncated": sum(a.status == "truncated" for a in valid),
        "turns": _mean([float(a.turns) for a in valid]),
        "tokens": sum(a.prompt_tokens + a.completion_tokens for a in attempts),
        "cost_usd": _cost(attempts),
        "breakdowns": _breakdowns(by_task, facts or {}, seed),
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
    return bootstrap_mean([solved_share(rows) for rows in by_task.values()], seed=seed)


def _bounds(attempts: Sequence[Attempt]) -> dict[str, float]:
    """The success rate over all attempts if none, or if every one, of the unknown outcomes had been a success."""
    solved, unknown = sum(a.solved for a in attempts), sum(not a.valid for a in attempts)
    return {"low": solved / len(attempts), "high": (solved + unknown) / len(attempts)}


def _at_k(by_task: Mapping[str, Sequence[Attempt]], seed: int) -> dict[str, dict[str, Any]]:
    """pass@k and avg@k for 1, powers of two and the number of attempts that every task has, bootstrapped over tasks."""
    outcomes = [[a.solved for a in rows] for rows in by_task.values()]
    most = min(map(len, outcomes))
    ks = sorted({1, most, *(2**i for i in range(most.bit_length()) if 2**i <= most)})
    any_of = {k: [pass_at_k(len(row), sum(row), k) for row in outcomes] for k in ks}
    first = {k: [sum(row[:k]) / k for row in outcomes] for k in ks}
    return {
        "pass_at_k": {str(k): vars(_of_tasks(values, seed)) for k, values in any_of.items()},
        "avg_at_k": {str(k): vars(_of_tasks(values, seed)) for k, values in first.items()},
    }


def _of_tasks(values: Sequence[float], seed: int) -> Interval:
    """Wilson where each task gave 0 or 1, as for the success rate; else a bootstrap over tasks."""
    if all(value in (0.0, 1.0) for value in values):
        return wilson(round(sum(values)), len(values))
    return bootstrap_mean(values, seed=seed)


def _criteria(valid: Sequence[Attempt]) -> dict[str, dict[str, Any]]:
    met: dict[str, list[bool]] = defaultdict(list)
    for attempt in valid:
        for name, outcome in (attempt.verdict or {}).items():
            met[name].append(bool(outcome))
    return {name: vars(wilson(sum(values), len(values))) for name, values in sorted(met.items())}


def _near_misses(valid: Sequence[Attempt]) -> list[dict[str, Any]]:
    """Attempts that missed exactly one of several criteria."""
    return [{"task_id": a.task_id, "index": a.index, "missed": a.missed[0]} for a in valid if _is_near_miss(a)]


def _is_near_miss(attempt: Attempt) -> bool:
    return len(attempt.missed) == 1 and len(attempt.verdict or {}) > 1


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


def solved_share(rows: Sequence[Attempt]) -> float:
    """Share of the attempts at one task that met every criterion."""
    return _mean([float(a.solved) for a in rows])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
