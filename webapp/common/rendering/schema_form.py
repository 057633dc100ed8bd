"""Form fields for a JSON Schema object, and the way back from what was typed to the value.

Unset, null and empty are three different things: every optional or nullable field says which one it is.
What the form cannot draw (unions, arrays, open objects) is typed as JSON for that part only. Nothing typed
is changed: text that does not parse comes back beside its error.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

from django.utils.translation import gettext

Kind = Literal["text", "long", "integer", "number", "boolean", "enum", "json", "object"]
MAX_DEPTH = 4
MODE = "@mode"
_CONSTRAINTS = ("minLength", "maxLength", "pattern", "format", "minimum", "maximum", "minItems", "maxItems", "default")


@dataclass
class Input:
    """One field as the template draws it. `pointer` is the JSON Pointer of its value."""

    name: str
    pointer: str
    label: str
    kind: Kind
    type_text: str
    description: str = ""
    required: bool = False
    nullable: bool = False
    mode: str = "value"
    text: str = ""
    choices: list[tuple[str, str]] = field(default_factory=list)
    constraints: str = ""
    error: str = ""
    children: "list[Input]" = field(default_factory=list)

    @property
    def id(self) -> str:
        return "f-" + "".join(c if c.isalnum() else "-" for c in self.name)

    @property
    def optional(self) -> bool:
        return not self.required

    @property
    def asks_mode(self) -> bool:
        return (not self.required or self.nullable) and self.kind != "object"


class Parsed(NamedTuple):
    """`errors` maps JSON Pointers to sentences; the value holds only what could be read."""

    value: dict[str, Any]
    errors: dict[str, str]


def fields(schema: Mapping[str, Any], values: object, errors: Mapping[str, str], prefix: str = "arg") -> list[Input]:
    """The fields of an object schema. `values` is a record, or the submitted form, whose text is kept as typed."""
    typed = isinstance(values, Mapping) and any(str(key).startswith(f"{prefix}/") for key in values)
    raw = cast("Mapping[str, str]", values) if typed else None
    record = values if isinstance(values, Mapping) and not typed else {}
    return _children(schema, schema, record, raw, errors, prefix, "", 0)


def parse(schema: Mapping[str, Any], data: Mapping[str, str], prefix: str = "arg") -> Parsed:
    """The value that the submitted fields spell, with an error for each text that is not of its type."""
    errors: dict[str, str] = {}
    value = _read(fields(schema, data, {}, prefix), errors)
    return Parsed(value, errors)


def _children(
    node: Mapping[str, Any],
    root: Mapping[str, Any],
    record: Mapping[str, Any],
    raw: Mapping[str, str] | None,
    errors: Mapping[str, str],
    prefix: str,
    pointer: str,
    depth: int,
) -> list[Input]:
    required = set(node.get("required", ()))
    made = []
    for key, part in node.get("properties", {}).items():
        place = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
        resolved, nullable = _resolve(part, root)
        item = _input(str(key), resolved, f"{prefix}{place}", place, depth)
        item.required, item.nullable, item.error = key in required, nullable, errors.get(place, "")
        _fill(item, record, key, raw)
        if item.kind == "object":
            inner = record.get(key)
            inside = inner if isinstance(inner, Mapping) else {}
            item.children = _children(resolved, root, inside, raw, errors, prefix, place, depth + 1)
        made.append(item)
    return made


def _resolve(part: object, root: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """Follow local references and take null out of a union of two: (schema, nullable)."""
    nullable = False
    for _ in range(MAX_DEPTH * 2):
        if not isinstance(part, Mapping):
            return {}, nullable
        if isinstance(part.get("$ref"), str):
            part = _lookup(part["$ref"], root)
            continue
        options = part.get("anyOf") or part.get("oneOf")
        if isinstance(options, list):
            rest = [o for o in options if not (isinstance(o, Mapping) and o.get("type") == "null")]
            if len(rest) < len(options) and len(rest) == 1:
                nullable = True
                part = {**{k: v for k, v in part.items() if k not in ("anyOf", "oneOf")}, **rest[0]}
                continue
        kinds = part.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            rest_kinds = [k for k in kinds if k != "null"]
            part = {**part, "type": rest_kinds[0] if len(rest_kinds) == 1 else rest_kinds}
            nullable = True
        return part, nullable
    return {}, nullable


def _lookup(ref: str, root: Mapping[str, Any]) -> object:
    found: object = root
    for step in ref.removeprefix("#").strip("/").split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found


def _input(key: str, part: Mapping[str, Any], name: str, pointer: str, depth: int) -> Input:
    kind = _kind(part, depth)
    item = Input(name, pointer, key, kind, _type_text(part), str(part.get("description", "")))
    if kind == "enum":
        item.choices = [(_json(value), value if isinstance(value, str) else _json(value)) for value in part["enum"]]
    parts = [f"{name} {_json(part[name])}" for name in _CONSTRAINTS if name in part]
    item.constraints = ", ".join(parts)
    return item


def _kind(part: Mapping[str, Any], depth: int) -> Kind:
    if isinstance(part.get("enum"), list) and part["enum"]:
        return "enum"
    kind = part.get("type")
    if kind == "object" and part.get("properties") and depth < MAX_DEPTH and not part.get("patternProperties"):
        return "object"
    if kind == "string":
        return "long" if int(part.get("maxLength") or 0) > 200 else "text"
    simple: dict[object, Kind] = {"integer": "integer", "number": "number", "boolean": "boolean"}
    return simple.get(kind, "json") if not isinstance(kind, list) else "json"


def _type_text(part: Mapping[str, Any]) -> str:
    kind = part.get("type") or ("enum" if "enum" in part else "any")
    if kind == "array":
        items = part.get("items")
        inner = items.get("type", "any") if isinstance(items, Mapping) else "any"
        return f"array of {inner}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _fill(item: Input, record: Mapping[str, Any], key: str, raw: Mapping[str, str] | None) -> None:
    if raw is not None:
        item.mode = raw.get(item.name + MODE) or "value"
        item.text = raw.get(item.name, "")
    elif key in record:
        value = record[key]
        item.mode = "null" if value is None and item.nullable else "value"
        item.text = value if item.kind in ("text", "long") and isinstance(value, str) else _json(value)
    elif not item.required:
        item.mode = "unset"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _read(items: list[Input], errors: dict[str, str]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for item in items:
        if item.kind == "object":
            inner = _read(item.children, errors)
            if inner or item.required:
                value[item.label] = inner
        elif item.asks_mode and item.mode == "unset":
            continue
        elif item.nullable and item.mode == "null":
            value[item.label] = None
        else:
            try:
                value[item.label] = _value(item)
            except ValueError as error:
                errors[item.pointer] = str(error)
    return value


def _value(item: Input) -> object:
    """The value of one typed text. Raises ValueError with a sentence for the reader."""
    if item.kind in ("text", "long"):
        return item.text
    text = item.text.strip()
    try:
        value: object = json.loads(text, parse_constant=_refuse)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(gettext("This is not valid JSON.") if item.kind == "json" else _wanted(item.kind)) from error
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if (item.kind == "integer" and not (number and isinstance(value, int))) or (item.kind == "number" and not number):
        raise ValueError(_wanted(item.kind))
    if item.kind == "boolean" and not isinstance(value, bool):
        raise ValueError(_wanted(item.kind))
    return value


def _refuse(constant: str) -> None:
    raise ValueError(gettext("%(name)s is not JSON.") % {"name": constant})


def _wanted(kind: Kind) -> str:
    words = {
        "integer": gettext("Enter a whole number."),
        "number": gettext("Enter a number."),
        "boolean": gettext("Choose true or false."),
        "enum": gettext("Choose one of the values."),
    }
    return words.get(kind, gettext("This value cannot be read."))
