"""What a write asks for before it happens: a preview that was seen, a title that is right, a state that ends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.errors import ToolError, conflict
from services_app.recipes.records import Arguments, SpecRecord


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
