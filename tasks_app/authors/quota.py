"""A request does not repeat itself: no set of services and no walk is drawn much more often than its even share.

Task number i depends only on the request and i, on whichever worker it is written. So the quota counts what earlier
numbers *draw*, which every worker can draw again, and never what came of it. How alike the tasks are in the end is
measured over the whole set (`tasks_app.engine.diversity`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

from tasks_app.engine.sampling import Composition
from tasks_app.engine.walk import composition_count, count_walks

SHARES: Final = 2
"""How many times its even share a set or walk may be drawn; at least once."""


class Quota:
    """In which order the compositions of a task number are tried. `draw` gives the one of a number and an attempt."""

    def __init__(self, draw: Callable[[int, int], Composition], *, attempts: int, most_sets: int, most_walks: int):
        self._draw = draw
        self._attempts = attempts
        self._most_sets, self._most_walks = most_sets, most_walks
        self._sets: Counter[frozenset[str]] = Counter()
        self._walks: Counter[tuple[str, ...]] = Counter()
        self._first: list[int] = []

    def order(self, number: int) -> list[int]:
        """All attempts; the first within the quota leads, or the one drawn least often when none is."""
        while len(self._first) <= number:
            self._first.append(self._choose(len(self._first)))
        first = self._first[number]
        return sorted(range(self._attempts), key=lambda attempt: attempt != first)

    def _choose(self, number: int) -> int:
        chosen, fewest = 0, (0, 0)
        for attempt in range(self._attempts):
            composition = self._draw(number, attempt)
            used = self._sets[frozenset(composition.needed)], self._walks[composition.walk]
            if attempt == 0 or used < fewest:
                chosen, fewest = attempt, used
            if used[0] < self._most_sets and used[1] < self._most_walks:
                chosen = attempt
                break
        composition = self._draw(number, chosen)
        self._sets[frozenset(composition.needed)] += 1
        self._walks[composition.walk] += 1
        return chosen


def shares(count: int, pool: Sequence[str], needed: int, length: tuple[int, int]) -> tuple[int, int]:
    """How often at most one set, and one walk, is drawn for `count` tasks over a pool."""
    sets = composition_count(len(set(pool)), needed)
    walks = sets * sum(count_walks(needed, steps) for steps in range(length[0], length[1] + 1))
    return ceil(SHARES * count / max(sets, 1)), ceil(SHARES * count / max(walks, 1))
