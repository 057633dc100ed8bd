"""How a special rule writes a tool down: as one call of a recipe's function, with each parameter in its place."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.outputs import wrap_of
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import READS, read_name, types_of, words_of
from services_app.verification.arguments import example

_Placed = Mapping[str, list[str]]


@dataclass(frozen=True)
class Operation:
    """One thing that the application can do, and how tools that do it are named.

    `name` is searched in the words of the tool's name, joined and bounded by `_`: `_close_tab_`.
    """

    name: str
    function: Callable[..., Any]
    names: Mapping[str, str] = field(default_factory=dict)
    """Keyword of the function -> pattern of the parameter, where the shared vocabulary does not fit."""
    collects: Mapping[str, str] = field(default_factory=dict)
    """Keyword -> pattern of the parameters that it gets together, as an object of those that were sent."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Keyword -> value that is always passed."""
    unsent: Any = None
    """What stands for a parameter that is not sent, where null has a meaning of its own."""
    passes: Callable[..., Any] | None = None
    """The function that gets what the first one does not name itself (its `**how`)."""
    reads: bool = True
    """Whether a tool that the specification calls read-only may be this."""
    samples: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Like those of the model, for this operation alone."""
    after: tuple[str, Mapping[str, Any]] | None = None
    """Name of the function, and keyword values, of a call that must come before: a dialog is opened, then answered."""
    needs: str = ""
    """Pattern of a parameter that the tool must have."""
    without: str = ""
    """Pattern of a parameter that the tool may not have."""


@dataclass(frozen=True)
class Model:
    """An application whose state is not a table of alike records."""

    operations: Sequence[Operation]
    vocabulary: Mapping[str, str]
    """Keyword -> pattern of the parameter names (in words joined by `_`) that carry it."""
    fixtures: Sequence[Fixture]
    steady: Sequence[tuple[str, str]]
    """(pattern, reason): parameters that can have no effect in a simulation."""
    noun: str
    guards: Sequence[tuple[Callable[..., None], str]] = ()
    """(function, keywords that it needs): checked before the operation, where the operation does not take them."""
    samples: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Keyword (or parameter, in words joined by `_`) -> values that exist in the seeded state, for examples."""

    def operation_of(self, tool: ToolSpec, keys: Iterable[str]) -> Operation | None:
        """The operation that a tool is, by its name and what it takes."""
        name = f"_{'_'.join(words_of(tool.name))}_"
        known = list(keys)
        for operation in self.operations:
            if not re.search(operation.name, name):
                continue
            if operation.needs and not any(re.fullmatch(operation.needs, key) for key in known):
                continue
            if not operation.reads and _only_reads(tool):
                continue
            if operation.without and any(re.fullmatch(operation.without, key) for key in known):
                continue
            return operation
        return None

    def covered(self, reader: Reader) -> list[str]:
        """Names of the tools that are operations of this model."""
        return [tool.name for tool in reader.spec.tools if self.operation_of(tool, keys_of(reader, tool)) is not None]

    def use(self, reader: Reader) -> None:
        """Give the service the tables of this model, once."""
        tables = {fixture.table for fixture in self.fixtures}
        classes = {fixture.class_name for fixture in self.fixtures}
        for entity in reader.plan.entities.values():
            if entity.class_name in classes:
                entity.class_name += "Item"
            if entity.table in tables:  # a noun of the specification that reads like one of ours
                for known in (f for other in reader.plan.entities.values() for f in other.fields.values()):
                    known.target = f"{entity.table}_" if known.target == entity.table else known.target
                entity.table += "_"
        for fixture in self.fixtures:
            if fixture not in reader.plan.fixtures:
                reader.plan.fixtures.append(fixture)


def _only_reads(tool: ToolSpec) -> bool:
    """Whether a tool says of itself that it only reads."""
    reads = read_name(tool.name, "", tool.description).action in READS
    return reads or tool.annotations.get("readOnlyHint") is True


def keys_of(reader: Reader, tool: ToolSpec) -> list[str]:
    """Names of a tool's parameters in words joined by `_`."""
    return [key_of(name) for name in reader.properties(tool)]


