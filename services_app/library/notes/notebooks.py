"""Tools for notebooks and sharing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.notes.access import NotebookId, NoteId, right_to, writable
from services_app.library.notes.state import Notebook, NotesState, Right, Share, service
from services_app.library.shared import (
    Json,
    Name,
    Query,
    check_text,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)

Stack = Annotated[str, f.Semantic("label"), Field(max_length=60)]


@service.tool()
def list_notebooks(
    state: NotesState, ctx: CallContext, query: Query | None = None, stack: f.Label | None = None
) -> Json:
    """List your notebooks and those shared with you, with the number of notes and your right.

    Args:
        query: Words in the name or in the address of the owner.
        stack: Only notebooks of this stack.
    """
    found = keep(search(state.notebooks, query, lambda row: (row.name, row.owner_email)), stack=stack)
    return {"notebooks": [_shown(state, row) for row in found], "total": len(found)}


def _shown(state: NotesState, notebook: Notebook) -> Json:
    notes = state.notes.find(notebook_id=notebook.id)
    return with_fields(
        notebook,
        your_right=right_to(state, notebook),
        notes=sum(1 for row in notes if row.trashed_on is None),
        in_trash=sum(1 for row in notes if row.trashed_on is not None),
        members={row.email: row.right for row in state.notebook_members.find(notebook_id=notebook.id)},
    )


def _own(state: NotesState, notebook_id: str) -> Notebook:
    notebook = state.notebooks.get(notebook_id)
    if right_to(state, notebook) != "owner":
        raise forbidden(f"{notebook.name} belongs to {notebook.owner_email}; only they may do this.", type="not_owner")
    return notebook


def _new_name(state: NotesState, name: str, own: str = "") -> str:
    clean = check_text(name, "name")
    if any(same(row.name, clean) and row.id != own for row in state.notebooks):
        raise conflict(f"There is a notebook {clean!r} already; choose another name.", type="duplicate_name")
    return clean


@service.tool(phrase="make the notebook {name}")
def create_notebook(state: NotesState, ctx: CallContext, name: Name, stack: Stack = "") -> Json:
    """Make a notebook of your own.

    Errors: `duplicate_name`, `blank_text`.

    Args:
        name: Name of the notebook.
        stack: Group in which it stands.
    """
    return _shown(state, state.notebooks.create(name=_new_name(state, name), stack=stack, owner_email=ME.email))


@service.tool(phrase="rename or regroup the notebook {notebook_id}")
def update_notebook(
    state: NotesState,
    ctx: CallContext,
    notebook_id: NotebookId,
    name: Name | Unset = UNSET,
    stack: Stack | Unset = UNSET,
) -> Json:
    """Rename a notebook of yours or put it into another stack; what is left out stays.

    Errors: `not_found`, `not_owner`, `duplicate_name`, `blank_text`, `nothing_to_change`.

    Args:
        notebook_id: Id of the notebook.
        name: New name.
        stack: New group; empty for none.
    """
    _own(state, notebook_id)
    changes = some_changes(given(name=name, stack=stack))
    if "name" in changes:
        changes["name"] = _new_name(state, changes["name"], own=notebook_id)
    return _shown(state, state.notebooks.patch(notebook_id, **changes))


@service.tool(phrase="delete the notebook {notebook_id}", examples=(Example({"notebook_id": "NB-005"}),))
def delete_notebook(state: NotesState, ctx: CallContext, notebook_id: NotebookId) -> Json:
    """Delete an empty notebook of yours; notes in the trash count, too.

    Errors: `not_found`, `not_owner`, `default_notebook`, `not_empty`.

    Args:
        notebook_id: Id of the notebook.
    """
    notebook = _own(state, notebook_id)
    if notebook.default:
        raise conflict(f"{notebook.name} takes new notes; it cannot be deleted.", type="default_notebook")
    left = state.notes.count(notebook_id=notebook_id)
    if left:
        raise conflict(f"{notebook.name} holds {left} notes; move them first.", type="not_empty")
    for row in state.notebook_members.find(notebook_id=notebook_id):
        state.notebook_members.delete(row.id)
    state.notebooks.delete(notebook_id)
    return {"deleted": notebook.name, "notebooks": len(state.notebooks)}


@service.tool(phrase="share the note {note_id} with {email}")
def share_note(
    state: NotesState, ctx: CallContext, note_id: NoteId, email: f.Email, right: Right = "view", message: f.Text = ""
) -> Share:
    """Share one note of a notebook of yours; what was shared with the person before is replaced.

    People outside the company may only read. Errors: `not_found`, `not_owner`, `note_locked`, `read_only`,
    `in_trash`, `own_address`, `outside_view_only`.

    Args:
        note_id: Id of the note.
        email: Who gets it.
        right: View or edit.
        message: A word to them.
    """
    note = writable(state, note_id)
    _own(state, note.notebook_id)
    if same(email, ME.email):
        raise conflict("The note is yours; name somebody else.", type="own_address")
    if right == "edit" and outside(email):
        raise forbidden(f"{email} is outside the company and may only read.", type="outside_view_only")
    for row in state.shares.find(note_id=note_id):
        if same(row.email, email):
            return state.shares.patch(row.id, right=right, message=message)
    return state.shares.create(note_id=note_id, email=email, right=right, message=message)


@service.tool(phrase="stop sharing the note {note_id} with {email}")
def unshare_note(state: NotesState, ctx: CallContext, note_id: NoteId, email: f.Email) -> Json:
    """Take a note of a notebook of yours back from somebody.

    Errors: `not_found`, `not_owner`, `not_shared`.

    Args:
        note_id: Id of the note.
        email: Who loses it.
    """
    _own(state, state.notes.get(note_id).notebook_id)
    for row in state.shares.find(note_id=note_id):
        if same(row.email, email):
            state.shares.delete(row.id)
            return {"note_id": note_id, "taken_from": email, "still_shared_with": state.shares.count(note_id=note_id)}
    raise conflict(f"{note_id} is not shared with {email}.", type="not_shared")
