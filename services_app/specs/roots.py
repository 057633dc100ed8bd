"""Repairs of the outermost schema of a tool: it ends as an object with `type` and `properties`."""

from __future__ import annotations

import copy
import json
from typing import Any

from services_app.specs.errors import RefusedError
from services_app.specs.keywords import KNOWN, resolve, target_of
from services_app.specs.model import Notebook
from services_app.specs.repairs import named_list
from services_app.specs.typenames import type_name

_ANNOTATIONS = frozenset({"title", "description", "$comment", "examples", "default", "type"})
_WRAPPERS = ("json", "schema", "jsonSchema", "inputSchema", "input_schema", "parameters")


def open_root(value: Any, pointer: str, book: Notebook) -> dict[str, Any]:
    """The object schema that was meant by what stands in place of the input schema.

    Raises RefusedError when it cannot describe arguments at all.
    """
    if isinstance(value, str):
        value = _from_text(value, pointer, book)
    if value is None or value is True:
        book.info(pointer, "schema:missing", "There is no input schema; the tool takes no described parameters.")
        return {}
    if isinstance(value, list):
        named = named_list(value)
        if named is None:
            raise RefusedError("schema:not-an-object", pointer, "The input schema is a list, not a schema.")
        book.warning(pointer, "properties:list", "The parameters were a list; they were taken by their names.")
        return {"type": "object", "properties": named}
    if not isinstance(value, dict):
        raise RefusedError("schema:not-an-object", pointer, f"The input schema is {value!r:.40}, not a schema.")
    return _property_map(_unwrap(value, pointer, book), pointer, book)


def _from_text(text: str, pointer: str, book: Notebook) -> Any:
    try:
        value = json.loads(text) if text.strip() else None
    except (ValueError, RecursionError) as error:
        raise RefusedError("schema:not-an-object", pointer, "The input schema is text that holds no JSON.") from error
    book.info(pointer, "schema:json-text", "The input schema came as JSON text.")
    return value


def _unwrap(value: dict[str, Any], pointer: str, book: Notebook) -> dict[str, Any]:
    for _ in range(3):
        word = next((word for word in _WRAPPERS if word in value), None)
        if (
            word is None
            or len(value) > 1
            or not isinstance(value[word], dict)
            or not value[word].keys() & {"type", "properties", "$ref"}
        ):
            break
        if not isinstance(value[word].get("type", "object"), str) or value[word].get("type", "object") != "object":
            break
        value = value[word]
        book.info(f"{pointer}/{word}", "schema:wrapped", f"The schema stood inside “{word}”; it was taken out.")
    return value


def _property_map(value: dict[str, Any], pointer: str, book: Notebook) -> dict[str, Any]:
    """`{"city": {"type": "string"}}`: the properties without the schema around them."""
    if not value or value.keys() & (
        KNOWN - {"title", "description", "format", "default", "pattern", "required", "type"}
    ):
        return value
    words_only = not value.keys() & KNOWN and all(_is_type_word(item) for item in value.values())
    if not words_only and not all(_looks_like_property(item) for item in value.values()):
        return value
    book.warning(pointer, "schema:bare-properties", "The properties stood without a schema around them; one was added.")
    return {"type": "object", "properties": value}


def _looks_like_property(item: Any) -> bool:
    if isinstance(item, dict):
        return bool(item.keys() & {"type", "$ref", "enum", "anyOf", "oneOf", "allOf", "const", "description"})
    return False


def _is_type_word(item: Any) -> bool:
    return isinstance(item, str) and type_name(item) is not None


def close_root(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Make the repaired root an object schema, in place. Raises RefusedError when it describes something else."""
    _merge_root_reference(schema, pointer, book)
    kind = schema.get("type")
    if kind is None:
        schema["type"] = "object"
        book.info(f"{pointer}/type", "type:added", "The root had no type; arguments are an object.")
    elif isinstance(kind, list) and "object" in kind:
        schema["type"] = "object"
        book.info(f"{pointer}/type", "type:object", f"The root admitted {kind}; arguments are an object.")
    elif kind != "object":
        raise RefusedError(
            "schema:root-type", f"{pointer}/type", f"The input schema describes {kind}; arguments are always an object."
        )
    if "properties" not in schema:
        schema["properties"] = {}
        book.info(f"{pointer}/properties", "properties:added", "The root had no properties; an empty set was added.")


def _merge_root_reference(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """A root that only refers to a definition gets its keywords, so that parameters can be seen."""
    for _ in range(10):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return
        _, target = resolve(schema, target_of(reference))
        if reference == "#" or not isinstance(target, dict):
            del schema["$ref"]
            book.warning(f"{pointer}/$ref", "ref:to-itself", "The root referred to itself; the reference was removed.")
            return
        if schema.keys() & target.keys() - _ANNOTATIONS - {"$ref"}:
            return  # both have a say; a validator applies both
        del schema["$ref"]
        for word, value in target.items():
            schema.setdefault(word, copy.deepcopy(value))
        book.info(
            f"{pointer}/$ref",
            "root:reference",
            f"The root referred to {reference}; its keywords were copied to the root.",
        )
    raise RefusedError("ref:loop", f"{pointer}/$ref", "The references at the root go round in a circle.")
