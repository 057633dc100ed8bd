"""What compositions are drawn from: the modes over what is stored, one draw to look at, and how much is used up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Q

from services_app.models import EffectProfile, Service
from tasks_app import selectors
from tasks_app.authors.guide import spoken_of, told_to
from tasks_app.authors.phrasebook import book_of
from tasks_app.engine.chances import (
    DEFAULT_MODE,
    ByDomain,
    Chances,
    Compatible,
    Mode,
    Uniform,
    Weighted,
    failure_weights,
    likelihood,
)
from tasks_app.engine.flows import Flow, exchanged, flow_of
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.sampling import Composition, sample_composition
from tasks_app.engine.walk import WalkError, composition_count, count_walks, new_compositions
from tasks_app.models import Task, Trajectory

_flows: Final[dict[str, Flow]] = {}  # by version hash, whose profile never changes


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be drawn. `policy` is the one whose failures direct the draw; it belongs to the mode failures."""

    k: int
    distractors: int
    length: tuple[int, int]
    pool: tuple[str, ...]
    mode: Mode = DEFAULT_MODE
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Odometer:
    """How large the space is that is drawn from, and how many of its service sets have a task."""

    pool: int
    compositions: int
    one_more: int
    walks: int
    used: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw, how likely its set of needed services is, and what it stands on."""

    composition: Composition
    odometer: Odometer
    likelihood: float
    even: float
    """How likely the set is when all are alike."""
    feeds: tuple[tuple[str, ...], ...]
    """For each step of the walk the kinds of information that the source shows and the target takes."""
    unmeasured: int
    """Services of the pool whose effects are not measured yet: with them a later draw may be another one."""
    simulated_share: float
    """Share of the usable tools of the mounted services that a world model answers for."""


def chances_of(mode: Mode, needed: int, flows: Mapping[str, Flow | None], weights: Mapping[str, int]) -> Chances | None:
    """What a mode makes of the pool that `flows` names; None for uniform. Raises WalkError in words."""
    if mode == "compatible":
        return _compatible(tuple((slug, flows[slug]) for slug in sorted(flows)), needed)
    if mode == "domain":
        return ByDomain(dict(Service.objects.filter(slug__in=list(flows)).values_list("slug", "domain")))
    return Weighted({slug: weights[slug] for slug in flows if slug in weights}) if mode == "failures" else None


@lru_cache(maxsize=8)
def _compatible(flows: tuple[tuple[str, Flow | None], ...], needed: int) -> Compatible:
    """Kept, since comparing all pairs of a large library takes a noticeable moment."""
    books = {slug: book for slug, _ in flows if (book := book_of(slug)) is not None}
    told = {
        slug: flow if flow is None or slug not in books else spoken_of(slug, books[slug], flow) for slug, flow in flows
    }
    return Compatible(told, needed, {slug: book.area for slug, book in books.items()})


def known_flows(pool: Sequence[str]) -> dict[str, Flow | None]:
    """What the services of a pool give and take; None for those whose current version was not measured."""
    rows = Service.objects.filter(slug__in=list(pool)).values_list("slug", "current__version_hash")
    hashes = {slug: str(version_hash) for slug, version_hash in rows}
    missing = [version_hash for version_hash in hashes.values() if version_hash not in _flows]
    for row in EffectProfile.objects.filter(version_hash__in=missing) if missing else ():
        _flows[row.version_hash] = flow_of(ServiceProfile.model_validate(row.profile))
    return {slug: _flows.get(hashes.get(slug, "")) for slug in pool}


def weights_of(asked: Asked) -> dict[str, int]:
    """What services weigh by the stored rollouts of a policy; empty in the other modes. Raises WalkError in words."""
    if asked.mode != "failures":
        if asked.policy:
            raise WalkError("a policy directs the draw in the mode failures only; leave it out, or use that mode")
        return {}
    if not asked.policy:
        raise WalkError("name the policy whose failures direct the draw")
    told = Trajectory.objects.filter(policy=asked.policy, passed__isnull=False, task__mounted__role="needed")
    rows = told.values("task__mounted__service__slug").annotate(n=Count("pk"), failed=Count("pk", Q(passed=False)))
    played = {row["task__mounted__service__slug"]: (row["n"], row["failed"]) for row in rows.order_by()}
    if not any(failed for slug, (_, failed) in played.items() if slug in asked.pool):
        raise WalkError(f"no stored rollout of {asked.policy} failed on these services; play tasks with it first")
    return failure_weights(asked.pool, played)


def one_draw(asked: Asked, seed: int) -> Drawn:
    """One composition as the mode and the seed draw it. Raises WalkError in words."""
    flows = known_flows(asked.pool)
    chances = chances_of(asked.mode, asked.k, flows, weights_of(asked))
    drawn = sample_composition(
        asked.pool, needed=asked.k, distractors=asked.distractors, length=asked.length, seed=seed, chances=chances
    )
    space = odometer(asked)
    return Drawn(
        composition=drawn,
        odometer=space,
        likelihood=likelihood(chances or Uniform(asked.pool), drawn.needed),
        even=1 / space.compositions,
        feeds=tuple(_fed(flows, *pair) for pair in zip(drawn.walk, drawn.walk[1:], strict=False)),
        unmeasured=sum(flow is None for flow in flows.values()),
        simulated_share=_simulated_share(drawn.mounted),
    )


def odometer(asked: Asked) -> Odometer:
    """The size of the space, and how many sets of exactly these K services out of the pool have a task already."""
    needed = Q(mounted__role="needed")
    sets = Task.objects.filter(needed_count=asked.k).annotate(
        needed=ArrayAgg("mounted__service__slug", filter=needed, order_by="mounted__service__slug"),
        outside=Count("mounted", filter=needed & ~Q(mounted__service__slug__in=asked.pool)),
    )
    size = len(asked.pool)
    return Odometer(
        pool=size,
        compositions=composition_count(size, asked.k),
        one_more=new_compositions(size, asked.k),
        walks=sum(count_walks(asked.k, steps) for steps in range(asked.length[0], asked.length[1] + 1)),
        used=sets.filter(outside=0).order_by().values("needed").distinct().count(),
    )


def _fed(flows: Mapping[str, Flow | None], source: str, target: str) -> tuple[str, ...]:
    """What the source can tell the target: facts where both have a phrase book, else kinds of values."""
    gives, takes = flows[source], flows[target]
    if gives is None or takes is None:
        return ()
    giver, taker = book_of(source), book_of(target)
    return tuple(sorted(exchanged(gives, takes) if giver is None or taker is None else told_to(source, giver, taker)))


def _simulated_share(slugs: Sequence[str]) -> float:
    counts = selectors.tool_counts(slugs).values()
    simulated = sum(one.get("simulated", 0) for one in counts)
    usable = simulated + sum(one.get("verified", 0) for one in counts)
    return simulated / usable if usable else 0.0
