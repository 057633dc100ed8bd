"""Text documents as blocks: paragraphs, headings, tables, pictures, with formats, footnotes and comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.state import About, Record, Table
from services_app.recipes.files import normal

Seen = dict[str, Any]
Pairs = tuple[tuple[str, str], ...]


class Part(BaseModel):
    """A piece of a document that never changes in place."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Mark(Part):
    """A format of part of a block: letters from `start` to `end` of a paragraph, or one cell (or more) of a table."""

    where: str
    format: Pairs


class Block(Part):
    """A paragraph, heading, list item, table, picture or page break."""

    kind: str
    text: str = ""
    style: str = "Normal"
    level: int = 0
    format: Pairs = ()
    rows: tuple[tuple[str, ...], ...] = ()
    marks: tuple[Mark, ...] = ()


class Footnote(Part):
    """A footnote or endnote of a paragraph."""

    number: int
    kind: str
    paragraph: int
    text: str


class Comment(Part):
    """What somebody remarked on a paragraph."""

    author: str
    paragraph: int
    text: str
    date: str


class Document(Record):
    """A document; its path is the id. `password` is "" while it is not protected."""

    about: ClassVar[About] = About("document", "documents", key="title")
    filename: str
    title: str
    author: str
    blocks: tuple[Block, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    comments: tuple[Comment, ...] = ()
    styles: tuple[tuple[str, Pairs], ...] = ()
    note_style: Pairs = ()
    password: str = ""
    created: str = ""
    modified: str = ""


class DocumentState(Protocol):
    """The table that documents need."""

    text_documents: Table[Document]


def path_of(filename: object) -> str:
    """The path of a document; a name without an ending gets `.docx`."""
    path = normal(filename)
    if path == "/":
        raise invalid("Name the document.", type="invalid_path")
    return path if "." in path.rsplit("/", 1)[-1] else f"{path}.docx"


def document_at(state: DocumentState, filename: object) -> Document:
    """The document at a path, or 404."""
    path = path_of(filename)
    if path not in state.text_documents:
        raise ToolError(404, "not_found", f"No document at {path!r}; create it or list what there is.")
    return state.text_documents.get(path)


def editable(state: DocumentState, filename: object) -> Document:
    """A document that may be changed; 403 while it is protected."""
    document = document_at(state, filename)
    if document.password:
        raise ToolError(403, "protected", f"{document.filename} is protected; unprotect it first.")
    return document


def saved(state: DocumentState, ctx: CallContext, document: Document, **changes: Any) -> Document:
    """The document with changes and the time of the change."""
    return state.text_documents.patch(document.id, modified=ctx.now, **changes)


def paragraphs(document: Document) -> list[tuple[int, Block]]:
    """(position among the blocks, block) of everything that is text."""
    return [(at, block) for at, block in enumerate(document.blocks) if block.kind in ("paragraph", "heading", "item")]


def paragraph_at(document: Document, index: Any) -> tuple[int, Block]:
    """The paragraph with that index from 0; 404 when there is none."""
    found = paragraphs(document)
    if not 0 <= index < len(found):
        raise ToolError(404, "not_found", f"No paragraph {index}; there are {len(found)}, counted from 0.")
    return found[int(index)]


def paragraph_with(document: Document, text: object) -> int:
    """Index of the first paragraph that holds a text, or 404."""
    words = str(text).casefold()
    found = paragraphs(document)
    at = next((n for n, (_, block) in enumerate(found) if words and words in block.text.casefold()), None)
    if at is None:
        raise ToolError(404, "not_found", f"No paragraph of {document.filename} holds {text!r}.")
    return at


def place_of(document: Document, index: Any, near: object) -> int:
    """Index of the paragraph that an index, a text that it holds, or both name; 422 when the two disagree."""
    if index is None and near is None:
        raise invalid("Say where: by the index of a paragraph, or by a text that it holds.", type="no_place")
    if index is not None:
        paragraph_at(document, index)
    found = int(index) if near is None else paragraph_with(document, near)
    if index is not None and found != index:
        raise invalid(f"Paragraph {index} does not hold {near!r}; paragraph {found} does.", type="two_places")
    return found


def table_at(document: Document, index: Any) -> tuple[int, Block]:
    """The table with that index from 0, with its position among the blocks; 404 when there is none."""
    found = [(at, block) for at, block in enumerate(document.blocks) if block.kind == "table"]
    if not 0 <= index < len(found):
        raise ToolError(404, "not_found", f"No table {index}; there are {len(found)}, counted from 0.")
    return found[int(index)]


def cell_at(table: Block, row: Any, column: Any) -> tuple[int, int]:
    """Row and column of a cell from 0; 404 when the table is smaller."""
    tall, wide = len(table.rows), len(table.rows[0]) if table.rows else 0
    if not (0 <= row < tall and 0 <= column < wide):
        raise ToolError(404, "not_found", f"The table has {tall} rows and {wide} columns, counted from 0.")
    return int(row), int(column)


def replaced(document: Document, at: int, *blocks: Block) -> tuple[Block, ...]:
    """The blocks with the one at a position replaced by others."""
    return (*document.blocks[:at], *blocks, *document.blocks[at + 1 :])


def format_of(format_: Mapping[str, Any]) -> Pairs:
    """The parts of a format that were given, as pairs."""
    return tuple(sorted((name, str(value)) for name, value in format_.items() if value is not None))


def merged(old: Pairs, new: Pairs) -> Pairs:
    """A format with parts of it set anew."""
    return tuple(sorted({**dict(old), **dict(new)}.items()))


def marked(block: Block, where: str, format_: Pairs) -> Block:
    """The block with a format for a part of it."""
    old = next((mark.format for mark in block.marks if mark.where == where), ())
    rest = tuple(mark for mark in block.marks if mark.where != where)
    return block.model_copy(update={"marks": (*rest, Mark(where=where, format=merged(old, format_)))})


def told(document: Document) -> Seen:
    """What every answer to a write says."""
    return {"filename": document.filename, "paragraphs": len(paragraphs(document)), "modified": document.modified}


def shown(block: Block) -> Seen:
    """A block as agents see it."""
    seen: Seen = {"kind": block.kind, "text": block.text, "style": block.style}
    seen |= {"level": block.level} if block.kind == "heading" else {}
    seen |= {"rows": [list(row) for row in block.rows]} if block.kind == "table" else {}
    seen |= {"format": dict(block.format)} if block.format else {}
    return seen | ({"marks": {mark.where: dict(mark.format) for mark in block.marks}} if block.marks else {})


def text_of(document: Document) -> str:
    """The words of a document, a line per block or row."""
    lines = []
    for block in document.blocks:
        lines += [" | ".join(row) for row in block.rows] if block.kind == "table" else [block.text]
    return "\n".join(lines)


def matcher(text: object, *, case: bool, whole: bool) -> Callable[[str], list[int]]:
    """A function that gives the places of a text in a line."""
    if not str(text):
        raise invalid("Give the text to find.")
    pattern = re.escape(str(text))
    found = re.compile(rf"\b{pattern}\b" if whole else pattern, 0 if case else re.IGNORECASE)
    return lambda line: [match.start() for match in found.finditer(line)]


def refuse_taken(state: DocumentState, path: str) -> None:
    """409 when there is a document at the path."""
    if path in state.text_documents:
        raise conflict(f"There is a document at {path!r} already.", type="already_exists")


# Seeds

_COSTS = (("Item", "Cost"), ("Paint", "120"), ("Windows", "840"), ("Doors", "310"))
_HOURS = (("Name", "Hours"), ("Ana", "32"), ("Mei", "40"))


def seed_documents(documents: Table[Document], ctx: SeedContext) -> None:
    """Three documents with headings, tables, notes and comments."""
    topics = (
        ("report", "Harbour refit", _COSTS),
        ("minutes", "Clinic opening", _HOURS),
        ("offer", "Winter release", _COSTS[:3]),
    )
    for number, (name, topic, rows) in enumerate(topics):
        day = ctx.moment(-10 + number)
        blocks = (
            Block(kind="heading", text=topic, style="Heading 1", level=1),
            Block(kind="paragraph", text=f"The {topic.lower()} begins in April and takes {6 + number} weeks."),
            Block(kind="heading", text="Costs", style="Heading 2", level=2),
            Block(kind="paragraph", text="All prices are those of last year."),
            Block(kind="table", rows=rows, style="Table Grid"),
            Block(kind="heading", text="Next steps", style="Heading 2", level=2),
            Block(kind="paragraph", text=f"Ana writes to the supplier about the {topic.lower()}."),
        )
        documents.add(
            Document(
                id=f"/{name}.docx",
                filename=f"/{name}.docx",
                title=topic,
                author=("Ana Berg", "Jonas Weber", "Mei Tanaka")[number],
                blocks=blocks,
                footnotes=(Footnote(number=1, kind="footnote", paragraph=3, text=f"List of {2024 + number}."),),
                comments=(
                    Comment(author="Mei Tanaka", paragraph=1, text=f"Is {topic.lower()} right?", date=day),
                    Comment(author="Aisha Khan", paragraph=3, text="Ask again.", date=day),
                ),
                created=day,
                modified=day,
            )
        )
