"""Formats that schemas declare and nothing else checks: what a write is sent must look like them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.prose import about
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of, words_of

_KNOWN = frozenset(("email", "date", "date-time", "uri", "uuid"))
_ALIKE = {"url": "uri", "datetime": "date-time", "guid": "uuid"}
_WRITES = frozenset(("create", "create_many", "update", "update_each", "update_many", "copy", "link", "status"))
_DAY = re.compile(r"\b(?:in|format:?|as|use) [`'\"(]?YYYY-MM-DD[`'\")]?(?: format)?(?![T \w]*H)|\(YYYY-MM-DD\)", re.I)
_DATED = frozenset("date day on at due deadline start end from until birthday birthdate".split())
_DEEPEST = 3


def format_checks(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> Iterator[tuple[Any, ...]]:
    """(recipe, its arguments) for the formats of what one tool is sent: bounds of time are read leniently elsewhere."""
    found: list[tuple[str, str]] = []
    for name, schema in reader.properties(tool).items():
        if name in planned.inert or name in planned.aliases:
            continue
        refers = name == planned.key or name in planned.parents or name in planned.lookups
        for path, form in _formats(name, schema, _DEEPEST):
            if form == "uuid":  # ids are told apart by whether they are there
                checked = not refers and name in planned.fields and path == name
            else:
                checked = planned.kind in _WRITES or form not in ("date", "date-time")
            if checked:
                found.append((path, form))
    if found:
        yield ("in_format", tuple(found))


def _formats(path: str, schema: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str]]:
    """(path, format) of a parameter and of what its object, or each item of its list, holds."""
    form = _format_of(schema)
    if not form and depth == _DEEPEST and _is_day(path, schema):
        form = "date"
    if form:
        yield path, form
    if depth == 0:
        return
    items = schema.get("items")
    if isinstance(items, Mapping):
        yield from _formats(path, items, depth - 1)
    for name, inner in (schema.get("properties") or {}).items():
        if isinstance(inner, Mapping) and "." not in name:
            yield from _formats(f"{path}.{name}", inner, depth - 1)


def _is_day(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether the words ask for a day where the schema declares no format: "The last day (YYYY-MM-DD)"."""
    said = about(schema)
    plain = types_of(schema) - {"null"} == {"string"} and not schema.get("enum") and not schema.get("format")
    dated = bool(set(words_of(name)) & _DATED)
    return plain and dated and _DAY.search(said) is not None and not re.search(r"\btoday\b|\brelative\b", said, re.I)


def _format_of(schema: Mapping[str, Any]) -> str:
    """The format that every text sent must have; "" where there is none, or other texts are taken as well."""
    parts = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    branches = [branch for branch in parts if isinstance(branch, Mapping)]
    texts = [branch for branch in (branches or [schema]) if "string" in types_of(branch) or "format" in branch]
    if len(texts) != 1 or texts[0].get("enum") or types_of(schema) - {"string", "null"}:
        return ""
    form = str(texts[0].get("format") or "").lower()
    form = _ALIKE.get(form, form)
    return form if form in _KNOWN else ""
