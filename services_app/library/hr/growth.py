"""Tools for performance reviews and goals."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.hr.people import EmployeeId
from services_app.library.hr.records import by_email, employed
from services_app.library.hr.state import Goal, GoalStatus, HrState, Review, ReviewStage, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    brief,
    check_date,
    check_text,
    cursor_page,
    keep,
    some_changes,
    with_fields,
)

ReviewId = Annotated[str, f.ref("reviews")]
OPEN_GOALS = 5


@service.tool()
def list_reviews(
    state: HrState,
    ctx: CallContext,
    cycle: f.Label | None = None,
    stage: ReviewStage | None = None,
    reviewer_email: f.Email | None = None,
    overdue_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List performance reviews by due date; get_review has the texts.

    Errors: `unknown_reviewer`.

    Args:
        cycle: Only reviews of this cycle, such as 2025 H2.
        stage: Only reviews at this stage.
        reviewer_email: Only reviews that this person writes.
        overdue_only: Only reviews that should have been completed by now.
        limit: At most so many reviews.
        cursor: next_cursor of the previous page.
    """
    reviewer = by_email(state, reviewer_email, "reviewer").id if reviewer_email else None
    found = keep(state.reviews, cycle=cycle, stage=stage, reviewer_id=reviewer)
    found = [row for row in found if not overdue_only or (row.stage != "completed" and row.due_on < ctx.today)]
    found.sort(key=lambda row: (row.due_on, row.id))
    page = cursor_page("reviews", found, limit, cursor)
    page["reviews"] = [_named(state, row) for row in page["reviews"]]
    return page


def _named(state: HrState, review: Review) -> Json:
    short = brief(review, "id", "employee_id", "cycle", "stage", "due_on", "rating", "completed_on")
    reviewer = state.employees.get(review.reviewer_id)
    return {**short, "employee_name": state.employees.get(review.employee_id).name, "reviewer_email": reviewer.email}


@service.tool()
def get_review(state: HrState, ctx: CallContext, review_id: ReviewId) -> Json:
    """Read a performance review with the self-assessment, the manager's summary and the employee's goals.

    Errors: `not_found`.

    Args:
        review_id: Id of the review.
    """
    review = state.reviews.get(review_id)
    texts = brief(review, "self_assessment", "summary", "reviewer_id")
    return {**_named(state, review), **texts, "goals": state.goals.find(employee_id=review.employee_id)}


@service.tool(phrase="complete the review {review_id} with the rating {rating}")
def complete_review(
    state: HrState,
    ctx: CallContext,
    review_id: ReviewId,
    rating: Annotated[int, f.count("points"), Field(ge=1, le=5)],
    summary: Body,
) -> Json:
    """Complete a review with the manager's rating and summary, once the self-assessment is in.

    Ratings of 1 and 5 need a reason: a summary of at least 80 characters.
    Errors: `not_found`, `self_assessment_missing`, `already_completed`, `reason_too_short`, `blank_text`.

    Args:
        review_id: Id of the review.
        rating: 1 (below expectations) to 5 (outstanding).
        summary: The manager's words.
    """
    review = state.reviews.get(review_id)
    if review.stage == "completed":
        raise conflict(f"{review_id} was completed on {review.completed_on}.", type="already_completed")
    if review.stage == "self_assessment":
        raise conflict(
            "The self-assessment has not been handed in; remind the employee.", type="self_assessment_missing"
        )
    text = check_text(summary, "summary")
    if rating in (1, 5) and len(text) < 80:
        raise invalid("Ratings of 1 and 5 need a summary of at least 80 characters.", type="reason_too_short")
    changed = state.reviews.patch(review_id, stage="completed", rating=rating, summary=text, completed_on=ctx.today)
    return {**_named(state, changed), "summary": changed.summary}


@service.tool()
def list_goals(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId | None = None,
    status: GoalStatus | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the goals of people by due date.

    Args:
        employee_id: Only goals of this employee.
        status: Only goals in this status.
        limit: At most so many goals.
        cursor: next_cursor of the previous page.
    """
    found = sorted(keep(state.goals, employee_id=employee_id, status=status), key=lambda row: (row.due_on, row.id))
    page = cursor_page("goals", found, limit, cursor)
    page["goals"] = [with_fields(row, employee_name=state.employees.get(row.employee_id).name) for row in page["goals"]]
    return page


@service.tool(phrase="set the goal {title} for employee {employee_id}")
def create_goal(
    state: HrState, ctx: CallContext, employee_id: EmployeeId, title: Name, measure: Body, due_date: f.Date
) -> Goal:
    """Set a goal for an employee, who has at most five open ones.

    Errors: `not_found`, `employee_left`, `too_many_goals`, `invalid_date`, `in_the_past`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        title: The goal in a few words.
        measure: How one will know that it is achieved.
        due_date: Day by which it should be achieved.
    """
    employee, day = employed(state, ctx, employee_id), check_date(due_date)
    if day <= ctx.today:
        raise invalid(f"The due date {day} is not in the future.", type="in_the_past")
    if state.goals.count(employee_id=employee_id, status="open") >= OPEN_GOALS:
        raise conflict(f"{employee.name} has {OPEN_GOALS} open goals; finish or drop one.", type="too_many_goals")
    return state.goals.create(
        employee_id=employee_id,
        title=check_text(title, "title"),
        measure=check_text(measure, "measure"),
        progress=0,
        due_on=day,
        status="open",
    )


@service.tool(phrase="update the goal {goal_id}")
def update_goal(
    state: HrState,
    ctx: CallContext,
    goal_id: Annotated[str, f.ref("goals")],
    progress: Annotated[int, f.Semantic("percent"), Field(ge=0, le=100)] | Unset = UNSET,
    due_date: f.Date | Unset = UNSET,
    drop: bool = False,
) -> Goal:
    """Change the progress or due date of an open goal, or drop it; at 100 % it is achieved.

    Errors: `not_found`, `goal_closed`, `nothing_to_change`, `invalid_date`.

    Args:
        goal_id: Id of the goal.
        progress: Percent done.
        due_date: New due date.
        drop: Give the goal up.
    """
    goal = state.goals.get(goal_id)
    if goal.status != "open":
        raise conflict(f"The goal is {goal.status}; set a new one.", type="goal_closed")
    changes = some_changes({**given(progress=progress, due_on=due_date), **({"status": "dropped"} if drop else {})})
    if "due_on" in changes:
        changes["due_on"] = check_date(changes["due_on"])
    if changes.get("progress") == 100 and not drop:
        changes["status"] = "achieved"
    return state.goals.patch(goal_id, **changes)
