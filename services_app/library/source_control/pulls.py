"""Tools for pull requests: opening, reading, changing and merging them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
)
from services_app.library.source_control.branches import ahead_of, commit_row
from services_app.library.source_control.merging import blockers, described, open_pull
from services_app.library.source_control.state import (
    BranchName,
    MergeMethod,
    PullId,
    PullRequest,
    PullState,
    RepoId,
    SourceState,
    service,
)
from services_app.library.source_control.trees import (
    branch_of,
    file_rows,
    history,
    merge,
    merge_base,
    needs,
    patch_text,
    record,
    tree,
    work_of,
)

PullBody = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]
Sort = Annotated[Literal["newest", "oldest", "most_commented"], LABEL]


@service.tool()
def list_pull_requests(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SourceState,
    ctx: CallContext,
    repo: RepoId | None = None,
    pull_state: PullState | None = None,
    author_email: f.Email | None = None,
    reviewer_email: f.Email | None = None,
    base: BranchName | None = None,
    query: Query | None = None,
    sort: Sort = "newest",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List pull requests of one repository or of all.

    Errors: `not_found`.

    Args:
        repo: Only this repository.
        pull_state: Only open, closed or merged ones.
        author_email: Only those opened by this person.
        reviewer_email: Only those on which this person was asked for a review.
        base: Only those into this branch.
        query: Words in the title, description or branch.
        sort: newest or oldest opened first, or most_commented first.
        limit: At most so many pull requests.
        cursor: next_cursor of the previous page.
    """
    if repo is not None:
        state.repositories.get(repo)
    found = search(state.pull_requests, query, lambda row: (row.title, row.body, row.head))
    found = keep(found, repo=repo, state=pull_state, author_email=author_email, base=base)
    if reviewer_email is not None:
        found = [row for row in found if any(same(email, reviewer_email) for email in row.reviewers)]
    found.sort(key=lambda row: (row.opened_at, row.id), reverse=sort != "oldest")
    if sort == "most_commented":
        found.sort(key=lambda row: state.comments.count(pull_request_id=row.id), reverse=True)
    names = ("id", "repo", "title", "state", "draft", "author_email", "head", "base", "reviewers", "opened_at")
    rows = [{**brief(row, *names), "comments": state.comments.count(pull_request_id=row.id)} for row in found]
    return cursor_page("pull_requests", rows, limit, cursor)


@service.tool()
def get_pull_request(state: SourceState, ctx: CallContext, pull_request_id: PullId) -> Json:
    """Show a pull request: description, approvals, open comments, and what stands against merging it.

    Errors: `not_found`.

    Args:
        pull_request_id: Repository and number, such as fleet-tracker#12.
    """
    return described(state, state.pull_requests.get(pull_request_id))


@service.tool()
def get_pull_request_files(
    state: SourceState, ctx: CallContext, pull_request_id: PullId, include_patch: bool = True
) -> Json:
    """Show the commits and changed files of a pull request, with their differences.

    Errors: `not_found`.

    Args:
        pull_request_id: Repository and number of the pull request.
        include_patch: false lists the files with their line counts only.
    """
    pull = state.pull_requests.get(pull_request_id)
    before, work = _changes(state, pull)
    files = file_rows(before, work)
    if include_patch:
        files = [{**row, "patch": patch_text(row["path"], before.get(row["path"]), work[row["path"]])} for row in files]
    commits: list[Json] = []
    if pull.state == "open":
        base, head = branch_of(state, pull.repo, pull.base).head, branch_of(state, pull.repo, pull.head).head
        known = {commit.id for commit in history(state, base)}
        commits = [commit_row(row) for row in history(state, head) if row.id not in known]
    elif pull.merge_commit is not None:
        commits = [commit_row(state.commits.get(pull.merge_commit))]
    totals = {name: sum(row[name] for row in files) for name in ("additions", "deletions")}
    return {"pull_request_id": pull.id, "commits": commits, "files": files, **totals}


