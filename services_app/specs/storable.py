"""Originals are kept exactly, but for what no database and no UTF-8 stream can hold."""

from __future__ import annotations

import math
import re
from typing import Any

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(value: Any) -> tuple[Any, bool]:
    """`value` with NUL and lone surrogates replaced and NaN and infinities as null, and whether that changed it."""
    if not _has_unstorable(value):
        return value, False
    return _replaced(value), True


def _is_unstorable(value: Any) -> bool:
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is not None
    return isinstance(value, float) and not math.isfinite(value)


def _has_unstorable(value: Any) -> bool:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if any(map(_is_unstorable, item)):
                return True
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif _is_unstorable(item):
            return True
    return False


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_replaced(key): _replaced(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
