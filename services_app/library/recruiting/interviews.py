"""Tools for interviews and what the interviewers say."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.recruiting.applications import ApplicationId
from services_app.library.recruiting.pipeline import (
    active_application,
    clash,
    load_of,
    may_be_contacted,
    user_by_email,
)
from services_app.library.recruiting.state import (
    Interview,
    InterviewStatus,
    Recommendation,
    RecruitingState,
    Scorecard,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    check_future,
    check_range,
    check_text,
    cursor_page,
    is_weekend,
    keep,
    plus_minutes,
    same,
    with_fields,
)

InterviewId = Annotated[str, f.ref("interviews")]
Length = Annotated[int, f.duration("minutes"), Field(ge=15, le=240)]
Panel = Annotated[list[f.Email], Field(min_length=1, max_length=4)]
OPENS, CLOSES = "07:00", "18:00"


def _shown(state: RecruitingState, interview: Interview) -> Json:
    application = state.applications.get(interview.application_id)
    cards = state.scorecards.find(interview_id=interview.id)
    return with_fields(
        interview,
        end=plus_minutes(interview.start, interview.minutes),
        candidate_name=state.candidates.get(application.candidate_id).name,
        job_title=state.jobs.get(application.job_id).title,
        stage=state.stages.get(interview.stage_id).name,
        scorecards_due=[
            email for email in interview.interviewer_emails if not any(same(email, c.interviewer_email) for c in cards)
        ],
    )


@service.tool()
def list_interviews(
    state: RecruitingState,
    ctx: CallContext,
    interviewer_email: f.Email | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    status: InterviewStatus | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List interviews by time, each with the interviewers whose scorecards are due.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        interviewer_email: Only interviews with this interviewer.
        from_date: Only interviews on this day or later.
        to_date: Only interviews on this day or earlier.
        status: Only interviews in this status.
        limit: At most so many interviews.
        cursor: next_cursor of the previous page.
    """
    check_range(from_date, to_date)
    found = [
        row
        for row in keep(state.interviews, status=status)
        if (from_date or "") <= row.start[:10] <= (to_date or "9999")
        and (interviewer_email is None or any(same(interviewer_email, email) for email in row.interviewer_emails))
    ]
    found.sort(key=lambda row: (row.start, row.id))
    page = cursor_page("interviews", found, limit, cursor)
    page["interviews"] = [_shown(state, row) for row in page["interviews"]]
    return page


@service.tool(phrase="schedule an interview for the application {application_id} at {start}")
def schedule_interview(
    state: RecruitingState,
    ctx: CallContext,
    application_id: ApplicationId,
    interviewer_emails: Panel,
    start: f.Timestamp,
    minutes: Length = 60,
    place: Annotated[str, f.Semantic("place"), Field(max_length=120)] = "Video call",
) -> Json:
    """Schedule an interview for the present stage of an active application, on a weekday from 07:00 to 18:00 UTC.

    Errors: `not_found`, `not_active`, `wrong_stage` (no interviews in this stage), `do_not_contact`,
    `unknown_interviewer`, `same_interviewer_twice`, `invalid_time`, `in_the_past`, `outside_hours`,
    `interviewer_busy`, `interviewer_full` (no interview left in that week), `candidate_busy`.

    Args:
        application_id: Id of the application.
        interviewer_emails: Addresses of one to four interviewers.
        start: When it starts.
        minutes: How long it takes.
        place: Room or "Video call".
    """
    application = active_application(state, application_id)
    stage = state.stages.get(application.stage_id)
    if not stage.has_interviews:
        raise conflict(f"There are no interviews in {stage.name}; move the application on.", type="wrong_stage")
    may_be_contacted(state.candidates.get(application.candidate_id))
    panel = [user_by_email(state, email, "interviewer").email for email in interviewer_emails]
    if len(set(panel)) < len(panel):
        raise invalid("Name each interviewer once.", type="same_interviewer_twice")
    moment = _check_time(ctx, start, minutes)
    _check_panel(state, panel, application.candidate_id, moment, minutes)
    interview = state.interviews.create(
        application_id=application_id,
        stage_id=stage.id,
        interviewer_emails=tuple(panel),
        start=moment,
        minutes=minutes,
        place=place,
        status="scheduled",
    )
    return _shown(state, interview)


def _check_time(ctx: CallContext, start: str, minutes: int) -> str:
    moment = check_future(ctx, start, "start")
    end = plus_minutes(moment, minutes)
    late = end[:10] != moment[:10] or end[11:16] > CLOSES
    if is_weekend(moment) or moment[11:16] < OPENS or late:
        raise conflict("Interviews are on weekdays between 07:00 and 18:00 UTC.", type="outside_hours")
    return moment


