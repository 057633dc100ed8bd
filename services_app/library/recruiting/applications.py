"""Tools for applications: putting forward, moving, rejecting."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.recruiting.candidates import CandidateId
from services_app.library.recruiting.jobs import JobId
from services_app.library.recruiting.pipeline import (
    active_application,
    described,
    may_be_contacted,
    scorecards_of,
    withdraw_interviews,
)
from services_app.library.recruiting.state import (
    ApplicationStatus,
    RecruitingState,
    RejectionReason,
    Stage,
    service,
)
from services_app.library.shared import Cursor, Json, Limit, cursor_page, days_between, keep, same

ApplicationId = Annotated[str, f.ref("applications")]
StageName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
COOLING_OFF = 180  # days after a rejection


def stage_by_name(state: RecruitingState, name: str) -> Stage:
    """The stage with this name or id; 404 otherwise."""
    return next((row for row in state.stages if same(row.name, name)), None) or state.stages.get(name)


@service.tool()
def list_stages(state: RecruitingState, ctx: CallContext) -> Json:
    """List the stages of the pipeline in order, with the scorecards each needs and its guidance."""
    return {"stages": sorted(state.stages, key=lambda row: row.position)}


@service.tool()
def list_applications(
    state: RecruitingState,
    ctx: CallContext,
    job_id: JobId | None = None,
    stage: StageName | None = None,
    status: ApplicationStatus | None = None,
    idle_days: Annotated[int, f.duration("days"), Field(ge=0, le=365)] = 0,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List applications, those that have been in their stage longest first.

    Errors: `not_found` for an unknown stage.

    Args:
        job_id: Only applications for this job.
        stage: Only applications in the stage of this name.
        status: Only applications in this status.
        idle_days: Only applications that have been in their stage for at least so many days.
        limit: At most so many applications.
        cursor: next_cursor of the previous page.
    """
    stage_id = stage_by_name(state, stage).id if stage else None
    found = keep(state.applications, job_id=job_id, stage_id=stage_id, status=status)
    found = [row for row in found if days_between(row.stage_since, ctx.now) >= idle_days]
    found.sort(key=lambda row: (row.stage_since, row.id))
    page = cursor_page("applications", found, limit, cursor)
    page["applications"] = [described(state, row) for row in page["applications"]]
    return page


@service.tool(phrase="put the candidate {candidate_id} forward for the job {job_id}")
def create_application(state: RecruitingState, ctx: CallContext, candidate_id: CandidateId, job_id: JobId) -> Json:
    """Put a candidate forward for an open job, in the first stage.

    Errors: `not_found`, `job_not_open`, `do_not_contact`, `already_applied` (active or hired for the same job),
    `cooling_off` (rejected for the same job less than 180 days ago).

    Args:
        candidate_id: Id of the candidate.
        job_id: Id of the job.
    """
    candidate, job = state.candidates.get(candidate_id), state.jobs.get(job_id)
    if job.status != "open":
        raise conflict(f"The job {job.title} is {job.status}, not open.", type="job_not_open")
    may_be_contacted(candidate)
    for row in state.applications.find(candidate_id=candidate_id, job_id=job_id):
        if row.status in ("active", "hired"):
            raise conflict(f"{candidate.name} has applied for it: {row.id}.", type="already_applied")
        if row.status == "rejected" and row.closed_on and days_between(row.closed_on, ctx.today) < COOLING_OFF:
            raise conflict(f"{candidate.name} was rejected for it on {row.closed_on}.", type="cooling_off")
    first = min(state.stages, key=lambda row: row.position)
    application = state.applications.create(
        candidate_id=candidate_id,
        job_id=job_id,
        stage_id=first.id,
        status="active",
        applied_at=ctx.now,
        stage_since=ctx.now,
    )
    return described(state, application)


@service.tool(phrase="move the application {application_id} to {stage}")
def move_application(state: RecruitingState, ctx: CallContext, application_id: ApplicationId, stage: StageName) -> Json:
    """Move an active application to the next stage, or back to an earlier one.

    To go on, a stage with interviews needs its scorecards, and not more of them against than for the candidate.
    Errors: `not_found` (application or stage), `not_active`, `same_stage`, `stage_skipped`, `scorecards_missing`,
    `not_recommended`, `offer_exists` (an offer keeps the application in its stage).

    Args:
        application_id: Id of the application.
        stage: Name of the stage.
    """
    application, target = active_application(state, application_id), stage_by_name(state, stage)
    current = state.stages.get(application.stage_id)
    if target.id == current.id:
        raise conflict(f"The application is in {target.name} already.", type="same_stage")
    if state.offers.first(application_id=application_id):
        raise conflict("There is an offer; record the answer to it instead.", type="offer_exists")
    if target.position > current.position + 1:
        raise conflict(f"{target.name} is not the stage after {current.name}.", type="stage_skipped")
    if target.position > current.position:
        cards = scorecards_of(state, application)
        if len(cards) < current.scorecards_needed:
            raise conflict(
                f"{current.name} needs {current.scorecards_needed} scorecards; {len(cards)} are in.",
                type="scorecards_missing",
            )
        against = sum(1 for card in cards if card["recommendation"] in ("strong_no", "no"))
        if against > len(cards) - against:
            raise conflict(f"{against} of {len(cards)} scorecards say no.", type="not_recommended")
    return described(state, state.applications.patch(application_id, stage_id=target.id, stage_since=ctx.now))


@service.tool(phrase="reject the application {application_id}")
def reject_application(
    state: RecruitingState,
    ctx: CallContext,
    application_id: ApplicationId,
    reason: RejectionReason | None = None,
    withdrawn: bool = False,
) -> Json:
    """Reject an active application, or record that the candidate withdrew; coming interviews are cancelled.

    Errors: `not_found`, `not_active`, `reason_missing` (a rejection needs a reason), `offer_out` (an offer was sent;
    record the answer).

    Args:
        application_id: Id of the application.
        reason: Why it is rejected.
        withdrawn: The candidate withdrew; no reason is needed.
    """
    active_application(state, application_id)
    if state.offers.first(application_id=application_id, status="sent"):
        raise conflict("An offer is out; use record_offer_response.", type="offer_out")
    if reason is None and not withdrawn:
        raise invalid("Send a reason, or withdrawn=true.", type="reason_missing")
    cancelled = withdraw_interviews(state, application_id, ctx.now)
    changed = state.applications.patch(
        application_id,
        status="withdrawn" if withdrawn else "rejected",
        rejection_reason=None if withdrawn else reason,
        closed_on=ctx.today,
    )
    return {**described(state, changed), "cancelled_interviews": cancelled}
