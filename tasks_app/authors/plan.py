"""The plan under construction: program steps, places, carried values, and how a place is found and read."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.protocol import Environment
from services_app.engine.service import TableInfo
from tasks_app.authors.access import Chain, Reach
from tasks_app.authors.draft import Draft
from tasks_app.authors.focus import Focus
from tasks_app.authors.frames import GENERAL, Frame
from tasks_app.authors.guide import planted_name
from tasks_app.authors.naming import noun_of
from tasks_app.authors.phrasebook import PhraseBook, RecordWords
from tasks_app.authors.story import Carried, Goal, Place, Rejection
from tasks_app.authors.trials import Trials
from tasks_app.engine.columns import Column
from tasks_app.engine.program import (
    Call,
    Constant,
    Expression,
    Get,
    Operation,
    Rank,
    Register,
    Where,
    shared_depth,
)
from tasks_app.engine.task import StateEdit
from tasks_app.engine.values import NoFreshValueError, Values

CAST_SHARE = 0.8


class Plan:
    """Everything that one attempt has settled so far."""

    def __init__(
        self,
        environment: Environment,
        reaches: Mapping[str, Reach],
        walk: Sequence[str],
        frame: Frame,
        rng: random.Random,
        values: Values,
        trials: Trials,
        focus: Focus,
    ) -> None:
        self.trials = trials
        self.focus = focus
        self.environment = environment
        self.reaches = reaches
        self.walk = tuple(walk)
        self.frame = frame
        self.rng = rng
        self.values = values
        self.draft = Draft(environment, reaches, rng, values)
        self.steps: list[Call | Get] = []
        self.places: list[Place] = []
        self.carried: list[Carried] = []
        self.goals: list[Goal] = []
        self.tags: set[str] = set()
        self.nouns: set[str] = set()
        self.titles: set[str] = set()
        """Templates of titles that records of the story bear."""
        self.topical: set[str] = set()
        """Titles of records that have to do with the subject of the story, whether they name it or not."""
        self.made: set[tuple[str, str]] = set()
        """(service, table) of what the story calls "the new one": no other may be made there."""
        self._aliases = {"email": list(frame.people), "money": list(frame.money), "date": list(frame.dates)}
        self._aliases |= {"person": list(frame.people), "code": list(frame.codes)}
        self.cast = {kind: values.fresh(kind) for kind in ("organisation", "person", "title")}
        self._cast_used: set[tuple[str, str, str]] = set()
        self._calls = 0
        self.books: Mapping[str, PhraseBook] = {}
        """Phrase books of services that have one."""
        self.blamed: Mapping[tuple[str, str], int] = {}
        """(service, tool) -> how often earlier attempts at this task broke down there."""

    @property
    def guided(self) -> bool:
        """Whether phrase books speak of all that the story visits."""
        return all(slug in self.books for slug in self.walk)

    # Names

    def table(self, service: str, table: str) -> TableInfo:
        return self.environment.catalogue.services[service].tables[table]

    def words(self, service: str, table: str) -> RecordWords | None:
        """What a phrase book says of the records of a table."""
        return self.books[service].records.get(table) if service in self.books else None

    def noun(self, *candidates: str) -> str:
        """The first candidate that the story does not use yet. Raises Rejection when there is none.

        Phrase books say of each value where it stands, so that two may bear one noun.
        """
        if self.guided:
            return candidates[0]
        for candidate in candidates:
            if candidate and candidate not in self.nouns:
                self.nouns.add(candidate)
                return candidate
        raise Rejection("a noun would mean two things")

    def alias(self, kind: str, pool: Sequence[str] = ()) -> str:
        """A business word for a value that a text gives: "site contact", "agreed fee"."""
        words = [word for word in (pool or self._aliases.get(kind, ())) if word not in self.nouns]
        words = words or [word for word in GENERAL.get(kind, ()) if word not in self.nouns]
        if not words:
            raise Rejection("no business word left")
        return self.noun(self.rng.choice(words))

    # Steps

    def call(
        self, service: str, tool: str, arguments: dict[str, Expression], visit: int, *, write: bool = False
    ) -> int:
        self._calls += 1
        self.focus.used(service, tool)
        self.steps.append(
            Call(number=self._calls, service=service, tool=tool, arguments=arguments, visit=visit, write=write)
        )
        return self._calls

    def get(  # noqa: PLR0913 - one keyword for each field of a Get
        self,
        register_name: str,
        call: int,
        path: str,
        *,
        where: Sequence[Where] = (),
        rank: Rank | None = None,
        operation: Operation = "path",
        kind: str = "",
        choices: Sequence[str] = (),
        argument: Register | None = None,
    ) -> None:
        self.steps.append(
            Get(
                register_name=register_name,
                call=call,
                path=path,
                where=tuple(where),
                rank=rank,
                operation=operation,
                kind=kind,
                choices=tuple(choices),
                argument=argument,
            )
        )

    def next_register(self) -> str:
        return f"value_{len(self.carried) + 1}"

    # Values

    def pair(self, column: Column, like: Any = None) -> tuple[Any, Any]:
        """A fresh value for a key and a near one for its double."""
        value = self.draft.fresh(column, like)
        return value, self.near(column.kind, value, column.choices)

    def near(self, kind: str, value: Any, choices: Sequence[str] = ()) -> Any:
        try:
            return self.values.near(kind, value, choices)
        except NoFreshValueError as error:
            raise Rejection("no near value") from error

    def cast_value(self, service: str, column: Column) -> Any:
        """The organisation, person or subject of the task, where it is not taken yet in that column."""
        value = self.cast.get(column.kind)
        mark = (service, column.key, column.kind)
        if value is None or mark in self._cast_used or self.rng.random() > CAST_SHARE:
            return None
        self._cast_used.add(mark)
        return value

    def sample(self, service: str, column: Column) -> Any:
        """Some seeded value of a column, for its shape."""
        rows = self.trials.rows(service, column.table)
        return next((row[column.field] for row in rows if row.get(column.field) not in (None, "", [])), None)

    # Places

    def locate(
        self,
        visit: int,
        service: str,
        column: Column,
        carried: Carried | None = None,
        *,
        models: frozenset[str] = frozenset(),
        holds: str = "",
    ) -> Place:
        """Plant a record that a key leads to, and its double; plan the reads that find it.

        `models` are seeded records that it should resemble, if reads would show such a one. `holds`: the kind of value
        that a text of it will state.
        """
        reach = self.reaches[service]
        starts = self.trials.starts(service, column)
        if not starts:
            raise Rejection("no access path")
        start = self.rng.choice(starts)
        chain = reach.chain(column.key, (f"{column.table}.id",), start)
        assert chain is not None
        expression: Expression
        if carried is None:
            value, alternative = self.names(service, column, holds)
            expression = Constant(value=value)
        else:
            value, alternative, expression = carried.value, carried.alternative, Register(name=carried.register_name)
            carried.used = True
        if value is None or alternative is None:
            raise Rejection("the key is known at run time only")
        visible = self.trials.visible(service, column, chain)
        self.draft.copy_only(service, column.table, visible & models or visible)
        identity, decoy = self._plant_pair(service, column, chain, value, alternative)
        place = Place(
            service=service,
            table=column.table,
            id=identity,
            decoy=decoy,
            visit=visit,
            key=column.key,
            key_expression=expression,
            key_value=value,
            found_by=carried,
            start=start,
            via=self.focus.reader(service),
            depth=1 if carried is None else 1 + (carried.source.depth if carried.source else 0),
        )
        self.places.append(place)
        self.read(place, f"{column.table}.id", visit)
        return place

    def names(self, service: str, column: Column, kind: str = "") -> tuple[Any, Any]:
        """What a planted record is called, and the near name of its double."""
        words = self.words(service, column.table)
        named = planted_name(self, words, column, kind) if words is not None else None
        if named is not None:
            return named
        alone = words is not None and column.kind == "person"  # or one is told of themselves, in another part
        value = None if alone else self.cast_value(service, column)
        like = self.sample(service, column)
        return (value, self.near(column.kind, value)) if value else self.pair(column, like)

    def _plant_pair(self, service: str, column: Column, chain: Chain, value: Any, alternative: Any) -> tuple[str, str]:
        visible = {
            key.partition(".")[2]: wanted
            for key, wanted in chain.visible.items()
            if key.partition(".")[0] == column.table
        }
        planted = {}
        order = [("main", value), ("decoy", alternative)]
        self.rng.shuffle(order)
        for which, key in order:
            cell = [key] if column.many else key
            planted[which] = self.draft.plant(service, column.table, {column.field: cell}, kept=visible)
        return planted["main"], planted["decoy"]

    def joinable(self, place: Place) -> list[Column]:
        """References of the place's record that can be read and followed."""
        reach = self.reaches[place.service]
        found = []
        for column in reach.table_columns(place.table):
            if not column.target or column.many or column.target == place.table or column.system:
                continue
            free = self.draft.free(place.service, place.table, place.id, column.field)
            identity = f"{column.target}.id"
            if free and self.chain(place, column.key) is not None and reach.chain(identity, (identity,)) is not None:
                found.append(column)
        return found

    def join(self, place: Place, column: Column, visit: int) -> Place:
        """The parent record that a reference of `place` leads to, planted with a double."""
        identity = f"{column.target}.id"
        main, decoy = (self.draft.plant(place.service, column.target, {}) for _ in range(2))
        self.draft.set(place.service, place.table, place.id, {column.field: main})
        self.draft.set(place.service, place.table, place.decoy, {column.field: decoy})
        register = self.read(place, column.key, visit)
        parent = Place(
            service=place.service,
            table=column.target,
            id=main,
            decoy=decoy,
            visit=visit,
            key=identity,
            key_expression=Register(name=register),
            key_value=main,
            reached_from=place,
            over=column,
            registers={identity: register},
            depth=place.depth + 1,
        )
        self.places.append(parent)
        self.tags.add("join")
        return parent

    # Reading

    def chain(self, place: Place, *need: str) -> Chain | None:
        """The reads that lead to the record and show all of `need`; over its detour where that shows them too."""
        reach, identity = self.reaches[place.service], f"{place.table}.id"
        detour = None
        if place.via and identity in place.registers and set(need) - {identity}:
            detour = reach.chain(place.key, (identity, *need), place.start, place.via)
        return detour or reach.chain(place.key, (identity, *need), place.start)

    def read(self, place: Place, column: str, visit: int) -> str:
        """Register that holds a column of the place's own record; makes the reads that are still missing."""
        known = place.registers.get(column)
        if known is not None:
            return known
        chain, calls = self.ensure(place, (column,), visit)
        step, path = chain.outputs[column]
        name = f"{place.table}_{self.places.index(place) + 1}_{column.partition('.')[2]}"
        self.get(name, calls[step], path, where=self.where(place, chain, step, path))
        place.registers[column] = name
        return name

    def ensure(self, place: Place, need: Sequence[str], visit: int) -> tuple[Chain, list[int]]:
        """Make the reads of the chain to `need` that were not made for this record yet; numbers of all of them."""
        chain = self.chain(place, *need)
        if chain is None:
            raise Rejection("no access path")
        calls: list[int] = []
        for step in chain.steps:
            mark = (step.tool, step.parameter)
            if mark not in place.made:
                source = place.key_expression
                if step.source:
                    source = Register(name=self._source(place, chain, step.source, calls))
                constants = {name: Constant(value=value, origin="constant") for name, value in step.fillers}
                asked = {step.parameter: source} if step.parameter else {}
                arguments: dict[str, Expression] = {**asked, **constants}
                place.made[mark] = self.call(place.service, step.tool, arguments, visit)
            calls.append(place.made[mark])
        return chain, calls

    def _source(self, place: Place, chain: Chain, column: str, calls: Sequence[int]) -> str:
        known = place.registers.get(column)
        if known is not None:
            return known
        step, path = chain.outputs[column]
        if step >= len(calls):
            raise Rejection("a read would be fed by a later one")
        name = f"{place.table}_{self.places.index(place) + 1}_{column.partition('.')[2]}"
        self.get(name, calls[step], path, where=self.where(place, chain, step, path))
        place.registers[column] = name
        return name

    def where(self, place: Place, chain: Chain, step: int, path: str) -> tuple[Where, ...]:
        """The clause that picks the place's row when a list is shown."""
        if "[*]" not in path:
            return ()
        identity = f"{place.table}.id"
        candidates: list[tuple[str, Expression]] = [(place.key, place.key_expression)]
        if identity in place.registers:
            candidates.insert(0, (identity, Register(name=place.registers[identity])))
        for column, expression in candidates:
            shown = chain.outputs.get(column)
            if shown and shown[0] == step and "[*]" in shown[1] and shared_depth(shown[1], path) > 0:
                return (Where(path=shown[1], value=expression),)
        return ()

    def ablation(self, service: str, table: str, identity: str, **patch: Any) -> StateEdit:
        return StateEdit(service=service, table=table, id=identity, patch=patch)

    def named_after(self, place: Place) -> str:
        return noun_of(self.table(place.service, place.table))
