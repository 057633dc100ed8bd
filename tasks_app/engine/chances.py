"""How likely each set of services is: the four modes in which a composition is drawn.

A set is drawn one service after another; a mode says only how much each service that is left weighs, given those
drawn so far. So how likely a set is can be told exactly, by adding up over the orders in which it can come about.

uniform: all weigh the same.  compatible: a service weighs as many kinds of information as it can exchange with those
drawn so far.  domain: every domain weighs the same, however many services it has, and domains not yet drawn come
first.  failures: a service weighs what the rollouts of a policy say about it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import lcm
from typing import Final, Literal, Protocol, get_args

from tasks_app.engine.areas import listens, related, trades
from tasks_app.engine.flows import Flow, passed_on
from tasks_app.engine.walk import WalkError, draw_fed_walk

Mode = Literal["uniform", "compatible", "domain", "failures"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
DEFAULT_MODE: Final[Mode] = "compatible"
UNMEASURED: Final = 1  # what a service weighs with each other one before its effects are measured
CLOSE: Final = 100_000  # how much more a service weighs that goes with all of those drawn so far
SPOKEN: Final = 20  # how much more, for each of them whose single facts people put there or the other way round
_ALL: Final = 100


class Chances(Protocol):
    """What the services of a pool weigh."""

    def weights(self, drawn: Sequence[str]) -> dict[str, int]:
        """The services that may come next, in the order of the pool; those that weigh nothing are left out."""


class Uniform:
    """Every service weighs the same."""

    def __init__(self, pool: Sequence[str]) -> None:
        self._pool = sorted(set(pool))

    def weights(self, drawn: Sequence[str]) -> dict[str, int]:
        return {slug: 1 for slug in self._pool if slug not in drawn}


class Weighted:
    """Each service weighs what it was given, whatever was drawn before."""

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = {slug: weights[slug] for slug in sorted(weights) if weights[slug] > 0}

    def weights(self, drawn: Sequence[str]) -> dict[str, int]:
        return {slug: weight for slug, weight in self._weights.items() if slug not in drawn}


class ByDomain:
    """Each domain that was not drawn yet weighs the same, and in it each service; after all were drawn, all again."""

    def __init__(self, domains: Mapping[str, str]) -> None:
        self._domains = {slug: domains[slug] for slug in sorted(domains)}

    def weights(self, drawn: Sequence[str]) -> dict[str, int]:
        used = {self._domains[slug] for slug in drawn}
        left = {slug: domain for slug, domain in self._domains.items() if slug not in drawn}
        fresh = {slug: domain for slug, domain in left.items() if domain not in used} or left
        sizes = Counter(fresh.values())
        whole = lcm(*sizes.values()) if sizes else 1
        return {slug: whole // sizes[domain] for slug, domain in fresh.items()}


class Compatible:
    """A service weighs the kinds of information that it and those drawn so far can exchange, both ways.

    Where areas of working life are named, one that nobody has to do with who deals with those drawn so far, or that
    none of them feeds or uses, weighs next to nothing: it comes when there is no other. So there are walks over the
    set of which each service feeds the next. One of which single facts are known to be passed on, either way, weighs
    more for each service drawn: what is then asked for hangs together.

    The first weighs what it can exchange with the whole pool. Only services whose information reaches at least
    `needed` services are drawn, so that a draw never comes to a dead end. A service without a flow was not measured.
    """

    def __init__(self, flows: Mapping[str, Flow | None], needed: int, areas: Mapping[str, str] | None = None) -> None:
        """`areas`: service -> its area (`tasks_app.engine.areas`); services left out go with all."""
        self._areas = dict(areas or {})
        self._fed: set[tuple[str, str]] = set()
        self._spoken: set[tuple[str, str]] = set()
        pool = sorted(flows)
        links: dict[str, dict[str, int]] = {slug: {} for slug in pool}
        for one, other in combinations(pool, 2):
            weight = self._weight(one, flows[one], other, flows[other])
            if weight:
                links[one][other] = links[other][one] = weight
        reached = _reached(links)
        self._links = {slug: found for slug, found in links.items() if len(reached[slug]) >= needed}
        self._first = {slug: sum(found.values()) or 1 for slug, found in self._links.items()}
        if not self._links:
            raise WalkError(_apart(pool, needed, max(map(len, reached.values()), default=0)))

    def _weight(self, one: str, flow: Flow | None, other: str, other_flow: Flow | None) -> int:
        """What the two can exchange, both ways; notes which feeds which."""
        if flow is None or other_flow is None:
            self._fed |= {(one, other), (other, one)}
            return UNMEASURED
        area, other_area = self._areas.get(one, ""), self._areas.get(other, "")
        traded = trades(area, other_area)
        there = len(passed_on(flow, other_flow, heard=listens(other_area, area), traded=traded))
        back = len(passed_on(other_flow, flow, heard=listens(area, other_area), traded=traded))
        if flow.tells & other_flow.named or other_flow.tells & flow.named:
            self._spoken |= {(one, other), (other, one)}
        self._fed |= ({(one, other)} if there else set()) | ({(other, one)} if back else set())
        return there + back

    def weights(self, drawn: Sequence[str]) -> dict[str, int]:
        if not drawn:
            return self._first
        found: Counter[str] = Counter()
        for slug in drawn:
            found.update(self._links[slug])
        return {slug: found[slug] * self._closeness(slug, drawn) for slug in sorted(found) if slug not in drawn}

    def _closeness(self, slug: str, drawn: Sequence[str]) -> int:
        area = self._areas.get(slug, "")
        fed, feeds = (any(self.feeds(*pair) for pair in pairs) for pairs in self._pairs(slug, drawn))
        close = fed and feeds and all(related(area, self._areas.get(other, "")) for other in drawn)
        spoken = sum((slug, other) in self._spoken for other in drawn)
        return CLOSE * SPOKEN**spoken if self._areas and close else 1

    @staticmethod
    def _pairs(slug: str, drawn: Sequence[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        return [(other, slug) for other in drawn], [(slug, other) for other in drawn]

    def feeds(self, source: str, target: str) -> bool:
        """Whether people would carry something from one service to the other."""
        return (source, target) in self._fed

    def fed_walk(self, services: Sequence[str], length: int, rng: random.Random) -> tuple[str, ...] | None:
        """A walk of which each service feeds the next; None where there is none, or where no areas are named."""
        return draw_fed_walk(services, length, rng, self.feeds) if self._areas else None


def _reached(links: Mapping[str, Mapping[str, int]]) -> dict[str, frozenset[str]]:
    """For each service all that information can reach from it, itself included."""
    found: dict[str, frozenset[str]] = {}
    for start in links:
        if start in found:
            continue
        reached, edge = {start}, [start]
        while edge:
            fresh = links[edge.pop()].keys() - reached
            reached |= fresh
            edge.extend(fresh)
        found.update(dict.fromkeys(reached, frozenset(reached)))
    return found


def _apart(pool: Sequence[str], needed: int, most: int) -> str:
    if most <= 1:
        few = ", ".join(pool[:6]) + (", …" if len(pool) > 6 else "")
        return (
            f"these services share no information, none can use what another shows: {few}; "
            "choose other services, or the mode uniform"
        )
    return (
        f"{needed} services are needed that can feed each other; here at most {most} do: "
        f"use K = {most} or less, other services, or the mode uniform"
    )


def draw_set(chances: Chances, needed: int, rng: random.Random) -> list[str]:
    """`needed` services in the order in which they were drawn. Raises WalkError when too few weigh anything."""
    drawn: list[str] = []
    for _ in range(needed):
        weights = chances.weights(drawn)
        if not weights:
            raise WalkError(f"only {len(drawn)} services can be drawn in this mode; {needed} are needed")
        at = rng.randrange(sum(weights.values()))
        for slug, weight in weights.items():
            at -= weight
            if at < 0:
                drawn.append(slug)
                break
    return drawn


def likelihood(chances: Chances, services: Sequence[str]) -> float:
    """How likely these services are drawn together, in any order: exact up to the rounding of floats.

    Adds up over all subsets (at most 2 ** 10), each of which comes about by any of its members as the last.
    """
    members = sorted(services)
    found = {frozenset[str](): 1.0}
    for size in range(len(members)):
        for subset in combinations(members, size):
            so_far = found.get(frozenset(subset), 0.0)
            weights = chances.weights(subset) if so_far else {}
            whole = sum(weights.values())
            for slug in members:
                if slug in weights and slug not in subset:
                    bigger = frozenset((*subset, slug))
                    found[bigger] = found.get(bigger, 0.0) + so_far * (weights[slug] / whole)
    return found.get(frozenset(members), 0.0)


def failure_weights(pool: Sequence[str], played: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """What services weigh by (rollouts, failures) of tasks that needed them: the share that failed in hundredths.

    One passed and one failed rollout are added to each, so that nothing is certain after a few and a service that was
    never played weighs a half.
    """
    weights = {}
    for slug in pool:
        rollouts, failures = played.get(slug, (0, 0))
        weights[slug] = round(_ALL * (failures + 1) / (rollouts + 2)) or 1
    return weights
