"""What services built from a specification share: keys, pages, filters, and values for seeds.

Tools of such services get their arguments as one mapping under the original names, already validated.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import ConfigDict, PlainSerializer, PlainValidator

from services_app.engine.context import SeedContext
from services_app.engine.errors import ToolError, conflict, not_found
from services_app.engine.plain import canonical, digest, to_plain
from services_app.engine.state import Record, Table
from services_app.engine.store import CLOCK_START

R = TypeVar("R", bound="SpecRecord")
Arguments = Mapping[str, Any]


def _freeze(value: Any) -> str:
    return value if isinstance(value, _JsonText) else _JsonText(json.dumps(to_plain(value), ensure_ascii=False))


class _JsonText(str):
    """JSON kept as text, so that a frozen record stays frozen all the way down."""

    __slots__ = ()


def _thaw(value: str | None) -> Any:
    return None if value is None else json.loads(value)


Json = Annotated[Any, PlainValidator(_freeze), PlainSerializer(_thaw)]
"""A field that holds any JSON."""


class SpecRecord(Record):
    """A record whose fields show under their original names, whatever Python thinks of these."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)


def show(record: SpecRecord, *, integer_id: bool = False) -> dict[str, Any]:
    """A record as agents see it."""
    plain = record.plain()
    if integer_id:
        plain["id"] = int(plain["id"])
    return plain


