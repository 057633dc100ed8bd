"""What the tools of the library share: pages, search, dates, and the field meanings used everywhere."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Annotated, Any, TypeVar

from pydantic import Field

from services_app.engine import CallContext, Record, invalid
from services_app.engine import fields as f

T = TypeVar("T")
K = TypeVar("K")
Json = dict[str, Any]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LABEL = f.Semantic("label")  # meaning of an enum: Annotated[Literal["open", "closed"], LABEL]

# Parameters that most tools have. They are no narrower in records than here, so a record never refuses them.
Limit = Annotated[int, Field(ge=1, le=100)]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
Cursor = Annotated[str, Field(pattern=r"^\d*$", max_length=12)]  # opaque to agents: next_cursor of the last page
Query = Annotated[str, Field(min_length=1, max_length=200)]
Name = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=200)]
Body = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=20_000)]
Amount = Annotated[float, f.Semantic("money"), Field(gt=0, le=100_000_000)]
Minutes = Annotated[int, f.duration("minutes"), Field(ge=5, le=1440)]


# Pages


def cursor_page(key: str, rows: Sequence[object], limit: int, cursor: str) -> Json:
    """One page of `rows` under `key`, with `total` and, when more follow, `next_cursor`."""
    start = int(cursor or 0)
    end = start + int(limit)  # 5.0 is an integer of JSON, too
    found: Json = {key: list(rows[start:end]), "total": len(rows)}
    if end < len(rows):
        found["next_cursor"] = str(end)
    return found


def offset_page(key: str, rows: Sequence[object], limit: int, offset: int) -> Json:
    """One page of `rows` under `key`, with `total`, `offset` and `has_more`."""
    return {
        key: list(rows[int(offset) : int(offset + limit)]),
        "total": len(rows),
        "offset": offset,
        "has_more": offset + limit < len(rows),
    }


# Search


@lru_cache(maxsize=1 << 15)  # searches fold the same texts of a seeded state over and over
def fold(text: str) -> str:
    """Lower case without accents, for comparison: `José` is found by `jose`."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def matches(query: str, *texts: str) -> bool:
    """Whether every word of `query` occurs in the texts taken together."""
    return _holds(fold(query).split(), texts)


def _holds(wanted: Sequence[str], texts: Iterable[str]) -> bool:
    """Whether each of the folded words, which hold no space, stands in one of the texts."""
    folded = [fold(text) for text in texts]
    return all(any(word in text for text in folded) for word in wanted)


def same(left: str, right: str) -> bool:
    """Whether two names or addresses are the same but for case, accents and outer spaces."""
    return fold(left.strip()) == fold(right.strip())


def search(rows: Iterable[T], query: str | None, texts: Callable[[T], Iterable[str]]) -> list[T]:
    """The rows whose texts hold every word of `query`; all rows when there is none."""
    if not query:
        return list(rows)
    wanted = fold(query).split()
    return [row for row in rows if _holds(wanted, texts(row))]


def keep(rows: Iterable[T], **wanted: object) -> list[T]:
    """The rows whose attributes equal the wanted values (text whatever its case); None means any."""
    tests = [(name, value) for name, value in wanted.items() if value is not None]
    return [row for row in rows if all(_equal(getattr(row, name), value) for name, value in tests)]


def _equal(found: object, wanted: object) -> bool:
    if found == wanted:
        return True
    return isinstance(found, str) and isinstance(wanted, str) and same(found, wanted)


def within(rows: Iterable[T], name: str, first: str | None, last: str | None) -> list[T]:
    """The rows whose date or instant `name` lies between two days, both included; an end that is None is open.

    422 `invalid_date` or `invalid_range` for ends that make no sense.
    """
    check_range(first, last)
    if first is None and last is None:
        return list(rows)
    days = ((row, getattr(row, name)) for row in rows)
    return [row for row, day in days if day is not None and (first or "") <= day[:10] <= (last or "9999")]


