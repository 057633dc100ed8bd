"""Tools for offers: drafting, approving, sending, and the answer."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.recruiting.applications import ApplicationId
from services_app.library.recruiting.jobs import Salary
from services_app.library.recruiting.pipeline import (
    active_application,
    described,
    may_be_contacted,
    missing_approvals,
    offer_shown,
    seats_left,
)
from services_app.library.recruiting.state import Job, Offer, OfferStatus, RecruitingState, service
from services_app.library.shared import Cursor, Json, Limit, check_date, cursor_page, keep, same

OfferId = Annotated[str, f.ref("offers")]
OPEN_FOR = 10  # days that a candidate has to answer


@service.tool()
def list_offers(
    state: RecruitingState,
    ctx: CallContext,
    status: OfferStatus | None = None,
    waiting_for: f.Email | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List offers with the approvals that are missing, newest first.

    Args:
        status: Only offers in this status.
        waiting_for: Only drafts that wait for the approval of this address.
        limit: At most so many offers.
        cursor: next_cursor of the previous page.
    """
    rows = [offer_shown(state, row) for row in keep(state.offers, status=status)]
    if waiting_for is not None:
        rows = [
            row
            for row in rows
            if row["status"] == "draft" and any(same(waiting_for, email) for email in row["approvals_missing"])
        ]
    rows.sort(key=lambda row: str(row["id"]), reverse=True)
    return cursor_page("offers", rows, limit, cursor)


@service.tool(phrase="draft an offer of {salary} for the application {application_id}")
def create_offer(
    state: RecruitingState,
    ctx: CallContext,
    application_id: ApplicationId,
    salary: Salary,
    start_date: f.Date,
    terms: f.Text = "",
) -> Json:
    """Draft an offer for an application in the last stage; the hiring manager approves it.

    Pay above the middle of the job's range is also approved by finance; above the range it is refused.
    Errors: `not_found`, `not_active`, `wrong_stage`, `offer_exists`, `outside_range`, `no_openings`, `invalid_date`,
    `in_the_past`.

    Args:
        application_id: Id of the application.
        salary: Yearly pay in the currency of the job.
        start_date: First day of work.
        terms: Further terms, such as bonus or remote days.
    """
    application = active_application(state, application_id)
    job, stage = state.jobs.get(application.job_id), state.stages.get(application.stage_id)
    if stage.position < max(row.position for row in state.stages):
        raise conflict(f"The application is in {stage.name}, not in the last stage.", type="wrong_stage")
    if any(row.status in ("draft", "sent") for row in state.offers.find(application_id=application_id)):
        raise conflict("There is an offer for this application already.", type="offer_exists")
    _must_fit(state, job, salary)
    if check_date(start_date) <= ctx.today:
        raise invalid(f"The first day {start_date} is not in the future.", type="in_the_past")
    offer = state.offers.create(
        application_id=application_id, salary=salary, start_date=start_date, terms=terms, status="draft"
    )
    return offer_shown(state, offer)


def _must_fit(state: RecruitingState, job: Job, salary: float) -> None:
    if not job.salary_min <= salary <= job.salary_max:
        raise conflict(
            f"The range is {job.salary_min:.2f} to {job.salary_max:.2f} {job.currency}.", type="outside_range"
        )
    if seats_left(state, job) < 1:
        raise conflict("All openings of the job are filled.", type="no_openings")


def _in_status(state: RecruitingState, offer_id: str, status: str) -> Offer:
    """The offer, if it has the status; 409 `not_<status>` otherwise."""
    offer = state.offers.get(offer_id)
    if offer.status != status:
        raise conflict(f"The offer is {offer.status}, not {status}.", type=f"not_{status}")
    return offer


@service.tool(phrase="record that {approver_email} approves the offer {offer_id}")
def approve_offer(state: RecruitingState, ctx: CallContext, offer_id: OfferId, approver_email: f.Email) -> Json:
    """Record the approval of a drafted offer by one of those who have to approve it.

    Errors: `not_found`, `not_draft`, `already_approved`, `not_an_approver`.

    Args:
        offer_id: Id of the offer.
        approver_email: Address of the one who approves.
    """
    offer = _in_status(state, offer_id, "draft")
    if any(same(approver_email, email) for email in offer.approved_by):
        raise conflict(f"{approver_email} has approved it already.", type="already_approved")
    email = next((row for row in missing_approvals(state, offer) if same(row, approver_email)), None)
    if email is None:
        raise forbidden("The offer does not need this approval; see approvals_missing.", type="not_an_approver")
    return offer_shown(state, state.offers.patch(offer_id, approved_by=(*offer.approved_by, email)))


@service.tool(phrase="send the offer {offer_id} to the candidate")
def send_offer(state: RecruitingState, ctx: CallContext, offer_id: OfferId) -> Json:
    """Send an approved offer to the candidate, who has ten days to answer.

    Errors: `not_found`, `not_draft`, `approval_missing`, `do_not_contact`, `not_active`, `no_openings`.

    Args:
        offer_id: Id of the offer.
    """
    offer = _in_status(state, offer_id, "draft")
    application = active_application(state, offer.application_id)
    missing = missing_approvals(state, offer)
    if missing:
        raise conflict(f"The approval of {' and '.join(missing)} is missing.", type="approval_missing")
    may_be_contacted(state.candidates.get(application.candidate_id))
    if seats_left(state, state.jobs.get(application.job_id)) < 1:
        raise conflict("All openings of the job are filled.", type="no_openings")
    return offer_shown(state, state.offers.patch(offer_id, status="sent", expires_on=ctx.in_days(OPEN_FOR)))


@service.tool(phrase="record the answer to the offer {offer_id}")
def record_offer_response(
    state: RecruitingState, ctx: CallContext, offer_id: OfferId, accepted: bool, decline_reason: f.Text = ""
) -> Json:
    """Record the answer to a sent offer. Accepting hires the candidate and withdraws their other applications.

    Errors: `not_found`, `not_sent`, `offer_expired` (accepted after its last day), `no_openings`.

    Args:
        offer_id: Id of the offer.
        accepted: Whether the candidate accepts.
        decline_reason: What they say when they decline.
    """
    offer = _in_status(state, offer_id, "sent")
    application = state.applications.get(offer.application_id)
    if not accepted:
        state.applications.patch(application.id, status="withdrawn", closed_on=ctx.today)
        changed = state.offers.patch(offer_id, status="declined", decline_reason=decline_reason)
        return {**offer_shown(state, changed), "application": described(state, state.applications.get(application.id))}
    if offer.expires_on is not None and ctx.today > offer.expires_on:
        raise conflict(f"The offer was open until {offer.expires_on}; draft a new one.", type="offer_expired")
    if seats_left(state, state.jobs.get(application.job_id)) < 1:
        raise conflict("All openings of the job are filled.", type="no_openings")
    for other in state.applications.find(candidate_id=application.candidate_id, status="active"):
        state.applications.patch(other.id, status="withdrawn", closed_on=ctx.today)
    hired = state.applications.patch(application.id, status="hired", closed_on=ctx.today)
    return {
        **offer_shown(state, state.offers.patch(offer_id, status="accepted")),
        "application": described(state, hired),
    }
