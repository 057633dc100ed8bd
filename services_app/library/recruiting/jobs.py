"""Tools for jobs, the hiring team and the pipeline as a whole."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.recruiting.pipeline import load_of, seats_left, user_by_email
from services_app.library.recruiting.state import Job, JobStatus, RecruitingState, Role, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    mean,
    search,
    some_changes,
    with_fields,
)

JobId = Annotated[str, f.ref("jobs")]
Salary = Annotated[float, f.Semantic("money"), Field(gt=0, le=1_000_000)]
Openings = Annotated[int, f.count("openings"), Field(ge=1, le=20)]


@service.tool()
def list_jobs(
    state: RecruitingState,
    ctx: CallContext,
    query: Query | None = None,
    status: JobStatus | None = None,
    department: f.Label | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List jobs with active applications and openings left, by id.

    Args:
        query: Words in the title, location or description.
        status: Only jobs in this status.
        department: Only jobs of this department.
        limit: At most so many jobs.
        cursor: next_cursor of the previous page.
    """
    found = search(state.jobs, query, lambda row: (row.title, row.location, row.description))
    page = cursor_page("jobs", keep(found, status=status, department=department), limit, cursor)
    page["jobs"] = [_counted(state, row) for row in page["jobs"]]
    return page


def _counted(state: RecruitingState, job: Job) -> Json:
    active = state.applications.count(job_id=job.id, status="active")
    return with_fields(job, active_applications=active, openings_left=seats_left(state, job))


@service.tool()
def get_job(state: RecruitingState, ctx: CallContext, job_id: JobId) -> Json:
    """Show a job with the number of active applications in each stage.

    Errors: `not_found`.

    Args:
        job_id: Id of the job.
    """
    job = state.jobs.get(job_id)
    active = state.applications.find(job_id=job_id, status="active")
    counts = {stage.name: sum(1 for row in active if row.stage_id == stage.id) for stage in state.stages}
    return {**_counted(state, job), "by_stage": counts}


@service.tool(phrase="create the job {title}")
def create_job(  # noqa: PLR0913, PLR0917 - a job has that many facts
    state: RecruitingState,
    ctx: CallContext,
    title: Name,
    department: Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)],
    hiring_manager_email: f.Email,
    description: Body,
    salary_min: Salary,
    salary_max: Salary,
    openings: Openings = 1,
    location: Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)] = "London",
) -> Job:
    """Create a job as a draft; you are its recruiter. Open it with update_job.

    Errors: `unknown_manager`, `not_a_hiring_manager`, `invalid_salary_range`, `blank_text`.

    Args:
        title: Job title.
        department: Department that hires.
        hiring_manager_email: Address of the hiring manager, who approves offers.
        description: What the job is about and what it asks for.
        salary_min: Lowest yearly pay.
        salary_max: Highest yearly pay.
        openings: How many people are wanted.
        location: Office.
    """
    manager = user_by_email(state, hiring_manager_email, "manager")
    if manager.role != "hiring_manager":
        raise conflict(f"{manager.name} is not a hiring manager; see list_users.", type="not_a_hiring_manager")
    _check_range(salary_min, salary_max)
    return state.jobs.create(
        title=check_text(title, "title"),
        department=check_text(department, "department"),
        location=check_text(location, "location"),
        status="draft",
        hiring_manager_email=manager.email,
        recruiter_email=ME.email,
        openings=openings,
        salary_min=salary_min,
        salary_max=salary_max,
        currency="GBP" if location.strip() == "London" else "EUR",
        description=check_text(description, "description"),
        target_start=ctx.in_days(60),
    )


def _check_range(low: float, high: float) -> None:
    if low > high:
        raise invalid(f"The lowest pay {low:.2f} is above the highest {high:.2f}.", type="invalid_salary_range")


