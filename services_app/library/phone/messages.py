"""Tools for text messages. A conversation is what a line and a number have written to each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.phone.access import (
    LineId,
    PhoneNumber,
    digits,
    name_of,
    own_line_ids,
    reachable,
    same_number,
    usable,
)
from services_app.library.phone.state import Line, Message, PhoneState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    check_text,
    cursor_page,
    grouped,
    matches,
)

SmsText = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=5000)]
LONGEST = 1600
_QUIET_FROM, _QUIET_UNTIL = "21:00", "07:00"


def segments(text: str) -> int:
    """Parts in which a text is sent and counted: 160 characters, or 70 when it is not plain ASCII."""
    size = 160 if text.isascii() else 70
    return -(-len(text) // size)


def used_segments(state: PhoneState, line_id: str, month: str) -> int:
    """Segments sent or scheduled on a line for a month, `2026-03`."""
    rows = [row for row in state.messages.find(line_id=line_id) if row.status in ("sent", "scheduled")]
    return sum(segments(row.text) for row in rows if row.at.startswith(month))


def _opted_out(state: PhoneState, line: Line, number: str) -> bool:
    """Whether the last keyword received from a number on a line was STOP and not START."""
    words = [
        (row.at, row.id, row.text.strip().upper())
        for row in state.messages.find(line_id=line.id, status="received")
        if same_number(row.other_number, number) and row.text.strip().upper() in ("STOP", "START")
    ]
    return bool(words) and max(words)[2] == "STOP"


def _conversations(state: PhoneState, line_id: str | None) -> dict[tuple[str, str], list[Message]]:
    """Messages on your lines by line and number, each in the order of time."""
    own = own_line_ids(state)
    found = [row for row in state.messages if row.line_id in own and line_id in (None, row.line_id)]
    found.sort(key=lambda row: (row.at, row.id))
    return grouped(found, lambda row: (row.line_id, digits(row.other_number)))


def _unread(rows: Iterable[Message]) -> int:
    return sum(1 for row in rows if not row.read)


@service.tool()
def list_conversations(
    state: PhoneState,
    ctx: CallContext,
    query: Query | None = None,
    line_id: LineId | None = None,
    unread_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List text conversations on your lines, the latest first, with their last message.

    Args:
        query: Words in the messages, or in the name or number of the contact.
        line_id: Only conversations of this line.
        unread_only: Only conversations with unread messages.
        limit: At most so many conversations.
        cursor: next_cursor of the previous page.
    """
    found = []
    for (line, number), rows in _conversations(state, line_id).items():
        name = name_of(state, number)
        said = [row.text for row in rows]
        if (unread_only and not _unread(rows)) or (query and not matches(query, name or "", number, *said)):
            continue
        last = rows[-1]
        found.append(
            {
                "line_id": line,
                "line": state.lines.get(line).label,
                "number": last.other_number,
                "contact_name": name,
                "messages": len(rows),
                "unread": _unread(rows),
                "last_message": last.text,
                "last_at": last.at,
                "opted_out": _opted_out(state, state.lines.get(line), number),
            }
        )
    found.sort(key=lambda row: (str(row["last_at"]), str(row["number"])), reverse=True)
    return cursor_page("conversations", found, limit, cursor)


