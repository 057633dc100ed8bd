"""Dates and times as functions of their arguments and of the session clock, which is handed in as `now`."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Sequence
from typing import Any

from services_app.engine.errors import ToolError, invalid
from services_app.recipes.zones import Zone, zone_of

_FORMATS = (
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y/%m/%d",
    "%Y年%m月%d日", "%d.%m.%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%Y%m%d", "%m/%d/%Y",
)  # fmt: skip
_MILLISECONDS = 1e11  # a larger number counts milliseconds
_LARGEST = 2.5e11
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKENS = {
    "YYYY": "%Y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "DD": "%d", "dddd": "%A", "ddd": "%a",
    "HH": "%H", "hh": "%I", "mm": "%M", "ss": "%S", "SSS": "%f", "A": "%p", "Z": "%z",
}  # fmt: skip


def bad_date(value: object) -> ToolError:
    return ToolError(
        400, "bad_date", f"{value!r} is no date or time. Write it like 2026-03-02 or 2026-03-02T09:30:00Z."
    )


def moment_of(value: Any, now: str = "") -> dt.datetime:
    """A date, an instant, or a number of seconds (or milliseconds) since 1970; naive where it names no offset.

    Without a value it is `now`. 400 for anything else.
    """
    if value is None or value == "":
        return moment_of(now) if now else _fail(value)
    if isinstance(value, bool):
        _fail(value)
    text = str(value).strip()
    if re.fullmatch(r"-?\d+(\.\d+)?(e\+?\d+)?", text) and not re.fullmatch(r"(19|20)\d{6}", text):
        return from_seconds(float(text))
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        pass
    for pattern in _FORMATS:
        try:
            return dt.datetime.strptime(text, pattern)  # noqa: DTZ007 - the text names no zone
        except ValueError:
            continue
    return _fail(value)


def _fail(value: object) -> dt.datetime:
    raise bad_date(value)


def from_seconds(number: float) -> dt.datetime:
    """The UTC moment of a count of seconds since 1970; of milliseconds when it is that large."""
    seconds = number / 1000 if abs(number) >= _MILLISECONDS else number
    if abs(seconds) > _LARGEST:
        raise bad_date(number)
    return dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)


def in_utc(value: Any, zone: str | None = None, now: str = "") -> dt.datetime:
    """A moment in UTC (naive); what names no offset is taken as wall time of `zone`."""
    moment = moment_of(value, now)
    if moment.tzinfo is None:
        return zone_of(zone or "UTC").utc(moment)
    return moment.astimezone(dt.UTC).replace(tzinfo=None)


def formatted(moment: dt.datetime, pattern: str | None = None) -> str:
    """A moment by strftime directives or by tokens such as YYYY-MM-DD HH:mm:ss; as ISO 8601 without a pattern."""
    if not pattern or pattern.lower() in ("iso", "iso8601"):
        return moment.isoformat()
    if pattern.lower() in ("unix", "timestamp"):
        return str(int(moment.replace(tzinfo=moment.tzinfo or dt.UTC).timestamp()))
    if "%" not in pattern:
        pattern = re.sub("|".join(sorted(_TOKENS, key=len, reverse=True)), lambda m: _TOKENS[m[0]], pattern)
        pattern = re.sub(r"(?<!%)\bh\b", str(moment.hour % 12 or 12), pattern)
    try:
        return moment.strftime(pattern)
    except ValueError as error:
        raise invalid(f"{pattern!r} is no format for a date.") from error


def _seen(zone: Zone, utc: dt.datetime) -> dict[str, Any]:
    local = zone.local(utc)
    return {
        "timezone": zone.name,
        "datetime": local.isoformat(timespec="seconds"),
        "day_of_week": _DAYS[local.weekday()],
        "is_dst": zone.is_dst(utc),
    }


def current(now: str, zone: str | None = None, pattern: str | None = None) -> dict[str, Any]:
    """The session clock in a zone (UTC by default)."""
    known = zone_of(zone or "UTC")
    utc = in_utc(now)
    shown = _seen(known, utc)
    return {**shown, "formatted": formatted(known.local(utc), pattern)} if pattern else shown


def convert(time: str, source: str, target: str, now: str) -> dict[str, Any]:
    """A wall time of one zone as wall time of another. `time` is HH:MM, meaning today, or a date with a time."""
    first, second = zone_of(source), zone_of(target)
    clock = re.fullmatch(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", str(time).strip())
    if clock:
        today = first.local(in_utc(now))
        try:
            wall = [int(part or 0) for part in clock.groups()]
            local = dt.datetime(today.year, today.month, today.day, wall[0], wall[1], wall[2])  # noqa: DTZ001
        except ValueError as error:
            raise bad_date(time) from error
        utc = first.utc(local)
    else:
        utc = in_utc(time, source)
    hours = (second.offset(utc) - first.offset(utc)) / 60
    return {
        "source": _seen(first, utc),
        "target": _seen(second, utc),
        "time_difference": f"{hours:+.1f}h" if hours % 0.5 == 0 else f"{hours:+.2f}h",
    }


def seconds_of(now: str, value: Any = None, zone: str | None = None) -> int:
    """Seconds since 1970."""
    return int((in_utc(value, zone, now) - dt.datetime(1970, 1, 1)).total_seconds())  # noqa: DTZ001


def milliseconds_of(now: str, value: Any = None, zone: str | None = None) -> int:
    return seconds_of(now, value, zone) * 1000


def date_of(seconds: Any, zone: str | None = None, pattern: str | None = None) -> str:
    """The wall time of a count of seconds or milliseconds since 1970."""
    utc = in_utc(from_seconds(float(_number(seconds))))
    return formatted(zone_of(zone or "UTC").local(utc), pattern)


def dates_of(values: Sequence[Any], zone: str | None = None, pattern: str | None = None) -> list[str]:
    return [date_of(value, zone, pattern) for value in values]


def named_dates(values: dict[str, Any], zone: str | None = None, pattern: str | None = None) -> dict[str, str]:
    return {name: date_of(value, zone, pattern) for name, value in values.items()}


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise bad_date(value) from error


def weekday(now: str, date: Any = None) -> dict[str, Any]:
    moment = moment_of(date, now)
    return {"date": moment.date().isoformat(), "weekday": _DAYS[moment.weekday()], "number": moment.isoweekday()}


def week(now: str, date: Any = None) -> dict[str, Any]:
    """The week that begins on Sunday and holds 1 January as its first, and the ISO week."""
    moment = moment_of(date, now).date()
    first = moment.replace(month=1, day=1)
    start = first - dt.timedelta(days=first.isoweekday() % 7)
    return {"week": (moment - start).days // 7 + 1, "isoWeek": moment.isocalendar().week}


def days_in_month(now: str, date: Any = None) -> int:
    moment = moment_of(date, now)
    return calendar.monthrange(moment.year, moment.month)[1]


def is_leap(year: float) -> bool:
    if not 1 <= year <= 9999:
        raise invalid("The year must lie between 1 and 9999.")
    return calendar.isleap(int(year))


def difference(start: Any, end: Any, unit: str | None = None) -> dict[str, Any]:
    """From start to end; in `unit` (seconds, minutes, hours, days, weeks) when it is given."""
    seconds = (in_utc(end) - in_utc(start)).total_seconds()
    sizes = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
    if unit:
        size = sizes.get(unit.lower().rstrip("s"))
        if size is None:
            raise invalid(f"Unknown unit {unit!r}. Use one of {', '.join(f'{name}s' for name in sizes)}.")
        return {"difference": _short(seconds / size), "unit": unit}
    return {name + "s": _short(seconds / size) for name, size in sizes.items() if name != "week"}


def _short(value: float) -> int | float:
    return int(value) if value == int(value) else round(value, 6)


def shifted(now: str, days: float, zone: str | None = None, date: Any = None) -> dict[str, Any]:
    """The date so many days after a date, or after today in a zone."""
    start = moment_of(date) if date else zone_of(zone or "UTC").local(in_utc(now))
    if abs(days) > 1_000_000:
        raise invalid("At most a million days.", type="out_of_range")
    try:
        found = start + dt.timedelta(days=days)
    except OverflowError as error:
        raise invalid("That date lies outside the calendar.", type="out_of_range") from error
    return {"date": found.date().isoformat(), "weekday": _DAYS[found.weekday()]}


def business_days(start: Any, end: Any) -> int:
    """Mondays to Fridays from start to end, both included."""
    first, last = moment_of(start).date(), moment_of(end).date()
    if last < first:
        raise invalid("The end lies before the start.")
    weeks, rest = divmod((last - first).days + 1, 7)
    return weeks * 5 + sum((first.weekday() + day) % 7 < 5 for day in range(rest))


def relative(now: str, value: Any) -> str:
    """How far a moment lies from now: "in 3 hours", "2 days ago"."""
    seconds = (in_utc(value) - in_utc(now)).total_seconds()
    for name, size in (("year", 31_536_000), ("month", 2_592_000), ("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(abs(seconds) // size)
        if count:
            text = f"{count} {name}{'s' if count > 1 else ''}"
            return f"in {text}" if seconds > 0 else f"{text} ago"
    return "now"


_CITIES = {
    "Beijing 北京": "Asia/Shanghai", "Shanghai 上海": "Asia/Shanghai", "Hong Kong 香港": "Asia/Hong_Kong",
    "Taipei 台北": "Asia/Taipei", "Tokyo 东京": "Asia/Tokyo", "Seoul 首尔": "Asia/Seoul",
    "Singapore 新加坡": "Asia/Singapore", "Bangkok 曼谷": "Asia/Bangkok", "Delhi 新德里": "Asia/Kolkata",
    "Dubai 迪拜": "Asia/Dubai", "Moscow 莫斯科": "Europe/Moscow", "Istanbul 伊斯坦布尔": "Europe/Istanbul",
    "Cairo 开罗": "Africa/Cairo", "Johannesburg 约翰内斯堡": "Africa/Johannesburg", "Berlin 柏林": "Europe/Berlin",
    "Paris 巴黎": "Europe/Paris", "Rome 罗马": "Europe/Rome", "Madrid 马德里": "Europe/Madrid",
    "Amsterdam 阿姆斯特丹": "Europe/Amsterdam", "Zurich 苏黎世": "Europe/Zurich", "London 伦敦": "Europe/London",
    "Lisbon 里斯本": "Europe/Lisbon", "Sao Paulo 圣保罗": "America/Sao_Paulo", "New York 纽约": "America/New_York",
    "Toronto 多伦多": "America/Toronto", "Chicago 芝加哥": "America/Chicago", "Denver 丹佛": "America/Denver",
    "Mexico City 墨西哥城": "America/Mexico_City", "Los Angeles 洛杉矶": "America/Los_Angeles",
    "San Francisco 旧金山": "America/Los_Angeles", "Vancouver 温哥华": "America/Vancouver",
    "Honolulu 檀香山": "Pacific/Honolulu", "Sydney 悉尼": "Australia/Sydney", "Auckland 奥克兰": "Pacific/Auckland",
}  # fmt: skip


def _names_of(entry: str) -> tuple[str, str]:
    latin, _, other = entry.rpartition(" ")
    return latin, other


def cities() -> dict[str, Any]:
    rows = [{"city": latin, "name": other, "timezone": _CITIES[entry]} for entry, latin, other in _entries()]
    return {"cities": rows, "total": len(rows)}


def _entries() -> list[tuple[str, str, str]]:
    return [(entry, *_names_of(entry)) for entry in _CITIES]


def city_zone(city: str) -> str:
    """The zone of a city; 404 for one that is not known."""
    wanted = str(city).strip().casefold()
    for entry, latin, other in _entries():
        if wanted in (latin.casefold(), other):
            return _CITIES[entry]
    raise ToolError(404, "unknown_city", f"No city named {city!r} is known. Ask for the list of supported cities.")


def city_time(now: str, city: str) -> dict[str, Any]:
    return {"city": city, **current(now, city_zone(city))}


def city_difference(now: str, a: str, b: str) -> dict[str, Any]:
    """Hours by which the clock of city b is ahead of that of city a."""
    utc = in_utc(now)
    first, second = zone_of(city_zone(a)), zone_of(city_zone(b))
    hours = (second.offset(utc) - first.offset(utc)) / 60
    return {"from": a, "to": b, "hours": _short(hours), "ahead": b if hours > 0 else a if hours < 0 else ""}
