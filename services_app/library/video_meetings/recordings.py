"""Tools for cloud recordings, transcripts and summaries."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import outside
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    check_range,
    cursor_page,
    keep,
    matches,
    newest_first,
    same,
    search,
    with_fields,
)
from services_app.library.video_meetings.access import (
    TRASH_DAYS,
    MeetingId,
    RecordingId,
    hosted,
    left_in_trash,
    may_watch,
    readable,
)
from services_app.library.video_meetings.state import MeetingsState, Recording, RecordingShare, Summary, service


@service.tool()
def list_recordings(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: MeetingsState,
    ctx: CallContext,
    query: Query | None = None,
    host_email: f.Email | None = None,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    in_trash: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List cloud recordings that you may watch, newest first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the title or in what was said.
        host_email: Only recordings of meetings of this host.
        from_day: Only recordings on or after this day.
        to_day: Only recordings on or before this day.
        in_trash: List what was deleted instead.
        limit: At most so many recordings.
        cursor: next_cursor of the previous page.
    """
    check_range(from_day, to_day)
    found = [
        row
        for row in state.recordings
        if may_watch(state, row)
        and (row.deleted_on is not None) == in_trash
        and (from_day or "") <= row.recorded_at[:10] <= (to_day or "9")
        and (query is None or matches(query, row.title, *_said(state, row)))
        and (host_email is None or same(_host_email(state, row), host_email))
    ]
    found = newest_first(found, "recorded_at")
    page = cursor_page("recordings", found, limit, cursor)
    page["recordings"] = [_shown(state, ctx, row) for row in page["recordings"]]
    return page


def _said(state: MeetingsState, recording: Recording) -> list[str]:
    return [row.text for row in state.transcript_lines.find(recording_id=recording.id)]


def _host_email(state: MeetingsState, recording: Recording) -> str:
    return state.users.get(state.meetings.get(recording.meeting_id).host_id).email


def _shown(state: MeetingsState, ctx: CallContext, recording: Recording) -> Json:
    days = left_in_trash(ctx, recording.deleted_on) if recording.deleted_on else None
    return with_fields(recording, host_email=_host_email(state, recording), days_left_in_trash=days)


@service.tool()
def get_recording(state: MeetingsState, ctx: CallContext, recording_id: RecordingId) -> Json:
    """Show a recording with its length, speakers and the people it is shared with.

    Errors: `not_found`, `no_access`, `in_trash`.

    Args:
        recording_id: Id of the recording.
    """
    recording = readable(state, recording_id)
    lines = state.transcript_lines.find(recording_id=recording_id)
    return {
        **_shown(state, ctx, recording),
        "speakers": sorted({row.speaker for row in lines}),
        "transcript_lines": len(lines),
        "shares": state.recording_shares.find(recording_id=recording_id),
    }


@service.tool()
def get_transcript(
    state: MeetingsState,
    ctx: CallContext,
    recording_id: RecordingId,
    query: Query | None = None,
    speaker: f.Person | None = None,
    limit: Limit = 40,
    cursor: Cursor = "",
) -> Json:
    """Read what was said in a recording, line by line.

    Errors: `not_found`, `no_access`, `in_trash`.

    Args:
        recording_id: Id of the recording.
        query: Only lines with all these words.
        speaker: Only lines of this person, by full name.
        limit: At most so many lines.
        cursor: next_cursor of the previous page.
    """
    readable(state, recording_id)
    rows = state.transcript_lines.find(recording_id=recording_id)
    found = keep(search(rows, query, lambda row: (row.text,)), speaker=speaker)
    found.sort(key=lambda row: (row.at_minute, row.id))
    return cursor_page("lines", found, limit, cursor)


