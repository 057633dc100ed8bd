"""What an author can keep between tasks: it depends on services and seeds only, not on the story."""

from __future__ import annotations

from collections.abc import Mapping

from services_app.engine import EngineError
from services_app.engine.catalogue import ServiceInfo
from services_app.engine.protocol import Environment, Mounting
from tasks_app.authors.access import Reach
from tasks_app.authors.phrasebook import PhraseBook, book_of
from tasks_app.authors.phrasecheck import faults
from tasks_app.authors.rehearsals import Rehearsals
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.task import Scale


class Workshop:
    """Access paths of services, and what was tried out on each of their seeded states.

    Services do not know of each other, so that what holds in a world of one service holds wherever it is mounted.
    """

    def __init__(self, mounting: Mounting, profiles: Mapping[str, ServiceProfile]) -> None:
        self._mounting = mounting
        self._profiles = profiles
        self._reaches: dict[str, Reach] = {}
        self._books: dict[str, PhraseBook | None] = {}
        self._trials: dict[tuple[int, Scale], Rehearsals] = {}
        self._worlds: list[Environment] = []

    def reaches(self, services: Mapping[str, ServiceInfo]) -> dict[str, Reach]:
        """The access paths of these services. Raises EngineError for one without a profile."""
        missing = [slug for slug in services if slug not in self._profiles]
        if missing:
            raise EngineError(f"no profile of {', '.join(missing)}")
        for slug, info in services.items():
            if slug not in self._reaches:
                self._reaches[slug] = Reach(self._profiles[slug], info)
        return {slug: self._reaches[slug] for slug in services}

    def books(self, services: Mapping[str, ServiceInfo]) -> dict[str, PhraseBook]:
        """The phrase books of these services, of those that have one which fits them."""
        for slug, reach in self.reaches(services).items():
            if slug not in self._books:
                book, keys = book_of(slug), frozenset(column.key for column in reach.key_columns())
                self._books[slug] = None if book is None or faults(book, reach, keys) else book
        return {slug: book for slug in services if (book := self._books[slug]) is not None}

    def trials(self, *, seed: int, scale: Scale) -> Rehearsals:
        """What is tried out on the states that this seed gives."""

        def world_of(slug: str) -> Environment:
            self._worlds.append(self._mounting.mount([slug], seed=seed, scale=scale))
            return self._worlds[-1]

        if (seed, scale) not in self._trials:
            self._trials[seed, scale] = Rehearsals(world_of, self._reaches, self._books)
        return self._trials[seed, scale]

    def close(self) -> None:
        for world in self._worlds:
            world.close()
