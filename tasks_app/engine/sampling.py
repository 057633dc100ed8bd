"""Which services a task is about, which stand beside them, and in which order they are mounted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tasks_app.engine.chances import Chances, Compatible, draw_set
from tasks_app.engine.walk import MAX_SERVICES, WalkError, draw_walk

MAX_DISTRACTORS = 20


@dataclass(frozen=True, slots=True)
class Composition:
    """A drawn composition: K needed services in the order of the walk's first visits, D distractors, mount order."""

    needed: tuple[str, ...]
    distractors: tuple[str, ...]
    mounted: tuple[str, ...]
    walk: tuple[str, ...]
    seed: int


def sample_composition(
    services: Sequence[str],
    *,
    needed: int,
    distractors: int,
    length: tuple[int, int],
    seed: int,
    chances: Chances | None = None,
) -> Composition:
    """Draw K needed services by `chances` (None: all sets alike), then uniformly: D distractors, length, walk, order.

    In the mode compatible the walk is uniform among those of which each service feeds the next, where there is one.
    Needed and distractors are shuffled together, so that the order does not tell them apart.
    Raises WalkError in words when the request cannot be met.
    """
    pool = sorted(set(services))
    _check(len(pool), needed, distractors, length)
    rng = random.Random(f"composition:{seed}")  # noqa: S311 - a reproducible draw
    if chances is None:
        drawn = rng.sample(pool, needed + distractors)
    else:
        drawn = draw_set(chances, needed, rng)
        drawn += rng.sample([slug for slug in pool if slug not in drawn], distractors)
    steps = rng.randint(*length)
    fed = chances.fed_walk(drawn[:needed], steps, rng) if isinstance(chances, Compatible) else None
    walk = fed or draw_walk(drawn[:needed], steps, rng)
    mounted = list(drawn)
    rng.shuffle(mounted)
    return Composition(tuple(dict.fromkeys(walk)), tuple(drawn[needed:]), tuple(mounted), walk, seed)


def _check(pool: int, needed: int, distractors: int, length: tuple[int, int]) -> None:
    if not 1 <= needed <= MAX_SERVICES:
        raise WalkError(f"K must be between 1 and {MAX_SERVICES}, not {needed}")
    if not 0 <= distractors <= MAX_DISTRACTORS:
        raise WalkError(f"the number of distractors must be between 0 and {MAX_DISTRACTORS}, not {distractors}")
    if needed + distractors > pool:
        raise WalkError(
            f"{needed} needed services and {distractors} distractors are {needed + distractors} services; "
            f"only {pool} are ready"
        )
    if length[0] > length[1]:
        raise WalkError(f"the length range {length[0]}..{length[1]} is empty")
