"""Defaults that a specification states for what narrows, sorts or renders a result: they hold when nothing is sent.

Seeds hold the default of a filter, so that a tool shows something to who sends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.plan import EVERY, Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.builders.said_values import said_default
from services_app.engine.errors import ToolError
from services_app.recipes.presenting import rendered
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

_KINDS = frozenset(("list", "find", "get_or_list", "count", "get"))
_DIRECTIONS = frozenset(("asc", "desc", "ascending", "descending"))
_SAID = re.compile(r"\bdefault(?:s to|:| is)?\s*([\"'`])([\w.+-]+)\1", re.IGNORECASE)


_FIGURE = re.compile(r"\bdefaults? to (\d{4}) (?:if|when|where) (?:not|none|nothing|omitted)", re.IGNORECASE)
_OFF = re.compile(r"\bfalse or (?:omitted|not (?:provided|set|specified|given|sent))", re.IGNORECASE)


def plan_usual(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """Note the values that parameters have when they are not sent; give seeds those of filters."""
    if planned.kind not in _KINDS:
        return
    properties = reader.properties(tool)
    optional = {name: _stated(properties[name]) for name in properties if name not in reader.required(tool)}
    for name, value in optional.items():
        if value is not None and _holds(planned, own, name, value):
            planned.read.usually[name] = value
    planned.read.usually |= {name: figure for name, figure in _series(reader, tool, planned) if name in optional}
    for name in _choosing(planned):
        if isinstance(optional.get(name), bool):
            planned.read.usually[name] = optional[name]
    declared = frozenset(name for name in properties if properties[name].get("default") is not None)
    for name, field in _filtered(planned, own, declared):
        value, known = optional.get(name), own.fields[field]
        plain = known.type in ("str", "bool") and not known.target and field != own.natural_key
        if not plain or not isinstance(value, str if known.type == "str" else bool) or value in EVERY:
            continue
        told = field == own.status or bool(known.choices) or known.type == "str" or isinstance(value, bool)
        if told or not own.written:
            planned.read.usually[name] = value
            if known.type == "str" and value not in known.choices:
                known.choices = (value, *known.choices, *(word for word in known.samples if word != value))
            known.usual = value if own.written and known.usual is None else known.usual


def _choosing(planned: ToolPlan) -> Iterator[str]:
    """Flags that show or hide rows: `include_archived`, `exclude_archived`, `unread_only`."""
    yield from (*planned.read.shows.values(), *planned.read.flags.values())
    yield from (block.parameter for block in planned.read.blocks if block.kind == "without" and block.field == "rows")


def _series(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[tuple[str, int | float]]:
    """Figures that choose among series: the one that is shown by itself is one of those that can be asked for."""
    for name in planned.read.variants:
        schema = reader.properties(tool)[name]
        figure = schema.get("default", said_default(schema))
        if isinstance(figure, int | float) and not isinstance(figure, bool):
            yield name, figure


def _stated(schema: dict[str, Any]) -> Any:
    """The default of the schema, else of the words: in quotes, or one of the choices; None where there is none."""
    value = schema.get("default")
    if value is None and (said := _SAID.search(about(schema))):
        value = said[2]
    if value is None and "string" in types_of(schema) and (said := _FIGURE.search(about(schema))):
        value = said[1]
    if value is None and _is_off(schema):
        value = False
    if value is None:
        value = said_default(schema)
    return value if isinstance(value, str | bool) else None


def _is_off(schema: dict[str, Any]) -> bool:
    """Whether the words of a flag say that it is false where it is not sent."""
    return types_of(schema) - {"null"} == {"boolean"} and _OFF.search(about(schema)) is not None


def _holds(planned: ToolPlan, own: Entity, name: str, value: str | bool) -> bool:
    """Whether a default says how the result is rendered or sorted, in words that the recipes know."""
    if not isinstance(value, str):
        return False
    if name == planned.format:
        try:
            rendered({}, value, planned.read.formats)
        except ToolError:
            return False
        return True
    if name == planned.sort:
        stem = re.split(r"[:\s\[]", value.strip("+-"))[0]
        return key_of(stem) in {key_of(known) for known in (*own.fields, *planned.read.sorts)}
    return name == planned.order and value.casefold() in _DIRECTIONS


def _filtered(planned: ToolPlan, own: Entity, declared: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Parameters whose value records must have, with the field."""
    for item in planned.filters:
        if item.kind == "equal" and item.field in own.fields:
            yield item.parameter, item.field
    for name, field in planned.read.same.items():  # a key names the record: words about the rest do not hide it
        if field in own.fields and (planned.kind != "get" or name in declared):
            yield name, field
    yield from ((name, field) for name, field in planned.read.variants.items() if field in own.fields)