def call_plan(reader: Reader, tool: ToolSpec, model: Model, operation: Operation) -> ToolPlan | str:
    """The plan of a tool that is an operation, or why it cannot be one."""
    wanted = _keywords(operation)
    placed = _placed(reader, tool, model, operation, list(wanted))
    missing = [
        name
        for name, known in wanted.items()
        if known.default is known.empty and name not in {**placed, **operation.fixed, **operation.collects}
    ]
    if missing:
        return f"no parameter says the {' and the '.join(missing)} that it needs"
    guards = list(_guards(reader, tool, model, placed))
    gathered = _gathered(reader, tool, operation, placed)
    taken = {parameter for parameters in (*placed.values(), *gathered.values()) for parameter in parameters}
    taken |= {parameter for _, found in guards for parameter in found.values()}
    left = [name for name in reader.properties(tool) if name not in taken]
    stuck = [name for name in left if name in reader.required(tool)]
    if stuck:
        return f"{', '.join(stuck)} cannot change anything in a simulated {model.noun}"
    model.use(reader)
    shown = tuple(_examples(reader, tool, model, operation, {**placed, **gathered}))
    before = _before(reader, model, operation)
    return ToolPlan(
        tool.name,
        "written",
        "",
        about=(inspect.getdoc(operation.function) or "").splitlines()[0],
        body=(
            *(_guard_line(function, found) for function, found in guards),
            _line(reader, tool, operation, placed, gathered),
        ),
        imports=_imports([operation.function, *(function for function, _ in guards)]),
        unwraps=reader.unwraps(tool),
        inert={name: _reason(model, name) for name in left},
        examples=() if before else shown,
        prepared=tuple((arguments, before) for arguments in shown) if before else (),
    )


def _keywords(operation: Operation) -> dict[str, inspect.Parameter]:
    """The keywords that the function of an operation takes, those of the one it passes the rest to included."""
    functions = [operation.function, *([operation.passes] if operation.passes else [])]
    found = {name: known for one in functions for name, known in inspect.signature(one).parameters.items()}
    return {name: known for name, known in found.items() if known.kind is known.KEYWORD_ONLY}