@service.tool()
def get_conversation(
    state: PhoneState,
    ctx: CallContext,
    number: PhoneNumber,
    line_id: LineId | None = None,
    query: Query | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """Read the text messages exchanged with a number on your lines, newest first; reading does not mark them.

    Errors: `no_conversation`.

    Args:
        number: Number of the other side.
        line_id: Only messages on this line.
        query: Only messages with all these words.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    rows = _with(state, number, line_id)
    found = [row for row in reversed(rows) if query is None or matches(query, row.text)]
    return {
        **cursor_page("messages", found, limit, cursor),
        "contact_name": name_of(state, number),
        "unread": _unread(rows),
    }


def _with(state: PhoneState, number: str, line_id: str | None) -> list[Message]:
    """The messages exchanged with a number on your lines, oldest first; 404 `no_conversation` when there are none."""
    rows = [
        row for (_, other), found in _conversations(state, line_id).items() if other == digits(number) for row in found
    ]
    if not rows:
        raise ToolError(404, "no_conversation", f"There are no text messages with {number}; see list_conversations.")
    return sorted(rows, key=lambda row: (row.at, row.id))


@service.tool(phrase="mark the messages with {number} as read")
def mark_conversation_read(state: PhoneState, ctx: CallContext, number: PhoneNumber) -> Json:
    """Mark all text messages from a number on your lines as read.

    Errors: `no_conversation`, `nothing_unread`.

    Args:
        number: Number of the other side.
    """
    unread = [row for row in _with(state, number, None) if not row.read]
    if not unread:
        raise conflict(f"All messages with {number} are read.", type="nothing_unread")
    for row in unread:
        state.messages.patch(row.id, read=True)
    return {"number": number, "marked": len(unread)}


@service.tool(phrase="send a text message to {number}")
def send_message(
    state: PhoneState, ctx: CallContext, number: PhoneNumber, text: SmsText, line_id: LineId | None = None
) -> Json:
    """Send a text message. Texts count in segments of 160 characters, of 70 with characters outside ASCII.

    Errors: `not_found`, `not_your_line`, `no_sms` (the line cannot send texts), `invalid_number`, `number_blocked`,
    `opted_out` (they wrote STOP), `too_long`, `allowance_used_up`, `blank_text`.

    Args:
        number: Number with country code.
        text: The message, at most 1600 characters.
        line_id: Line to send from; your direct line, if left out.
    """
    line, clean = _sendable(state, number, text, line_id, ctx.now[:7])
    return _shown(state, line, _create(state, line, clean, text, "sent", ctx.now))


def _sendable(state: PhoneState, number: str, text: str, line_id: str | None, month: str) -> tuple[Line, str]:
    """The line and the number of a message that may be sent in a month."""
    line = usable(state, line_id)
    clean = reachable(state, number)
    check_text(text, "text")
    if not line.sms_enabled:
        raise conflict(f"{line.label} cannot send text messages; choose another line.", type="no_sms")
    if len(text) > LONGEST:
        raise invalid(f"The text has {len(text)} characters; {LONGEST} are possible.", type="too_long")
    if _opted_out(state, line, clean):
        raise forbidden(f"{clean} wrote STOP to {line.label}; call instead.", type="opted_out")
    left = line.sms_allowance - used_segments(state, line.id, month)
    if segments(text) > left:
        raise conflict(
            f"{line.label} has {left} of {line.sms_allowance} segments left for {month}; this takes {segments(text)}.",
            type="allowance_used_up",
        )
    return line, clean


def _create(state: PhoneState, line: Line, number: str, text: str, status: str, at: str) -> Message:
    return state.messages.create(
        line_id=line.id, other_number=number, direction="outbound", text=text, status=status, at=at
    )


def _shown(state: PhoneState, line: Line, message: Message) -> Json:
    left = line.sms_allowance - used_segments(state, line.id, message.at[:7])
    return {**message.plain(), "segments": segments(message.text), "segments_left": left}


@service.tool(phrase="schedule a text message to {number} for {send_at}")
def schedule_message(
    state: PhoneState,
    ctx: CallContext,
    number: PhoneNumber,
    text: SmsText,
    send_at: f.Timestamp,
    line_id: LineId | None = None,
) -> Json:
    """Schedule a text message; nothing is sent between 21:00 and 07:00 UTC.

    Errors: `not_found`, `not_your_line`, `no_sms`, `invalid_number`, `number_blocked`, `opted_out`, `too_long`,
    `allowance_used_up` (in that month), `in_the_past`, `invalid_time`, `quiet_hours`, `blank_text`.

    Args:
        number: Number with country code.
        text: The message, at most 1600 characters.
        send_at: When to send it, UTC.
        line_id: Line to send from; your direct line, if left out.
    """
    moment = check_future(ctx, send_at, "time")
    line, clean = _sendable(state, number, text, line_id, moment[:7])
    if not _QUIET_UNTIL <= moment[11:16] < _QUIET_FROM:
        raise invalid(f"Nothing is sent between {_QUIET_FROM} and {_QUIET_UNTIL} UTC.", type="quiet_hours")
    return _shown(state, line, _create(state, line, clean, text, "scheduled", moment))


@service.tool(phrase="cancel the scheduled message {message_id}")
def cancel_scheduled_message(
    state: PhoneState, ctx: CallContext, message_id: Annotated[str, f.ref("messages")]
) -> Json:
    """Cancel a scheduled text message on one of your lines; it is removed.

    Errors: `not_found`, `not_your_line`, `not_scheduled`.

    Args:
        message_id: Id of the message.
    """
    row = state.messages.get(message_id)
    usable(state, row.line_id)
    if row.status != "scheduled":
        raise conflict(f"{message_id} is {row.status}; it cannot be taken back.", type="not_scheduled")
    state.messages.delete(message_id)
    return {"cancelled": message_id, "number": row.other_number, "text": row.text}
