"""What arguments must look like by the formats of their schemas: an address, a day, an instant, a link."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from services_app.engine.errors import ToolError
from services_app.recipes.records import Arguments

_EMAIL = re.compile(r"(?:[^<>]*<)?[^@\s<>,]+@[^@\s<>,]+\.[^@\s<>,]*[^@\s<>,.]>?")
_URI = re.compile(r"[a-z][a-z0-9+.-]*:\S+", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?", re.IGNORECASE)


def _is_date(text: str) -> bool:
    return re.match(r"\d{4}-\d{2}-\d{2}", text) is not None and _parses(text)


def _is_instant(text: str) -> bool:
    return _INSTANT.fullmatch(text) is not None and _parses(text)


def _parses(text: str) -> bool:
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


_LOOKS: dict[str, tuple[Callable[[str], Any], str]] = {
    "email": (_EMAIL.fullmatch, "an email address such as ana.berg@north.example"),
    "date": (_is_date, "a date such as 2026-03-09"),
    "date-time": (_is_instant, "a date and time such as 2026-03-09T10:00:00Z"),
    "uri": (_URI.fullmatch, "an address such as https://north.example/page"),
    "uuid": (_UUID.fullmatch, "a UUID such as 6f1c1a52-6a3c-4d0e-9b52-0a4f2f6f1b11"),
}


def in_format(arguments: Arguments, formats: Sequence[tuple[str, str]]) -> None:
    """400 for a text that lacks the format of its parameter. `formats`: (path such as `user.email`, format)."""
    for path, name in formats:
        fits, what = _LOOKS[name]
        for value in _at(arguments, path.split(".")):
            if isinstance(value, str) and value and not fits(value.strip()):
                raise ToolError(400, "invalid_argument", f"{path}: {value!r} is not {what}.")


def _at(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """What lies at a path, of each item where a list lies on the way."""
    if isinstance(value, list):
        for item in value:
            yield from _at(item, path)
    elif not path:
        yield value
    elif isinstance(value, dict) and path[0] in value:
        yield from _at(value[path[0]], path[1:])
