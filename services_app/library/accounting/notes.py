"""Tools for the notes on journals and for the accounting guidelines."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.accounting.journals import JournalId
from services_app.library.accounting.state import AccountingState, Guideline, HistoryNote, service
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_text,
    guide_pages,
    keep,
    newest_first,
    offset_page,
    search,
    with_fields,
)


@service.tool(phrase="note on the journal {journal_id} that {text}")
def add_history_note(state: AccountingState, ctx: CallContext, journal_id: JournalId, text: Body) -> HistoryNote:
    """Add a note to the history of a journal, whatever its status; notes stay for the auditors.

    Errors: `not_found`, `blank_text`.

    Args:
        journal_id: Id of the journal.
        text: What to note.
    """
    state.journals.get(journal_id)
    return state.history_notes.create(
        journal_id=journal_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool()
def search_history_notes(
    state: AccountingState,
    ctx: CallContext,
    query: Query | None = None,
    author_email: f.Email | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find notes on journals by words or author, latest first, with the number of the journal.

    Args:
        query: Words in the note, or in the number of its journal.
        author_email: Only notes of this author.
        limit: At most so many notes.
        offset: Skip so many notes.
    """
    numbers = {row.id: row.number for row in state.journals}
    found = search(state.history_notes, query, lambda row: (row.text, numbers[row.journal_id]))
    found = newest_first(keep(found, author_email=author_email), "written_at")
    rows = [with_fields(row, journal_number=numbers[row.journal_id]) for row in found]
    return offset_page("history_notes", rows, limit, offset)


@service.tool()
def search_guidelines(state: AccountingState, ctx: CallContext, query: Query | None = None) -> Json:
    """Find accounting guidelines by words in title or text, newest first; get_guideline has the full text.

    Args:
        query: Words that must all occur.
    """
    found = guide_pages(state.guidelines, query)
    return {"guidelines": [brief(row, "id", "title", "valid_from") for row in found], "total": len(found)}


@service.tool()
def get_guideline(
    state: AccountingState, ctx: CallContext, guideline_id: Annotated[str, f.ref("guidelines")]
) -> Guideline:
    """Read an accounting guideline.

    Errors: `not_found`.

    Args:
        guideline_id: Id of the guideline.
    """
    return state.guidelines.get(guideline_id)
