"""The field of a record that a bound of time or of a number is about."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.entities import Reader, Schema, add_field
from services_app.builders.meaning import seed_kind
from services_app.builders.plan import Entity, Field
from services_app.builders.roles import key_of
from services_app.specs.vocabulary import types_of, words_of

_TIMES = ("f.Date", "f.Timestamp", "f.SystemTime")
_MADE = ("created_at", "created", "date", "timestamp", "created_time", "created_date", "created_date_time")
MADE = "created_at"
_LATER = frozenset("due deadline expiry expires expiration expire end ends ended closing closed until next".split())
# Words of a bound that say nothing of which time of a record is meant.
_OPEN = frozenset(
    (
        "range window time date period query search log event report record data active lower upper bound message "
        "result item metric interval history filter scheduled first last inclusive exclusive epoch age ts new until "
        "previous starting ending"
    ).split()
)


def range_field(reader: Reader, own: Entity, bounds: tuple[Any, str], schema: Schema) -> str:
    """The original name of that field; made when there is none."""
    stem = bounds[1]
    if bounds[0] in ("least", "most"):
        if stem == "id":
            return "id"
        found = next((name for name in own.fields if key_of(name) == stem), stem)
        counts = "string" not in types_of(schema) or seed_kind(found, "float", "") in ("money", "percent")
        add_field(reader, own, found, {"type": "number"} if counts else schema)
        return found
    if stem and words_of(stem)[-1] in ("at", "on", "month", "year", "time", "created", "updated", "modified"):
        same = next((name for name in own.fields if key_of(name) == stem), "")
        if not same or is_time(own.fields[same]):
            return _moment(reader, own, same or stem)
    times = [name for name, known in own.fields.items() if is_time(known)]
    named = [name for name in times if stem and (stem in key_of(name) or _alike(stem, name))]
    if named:
        return named[0]
    if stem and not set(stem.split("_")) & (_OPEN | set(own.noun.split("_"))) and not stem.isdigit():
        return _moment(reader, own, f"{stem}_at" if stem.endswith("ed") else f"{stem}_date")
    return time_of(reader, own)


def _alike(stem: str, name: str) -> bool:
    """Whether a time is called like a bound: `delivered` and `delivery_date`, `ends` and `course_end_at`."""
    root = re.sub(r"(?:ed|ing|s|y)$", "", stem.rsplit("_", 1)[-1])
    return len(root) > 2 and any(word.startswith(root) for word in words_of(name))


def _moment(reader: Reader, own: Entity, name: str) -> str:
    known = next((held for held in own.fields if key_of(held) == key_of(name)), name)
    add_field(reader, own, known, {"type": "string", "format": "date-time"})
    own.fields[known].kind = own.fields[known].kind or "timestamp"
    return known


def is_time(known: Field) -> bool:
    """Whether a field holds a date or an instant."""
    words = words_of(known.name)
    return known.type == "str" and (
        known.meaning in _TIMES
        or known.format in ("date", "date-time")
        or words[-1:] in (["date"], ["at"], ["time"], ["timestamp"])
    )


def _is_use(words: list[str]) -> bool:
    """Whether a time says when something was last done with a record: `last_played_at`, but not `last_updated`."""
    changed = set("updated modified update modification changed edited".split())
    return words[0] == "last" and not changed & set(words)


def time_of(reader: Reader, own: Entity) -> str:
    """The field with the main time of a record; made when there is none."""
    times = [name for name, known in own.fields.items() if is_time(known)]
    made = [name for name in times if key_of(name) in _MADE]
    past = [name for name in times if not set(words_of(name)) & _LATER and not _is_use(words_of(name))]
    if not made and not past:
        own.timed = MADE not in own.fields
        add_field(reader, own, MADE, {"type": "string", "format": "date-time"})
    return (made or past or [MADE])[0]
