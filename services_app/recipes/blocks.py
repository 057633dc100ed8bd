"""Parts of a record that are shown on demand: fields, the record it refers to, the records that refer to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services_app.engine.errors import ToolError
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, key, show
from services_app.recipes.rows import truth

Shown = dict[str, Any]


def wants(arguments: Arguments, name: str, choice: str = "", usual: object = None) -> bool:
    """Whether a parameter asks for a part: it is true, or it is (or lists) `choice`."""
    value = arguments.get(name, usual)
    if not choice:
        return truth(value) is True or (isinstance(value, str) and value != "" and truth(value) is not False)
    asked = _asked(value)
    return choice.casefold() in asked or bool({"all", "*"} & set(asked))


def _asked(value: object) -> list[str]:
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [str(part).split("(")[0].strip().casefold() for part in parts if str(part).strip()]


def known_parts(arguments: Arguments, name: str, choices: Sequence[str]) -> None:
    """400 when a parameter asks for a part that there is not."""
    known = {choice.casefold() for choice in choices} | {"all", "*"}
    unknown = [part for part in _asked(arguments.get(name)) if part.split(".")[0] not in known]
    if unknown:
        there = ", ".join(choices) or "none"
        raise ToolError(400, "unknown_part", f"{name} cannot be {', '.join(unknown)}; there is {there}.")


def with_rows(shown: Sequence[Shown], wanted: bool, name: str, table: Table[Any], by: str) -> list[Shown]:
    """Each record with the records of `table` whose field `by` refers to it."""
    if not wanted:
        return list(shown)
    return [{**row, name: [show(part) for part in table if key(getattr(part, by)) == key(row["id"])]} for row in shown]


def with_parts(shown: Sequence[Shown], name: str, table: Table[Any], by: str) -> list[Shown]:
    """Each record with the records of `table` that lie in it, behind those that it lists itself under that name."""
    parts = with_rows(shown, True, name, table, by)
    return [
        {**row, name: [*old, *row[name]] if isinstance(old := before.get(name), list) else row[name]}
        for before, row in zip(shown, parts, strict=True)
    ]


def with_record(shown: Sequence[Shown], wanted: bool, name: str, table: Table[Any], at: str) -> list[Shown]:
    """Each record with the record of `table` that its field `at` refers to; null where that is none."""
    if not wanted:
        return list(shown)
    return [{**row, name: show(table.get(key(row[at]))) if key(row.get(at)) in table else None} for row in shown]


def with_fields(shown: Sequence[Shown], hidden: Mapping[str, bool]) -> list[Shown]:
    """Each record without the fields that nobody asked for. `hidden`: field -> whether it is wanted."""
    gone = {name for name, wanted in hidden.items() if not wanted}
    return [{name: value for name, value in row.items() if name not in gone} for row in shown]


def without_fields(shown: Sequence[Shown], names: Iterable[str], wanted: bool) -> list[Shown]:
    """Each record without these fields when they are unwanted."""
    gone = set(names) if wanted else set()
    return [{name: value for name, value in row.items() if name not in gone} for row in shown]


def without_total(result: Shown, wanted: object) -> Shown:
    """The result without its total, unless that is wanted."""
    return result if truth(wanted) is True else {name: value for name, value in result.items() if name != "total"}
