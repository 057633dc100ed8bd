"""Which projects and tasks may be seen and changed, and how answers show them."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, check_date, same
from services_app.library.tasks.state import Project, Section, Task, TasksState, User

ProjectId = Annotated[str, f.ref("projects")]
SectionId = Annotated[str, f.ref("sections")]
TaskId = Annotated[str, f.ref("tasks")]


def me(state: TasksState) -> User:
    """The signed-in user."""
    return user_by(state, ME.email)


def user_by(state: TasksState, email: str) -> User:
    """The user with this address; 404 `unknown_user` otherwise."""
    for user in state.users:
        if same(user.email, email):
            return user
    raise ToolError(404, "unknown_user", f"Nobody in the workspace has the address {email}; see get_workload.")


def is_member(state: TasksState, project: Project, user: User) -> bool:
    return project.owner_id == user.id or state.project_members.count(project_id=project.id, user_id=user.id) > 0


def visible(state: TasksState, project_id: str) -> Project:
    """A project that you may see; 403 `private_project` otherwise."""
    project = state.projects.get(project_id)
    if project.private and not is_member(state, project, me(state)):
        owner = state.users.get(project.owner_id)
        raise forbidden(f"The project is private; ask {owner.name} ({owner.email}) to add you.", type="private_project")
    return project


def open_project(state: TasksState, project_id: str) -> Project:
    """A visible project that is not archived; 409 `project_archived` otherwise."""
    project = visible(state, project_id)
    if project.archived:
        raise conflict(f"{project.name} is archived; nothing in it can be changed.", type="project_archived")
    return project


def owned_project(state: TasksState, project_id: str) -> Project:
    """An open project that you own; 403 `not_owner` otherwise."""
    project = open_project(state, project_id)
    if project.owner_id != me(state).id:
        owner = state.users.get(project.owner_id)
        raise forbidden(f"{project.name} belongs to {owner.name}; only they may do this.", type="not_owner")
    return project


def readable(state: TasksState, task_id: str) -> Task:
    """A task of a project that you may see."""
    task = state.tasks.get(task_id)
    visible(state, task.project_id)
    return task


def changeable(state: TasksState, task_id: str) -> Task:
    """A task that is not done, in an open project; 409 `task_completed` otherwise."""
    task = state.tasks.get(task_id)
    open_project(state, task.project_id)
    if task.completed_at is not None:
        raise conflict(f"{task_id} was completed at {task.completed_at}; reopen it first.", type="task_completed")
    return task


def member_by(state: TasksState, project: Project, email: str) -> User:
    """The member of a project with this address; 422 `not_a_member` otherwise."""
    user = user_by(state, email)
    if not is_member(state, project, user):
        raise invalid(f"{user.name} is not a member of {project.name}; add them first.", type="not_a_member")
    return user


def check_due(project: Project, due_on: str) -> str:
    """A date within the project; 422 `after_project_end` | `invalid_date` otherwise."""
    day = check_date(due_on)
    if project.due_on is not None and day > project.due_on:
        raise invalid(f"{project.name} ends on {project.due_on}; {day} is too late.", type="after_project_end")
    return day


def check_room(state: TasksState, section: Section) -> None:
    """409 `wip_limit_reached` when a column holds as many open tasks as it may."""
    held = state.tasks.count(section_id=section.id, completed_at=None)
    if section.wip_limit is not None and held >= section.wip_limit:
        raise conflict(
            f"{section.name} holds {held} open tasks, its limit; finish or move one first.", type="wip_limit_reached"
        )


def waits_for(state: TasksState, task: Task) -> list[Task]:
    """Open tasks that a task waits for."""
    rows = [state.tasks.get(row.waits_for_id) for row in state.dependencies.find(task_id=task.id)]
    return [row for row in rows if row.completed_at is None]


def described(state: TasksState, task: Task, today: str) -> Json:
    """A task as answers show it: names for ids, and what follows from dates and dependencies."""
    assignee = state.users.first(id=task.assignee_id) if task.assignee_id else None
    section = state.sections.first(id=task.section_id) if task.section_id else None
    children = state.tasks.find(parent_id=task.id)
    return {
        **task.plain(),
        "project": state.projects.get(task.project_id).name,
        "section": section.name if section else None,
        "assignee_name": assignee.name if assignee else None,
        "assignee_email": assignee.email if assignee else None,
        "overdue": task.completed_at is None and task.due_on is not None and task.due_on < today,
        "blocked": bool(waits_for(state, task)),
        "subtasks": len(children),
        "open_subtasks": sum(1 for row in children if row.completed_at is None),
    }
