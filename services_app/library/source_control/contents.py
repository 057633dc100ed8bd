"""Tools that read and write files."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, ToolError, conflict, invalid
from services_app.engine import fields as f
from services_app.library.engineering import sha
from services_app.library.shared import Cursor, Json, Limit, Name, Query, check_text, cursor_page, fold, matches
from services_app.library.source_control.branches import commit_row
from services_app.library.source_control.state import Branch, BranchName, FilePath, RepoId, SourceState, service
from services_app.library.source_control.trees import branch_of, file_in, first_parents, needs, record, tree

Content = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]
Blob = Annotated[str, f.Semantic("code"), Field(pattern=r"^[0-9a-f]{0,10}$")]
Folder = Annotated[str, f.Semantic("code"), Field(max_length=200, pattern=r"^([\w.-]+(/[\w.-]+)*)?$")]
_FILE = {"repo": "runbooks", "branch": "main", "path": "README.md"}


def _blob(path: str, content: str) -> str:
    """Id of a content, which changes exactly when the content does."""
    return sha("blob", path, content)


@service.tool(examples=(Example({"repo": "fleet-tracker", "path": "config/settings.yaml"}), Example(_FILE)))
def get_file_contents(
    state: SourceState, ctx: CallContext, repo: RepoId, path: FilePath, branch: BranchName | None = None
) -> Json:
    """Read a file, with its sha (needed to change it) and the commit that last changed it.

    Errors: `not_found`, `branch_not_found`, `file_not_found` (get_repository_tree lists the files).

    Args:
        repo: Name of the repository.
        path: Path of the file, such as config/settings.yaml.
        branch: Branch to read from; the default branch if left out.
    """
    found = branch_of(state, repo, branch)
    content = file_in(tree(state, found.head), path, f"{repo}@{found.branch}")
    last = next(row for row in first_parents(state, found.head) if any(item.id == path for item in row.files))
    return {
        "repo": repo,
        "branch": found.branch,
        "path": path,
        "sha": _blob(path, content),
        "size": len(content.encode()),
        "content": content,
        "last_commit": commit_row(last),
    }


@service.tool(examples=(Example({"repo": "fleet-tracker", "path": "config"}), Example({"repo": "runbooks"})))
def get_repository_tree(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    path: Folder = "",
    branch: BranchName | None = None,
    recursive: bool = True,
) -> Json:
    """List the files of a repository with their sizes.

    Errors: `not_found`, `branch_not_found`, `file_not_found` (no such folder).

    Args:
        repo: Name of the repository.
        path: Only this folder; everything if left out.
        branch: Branch to look at; the default branch if left out.
        recursive: false lists only what lies directly in the folder, folders included.
    """
    found = branch_of(state, repo, branch)
    prefix = f"{path}/" if path else ""
    files = {name: content for name, content in tree(state, found.head).items() if name.startswith(prefix)}
    if not files:
        raise ToolError(404, "file_not_found", f"{repo}@{found.branch} has no folder {path!r}.")
    entries = [
        {"path": name, "type": "file", "sha": _blob(name, content), "size": len(content.encode())}
        for name, content in files.items()
        if recursive or "/" not in name.removeprefix(prefix)
    ]
    inner = {prefix + name.removeprefix(prefix).split("/")[0] for name in files if "/" in name.removeprefix(prefix)}
    if not recursive:
        entries += [{"path": name, "type": "folder"} for name in sorted(inner)]
    return {"repo": repo, "branch": found.branch, "entries": entries, "total": len(entries)}


def _writable(state: SourceState, repo: str, branch: str) -> Branch:
    needs(state, repo, "write")
    found = branch_of(state, repo, branch)
    if found.protected:
        raise conflict(
            f"{branch} is protected; commit to another branch and open a pull request.", type="protected_branch"
        )
    return found


def _check_sha(files: dict[str, str], path: str, given_sha: str) -> None:
    """The caller has seen the present content: 422 `sha_missing`, 409 `sha_mismatch`."""
    if not given_sha:
        raise invalid(f"{path} exists; send its sha from get_file_contents.", type="sha_missing")
    if given_sha != _blob(path, files[path]):
        raise conflict(f"{path} has changed; read it again and send the new sha.", type="sha_mismatch")


@service.tool(
    phrase="write the file {path} on the branch {branch} of {repo}",
    examples=(
        Example(
            {
                "repo": "runbooks",
                "path": "steps/new.md",
                "content": "# New\n\nFirst call support.",
                "message": "Add a page",
                "branch": "wip",
            },
            after=(("create_branch", {"repo": "runbooks", "branch": "wip"}),),
        ),
    ),
)
def create_or_update_file(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    path: FilePath,
    content: Content,
    message: Name,
    branch: BranchName,
    sha: Blob = "",
) -> Json:
    """Commit one file to a branch that is not protected; updating an existing file needs its current sha.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `branch_not_found`, `protected_branch`,
    `sha_missing`, `sha_mismatch` (someone changed it since), `no_change`, `is_folder`, `blank_text`.

    Args:
        repo: Name of the repository.
        path: Path of the file.
        content: Its whole new content.
        message: Commit message.
        branch: Branch to commit to.
        sha: The sha that get_file_contents showed; left out for a new file.
    """
    found = _writable(state, repo, branch)
    files = tree(state, found.head)
    if any(name.startswith(f"{path}/") for name in files):
        raise conflict(f"{path} is a folder; choose another path.", type="is_folder")
    if path in files:
        _check_sha(files, path, sha)
        if files[path] == content:
            raise conflict(f"{path} has this content already.", type="no_change")
    elif sha:
        raise conflict(f"{path} does not exist on {branch}; leave out the sha.", type="sha_mismatch")
    commit = record(state, ctx, found, check_text(message, "message"), {path: content})
    return {"commit": commit_row(commit), "branch": branch, "path": path, "sha": _blob(path, content)}


_DRAFT = {"repo": "runbooks", "branch": "wip", "path": "draft.md", "message": "A draft"}


@service.tool(
    phrase="delete the file {path} on the branch {branch} of {repo}",
    examples=(
        Example(
            {**_DRAFT, "sha": _blob("draft.md", "# Draft")},
            after=(
                ("create_branch", {"repo": "runbooks", "branch": "wip"}),
                ("create_or_update_file", {**_DRAFT, "content": "# Draft"}),
            ),
        ),
    ),
)
def delete_file(
    state: SourceState,
    ctx: CallContext,
    repo: RepoId,
    path: FilePath,
    message: Name,
    branch: BranchName,
    sha: Blob,
) -> Json:
    """Delete a file from a branch that is not protected.

    Errors: `not_found`, `no_permission` (needs write), `repository_archived`, `branch_not_found`, `protected_branch`,
    `file_not_found`, `sha_missing`, `sha_mismatch`, `blank_text`.

    Args:
        repo: Name of the repository.
        path: Path of the file.
        message: Commit message.
        branch: Branch to commit to.
        sha: The sha that get_file_contents showed.
    """
    found = _writable(state, repo, branch)
    files = tree(state, found.head)
    file_in(files, path, f"{repo}@{branch}")
    _check_sha(files, path, sha)
    commit = record(state, ctx, found, check_text(message, "message"), {path: None})
    return {"commit": commit_row(commit), "branch": branch, "path": path}


@service.tool(examples=(Example({"query": "timeout", "path": "config"}), Example({"query": "contract"})))
def search_code(
    state: SourceState,
    ctx: CallContext,
    query: Query,
    repo: RepoId | None = None,
    path: FilePath | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find lines of files on the default branches that hold all given words, or files whose path does.

    Errors: `not_found`.

    Args:
        query: Words on one line, or in the path.
        repo: Only this repository.
        path: Only files whose path starts so.
        limit: At most so many files.
        cursor: next_cursor of the previous page.
    """
    repositories = [state.repositories.get(repo)] if repo else list(state.repositories)
    rows = []
    for repository in repositories:
        for name, content in tree(state, branch_of(state, repository.id, None).head).items():
            if path is None or name.startswith(path):
                lines = _matching_lines(query, content)
                if lines or matches(query, name):
                    rows.append({"repo": repository.id, "path": name, "matches": lines})
    return cursor_page("files", rows, limit, cursor)


def _matching_lines(query: str, content: str) -> list[Json]:
    wanted = fold(query).split()
    lines = enumerate(content.splitlines(), 1)
    return [{"line": number, "text": text} for number, text in lines if all(word in fold(text) for word in wanted)][:5]