def _imports(functions: Iterable[Callable[..., Any]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for function in functions:
        found[function.__module__] = (*found.get(function.__module__, ()), function.__name__)
    return found


Guard = tuple[Callable[..., None], dict[str, str]]


def _guards(reader: Reader, tool: ToolSpec, model: Model, placed: Mapping[str, list[str]]) -> Iterator[Guard]:
    """The checks before an operation whose parameters the tool has, with keyword -> parameter."""
    taken = {parameter for parameters in placed.values() for parameter in parameters}
    for function, needed in model.guards:
        found = {keyword: placed[keyword][0] for keyword in inspect.signature(function).parameters if keyword in placed}
        for keyword in inspect.signature(function).parameters:
            names = [name for name in reader.properties(tool) if name not in taken]
            pattern = model.vocabulary[keyword]
            match = next((name for name in names if re.fullmatch(pattern, key_of(name))), "")
            if match:
                found[keyword] = match
        if set(needed.split()) <= set(found) and not set(found.values()) <= taken:
            yield function, found


def _guard_line(function: Callable[..., None], found: Mapping[str, str]) -> str:
    parts = [f"{keyword}=args.get({parameter!r})" for keyword, parameter in found.items()]
    return f"{function.__name__}({', '.join(parts)})"


def _placed(
    reader: Reader, tool: ToolSpec, model: Model, operation: Operation, wanted: list[str]
) -> dict[str, list[str]]:
    """Keyword -> parameters that carry it, the first of them that is sent counts."""
    properties = list(reader.properties(tool))
    placed: dict[str, list[str]] = {}
    taken: set[str] = set()
    for own in (True, False):  # what this operation says about names goes before the shared vocabulary
        for keyword in wanted:
            pattern = operation.names.get(keyword) if own else model.vocabulary.get(keyword.rstrip("_"))
            if pattern is None or keyword in placed or keyword in operation.fixed:
                continue
            found = [name for name in properties if name not in taken and re.fullmatch(pattern, key_of(name))]
            if found:
                placed[keyword] = found
                taken |= set(found)
    return placed


def _gathered(reader: Reader, tool: ToolSpec, operation: Operation, placed: _Placed) -> dict[str, list[str]]:
    """Keyword -> parameters that it gets together."""
    taken = {parameter for parameters in placed.values() for parameter in parameters}
    left = [name for name in reader.properties(tool) if name not in taken]
    return {
        keyword: [name for name in left if re.fullmatch(pattern, key_of(name))]
        for keyword, pattern in operation.collects.items()
    }


def _line(reader: Reader, tool: ToolSpec, operation: Operation, placed: _Placed, gathered: _Placed) -> str:
    parts = [
        f"{keyword}={_argument(reader, tool, parameters, operation.unsent)}" for keyword, parameters in placed.items()
    ]
    for keyword, names in gathered.items():
        parts.append(f"{keyword}={{name: args[name] for name in {tuple(names)!r} if name in args}}")
    parts += [f"{keyword}={value!r}" for keyword, value in operation.fixed.items()]
    call = f"{operation.function.__name__}({', '.join(['state', 'ctx', *parts])})"
    return returned(tool, call)


def returned(tool: ToolSpec, value: str) -> str:
    """The statement that returns a value as the output schema wants it."""
    wrap = wrap_of(tool)
    if wrap == "text":
        return f'return {{"result": json.dumps({value}, ensure_ascii=False)}}'
    if wrap == "fit":
        return f'return fit({value}, TOOLS[{tool.name!r}]["output_schema"])'
    return f'return {{"result": {value}}}' if wrap == "result" else f"return {value}"


def _argument(reader: Reader, tool: ToolSpec, parameters: Sequence[str], unsent: Any) -> str:
    """The expression for a keyword: one parameter with its default, or a list where several name the same thing."""
    parts = []
    for name in parameters:
        default = reader.properties(tool)[name].get("default")
        default = unsent if default is None else default
        parts.append(f"args.get({name!r}{'' if default is None else f', {default!r}'})")
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


def _reason(model: Model, name: str) -> str:
    key = key_of(name)
    said = next((reason for pattern, reason in model.steady if re.fullmatch(pattern, key)), "")
    return said or f"has no counterpart in a simulated {model.noun}"


Call = dict[str, Any]


def _examples(reader: Reader, tool: ToolSpec, model: Model, operation: Operation, placed: _Placed) -> list[Call]:
    """Calls with values that exist in the seeded state: with everything that there are values for, and the least."""
    samples = {**model.samples, **operation.samples}
    required, properties = reader.required(tool), reader.properties(tool)
    sampled = {
        name: list(values)
        for keyword, parameters in placed.items()
        for name in parameters
        if (values := operation.samples.get(keyword) or samples.get(key_of(name)) or samples.get(keyword))
    }
    for name in required:
        if name not in sampled:
            sampled[name] = [example(properties[name], tool.input_schema, name=name)]
    found: list[Call] = []
    for number in range(max(map(len, sampled.values()), default=1)):
        full = {name: _sample(reader, tool, name, values, number) for name, values in sampled.items()}
        rest = {name: example(schema, tool.input_schema, name=name) for name, schema in properties.items()}
        for made in (full, {name: full[name] for name in required}, {**rest, **full}):
            if made not in found:
                found.append(made)
    return [_wrapped(reader, tool, made) for made in found[:12]]


def _wrapped(reader: Reader, tool: ToolSpec, made: Call) -> Call:
    """A call with the parameters that stand in a wrapping object put there."""
    wrappers = reader.unwraps(tool)
    if not wrappers:
        return made
    outside = {name: value for name, value in made.items() if name in tool.properties}
    inside = {name: value for name, value in made.items() if name not in tool.properties}
    return {**outside, wrappers[0]: inside}


def _sample(reader: Reader, tool: ToolSpec, name: str, values: Sequence[Any], number: int) -> Any:
    value = values[min(number, len(values) - 1)]
    many = "array" in types_of(reader.properties(tool)[name]) and not isinstance(value, list)
    return [value] if many else value


def _before(reader: Reader, model: Model, operation: Operation) -> tuple[tuple[str, Call], ...]:
    """The call that must come before an operation, by the tool of this server that makes it; () when none does."""
    if operation.after is None:
        return ()
    wanted, values = operation.after
    for tool in reader.spec.tools:
        other = model.operation_of(tool, keys_of(reader, tool))
        if other is None or other.function.__name__ != wanted or other.fixed:
            continue
        placed = _placed(reader, tool, model, other, list(_keywords(other)))
        made = {placed[keyword][0]: value for keyword, value in values.items() if keyword in placed}
        for name in reader.required(tool):
            made.setdefault(name, example(reader.properties(tool)[name], tool.input_schema, name=name))
        return ((tool.name, _wrapped(reader, tool, made)),)
    return ()
