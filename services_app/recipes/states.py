"""States of records: which change of state is allowed, and flags that are set and taken away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import conflict
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal

R = TypeVar("R", bound=SpecRecord)


def _same(one: object, other: object) -> bool:
    return str(one).casefold().replace("-", "_") == str(other).casefold().replace("-", "_")


def transition(
    record: R, field: str, status: Any, *, only: Sequence[str] = (), never: Sequence[str] = ()
) -> dict[str, Any]:
    """The change that sets a status. 409 when the record has it already or is not in a state that allows it.

    `only` are the states from which it is allowed (any when empty), `never` those from which it is not.
    """
    now, noun = getattr(record, field), record.about.noun
    if _same(now, status):
        raise conflict(f"The {noun} {record.id} is {status} already.", type="no_change")
    if (only and not any(_same(now, state) for state in only)) or any(_same(now, state) for state in never):
        needed = f"it must be {' or '.join(only)}" if only else f"that ends in {now}"
        raise conflict(f"The {noun} {record.id} is {now} and cannot become {status}: {needed}.", type="invalid_state")
    return {field: status}


def flag(record: R, field: str, wanted: bool) -> dict[str, Any]:
    """The change that sets a flag; 409 when it is set (or unset) already."""
    if bool(getattr(record, field)) is wanted:
        word = "already" if wanted else "not"
        raise conflict(f"The {record.about.noun} {record.id} is {word} {field.removeprefix('is_')}.", type="no_change")
    return {field: wanted}


def toggled(record: SpecRecord, field: str, states: tuple[Any, Any] = (True, False)) -> dict[str, Any]:
    """The change that sets the first of two states, and the second where the first is set."""
    return {field: states[1] if _same(getattr(record, field), states[0]) else states[0]}


def refuse_locked(record: SpecRecord, field: str) -> None:
    """409 when the record is locked."""
    if getattr(record, field):
        raise conflict(f"The {record.about.noun} {record.id} is locked: unlock it first.", type="locked")


def all_in(
    table: Table[R], arguments: Arguments, names: Mapping[str, str], field: str, never: Sequence[str]
) -> list[R]:
    """The records that fit the arguments and are in none of these states."""
    fitting = equal(table, arguments, names)
    return [row for row in fitting if not any(_same(getattr(row, field), state) for state in never)]
