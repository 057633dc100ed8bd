"""Narrowing rows by a part of a text, by values they must not have, by a span before or after now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import ToolError
from services_app.recipes.instants import during
from services_app.recipes.records import Arguments, SpecRecord, equal
from services_app.recipes.rows import truth

R = TypeVar("R", bound=SpecRecord)
_LONGEST = 10**9


def holding(
    rows: Iterable[R], field: str, part: Any, *, start: bool = False, end: bool = False, without: bool = False
) -> list[R]:
    """Rows whose field holds a text, whatever the case: begins or ends with it when so asked, lacks it `without`."""
    if part in (None, ""):
        return list(rows)
    wanted = str(part).casefold().strip("*%")

    def fits(value: object) -> bool:
        texts = [str(item).casefold() for item in (value if isinstance(value, list | tuple) else [value])]
        found = any(
            text.startswith(wanted) if start else text.endswith(wanted) if end else wanted in text for text in texts
        )
        return found != without

    return [row for row in rows if fits("" if getattr(row, field) is None else getattr(row, field))]


def unlike(rows: Iterable[R], field: str, unwanted: Any) -> list[R]:
    """Rows whose field has none of the values that are not wanted: one, a list, or text with commas."""
    found = list(rows)
    if unwanted in (None, "", []):
        return found
    gone = {id(row) for row in equal(found, {"unwanted": unwanted}, {"unwanted": field})}
    return [row for row in found if id(row) not in gone]


def span_of(arguments: Arguments, units: Mapping[str, tuple[int, int]], instead: Iterable[str] = ()) -> int | None:
    """Seconds that the parameters add up to; None when none was sent and none has a usual number, or another stands.

    `units`: parameter -> (seconds of one unit, usual number, 0 for none). `instead`: parameters that name the moments.
    400 for what is no number, or lies below zero.
    """
    if any(arguments.get(name) not in (None, "") for name in instead):
        return None
    total, asked = 0.0, False
    for name, (seconds, usual) in units.items():
        count = arguments.get(name)
        asked = asked or usual > 0 or count not in (None, "")
        total += _number(usual if count in (None, "") else count) * seconds
    return min(int(total), _LONGEST) if asked else None


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ToolError(400, "invalid_span", f"{value!r} is no number of days, hours or the like.") from error
    if not 0 <= number <= _LONGEST:
        raise ToolError(400, "invalid_span", f"{value!r} is no span of time.")
    return number


def lately(rows: Iterable[R], field: str, now: str, seconds: int | None, *, ahead: bool = False) -> list[R]:
    """Rows whose time lies in the last so many seconds (the next when `ahead`); all of them for None."""
    if seconds is None:
        return list(rows)
    if ahead:
        return during(rows, field, now, since=now, until=f"+{seconds}s")
    return during(rows, field, now, since=f"{seconds}s ago", until=now)


def way_up(ascending: Any) -> str | None:
    """The direction that a flag for ascending order asks for; None when it was not sent."""
    return None if ascending is None else "asc" if truth(ascending) is True else "desc"


def omitted(shown: Sequence[dict[str, Any]], unwanted: Any) -> list[dict[str, Any]]:
    """The records without the fields that are named: a list, or text with commas. Their ids stay."""
    parts = unwanted if isinstance(unwanted, list) else str(unwanted or "").split(",")
    gone = {re.sub(r"[^a-z0-9]", "", str(part).casefold()) for part in parts} - {"", "id"}
    return [
        {name: value for name, value in record.items() if re.sub(r"[^a-z0-9]", "", name.casefold()) not in gone}
        for record in shown
    ]


def cut(shown: Sequence[dict[str, Any]], size: Any) -> list[dict[str, Any]]:
    """The records with no text longer than `size` characters; as they are when none is asked for."""
    if size in (None, ""):
        return list(shown)
    most = int(size)
    if most < 0:
        raise ToolError(400, "invalid_length", f"{size!r} is no number of characters.")
    return [{name: _short(value, most) for name, value in record.items()} for record in shown]


def _short(value: Any, most: int) -> Any:
    return value[:most] + "…" if isinstance(value, str) and len(value) > most else value


def some_filter(arguments: Arguments, names: Sequence[str]) -> None:
    """400 when none of the filters `names` is sent: nothing is written to every record by an oversight."""
    if all(arguments.get(name) in (None, "", []) for name in names):
        raise ToolError(400, "missing_filter", f"Say which records are meant by one of {', '.join(names)}.")
