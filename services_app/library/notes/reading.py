"""Tools that read notes."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.notes.access import NotebookId, NoteId, described, links, readable, titled
from services_app.library.notes.state import Attachment, Note, NotesState, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_range,
    cursor_page,
    keep,
    matches,
    same,
)

NoteOrder = Annotated[Literal["updated", "created", "title"], LABEL]


@service.tool()
def search_notes(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: NotesState,
    ctx: CallContext,
    query: Query | None = None,
    notebook_id: NotebookId | None = None,
    tag: f.Label | None = None,
    author_email: f.Email | None = None,
    pinned: bool | None = None,
    updated_from: f.Date | None = None,
    updated_to: f.Date | None = None,
    in_trash: bool = False,
    order_by: NoteOrder = "updated",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find notes by words in their title, text, checklist or attachments; locked notes only by their title.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words that must all occur.
        notebook_id: Only notes of this notebook.
        tag: Only notes with this tag, by name.
        author_email: Only notes written by this person.
        pinned: Only pinned (true) or unpinned (false) notes.
        updated_from: Only notes changed on or after this day.
        updated_to: Only notes changed on or before this day.
        in_trash: Search the trash instead.
        order_by: Last changed or newest first, or by title.
        limit: At most so many notes.
        cursor: next_cursor of the previous page.
    """
    check_range(updated_from, updated_to)
    found = keep(state.notes, notebook_id=notebook_id, author_email=author_email, pinned=pinned)
    found = [
        row
        for row in found
        if (row.trashed_on is not None) == in_trash
        and (updated_from or "") <= row.updated_at[:10] <= (updated_to or "9")
        and (tag is None or _has_tag(state, row, tag))
        and (query is None or matches(query, *_texts(state, row)))
    ]
    found.sort(key=lambda row: row.id)
    if order_by == "title":
        found.sort(key=lambda row: row.title.casefold())
    else:
        found.sort(key=lambda row: row.updated_at if order_by == "updated" else row.created_at, reverse=True)
    page = cursor_page("notes", found, limit, cursor)
    page["notes"] = [described(state, ctx, row, body=False) for row in page["notes"]]
    return page


def _has_tag(state: NotesState, note: Note, tag: str) -> bool:
    return any(same(state.tags.get(identity).name, tag) for identity in note.tag_ids)


def _texts(state: NotesState, note: Note) -> list[str]:
    if note.locked:
        return [note.title]
    items = [row.text for row in state.checklist_items.find(note_id=note.id)]
    files = [f"{row.filename}\n{row.recognized_text}" for row in state.attachments.find(note_id=note.id)]
    return [note.title, note.body, *items, *files]


@service.tool()
def get_note(state: NotesState, ctx: CallContext, note_id: NoteId) -> Json:
    """Read a note with its checklist, attachments, shares, and the notes it links to and is linked from.

    Errors: `not_found`, `note_locked`.

    Args:
        note_id: Id of the note.
    """
    note = readable(state, note_id)
    return {
        **described(state, ctx, note),
        "checklist": state.checklist_items.find(note_id=note_id),
        "attachments": [brief(row, "id", "filename", "size_kb") for row in state.attachments.find(note_id=note_id)],
        "shared_with": {row.email: row.right for row in state.shares.find(note_id=note_id)},
        "links": [{"title": title, "note_ids": [row.id for row in titled(state, title)]} for title in links(note.body)],
        "linked_from": [brief(row, "id", "title") for row in _backlinks(state, note)],
    }


def _backlinks(state: NotesState, note: Note) -> list[Note]:
    return [
        row
        for row in state.notes
        if row.trashed_on is None and not row.locked and any(same(title, note.title) for title in links(row.body))
    ]


@service.tool()
def list_note_versions(state: NotesState, ctx: CallContext, note_id: NoteId) -> Json:
    """Show the present and earlier versions of a note with their texts, newest first.

    Errors: `not_found`, `note_locked`.

    Args:
        note_id: Id of the note.
    """
    note = readable(state, note_id)
    current = {"number": note.version, "title": note.title, "body": note.body, "saved_at": note.updated_at}
    earlier = sorted(state.note_versions.find(note_id=note_id), key=lambda row: -row.number)
    rows = [current, *(brief(row, "number", "title", "body", "saved_at") for row in earlier)]
    return {"note_id": note_id, "versions": rows, "total": len(rows)}


@service.tool()
def read_attachment(
    state: NotesState, ctx: CallContext, attachment_id: Annotated[str, f.ref("attachments")]
) -> Attachment:
    """Read the text that was recognized in a scan or photograph attached to a note.

    Errors: `not_found`, `note_locked`.

    Args:
        attachment_id: Id of the attachment, from get_note.
    """
    row = state.attachments.get(attachment_id)
    readable(state, row.note_id)
    return row
