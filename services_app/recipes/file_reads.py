"""Reading a file tree: contents, listings, trees, searches, facts about a node."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.files import (
    MIME,
    FileNode,
    FileState,
    Seen,
    below,
    check_encoding,
    children,
    compiled,
    extension_of,
    fits_glob,
    mark_of,
    name_of,
    node_at,
    normal,
    parent_of,
    shown,
    size_of,
    text_at,
)


def read_file(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any,
    head: Any = None,
    tail: Any = None,
    offset: Any = None,
    length: Any = None,
    encoding: Any = None,
) -> Seen:
    """The text of a file: all of it, its first or last lines, or `length` lines from line `offset` (from 0) on."""
    check_encoding(encoding)
    if head is not None and tail is not None:
        raise invalid("Ask for the first or for the last lines, not for both.")
    node = text_at(state, path)
    lines = node.content.splitlines(keepends=True)
    total = len(lines)
    if head is not None:
        lines = lines[: max(0, int(head))]
    if tail is not None:
        lines = lines[-int(tail) :] if tail >= 1 else []
    if offset:
        lines = lines[int(offset) :] if offset > 0 or -offset <= total else lines
    if length is not None:
        lines = lines[: max(0, int(length))]
    return {"path": node.path, "content": "".join(lines), "total_lines": total}


def read_files(state: FileState, ctx: CallContext, *, paths: Sequence[Any]) -> Seen:
    """Several files; one that cannot be read says why in its place, when at least one can."""
    found, texts, refused = [], [], None
    for path in paths:
        try:
            node = text_at(state, path)
            found.append({"path": node.path, "content": node.content})
            texts.append(f"{node.path}:\n{node.content}")
        except ToolError as error:
            refused = error
            found.append({"path": str(path), "error": error.message})
            texts.append(f"{path}: {error.message}")
    if refused is not None and all("error" in one for one in found):
        raise refused
    return {"content": "\n---\n".join(texts), "files": found}


def read_media(state: FileState, ctx: CallContext, *, path: Any) -> Seen:
    """The bytes of a file as base64, with its type."""
    node = node_at(state, path, "file")
    if not node.binary:
        raise conflict(f"{node.path!r} is a text file; read it as text.", type="not_media")
    mime = MIME.get(extension_of(node.path), "application/octet-stream")
    return {"content": [{"type": mime.split("/")[0], "data": node.content, "mimeType": mime}]}


def list_directory(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any = None,
    sort: Any = None,
    sizes: bool = False,
    extension: Any = None,
    recursive: Any = None,
) -> Seen:
    """What lies in a directory: files and directories by name, or by size, those with an extension."""
    node = node_at(state, "/" if path in (None, "") else path, "directory")
    nodes = below(state, node.path) if recursive else children(state, node.path)
    if extension not in (None, ""):
        wanted = str(extension).casefold().lstrip("*").lstrip(".")
        nodes = [one for one in nodes if extension_of(one.path) == wanted]
    if sort == "size":
        nodes = sorted(nodes, key=lambda one: -size_of(one))
    lines = [f"[{'DIR' if one.kind == 'directory' else 'FILE'}] {name_of(one.path)}" for one in nodes]
    if sizes:
        lines = [f"{line} {size_of(one)} B" for line, one in zip(lines, nodes, strict=True)]
        lines.append(f"Total: {sum(size_of(one) for one in nodes)} B")
    return {"path": node.path, "entries": [shown(one) for one in nodes], "content": "\n".join(lines)}


def list_with_sizes(state: FileState, ctx: CallContext, *, path: Any = None, sort: Any = None) -> Seen:
    """What lies in a directory with sizes in bytes."""
    return list_directory(state, ctx, path=path, sort=sort, sizes=True)


def directory_tree(
    state: FileState, ctx: CallContext, *, path: Any = None, exclude: Any = None, depth: Any = None
) -> Seen:
    """A directory with everything below it, nested; names that fit a pattern of `exclude` are left out."""
    node = node_at(state, "/" if path in (None, "") else path, "directory")
    most = 99 if depth is None else int(depth)
    return {"path": node.path, "content": _nested(state, node.path, exclude or (), most)}


def _nested(state: FileState, path: str, exclude: Sequence[Any], depth: int) -> list[Seen]:
    found = []
    for node in children(state, path) if depth > 0 else ():
        if any(fits_glob(node.path, pattern) for pattern in exclude):
            continue
        entry: Seen = {"name": name_of(node.path), "type": node.kind}
        if node.kind == "directory":
            entry["children"] = _nested(state, node.path, exclude, depth - 1)
        found.append(entry)
    return found


def tree_text(state: FileState, ctx: CallContext, *, path: Any = None, depth: Any = None) -> Seen:
    """A directory with everything below it as an indented text."""
    node = node_at(state, "/" if path in (None, "") else path, "directory")
    most = 99 if depth is None else int(depth)
    nodes = [(one, one.path.removeprefix(node.path).strip("/").count("/")) for one in below(state, node.path)]
    lines = [
        f"{'  ' * level}{name_of(one.path)}{'/' if one.kind == 'directory' else ''}"
        for one, level in nodes
        if level < most
    ]
    return {"path": node.path, "content": "\n".join(lines)}


def search_files(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any = None,
    pattern: Any,
    exclude: Any = None,
    limit: Any = None,
) -> Seen:
    """Paths below a directory whose name fits a glob pattern, or holds it where it is none."""
    if not str(pattern).strip():
        raise invalid("Give a pattern, such as *.txt.")
    node = node_at(state, "/" if path in (None, "") else path, "directory")
    glob = re.search(r"[*?\[]", str(pattern)) is not None
    found = [
        one.path
        for one in below(state, node.path)
        if (
            fits_glob(one.path.removeprefix(node.path), pattern)
            if glob
            else str(pattern).casefold() in name_of(one.path).casefold()
        )
        and not any(fits_glob(one.path.removeprefix(node.path), skip) for skip in exclude or ())
    ]
    kept = found[: None if limit is None else max(0, int(limit))]
    return {"path": node.path, "matches": kept, "content": "\n".join(kept) or "No matches found"}


def search_text(  # noqa: PLR0913 - where, and how
    state: FileState,
    ctx: CallContext,
    *,
    path: Any = None,
    pattern: Any,
    files: Any = None,
    ignore_case: Any = None,
    hidden: Any = None,
    context: Any = None,
    limit: Any = None,
) -> Seen:
    """Lines of the files below a path that fit a pattern, with their file and line number."""
    if not str(pattern):
        raise invalid("Give the text to search for.")
    wanted = compiled(pattern, ignore_case=bool(ignore_case))
    start = node_at(state, "/" if path in (None, "") else path)
    around = max(0, int(context or 0))
    globs = files if isinstance(files, list) else [files] if files else []
    found: list[Seen] = []
    for node in [start] if start.kind == "file" else below(state, start.path):
        seen = hidden or "/." not in node.path
        if node.kind != "file" or node.binary or not seen:
            continue
        if globs and not any(fits_glob(node.path, one) for one in globs):
            continue
        found += _lines_with(node, wanted, around)
    return {"matches": found[: None if limit is None else max(0, int(limit))], "total": len(found)}


def _lines_with(node: FileNode, wanted: re.Pattern[str], around: int) -> list[Seen]:
    lines = node.content.splitlines()
    return [
        {
            "path": node.path,
            "line": number + 1,
            "text": line,
            **({"context": lines[max(0, number - around) : number + around + 1]} if around else {}),
        }
        for number, line in enumerate(lines)
        if wanted.search(line)
    ]


def file_info(state: FileState, ctx: CallContext, *, path: Any) -> Seen:
    """Facts about a file or directory: size in bytes, times, type."""
    node = node_at(state, path)
    facts: Seen = {
        "path": node.path,
        "name": name_of(node.path),
        "type": node.kind,
        "size": size_of(node) if node.kind == "file" else len(children(state, node.path)),
        "created": node.created,
        "modified": node.modified,
        "isFile": node.kind == "file",
        "isDirectory": node.kind == "directory",
        "permissions": "644" if node.kind == "file" else "755",
    }
    if node.kind == "file" and not node.binary:
        facts["lineCount"] = len(node.content.splitlines())
        facts["mark"] = mark_of(node)
    return {**facts, "content": "\n".join(f"{name}: {value}" for name, value in facts.items())}


def allowed_directories(state: FileState, ctx: CallContext) -> Seen:
    """The directories that may be used: the root, and what lies directly below it."""
    found = ["/", *(node.path for node in children(state, "/") if node.kind == "directory")]
    return {"directories": found, "content": "\n".join(["Allowed directories:", *found])}


def count_files(state: FileState, ctx: CallContext, *, path: Any = None, extension: Any = None) -> Seen:
    """How many files lie in a directory."""
    listed = list_directory(state, ctx, path=path, extension=extension)["entries"]
    return {"count": sum(entry["type"] == "file" for entry in listed)}


def read_table(state: FileState, ctx: CallContext, *, path: Any, rows: Any = None, encoding: Any = None) -> Seen:
    """A CSV file: its columns, how many rows it has, and the first of them."""
    check_encoding(encoding)
    node = text_at(state, path)
    if "," not in node.content.partition("\n")[0]:
        raise conflict(f"{node.path!r} holds no comma-separated values.", type="not_csv")
    try:
        records = list(csv.DictReader(io.StringIO(node.content), restkey="more"))
    except csv.Error as error:
        raise conflict(f"{node.path!r} cannot be read as CSV: {error}.", type="not_csv") from error
    columns = list(records[0]) if records else []
    first = records[: 10 if rows is None else max(0, int(rows))]
    told = {"path": node.path, "columns": columns, "rows": len(records), "preview": first}
    return {**told, "numbers": {name: _measures(records, name) for name in columns if _numeric(records, name)}}


def _measures(records: list[dict[str, str]], name: str) -> dict[str, float]:
    values = [float(row[name]) for row in records]
    return {"min": min(values), "max": max(values), "mean": sum(values) / len(values)}


def _numeric(records: list[dict[str, str]], name: str) -> bool:
    return all(re.fullmatch(r"-?\d+(\.\d+)?", str(row.get(name) or "")) for row in records)


_DEFINITIONS = re.compile(
    r"^(?P<indent>\s*)(?:export\s+)?(?:async\s+)?"
    r"(?P<kind>class|def|function|interface|const|import|from)\s+(?P<name>[\w.{}, *]+)"
)


def code_outline(state: FileState, ctx: CallContext, *, path: Any) -> Seen:
    """The imports, classes and functions of a program file, with their lines."""
    node = text_at(state, path)
    found = []
    for number, line in enumerate(node.content.splitlines(), 1):
        match = _DEFINITIONS.match(line)
        if match is not None:
            kind = {"def": "function", "from": "import"}.get(match["kind"], match["kind"])
            found.append(
                {"line": number, "kind": kind, "name": match["name"].strip(), "level": len(match["indent"]) // 4}
            )
    return {"path": node.path, "outline": found}


CHUNK = 400


def read_below(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any,
    types: Any = None,
    recursive: Any = None,
    most: Any = None,
    number: Any = None,
    encoding: Any = None,
) -> Seen:
    """The texts of a file, or of all files below a directory, in numbered chunks; 404 past the last one."""
    text, files = _gathered(state, path, types, recursive, most, encoding)
    chunks = [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)] or [""]
    at = int(number or 0)
    if not 0 <= at < len(chunks):
        raise ToolError(404, "not_found", f"There is no chunk {at}; there are {len(chunks)}, counted from 0.")
    return {"path": normal(path), "files": files, "chunk": at, "chunks": len(chunks), "content": chunks[at]}


def chunk_count(
    state: FileState,
    ctx: CallContext,
    *,
    path: Any,
    types: Any = None,
    recursive: Any = None,
    most: Any = None,
    encoding: Any = None,
) -> Seen:
    """How many chunks reading the same would give."""
    text, files = _gathered(state, path, types, recursive, most, encoding)
    return {"path": normal(path), "files": len(files), "chunks": max(1, -(-len(text) // CHUNK))}


def _gathered(
    state: FileState, path: Any, types: Any, recursive: Any, most: Any, encoding: Any
) -> tuple[str, list[str]]:
    check_encoding(encoding)
    node = node_at(state, path)
    nodes = [node] if node.kind == "file" else below(state, node.path)
    if recursive is False and node.kind == "directory":
        nodes = [one for one in nodes if parent_of(one.path) == node.path]
    wanted = {
        str(one).casefold().lstrip("*").lstrip(".") for one in (types if isinstance(types, list) else [types]) if one
    }
    kept = [
        one
        for one in nodes
        if one.kind == "file"
        and not one.binary
        and (not wanted or extension_of(one.path) in wanted)
        and (most is None or size_of(one) <= most)
    ]
    return "\n".join(f"== {one.path}\n{one.content}" for one in kept), [one.path for one in kept]
