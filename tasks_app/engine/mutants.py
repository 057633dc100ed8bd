"""Wrong solutions made from the right one: a write dropped, one argument changed, a stale figure, a double taken."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from services_app.engine.protocol import Environment
from tasks_app.engine.columns import CODE, DATE, EMAIL, TIMESTAMP, Column, columns_of, shape_of
from tasks_app.engine.program import Call, Constant, MadeCall, ProgramRun, evaluate, expand, registers_of
from tasks_app.engine.rubric import net_changes_of, verify
from tasks_app.engine.task import Criterion, TaskSpec
from tasks_app.engine.values import NoFreshValueError, Values

Build = Callable[[TaskSpec], Environment]
Judged = Literal["rejected", "accepted", "equivalent", "unknown"]
OUTCOMES: Final[dict[bool | None, Judged]] = {True: "accepted", False: "rejected", None: "unknown"}
COLLATERAL: Final = "collateral"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed call list and answer."""

    name: str
    calls: tuple[tuple[str, str, dict[str, Any]], ...]
    answer: str


@dataclass(frozen=True, slots=True)
class MutantResult:
    """How the rubric took one mutant."""

    mutant: str
    outcome: Judged
    """equivalent: it ends as the reference does; unknown: the verdict could not be told."""
    fails: tuple[str, ...] = ()
    """Criteria that it fails, and "collateral" when it changes what the task has no business with."""

    def to_json(self) -> dict[str, Any]:
        return {"mutant": self.mutant, "outcome": self.outcome, "fails": list(self.fails)}


@dataclass(frozen=True, slots=True)
class Survey:
    """What the mutants did to the rubric, in the order in which they were made."""

    results: tuple[MutantResult, ...]

    @property
    def mutants(self) -> int:
        return len(self.results)

    @property
    def equivalent(self) -> int:
        return sum(result.outcome == "equivalent" for result in self.results)

    @property
    def alive(self) -> tuple[str, ...]:
        """Names of the mutants that were accepted though they differ from the reference."""
        return tuple(result.mutant for result in self.results if result.outcome == "accepted")

    @property
    def killers(self) -> dict[str, str]:
        """Criterion id -> the first mutant that fails it."""
        found: dict[str, str] = {}
        for result in self.results:
            for name in result.fails:
                if name != COLLATERAL:
                    found.setdefault(name, result.mutant)
        return found

    @property
    def kill_rate(self) -> float:
        """Share of the mutants that differ from the reference and are rejected."""
        counted = self.mutants - self.equivalent
        return sum(result.outcome == "rejected" for result in self.results) / counted if counted else 1.0


def survey_mutants(task: TaskSpec, run: ProgramRun, build: Build) -> Survey:
    """Judge every mutant of the task's reference run."""
    replayed = without_idle_reads(task, run, build)
    wanted = _end_of(task, build, replayed)
    tools = {(made.service, made.tool) for made in replayed.calls}
    found = []
    for mutant in mutants_of(task, run, build):
        calls = tuple(call for call in mutant.calls if call[:2] in tools)
        found.append(_judged(task, build, replace(mutant, calls=calls), wanted))
    return Survey(tuple(found))


def without_idle_reads(task: TaskSpec, run: ProgramRun, build: Build) -> ProgramRun:
    """The run with its writes only, which end as all its calls do, unless a read leaves traces.

    Calls are literal when they are replayed, so that a read only costs time.
    """
    writes = run._replace(calls=tuple(made for made in run.calls if made.write))
    return writes if _end_of(task, build, writes) == _end_of(task, build, run) else run


def _end_of(task: TaskSpec, build: Build, run: ProgramRun) -> Any:
    environment = _replay(task, build, _plain_calls(run))
    try:
        return _timeless(environment)
    finally:
        environment.close()


