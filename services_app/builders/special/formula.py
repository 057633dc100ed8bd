"""Tools whose answer follows from their arguments alone: a catalogue of functions, recognised by name and parameters.

A formula fits a tool when the tool's name reads like it, when every parameter of the tool has a slot (or is mere
transport), and when every required slot has a parameter. Anything else is left to other rules: no formula is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.outputs import wrap_of
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.roles import key_of
from services_app.engine.schema import compile_schema
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, shared_prefix, types_of, words_of
from services_app.verification.arguments import resolve

_KINDS: dict[str, set[str]] = {
    "number": {"number", "integer"},
    "text": {"string"},
    "flag": {"boolean"},
    "list": {"array"},
    "object": {"object"},
    "any": {"string", "number", "integer", "boolean", "array", "object"},
    "moment": {"string", "number", "integer"},
}
_BEGINNING = 300  # characters in which a description says what a tool is not
TRANSPORT = "transport: taken and checked, without effect on a simulated service"


@dataclass(frozen=True)
class Slot:
    """One argument of a function: the pattern of parameter names that mean it, and the kind of its values."""

    name: str
    names: str
    kind: str = "text"
    optional: bool = False
    inert: str = ""
    """Why no value of it can matter; such a parameter is not passed on."""


@dataclass(frozen=True)
class Formula:
    """A function of a recipe and how a tool that is it may look."""

    names: str
    """Pattern of the whole tool name, in words joined by `_`, without the server's own prefix."""
    function: str
    """`module.function` of `services_app.recipes`."""
    slots: tuple[Slot, ...]
    about: str
    cue: str = ""
    """Pattern that the description must hold; "" for none."""
    whole: bool = False
    """The function gives an object; otherwise its value is shown under `result`."""
    context: Mapping[str, str] = field(default_factory=dict)
    """Further arguments of the function: name -> expression over `ctx` and `state`."""
    golden: tuple[tuple[dict[str, Any], Any], ...] = ()
    """(values by slot, a value that stands in the result), worked out by hand or from published tables."""
    examples: tuple[dict[str, Any], ...] = ()
    """Further values by slot that work."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that the name of the tool decides."""
    unless: str = ""
    """Pattern that name and description must not hold."""
    parents: bool = False
    """A parameter may name another record of the application; the function gets such records as `scope`."""
    raw: bool = False
    """Parameters as declared: a lone object is a value, and is not looked into."""
    fixtures: tuple[Fixture, ...] = ()
    """Tables that the function works on."""


@dataclass
class Bound:
    """How the parameters of a tool are used: slot -> parameter, parameter -> reason, parameter -> entity."""

    slots: dict[str, str] = field(default_factory=dict)
    inert: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)


def plan_formula(reader: Reader, tool: ToolSpec, formulas: Iterable[Formula]) -> ToolPlan | None:
    """The plan of the first formula that fits; None when none does."""
    found = match_formula(reader, tool, formulas)
    if found is None:
        return None
    formula, bound = found
    reader.plan.fixtures += [known for known in formula.fixtures if known not in reader.plan.fixtures]
    return _plan(reader, tool, formula, bound)


def match_formula(reader: Reader, tool: ToolSpec, formulas: Iterable[Formula]) -> tuple[Formula, Bound] | None:
    """The first formula that fits, with the place of each parameter."""
    names = _names(reader, tool)
    said = f"{tool.name} {reader.spec.title} {tool.description}"
    for formula in formulas:
        if not any(re.fullmatch(formula.names, name) for name in names):
            continue
        if formula.cue and not re.search(formula.cue, said, re.IGNORECASE):
            continue
        if formula.unless and re.search(formula.unless, said[:_BEGINNING], re.IGNORECASE):
            continue
        bound = _bind(reader, tool, formula)
        if bound is not None:
            return formula, bound
    return None


def _names(reader: Reader, tool: ToolSpec) -> list[str]:
    words = words_of(tool.name)
    prefix = shared_prefix(other.name for other in reader.spec.tools)
    short = words[1:] if prefix and len(words) > 1 and words[0] == prefix else words
    return ["_".join(words), "_".join(short)]


def _bind(reader: Reader, tool: ToolSpec, formula: Formula) -> Bound | None:
    """Where each parameter goes; None when a parameter or a required slot stays over."""
    bound = Bound()
    required = _required(reader, tool, formula)
    for name, plain in _properties(reader, tool, formula).items():
        slot = next((s for s in formula.slots if s.name not in bound.slots and _fits(s, name, plain)), None)
        target = id_target(name, "")
        if target and target in reader.by_noun and formula.parents:
            bound.parents[name] = reader.by_noun[target].noun
        elif slot is not None and slot.inert:
            if target and target in reader.by_noun:
                return None
            bound.inert[name] = slot.inert
        elif slot is not None:
            bound.slots[slot.name] = name
        elif name not in required and reader.role(tool, name) == "transport":
            bound.inert[name] = TRANSPORT
        else:
            return None
    complete = all(slot.optional or slot.inert or slot.name in bound.slots for slot in formula.slots)
    return bound if complete else None


