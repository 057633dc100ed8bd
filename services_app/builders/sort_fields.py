"""What a list can be sorted by: fields of the right type, and words such as `newest` that stand for a field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.builders.bounds import time_of
from services_app.builders.entities import Reader, add_field
from services_app.builders.field_types import COUNTED, MEASURED, typed
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.specs.documented import documented_values
from services_app.specs.vocabulary import words_of

_NO_FIELDS = frozenset(
    (
        "relevance best_match default random none asc desc score rank natural hot trending manual custom "
        "ascending descending relevancy"
    ).split()
)
_LATEST = frozenset("newest latest recent recency most_recent newest_first latest_first date_desc".split())
_OLDEST = frozenset("oldest least_recent oldest_first earliest date_asc".split())
_LETTERED = frozenset("alphabetical alphabetically alphabet a_z name_natural alphabetical_order".split())
_DONE = frozenset("joined opened starred closed merged pushed accessed viewed played used seen modified due".split())
_AMOUNTS = (COUNTED | MEASURED | {"playtime", "share", "change", "until", "sequence"}) - {
    "line",
    "level",
    "age",
}
_TEXTS = frozenset("id name type code class figi currency unit label status title date time key".split())
_COUNTS = frozenset(("num", "total", "number", "most", "min", "max"))


def plan_sort_fields(reader: Reader, own: Entity, planned: ToolPlan, name: str, schema: Mapping[str, Any]) -> None:
    """Sorting by what the schema lists needs fields of these names, and a sense for words that are none."""
    planned.sort = name
    items = schema.get("items") or {}
    usual = [schema["default"]] if isinstance(schema.get("default"), str) else []
    listed = schema.get("enum") or items.get("enum") or usual
    for choice in listed or documented_values(name, schema):
        stem = re.split(r"[:\s\[]", str(choice).strip("+-"))[0]
        stem = re.sub(r"(?i)(?<=\w)[-_.]?(asc|desc|ascending|descending)$", "", stem)
        plain = key_of(stem)
        if meant := _meant(own, plain):
            planned.read.sorts[stem] = meant
        elif listed and stem and plain not in _NO_FIELDS and stem != "id" and not _held(own, plain):
            add_field(reader, own, stem, sort_schema(plain))


def _held(own: Entity, plain: str) -> bool:
    return any(key_of(known).startswith(plain) for known in own.fields)


def _meant(own: Entity, plain: str) -> str:
    """What a word stands for: the time, the time the other way round, or the name; "" for any other."""
    if _held(own, plain) and plain not in ("recent", "recency"):
        return ""
    words = ((_LATEST, "-time"), (_OLDEST, "time"), (_LETTERED, "name"))
    return next((meant for known, meant in words if plain in known), "")


def settle_sorts(reader: Reader, planned: ToolPlan, own: Entity) -> None:
    """Find the fields that the words stand for, once all that the records hold is known."""
    for word, meant in planned.read.sorts.items():
        if meant == "name":
            named = next((known for known in own.fields if key_of(known) in ("name", "title", "label")), "name")
            add_field(reader, own, named, {"type": "string"})
            planned.read.sorts[word] = named
        elif meant in ("time", "-time"):
            planned.read.sorts[word] = f"{meant.removesuffix('time')}{time_of(reader, own)}"


def sort_schema(key: str) -> dict[str, Any]:
    """The schema of a field that only its name describes, as something that rows can be sorted by."""
    words = words_of(key) or [key]
    schema, _ = typed(key)
    if words[-1] in _DONE or (words[0] == "last" and not set(words) & _AMOUNTS):
        return {"type": "string", "format": "date-time"}
    if schema["type"] == "array" or words[0] in _COUNTS:
        return {"type": "integer"}
    led = words[0] in _AMOUNTS or words[-1] in _AMOUNTS or (words[-1][:1].isdigit() and bool(set(words) & _AMOUNTS))
    if schema == {"type": "string"} and led and words[-1] not in _TEXTS:
        return {"type": "number" if set(words) & MEASURED else "integer"}
    return schema