def _judged(task: TaskSpec, build: Build, mutant: Mutant, wanted: Any) -> MutantResult:
    environment = _replay(task, build, mutant.calls)
    try:
        if _timeless(environment) == wanted and mutant.answer == task.answer:
            return MutantResult(mutant.name, "equivalent")
        verdict = verify(task.rubric, task.scope, environment, mutant.answer)
        fails = [result.id for result in verdict.results if result.status == "fail"]
        damage = [COLLATERAL] if verdict.collateral else []
        return MutantResult(mutant.name, OUTCOMES[verdict.passed], (*fails, *damage))
    finally:
        environment.close()


def _timeless(environment: Environment) -> Any:
    """Net changes without the times of the session clock, which one call more or less shifts."""
    today = environment.clock[:11]

    def blind(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: blind(item) for key, item in value.items()}
        if isinstance(value, list):
            return [blind(item) for item in value]
        return "" if isinstance(value, str) and value.startswith(today) else value

    return blind(net_changes_of(environment))


def prune_rubric(task: TaskSpec, survey: Survey) -> TaskSpec:
    """The task without criteria that no mutant fails: they would only raise every score."""
    kept: list[Criterion] = [criterion for criterion in task.rubric if criterion.id in survey.killers]
    return task.model_copy(update={"rubric": tuple(kept)})


def _plain_calls(run: ProgramRun) -> tuple[tuple[str, str, dict[str, Any]], ...]:
    return tuple((made.service, made.tool, made.arguments) for made in run.calls)


