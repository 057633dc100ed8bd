"""The JSON boundary: what enters and leaves a tool is plain JSON, checked and copied here.

Plain JSON is None, bool, int (64 bit), finite float, well-formed str, list and dict with str keys.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import BaseModel

JsonValue = Any  # a recursive alias costs mypy more than it tells the reader

MAX_DEPTH = 64
_INT_MIN, _INT_MAX = -(2**63), 2**64 - 1


class NotJsonError(ValueError):
    """A value that JSON cannot carry; the message names the type and the path."""


def to_plain(value: object, *, depth: int = 0, path: str = "") -> JsonValue:
    """A deep copy of `value` in plain JSON; records become dicts, tuples lists.

    Raises NotJsonError for NaN, infinities, integers beyond 64 bit, lone surrogates, non-string keys,
    nesting deeper than 64 levels, and every other type.
    """
    kind = type(value)
    if kind is str:
        return _checked_text(value, path)
    if value is None or kind is bool:
        return value
    if kind is int or kind is float:
        return _checked_number(value, path)
    if depth >= MAX_DEPTH:
        raise NotJsonError(f"{path or 'value'} is nested deeper than {MAX_DEPTH} levels")
    return _plain_container(value, depth, path)


def _plain_container(value: object, depth: int, path: str) -> JsonValue:
    if isinstance(value, dict):
        plain = {}
        for key, item in value.items():
            if type(key) is not str:
                raise NotJsonError(f"{path or 'value'} has a key of type {type(key).__name__}; keys must be text")
            _checked_text(key, path)
            plain[key] = to_plain(item, depth=depth + 1, path=f"{path}.{key}" if path else key)
        return plain
    if isinstance(value, list | tuple):
        return [to_plain(item, depth=depth + 1, path=f"{path}.{index}") for index, item in enumerate(value)]
    if isinstance(value, BaseModel):
        return value.__pydantic_serializer__.to_python(value, mode="json")
    if isinstance(value, str | int | float):  # subclasses such as enums with a mixed-in type
        return to_plain(_base_value(value), depth=depth, path=path)
    raise NotJsonError(f"{path or 'value'} is not JSON: {type(value).__name__}")


def _base_value(value: str | int | float) -> str | int | float:
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else float(value)


def _checked_text(value: Any, path: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise NotJsonError(f"{path or 'value'} holds half of a surrogate pair") from error
    return value  # type: ignore[no-any-return]


def _checked_number(value: Any, path: str) -> int | float:
    if type(value) is int:
        if not _INT_MIN <= value <= _INT_MAX:
            raise NotJsonError(f"{path or 'value'} is an integer beyond 64 bit")
    elif not math.isfinite(value):
        raise NotJsonError(f"{path or 'value'} is {value}, which is not JSON")
    return value  # type: ignore[no-any-return]


def canonical(value: JsonValue) -> JsonValue:
    """The form that is hashed: 25.0 becomes 25, text is NFC. Key order is settled by `dumps`."""
    kind = type(value)
    if kind is str:
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if kind is dict:
        return {
            key if key.isascii() else unicodedata.normalize("NFC", key): canonical(item) for key, item in value.items()
        }
    if kind is list or kind is tuple:
        return [canonical(item) for item in value]
    return value


def dumps(value: JsonValue) -> bytes:
    """Canonical JSON bytes: sorted keys, no spaces, UTF-8."""
    return orjson.dumps(canonical(value), option=orjson.OPT_SORT_KEYS)


def digest(value: JsonValue) -> str:
    """Hex digest (32 characters) of the canonical JSON of `value`."""
    return hashlib.blake2b(dumps(value), digest_size=16).hexdigest()


def parse_object(text: str) -> Mapping[str, JsonValue] | None:
    """The JSON object in `text`, or None when it holds anything else."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
