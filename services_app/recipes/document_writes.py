"""Changing documents: blocks, words, formats, tables, notes, protection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.recipes.document import (
    Block,
    Document,
    DocumentState,
    Footnote,
    Seen,
    document_at,
    editable,
    format_of,
    marked,
    merged,
    paragraph_at,
    paragraph_with,
    paragraphs,
    path_of,
    place_of,
    refuse_taken,
    replaced,
    saved,
    shown,
    table_at,
    told,
)


def create_document(
    state: DocumentState, ctx: CallContext, *, filename: Any, title: Any = None, author: Any = None
) -> Seen:
    """A new empty document; 409 when there is one at the path."""
    path = path_of(filename)
    refuse_taken(state, path)
    made = Document(
        id=path, filename=path, title=str(title or ""), author=str(author or ""), created=ctx.now, modified=ctx.now
    )
    state.text_documents.add(made)
    return {**told(made), "title": made.title, "author": made.author}


def copy_document(state: DocumentState, ctx: CallContext, *, source: Any, destination: Any = None) -> Seen:
    """A copy under another path: next to the first where none is given."""
    document = document_at(state, source)
    path = path_of(destination) if destination else document.filename.replace(".docx", "_copy.docx")
    refuse_taken(state, path)
    made = state.text_documents.add(document.changed(id=path, filename=path, created=ctx.now, modified=ctx.now))
    return {**told(made), "source": document.filename}


def append_block(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    kind: str,
    text: Any = None,
    style: Any = None,
    level: Any = None,
    format_: Mapping[str, Any],
) -> Seen:
    """Add a paragraph, heading, picture or page break at the end."""
    document = editable(state, filename)
    depth = (1 if level is None else int(level)) if kind == "heading" else 0
    if kind == "heading" and not 1 <= depth <= 9:
        raise invalid("A heading has a level from 1 to 9.", type="invalid_level")
    name = f"Heading {depth}" if depth else str(style or "Normal")
    block = Block(kind=kind, text=str(text or ""), style=name, level=depth, format=format_of(format_))
    document = saved(state, ctx, document, blocks=(*document.blocks, block))
    return {**told(document), "added": shown(block), "position": len(document.blocks) - 1}


def append_table(
    state: DocumentState, ctx: CallContext, *, filename: Any, rows: Any, columns: Any, data: Any = None
) -> Seen:
    """Add a table of that size, filled from `data` as far as it goes."""
    document = editable(state, filename)
    tall, wide = int(rows), int(columns)
    if not (1 <= tall <= 200 and 1 <= wide <= 50):
        raise invalid("A table has 1 to 200 rows and 1 to 50 columns.", type="invalid_size")
    given = [list(map(str, row)) for row in data or ()]
    cells = tuple(
        tuple(given[r][c] if r < len(given) and c < len(given[r]) else "" for c in range(wide)) for r in range(tall)
    )
    block = Block(kind="table", rows=cells, style="Table Grid")
    document = saved(state, ctx, document, blocks=(*document.blocks, block))
    return {**told(document), "added": shown(block)}


def insert_near(  # noqa: PLR0913 - what, and where
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    kind: str,
    text: Any = None,
    items: Any = None,
    style: Any = None,
    bullet: Any = None,
    near: Any = None,
    index: Any = None,
    position: Any = None,
) -> Seen:
    """Insert paragraphs before or after the one that holds a text, or the one with an index."""
    document = editable(state, filename)
    at, _ = paragraph_at(document, place_of(document, index, near))
    if str(position or "after") not in ("before", "after"):
        raise invalid("The position is before or after.", type="invalid_position")
    lines = [str(one) for one in items] if items is not None else [str(text or "")]
    if not any(lines):
        raise invalid("Give the text to insert.")
    name = str(style or ("List Number" if bullet == "number" else "List Bullet" if kind == "item" else "Normal"))
    level = int(name[-1]) if kind == "heading" and name[-1:].isdecimal() else 0
    blocks = tuple(Block(kind=kind, text=line, style=name, level=level) for line in lines)
    place = at if position == "before" else at + 1
    document = saved(state, ctx, document, blocks=(*document.blocks[:place], *blocks, *document.blocks[place:]))
    return {**told(document), "inserted": [shown(block) for block in blocks], "position": place}


def delete_paragraph(state: DocumentState, ctx: CallContext, *, filename: Any, index: Any) -> Seen:
    """Delete a paragraph by its index."""
    document = editable(state, filename)
    at, block = paragraph_at(document, index)
    return {**told(saved(state, ctx, document, blocks=replaced(document, at))), "deleted": block.text}


def replace_words(state: DocumentState, ctx: CallContext, *, filename: Any, find: Any, replace: Any) -> Seen:
    """Replace a text everywhere, in tables too; 404 when it is nowhere."""
    document = editable(state, filename)
    old, new = str(find), str(replace)
    count = sum(
        one.text.count(old) + sum(cell.count(old) for row in one.rows for cell in row) for one in document.blocks
    )
    if not old or not count:
        raise ToolError(404, "not_found", f"{document.filename} does not hold {find!r}.")
    blocks = tuple(
        one.model_copy(
            update={
                "text": one.text.replace(old, new),
                "rows": tuple(tuple(cell.replace(old, new) for cell in row) for row in one.rows),
            }
        )
        for one in document.blocks
    )
    return {**told(saved(state, ctx, document, blocks=blocks)), "replaced": count}


def create_style(
    state: DocumentState, ctx: CallContext, *, filename: Any, name: Any, base: Any = None, format_: Mapping[str, Any]
) -> Seen:
    """A style of the document's own; one of that name is set anew."""
    document = editable(state, filename)
    if not str(name).strip():
        raise invalid("A style has a name.", type="invalid_name")
    known = dict(document.styles)
    known[str(name)] = format_of({**format_, "base": base})
    document = saved(state, ctx, document, styles=tuple(sorted(known.items())))
    return {**told(document), "style": str(name), "format": dict(known[str(name)])}