def _check_panel(
    state: RecruitingState, panel: list[str], candidate_id: str, moment: str, minutes: int, but: str = ""
) -> None:
    for email in panel:
        user, other = user_by_email(state, email, "interviewer"), clash(state, email, moment, minutes, but)
        if other is not None:
            raise conflict(f"{user.name} has {other.id} at {other.start}.", type="interviewer_busy")
        if load_of(state, email, moment, but) >= user.interviews_per_week:
            raise conflict(f"{user.name} has no interview left in that week.", type="interviewer_full")
    for row in state.interviews.find(status="scheduled"):
        theirs = state.applications.get(row.application_id).candidate_id == candidate_id and row.id != but
        if theirs and row.start < plus_minutes(moment, minutes) and moment < plus_minutes(row.start, row.minutes):
            raise conflict(f"The candidate has {row.id} at {row.start}.", type="candidate_busy")


def _coming(state: RecruitingState, ctx: CallContext, interview_id: str) -> Interview:
    """An interview that is still to come; 409 `interview_cancelled` or `already_held` otherwise."""
    interview = state.interviews.get(interview_id)
    if interview.status == "cancelled":
        raise conflict(f"{interview_id} was cancelled; schedule a new one.", type="interview_cancelled")
    if interview.start <= ctx.now:
        raise conflict(f"{interview_id} was held at {interview.start}.", type="already_held")
    return interview


@service.tool(phrase="move the interview {interview_id} to {start}")
def reschedule_interview(
    state: RecruitingState, ctx: CallContext, interview_id: InterviewId, start: f.Timestamp, minutes: Length = 60
) -> Json:
    """Move an interview that is still to come; the interviewers and the candidate must be free.

    Errors: `not_found`, `interview_cancelled`, `already_held`, `invalid_time`, `in_the_past`, `outside_hours`,
    `interviewer_busy`, `interviewer_full`, `candidate_busy`.

    Args:
        interview_id: Id of the interview.
        start: New start.
        minutes: New length.
    """
    interview, moment = _coming(state, ctx, interview_id), _check_time(ctx, start, minutes)
    candidate = state.applications.get(interview.application_id).candidate_id
    _check_panel(state, list(interview.interviewer_emails), candidate, moment, minutes, interview_id)
    return _shown(state, state.interviews.patch(interview_id, start=moment, minutes=minutes))


@service.tool(phrase="cancel the interview {interview_id}")
def cancel_interview(state: RecruitingState, ctx: CallContext, interview_id: InterviewId) -> Json:
    """Cancel an interview that is still to come.

    Errors: `not_found`, `interview_cancelled`, `already_held`.

    Args:
        interview_id: Id of the interview.
    """
    _coming(state, ctx, interview_id)
    return _shown(state, state.interviews.patch(interview_id, status="cancelled"))


@service.tool(phrase="hand in a scorecard for the interview {interview_id}")
def submit_scorecard(
    state: RecruitingState,
    ctx: CallContext,
    interview_id: InterviewId,
    recommendation: Recommendation,
    notes: Body,
    interviewer_email: f.Email | None = None,
) -> Scorecard:
    """Hand in what an interviewer says after an interview; it is not changed afterwards.

    Errors: `not_found`, `interview_cancelled`, `not_held_yet`, `not_on_panel`, `already_submitted`, `blank_text`.

    Args:
        interview_id: Id of the interview.
        recommendation: Whether to hire.
        notes: The reasons.
        interviewer_email: Address of the interviewer whose scorecard it is; yours when left out.
    """
    interview = state.interviews.get(interview_id)
    if interview.status == "cancelled":
        raise conflict(f"{interview_id} was cancelled.", type="interview_cancelled")
    if interview.start > ctx.now:
        raise conflict(f"{interview_id} is at {interview.start}.", type="not_held_yet")
    wanted = interviewer_email or ME.email
    email = next((row for row in interview.interviewer_emails if same(row, wanted)), None)
    if email is None:
        raise conflict(f"{wanted} was not one of the interviewers.", type="not_on_panel")
    if state.scorecards.first(interview_id=interview_id, interviewer_email=email):
        raise conflict(f"The scorecard of {email} is in already.", type="already_submitted")
    return state.scorecards.create(
        interview_id=interview_id,
        interviewer_email=email,
        recommendation=recommendation,
        notes=check_text(notes, "notes"),
        submitted_at=ctx.now,
    )


@service.tool()
def list_scorecards(state: RecruitingState, ctx: CallContext, application_id: ApplicationId) -> Json:
    """Read all scorecards of an application, oldest first.

    Errors: `not_found`.

    Args:
        application_id: Id of the application.
    """
    state.applications.get(application_id)
    held = {row.id: row for row in state.interviews.find(application_id=application_id)}
    cards = sorted((row for row in state.scorecards if row.interview_id in held), key=lambda row: row.submitted_at)
    rows = [with_fields(row, stage=state.stages.get(held[row.interview_id].stage_id).name) for row in cards]
    return {"scorecards": rows, "total": len(rows)}