def _replay(task: TaskSpec, build: Build, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> Environment:
    environment = build(task)
    for service, tool, arguments in calls:
        environment.call(service, tool, arguments)
    return environment


def mutants_of(task: TaskSpec, run: ProgramRun, build: Build) -> Iterator[Mutant]:
    """All mutants of the reference run, in a fixed order."""
    start = build(task)
    maker = _Maker(task, run, start)
    steps = {step.number: step for step in task.reference.calls}
    for index, made in enumerate(run.calls):
        if not made.write:
            continue
        yield maker.without(index)
        yield maker.twice(index)
        for name, expression in steps[made.number].arguments.items():
            for label, value in maker.other_values(steps[made.number], made, name, expression):
                yield maker.altered(index, name, value, label)
    if task.answer:
        yield Mutant("no answer", _plain_calls(run), "")
        yield Mutant("wrong answer", _plain_calls(run), maker.wrong_answer())
    start.close()


class _Maker:
    def __init__(self, task: TaskSpec, run: ProgramRun, start: Environment) -> None:
        self._task = task
        self._run = run
        self._start = start
        self._calls = _plain_calls(run)
        self._values = Values(random.Random(f"mutants:{task.instruction}"))  # noqa: S311 - reproducible mutants
        self._doubles = Doubles(start)
        self._edges = {edge.register_name: edge for edge in task.graph.edges}

    def without(self, index: int) -> Mutant:
        made = self._run.calls[index]
        calls = (*self._calls[:index], *self._calls[index + 1 :])
        return Mutant(f"drop {made.number} {made.tool}", calls, self._task.answer)

    def twice(self, index: int) -> Mutant:
        made = self._run.calls[index]
        calls = (*self._calls[: index + 1], self._calls[index], *self._calls[index + 1 :])
        return Mutant(f"twice {made.number} {made.tool}", calls, self._task.answer)

    def altered(self, index: int, name: str, value: Any, label: str) -> Mutant:
        service, tool, arguments = self._calls[index]
        changed = (service, tool, {**arguments, name: value})
        calls = (*self._calls[:index], changed, *self._calls[index + 1 :])
        return Mutant(f"{label} {self._run.calls[index].number} {tool}.{name}", calls, self._task.answer)

    def wrong_answer(self) -> str:
        """The answer with every value in it replaced."""
        answer = self._task.reference.answer
        if answer is None:
            return ""
        registers = dict(self._run.registers)
        for name in registers_of(answer):
            registers[name] = self._another(registers[name])
        return str(evaluate(answer, registers))

    def other_values(self, step: Call, made: MadeCall, name: str, expression: Any) -> Iterator[tuple[str, Any]]:
        """(what was changed, other value of the argument)."""
        registers = registers_of(expression)
        for register in registers:
            for label, other in self._register_values(made.service, register):
                value = evaluate(expression, {**self._run.registers, register: other})
                if value != made.arguments[name]:
                    yield label, value
        if not registers and isinstance(expression, Constant) and expression.origin == "constant":
            return
        if not registers:
            other = self._other_constant(step, name, made.arguments[name])
            if other is not None and other != made.arguments[name]:
                yield "alter", other

    def _register_values(self, service: str, register: str) -> Iterator[tuple[str, Any]]:
        value = self._run.registers[register]
        edge = self._edges.get(register)
        if edge is not None:
            old = self._stale_value(register) if edge.stale else None
            if old is not None and old != value:
                yield "stale", old
            yield "alter", edge.alternative if edge.alternative is not None else self._another(value)
            return
        double = self._doubles.of(service, value)
        if double is not None:
            yield "double", double
        else:
            yield "alter", self._another(value)

    def _stale_value(self, register: str) -> Any:
        """What the figure was before anything was written: for the agent that skips the re-read."""
        get = next(get for get in self._task.reference.gets if get.register_name == register)
        made = next(made for made in self._run.calls if made.number == get.call)
        twin = self._start.fork()
        envelope = twin.call(made.service, made.tool, made.arguments)
        twin.close()
        found = expand(envelope.get("data"), get.path) if envelope["success"] else []
        return found[0].value if found else None

    def _other_constant(self, step: Call, name: str, value: Any) -> Any:
        if isinstance(value, list):
            other = self._other_constant(step, name, value[0]) if value else None
            return None if other is None else [other, *value[1:]]
        tool = self._start.catalogue.tools[step.service][step.tool]
        shape = shape_of(tool.input_schema.get("properties", {}).get(name, {}), tool.input_schema)
        others = [choice for choice in shape.choices if choice != value]
        if shape.choices:
            return others[0] if others else None
        return self._another(value)

    def _another(self, value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return value + 1
        if not isinstance(value, str) or not value:
            return None
        for pattern, kind in ((EMAIL, "email"), (TIMESTAMP, "timestamp"), (DATE, "date"), (CODE, "code")):
            if pattern.match(value):
                return self._near(kind, value)
        return self._near("title", value)

    def _near(self, kind: str, value: str) -> str:
        try:
            return str(self._values.near(kind, value))
        except NoFreshValueError:
            return f"{value} 2"


class Doubles:
    """Finds near-duplicates of records in one state; rows and columns are read once."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._naming: dict[str, list[Column]] = {}

    def of(self, service: str, value: Any) -> Any:
        """The id (or unique code) of the record most like the one that `value` names; None when it names none."""
        if not isinstance(value, str):
            return None
        if service not in self._naming:
            columns = columns_of(self._environment, service).values()
            self._naming[service] = [column for column in columns if _names(column)]
        for column in self._naming[service]:
            rows = self._table(service, column.table)
            own = next((row for row in rows if row.get(column.field) == value), None)
            others = [row for row in rows if row.get(column.field) not in (value, None)]
            if own is not None and others:
                return max(others, key=lambda row, own=own: _likeness(own, row))[column.field]  # type: ignore[misc]
        return None

    def _table(self, service: str, table: str) -> list[dict[str, Any]]:
        key = (service, table)
        if key not in self._rows:
            self._rows[key] = self._environment.rows(service, table)
        return self._rows[key]


def _names(column: Column) -> bool:
    return column.field == "id" or (column.unique and column.kind == "code")


def _likeness(own: dict[str, Any], other: dict[str, Any]) -> float:
    """How alike two records look: equal fields, and texts that begin alike."""
    score = 0.0
    for field, value in own.items():
        if field == "id":
            continue
        if other.get(field) == value:
            score += 1.0
        elif isinstance(value, str) and isinstance(other.get(field), str) and value[:4] == other[field][:4]:
            score += 0.8
    return score
