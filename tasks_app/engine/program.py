"""The reference solution as a program over observations.

A list of recorded calls solves one world only. A program says where each argument comes from, so it also solves
worlds in which a carried value differs, rows are in another order or the ids are new, and it shows the
provenance of everything it sends: the instruction, a constant, or observation n at a path, with the operation.

Paths are `$.tickets[*].id`: `$` is the `data` of an observation, `[*]` every element of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from tasks_app.engine.text import NoValueError, extract, plain_form, read_policy

Envelope = Mapping[str, Any]
CallTool = Callable[[str, str, dict[str, Any]], Envelope]
Operation = Literal["path", "text", "sum", "policy", "each"]


class ProgramError(Exception):
    """The program cannot go on in this world; the message names the step. `step` is its 0-based index."""

    def __init__(self, step: int, message: str) -> None:
        super().__init__(f"step {step + 1}: {message}")
        self.step = step


class TieError(ProgramError):
    """Several rows fit equally well, and nothing says which is meant."""


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Constant(Part):
    """A literal value. `origin`: stated in the instruction, or free for the agent to choose."""

    kind: Literal["literal"] = "literal"
    value: Any
    origin: Literal["instruction", "constant"] = "instruction"


class Register(Part):
    """A value read earlier; with `style` (a kind of value) as a person writes it."""

    kind: Literal["register"] = "register"
    name: str
    style: str = ""


class Template(Part):
    """The texts of the parts in one string."""

    kind: Literal["template"] = "template"
    parts: tuple[Constant | Register, ...]


class Sequenced(Part):
    """A list of values."""

    kind: Literal["list"] = "list"
    items: tuple[Annotated[Constant | Register | Template, Field(discriminator="kind")], ...]


Expression = Annotated[Constant | Register | Template | Sequenced, Field(discriminator="kind")]


class Call(Part):
    """One tool call. `number` counts calls from 1 and names the observation."""

    step: Literal["call"] = "call"
    number: int
    service: str
    tool: str
    arguments: dict[str, Expression]
    visit: int = 0
    """Position in the walk that the call belongs to."""
    write: bool = False


class Where(Part):
    """Keeps rows whose value at `path` equals `value` (texts without regard to case)."""

    path: str
    value: Expression


class Rank(Part):
    """Picks the row with the largest or smallest value at `path`; a tie is an error."""

    path: str
    order: Literal["max", "min"]


class Get(Part):
    """Reads one value of observation `call` into a register."""

    step: Literal["get"] = "get"
    register_name: str
    call: int
    path: str
    where: tuple[Where, ...] = ()
    rank: Rank | None = None
    operation: Operation = "path"
    kind: str = ""
    """Kind of value that a text or policy holds."""
    choices: tuple[str, ...] = ()
    """For a text or policy that names one of a fixed set of values."""
    argument: Register | None = None
    """The number that a policy is applied to."""
    index: int = 0
    """For `each`: which of the rows."""
    count: int = 0
    """For `each`: how many rows there must be."""


Step = Annotated[Call | Get, Field(discriminator="step")]


class Program(Part):
    """Steps in order, and the final answer (None when the task asks for none)."""

    steps: tuple[Step, ...] = ()
    answer: Template | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(step for step in self.steps if isinstance(step, Call))

    @property
    def gets(self) -> tuple[Get, ...]:
        return tuple(step for step in self.steps if isinstance(step, Get))


class Source(Part):
    """Where a value, or part of it, comes from."""

    origin: Literal["instruction", "constant", "observation"]
    call: int = 0
    path: str = ""
    operation: Operation = "path"


class MadeCall(NamedTuple):
    """A call of the program as made in one world."""

    number: int
    service: str
    tool: str
    arguments: dict[str, Any]
    provenance: dict[str, tuple[Source, ...]]
    data: Any
    visit: int
    write: bool


class ProgramRun(NamedTuple):
    """What a program did in one world."""

    calls: tuple[MadeCall, ...]
    registers: dict[str, Any]
    answer: str


def run_program(program: Program, call: CallTool) -> ProgramRun:
    """Execute `program`; `call(service, tool, arguments)` gives the envelope of one tool call.

    Raises ProgramError when a call is refused, a value is missing or rows cannot be told apart.
    """
    machine = _Machine(call)
    for index, step in enumerate(program.steps):
        machine.run(index, step)
    answer = "" if program.answer is None else machine.value(len(program.steps), program.answer)[0]
    return ProgramRun(tuple(machine.calls), machine.registers, answer)


def registers_of(expression: Any) -> tuple[str, ...]:
    """Names of the registers that an expression uses, in order."""
    if isinstance(expression, Register):
        return (expression.name,)
    if isinstance(expression, Template):
        return tuple(name for part in expression.parts for name in registers_of(part))
    if isinstance(expression, Sequenced):
        return tuple(name for item in expression.items for name in registers_of(item))
    return ()


def evaluate(expression: Any, registers: Mapping[str, Any]) -> Any:
    """Value of an expression for given registers. Raises KeyError for a register that is not there."""
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Register):
        value = registers[expression.name]
        return plain_form(expression.style, value) if expression.style else value
    if isinstance(expression, Template):
        return "".join(str(evaluate(part, registers)) for part in expression.parts)
    return [evaluate(item, registers) for item in expression.items]


def inputs_of(step: Call | Get) -> tuple[tuple[str, str | int], ...]:
    """What a step needs: ("register", name) and ("call", number)."""
    if isinstance(step, Call):
        names = [name for value in step.arguments.values() for name in registers_of(value)]
        return tuple(("register", name) for name in names)
    names = [name for clause in step.where for name in registers_of(clause.value)]
    names += registers_of(step.argument)
    return (("call", step.call), *(("register", name) for name in names))


class Match(NamedTuple):
    """One place in an observation that a path leads to: list positions on the way, concrete path, value."""

    positions: tuple[int, ...]
    path: str
    value: Any


def expand(data: Any, path: str) -> list[Match]:
    """Every place that `path` leads to. Missing keys lead nowhere."""
    found = [Match((), "$", data)]
    for part in re.findall(r"\.[^.\[]+|\[\*\]", path):
        found = list(_descend(found, part))
    return found


def _descend(found: Sequence[Match], part: str) -> Iterator[Match]:
    for match in found:
        if part == "[*]":
            if isinstance(match.value, list):
                for index, item in enumerate(match.value):
                    yield Match((*match.positions, index), f"{match.path}[{index}]", item)
        elif isinstance(match.value, Mapping) and part[1:] in match.value:
            yield Match(match.positions, match.path + part, match.value[part[1:]])


def shared_depth(path: str, other: str) -> int:
    """How many list levels two paths share."""
    depth = 0
    for left, right in zip(path.split("[*]")[:-1], other.split("[*]")[:-1], strict=False):
        if left != right:
            break
        depth += 1
    return depth


def equal(left: Any, right: Any) -> bool:
    """Equality as agents see it: texts without regard to case, 25 and 25.0 the same."""
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    return bool(left == right)


class _Machine:
    def __init__(self, call: CallTool) -> None:
        self._call = call
        self._data: dict[int, Any] = {}
        self._sources: dict[str, tuple[Source, ...]] = {}
        self.registers: dict[str, Any] = {}
        self.calls: list[MadeCall] = []

    def run(self, index: int, step: Call | Get) -> None:
        if isinstance(step, Call):
            self._make(index, step)
        else:
            try:
                self._read(index, step)
            except NoValueError as error:
                raise ProgramError(index, f"{step.register_name}: {error}") from error

    def value(self, index: int, expression: Any) -> tuple[Any, tuple[Source, ...]]:
        """Value of an expression and where it comes from."""
        if isinstance(expression, Constant):
            return expression.value, (Source(origin=expression.origin),)
        if isinstance(expression, Register):
            if expression.name not in self.registers:
                raise ProgramError(index, f"register {expression.name} is not set")
            return self._shown(index, expression), self._sources[expression.name]
        inner = expression.parts if isinstance(expression, Template) else expression.items
        values = [self.value(index, part) for part in inner]
        sources = tuple(dict.fromkeys(source for _, part in values for source in part))
        if isinstance(expression, Template):
            return "".join(str(value) for value, _ in values), sources
        return [value for value, _ in values], sources

    def _shown(self, index: int, register: Register) -> Any:
        value = self.registers[register.name]
        try:
            return plain_form(register.style, value) if register.style else value
        except (ValueError, TypeError) as error:  # what a service shows need not be what its field is for
            raise ProgramError(index, f"{register.name}: {value!r} cannot be said as {register.style}") from error

    def _make(self, index: int, step: Call) -> None:
        arguments, provenance = {}, {}
        for name, expression in step.arguments.items():
            arguments[name], provenance[name] = self.value(index, expression)
        envelope = self._call(step.service, step.tool, arguments)
        if not envelope["success"]:
            error = envelope["error"]
            raise ProgramError(index, f"{step.service}.{step.tool} refused: {error['type']}: {error['message']}")
        data = envelope["data"]
        self._data[step.number] = data
        self.calls.append(
            MadeCall(step.number, step.service, step.tool, arguments, provenance, data, step.visit, step.write)
        )

    def _read(self, index: int, step: Get) -> None:
        if step.call not in self._data:
            raise ProgramError(index, f"{step.register_name} reads call {step.call}, which was not made")
        matches = self._rows(index, step)
        if step.operation == "each":
            if len(matches) != step.count:
                raise ProgramError(index, f"{step.register_name}: {len(matches)} rows instead of {step.count}")
            matches = matches[step.index : step.index + 1]
        self._set(step, matches, self._operate(index, step, matches))

    def _set(self, step: Get, matches: Sequence[Match], value: Any) -> None:
        sources = [
            Source(origin="observation", call=step.call, path=match.path, operation=step.operation) for match in matches
        ]
        if step.argument is not None:
            sources += self._sources[step.argument.name]
        self.registers[step.register_name] = value
        self._sources[step.register_name] = tuple(dict.fromkeys(sources))

    def _operate(self, index: int, step: Get, matches: list[Match]) -> Any:
        if step.operation == "sum":
            return round(sum(match.value for match in matches), 2)
        value = self._single(index, step, matches)
        if step.operation == "text":
            return extract(step.kind, str(value), step.choices)
        if step.operation == "policy":
            assert step.argument is not None
            number, _ = self.value(index, step.argument)
            return read_policy(step.kind, str(value), number, step.choices)
        return value

    def _single(self, index: int, step: Get, matches: Sequence[Match]) -> Any:
        first = matches[0].value
        if any(match.value != first for match in matches[1:]):
            raise TieError(index, f"{step.register_name}: {len(matches)} rows fit and show different values")
        if first is None:
            raise ProgramError(index, f"{step.register_name}: the value is null")
        return first

    def _rows(self, index: int, step: Get) -> list[Match]:
        data = self._data[step.call]
        matches = expand(data, step.path)
        for clause in step.where:
            wanted, _ = self.value(index, clause.value)
            depth = shared_depth(step.path, clause.path)
            kept = {m.positions[:depth] for m in expand(data, clause.path) if equal(m.value, wanted)}
            matches = [match for match in matches if match.positions[:depth] in kept]
        if matches and step.rank is not None:
            matches = self._ranked(index, step, step.rank, matches)
        if not matches and step.operation != "sum":
            raise ProgramError(index, f"{step.register_name}: nothing at {step.path} fits")
        return matches

    def _ranked(self, index: int, step: Get, rank: Rank, matches: list[Match]) -> list[Match]:
        depth = shared_depth(step.path, rank.path)
        values = {m.positions[:depth]: m.value for m in expand(self._data[step.call], rank.path)}
        ranked = [(values.get(match.positions[:depth]), match) for match in matches]
        known = [(value, match) for value, match in ranked if value is not None]
        if not known:
            raise ProgramError(index, f"{step.register_name}: nothing to rank at {rank.path}")
        best = (max if rank.order == "max" else min)(value for value, _ in known)
        kept = [match for value, match in known if value == best]
        if len({match.positions[:depth] for match in kept}) > 1:
            raise TieError(index, f"{step.register_name}: {len(kept)} rows tie for {rank.order} {rank.path}")
        return kept
