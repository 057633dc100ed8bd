"""Pairs of things that belong together: made once, taken away, several at a time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, TypeVar

from services_app.engine.errors import ToolError
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal, key

R = TypeVar("R", bound=SpecRecord)


def combinations(arguments: Arguments, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each combination of the values sent, under field names: an array stands for each of its values."""
    sent = {field: arguments[name] for name, field in names.items() if arguments.get(name) is not None}
    lists = [value if isinstance(value, list) else [value] for value in sent.values()]
    return [dict(zip(sent, values, strict=True)) for values in itertools.product(*lists)]


def linked(table: Table[R], arguments: Arguments, names: Mapping[str, str], more: Mapping[str, Any]) -> list[R]:
    """The pairs that the arguments name, made where they are missing; `more` are their attributes."""
    pairs = []
    for ends in combinations(arguments, names):
        known = equal(table, ends, {field: field for field in ends})
        if not known:
            pairs.append(table.create(**ends, **more))
        elif any(getattr(known[0], field) != value for field, value in more.items()):
            pairs.append(table.patch(known[0].id, **more))
        else:
            pairs.append(known[0])
    return pairs


def unlinked(table: Table[R], arguments: Arguments, names: Mapping[str, str]) -> list[str]:
    """Take away the pairs that the arguments name; the ids that are gone, 404 when there is none."""
    gone = []
    for ends in combinations(arguments, names):
        for row in equal(table, ends, {field: field for field in ends}):
            gone.append(table.delete(row.id).id)
    if not gone:
        raise ToolError(404, "not_found", f"No such {table.record_type.about.noun}: nothing was taken away.")
    return gone


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def tie(table: Table[R], ends: Any, field: str, others: Any) -> None:
    """Let the records that `ends` names (an id or several) name those of the other end in a field, each once."""
    for end in map(key, _listed(ends)):
        held = getattr(table.get(end), field) or ()
        new = tuple(dict.fromkeys([*held, *map(key, _listed(others))]))
        if new != tuple(held):
            table.patch(end, **{field: new})


def untie(table: Table[R], ends: Any, field: str, others: Any) -> None:
    """Take the other end out of the records that `ends` names."""
    gone = set(map(key, _listed(others)))
    for end in map(key, _listed(ends)):
        held = getattr(table.get(end), field) or ()
        table.patch(end, **{field: tuple(value for value in held if value not in gone)})


def chosen(table: Table[R], values: Any, by: str = "") -> tuple[list[R], list[Any]]:
    """(records, values that name none) for a list of ids, or of values of the field `by`."""
    found: list[R] = []
    missing: list[Any] = []
    for value in dict.fromkeys(key(value) for value in (values if isinstance(values, list) else [values])):
        record = table.first(**{by: value}) if by else table.get(value) if value in table else None
        if record is None:
            missing.append(value)
        else:
            found.append(record)
    if not found:
        raise ToolError(404, "not_found", f"None of these is a {table.record_type.about.noun}: {missing}.")
    return found, missing
