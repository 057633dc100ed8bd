"""Objects of no declared shape that hold values of a record by the names of its fields: `data`, `fields`, `body`."""

from __future__ import annotations

import re

from services_app.builders.entities import Reader
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

_HOLDS = frozenset("body request_body data fields record_data values updates changes attributes properties".split())
_VALUES = re.compile(r"\bfields?\b[^.]{0,40}\b(?:to (?:update|create|set|change)|values?|as key)|\bkey-value\b", re.I)
_LOADS = frozenset("data properties attributes values".split())
_ANOTHER = re.compile(
    r"\bschema\b|RFC ?6902|\bjson patch\b|\bmust be empty\b|ProseMirror|custom|metadata", re.IGNORECASE
)


def note_open_object(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Let the members of such an object change the fields of these names, as the other tools show them."""
    if planned.kind not in ("create", "update"):
        return
    for name in planned.fields:
        schema, said = reader.properties(tool)[name], about(reader.properties(tool)[name])
        shapeless = types_of(schema) - {"null"} == {"object"} and not schema.get("properties")
        holds = key_of(name) in _HOLDS or key_of(name) == own.noun or _VALUES.search(said)
        if shapeless and holds and name in reader.required(tool) and not _is_load(reader, tool, planned, name):
            planned.write.opens = name
            return


def _is_load(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str) -> bool:
    """Whether an object is what a record carries, and not the record: a job with a name and a queue has its data."""
    said = about(reader.properties(tool)[name])
    if _ANOTHER.search(said):
        return True
    others = [other for other in planned.fields if other != name and other not in planned.parents]
    return key_of(name) in _LOADS and bool(others) and not _VALUES.search(said)