def _changes(state: SourceState, pull: PullRequest) -> tuple[dict[str, str], dict[str, str | None]]:
    """The tree before, and what the pull request changes or has changed; nothing for one closed without merging."""
    if pull.state == "open":
        base, head = branch_of(state, pull.repo, pull.base).head, branch_of(state, pull.repo, pull.head).head
        start = merge_base(state, base, head)
        return tree(state, start) if start else {}, work_of(state, base, head)
    if pull.merge_commit is None:
        return {}, {}
    commit = state.commits.get(pull.merge_commit)
    before = tree(state, commit.parent) if commit.parent else {}
    return before, {change.id: change.content for change in commit.files}


def open_new(state: SourceState, ctx: CallContext, repo: str, **fields: object) -> PullRequest:
    """Add a pull request under the next number of its repository."""
    number = max((row.number for row in state.pull_requests.find(repo=repo)), default=0) + 1
    values = {"id": f"{repo}#{number}", "repo": repo, "number": number, "author_email": ME.email, **fields}
    return state.pull_requests.add(PullRequest.model_validate({"opened_at": ctx.now, **values}))


@service.tool(
    phrase="open a pull request {title} from {head} in {repo}",
    examples=(
        Example(
            {"repo": "runbooks", "title": "Add a page", "head": "wip"},
            after=(
                ("create_branch", {"repo": "runbooks", "branch": "wip"}),
                (
                    "create_or_update_file",
                    {"repo": "runbooks", "branch": "wip", "path": "new.md", "content": "# New", "message": "Add"},
                ),
            ),
        ),
    ),
)
def create_pull_request(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    title: Name,
    head: BranchName,
    base: BranchName | None = None,
    body: PullBody = "",
    draft: bool = False,
) -> Json:
    """Open a pull request from one branch into another.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `branch_not_found`, `same_branch`,
    `no_commits`, `duplicate_pull_request` (these branches have an open one), `blank_text`.

    Args:
        repo: Name of the repository.
        title: Title.
        head: Branch with the changes.
        base: Branch to merge into; the default branch if left out.
        body: Description.
        draft: true if it is not ready for review.
    """
    needs(state, repo, "write")
    source, target = branch_of(state, repo, head), branch_of(state, repo, base)
    if source.id == target.id:
        raise conflict("A branch cannot be merged into itself; choose another base.", type="same_branch")
    for other in state.pull_requests.find(repo=repo, state="open", head=head, base=target.branch):
        raise conflict(f"{other.id} is open for these branches; update it instead.", type="duplicate_pull_request")
    if ahead_of(state, target.head, source.head) == 0:
        raise conflict(f"{head} has no commit that {target.branch} lacks; commit to it first.", type="no_commits")
    clean = check_text(title, "title")
    pull = open_new(state, ctx, repo, title=clean, body=body, head=head, base=target.branch, draft=draft)
    return described(state, pull)


@service.tool(phrase="update the pull request {pull_request_id}")
def update_pull_request(
    state: SourceState,
    ctx: CallContext,
    pull_request_id: PullId,
    title: Name | Unset = UNSET,
    body: PullBody | Unset = UNSET,
    draft: bool | Unset = UNSET,
    pull_state: Annotated[Literal["open", "closed"], LABEL] | Unset = UNSET,
) -> Json:
    """Change title, description or draft state of a pull request, close it, or open a closed one again.

    Its author and everyone with triage may do that. Errors: `not_found`, `no_permission`, `repository_archived`,
    `nothing_to_change`, `already_merged`, `branch_not_found` (reopening needs both branches), `blank_text`.

    Args:
        pull_request_id: Repository and number of the pull request.
        title: New title.
        body: New description.
        draft: false marks it ready for review.
        pull_state: closed closes it without merging, open opens it again.
    """
    pull = state.pull_requests.get(pull_request_id)
    needs(state, pull.repo, "read" if same(pull.author_email, ME.email) else "triage")
    changes = some_changes(given(title=title, body=body, draft=draft, state=pull_state))
    if pull.state == "merged":
        raise conflict(f"{pull.id} is merged; open a new pull request.", type="already_merged")
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
    if "state" in changes and changes["state"] != pull.state:
        changes["closed_at"] = ctx.now if changes["state"] == "closed" else None
    if (changes.get("state") or pull.state) == "open":
        for name in (pull.head, pull.base):
            branch_of(state, pull.repo, name)
    return described(state, state.pull_requests.patch(pull.id, **changes))


