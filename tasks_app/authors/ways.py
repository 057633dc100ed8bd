"""Ways in which a record could show the value that the next visit needs; nothing is planted yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tasks_app.authors import frames
from tasks_app.authors.guide import facts_for, figure_of, met_by, settled, suits, writable
from tasks_app.authors.naming import noun_of, role_of, speaks_of_people
from tasks_app.authors.phrasebook import Both, Fact, PhraseBook
from tasks_app.authors.plan import Plan
from tasks_app.authors.sense import akin, prose, ranks, remarks
from tasks_app.authors.story import How, Need, Place
from tasks_app.engine.columns import Column

TEXT_KINDS = frozenset(
    [
        "email",
        "code",
        "money",
        "date",
        "timestamp",
        "count",
        "duration",
        "percent",
        "person",
        "organisation",
        "product",
        "title",
        "label",
        "phone",
        "time",
        "place",
    ]
)
_RANKABLE = frozenset({"money", "count", "date", "timestamp", "duration"})
_WEIGHTS: dict[str, float] = {
    "derived": 9.0,
    "total": 7.0,
    "generated": 6.0,
    "ranked": 6.0,
    "field": 5.0,
    "note": 4.5,
    "text": 3.0,
}
_GUIDED: dict[str, float] = {"derived": 3.0, "total": 3.0, "ranked": 4.0, "field": 8.0, "note": 0.9, "text": 0.9}
"""Where phrase books say what is passed on, mostly something that a record plainly shows."""
GUIDED_RIGHT_AFTER = 5.0
RIGHT_AFTER_ITS_WRITE = 20.0
_GENERIC = frozenset({"number", "code", "reference", "ref", "id", "no", "name", "title"})
SMALLEST = 15
LARGEST = 300  # amounts above it are often more than a record allows


def likely_numbers(kind: str, worked: Sequence[float]) -> list[float]:
    """Numbers that a write was seen to accept and that people would write."""
    smallest = SMALLEST if kind == "money" else 1
    return sorted({number for number in worked if smallest <= number <= LARGEST})


class Option(NamedTuple):
    """One way to show the needed value."""

    weight: float
    how: How
    detail: tuple[Any, ...]
    moved: bool = False
    """A figure that a write of the story has just moved."""
    need: Need | None = None
    """The need as it is met this way, where it left the kind of value open."""
    called: Both | None = None
    """What a phrase book calls the value."""
    fact: str = ""
    """Which fact of a phrase book it is."""


class Ways:
    """Looks for ways, place by place."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    # Options

    def options(self, place: Place, need: Need) -> list[Option]:
        """All ways in which `place` can show a value for `need`."""
        book = self.plan.books.get(place.service)
        if book is not None:
            return [*self._known(place, need, book), *self._news(place, need, book)]
        found = [*self._fields(place, need), *self._texts(place, need), *self._children(place, need)]
        return [*found, *self._figures(place, need)]

    def _known(self, place: Place, need: Need, book: PhraseBook) -> Iterator[Option]:
        """What the phrase book of the service says is passed on about such a record."""
        for fact in facts_for(place.service, book, place.table, need):
            if place.depth > 1 and (fact.among or fact.figure):
                continue  # one description inside another is enough
            for option in self._figure(place, need, fact) if fact.figure else self._shown(place, need, fact):
                yield option._replace(fact=f"{place.service}/{fact.name}")

    def _shown(self, place: Place, need: Need, fact: Fact) -> Iterator[Option]:
        column = self.plan.reaches[place.service].columns[f"{fact.among or place.table}.{fact.show}"]
        met = met_by(need, column, self.plan.sample(place.service, column))
        if met is None or column.key == place.key:
            return
        if fact.among:
            yield from self._child_facts(place, met, fact, column)
        elif self._open(place, column):
            yield Option(_GUIDED["field"], "field", (column,), need=met, called=fact.called)

    def _open(self, place: Place, column: Column) -> bool:
        """Whether a value can be put into a column of the record and read there."""
        free = self.plan.draft.free(place.service, place.table, place.id, column.field)
        return free and self.plan.chain(place, column.key) is not None

    def _child_facts(self, place: Place, need: Need, fact: Fact, column: Column) -> Iterator[Option]:
        reach = self.plan.reaches[place.service]
        if fact.among in self._grown(place) or fact.among in place.children_read:
            return
        reference = next(reference for table, reference in reach.children(place.table) if table == fact.among)
        if not fact.by:
            if not need.known and self.plan.chain(place, column.key) is not None:
                yield Option(_GUIDED["total"], "total", (column, reference), need=need, called=fact.called)
            return
        rank = reach.columns[f"{fact.among}.{fact.by}"]
        if rank != column and self.same_list(place, column, rank):
            for called, largest in ((fact.called, True), (fact.least, False)):
                if called is not None:
                    yield Option(
                        _GUIDED["ranked"], "ranked", (column, rank, reference, largest), need=need, called=called
                    )

    def _figure(self, place: Place, need: Need, fact: Fact) -> Iterator[Option]:
        found = figure_of(self.plan.reaches[place.service], fact)
        if need.known or found is None or not self.plan.trials.moves(place.service, fact):
            return
        tool, parameter, key, figure = found
        kind = "count" if figure.whole else "money"
        if need.kind not in ("", kind) or (key != f"{place.table}.id" and self.plan.chain(place, key) is None):
            return
        after = bool(self.written_tools(place) & set(figure.moved_by))
        weight = GUIDED_RIGHT_AFTER if after else _GUIDED["derived"] * (0.3 if fact.meaning == "count" else 1.0)
        yield Option(weight, "derived", (tool, parameter, key, figure), after, replace(need, kind=kind), fact.called)

    def _news(self, place: Place, need: Need, book: PhraseBook) -> Iterator[Option]:
        """What was agreed, where people write such a thing down."""
        words = book.records.get(place.table)
        if words is None or words.news_called is None or place.depth > 1:
            return
        need = settled(self.plan, need, book.area)
        own = str(place.key_value).replace(str(self.plan.cast["title"]), "")
        if place.id and not suits(own, need.kind):
            return
        if not writable(book.area, words, self.plan.reaches[place.service].columns[place.key].kind, need):
            return
        reach, sayable = self.plan.reaches[place.service], self._sayable(need)
        if "." in words.news and need.kind in ("email", "person"):  # who it is by now, after some remarks: a riddle
            return
        if "." in words.news:
            text = reach.columns[words.news]
            pairs = [pair for pair in reach.note_columns(place.table) if pair[0] == text]
            if text.table in self._grown(place) or text.table in place.children_read or not sayable or not pairs:
                return
            if self.plan.chain(place, text.key) is not None:
                yield Option(_GUIDED["note"], "note", pairs[0], need=need, called=words.news_called)
            return
        column = reach.columns[f"{place.table}.{words.news}"]
        free = self.plan.draft.free(place.service, place.table, place.id, column.field)
        if sayable and free and column.key != place.key and self.plan.chain(place, column.key) is not None:
            yield Option(_GUIDED["text"], "text", (column,), need=need, called=words.news_called)

    def _fits(self, column: Column, need: Need) -> bool:
        if column.kind != need.kind or column.system or column.kind == "text":
            return False
        if need.choices or column.choices:
            return set(need.choices) == set(column.choices)
        if column.kind == "label":
            return False
        return need.any_kind or column.unit == need.unit

    def _fields(self, place: Place, need: Need) -> Iterator[Option]:
        reach = self.plan.reaches[place.service]
        system = reach.system_columns()
        for column in reach.table_columns(place.table):
            if not self._fits(column, need) or column.key in (place.key, f"{place.table}.id") or column.key in system:
                continue
            if column.many or not self.plan.draft.free(place.service, place.table, place.id, column.field):
                continue
            if (need.names_record or (need.kind == "code" and not need.any_kind)) and not self._kin(column, need):
                continue
            if need.own and not self._own(place.service, column):
                continue
            if self.plan.chain(place, column.key) is not None:
                yield Option(_WEIGHTS["field"] * akin(column, need), "field", (column,))

    def _own(self, service: str, column: Column) -> bool:
        """Whether the column holds the address or name of the person whom the record is about."""
        table = self.plan.table(service, column.table)
        return speaks_of_people(table) and role_of(column, table) == noun_of(table)

    @staticmethod
    def _kin(column: Column, need: Need) -> bool:
        """Whether a field of one record may name another one: an order's customer, never a title for a title."""
        if column.kind in ("organisation", "person", "product"):
            return True
        wanted = set(need.noun.lower().split())
        own = set(column.table.rstrip("s").split("_"))
        return own <= wanted or bool((set(column.field.split("_")) - _GENERIC) & wanted)

    def _texts(self, place: Place, need: Need) -> Iterator[Option]:
        if not self._sayable(need):
            return
        reach = self.plan.reaches[place.service]
        for column in reach.text_columns(place.table):
            free = self.plan.draft.free(place.service, place.table, place.id, column.field)
            if free and column.key != place.key and self.plan.chain(place, column.key) is not None:
                likely = prose(column, self.plan.table(place.service, place.table))
                yield Option(_WEIGHTS["text"] * likely, "text", (column,))
        for text, reference in reach.note_columns(place.table):
            if text.table in self._grown(place) or text.table in place.children_read:
                continue
            if self.plan.chain(place, text.key) is not None:
                likely = remarks(self.plan.table(place.service, text.table))
                yield Option(_WEIGHTS["note"] * likely, "note", (text, reference))

    @staticmethod
    def _sayable(need: Need) -> bool:
        """Whether a text can state the value in words that fit."""
        if need.kind in ("count", "duration") and not need.meanings:
            return need.unit in (frames.COUNTS if need.kind == "count" else frames.DURATIONS)
        return need.kind in TEXT_KINDS and (need.kind != "label" or bool(need.choices))

    def _children(self, place: Place, need: Need) -> Iterator[Option]:
        reach = self.plan.reaches[place.service]
        system = reach.system_columns()
        for table, reference in reach.children(place.table):
            if table in self._grown(place) or table in place.children_read:
                continue
            columns = [c for c in reach.table_columns(table) if c.key not in system and not c.many]
            for column in columns:
                if not self._fits(column, need) or column.choices or column.key == f"{table}.id" or need.own:
                    continue
                if (need.names_record or (need.kind == "code" and not need.any_kind)) and not self._kin(column, need):
                    continue
                for rank in columns:
                    if rank.kind in _RANKABLE and rank != column and self.same_list(place, column, rank):
                        weight = _WEIGHTS["ranked"] * akin(column, need) * ranks(rank)
                        yield Option(weight, "ranked", (column, rank, reference))
                if column.kind == "money" and not need.known and self.plan.chain(place, column.key) is not None:
                    yield Option(_WEIGHTS["total"], "total", (column, reference))

    def _grown(self, place: Place) -> set[str]:
        """Tables to which the story itself adds records of this place: what is the latest there is not settled."""
        found: set[str] = set()
        for goal in self.plan.goals:
            if any(slot is place for slot in goal.slots.values()):
                found |= set(self.plan.reaches[goal.service].profile.tools[goal.tool].creates)
        return found

    def same_list(self, place: Place, column: Column, rank: Column) -> bool:
        chain = self.plan.chain(place, column.key, rank.key)
        if chain is None:
            return False
        (step, path), (other, other_path) = chain.outputs[column.key], chain.outputs[rank.key]
        return step == other and "[*]" in path and path.rsplit("[*]", 1)[0] == other_path.rsplit("[*]", 1)[0]

    def _figures(self, place: Place, need: Need) -> Iterator[Option]:
        if need.known or need.kind not in ("money", "count"):
            return
        reach = self.plan.reaches[place.service]
        written = self.written_tools(place)
        for tool, parameter, key, figure in reach.figures(place.table):
            if figure.whole != (need.kind == "count") or (need.kind == "count" and not need.any_kind):
                continue
            if key != f"{place.table}.id" and self.plan.chain(place, key) is None:
                continue
            after = bool(written & set(figure.moved_by))
            yield Option(
                RIGHT_AFTER_ITS_WRITE if after else _WEIGHTS["derived"],
                "derived",
                (tool, parameter, key, figure),
                after,
            )

    def written_tools(self, place: Place) -> set[str]:
        """Writes of the story on the record, on what belongs to it or on what it belongs to."""
        found = set()
        for goal in self.plan.goals:
            slots = [slot for slot in goal.slots.values() if isinstance(slot, Place)]
            if any(slot is place or slot.reached_from is place or place.reached_from is slot for slot in slots):
                found.add(goal.tool)
        return found
