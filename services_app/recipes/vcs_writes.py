"""Changing a git repository: stage, commit, branch, merge, reset, stash, tag, push."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.vcs import (
    GitCommit,
    GitRepository,
    GitStash,
    GitState,
    Seen,
    add_commit,
    ancestry,
    as_tree,
    carried,
    changes,
    check_out,
    head_commit,
    move_head,
    ref_of,
    refuse_changes,
    repository,
    resolved,
    told,
    untracked,
)
from services_app.recipes.vcs_reads import git_status


def git_add(state: GitState, ctx: CallContext, *, repo: Any, files: Any = None) -> Seen:
    """Stage files (a pattern, or `.` for all); 404 for one that there is not."""
    place = repository(state, repo)
    index, working = dict(place.index), dict(place.working)
    for wanted in files or ["."]:
        names = [path for path in working.keys() | index.keys() if _fits(path, str(wanted))]
        if not names:
            raise ToolError(404, "not_found", f"No file fits {wanted!r}; there is {', '.join(working)}.")
        for name in names:
            if name in working:
                index[name] = working[name]
            else:
                index.pop(name)
    state.git_repositories.patch(place.id, index=as_tree(index))
    return git_status(state, ctx, repo=repo) | {"repo_path": place.id}


def _fits(path: str, wanted: str) -> bool:
    return wanted in (".", "*", path) or path.startswith(f"{wanted.rstrip('/')}/") or fnmatchcase(path, wanted)


def git_commit(state: GitState, ctx: CallContext, *, repo: Any, message: Any) -> Seen:
    """Commit what is staged; 409 when nothing is."""
    place = repository(state, repo)
    head = head_commit(state, place)
    if place.index == head.tree:
        raise conflict("Nothing is staged; add files first.", type="nothing_staged")
    commit = add_commit(state, ctx, place, str(message), place.index, (head.id,))
    return {**told(commit), "branch": place.head, "files": [path for _, path in changes(head.tree, commit.tree)]}


def git_reset(state: GitState, ctx: CallContext, *, repo: Any, mode: Any = None, to: Any = None) -> Seen:
    """Unstage everything; with a revision move the branch there, `hard` with the working tree."""
    place = repository(state, repo)
    how = str(mode or "mixed")
    if how not in ("soft", "mixed", "hard"):
        raise invalid("The mode is soft, mixed or hard.", type="invalid_mode")
    commit = resolved(state, place, to or "HEAD")
    move_head(state, place, commit)
    if how == "hard":
        check_out(state, place, place.head, commit)
    elif how == "mixed":
        state.git_repositories.patch(place.id, index=commit.tree)
    return {"mode": how, "head": commit.id, **git_status(state, ctx, repo=repo)}


def create_branch(state: GitState, ctx: CallContext, *, repo: Any, name: Any, base: Any = None) -> Seen:
    """A new branch at what is checked out, or at another revision; 409 when the name is taken."""
    place = repository(state, repo)
    text = _branch_name(name)
    if ref_of(state, place, text, "branch") is not None:
        raise conflict(f"There is a branch {text!r} already.", type="already_exists")
    commit = head_commit(state, place) if base in (None, "") else resolved(state, place, base)
    state.git_refs.create(repo_path=place.id, kind="branch", branch_name=text, commit=commit.id)
    return {"branch": text, "commit": commit.id}


def _branch_name(name: Any) -> str:
    text = str(name)
    if not text or any(sign in text for sign in " ~^:?*[\\") or text.startswith("-") or ".." in text:
        raise invalid(f"{name!r} is no name for a branch.", type="invalid_name")
    return text


def git_checkout(
    state: GitState, ctx: CallContext, *, repo: Any, name: Any, create: Any = None, base: Any = None
) -> Seen:
    """Switch to a branch, made first with `create`; 409 when changes would be lost."""
    place = repository(state, repo)
    if create:
        create_branch(state, ctx, repo=repo, name=name, base=base)
    ref = ref_of(state, place, name, "branch")
    if ref is None:
        raise ToolError(404, "not_found", f"No branch {name!r}; create it first.")
    commit = state.git_commits.get(ref.commit)
    carried(state, place, ref.branch_name, commit)
    return {"branch": ref.branch_name, "commit": commit.id}


def delete_branch(state: GitState, ctx: CallContext, *, repo: Any, name: Any, force: Any = None) -> Seen:
    """Delete a branch; 409 for the one checked out, and for one that is not merged unless `force` is set."""
    place = repository(state, repo)
    ref = ref_of(state, place, name, "branch")
    if ref is None:
        raise ToolError(404, "not_found", f"No branch {name!r}.")
    if place.head == ref.branch_name:
        raise conflict(f"{name!r} is checked out; switch to another branch first.", type="checked_out")
    merged = ref.commit in {one.id for one in ancestry(state, head_commit(state, place))}
    if not merged and not force:
        raise conflict(f"{name!r} is not merged; use force to delete it anyway.", type="not_merged")
    state.git_refs.delete(ref.id)
    return {"deleted": ref.branch_name, "commit": ref.commit}


def merge_branch(
    state: GitState, ctx: CallContext, *, repo: Any, source: Any, target: Any = None, no_forward: Any = None
) -> Seen:
    """Merge a branch into what is checked out, or into another branch; 409 when both changed one file."""
    place = repository(state, repo)
    if target not in (None, "", place.head):
        git_checkout(state, ctx, repo=repo, name=target)
        place = repository(state, repo)
    refuse_changes(state, place)
    ours, theirs = head_commit(state, place), resolved(state, place, source)
    known = ancestry(state, ours)
    if theirs in known:
        raise conflict(f"{source!r} is merged already.", type="up_to_date")
    if ours in ancestry(state, theirs) and not no_forward:
        move_head(state, place, theirs)
        check_out(state, place, place.head, theirs)
        return {"merged": str(source), "commit": theirs.id, "fast_forward": True}
    base = next((one for one in ancestry(state, theirs) if one in known), None)
    tree = _joined(base.tree if base else (), ours, theirs)
    commit = add_commit(state, ctx, place, f"Merge {source} into {place.head}", tree, (ours.id, theirs.id))
    check_out(state, repository(state, repo), place.head, commit)
    return {"merged": str(source), "commit": commit.id, "fast_forward": False}


def _joined(base: tuple[tuple[str, str], ...], ours: GitCommit, theirs: GitCommit) -> tuple[tuple[str, str], ...]:
    """The tree with the changes of both sides; 409 where both changed one file differently."""
    mine = {path for _, path in changes(base, ours.tree)}
    tree, other = dict(ours.tree), dict(theirs.tree)
    for _, path in changes(base, theirs.tree):
        if path in mine and tree.get(path) != other.get(path):
            raise conflict(f"Both sides changed {path}; merge it by hand.", type="merge_conflict")
        if path in other:
            tree[path] = other[path]
        else:
            tree.pop(path, None)
    return as_tree(tree)


def git_revert(state: GitState, ctx: CallContext, *, repo: Any, commit: Any = None, no_commit: Any = None) -> Seen:
    """Take back what a commit changed, in a new commit or only staged."""
    place = repository(state, repo)
    wrong = resolved(state, place, commit or "HEAD")
    if not wrong.parents:
        raise conflict("The first commit cannot be reverted.", type="first_commit")
    refuse_changes(state, place)
    before, tree = dict(state.git_commits.get(wrong.parents[0]).tree), dict(head_commit(state, place).tree)
    for _, path in changes(tuple(before.items()), wrong.tree):
        if path in before:
            tree[path] = before[path]
        else:
            tree.pop(path, None)
    if no_commit:
        state.git_repositories.patch(place.id, index=as_tree(tree), working=as_tree(tree))
        return {"reverted": wrong.id, **git_status(state, ctx, repo=repo)}
    head = head_commit(state, place)
    made = add_commit(state, ctx, place, f'Revert "{wrong.message}"', as_tree(tree), (head.id,))
    check_out(state, repository(state, repo), place.head, made)
    return {"reverted": wrong.id, **told(made)}


def git_stash(
    state: GitState, ctx: CallContext, *, repo: Any, action: Any = None, index: Any = None, message: Any = None
) -> Seen:
    """Put changes aside (save), bring them back (pop, apply), list them or drop one."""
    place = repository(state, repo)
    rows: list[GitStash] = state.git_stashes.find(repo_path=place.id)[::-1]
    how = str(action or "save")
    if how == "list":
        return {"stashes": [{"index": number, "message": row.message} for number, row in enumerate(rows)]}
    if how == "save":
        row = state.git_stashes.create(
            repo_path=place.id, message=str(message or "Work in progress"), index=place.index, working=place.working
        )
        refuse_clean(state, place)
        check_out(state, place, place.head, head_commit(state, place))
        return {"saved": row.id, "message": row.message}
    number = int(index or 0)
    if how not in ("pop", "apply", "drop") or not 0 <= number < len(rows):
        raise ToolError(404, "not_found", f"There is no stash {number}; there are {len(rows)}.")
    row = rows[number]
    if how != "drop":
        state.git_repositories.patch(place.id, index=row.index, working=row.working)
    if how != "apply":
        state.git_stashes.delete(row.id)
    return {"action": how, "stash": row.id, "message": row.message}


def refuse_clean(state: GitState, repo: GitRepository) -> None:
    """409 when there is nothing to put aside."""
    if repo.index == head_commit(state, repo).tree and repo.working == repo.index:
        raise conflict("There is nothing to stash.", type="clean")


def create_tag(
    state: GitState, ctx: CallContext, *, repo: Any, name: Any, message: Any = None, annotated: Any = None
) -> Seen:
    """A tag at what is checked out; 409 when the name is taken."""
    place = repository(state, repo)
    text = _branch_name(name)
    if ref_of(state, place, text, "tag") is not None:
        raise conflict(f"There is a tag {text!r} already.", type="already_exists")
    note = "" if annotated is False else str(message or text)
    row = state.git_refs.create(
        repo_path=place.id, kind="tag", branch_name=text, commit=head_commit(state, place).id, note=note
    )
    return {"tag": row.branch_name, "commit": row.commit, "message": row.note}


def git_push(
    state: GitState, ctx: CallContext, *, repo: Any, branch: Any = None, remote: Any = None, force: Any = None
) -> Seen:
    """Move a branch of the remote to the local one; 409 when commits would be lost and `force` is not set."""
    place = repository(state, repo)
    name = str(branch or place.head)
    local = ref_of(state, place, name, "branch")
    if local is None:
        raise ToolError(404, "not_found", f"No branch {name!r}.")
    if str(remote or "origin") != "origin":
        raise ToolError(404, "not_found", f"No remote {remote!r}; there is origin.")
    far = ref_of(state, place, f"origin/{name}", "remote")
    known = {one.id for one in ancestry(state, state.git_commits.get(local.commit))}
    if far is None:
        far = state.git_refs.create(
            repo_path=place.id, kind="remote", branch_name=f"origin/{name}", commit=local.commit
        )
    elif far.commit not in known and not force:
        raise conflict("The remote has commits that the branch lacks; pull first.", type="rejected")
    state.git_refs.patch(far.id, commit=local.commit)
    return {"branch": name, "remote": "origin", "commit": local.commit, "forced": bool(force)}


def git_clean(
    state: GitState, ctx: CallContext, *, repo: Any, dry_run: Any = None, directories: Any = None, force: Any = None
) -> Seen:
    """Remove files that are not tracked, those in directories only when asked; needs `force` without a dry run."""
    place = repository(state, repo)
    gone = [path for path in untracked(place) if directories or "/" not in path]
    if not dry_run:
        if not force:
            raise conflict("Nothing was removed; set force, or try a dry run.", type="force_required")
        working = tuple(pair for pair in place.working if pair[0] not in gone)
        state.git_repositories.patch(place.id, working=working)
    return {"branch": place.head, "removed": gone, "dry_run": bool(dry_run)}


def set_config(state: GitState, ctx: CallContext, *, repo: Any, key: Any, value: Any, scope: Any = None) -> Seen:
    """Set a setting such as user.name."""
    place = repository(state, repo)
    if "." not in str(key).strip("."):
        raise invalid(f"{key!r} is no setting; send one such as user.name.", type="invalid_key")
    name = f"{scope or 'local'}:{key}"
    settings = tuple(sorted({**dict(place.settings), name: str(value)}.items()))
    state.git_repositories.patch(place.id, settings=settings)
    return {"scope": str(scope or "local"), "key": str(key), "value": str(value)}


def rebase(state: GitState, ctx: CallContext, *, repo: Any, onto: Any) -> Seen:
    """Put the commits of the branch on top of another revision; 409 when both changed one file."""
    place = repository(state, repo)
    refuse_changes(state, place)
    target, ours = resolved(state, place, onto), head_commit(state, place)
    below: Sequence[GitCommit] = ancestry(state, target)
    own = [one for one in ancestry(state, ours) if one not in below][::-1]
    if target in ancestry(state, ours):
        raise conflict(f"The branch stands on {onto!r} already.", type="up_to_date")
    last = target
    for one in own:
        base = state.git_commits.get(one.parents[0]).tree if one.parents else ()
        tree = _joined(base, last, one)
        last = add_commit(state, ctx, repository(state, repo), one.message, tree, (last.id,))
    move_head(state, place, last)
    check_out(state, repository(state, repo), place.head, last)
    return {"branch": place.head, "onto": target.id, "commit": last.id, "replayed": len(own)}
