"""Tools for branches and the history of commits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_range,
    cursor_page,
    keep,
    search,
    some_changes,
    with_fields,
)
from services_app.library.source_control.state import (
    Branch,
    BranchName,
    Commit,
    CommitId,
    FilePath,
    RepoId,
    SourceState,
    service,
)
from services_app.library.source_control.trees import (
    branch_of,
    commit_in,
    file_rows,
    history,
    merge,
    merge_base,
    needs,
    patch_text,
    tree,
    work_of,
)

Approvals = Annotated[int, f.count("approvals"), Field(ge=0, le=6)]
_MAIN = {"repo": "fleet-tracker", "branch": "main"}


def ahead_of(state: SourceState, base: str, head: str) -> int:
    """Commits that `head` has and `base` lacks."""
    known = {commit.id for commit in history(state, base)}
    return sum(commit.id not in known for commit in history(state, head))


def commit_row(commit: Commit) -> Json:
    row = brief(commit, "id", "repo", "message", "author_email", "committed_at", "parent", "merged")
    return {**row, "paths": [change.id for change in commit.files]}


@service.tool()
def list_branches(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    query: Query | None = None,
    protected: bool | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the branches of a repository with their newest commit and how far each is ahead of the default one.

    Errors: `not_found`.

    Args:
        repo: Name of the repository.
        query: Words in the name of the branch.
        protected: true for protected branches only, false for the others only.
        limit: At most so many branches.
        cursor: next_cursor of the previous page.
    """
    main = branch_of(state, repo, None)
    found = search(state.branches.find(repo=repo), query, lambda row: (row.branch,))
    found = sorted(keep(found, protected=protected), key=lambda row: row.branch)
    rows = []
    for row in found:
        head = state.commits.get(row.head)
        counts = {"ahead": ahead_of(state, main.head, row.head), "behind": ahead_of(state, row.head, main.head)}
        rows.append(with_fields(row, message=head.message, committed_at=head.committed_at, **counts))
    return cursor_page("branches", rows, limit, cursor)


@service.tool(phrase="create the branch {branch} in {repo}")
def create_branch(
    state: SourceState, ctx: CallContext, repo: RepoId, branch: BranchName, from_branch: BranchName | None = None
) -> Branch:
    """Create a branch at the newest commit of another one.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `branch_not_found`, `branch_exists`.

    Args:
        repo: Name of the repository.
        branch: Name of the new branch, such as fix/flt-104.
        from_branch: Branch to start from; the default branch if left out.
    """
    needs(state, repo, "write")
    start = branch_of(state, repo, from_branch)
    if state.branches.first(repo=repo, branch=branch):
        raise conflict(f"{repo} has a branch {branch!r}; choose another name.", type="branch_exists")
    return state.branches.create(repo=repo, branch=branch, head=start.head)


@service.tool(phrase="delete the branch {branch} of {repo}")
def delete_branch(state: SourceState, ctx: CallContext, repo: RepoId, branch: BranchName) -> Json:
    """Delete a branch; its commits stay.

    Errors: `not_found`, `no_permission`, `repository_archived`, `branch_not_found`, `protected_branch`,
    `open_pull_request` (close or merge it first).

    Args:
        repo: Name of the repository.
        branch: Name of the branch.
    """
    needs(state, repo, "write")
    found = branch_of(state, repo, branch)
    if found.protected or branch == state.repositories.get(repo).default_branch:
        raise conflict(f"{branch} is protected; it cannot be deleted.", type="protected_branch")
    for pull in state.pull_requests.find(repo=repo, state="open"):
        if branch in (pull.head, pull.base):
            raise conflict(f"{pull.id} uses {branch}; close or merge it first.", type="open_pull_request")
    state.branches.delete(found.id)
    return {"deleted": branch, "repo": repo, "head": found.head}


