"""What a tool asks for before it does anything: arguments that go together, a preview that was seen, a right state."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from services_app.engine.errors import ToolError, conflict
from services_app.engine.state import Table
from services_app.recipes.records import Arguments, SpecRecord, equal

R = TypeVar("R", bound=SpecRecord)


def token_of(record: SpecRecord) -> str:
    """The token that a preview of this record hands out; another one when the record changes."""
    text = f"{record.about.noun} {record.id} {sorted(record.plain().items(), key=str)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def agreed(record: SpecRecord, token: Any) -> bool:
    """Whether the caller has seen the preview; 400 for a token of another record or of an older preview."""
    if token in (None, ""):
        return False
    if token != token_of(record):
        raise ToolError(400, "wrong_token", "This token is of no preview of this record: call without it first.")
    return True


def expected(record: SpecRecord, arguments: Arguments, names: Mapping[str, str]) -> None:
    """409 unless the fields of the record are as the arguments sent say (`names`: parameter -> field)."""
    for name, field in names.items():
        if arguments.get(name) is not None and getattr(record, field) != arguments[name]:
            now = getattr(record, field)
            raise conflict(f"{record.id} has the {field} {now!r}, not {arguments[name]!r}.", type="mismatch")


def with_reason(
    record: SpecRecord, changes: Mapping[str, Any], names: Mapping[str, str], ended: Sequence[str]
) -> dict[str, Any]:
    """The changes with the reason of a state only where the state comes to an end; a state begun anew has none.

    `names` maps the reason and the state, in this order, to their fields.
    """
    reason, state = names.values()
    changed = state in changes and changes[state] != getattr(record, state)
    if changed and changes[state] in ended:
        return dict(changes)
    kept = {field: value for field, value in changes.items() if field != reason}
    return {**kept, reason: None} if changed else kept


def _sent(arguments: Arguments, names: Sequence[str]) -> list[str]:
    """Those of the names that were sent with something in them."""
    return [name for name in names if arguments.get(name) not in (None, "", False, [], {})]


def keeps_to(arguments: Arguments, name: str, values: Sequence[str]) -> None:
    """400 where a parameter holds none of the values that its words list; letter case does not matter."""
    sent = arguments.get(name)
    if sent not in (None, "") and str(sent).casefold() not in {value.casefold() for value in values}:
        raise ToolError(400, "invalid_value", f"{name} must be one of {', '.join(values)}; {sent!r} is none of them.")


def one_of(arguments: Arguments, names: Sequence[str], alone: bool) -> None:
    """400 unless one of these arguments was sent, or exactly one where it stands alone."""
    sent = [name for name in names if arguments.get(name) not in (None, "", [], {})]
    if not sent:
        raise ToolError(400, "missing_argument", f"Give {' or '.join(names)}: one of them is required.")
    if alone:
        apart(arguments, names)


def apart(arguments: Arguments, names: Sequence[str]) -> None:
    """400 when more than one of these arguments was sent."""
    sent = _sent(arguments, names)
    if len(sent) > 1:
        raise ToolError(400, "conflicting_arguments", f"Give only one of {', '.join(sent)}: they exclude each other.")


def needed_with(arguments: Arguments, name: str, other: str) -> None:
    """400 when one argument was sent without another that it asks for."""
    if _sent(arguments, (other,)) and arguments.get(name) in (None, ""):
        raise ToolError(400, "missing_argument", f"Give {name}: it is required with {other}.")


def needed_when(arguments: Arguments, name: str, other: str, values: Sequence[str]) -> None:
    """400 when one argument has a value that asks for another, which was not sent."""
    if str(arguments.get(other)) in values and arguments.get(name) in (None, ""):
        raise ToolError(400, "missing_argument", f"Give {name}: it is required when {other} is {arguments[other]}.")


def needed_unless(arguments: Arguments, name: str, other: str, values: Sequence[str]) -> None:
    """400 when an argument was not sent and another has none of the values that make up for it."""
    if str(arguments.get(other)) not in values and arguments.get(name) in (None, ""):
        spare = " or ".join(values)
        raise ToolError(400, "missing_argument", f"Give {name}: it is required unless {other} is {spare}.")


def at_most(arguments: Arguments, name: str, most: int, what: str) -> None:
    """400 when a text has more characters, or a list more items, than it may have."""
    value = arguments.get(name)
    if isinstance(value, str if what == "characters" else list) and len(value) > most:
        raise ToolError(400, "too_long", f"{name} has {len(value)} {what}: at most {most} are allowed.")


def filled(arguments: Arguments, names: Sequence[str]) -> None:
    """400 when a record would be made of nothing."""
    if not any(arguments.get(name) not in (None, "", [], {}) for name in names):
        raise ToolError(400, "missing_argument", f"Say what to create: give at least one of {', '.join(names)}.")


def spared(record: SpecRecord, field: str, what: str, kept: bool) -> None:
    """409 for a record that its flag protects: the default calendar, what is not removable (`kept` is False)."""
    if getattr(record, field) is kept:
        raise conflict(f"The {record.about.noun} {record.id} is {what} and cannot be changed so.", type="protected")


def in_state(record: SpecRecord, field: str, states: Sequence[str]) -> None:
    """409 unless the record is in one of the states in which the tool may do its work."""
    now = getattr(record, field)
    if str(now).casefold() not in [state.casefold() for state in states]:
        needed = " or ".join(states)
        raise conflict(f"The {record.about.noun} {record.id} is {now}: it must be {needed}.", type="invalid_state")


def existing(table: Table[R], values: Mapping[str, Any], fields: Sequence[str]) -> R | None:
    """The record with the same values in all of these fields; None when there is none, or one value is not sent."""
    wanted = {field: [values[field]] for field in fields if values.get(field) is not None}
    if not wanted or len(wanted) < len(fields):
        return None
    plain = {field: field for field, (value,) in wanted.items() if not isinstance(value, Mapping)}
    found = equal(table, wanted, plain)
    parts = [(field, value, field.rsplit("_", 1)[-1]) for field, (value,) in wanted.items() if field not in plain]
    return next((row for row in found if all(_alike(row, *part) for part in parts)), None)


def _alike(record: SpecRecord, field: str, value: Mapping[str, Any], part: str) -> bool:
    """Whether a field with an object holds the same one: the same address where it is an address with a name."""
    held = record.plain().get(type(record).model_fields[field].alias or field)
    if isinstance(held, Mapping) and part in value:
        return bool(held.get(part) == value[part])
    return bool(held == value)
