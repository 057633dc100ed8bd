"""Tools for who has signed up."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)
from services_app.library.video_meetings.access import MeetingId, hosted, in_status
from services_app.library.video_meetings.state import (
    Meeting,
    MeetingsState,
    Registrant,
    RegistrantStatus,
    service,
)

RegistrantId = Annotated[str, f.ref("registrants")]
Decision = Annotated[Literal["approve", "deny", "cancel"], LABEL]
_RESULT = {"approve": "approved", "deny": "denied", "cancel": "cancelled"}


@service.tool()
def list_registrants(
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    status: RegistrantStatus | None = None,
    query: Query | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List who has registered for a meeting and what they asked, earliest first.

    Errors: `not_found`.

    Args:
        meeting_id: Id of the meeting.
        status: Only registrants in this status.
        query: Words in the name, address, organization or comments.
        limit: At most so many registrants.
        cursor: next_cursor of the previous page.
    """
    meeting = state.meetings.get(meeting_id)
    rows = state.registrants.find(meeting_id=meeting_id)
    found = keep(
        search(rows, query, lambda row: (row.name, row.email, row.organization, row.comments)),
        status=status,
    )
    found.sort(key=lambda row: (row.registered_at, row.id))
    return {**cursor_page("registrants", found, limit, cursor), "places_left": _places(state, meeting)}


def _places(state: MeetingsState, meeting: Meeting) -> int | None:
    """How many more can be approved; None without a limit."""
    if meeting.registration_limit is None:
        return None
    return max(0, meeting.registration_limit - state.registrants.count(meeting_id=meeting.id, status="approved"))


@service.tool(phrase="register {email} for the meeting {meeting_id}")
def add_registrant(
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    email: f.Email,
    name: f.Person,
    organization: f.Organisation = "",
    comments: f.Text = "",
) -> Json:
    """Register someone for a scheduled meeting; with manual approval they wait for the host.

    Errors: `not_found`, `registration_off`, `meeting_live`, `meeting_ended`, `meeting_cancelled`,
    `already_registered`, `registration_full`, `blank_text`.

    Args:
        meeting_id: Id of the meeting.
        email: Address of the person.
        name: Full name.
        organization: Where they work.
        comments: Their question or comment for the host.
    """
    meeting = in_status(state.meetings.get(meeting_id), "scheduled")
    if meeting.registration == "off":
        raise conflict(f"Meeting {meeting_id} takes no registrations; send the invitation.", type="registration_off")
    for row in state.registrants.find(meeting_id=meeting_id):
        if same(row.email, email) and row.status != "cancelled":
            raise conflict(f"{email} is registered already ({row.id}, {row.status}).", type="already_registered")
    if meeting.registration == "automatic":
        _check_places(state, meeting)
    row = state.registrants.create(
        meeting_id=meeting_id,
        name=check_text(name, "name"),
        email=email,
        organization=organization,
        comments=comments,
        status="approved" if meeting.registration == "automatic" else "pending",
        registered_at=ctx.now,
    )
    return with_fields(row, places_left=_places(state, meeting))


def _check_places(state: MeetingsState, meeting: Meeting) -> None:
    if _places(state, meeting) == 0:
        raise conflict(
            f"All {meeting.registration_limit} places of {meeting.id} are taken; raise the limit or cancel someone.",
            type="registration_full",
        )


@service.tool(phrase="{action} the registration {registrant_id}")
def update_registrant_status(
    state: MeetingsState, ctx: CallContext, registrant_id: RegistrantId, action: Decision
) -> Registrant:
    """Approve, deny or cancel a registration for a scheduled meeting that you host.

    Errors: `not_found`, `not_host`, `meeting_live`, `meeting_ended`, `meeting_cancelled`, `registration_full`,
    `same_status`.

    Args:
        registrant_id: Id of the registrant.
        action: What to do.
    """
    row = state.registrants.get(registrant_id)
    meeting = hosted(state, row.meeting_id, "scheduled")
    if row.status == _RESULT[action]:
        raise conflict(f"{row.email} is {row.status} already.", type="same_status")
    if action == "approve":
        _check_places(state, meeting)
    return state.registrants.patch(registrant_id, status=_RESULT[action])
