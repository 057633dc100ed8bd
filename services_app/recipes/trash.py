"""What was removed and may come back, and what may not be added again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict
from services_app.engine.state import About, Table
from services_app.recipes.records import Arguments, Json, SpecRecord, key

R = TypeVar("R", bound=SpecRecord)


class Removed(SpecRecord):
    """A record that was removed, as it was, with what the caller said about the removal."""

    about = About("removal", "removals", prefix="DEL-")

    noun: str
    key: str
    record: Json
    notes: Json
    removed_at: str
    final: bool = False
    """It cannot come back, nor be added again."""


def throw_away(
    trash: Table[Removed], record: SpecRecord, ctx: CallContext, notes: Mapping[str, Any], *, final: bool = False
) -> None:
    """Note a removal. The caller takes the record out of its table."""
    trash.create(
        noun=record.about.noun,
        key=record.id,
        record=record.plain(),
        notes={name: value for name, value in notes.items() if value is not None},
        removed_at=ctx.now,
        final=final,
    )


def find_removed(trash: Table[Removed], table: Table[Any], value: object) -> Removed | None:
    """The last removal of the record that may come back; None when there is none."""
    noun = table.record_type.about.noun
    found = [row for row in trash.find(noun=noun, key=key(value)) if not row.final]
    return found[-1] if found else None


def bring_back(trash: Table[Removed], table: Table[R], value: object) -> R:
    """The removed record, back in its table. 404 when it was never removed, 409 when it is there already."""
    removed = find_removed(trash, table, value)
    if removed is None:
        table.get(key(value))
        raise conflict(f"{key(value)} is not in the trash.", type="no_change")
    trash.delete(removed.id)
    return table.add(table.record_type.model_validate(removed.plain()["record"]))


def empty(trash: Table[Removed], noun: str = "") -> int:
    """Let everything in the trash (of one noun, when given) be gone for good; how much that was."""
    rows = [row for row in trash if not row.final and (not noun or row.noun == noun)]
    for row in rows:
        trash.delete(row.id)
    return len(rows)


def refuse_barred(trash: Table[Removed], table: Table[Any], arguments: Arguments, names: Mapping[str, str]) -> None:
    """403 when what the arguments name (`names`: parameter -> name of the field) was removed for good."""
    noun = table.record_type.about.noun
    for row in trash.find(noun=noun, final=True):
        old: Any = row.plain()["record"]
        if all(str(arguments.get(name)).casefold() == str(old.get(field)).casefold() for name, field in names.items()):
            said = ", ".join(f"{name} {arguments[name]!r}" for name in names)
            raise ToolError(403, "removed_for_good", f"The {noun} with {said} was removed for good.")
