"""Tools for clients, projects, their tasks, people and notes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_range,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    total,
    with_fields,
)
from services_app.library.time_tracking.hours import (
    amount_of,
    entries_of_week,
    hours_used,
    monday_of,
    sheet_of,
    user_by_email,
)
from services_app.library.time_tracking.state import (
    Assignment,
    Project,
    ProjectNote,
    ProjectStatus,
    Task,
    TimeState,
    service,
)

ProjectId = Annotated[str, f.ref("projects")]
ClientId = Annotated[str, f.ref("clients")]
Rate = Annotated[float, f.Semantic("money"), Field(ge=0, le=1000)]
Budget = Annotated[float, f.duration("hours"), Field(gt=0, le=20_000)]
_FIRST_TASKS = (("Implementation", True), ("Project management", True), ("Travel", False))


@service.tool()
def list_clients(
    state: TimeState, ctx: CallContext, query: Query | None = None, limit: Limit = 25, cursor: Cursor = ""
) -> Json:
    """List clients with their active projects, by name.

    Args:
        query: Words in the name or billing address.
        limit: At most so many clients.
        cursor: next_cursor of the previous page.
    """
    found = sorted(search(state.clients, query, lambda row: (row.name, row.billing_email)), key=lambda row: row.name)
    page = cursor_page("clients", found, limit, cursor)
    page["clients"] = [
        with_fields(row, active_projects=state.projects.count(client_id=row.id, status="active"))
        for row in page["clients"]
    ]
    return page


@service.tool()
def list_projects(
    state: TimeState,
    ctx: CallContext,
    query: Query | None = None,
    client_id: ClientId | None = None,
    status: ProjectStatus | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List projects with hours used and left, by id.

    Args:
        query: Words in the name, order number or client.
        client_id: Only projects of this client.
        status: Only active or archived projects.
        limit: At most so many projects.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: row.name for row in state.clients}
    found = search(state.projects, query, lambda row: (row.name, row.code, names[row.client_id]))
    page = cursor_page("projects", keep(found, client_id=client_id, status=status), limit, cursor)
    page["projects"] = [_shown(state, row) for row in page["projects"]]
    return page


def _shown(state: TimeState, project: Project) -> Json:
    used = hours_used(state, project.id)
    return with_fields(
        project,
        client=state.clients.get(project.client_id).name,
        hours_used=used,
        hours_left=round(project.budget_hours - used, 2),
    )


@service.tool()
def get_project(state: TimeState, ctx: CallContext, project_id: ProjectId) -> Json:
    """Show a project with its tasks, people, notes (oldest first), hours and billable amount so far.

    Errors: `not_found`.

    Args:
        project_id: Id of the project.
    """
    project = state.projects.get(project_id)
    people = [state.users.get(row.user_id) for row in state.assignments.find(project_id=project_id)]
    notes = sorted(state.project_notes.find(project_id=project_id), key=lambda row: (row.written_at, row.id))
    return {
        **_shown(state, project),
        "currency": state.clients.get(project.client_id).currency,
        "billable_amount": total(amount_of(state, row) for row in state.time_entries.find(project_id=project_id)),
        "tasks": state.tasks.find(project_id=project_id),
        "people": [{"name": row.name, "email": row.email} for row in people],
        "notes": notes,
    }


@service.tool(phrase="create the project {name}")
def create_project(  # noqa: PLR0913, PLR0917 - a project has that many facts
    state: TimeState,
    ctx: CallContext,
    name: Name,
    client_id: ClientId,
    code: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)],
    budget_hours: Budget,
    hourly_rate: Rate,
    starts_on: f.Date,
    ends_on: f.Date,
    budget_is_hard: bool = False,
) -> Json:
    """Create a project for a client; you manage it and are its first member.

    It starts with the tasks Implementation, Project management and Travel (not billable).
    Errors: `not_found`, `duplicate_code`, `invalid_date`, `invalid_range`, `blank_text`.

    Args:
        name: Name of the project.
        client_id: Id of the client.
        code: Order number under which it is billed; each belongs to one project.
        budget_hours: Hours that were sold.
        hourly_rate: Money for an hour, in the currency of the client.
        starts_on: First day.
        ends_on: Last day.
        budget_is_hard: Refuse hours beyond the budget.
    """
    state.clients.get(client_id)
    check_range(starts_on, ends_on)
    if any(same(row.code, code) for row in state.projects):
        raise conflict(f"{code} belongs to a project already; use another code.", type="duplicate_code")
    project = state.projects.create(
        name=check_text(name, "name"),
        code=check_text(code, "code"),
        client_id=client_id,
        manager_email=ME.email,
        status="active",
        budget_hours=budget_hours,
        budget_is_hard=budget_is_hard,
        hourly_rate=hourly_rate,
        starts_on=starts_on,
        ends_on=ends_on,
    )
    for title, billable in _FIRST_TASKS:
        state.tasks.create(project_id=project.id, name=title, billable=billable)
    state.assignments.create(project_id=project.id, user_id=user_by_email(state, None).id)
    return _shown(state, project)


@service.tool(phrase="update the project {project_id}")
def update_project(
    state: TimeState,
    ctx: CallContext,
    project_id: ProjectId,
    budget_hours: Budget | Unset = UNSET,
    hourly_rate: Rate | Unset = UNSET,
    ends_on: f.Date | Unset = UNSET,
    status: ProjectStatus | Unset = UNSET,
    budget_is_hard: bool | Unset = UNSET,
) -> Json:
    """Change the budget, rate, end or status of a project. Nobody can log time on an archived project.

    Errors: `not_found`, `nothing_to_change`, `timer_running` (archiving while somebody's timer runs on it),
    `rate_invoiced` (hours have been invoiced at the old rate), `invalid_date`, `invalid_range`.

    Args:
        project_id: Id of the project.
        budget_hours: Hours that were sold.
        hourly_rate: Money for an hour.
        ends_on: Last day.
        status: active or archived.
        budget_is_hard: Refuse hours beyond the budget.
    """
    project = state.projects.get(project_id)
    changes = some_changes(
        given(
            budget_hours=budget_hours,
            hourly_rate=hourly_rate,
            ends_on=ends_on,
            status=status,
            budget_is_hard=budget_is_hard,
        )
    )
    entries = state.time_entries.find(project_id=project_id)
    if "ends_on" in changes:
        check_range(project.starts_on, changes["ends_on"])
    if changes.get("status") == "archived" and state.timers.first(project_id=project_id):
        raise conflict("A timer runs on this project; stop it first.", type="timer_running")
    if changes.get("hourly_rate", project.hourly_rate) != project.hourly_rate and any(
        row.invoice_number for row in entries
    ):
        raise conflict("Hours were invoiced at the present rate; add a task with its own rate.", type="rate_invoiced")
    return _shown(state, state.projects.patch(project_id, **changes))


@service.tool(phrase="add the task {name} to the project {project_id}")
def add_project_task(
    state: TimeState,
    ctx: CallContext,
    project_id: ProjectId,
    name: Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)],
    billable: bool = True,
    rate: Rate | None = None,
) -> Task:
    """Add a kind of work to a project, with its own rate if it has one.

    Errors: `not_found`, `duplicate_task`, `rate_without_billing`, `blank_text`.

    Args:
        project_id: Id of the project.
        name: Name of the task.
        billable: Whether hours on it are billed.
        rate: Money for an hour; the rate of the project when left out.
    """
    state.projects.get(project_id)
    if any(same(row.name, name) for row in state.tasks.find(project_id=project_id)):
        raise conflict(f"The project has a task {name!r} already.", type="duplicate_task")
    if rate is not None and not billable:
        raise invalid("A task that is not billable has no rate.", type="rate_without_billing")
    return state.tasks.create(project_id=project_id, name=check_text(name, "name"), billable=billable, rate=rate)


@service.tool(phrase="assign {user_email} to the project {project_id}")
def assign_user(state: TimeState, ctx: CallContext, project_id: ProjectId, user_email: f.Email) -> Assignment:
    """Assign a user to a project, so that they can log time on it.

    Errors: `not_found`, `unknown_user`, `already_assigned`, `project_archived`.

    Args:
        project_id: Id of the project.
        user_email: Address of the user.
    """
    project, user = state.projects.get(project_id), user_by_email(state, user_email)
    if project.status == "archived":
        raise conflict(f"{project.name} is archived; make it active first.", type="project_archived")
    if state.assignments.first(project_id=project_id, user_id=user.id):
        raise conflict(f"{user.name} is assigned to it already.", type="already_assigned")
    return state.assignments.create(project_id=project_id, user_id=user.id)


@service.tool(phrase="take {user_email} off the project {project_id}")
def unassign_user(state: TimeState, ctx: CallContext, project_id: ProjectId, user_email: f.Email) -> Json:
    """Take a user off a project; their hours stay.

    Errors: `not_found`, `unknown_user`, `not_assigned`, `timer_running`.

    Args:
        project_id: Id of the project.
        user_email: Address of the user.
    """
    project, user = state.projects.get(project_id), user_by_email(state, user_email)
    found = state.assignments.first(project_id=project_id, user_id=user.id)
    if found is None:
        raise conflict(f"{user.name} is not assigned to {project.name}.", type="not_assigned")
    if state.timers.first(project_id=project_id, user_id=user.id):
        raise conflict(f"A timer of {user.name} runs on it; stop it first.", type="timer_running")
    state.assignments.delete(found.id)
    hours = total(row.hours for row in state.time_entries.find(project_id=project_id, user_id=user.id))
    return {"project_id": project_id, "user_email": user.email, "hours_logged": hours}


@service.tool(phrase="add a note to the project {project_id}")
def add_project_note(state: TimeState, ctx: CallContext, project_id: ProjectId, text: Body) -> ProjectNote:
    """Add a note to a project, such as what is to be billed how.

    Errors: `not_found`, `blank_text`.

    Args:
        project_id: Id of the project.
        text: What everybody on the project should know.
    """
    state.projects.get(project_id)
    return state.project_notes.create(
        project_id=project_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool()
def list_users(
    state: TimeState, ctx: CallContext, team: f.Label | None = None, week_of_date: f.Date | None = None
) -> Json:
    """List users with the hours of a week and the state of its timesheet.

    Errors: `invalid_date`.

    Args:
        team: Only users of this team.
        week_of_date: A day of the week to look at; this week when left out.
    """
    monday = monday_of(check_date(week_of_date) if week_of_date else ctx.today)
    rows = []
    for user in keep(state.users, team=team):
        sheet = sheet_of(state, user.id, monday)
        hours = total(row.hours for row in entries_of_week(state, user.id, monday))
        rows.append(with_fields(user, hours=hours, timesheet=sheet.status if sheet else "open"))
    return {"week_start": monday, "users": rows}