@service.tool(phrase="share the recording {recording_id} with {email}")
def share_recording(
    state: MeetingsState,
    ctx: CallContext,
    recording_id: RecordingId,
    email: f.Email,
    can_download: bool = False,
    expires_on: f.Date | None = None,
) -> RecordingShare:
    """Share a recording of a meeting that you host; what was shared before is replaced.

    Only recordings marked as shareable may leave the company, and then with an end date. Errors: `not_found`,
    `not_host`, `in_trash`, `internal_only`, `end_date_needed`, `in_the_past`, `invalid_time`.

    Args:
        recording_id: Id of the recording.
        email: Who may watch it.
        can_download: Whether they may also download it.
        expires_on: Last day; required for people outside the company.
    """
    recording = _own(state, recording_id)
    if recording.deleted_on is not None:
        raise conflict(f"{recording_id} is in the trash; recover it first.", type="in_trash")
    if outside(email) and recording.access != "shareable":
        raise forbidden(f"{recording_id} is {recording.access}; it may not leave the company.", type="internal_only")
    if outside(email) and expires_on is None:
        raise conflict("A share with someone outside the company needs expires_on.", type="end_date_needed")
    if expires_on is not None:
        check_future(ctx, f"{expires_on}T23:59:59Z", "last day")
    for row in state.recording_shares.find(recording_id=recording_id):
        if same(row.email, email):
            return state.recording_shares.patch(row.id, can_download=can_download, expires_on=expires_on)
    return state.recording_shares.create(
        recording_id=recording_id, email=email, can_download=can_download, expires_on=expires_on
    )


def _own(state: MeetingsState, recording_id: str) -> Recording:
    """A recording of a meeting that you host; 403 `not_host` otherwise."""
    recording = state.recordings.get(recording_id)
    hosted(state, recording.meeting_id, "ended", "live", "scheduled", "cancelled")
    return recording


@service.tool(phrase="move the recording {recording_id} to the trash")
def delete_recording(state: MeetingsState, ctx: CallContext, recording_id: RecordingId) -> Json:
    """Move a recording of a meeting that you host to the trash, from where it can be recovered for thirty days.

    Errors: `not_found`, `not_host`, `in_trash`, `legal_hold`.

    Args:
        recording_id: Id of the recording.
    """
    recording = _own(state, recording_id)
    if recording.legal_hold:
        raise forbidden(f"{recording_id} is under legal hold; it must be kept.", type="legal_hold")
    if recording.deleted_on is not None:
        raise conflict(f"{recording_id} is in the trash since {recording.deleted_on}.", type="in_trash")
    return _shown(state, ctx, state.recordings.patch(recording_id, deleted_on=ctx.today))


@service.tool(phrase="recover the recording {recording_id} from the trash")
def recover_recording(state: MeetingsState, ctx: CallContext, recording_id: RecordingId) -> Json:
    """Take a recording of a meeting that you host out of the trash.

    Errors: `not_found`, `not_host`, `not_in_trash`, `retention_over` (deleted more than thirty days ago).

    Args:
        recording_id: Id of the recording.
    """
    recording = _own(state, recording_id)
    if recording.deleted_on is None:
        raise conflict(f"{recording_id} is not in the trash.", type="not_in_trash")
    if left_in_trash(ctx, recording.deleted_on) < 0:
        raise conflict(
            f"{recording_id} was deleted on {recording.deleted_on}; recordings are kept for {TRASH_DAYS} days.",
            type="retention_over",
        )
    return _shown(state, ctx, state.recordings.patch(recording_id, deleted_on=None))


@service.tool()
def get_meeting_summary(state: MeetingsState, ctx: CallContext, meeting_id: MeetingId) -> Summary:
    """Read the written summary of a meeting: what was agreed and the next steps.

    Errors: `not_found`, `no_summary`.

    Args:
        meeting_id: Id of the meeting.
    """
    meeting = state.meetings.get(meeting_id)
    found = state.summaries.first(meeting_id=meeting_id)
    if found is None:
        raise ToolError(404, "no_summary", f"There is no summary of {meeting.id} ({meeting.status}).")
    return found
