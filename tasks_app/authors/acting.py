"""Planning one write: whom it concerns, what it is given, which states the records need for it to be accepted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tasks_app.authors.access import LITERAL_TARGETS, Payload
from tasks_app.authors.choosing import IDENTITIES, chosen_payloads
from tasks_app.authors.guide import said_by
from tasks_app.authors.joined import anew, tell_too, told_as
from tasks_app.authors.once import keep_single
from tasks_app.authors.parts import plant_part
from tasks_app.authors.phrasebook import Act
from tasks_app.authors.plan import Plan
from tasks_app.authors.readiness import Readiness
from tasks_app.authors.stating import Stater
from tasks_app.authors.story import Carried, Goal, Place, Rejection, Stated
from tasks_app.engine.columns import Column
from tasks_app.engine.profile import ParameterProfile, ToolProfile
from tasks_app.engine.program import Constant, Expression, Register, Sequenced, Template

MET_SHARE = 0.75
CARRIED_SHARE = 0.6
_ENDS_IT = re.compile(
    r"cancel|close|dispute|archive|withdraw|delete|remove|take .+ back|put .+ on hold|reject|end |void|write off"
    r"|set .+ archived"
)
RETOLD_SHARE = 0.2  # of free texts, those that state a value which the story has used before


@dataclass(frozen=True, slots=True)
class Work:
    """A write while it is being planned."""

    goal: Goal
    tool: ToolProfile
    parameter: str
    """Parameter that takes the incoming value."""
    place: Place | None
    arguments: dict[str, Expression]


class Actor:
    """Adds writes to a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._readiness = Readiness(plan)
        self._stater = Stater(plan)
        self._claimed: set[tuple[str, str]] = set()

    def act(
        self,
        visit: int,
        service: str,
        tool: ToolProfile,
        *,
        carried: Carried | None = None,
        parameter: str = "",
        place: Place | None = None,
        pool: Sequence[Carried] = (),
        act: Act | None = None,
    ) -> Goal:
        """Plan one write. `carried` goes into `parameter`; `place` is what the write concerns, if given.

        `pool` holds earlier values that may be used as well. Raises Rejection when something cannot be given.
        """
        goal = Goal(visit, service, tool.tool, 0, {}, {}, act)
        self._claimed.clear()
        work = Work(goal, tool, parameter, place, {})
        for name, detail in tool.parameters.items():
            if detail.target and (act is None or detail.required or name in act.slots):
                self._target(work, name, detail)
        waiting = [] if act is not None else list(pool)
        self._loose(tool, work.arguments, goal)
        for payload in chosen_payloads(self.plan, tool, parameter, goal):
            self._give(goal, payload, carried if payload.name == parameter else None, waiting, work.arguments)
        if tool.changes and not (tool.creates or tool.deletes or goal.texts or self._says_something(tool, goal)):
            raise Rejection("a change without content")
        keep_single(self.plan, goal, tool)
        goal.call = self.plan.call(service, tool.tool, self._ordered(tool, work.arguments), visit, write=True)
        self.plan.goals.append(goal)
        if act is not None and _ENDS_IT.match(act.say[0]):  # nobody goes on with what is done with
            for slot in goal.slots.values():
                if isinstance(slot, Place):
                    slot.gone = True
        return goal

    def add(self, goal: Goal, payload: Payload, value: Carried, visit: int) -> None:
        """Let a request made before take a value as well; it is carried out now. Raises Rejection like `act`."""
        name = payload.name
        if name in goal.texts:
            tell_too(self.plan, goal, value, visit)
            return
        if not self._takes_new(payload, value):
            raise Rejection("no value for a required argument")
        self._fill(goal, payload, value)
        anew(self.plan, goal, name, self._wrap(payload.detail, Register(name=value.register_name)), visit)

    @staticmethod
    def _ordered(tool: ToolProfile, arguments: dict[str, Expression]) -> dict[str, Expression]:
        return {name: arguments[name] for name in tool.parameters if name in arguments}

    def _says_something(self, tool: ToolProfile, goal: Goal) -> bool:
        phrase = self.plan.environment.catalogue.services[goal.service].tools[tool.tool].phrase
        said = bool(tool.constants) or any(not isinstance(slot, Place) for slot in goal.slots.values())
        return said or bool(phrase)

    # Targets

    def _target(self, work: Work, name: str, detail: ParameterProfile) -> None:
        goal = work.goal
        column = self.plan.reaches[goal.service].columns[detail.target]
        taken = [slot for slot in goal.slots.values() if isinstance(slot, Place)]
        given = work.place
        found = given if given is not None and given.table == column.table and given not in taken else None
        if found is None and taken and column.kind in LITERAL_TARGETS:
            said = said_by(self.plan, goal.act, name)
            stated = self._stater.existing(goal.service, column) if said is None else Stated(said, column.kind)
            work.arguments[name], goal.slots[name] = self._wrap(detail, Constant(value=stated.value)), stated
            return
        found = found or self._met(work, column.table, taken) or self._named(work, column)
        work.arguments[name] = self._wrap(detail, self._reference(found, column, goal.visit))
        goal.slots[name] = found
        self._readiness.prepare(goal.service, work.tool, found)
        found.gone = column.table in work.tool.deletes

    def suits(self, tool: ToolProfile, place: Place, parameter: str = "") -> bool:
        """Whether the write can go to the record: its cells are not settled, and no list read there grows by it."""
        if place.gone or place.children_read & set(tool.creates):
            return False
        for name, detail in tool.parameters.items():
            for landing in detail.lands if detail.required or name == parameter else ():
                table, _, field = landing.column.partition(".")
                settled = not self.plan.draft.writable(place.service, table, place.id, field)
                if table == place.table and tool.changes and settled and landing.mode != "member":
                    return False
        return True

    def _met(self, work: Work, table: str, taken: Sequence[Place]) -> Place | None:
        met = [
            place
            for place in self.plan.places
            if place.service == work.goal.service
            and place.table == table
            and place not in taken
            and self.suits(work.tool, place, work.parameter)
        ]
        return self.plan.rng.choice(met[-2:]) if met and self.plan.rng.random() < MET_SHARE else None

    def _named(self, work: Work, column: Column) -> Place:
        """A record that the instruction names, by another field than the one that the write replaces."""
        goal = work.goal
        replaced = {
            landing.column
            for name, detail in work.tool.parameters.items()
            if detail.required or name == work.parameter
            for landing in detail.lands
        }
        keys = [key for key in self.plan.trials.key_columns(goal.service) if key.table == column.table]
        keys = [key for key in keys if key.key not in replaced or not work.tool.changes]
        return self._inside(work, column) if not keys else self._found_by(work, keys, column.table)

    def _inside(self, work: Work, column: Column) -> Place:
        """A part of a record: of the one that the visit is about, or of another that the instruction names."""
        goal, trials = work.goal, self.plan.trials
        ways = trials.inside(goal.service, column.table)
        if not ways:
            raise Rejection("the target cannot be found")
        inside = self.plan.rng.choice(ways)
        table = inside.reference.target
        first = next(detail.target for detail in work.tool.parameters.values() if detail.target)
        tried = first.partition(".")[0] == column.table  # models are records of what the write names first
        models = trials.models(goal.service, work.tool) if tried else ()
        whole = work.place if work.place is not None and work.place.table == table else None
        if whole is None:
            keys = [key for key in trials.key_columns(goal.service) if key.table == table]
            wholes = frozenset(model[inside.reference.field] for model in models)
            whole = self._found_by(work, keys, table, wholes)
        return plant_part(self.plan, whole, inside, goal.visit, frozenset(model["id"] for model in models))

    def _found_by(self, work: Work, keys: Sequence[Column], table: str, models: frozenset[str] = frozenset()) -> Place:
        """A record that the instruction names, by the field that people call it by where that finds it."""
        goal = work.goal
        words = self.plan.words(goal.service, table)
        usual = words.keys if words is not None else (self.plan.table(goal.service, table).key,)
        best = [key for key in keys if key.field in usual[:1]] or [key for key in keys if key.field in usual]
        best = best or [key for key in keys if key.kind != "email"] or list(keys)
        return self.plan.locate(goal.visit, goal.service, self.plan.rng.choice(best), models=models)

    def _reference(self, place: Place, column: Column, visit: int) -> Expression:
        if column.key == place.key:
            return place.key_expression
        return Register(name=self.plan.read(place, column.key, visit))

    @staticmethod
    def _wrap(detail: ParameterProfile, expression: Expression) -> Expression:
        if detail.many and isinstance(expression, Constant | Register | Template):
            return Sequenced(items=(expression,))
        return expression

    # Values

    def _loose(self, tool: ToolProfile, arguments: dict[str, Expression], goal: Goal) -> None:
        """Required arguments that land nowhere: a choice, or a number that was seen to work."""
        for name, detail in tool.parameters.items():
            spoken = goal.act is not None and name in (*goal.act.slots, *goal.act.says)
            if detail.lands or detail.target or not (detail.required or spoken):
                continue
            said = said_by(self.plan, goal.act, name)
            if said is not None:
                stated = Stated(said, detail.kind or ("count" if isinstance(said, int) else "money"), detail.unit)
            elif detail.choices:
                stated = Stated(self.plan.rng.choice(detail.choices), "label")
            elif detail.worked:
                number = self.plan.rng.choice(detail.worked[:4])
                kind = "count" if detail.type == "integer" else "money"
                stated = Stated(int(number) if kind == "count" else number, kind, detail.unit)
            else:
                raise Rejection("no value for a required argument")
            arguments[name], goal.slots[name] = Constant(value=stated.value), stated

    def _give(
        self,
        goal: Goal,
        payload: Payload,
        carried: Carried | None,
        waiting: list[Carried],
        arguments: dict[str, Expression],
    ) -> None:
        self._claim(goal, payload)
        name, detail = payload.name, payload.detail
        if payload.kind == "text":
            value = carried or (self._take(waiting, "", goal) if self.plan.rng.random() < RETOLD_SHARE else None)
            if value is None:
                stated = self._stater.words(goal, payload)
                free = "constant" if stated.kind == "free" else "instruction"
                arguments[name] = self._wrap(detail, Constant(value=stated.value, origin=free))
                goal.slots[name] = stated
                return
            arguments[name] = self._wrap(detail, Template(parts=told_as(value)))
            goal.texts[name] = value
            value.used = True
            return
        value = carried or (self._take(waiting, payload.kind, goal, payload) if self._lucky() else None)
        if value is not carried and value is not None and not self._takes_new(payload, value):
            value = None
        if value is not None:
            arguments[name] = self._wrap(detail, Register(name=value.register_name))
            self._fill(goal, payload, value)
            return
        stated = self._stater.value(goal, payload)
        arguments[name] = self._wrap(detail, Constant(value=stated.value))
        goal.slots[name] = stated
        self._readiness.differ(goal, payload, stated.value, stated.value)

    def _fill(self, goal: Goal, payload: Payload, value: Carried) -> None:
        goal.slots[payload.name] = value
        value.used = True
        self._readiness.differ(goal, payload, value.value, value.alternative)
        self._let_exist(goal.service, payload, [value.value, value.alternative])

    @staticmethod
    def _takes_new(payload: Payload, value: Carried) -> bool:
        """Whether a value made up by the story will be accepted."""
        return not payload.detail.closed and not (payload.detail.must_exist and value.value is None)

    def _lucky(self) -> bool:
        return self.plan.rng.random() < CARRIED_SHARE

    def _claim(self, goal: Goal, payload: Payload) -> None:
        """The cell of the target that the write replaces belongs to this goal from now on."""
        for place in goal.slots.values():
            cell = (place.id, payload.column.key) if isinstance(place, Place) else ("", "")
            if not isinstance(place, Place) or place.table != payload.column.table or payload.member:
                continue
            if cell not in self._claimed:  # a heading and a text may both end up in one body
                self.plan.draft.claim(goal.service, place.table, place.id, payload.column.field)
                self._claimed.add(cell)

    @staticmethod
    def _take(waiting: list[Carried], kind: str, goal: Goal, payload: Payload | None = None) -> Carried | None:
        """An earlier value that fits and is not in this goal yet."""
        taken = [*goal.slots.values(), *goal.texts.values()]
        for value in waiting:
            if any(value is slot for slot in taken):
                continue
            if not kind:
                if value.names_record or value.choices:
                    continue
                return value
            same_unit = payload is None or value.unit == payload.column.unit
            if kind in IDENTITIES and any(isinstance(slot, Carried) and slot.kind in IDENTITIES for slot in taken):
                continue  # the name of one person and the address of another do not go together
            if value.kind == kind and same_unit and not value.choices and kind not in ("label", "code", "title"):
                return value
        return None

    def _let_exist(self, service: str, payload: Payload, values: Sequence[Any]) -> None:
        """Where the service wants a known value, make it known."""
        if payload.detail.closed:
            raise Rejection("a set that cannot grow")
        if not payload.detail.must_exist:
            return
        table, _, field = payload.detail.must_exist.partition(".")
        for value in values:
            if value is None:
                raise Rejection("a computed value would have to exist")
            if not any(row.get(field) == value for row in self.plan.draft.rows(service, table).values()):
                self.plan.draft.plant(service, table, {field: value})
