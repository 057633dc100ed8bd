"""Looking at documents: text, outline, paragraphs, places of a text, notes and comments."""

from __future__ import annotations

import html
from typing import Any

from services_app.engine.context import CallContext
from services_app.recipes.document import (
    DocumentState,
    Seen,
    document_at,
    matcher,
    paragraph_at,
    paragraphs,
    shown,
    text_of,
)
from services_app.recipes.files import normal


def document_info(state: DocumentState, ctx: CallContext, *, filename: Any) -> Seen:
    """Title, author, times and what the document holds."""
    document = document_at(state, filename)
    kinds = [block.kind for block in document.blocks]
    words = len(text_of(document).split())
    facts = {"paragraphs": len(paragraphs(document)), "tables": kinds.count("table"), "words": words}
    plain = {"filename": document.filename, "title": document.title, "author": document.author}
    times = {"created": document.created, "modified": document.modified, "protected": bool(document.password)}
    styles = {name: dict(format_) for name, format_ in document.styles}
    notes = {"footnotes": len(document.footnotes), "note_style": dict(document.note_style)}
    return {**plain, **times, **facts, **notes, "pictures": kinds.count("picture"), "styles": styles}


def document_text(state: DocumentState, ctx: CallContext, *, filename: Any) -> Seen:
    """All the words, with the notes at the end."""
    document = document_at(state, filename)
    notes = [f"[{note.number}] {note.text}" for note in document.footnotes]
    return {"filename": document.filename, "text": "\n".join([text_of(document), *notes])}


def document_outline(state: DocumentState, ctx: CallContext, *, filename: Any) -> Seen:
    """The blocks in order, with styles, levels and formats."""
    document = document_at(state, filename)
    return {"filename": document.filename, "title": document.title, "blocks": [shown(one) for one in document.blocks]}


def list_documents(state: DocumentState, ctx: CallContext, *, directory: Any = None) -> Seen:
    """The documents in a directory."""
    start = normal(directory or "/").rstrip("/")
    found = [one for one in state.text_documents if one.filename.rsplit("/", 1)[0] == start]
    return {"documents": [{"filename": one.filename, "title": one.title} for one in found], "total": len(found)}


def document_xml(state: DocumentState, ctx: CallContext, *, filename: Any) -> Seen:
    """The document as XML."""
    document = document_at(state, filename)
    lines = []
    for block in document.blocks:
        words = "".join(f"<c>{html.escape(cell)}</c>" for row in block.rows for cell in row) or html.escape(block.text)
        lines.append(f'<{block.kind} style="{html.escape(block.style)}">{words}</{block.kind}>')
    return {"xml": "<document>\n" + "\n".join(lines) + "\n</document>"}


def paragraph_text(state: DocumentState, ctx: CallContext, *, filename: Any, index: Any) -> Seen:
    """One paragraph with its style and formats."""
    _, block = paragraph_at(document_at(state, filename), index)
    return {"index": int(index), **shown(block)}


def find_text(
    state: DocumentState, ctx: CallContext, *, filename: Any, text: Any, case: Any = None, whole: Any = None
) -> Seen:
    """The paragraphs that hold a text, with the places in them."""
    document = document_at(state, filename)
    places = matcher(text, case=case is not False, whole=bool(whole))
    found: list[Seen] = [
        {"paragraph": index, "positions": places(block.text), "context": block.text}
        for index, (_, block) in enumerate(paragraphs(document))
        if places(block.text)
    ]
    return {"filename": document.filename, "matches": found, "total": sum(len(one["positions"]) for one in found)}


def list_comments(
    state: DocumentState, ctx: CallContext, *, filename: Any, author: Any = None, index: Any = None
) -> Seen:
    """The comments: all, those of an author, or those on a paragraph."""
    document = document_at(state, filename)
    if index is not None:
        paragraph_at(document, index)
    rows = [
        one.model_dump()
        for one in document.comments
        if (author is None or one.author.casefold() == str(author).casefold())
        and (index is None or one.paragraph == index)
    ]
    return {"filename": document.filename, "comments": rows, "total": len(rows)}


def check_footnotes(state: DocumentState, ctx: CallContext, *, filename: Any) -> Seen:
    """Whether every note stands on a paragraph that there is and has a number of its own."""
    document = document_at(state, filename)
    count, numbers = len(paragraphs(document)), [note.number for note in document.footnotes]
    lost = [note.number for note in document.footnotes if not 0 <= note.paragraph < count]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    notes = [note.model_dump() for note in document.footnotes]
    return {"valid": not lost and not twice, "notes": notes, "without_paragraph": lost, "numbered_twice": twice}
