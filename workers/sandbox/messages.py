"""One JSON message, checked in both directions. Standard library only: this module also runs inside.

Bytes that come out of a sandbox are hostile. Their size is checked while they are read, their depth
and the number of values on the bytes, and only then does a parser see them.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NoReturn

_STRUCTURE = b'"[]{},'
_NOT_STRUCTURE = bytes(set(range(256)) - set(_STRUCTURE))
_BRACKETS = bytes.maketrans(b"{}", b"[]")


class MessageError(ValueError):
    """`kind` is "message" when a bound was hit and "protocol" when it is no JSON object at all."""

    def __init__(self, kind: Literal["message", "protocol"], text: str) -> None:
        super().__init__(text)
        self.kind: Literal["message", "protocol"] = kind


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bytes, nesting levels and values that one message may have."""

    size: int
    depth: int
    values: int


def encode(message: object, bounds: Bounds) -> bytes:
    """`message` as one line of ASCII JSON with its newline; raises `MessageError`.

    Only dict, list, tuple, str, int, finite float, bool and None are accepted: what JSON would
    change silently (sets, bytes, dates, NaN, keys that are no text) is refused by its type.
    """
    _check(message, bounds)
    try:
        line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise MessageError("protocol", f"result is not JSON: {error}") from error
    if len(line) > bounds.size:
        raise _too_large(bounds.size)
    return line


def decode(line: bytes, bounds: Bounds) -> dict[str, object]:
    """The JSON object in `line`; raises `MessageError` before a parser could be overwhelmed."""
    if len(line) > bounds.size:
        raise _too_large(bounds.size)
    _check_structure(line, bounds)
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except MessageError:
        raise
    except (ValueError, RecursionError) as error:
        raise MessageError("protocol", f"result is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise MessageError("protocol", f"result is not a JSON object: {type(value).__name__}")
    return value


def _check(message: object, bounds: Bounds) -> None:
    """Walk `message` without recursion, so that depth costs no stack."""
    room, values = bounds.size, 0
    stack: list[tuple[object, int]] = [(message, 0)]
    while stack:
        value, depth = stack.pop()
        values += 1
        if isinstance(value, str):
            room -= len(value)
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise MessageError("protocol", f"result is not JSON: {float(value)}")
        elif value is not None and not isinstance(value, int):
            children, characters = _children(value)
            room -= characters
            if depth >= bounds.depth:
                raise _too_deep(bounds.depth)
            if values + len(stack) + len(children) > bounds.values:
                raise _too_many(bounds.values)
            stack.extend((child, depth + 1) for child in children)
        if room < 0:
            raise _too_large(bounds.size)


def _children(value: object) -> tuple[list[object], int]:
    """The members of a plain container and the characters its keys take."""
    # Exact types: the encoder asks a subclass for its members, and a subclass may answer anything.
    if type(value) is dict:
        return list(value.values()), _key_characters(value)
    if type(value) is list or type(value) is tuple:
        return list(value), 0
    raise MessageError("protocol", f"result is not JSON: {type(value).__name__}")


def _key_characters(keys: Iterable[object]) -> int:
    total = 0
    for key in keys:
        if not isinstance(key, str):
            raise MessageError("protocol", f"result is not JSON: a key of type {type(key).__name__}")
        total += len(key)
    return total


def _check_structure(line: bytes, bounds: Bounds) -> None:
    skeleton = _skeleton(line)
    values = skeleton.count(b",") + skeleton.count(b"[") + 1
    if values > bounds.values:
        raise _too_many(bounds.values)
    nesting = skeleton.replace(b",", b"")
    # Each pass removes the innermost level everywhere, so the passes count the depth.
    for _ in range(bounds.depth):
        if not nesting:
            return
        nesting = nesting.replace(b"[]", b"")
    if nesting and nesting.replace(b"[]", b"") == nesting:
        raise MessageError("protocol", "result is not JSON: brackets do not match")
    if nesting:
        raise _too_deep(bounds.depth)


def _skeleton(line: bytes) -> bytes:
    """Only the brackets (all square) and commas of `line` that stand outside strings."""
    if b"\\" in line:
        # Order matters: an escaped backslash may stand before a real quotation mark.
        line = line.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = line.translate(None, _NOT_STRUCTURE)
    return b"".join(marks.split(b'"')[::2]).translate(_BRACKETS)


def _refuse_constant(name: str) -> NoReturn:
    raise MessageError("protocol", f"result is not JSON: {name}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise MessageError("protocol", f"result is not JSON: the number {text[:20]} is out of range")
    return number


def _too_large(limit: int) -> MessageError:
    return MessageError("message", f"the message is larger than {limit:,} bytes")


def _too_deep(limit: int) -> MessageError:
    return MessageError("message", f"the message is nested deeper than {limit} levels")


def _too_many(limit: int) -> MessageError:
    return MessageError("message", f"the message holds more than {limit:,} values")
