"""Bounds of time and orders are about the time that records show, not about one that was made for want of it.

A bound is read before all that records hold is known: where a date or a timestamp came later, that is what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from services_app.builders.bounds import MADE, is_time
from services_app.builders.entities import Reader
from services_app.builders.plan import Entity, Filter, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec

_BOUNDS = frozenset(("from", "until", "past", "coming"))
# What the main time of a record is called, the surest first.
_MAIN = (
    "timestamp date time datetime date_time occurred_at event_time event_date published_at publication_date published "
    "publish_date published_date sent_at received_at posted_at posting_date transaction_date filing_date filed_at "
    "announcement_date attendance_date order_date invoice_date payment_date paid_at committed_at committed_date "
    "recorded_at logged_at start_time started_at start start_at starts_at start_date"
).split()
_CREATED = re.compile(r"creat", re.IGNORECASE)


def find_main_times(reader: Reader, specs: Mapping[str, ToolSpec]) -> None:
    """Point bounds and orders at the time that records show, and take the made one away where nothing needs it."""
    for own in reader.plan.entities.values():
        if not own.timed or MADE not in own.fields:
            continue
        tools = [tool for tool in reader.plan.every() if tool.entity == own.noun and tool.name in specs]
        for planned in tools:
            _point(reader, specs[planned.name], planned, own)
        said = any(_CREATED.search(specs[planned.name].description) for planned in tools)
        if not own.written and not said and _others(own) and not any(MADE in _used(planned) for planned in tools):
            del own.fields[MADE]


def _point(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    properties = reader.properties(tool)
    planned.filters = [
        _bound(item, own, properties.get(item.parameter, {})) if item.kind in _BOUNDS and item.field == MADE else item
        for item in planned.filters
    ]
    main = main_time(own)
    if planned.read.newest == MADE and main and not _CREATED.search(tool.description):
        planned.read.newest = main
    for word, meant in planned.read.sorts.items():
        if meant.removeprefix("-") == MADE and main:
            planned.read.sorts[word] = meant.replace(MADE, main)


def _bound(item: Filter, own: Entity, schema: Mapping[str, Any]) -> Filter:
    """The bound with the field that its name or its words name, else the main time of the record."""
    if _CREATED.search(f"{item.parameter} {about(schema)}"):
        return item
    said = f"{key_of(item.parameter)} {about(schema).lower()}"
    named = [name for name in _others(own) if "_" in key_of(name) and _names(said, key_of(name))]
    field = named[0] if named else main_time(own)
    return replace(item, field=field) if field else item


def _names(said: str, key: str) -> bool:
    return key in said or key.replace("_", " ") in said


def main_time(own: Entity) -> str:
    """The field with the main time of a record beside the one that was made; "" where there is none."""
    keys = {key_of(name): name for name in _others(own)}
    return next((keys[word] for word in _MAIN if word in keys), "")


def _others(own: Entity) -> list[str]:
    return [name for name, known in own.fields.items() if name != MADE and is_time(known)]


def _used(planned: ToolPlan) -> Iterator[str]:
    """Fields that the work of a tool names."""
    yield from (name for item in planned.filters for name in item.field.split("|"))
    yield from (*planned.lookups.values(), *planned.fields.values(), *planned.read.same.values(), *planned.read.only)
    yield from (planned.key_field, planned.read.newest, planned.read.coming)
    yield from (meant.removeprefix("-") for meant in planned.read.sorts.values())
