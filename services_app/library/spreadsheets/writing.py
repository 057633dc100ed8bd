"""Tools that type into cells."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cmp_to_key
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json
from services_app.library.spreadsheets.access import (
    CellName,
    CellRange,
    Places,
    SheetId,
    Typed,
    WorkbookId,
    cells_of,
    editable,
    editable_sheet,
    grid_of,
    shown_cells,
    typed_text,
    write_cells,
)
from services_app.library.spreadsheets.formulas import MAX_COLUMNS, MAX_ROWS, Span, letters, shifted, span_of
from services_app.library.spreadsheets.functions import Fault, compare
from services_app.library.spreadsheets.reading import record_at
from services_app.library.spreadsheets.state import Sheet, SpreadsheetState, service

RowValues = Annotated[list[Typed | None], Field(min_length=1, max_length=26)]
SortColumn = Annotated[int, f.count("columns"), Field(ge=1, le=52)]


@service.tool(phrase="enter {value} in {cell} of the sheet {sheet_id}")
def write_cell(state: SpreadsheetState, ctx: CallContext, sheet_id: SheetId, cell: CellName, value: Typed) -> Json:
    """Type a value or a formula into one cell, as if by hand: `=SUM(B2:B9)`, `1,150.00` and `15%` are understood.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `protected_range`, `invalid_formula`,
    `invalid_value` (the cell has a validation rule).

    Args:
        sheet_id: Id of the sheet.
        cell: Address such as D7.
        value: What to type; "" empties the cell.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(cell)
    before = grid_of(state, ctx, sheet.workbook_id).shown((sheet_id, span.top, span.left))
    write_cells(state, ctx, sheet, {(span.top, span.left): typed_text(value)})
    after = grid_of(state, ctx, sheet.workbook_id)
    return {
        "sheet_id": sheet_id,
        "cell": span.text(),
        "value": after.shown((sheet_id, span.top, span.left)),
        "previous_value": before,
        "row": record_at(after, sheet_id, span.top),
    }


@service.tool(phrase="fill the cells from {start_cell} on in the sheet {sheet_id}")
def write_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    start_cell: CellName,
    values: Annotated[list[RowValues], Field(min_length=1, max_length=60)],
) -> Json:
    """Type a block of values or formulas, row by row; null leaves a cell as it is. All are written or none.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `protected_range`, `invalid_formula`,
    `invalid_value`.

    Args:
        sheet_id: Id of the sheet.
        start_cell: Upper left cell of the block.
        values: Rows of values.
    """
    sheet = editable_sheet(state, sheet_id)
    start = span_of(start_cell)
    contents: Places = {
        (start.top + down, start.left + right): typed_text(value)
        for down, row in enumerate(values)
        for right, value in enumerate(row)
        if value is not None
    }
    _check_inside(contents)
    changed = write_cells(state, ctx, sheet, contents)
    return {"sheet_id": sheet_id, "changed_cells": changed, "values": shown_cells(state, ctx, sheet, contents)}


def _check_inside(places: Places) -> None:
    if any(row > MAX_ROWS or column > MAX_COLUMNS for row, column in places):
        raise invalid(
            f"The block goes beyond {letters(MAX_COLUMNS)}{MAX_ROWS}; start further up or left.", type="outside_sheet"
        )


@service.tool(phrase="append the row {values} to the sheet {sheet_id}")
def append_row(state: SpreadsheetState, ctx: CallContext, sheet_id: SheetId, values: RowValues) -> Json:
    """Add a row below the last one that is used; columns beyond the values continue the formulas of the row above.

    Errors: `not_found`, `no_access`, `read_only`, `sheet_full`, `protected_range`, `invalid_formula`, `invalid_value`.

    Args:
        sheet_id: Id of the sheet.
        values: Values for the columns from A on; null where the formula of the row above goes on.
    """
    sheet = editable_sheet(state, sheet_id)
    grid = grid_of(state, ctx, sheet.workbook_id)
    used = grid.used(sheet_id)
    row = used.bottom + 1 if used else 1
    if row > MAX_ROWS:
        raise conflict(f"{sheet.title} has {MAX_ROWS} rows, no more are possible.", type="sheet_full")
    contents = {(row, column): typed_text(value) for column, value in enumerate(values, 1) if value is not None}
    for column in used.columns() if used else []:
        above = grid.content((sheet_id, row - 1, column))
        if (row, column) not in contents and above.startswith("="):
            contents[row, column] = shifted(above, 1, 0)
    write_cells(state, ctx, sheet, contents)
    return {
        "sheet_id": sheet_id,
        "row": row,
        "values": record_at(grid_of(state, ctx, sheet.workbook_id), sheet_id, row),
    }


