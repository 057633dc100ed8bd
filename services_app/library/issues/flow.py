"""Tools that move issues on: their status, their project, and splitting them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.issues.reading import blockers_of, described
from services_app.library.issues.state import OPEN, TRANSITIONS, IssueId, IssuesState, Status, service
from services_app.library.issues.writing import check_wip, member_by_email
from services_app.library.shared import Json, check_text

Remark = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]


@service.tool(phrase="move {issue_id} to {status}")
def transition_issue(
    state: IssuesState, ctx: CallContext, issue_id: IssueId, status: Status, comment: Remark = ""
) -> Json:
    """Move an issue to another status along the flow: to_do, in_progress, in_review, done.

    Work needs an assignee and no open blockers; wont_do needs a comment that says why; a story is done when its parts
    are. Errors: `not_found`, `invalid_transition`, `needs_assignee`, `blocked`, `wip_limit`, `reason_missing`,
    `open_subtasks`.

    Args:
        issue_id: Key of the issue.
        status: Status to move to; get_issue shows which ones are possible.
        comment: Added as a comment.
    """
    issue = state.issues.get(issue_id)
    if status not in TRANSITIONS[issue.status]:
        possible = ", ".join(TRANSITIONS[issue.status])
        raise conflict(f"An issue in {issue.status} can go to {possible}, not to {status}.", type="invalid_transition")
    if status == "in_progress":
        _startable(state, issue_id, fresh=issue.status == "to_do")
    elif status == "wont_do" and not comment.strip():
        raise invalid("Say in the comment why it will not be done.", type="reason_missing")
    elif status == "done" and any(row.status in OPEN for row in state.issues.find(parent_id=issue_id)):
        raise conflict(f"{issue_id} has open parts; finish them first.", type="open_subtasks")
    changed = state.issues.patch(issue_id, status=status, resolved_at=None if status in OPEN else ctx.now)
    state.transitions.create(
        issue_id=issue_id, from_status=issue.status, to_status=status, author_email=ME.email, at=ctx.now
    )
    if comment.strip():
        state.comments.create(issue_id=issue_id, author_email=ME.email, body=comment, written_at=ctx.now)
    return described(state, changed)


def _startable(state: IssuesState, issue_id: str, *, fresh: bool) -> None:
    issue = state.issues.get(issue_id)
    if issue.assignee_email is None:
        raise conflict(f"{issue_id} has no assignee; assign it first.", type="needs_assignee")
    waiting = blockers_of(state, issue_id)
    if fresh and waiting:
        raise conflict(f"{issue_id} waits for {', '.join(waiting)}; finish or unlink that.", type="blocked")
    check_wip(state, issue.project, issue.assignee_email)


@service.tool(
    phrase="close {issue_id} as a duplicate of {duplicate_of}",
    examples=(Example({"issue_id": "FLT-20", "duplicate_of": "RTE-20"}),),
)
def close_as_duplicate(state: IssuesState, ctx: CallContext, issue_id: IssueId, duplicate_of: IssueId) -> Json:
    """Close an open issue as wont_do because another one covers it, and link the two.

    Errors: `not_found`, `issue_closed`, `same_issue`, `duplicate_of_duplicate` (the other one was closed as a
    duplicate itself).

    Args:
        issue_id: Key of the issue to close.
        duplicate_of: Key of the issue that stays.
    """
    issue, other = state.issues.get(issue_id), state.issues.get(duplicate_of)
    if issue_id == duplicate_of:
        raise conflict("An issue cannot be a duplicate of itself; name two issues.", type="same_issue")
    if issue.status not in OPEN:
        raise conflict(f"{issue_id} is {issue.status} already.", type="issue_closed")
    onward = state.links.first(link_type="duplicates", source_id=other.id)
    if onward is not None:
        raise conflict(f"{other.id} duplicates {onward.target_id}; name that one.", type="duplicate_of_duplicate")
    if state.links.first(link_type="duplicates", source_id=issue_id, target_id=other.id) is None:
        state.links.create(link_type="duplicates", source_id=issue_id, target_id=other.id)
    changed = state.issues.patch(issue_id, status="wont_do", resolved_at=ctx.now)
    state.transitions.create(
        issue_id=issue_id, from_status=issue.status, to_status="wont_do", author_email=ME.email, at=ctx.now
    )
    return {**described(state, changed), "duplicate_of": other.id}


@service.tool(phrase="hand the open issues of {from_email} over to {to_email}")
def transfer_issues(
    state: IssuesState, ctx: CallContext, from_email: f.Email, to_email: f.Email, reason: Remark
) -> Json:
    """Give everything that someone has in to_do to a colleague, with the reason as a comment on each issue.

    Errors: `unknown_member`, `same_person`, `nothing_to_hand_over`, `blank_text`.

    Args:
        from_email: Who has the issues.
        to_email: Who takes them.
        reason: Why.
    """
    text = check_text(reason, "reason")
    giver, taker = member_by_email(state, from_email), member_by_email(state, to_email)
    if giver.id == taker.id:
        raise conflict("Both addresses are those of one person; name two.", type="same_person")
    found = state.issues.find(assignee_email=giver.email, status="to_do")
    if not found:
        raise conflict(f"{giver.email} has no issue in to_do.", type="nothing_to_hand_over")
    for issue in found:
        state.issues.patch(issue.id, assignee_email=taker.email)
        state.comments.create(issue_id=issue.id, author_email=ME.email, body=text, written_at=ctx.now)
    return {"moved": [issue.id for issue in found], "total": len(found)}
