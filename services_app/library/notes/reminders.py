"""Tools for reminders on notes: one per note."""

from __future__ import annotations

from services_app.engine import CallContext, ToolError, conflict
from services_app.engine import fields as f
from services_app.library.notes.access import NoteId, writable
from services_app.library.notes.state import NotesState, Reminder, service
from services_app.library.shared import Cursor, Json, Limit, check_date, check_future, cursor_page, with_fields


@service.tool()
def list_reminders(
    state: NotesState,
    ctx: CallContext,
    until: f.Date | None = None,
    include_done: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List reminders with the title of their note, the earliest first.

    Errors: `invalid_date`.

    Args:
        until: Only reminders on or before this day.
        include_done: Show done reminders as well.
        limit: At most so many reminders.
        cursor: next_cursor of the previous page.
    """
    last = check_date(until) if until else "9"
    found = [row for row in state.reminders if row.remind_at[:10] <= last and (include_done or row.done_at is None)]
    found.sort(key=lambda row: (row.remind_at, row.id))
    page = cursor_page("reminders", found, limit, cursor)
    page["reminders"] = [
        with_fields(
            row, title=state.notes.get(row.note_id).title, overdue=row.done_at is None and row.remind_at < ctx.now
        )
        for row in page["reminders"]
    ]
    return page


@service.tool(phrase="set a reminder on the note {note_id} for {remind_at}")
def set_reminder(state: NotesState, ctx: CallContext, note_id: NoteId, remind_at: f.Timestamp) -> Reminder:
    """Set the reminder of a note, or move it; a done one becomes open again.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `in_the_past`, `invalid_time`.

    Args:
        note_id: Id of the note.
        remind_at: When to be reminded, UTC.
    """
    writable(state, note_id)
    moment = check_future(ctx, remind_at, "reminder")
    row = state.reminders.first(note_id=note_id)
    if row is None:
        return state.reminders.create(note_id=note_id, remind_at=moment)
    return state.reminders.patch(row.id, remind_at=moment, done_at=None)


@service.tool(phrase="mark the reminder of the note {note_id} as done")
def complete_reminder(state: NotesState, ctx: CallContext, note_id: NoteId) -> Json:
    """Mark the reminder of a note as done.

    Errors: `not_found`, `note_locked`, `read_only`, `in_trash`, `no_reminder`, `already_done`.

    Args:
        note_id: Id of the note.
    """
    note = writable(state, note_id)
    row = state.reminders.first(note_id=note_id)
    if row is None:
        raise ToolError(404, "no_reminder", f"{note_id} has no reminder; see list_reminders.")
    if row.done_at is not None:
        raise conflict(f"The reminder was done at {row.done_at}.", type="already_done")
    return with_fields(state.reminders.patch(row.id, done_at=ctx.now), title=note.title)