@service.tool(phrase="bring the branch of {pull_request_id} up to date")
def update_pull_request_branch(state: SourceState, ctx: CallContext, pull_request_id: PullId) -> Json:
    """Merge the base branch into the branch of a pull request; earlier approvals no longer count.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `not_open`, `up_to_date`,
    `merge_conflict`.

    Args:
        pull_request_id: Repository and number of the pull request.
    """
    pull = open_pull(state, pull_request_id)
    needs(state, pull.repo, "write")
    base, head = branch_of(state, pull.repo, pull.base), branch_of(state, pull.repo, pull.head)
    if ahead_of(state, head.head, base.head) == 0:
        raise conflict(f"{pull.head} has everything of {pull.base} already.", type="up_to_date")
    work, clashing = merge(state, head.head, base.head)
    if clashing:
        names = ", ".join(clashing)
        raise conflict(f"Both changed the same lines of {names}; edit {pull.head} by hand.", type="merge_conflict")
    record(state, ctx, head, f"Merge {pull.base} into {pull.head}", work, merged=base.head)
    return described(state, pull)


@service.tool(phrase="merge the pull request {pull_request_id}")
def merge_pull_request(
    state: SourceState,
    ctx: CallContext,
    pull_request_id: PullId,
    merge_method: MergeMethod = "squash",
    commit_title: Name | None = None,
    delete_branch: bool = False,
) -> Json:
    """Merge a pull request into its base branch, if the rules of that branch are met.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `not_open`, `is_draft`, `no_commits`,
    `merge_conflict`, `changes_requested`, `approvals_missing`, `code_owner_missing`, `unresolved_comments`,
    `branch_in_use` (another open pull request needs the branch to be deleted), `blank_text`.

    Args:
        pull_request_id: Repository and number of the pull request.
        merge_method: merge keeps the commits, squash makes one of them.
        commit_title: Message of the new commit; title and number if left out.
        delete_branch: true deletes the merged branch.
    """
    pull = open_pull(state, pull_request_id)
    needs(state, pull.repo, "write")
    for reason, detail in blockers(state, pull):
        raise (forbidden if reason in ("approvals_missing", "code_owner_missing") else conflict)(detail, type=reason)
    base, head = branch_of(state, pull.repo, pull.base), branch_of(state, pull.repo, pull.head)
    work = merge(state, base.head, head.head).files
    title = f"{pull.title} (#{pull.number})" if commit_title is None else check_text(commit_title, "commit title")
    commit = record(state, ctx, base, title, work, merged=head.head if merge_method == "merge" else "")
    merged = state.pull_requests.patch(pull.id, state="merged", merge_commit=commit.id, closed_at=ctx.now)
    if delete_branch:
        _delete_merged(state, pull)
    return {**described(state, merged), "commit": commit_row(commit), "branch_deleted": delete_branch}


def _delete_merged(state: SourceState, pull: PullRequest) -> None:
    users = [row for row in state.pull_requests.find(repo=pull.repo, state="open") if pull.head in (row.head, row.base)]
    branch = branch_of(state, pull.repo, pull.head)
    if users or branch.protected:
        reason = f"{users[0].id} uses it" if users else "it is protected"
        raise conflict(f"{pull.head} cannot be deleted: {reason}. Merge without deleting it.", type="branch_in_use")
    state.branches.delete(branch.id)
