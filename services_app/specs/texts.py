"""Values that cannot be stored or hashed as JSON, although a file or server managed to say them."""

from __future__ import annotations

from typing import Any

from workers.text import sanitise_json

_INT_MIN, _INT_MAX = -(2**63), 2**64 - 1


def clean_json(value: Any) -> tuple[Any, bool]:
    """`value` with text sanitised and integers beyond 64 bit as floats, and whether anything changed."""
    cleaned, changed = sanitise_json(value)
    if _has_huge_integer(cleaned):
        return _shrunk(cleaned), True
    return cleaned, changed


def _has_huge_integer(value: Any) -> bool:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif type(item) is int and not _INT_MIN <= item <= _INT_MAX:
            return True
    return False


def _shrunk(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shrunk(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shrunk(item) for item in value]
    if type(value) is int and not _INT_MIN <= value <= _INT_MAX:
        return float(value) if abs(value) < 10**300 else 1e300 * (1 if value > 0 else -1)
    return value
