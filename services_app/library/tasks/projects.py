"""Tools for projects, their columns and members."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.shared import (
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
    with_fields,
)
from services_app.library.tasks.access import (
    ProjectId,
    is_member,
    me,
    open_project,
    owned_project,
    user_by,
    visible,
)
from services_app.library.tasks.state import Health, Project, Section, TasksState, User, service

WipLimit = Annotated[int, f.count("tasks"), Field(ge=1, le=50)]
SectionName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
FIRST_SECTIONS = ("To do", "Doing", "Done")


def _health(state: TasksState, project: Project) -> str | None:
    updates = state.status_updates.find(project_id=project.id)
    return max(updates, key=lambda row: (row.posted_at, row.id)).health if updates else None


def shown(state: TasksState, project: Project, today: str) -> Json:
    """A project with its owner, progress and latest health."""
    tasks = state.tasks.find(project_id=project.id)
    done = [row for row in tasks if row.completed_at is not None]
    left = [row for row in tasks if row.completed_at is None]
    owner = state.users.get(project.owner_id)
    return with_fields(
        project,
        owner_name=owner.name,
        owner_email=owner.email,
        health=_health(state, project),
        tasks=len(tasks),
        completed_tasks=len(done),
        percent_complete=round(100 * len(done) / len(tasks)) if tasks else 0,
        overdue_tasks=sum(1 for row in left if row.due_on is not None and row.due_on < today),
        hours_left=sum(row.estimate_hours or 0 for row in left),
    )


@service.tool()
def list_projects(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: TasksState,
    ctx: CallContext,
    query: Query | None = None,
    team: f.Label | None = None,
    owner_email: f.Email | None = None,
    health: Health | None = None,
    archived: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List projects that you may see by name, with progress and latest health.

    Args:
        query: Words in the name or brief.
        team: Only projects of this team.
        owner_email: Only projects of this owner.
        health: Only projects whose latest status update says so.
        archived: List archived projects instead.
        limit: At most so many projects.
        cursor: next_cursor of the previous page.
    """
    user = me(state)
    rows = [row for row in state.projects if not row.private or is_member(state, row, user)]
    found = keep(search(rows, query, lambda row: (row.name, row.brief)), team=team, archived=archived)
    if owner_email is not None:
        found = [row for row in found if same(state.users.get(row.owner_id).email, owner_email)]
    found = [row for row in found if health is None or _health(state, row) == health]
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("projects", found, limit, cursor)
    page["projects"] = [shown(state, row, ctx.today) for row in page["projects"]]
    return page


@service.tool()
def get_project(state: TasksState, ctx: CallContext, project_id: ProjectId) -> Json:
    """Show a project with its columns, members, progress and latest status update.

    Errors: `not_found`, `private_project`.

    Args:
        project_id: Id of the project.
    """
    project = visible(state, project_id)
    sections = sorted(state.sections.find(project_id=project_id), key=lambda row: row.position)
    updates = state.status_updates.find(project_id=project_id)
    return {
        **shown(state, project, ctx.today),
        "sections": [
            with_fields(row, open_tasks=state.tasks.count(section_id=row.id, completed_at=None)) for row in sections
        ],
        "members": [{"name": user.name, "email": user.email} for user in members(state, project)],
        "latest_status": max(updates, key=lambda row: (row.posted_at, row.id)) if updates else None,
    }


def members(state: TasksState, project: Project) -> list[User]:
    """The owner and the members of a project."""
    ids = [project.owner_id, *(row.user_id for row in state.project_members.find(project_id=project.id))]
    return [state.users.get(identity) for identity in dict.fromkeys(ids)]


def new_name(state: TasksState, name: str) -> str:
    """A name that no project in use has; 409 `duplicate_name` otherwise."""
    clean = check_text(name, "name")
    if any(same(row.name, clean) and not row.archived for row in state.projects):
        raise conflict(f"There is a project {clean!r} already; choose another name.", type="duplicate_name")
    return clean


