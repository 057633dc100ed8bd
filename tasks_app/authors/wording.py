"""What phrase books call records, values and acts, put together: every phrase says where its value is to be found."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tasks_app.authors.guide import NAMED_KINDS
from tasks_app.authors.joined import lists
from tasks_app.authors.naming import capital
from tasks_app.authors.phrasebook import SLOT, Act, Both
from tasks_app.authors.story import Carried, Goal, Place, Stated
from tasks_app.authors.tongue import Tongue

if TYPE_CHECKING:
    from tasks_app.authors.plan import Plan

FOCUS_SHARE = 0.7  # how often the record just spoken of is not named again


class Plainly(Protocol):
    """Speaks of what services without a book show."""

    def place(self, place: Place) -> str: ...

    def value(self, carried: Carried) -> str: ...


class Wording:
    """Phrases in one language; remembers which record was spoken of last."""

    def __init__(self, plan: Plan, tongue: Tongue, rng: random.Random, plainly: Plainly | None = None) -> None:
        """`plainly`: for walks over services with and without a book."""
        self._plainly = plainly
        self.plan = plan
        self.tongue = tongue
        self._rng = rng
        self._focus: Place | None = None
        self._stays: Place | None = None
        self._nouns: list[str] = []
        """What the records spoken of since the last request began are called."""
        self._reasons: set[str] = set()
        self._forms: set[str] = set()
        """Ways to ask or to refer that were used."""
        self.said: dict[str, str] = {}
        """A choice that is stated in words of its own -> these words."""

    def knows(self, service: str) -> bool:
        return service in self.plan.books

    def place(self, place: Place) -> str:
        """A record by its name, by what it belongs to, or by the value that leads to it."""
        if self._plainly is not None and not self.knows(place.service):
            return self._plainly.place(place)
        words = self.plan.words(place.service, place.table)
        noun = words.noun[self.tongue.index] if words is not None else self.plan.named_after(place)
        if place is self._stays or (place is self._focus and self._rng.random() < FOCUS_SHARE):
            self._focus, self._stays = place, None
            return self.tongue.that.format(noun)
        text = self._described(place, noun)
        self._focus = place
        self._nouns.append(noun)
        return text

    def stay_with(self, place: Place | None) -> None:
        """The next request is about the record that the one before it was about: "that order" will do."""
        if place is not None and self.knows(place.service):
            words = self.plan.words(place.service, place.table)
            noun = words.noun[self.tongue.index] if words is not None else self.plan.named_after(place)
            self._stays = place if self._nouns.count(noun) == 1 else None

    def _described(self, place: Place, noun: str) -> str:
        words = self.plan.words(place.service, place.table)
        called = words.called[self.tongue.index] if words is not None and words.called else self.tongue.called(noun)
        if place.reached_from is not None and place.label is None:
            return self.tongue.belongs.format(noun=noun, whole=self.place(place.reached_from))
        if place.reached_from is not None and place.label is not None:
            column, value = place.label
            whole = self.place(place.reached_from)
            name = "" if column is None else self._name(column.kind, value)
            if "{whole}" in called:
                return called.format(name, whole=whole)
            return self.tongue.belongs.format(noun=called.format(name).strip() if name else noun, whole=whole)
        if "{whole}" in called:
            called = self.tongue.called(noun)
        if place.found_by is not None:
            return called.format(self.value(place.found_by))
        kind = self.plan.reaches[place.service].columns[place.key].kind
        quoted = kind in NAMED_KINDS or (kind == "code" and words is not None and bool(words.names))
        shown = self.tongue.say(kind, place.key_value, "") if kind == "email" else place.key_value
        return called.format(f"“{place.key_value}”" if quoted else shown)

    @staticmethod
    def _name(kind: str, value: object) -> str:
        return f"“{value}”" if kind in NAMED_KINDS else str(value)

    def value(self, carried: Carried) -> str:
        """A value by what it is and which record shows it."""
        language = self.tongue.index
        if carried.called is None and self._plainly is not None and not self.ruled_by_a_book(carried):
            return self._plainly.value(carried)
        if carried.how == "policy":
            assert carried.source is not None
            number = self.value(carried.detail["number"])
            return self._rng.choice(self.tongue.rule).format(
                noun=carried.alias[language], rule=self.place(carried.source), number=number
            )
        assert carried.called is not None
        called = self._one_of([called[language] for called in self._names_of(carried)])
        if carried.how == "generated":
            return called.format(self.tongue.new.format(carried.detail["noun"][language]))
        assert carried.source is not None
        place = self.place(carried.source)
        if carried.how in ("text", "note"):
            forms = self.tongue.latest if carried.detail.get("superseded") else self.tongue.written
            forms = self.tongue.named if carried.kind in ("email", "person") else forms
            if carried.detail.get("superseded") and carried.kind in ("email", "person"):
                forms = self.tongue.named_last
            return self._one_of(forms).format(noun=carried.alias[language], text=called.format(place))
        text = called.format(place)
        return self._rng.choice(self.tongue.afterwards).format(text) if carried.stale else text

    def _names_of(self, carried: Carried) -> list[Both]:
        """What a value is called, the usual words first."""
        assert carried.called is not None
        slug, _, name = carried.fact.partition("/")
        facts = self.plan.books[slug].facts if slug in self.plan.books else ()
        also = next((fact.also for fact in facts if fact.name == name and fact.called == carried.called), ())
        return [carried.called, *also]

    def _one_of(self, forms: Sequence[str]) -> str:
        """One of several forms, if there is one that was not used before."""
        form = self._rng.choice([form for form in forms if form not in self._forms] or list(forms))
        self._forms.add(form)
        return form

    def ruled_by_a_book(self, carried: Carried) -> bool:
        """Whether a rule in a record that a book speaks of gives the value."""
        return carried.how == "policy" and carried.source is not None and self.knows(carried.source.service)

    def told(self, carried: Carried) -> str:
        """A value as a text has to state it: of people known by their address just that."""
        shown = self.value(carried)
        return self.tongue.address.format(shown) if carried.kind == "email" else shown

    def act(self, goal: Goal, *, told: bool = False) -> str:
        """What is to be done, as a verb phrase; `told`: in sentences of its own."""
        assert goal.act is not None
        if self._stays is None:
            self._nouns.clear()
        ways = goal.act.told if told else (goal.act.say, *goal.act.also)
        if goal.also:
            ways = tuple(way for way in ways if lists(way[0], goal.act.tells))
        text = self._one_of([way[self.tongue.index] for way in ways])
        for name, slot in goal.slots.items():
            if name not in goal.act.slots and isinstance(slot, Stated) and slot.kind != "free":
                self.said[str(slot.value)] = max(SLOT.split(text)[::2], key=len).strip()  # the verb says which
        found = SLOT.sub(lambda match: self._filled(goal, match[1], text[: match.start()]), text)
        return self.tongue.smooth(found)

    def _filled(self, goal: Goal, name: str, before: str) -> str:
        shown = self._slot(goal, goal.act, name, after=before)
        return capital(shown) if before.endswith((". ", "? ")) else shown

    def _slot(self, goal: Goal, act: Act | None, name: str, *, after: str) -> str:
        if name in goal.texts:
            return self._all_told(goal, name)
        slot = goal.slots[name]
        if isinstance(slot, Place):
            return self.place(slot)
        if isinstance(slot, Carried):
            return self.value(slot)
        if slot.kind == "email" and after.endswith(("(", "（")):  # the name stands there already
            return str(slot.value)
        return self._stated(goal, name, slot)

    def _all_told(self, goal: Goal, name: str) -> str:
        """What a text has to tell; the fields of one record together."""
        groups: list[list[Carried]] = []
        for value in (goal.texts[name], *goal.also):
            like = next((group for group in groups if self._of_one_record(group[0], value)), None)
            (groups.append([value]) if like is None else like.append(value))
        return self.tongue.listed([self._together(group) for group in groups])

    def _of_one_record(self, *values: Carried) -> bool:
        """Whether values are fields of one record, said in words that can be put together."""
        sources = {id(value.source) for value in values}
        plain = all(value.how == "field" and value.kind != "email" and not value.stale for value in values)
        called = [value.called[self.tongue.index] for value in values if value.called is not None]
        return len(sources) == 1 and plain and bool(self.tongue.together(called))

    def _together(self, values: Sequence[Carried]) -> str:
        first = values[0]
        if len(values) == 1 or first.source is None:
            return self.told(first)
        called = [value.called[self.tongue.index] for value in values if value.called is not None]
        return self.tongue.together(called).format(self.place(first.source))

    def _stated(self, goal: Goal, name: str, slot: Stated) -> str:
        tool = self.plan.reaches[goal.service].profile.tools[goal.tool]
        target = tool.parameters[name].target
        if target:  # a second record, called by its name
            column = self.plan.reaches[goal.service].columns[target]
            words = self.plan.words(goal.service, column.table)
            kind = slot.kind if slot.kind in NAMED_KINDS else column.kind
            shown = self.tongue.say(kind, slot.value, "") if kind == "email" else self._name(kind, slot.value)
            return words.called[self.tongue.index].format(shown) if words is not None and words.called else shown
        if slot.kind == "place":
            return str(slot.value)
        if slot.kind == "free":
            return str(slot.value).rstrip(".")
        if slot.kind == "label":
            shown = self.tongue.label(str(slot.value), self.plan.books[goal.service].labels)
            self.said[str(slot.value)] = shown
            return shown
        return self.tongue.say(slot.kind, slot.value, slot.unit, self.plan.environment.clock[:4])

    def serves(self, goal: Goal) -> bool:
        """Whether a phrase book says why a value goes into the goal."""
        return bool(self._purposes(goal))

    def _purposes(self, goal: Goal) -> list[Both]:
        taken = {name: slot for name, slot in goal.slots.items() if isinstance(slot, Carried)} | goal.texts
        act = goal.act
        found = [] if act is None else [why for name, value in taken.items() for why in act.reasons(name, value.fact)]
        return [why for why in found if all(why in goal.reasons(value) for value in goal.also)]

    def why(self, goal: Goal) -> str:
        """A reason for the goal that the message does not give yet; that of the value first; "" for none."""
        general = goal.act.why if goal.act is not None else ()
        reasons = [why[self.tongue.index] for why in self._purposes(goal) or general]
        fresh = [reason for reason in reasons if reason not in self._reasons]
        if not fresh:
            return ""
        reason = self._rng.choice(fresh)
        self._reasons.add(reason)
        return reason
