"""Tools for calls."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, Example, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.phone.access import (
    LineId,
    PhoneNumber,
    contact_of,
    digits,
    me,
    name_of,
    own_line_ids,
    reachable,
    same_number,
    usable,
    user_by,
)
from services_app.library.phone.state import Call, CallNote, Direction, Disposition, PhoneState, Result, service
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    search,
    with_fields,
)

CallId = Annotated[str, f.ref("calls")]
CallOrder = Annotated[Literal["newest", "oldest", "longest"], LABEL]


def _readable(state: PhoneState, call_id: str) -> Call:
    """A call on a line of yours; 403 `not_your_line` otherwise."""
    call = state.calls.get(call_id)
    usable(state, call.line_id)
    return call


def _minutes(call: Call) -> int | None:
    return minutes_between(call.started_at, call.ended_at) if call.ended_at else None


def _shown(state: PhoneState, call: Call) -> Json:
    """A call with names for numbers and users, and its length."""
    contact = contact_of(state, call.other_number)
    handler = state.users.first(id=call.handled_by) if call.handled_by else None
    return with_fields(
        call,
        line=state.lines.get(call.line_id).label,
        contact_name=contact.name if contact else None,
        company=contact.company if contact else None,
        handled_by_name=handler.name if handler else None,
        minutes=_minutes(call),
        notes=state.call_notes.count(call_id=call.id),
    )


@service.tool()
def list_calls(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: PhoneState,
    ctx: CallContext,
    query: Query | None = None,
    number: PhoneNumber | None = None,
    line_id: LineId | None = None,
    direction: Direction | None = None,
    result: Result | None = None,
    disposition: Disposition | None = None,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    order_by: CallOrder = "newest",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the calls on your lines.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the transcript, the notes or the name or company of the contact.
        number: Only calls with this number.
        line_id: Only calls on this line.
        direction: Only inbound or outbound calls.
        result: Only calls that ended so.
        disposition: Only calls marked so.
        from_day: Only calls on or after this day.
        to_day: Only calls on or before this day.
        order_by: Newest, oldest or longest first.
        limit: At most so many calls.
        cursor: next_cursor of the previous page.
    """
    check_range(from_day, to_day)
    own = own_line_ids(state)
    rows = [row for row in state.calls if row.line_id in own]
    found = keep(
        search(rows, query, lambda row: _texts(state, row)),
        line_id=line_id,
        direction=direction,
        result=result,
        disposition=disposition,
    )
    found = [
        row
        for row in found
        if (number is None or same_number(row.other_number, number))
        and (from_day or "") <= row.started_at[:10] <= (to_day or "9")
    ]
    found.sort(key=lambda row: (row.started_at, row.id), reverse=order_by != "oldest")
    if order_by == "longest":
        found.sort(key=lambda row: -(_minutes(row) or 0))
    page = cursor_page("calls", found, limit, cursor)
    page["calls"] = [_shown(state, row) for row in page["calls"]]
    return page


def _texts(state: PhoneState, call: Call) -> list[str]:
    contact = contact_of(state, call.other_number)
    who = [contact.name, contact.company] if contact else []
    return [call.transcript, digits(call.other_number), *who, *_notes(state, call)]


def _notes(state: PhoneState, call: Call) -> list[str]:
    return [row.text for row in state.call_notes.find(call_id=call.id)]


@service.tool()
def get_call(state: PhoneState, ctx: CallContext, call_id: CallId) -> Json:
    """Show a call on one of your lines with transcript, notes, voicemail and the contact.

    Errors: `not_found`, `not_your_line`.

    Args:
        call_id: Id of the call.
    """
    call = _readable(state, call_id)
    return {
        **_shown(state, call),
        "notes": state.call_notes.find(call_id=call_id),
        "voicemail": state.voicemails.first(call_id=call_id),
        "contact": contact_of(state, call.other_number),
    }


@service.tool(phrase="call {number}")
def place_call(state: PhoneState, ctx: CallContext, number: PhoneNumber, line_id: LineId | None = None) -> Json:
    """Call a number; the call stays in progress until end_call or transfer_call.

    Errors: `not_found`, `not_your_line`, `invalid_number`, `number_blocked`, `do_not_call`, `line_busy`,
    `own_number` (of the same line).

    Args:
        number: Number to call, with country code.
        line_id: Line to call from; your direct line, if left out.
    """
    line = usable(state, line_id)
    clean = reachable(state, number)
    contact = contact_of(state, clean)
    if contact is not None and contact.do_not_call:
        raise forbidden(f"{contact.name} does not want to be called; write instead.", type="do_not_call")
    if same_number(clean, line.number):
        raise conflict(f"{clean} is the line you call from.", type="own_number")
    current = state.calls.first(line_id=line.id, result="in_progress")
    if current is not None:
        raise conflict(f"{line.label} is in use by {current.id}; end that call first.", type="line_busy")
    call = state.calls.create(
        line_id=line.id,
        direction="outbound",
        other_number=clean,
        result="in_progress",
        handled_by=me(state).id,
        started_at=ctx.now,
    )
    return _shown(state, call)


