"""Rubric rewards of one group of rollouts, in plain floats.

Completion-focused reward (the paper's): with b_ij = 1 if rollout i meets criterion j,

    p_j = mean of b_ij over the group's valid rollouts
    w_j = λ + (1 − p_j)
    R_i = Σ_j w_j b_ij / Σ_j w_j

so what few rollouts complete weighs most. The advantage of rollout i is then proportional to
Σ_j w_j (b_ij − p_j); a criterion pulls hardest at p = 1/4 (with equal weights: at 1/2), and not at all at
p = 0 or 1, which is why those are reported apart.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Outcome = bool | None
"""Pass, fail, or unknown (evaluation error, judge outage)."""
Verdict = Mapping[str, Outcome]
"""Criterion id -> outcome of one rollout."""
Variant = Literal["completion_focused", "equal", "binary"]
UnknownEverywhere = Literal["exclude_criterion", "drop_group"]


@dataclass(frozen=True)
class GroupReward:
    """Rewards of a group and how they came about.

    rewards: per rollout in the order given; None = left out (it gets no reward and no update).
    valid: indices of the rollouts that count. pass_rates and weights: per counted criterion.
    broken: criteria that could not be judged on any rollout. no_signal: counted criteria with p = 0 or 1.
    skipped: in words why the whole group yields nothing, or "".
    """

    rewards: tuple[float | None, ...]
    valid: tuple[int, ...]
    pass_rates: Mapping[str, float]
    weights: Mapping[str, float]
    broken: tuple[str, ...]
    no_signal: tuple[str, ...]
    skipped: str = ""

    @property
    def total(self) -> float:
        """Σ_j w_j."""
        return math.fsum(self.weights.values())


def group_reward(
    verdicts: Sequence[Verdict | None],
    *,
    variant: Variant = "completion_focused",
    lam: float = 0.01,
    min_valid: int = 2,
    broken: Collection[str] = (),
    unknown_everywhere: UnknownEverywhere = "exclude_criterion",
) -> GroupReward:
    """Rewards of one group: `verdicts[i]` is the verdict of rollout i, None if it crashed.

    A rollout with an unknown outcome is left out; it is never counted as a failure, neither for itself nor in
    the pass rates of its siblings. A criterion named in `broken`, or unknown in every rollout that ran, is
    left out of the weights instead. Raises ValueError if the rollouts were judged by different criteria, by
    none, or if λ is negative.
    """
    if lam < 0:
        raise ValueError(f"λ must not be negative, got {lam}")
    names = _criteria(verdicts)
    dead = _broken(verdicts, names, broken)
    counted = [name for name in names if name not in dead]
    valid = [i for i, v in enumerate(verdicts) if v is not None and all(v[n] is not None for n in counted)]
    reason = _reason_to_skip(counted, dead, broken, len(valid), min_valid, unknown_everywhere)
    if reason:
        nothing: tuple[float | None, ...] = (None,) * len(verdicts)
        return GroupReward(nothing, tuple(valid), {}, {}, tuple(dead), (), reason)
    bits = {i: [bool(v[n]) for n in counted] for i in valid if (v := verdicts[i]) is not None}
    rates = [sum(row[j] for row in bits.values()) / len(bits) for j in range(len(counted))]
    weights = [lam + (1.0 - p) if variant == "completion_focused" else 1.0 for p in rates]
    rewards = tuple(_score(bits[i], weights, variant) if i in bits else None for i in range(len(verdicts)))
    return GroupReward(
        rewards=rewards,
        valid=tuple(valid),
        pass_rates=dict(zip(counted, rates, strict=True)),
        weights=dict(zip(counted, weights, strict=True)),
        broken=tuple(dead),
        no_signal=tuple(n for n, p in zip(counted, rates, strict=True) if p in {0.0, 1.0}),
    )


def pull(rate: float, weight: float) -> float:
    """w·√(p(1 − p)): how hard a criterion moves the advantages of its group; 0 where all or none meet it."""
    return weight * math.sqrt(rate * (1.0 - rate))


def check_groups(task_ids: Sequence[str], group_size: int) -> None:
    """Refuse a batch that does not consist of whole groups of one task each (ValueError in words)."""
    if not task_ids or len(task_ids) % group_size:
        raise ValueError(f"{len(task_ids)} rollouts are no whole groups of {group_size}")
    for start in range(0, len(task_ids), group_size):
        mixed = set(task_ids[start : start + group_size])
        if len(mixed) > 1:
            number = start // group_size
            raise ValueError(f"group {number} mixes the tasks {', '.join(sorted(mixed))}: groups must be whole")


def _criteria(verdicts: Sequence[Verdict | None]) -> list[str]:
    ran = [v for v in verdicts if v is not None]
    names = sorted(ran[0]) if ran else []
    for verdict in ran:
        if sorted(verdict) != names:
            differing = sorted(set(names) ^ set(verdict))
            raise ValueError(f"rollouts of one group were judged by different criteria: {', '.join(differing)}")
    if ran and not names:
        raise ValueError("a rubric without criteria cannot be rewarded")
    return names


def _broken(verdicts: Sequence[Verdict | None], names: list[str], known: Collection[str]) -> list[str]:
    ran = [v for v in verdicts if v is not None]
    return [name for name in names if name in known or all(v[name] is None for v in ran)]


def _reason_to_skip(
    counted: list[str],
    dead: list[str],
    known: Collection[str],
    valid: int,
    min_valid: int,
    unknown_everywhere: UnknownEverywhere,
) -> str:
    found = [name for name in dead if name not in known]
    if found and unknown_everywhere == "drop_group":
        return f"no rollout could be judged on {', '.join(found)}"
    if dead and not counted:
        return "every criterion is broken"
    if valid < min_valid:
        return f"{valid} valid rollouts, {min_valid} needed"
    return ""


def _score(met: list[bool], weights: list[float], variant: Variant) -> float:
    if variant == "binary":
        return 1.0 if all(met) else 0.0
    # Exactly rounded sums: neither the order of the criteria nor rounding can move a reward or lift it above 1.
    total = math.fsum(weights)
    if total == 0.0:  # λ = 0 and every rollout meets every criterion
        return 1.0
    return math.fsum(w for w, hit in zip(weights, met, strict=True) if hit) / total
