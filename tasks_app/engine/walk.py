"""Walks over services, drawn exactly uniformly.

A walk of length L over K services visits every service, never stays (no immediate repeat) and, as L > K,
comes back to at least one. Instead of drawing and rejecting, the number of ways to finish from each partial
walk is counted; by symmetry it depends only on how many services are still unvisited.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import comb

MAX_SERVICES = 10


class WalkError(ValueError):
    """A walk that cannot exist; the message says why."""


@lru_cache(maxsize=4096)
def completions(services: int, visited: int, steps: int) -> int:
    """Ways to make `steps` more moves that end with all `services` visited, standing on one of `visited`."""
    if services - visited > steps:
        return 0
    if steps == 0:
        return 1
    fresh = (services - visited) * completions(services, visited + 1, steps - 1) if visited < services else 0
    return (visited - 1) * completions(services, visited, steps - 1) + fresh


def count_walks(services: int, length: int) -> int:
    """Number of covering walks of `length` visits without immediate repeats (K = 5, L = 7: 7,800)."""
    return services * completions(services, 1, length - 1)


def draw_walk(services: Sequence[str], length: int, rng: random.Random) -> tuple[str, ...]:
    """One walk, uniform among all that exist. Raises WalkError when there is none."""
    check_walk(len(services), length)
    visited = [rng.choice(services)]
    walk = list(visited)
    for steps in range(length - 2, -1, -1):
        others = [service for service in visited if service != walk[-1]]
        fresh = [service for service in services if service not in visited]
        back = len(others) * completions(len(services), len(visited), steps)
        ahead = len(fresh) * completions(len(services), len(visited) + 1, steps) if fresh else 0
        if rng.randrange(back + ahead) < back:
            walk.append(rng.choice(others))
        else:
            walk.append(rng.choice(fresh))
            visited.append(walk[-1])
    return tuple(walk)


def draw_fed_walk(
    services: Sequence[str], length: int, rng: random.Random, feeds: Callable[[str, str], bool]
) -> tuple[str, ...] | None:
    """One walk of which each service feeds the next, uniform among all such; None where there is none.

    The ways to finish are counted for each service stood on and each set of services visited (K * 2 ** K * L of them).
    """
    follow = [[b for b, other in enumerate(services) if b != a and feeds(one, other)] for a, one in enumerate(services)]
    every = (1 << len(services)) - 1

    @cache
    def ways(at: int, seen: int, steps: int) -> int:
        if steps == 0:
            return int(seen == every)
        return sum(ways(after, seen | 1 << after, steps - 1) for after in follow[at])

    if length < len(services):
        return None
    options, seen, walk = list(range(len(services))), 0, list[str]()
    for steps in range(length - 1, -1, -1):
        weights = [ways(option, seen | 1 << option, steps) for option in options]
        if not any(weights):
            return None
        at = rng.choices(options, weights)[0]
        walk.append(services[at])
        options, seen = follow[at], seen | 1 << at
    return tuple(walk)


def check_walk(services: int, length: int) -> None:
    """Raise WalkError in words for a request that cannot be met."""
    if not 1 <= services <= MAX_SERVICES:
        raise WalkError(f"K must be between 1 and {MAX_SERVICES}, not {services}")
    if length < services:
        raise WalkError(
            f"a walk of {length} visits cannot cover {services} services; use a length of at least {services}"
        )
    if services == 1 and length > 1:
        raise WalkError("with one service there is no walk longer than 1: a service is never visited twice in a row")
    if count_walks(services, length) == 0:
        raise WalkError(f"no walk of {length} visits covers {services} services without repeating at once")


def revisits(walk: Sequence[str]) -> tuple[int, ...]:
    """Positions at which a service is visited again."""
    return tuple(index for index, service in enumerate(walk) if service in walk[:index])


def composition_count(library: int, needed: int) -> int:
    """Number of service sets: C(n, K) (448 services, K = 5: 147,055,790,784)."""
    return comb(library, needed)


def new_compositions(library: int, needed: int) -> int:
    """Service sets that one more service adds: C(n, K - 1)."""
    return comb(library, needed - 1)