@service.tool(phrase="update the job {job_id}")
def update_job(
    state: RecruitingState,
    ctx: CallContext,
    job_id: JobId,
    status: JobStatus | Unset = UNSET,
    openings: Openings | Unset = UNSET,
    salary_max: Salary | Unset = UNSET,
    target_start: f.Date | Unset = UNSET,
) -> Json:
    """Change a job: open it, put it on hold, close it, or change openings, highest pay or start.

    A job is closed only when no offer is out; its active applications are rejected as position_filled. A closed job
    stays closed. Errors: `not_found`, `nothing_to_change`, `job_closed`, `same_status`, `back_to_draft`, `offer_out`,
    `fewer_than_hired`, `invalid_salary_range`, `invalid_date`.

    Args:
        job_id: Id of the job.
        status: New status.
        openings: How many people are wanted altogether.
        salary_max: Highest yearly pay.
        target_start: Day by which somebody should start.
    """
    job = state.jobs.get(job_id)
    changes = some_changes(given(status=status, openings=openings, salary_max=salary_max, target_start=target_start))
    if job.status == "closed":
        raise conflict("The job is closed; create a new one.", type="job_closed")
    if "openings" in changes and changes["openings"] < state.applications.count(job_id=job_id, status="hired"):
        raise conflict("More people than that have been hired already.", type="fewer_than_hired")
    if "salary_max" in changes:
        _check_range(job.salary_min, changes["salary_max"])
    if "target_start" in changes:
        changes["target_start"] = check_date(changes["target_start"])
    if "status" in changes:
        changes |= _new_status(state, ctx, job, changes["status"])
    return _counted(state, state.jobs.patch(job_id, **changes))


def _new_status(state: RecruitingState, ctx: CallContext, job: Job, status: str) -> Json:
    """What else changes with the status of a job."""
    if status == job.status:
        raise conflict(f"The job is {status} already.", type="same_status")
    if status == "draft":
        raise conflict("A job that was opened does not become a draft again.", type="back_to_draft")
    if status == "closed":
        _reject_rest(state, ctx, job)
    return {"opened_on": ctx.today} if status == "open" and job.opened_on is None else {}


def _reject_rest(state: RecruitingState, ctx: CallContext, job: Job) -> None:
    rest = state.applications.find(job_id=job.id, status="active")
    ids = {row.id for row in rest}
    for offer in state.offers.find(status="sent"):
        if offer.application_id in ids:
            raise conflict(f"The offer {offer.id} is out; wait for the answer.", type="offer_out")
    for row in rest:
        state.applications.patch(row.id, status="rejected", rejection_reason="position_filled", closed_on=ctx.today)


@service.tool()
def list_users(
    state: RecruitingState, ctx: CallContext, role: Role | None = None, week_of_date: f.Date | None = None
) -> Json:
    """List the hiring team with the interviews each still can take in a week.

    Errors: `invalid_date`.

    Args:
        role: Only people with this role.
        week_of_date: A day of the week to look at; this week when left out.
    """
    day = check_date(week_of_date) if week_of_date else ctx.today
    rows = []
    for user in keep(state.users, role=role):
        booked = load_of(state, user.email, day)
        left = max(user.interviews_per_week - booked, 0)
        rows.append(with_fields(user, interviews_booked=booked, interviews_left=left))
    return {"users": rows}


@service.tool()
def get_pipeline_report(state: RecruitingState, ctx: CallContext, job_id: JobId | None = None) -> Json:
    """Report for one job or all: applications by status and source, average days to hire, oldest in each stage.

    Errors: `not_found`.

    Args:
        job_id: Only this job.
    """
    if job_id is not None:
        state.jobs.get(job_id)
    found = keep(state.applications, job_id=job_id)
    statuses: dict[str, int] = {}
    sources: dict[str, int] = {}
    for row in found:
        source = state.candidates.get(row.candidate_id).source
        statuses[row.status] = statuses.get(row.status, 0) + 1
        sources[source] = sources.get(source, 0) + 1
    took = [days_between(row.applied_at, row.closed_on) for row in found if row.status == "hired" and row.closed_on]
    return {
        "applications": len(found),
        "by_status": statuses,
        "by_source": sources,
        "average_days_to_hire": mean(took),
        "longest_days_in_stage": {
            stage.name: max(
                (
                    days_between(row.stage_since, ctx.now)
                    for row in found
                    if row.status == "active" and row.stage_id == stage.id
                ),
                default=0,
            )
            for stage in state.stages
        },
    }
