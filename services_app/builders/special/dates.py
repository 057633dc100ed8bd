"""Clocks, time zones and calendars."""

from __future__ import annotations

from services_app.builders.special.formula import Formula, Slot

_NOW = {"now": "ctx.now"}
_ZONE = "time_?zone|tz|zone|time_zone_name|timezone_name"
_DATE = "date|day|time|datetime|date_string|date_input|timestamp|input"
_SECONDS = "ts|timestamp|unix(_timestamp)?|epoch|seconds|unix_time"
_FORMAT = "format|format_string|pattern|output_format"

FORMULAS: tuple[Formula, ...] = (
    Formula(
        r"convert_time(_?zone)?s?|time_?zone_convert(er)?|convert_between_time_?zones", "dates.convert",
        (
            Slot("time", "time|datetime|date_time|source_time|time_string|timestamp"),
            Slot("source", "(source|from)_(time_?zone|tz)|from|source"),
            Slot("target", "(target|to|destination)_(time_?zone|tz)|to|target"),
        ),
        "A wall time of one zone as wall time of another.", context=_NOW, whole=True,
        golden=(
            ({"time": "2025-07-01 12:00:00", "source": "America/New_York", "target": "Asia/Tokyo"},
             "2025-07-02T01:00:00+09:00"),
            ({"time": "2025-01-15 12:00:00", "source": "Europe/London", "target": "Asia/Kolkata"},
             "2025-01-15T17:30:00+05:30"),
        ),
        examples=(
            {"time": "16:30", "source": "America/New_York", "target": "Asia/Tokyo"},
            {"time": "08:00", "source": "Europe/Berlin", "target": "UTC"},
        ),
    ),
    Formula(
        r"(get_|show_)?(current|now|local|server)?_?(date_?time|time|now|date)(_(in|for))?(_(time_?zone))?|now",
        "dates.current",
        (Slot("zone", _ZONE, optional=True), Slot("pattern", _FORMAT, optional=True)),
        "The session clock in a time zone.", cue=r"current|\bnow\b|timezone|時刻|時間|时间|当前",
        context=_NOW, whole=True,
        unless=r"timestamp|track|playback|prayer|price",
        examples=({"zone": "Europe/Berlin"}, {"zone": "Asia/Tokyo"}, {"zone": "UTC", "pattern": "YYYY-MM-DD"}, {}),
        golden=(({"zone": "Asia/Tokyo"}, "Asia/Tokyo"),),
    ),
    Formula(
        r"(get_)?(city|world)_time", "dates.city_time", (Slot("city", "city|location|place"),),
        "The session clock in a city.", context=_NOW, whole=True,
        golden=(({"city": "Tokyo"}, "Asia/Tokyo"), ({"city": "纽约"}, "America/New_York")),
    ),
    Formula(
        r"(get_)?time_?(zone_)?difference", "dates.city_difference",
        (Slot("a", "city_?(a|1)|from(_city)?"), Slot("b", "city_?(b|2)|to(_city)?")),
        "By how many hours one city's clock is ahead of another's.", context=_NOW, whole=True,
        golden=(({"a": "Tokyo", "b": "Beijing"}, -1), ({"a": "Beijing", "b": "Tokyo"}, 1)),
    ),
    Formula(
        r"(get|list)_supported_cities", "dates.cities", (), "The cities whose time is known.", whole=True,
        golden=(({}, "Tokyo"),),
    ),
    Formula(
        r"(get_)?(relative_date|date_offset)|(add_days|date_add)(_to_date)?", "dates.shifted",
        (
            Slot("days", "days|offset|day_offset|amount", "number"),
            Slot("zone", _ZONE, optional=True),
            Slot("date", "date|start(_date)?", optional=True),
        ),
        "The date so many days from a date, or from today.", context=_NOW, whole=True,
        golden=(({"date": "2024-02-28", "days": 2}, "2024-03-01"),),
        examples=({"days": 7}, {"days": -40, "zone": "Asia/Tokyo"}, {"days": 1, "zone": "Pacific/Kiritimati"}),
    ),
    Formula(
        r"(get_)?(week_?day|day_of_week)", "dates.weekday", (Slot("date", _DATE, optional=True),),
        "The weekday of a date.", context=_NOW, whole=True, golden=(({"date": "2023-01-01"}, "Sunday"),),
        examples=({"date": "2024-02-29"},),
    ),
    Formula(
        r"(get_)?week(_of)?_?(year|number)", "dates.week", (Slot("date", _DATE, optional=True),),
        "The week of a date in its year.", context=_NOW, whole=True, golden=(({"date": "2025-03-23"}, 12),),
        examples=({"date": "2025-12-30"},),
    ),
    Formula(
        r"(get_)?days_in_month", "dates.days_in_month", (Slot("date", _DATE, optional=True),),
        "The days of a date's month.", context=_NOW, golden=(({"date": "2024-02-10"}, 29), ({"date": "2023-02-10"},
            28)),
    ),
    Formula(
        r"(is_|check_)?leap_year", "dates.is_leap", (Slot("year", "year", "number"),), "Whether a year is a leap year.",
        golden=(({"year": 2024}, True), ({"year": 1900}, False)),
    ),
    Formula(
        r"relative_time|time_ago|humanize_time", "dates.relative", (Slot("value", _DATE),),
        "How far a time lies from the session clock.", context=_NOW,
        examples=({"value": "2026-03-05 09:00:00"}, {"value": "2020-01-01 00:00:00"}),
    ),
    Formula(
        r"(get_)?(unix_)?(current_)?timestamp|(get_)?now|convert_date_to_timestamp", "dates.milliseconds_of",
        (Slot("value", f"{_DATE}", "moment", True),),
        "Milliseconds since 1970.", cue="millisecond|13-digit", context=_NOW,
        golden=(({"value": "2026-01-01T00:00:00Z"}, 1767225600000),), examples=({"value": "2020-05-05"},),
    ),
    Formula(
        r"(get_)?(unix_)?(current_)?timestamp|(get_)?now|(convert_)?date_to_timestamp", "dates.seconds_of",
        (Slot("value", _DATE, "moment", True), Slot("zone", _ZONE, optional=True)),
        "Seconds since 1970.", cue="timestamp|unix|epoch", context=_NOW,
        golden=(({"value": "2026-01-01 00:00:00"}, 1767225600),), examples=({"value": "2020-05-05"},),
    ),
    Formula(
        r"(get_)?date_(by|from)_timestamp|(convert_)?(unix_)?timestamp(_to_(date|datetime))?", "dates.date_of",
        (Slot("seconds", _SECONDS, "any"), Slot("zone", _ZONE, optional=True), Slot("pattern", _FORMAT, optional=True)),
        "The date of a Unix timestamp.", golden=(({"seconds": 1700000000, "pattern": "%Y-%m-%d %H:%M"},
            "2023-11-14 22:13"),),
        examples=({"seconds": 86400},),
    ),
    Formula(
        r"batch_get_date_(by|from)_timestamp|convert_(multiple_)?timestamps", "dates.dates_of",
        (
            Slot("values", "(ts|timestamps?)(_list)?", "list"),
            Slot("zone", _ZONE, optional=True),
            Slot("pattern", _FORMAT, optional=True),
        ),
        "The dates of Unix timestamps.", golden=(({"values": [0]}, "1970-01-01T00:00:00+00:00"),),
        examples=({"values": [86400, 172800]},),
    ),
    Formula(
        r"convert_(multiple_)?timestamps", "dates.named_dates",
        (
            Slot("values", "timestamps?", "object"),
            Slot("zone", _ZONE, optional=True),
            Slot("pattern", _FORMAT, optional=True),
        ),
        "The dates of Unix timestamps, by name.", whole=True,
        golden=(({"values": {"start": 0}, "pattern": "%Y-%m-%d"}, "1970-01-01"),),
        examples=({"values": {"start": 86400, "end": 172800}},),
    ),
    Formula(
        r"(calculate_)?(date|time)_(diff|difference)|days_between|(calculate_)?duration", "dates.difference",
        (
            Slot("start", "start(_date|_time)?|(date|time)_?1|from(_date)?|first_date"),
            Slot("end", "end(_date|_time)?|(date|time)_?2|to(_date)?|second_date"),
            Slot("unit", "units?", optional=True),
        ),
        "How long it is from one moment to another.", whole=True,
        golden=(({"start": "2024-02-28", "end": "2024-03-01"}, 2),),
    ),
    Formula(
        r"(count_|calculate_)?(business|working|work)_?days(_between)?", "dates.business_days",
        (Slot("start", "start(_date)?|from(_date)?"), Slot("end", "end(_date)?|to(_date)?")),
        "Mondays to Fridays between two dates.", golden=(({"start": "2026-03-02", "end": "2026-03-15"}, 10),),
    ),
)  # fmt: skip
