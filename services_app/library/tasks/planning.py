"""Tools for workload and templates."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.shared import (
    Json,
    Name,
    Query,
    check_date,
    check_range,
    days_between,
    plus_days,
    search,
    with_fields,
)
from services_app.library.tasks.access import me
from services_app.library.tasks.projects import new_name, shown
from services_app.library.tasks.state import Project, TasksState, Template, User, service

TemplateId = Annotated[str, f.ref("templates")]


@service.tool()
def get_workload(
    state: TasksState,
    ctx: CallContext,
    from_day: f.Date,
    to_day: f.Date,
    team: f.Label | None = None,
    query: Query | None = None,
) -> Json:
    """Compare the hours of open tasks due in some days with the hours people have, the most loaded first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        from_day: First day.
        to_day: Last day.
        team: Only people of this team.
        query: Words in the name or address.
    """
    check_range(from_day, to_day)
    users = search(state.users, query, lambda row: (row.name, row.email))
    rows = [_load(state, user, from_day, to_day) for user in users if team in (None, user.team)]
    rows.sort(key=lambda row: (-row["planned_hours"], row["name"]))
    return {
        "people": rows,
        "total_planned_hours": sum(row["planned_hours"] for row in rows),
        "over_capacity": [row["email"] for row in rows if row["planned_hours"] > row["capacity_hours"]],
    }


def _load(state: TasksState, user: User, first: str, last: str) -> Json:
    due = [
        row
        for row in state.tasks.find(assignee_id=user.id, completed_at=None)
        if row.due_on is not None and first <= row.due_on <= last
    ]
    return {
        "name": user.name,
        "email": user.email,
        "team": user.team,
        "open_tasks": len(due),
        "planned_hours": sum(row.estimate_hours or 0 for row in due),
        "capacity_hours": round(user.weekly_hours * (days_between(first, last) + 1) / 7),
    }


@service.tool()
def list_project_templates(state: TasksState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the project templates with their tasks.

    Args:
        query: Words in the name or description of the template or in the names of its tasks.
    """
    rows = [_template(state, row) for row in state.templates]
    found = search(rows, query, lambda row: (row["name"], row["description"], *(task.name for task in row["tasks"])))
    return {"templates": found, "total": len(found)}


def _template(state: TasksState, template: Template) -> Json:
    tasks = state.template_tasks.find(template_id=template.id)
    return with_fields(template, tasks=tasks, total_hours=sum(row.estimate_hours for row in tasks))


@service.tool(phrase="start the project {name} from the template {template_id}")
def create_project_from_template(
    state: TasksState, ctx: CallContext, template_id: TemplateId, name: Name, start_on: f.Date
) -> Json:
    """Start a project of yours from a template: its columns and tasks, with dates counted from the start.

    Approvals are assigned to you. Errors: `not_found`, `duplicate_name`, `invalid_date`, `blank_text`.

    Args:
        template_id: Id of the template.
        name: Name of the project.
        start_on: First day.
    """
    template = state.templates.get(template_id)
    tasks = state.template_tasks.find(template_id=template_id)
    start = check_date(start_on)
    project = state.projects.create(
        name=new_name(state, name),
        team=template.team,
        owner_id=me(state).id,
        brief=template.description,
        start_on=start,
        due_on=plus_days(start, max(row.day for row in tasks)),
        created_at=ctx.now,
    )
    fill_from_template(state, template, project, ctx.now)
    return shown(state, project, ctx.today)


def fill_from_template(state: TasksState, template: Template, project: Project, now: str) -> None:
    """Give a project the columns, tasks and dependencies of a template."""
    start = project.start_on or now[:10]
    sections = {
        name: state.sections.create(project_id=project.id, name=name, position=position).id
        for position, name in enumerate(template.sections)
    }
    made: dict[str, str] = {}
    for row in state.template_tasks.find(template_id=template.id):
        task = state.tasks.create(
            project_id=project.id,
            section_id=sections[row.section],
            name=row.name,
            kind=row.kind,
            creator_id=project.owner_id,
            assignee_id=project.owner_id if row.kind == "approval" else None,
            approval="pending" if row.kind == "approval" else None,
            due_on=plus_days(start, row.day),
            estimate_hours=row.estimate_hours,
            created_at=now,
        )
        made[row.name] = task.id
        if row.after:
            state.dependencies.create(task_id=task.id, waits_for_id=made[row.after])