def grouped(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The rows by their key, keys and rows in the order in which they come."""
    found: dict[K, list[T]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def newest_first(rows: Iterable[T], name: str) -> list[T]:
    """Records, or what is shown of them, by the date, instant or number `name`, the latest first.

    Of equal ones the highest id comes first.
    """
    found = list(rows)
    of_one: Callable[[Any], Any] = attrgetter(name, "id")
    if found and isinstance(found[0], dict):
        of_one = itemgetter(name, "id")
    return sorted(found, key=of_one, reverse=True)


def guide_pages(rows: Iterable[T], query: str | None, **wanted: object) -> list[T]:
    """Policies, rules or handbook pages with the words in title or body, the newest first; `wanted` is as in `keep`."""
    pages: Iterable[Any] = rows
    return newest_first(keep(search(pages, query, lambda row: (row.title, row.body)), **wanted), "valid_from")


# Texts of the seeds


def prose(text: str) -> str:
    """Text as written in a source file: lines of a paragraph are joined, blank lines separate paragraphs."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def words(text: str) -> tuple[str, ...]:
    """The words of a list written as text."""
    return tuple(text.split())


# Answers


def brief(record: Record, *names: str) -> Json:
    """The named fields of a record, as list answers show them."""
    return {name: getattr(record, name) for name in names}


def with_fields(record: Record, **more: object) -> Json:
    """All fields of a record, followed by derived ones."""
    return {**record.plain(), **more}


def total(values: Iterable[float]) -> float:
    """A sum of money, to the cent."""
    return round(sum(values), 2)


def percent(part: float, whole: float, digits: int = 1) -> float | None:
    """What share `part` is of `whole`, in per cent; None when there is no whole."""
    return round(100 * part / whole, digits) if whole else None


def mean(values: Sequence[float], digits: int = 1) -> float | None:
    """The average of the values; None when there are none."""
    return round(sum(values) / len(values), digits) if values else None


def next_number(used: Iterable[str], start: str, *, first: int = 1, width: int = 4) -> str:
    """The number after the highest one with this start: `F-2026-0043` after `F-2026-0042`."""
    ends = (text[len(start) :] for text in used if text.startswith(start))
    return f"{start}{max((int(text) for text in ends if text.isdecimal()), default=first - 1) + 1:0{width}d}"


# Arguments that fit the schema and may still make no sense


def some_changes(changes: Mapping[str, Any]) -> Json:
    """The given changes; 422 `nothing_to_change` when there are none."""
    if not changes:
        raise invalid("Nothing to change: send at least one of the optional fields.", type="nothing_to_change")
    return dict(changes)


def check_date(text: str) -> str:
    """A date that exists in the calendar; 422 `invalid_date` otherwise."""
    return f.parse_date(text).isoformat()


def check_time(text: str) -> str:
    """An instant that exists; 422 `invalid_time` otherwise."""
    return f.format_timestamp(f.parse_timestamp(text))


def check_future(ctx: CallContext, text: str, what: str) -> str:
    """An instant after now; 422 `in_the_past` otherwise."""
    moment = check_time(text)
    if moment <= ctx.now:
        raise invalid(f"The {what} {moment} is not in the future; it is now {ctx.now}.", type="in_the_past")
    return moment


def check_range(first: str | None, last: str | None) -> None:
    """422 `invalid_range` when the first date or instant lies after the last."""
    for text in (first, last):
        if text is not None:
            check_date(text)
    if first is not None and last is not None and first[:10] > last[:10]:
        raise invalid(f"The range ends ({last}) before it starts ({first}).", type="invalid_range")


def check_text(text: str, what: str) -> str:
    """Text without outer spaces; 422 `blank_text` when nothing is left."""
    clean = text.strip()
    if not clean:
        raise invalid(f"The {what} is blank.", type="blank_text")
    return clean


# Time


def plus_minutes(moment: str, minutes: int) -> str:
    """The instant so many minutes later."""
    return f.format_timestamp(f.parse_timestamp(moment) + dt.timedelta(minutes=minutes))


def minutes_between(start: str, end: str) -> int:
    return int((f.parse_timestamp(end) - f.parse_timestamp(start)).total_seconds()) // 60


def plus_days(date: str, days: int) -> str:
    """The date so many days later."""
    return (f.parse_date(date) + dt.timedelta(days=days)).isoformat()


def plus_months(date: str, months: int) -> str:
    """The same day so many months later; the last day of a shorter month."""
    day = f.parse_date(date)
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = (dt.date(year + month // 11, (month + 1) % 12 + 1, 1) - dt.timedelta(days=1)).day
    return day.replace(year=year, month=month + 1, day=min(day.day, last)).isoformat()


def weekday_of(moment: str) -> str:
    """The weekday of a date or an instant, as in `WEEKDAYS`."""
    return WEEKDAYS[f.parse_date(moment).weekday()]


def is_weekend(moment: str) -> bool:
    """Whether a date or an instant is a Saturday or a Sunday."""
    return f.parse_date(moment).weekday() > 4


def days_between(first: str, last: str) -> int:
    return (f.parse_date(last) - f.parse_date(first)).days
