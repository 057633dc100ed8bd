"""Tools for workbooks and who may open them."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)
from services_app.library.spreadsheets.access import (
    WorkbookId,
    described,
    editable,
    grid_of,
    my_role,
    owned,
    readable,
    touch,
)
from services_app.library.spreadsheets.grid import Grid
from services_app.library.spreadsheets.state import Role, Share, Sheet, SpreadsheetState, service

WorkbookOrder = Annotated[Literal["modified", "created", "title"], LABEL]


@service.tool()
def list_workbooks(
    state: SpreadsheetState,
    ctx: CallContext,
    query: Query | None = None,
    owner_email: f.Email | None = None,
    folder: f.Label | None = None,
    order_by: WorkbookOrder = "modified",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the workbooks that you may open, with their sheets and your role.

    Args:
        query: Words in the title, description or folder.
        owner_email: Only workbooks of this person.
        folder: Only workbooks in this folder.
        order_by: Last modified or created first, or by title.
        limit: At most so many workbooks.
        cursor: next_cursor of the previous page.
    """
    found = search(state.workbooks, query, lambda row: (row.title, row.description, row.folder))
    found = [row for row in keep(found, owner_email=owner_email, folder=folder) if my_role(state, row)]
    found.sort(key=lambda row: row.id)
    if order_by == "title":
        found.sort(key=lambda row: row.title.casefold())
    else:
        found.sort(key=lambda row: row.modified_at if order_by == "modified" else row.created_at, reverse=True)
    page = cursor_page("workbooks", found, limit, cursor)
    page["workbooks"] = [described(state, row) for row in page["workbooks"]]
    return page


@service.tool()
def get_workbook(state: SpreadsheetState, ctx: CallContext, workbook_id: WorkbookId) -> Json:
    """Show a workbook: its sheets with their size and headers, named and protected ranges, and who has access.

    Errors: `not_found`, `no_access`.

    Args:
        workbook_id: Id of the workbook.
    """
    workbook = readable(state, workbook_id)
    grid = grid_of(state, ctx, workbook_id)
    sheets = sorted(state.sheets.find(workbook_id=workbook_id), key=lambda row: row.position)
    ids = {sheet.id for sheet in sheets}
    return {
        **described(state, workbook),
        "sheets": [_shown_sheet(state, grid, sheet) for sheet in sheets],
        "named_ranges": [
            brief(row, "id", "name", "sheet_id", "range") for row in state.named_ranges if row.sheet_id in ids
        ],
        "protected_ranges": [row for row in state.protected_ranges if row.sheet_id in ids],
        "validation_rules": [row for row in state.validation_rules if row.sheet_id in ids],
        "shared_with": [brief(row, "email", "role") for row in state.shares.find(workbook_id=workbook_id)],
    }


def _shown_sheet(state: SpreadsheetState, grid: Grid, sheet: Sheet) -> Json:
    used = grid.used(sheet.id)
    header = [grid.shown((sheet.id, 1, column)) for column in range(1, used.right + 1)] if used else []
    return {
        **brief(sheet, "id", "title", "position", "hidden", "frozen_rows"),
        "used_range": used.text() if used else None,
        "first_row": header,
        "open_comments": state.comments.count(sheet_id=sheet.id, resolved_at=None),
    }


@service.tool(phrase="create the workbook {title}")
def create_workbook(
    state: SpreadsheetState,
    ctx: CallContext,
    title: Name,
    folder: f.Label = "",
    description: f.Text = "",
    first_sheet: f.Title = "Sheet1",
) -> Json:
    """Create a workbook of yours with one empty sheet.

    Errors: `blank_text`.

    Args:
        title: Name of the workbook.
        folder: Folder in which it stands.
        description: What it is for.
        first_sheet: Title of its first sheet.
    """
    check_text(title, "title")
    workbook = state.workbooks.create(
        title=title,
        description=description,
        folder=folder,
        owner_email=ME.email,
        created_at=ctx.now,
        modified_at=ctx.now,
    )
    state.sheets.create(workbook_id=workbook.id, title=check_text(first_sheet, "sheet title"), position=1)
    return described(state, workbook)


@service.tool(phrase="share the workbook {workbook_id} with {email} as {role}")
def share_workbook(
    state: SpreadsheetState,
    ctx: CallContext,
    workbook_id: WorkbookId,
    email: f.Email,
    role: Role = "viewer",
    message: f.Text = "",
) -> Share:
    """Give someone access to a workbook, or another role. People outside Larkfield may view or comment.

    Errors: `not_found`, `no_access`, `read_only`, `already_owner`, `already_shared` (with this role),
    `outside_no_edit`.

    Args:
        workbook_id: Id of the workbook.
        email: Address of the person.
        role: What the person may do.
        message: A line for the invitation.
    """
    workbook = editable(state, workbook_id)
    if same(workbook.owner_email, email):
        raise invalid(f"{email} owns {workbook.title}.", type="already_owner")
    if role == "editor" and outside(email):
        raise forbidden(f"{email} is outside Larkfield; choose viewer or commenter.", type="outside_no_edit")
    touch(state, ctx, workbook_id)
    for row in state.shares.find(workbook_id=workbook_id):
        if same(row.email, email):
            if row.role == role:
                raise conflict(f"{email} is a {role} of {workbook.title} already.", type="already_shared")
            return state.shares.patch(row.id, role=role, message=message)
    return state.shares.create(workbook_id=workbook_id, email=email, role=role, message=message)


@service.tool(phrase="take away the access of {email} to the workbook {workbook_id}")
def remove_access(state: SpreadsheetState, ctx: CallContext, workbook_id: WorkbookId, email: f.Email) -> Json:
    """Take away someone's access to a workbook of yours; they also lose their place among editors of ranges.

    Errors: `not_found`, `no_access`, `not_owner`, `not_shared`.

    Args:
        workbook_id: Id of the workbook.
        email: Address of the person.
    """
    workbook = owned(state, workbook_id)
    share = next((row for row in state.shares.find(workbook_id=workbook_id) if same(row.email, email)), None)
    if share is None:
        raise ToolError(404, "not_shared", f"{workbook.title} is not shared with {email}; see get_workbook.")
    ids = {sheet.id for sheet in state.sheets.find(workbook_id=workbook_id)}
    for area in state.protected_ranges.where(lambda row: row.sheet_id in ids):
        left = tuple(other for other in area.editor_emails if not same(other, email))
        if left != area.editor_emails:
            state.protected_ranges.patch(area.id, editor_emails=left)
    return with_fields(state.shares.delete(share.id), removed=True)
