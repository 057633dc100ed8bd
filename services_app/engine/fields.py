"""Field types of records: JSON-native values that also say what they mean.

The meaning (`Semantic`) is for the task author and the pages; agents never see it. State holds only
str, int, float, bool, None, tuples and nested frozen records, so hashing, diffs and rubrics need no conversion.
Dates are ISO text (`2026-03-14`), instants are UTC ISO text (`2026-03-14T09:30:00Z`), money has two decimals.
"""

from __future__ import annotations

import datetime as dt
import types
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AfterValidator, Field

from services_app.engine.errors import invalid


@dataclass(frozen=True, slots=True)
class Semantic:
    """The meaning of a field.

    kind    id, ref, email, person, organisation, product, place, phone, url, code, title, text, label,
            money, count, duration, percent, date, timestamp, time, flag
    unit    for count and duration: "minutes", "days", "seats" ...; values are carried only between equal units
    target  for ref: the table (or `service.table`) it points to
    system  set by the application itself (created time, counters): never carried between services
    """

    kind: str
    unit: str = ""
    target: str = ""
    system: bool = False


def _two_decimals(value: float) -> float:
    return round(value, 2)


_DATE = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"
_TIMESTAMP = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"
_TIME = r"^([01]\d|2[0-3]):[0-5]\d$"

Id = Annotated[str, Semantic("id")]
Email = Annotated[str, Semantic("email"), Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")]
Person = Annotated[str, Semantic("person")]
Organisation = Annotated[str, Semantic("organisation")]
Product = Annotated[str, Semantic("product")]
Place = Annotated[str, Semantic("place")]
Phone = Annotated[str, Semantic("phone")]
Url = Annotated[str, Semantic("url")]
Code = Annotated[str, Semantic("code")]
Title = Annotated[str, Semantic("title")]
Text = Annotated[str, Semantic("text")]
Label = Annotated[str, Semantic("label")]
Money = Annotated[float, Semantic("money"), AfterValidator(_two_decimals)]
Percent = Annotated[float, Semantic("percent")]
Date = Annotated[str, Semantic("date"), Field(pattern=_DATE, json_schema_extra={"format": "date"})]
Timestamp = Annotated[str, Semantic("timestamp"), Field(pattern=_TIMESTAMP, json_schema_extra={"format": "date-time"})]
SystemTime = Annotated[
    str,
    Semantic("timestamp", system=True),
    Field(pattern=_TIMESTAMP, json_schema_extra={"format": "date-time"}),
]
Time = Annotated[str, Semantic("time"), Field(pattern=_TIME)]


def ref(target: str) -> Semantic:
    """Meaning of a field that holds the id of a record: `Annotated[str, ref("customers")]`."""
    return Semantic("ref", target=target)


def count(unit: str, *, system: bool = False) -> Semantic:
    """Meaning of a whole number of things: `Annotated[int, count("seats")]`."""
    return Semantic("count", unit=unit, system=system)


def duration(unit: str) -> Semantic:
    """Meaning of a length of time: `Annotated[int, duration("minutes")]`."""
    return Semantic("duration", unit=unit)


def semantic_of(annotation: Any, metadata: tuple[Any, ...] | list[Any] = ()) -> Semantic | None:
    """The meaning of an annotation, looking through `X | None` and `tuple[X, ...]`."""
    for item in metadata:
        if isinstance(item, Semantic):
            return item
    origin = get_origin(annotation)
    if origin is Annotated:
        base, *rest = get_args(annotation)
        return semantic_of(base, rest)
    if origin in (Union, types.UnionType, tuple, list):
        for part in get_args(annotation):
            found = semantic_of(part)
            if found is not None:
                return found
    return Semantic("flag") if annotation is bool else None


def parse_date(text: str) -> dt.date:
    """The date in `text`; a tool error that says what is wrong for a day that does not exist."""
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError as error:
        raise invalid(f"{text!r} is not a date of the calendar; use YYYY-MM-DD.", type="invalid_date") from error


def parse_timestamp(text: str) -> dt.datetime:
    """The UTC instant in `text`; a tool error for anything that is not one."""
    try:
        return dt.datetime.fromisoformat(text).astimezone(dt.UTC)
    except ValueError as error:
        raise invalid(f"{text!r} is not a UTC time; use YYYY-MM-DDTHH:MM:SSZ.", type="invalid_time") from error


def format_timestamp(moment: dt.datetime) -> str:
    """ISO text of a UTC instant, to the second."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