@service.tool(phrase="start the project {name}")
def create_project(
    state: TasksState,
    ctx: CallContext,
    name: Name,
    team: f.Label = "operations",
    brief: f.Text = "",
    start_on: f.Date | None = None,
    due_on: f.Date | None = None,
    private: bool = False,
) -> Json:
    """Start a project that you own, with the columns To do, Doing and Done.

    Errors: `duplicate_name`, `invalid_range`, `invalid_date`, `blank_text`.

    Args:
        name: Name of the project.
        team: Team it belongs to.
        brief: What it is for.
        start_on: First day.
        due_on: Last day; no task may be due later.
        private: Whether only members see it.
    """
    check_range(start_on, due_on)
    project = state.projects.create(
        name=new_name(state, name),
        team=team,
        owner_id=me(state).id,
        brief=brief,
        start_on=start_on,
        due_on=due_on,
        private=private,
        created_at=ctx.now,
    )
    for position, section in enumerate(FIRST_SECTIONS):
        state.sections.create(project_id=project.id, name=section, position=position)
    return shown(state, project, ctx.today)


@service.tool(phrase="archive the project {project_id}")
def archive_project(state: TasksState, ctx: CallContext, project_id: ProjectId) -> Json:
    """Archive a project that you own; approvals in it have to be decided first.

    Errors: `not_found`, `private_project`, `not_owner`, `project_archived`, `approval_pending`.

    Args:
        project_id: Id of the project.
    """
    owned_project(state, project_id)
    pending = state.tasks.first(project_id=project_id, approval="pending", completed_at=None)
    if pending is not None:
        raise conflict(f"The approval {pending.id} ({pending.name}) is not decided.", type="approval_pending")
    return shown(state, state.projects.patch(project_id, archived=True), ctx.today)


@service.tool(phrase="move the end of the project {project_id} to {due_on}")
def set_project_due_date(state: TasksState, ctx: CallContext, project_id: ProjectId, due_on: f.Date) -> Json:
    """Set the last day of a project that you own; no open task may be due after it.

    Errors: `not_found`, `private_project`, `not_owner`, `project_archived`, `tasks_due_later`, `invalid_range` (before
    its start), `invalid_date`.

    Args:
        project_id: Id of the project.
        due_on: New last day.
    """
    project = owned_project(state, project_id)
    check_range(project.start_on, check_date(due_on))
    later = [
        row
        for row in state.tasks.find(project_id=project_id, completed_at=None)
        if row.due_on is not None and row.due_on > due_on
    ]
    if later:
        raise conflict(
            f"{len(later)} open tasks are due later, such as {later[0].id} on {later[0].due_on}; move them first.",
            type="tasks_due_later",
        )
    return shown(state, state.projects.patch(project_id, due_on=due_on), ctx.today)


@service.tool(phrase="add {email} to the project {project_id}")
def add_project_member(state: TasksState, ctx: CallContext, project_id: ProjectId, email: f.Email) -> Json:
    """Add a colleague to a project; to private ones only the owner does.

    Errors: `not_found`, `private_project`, `not_owner`, `project_archived`, `unknown_user`, `already_member`.

    Args:
        project_id: Id of the project.
        email: Address of the colleague.
    """
    project = open_project(state, project_id)
    if project.private:
        owned_project(state, project_id)
    user = user_by(state, email)
    if is_member(state, project, user):
        raise conflict(f"{user.name} is a member already.", type="already_member")
    state.project_members.create(project_id=project_id, user_id=user.id)
    return {"project": project.name, "members": [row.email for row in members(state, project)]}


@service.tool(phrase="add the column {name} to the project {project_id}")
def create_section(
    state: TasksState, ctx: CallContext, project_id: ProjectId, name: SectionName, wip_limit: WipLimit | None = None
) -> Section:
    """Add a column at the end of the board of a project.

    Errors: `not_found`, `private_project`, `project_archived`, `duplicate_name`, `blank_text`.

    Args:
        project_id: Id of the project.
        name: Name of the column.
        wip_limit: How many open tasks may stand in it.
    """
    open_project(state, project_id)
    clean = check_text(name, "name")
    sections = state.sections.find(project_id=project_id)
    if any(same(row.name, clean) for row in sections):
        raise conflict(f"The board has a column {clean!r} already.", type="duplicate_name")
    return state.sections.create(project_id=project_id, name=clean, position=len(sections), wip_limit=wip_limit)
