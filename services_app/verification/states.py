"""Other states of the same service: without any record, and with the contents of records exchanged."""

from __future__ import annotations

from typing import Any, NamedTuple

from services_app.engine.environment import Edit
from services_app.engine.errors import ServiceDefect
from services_app.engine.protocol import Environment

Json = Any


class OtherStates(NamedTuple):
    """`origin` with edits: `emptied` holds no record; in each of `exchanged`, records hold what others held."""

    origin: Environment
    emptied: Environment
    exchanged: tuple[Environment, ...]
    """Empty where no record can be changed so."""


def other_states(slug: str, origin: Environment) -> OtherStates:
    """Make them from a state."""
    tables: dict[str, list[Any]] = {name: rows for name, rows in origin.state().get(slug, {}).items() if rows}
    emptied = origin.edited(Edit(slug, name, str(row["id"])) for name, rows in tables.items() for row in rows)
    exchanged = []
    for step in (1, 2):
        try:
            exchanged.append(origin.edited(_exchange(slug, tables, step)))
        except ServiceDefect:  # a lone record that admits no other words
            break
    return OtherStates(origin, emptied, tuple(exchanged))


def _exchange(slug: str, tables: dict[str, list[dict[str, Json]]], step: int) -> list[Edit]:
    """Each record gets what the `step`-th after it held; lone records get other words."""
    edits = []
    for name, rows in tables.items():
        for at, row in enumerate(rows):
            if len(rows) > step:
                edits.append(Edit(slug, name, str(row["id"]), {**rows[(at + step) % len(rows)], "id": row["id"]}))
            elif len(rows) == 1:
                edits.append(Edit(slug, name, str(row["id"]), patch=_reworded(row)))
    return edits


def _reworded(row: dict[str, Json]) -> dict[str, Json]:
    """Other words, and where a record holds none other numbers."""
    texts = {name: value for name, value in row.items() if isinstance(value, str) and name != "id"}
    words = {name: f"{value} again" for name, value in texts.items() if not value[:4].isdigit()}
    numbers = {name: v + 1 for name, v in row.items() if isinstance(v, int | float) and not isinstance(v, bool)}
    return words or {name: value for name, value in numbers.items() if name != "id"}
