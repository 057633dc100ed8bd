"""Solving a task by names, order and ids alone, without reading what records say.

A cheat is told which calls the reference makes, so that it is never weaker than one that has to find them out, and
it knows what the instruction states. Of observations it sees which ids are listed in which order, and which of them
go with a name that the instruction states. Every other value it guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from services_app.engine.catalogue import ServiceInfo
from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from tasks_app.engine.program import Call, Constant, Get, Match, Register, Sequenced, Template, expand, shared_depth
from tasks_app.engine.program import equal as alike
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.text import plain_form, values_in

Pick = Literal["first", "last", "highest"]
PICKS: Final[tuple[Pick, ...]] = ("first", "last", "highest")
"""Which of several ids or values is taken: by order, or the largest (ids of records that came late stand out)."""

Ids = Mapping[str, frozenset[str]]
MakeCall = Callable[[str, str, dict[str, Any]], Observation]


def cheat(task: TaskSpec, environment: Environment, ids: Ids, call: MakeCall, pick: Pick) -> tuple[str, dict[str, Any]]:
    """Make the calls of the reference with what a cheat can know or guess: the final answer and what it guessed.

    Of `environment` only the tools and the date are looked at; `ids` are those of its records (`ids_of`), by which
    ids in a list are known as such. `call` makes the calls; refused ones are passed over.
    """
    cheater = _Cheat(task, environment, ids, call, pick)
    return cheater.play(), cheater.values


class _Cheat:
    def __init__(self, task: TaskSpec, environment: Environment, ids: Ids, call: MakeCall, pick: Pick) -> None:
        self._task = task
        self._catalogue = environment.catalogue
        self._today = environment.clock
        self._call = call
        self._pick: Pick = pick
        self._ids = ids
        self._edges = {edge.register_name: edge for edge in task.graph.edges}
        self._services = {made.number: made.service for made in task.reference.calls}
        self._data: dict[int, Any] = {}
        self.values: dict[str, Any] = {}
        """Register -> what the cheat takes it for; None where it has no idea."""

    def play(self) -> str:
        for step in self._task.reference.steps:
            if isinstance(step, Call):
                self._make(step)
            else:
                self.values[step.register_name] = self._read(step)
        answer = self._task.reference.answer
        return "" if answer is None else str(self._value(answer))

    def _make(self, step: Call) -> None:
        schema = self._catalogue.services[step.service].tools[step.tool].input_schema
        required = schema.get("required", ())
        arguments = {}
        for name, expression in step.arguments.items():
            value = self._value(expression)
            if value is None and name in required:
                value = self._filler(schema.get("properties", {}).get(name, {}))
            if value is not None:
                arguments[name] = value
        observation = self._call(step.service, step.tool, arguments)
        if observation["success"]:
            self._data[step.number] = observation["data"]

    def _value(self, expression: Any) -> Any:
        """What the cheat sends for an expression; None when it has no idea."""
        if isinstance(expression, Constant):
            return expression.value
        if isinstance(expression, Register):
            value = self.values.get(expression.name)
            return plain_form(expression.style, value) if expression.style and value is not None else value
        if isinstance(expression, Template):
            return "".join("" if (part := self._value(each)) is None else str(part) for each in expression.parts)
        assert isinstance(expression, Sequenced)
        values = [self._value(item) for item in expression.items]
        return None if None in values else values

    def _read(self, step: Get) -> Any:
        """The id that the step should read, picked from those listed; a guess for anything that is no id."""
        rows = self._listed(step)
        known = self._ids[self._services[step.call]]
        if rows and all(isinstance(row.value, str) and row.value in known for row in rows):
            return self._one([row.value for row in rows])
        return self._guess(step)

    def _listed(self, step: Get) -> list[Match]:
        """What the step's path leads to in rows that go with the names stated in the instruction."""
        data = self._data.get(step.call)
        rows = expand(data, step.path)
        for clause in step.where:
            if isinstance(clause.value, Constant):
                depth = shared_depth(step.path, clause.path)
                kept = {m.positions[:depth] for m in expand(data, clause.path) if alike(m.value, clause.value.value)}
                rows = [row for row in rows if row.positions[:depth] in kept]
        return rows

    def _guess(self, step: Get) -> Any:
        """A value of the right kind out of the instruction, one of the choices, or the default of its parameter."""
        edge = self._edges.get(step.register_name)
        kind = edge.kind if edge is not None else step.kind
        stated = values_in(kind, self._task.instruction, step.choices)
        if stated or step.choices:
            return self._one(stated or step.choices)
        return default_of(self._task, self._catalogue.services, step.register_name)

    def _one(self, values: Sequence[Any]) -> Any:
        if self._pick == "highest":
            return max(values, key=lambda value: (len(str(value)), str(value)))
        return values[0 if self._pick == "first" else -1]

    def _filler(self, schema: Mapping[str, Any]) -> Any:
        """Something for a required argument that the cheat knows nothing about."""
        if schema.get("enum"):
            return schema["enum"][0]
        if "default" in schema:
            return schema["default"]
        fillers = {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
        return fillers.get(str(schema.get("type")), self._today[:10])


def ids_of(environment: Environment, services: Sequence[str]) -> Ids:
    """Ids of all records of services, by service."""
    return {
        slug: frozenset(
            row["id"] for table in environment.catalogue.services[slug].tables for row in environment.rows(slug, table)
        )
        for slug in services
    }


def default_of(task: TaskSpec, services: Mapping[str, ServiceInfo], register: str) -> Any:
    """Default, or first choice, of a parameter that takes the register as it is; None when there is none."""
    for call in task.reference.calls:
        properties = services[call.service].tools[call.tool].input_schema.get("properties", {})
        for name, expression in call.arguments.items():
            if isinstance(expression, Register) and expression.name == register:
                schema = properties.get(name, {})
                found = schema.get("default", next(iter(schema.get("enum", ())), None))
                if found is not None:
                    return found
    return None
