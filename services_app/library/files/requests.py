"""Tools that ask others for files."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.files.access import FolderId, folder_rank, folder_with, path_of
from services_app.library.files.state import FileRequest, FilesState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_future,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)


def _shown(state: FilesState, request: FileRequest, today: str) -> Json:
    received = state.files.find(request_id=request.id)
    return with_fields(
        request,
        path=path_of(state, state.folders.get(request.folder_id)),
        received=[row.name for row in received],
        overdue=not request.closed and not received and request.due_on is not None and request.due_on < today,
    )


@service.tool()
def list_file_requests(
    state: FilesState,
    ctx: CallContext,
    query: Query | None = None,
    closed: bool | None = None,
    requested_from_email: f.Email | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List requests for files into folders that you can open, with what has been received.

    Args:
        query: Words in the title or the instructions.
        closed: Only closed (true) or open (false) requests.
        requested_from_email: Only requests to this person.
        limit: At most so many requests.
        cursor: next_cursor of the previous page.
    """
    rows = keep(state.file_requests, closed=closed, requested_from_email=requested_from_email)
    rows = [row for row in rows if folder_rank(state, state.folders.get(row.folder_id)) > 0]
    found = search(rows, query, lambda row: (row.title, row.instructions))
    found.sort(key=lambda row: (row.due_on or "9", row.id))
    page = cursor_page("file_requests", found, limit, cursor)
    page["file_requests"] = [_shown(state, row, ctx.today) for row in page["file_requests"]]
    return page


@service.tool(phrase="ask {requested_from_email} for the file {title}")
def create_file_request(
    state: FilesState,
    ctx: CallContext,
    folder_id: FolderId,
    title: Name,
    requested_from_email: f.Email,
    instructions: f.Text = "",
    due_on: f.Date | None = None,
) -> Json:
    """Ask somebody to send a file into a folder of which you are editor; an open request is not made twice.

    Errors: `not_found`, `no_access`, `no_permission`, `duplicate_request`, `in_the_past`, `invalid_time`,
    `restricted_folder` (nobody outside sends files there), `blank_text`.

    Args:
        folder_id: Id of the folder.
        title: What is asked for.
        requested_from_email: Who is asked.
        instructions: What the file has to contain.
        due_on: By when.
    """
    folder = folder_with(state, folder_id, "editor")
    clean = check_text(title, "title")
    if folder.restricted and outside(requested_from_email):
        raise forbidden(f"{folder.name} is restricted; ask colleagues only.", type="restricted_folder")
    if due_on is not None:
        check_future(ctx, f"{due_on}T23:59:59Z", "due date")
    for row in state.file_requests.find(folder_id=folder_id, closed=False):
        if same(row.title, clean) and same(row.requested_from_email, requested_from_email):
            raise conflict(f"{row.id} asks {requested_from_email} for the same.", type="duplicate_request")
    row = state.file_requests.create(
        folder_id=folder_id,
        title=clean,
        instructions=instructions,
        requested_from_email=requested_from_email,
        due_on=due_on,
        created_by_email=ME.email,
    )
    return _shown(state, row, ctx.today)


@service.tool(phrase="close the file request {request_id}")
def close_file_request(state: FilesState, ctx: CallContext, request_id: Annotated[str, f.ref("file_requests")]) -> Json:
    """Close a request that you made; nothing more can be sent in.

    Errors: `not_found`, `not_yours`, `already_closed`.

    Args:
        request_id: Id of the request.
    """
    row = state.file_requests.get(request_id)
    if not same(row.created_by_email, ME.email):
        raise forbidden(f"{request_id} was made by {row.created_by_email}; only they close it.", type="not_yours")
    if row.closed:
        raise conflict(f"{request_id} is closed already.", type="already_closed")
    return _shown(state, state.file_requests.patch(request_id, closed=True), ctx.today)
