"""Tools for doors and the codes that open them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    check_time,
    cursor_page,
    days_between,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)
from services_app.library.smart_home.access import DeviceId, check_kind, home_of, reachable, shown
from services_app.library.smart_home.state import AccessCode, SmartHomeState, service

Pin = Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4,6}$")]
CodeId = Annotated[str, f.ref("access_codes")]
MOST_CODES, MOST_DAYS = 8, 90


def _status(ctx: CallContext, code: AccessCode) -> str:
    if code.revoked_at is not None:
        return "revoked"
    if code.valid_until <= ctx.now:
        return "expired"
    return "active" if code.valid_from <= ctx.now else "coming"


def _shown_code(state: SmartHomeState, ctx: CallContext, code: AccessCode) -> Json:
    return with_fields(code, door=state.devices.get(code.lock_id).name, status=_status(ctx, code))


@service.tool(phrase="lock {device_id}")
def lock_door(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Lock a door.

    Errors: `not_found`, `device_offline`, `not_supported`, `already_locked`.

    Args:
        device_id: Id of the lock.
    """
    device = reachable(state, device_id)
    check_kind(device, ("lock",), "bolt")
    if device.locked:
        raise conflict(f"{device.name} is locked already.", type="already_locked")
    return shown(state, state.devices.patch(device_id, locked=True))


@service.tool(phrase="unlock {device_id} with a code")
def unlock_door(state: SmartHomeState, ctx: CallContext, device_id: DeviceId, pin: Pin) -> Json:
    """Unlock a door with a code that is valid for it now. While the home is on vacation only residents come in.

    Errors: `not_found`, `device_offline`, `not_supported`, `already_unlocked`, `wrong_code`, `residents_only`.

    Args:
        device_id: Id of the lock.
        pin: Digits of the code.
    """
    device = reachable(state, device_id)
    check_kind(device, ("lock",), "bolt")
    if not device.locked:
        raise conflict(f"{device.name} is unlocked already.", type="already_unlocked")
    codes = [row for row in state.access_codes.find(lock_id=device_id, pin=pin) if _status(ctx, row) == "active"]
    if not codes:
        raise forbidden(f"No code {pin} is valid for {device.name} now; see list_access_codes.", type="wrong_code")
    if home_of(state).mode == "vacation" and not codes[0].resident:
        raise forbidden(f"On vacation only residents come in; {codes[0].holder} is none.", type="residents_only")
    state.events.create(
        device_id=device_id, kind="opened", text=f"Unlocked with the code of {codes[0].holder}.", happened_at=ctx.now
    )
    return {**shown(state, state.devices.patch(device_id, locked=False)), "holder": codes[0].holder}


@service.tool()
def list_access_codes(
    state: SmartHomeState,
    ctx: CallContext,
    query: Query | None = None,
    lock_id: DeviceId | None = None,
    email: f.Email | None = None,
    active_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List codes for doors with holder, purpose, validity and status, those that end last at the top.

    Args:
        query: Words in the holder's name or the purpose.
        lock_id: Only codes of this lock.
        email: Only codes of the person with this address.
        active_only: Only codes that open a door now.
        limit: At most so many codes.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.access_codes, query, lambda row: (row.holder, row.purpose)), lock_id=lock_id, email=email)
    found = newest_first(found, "valid_until")
    rows = [_shown_code(state, ctx, row) for row in found]
    return cursor_page("codes", [row for row in rows if not active_only or row["status"] == "active"], limit, cursor)


@service.tool(phrase="give {holder} a code for {lock_id} until {valid_until}")
def create_access_code(  # noqa: PLR0913, PLR0917 - one per field of a code
    state: SmartHomeState,
    ctx: CallContext,
    lock_id: DeviceId,
    holder: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)],
    email: f.Email,
    valid_from: f.Timestamp,
    valid_until: f.Timestamp,
    purpose: f.Text = "",
    pin: Pin | None = None,
) -> Json:
    """Give a guest or a tradesperson a code for a door, for ninety days at most.

    Errors: `not_found`, `not_supported`, `invalid_time`, `invalid_period`, `too_long`, `weak_pin`, `pin_taken`,
    `too_many_codes` (eight per door), `has_code` (this person has one in that time), `blank_text`.

    Args:
        lock_id: Id of the lock.
        holder: Name of the person.
        email: Address to which the code is sent.
        valid_from: When it begins to work, UTC.
        valid_until: When it stops working, UTC.
        purpose: What it is for.
        pin: Four to six digits; drawn for you, if left out.
    """
    device = state.devices.get(lock_id)
    check_kind(device, ("lock",), "codes")
    name = check_text(holder, "holder")
    start, end = check_time(valid_from), check_time(valid_until)
    if start >= end or end <= ctx.now:
        raise invalid("The code has to end after it begins, and in the future.", type="invalid_period")
    if days_between(start, end) > MOST_DAYS:
        raise invalid(f"A code works for {MOST_DAYS} days at most.", type="too_long")
    live = [row for row in state.access_codes.find(lock_id=lock_id) if _status(ctx, row) in ("active", "coming")]
    if len(live) >= MOST_CODES:
        raise conflict(f"{device.name} has {MOST_CODES} codes; revoke one first.", type="too_many_codes")
    if any(same(row.email, email) and row.valid_from < end and start < row.valid_until for row in live):
        raise conflict(f"{email} has a code for {device.name} in that time.", type="has_code")
    code = state.access_codes.create(
        lock_id=lock_id,
        holder=name,
        email=email,
        pin=_pin(ctx, pin, {row.pin for row in live}),
        purpose=purpose,
        valid_from=start,
        valid_until=end,
    )
    return _shown_code(state, ctx, code)


def _pin(ctx: CallContext, pin: str | None, taken: set[str]) -> str:
    """The wanted digits, or drawn ones that nobody has."""
    if pin is None:
        drawn = ctx.random
        return next(text for text in (f"{drawn.randint(1000, 9999)}" for _ in range(100)) if text not in taken)
    if len(set(pin)) == 1 or pin in "0123456789" or pin in "9876543210":
        raise invalid(f"{pin} is too easy to guess; choose other digits.", type="weak_pin")
    if pin in taken:
        raise conflict(f"{pin} is the code of someone else; choose other digits.", type="pin_taken")
    return pin


@service.tool(phrase="revoke the access code {code_id}")
def revoke_access_code(state: SmartHomeState, ctx: CallContext, code_id: CodeId) -> Json:
    """End a code before its time. The code of a resident stays.

    Errors: `not_found`, `already_over`, `resident_code`.

    Args:
        code_id: Id of the code.
    """
    code = state.access_codes.get(code_id)
    if _status(ctx, code) in ("revoked", "expired"):
        raise conflict(f"The code of {code.holder} is {_status(ctx, code)} already.", type="already_over")
    if code.resident:
        raise forbidden(f"{code.holder} lives here; the code stays.", type="resident_code")
    return _shown_code(state, ctx, state.access_codes.patch(code_id, revoked_at=ctx.now))
