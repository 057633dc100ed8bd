"""Tools for tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, ToolError, conflict
from services_app.engine import fields as f
from services_app.library.notes.access import NoteId, described, tag_names, writable
from services_app.library.notes.state import NotesState, Tag, service
from services_app.library.shared import Json, Query, check_text, same, search, with_fields

TagName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40)]
MOST_TAGS = 10


def _tag(state: NotesState, name: str) -> Tag | None:
    return next((row for row in state.tags if same(row.name, name)), None)


def tag_ids(state: NotesState, names: Iterable[str]) -> tuple[str, ...]:
    """Ids of the tags with these names, without repetition; tags that do not exist are made."""
    found: dict[str, None] = {}
    for name in names:
        clean = check_text(name, "tag").removeprefix("#")
        tag = _tag(state, clean) or state.tags.create(name=clean)
        found[tag.id] = None
    return tuple(found)


@service.tool()
def list_tags(state: NotesState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the tags with the number of notes that have them, most used first.

    Args:
        query: Words in the name.
    """
    rows = [
        with_fields(tag, notes=sum(1 for note in state.notes if tag.id in note.tag_ids and note.trashed_on is None))
        for tag in search(state.tags, query, lambda row: (row.name,))
    ]
    rows.sort(key=lambda row: (-row["notes"], row["name"]))
    return {"tags": rows, "total": len(rows)}


@service.tool(phrase="tag the note {note_id} with {tag}")
def tag_note(state: NotesState, ctx: CallContext, note_id: NoteId, tag: TagName) -> Json:
    """Put a tag on a note; a tag that does not exist is made. A note has at most ten.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `already_tagged`, `too_many_tags`, `blank_text`.

    Args:
        note_id: Id of the note.
        tag: Name of the tag.
    """
    note = writable(state, note_id)
    (identity,) = tag_ids(state, [tag])
    if identity in note.tag_ids:
        raise conflict(f"{note_id} has the tag {tag} already.", type="already_tagged")
    if len(note.tag_ids) >= MOST_TAGS:
        raise conflict(f"{note_id} has {MOST_TAGS} tags; remove one first.", type="too_many_tags")
    return described(state, ctx, state.notes.patch(note_id, tag_ids=(*note.tag_ids, identity)))


@service.tool(phrase="take the tag {tag} off the note {note_id}")
def untag_note(state: NotesState, ctx: CallContext, note_id: NoteId, tag: TagName) -> Json:
    """Take a tag off a note; the tag itself stays.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `not_tagged`.

    Args:
        note_id: Id of the note.
        tag: Name of the tag.
    """
    note = writable(state, note_id)
    known = _tag(state, tag)
    if known is None or known.id not in note.tag_ids:
        has = ", ".join(tag_names(state, note)) or "none"
        raise conflict(f"{note_id} does not have the tag {tag}; it has: {has}.", type="not_tagged")
    left = tuple(identity for identity in note.tag_ids if identity != known.id)
    return described(state, ctx, state.notes.patch(note_id, tag_ids=left))


@service.tool(
    phrase="rename the tag {tag} to {new_name}", examples=(Example({"tag": "call", "new_name": "phone call"}),)
)
def rename_tag(state: NotesState, ctx: CallContext, tag: TagName, new_name: TagName) -> Json:
    """Rename a tag on all notes; when the new name exists, the two are merged.

    Errors: `unknown_tag`, `same_name`, `blank_text`.

    Args:
        tag: Present name.
        new_name: New name.
    """
    known = _tag(state, tag)
    if known is None:
        raise ToolError(404, "unknown_tag", f"There is no tag {tag!r}; see list_tags.")
    clean = check_text(new_name, "name").removeprefix("#")
    if clean == known.name:
        raise conflict(f"The tag is called {clean} already.", type="same_name")
    other = _tag(state, clean)
    if other is None or other.id == known.id:
        return with_fields(state.tags.patch(known.id, name=clean), merged=False)
    for note in state.notes:
        if known.id in note.tag_ids:
            left = [identity for identity in note.tag_ids if identity not in (known.id, other.id)]
            state.notes.patch(note.id, tag_ids=(*left, other.id))
    state.tags.delete(known.id)
    return with_fields(other, merged=True)
