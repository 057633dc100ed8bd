"""Tools for sprints and versions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.issues.reading import described
from services_app.library.issues.state import (
    OPEN,
    IssueId,
    IssuesState,
    ProjectKey,
    Sprint,
    SprintId,
    SprintState,
    service,
)
from services_app.library.issues.writing import check_capacity, open_issue
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    percent,
    same,
    search,
    with_fields,
)

Capacity = Annotated[int, f.count("points"), Field(ge=1, le=200)]
Goal = Annotated[str, f.Semantic("text"), Field(max_length=2000)]


def _figures(state: IssuesState, sprint: Sprint) -> Json:
    """A sprint with its planned, finished and free points."""
    issues = state.issues.find(sprint_id=sprint.id)
    planned = sum(row.story_points or 0 for row in issues)
    done = sum(row.story_points or 0 for row in issues if row.status == "done")
    return with_fields(
        sprint, issues=len(issues), planned_points=planned, done_points=done, free_points=sprint.capacity - planned
    )


@service.tool()
def list_sprints(
    state: IssuesState,
    ctx: CallContext,
    project: ProjectKey | None = None,
    sprint_state: SprintState | None = None,
    query: Query | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List sprints, latest first, with planned, finished and free points.

    Errors: `not_found`.

    Args:
        project: Only sprints of this project.
        sprint_state: Only future, active or closed sprints.
        query: Words in the name or goal.
        limit: At most so many sprints.
        cursor: next_cursor of the previous page.
    """
    if project is not None:
        state.projects.get(project)
    found = keep(search(state.sprints, query, lambda row: (row.name, row.goal)), project=project, state=sprint_state)
    found = newest_first(found, "start_date")
    return cursor_page("sprints", [_figures(state, row) for row in found], limit, cursor)


@service.tool()
def get_sprint_report(state: IssuesState, ctx: CallContext, sprint_id: SprintId) -> Json:
    """Show a sprint with its issues by status, points per person, and days left.

    Errors: `not_found`.

    Args:
        sprint_id: Id of the sprint.
    """
    sprint = state.sprints.get(sprint_id)
    issues = state.issues.find(sprint_id=sprint_id)
    people: dict[str, int] = {}
    for row in issues:
        name = row.assignee_email or "unassigned"
        people[name] = people.get(name, 0) + (row.story_points or 0)
    statuses = {status: [row.id for row in issues if row.status == status] for status in (*OPEN, "done", "wont_do")}
    return {
        **_figures(state, sprint),
        "by_status": statuses,
        "by_assignee": [{"assignee_email": name, "points": points} for name, points in sorted(people.items())],
        "unestimated": [brief(row, "id", "summary") for row in issues if row.story_points is None],
        "days_left": max(0, days_between(ctx.today, sprint.end_date)),
    }


@service.tool(phrase="plan the sprint {name} for {project}")
def create_sprint(
    state: IssuesState,
    ctx: CallContext,
    project: ProjectKey,
    name: Name,
    start_date: f.Date,
    end_date: f.Date,
    capacity: Capacity = 30,
    goal: Goal = "",
) -> Json:
    """Plan a future sprint; the sprints of a project do not overlap.

    Errors: `not_found`, `duplicate_name`, `invalid_range` (1 to 28 days), `in_the_past`, `overlapping_sprint`,
    `invalid_date`, `blank_text`.

    Args:
        project: Key of the project.
        name: Name of the sprint.
        start_date: First day.
        end_date: Last day.
        capacity: Story points that the team can do.
        goal: What should be reached.
    """
    state.projects.get(project)
    first, last = check_date(start_date), check_date(end_date)
    if not 0 <= days_between(first, last) <= 27:
        raise invalid(f"{first} to {last} is not 1 to 28 days; choose other dates.", type="invalid_range")
    if first < ctx.today:
        raise invalid(f"{first} is over; today is {ctx.today}.", type="in_the_past")
    clean = check_text(name, "name")
    for other in state.sprints.find(project=project):
        if same(other.name, clean):
            raise conflict(f"{other.id} has the name {clean!r}; choose another.", type="duplicate_name")
        if other.state != "closed" and other.start_date <= last and first <= other.end_date:
            raise conflict(f"{other.name} runs until {other.end_date}; start later.", type="overlapping_sprint")
    sprint = state.sprints.create(
        project=project, name=clean, goal=goal, state="future", capacity=capacity, start_date=first, end_date=last
    )
    return _figures(state, sprint)


