"""Short rehearsals of what stories are made of: finding a planted record by one read, one write and nothing else.

Most of what a service refuses, it refuses whatever the story around it: a stay that is too long, a record past its
day, a list that shows the newest only. A rehearsal tells that in milliseconds, once for a seeded state, where a whole
story would be planned in vain each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.access import Reach
from tasks_app.authors.acting import Actor
from tasks_app.authors.focus import Focus
from tasks_app.authors.frames import FRAMES
from tasks_app.authors.guide import figure_of, goes, taken_in
from tasks_app.authors.meanings import MEANINGS
from tasks_app.authors.otherwise import another_world
from tasks_app.authors.phrasebook import Act, Both, Fact, PhraseBook
from tasks_app.authors.plan import Plan
from tasks_app.authors.reveal import Revealer
from tasks_app.authors.story import Need, Place, Rejection
from tasks_app.authors.trials import Trials
from tasks_app.authors.ways import Option, Ways
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ToolProfile
from tasks_app.engine.program import Constant, Program, ProgramError, ProgramRun, run_program
from tasks_app.engine.values import Values

OF_A_READ = 2
OF_A_WRITE = 4
OF_A_RARE_WRITE = 16  # of one that did not go well so far
OF_AN_ACT = 3
OF_A_FIGURE = 2
ANYTHING = ("It is taken care of.",)


class Rehearsals(Trials):
    """Trials that believe in a read or a write only when some rehearsal of it went well."""

    def __init__(
        self,
        world_of: Callable[[str], Environment],
        reaches: Mapping[str, Reach],
        books: Mapping[str, PhraseBook | None],
    ) -> None:
        """`books`: service -> its phrase book, as far as services were looked at."""
        super().__init__(world_of, reaches)
        self._books = books
        self._starting = ""  # the read that is being rehearsed
        self._shares: dict[tuple[str, str], float] = {}
        self._going: dict[tuple[str, Both], float] = {}
        self._showing: dict[tuple[str, str], bool] = {}
        self._moving: dict[tuple[str, str], bool] = {}
        self._feeding: dict[tuple[str, str], bool] = {}
        self._proven_starts: dict[tuple[str, str], tuple[str, ...]] = {}

    def starts(self, service: str, column: Column) -> tuple[str, ...]:
        if self._starting:
            return (self._starting,)
        mark = (service, column.key)
        if mark not in self._proven_starts:
            self._proven_starts[mark] = tuple(
                start
                for start in super().starts(service, column)
                if any(self._finds(service, column, start, number) for number in range(OF_A_READ))
            )
        return self._proven_starts[mark]

    def usable(self, service: str, tool: ToolProfile) -> bool:
        return super().usable(service, tool) and self.share(service, tool) > 0

    def share(self, service: str, tool: ToolProfile) -> float:
        """The share of the rehearsals of a write that went well; a write that rarely does is tried more often."""
        mark = (service, tool.tool)
        if mark not in self._shares:
            share = sum(self._acts(service, tool, number) for number in range(OF_A_WRITE)) / OF_A_WRITE
            if not share and any(self._acts(service, tool, n) for n in range(OF_A_WRITE, OF_A_RARE_WRITE)):
                share = 1 / OF_A_RARE_WRITE
            self._shares[mark] = share
        return self._shares[mark]

    def goes(self, service: str, act: Act) -> float:
        """The share of the rehearsals of an act that went well."""
        mark, tool = (service, act.say), self._reaches[service].profile.tools[act.tool]
        if mark not in self._going:
            told = {act.tells: ANYTHING} if act.tells else {}
            alone = act.model_copy(update={"says": {**told, **act.says}})
            usable = Trials.usable(self, service, tool)
            went = sum(self._acts(service, tool, number, alone) for number in range(OF_AN_ACT)) if usable else 0
            self._going[mark] = went / OF_AN_ACT
        return self._going[mark]

    def shows(self, service: str, fact: Fact) -> bool:
        mark = (service, fact.called[0])
        if mark not in self._showing:
            self._showing[mark] = self.moves(service, fact) if fact.figure else self._shows(service, fact)
        return self._showing[mark]

    def _shows(self, service: str, fact: Fact) -> bool:
        plan = self._plan(service, random.Random(f"rehearsal:{service}:{fact.name}"))  # noqa: S311 - a reproducible try
        need = Need(
            MEANINGS[fact.meaning].kinds[0], any_kind=True, known=False, facts=frozenset([f"{service}/{fact.name}"])
        )
        keys = [key for key in self.key_columns(service) if key.table == fact.of]
        places = (Place(service, key.table, "", "", 0, key.key, Constant(value=""), "") for key in keys)
        return any(option.fact for place in places for option in Ways(plan).options(place, need))

    def feeds(self, source: str, target: str) -> bool:
        """Whether something that a service shows goes into what another one is asked for, by their phrase books."""
        mark = (source, target)
        if mark not in self._feeding:
            books = {slug: book for slug in mark if (book := self._books[slug]) is not None}
            reach = self._reaches[target]
            acts = (act for act in books[target].acts if goes(self, reach, target, act))
            self._feeding[mark] = any(True for act in acts for _ in taken_in(books, self, reach, source, target, act))
        return self._feeding[mark]

    def moves(self, service: str, fact: Fact) -> bool:
        mark = (service, fact.name)
        if mark not in self._moving:
            self._moving[mark] = any(self._moves(service, fact, number) for number in range(OF_A_FIGURE))
        return self._moving[mark]

    def _moves(self, service: str, fact: Fact, number: int) -> bool:
        found = figure_of(self._reaches[service], fact)
        keys = [key for key in self.key_columns(service) if key.table == fact.of]
        if found is None or not keys:
            return False

        def play(plan: Plan) -> None:
            place, (kind,) = plan.locate(0, service, keys[0]), MEANINGS[fact.meaning].kinds
            Revealer(plan).show(place, Need(kind, known=False), Option(1.0, "derived", found), 0)

        def other(plan: Plan, run: ProgramRun, world: Environment) -> bool:
            return bool(another_world(plan, run, plan.carried[-1], world))

        return self._goes_well(service, f"{fact.name}:{number}", play, other)

    def _finds(self, service: str, column: Column, start: str, number: int) -> bool:
        self._starting = start
        try:
            return self._goes_well(
                service, f"{column.key}:{start}:{number}", lambda plan: plan.locate(0, service, column)
            )
        finally:
            self._starting = ""

    def _acts(self, service: str, tool: ToolProfile, number: int, act: Act | None = None) -> bool:
        def changes(_plan: Plan, _run: ProgramRun, world: Environment) -> bool:
            return bool(world.changes)

        what = f"{tool.tool}:{number}" if act is None else f"{act.say[0]}:{number}"
        return self._goes_well(service, what, lambda plan: Actor(plan).act(0, service, tool, act=act), changes)

    def _goes_well(
        self,
        service: str,
        what: str,
        play: Callable[[Plan], object],
        then: Callable[[Plan, ProgramRun, Environment], bool] = lambda _plan, _run, _world: True,
    ) -> bool:
        """Whether what `play` plans runs, and `then` holds of it in the world in which it ran."""
        plan = self._plan(service, random.Random(f"rehearsal:{service}:{what}"))  # noqa: S311 - a reproducible try
        world = plan.environment
        try:
            play(plan)
            with_edits = world.edited(edit.to_edit() for edit in plan.draft.edits())
        except (Rejection, ServiceDefect, EngineError):
            return False
        try:
            run = run_program(Program(steps=tuple(plan.steps), answer=None), with_edits.call)
            return then(plan, run, with_edits)
        except (Rejection, ProgramError, ServiceDefect, EngineError):
            return False
        finally:
            with_edits.close()

    def _plan(self, service: str, rng: random.Random) -> Plan:
        """A plan of one visit to a service."""
        reaches, book = {service: self._reaches[service]}, self._books.get(service)
        world, focus = self.world(service), Focus({}, reaches, self)
        plan = Plan(world, reaches, [service], FRAMES[0], rng, Values(rng), self, focus)
        plan.books = {} if book is None else {service: book}
        return plan
