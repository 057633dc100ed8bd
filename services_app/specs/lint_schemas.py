"""Remarks on input schemas that validate and still contradict themselves or say too little."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from services_app.engine.plain import MAX_DEPTH, NotJsonError, to_plain
from services_app.engine.schema import SchemaError, compile_schema
from services_app.specs.keywords import DEFINITIONS, Place, escape, places
from services_app.specs.limits import measure
from services_app.specs.model import Notebook, ToolSpec

_OPTIONAL = re.compile(r"^\W*optional\b|\(optional\)|\boptional[.,:]|\bis optional\b", re.IGNORECASE)
_REQUIRED = re.compile(r"^\W*required\b(?! (?:if|when|for|unless))|\(required\)|\bis required\.?$", re.IGNORECASE)
_SELECTORS = frozenset({"action", "operation", "method", "command", "mode", "op"})
_ROOT = "/inputSchema"
_OBJECT_PARTS = frozenset({"properties", "patternProperties", "$ref", "anyOf", "oneOf", "allOf"})
_ARRAY_PARTS = frozenset({"items", "prefixItems", "contains", "$ref", "anyOf", "oneOf", "allOf"})
_DECIDING = _OBJECT_PARTS | {"type", "enum", "const", "not", "if", "items", "pattern"}
_MANY_PARAMETERS = 40
_MANY_VALUES = 100


def check_required(tool: ToolSpec, book: Notebook) -> None:
    """Required names that are no parameters, and required parameters that have a default."""
    for name in tool.required:
        schema = tool.properties.get(name)
        if name not in tool.properties:
            book.warning(f"{_ROOT}/required", "required:unknown", f"“{name}” is required but is no parameter.")
        elif isinstance(schema, dict) and "default" in schema:
            message = f"“{name}” is required and has a default, which is never used."
            book.warning(f"{_at(name)}/default", "required:default", message)


def check_contradictions(tool: ToolSpec, book: Notebook) -> None:
    """Descriptions that say “optional” of a required parameter, or “required” of an optional one."""
    for name, schema in tool.properties.items():
        text = schema.get("description") if isinstance(schema, dict) else None
        if not isinstance(text, str):
            continue
        optional = _OPTIONAL.search(text) is not None
        message = ""
        if name in tool.required and optional:
            message = f"“{name}” is required but described as optional."
        elif name not in tool.required and not optional and _REQUIRED.search(text):
            message = f"“{name}” is optional but described as required."
        if message:
            book.warning(f"{_at(name)}/description", "required:contradiction", message)


def check_defaults(tool: ToolSpec, book: Notebook) -> None:
    """Defaults that their own schema refuses."""
    flat = {word: part for word, part in tool.input_schema.items() if word in ("$schema", "properties", *DEFINITIONS)}
    for pointer, schema in _schemas(tool):
        if "default" not in schema:
            continue
        name = _parameter(pointer)
        refused = _refuses_parameter(flat, name, schema["default"]) if name else _refuses(schema, schema["default"])
        if refused:
            _report_default(schema, pointer, book)


def _report_default(schema: Mapping[str, Any], pointer: str, book: Notebook) -> None:
    value = schema["default"]
    at = f"{pointer}/default"
    if value is None:
        book.info(at, "default:null", "The default is null, which the schema does not accept; it means “not given”.")
    elif isinstance(schema.get("enum"), list) and value not in schema["enum"]:
        book.warning(at, "default:not-in-enum", f"The default {value!r:.60} is none of the values in “enum”.")
    else:
        book.warning(at, "default:invalid", f"The default {value!r:.60} does not fit its own schema.")


def _parameter(pointer: str) -> str | None:
    """The name of the top-level parameter that a pointer leads to, or None for any other place."""
    head, _, step = pointer.rpartition("/")
    return step.replace("~1", "/").replace("~0", "~") if head == f"{_ROOT}/properties" else None


def _refuses_parameter(flat: dict[str, Any], name: str, value: Any) -> bool:
    """Checked inside its object, so that references keep their targets."""
    try:
        return not compile_schema(flat).is_valid({name: to_plain(value)})
    except (SchemaError, NotJsonError):
        return True


def _refuses(schema: dict[str, Any], value: Any) -> bool:
    """Checked on its own; a schema that refers elsewhere is left alone."""
    if any(isinstance(item, dict) and "$ref" in item for _, item in places(schema)):
        return False
    try:
        return not compile_schema(schema).is_valid(to_plain(value))
    except (SchemaError, NotJsonError):
        return False


def check_enums(tool: ToolSpec, book: Notebook) -> None:
    """Values that the type beside them excludes, and lists that fill a screen."""
    for pointer, schema in _schemas(tool):
        values = schema.get("enum")
        if not isinstance(values, list):
            continue
        at = f"{pointer}/enum"
        if "type" in schema:
            typed = {"type": schema["type"]}
            wrong = [value for value in values if _refuses(typed, value)]
            if wrong:
                book.warning(
                    at,
                    "enum:wrong-type",
                    f"{len(wrong)} of {len(values)} values are not of type {schema['type']!r}: {wrong[0]!r:.60}.",
                )
        if len(values) >= _MANY_VALUES:
            book.info(at, "enum:long", f"There are {len(values)} values to choose from.")


def check_callable(tool: ToolSpec, book: Notebook) -> None:
    """Tools that no arguments fit, and alternatives that nothing fits."""
    closed = tool.input_schema.get("additionalProperties") is False and not tool.input_schema.get("patternProperties")
    for name in tool.required:
        if _is_never(tool.properties.get(name, not closed)):
            book.warning(
                f"{_ROOT}/required",
                "schema:impossible",
                f"No arguments fit: “{name}” is required and nothing is accepted for it.",
            )
    for pointer, schema in _schemas(tool):
        for word in ("anyOf", "oneOf"):
            for index, branch in enumerate(schema.get(word, ())):
                if _is_never(branch):
                    book.info(f"{pointer}/{word}/{index}", "schema:dead-branch", "This alternative can never match.")


def _is_never(schema: Any) -> bool:
    return schema is False or (isinstance(schema, dict) and schema.get("not") in ({}, True) and "not" in schema)


def check_vagueness(tool: ToolSpec, book: Notebook) -> None:
    """Parameters that accept anything: no type, objects without properties, arrays without items."""
    for name, schema in tool.properties.items():
        words = schema.keys() if isinstance(schema, dict) else frozenset[str]()
        if schema is True or (isinstance(schema, dict) and not words & _DECIDING):
            book.info(_at(name), "parameter:untyped", f"“{name}” has no type; anything is accepted.")
        elif isinstance(schema, dict) and schema.get("type") == "object" and not words & _OBJECT_PARTS:
            if not schema.get("additionalProperties") or schema["additionalProperties"] is True:
                book.info(_at(name), "parameter:free-form", f"“{name}” is an object of any form.")
        elif isinstance(schema, dict) and schema.get("type") == "array" and not words & _ARRAY_PARTS:
            book.info(_at(name), "parameter:items", f"“{name}” is a list of anything.")


def check_shape(tool: ToolSpec, book: Notebook) -> None:
    """Very many parameters, many tools in one, and nesting that arguments cannot reach."""
    count = len(tool.properties)
    selector = next(
        (name for name in tool.properties if name.lower() in _SELECTORS and _choices(tool.properties[name]) >= 3), None
    )
    if selector and count - len(tool.required) >= 6:
        message = f"Many tools in one: “{selector}” decides which of the other {count - 1} parameters count."
        book.info(_at(selector), "schema:many-in-one", message)
    if count > _MANY_PARAMETERS:
        book.info(f"{_ROOT}/properties", "schema:many-parameters", f"The tool has {count} parameters.")
    if "oneOf" in tool.input_schema or "anyOf" in tool.input_schema:
        word = "oneOf" if "oneOf" in tool.input_schema else "anyOf"
        book.info(f"{_ROOT}/{word}", "schema:root-choice", "Which parameters are required depends on the others.")
    if measure(tool.input_schema).depth > MAX_DEPTH:
        book.warning(
            _ROOT, "schema:deep", f"The schema is nested deeper than the {MAX_DEPTH} levels that arguments may have."
        )


def _choices(schema: Any) -> int:
    return len(schema["enum"]) if isinstance(schema, dict) and isinstance(schema.get("enum"), list) else 0


def _schemas(tool: ToolSpec) -> Iterator[Place]:
    """The object schemas of a tool with their pointers."""
    return (place for place in places(tool.input_schema, _ROOT) if isinstance(place.schema, dict))


def _at(name: str) -> str:
    return f"{_ROOT}/properties/{escape(name)}"
