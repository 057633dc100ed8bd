"""Tools that make and change tasks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, Name, check_text, some_changes
from services_app.library.tasks.access import (
    ProjectId,
    SectionId,
    TaskId,
    changeable,
    check_due,
    check_room,
    described,
    is_member,
    me,
    member_by,
    open_project,
)
from services_app.library.tasks.state import Kind, Priority, Project, Section, Task, TasksState, service

Hours = Annotated[int, f.duration("hours"), Field(ge=1, le=200)]
Tags = Annotated[list[Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=30)]], Field(max_length=8)]


@service.tool(phrase="add the task {name} to the project {project_id}")
def create_task(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: TasksState,
    ctx: CallContext,
    project_id: ProjectId,
    name: Name,
    notes: f.Text = "",
    section_id: SectionId | None = None,
    kind: Kind = "task",
    priority: Priority = "medium",
    assignee_email: f.Email | None = None,
    due_on: f.Date | None = None,
    estimate_hours: Hours | None = None,
    tags: Tags | None = None,
) -> Json:
    """Add a task, milestone or approval to a project.

    Errors: `not_found`, `private_project`, `project_archived`, `other_project` (the column), `wip_limit_reached`,
    `unknown_user`, `not_a_member`, `assignee_missing` (approvals need one), `after_project_end`, `invalid_date`,
    `blank_text`.

    Args:
        project_id: Id of the project.
        name: What is to be done.
        notes: Details.
        section_id: Column; the first one, if left out.
        kind: Task, milestone or approval.
        priority: How urgent it is.
        assignee_email: Member who does or decides it.
        due_on: By when, within the project.
        estimate_hours: Hours of work.
        tags: Tags.
    """
    project = open_project(state, project_id)
    section = _section(state, project, section_id)
    if kind == "approval" and assignee_email is None:
        raise invalid("An approval needs assignee_email, the member who decides.", type="assignee_missing")
    task = state.tasks.create(
        project_id=project_id,
        section_id=section.id,
        name=check_text(name, "name"),
        notes=notes,
        kind=kind,
        priority=priority,
        assignee_id=member_by(state, project, assignee_email).id if assignee_email else None,
        creator_id=me(state).id,
        due_on=check_due(project, due_on) if due_on else None,
        estimate_hours=estimate_hours,
        tags=tuple(dict.fromkeys(tags or ())),
        approval="pending" if kind == "approval" else None,
        created_at=ctx.now,
    )
    return described(state, task, ctx.today)


def _section(state: TasksState, project: Project, section_id: str | None) -> Section:
    """The named column, or the first one, with room for a task."""
    if section_id is None:
        section = min(state.sections.find(project_id=project.id), key=lambda row: row.position)
    else:
        section = state.sections.get(section_id)
    if section.project_id != project.id:
        raise invalid(f"{section.id} ({section.name}) is a column of another project.", type="other_project")
    check_room(state, section)
    return section


@service.tool(phrase="add the subtask {name} to the task {task_id}")
def create_subtask(
    state: TasksState,
    ctx: CallContext,
    task_id: TaskId,
    name: Name,
    notes: f.Text = "",
    assignee_email: f.Email | None = None,
    due_on: f.Date | None = None,
    estimate_hours: Hours | None = None,
) -> Json:
    """Add a subtask to an open task; subtasks have no subtasks of their own.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `too_deep`, `unknown_user`,
    `not_a_member`, `after_parent` (due later than its parent), `after_project_end`, `invalid_date`, `blank_text`.

    Args:
        task_id: Id of the parent.
        name: What is to be done.
        notes: Details.
        assignee_email: Member who does it.
        due_on: By when, not later than the parent.
        estimate_hours: Hours of work.
    """
    parent = changeable(state, task_id)
    project = state.projects.get(parent.project_id)
    if parent.parent_id is not None:
        raise invalid(f"{task_id} is a subtask itself; use its parent {parent.parent_id}.", type="too_deep")
    day = check_due(project, due_on) if due_on else None
    if day is not None and parent.due_on is not None and day > parent.due_on:
        raise invalid(f"{task_id} is due on {parent.due_on}; {day} is later.", type="after_parent")
    task = state.tasks.create(
        project_id=project.id,
        parent_id=task_id,
        name=check_text(name, "name"),
        notes=notes,
        assignee_id=member_by(state, project, assignee_email).id if assignee_email else None,
        creator_id=me(state).id,
        due_on=day,
        estimate_hours=estimate_hours,
        created_at=ctx.now,
    )
    return described(state, task, ctx.today)


@service.tool(phrase="change the task {task_id}")
def update_task(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: TasksState,
    ctx: CallContext,
    task_id: TaskId,
    name: Name | Unset = UNSET,
    notes: f.Text | Unset = UNSET,
    priority: Priority | Unset = UNSET,
    due_on: f.Date | Unset | None = UNSET,
    estimate_hours: Hours | Unset | None = UNSET,
    tags: Tags | Unset = UNSET,
) -> Json:
    """Change an open task; what is left out stays.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `after_project_end`, `invalid_date`,
    `blank_text`, `nothing_to_change`.

    Args:
        task_id: Id of the task.
        name: New name.
        notes: New details.
        priority: New priority.
        due_on: New day; null for none.
        estimate_hours: New estimate; null for none.
        tags: New tags, in place of the old ones.
    """
    task = changeable(state, task_id)
    changes = some_changes(
        given(name=name, notes=notes, priority=priority, due_on=due_on, estimate_hours=estimate_hours, tags=tags)
    )
    if "name" in changes:
        check_text(changes["name"], "name")
    if changes.get("due_on") is not None:
        check_due(state.projects.get(task.project_id), changes["due_on"])
    if "tags" in changes:
        changes["tags"] = tuple(dict.fromkeys(changes["tags"]))
    return described(state, state.tasks.patch(task_id, **changes), ctx.today)


@service.tool(phrase="assign the task {task_id} to {assignee_email}")
def assign_task(state: TasksState, ctx: CallContext, task_id: TaskId, assignee_email: f.Email | None) -> Json:
    """Assign an open task to a member of its project, or to nobody.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `unknown_user`, `not_a_member`,
    `same_assignee`, `assignee_missing` (approvals need one).

    Args:
        task_id: Id of the task.
        assignee_email: Address of the member; null for nobody.
    """
    task = changeable(state, task_id)
    project = state.projects.get(task.project_id)
    user = member_by(state, project, assignee_email) if assignee_email is not None else None
    identity = user.id if user else None
    if identity == task.assignee_id:
        raise conflict(f"{task_id} is assigned to {user.name if user else 'nobody'} already.", type="same_assignee")
    if identity is None and task.kind == "approval":
        raise invalid("An approval needs somebody who decides.", type="assignee_missing")
    return described(state, state.tasks.patch(task_id, assignee_id=identity), ctx.today)


@service.tool(phrase="move the task {task_id} to the column {section_id}")
def move_task(state: TasksState, ctx: CallContext, task_id: TaskId, section_id: SectionId) -> Json:
    """Move an open task to another column, of its own or of another project; its subtasks go with it.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `is_subtask`, `same_section`,
    `wip_limit_reached`, `not_a_member` (its assignee, in the other project), `after_project_end`.

    Args:
        task_id: Id of the task.
        section_id: Id of the column.
    """
    section = state.sections.get(section_id)
    task = changeable(state, task_id)
    project = open_project(state, section.project_id)
    if task.parent_id is not None:
        raise conflict(f"{task_id} is a part of {task.parent_id}; move that.", type="is_subtask")
    if task.section_id == section_id:
        raise conflict(f"{task_id} is in {section.name} already.", type="same_section")
    family = [task, *state.tasks.find(parent_id=task_id)]
    if project.id != task.project_id:
        _check_fits(state, project, family)
    check_room(state, section)
    for child in family[1:]:
        state.tasks.patch(child.id, project_id=project.id)
    return described(state, state.tasks.patch(task_id, project_id=project.id, section_id=section_id), ctx.today)


def _check_fits(state: TasksState, project: Project, family: list[Task]) -> None:
    """Refuse tasks whose assignees or dates do not fit another project."""
    for task in family:
        if task.assignee_id is not None:
            user = state.users.get(task.assignee_id)
            if not is_member(state, project, user):
                raise invalid(f"{user.name} is not a member of {project.name}; add them first.", type="not_a_member")
        if task.due_on is not None and task.completed_at is None:
            check_due(project, task.due_on)


@service.tool(phrase="delete the task {task_id}")
def delete_task(state: TasksState, ctx: CallContext, task_id: TaskId) -> Json:
    """Delete an open task that you made or whose project you own, with its comments and dependencies.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `not_yours`, `has_subtasks`.

    Args:
        task_id: Id of the task.
    """
    task = changeable(state, task_id)
    project = state.projects.get(task.project_id)
    if me(state).id not in (task.creator_id, project.owner_id):
        creator = state.users.get(task.creator_id)
        raise forbidden(f"{task_id} was made by {creator.name}; only they or the owner delete it.", type="not_yours")
    if state.tasks.count(parent_id=task_id):
        raise conflict(f"{task_id} has subtasks; delete or finish these first.", type="has_subtasks")
    for comment in state.comments.find(task_id=task_id):
        state.comments.delete(comment.id)
    for row in [*state.dependencies.find(task_id=task_id), *state.dependencies.find(waits_for_id=task_id)]:
        state.dependencies.delete(row.id)
    state.tasks.delete(task_id)
    return {"deleted": task_id, "name": task.name, "left_in_project": state.tasks.count(project_id=project.id)}
