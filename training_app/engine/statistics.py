"""Rates with honest intervals and paired comparisons, seeded, without numpy."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True)
class Interval:
    """A point estimate with its interval; `n` observations at confidence `level`."""

    value: float
    low: float
    high: float
    n: int
    level: float


@dataclass(frozen=True)
class Comparison:
    """Two runs on the same tasks: mean difference (second − first), its p-value (two-sided) and the test's
    name.
    """

    difference: float
    p_value: float
    n: int
    test: str


@dataclass(frozen=True)
class Binary:
    """Two runs' outcomes on the same tasks: met by both, by one only, by neither."""

    both: int
    gained: int
    lost: int
    neither: int


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of a rate; (0, 0, 1) for n = 0. Raises ValueError unless 0 ≤ successes ≤ n."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} make no sense")
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0, level)
    z = _quantile(level)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if successes == 0 else centre - half  # exactly, without rounding
    high = 1.0 if successes == n else centre + half
    return Interval(rate, low, high, n, level)


def bootstrap_mean(values: Sequence[float], *, seed: int, level: float = 0.95, resamples: int = 2000) -> Interval:
    """Percentile bootstrap of a mean. Give one value per task: repeats of a task are not independent."""
    if not values:
        raise ValueError("no values to resample")
    rng = random.Random(seed)  # noqa: S311 - resampling, not secrecy
    n = len(values)
    means = sorted(math.fsum(rng.choices(values, k=n)) / n for _ in range(resamples))
    tail = (1 - level) / 2
    low, high = means[int(tail * resamples)], means[min(resamples - 1, int((1 - tail) * resamples))]
    return Interval(math.fsum(values) / n, low, high, n, level)


def bootstrap_difference(
    first: Sequence[float], second: Sequence[float], *, seed: int, level: float = 0.95, resamples: int = 2000
) -> Interval:
    """Percentile bootstrap of the mean paired difference second − first; pairs are drawn whole."""
    _same_length(first, second)
    differences = [b - a for a, b in zip(first, second, strict=True)]
    return bootstrap_mean(differences, seed=seed, level=level, resamples=resamples)


def fourfold(first: Sequence[bool], second: Sequence[bool]) -> Binary:
    """The table that McNemar's test looks at."""
    _same_length(first, second)
    pairs = list(zip(first, second, strict=True))
    return Binary(
        both=sum(a and b for a, b in pairs),
        gained=sum(b and not a for a, b in pairs),
        lost=sum(a and not b for a, b in pairs),
        neither=sum(not a and not b for a, b in pairs),
    )


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Comparison:
    """Exact McNemar test of two runs' successes, paired by task: binomial over the tasks on which they
    differ.
    """
    table = fourfold(first, second)
    gained, lost = table.gained, table.lost
    n = len(first)
    differing = gained + lost
    tail = sum(math.comb(differing, k) for k in range(min(gained, lost) + 1)) / 2**differing
    return Comparison((gained - lost) / n, min(1.0, 2 * tail), n, "McNemar, exact")


def paired_permutation(
    first: Sequence[float], second: Sequence[float], *, seed: int, resamples: int = 10_000
) -> Comparison:
    """Sign-flip test of the mean difference of paired scores; all 2^n flips for n ≤ 12, else `resamples`
    draws.
    """
    _same_length(first, second)
    differences = [b - a for a, b in zip(first, second, strict=True)]
    n = len(differences)
    observed = abs(math.fsum(differences)) - 1e-12
    if n <= 12:
        sums = (math.fsum(d if flips >> i & 1 else -d for i, d in enumerate(differences)) for flips in range(2**n))
        extreme = sum(abs(total) >= observed for total in sums)
        return Comparison(math.fsum(differences) / n, extreme / 2**n, n, "sign-flip permutation, exact")
    rng = random.Random(seed)  # noqa: S311 - resampling, not secrecy
    extreme = sum(
        abs(math.fsum(d if rng.random() < 0.5 else -d for d in differences)) >= observed for _ in range(resamples)
    )
    # The observed labelling is one of the permutations, hence the + 1.
    p = (extreme + 1) / (resamples + 1)
    return Comparison(math.fsum(differences) / n, p, n, f"sign-flip permutation, {resamples} draws, seed {seed}")


def pass_at_k(n: int, passed: int, k: int) -> float:
    """Unbiased estimate of P(at least one of k attempts passes) from `passed` of n attempts at one task."""
    if not 1 <= k <= n or not 0 <= passed <= n:
        raise ValueError(f"pass@{k} needs 1 ≤ k ≤ n and 0 ≤ passed ≤ n, got n = {n}, passed = {passed}")
    return 1.0 - math.comb(n - passed, k) / math.comb(n, k)


def _same_length(first: Sequence[object], second: Sequence[object]) -> None:
    if not first or len(first) != len(second):
        raise ValueError(f"a paired comparison needs the same tasks in both runs, got {len(first)} and {len(second)}")


def _quantile(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, got {level}")
    return NormalDist().inv_cdf(0.5 + level / 2)
