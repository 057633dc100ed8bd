"""Tools for sheets, rows and columns. Formulas, ranges, rules and comments move along."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json, check_text, same, some_changes, with_fields
from services_app.library.spreadsheets.access import (
    SheetId,
    WorkbookId,
    check_protected,
    check_title,
    editable,
    editable_sheet,
    grid_of,
    put_cells,
    touch,
)
from services_app.library.spreadsheets.formulas import (
    MAX_COLUMNS,
    MAX_ROWS,
    Ref,
    Span,
    moved_span,
    rewritten,
    span_of,
)
from services_app.library.spreadsheets.state import Cell, Sheet, SpreadsheetState, service

Dimension = Annotated[Literal["rows", "columns"], LABEL]
SheetTitle = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=60, pattern=r"^[^'!:\[\]]+$")]
Position = Annotated[int, f.count("sheets"), Field(ge=1, le=40)]
FrozenRows = Annotated[int, f.count("rows"), Field(ge=0, le=10)]
Start = Annotated[int, Field(ge=1, le=MAX_ROWS)]
Count = Annotated[int, Field(ge=1, le=100)]


@service.tool(phrase="add the sheet {title} to the workbook {workbook_id}")
def add_sheet(
    state: SpreadsheetState,
    ctx: CallContext,
    workbook_id: WorkbookId,
    title: SheetTitle,
    headers: Annotated[list[Annotated[str, f.Semantic("label"), Field(max_length=80)]], Field(max_length=26)] = [],  # noqa: B006 - read only
) -> Json:
    """Add a sheet behind the others, with a first row of headers if given.

    Errors: `not_found`, `no_access`, `read_only`, `duplicate_title`, `blank_text`, `too_many_sheets` (twenty).

    Args:
        workbook_id: Id of the workbook.
        title: Title, unique in the workbook.
        headers: Texts for the first row.
    """
    editable(state, workbook_id)
    clean = check_text(title, "title")
    check_title(state, workbook_id, clean)
    sheets = state.sheets.find(workbook_id=workbook_id)
    if len(sheets) >= 20:
        raise conflict(f"{workbook_id} has twenty sheets; delete one first.", type="too_many_sheets")
    sheet = state.sheets.create(
        workbook_id=workbook_id,
        title=clean,
        position=1 + max(row.position for row in sheets),
        frozen_rows=1 if headers else 0,
    )
    touch(state, ctx, workbook_id)
    put_cells(state, ctx, sheet, {(1, column): text for column, text in enumerate(headers, 1)})
    return with_fields(sheet, first_row=headers)


@service.tool(phrase="change the sheet {sheet_id}")
def update_sheet(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    title: SheetTitle | Unset = UNSET,
    position: Position | Unset = UNSET,
    hidden: bool | Unset = UNSET,
    frozen_rows: FrozenRows | Unset = UNSET,
) -> Sheet:
    """Rename, move, hide or show a sheet; formulas that name it are rewritten.

    Errors: `not_found`, `no_access`, `read_only`, `nothing_to_change`, `duplicate_title`, `blank_text`, `last_sheet`.

    Args:
        sheet_id: Id of the sheet.
        title: New title.
        position: New place among the sheets, 1 for the first.
        hidden: Whether the sheet is hidden; one has to stay visible.
        frozen_rows: How many rows stay in view.
    """
    sheet = editable_sheet(state, sheet_id)
    changes = some_changes(given(title=title, position=position, hidden=hidden, frozen_rows=frozen_rows))
    if hidden is True:
        _check_not_last(state, sheet)
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
        check_title(state, sheet.workbook_id, changes["title"], own=sheet_id)
        _rename(state, sheet, changes["title"])
    if "position" in changes:
        changes["position"] = _move(state, sheet, changes["position"])
    touch(state, ctx, sheet.workbook_id)
    return state.sheets.patch(sheet_id, **changes)


def _check_not_last(state: SpreadsheetState, sheet: Sheet) -> None:
    if all(row.hidden for row in state.sheets.find(workbook_id=sheet.workbook_id) if row.id != sheet.id):
        raise conflict(f"{sheet.title} is the only visible sheet; show or add another first.", type="last_sheet")


def _rename(state: SpreadsheetState, sheet: Sheet, title: str) -> None:
    def renamed(ref: Ref) -> Ref | None:
        return ref._replace(sheet=title) if ref.sheet and same(ref.sheet, sheet.title) else ref

    for cell in _formulas(state, sheet.workbook_id):
        new = rewritten(cell.content, renamed)
        if new != cell.content:
            state.cells.patch(cell.id, content=new)


def _formulas(state: SpreadsheetState, workbook_id: str) -> list[Cell]:
    ids = {row.id for row in state.sheets.find(workbook_id=workbook_id)}
    return [cell for cell in state.cells if cell.sheet_id in ids and cell.content.startswith("=")]


def _move(state: SpreadsheetState, sheet: Sheet, position: int) -> int:
    """Number the sheets anew, with this one at its new place; the place that it got."""
    others = sorted(state.sheets.find(workbook_id=sheet.workbook_id), key=lambda row: row.position)
    others = [row for row in others if row.id != sheet.id]
    place = min(position, len(others) + 1)
    for index, row in enumerate(others, 1):
        state.sheets.patch(row.id, position=index if index < place else index + 1)
    return place


@service.tool(phrase="delete the sheet {sheet_id}")
def delete_sheet(state: SpreadsheetState, ctx: CallContext, sheet_id: SheetId) -> Json:
    """Delete a sheet with its cells, ranges and comments; formulas elsewhere that read it show #REF!.

    Errors: `not_found`, `no_access`, `read_only`, `last_sheet`, `protected_range`.

    Args:
        sheet_id: Id of the sheet.
    """
    sheet = editable_sheet(state, sheet_id)
    _check_not_last(state, sheet)
    check_protected(state, sheet, [Span(1, 1, MAX_ROWS, MAX_COLUMNS)])
    broken = 0
    for table in (state.cells, state.named_ranges, state.protected_ranges, state.validation_rules, state.comments):
        for row in table.find(sheet_id=sheet_id):
            table.delete(row.id)
    for cell in _formulas(state, sheet.workbook_id):
        new = rewritten(cell.content, lambda ref: None if same(ref.sheet, sheet.title) else ref)
        if new != cell.content:
            state.cells.patch(cell.id, content=new)
            broken += 1
    touch(state, ctx, sheet.workbook_id)
    return with_fields(state.sheets.delete(sheet_id), broken_formulas=broken)


@service.tool(phrase="insert {count} {dimension} at {start} in the sheet {sheet_id}")
def insert_dimension(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    dimension: Dimension,
    start: Start,
    count: Count = 1,
) -> Json:
    """Insert empty rows or columns; what lies behind moves, and formulas follow.

    Errors: `not_found`, `no_access`, `read_only`, `sheet_full` (what is used would leave the sheet).

    Args:
        sheet_id: Id of the sheet.
        dimension: Rows or columns.
        start: Number of the first new row or column, 1 for row 1 or column A.
        count: How many.
    """
    sheet = editable_sheet(state, sheet_id)
    used = grid_of(state, ctx, sheet.workbook_id).used(sheet_id) or Span(1, 1, 1, 1)
    last, most = (used.bottom, MAX_ROWS) if dimension == "rows" else (used.right, MAX_COLUMNS)
    if max(start, last) + count > most:
        raise conflict(f"{sheet.title} has room for {most} {dimension}; {last} are in use.", type="sheet_full")
    return _shift(state, ctx, sheet, dimension, start, count)


@service.tool(phrase="delete {count} {dimension} from {start} on in the sheet {sheet_id}")
def delete_dimension(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    dimension: Dimension,
    start: Start,
    count: Count = 1,
) -> Json:
    """Delete rows or columns with what they hold; formulas that read only them show #REF!.

    Errors: `not_found`, `no_access`, `read_only`, `protected_range`, `nothing_there` (behind the last used one).

    Args:
        sheet_id: Id of the sheet.
        dimension: Rows or columns.
        start: Number of the first one to delete, 1 for row 1 or column A.
        count: How many.
    """
    sheet = editable_sheet(state, sheet_id)
    used = grid_of(state, ctx, sheet.workbook_id).used(sheet_id) or Span(0, 0, 0, 0)
    last = used.bottom if dimension == "rows" else used.right
    if start > last:
        raise conflict(f"{sheet.title} ends at {dimension} {last}; there is nothing to delete.", type="nothing_there")
    end = start + count - 1
    area = Span(start, 1, end, MAX_COLUMNS) if dimension == "rows" else Span(1, start, MAX_ROWS, end)
    check_protected(state, sheet, [area])
    return _shift(state, ctx, sheet, dimension, start, -count)


def _shift(state: SpreadsheetState, ctx: CallContext, sheet: Sheet, dimension: str, start: int, count: int) -> Json:
    rows = dimension == "rows"
    moved = _move_cells(state, sheet, rows, start, count)
    _move_ranges(state, sheet, rows, start, count)

    def change(ref: Ref) -> Ref | None:
        if not same(ref.sheet or own, sheet.title):
            return ref
        span = moved_span(ref.span, rows, start, count)
        return None if span is None else ref._replace(span=span)

    titles = {row.id: row.title for row in state.sheets.find(workbook_id=sheet.workbook_id)}
    rewrote = 0
    for cell in _formulas(state, sheet.workbook_id):
        own = titles[cell.sheet_id]
        new = rewritten(cell.content, change)
        if new != cell.content:
            state.cells.patch(cell.id, content=new)
            rewrote += 1
    touch(state, ctx, sheet.workbook_id)
    used = grid_of(state, ctx, sheet.workbook_id).used(sheet.id)
    return {
        "sheet_id": sheet.id,
        "moved_cells": moved,
        "changed_formulas": rewrote,
        "used_range": used.text() if used else None,
    }


def _move_cells(state: SpreadsheetState, sheet: Sheet, rows: bool, start: int, count: int) -> int:
    moved = 0
    for cell in state.cells.find(sheet_id=sheet.id):
        span = moved_span(Span(cell.row, cell.column, cell.row, cell.column), rows, start, count)
        if span is None:
            state.cells.delete(cell.id)
        elif (span.top, span.left) != (cell.row, cell.column):
            state.cells.patch(cell.id, row=span.top, column=span.left)
            moved += 1
    return moved


def _move_ranges(state: SpreadsheetState, sheet: Sheet, rows: bool, start: int, count: int) -> None:
    """Ranges, rules and comments go where their cells go, and with them."""
    for table, name in (
        (state.named_ranges, "range"),
        (state.protected_ranges, "range"),
        (state.validation_rules, "range"),
        (state.comments, "cell"),
    ):
        for row in table.find(sheet_id=sheet.id):
            text = getattr(row, name)
            span = moved_span(span_of(text), rows, start, count)
            if span is None or span.bottom > MAX_ROWS or span.right > MAX_COLUMNS:
                table.delete(row.id)
            elif span.text() != text:
                table.patch(row.id, **{name: span.text()})
