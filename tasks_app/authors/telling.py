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
from tasks_app.authors.story import Carried, Place, Stated
from tasks_app.engine.columns import Column

_PLAIN_TEXTS = frozenset(["body", "text", "content", "message", "description_text"])
_PERSON = (
    "{S} say{z} who {v} is.",
    "{V} is named in {s}.",
    "You will find {v} in {s}.",
    "Who {v} is, you can read in {s}.",
)
_VALUE = (
    "{V} is in {s}.",
    "You will find {v} in {s}.",
    "{S} say{z} what {v} is.",
    "We put {v} into {s}.",
)
_RECORD_FIRST = ("{S} mention{z} {a}.", "There is {a} mentioned in {s}.", "{S} refer{z} to {a}.")
_RECORD_AFTER = ("{V} I mean is the one mentioned in {s}.", "You will see in {s} which {n} I mean.")
_NOTE = (
    "{V} came up in {s}{tail}",
    "Look through {s} for {v}{tail}",
    "{V} was settled in {s}{tail}",
    "Somebody wrote {v} down in {s}{tail}",
)
_NOTE_RECORD = (
    "One of {s} mentions {a}{tail}",
    "{A} came up in {s}{tail}",
)
_TAILS = (
    "; it changed along the way, so go by the latest entry.",
    ", and only the most recent entry counts.",
    "; ignore the earlier entry, it is out of date.",
    ". If the entries differ, the newest is right.",
    " (the last one is the one we agreed on).",
    "; we corrected it since, so use the newest.",
    ". It was changed once, so look at the last entry.",
)
_ASIDES = ("{that} is in {s}", "you will find {that} in {s}", "see {s} for {that}", "I left {that} in {s}")
_ASIDES_PERSON = ("{s} say{z} who that is", "you can read in {s} who that is", "see {s} for the name")
_ASIDES_NOTE = (
    "{that} came up in {s}, and the newest entry counts",
    "{that} was settled in the last of {s}",
    "take {that} from the latest of {s}",
    "{that} changed once, so go by the newest of {s}",
)
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
        self._told: set[int] = set()
        self._focus: Place | None = None
        self.pending: list[Carried] = []
        """Values mentioned whose definition is still owed."""
        self.mentioned: dict[str, None] = {}
        self.defined: dict[str, None] = {}

    # Places

    def place(self, place: Place) -> str:
        """A phrase for a record: its description the first time, something shorter afterwards."""
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
            return f"the {noun} with the address {value}" if speaks_of_people(table) else f"the {noun} of {value}"
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
        tail = ""
        if carried.detail.get("superseded"):
            tail = self._rng.choice((" most recently", " in the latest entry"))
        return f"the {noun} mentioned{tail} in {where}"

    # Values

    def value(self, carried: Carried) -> str:
        """A phrase for a value; what it owes in definition is put on `pending`."""
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
                sentences += self.introduce(self.needs(carried)[:-1])
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

    def aside(self) -> str:
        """The one definition that is owed, as the end of the sentence that owes it; "" where it needs its own."""
        if len(self.pending) != 1:
            return ""
        carried = self.pending[0]
        if carried.how not in ("text", "note") or carried.source is None or self.needs(carried) != [carried]:
            return ""
        self.pending.clear()
        self.defined[carried.register_name] = None
        where = self._text_place(carried, carried.source)
        people = carried.kind in ("email", "person")
        pool = _ASIDES_NOTE if carried.detail.get("superseded") else _ASIDES_PERSON if people else _ASIDES
        that = f"that {carried.noun.split()[-1]}"
        return self._rng.choice(pool).format(s=where, that=that, z=_ending(where))

    def define(self, carried: Carried, *, leading: bool = False) -> str:
        """One sentence that says where a value is to be found."""
        self.mentioned[carried.register_name] = None
        self.defined[carried.register_name] = None
        assert carried.source is not None
        if carried.how not in ("text", "note", "policy"):
            verb = "Work out" if carried.how == "total" else self._rng.choice(("Look up", "Check", "Find"))
            return f"{verb} {self._inline(carried)}."
        where = self._text_place(carried, carried.source)
        words: dict[str, Any] = {
            "v": f"the {carried.noun}",
            "n": carried.noun,
            "a": with_article(carried.noun),
            "s": where,
            "V": capital(f"the {carried.noun}"),
            "A": capital(with_article(carried.noun)),
            "S": capital(where),
            "tail": ".",
            "x": "",
            "z": _ending(where),
        }
        if carried.how == "policy":
            words["x"] = self.value(carried.detail["number"])
            words["n"] = carried.noun.removeprefix("agreed ")
            return self._rng.choice(_POLICY).format(**words)
        record = carried.names_record and carried.kind not in ("email", "person")
        if carried.how == "note":
            if carried.detail["superseded"]:
                words["tail"] = self._rng.choice(_TAILS)
            return self._rng.choice(_NOTE_RECORD if record and leading else _NOTE).format(**words)
        if record:
            return self._rng.choice(_RECORD_FIRST if leading else _RECORD_AFTER).format(**words)
        return self._rng.choice(_PERSON if carried.kind in ("email", "person") else _VALUE).format(**words)

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
        """Values that a phrase for `slot` rests on and that need a sentence of their own, in order."""
        if isinstance(slot, Stated):
            return []
        if isinstance(slot, Place):
            if slot.reached_from is not None:
                return self.needs(slot.reached_from)
            return [] if slot.found_by is None else self.needs(slot.found_by)
        before = [] if slot.source is None else self.needs(slot.source)
        if slot.how == "policy":
            before += self.needs(slot.detail["number"])
        told_apart = slot.how in ("text", "note", "policy") or self._deep(slot)
        return [*before, slot] if told_apart else before

    @staticmethod
    def _deep(carried: Carried) -> bool:
        """A field of a record that itself has to be found: one description inside another is enough."""
        if carried.source is None or carried.stale or carried.detail.get("own"):
            return False
        return carried.source.found_by is not None or (
            carried.source.reached_from is not None and carried.source.reached_from.found_by is not None
        )