@service.tool(phrase="clear {range} of the sheet {sheet_id}")
def clear_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange,
) -> Json:
    """Empty the cells of a range; rows and columns stay where they are.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `protected_range`, `already_empty`.

    Args:
        sheet_id: Id of the sheet.
        range: Cells such as B2:F20.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(range)
    held = {place: "" for place in cells_of(state, sheet_id) if span.meets(Span(*place, *place))}
    if not held:
        raise conflict(f"{span.text()} of {sheet.title} is empty already.", type="already_empty")
    write_cells(state, ctx, sheet, held)
    return {"sheet_id": sheet_id, "range": span.text(), "cleared_cells": len(held)}


@service.tool(phrase="copy {range} of the sheet {sheet_id} to {destination_cell}")
def copy_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange,
    destination_cell: CellName,
    destination_sheet_id: SheetId | None = None,
    values_only: bool = False,
) -> Json:
    """Copy a range to another place of the same workbook; addresses without `$` in formulas move along.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `other_workbook`, `protected_range`,
    `invalid_value`, `nothing_to_change` (the place holds the same).

    Args:
        sheet_id: Id of the sheet to copy from.
        range: Cells to copy.
        destination_cell: Upper left cell of the place to copy to.
        destination_sheet_id: Sheet to copy to; the same one, if left out.
        values_only: Copy results instead of formulas.
    """
    source = editable_sheet(state, sheet_id)
    target = state.sheets.get(destination_sheet_id) if destination_sheet_id else source
    if target.workbook_id != source.workbook_id:
        raise invalid(f"{target.title} is in another workbook; write its cells instead.", type="other_workbook")
    span, start = span_of(range), span_of(destination_cell)
    down, right = start.top - span.top, start.left - span.left
    grid = grid_of(state, ctx, source.workbook_id)
    contents: Places = {}
    for row, column in span.places():
        place = (sheet_id, row, column)
        content = grid.content(place)
        if content.startswith("="):
            content = typed_text(grid.shown(place)) if values_only else shifted(content, down, right)
        contents[row + down, column + right] = content
    _check_inside(contents)
    changed = write_cells(state, ctx, target, contents)
    if not changed:
        raise conflict(f"{start.text()} of {target.title} holds the same already.", type="nothing_to_change")
    return {"sheet_id": target.id, "changed_cells": changed, "values": shown_cells(state, ctx, target, contents)}


@service.tool(phrase="sort {range} of the sheet {sheet_id}")
def sort_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange,
    sort_column: SortColumn,
    descending: bool = False,
    has_header: bool = False,
) -> Json:
    """Sort the rows of a range by the results in one column; empty cells come last, formulas move with their row.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `column_outside_range`, `protected_range`,
    `invalid_value`, `nothing_to_change` (it is in this order).

    Args:
        sheet_id: Id of the sheet.
        range: Cells to sort.
        sort_column: Number of the column in the sheet, 1 for A.
        descending: Largest first.
        has_header: The first row of the range stays on top.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(range)
    if not span.left <= sort_column <= span.right:
        raise invalid(f"Column {letters(sort_column)} is not in {span.text()}.", type="column_outside_range")
    grid = grid_of(state, ctx, sheet.workbook_id)
    rows = span.rows()[1 if has_header else 0 :]
    ordered = _in_order(grid.value, sheet, rows, sort_column, descending=descending)
    contents: Places = {}
    for to, row in zip(rows, ordered, strict=True):
        for column in span.columns():
            content = grid.content((sheet_id, row, column))
            contents[to, column] = shifted(content, to - row, 0) if content.startswith("=") else content
    if not write_cells(state, ctx, sheet, contents):
        raise conflict(f"{span.text()} is in this order already.", type="nothing_to_change")
    return {"sheet_id": sheet_id, "range": span.text(), "rows_from": ordered}


def _in_order(
    value: Callable[[tuple[str, int, int]], object], sheet: Sheet, rows: list[int], column: int, *, descending: bool
) -> list[int]:
    """The rows in the order of their values in a column: numbers, texts, errors, then empty cells."""
    values = {row: value((sheet.id, row, column)) for row in rows}
    filled = [row for row in rows if values[row] is not None and not isinstance(values[row], Fault)]

    def by_value(first: int, second: int) -> int:
        return compare(values[first], values[second])

    filled.sort(key=cmp_to_key(by_value), reverse=descending)
    return filled + [row for row in rows if isinstance(values[row], Fault)] + [r for r in rows if values[r] is None]


@service.tool(
    phrase="replace {find} by {replacement} in the workbook {workbook_id}",
    examples=(Example({"workbook_id": "WB-0001", "find": "c", "replacement": "k"}),),
)
def replace_all(  # noqa: PLR0913, PLR0917 - options of the product
    state: SpreadsheetState,
    ctx: CallContext,
    workbook_id: WorkbookId,
    find: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=200)],
    replacement: Annotated[str, f.Semantic("text"), Field(max_length=500)],
    sheet_id: SheetId | None = None,
    match_case: bool = False,
    match_entire_cell: bool = False,
    include_formulas: bool = False,
) -> Json:
    """Replace a text in all cells of a workbook or of one sheet. Formulas are left alone unless included.

    Errors: `not_found`, `no_access`, `read_only`, `nothing_found`, `protected_range`, `invalid_formula`,
    `invalid_value`.

    Args:
        workbook_id: Id of the workbook.
        find: Text to look for.
        replacement: Text that takes its place.
        sheet_id: Only in this sheet.
        match_case: Capitals matter.
        match_entire_cell: Only cells that hold nothing else.
        include_formulas: Also change the text of formulas.
    """
    editable(state, workbook_id)
    sheets = [row for row in state.sheets.find(workbook_id=workbook_id) if sheet_id in (None, row.id)]
    if not sheets:
        state.sheets.get(sheet_id or "")
    pattern = re.compile(re.escape(find), 0 if match_case else re.IGNORECASE)
    changed: list[str] = []
    for sheet in sheets:
        contents: Places = {}
        for place, cell in cells_of(state, sheet.id).items():
            if cell.content.startswith("=") and not include_formulas:
                continue
            if match_entire_cell and not pattern.fullmatch(cell.content):
                continue
            new = pattern.sub(lambda _: replacement, cell.content)
            if new != cell.content:
                contents[place] = new
        if contents:
            write_cells(state, ctx, sheet, contents)
            changed += [f"{sheet.title}!{letters(column)}{row}" for row, column in sorted(contents)]
    if not changed:
        raise conflict(f"No cell holds {find!r} so that something would change.", type="nothing_found")
    return {"workbook_id": workbook_id, "changed_cells": len(changed), "cells": changed[:40]}
