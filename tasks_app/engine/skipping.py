"""Solving a task without discovery: every carried value is guessed, and only the rest of the reference is played.

Each solver guesses in one way. A task that one of them solves does not need its walk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final

from services_app.engine.protocol import Environment
from tasks_app.engine.cheating import default_of
from tasks_app.engine.program import (
    Call,
    Constant,
    Get,
    Program,
    Register,
    Sequenced,
    Template,
    inputs_of,
    registers_of,
)
from tasks_app.engine.task import GraphEdge, TaskSpec
from tasks_app.engine.text import plain_form, values_in

SOLVERS: Final = (
    "instruction, first",
    "instruction, last",
    "defaults",
    "search, first",
    "search, last",
    "search, newest",
)
"""instruction: a value of the kind that it states. defaults: default or first choice of the parameter, or what most
records show. search: one full-text search of the source in s0 for the name of the value, or its field everywhere."""

TOLD = frozenset({"text", "note", "policy"})
"""Ways of showing a value in words, next to its name."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d")
Row = dict[str, Any]
Hit = tuple[Row, Any]


def skip(program: Program, values: Mapping[str, Any]) -> Program:
    """The program with these registers given as literals, without the reads that nothing else needs."""
    steps = tuple(_given_step(step, values) for step in _without(program, values))
    answer = None if program.answer is None else _given(program.answer, values)
    return program.model_copy(update={"steps": steps, "answer": answer})


def decisive(program: Program, registers: Collection[str]) -> list[str]:
    """Those of the registers that writes, their look-ups or the answer use: whoever has these needs no other."""
    used = {name for step in _without(program, registers) for _, name in inputs_of(step)}
    return [name for name in registers if name in used or name in registers_of(program.answer)]


def _without(program: Program, given: Collection[str]) -> list[Call | Get]:
    """The writes and the answer with all they rest on, as far back as what is given."""
    kept: list[Call | Get] = []
    needed: set[tuple[str, str | int]] = {("register", name) for name in registers_of(program.answer)}
    for step in reversed(program.steps):
        if isinstance(step, Call):
            wanted = step.write or ("call", step.number) in needed
        else:
            wanted = ("register", step.register_name) in needed and step.register_name not in given
        if wanted:
            kept.append(step)
            needed |= set(inputs_of(step))
    return kept[::-1]


def _given_step(step: Call | Get, values: Mapping[str, Any]) -> Call | Get:
    if isinstance(step, Call):
        arguments = {name: _given(expression, values) for name, expression in step.arguments.items()}
        return step.model_copy(update={"arguments": arguments})
    where = tuple(clause.model_copy(update={"value": _given(clause.value, values)}) for clause in step.where)
    return step.model_copy(update={"where": where})


def _given(expression: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(expression, Register) and expression.name in values:
        value = values[expression.name]
        return Constant(value=plain_form(expression.style, value) if expression.style else value, origin="constant")
    if isinstance(expression, Template):
        return expression.model_copy(update={"parts": tuple(_given(part, values) for part in expression.parts)})
    if isinstance(expression, Sequenced):
        return expression.model_copy(update={"items": tuple(_given(item, values) for item in expression.items)})
    return expression


class Guesses:
    """What the solvers take the carried values of a task for, in s0 as `start` has it."""

    def __init__(self, task: TaskSpec, start: Environment) -> None:
        self._task = task
        self._start = start
        self._gets = {get.register_name: get for get in task.reference.gets}
        self._hits: dict[str, list[Hit]] = {}
        self._known: dict[str, list[Row]] = {}

    def by(self, solver: str) -> dict[str, Any]:
        """Register -> guess for every edge; None where the solver has none."""
        return {edge.register_name: self._guess(edge, solver) for edge in self._task.graph.edges}

    def _guess(self, edge: GraphEdge, solver: str) -> Any:
        way, _, which = solver.partition(", ")
        if way == "instruction":
            stated = values_in(edge.kind, self._task.instruction, self._choices(edge)) or list(self._choices(edge))
            return stated[0 if which == "first" else -1] if stated else None
        hits = self.hits(edge)
        if way == "defaults":
            return self._default(edge, hits)
        return self._of_search(hits, which)

    def _default(self, edge: GraphEdge, hits: list[Hit]) -> Any:
        found = default_of(self._task, self._start.catalogue.services, edge.register_name)
        if found is not None or not hits:
            return found
        counts = Counter(repr(value) for _, value in hits)
        return max((value for _, value in hits), key=lambda value: counts[repr(value)])

    def _of_search(self, hits: list[Hit], which: str) -> Any:
        if not hits:
            return None
        if which == "newest":
            return max(hits, key=lambda hit: _moment(hit[0]))[1]
        return hits[0 if which == "first" else -1][1]

    def hits(self, edge: GraphEdge) -> list[Hit]:
        """(record of the source, value) of everything that a search for the value turns up, in the order of tables."""
        if edge.register_name not in self._hits:
            self._hits[edge.register_name] = self._told(edge) if edge.how in TOLD else self._fields(edge)
        return self._hits[edge.register_name]

    def _told(self, edge: GraphEdge) -> list[Hit]:
        choices, noun = self._choices(edge), edge.name.casefold()
        found = []
        for row in self._rows(edge.source):
            text = "\n".join(value for value in row.values() if isinstance(value, str) and noun in value.casefold())
            found += [(row, value) for value in values_in(edge.kind, text, choices)]
        return found

    def _fields(self, edge: GraphEdge) -> list[Hit]:
        get = self._gets.get(edge.register_name)
        name = get.path.rpartition(".")[2].removesuffix("[*]") if get is not None else ""
        return [(row, row[name]) for row in self._rows(edge.source) if row.get(name) is not None]

    def _rows(self, service: str) -> list[Row]:
        if service not in self._known:
            tables = self._start.catalogue.services[service].tables
            self._known[service] = [row for table in tables for row in self._start.rows(service, table)]
        return self._known[service]

    def _choices(self, edge: GraphEdge) -> tuple[str, ...]:
        get = self._gets.get(edge.register_name)
        return () if get is None else get.choices


def _moment(row: Row) -> str:
    """The latest date or time in a record."""
    return max((value for value in row.values() if isinstance(value, str) and _MOMENT.match(value)), default="")