@service.tool(phrase="put {issue_id} into the sprint {sprint_id}")
def move_issue_to_sprint(
    state: IssuesState, ctx: CallContext, issue_id: IssueId, sprint_id: SprintId | None = None
) -> Json:
    """Plan an open issue for a sprint of its project, or take it back to the backlog.

    Errors: `not_found`, `issue_closed`, `other_project`, `sprint_closed`, `not_estimated`, `over_capacity`,
    `already_there`.

    Args:
        issue_id: Key of the issue.
        sprint_id: Id of the sprint; the backlog, if left out.
    """
    issue = open_issue(state, issue_id)
    if issue.sprint_id == sprint_id:
        raise conflict(f"{issue_id} is in {sprint_id or 'the backlog'} already.", type="already_there")
    if sprint_id is not None:
        sprint = state.sprints.get(sprint_id)
        if sprint.project != issue.project:
            raise conflict(f"{sprint.name} belongs to {sprint.project}, not {issue.project}.", type="other_project")
        if sprint.state == "closed":
            raise conflict(f"{sprint.name} is closed; choose another sprint.", type="sprint_closed")
        if issue.story_points is None:
            raise conflict(f"{issue_id} has no story points; estimate it first.", type="not_estimated")
        check_capacity(state, sprint_id, issue.story_points, without=issue_id)
    return described(state, state.issues.patch(issue_id, sprint_id=sprint_id))


@service.tool(phrase="start the sprint {sprint_id}")
def start_sprint(state: IssuesState, ctx: CallContext, sprint_id: SprintId, goal: Goal | None = None) -> Json:
    """Start a future sprint; a project has one active sprint at a time.

    Errors: `not_found`, `not_future`, `active_sprint_exists`, `empty_sprint`.

    Args:
        sprint_id: Id of the sprint.
        goal: New goal; the old one stays if left out.
    """
    sprint = state.sprints.get(sprint_id)
    if sprint.state != "future":
        raise conflict(f"{sprint.name} is {sprint.state}; only future sprints start.", type="not_future")
    running = state.sprints.first(project=sprint.project, state="active")
    if running is not None:
        raise conflict(f"{running.name} is active; complete it first.", type="active_sprint_exists")
    if not state.issues.find(sprint_id=sprint_id):
        raise conflict(f"{sprint.name} has no issues; plan some first.", type="empty_sprint")
    changed = state.sprints.patch(sprint_id, state="active", goal=sprint.goal if goal is None else goal)
    return _figures(state, changed)


@service.tool(phrase="complete the sprint {sprint_id}")
def complete_sprint(
    state: IssuesState, ctx: CallContext, sprint_id: SprintId, move_open_to_sprint_id: SprintId | None = None
) -> Json:
    """Close the active sprint; what is not finished goes to another sprint or back to the backlog.

    Errors: `not_found`, `not_active`, `other_project`, `sprint_closed` (the other one), `over_capacity`.

    Args:
        sprint_id: Id of the sprint.
        move_open_to_sprint_id: Sprint that takes the open issues; the backlog, if left out.
    """
    sprint = state.sprints.get(sprint_id)
    if sprint.state != "active":
        raise conflict(f"{sprint.name} is {sprint.state}, not active.", type="not_active")
    left = [row for row in state.issues.find(sprint_id=sprint_id) if row.status in OPEN]
    if move_open_to_sprint_id is not None:
        other = state.sprints.get(move_open_to_sprint_id)
        if other.project != sprint.project:
            raise conflict(f"{other.name} belongs to {other.project}.", type="other_project")
        if other.state != "future":
            raise conflict(f"{other.name} is {other.state}; name a future sprint.", type="sprint_closed")
        check_capacity(state, move_open_to_sprint_id, sum(row.story_points or 0 for row in left))
    for row in left:
        state.issues.patch(row.id, sprint_id=move_open_to_sprint_id)
    closed = state.sprints.patch(sprint_id, state="closed")
    return {**_figures(state, closed), "moved": [row.id for row in left]}


@service.tool()
def get_version_report(
    state: IssuesState, ctx: CallContext, fix_version: f.Code, project: ProjectKey | None = None
) -> Json:
    """Show what a version will contain: finished and open issues, and how far it is.

    Errors: `not_found`.

    Args:
        fix_version: The version, such as 4.10.0.
        project: Only issues of this project.
    """
    if project is not None:
        state.projects.get(project)
    issues = keep(state.issues, fix_version=fix_version, project=project)
    done = [row for row in issues if row.status == "done"]
    open_ones = [row for row in issues if row.status in OPEN]
    names = ("id", "summary", "status", "assignee_email")
    share = percent(len(done), len(done) + len(open_ones)) or 0.0
    return {
        "fix_version": fix_version,
        "done": [brief(row, *names) for row in done],
        "open": [brief(row, *names) for row in open_ones],
        "percent_done": share,
    }
