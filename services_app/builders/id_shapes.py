"""Ids have the type and the pattern of the parameters that name them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.builders.plan import Entity, Field
from services_app.specs.vocabulary import types_of, words_of

Schema = Mapping[str, Any]
# What ids may begin with, where a pattern does not allow the usual letters.
_STEMS = (
    "", "item", "item-", "item_", "ITEM", "6f1c1a52-6a3c-4d0e-9b52-0a4f2f6f", "64b5f0c2a1d3e4f5a6b7",
    "0123456789abcdef0123456789ab", "arn:aws:service:eu-west-1:123456789012:item/item-", "https://north.example/item/",
    "arn:aws:service:eu-west-1:123456789012:bucket/item-", "0x6f1c1a526a3c4d0e9b520a4f2f6f0a4f2f6f",
)  # fmt: skip


def note_shape(known: Entity, schema: Schema) -> None:
    """Ids have the type and the pattern of the parameters that name them."""
    _note_integer(known, schema)
    pattern = "^[0-9a-fA-F]{8}-" if schema.get("format") == "uuid" else schema.get("pattern")
    if known.integer_id or not isinstance(pattern, str) or fits_pattern(pattern, f"{known.prefix}0001"):
        return
    known.stem = next((stem for stem in _STEMS if fits_pattern(pattern, f"{stem}0001")), known.stem)


def fits_pattern(pattern: str, text: str) -> bool:
    """Whether a text fits a pattern; anything fits one that is none."""
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def _note_integer(known: Entity, schema: Schema) -> None:
    kinds = types_of(schema)
    if kinds & {"integer", "number"} and "string" not in kinds:
        known.integer_id = True


def text_of_numbers(known: Field, schema: Schema) -> str:
    """The kind of seed value of a text that some tool takes as a number, or calls a timestamp; "" for any other."""
    last = (words_of(known.name) or [""])[-1]
    if known.type != "str" or known.choices or known.target or known.format:
        return ""
    if last == "ts":
        return "epoch_text"
    return "digits" if types_of(schema) - {"null"} and types_of(schema) <= {"integer", "number", "null"} else ""


def field_of_key(own: Entity, key: str) -> str:
    """The name of the field with this key by any spelling; the key itself where there is none."""
    return next((name for name in own.fields if "_".join(words_of(name)) == key), key)