def key(value: object) -> str:
    """The id under which a table keeps a record that the agent names by `value`."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def pick(table: Table[R], value: object, by: str = "") -> R:
    """The record whose id (or field `by`) is `value`, or 404; 400 when nothing was named."""
    if value is None:
        noun = table.record_type.about.noun
        raise ToolError(400, "missing_argument", f"Say which {noun} is meant: give what names it.")
    if not by or key(value) in table:
        return table.get(key(value))
    found = equal(table, {by: value}, {by: by})
    return found[0] if found else table.get(key(value))


def only(table: Table[R]) -> R:
    """The one record of a table of settings; made when it is missing."""
    return next(iter(table), None) or table.create()


def first_of(rows: Sequence[Any], table: Table[Any]) -> Any:
    """The first of the rows found, or 404."""
    if not rows:
        raise ToolError(404, "not_found", f"No {table.record_type.about.noun} fits the arguments.")
    return rows[0]


def unwrapped(arguments: Arguments, name: str) -> Arguments:
    """The arguments with those inside the object `name` beside the others."""
    inner = arguments.get(name)
    rest = {other: value for other, value in arguments.items() if other != name}
    return {**rest, **inner} if isinstance(inner, Mapping) else rest


def checked_media(arguments: Arguments, names: Iterable[str]) -> None:
    """400 unless each header that was sent names a media type."""
    for name in names:
        value = arguments.get(name)
        if value is not None and "/" not in str(value):
            raise ToolError(400, "unsupported_media_type", f"{name} must be a media type such as application/json.")


def confirmed(arguments: Arguments, name: str) -> None:
    """400 unless the caller confirmed."""
    if arguments.get(name) is not True:
        raise ToolError(400, "confirmation_required", f"Nothing was changed. Call again with {name} set to true.")


def selected(shown: list[dict[str, Any]], wanted: object) -> list[dict[str, Any]]:
    """The records with only the fields that `wanted` lists (an array, or text with commas); all when it is empty."""
    names = wanted if isinstance(wanted, list) else str(wanted or "").replace(" ", "").split(",")
    known = {name for name in map(str, names) if any(name in record for record in shown)}
    return (
        [{name: value for name, value in record.items() if name in known or name == "id"} for record in shown]
        if (known)
        else shown
    )


def rendered(value: Any, wanted: object) -> Any:
    """The result as it is, as Markdown text, or with the first fields of each record, as `wanted` says."""
    word = str(wanted or "").casefold()
    if word in ("markdown", "md", "text", "txt", "table", "plain"):
        return {"text": _markdown(value)}
    if word in ("concise", "summary", "compact", "minimal", "brief", "basic", "simple", "short", "low"):
        return _shortened(value)
    return value


def _markdown(value: Any, level: int = 0) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{'  ' * level}- **{name}**: {_inner_text(item, level)}" for name, item in value.items())
    if isinstance(value, list):
        return "\n\n".join(_markdown(item, level) for item in value)
    return "" if value is None else str(value)


def _inner_text(item: Any, level: int) -> str:
    return f"\n{_markdown(item, level + 1)}" if isinstance(item, dict | list) else _markdown(item)


def _shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    if isinstance(value, dict) and "id" in value:
        return dict(list(value.items())[:3])
    return {name: _shortened(item) for name, item in value.items()} if isinstance(value, dict) else value


def added(values: Sequence[Any] | None, more: Iterable[Any]) -> tuple[Any, ...]:
    """The values with those of `more` that are not there yet."""
    return tuple(dict.fromkeys([*(values or ()), *more]))


def without(values: Sequence[Any] | None, fewer: Iterable[Any]) -> tuple[Any, ...]:
    """The values without those of `fewer`."""
    gone = list(fewer)
    return tuple(value for value in values or () if value not in gone)


def copied(table: Table[R], source: R, changes: Mapping[str, Any]) -> R:
    """A new record with the fields of another, apart from `changes`."""
    fields = {name: getattr(source, name) for name in type(source).model_fields if name != "id"}
    return table.create(**{**fields, **changes})


def require(table: Table[Any], value: object) -> None:
    """404 unless every id in `value` (one, a list, or null) exists."""
    for one in value if isinstance(value, list) else [value]:
        if one is not None and key(one) not in table:
            raise not_found(table.record_type.about.noun, one)


def take(arguments: Arguments, names: Mapping[str, str]) -> dict[str, Any]:
    """The arguments that were sent, under the field names of the record."""
    return {field: arguments[name] for name, field in names.items() if name in arguments}


def refuse_duplicate(table: Table[Any], value: object) -> str:
    """The id for a new record with a natural key; 409 when it is taken."""
    identity = key(value)
    if identity in table:
        raise conflict(f"A {table.record_type.about.noun} named {identity!r} exists already.", type="already_exists")
    return identity


def move(table: Table[R], record: R, field: str, status: str) -> R:
    """Set a status; 409 when the record has it already."""
    if getattr(record, field) == status:
        raise conflict(f"The {table.record_type.about.noun} {record.id} is {status} already.", type="no_change")
    return table.patch(record.id, **{field: status})


def equal(rows: Iterable[R], arguments: Arguments, names: Mapping[str, str]) -> list[R]:
    """Rows whose fields equal the arguments sent; for a field with several values, that hold the argument."""
    found = list(rows)
    for name, field in names.items():
        wanted = arguments.get(name)
        if wanted is None or wanted in ("all", "any", "*"):
            continue
        options = wanted if isinstance(wanted, list) else [wanted]
        found = [row for row in found if any(_same(getattr(row, field), option) for option in options)]
    return found


def _same(value: object, wanted: object) -> bool:
    if isinstance(value, tuple):
        return any(_same(item, wanted) for item in value)
    if isinstance(value, str) and isinstance(wanted, str):
        return value.casefold() == wanted.casefold()
    if isinstance(value, str) != isinstance(wanted, str):  # 7 and "7" name the same thing
        return str(value).casefold() == str(wanted).casefold()
    return bool(canonical(value) == canonical(wanted))


def between(rows: Iterable[R], field: str, *, least: Any = None, most: Any = None) -> list[R]:
    """Rows whose field lies in a closed range; dates compare with the prefix that was given."""
    found = []
    for row in rows:
        value = getattr(row, field)
        unbounded = least is None and most is None
        if unbounded or (value is not None and _within(value, least, most)):
            found.append(row)
    return found


def _within(value: Any, least: Any, most: Any) -> bool:
    if isinstance(value, str):
        least, most = (None if bound is None else str(bound) for bound in (least, most))
        return (least is None or value >= least) and (most is None or value[: len(most)] <= most)
    bounds = [None if bound is None else _number(bound) for bound in (least, most)]
    return (bounds[0] is None or value >= bounds[0]) and (bounds[1] is None or value <= bounds[1])


def _number(bound: Any) -> float:
    try:
        return float(bound)
    except (TypeError, ValueError) as error:
        raise ToolError(400, "invalid_bound", f"{bound!r} is not a number.") from error


def matching(rows: Iterable[R], text: object) -> list[R]:
    """Rows that hold every word of `text` somewhere, without regard to case."""
    words = str(text or "").casefold().split()
    return [
        row for row in rows if all(word in json.dumps(row.plain(), ensure_ascii=False).casefold() for word in words)
    ]


def ordered(rows: Sequence[R], field: object, direction: object, names: Mapping[str, str]) -> list[R]:
    """Rows sorted by the field that `field` names (`-name`, `name desc`, `name:desc` too); 400 for an unknown one."""
    if not field:
        return list(reversed(rows)) if _descending(direction) else list(rows)
    name, _, word = str(field).replace(":", " ").partition(" ")
    column = "id" if name.lstrip("-+") == "id" else names.get(name.lstrip("-+"))
    if column is None:
        raise ToolError(400, "unknown_sort", f"Cannot sort by {name!r}; use one of {', '.join(names)}.")
    reverse = name.startswith("-") or _descending(word or direction)
    return sorted(rows, key=lambda row: (getattr(row, column) is None, str(getattr(row, column))), reverse=reverse)


def derived(
    table: Table[R], arguments: Arguments, names: Mapping[str, str], kinds: Mapping[str, Any], count: int = 12
) -> list[R]:
    """Rows under the required values; where none are stored, rows that follow from these values alone.

    What outside sources hold has no end of keys (symbols, places, addresses): the same key gives the same rows,
    always, and another key gives others. `kinds` says what each field holds: a kind of value, or choices.
    """
    found = equal(table, arguments, names)
    if found:
        return found
    given = {field: arguments[name] for name, field in names.items() if arguments.get(name) is not None}
    start = int(digest(canonical(given))[:6], 16)
    return [
        table.record_type.model_validate(
            {
                "id": f"{table.record_type.about.prefix}{start:06X}{number:02d}",
                **{field: _derived_value(kind, start, number) for field, kind in kinds.items()},
                **{field: _as_text(value, table, field) for field, value in given.items()},
            }
        )
        for number in range(count)
    ]


def _derived_value(kind: Any, start: int, number: int) -> Any:
    if isinstance(kind, tuple):
        return kind[(start + number) % len(kind)]
    return value_for(kind, number if kind in ("date", "timestamp") else (start + number) % 89, _Draw(start + number))


def _as_text(value: Any, table: Table[Any], field: str) -> Any:
    wanted = str(table.record_type.model_fields[field].annotation)
    return str(value) if "str" in wanted and not isinstance(value, str) else value


def _descending(direction: object) -> bool:
    return direction is True or str(direction).lower().startswith("desc")


def page(
    rows: Sequence[Any], *, limit: Any = None, offset: Any = None, number: Any = None, cursor: Any = None
) -> list[Any]:
    """The slice that the paging arguments ask for: by offset, by page number from 1, or by cursor."""
    size = 50 if limit is None else max(0, _whole(limit))
    start = _whole(offset or 0)
    if number is not None:
        start = max(0, _whole(number) - 1) * size
    if cursor:
        if not str(cursor).isdecimal():
            raise ToolError(400, "invalid_cursor", f"{cursor!r} is not a cursor of this list.")
        start = int(cursor)
    return list(rows[max(0, start) : max(0, start) + size])


def _whole(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ToolError(400, "invalid_page", f"{value!r} is not a whole number.") from error


# Values for seeds

_PEOPLE = (
    "Ana Berg", "Tomás Rivera", "Mei Tanaka", "Jonas Weber", "Aisha Khan", "Lucía Ortega", "Peter Novak",
    "Grace Okafor", "Emre Kaya", "Sofia Rossi", "Liam Byrne", "Yara Haddad",
)  # fmt: skip
_TOPICS = (
    "Northern renewal", "Harbour refit", "Spring audit", "Campus move", "Pilot review", "Supplier change",
    "Budget round", "Clinic opening", "Data clean-up", "Winter release", "Museum handover", "Training day",
)  # fmt: skip
_PLACES = ("Lisbon", "Oslo", "Nairobi", "Osaka", "Bogotá", "Leeds", "Graz", "Pune")
_TEXTS = (
    "Agreed with the team on Monday; nothing is left open.",
    "Needs a second look before the end of the month.",
    "The figures were corrected after the last review.",
    "Waiting for an answer from the supplier in {place}.",
    "Handed over to {person} with all papers.",
    "See the notes about the {topic}.",
)
_DOMAINS = ("north.example", "larkspur.example", "alder.example")


def _ascii(name: str) -> str:
    return unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()


class Draw(Protocol):
    """Where seed values get dates and chance from: a `SeedContext`."""

    @property
    def random(self) -> random.Random: ...
    def date(self, days: int) -> str: ...
    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str: ...


class _Draw:
    """Dates around the start of the session clock, chance from a number: the same on every call."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)  # noqa: S311 - simulated data

    def date(self, days: int) -> str:
        return (dt.date.fromisoformat(CLOCK_START[:10]) + dt.timedelta(days=days)).isoformat()

    def moment(self, days: int, hour: int = 9, minute: int = 0) -> str:
        return f"{self.date(days)}T{hour:02d}:{minute:02d}:00Z"


