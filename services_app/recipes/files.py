"""A tree of files below one root: text and a few pictures, with paths that cannot leave it.

Paths are absolute in the tree; a relative one counts from the root, a drive letter or `file://` is dropped.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.plain import digest
from services_app.engine.state import About, Record, Table

Seen = dict[str, Any]
MIME = {
    "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "json": "application/json", "py": "text/x-python",
    "ts": "text/x-typescript", "js": "text/javascript", "html": "text/html", "png": "image/png", "cs": "text/x-csharp",
    "yaml": "text/yaml", "log": "text/plain", "svg": "image/svg+xml", "xml": "application/xml",
}  # fmt: skip
ENCODINGS = ("utf8", "utf-8", "ascii", "latin1", "latin-1", "iso-8859-1", "utf16le", "utf-16", "ucs2", "base64", "hex")


class FileNode(Record):
    """A file or directory; its path is the id. What is binary is kept as base64."""

    about: ClassVar[About] = About("file", "files", key="path")
    path: str
    kind: str = "file"
    content: str = ""
    binary: bool = False
    created: str = ""
    modified: str = ""


class FileState(Protocol):
    """The table that a file tree needs."""

    file_nodes: Table[FileNode]


# Paths


def normal(path: object) -> str:
    """The path in the tree that is meant; 403 for one that leaves it, 400 for none."""
    text = str(path).replace("\\", "/").removeprefix("file://").removeprefix("~")
    text = re.sub(r"^[A-Za-z]:", "", text)
    if "\0" in text:
        raise invalid("A path holds no null character.", type="invalid_path")
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise ToolError(403, "outside", f"{path!r} leads outside the directory that may be used.")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def parent_of(path: str) -> str:
    return path.rsplit("/", 1)[0] or "/"


def name_of(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def extension_of(path: str) -> str:
    name = name_of(path)
    return name.rsplit(".", 1)[-1].casefold() if "." in name.lstrip(".") else ""


def node_at(state: FileState, path: object, kind: str = "") -> FileNode:
    """The node at a path; 404 when there is none, 409 when it is of the other kind."""
    known = normal(path)
    if known not in state.file_nodes:
        raise ToolError(404, "not_found", f"No file or directory at {known!r}; list its directory first.")
    node = state.file_nodes.get(known)
    if kind and node.kind != kind:
        raise conflict(f"{known!r} is a {node.kind}, not a {kind}.", type=f"not_a_{kind}")
    return node


def text_at(state: FileState, path: object) -> FileNode:
    """The text file at a path; 409 for a picture."""
    node = node_at(state, path, "file")
    if node.binary:
        raise conflict(f"{node.path!r} is not a text file.", type="not_text")
    return node


def below(state: FileState, path: str) -> list[FileNode]:
    """Everything below a directory, by path."""
    start = "/" if path == "/" else f"{path}/"
    return sorted((n for n in state.file_nodes if n.path.startswith(start) and n.path != path), key=lambda n: n.path)


def children(state: FileState, path: str) -> list[FileNode]:
    """What lies directly in a directory, by name."""
    return [node for node in below(state, path) if parent_of(node.path) == path]


def size_of(node: FileNode) -> int:
    return len(base64.b64decode(node.content)) if node.binary else len(node.content.encode())


def directory_for(state: FileState, ctx: CallContext, path: str) -> None:
    """Make the directories down to `path` that are missing; 409 where a file stands in the way."""
    missing: list[str] = []
    while path not in state.file_nodes:
        missing.append(path)
        path = parent_of(path)
    node_at(state, path, "directory")
    for one in reversed(missing):
        state.file_nodes.add(FileNode(id=one, path=one, kind="directory", created=ctx.now, modified=ctx.now))


def placed(state: FileState, ctx: CallContext, path: str, content: str, *, binary: bool = False) -> FileNode:
    """The file at a path with this content: made, or overwritten."""
    if path in state.file_nodes:
        node_at(state, path, "file")
        return state.file_nodes.patch(path, content=content, binary=binary, modified=ctx.now)
    directory_for(state, ctx, parent_of(path))
    node = FileNode(id=path, path=path, content=content, binary=binary, created=ctx.now, modified=ctx.now)
    return state.file_nodes.add(node)


def fits_glob(path: str, pattern: object) -> bool:
    """Whether a path below the searched directory fits a glob pattern (`*.md`, `**/drafts/*`), or its name does."""
    glob = str(pattern).casefold().removeprefix("./")
    text = path.casefold().lstrip("/")
    names = (text, name_of(text))
    return any(fnmatchcase(one, glob) for one in names) or (
        glob.startswith("**/") and any(fnmatchcase(one, glob[3:]) for one in names)
    )


def shown(node: FileNode) -> Seen:
    """A node as agents see it in lists."""
    told: Seen = {"name": name_of(node.path), "path": node.path, "type": node.kind}
    return told | ({"size": size_of(node)} if node.kind == "file" else {})


def check_encoding(encoding: object) -> None:
    """422 for an encoding that is none."""
    if encoding is not None and str(encoding).casefold() not in ENCODINGS:
        raise invalid(f"{encoding!r} is no encoding known here; use one of {', '.join(ENCODINGS)}.", type="encoding")


def compiled(pattern: object, *, ignore_case: bool = False) -> re.Pattern[str]:
    """A pattern to search with; 422 for one that could take for ever, plain text where it is no pattern."""
    text = str(pattern)
    if len(text) > 200 or re.search(r"[+*}]\)?[+*{]", text):
        raise invalid("The pattern is too involved; use a simpler one.")
    flags = re.IGNORECASE if ignore_case else 0
    try:
        return re.compile(text, flags)
    except re.error:
        return re.compile(re.escape(text), flags)


# Seeds

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_FILES = {
    "/README.md": "# North\n\nNotes and small programs of the team.\n\nStart with notes/agenda.txt, then src/app.py.\n",
    "/notes/agenda.txt": (
        "Plan for {topic}\n\n1. Agree on the costs with {lead}\n2. Order the parts\n3. Open in April\n"
    ),
    "/notes/meeting.md": "# Meeting\n\n- {lead} reports on {topic}\n- Open point: the budget in data/costs.csv\n",
    "/notes/old/draft.txt": "First draft of the plan, replaced by notes/agenda.txt.\n",
    "/data/costs.csv": (
        "item,cost,owner\nPaint,120,Ana\nWindows,840,{lead}\nDoors,310,Mei\nLamps,95,Ana\nFloor,640,Jonas\n"
    ),
    "/data/settings.json": '{{\n  "topic": "{topic}",\n  "limit": 25,\n  "owner": "{lead}"\n}}\n',
    "/src/app.py": (
        'import json\n\nfrom helpers import total\n\n\nclass Report:\n    """Costs of {topic}."""\n\n'
        "    def print(self) -> None:\n        print(total())\n\n\ndef main() -> None:\n"
        "    # The settings stand in data/settings.json\n"
        "    Report().print()\n"
    ),
    "/src/helpers.py": "import csv\n\n\ndef total() -> int:\n    return 2005\n",
    "/src/index.ts": (
        "import {{ total }} from './helpers';\n\nexport class Page {{}}\n\n"
        "export function plan(): number {{\n  // see helpers.py\n  return total();\n}}\n"
    ),
    "/.hidden/config.yaml": "topic: {topic}\n",
    "/documents/report.pdf": "Report on {topic}\fCosts: 2005\fWritten by {lead}",
    "/documents/offer.pdf": "Offer for {topic}\fValid until April",
    "/documents/letter.docx": "# Letter\nDear {lead},\nthe parts for {topic} are here.\n# Costs\n2005 in all.\n",
    "/documents/page.html": (
        '<html><head><title>News</title><style>p {{ margin: 0 }}</style></head>\n<body class="wide">\n'
        '<h1>News of {topic}</h1>\n<p>Read <a href="/costs">the costs</a>.</p>\n\n\n<img src="/logo.png">\n'
        "<ul><li>Paint</li><li>Doors &amp; lamps</li></ul>\n<script>start()</script>\n</body></html>\n"
    ),
}
_TOPICS = ("the harbour refit", "the clinic opening", "the museum move", "the winter release")
_LEADS = ("Jonas", "Aisha", "Tomás", "Grace")


def seed_files(nodes: Table[FileNode], ctx: SeedContext) -> None:
    """Directories with notes that refer to each other, a table of costs, small programs and a picture."""
    words = {"topic": _TOPICS[ctx.seed % len(_TOPICS)], "lead": _LEADS[ctx.seed % len(_LEADS)]}
    files = {path: text.format(**words) for path, text in _FILES.items()}
    for number in range(1, ctx.size(8)):
        files[f"/notes/log/day-{number}.log"] = "\n".join(f"{hour}:00 entry {number}-{hour}" for hour in range(8, 14))
    paths = {parent for path in files for parent in parents_of(path)} | {"/images"}
    for number, path in enumerate(sorted(paths)):
        made = ctx.moment(-30, 8, number % 60)
        nodes.add(FileNode(id=path, path=path, kind="directory", created=made, modified=made))
    for number, (path, text) in enumerate(files.items()):
        made, changed = ctx.moment(-20 - number), ctx.moment(-number - 1, 10)
        nodes.add(FileNode(id=path, path=path, content=text, created=made, modified=changed))
    moment = ctx.moment(-9)
    nodes.add(
        FileNode(
            id="/images/logo.png", path="/images/logo.png", content=_PIXEL, binary=True, created=moment, modified=moment
        )
    )


def parents_of(path: str) -> Iterable[str]:
    """The directories above a path, the root included."""
    while path != "/":
        path = parent_of(path)
        yield path


def mark_of(node: FileNode) -> str:
    """A short mark that changes with the content."""
    return digest(node.content)[:12]
