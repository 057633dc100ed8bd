"""Looking at a git repository: status, differences, history, contents of commits, branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.recipes.files import compiled
from services_app.recipes.vcs import (
    GitCommit,
    GitRepository,
    GitState,
    Seen,
    ancestry,
    changes,
    head_commit,
    patch,
    ref_of,
    repository,
    resolved,
    told,
    untracked,
)


def git_status(state: GitState, ctx: CallContext, *, repo: Any) -> Seen:
    """The branch, what is staged, what is changed and what is not tracked."""
    place = repository(state, repo)
    known = dict(place.index)
    tracked = tuple(pair for pair in place.working if pair[0] in known)
    return {
        "branch": place.head,
        "staged": [f"{what}: {path}" for what, path in changes(head_commit(state, place).tree, place.index)],
        "unstaged": [f"{what}: {path}" for what, path in changes(place.index, tracked)],
        "untracked": untracked(place),
    }


def diff_unstaged(state: GitState, ctx: CallContext, *, repo: Any, context: Any = None) -> Seen:
    """What the working tree changes against the index."""
    place = repository(state, repo)
    known = dict(place.index)
    tracked = tuple(pair for pair in place.working if pair[0] in known)
    return {"branch": place.head, "diff": patch(place.index, tracked, context)}


def diff_staged(state: GitState, ctx: CallContext, *, repo: Any, context: Any = None) -> Seen:
    """What the index changes against the commit that is checked out."""
    place = repository(state, repo)
    return {"branch": place.head, "diff": patch(head_commit(state, place).tree, place.index, context)}


def diff_with(state: GitState, ctx: CallContext, *, repo: Any, target: Any, context: Any = None) -> Seen:
    """What the working tree changes against a branch or commit."""
    place = repository(state, repo)
    commit = resolved(state, place, target)
    known = dict(place.index).keys() | dict(commit.tree).keys()
    return {"diff": patch(commit.tree, tuple(pair for pair in place.working if pair[0] in known), context)}


def diff_branches(
    state: GitState, ctx: CallContext, *, repo: Any, source: Any, target: Any, show_patch: Any = None
) -> Seen:
    """The files in which two branches differ, with the difference itself where it is asked for."""
    place = repository(state, repo)
    old, new = resolved(state, place, target).tree, resolved(state, place, source).tree
    found: Seen = {"files": [{"path": path, "change": what} for what, path in changes(old, new)]}
    return found | ({"patch": patch(old, new)} if show_patch else {})


def git_log(  # noqa: PLR0913 - which commits
    state: GitState,
    ctx: CallContext,
    *,
    repo: Any,
    branch: Any = None,
    limit: Any = None,
    since: Any = None,
    until: Any = None,
    author: Any = None,
    grep: Any = None,
    diffs: Any = None,
) -> Seen:
    """The commits up to what is checked out (or a branch), newest first, filtered by time, author and message."""
    place = repository(state, repo)
    start = head_commit(state, place) if branch in (None, "") else resolved(state, place, branch)
    words, by = str(grep or "").casefold(), str(author or "").casefold()
    found = [
        one
        for one in ancestry(state, start)
        if (since in (None, "") or one.date >= _moment(since))
        and (until in (None, "") or one.date[: len(_moment(until))] <= _moment(until))
        and words in one.message.casefold()
        and by in one.author.casefold()
    ]
    shown = found[: 10 if limit is None else max(0, int(limit))]
    return {"commits": [told(one) | (_changed(state, one) if diffs else {}) for one in shown], "total": len(found)}


def _moment(value: Any) -> str:
    """A date as commits have it; 400 for words that are none."""
    text = str(value).strip()
    if not re.match(r"^\d{4}(-\d{2}(-\d{2}([T ].*)?)?)?$", text):
        raise ToolError(400, "invalid_date", f"{value!r} is no date; send one such as 2026-02-20.")
    return text.replace(" ", "T")


def commit_details(state: GitState, ctx: CallContext, *, repo: Any, **which: Any) -> Seen:
    """The commits with the files that each changed, and with the differences where they are asked for."""
    found = git_log(state, ctx, repo=repo, **which)
    for one in found["commits"]:
        one["files"] = [path for _, path in _files(state, state.git_commits.get(one["hash"]))]
    return found


def _files(state: GitState, commit: GitCommit) -> list[tuple[str, str]]:
    before = state.git_commits.get(commit.parents[0]).tree if commit.parents else ()
    return changes(before, commit.tree)


def _changed(state: GitState, commit: GitCommit) -> Seen:
    before = state.git_commits.get(commit.parents[0]).tree if commit.parents else ()
    return {"diff": patch(before, commit.tree)}


def git_show(state: GitState, ctx: CallContext, *, repo: Any, revision: Any) -> Seen:
    """A commit with its difference, or what `revision:path` holds: a file's text, a directory's names."""
    place = repository(state, repo)
    name, colon, path = str(revision).partition(":")
    commit = resolved(state, place, name or "HEAD")
    if not colon:
        return {**told(commit), **_changed(state, commit)}
    tree = dict(commit.tree)
    if path in tree:
        return {"path": path, "content": tree[path]}
    inside = [one for one in tree if one.startswith(f"{path.strip('/')}/") or not path]
    if not inside:
        raise ToolError(404, "not_found", f"{path!r} is not in {name}.")
    return {"path": path, "entries": inside}


def list_branches(
    state: GitState, ctx: CallContext, *, repo: Any, kind: Any = None, contains: Any = None, lacks: Any = None
) -> Seen:
    """The branches: local, remote or all, those whose history holds (or lacks) a commit."""
    place = repository(state, repo)
    kinds = {"local": ("branch",), "remote": ("remote",), "all": ("branch", "remote")}.get(str(kind or "local"))
    if kinds is None:
        raise invalid("The kind of branch is local, remote or all.", type="invalid_kind")
    found = []
    for ref in state.git_refs.find(repo_path=place.id):
        history = [one.id for one in ancestry(state, state.git_commits.get(ref.commit))]
        holds = contains in (None, "") or resolved(state, place, contains).id in history
        misses = lacks in (None, "") or resolved(state, place, lacks).id not in history
        if ref.kind in kinds and holds and misses:
            found.append({"name": ref.branch_name, "commit": ref.commit, "current": ref.branch_name == place.head})
    return {"branches": found, "total": len(found)}


def tree_of(state: GitState, ctx: CallContext, *, repo: Any) -> Seen:
    """The files of what is checked out, as a tree in text."""
    place = repository(state, repo)
    lines: list[str] = []
    for path, _ in head_commit(state, place).tree:
        parts = path.split("/")
        for level, part in enumerate(parts):
            line = f"{'  ' * level}{part}{'/' if level < len(parts) - 1 else ''}"
            if line not in lines:
                lines.append(line)
    return {"repository": place.repo_path, "tree": "\n".join(lines)}


def read_committed(state: GitState, ctx: CallContext, *, repo: Any, paths: Sequence[Any]) -> Seen:
    """The texts of files of what is checked out; what is missing says so, 404 when all are."""
    tree = dict(head_commit(state, repository(state, repo)).tree)
    found = {str(path): tree.get(str(path).strip("/")) for path in paths}
    if found and not any(text is not None for text in found.values()):
        raise ToolError(
            404, "not_found", f"None of {', '.join(found)} is in the repository; there is {', '.join(tree)}."
        )
    return {"files": found}


def search_code(
    state: GitState,
    ctx: CallContext,
    *,
    repo: Any,
    pattern: Any,
    files: Any = None,
    case: Any = None,
    context: Any = None,
) -> Seen:
    """The lines of what is checked out that fit a pattern."""
    place = repository(state, repo)
    wanted = compiled(pattern, ignore_case=not case)
    around = 2 if context is None else max(0, int(context))
    found = []
    for path, text in head_commit(state, place).tree:
        if files and not any(fnmatchcase(path, str(one)) for one in files):
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if wanted.search(line):
                near = lines[max(0, number - around) : number + around + 1]
                found.append({"path": path, "line": number + 1, "text": line, "context": near})
    return {"matches": found, "total": len(found)}


def git_blame(state: GitState, ctx: CallContext, *, repo: Any, path: Any, revision: Any = None) -> Seen:
    """Each line of a file with the commit that brought it."""
    place = repository(state, repo)
    commit = resolved(state, place, revision or "HEAD")
    history = ancestry(state, commit)
    tree = dict(commit.tree)
    if str(path) not in tree:
        raise ToolError(404, "not_found", f"{path!r} is not in {revision or 'HEAD'}; there is {', '.join(tree)}.")
    found = []
    for number, line in enumerate(tree[str(path)].splitlines(), 1):
        first = commit
        for one in history:
            if line not in dict(one.tree).get(str(path), "").splitlines():
                break
            first = one
        found.append({"line": number, "text": line, "commit": first.id[:8], "author": first.author})
    return {"path": str(path), "lines": found}


def local_changes(state: GitState, ctx: CallContext, *, repo: Any) -> Seen:
    """What is not committed: the status and the difference against the commit that is checked out."""
    place: GitRepository = repository(state, repo)
    known = dict(place.index)
    tracked = tuple(pair for pair in place.working if pair[0] in known)
    status = git_status(state, ctx, repo=repo)
    return {**status, "diff": patch(head_commit(state, place).tree, tracked)}


def tags_of(state: GitState, repo: GitRepository) -> list[str]:
    """Names of the tags of a repository."""
    return [
        ref.branch_name
        for ref in state.git_refs.find(repo_path=repo.id, kind="tag")
        if ref_of(state, repo, ref.branch_name)
    ]
