"""Who may do what with meetings and recordings, and how answers show them."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, days_between, minutes_between, plus_minutes, same
from services_app.library.video_meetings.state import Meeting, MeetingsState, Recording, User

MeetingId = Annotated[str, f.ref("meetings")]
RecordingId = Annotated[str, f.ref("recordings")]

BASIC_MINUTES = 40
TRASH_DAYS = 30


def me(state: MeetingsState) -> User:
    """The signed-in user."""
    return user_by(state, ME.email)


def user_by(state: MeetingsState, email: str) -> User:
    """The user with this address; 422 `unknown_user` otherwise."""
    for user in state.users:
        if same(user.email, email):
            return user
    raise invalid(f"{email} has no account here; see list_users.", type="unknown_user")


def hosts(state: MeetingsState, meeting: Meeting) -> bool:
    """Whether you are the host or the alternative host of a meeting."""
    return me(state).id in (meeting.host_id, meeting.alternative_host_id)


def hosted(state: MeetingsState, meeting_id: str, *statuses: str) -> Meeting:
    """A meeting that you host, in one of these statuses.

    Raises 403 `not_host`, 409 `meeting_ended` | `meeting_cancelled` | `meeting_live` | `not_live`.
    """
    meeting = state.meetings.get(meeting_id)
    if not hosts(state, meeting):
        host = state.users.get(meeting.host_id)
        raise forbidden(f"Only the host, {host.name} ({host.email}), may do this.", type="not_host")
    return in_status(meeting, *statuses)


def in_status(meeting: Meeting, *statuses: str) -> Meeting:
    """The meeting, when it is in one of these statuses; 409 otherwise."""
    if meeting.status in statuses:
        return meeting
    if meeting.status == "cancelled":
        raise conflict(f"Meeting {meeting.id} is cancelled; schedule a new one.", type="meeting_cancelled")
    if meeting.status == "ended":
        raise conflict(f"Meeting {meeting.id} ended at {meeting.ended_at} and stays as it is.", type="meeting_ended")
    if meeting.status == "live":
        raise conflict(f"Meeting {meeting.id} is running; end it first.", type="meeting_live")
    raise conflict(f"Meeting {meeting.id} has not started; it begins at {meeting.start}.", type="not_live")


def check_length(host: User, minutes: int) -> None:
    """422 `plan_limit` for a meeting longer than the plan of its host allows."""
    if host.plan == "basic" and minutes > BASIC_MINUTES:
        raise invalid(
            f"{host.name} has the basic plan: meetings last at most {BASIC_MINUTES} minutes.", type="plan_limit"
        )


def check_free(state: MeetingsState, host_id: str, start: str, minutes: int, *, but: str = "") -> None:
    """409 `host_conflict` when the host has another meeting that shares time with this one."""
    end = plus_minutes(start, minutes)
    for other in state.meetings.find(host_id=host_id):
        if other.id == but or other.status not in ("scheduled", "live"):
            continue
        if other.start < end and start < plus_minutes(other.start, other.duration_minutes):
            raise conflict(
                f"The host has {other.id} ({other.topic}) from {other.start} for {other.duration_minutes} minutes; "
                "choose another time.",
                type="host_conflict",
            )


def readable(state: MeetingsState, recording_id: str) -> Recording:
    """A recording that you may watch; 403 `no_access`, 409 `in_trash` otherwise."""
    recording = state.recordings.get(recording_id)
    if not may_watch(state, recording):
        host = state.users.get(state.meetings.get(recording.meeting_id).host_id)
        raise forbidden(f"The recording is restricted; ask its host {host.name} to share it.", type="no_access")
    if recording.deleted_on is not None:
        raise conflict(
            f"{recording.id} is in the trash since {recording.deleted_on}; recover it first.", type="in_trash"
        )
    return recording


def may_watch(state: MeetingsState, recording: Recording) -> bool:
    if recording.access != "restricted" or hosts(state, state.meetings.get(recording.meeting_id)):
        return True
    return any(same(row.email, ME.email) for row in state.recording_shares.find(recording_id=recording.id))


def described(state: MeetingsState, meeting: Meeting) -> Json:
    """A meeting as answers show it: fields, host and figures."""
    host = state.users.get(meeting.host_id)
    other = state.users.first(id=meeting.alternative_host_id) if meeting.alternative_host_id else None
    registrants = state.registrants.find(meeting_id=meeting.id)
    length = minutes_between(meeting.started_at, meeting.ended_at) if meeting.started_at and meeting.ended_at else None
    return {
        **meeting.plain(),
        "host_name": host.name,
        "host_email": host.email,
        "alternative_host_email": other.email if other else None,
        "end": plus_minutes(meeting.start, meeting.duration_minutes),
        "actual_minutes": length,
        "approved_registrants": sum(1 for row in registrants if row.status == "approved"),
        "pending_registrants": sum(1 for row in registrants if row.status == "pending"),
    }


def left_in_trash(ctx: CallContext, deleted_on: str) -> int:
    """Days for which a recording in the trash can still be recovered."""
    return TRASH_DAYS - days_between(deleted_on, ctx.today)
