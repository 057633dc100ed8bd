"""Fitting a result to an output schema: the same facts under the names and types that the schema asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from services_app.engine.plain import JsonValue

_DEPTH = 12
_SUCCESS = frozenset(("success", "successful", "ok", "is_success", "succeeded", "found", "valid", "exists"))
_COUNTS = frozenset(("total", "count", "total_count", "totalCount", "total_results", "num_results"))


def fit(value: JsonValue, schema: Mapping[str, Any]) -> JsonValue:
    """`value` in the shape of `schema`.

    Properties are taken by name; the list of a result fills the first array, the record or the whole result fills
    an object that has no like-named part. What the schema requires and nobody knows becomes empty, never invented.
    """
    return _fit(value, schema, schema, 0)


def _resolve(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any]:
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, Mapping) else {}
        return _resolve(target, root, depth + 1)
    for word in ("anyOf", "oneOf", "allOf"):
        branches = [b for b in schema.get(word) or () if isinstance(b, Mapping) and b.get("type") != "null"]
        if branches:
            nullable = any(isinstance(b, Mapping) and b.get("type") == "null" for b in schema[word])
            found = dict(_resolve(branches[0], root, depth + 1))
            return {**found, "nullable": True} if nullable else found
    return schema


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    kind = schema.get("type")
    kinds = list(kind) if isinstance(kind, list) else [kind] if isinstance(kind, str) else []
    if not kinds and "properties" in schema:
        kinds = ["object"]
    return kinds + (["null"] if schema.get("nullable") else [])


def _fit(value: JsonValue, schema: Any, root: Mapping[str, Any], depth: int) -> JsonValue:
    plain = _resolve(schema, root)
    kinds = _kinds(plain)
    if not kinds or depth > _DEPTH or (value is None and "null" in kinds):
        return value
    kind = next((kind for kind in kinds if kind != "null"), "null")
    if kind == "object":
        return _fit_object(value, plain, root, depth)
    if kind == "array":
        items = plain.get("items", {})
        rows = value if isinstance(value, list) else _list_of(value)
        return [_fit(row, items, root, depth + 1) for row in rows]
    return _fit_scalar(value, kind, plain)


def _list_of(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        return lists[0] if lists else [value]
    return [] if value is None else [value]


def _fit_object(value: JsonValue, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> JsonValue:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    own = value if isinstance(value, dict) else {}
    if not properties:
        if schema.get("additionalProperties") is False:
            return {}
        return own if isinstance(value, dict) else {"value": value} if value is not None else {}
    required = set(schema.get("required") or ())
    fitted: dict[str, JsonValue] = {}
    placed = any(name in own and name not in _COUNTS for name in properties)  # a total alone is no result
    for name, inner in properties.items():
        if name in own:
            fitted[name] = _fit(own[name], inner, root, depth + 1)
            continue
        kinds = _kinds(_resolve(inner, root))
        taken, item = _part(name, kinds, value, placed)
        if taken:
            fitted[name] = _fit(item, inner, root, depth + 1)
            placed = placed or "array" in kinds or "object" in kinds
        elif name in required:
            fitted[name] = _fit(None, inner, root, depth + 1)
    extra = {} if schema.get("additionalProperties") is False or not set(own) & set(properties) else own
    return {**{name: item for name, item in extra.items() if name not in fitted}, **fitted}


def _part(name: str, kinds: list[str], value: JsonValue, placed: bool) -> tuple[bool, JsonValue]:
    """Whether the result has something for a property that it does not name, and what."""
    rows = _list_of(value) if isinstance(value, dict) else value if isinstance(value, list) else []
    if "boolean" in kinds and name in _SUCCESS:
        return True, True
    counted = isinstance(value, list) or (isinstance(value, dict) and any(isinstance(v, list) for v in value.values()))
    if counted and name in _COUNTS and {"integer", "number"} & set(kinds):
        return True, value["total"] if isinstance(value, dict) and isinstance(value.get("total"), int) else len(rows)
    if placed:
        return False, None
    if "array" in kinds:
        return True, rows
    if "object" in kinds:
        return True, value
    if kinds[:1] == ["string"] and name in ("result", "content", "text", "output"):
        return True, value
    return False, None


_EMPTY: dict[str, JsonValue] = {"string": "", "integer": 0, "number": 0, "boolean": False, "null": None}


def _fit_scalar(value: JsonValue, kind: str, schema: Mapping[str, Any]) -> JsonValue:
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if choices:
        return value if value in choices else choices[0]
    if kind == "string":
        if value is None or isinstance(value, str):
            return value or ""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    if kind in ("integer", "number") and not isinstance(value, bool):
        if isinstance(value, int | float):
            return int(value) if kind == "integer" else value
        if isinstance(value, str) and value.isdecimal():
            return int(value)
    if kind == "boolean" and isinstance(value, bool):
        return value
    return _EMPTY.get(kind)
