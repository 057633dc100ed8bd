"""Tools that write notes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, ToolError, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.notes.access import (
    TRASH_DAYS,
    NotebookId,
    NoteId,
    described,
    save,
    writable,
    writable_notebook,
)
from services_app.library.notes.state import Note, NotesState, service
from services_app.library.notes.tags import TagName, tag_ids
from services_app.library.shared import Body, Json, Name, check_text, days_between, some_changes

Version = Annotated[int, f.count("versions"), Field(ge=1)]
LONGEST = 30_000
MOST_PINNED = 5


def _short_enough(body: str) -> str:
    if len(body) > LONGEST:
        raise invalid(f"The note would have {len(body)} characters; {LONGEST} are possible.", type="too_long")
    return body


@service.tool(phrase="write the note {title}")
def create_note(
    state: NotesState,
    ctx: CallContext,
    title: Name,
    body: f.Text = "",
    notebook_id: NotebookId | None = None,
    tags: Annotated[list[TagName], Field(max_length=10)] | None = None,
    source_url: f.Url = "",
) -> Json:
    """Write a note; `[[Title]]` in its text links to another note.

    Errors: `not_found`, `read_only`, `too_long`, `blank_text`.

    Args:
        title: Title of the note.
        body: Its text.
        notebook_id: Notebook to put it in; your default one, if left out.
        tags: Names of tags; new ones are made.
        source_url: Page it was taken from.
    """
    own = state.notebooks.first(owner_email=ME.email, default=True)
    notebook = writable_notebook(state, notebook_id or (own.id if own else "default"))
    note = state.notes.create(
        notebook_id=notebook.id,
        title=check_text(title, "title"),
        body=_short_enough(body),
        tag_ids=tag_ids(state, tags or []),
        author_email=ME.email,
        source_url=source_url,
        created_at=ctx.now,
        updated_at=ctx.now,
    )
    return described(state, ctx, note)


@service.tool(phrase="change the note {note_id}")
def update_note(
    state: NotesState,
    ctx: CallContext,
    note_id: NoteId,
    title: Name | Unset = UNSET,
    body: f.Text | Unset = UNSET,
    expected_version: Version | None = None,
) -> Json:
    """Replace title or text of a note; the former ones are kept as a version.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `version_conflict`, `too_long`, `blank_text`,
    `nothing_to_change`.

    Args:
        note_id: Id of the note.
        title: New title.
        body: New text, whole.
        expected_version: Refuse when the note has another version by now.
    """
    note = writable(state, note_id)
    changes = some_changes(given(title=title, body=body))
    if expected_version not in (None, note.version):
        raise conflict(
            f"{note_id} has version {note.version}, not {expected_version}; read it again.", type="version_conflict"
        )
    if "title" in changes:
        check_text(changes["title"], "title")
    _short_enough(changes.get("body", ""))
    return described(state, ctx, save(state, ctx, note, **changes))


@service.tool(phrase="add a paragraph to the note {note_id}")
def append_to_note(state: NotesState, ctx: CallContext, note_id: NoteId, text: Body) -> Json:
    """Add a paragraph at the end of a note.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `too_long`, `blank_text`.

    Args:
        note_id: Id of the note.
        text: The paragraph.
    """
    note = writable(state, note_id)
    check_text(text, "text")
    body = f"{note.body}\n\n{text}" if note.body else text
    return described(state, ctx, save(state, ctx, note, body=_short_enough(body)))


@service.tool(phrase="restore version {number} of the note {note_id}")
def restore_note_version(state: NotesState, ctx: CallContext, note_id: NoteId, number: Version) -> Json:
    """Give a note the title and text of an earlier version; this makes a new version.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `unknown_version`.

    Args:
        note_id: Id of the note.
        number: Number of the earlier version.
    """
    note = writable(state, note_id)
    version = state.note_versions.first(note_id=note_id, number=number)
    if version is None:
        raise ToolError(404, "unknown_version", f"{note_id} has no earlier version {number}; see list_note_versions.")
    return described(state, ctx, save(state, ctx, note, title=version.title, body=version.body))


@service.tool(phrase="move the note {note_id} to the notebook {notebook_id}")
def move_note(state: NotesState, ctx: CallContext, note_id: NoteId, notebook_id: NotebookId) -> Json:
    """Move a note to another notebook; you need the right to edit in both.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `same_notebook`.

    Args:
        note_id: Id of the note.
        notebook_id: Id of the notebook.
    """
    target = state.notebooks.get(notebook_id)
    note = writable(state, note_id)
    writable_notebook(state, notebook_id)
    if note.notebook_id == notebook_id:
        raise conflict(f"{note_id} is in {target.name} already.", type="same_notebook")
    return described(state, ctx, state.notes.patch(note_id, notebook_id=notebook_id))


@service.tool(phrase="pin or unpin the note {note_id}")
def pin_note(state: NotesState, ctx: CallContext, note_id: NoteId, pinned: bool = True) -> Json:
    """Pin a note to the top of its notebook, or unpin it; a notebook has at most five pinned notes.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `no_change`, `too_many_pinned`.

    Args:
        note_id: Id of the note.
        pinned: True to pin, false to unpin.
    """
    note = writable(state, note_id)
    if note.pinned == pinned:
        raise conflict(f"{note_id} is {'pinned' if pinned else 'not pinned'} already.", type="no_change")
    if pinned and _pinned(state, note) >= MOST_PINNED:
        raise conflict(f"The notebook has {MOST_PINNED} pinned notes; unpin one first.", type="too_many_pinned")
    return described(state, ctx, state.notes.patch(note_id, pinned=pinned))


def _pinned(state: NotesState, note: Note) -> int:
    rows = state.notes.find(notebook_id=note.notebook_id, pinned=True)
    return sum(1 for row in rows if row.trashed_on is None)


@service.tool(phrase="move the note {note_id} to the trash")
def move_note_to_trash(state: NotesState, ctx: CallContext, note_id: NoteId) -> Json:
    """Move a note to the trash; its reminder is dropped and it is no longer pinned.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`.

    Args:
        note_id: Id of the note.
    """
    writable(state, note_id)
    for row in state.reminders.find(note_id=note_id):
        state.reminders.delete(row.id)
    return described(state, ctx, state.notes.patch(note_id, trashed_on=ctx.today, pinned=False))


@service.tool(phrase="take the note {note_id} out of the trash", examples=(Example({"note_id": "NOTE-0001"}),))
def restore_note(state: NotesState, ctx: CallContext, note_id: NoteId) -> Json:
    """Take a note out of the trash, where notes stay for thirty days.

    Errors: `not_found`, `read_only`, `not_in_trash`, `retention_over`.

    Args:
        note_id: Id of the note.
    """
    note = state.notes.get(note_id)
    writable_notebook(state, note.notebook_id)
    if note.trashed_on is None:
        raise conflict(f"{note_id} is not in the trash.", type="not_in_trash")
    if days_between(note.trashed_on, ctx.today) > TRASH_DAYS:
        raise conflict(
            f"{note_id} was deleted on {note.trashed_on}; after {TRASH_DAYS} days it cannot be restored.",
            type="retention_over",
        )
    return described(state, ctx, state.notes.patch(note_id, trashed_on=None))
