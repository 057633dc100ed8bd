"""What objects and lists inside a record look like, for its seeds: names with kinds of values, as the schema says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.meaning import meaning_of, seed_kind, type_of
from services_app.builders.plan import Entity, Field
from services_app.builders.roles import scalar_choices
from services_app.specs.vocabulary import id_target, types_of

_MOST = 14
_DEPTH = 3
_BLANK = frozenset(("", "all", "any", "*", "null", "none"))


def shape_of(name: str, schema: Mapping[str, Any], depth: int = 0) -> Any:
    """A kind of value, a tuple of choices, {name: shape} for an object, [shape] for a list; None where nothing tells.

    `services_app.recipes.values.shaped` makes values of it.
    """
    kinds, properties = types_of(schema) - {"null"}, schema.get("properties")
    if depth > _DEPTH:
        return None
    if isinstance(properties, Mapping) and properties and kinds <= {"object"}:
        parts = ((part, inner) for part, inner in properties.items() if isinstance(inner, Mapping))
        found = {part: shape_of(part, inner, depth + 1) for part, inner in parts if id_target(part, "") is None}
        return {part: inner for part, inner in list(found.items())[:_MOST] if inner is not None} or None
    items = schema.get("items")
    if kinds == {"array"} and isinstance(items, Mapping):
        inner = shape_of(name, items, depth + 1)
        return None if inner is None else [inner]
    if choices := tuple(each for each in scalar_choices(schema) if str(each).casefold() not in _BLANK):
        return choices
    kind = type_of(schema)
    if len(kinds) != 1 or kind not in ("str", "int", "float", "bool") or id_target(name, "") is not None:
        return None
    return seed_kind(name, kind, meaning_of(name, kind, schema), str(schema.get("format", "")))


_PLAIN = frozenset(("str", "int", "float", "bool"))


def widen(own: Entity, known: Field, kind: str) -> None:
    """A field that another tool fills with values of another type holds both: a due date as text and as a number."""
    if {known.type, kind} == {"int", "float"}:
        known.type = "float"
    elif {known.type, kind} <= _PLAIN and known.name not in (own.natural_key, own.status, own.serial, own.version):
        known.type, known.meaning, known.kind = "Json", "", ""
