"""Tools for a meeting that runs: start, waiting room, chat, end."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    plus_minutes,
    same,
    search,
    with_fields,
)
from services_app.library.video_meetings.access import MeetingId, described, hosted, in_status, me
from services_app.library.video_meetings.state import ChatMessage, MeetingsState, Participant, Presence, service

EARLY_MINUTES = 30
MB_PER_MINUTE = 4


@service.tool(phrase="start the meeting {meeting_id}")
def start_meeting(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId) -> Json:
    """Start a scheduled meeting that you host, at most half an hour before its time; you join it.

    You leave the meeting you are in; approved registrants stand in the waiting room. Errors: `not_found`, `not_host`,
    `meeting_live`, `meeting_ended`, `meeting_cancelled`, `too_early`, `host_in_meeting` (its host runs another one).

    Args:
        meeting_id: Id of the meeting.
    """
    meeting = hosted(state, meeting_id, "scheduled")
    if plus_minutes(ctx.now, EARLY_MINUTES) < meeting.start:
        raise conflict(f"It begins at {meeting.start}; start it {EARLY_MINUTES} minutes before.", type="too_early")
    other = state.meetings.first(status="live", host_id=meeting.host_id)
    if other is not None:
        raise conflict(f"The host runs {other.id} ({other.topic}); end it first.", type="host_in_meeting")
    user = me(state)
    for left in state.participants.find(email=user.email, presence="in_meeting"):
        state.participants.patch(left.id, presence="left", left_at=ctx.now)
    _join(state, ctx, meeting_id, user.name, user.email, "in_meeting")
    presence = "waiting" if meeting.waiting_room else "in_meeting"
    for row in state.registrants.find(meeting_id=meeting_id, status="approved"):
        if not same(row.email, user.email):
            _join(state, ctx, meeting_id, row.name, row.email, presence)
    return described(state, state.meetings.patch(meeting_id, status="live", started_at=ctx.now))


def _join(state: MeetingsState, ctx: CallContext, meeting_id: str, name: str, email: str, presence: str) -> None:
    state.participants.create(meeting_id=meeting_id, name=name, email=email, presence=presence, joined_at=ctx.now)


@service.tool(phrase="end the meeting {meeting_id} for everyone")
def end_meeting(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId) -> Json:
    """End a running meeting that you host for everyone; open polls close and a cloud recording is saved.

    Errors: `not_found`, `not_host`, `not_live`, `meeting_ended`, `meeting_cancelled`.

    Args:
        meeting_id: Id of the meeting.
    """
    meeting = hosted(state, meeting_id, "live")
    for row in state.participants.find(meeting_id=meeting_id):
        if row.presence in ("waiting", "in_meeting"):
            state.participants.patch(row.id, presence="left", left_at=ctx.now)
    for poll in state.polls.find(meeting_id=meeting_id, status="open"):
        state.polls.patch(poll.id, status="closed")
    minutes = max(1, minutes_between(meeting.started_at or ctx.now, ctx.now))
    recording = None
    if meeting.auto_recording == "cloud":
        recording = state.recordings.create(
            meeting_id=meeting_id,
            title=meeting.topic,
            recorded_at=meeting.started_at or ctx.now,
            minutes=minutes,
            size_mb=minutes * MB_PER_MINUTE,
            access="internal",
        )
    ended = state.meetings.patch(meeting_id, status="ended", ended_at=ctx.now)
    return {**described(state, ended), "recording_id": recording.id if recording else None}


@service.tool()
def list_participants(
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    presence: Presence | None = None,
    query: Query | None = None,
) -> Json:
    """List who is or was in a meeting, how long each was there, and which approved registrants did not come.

    Errors: `not_found`, `not_live` (it has not started), `meeting_cancelled`.

    Args:
        meeting_id: Id of the meeting.
        presence: Only people who are waiting, in the meeting, have left or were removed.
        query: Words in the name or address.
    """
    in_status(state.meetings.get(meeting_id), "live", "ended")
    rows = state.participants.find(meeting_id=meeting_id)
    came = {row.email.lower() for row in rows}
    approved = state.registrants.find(meeting_id=meeting_id, status="approved")
    found = keep(search(rows, query, lambda row: (row.name, row.email)), presence=presence)
    return {
        "participants": [with_fields(row, minutes=_minutes(row, ctx.now)) for row in found],
        "total": len(found),
        "registered_but_absent": [row.email for row in approved if row.email.lower() not in came],
    }


def _minutes(row: Participant, now: str) -> int:
    return 0 if row.presence == "waiting" else minutes_between(row.joined_at, row.left_at or now)


@service.tool(
    phrase="let {participant_id} in from the waiting room", examples=(Example({"participant_id": "PTC-0005"}),)
)
def admit_participant(
    state: MeetingsState, ctx: CallContext, participant_id: Annotated[str, f.ref("participants")]
) -> Participant:
    """Let someone in from the waiting room of a running meeting that you host.

    Errors: `not_found`, `not_host`, `not_live`, `meeting_ended`, `meeting_cancelled`, `not_waiting`.

    Args:
        participant_id: Id of the participant.
    """
    row = state.participants.get(participant_id)
    hosted(state, row.meeting_id, "live")
    if row.presence != "waiting":
        raise conflict(f"{row.name} is not in the waiting room but {row.presence}.", type="not_waiting")
    return state.participants.patch(participant_id, presence="in_meeting", joined_at=ctx.now)


@service.tool(phrase="write in the chat of the meeting {meeting_id}")
def send_chat_message(
    state: MeetingsState, ctx: CallContext, meeting_id: MeetingId, text: Body, to_email: f.Email | None = None
) -> ChatMessage:
    """Write in the chat of a running meeting that you are in, to everyone or to one participant.

    Errors: `not_found`, `not_live`, `meeting_ended`, `meeting_cancelled`, `not_in_meeting` (you are not),
    `recipient_absent`, `blank_text`.

    Args:
        meeting_id: Id of the meeting.
        text: The message.
        to_email: Only for this participant; everyone, if left out.
    """
    in_status(state.meetings.get(meeting_id), "live")
    present = [row.email for row in state.participants.find(meeting_id=meeting_id, presence="in_meeting")]
    if not any(same(email, ME.email) for email in present):
        raise forbidden(f"You are not in {meeting_id}; only people in the meeting can write.", type="not_in_meeting")
    if to_email is not None and not any(same(email, to_email) for email in present):
        raise invalid(f"{to_email} is not in the meeting; see list_participants.", type="recipient_absent")
    check_text(text, "text")
    return state.chat_messages.create(
        meeting_id=meeting_id, sender_name=ME.name, sender_email=ME.email, to_email=to_email, text=text, sent_at=ctx.now
    )


@service.tool()
def list_chat_messages(
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    query: Query | None = None,
    sender_email: f.Email | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """Show the chat of a meeting in the order written; private messages of other people are left out.

    Errors: `not_found`.

    Args:
        meeting_id: Id of the meeting.
        query: Words that must all occur.
        sender_email: Only messages of this person.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    state.meetings.get(meeting_id)
    rows = [
        row
        for row in state.chat_messages.find(meeting_id=meeting_id)
        if row.to_email is None or same(row.to_email, ME.email) or same(row.sender_email, ME.email)
    ]
    found = keep(search(rows, query, lambda row: (row.text,)), sender_email=sender_email)
    found.sort(key=lambda row: (row.sent_at, row.id))
    return cursor_page("messages", found, limit, cursor)