def format_letters(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    index: Any,
    start: Any,
    end: Any,
    format_: Mapping[str, Any],
) -> Seen:
    """Set the format of letters of a paragraph, from `start` up to `end`."""
    document = editable(state, filename)
    at, block = paragraph_at(document, index)
    if not 0 <= start < end <= len(block.text):
        raise invalid(f"The paragraph has letters 0 to {len(block.text)}.", type="invalid_range")
    fresh = marked(block, f"{int(start)}-{int(end)}", format_of(format_))
    document = saved(state, ctx, document, blocks=replaced(document, at, fresh))
    return {**told(document), "letters": block.text[int(start) : int(end)], **shown(fresh)}


def replace_below(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    heading: Any,
    texts: Sequence[Any],
    until: Any = None,
    style: Any = None,
) -> Seen:
    """Replace the paragraphs below one up to the next heading, or up to the one that holds `until`."""
    document = editable(state, filename)
    first, _ = paragraph_at(document, paragraph_with(document, heading))
    rest = list(enumerate(document.blocks))[first + 1 :]
    if until is not None:
        words = str(until).casefold()
        last = next((at for at, one in rest if words in one.text.casefold()), None)
        if last is None:
            raise ToolError(404, "not_found", f"No paragraph below {heading!r} holds {until!r}.")
    else:
        last = next((at for at, one in rest if one.kind == "heading"), len(document.blocks))
    fresh = tuple(Block(kind="paragraph", text=str(text), style=str(style or "Normal")) for text in texts)
    document = saved(state, ctx, document, blocks=(*document.blocks[: first + 1], *fresh, *document.blocks[last:]))
    return {**told(document), "removed": last - first - 1, "inserted": len(fresh)}


# Notes and protection


def add_note(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    text: Any,
    kind: str = "footnote",
    index: Any = None,
    near: Any = None,
    output: Any = None,
) -> Seen:
    """A footnote or endnote on a paragraph, by its index or a text that it holds; into a copy where one is named."""
    document = editable(state, filename)
    place = place_of(document, index, near)
    if not str(text).strip():
        raise invalid("A note needs a text.", type="no_text")
    document = _output(state, ctx, document, output)
    number = max((note.number for note in document.footnotes), default=0) + 1
    note = Footnote(number=number, kind=kind, paragraph=place, text=str(text))
    document = saved(state, ctx, document, footnotes=(*document.footnotes, note))
    return {**told(document), "note": note.model_dump()}


def _output(state: DocumentState, ctx: CallContext, document: Document, output: Any) -> Document:
    if output in (None, "") or path_of(output) == document.id:
        return document
    copy_document(state, ctx, source=document.filename, destination=output)
    return document_at(state, output)


def delete_note(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    number: Any = None,
    near: Any = None,
    output: Any = None,
) -> Seen:
    """Delete a note by its number, or the notes of the paragraph that holds a text; 404 when there is none."""
    document = editable(state, filename)
    if number is None and near is None:
        raise invalid("Say which note: by its number, or by a text of its paragraph.", type="no_place")
    place = None if near is None else paragraph_with(document, near)
    gone = [
        note
        for note in document.footnotes
        if (number is None or note.number == number) and (place is None or note.paragraph == place)
    ]
    if not gone:
        raise ToolError(404, "not_found", f"{document.filename} has no such note.")
    document = _output(state, ctx, document, output)
    left = tuple(note for note in document.footnotes if note not in gone)
    return {**told(saved(state, ctx, document, footnotes=left)), "deleted": [note.number for note in gone]}


