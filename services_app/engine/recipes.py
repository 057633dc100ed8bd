"""What services built from a specification share: keys, pages, filters, and values for seeds.

Tools of such services get their arguments as one mapping under the original names, already validated.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, PlainSerializer, PlainValidator

from services_app.engine.context import SeedContext
from services_app.engine.errors import ToolError, conflict, not_found
from services_app.engine.plain import canonical, to_plain
from services_app.engine.state import Record, Table

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


def pick(table: Table[R], value: object) -> R:
    """The record that `value` names, or 404; 400 when nothing was named."""
    if value is None:
        noun = table.record_type.about.noun
        raise ToolError(400, "missing_argument", f"Say which {noun} is meant: give what names it.")
    return table.get(key(value))


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


def move(table: Table[R], value: object, field: str, status: str) -> R:
    """Set a status; 409 when the record has it already."""
    record = pick(table, value)
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
    return bool(canonical(value) == canonical(wanted))


def between(rows: Iterable[R], field: str, *, least: Any = None, most: Any = None) -> list[R]:
    """Rows whose field lies in a closed range; dates compare with the prefix that was given."""
    found = []
    for row in rows:
        value = getattr(row, field)
        if value is None:
            continue
        if least is not None and value < least:
            continue
        if most is not None and (value[: len(most)] if isinstance(value, str) else value) > most:
            continue
        found.append(row)
    return found


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


def _descending(direction: object) -> bool:
    return direction is True or str(direction).lower().startswith("desc")


def page(
    rows: Sequence[Any], *, limit: Any = None, offset: Any = None, number: Any = None, cursor: Any = None
) -> list[Any]:
    """The slice that the paging arguments ask for: by offset, by page number from 1, or by cursor."""
    size = 50 if limit is None else max(0, int(limit))
    start = int(offset or 0)
    if number is not None:
        start = max(0, int(number) - 1) * size
    if cursor:
        if not str(cursor).isdecimal():
            raise ToolError(400, "invalid_cursor", f"{cursor!r} is not a cursor of this list.")
        start = int(cursor)
    return list(rows[max(0, start) : max(0, start) + size])


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


def value_for(kind: str, number: int, ctx: SeedContext) -> Any:
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
