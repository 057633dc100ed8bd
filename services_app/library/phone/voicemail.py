"""Tools for voicemail."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.phone.access import (
    LineId,
    PhoneNumber,
    contact_of,
    me,
    own_line_ids,
    same_number,
    usable,
    user_by,
)
from services_app.library.phone.state import PhoneState, Voicemail, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    matches,
    newest_first,
    with_fields,
)

VoicemailId = Annotated[str, f.ref("voicemails")]


def _own(state: PhoneState, voicemail_id: str) -> Voicemail:
    """A voicemail on a line of yours; 403 `not_your_line` otherwise."""
    row = state.voicemails.get(voicemail_id)
    usable(state, row.line_id)
    return row


def _shown(state: PhoneState, row: Voicemail) -> Json:
    contact = contact_of(state, row.from_number)
    forwarded = state.users.first(id=row.forwarded_to) if row.forwarded_to else None
    return with_fields(
        row,
        line=state.lines.get(row.line_id).label,
        contact_name=contact.name if contact else None,
        company=contact.company if contact else None,
        forwarded_to_name=forwarded.name if forwarded else None,
    )


@service.tool()
def list_voicemails(
    state: PhoneState,
    ctx: CallContext,
    query: Query | None = None,
    heard: bool | None = None,
    line_id: LineId | None = None,
    number: PhoneNumber | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List voicemail on your lines with its transcript, newest first; listing does not mark it as heard.

    Args:
        query: Words in the transcript or in the name or company of the caller.
        heard: Only heard (true) or new (false) voicemail.
        line_id: Only voicemail of this line.
        number: Only voicemail from this number.
        limit: At most so many.
        cursor: next_cursor of the previous page.
    """
    own = own_line_ids(state)
    rows = [row for row in keep(state.voicemails, heard=heard, line_id=line_id) if row.line_id in own]
    rows = [row for row in rows if number is None or same_number(row.from_number, number)]
    shown = [_shown(state, row) for row in newest_first(rows, "left_at")]
    found = [
        row
        for row in shown
        if query is None or matches(query, row["transcript"], row["contact_name"] or "", row["company"] or "")
    ]
    return {**cursor_page("voicemails", found, limit, cursor), "new": sum(1 for row in found if not row["heard"])}


@service.tool(phrase="mark the voicemail {voicemail_id} as heard or new")
def mark_voicemail(state: PhoneState, ctx: CallContext, voicemail_id: VoicemailId, heard: bool = True) -> Json:
    """Mark a voicemail on one of your lines as heard, or as new again.

    Errors: `not_found`, `not_your_line`, `no_change`.

    Args:
        voicemail_id: Id of the voicemail.
        heard: True for heard, false for new.
    """
    row = _own(state, voicemail_id)
    if row.heard == heard:
        raise conflict(f"{voicemail_id} is {'heard' if heard else 'new'} already.", type="no_change")
    return _shown(state, state.voicemails.patch(voicemail_id, heard=heard))


@service.tool(phrase="forward the voicemail {voicemail_id} to {to_email}")
def forward_voicemail(
    state: PhoneState, ctx: CallContext, voicemail_id: VoicemailId, to_email: f.Email, comment: f.Text = ""
) -> Json:
    """Forward a voicemail on one of your lines to a colleague.

    Errors: `not_found`, `not_your_line`, `unknown_user`, `same_user` (yourself), `already_forwarded`.

    Args:
        voicemail_id: Id of the voicemail.
        to_email: Address of the colleague.
        comment: A word to them.
    """
    row = _own(state, voicemail_id)
    user = user_by(state, to_email)
    if user.id == me(state).id:
        raise conflict("You have this voicemail; name a colleague.", type="same_user")
    if row.forwarded_to == user.id:
        raise conflict(f"{voicemail_id} was forwarded to {user.name} already.", type="already_forwarded")
    return _shown(state, state.voicemails.patch(voicemail_id, forwarded_to=user.id, forward_comment=comment))


@service.tool(phrase="delete the voicemail {voicemail_id}")
def delete_voicemail(state: PhoneState, ctx: CallContext, voicemail_id: VoicemailId) -> Json:
    """Delete a voicemail on one of your lines for good; new ones have to be heard first.

    Errors: `not_found`, `not_your_line`, `not_heard`.

    Args:
        voicemail_id: Id of the voicemail.
    """
    row = _own(state, voicemail_id)
    if not row.heard:
        raise conflict(f"{voicemail_id} has not been heard; mark it as heard first.", type="not_heard")
    state.voicemails.delete(voicemail_id)
    return {"deleted": voicemail_id, "left_on_line": state.voicemails.count(line_id=row.line_id)}
