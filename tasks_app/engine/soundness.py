"""Does a state hold what its services take for granted? Planted records may lack what real ones always have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from services_app.engine.protocol import Environment
from tasks_app.engine.columns import Column, columns_from
from tasks_app.engine.task import StateEdit

DEFECT = 500
_NAMES = frozenset({"label", "place", "url", "title", "code", "email", "phone", "person", "organisation", "product"})


def breakdown(start: Environment, services: Iterable[str]) -> str:
    """A tool that breaks down in the state when it is told nothing, lists above all; "" when none does."""
    world = start.fork()
    try:
        for service in services:
            for name, tool in start.catalogue.tools[service].items():
                if tool.input_schema.get("required"):
                    continue
                made = world.call(service, name, {})
                if not made["success"] and made["error"]["code"] == DEFECT:
                    return f"{service}.{name} breaks down in s0: {made['error']['message']}"
    finally:
        world.close()
    return ""


def shared_name(
    start: Environment, edits: Sequence[StateEdit], writes: Iterable[tuple[str, str, dict[str, Any]]]
) -> str:
    """A value sent by a write to which several records answer, where each seeded record has one of its own.

    `start` is s0 with its `edits`; `writes` are (service, tool, arguments). A service takes one of the records
    without a word, and it need not be the one that the story means. "" when each value names one record at most.
    """
    for service, _, arguments in writes:
        sent = {value for value in _flat(arguments) if isinstance(value, str) and value}
        for edit in edits:
            cells = edit.record or edit.patch or {}
            for field in cells if edit.service == service else ():
                value = cells[field]
                if field == "id" or not isinstance(value, str) or value not in sent:
                    continue
                known = [row["id"] for row in start.rows(service, edit.table) if row.get(field) == value]
                if len(known) > 1 and _tells_apart(_seeded_column(start, edits, service, edit.table, field)):
                    return (
                        f"{len(known)} records of {service}.{edit.table} have the {field} {value!r}: {', '.join(known)}"
                    )
    return ""


def _flat(arguments: dict[str, Any]) -> Iterator[Any]:
    for value in arguments.values():
        yield from value if isinstance(value, list) else (value,)


def _seeded_column(start: Environment, edits: Sequence[StateEdit], service: str, table: str, field: str) -> Column:
    """The column as it is in the records that no edit brought in or changed."""
    info = start.catalogue.services[service]
    edited = {(edit.table, edit.id) for edit in edits if edit.service == service}
    rows = {name: [r for r in start.rows(service, name) if (name, r["id"]) not in edited] for name in info.tables}
    return columns_from(info, rows)[f"{table}.{field}"]


def _tells_apart(column: Column) -> bool:
    return column.unique and not column.many and not column.choices and column.kind in _NAMES