def _properties(reader: Reader, tool: ToolSpec, formula: Formula) -> dict[str, dict[str, Any]]:
    if formula.raw:
        return {name: resolve(schema, tool.input_schema) for name, schema in tool.properties.items()}
    return reader.properties(tool)


def _required(reader: Reader, tool: ToolSpec, formula: Formula) -> list[str]:
    return list(tool.required) if formula.raw else reader.required(tool)


def _fits(slot: Slot, name: str, schema: Mapping[str, Any]) -> bool:
    kinds = types_of(schema) - {"null"}
    return bool(re.fullmatch(slot.names, key_of(name))) and (not kinds or bool(kinds & _KINDS[slot.kind]))


def _plan(reader: Reader, tool: ToolSpec, formula: Formula, bound: Bound) -> ToolPlan:
    module, _, _function = formula.function.partition(".")
    parts = [f"{slot}={_given(reader, tool, formula, name)}" for slot, name in sorted(bound.slots.items())]
    parts += [f"{name}={value!r}" for name, value in formula.fixed.items()]
    parts += [f"{name}={expression}" for name, expression in formula.context.items()]
    parts += [_scope(reader, tool, formula, bound)] if bound.parents else []
    value = f"{formula.function}({', '.join(parts)})"
    examples, golden = _examples(reader, tool, formula, bound)
    return ToolPlan(
        tool.name,
        "written",
        "",
        about=formula.about,
        body=(answer(tool, value, whole=formula.whole),),
        imports={"services_app.recipes": (module,)},
        inert=bound.inert,
        unwraps=() if formula.raw else reader.unwraps(tool),
        examples=examples,
        golden=golden,
        parents=bound.parents,
    )


_DEFAULT = re.compile(r"\bdefault(?:s to| is|:)\s+[`'\"]?([\w.-]+)", re.IGNORECASE)


def _given(reader: Reader, tool: ToolSpec, formula: Formula, name: str) -> str:
    """The expression of a parameter's value; what its schema or its description calls the default is one."""
    if name in _required(reader, tool, formula):
        return f"args[{name!r}]"
    schema = _properties(reader, tool, formula)[name]
    default = schema.get("default")
    said = _DEFAULT.search(str(schema.get("description", "")))
    if default is None and said is not None and types_of(schema) == {"string"} and said[1].lower() != "none":
        default = said[1]
    return f"args.get({name!r})" if default is None else f"args.get({name!r}, {default!r})"


def _examples(
    reader: Reader, tool: ToolSpec, formula: Formula, bound: Bound
) -> tuple[tuple[dict[str, Any], ...], tuple[tuple[dict[str, Any], Any], ...]]:
    """Worked calls under the tool's own parameter names, those that its schema accepts."""
    validator = compile_schema(tool.input_schema)
    untold = bool(bound.parents) or (formula.whole and wrap_of(tool) == "text")
    required = _required(reader, tool, formula)
    wrappers = () if formula.raw else reader.unwraps(tool)

    def named(values: Mapping[str, Any]) -> dict[str, Any] | None:
        arguments = {bound.slots[slot]: value for slot, value in values.items() if slot in bound.slots}
        arguments |= {name: first_id(reader, noun) for name, noun in bound.parents.items() if name in required}
        arguments = {wrappers[0]: arguments} if wrappers else arguments
        return arguments if set(values) <= set(bound.slots) and validator.is_valid(arguments) else None

    golden = [(arguments, result) for values, result in formula.golden if (arguments := named(values)) is not None]
    others = [arguments for values in formula.examples if (arguments := named(values)) is not None]
    return tuple([arguments for arguments, _ in golden] + others), () if untold else tuple(golden)


def _scope(reader: Reader, tool: ToolSpec, formula: Formula, bound: Bound) -> str:
    """The argument `scope`: the records that the call names."""
    required, parts = _required(reader, tool, formula), []
    for name, noun in bound.parents.items():
        record = f"pick(state.{reader.by_noun[noun].table}, args.get({name!r}))"
        parts.append(record if name in required else f"*([{record}] if {name!r} in args else [])")
    return f"scope=[{', '.join(parts)}]"


def first_id(reader: Reader, noun: str) -> Any:
    """The id of the first seeded record of an entity whose ids are generated."""
    known = reader.by_noun[noun]
    return 1 if known.integer_id else f"{known.prefix}0001"


def answer(tool: ToolSpec, value: str, *, whole: bool = False) -> str:
    """The line that returns a value in the shape that the tool's output schema asks for."""
    wrap = wrap_of(tool)
    if wrap == "fit":
        inner = value if whole else f'{{"result": {value}}}'
        return f'return fit({inner}, TOOLS[{tool.name!r}]["output_schema"])'
    if wrap == "text" and whole:
        return f'return {{"result": json.dumps({value}, ensure_ascii=False)}}'
    return f"return {value}" if whole and not wrap else f'return {{"result": {value}}}'
