"""Making new files out of others: documents joined, split and put into another form.

A PDF is kept as the text of its pages with form feeds between them, a DOCX as text with Markdown headings.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.file_writes import difference
from services_app.recipes.files import (
    FileNode,
    FileState,
    Seen,
    check_encoding,
    extension_of,
    name_of,
    normal,
    placed,
    shown,
    text_at,
)

PAGE = "\f"


def _source(state: FileState, path: Any, *kinds: str) -> FileNode:
    """A text file with one of these extensions; 409 for another kind."""
    node = text_at(state, path)
    if extension_of(node.path) not in kinds:
        raise conflict(f"{node.path!r} is no {' or '.join(kinds)} file.", type="wrong_kind")
    return node


def _made(state: FileState, ctx: CallContext, directory: Any, name: str, text: str) -> Seen:
    node = placed(state, ctx, f"{normal(directory).rstrip('/')}/{name}", text)
    return {**shown(node), "text": text}


def _stem(node: FileNode) -> str:
    return name_of(node.path).rsplit(".", 1)[0]


def join_documents(state: FileState, ctx: CallContext, *, paths: Sequence[Any], directory: Any) -> Seen:
    """One PDF with the pages of several, in their order."""
    nodes = [_source(state, path, "pdf") for path in paths]
    if not nodes:
        raise invalid("Name at least one file to join.")
    return _made(state, ctx, directory, "merged.pdf", PAGE.join(node.content for node in nodes))


def split_document(state: FileState, ctx: CallContext, *, path: Any, directory: Any, ranges: Sequence[Any]) -> Seen:
    """A PDF for each range of pages, counted from 1; 422 for a range that the file does not have."""
    node = _source(state, path, "pdf")
    pages = node.content.split(PAGE)
    made = []
    for one in ranges:
        start, end = int(one["start"]), int(one["end"])
        if not 1 <= start <= end <= len(pages):
            raise invalid(f"{node.path!r} has pages 1 to {len(pages)}, not {start} to {end}.", type="invalid_range")
        name = f"{_stem(node)}-{start}-{end}.pdf"
        made.append(_made(state, ctx, directory, name, PAGE.join(pages[start - 1 : end])))
    return {"files": made, "pages": len(pages)}


def document_to_pdf(state: FileState, ctx: CallContext, *, path: Any, output: Any) -> Seen:
    """A DOCX as a PDF of one page per heading."""
    node = _source(state, path, "docx")
    pages = [page for page in re.split(r"\n(?=# )", node.content) if page.strip()]
    made = placed(state, ctx, normal(output), PAGE.join(pages))
    return {**shown(made), "pages": len(pages)}


def document_to_html(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """A DOCX as HTML, with its headings."""
    node = _source(state, path, "docx")
    body = "\n".join(_line(line) for line in node.content.splitlines() if line.strip())
    return _made(state, ctx, directory, f"{_stem(node)}.html", f"<html>\n<body>\n{body}\n</body>\n</html>\n")


def _line(line: str) -> str:
    level = len(line) - len(line.lstrip("#"))
    tag = f"h{min(level, 6)}" if level else "p"
    return f"<{tag}>{html.escape(line.lstrip('#').strip())}</{tag}>"


def clean_html(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """HTML without scripts, styles, comments and attributes other than addresses."""
    node = _source(state, path, "html")
    text = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", "", node.content, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r'\s(?!href|src)[\w-]+="[^"]*"', "", text)
    return _made(state, ctx, directory, f"{_stem(node)}-clean.html", re.sub(r"\n\s*\n", "\n", text))


def html_to_text(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """The words of an HTML file, a line per block."""
    node = _source(state, path, "html")
    return _made(state, ctx, directory, f"{_stem(node)}.txt", _words(node.content))


def _words(source: str) -> str:
    text = re.sub(r"<(script|style|head)\b.*?</\1>|<!--.*?-->", "", source, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"</(h\d|p|li|div|tr)>|<br\s*/?>", "\n", text)
    lines = [html.unescape(line).strip() for line in re.sub(r"<[^>]+>", "", text).splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def html_to_markdown(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """An HTML file as Markdown: headings, links, lists."""
    node = _source(state, path, "html")
    text = re.sub(r"<h(\d)[^>]*>", lambda m: f"{'#' * int(m[1])} ", node.content)
    text = re.sub(r'<a[^>]*href="([^"]*)"[^>]*>(.*?)</a>', r"[\2](\1)", text)
    text = re.sub(r"<li[^>]*>", "- ", text)
    return _made(state, ctx, directory, f"{_stem(node)}.md", _words(text))


def html_resources(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """The addresses of pictures, films and links of an HTML file, kept as a list."""
    node = _source(state, path, "html")
    found = re.findall(r'(?:href|src)="([^"]+)"', node.content)
    made = _made(state, ctx, directory, f"{_stem(node)}-resources.txt", "\n".join(found) + "\n")
    return {**made, "resources": found}


def format_html(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """HTML with a tag per line, indented by its depth."""
    node = _source(state, path, "html")
    depth, lines = 0, []
    for part in re.findall(r"<[^>]+>|[^<]+", node.content):
        if not part.strip():
            continue
        closes = part.startswith("</")
        depth = max(0, depth - closes)
        lines.append("  " * depth + part.strip())
        opens = part.startswith("<") and not closes and not re.match(r"<(!|br|img|meta|link|hr|input)", part)
        depth += opens and not part.endswith("/>")
    return _made(state, ctx, directory, f"{_stem(node)}-formatted.html", "\n".join(lines) + "\n")


def compare_texts(state: FileState, ctx: CallContext, *, path: Any, other: Any, directory: Any) -> Seen:
    """The difference of two text files, kept as a file."""
    first, second = text_at(state, path), text_at(state, other)
    text = difference(text_before=first.content, text_after=second.content)
    return {**_made(state, ctx, directory, f"{_stem(first)}.diff", text), "equal": first.content == second.content}


def split_text(state: FileState, ctx: CallContext, *, path: Any, directory: Any, by: Any, value: Any) -> Seen:
    """A file for each part of a text: of so many lines, or between delimiters."""
    node = text_at(state, path)
    if by == "lines":
        if not str(value).isdecimal() or int(value) < 1:
            raise invalid("Give the number of lines of each part.", type="invalid_value")
        lines, size = node.content.splitlines(keepends=True), int(value)
        parts = ["".join(lines[start : start + size]) for start in range(0, len(lines), size)]
    else:
        if not str(value) or str(value) not in node.content:
            raise ToolError(404, "not_found", f"{node.path!r} does not hold the delimiter {value!r}.")
        parts = node.content.split(str(value))
    if len(parts) > 200:
        raise invalid(f"That would make {len(parts)} files; split into fewer parts.", type="too_many")
    stem = _stem(node)
    return {
        "files": [_made(state, ctx, directory, f"{stem}-{number}.txt", part) for number, part in enumerate(parts, 1)]
    }


def format_text(state: FileState, ctx: CallContext, *, path: Any, directory: Any) -> Seen:
    """A text without spaces at the ends of lines, with at most one empty line in a row."""
    node = text_at(state, path)
    text = "\n".join(line.rstrip() for line in node.content.splitlines())
    return _made(state, ctx, directory, f"{_stem(node)}-formatted.txt", re.sub(r"\n{3,}", "\n\n", text).strip() + "\n")


def convert_encoding(
    state: FileState, ctx: CallContext, *, path: Any, directory: Any, source: Any, target: Any
) -> Seen:
    """A text in another encoding: its bytes are counted in that one; 422 when it cannot hold the text."""
    node = text_at(state, path)
    check_encoding(source)
    check_encoding(target)
    try:
        size = len(node.content.encode(str(target).casefold().replace("utf16le", "utf-16le").replace("ucs2", "utf-16")))
        node.content.encode(str(source).casefold().replace("utf16le", "utf-16le").replace("ucs2", "utf-16"))
    except (UnicodeEncodeError, LookupError) as error:
        raise invalid(f"The text cannot be written in {target!r}: {error}.", type="encoding") from error
    made = _made(state, ctx, directory, f"{_stem(node)}-{str(target).casefold()}.txt", node.content)
    return {**made, "from": str(source), "to": str(target), "bytes": size}