def _in_progress(state: PhoneState, call_id: str) -> Call:
    """A call in progress on a line of yours; 409 `not_in_progress` otherwise."""
    call = _readable(state, call_id)
    if call.result != "in_progress":
        raise conflict(f"{call_id} is over ({call.result}).", type="not_in_progress")
    return call


@service.tool(phrase="end the call {call_id}", examples=(Example({"call_id": "CALL-00001"}),))
def end_call(state: PhoneState, ctx: CallContext, call_id: CallId, disposition: Disposition | None = None) -> Json:
    """Hang up a call in progress on one of your lines.

    Errors: `not_found`, `not_your_line`, `not_in_progress`.

    Args:
        call_id: Id of the call.
        disposition: How to mark it.
    """
    _in_progress(state, call_id)
    call = state.calls.patch(call_id, result="answered", ended_at=ctx.now, disposition=disposition)
    return _shown(state, call)


@service.tool(
    phrase="put the call {call_id} through to {to_email}",
    examples=(Example({"call_id": "CALL-00001", "to_email": "noor.haddad@larkfield.example"}),),
)
def transfer_call(state: PhoneState, ctx: CallContext, call_id: CallId, to_email: f.Email) -> Json:
    """Put a call in progress on one of your lines through to a colleague, who has to be available.

    Errors: `not_found`, `not_your_line`, `not_in_progress`, `unknown_user`, `user_unavailable`, `same_user` (they
    have the call).

    Args:
        call_id: Id of the call.
        to_email: Address of the colleague.
    """
    call = _in_progress(state, call_id)
    user = user_by(state, to_email)
    if user.id == call.handled_by:
        raise conflict(f"{user.name} has the call already.", type="same_user")
    if user.status != "available":
        raise conflict(f"{user.name} is {user.status}; choose somebody available.", type="user_unavailable")
    moved = state.calls.patch(call_id, result="transferred", transferred_to=user.id, ended_at=ctx.now)
    state.users.patch(user.id, status="busy")
    return {**_shown(state, moved), "transferred_to_name": user.name, "extension": user.extension}


@service.tool(phrase="write a note on the call {call_id}")
def add_call_note(state: PhoneState, ctx: CallContext, call_id: CallId, text: Body) -> CallNote:
    """Write a note on a call on one of your lines.

    Errors: `not_found`, `not_your_line`, `blank_text`.

    Args:
        call_id: Id of the call.
        text: The note.
    """
    _readable(state, call_id)
    check_text(text, "text")
    return state.call_notes.create(call_id=call_id, author_email=ME.email, text=text, written_at=ctx.now)


@service.tool(phrase="mark the call {call_id} as {disposition}")
def set_call_disposition(state: PhoneState, ctx: CallContext, call_id: CallId, disposition: Disposition) -> Json:
    """Mark how a finished call on one of your lines ended.

    A call that needs a callback is resolved only after a later call to the same number was answered. Errors:
    `not_found`, `not_your_line`, `call_in_progress`, `same_disposition`, `no_callback_made`.

    Args:
        call_id: Id of the call.
        disposition: How to mark it.
    """
    call = _readable(state, call_id)
    if call.result == "in_progress":
        raise conflict(f"{call_id} is in progress; end it first.", type="call_in_progress")
    if call.disposition == disposition:
        raise conflict(f"{call_id} is marked {disposition} already.", type="same_disposition")
    if call.disposition == "callback_needed" and disposition == "resolved" and not _called_back(state, call):
        who = name_of(state, call.other_number) or call.other_number
        raise conflict(f"{who} was not called back since {call.started_at}.", type="no_callback_made")
    return _shown(state, state.calls.patch(call_id, disposition=disposition))


def _called_back(state: PhoneState, call: Call) -> bool:
    return any(
        row.direction == "outbound"
        and row.result in ("answered", "transferred")
        and row.started_at > call.started_at
        and same_number(row.other_number, call.other_number)
        for row in state.calls
    )
