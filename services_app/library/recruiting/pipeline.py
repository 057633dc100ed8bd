"""What follows from the records: seats left, where an application stands, who is busy, which approvals are missing."""

from __future__ import annotations

from services_app.engine import conflict, invalid
from services_app.engine import fields as f
from services_app.library.recruiting.state import Application, Candidate, Interview, Job, Offer, RecruitingState, User
from services_app.library.shared import Json, plus_minutes, same, with_fields


def user_by_email(state: RecruitingState, email: str, what: str) -> User:
    """The member of the hiring team with this address; 422 `unknown_<what>` otherwise."""
    for user in state.users:
        if same(user.email, email):
            return user
    raise invalid(f"{email} is not on the hiring team; list_users shows who is.", type=f"unknown_{what}")


def seats_left(state: RecruitingState, job: Job) -> int:
    """Openings for which nobody has been hired yet."""
    return job.openings - state.applications.count(job_id=job.id, status="hired")


def active_application(state: RecruitingState, application_id: str) -> Application:
    """An application that is still being considered; 409 `not_active` otherwise."""
    application = state.applications.get(application_id)
    if application.status != "active":
        raise conflict(f"Application {application_id} is {application.status}.", type="not_active")
    return application


def described(state: RecruitingState, application: Application) -> Json:
    """An application with the names of its candidate, job and stage."""
    candidate = state.candidates.get(application.candidate_id)
    return with_fields(
        application,
        candidate_name=candidate.name,
        candidate_email=candidate.email,
        job_title=state.jobs.get(application.job_id).title,
        stage=state.stages.get(application.stage_id).name,
    )


def scorecards_of(state: RecruitingState, application: Application) -> list[Json]:
    """The scorecards of the interviews that were held in the present stage."""
    held = {
        row.id
        for row in state.interviews.find(application_id=application.id, stage_id=application.stage_id)
        if row.status == "scheduled"
    }
    return [row.plain() for row in state.scorecards if row.interview_id in held]


def clash(state: RecruitingState, email: str, start: str, minutes: int, but: str = "") -> Interview | None:
    """An interview of this person that overlaps the time."""
    end = plus_minutes(start, minutes)
    for row in state.interviews.find(status="scheduled"):
        overlaps = row.start < end and start < plus_minutes(row.start, row.minutes)
        if row.id != but and overlaps and any(same(email, other) for other in row.interviewer_emails):
            return row
    return None


def week_of(moment: str) -> tuple[int, int]:
    """ISO year and week of an instant."""
    day = f.parse_date(moment)
    return day.isocalendar()[0], day.isocalendar()[1]


def load_of(state: RecruitingState, email: str, moment: str, but: str = "") -> int:
    """Interviews of a person in the week of an instant."""
    return sum(
        1
        for row in state.interviews.find(status="scheduled")
        if row.id != but
        and week_of(row.start) == week_of(moment)
        and any(same(email, other) for other in row.interviewer_emails)
    )


def missing_approvals(state: RecruitingState, offer: Offer) -> list[str]:
    """Addresses of those who still have to approve: the hiring manager, above the middle of the range also finance."""
    job = state.jobs.get(state.applications.get(offer.application_id).job_id)
    needed = [job.hiring_manager_email]
    if offer.salary > (job.salary_min + job.salary_max) / 2:
        needed += [row.email for row in state.users.find(role="finance_approver")[:1]]
    return [email for email in needed if not any(same(email, other) for other in offer.approved_by)]


def offer_shown(state: RecruitingState, offer: Offer) -> Json:
    """An offer with names and the approvals that are missing."""
    application = state.applications.get(offer.application_id)
    job = state.jobs.get(application.job_id)
    return with_fields(
        offer,
        candidate_name=state.candidates.get(application.candidate_id).name,
        job_title=job.title,
        currency=job.currency,
        approvals_missing=missing_approvals(state, offer),
    )


def may_be_contacted(candidate: Candidate) -> None:
    """409 `do_not_contact` for someone who does not want to hear from us."""
    if candidate.do_not_contact:
        raise conflict(f"{candidate.name} does not want to be contacted.", type="do_not_contact")


def withdraw_interviews(state: RecruitingState, application_id: str, now: str) -> list[str]:
    """Cancel the interviews of an application that are still to come; gives their ids."""
    return [
        state.interviews.patch(row.id, status="cancelled").id
        for row in state.interviews.find(application_id=application_id, status="scheduled")
        if row.start > now
    ]