def set_note_style(state: DocumentState, ctx: CallContext, *, filename: Any, format_: Mapping[str, Any]) -> Seen:
    """Set how notes are numbered and written."""
    document = editable(state, filename)
    style = merged(document.note_style, format_of(format_))
    return {**told(saved(state, ctx, document, note_style=style)), "note_style": dict(style)}


def protect(state: DocumentState, ctx: CallContext, *, filename: Any, password: Any) -> Seen:
    """Protect a document with a password: it cannot be changed until that is given."""
    document = editable(state, filename)
    if not str(password):
        raise invalid("Give a password.", type="no_password")
    return {**told(saved(state, ctx, document, password=str(password))), "protected": True}


def unprotect(state: DocumentState, ctx: CallContext, *, filename: Any, password: Any) -> Seen:
    """Take the protection away; 403 for a wrong password, 409 when there is none."""
    document = document_at(state, filename)
    if not document.password:
        raise conflict(f"{document.filename} is not protected.", type="not_protected")
    if document.password != str(password):
        raise ToolError(403, "wrong_password", "The password is wrong.")
    return {**told(saved(state, ctx, document, password="")), "protected": False}


def print_document(state: DocumentState, ctx: CallContext, *, filename: Any, output: Any = None) -> Seen:
    """A copy of the document as a PDF; 409 when there is something at its path."""
    document = document_at(state, filename)
    path = path_of(output) if output else document.filename.replace(".docx", ".pdf")
    if path == document.filename:
        path = f"{path}.pdf"
    made = copy_document(state, ctx, source=document.filename, destination=path)
    return {**made, "pages": 1 + len(paragraphs(document)) // 30}


# Tables


def format_cells(  # noqa: PLR0913 - which cells, and how
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    table: Any,
    row: Any = None,
    column: Any = None,
    text: Any = None,
    what: str = "table",
    format_: Mapping[str, Any],
) -> Seen:
    """Set the format of a table, of a row or column of it, or of one cell, and the text of that cell."""
    document = editable(state, filename)
    at, block = table_at(document, table)
    tall, wide = len(block.rows), len(block.rows[0])
    if (row is not None and not 0 <= row < tall) or (column is not None and not 0 <= column < wide):
        raise ToolError(404, "not_found", f"The table has {tall} rows and {wide} columns, counted from 0.")
    places = [f"row {int(row)}" if row is not None else "", f"column {int(column)}" if column is not None else ""]
    where = " ".join(place for place in places if place) or what
    fresh = marked(block, where, format_of(format_))
    if text is not None and row is not None and column is not None:
        rows = [list(line) for line in fresh.rows]
        rows[int(row)][int(column)] = str(text)
        fresh = fresh.model_copy(update={"rows": tuple(map(tuple, rows))})
    document = saved(state, ctx, document, blocks=replaced(document, at, fresh))
    return {**told(document), "where": where, "table": shown(fresh)}


def merge_table_cells(
    state: DocumentState,
    ctx: CallContext,
    *,
    filename: Any,
    table: Any,
    row: Any,
    column: Any,
    end_row: Any = None,
    end_column: Any = None,
) -> Seen:
    """Make one cell of a block: the first keeps the words of all."""
    document = editable(state, filename)
    at, block = table_at(document, table)
    last_row, last_column = row if end_row is None else end_row, column if end_column is None else end_column
    tall, wide = len(block.rows), len(block.rows[0])
    if not (0 <= row <= last_row < tall and 0 <= column <= last_column < wide):
        raise ToolError(404, "not_found", f"The table has {tall} rows and {wide} columns, counted from 0.")
    if (row, column) == (last_row, last_column):
        raise invalid("A block has at least two cells.", type="too_small")
    cells = [(r, c) for r in range(int(row), int(last_row) + 1) for c in range(int(column), int(last_column) + 1)]
    rows = [list(line) for line in block.rows]
    words = " ".join(rows[r][c] for r, c in cells if rows[r][c])
    for r, c in cells:
        rows[r][c] = ""
    rows[int(row)][int(column)] = words
    where = f"merged {int(row)},{int(column)} to {int(last_row)},{int(last_column)}"
    fresh = marked(block.model_copy(update={"rows": tuple(map(tuple, rows))}), where, (("merged", "True"),))
    document = saved(state, ctx, document, blocks=replaced(document, at, fresh))
    return {**told(document), "where": where, "table": shown(fresh)}
