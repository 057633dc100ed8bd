"""Which notes may be read and changed, and how answers show them. You are the signed-in user."""

from __future__ import annotations

import re
from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.notes.state import Note, Notebook, NotesState
from services_app.library.shared import Json, days_between, fold, same

NoteId = Annotated[str, f.ref("notes")]
NotebookId = Annotated[str, f.ref("notebooks")]

TRASH_DAYS = 30
_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")


def right_to(state: NotesState, notebook: Notebook) -> str:
    """Your right to a notebook: owner, edit or view."""
    if same(notebook.owner_email, ME.email):
        return "owner"
    for row in state.notebook_members.find(notebook_id=notebook.id):
        if same(row.email, ME.email):
            return row.right
    return "view"


def writable_notebook(state: NotesState, notebook_id: str) -> Notebook:
    """A notebook whose notes you may change; 403 `read_only` otherwise."""
    notebook = state.notebooks.get(notebook_id)
    if right_to(state, notebook) == "view":
        raise forbidden(
            f"You may only read {notebook.name}; ask {notebook.owner_email} for the right to edit.", type="read_only"
        )
    return notebook


def readable(state: NotesState, note_id: str) -> Note:
    """A note whose text you may see; 403 `note_locked` otherwise."""
    note = state.notes.get(note_id)
    if note.locked:
        raise forbidden(f"{note_id} is locked with a passphrase; its text cannot be read here.", type="note_locked")
    return note


def writable(state: NotesState, note_id: str) -> Note:
    """A note that you may change: not locked, not in the trash, in a notebook you may edit."""
    note = readable(state, note_id)
    writable_notebook(state, note.notebook_id)
    if note.trashed_on is not None:
        raise conflict(f"{note_id} is in the trash since {note.trashed_on}; restore it first.", type="in_trash")
    return note


def save(state: NotesState, ctx: CallContext, note: Note, **changes: object) -> Note:
    """Change title or text; what was there is kept as a version."""
    state.note_versions.create(
        note_id=note.id, number=note.version, title=note.title, body=note.body, saved_at=note.updated_at
    )
    return state.notes.patch(note.id, version=note.version + 1, updated_at=ctx.now, **changes)


def links(body: str) -> list[str]:
    """Titles that a text links to."""
    return [title.strip() for title in _LINK.findall(body)]


def tag_names(state: NotesState, note: Note) -> list[str]:
    return [state.tags.get(identity).name for identity in note.tag_ids]


def described(state: NotesState, ctx: CallContext, note: Note, *, body: bool = True) -> Json:
    """A note as answers show it; the text only where asked for and where the note is not locked."""
    items = state.checklist_items.find(note_id=note.id)
    reminder = state.reminders.first(note_id=note.id)
    shown = note.plain()
    del shown["tag_ids"]
    text = shown.pop("body")
    if note.locked or not body:
        shown["preview"] = "" if note.locked else note.body[:120]
    else:
        shown["body"] = text
    in_trash = TRASH_DAYS - days_between(note.trashed_on, ctx.today) if note.trashed_on else None
    return {
        **shown,
        "notebook": state.notebooks.get(note.notebook_id).name,
        "tags": tag_names(state, note),
        "open_items": sum(1 for row in items if not row.checked),
        "done_items": sum(1 for row in items if row.checked),
        "attachments": state.attachments.count(note_id=note.id),
        "remind_at": reminder.remind_at if reminder and reminder.done_at is None else None,
        "days_left_in_trash": in_trash,
    }


def titled(state: NotesState, title: str) -> list[Note]:
    """Notes with this title that are not in the trash."""
    wanted = fold(title)
    return [row for row in state.notes if fold(row.title) == wanted and row.trashed_on is None]
