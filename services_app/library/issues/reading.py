"""Tools that look: issues, projects, people, history."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.issues.state import (
    OPEN,
    PRIORITIES,
    TRANSITIONS,
    Issue,
    IssueId,
    IssuesState,
    IssueType,
    Priority,
    ProjectKey,
    SprintId,
    Status,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)

Sort = Annotated[Literal["created", "priority", "due_date"], LABEL]


def blockers_of(state: IssuesState, issue_id: str) -> list[str]:
    """Issues that block this one and are still open."""
    sources = [row.source_id for row in state.links.find(link_type="blocks", target_id=issue_id)]
    return [source for source in sources if state.issues.get(source).status in OPEN]


def described(state: IssuesState, issue: Issue) -> Json:
    """An issue with what follows from its links, parts and work logs."""
    parts = state.issues.find(parent_id=issue.id)
    return with_fields(
        issue,
        logged_minutes=sum(row.minutes for row in state.worklogs.find(issue_id=issue.id)),
        comments=state.comments.count(issue_id=issue.id),
        subtasks=[brief(row, "id", "summary", "status") for row in parts],
        open_subtasks=sum(row.status in OPEN for row in parts),
        blocked_by=blockers_of(state, issue.id),
    )


SHOWN = (
    "id",
    "project",
    "summary",
    "issue_type",
    "status",
    "priority",
    "assignee_email",
    "labels",
    "story_points",
    "sprint_id",
    "fix_version",
    "due_date",
    "created_at",
)


@service.tool()
def search_issues(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: IssuesState,
    ctx: CallContext,
    query: Query | None = None,
    project: ProjectKey | None = None,
    status: Status | None = None,
    issue_type: IssueType | None = None,
    priority: Priority | None = None,
    assignee_email: f.Email | None = None,
    reporter_email: f.Email | None = None,
    label: f.Label | None = None,
    sprint_id: SprintId | None = None,
    fix_version: f.Code | None = None,
    open_only: bool = False,
    overdue_only: bool = False,
    sort: Sort = "created",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find issues by words and by their fields.

    Args:
        query: Words in the key, summary or description.
        project: Only issues of this project, by its key.
        status: Only issues with this status.
        issue_type: Only issues of this type.
        priority: Only issues of this priority.
        assignee_email: Only issues of this assignee.
        reporter_email: Only issues reported by this person.
        label: Only issues with this label.
        sprint_id: Only issues planned for this sprint.
        fix_version: Only issues to be released in this version.
        open_only: Leave out what is done or will not be done.
        overdue_only: Only open issues whose due date is over.
        sort: created for the newest first, priority for the highest first, due_date for the earliest first.
        limit: At most so many issues.
        cursor: next_cursor of the previous page.
    """
    found = search(state.issues, query, lambda row: (row.id, row.summary, row.description))
    found = keep(found, project=project, status=status, issue_type=issue_type, priority=priority)
    found = keep(found, assignee_email=assignee_email, reporter_email=reporter_email, sprint_id=sprint_id)
    rows = [
        row
        for row in keep(found, fix_version=fix_version)
        if (label is None or any(same(label, one) for one in row.labels))
        and (not (open_only or overdue_only) or row.status in OPEN)
        and (not overdue_only or (row.due_date is not None and row.due_date < ctx.today))
    ]
    rows = newest_first(rows, "created_at")
    if sort == "priority":
        rows.sort(key=lambda row: PRIORITIES.index(row.priority), reverse=True)
    elif sort == "due_date":
        rows.sort(key=lambda row: row.due_date or "9999")
    return cursor_page("issues", [brief(row, *SHOWN) for row in rows], limit, cursor)


@service.tool()
def get_issue(state: IssuesState, ctx: CallContext, issue_id: IssueId) -> Json:
    """Show an issue with its description, subtasks, logged time and open blockers.

    Errors: `not_found`.

    Args:
        issue_id: Key of the issue, such as FLT-104.
    """
    issue = state.issues.get(issue_id)
    return {**described(state, issue), "transitions": list(TRANSITIONS[issue.status])}


@service.tool()
def list_projects(state: IssuesState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the projects with their lead and the number of open and overdue issues.

    Args:
        query: Words in the key, name or description.
    """
    rows = []
    for project in search(state.projects, query, lambda row: (row.id, row.name, row.description)):
        issues = [row for row in state.issues.find(project=project.id) if row.status in OPEN]
        late = sum(row.due_date is not None and row.due_date < ctx.today for row in issues)
        rows.append(with_fields(project, open_issues=len(issues), overdue_issues=late))
    return {"projects": rows, "total": len(rows)}


@service.tool()
def list_members(
    state: IssuesState, ctx: CallContext, query: Query | None = None, project: ProjectKey | None = None
) -> Json:
    """List the people who can work on issues, with what they have to do.

    Errors: `not_found`.

    Args:
        query: Words in the name, address or job title.
        project: Count only the issues of this project.
    """
    if project is not None:
        state.projects.get(project)
    rows = []
    for member in search(state.members, query, lambda row: (row.name, row.email, row.title)):
        mine = [row for row in keep(state.issues, project=project) if same(row.assignee_email or "", member.email)]
        doing = sum(row.status == "in_progress" for row in mine)
        rows.append(with_fields(member, open_issues=sum(row.status in OPEN for row in mine), in_progress=doing))
    return {"members": rows, "total": len(rows), "you": ME.email}


@service.tool()
def list_comments(
    state: IssuesState,
    ctx: CallContext,
    issue_id: IssueId | None = None,
    author_email: f.Email | None = None,
    query: Query | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List comments on issues, newest first.

    Errors: `not_found`.

    Args:
        issue_id: Only comments on this issue.
        author_email: Only comments of this person.
        query: Words in the comment.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    if issue_id is not None:
        state.issues.get(issue_id)
    found = keep(search(state.comments, query, lambda row: (row.body,)), issue_id=issue_id, author_email=author_email)
    found = newest_first(found, "written_at")
    return cursor_page("comments", found, limit, cursor)


@service.tool()
def get_issue_history(state: IssuesState, ctx: CallContext, issue_id: IssueId) -> Json:
    """Show how the status of an issue changed, its work logs and its links.

    Errors: `not_found`.

    Args:
        issue_id: Key of the issue.
    """
    state.issues.get(issue_id)
    links = [row for row in state.links if issue_id in (row.source_id, row.target_id)]
    return {
        "issue_id": issue_id,
        "transitions": state.transitions.find(issue_id=issue_id),
        "worklogs": state.worklogs.find(issue_id=issue_id),
        "links": links,
    }
