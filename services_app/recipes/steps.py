"""Changes that ask first how things are: a card leaves the column where it lies, one record takes in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import ToolError, conflict
from services_app.engine.state import State, Table
from services_app.recipes.changing import repoint
from services_app.recipes.records import SpecRecord, copied, key, require

R = TypeVar("R", bound=SpecRecord)


def standing(table: Table[R], position: Any, first: int) -> R:
    """The record at a position of the list, counted from `first`; 404 when the list is shorter."""
    rows = list(table)
    number = int(position) - first if position is not None and float(position).is_integer() else -1
    if not 0 <= number < len(rows):
        last = len(rows) - 1 + first
        noun = table.record_type.about.noun
        raise ToolError(404, "out_of_range", f"No {noun} at {position}: positions go from {first} to {last}.")
    return rows[number]


def shifted(record: R, field: str, source: Any, target: Any) -> dict[str, Any]:
    """The change that takes a record from one place to another; 409 unless it lies in the first, or both are one."""
    now, noun = getattr(record, field), record.about.noun
    if str(now).casefold() != str(source).casefold():
        raise conflict(f"The {noun} {record.id} is in {now!r}, not in {source!r}.", type="moved_meanwhile")
    if source == target:
        raise conflict(f"The {noun} {record.id} is in {target!r} already.", type="no_change")
    return {field: target}


def merged(state: State, table: Table[R], source: R, target: R) -> R:
    """Let everything that refers to one record refer to the other; the first is gone. 400 when both are one."""
    if source.id == target.id:
        raise ToolError(400, "same_record", f"{source.id} cannot be merged into itself: name two records.")
    repoint(state, table, source.id, target.id)
    table.delete(source.id)
    return table.get(target.id)


def known_status(table: Table[Any], field: str, wanted: Any, choices: Sequence[str]) -> str:
    """The status as the application spells it; 400 for one that neither its choices nor its records know."""
    known = dict.fromkeys([*choices, *(str(value) for row in table if (value := getattr(row, field)) is not None)])
    found = [status for status in known if status.casefold() == str(wanted).casefold()]
    if not found:
        raise ToolError(400, "unknown_status", f"No status {wanted!r}. Known: {', '.join(sorted(known))}.")
    return found[0]


def published(
    drafts: Table[Any], posts: Table[Any], found: Sequence[Any], shared: Mapping[str, str], stamps: Mapping[str, str]
) -> list[Any]:
    """The drafts found become posts with the `shared` fields (draft's -> post's) and the times in `stamps`."""
    made = []
    for draft in found:
        made.append(posts.create(**{field: getattr(draft, name) for name, field in shared.items()}, **stamps))
        drafts.delete(draft.id)
    return made


def placed_in(target: Mapping[str, Any], fields: Mapping[str, tuple[Table[Any], str]]) -> dict[str, Any]:
    """The change that puts a record where `{"model": ..., "id": ...}` says; 404 when there is no such place.

    `fields` maps each model to its table and to the field of the record that refers to it.
    """
    table, field = fields.get(str(target.get("model")), (None, ""))
    if table is None or target.get("id") is None:
        return {}
    require(table, target["id"])
    return {field: key(target["id"])}


def transferred(table: Table[R], values: Sequence[Any], changes: Mapping[str, Any], *, copy: bool) -> list[R]:
    """Records that get another place, or copies of them that do; 404 before anything happens when one is unknown."""
    records = [table.get(key(value)) for value in dict.fromkeys(map(key, values))]
    if copy:
        return [copied(table, record, changes) for record in records]
    return [table.patch(record.id, **changes) for record in records]