@service.tool(
    phrase="change the protection of {branch} in {repo}",
    examples=(Example({"repo": "runbooks", "branch": "main", "required_approvals": 2}),),
)
def update_branch_protection(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    branch: BranchName,
    protected: bool | Unset = UNSET,
    required_approvals: Approvals | Unset = UNSET,
    code_owner_review: bool | Unset = UNSET,
) -> Branch:
    """Change what has to be true before something is merged into a branch; you must be an admin.

    The default branch stays protected. Errors: `not_found`, `no_permission`, `repository_archived`,
    `branch_not_found`, `nothing_to_change`, `default_branch`.

    Args:
        repo: Name of the repository.
        branch: Name of the branch.
        protected: true allows changes by pull request only.
        required_approvals: Approvals that a pull request needs.
        code_owner_review: Whether one of them has to come from an owner of the changed files.
    """
    repository = needs(state, repo, "admin")
    found = branch_of(state, repo, branch)
    changes = some_changes(
        given(protected=protected, required_approvals=required_approvals, code_owner_review=code_owner_review)
    )
    if protected is False and branch == repository.default_branch:
        raise conflict(f"{branch} is the default branch of {repo} and stays protected.", type="default_branch")
    return state.branches.patch(found.id, **changes)


@service.tool(
    examples=(
        Example({**_MAIN, "path": "config/settings.yaml"}),
        Example({**_MAIN, "since": "2026-01-01", "until": "2026-02-20"}),
    )
)
def list_commits(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    branch: BranchName | None = None,
    path: FilePath | None = None,
    author_email: f.Email | None = None,
    since: f.Date | None = None,
    until: f.Date | None = None,
    query: Query | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the commits of a branch, newest first.

    Errors: `not_found`, `branch_not_found`, `invalid_range`, `invalid_date`.

    Args:
        repo: Name of the repository.
        branch: Name of the branch; the default branch if left out.
        path: Only commits that changed this file or folder.
        author_email: Only commits of this person.
        since: First day.
        until: Last day.
        query: Words in the message.
        limit: At most so many commits.
        cursor: next_cursor of the previous page.
    """
    check_range(since, until)
    found = search(history(state, branch_of(state, repo, branch).head), query, lambda row: (row.message,))
    rows = [
        row
        for row in keep(found, author_email=author_email)
        if (path is None or any(change.id == path or change.id.startswith(f"{path}/") for change in row.files))
        and (since is None or row.committed_at[:10] >= since)
        and (until is None or row.committed_at[:10] <= until)
    ]
    return cursor_page("commits", [commit_row(row) for row in rows], limit, cursor)


@service.tool()
def get_commit(state: SourceState, ctx: CallContext, commit_id: CommitId) -> Json:
    """Show a commit with the differences it made and the branches that contain it.

    Errors: `not_found`.

    Args:
        commit_id: Id of the commit.
    """
    commit = state.commits.get(commit_id)
    before = tree(state, commit.parent) if commit.parent else {}
    work = {change.id: change.content for change in commit.files}
    within = [
        row.branch
        for row in state.branches.find(repo=commit.repo)
        if any(parent.id == commit_id for parent in history(state, row.head))
    ]
    patches = {path: patch_text(path, before.get(path), content) for path, content in work.items()}
    files = [{**row, "patch": patches[row["path"]]} for row in file_rows(before, work)]
    return {**commit_row(commit), "files": files, "branches": within}


@service.tool(examples=(Example({"repo": "fleet-tracker", "base": "main", "head": "main"}),))
def compare_commits(
    state: SourceState, ctx: CallContext, repo: RepoId, base: BranchName | CommitId, head: BranchName | CommitId
) -> Json:
    """Compare two branches or commits: commits ahead and behind, changed files, and files that conflict.

    Errors: `not_found`, `branch_not_found` (neither a branch nor a commit of the repository).

    Args:
        repo: Name of the repository.
        base: Branch or commit to compare with.
        head: Branch or commit to look at.
    """
    left, right = _point(state, repo, base), _point(state, repo, head)
    start = merge_base(state, left, right)
    known = {commit.id for commit in history(state, left)}
    return {
        "repo": repo,
        "base": left,
        "head": right,
        "merge_base": start,
        "ahead_by": ahead_of(state, left, right),
        "behind_by": ahead_of(state, right, left),
        "commits": [commit_row(row) for row in history(state, right) if row.id not in known],
        "files": file_rows(tree(state, start) if start else {}, work_of(state, left, right)),
        "conflicts": merge(state, left, right).conflicts,
    }


def _point(state: SourceState, repo: str, name: str) -> str:
    """The commit that a branch name or commit id stands for."""
    state.repositories.get(repo)
    return commit_in(state, repo, name).id if name in state.commits else branch_of(state, repo, name).head
