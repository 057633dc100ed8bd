"""Changing a file tree: write, append, edit, move, copy, delete, make directories."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.files import (
    FileNode,
    FileState,
    Seen,
    below,
    children,
    directory_for,
    name_of,
    node_at,
    normal,
    parent_of,
    placed,
    shown,
    text_at,
)


def write_file(
    state: FileState, ctx: CallContext, *, path: Any, content: Any, mode: Any = None, suffix: str = ""
) -> Seen:
    """Write a text file: in place of what is there, or after it in the mode `append`. Its directory must exist."""
    known = normal(path)
    if suffix and not known.endswith(suffix):
        known += suffix
    if known == "/":
        raise invalid("Name the file to write.", type="invalid_path")
    node_at(state, parent_of(known), "directory")
    before = text_at(state, known).content if mode == "append" and known in state.file_nodes else ""
    return done(placed(state, ctx, known, before + str(content)), "Wrote")


def append_file(state: FileState, ctx: CallContext, *, path: Any, content: Any) -> Seen:
    """Put text at the end of a file; one that does not exist is made."""
    return write_file(state, ctx, path=path, content=content, mode="append")


def done(node: FileNode, verb: str) -> Seen:
    """The answer to a write."""
    told = {**shown(node), "modified": node.modified}
    return {**told, "content": f"{verb} {node.path}"}


def edit_file(state: FileState, ctx: CallContext, *, path: Any, edits: Sequence[Any], dry_run: Any = None) -> Seen:
    """Replace exact texts in a file, one after the other, and show the difference; `dry_run` leaves the file."""
    node = text_at(state, path)
    text = node.content
    for edit in edits:
        old, new = _sides(edit)
        if not old or old not in text:
            raise ToolError(404, "no_match", f"{node.path!r} does not hold {old!r}; read it and send the exact text.")
        text = text.replace(old, new, 1)
    if text == node.content:
        raise invalid("The edits leave the file as it is.", type="no_change")
    changes = difference(text_before=node.content, text_after=text)
    if not dry_run:
        placed(state, ctx, node.path, text)
    return {"path": node.path, "dry_run": bool(dry_run), "content": changes}


def _sides(edit: Any) -> tuple[str, str]:
    """The old and the new text of an edit, whatever the two are called."""
    if not isinstance(edit, Mapping):
        raise invalid("Each edit is an object with the old and the new text.")
    old = next((edit[name] for name in ("oldText", "old_text", "old_string", "old", "search") if name in edit), "")
    new = next((edit[name] for name in ("newText", "new_text", "new_string", "new", "replace") if name in edit), "")
    return str(old), str(new)


def difference(*, text_before: str, text_after: str) -> str:
    """A unified difference of two texts."""
    lines = difflib.unified_diff(text_before.splitlines(), text_after.splitlines(), "before", "after", lineterm="")
    return "\n".join(lines)


def replace_text(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any,
    old: Any,
    new: Any,
    count: Any = None,
    everywhere: Any = None,
) -> Seen:
    """Replace an exact text; 409 when it stands there more or less often than `count` says."""
    node = text_at(state, path)
    found = node.content.count(str(old)) if str(old) else 0
    if not found:
        raise ToolError(404, "no_match", f"{node.path!r} does not hold {old!r}; read it and send the exact text.")
    wanted = found if everywhere else int(count or 1)
    if found != wanted:
        raise conflict(f"{old!r} stands {found} times in {node.path!r}, not {wanted}.", type="wrong_count")
    text = node.content.replace(str(old), str(new))
    if text == node.content:
        raise invalid("The old and the new text are the same.", type="no_change")
    changes = difference(text_before=node.content, text_after=text)
    placed(state, ctx, node.path, text)
    return {"path": node.path, "replacements": found, "content": changes}


def create_directory(state: FileState, ctx: CallContext, *, path: Any) -> Seen:
    """Make a directory with those above it; one that exists stays as it is, 409 where a file stands there."""
    known = normal(path)
    directory_for(state, ctx, known)
    return done(node_at(state, known, "directory"), "Directory")


def move_file(state: FileState, ctx: CallContext, *, source: Any, destination: Any) -> Seen:
    """Move or rename a file or a directory with what is in it; 409 when something is at the destination."""
    node, target = node_at(state, source), _free(state, destination)
    if target.startswith(f"{node.path}/") or node.path == "/":
        raise conflict(f"{node.path!r} cannot be moved below itself.", type="into_itself")
    node_at(state, parent_of(target), "directory")
    for one in [node, *(below(state, node.path) if node.kind == "directory" else ())]:
        path = target + one.path.removeprefix(node.path)
        state.file_nodes.delete(one.path)
        state.file_nodes.add(one.changed(id=path, path=path))
    return {"from": node.path, **done(node_at(state, target), "Moved to")}


def rename_file(state: FileState, ctx: CallContext, *, path: Any, name: Any) -> Seen:
    """Give a file or directory another name where it is."""
    node = node_at(state, path)
    if "/" in str(name) or not str(name):
        raise invalid("A name holds no slash.", type="invalid_path")
    return move_file(state, ctx, source=node.path, destination=f"{parent_of(node.path)}/{name}")


def copy_file(state: FileState, ctx: CallContext, *, source: Any, destination: Any) -> Seen:
    """Copy a file or a directory with what is in it; 409 when something is at the destination."""
    node, target = node_at(state, source), _free(state, destination)
    if target.startswith(f"{node.path}/") or node.path == "/":
        raise conflict(f"{node.path!r} cannot be copied below itself.", type="into_itself")
    directory_for(state, ctx, parent_of(target))
    for one in [node, *(below(state, node.path) if node.kind == "directory" else ())]:
        path = target + one.path.removeprefix(node.path)
        state.file_nodes.add(one.changed(id=path, path=path, created=ctx.now))
    return {"from": node.path, **done(node_at(state, target), "Copied to")}


def _free(state: FileState, path: Any) -> str:
    known = normal(path)
    if known in state.file_nodes:
        raise conflict(f"There is something at {known!r} already.", type="already_exists")
    return known


def delete_file(state: FileState, ctx: CallContext, *, path: Any, recursive: Any = None) -> Seen:
    """Delete a file or an empty directory; a full one only when `recursive` is set."""
    node = node_at(state, path)
    if node.path == "/":
        raise ToolError(403, "outside", "The root cannot be deleted.")
    if node.kind == "directory" and children(state, node.path) and not recursive:
        raise conflict(f"{node.path!r} is not empty.", type="not_empty")
    gone = [node, *(below(state, node.path) if node.kind == "directory" else ())]
    for one in gone:
        state.file_nodes.delete(one.path)
    return {"deleted": node.path, "count": len(gone), "name": name_of(node.path)}
