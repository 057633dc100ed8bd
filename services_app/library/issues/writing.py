"""Tools that write issues, comments, links and work logs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.issues.reading import described
from services_app.library.issues.state import (
    OPEN,
    Comment,
    Issue,
    IssueId,
    IssuesState,
    IssueType,
    Link,
    LinkType,
    Member,
    Points,
    Priority,
    ProjectKey,
    Worklog,
    service,
)
from services_app.library.shared import Body, Json, Minutes, Name, check_date, check_text, same, some_changes

Label = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
Labels = Annotated[list[Label], Field(max_length=10)]
Description = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]


def member_by_email(state: IssuesState, email: str) -> Member:
    """An active member by address; 422 `unknown_member` otherwise."""
    found = next((row for row in state.members if same(row.email, email) and row.active), None)
    if found is None:
        raise invalid(f"{email} is not an active member; list_members shows who is.", type="unknown_member")
    return found


def open_issue(state: IssuesState, issue_id: str) -> Issue:
    """The issue if it is not finished; 409 `issue_closed`."""
    issue = state.issues.get(issue_id)
    if issue.status not in OPEN:
        raise conflict(f"{issue_id} is {issue.status}; move it back to to_do first.", type="issue_closed")
    return issue


def _next_key(state: IssuesState, project: str) -> str:
    numbers = [int(row.id.rpartition("-")[2]) for row in state.issues if row.id.startswith(f"{project}-")]
    return f"{project}-{max(numbers, default=0) + 1}"


def _due(ctx: CallContext, date: str) -> str:
    if check_date(date) < ctx.today:
        raise invalid(f"The due date {date} is over; today is {ctx.today}.", type="in_the_past")
    return date


@service.tool(phrase="report the {issue_type} {summary} in {project}")
def create_issue(  # noqa: PLR0913, PLR0917 - one per field of the form
    state: IssuesState,
    ctx: CallContext,
    project: ProjectKey,
    summary: Name,
    issue_type: IssueType = "task",
    description: Description = "",
    priority: Priority = "medium",
    assignee_email: f.Email | None = None,
    labels: Labels | None = None,
    parent_id: IssueId | None = None,
    due_date: f.Date | None = None,
) -> Json:
    """Create an issue in to_do, reported by you.

    Errors: `not_found`, `unknown_member`, `duplicate_issue` (an open one of the project has this summary),
    `invalid_parent` (the parent is no story of the project), `issue_closed` (the parent), `in_the_past`,
    `invalid_date`, `blank_text`.

    Args:
        project: Key of the project.
        summary: One line.
        issue_type: bug, story or task.
        description: Everything else.
        priority: Priority.
        assignee_email: Who should do it.
        labels: Labels.
        parent_id: Story that it is a part of.
        due_date: Day by which it has to be done.
    """
    state.projects.get(project)
    clean = check_text(summary, "summary")
    for other in state.issues.find(project=project):
        if other.status in OPEN and same(other.summary, clean):
            raise conflict(f"{other.id} has this summary; comment there instead.", type="duplicate_issue")
    if parent_id is not None:
        parent = open_issue(state, parent_id)
        if parent.project != project or parent.issue_type != "story" or issue_type == "story":
            raise invalid(f"{parent_id} is not a story of {project} that could have this part.", type="invalid_parent")
    assignee = member_by_email(state, assignee_email).email if assignee_email else None
    values = {
        "id": _next_key(state, project),
        "project": project,
        "summary": clean,
        "description": description,
        "issue_type": issue_type,
        "priority": priority,
        "reporter_email": ME.email,
        "assignee_email": assignee,
        "labels": tuple(dict.fromkeys(labels or ())),
        "parent_id": parent_id,
        "due_date": _due(ctx, due_date) if due_date else None,
        "created_at": ctx.now,
    }
    return described(state, state.issues.add(Issue.model_validate(values)))


@service.tool(phrase="update the issue {issue_id}")
def update_issue(  # noqa: PLR0913, PLR0917 - one per field of the form
    state: IssuesState,
    ctx: CallContext,
    issue_id: IssueId,
    summary: Name | Unset = UNSET,
    description: Description | Unset = UNSET,
    priority: Priority | Unset = UNSET,
    labels: Labels | Unset = UNSET,
    story_points: Points | Unset = UNSET,
    due_date: f.Date | Unset | None = UNSET,
    fix_version: Annotated[str, f.Semantic("code"), Field(pattern=r"^(\d+\.\d+\.\d+)?$")] | Unset = UNSET,
) -> Json:
    """Change the fields of an issue that is not finished; what is not sent stays as it is.

    Status, assignee and sprint have their own tools. Errors: `not_found`, `issue_closed`, `nothing_to_change`,
    `over_capacity` (the points no longer fit its sprint), `in_the_past`, `invalid_date`, `blank_text`.

    Args:
        issue_id: Key of the issue.
        summary: New summary.
        description: New description.
        priority: New priority.
        labels: All labels, replacing the earlier ones.
        story_points: Estimate.
        due_date: New due date; null removes it.
        fix_version: Version such as 4.10.0 in which it is to be released; empty removes it.
    """
    issue = open_issue(state, issue_id)
    changes = some_changes(
        given(
            summary=summary,
            description=description,
            priority=priority,
            labels=labels,
            story_points=story_points,
            due_date=due_date,
            fix_version=fix_version,
        )
    )
    if "summary" in changes:
        changes["summary"] = check_text(changes["summary"], "summary")
    if "labels" in changes:
        changes["labels"] = tuple(dict.fromkeys(changes["labels"]))
    if changes.get("due_date"):
        _due(ctx, changes["due_date"])
    if "story_points" in changes and issue.sprint_id is not None:
        check_capacity(state, issue.sprint_id, changes["story_points"], without=issue_id)
    return described(state, state.issues.patch(issue_id, **changes))


def check_capacity(state: IssuesState, sprint_id: str, points: int, without: str = "") -> None:
    """409 `over_capacity` when so many more points do not fit the sprint."""
    sprint = state.sprints.get(sprint_id)
    planned = sum(row.story_points or 0 for row in state.issues.find(sprint_id=sprint_id) if row.id != without)
    if planned + points > sprint.capacity:
        raise conflict(
            f"{sprint.name} holds {sprint.capacity} points and has {planned}; {points} more do not fit.",
            type="over_capacity",
        )


@service.tool(phrase="assign {issue_id} to {assignee_email}")
def assign_issue(
    state: IssuesState, ctx: CallContext, issue_id: IssueId, assignee_email: f.Email | None = None
) -> Json:
    """Give an issue to someone, or to nobody.

    Errors: `not_found`, `issue_closed`, `unknown_member`, `already_assigned`, `needs_assignee` (work in progress
    cannot be left to nobody), `wip_limit` (the person has enough in progress in this project).

    Args:
        issue_id: Key of the issue.
        assignee_email: Who should do it; nobody, if left out.
    """
    issue = open_issue(state, issue_id)
    email = member_by_email(state, assignee_email).email if assignee_email else None
    if issue.assignee_email == email:
        raise conflict(f"{issue_id} is assigned to {email or 'nobody'} already.", type="already_assigned")
    if email is None and issue.status != "to_do":
        raise conflict(f"{issue_id} is {issue.status} and needs an assignee; name one.", type="needs_assignee")
    if email is not None and issue.status == "in_progress":
        check_wip(state, issue.project, email)
    return described(state, state.issues.patch(issue_id, assignee_email=email))


def check_wip(state: IssuesState, project: str, email: str) -> None:
    """409 `wip_limit` when this person has as much in progress as the project allows."""
    limit = state.projects.get(project).wip_limit
    doing = state.issues.count(project=project, status="in_progress", assignee_email=email)
    if doing >= limit:
        raise conflict(
            f"{email} has {doing} issue(s) in progress in {project}; the limit is {limit}.", type="wip_limit"
        )


@service.tool(phrase="comment on {issue_id}")
def add_comment(state: IssuesState, ctx: CallContext, issue_id: IssueId, body: Body) -> Comment:
    """Add a comment to an issue, finished or not.

    Errors: `not_found`, `blank_text`.

    Args:
        issue_id: Key of the issue.
        body: The comment.
    """
    state.issues.get(issue_id)
    text = check_text(body, "comment")
    return state.comments.create(issue_id=issue_id, author_email=ME.email, body=text, written_at=ctx.now)


@service.tool(phrase="take back the comment {comment_id}")
def delete_comment(state: IssuesState, ctx: CallContext, comment_id: Annotated[str, f.ref("comments")]) -> Json:
    """Delete a comment that you wrote.

    Errors: `not_found`, `not_your_comment`.

    Args:
        comment_id: Id of the comment.
    """
    comment = state.comments.get(comment_id)
    if not same(comment.author_email, ME.email):
        raise forbidden(f"{comment_id} was written by {comment.author_email}; ask them.", type="not_your_comment")
    state.comments.delete(comment_id)
    return {"deleted": comment_id, "issue_id": comment.issue_id}


@service.tool(phrase="note that {source_id} {link_type} {target_id}")
def link_issues(
    state: IssuesState, ctx: CallContext, source_id: IssueId, target_id: IssueId, link_type: LinkType = "relates_to"
) -> Link:
    """Link two issues: the source blocks, duplicates or relates to the target.

    Errors: `not_found`, `same_issue`, `duplicate_link`, `circular_block` (the target blocks the source already,
    perhaps by way of others).

    Args:
        source_id: Key of the issue that blocks, duplicates or relates.
        target_id: Key of the other issue.
        link_type: What the first is to the second.
    """
    state.issues.get(source_id)
    state.issues.get(target_id)
    if source_id == target_id:
        raise conflict("An issue cannot be linked to itself; name two issues.", type="same_issue")
    if state.links.first(source_id=source_id, target_id=target_id, link_type=link_type):
        raise conflict(f"{source_id} {link_type} {target_id} already.", type="duplicate_link")
    if link_type == "blocks" and source_id in _blocked_from(state, target_id):
        raise conflict(f"{target_id} blocks {source_id}; both cannot wait for each other.", type="circular_block")
    return state.links.create(link_type=link_type, source_id=source_id, target_id=target_id)


def _blocked_from(state: IssuesState, issue_id: str) -> set[str]:
    """Everything that waits for an issue, directly or by way of others."""
    seen: set[str] = set()
    waiting = [issue_id]
    while waiting:
        for link in state.links.find(link_type="blocks", source_id=waiting.pop()):
            if link.target_id not in seen:
                seen.add(link.target_id)
                waiting.append(link.target_id)
    return seen


@service.tool(phrase="remove the link {link_id}")
def remove_link(state: IssuesState, ctx: CallContext, link_id: Annotated[str, f.ref("links")]) -> Json:
    """Remove a link between two issues.

    Errors: `not_found`.

    Args:
        link_id: Id of the link, from get_issue_history.
    """
    link = state.links.delete(link_id)
    return {"removed": link_id, "source_id": link.source_id, "target_id": link.target_id}


@service.tool(phrase="log {minutes} minutes of work on {issue_id}")
def log_work(
    state: IssuesState,
    ctx: CallContext,
    issue_id: IssueId,
    minutes: Minutes,
    day: f.Date | None = None,
    note: Description = "",
) -> Json:
    """Log your own work on an issue that has been started.

    Errors: `not_found`, `not_started`, `in_the_future`, `day_full` (more than twelve hours on one day),
    `invalid_date`.

    Args:
        issue_id: Key of the issue.
        minutes: How long.
        day: On which day; today, if left out.
        note: What was done.
    """
    issue = state.issues.get(issue_id)
    if issue.status in ("to_do", "wont_do"):
        raise conflict(f"{issue_id} is {issue.status}; start it first.", type="not_started")
    when = check_date(day) if day else ctx.today
    if when > ctx.today:
        raise invalid(f"{when} is still to come; today is {ctx.today}.", type="in_the_future")
    logged = sum(row.minutes for row in state.worklogs.find(author_email=ME.email, day=when))
    if logged + minutes > 720:
        raise conflict(f"You have logged {logged} minutes on {when}; a day holds 720.", type="day_full")
    row: Worklog = state.worklogs.create(issue_id=issue_id, author_email=ME.email, minutes=minutes, day=when, note=note)
    return {**row.plain(), "logged_minutes": described(state, issue)["logged_minutes"]}
