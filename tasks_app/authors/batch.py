"""Many tasks: which walks are tried for task number i, and when it is given up. Knows no database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from services_app.engine.protocol import Mounting
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.quota import Quota, shares
from tasks_app.authors.story import Rejected
from tasks_app.authors.tongue import Language
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.chances import Chances, Mode
from tasks_app.engine.proof import holds_afresh
from tasks_app.engine.sampling import Composition, sample_composition
from tasks_app.engine.task import TaskSpec

SCALE: Final = "small"
COMPOSITIONS_PER_TASK: Final = 24  # how many walks are tried before a wanted task is given up
REMEMBERED: Final = 4000  # earlier tasks of a request that are counted to tell whose turn it is
STATE_SEEDS: Final = 3  # seeded worlds that tasks are spread over; few, so that they stay in memory


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What to generate. Task number i depends only on `seed` and i, never on what else was made."""

    count: int
    needed: int
    distractors: int
    length: tuple[int, int]
    seed: int
    services: tuple[str, ...] = ()
    mode: Mode = "uniform"
    weights: tuple[tuple[str, int], ...] = ()
    """What services weigh in the mode failures, as it was when the request was made."""
    chances: Chances | None = None
    """What the mode makes of the pool (`tasks_app.pipelines.with_chances`); None draws all sets alike."""
    language: Language = "en"
    """What the instructions are written in."""

    @classmethod
    def parse(cls, payload: Mapping[str, Any]) -> Self:
        return cls(
            count=int(payload["count"]),
            needed=int(payload["k"]),
            distractors=int(payload["distractors"]),
            length=(int(payload["length"][0]), int(payload["length"][1])),
            seed=int(payload["seed"]),
            services=tuple(payload.get("services") or ()),
            mode=payload.get("mode", "uniform"),
            language=payload.get("language", "en"),
            weights=tuple(sorted((payload.get("weights") or {}).items())),
        )


@dataclass(frozen=True, slots=True)
class Written:
    """A proven task, or None after all compositions failed; `tried` counts them, `reasons` says what stopped them."""

    task: TaskSpec | None
    tried: int
    reasons: Counter[str]


def write_task(
    mounting: Mounting, workshop: Workshop, request: GenerateRequest, pool: Sequence[str], number: int
) -> Written:
    """Task `number` of a request; its proof, made on forks, was seen to hold in an environment of its own."""
    reasons: Counter[str] = Counter()
    for tried, attempt in enumerate(_order(request, pool, number), 1):
        composition = drawn(request, tuple(pool), number, attempt)
        turns = _turns(request, tuple(pool), number, composition.needed)
        spec = author_on(mounting, workshop, composition, turns, request.language)
        if isinstance(spec, Rejected):
            reasons.update(spec.reasons)
            continue
        if holds_afresh(spec, lambda task: task.environment(mounting)):
            return Written(spec, tried, reasons)
        reasons["proof: does not hold in a fresh environment"] += 1
    return Written(None, COMPOSITIONS_PER_TASK, reasons)


def walk_length(text: str) -> tuple[int, int]:
    """A range of lengths written `A..B`, or `A` for one length. Raises ValueError for anything else."""
    low, _, high = text.partition("..")
    return int(low), int(high or low)


@lru_cache(maxsize=4096)
def drawn(request: GenerateRequest, pool: tuple[str, ...], number: int, attempt: int) -> Composition:
    """The composition tried at this attempt for task `number`."""
    draw = (request.seed * 100_003 + number) * COMPOSITIONS_PER_TASK + attempt
    return sample_composition(
        pool, needed=request.needed, distractors=request.distractors, length=request.length, seed=draw,
        chances=request.chances,
    )  # fmt: skip


def first_drawn(request: GenerateRequest, pool: Sequence[str], number: int) -> Composition:
    """The composition that is tried first for task `number`."""
    return drawn(request, tuple(pool), number, _order(request, pool, number)[0])


def _order(request: GenerateRequest, pool: Sequence[str], number: int) -> list[int]:
    """The attempts for task `number` in the order in which they are tried."""
    return _quota(request, tuple(pool), COMPOSITIONS_PER_TASK).order(number)


@lru_cache(maxsize=16)
def _quota(request: GenerateRequest, pool: tuple[str, ...], attempts: int) -> Quota:
    most_sets, most_walks = shares(request.count, pool, request.needed, request.length)
    return Quota(
        lambda number, attempt: drawn(request, pool, number, attempt),
        attempts=attempts, most_sets=most_sets, most_walks=most_walks,
    )  # fmt: skip


def _turns(request: GenerateRequest, pool: tuple[str, ...], number: int, slugs: Sequence[str]) -> dict[str, int]:
    """For each of the services, how often earlier tasks of the request visit it, as first drawn."""
    earlier = [first_drawn(request, pool, before).walk for before in range(max(0, number - REMEMBERED), number)]
    return {slug: sum(walk.count(slug) for walk in earlier) for slug in slugs}


def author_on(
    mounting: Mounting,
    workshop: Workshop,
    composition: Composition,
    turns: Mapping[str, int],
    language: Language = "en",
) -> TaskSpec | Rejected:
    """Author one task on a composition, in a fresh environment."""
    seed = composition.seed
    state_seed = seed % STATE_SEEDS
    environment = mounting.mount(composition.mounted, seed=state_seed, scale=SCALE)
    try:
        author = RulesAuthor(environment, workshop, state_seed=state_seed, scale=SCALE, language=language)
        return author.write(composition.walk, seed=seed, turns=turns)
    finally:
        environment.close()
