"""Repairs of `type`: names from other languages, alternatives in one word, and "any"."""

from __future__ import annotations

from typing import Any

from services_app.specs.keywords import TYPE_NAMES
from services_app.specs.model import Notebook

_ANYTHING = frozenset({"any", "mixed", "unknown", "*", "all"})
_SYNONYMS = {
    "str": "string",
    "text": "string",
    "char": "string",
    "varchar": "string",
    "uuid": "string",
    "uri": "string",
    "url": "string",
    "email": "string",
    "date": "string",
    "datetime": "string",
    "date-time": "string",
    "time": "string",
    "enum": "string",
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "set": "array",
    "dict": "object",
    "map": "object",
    "json": "object",
    "record": "object",
    "none": "null",
    "nil": "null",
    "undefined": "null",
}


def type_name(word: str) -> str | None:
    """The JSON Schema type that `word` means, or None when it means none."""
    lowered = word.strip().lower()
    return lowered if lowered in TYPE_NAMES else _SYNONYMS.get(lowered)


def repair_type(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Leave `type` absent, a type name, or a list of different type names."""
    value = schema.get("type")
    if value is None or (isinstance(value, str) and value in TYPE_NAMES):
        return
    if isinstance(value, str) and value.strip().endswith("[]"):
        _array_of(schema, value.strip()[:-2], pointer, book)
        return
    words = value.split("|") if isinstance(value, str) else value
    if not isinstance(words, list) or not words:
        _drop(schema, value, pointer, book)
        return
    names = [type_name(word) if isinstance(word, str) else None for word in words]
    if any(isinstance(word, str) and word.strip().lower() in _ANYTHING for word in words):
        del schema["type"]
        book.info(f"{pointer}/type", "type:any", f"The type {value!r} admits everything; it was removed.")
    elif None in names:
        _drop(schema, value, pointer, book)
    else:
        _set(schema, value, [name for name in dict.fromkeys(names) if name], pointer, book)


def _array_of(schema: dict[str, Any], item: str, pointer: str, book: Notebook) -> None:
    name = type_name(item)
    schema["type"] = "array"
    if name:
        schema.setdefault("items", {"type": name})
    book.warning(f"{pointer}/type", "type:renamed", f'The type "{item}[]" was read as an array.')


def _set(schema: dict[str, Any], value: Any, names: list[str], pointer: str, book: Notebook) -> None:
    repaired = names if isinstance(value, list) or len(names) > 1 else names[0]
    schema["type"] = repaired
    if repaired != value:
        book.info(f"{pointer}/type", "type:renamed", f"The type {value!r} was read as {repaired!r}.")


def _drop(schema: dict[str, Any], value: Any, pointer: str, book: Notebook) -> None:
    del schema["type"]
    shown = f"{value!r:.80}"
    book.warning(
        f"{pointer}/type", "type:unknown", f"The type {shown} is unknown; it was removed, so any value is accepted."
    )
