"""Tools for planning meetings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Minutes,
    Name,
    Query,
    check_future,
    check_range,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.video_meetings.access import (
    BASIC_MINUTES,
    MeetingId,
    check_free,
    check_length,
    described,
    hosted,
    me,
    user_by,
)
from services_app.library.video_meetings.state import (
    AutoRecording,
    Meeting,
    MeetingsState,
    MeetingStatus,
    Plan,
    Registration,
    User,
    service,
)

Passcode = Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{6}$")]
RegistrationLimit = Annotated[int, f.count("people"), Field(ge=1, le=1000)]
MeetingOrder = Annotated[Literal["start", "-start", "topic"], LABEL]


@service.tool()
def list_users(
    state: MeetingsState,
    ctx: CallContext,
    query: Query | None = None,
    department: f.Label | None = None,
    plan: Plan | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the users of the account by name, with their plan and coming meetings.

    Args:
        query: Words in the name or address.
        department: Only users of this department.
        plan: Only users with this plan.
        limit: At most so many users.
        cursor: next_cursor of the previous page.
    """
    found = keep(
        search(state.users, query, lambda row: (row.name, row.email)),
        department=department,
        plan=plan,
    )
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("users", found, limit, cursor)
    page["users"] = [_shown_user(state, row) for row in page["users"]]
    return page


def _shown_user(state: MeetingsState, user: User) -> Json:
    coming = state.meetings.count(host_id=user.id, status="scheduled")
    return with_fields(
        user, scheduled_meetings=coming, longest_meeting_minutes=BASIC_MINUTES if user.plan == "basic" else 1440
    )


