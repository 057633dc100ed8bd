"""Advantages of a group and what a group without variance means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Scale = Literal["group", "none"]
GroupState = Literal["alive", "all_solved", "none_solved", "truncated", "skipped"]

TOLERANCE = 1e-6
"""Spreads up to this are float noise of equal rewards, not signal."""
STABILISER = 1e-4
"""Added to the deviation that advantages are divided by, as TRL does."""


def group_advantages(
    rewards: Sequence[float | None], *, scale: Scale = "group", tolerance: float = TOLERANCE
) -> tuple[float, ...]:
    """(R_i − mean) / (deviation + 1e-4) over the rollouts with a reward; exactly 0 for the others.

    The deviation is that of a sample (n − 1). A group whose rewards lie within `tolerance` gives exactly 0
    everywhere: otherwise rounding noise would be divided by itself and grow to the size of a real advantage.
    """
    known = [r for r in rewards if r is not None]
    if len(known) < 2 or max(known) - min(known) <= tolerance:
        return (0.0,) * len(rewards)
    mean, deviation = spread(known)
    divisor = deviation + STABILISER if scale == "group" else 1.0
    return tuple(0.0 if r is None else (r - mean) / divisor for r in rewards)


def spread(rewards: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation of a sample (n − 1) of at least two rewards."""
    mean = math.fsum(rewards) / len(rewards)
    return mean, math.sqrt(math.fsum((r - mean) ** 2 for r in rewards) / (len(rewards) - 1))


def classify_group(
    rewards: Sequence[float | None],
    *,
    solved: Sequence[bool],
    truncated: Sequence[bool],
    tolerance: float = TOLERANCE,
) -> GroupState:
    """Is there signal in the group, and if not, why.

    solved[i]: rollout i met every criterion; truncated[i]: it was cut by a limit. Rollouts without a reward
    are left out of the judgement; fewer than two rewards = "skipped".
    """
    known = [i for i, r in enumerate(rewards) if r is not None]
    if len(known) < 2:
        return "skipped"
    values = [r for r in rewards if r is not None]
    if max(values) - min(values) > tolerance:
        return "alive"
    if all(solved[i] for i in known):
        return "all_solved"
    if all(truncated[i] for i in known):
        return "truncated"
    return "none_solved"
