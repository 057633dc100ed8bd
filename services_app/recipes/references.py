"""Parameters that name another record by its id, its name, its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services_app.engine.errors import not_found
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, key


def resolved(table: Table[Any], arguments: Arguments, name: str, by: Sequence[str]) -> Arguments:
    """The arguments with ids for what else (a field of `by`) names the records; 404 for what names none.

    >>> resolved(state.projects, {"project_id_or_key": "OPS"}, "project_id_or_key", ("key",))
    {"project_id_or_key": "PRO-0002"}
    """
    value = arguments.get(name)
    if value in (None, ""):
        return arguments
    found = [_named(table, one, by) for one in (value if isinstance(value, list) else [value])]
    return {**arguments, name: found if isinstance(value, list) else found[0]}


def aliased(table: Table[Any], arguments: Arguments, name: str, words: Sequence[str]) -> Arguments:
    """The arguments with an id for a word that stands for a record: the last one made for `latest`, else the first."""
    value = arguments.get(name)
    word = str(value).casefold()
    if word not in words or key(value) in table:
        return arguments
    rows = list(table)
    if not rows:
        raise not_found(table.record_type.about.noun, value)
    return {**arguments, name: rows[-1 if word == "latest" else 0].id}


def _named(table: Table[Any], value: Any, by: Sequence[str]) -> Any:
    if key(value) in table:
        return value
    text = str(value).casefold()
    for field in by:
        fitting = table.where(lambda row, field=field: str(getattr(row, field)).casefold() == text)  # type: ignore[misc]
        if row := next(iter(fitting), None):
            return row.id
    raise not_found(table.record_type.about.noun, value)
