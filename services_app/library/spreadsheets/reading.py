"""Tools that read cells."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, Example, invalid
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Cursor, Json, Limit, Query, cursor_page, fold, matches, same
from services_app.library.spreadsheets.access import (
    CellName,
    CellRange,
    SheetId,
    WorkbookId,
    grid_of,
    my_role,
    readable,
    readable_sheet,
)
from services_app.library.spreadsheets.formulas import Span, letters, span_of
from services_app.library.spreadsheets.functions import meets
from services_app.library.spreadsheets.grid import Grid
from services_app.library.spreadsheets.state import Sheet, SpreadsheetState, Workbook, service

Render = Annotated[Literal["values", "formulas"], LABEL]
Operator = Annotated[Literal["equals", "not_equals", "contains", "above", "below"], LABEL]
_SIGNS = {"equals": "=", "not_equals": "<>", "above": ">", "below": "<"}


@service.tool()
def read_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange | None = None,
    render: Render = "values",
    limit: Limit = 60,
    cursor: Cursor = "",
) -> Json:
    """Read the cells of a range row by row; formulas show their result.

    Errors: `not_found`, `no_access`, `outside_sheet`.

    Args:
        sheet_id: Id of the sheet.
        range: Cells such as B2:F20; all that is used, if left out.
        render: values shows results, formulas what was typed.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    sheet = readable_sheet(state, sheet_id)
    grid = grid_of(state, ctx, sheet.workbook_id)
    span = span_of(range) if range else grid.used(sheet_id) or Span(1, 1, 1, 1)
    page = cursor_page("rows", list(span.rows()), limit, cursor)
    show = grid.shown if render == "values" else grid.content
    page["rows"] = [
        {"row": row, "values": [show((sheet_id, row, column)) for column in span.columns()]} for row in page["rows"]
    ]
    return {"sheet_id": sheet_id, "sheet": sheet.title, "range": span.text(), **page}


def record_at(grid: Grid, sheet_id: str, row: int) -> Json:
    """A row as column header -> value; columns without a header go by their letter."""
    used = grid.used(sheet_id)
    shown: Json = {}
    for column in used.columns() if used else []:
        value = grid.shown((sheet_id, row, column))
        if value is not None:
            shown[str(grid.shown((sheet_id, 1, column)) or letters(column))] = value
    return shown


