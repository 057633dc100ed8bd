"""Tools for the talk on pull requests: who is asked, what they say, what is settled."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Body, Cursor, Json, Limit, check_text, cursor_page, keep, same
from services_app.library.source_control.merging import described, open_pull
from services_app.library.source_control.pulls import PullBody
from services_app.library.source_control.state import (
    FilePath,
    PullId,
    PullRequest,
    ReviewComment,
    SourceState,
    Verdict,
    service,
)
from services_app.library.source_control.trees import branch_of, needs, role_in, tree, work_of

Line = Annotated[int, f.count("lines"), Field(ge=1, le=100_000)]


@service.tool(phrase="ask {reviewer_email} to review {pull_request_id}")
def request_review(state: SourceState, ctx: CallContext, pull_request_id: PullId, reviewer_email: f.Email) -> Json:
    """Ask a collaborator to review an open pull request.

    Errors: `not_found`, `no_permission` (needs triage, or to be its author), `repository_archived`, `not_open`,
    `not_a_collaborator`, `is_author`, `already_requested`, `too_many_reviewers` (at most six).

    Args:
        pull_request_id: Repository and number of the pull request.
        reviewer_email: Who should look at it.
    """
    pull = open_pull(state, pull_request_id)
    needs(state, pull.repo, "read" if same(pull.author_email, ME.email) else "triage")
    if role_in(state, pull.repo, reviewer_email) == "none":
        raise invalid(
            f"{reviewer_email} has no access to {pull.repo}; list_collaborators shows who has.",
            type="not_a_collaborator",
        )
    if same(pull.author_email, reviewer_email):
        raise conflict("Authors do not review their own pull request; ask someone else.", type="is_author")
    if any(same(email, reviewer_email) for email in pull.reviewers):
        raise conflict(f"{reviewer_email} has been asked already.", type="already_requested")
    if len(pull.reviewers) >= 6:
        raise conflict("Six people have been asked; that is the most.", type="too_many_reviewers")
    return described(state, state.pull_requests.patch(pull.id, reviewers=(*pull.reviewers, reviewer_email.lower())))


@service.tool(phrase="review {pull_request_id} with the verdict {verdict}")
def submit_review(
    state: SourceState, ctx: CallContext, pull_request_id: PullId, verdict: Verdict, body: PullBody = ""
) -> Json:
    """Approve the newest commit of a pull request, ask for changes, or just comment.

    Errors: `not_found`, `no_permission` (approving needs write), `repository_archived`, `not_open`, `is_draft`,
    `is_author`, `body_missing` (changes and comments need words), `same_verdict`.

    Args:
        pull_request_id: Repository and number of the pull request.
        verdict: Your verdict.
        body: What you have to say.
    """
    pull = open_pull(state, pull_request_id)
    needs(state, pull.repo, "read" if verdict == "comment" else "write")
    if pull.draft and verdict != "comment":
        raise conflict(f"{pull.id} is a draft; comment on it or wait until it is ready.", type="is_draft")
    if same(pull.author_email, ME.email):
        raise forbidden("You cannot review your own pull request; ask a colleague.", type="is_author")
    if verdict != "approve" and not body.strip():
        raise invalid("Say in the body what you think.", type="body_missing")
    head = branch_of(state, pull.repo, pull.head).head
    mine = [row for row in state.reviews.find(pull_request_id=pull.id) if same(row.author_email, ME.email)]
    if mine and (mine[-1].verdict, mine[-1].commit) == (verdict, head) and verdict != "comment":
        raise conflict(f"You have answered {verdict} for this commit already.", type="same_verdict")
    state.reviews.create(
        pull_request_id=pull.id, author_email=ME.email, verdict=verdict, body=body, commit=head, submitted_at=ctx.now
    )
    return described(state, pull)


@service.tool()
def list_reviews(state: SourceState, ctx: CallContext, pull_request_id: PullId, verdict: Verdict | None = None) -> Json:
    """List the reviews of a pull request in order, with whether each was about its present newest commit.

    Errors: `not_found`.

    Args:
        pull_request_id: Repository and number of the pull request.
        verdict: Only reviews with this verdict.
    """
    pull = state.pull_requests.get(pull_request_id)
    branch = state.branches.first(repo=pull.repo, branch=pull.head)
    rows = [
        {**row.plain(), "current": branch is not None and row.commit == branch.head}
        for row in keep(state.reviews.find(pull_request_id=pull.id), verdict=verdict)
    ]
    return {"reviews": rows, "total": len(rows)}


@service.tool()
def list_pull_request_comments(
    state: SourceState,
    ctx: CallContext,
    pull_request_id: PullId | None = None,
    author_email: f.Email | None = None,
    resolved: bool | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List comments on pull requests, oldest first.

    Errors: `not_found`.

    Args:
        pull_request_id: Only those on this pull request.
        author_email: Only those of this person.
        resolved: false for open comments only, true for settled ones only.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    if pull_request_id is not None:
        state.pull_requests.get(pull_request_id)
    found = keep(state.comments, pull_request_id=pull_request_id, author_email=author_email, resolved=resolved)
    found.sort(key=lambda row: (row.written_at, row.id))
    return cursor_page("comments", found, limit, cursor)


@service.tool(phrase="comment on {pull_request_id}")
def add_pull_request_comment(
    state: SourceState,
    ctx: CallContext,
    pull_request_id: PullId,
    body: Body,
    path: FilePath | None = None,
    line: Line | None = None,
) -> ReviewComment:
    """Comment on an open pull request, or on a line of a file that it changes; open comments block merging.

    Errors: `not_found`, `no_permission`, `repository_archived`, `not_open`, `path_missing` (a line needs its file),
    `file_not_changed`, `unknown_line`, `blank_text`.

    Args:
        pull_request_id: Repository and number of the pull request.
        body: The comment.
        path: A file that the pull request changes.
        line: Line of that file on the branch of the pull request.
    """
    pull = open_pull(state, pull_request_id)
    needs(state, pull.repo, "read")
    if path is not None:
        _check_place(state, pull, path, line)
    elif line is not None:
        raise invalid("Name the file that the line belongs to.", type="path_missing")
    return state.comments.create(
        pull_request_id=pull.id,
        author_email=ME.email,
        body=check_text(body, "comment"),
        path=path or "",
        line=line,
        written_at=ctx.now,
    )


def _check_place(state: SourceState, pull: PullRequest, path: str, line: int | None) -> None:
    base, head = branch_of(state, pull.repo, pull.base).head, branch_of(state, pull.repo, pull.head).head
    if path not in work_of(state, base, head):
        raise invalid(f"{pull.id} does not change {path}; see get_pull_request_files.", type="file_not_changed")
    lines = tree(state, head).get(path, "").splitlines()
    if line is not None and line > len(lines):
        raise ToolError(404, "unknown_line", f"{path} has {len(lines)} lines.")


@service.tool(phrase="settle the comment {comment_id}")
def resolve_comment(
    state: SourceState, ctx: CallContext, comment_id: Annotated[str, f.ref("comments")], resolved: bool = True
) -> Json:
    """Mark a comment on an open pull request as resolved, or as open again.

    Errors: `not_found`, `no_permission` (needs triage, or to be the author of the pull request), `repository_archived`,
    `not_open`, `no_change`.

    Args:
        comment_id: Id of the comment.
        resolved: false opens it again.
    """
    comment = state.comments.get(comment_id)
    pull = open_pull(state, comment.pull_request_id)
    needs(state, pull.repo, "read" if same(pull.author_email, ME.email) else "triage")
    if comment.resolved == resolved:
        raise conflict(f"{comment_id} is {'resolved' if resolved else 'open'} already.", type="no_change")
    changed = state.comments.patch(comment_id, resolved=resolved)
    return {**changed.plain(), "unresolved_comments": described(state, pull)["unresolved_comments"]}
