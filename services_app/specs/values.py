"""Repairs of keywords that hold plain values: required, enum, numbers, flags and texts."""

from __future__ import annotations

import math
from typing import Any

from services_app.engine.plain import dumps
from services_app.specs.keywords import LENGTHS, NUMBERS, TEXTS
from services_app.specs.model import Notebook

_FLAGS = ("additionalProperties", "uniqueItems", "readOnly", "writeOnly", "deprecated", "unevaluatedProperties")
_WORDS = {"true": True, "false": False}


def repair_required(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Leave `required` absent or a list of different names."""
    value = schema.get("required")
    if "required" not in schema or _is_name_list(value):
        return
    at = f"{pointer}/required"
    names = [value] if isinstance(value, str) and value.lower() not in _WORDS else value
    if isinstance(names, dict):
        names = [name for name, wanted in names.items() if wanted]
    if not isinstance(names, list):
        del schema["required"]
        book.info(at, "required:invalid", f"“required” was {value!r:.60}, not a list of names; it was removed.")
        return
    kept = list(dict.fromkeys(name for name in names if isinstance(name, str)))
    schema["required"] = kept
    book.info(
        at, "required:repaired", f"“required” was {value!r:.120}; it is now a list of {len(kept)} different names."
    )


def _is_name_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def repair_enum(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Leave `enum` absent or a list of different values (1 and true differ, 1 and 1.0 do not)."""
    if "enum" not in schema:
        return
    value, at = schema["enum"], f"{pointer}/enum"
    if isinstance(value, dict):
        value = list(value)
        book.warning(at, "enum:object", "“enum” was an object; its keys were taken as the values.")
    elif not isinstance(value, list):
        value = [value]
        book.warning(at, "enum:not-a-list", "“enum” was a single value; it was put into a list.")
    first: dict[bytes, Any] = {}
    for item in value:
        first.setdefault(dumps(item), item)
    different = list(first.values())
    if len(different) < len(value):
        twice = len(value) - len(different)
        book.info(at, "enum:duplicates", f"{twice} repeated value{'s' if twice > 1 else ''} of “enum” removed.")
    if different:
        schema["enum"] = different
    else:
        del schema["enum"]
        book.warning(at, "enum:empty", "“enum” was empty, so nothing would be accepted; it was removed.")


def repair_numbers(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Numbers that came as text, and exclusive limits in the form of the fourth draft."""
    for word in (*LENGTHS, *NUMBERS):
        value = schema.get(word)
        if isinstance(value, str):
            _number_from_text(schema, word, value, pointer, book)
        elif word in LENGTHS and isinstance(value, int | float) and (value < 0 or isinstance(value, bool)):
            del schema[word]
            book.warning(f"{pointer}/{word}", "keyword:invalid", f"“{word}: {value}” makes no sense; it was removed.")
    for word, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        flag = schema.get(word)
        if not isinstance(flag, bool):
            continue
        del schema[word]
        if flag and limit in schema:
            schema[word] = schema.pop(limit)
        book.info(
            f"{pointer}/{word}",
            "limit:draft4",
            f"“{word}: {str(flag).lower()}”, as in the fourth draft, was written in the present form.",
        )


def _number_from_text(schema: dict[str, Any], word: str, value: str, pointer: str, book: Notebook) -> None:
    at = f"{pointer}/{word}"
    try:
        number: int | float = int(value)
    except ValueError:
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
    if not math.isfinite(number):
        del schema[word]
        book.warning(at, "keyword:invalid", f"“{word}” was the text {value!r:.60}; it was removed.")
    else:
        schema[word] = number
        book.info(at, "number:text", f"“{word}” was text; it was read as the number {number}.")


def repair_flags(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """`"false"` as false, and lists where true or false belongs."""
    for word in _FLAGS:
        value = schema.get(word)
        if isinstance(value, str) and value.lower() in _WORDS:
            schema[word] = _WORDS[value.lower()]
            book.info(
                f"{pointer}/{word}", "flag:text", f"“{word}” was the text {value!r}; it was read as a truth value."
            )
        elif isinstance(value, list):
            del schema[word]
            book.warning(f"{pointer}/{word}", "keyword:invalid", f"“{word}” was a list; it was removed.")


def repair_texts(schema: dict[str, Any], pointer: str, book: Notebook) -> None:
    """Titles and descriptions that are no text, and single examples."""
    for word in TEXTS:
        value = schema.get(word)
        if word not in schema or isinstance(value, str):
            continue
        if (
            word in ("title", "description")
            and isinstance(value, list)
            and all(isinstance(line, str) for line in value)
        ):
            schema[word] = "\n".join(value)
        elif word in ("title", "description") and isinstance(value, int | float):
            schema[word] = str(value)
        else:
            del schema[word]
        book.info(f"{pointer}/{word}", "text:not-text", f"“{word}” was {type(value).__name__}, not text.")
    examples = schema.get("examples")
    if "examples" in schema and not isinstance(examples, list):
        schema["examples"] = [examples]
        book.info(
            f"{pointer}/examples", "examples:not-a-list", "“examples” was a single value; it was put into a list."
        )
