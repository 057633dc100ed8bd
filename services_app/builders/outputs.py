"""What an output schema teaches: the fields of a record, and how a result must be wrapped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app.builders.entities import Reader, add_field
from services_app.builders.plan import Entity
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of
from services_app.verification.arguments import resolve

_MOST_FIELDS = 40
_ENVELOPE = frozenset(
    (
        "result data success successful error errors message total count page next_token nextToken offset cursor "
        "has_more hasMore status_code response items meta pagination"
    ).split()
)


def wrap_of(tool: ToolSpec) -> str:
    """How to fit the output schema: "" as it is, "result" or "text" for the usual wrappers, "fit" for any other."""
    schema = tool.output_schema
    properties = (schema or {}).get("properties")
    if not schema or (not properties and types_of(schema) <= {"object"}):
        return ""
    if properties and set(properties) == {"result"}:
        kinds = types_of(resolve(properties["result"], schema))
        if kinds == {"string"}:
            return "text"
        return "result" if not kinds else "fit"
    return "fit"


def learn_fields(reader: Reader, tool: ToolSpec, own: Entity) -> None:
    """Give the entity the plain fields that its records have in the output schema of a tool about it."""
    if not tool.output_schema:
        return
    record = _record_schema(tool.output_schema, tool.output_schema, 0)
    for name, schema in list((record.get("properties") or {}).items())[:_MOST_FIELDS]:
        plain = resolve(schema, tool.output_schema)
        kinds = types_of(plain) - {"null"}
        if name != "id" and name not in _ENVELOPE and kinds and kinds <= {"string", "integer", "number", "boolean"}:
            add_field(reader, own, name, {key: value for key, value in plain.items() if key != "default"})
            own.described = True
    if {"type", "attributes"} <= set(record.get("properties") or {}) and "type" in own.fields:
        own.fields["type"].choices = own.fields["type"].choices or (own.noun,)  # JSON:API names the kind of record


def _record_schema(schema: Any, root: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
    """The schema of a record below wrappers and lists."""
    plain = resolve(schema, root)
    if depth > 4:
        return {}
    if "array" in types_of(plain):
        return _record_schema(plain.get("items", {}), root, depth + 1)
    properties: Mapping[str, Any] = plain.get("properties") or {}
    inner = [value for value in properties.values() if types_of(resolve(value, root)) & {"object", "array"}]
    if properties and len(inner) == 1 and (len(properties) == 1 or set(properties) & _ENVELOPE):
        below = _record_schema(inner[0], root, depth + 1)
        return below if below.get("properties") else plain
    return plain