def value_for(kind: str, number: int, ctx: Draw | SeedContext) -> Any:
    """A plausible value of a kind for the record `number` (from 0), the same for the same seed."""
    person = _PEOPLE[number % len(_PEOPLE)]
    topic = _TOPICS[(number * 5 + 1) % len(_TOPICS)]
    makers: dict[str, Callable[[], Any]] = {
        "person": lambda: person,
        "email": lambda: (
            f"{person.split()[0].lower().replace('á', 'a').replace('í', 'i')}.{number + 1}@{_DOMAINS[number % 3]}"
        ),
        "title": lambda: topic if number < len(_TOPICS) else f"{topic} {number}",
        "text": lambda: _TEXTS[number % len(_TEXTS)].format(place=_PLACES[number % 8], person=person, topic=topic),
        "place": lambda: _PLACES[number % len(_PLACES)],
        "code": lambda: f"{chr(65 + number % 26)}{chr(65 + number * 7 % 26)}-{1000 + number * 37}",
        "url": lambda: f"https://{_DOMAINS[number % 3]}/{topic.lower().replace(' ', '-')}",
        "path": lambda: f"/{topic.split()[0].lower()}/file-{number + 1}.txt",
        "phone": lambda: f"+49 30 55501{number:02d}",
        "date": lambda: ctx.date(number * 3 - 15),
        "timestamp": lambda: ctx.moment(number * 2 - 20, 8 + number % 9),
        "money": lambda: round(120 + number * 87.5 + ctx.random.randint(0, 40), 2),
        "integer": lambda: 1 + (number * 3 + ctx.random.randint(0, 2)) % 40,
        "number": lambda: round(1.5 + number * 2.25, 2),
        "flag": lambda: number % 2 == 0,
        "color": lambda: ("#336699", "#99cc33", "#cc6633")[number % 3],
        "word": topic.split()[number % 2].lower,
    }
    return makers.get(kind, makers["word"])()
