"""Tools for finishing tasks, for approvals and dependencies."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json
from services_app.library.tasks.access import (
    TaskId,
    changeable,
    check_room,
    described,
    me,
    open_project,
    readable,
    waits_for,
)
from services_app.library.tasks.state import Task, TasksState, service

Decision = Annotated[Literal["approved", "rejected", "changes_requested"], LABEL]


@service.tool(phrase="complete the task {task_id}")
def complete_task(state: TasksState, ctx: CallContext, task_id: TaskId) -> Json:
    """Mark a task as done. Approvals are decided with respond_to_approval instead.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `task_blocked` (it waits for an open
    task), `open_subtasks`, `is_approval`.

    Args:
        task_id: Id of the task.
    """
    task = changeable(state, task_id)
    if task.kind == "approval":
        raise conflict(f"{task_id} is an approval; respond to it.", type="is_approval")
    blocking = waits_for(state, task)
    if blocking:
        names = ", ".join(f"{row.id} ({row.name})" for row in blocking)
        raise conflict(f"{task_id} waits for {names}; complete these first.", type="task_blocked")
    left = state.tasks.find(parent_id=task_id, completed_at=None)
    if left:
        raise conflict(f"{len(left)} subtasks are open, such as {left[0].id}.", type="open_subtasks")
    done = state.tasks.patch(task_id, completed_at=ctx.now)
    freed = [
        row.task_id
        for row in state.dependencies.find(waits_for_id=task_id)
        if not waits_for(state, state.tasks.get(row.task_id))
    ]
    return {**described(state, done, ctx.today), "no_longer_blocked": freed}


@service.tool(phrase="reopen the task {task_id}")
def reopen_task(state: TasksState, ctx: CallContext, task_id: TaskId) -> Json:
    """Open a completed task again; an approval waits for a new decision.

    Errors: `not_found`, `private_project`, `project_archived`, `not_completed`, `wip_limit_reached`,
    `parent_completed`.

    Args:
        task_id: Id of the task.
    """
    task = readable(state, task_id)
    open_project(state, task.project_id)
    if task.completed_at is None:
        raise conflict(f"{task_id} is open.", type="not_completed")
    parent = state.tasks.first(id=task.parent_id) if task.parent_id else None
    if parent is not None and parent.completed_at is not None:
        raise conflict(f"Its parent {parent.id} is completed; reopen that first.", type="parent_completed")
    if task.section_id is not None:
        check_room(state, state.sections.get(task.section_id))
    approval = "pending" if task.kind == "approval" else None
    return described(state, state.tasks.patch(task_id, completed_at=None, approval=approval), ctx.today)


@service.tool(phrase="answer the approval {task_id} with {decision}")
def respond_to_approval(
    state: TasksState, ctx: CallContext, task_id: TaskId, decision: Decision, comment: f.Text = ""
) -> Json:
    """Decide an approval assigned to you; asking for changes leaves it open, the rest completes it.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `not_an_approval`, `not_assignee`,
    `task_blocked`, `comment_missing` (rejections and requests need a reason).

    Args:
        task_id: Id of the approval.
        decision: What you decide.
        comment: Why.
    """
    task = changeable(state, task_id)
    user = me(state)
    if task.kind != "approval":
        raise conflict(f"{task_id} is a {task.kind}, not an approval.", type="not_an_approval")
    if task.assignee_id != user.id:
        raise forbidden("Only the assignee decides an approval.", type="not_assignee")
    blocking = waits_for(state, task)
    if blocking and decision == "approved":
        raise conflict(f"{task_id} waits for {blocking[0].id} ({blocking[0].name}).", type="task_blocked")
    if decision != "approved" and not comment.strip():
        raise invalid("Say in comment what is missing or wrong.", type="comment_missing")
    if comment.strip():
        state.comments.create(task_id=task_id, author_id=user.id, text=comment, written_at=ctx.now)
    done = None if decision == "changes_requested" else ctx.now
    return described(state, state.tasks.patch(task_id, approval=decision, completed_at=done), ctx.today)


@service.tool(phrase="let the task {task_id} wait for {waits_for_id}")
def add_dependency(state: TasksState, ctx: CallContext, task_id: TaskId, waits_for_id: TaskId) -> Json:
    """Let an open task wait for another one; nothing may wait for itself, however long the chain.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed` (the waiting one), `same_task`,
    `duplicate_dependency`, `dependency_cycle`.

    Args:
        task_id: Id of the task that waits.
        waits_for_id: Id of the task that has to be completed first.
    """
    other = state.tasks.get(waits_for_id)
    task = changeable(state, task_id)
    readable(state, waits_for_id)
    if task_id == waits_for_id:
        raise invalid("A task cannot wait for itself.", type="same_task")
    if state.dependencies.first(task_id=task_id, waits_for_id=waits_for_id):
        raise conflict(f"{task_id} waits for {waits_for_id} already.", type="duplicate_dependency")
    if task_id in _all_before(state, other):
        raise conflict(f"{waits_for_id} waits for {task_id}, directly or not.", type="dependency_cycle")
    state.dependencies.create(task_id=task_id, waits_for_id=waits_for_id)
    return described(state, task, ctx.today)


def _all_before(state: TasksState, task: Task) -> set[str]:
    """Ids of all tasks that a task waits for, directly or not."""
    found: set[str] = set()
    todo = [task.id]
    while todo:
        for row in state.dependencies.find(task_id=todo.pop()):
            if row.waits_for_id not in found:
                found.add(row.waits_for_id)
                todo.append(row.waits_for_id)
    return found


@service.tool(phrase="let the task {task_id} no longer wait for {waits_for_id}")
def remove_dependency(state: TasksState, ctx: CallContext, task_id: TaskId, waits_for_id: TaskId) -> Json:
    """Let a task no longer wait for another one.

    Errors: `not_found`, `private_project`, `project_archived`, `task_completed`, `no_dependency`.

    Args:
        task_id: Id of the task that waits.
        waits_for_id: Id of the task that it waits for.
    """
    other = state.tasks.get(waits_for_id)
    task = changeable(state, task_id)
    row = state.dependencies.first(task_id=task_id, waits_for_id=waits_for_id)
    if row is None:
        raise conflict(f"{task_id} does not wait for {waits_for_id} ({other.name}).", type="no_dependency")
    state.dependencies.delete(row.id)
    return described(state, task, ctx.today)