@service.tool()
def list_meetings(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: MeetingsState,
    ctx: CallContext,
    query: Query | None = None,
    host_email: f.Email | None = None,
    status: MeetingStatus | None = None,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    order_by: MeetingOrder = "start",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List meetings of the account, past and coming.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the topic, agenda or meeting number.
        host_email: Only meetings of this host.
        status: Only meetings in this status.
        from_day: Only meetings on or after this day.
        to_day: Only meetings on or before this day.
        order_by: By start, latest first (-start), or by topic.
        limit: At most so many meetings.
        cursor: next_cursor of the previous page.
    """
    check_range(from_day, to_day)
    found = keep(search(state.meetings, query, lambda row: (row.topic, row.agenda, row.number)), status=status)
    if host_email is not None:
        ids = {user.id for user in state.users if same(user.email, host_email)}
        found = [row for row in found if row.host_id in ids]
    found = [row for row in found if (from_day or "") <= row.start[:10] <= (to_day or "9")]
    found.sort(key=lambda row: (row.topic if order_by == "topic" else row.start, row.id), reverse=order_by == "-start")
    page = cursor_page("meetings", found, limit, cursor)
    page["meetings"] = [described(state, row) for row in page["meetings"]]
    return page


@service.tool()
def get_meeting(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId) -> Json:
    """Show a meeting with its settings, host, polls, recordings and number of participants.

    Errors: `not_found`.

    Args:
        meeting_id: Id of the meeting.
    """
    meeting = state.meetings.get(meeting_id)
    return {
        **described(state, meeting),
        "participants": state.participants.count(meeting_id=meeting_id),
        "in_waiting_room": state.participants.count(meeting_id=meeting_id, presence="waiting"),
        "polls": [row.question for row in state.polls.find(meeting_id=meeting_id)],
        "recording_ids": [row.id for row in state.recordings.find(meeting_id=meeting_id)],
        "has_summary": state.summaries.count(meeting_id=meeting_id) > 0,
    }


@service.tool(phrase="schedule the video meeting {topic} for {start}")
def schedule_meeting(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: MeetingsState,
    ctx: CallContext,
    topic: Name,
    start: f.Timestamp,
    duration_minutes: Minutes,
    agenda: f.Text = "",
    passcode: Passcode | None = None,
    waiting_room: bool = True,
    auto_recording: AutoRecording = "none",
    registration: Registration = "off",
    registration_limit: RegistrationLimit | None = None,
    alternative_host_email: f.Email | None = None,
) -> Json:
    """Schedule a meeting that you host.

    A host has one meeting at a time. Errors: `in_the_past`, `invalid_time`, `host_conflict`, `plan_limit`,
    `unknown_user`, `not_licensed` (an alternative host needs a licence), `registration_off` (a limit without
    registration), `blank_text`.

    Args:
        topic: What the meeting is called.
        start: When it begins, UTC.
        duration_minutes: Planned length.
        agenda: What is to be discussed.
        passcode: Six digits; drawn for you if left out.
        waiting_room: Whether the host lets people in one by one.
        auto_recording: Whether it is recorded in the cloud.
        registration: Off, approved automatically, or approved by the host.
        registration_limit: How many registrants can be approved.
        alternative_host_email: Colleague who may start it in your place.
    """
    begin = check_future(ctx, start, "start")
    host = me(state)
    check_length(host, duration_minutes)
    if registration == "off" and registration_limit is not None:
        raise invalid("A limit needs registration: automatic or manual.", type="registration_off")
    check_free(state, host.id, begin, duration_minutes)
    draw = ctx.random
    meeting = state.meetings.create(
        number=f"8{draw.randint(10, 99)} {draw.randint(1000, 9999)} {draw.randint(1000, 9999)}",
        topic=check_text(topic, "topic"),
        agenda=agenda,
        host_id=host.id,
        alternative_host_id=_alternative(state, host, alternative_host_email),
        start=begin,
        duration_minutes=duration_minutes,
        passcode=passcode or f"{draw.randint(0, 999_999):06d}",
        waiting_room=waiting_room,
        auto_recording=auto_recording,
        registration=registration,
        registration_limit=registration_limit,
    )
    return described(state, meeting)


def _alternative(state: MeetingsState, host: User, email: str | None) -> str | None:
    if email is None:
        return None
    user = user_by(state, email)
    if user.plan != "licensed" or user.id == host.id:
        raise invalid(f"{email} cannot stand in: choose a licensed colleague.", type="not_licensed")
    return user.id


@service.tool(phrase="change the settings of the meeting {meeting_id}")
def update_meeting(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: MeetingsState,
    ctx: CallContext,
    meeting_id: MeetingId,
    topic: Name | Unset = UNSET,
    agenda: f.Text | Unset = UNSET,
    start: f.Timestamp | Unset = UNSET,
    duration_minutes: Minutes | Unset = UNSET,
    waiting_room: bool | Unset = UNSET,
    auto_recording: AutoRecording | Unset = UNSET,
    registration_limit: RegistrationLimit | Unset | None = UNSET,
    alternative_host_email: f.Email | Unset | None = UNSET,
) -> Json:
    """Change a scheduled meeting that you host; what is left out stays. Registrants are told the new time.

    Errors: `not_found`, `not_host`, `meeting_live`, `meeting_ended`, `meeting_cancelled`, `in_the_past`,
    `invalid_time`, `host_conflict`, `plan_limit`, `registration_off`, `below_approved` (more people are approved than
    the new limit), `unknown_user`, `not_licensed`, `blank_text`, `nothing_to_change`.

    Args:
        meeting_id: Id of the meeting.
        topic: New topic.
        agenda: New agenda.
        start: New start, UTC.
        duration_minutes: New planned length.
        waiting_room: Whether the host lets people in one by one.
        auto_recording: Whether it is recorded in the cloud.
        registration_limit: How many registrants can be approved; null for no limit.
        alternative_host_email: Colleague who may start it; null for nobody.
    """
    meeting = hosted(state, meeting_id, "scheduled")
    changes = given(
        topic=topic,
        agenda=agenda,
        start=start,
        duration_minutes=duration_minutes,
        waiting_room=waiting_room,
        auto_recording=auto_recording,
        registration_limit=registration_limit,
    )
    host = state.users.get(meeting.host_id)
    if not isinstance(alternative_host_email, Unset):
        changes["alternative_host_id"] = _alternative(state, host, alternative_host_email)
    _check_changes(state, ctx, meeting, some_changes(changes))
    return described(state, state.meetings.patch(meeting_id, **changes))


def _check_changes(state: MeetingsState, ctx: CallContext, meeting: Meeting, changes: Json) -> None:
    if "topic" in changes:
        check_text(changes["topic"], "topic")
    if "start" in changes:
        check_future(ctx, changes["start"], "start")
    if changes.keys() & {"start", "duration_minutes"}:
        minutes = changes.get("duration_minutes", meeting.duration_minutes)
        check_length(state.users.get(meeting.host_id), minutes)
        check_free(state, meeting.host_id, changes.get("start", meeting.start), minutes, but=meeting.id)
    limit = changes.get("registration_limit")
    if limit is None:
        return
    if meeting.registration == "off":
        raise invalid(f"Meeting {meeting.id} has no registration to limit.", type="registration_off")
    approved = state.registrants.count(meeting_id=meeting.id, status="approved")
    if approved > limit:
        raise conflict(f"{approved} people are approved already; the limit cannot be {limit}.", type="below_approved")


@service.tool(phrase="cancel the meeting {meeting_id}")
def cancel_meeting(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId, reason: f.Text = "") -> Json:
    """Cancel a scheduled meeting that you host; its registrations are cancelled with it.

    Errors: `not_found`, `not_host`, `meeting_live`, `meeting_ended`, `meeting_cancelled`.

    Args:
        meeting_id: Id of the meeting.
        reason: Why, for the people who were coming.
    """
    hosted(state, meeting_id, "scheduled")
    told = [row for row in state.registrants.find(meeting_id=meeting_id) if row.status in ("approved", "pending")]
    for row in told:
        state.registrants.patch(row.id, status="cancelled")
    meeting = state.meetings.patch(meeting_id, status="cancelled", cancel_reason=reason)
    return {**described(state, meeting), "notified": [row.email for row in told]}


@service.tool()
def get_invitation(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId) -> Json:
    """Give the text to paste into an invitation: topic, time, link, meeting number and passcode.

    Errors: `not_found`, `meeting_cancelled`, `meeting_ended`.

    Args:
        meeting_id: Id of the meeting.
    """
    meeting = state.meetings.get(meeting_id)
    if meeting.status in ("cancelled", "ended"):
        raise conflict(
            f"Meeting {meeting_id} is {meeting.status}; nobody can join it.", type=f"meeting_{meeting.status}"
        )
    host = state.users.get(meeting.host_id)
    digits = meeting.number.replace(" ", "")
    register = "register" if meeting.registration != "off" else "j"
    url = f"https://meet.larkfield.example/{register}/{digits}"
    text = (
        f"{host.name} is inviting you to a video meeting.\n\nTopic: {meeting.topic}\nTime: {meeting.start} "
        f"({meeting.duration_minutes} minutes)\nLink: {url}\nMeeting number: {meeting.number}\n"
        f"Passcode: {meeting.passcode}"
    )
    return {"meeting_id": meeting_id, "join_url": url, "invitation": text}
