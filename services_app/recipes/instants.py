"""Rows by time: what parameters such as `since` and `before` take, and how rows are compared with it."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable
from typing import Any, TypeVar

from services_app.engine.errors import ToolError
from services_app.recipes.dates import in_utc
from services_app.recipes.records import Arguments, SpecRecord

R = TypeVar("R", bound=SpecRecord)
_STEP = {
    "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86_400,
    "day": 86_400, "w": 604_800, "week": 604_800, "mo": 2_592_000, "month": 2_592_000, "y": 31_536_000,
    "year": 31_536_000, "m": 60,
}  # fmt: skip
_RELATIVE = re.compile(r"^(?:now)?\s*([+-]?)\s*(\d+)\s*([a-z]+?)s?(?:\s+(ago))?$")
_MONTH = re.compile(r"^(\d{4})-(\d{1,2})$")
_YEAR = re.compile(r"^(?:19|20)\d{2}$")


def during(
    rows: Iterable[R], field: str, now: str, *, since: Any = None, until: Any = None, strict: bool = False
) -> list[R]:
    """Rows whose time lies between two moments, both included (neither, if `strict`); a date or month means all of it.

    Bounds may be dates, instants, counts of seconds, or words such as `today`, `7d` and `2 weeks ago`; 400 otherwise.
    """
    low = None if since in (None, "") else _edge(since, now, last=strict)
    high = None if until in (None, "") else _edge(until, now, last=not strict)
    if low is None and high is None:
        return list(rows)
    return [row for row in rows if _lies(getattr(row, field), low, high, strict=strict)]


def checked_moments(arguments: Arguments, now: str, names: Iterable[str]) -> None:
    """400 unless each parameter that was sent names a moment, and none that ends a span lies before its start."""
    moments = [_edge(arguments[name], now, last=False) for name in names if arguments.get(name) not in (None, "")]
    if moments != sorted(moments):
        raise ToolError(400, "invalid_range", f"Of {' and '.join(names)}, the first must not be later than the last.")


def _lies(value: Any, low: dt.datetime | None, high: dt.datetime | None, *, strict: bool = False) -> bool:
    if value is None:
        return False
    try:
        first, last = _edge(value, "", last=False), _edge(value, "", last=True)
    except ToolError:  # a text that somebody stored instead of a time lies nowhere
        return False
    if strict:
        return (low is None or last > low) and (high is None or first < high)
    return (low is None or last >= low) and (high is None or first <= high)


def _edge(value: Any, now: str, *, last: bool) -> dt.datetime:
    """The first or the last moment of what is named, in UTC (naive)."""
    text = str(value).strip().casefold()
    month, year = _MONTH.match(text), _YEAR.match(text)
    if month and 1 <= int(month[2]) <= 12:
        start = dt.datetime(int(month[1]), int(month[2]), 1)  # noqa: DTZ001 - UTC throughout
        days = calendar.monthrange(start.year, start.month)[1]
    elif year:
        start = dt.datetime(int(text), 1, 1)  # noqa: DTZ001 - UTC throughout
        days = 366 if calendar.isleap(start.year) else 365
    elif now and (found := _relative(text, now)) is not None:
        start, days = found
    else:
        start, days = in_utc(value), 1 if _is_day(text) else 0
    return start + dt.timedelta(days=days, microseconds=-1) if last and days else start


def _is_day(text: str) -> bool:
    return ":" not in text and re.fullmatch(r"-?\d+(\.\d+)?", text) is None


def _relative(text: str, now: str) -> tuple[dt.datetime, int] | None:
    """(moment, days that it spans) of a word or a distance from now; None for anything else."""
    moment = in_utc(now)
    midnight = moment.replace(hour=0, minute=0, second=0)
    words = {"now": (moment, 0), "today": (midnight, 1)}
    words["yesterday"] = (midnight - dt.timedelta(days=1), 1)
    words["tomorrow"] = (midnight + dt.timedelta(days=1), 1)
    if text in words:
        return words[text]
    distance = _RELATIVE.match(text)
    if distance is None or distance[3] not in _STEP:
        return None
    seconds = min(int(distance[2]) * _STEP[distance[3]], 10**9)
    return moment + dt.timedelta(seconds=seconds if distance[1] == "+" else -seconds), 0
