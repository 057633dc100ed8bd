"""Which tasks are worth sampling: tasks whose groups stay dead leave the pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from training_app.engine.advantage import GroupState


def dead_streaks(history: Iterable[tuple[str, GroupState]]) -> dict[str, int]:
    """Dead groups in a row per task, over (task id, state) in order of time. Skipped groups say nothing."""
    streaks: dict[str, int] = {}
    for task_id, state in history:
        if state == "alive":
            streaks[task_id] = 0
        elif state != "skipped":
            streaks[task_id] = streaks.get(task_id, 0) + 1
    return streaks


def retired(history: Iterable[tuple[str, GroupState]], after: int | None) -> frozenset[str]:
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
