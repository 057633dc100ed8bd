"""Tools that find and show tasks."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_range,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
)
from services_app.library.tasks.access import (
    ProjectId,
    SectionId,
    TaskId,
    described,
    is_member,
    me,
    readable,
    waits_for,
)
from services_app.library.tasks.state import Kind, Priority, Task, TasksState, service

TaskOrder = Annotated[Literal["due_on", "priority", "created", "name"], LABEL]
_RANK = {"high": 0, "medium": 1, "low": 2}


@service.tool()
def search_tasks(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: TasksState,
    ctx: CallContext,
    query: Query | None = None,
    project_id: ProjectId | None = None,
    section_id: SectionId | None = None,
    assignee_email: f.Email | None = None,
    completed: bool | None = None,
    kind: Kind | None = None,
    priority: Priority | None = None,
    tag: f.Label | None = None,
    due_from: f.Date | None = None,
    due_to: f.Date | None = None,
    blocked: bool | None = None,
    order_by: TaskOrder = "due_on",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find tasks and subtasks by words in their name, notes or comments, in projects that you may see.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words that must all occur.
        project_id: Only tasks of this project.
        section_id: Only tasks in this column.
        assignee_email: Only tasks of this person.
        completed: Only done (true) or open (false) tasks.
        kind: Only tasks, milestones or approvals.
        priority: Only tasks of this priority.
        tag: Only tasks with this tag.
        due_from: Only tasks due on or after this day.
        due_to: Only tasks due on or before this day.
        blocked: Only tasks that wait (true) or do not wait (false) for an open one.
        order_by: By due date (none last), priority, creation (newest first) or name.
        limit: At most so many tasks.
        cursor: next_cursor of the previous page.
    """
    check_range(due_from, due_to)
    user = me(state)
    hidden = {row.id for row in state.projects if row.private and not is_member(state, row, user)}
    rows = keep(state.tasks, project_id=project_id, section_id=section_id, kind=kind, priority=priority)
    found = [
        row
        for row in search(rows, query, lambda row: _texts(state, row))
        if row.project_id not in hidden
        and (assignee_email is None or _assigned(state, row, assignee_email))
        and completed in (None, row.completed_at is not None)
        and (tag is None or any(same(own, tag) for own in row.tags))
        and (due_from is None or (row.due_on is not None and row.due_on >= due_from))
        and (due_to is None or (row.due_on is not None and row.due_on <= due_to))
        and (blocked is None or bool(waits_for(state, row)) == blocked)
    ]
    page = cursor_page("tasks", _ordered(found, order_by), limit, cursor)
    page["tasks"] = [described(state, row, ctx.today) for row in page["tasks"]]
    return page


def _texts(state: TasksState, task: Task) -> list[str]:
    return [task.name, task.notes, *(row.text for row in state.comments.find(task_id=task.id))]


def _assigned(state: TasksState, task: Task, email: str) -> bool:
    return task.assignee_id is not None and same(state.users.get(task.assignee_id).email, email)


def _ordered(rows: list[Task], order_by: str) -> list[Task]:
    if order_by == "priority":
        return sorted(rows, key=lambda row: (_RANK[row.priority], row.due_on or "9", row.id))
    if order_by == "created":
        return newest_first(rows, "created_at")
    if order_by == "name":
        return sorted(rows, key=lambda row: (row.name, row.id))
    return sorted(rows, key=lambda row: (row.due_on or "9", row.id))


@service.tool()
def get_task(state: TasksState, ctx: CallContext, task_id: TaskId) -> Json:
    """Show a task with its subtasks, dependencies in both directions, followers and last comments.

    Errors: `not_found`, `private_project`.

    Args:
        task_id: Id of the task.
    """
    task = readable(state, task_id)
    creator = state.users.get(task.creator_id)
    comments = sorted(state.comments.find(task_id=task_id), key=lambda row: (row.written_at, row.id))
    return {
        **described(state, task, ctx.today),
        "creator_email": creator.email,
        "subtask_list": [
            brief(row, "id", "name", "due_on", "completed_at") for row in state.tasks.find(parent_id=task_id)
        ],
        "waits_for": [_linked(state, row.waits_for_id) for row in state.dependencies.find(task_id=task_id)],
        "holds_up": [_linked(state, row.task_id) for row in state.dependencies.find(waits_for_id=task_id)],
        "followers": [state.users.get(identity).email for identity in task.follower_ids],
        "last_comments": comments[-5:],
    }


def _linked(state: TasksState, task_id: str) -> Json:
    return brief(state.tasks.get(task_id), "id", "name", "due_on", "completed_at")