@service.tool()
def find_cells(
    state: SpreadsheetState,
    ctx: CallContext,
    query: Query,
    workbook_id: WorkbookId | None = None,
    in_formulas: bool = False,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """Find cells by words, in one workbook or in all that you may open, with the row they stand in.

    Errors: `not_found`, `no_access`.

    Args:
        query: Words that a cell must hold.
        workbook_id: Only in this workbook.
        in_formulas: Look at what was typed (formulas) instead of results.
        limit: At most so many cells.
        cursor: next_cursor of the previous page.
    """
    books = [readable(state, workbook_id)] if workbook_id else [row for row in state.workbooks if my_role(state, row)]
    found = [hit for book in books for hit in _found(state, ctx, book, query, in_formulas)]
    page = cursor_page("cells", found, limit, cursor)
    page["cells"] = [_hit(*hit) for hit in page["cells"]]
    return page


def _found(
    state: SpreadsheetState, ctx: CallContext, book: Workbook, query: str, in_formulas: bool
) -> list[tuple[Workbook, Sheet, Grid, int, int]]:
    grid = grid_of(state, ctx, book.id)
    sheets = {row.id: row for row in state.sheets.find(workbook_id=book.id)}
    return [
        (book, sheets[sheet], grid, row, column)
        for sheet, row, column in sorted(grid.cells, key=lambda at: (sheets[at[0]].position, at))
        if matches(query, _text(grid, (sheet, row, column), in_formulas))
    ]


def _text(grid: Grid, place: tuple[str, int, int], in_formulas: bool) -> str:
    content = grid.content(place)
    return str(grid.shown(place)) if content.startswith("=") and not in_formulas else content


def _hit(book: Workbook, sheet: Sheet, grid: Grid, row: int, column: int) -> Json:
    return {
        "workbook_id": book.id,
        "workbook": book.title,
        "sheet_id": sheet.id,
        "sheet": sheet.title,
        "cell": f"{letters(column)}{row}",
        "value": grid.shown((sheet.id, row, column)),
        "row": record_at(grid, sheet.id, row),
    }


@service.tool(
    examples=(
        Example({"sheet_id": "SHT-0001", "value": "Running", "column": "Status"}),
        Example({"sheet_id": "SHT-0001", "value": "1", "column": "Units", "operator": "above"}),
        Example({"sheet_id": "SHT-0001", "value": "1", "column": "Customer", "operator": "above"}),
    ),
)
def filter_rows(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    value: Annotated[str, Field(max_length=200)],
    column: f.Label | None = None,
    operator: Operator = "equals",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the rows of a sheet with a value that meets a condition; the first row holds the headers.

    Errors: `not_found`, `no_access`, `unknown_column`.

    Args:
        sheet_id: Id of the sheet.
        value: Text, number or date to compare with.
        column: Header or letter of the column to look at; any column, if left out.
        operator: How to compare; above and below are for numbers and dates.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    sheet = readable_sheet(state, sheet_id)
    grid = grid_of(state, ctx, sheet.workbook_id)
    used = grid.used(sheet_id) or Span(1, 1, 1, 1)
    wanted = f"*{value}*" if operator == "contains" else _SIGNS[operator] + value
    places = used.columns() if column is None else [_column(grid, sheet, column)]
    rows = [row for row in used.rows()[1:] if any(_meets(grid.value((sheet_id, row, at)), wanted) for at in places)]
    page = cursor_page("rows", rows, limit, cursor)
    page["rows"] = [{"row": row, "values": record_at(grid, sheet_id, row)} for row in page["rows"]]
    return {"sheet_id": sheet_id, "sheet": sheet.title, **page}


def _meets(value: object, wanted: str) -> bool:
    if isinstance(value, str) and wanted[0] in "<>" and wanted[1:2] != ">" and wanted[1:5].isdigit():
        return (fold(value) > wanted[1:]) == (wanted[0] == ">") and value != wanted[1:]  # dates as text
    return meets(value, wanted)


def _column(grid: Grid, sheet: Sheet, wanted: str) -> int:
    used = grid.used(sheet.id)
    columns = used.columns() if used else []
    headers = {column: str(grid.shown((sheet.id, 1, column)) or "") for column in columns}
    for column, header in headers.items():
        if same(header, wanted):
            return column
    for column in columns:
        if same(letters(column), wanted):
            return column
    names = ", ".join(header for header in headers.values() if header)
    raise invalid(f"{sheet.title} has no column {wanted}; it has {names or 'none'}.", type="unknown_column")


@service.tool()
def trace_cell(state: SpreadsheetState, ctx: CallContext, sheet_id: SheetId, cell: CellName) -> Json:
    """Show what a cell holds, the cells its formula reads, the formulas that read it, and its open comments.

    Errors: `not_found`, `no_access`, `outside_sheet`.

    Args:
        sheet_id: Id of the sheet.
        cell: Address such as D7.
    """
    sheet = readable_sheet(state, sheet_id)
    span = span_of(cell)
    grid = grid_of(state, ctx, sheet.workbook_id)
    place = (sheet_id, span.top, span.left)
    titles = {row.id: row.title for row in state.sheets.find(workbook_id=sheet.workbook_id)}
    return {
        "sheet_id": sheet_id,
        "sheet": sheet.title,
        "cell": span.text(),
        "content": grid.content(place),
        "value": grid.shown(place),
        "reads": [f"{titles.get(where, '#REF')}!{area.text()}" for where, area in grid.reads(place)],
        "read_by": [
            {"cell": f"{titles[other[0]]}!{letters(other[2])}{other[1]}", "formula": grid.content(other)}
            for other in sorted(grid.cells)
            if any(where == sheet_id and area.meets(span) for where, area in grid.reads(other))
        ],
        "comments": [
            row for row in state.comments.find(sheet_id=sheet_id, resolved_at=None) if same(row.cell, span.text())
        ],
    }
