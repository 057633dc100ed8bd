"""Tools for checklists in notes."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.notes.access import NotebookId, NoteId, writable
from services_app.library.notes.state import ChecklistItem, NotesState, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    same,
    search,
    with_fields,
)

ItemId = Annotated[str, f.ref("checklist_items")]
MOST_ITEMS = 50


@service.tool()
def list_checklist_items(  # noqa: PLR0913, PLR0917 - filters and fields of the product
    state: NotesState,
    ctx: CallContext,
    query: Query | None = None,
    notebook_id: NotebookId | None = None,
    assignee_email: f.Email | None = None,
    due_by: f.Date | None = None,
    include_done: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List open checklist items over all notes outside the trash, the earliest due first, those without a date last.

    Args:
        query: Words in the item or in the title of its note.
        notebook_id: Only items of notes in this notebook.
        assignee_email: Only items of this person.
        due_by: Only items due on or before this day.
        include_done: Show done items as well.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    notes = {row.id: row for row in state.notes if row.trashed_on is None and not row.locked}
    rows = [row for row in state.checklist_items if row.note_id in notes and (include_done or not row.checked)]
    found = [
        row
        for row in search(rows, query, lambda row: (row.text, notes[row.note_id].title))
        if notebook_id in (None, notes[row.note_id].notebook_id)
        and (assignee_email is None or same(row.assignee_email or "", assignee_email))
        and (due_by is None or (row.due_date is not None and row.due_date <= due_by))
    ]
    found.sort(key=lambda row: (row.due_date or "9", row.id))
    page = cursor_page("items", found, limit, cursor)
    page["items"] = [
        with_fields(row, note_title=notes[row.note_id].title, overdue=_overdue(row, ctx.today)) for row in page["items"]
    ]
    return page


def _overdue(item: ChecklistItem, today: str) -> bool:
    return not item.checked and item.due_date is not None and item.due_date < today


@service.tool(phrase="add an item to the checklist of the note {note_id}")
def add_checklist_item(
    state: NotesState,
    ctx: CallContext,
    note_id: NoteId,
    text: Body,
    due_date: f.Date | None = None,
    assignee_email: f.Email | None = None,
) -> ChecklistItem:
    """Add an item to the checklist of a note; a note has at most fifty, and an open one is not added twice.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `duplicate_item`, `too_many_items`, `invalid_date`,
    `blank_text`.

    Args:
        note_id: Id of the note.
        text: What is to be done.
        due_date: By when.
        assignee_email: Who does it.
    """
    writable(state, note_id)
    check_text(text, "text")
    items = state.checklist_items.find(note_id=note_id)
    for row in items:
        if same(row.text, text) and not row.checked:
            raise conflict(f"{row.id} says the same and is open.", type="duplicate_item")
    if len(items) >= MOST_ITEMS:
        raise conflict(f"{note_id} has {MOST_ITEMS} items; make another note.", type="too_many_items")
    return state.checklist_items.create(
        note_id=note_id, text=text, due_date=check_date(due_date) if due_date else None, assignee_email=assignee_email
    )


@service.tool(phrase="tick the item {item_id}")
def check_item(state: NotesState, ctx: CallContext, item_id: ItemId, checked: bool = True) -> Json:
    """Tick an item of a checklist, or open it again.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `no_change`.

    Args:
        item_id: Id of the item.
        checked: True for done, false for open.
    """
    item = state.checklist_items.get(item_id)
    writable(state, item.note_id)
    if item.checked == checked:
        raise conflict(f"{item_id} is {'done' if checked else 'open'} already.", type="no_change")
    done = state.checklist_items.patch(item_id, checked=checked, checked_at=ctx.now if checked else None)
    return with_fields(done, open_items=state.checklist_items.count(note_id=item.note_id, checked=False))
