"""Tools for comments, followers and status updates."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    with_fields,
)
from services_app.library.shared import search as matching
from services_app.library.tasks.access import (
    ProjectId,
    TaskId,
    is_member,
    me,
    open_project,
    readable,
    user_by,
    visible,
)
from services_app.library.tasks.state import Comment, Health, TasksState, service

Emails = Annotated[list[f.Email], Field(min_length=1, max_length=10)]


@service.tool(phrase="comment on the task {task_id}")
def add_comment(state: TasksState, ctx: CallContext, task_id: TaskId, text: Body) -> Comment:
    """Comment on a task of an open project; you follow it from then on.

    Errors: `not_found`, `private_project`, `project_archived`, `blank_text`.

    Args:
        task_id: Id of the task.
        text: The comment.
    """
    task = readable(state, task_id)
    open_project(state, task.project_id)
    check_text(text, "text")
    user = me(state)
    if user.id not in task.follower_ids:
        state.tasks.patch(task_id, follower_ids=(*task.follower_ids, user.id))
    return state.comments.create(task_id=task_id, author_id=user.id, text=text, written_at=ctx.now)


@service.tool(examples=(Example({"task_id": "TASK-0001"}),))
def list_comments(
    state: TasksState,
    ctx: CallContext,
    task_id: TaskId,
    query: Query | None = None,
    author_email: f.Email | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Show the comments on a task, oldest first.

    Errors: `not_found`, `private_project`.

    Args:
        task_id: Id of the task.
        query: Only comments with all these words.
        author_email: Only comments of this person.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    readable(state, task_id)
    rows = matching(state.comments.find(task_id=task_id), query, lambda row: (row.text,))
    shown = [
        with_fields(row, author_name=author.name, author_email=author.email)
        for row in sorted(rows, key=lambda row: (row.written_at, row.id))
        if (author := state.users.get(row.author_id)) and (author_email is None or same(author.email, author_email))
    ]
    return cursor_page("comments", shown, limit, cursor)


@service.tool(phrase="let {emails} follow the task {task_id}")
def add_followers(state: TasksState, ctx: CallContext, task_id: TaskId, emails: Emails) -> Json:
    """Let colleagues follow a task; in private projects only members can.

    Errors: `not_found`, `private_project`, `project_archived`, `unknown_user`, `not_a_member`, `already_following`
    (all of them).

    Args:
        task_id: Id of the task.
        emails: Addresses of the colleagues.
    """
    task = readable(state, task_id)
    project = open_project(state, task.project_id)
    users = [user_by(state, email) for email in emails]
    for user in users:
        if project.private and not is_member(state, project, user):
            raise forbidden(f"{user.name} is not a member of the private project.", type="not_a_member")
    ids = tuple(dict.fromkeys((*task.follower_ids, *(user.id for user in users))))
    if ids == task.follower_ids:
        raise conflict("They all follow the task already.", type="already_following")
    state.tasks.patch(task_id, follower_ids=ids)
    return {"task_id": task_id, "followers": [state.users.get(identity).email for identity in ids]}


@service.tool(phrase="report that the project {project_id} is {health}")
def post_status_update(
    state: TasksState, ctx: CallContext, project_id: ProjectId, health: Health, title: Name, text: Body
) -> Json:
    """Post a status update to a project that you are a member of.

    A project with overdue high-priority tasks is not on track. Errors: `not_found`, `private_project`,
    `project_archived`, `not_a_member`, `not_on_track`, `blank_text`.

    Args:
        project_id: Id of the project.
        health: How it stands.
        title: Headline.
        text: The report.
    """
    project = open_project(state, project_id)
    user = me(state)
    if not is_member(state, project, user):
        raise forbidden(f"You are not a member of {project.name}; only members report.", type="not_a_member")
    late = [
        row
        for row in state.tasks.find(project_id=project_id, completed_at=None, priority="high")
        if row.due_on is not None and row.due_on < ctx.today
    ]
    if health == "on_track" and late:
        raise conflict(
            f"{len(late)} high-priority tasks are overdue, such as {late[0].id}; it is not on track.",
            type="not_on_track",
        )
    check_text(text, "text")
    row = state.status_updates.create(
        project_id=project_id,
        author_id=user.id,
        health=health,
        title=check_text(title, "title"),
        text=text,
        posted_at=ctx.now,
    )
    return with_fields(row, project=project.name)


@service.tool()
def list_status_updates(
    state: TasksState,
    ctx: CallContext,
    project_id: ProjectId,
    health: Health | None = None,
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Show the status updates of a project, newest first.

    Errors: `not_found`, `private_project`.

    Args:
        project_id: Id of the project.
        health: Only updates that say so.
        limit: At most so many updates.
        cursor: next_cursor of the previous page.
    """
    visible(state, project_id)
    found = keep(state.status_updates.find(project_id=project_id), health=health)
    found = newest_first(found, "posted_at")
    page = cursor_page("status_updates", found, limit, cursor)
    page["status_updates"] = [
        with_fields(row, author_name=state.users.get(row.author_id).name) for row in page["status_updates"]
    ]
    return page
