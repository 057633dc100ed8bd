"""What follows from the commits: trees, histories, differences, and whether two lines of work can be merged."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from services_app.engine import CallContext, ToolError, conflict, forbidden, not_found
from services_app.library.cast import ME
from services_app.library.engineering import sha
from services_app.library.shared import Json, newest_first, same
from services_app.library.source_control.state import RANK, Branch, Commit, Repository, SourceState

Tree = dict[str, str]


def first_parents(state: SourceState, commit_id: str) -> list[Commit]:
    """The commit and its first parents, newest first."""
    found: dict[str, Commit] = {}
    current: str | None = commit_id
    while current is not None and current not in found:  # edited states may hold a circle
        found[current] = commit = state.commits.get(current)
        current = commit.parent
    return list(found.values())


def history(state: SourceState, commit_id: str) -> list[Commit]:
    """Every commit that led to this one, itself included, newest first."""
    seen: dict[str, Commit] = {}
    waiting = [commit_id]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen[current] = commit = state.commits.get(current)
            waiting += [parent for parent in (commit.parent, commit.merged) if parent is not None]
    return newest_first(seen.values(), "committed_at")


def tree(state: SourceState, commit_id: str) -> Tree:
    """Path -> content of all files as of a commit, in the order of their paths."""
    files: dict[str, str | None] = {}
    for commit in reversed(first_parents(state, commit_id)):
        files.update({change.id: change.content for change in commit.files})
    return {path: content for path, content in sorted(files.items()) if content is not None}


def merge_base(state: SourceState, base: str, head: str) -> str | None:
    """The newest commit that both have in their history."""
    ours = {commit.id for commit in history(state, base)}
    return next((commit.id for commit in history(state, head) if commit.id in ours), None)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    """Paths that differ, with their content in `after` (None: deleted there)."""
    paths = sorted({path for path in (*before, *after) if before.get(path) != after.get(path)})
    return {path: after.get(path) for path in paths}


def work_of(state: SourceState, base: str, head: str) -> dict[str, str | None]:
    """What `head` changed since it left `base`."""
    start = merge_base(state, base, head)
    return changed(tree(state, start) if start else {}, tree(state, head))


class Merge(NamedTuple):
    """What merging changes in the branch merged into, and the paths that need a person."""

    files: dict[str, str | None]
    conflicts: list[str]


def merge(state: SourceState, base: str, head: str) -> Merge:
    """Take what `head` has done since the two parted into `base`, line by line where both changed a file."""
    start = merge_base(state, base, head)
    before = tree(state, start) if start else {}
    into = tree(state, base)
    ours, files, conflicts = changed(before, into), {}, []
    for path, content in changed(before, tree(state, head)).items():
        if path not in ours:
            files[path] = content
        elif ours[path] != content:
            both = _both(before.get(path), ours[path], content)
            if both is None:
                conflicts.append(path)
            files[path] = both
    return Merge(files, conflicts)


def _both(before: str | None, ours: str | None, theirs: str | None) -> str | None:
    """A text with the edits of both sides; None when they touch the same lines or one of them deleted it."""
    if before is None or ours is None or theirs is None:
        return None
    lines = before.splitlines(keepends=True)
    edits = sorted({*_edits(lines, ours), *_edits(lines, theirs)})
    if any(later[0] <= earlier[1] for earlier, later in itertools.pairwise(edits)):
        return None
    for first, last, new in reversed(edits):
        lines[first:last] = new
    return "".join(lines)


def _edits(lines: list[str], text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """(first line, line after the last, new lines) of each place that differs."""
    new = text.splitlines(keepends=True)
    codes = difflib.SequenceMatcher(None, lines, new, autojunk=False).get_opcodes()
    return [(i1, i2, tuple(new[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal"]


def patch_text(path: str, before: str | None, after: str | None) -> str:
    """A unified diff of one file."""
    old, new = (before or "").splitlines(), (after or "").splitlines()
    names = ("/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}")
    return "\n".join(difflib.unified_diff(old, new, *names, lineterm="", n=2))


def file_rows(before: Mapping[str, str], work: Mapping[str, str | None]) -> list[Json]:
    """Path, kind of change and line counts of each changed file."""
    rows = []
    for path, content in work.items():
        lines = patch_text(path, before.get(path), content).splitlines()[2:]
        kind = "added" if path not in before else "removed" if content is None else "modified"
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        rows.append({"path": path, "status": kind, "additions": added, "deletions": removed})
    return rows


def owners_of(files: Mapping[str, str], paths: Iterable[str]) -> set[str]:
    """Addresses that CODEOWNERS names for any of the paths; for each path the last line that fits counts."""
    lines = [line.split() for line in files.get("CODEOWNERS", "").splitlines() if line and not line.startswith("#")]
    found: set[str] = set()
    for path in paths:
        fitting = [words[1:] for words in lines if words[0] == "*" or path.startswith(words[0].lstrip("/"))]
        found |= {owner.lower() for owner in (fitting[-1] if fitting else [])}
    return found


# Permission and look-up


def role_in(state: SourceState, repo: str, email: str = ME.email) -> str:
    row = next((row for row in state.collaborators.find(repo=repo) if same(row.email, email)), None)
    return row.role if row else "none"


def needs(state: SourceState, repo: str, role: str) -> Repository:
    """The repository, if you have this role in it and it is live; 403 `no_permission`, 409 `repository_archived`."""
    repository = state.repositories.get(repo)
    own = role_in(state, repo)
    if RANK[own] < RANK[role]:
        raise forbidden(
            f"You have {own} access to {repo}; this needs {role}. Ask an admin of it.", type="no_permission"
        )
    if repository.archived:
        raise conflict(f"{repo} is archived and read-only.", type="repository_archived")
    return repository


def branch_of(state: SourceState, repo: str, name: str | None) -> Branch:
    """A branch by name, the default one without a name; 404 `branch_not_found` otherwise."""
    repository = state.repositories.get(repo)
    found = state.branches.first(repo=repo, branch=name or repository.default_branch)
    if found is None:
        raise ToolError(404, "branch_not_found", f"{repo} has no branch {name!r}; list_branches shows all.")
    return found


def commit_in(state: SourceState, repo: str, commit_id: str) -> Commit:
    """A commit of this repository, by its id."""
    commit = state.commits.get(commit_id)
    if commit.repo != repo:
        raise not_found("commit", commit_id)
    return commit


def file_in(files: Mapping[str, str], path: str, where: str) -> str:
    """Content of a file; 404 `file_not_found` otherwise."""
    if path not in files:
        raise ToolError(404, "file_not_found", f"{where} has no file {path!r}.")
    return files[path]


def record(
    state: SourceState, ctx: CallContext, branch: Branch, message: str, work: Mapping[str, str | None], merged: str = ""
) -> Commit:
    """Commit these files on a branch and move its head."""
    files = tuple({"id": path, "content": content} for path, content in work.items())
    commit_id = sha(branch.head, merged, message, ctx.now, *(f"{row['id']}:{row['content']}" for row in files))
    commit = state.commits.add(
        Commit.model_validate(
            {
                "id": commit_id,
                "repo": branch.repo,
                "parent": branch.head,
                "merged": merged or None,
                "message": message,
                "author_email": ME.email,
                "committed_at": ctx.now,
                "files": files,
            }
        )
    )
    state.branches.patch(branch.id, head=commit_id)
    return commit
