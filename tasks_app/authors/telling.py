"""References in words: what a place or a value is called the first time and afterwards, and how it is defined."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from services_app.engine.service import TableInfo
from tasks_app.authors.naming import (
    capital,
    preposition,
    pretty,
    role_of,
    say,
    speaks_of_people,
    with_article,
)
from tasks_app.authors.plan import Plan
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.authors.tongue import ENGLISH
from tasks_app.authors.wording import Wording
from tasks_app.engine.columns import Column

_PLAIN_TEXTS = frozenset(["body", "text", "content", "message", "description_text"])
_RECORD_FIRST = ("{S} mention{z} {a}.", "There is {a} mentioned in {s}.")
_RECORD_AFTER = ("{V} I mean is the one mentioned in {s}.", "You will see in {s} which {n} I mean.")
_PERSON = (
    "{S} say{z} who {v} is.",
    "{V} is named in {s}.",
    "You will find {v} in {s}.",
)
_VALUE = (
    "{V} is in {s}.",
    "You will find {v} in {s}.",
    "{S} give{z} {v}.",
)
_LATEST = (
    "{V} is in the latest of {s}.",
    "{V} changed along the way; the newest of {s} counts.",
    "{V} is the one last given in {s}.",
    "For {v}, go by the latest of {s}.",
)
_ASIDES = ("{that} is in {s}", "you will find {that} in {s}", "see {s} for {that}", "I left {that} in {s}")
_ASIDES_PERSON = ("{s} say{z} who that is", "you can read in {s} who that is", "see {s} for the name")
_ASIDES_NOTE = (
    "{that} is in the latest of {s}",
    "take {that} from the latest of {s}",
    "{that} changed once, so go by the newest of {s}",
)
_INLINE = ("in {s}", "from {s}", "given in {s}")
_INLINE_PERSON = ("named in {s}", "mentioned in {s}")
_INLINE_NOTE = ("last given in {s}", "from the latest of {s}", "in the newest of {s}")
DEEP = 2
LONG = 34  # words of a goal to which no more is added
_POLICY = (
    "Which {n} applies depends on {x}; the rules are in {s}.",
    "{S} say{z} which {n} goes with {x}.",
    "Take {v} that {s} gives for {x}.",
    "For {v}, go by {x} and the rules in {s}.",
    "Please follow {s} for {v}; what counts is {x}.",
    "{V} depends on {x}, as set out in {s}.",
)


def _ending(where: str) -> str:
    """What a verb takes after the place: "the notes of ... say", "the document says"."""
    return "" if re.match(r"the \w*[^s\W]s of ", where) else "s"


class Teller:
    """Turns places and values into phrases; remembers what has been said already."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self.plan = plan
        self._rng = rng
        self.wording = Wording(plan, ENGLISH, rng, self)
        """For what phrase books speak of."""
        self._told: set[int] = set()
        self._focus: Place | None = None
        self.pending: list[Carried] = []
        """Values mentioned whose definition is still owed."""
        self.mentioned: dict[str, None] = {}
        self.defined: dict[str, None] = {}

    # Places

    def place(self, place: Place) -> str:
        """A phrase for a record: its description the first time, something shorter afterwards."""
        if place.service in self.plan.books:
            return self.wording.place(place)
        noun = self._noun(place)
        if place is self._focus and self._rng.random() < 0.75:
            return f"that {noun}"
        known = id(place) in self._told
        self._told.add(id(place))
        text = self._again(place, noun) if known else self._describe(place, noun)
        self._focus = place
        return text

    def _noun(self, place: Place) -> str:
        """The noun of a record; where a text names it, the words that the text uses."""
        carried = place.found_by
        if carried is not None and carried.names_record and carried.how in ("text", "note", "policy"):
            return carried.noun
        return self.plan.named_after(place)

    def person(self, place: Place) -> str:
        """A record of somebody whom a value names, as the one that something is done to: "the site contact"."""
        carried, noun = place.found_by, self._noun(place)
        table = self.plan.table(place.service, place.table)
        if carried is None or carried.kind not in ("email", "person") or not speaks_of_people(table):
            return self.place(place)
        if role_of(self._column(place), table) != noun or place is self._focus:
            return self.place(place)
        self._told.add(id(place))
        return self.value(carried)

    def _only_one(self, noun: str) -> bool:
        return sum(self._noun(place) == noun for place in self.plan.places) == 1

    def _again(self, place: Place, noun: str) -> str:
        if place.found_by is None and place.reached_from is None:
            return self._by_name(place, noun)
        if self._only_one(noun):
            return f"that {noun}"
        return self._describe(place, noun)

    def _describe(self, place: Place, noun: str) -> str:
        if place.reached_from is not None and place.label is not None:
            column, value = place.label
            table = self.plan.table(place.service, place.table)
            part = f"the {noun}" if column is None else self._called(noun, column, value, table)
            return f"{part} of {self.place(place.reached_from)}"
        if place.reached_from is not None:
            child = self.place(place.reached_from)
            belongs = self._rng.random() < 0.5 and not child.startswith("that ")
            return f"the {noun} that {child} belongs to" if belongs else f"the {noun} of {child}"
        if place.found_by is None:
            return self._by_name(place, noun)
        return self._by_value(place, noun, place.found_by)

    def _column(self, place: Place) -> Column:
        return self.plan.reaches[place.service].columns[place.key]

    def _by_name(self, place: Place, noun: str) -> str:
        table = self.plan.table(place.service, place.table)
        return self._called(noun, self._column(place), place.key_value, table)

    @staticmethod
    def _called(noun: str, column: Column, value: Any, table: TableInfo) -> str:
        """A record by the value of one of its columns: “the ticket “Depot trial””, “the deal owned by ...”."""
        shown = say(column.kind, value)
        own = role_of(column, table) == noun or table.key == column.field
        if column.kind in ("title", "product") or (own and column.kind != "email"):
            return f"the {noun} {shown}"
        if column.kind == "code":
            return f"the {noun} with {pretty(column.field)} {value}"
        if own:
            return f"the {noun} {value}" if speaks_of_people(table) else f"the {noun} of {value}"
        words = preposition(column)
        return f"the {noun} {words} {value}" if words else f"the {noun} whose {role_of(column, table)} is {value}"

    def _by_value(self, place: Place, noun: str, carried: Carried) -> str:
        column = self._column(place)
        table = self.plan.table(place.service, place.table)
        if carried.names_record and carried.how in ("text", "note") and carried.source is not None:
            return self._by_mention(noun, carried, carried.source)
        value = self.value(carried)
        if column.kind in ("email", "person"):
            own = role_of(column, table) == self.plan.named_after(place)
            if own:
                return f"the {noun} entry of {value}" if speaks_of_people(table) else f"the {noun} of {value}"
            words = preposition(column)
            return f"the {noun} {words} {value}" if words else f"the {noun} whose {role_of(column, table)} is {value}"
        if column.kind in ("organisation", "product"):
            return f"the {noun} for {value}"
        if carried.noun.endswith(pretty(column.field)):
            return f"the {noun} with {value}"
        return f"the {noun} whose {pretty(column.field)} is {value}"

    def _by_mention(self, noun: str, carried: Carried, source: Place) -> str:
        """The record that a text names: introduced by a sentence of its own, or described on the spot."""
        if carried.register_name in self.defined:
            return f"that {noun}"
        self.mentioned[carried.register_name] = None
        self.defined[carried.register_name] = None
        where = self._text_place(carried, source)
        if carried.detail.get("superseded"):
            return f"the {noun} {self._rng.choice(('last mentioned', 'mentioned last'))} in {where}"
        return f"the {noun} mentioned in {where}"

    # Values

    def value(self, carried: Carried) -> str:
        """A phrase for a value; what it owes in definition is put on `pending`."""
        if carried.called is not None or self.wording.ruled_by_a_book(carried):
            return self.wording.value(carried)
        first = carried.register_name not in self.mentioned
        self.mentioned[carried.register_name] = None
        if carried.how in ("text", "note", "policy"):
            if carried.register_name not in self.defined and carried not in self.pending:
                self.pending.append(carried)
            return f"the {carried.noun}"
        if carried.register_name in self.defined:
            first = False
        self.defined[carried.register_name] = None
        if not first:
            return f"that {carried.noun}" if carried.kind in ("email", "person") else f"the {carried.noun}"
        return self._inline(carried)

    def _inline(self, carried: Carried) -> str:
        detail = carried.detail
        if carried.how == "generated":
            return f"the {detail['field']} of the new {detail['record']}"
        assert carried.source is not None
        if detail.get("own"):
            return self.person(carried.source)
        source = self.place(carried.source)
        if carried.how == "field":
            return f"the {detail['field']} of {source}"
        if carried.how == "ranked":
            return (
                f"the {detail['field']} of the {detail['child']} with the {detail['word']} {detail['rank']} on {source}"
            )
        if carried.how == "total":
            return f"the total {detail['field']} of all {detail['children']} on {source}"
        tail = (
            self._rng.choice((" as it stands after that", " after that change", " as it then stands"))
            if carried.stale
            else ""
        )
        return f"the {detail['field']} of {source}{tail}"

    def slot(self, slot: Place | Carried | Stated) -> str:
        if isinstance(slot, Place):
            return self.place(slot)
        if isinstance(slot, Carried):
            return self.value(slot)
        return say(slot.kind, slot.value, slot.unit)

    # Definitions

    def settle(self, *, leading: bool = False) -> list[str]:
        """Sentences for all definitions that are owed, and for those that these owe in turn."""
        sentences: list[str] = []
        while self.pending:
            carried = self.pending.pop(0)
            if carried.register_name not in self.defined:
                sentences += self.introduce([other for other in self.needs(carried) if other is not carried])
                sentences.append(self.define(carried, leading=leading))
        return sentences

    def introduce(self, values: Sequence[Carried]) -> list[str]:
        """Leading definitions of values, in order; those given already are left out."""
        sentences: list[str] = []
        for carried in values:
            if carried.register_name not in self.defined:
                sentences.append(self.define(carried, leading=True))
                sentences += self.settle(leading=True)
        return sentences

    def attach(self, phrase: str) -> str:
        """The phrase of a goal, with the definition of the value that it ends with, and of what that one ends with."""
        while len(phrase.split()) < LONG:
            last = next((carried for carried in self.pending if self._ends_with(phrase, carried)), None)
            if last is None or last.source is None or last.how == "policy" or self.needs(last):
                break
            self.pending.remove(last)
            self.defined[last.register_name] = None
            pool = self._attached(last, agreed=phrase.endswith(" agreed"))
            phrase = f"{phrase} {self._rng.choice(pool).format(s=self._text_place(last, last.source))}"
        return phrase

    @staticmethod
    def _attached(carried: Carried, *, agreed: bool) -> tuple[str, ...]:
        """How a value is followed by where it stands; `agreed`: it was not named but called what was agreed."""
        latest = carried.detail.get("superseded")
        if agreed:
            return ("in the latest of {s}",) if latest else ("in {s}",)
        if latest:
            return _INLINE_NOTE
        return _INLINE_PERSON if carried.kind in ("email", "person") and not carried.own else _INLINE

    @staticmethod
    def _ends_with(phrase: str, carried: Carried) -> bool:
        return phrase.endswith((f"the {carried.noun}", *(f"{words} agreed" for words in ("the one", "what was"))))

    def aside(self) -> str:
        """The one definition that is owed, as the end of the sentence that owes it; "" where it needs its own."""
        if len(self.pending) != 1:
            return ""
        carried = self.pending[0]
        if carried.how not in ("text", "note") or carried.source is None or self.needs(carried):
            return ""
        self.pending.clear()
        self.defined[carried.register_name] = None
        where = self._text_place(carried, carried.source)
        people = carried.kind in ("email", "person") and not carried.own
        pool = _ASIDES_NOTE if carried.detail.get("superseded") else _ASIDES_PERSON if people else _ASIDES
        that = f"that {carried.noun.split()[-1]}"
        return self._rng.choice(pool).format(s=where, that=that, z=_ending(where))

    def define(self, carried: Carried, *, leading: bool = False) -> str:
        """One sentence that says where a value is to be found."""
        self.mentioned[carried.register_name] = None
        self.defined[carried.register_name] = None
        assert carried.source is not None
        where = self._text_place(carried, carried.source)
        words: dict[str, Any] = {
            "v": f"the {carried.noun}",
            "n": carried.noun,
            "a": with_article(carried.noun),
            "s": where,
            "V": capital(f"the {carried.noun}"),
            "S": capital(where),
            "x": "",
            "z": _ending(where),
        }
        if carried.how == "policy":
            words["x"] = self.value(carried.detail["number"])
            words["n"] = carried.noun.removeprefix("agreed ")
            return self._rng.choice(_POLICY).format(**words)
        if carried.detail.get("superseded"):
            return self._rng.choice(_LATEST).format(**words)
        if carried.names_record and carried.kind not in ("email", "person"):
            return self._rng.choice(_RECORD_FIRST if leading else _RECORD_AFTER).format(**words)
        people = carried.kind in ("email", "person") and not carried.own
        return self._rng.choice(_PERSON if people else _VALUE).format(**words)

    def _text_place(self, carried: Carried, source: Place) -> str:
        place = self.place(source)
        if carried.how == "note":
            return f"the {carried.detail['notes']} on {place}"
        column = carried.detail.get("column")
        if not isinstance(column, Column) or column.field in _PLAIN_TEXTS:
            return place
        carrier = self.plan.table(source.service, source.table).carrier
        return place if carrier == "document" else f"the {pretty(column.field)} of {place}"

    def needs(self, slot: Place | Carried | Stated) -> list[Carried]:
        """Values that a phrase for `slot` rests on and that need a sentence of their own before it, in order."""
        if isinstance(slot, Stated) or (isinstance(slot, Carried) and bool(slot.called or slot.alias[1])):
            return []
        if isinstance(slot, Place):
            if slot.reached_from is not None:
                return self.needs(slot.reached_from)
            return [] if slot.found_by is None else self.needs(slot.found_by)
        before = [] if slot.source is None else self.needs(slot.source)
        if slot.how == "policy":
            before += self.needs(slot.detail["number"])
        return [*before, slot] if slot.how == "policy" or self._deep(slot) else before

    @staticmethod
    def _deep(carried: Carried) -> bool:
        """A text of a record that itself takes a long way to be found: one description inside another is enough."""
        return carried.how in ("text", "note") and carried.source is not None and carried.source.depth > DEEP

    def grounds(self, goal: Goal, *, plain: bool = False) -> list[Carried]:
        """`needs` of all that fills a goal; with `plain`, also what some text says, to be told before the goal."""
        slots: list[Place | Carried | Stated] = [*goal.slots.values(), *goal.texts.values()]
        found: list[Carried] = []
        for slot in slots:
            found += self.needs(slot)
            value = slot.found_by if isinstance(slot, Place) else slot
            if plain and isinstance(value, Carried) and value.how in ("text", "note") and not self._mentions(value):
                found.append(value)
        return found

    @staticmethod
    def _mentions(carried: Carried) -> bool:
        """Whether it is a record that a text mentions; such a one is described where it is named."""
        return carried.names_record and carried.kind not in ("email", "person")
