"""Tools for comments on cells."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
)
from services_app.library.spreadsheets.access import CellName, SheetId, WorkbookId, my_role, readable, readable_sheet
from services_app.library.spreadsheets.formulas import span_of
from services_app.library.spreadsheets.state import Comment, Sheet, SpreadsheetState, service

CommentId = Annotated[str, f.ref("comments")]


def _commentable(state: SpreadsheetState, sheet_id: str) -> Sheet:
    """A sheet on which you may comment; 403 `view_only` otherwise."""
    sheet = readable_sheet(state, sheet_id)
    workbook = state.workbooks.get(sheet.workbook_id)
    if my_role(state, workbook) == "viewer":
        raise forbidden(f"You may only view {workbook.title}; ask {workbook.owner_email}.", type="view_only")
    return sheet


@service.tool()
def list_comments(
    state: SpreadsheetState,
    ctx: CallContext,
    workbook_id: WorkbookId | None = None,
    query: Query | None = None,
    author_email: f.Email | None = None,
    include_resolved: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List comments on cells, newest first, of one workbook or of all that you may open.

    Errors: `not_found`, `no_access`.

    Args:
        workbook_id: Only comments in this workbook.
        query: Words in the text.
        author_email: Only comments of this person.
        include_resolved: Show resolved comments as well.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    books = [readable(state, workbook_id)] if workbook_id else [row for row in state.workbooks if my_role(state, row)]
    titles = {book.id: book.title for book in books}
    sheets = {row.id: row for row in state.sheets if row.workbook_id in titles}
    found = keep(search(state.comments, query, lambda row: (row.text,)), author_email=author_email)
    found = [row for row in found if row.sheet_id in sheets and (include_resolved or row.resolved_at is None)]
    found = newest_first(found, "written_at")
    page = cursor_page("comments", found, limit, cursor)
    page["comments"] = [
        {**row.plain(), "sheet": sheets[row.sheet_id].title, "workbook": titles[sheets[row.sheet_id].workbook_id]}
        for row in page["comments"]
    ]
    return page


@service.tool(phrase="comment on {cell} of the sheet {sheet_id}")
def add_comment(state: SpreadsheetState, ctx: CallContext, sheet_id: SheetId, cell: CellName, text: Body) -> Comment:
    """Comment on a cell; commenters may do that, too.

    Errors: `not_found`, `no_access`, `view_only`, `outside_sheet`, `blank_text`.

    Args:
        sheet_id: Id of the sheet.
        cell: Address such as D7.
        text: The comment.
    """
    _commentable(state, sheet_id)
    check_text(text, "text")
    return state.comments.create(
        sheet_id=sheet_id,
        cell=span_of(cell).text(),
        author_name=ME.name,
        author_email=ME.email,
        text=text,
        written_at=ctx.now,
    )


@service.tool(phrase="resolve the comment {comment_id}")
def resolve_comment(state: SpreadsheetState, ctx: CallContext, comment_id: CommentId) -> Comment:
    """Mark a comment as settled.

    Errors: `not_found`, `no_access`, `view_only`, `already_resolved`.

    Args:
        comment_id: Id of the comment.
    """
    comment = state.comments.get(comment_id)
    _commentable(state, comment.sheet_id)
    if comment.resolved_at is not None:
        raise conflict(f"{comment_id} was resolved at {comment.resolved_at}.", type="already_resolved")
    return state.comments.patch(comment_id, resolved_at=ctx.now)
