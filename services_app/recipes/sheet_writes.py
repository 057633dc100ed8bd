"""Changing workbooks: cells, formats, rows and columns, sheets, tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import conflict, invalid
from services_app.engine.plain import canonical
from services_app.recipes.files import normal
from services_app.recipes.sheet import (
    NamedRange,
    Seen,
    Sheet,
    SheetState,
    Span,
    Workbook,
    cells_of,
    free_name,
    name_of,
    place_of,
    put_cell,
    sheet_at,
    sheets_of,
    span_of,
    touched,
)
from services_app.recipes.sheet_formulas import check_formula, worked_out
from services_app.recipes.sheet_reads import check_count


def create_workbook(state: SheetState, ctx: CallContext, *, filepath: Any) -> Seen:
    """Make a workbook with one empty sheet; 409 when there is one at the path."""
    path = normal(filepath)
    if path in state.grid_workbooks or path == "/":
        raise conflict(f"There is a workbook at {path!r} already.", type="already_exists")
    state.grid_workbooks.add(Workbook(id=path, filepath=path, created=ctx.now, modified=ctx.now))
    state.grid_sheets.create(filepath=path, sheet_name="Sheet1", position=0)
    return {"filepath": path, "sheets": ["Sheet1"]}


def create_sheet(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any) -> Seen:
    """Add an empty sheet after the others."""
    name = free_name(state, filepath, sheet)
    known = sheets_of(state, filepath)
    made = state.grid_sheets.create(filepath=normal(filepath), sheet_name=name, position=_next(known))
    touched(state, ctx, made)
    return {"sheet_name": made.sheet_name, "position": made.position}


def _next(known: Sequence[Sheet]) -> int:
    return max((one.position for one in known), default=-1) + 1


def delete_sheet(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any) -> Seen:
    """Delete a sheet with its cells; 409 for the last one of a workbook."""
    place = sheet_at(state, filepath, sheet)
    if len(sheets_of(state, filepath)) == 1:
        raise conflict("A workbook keeps at least one sheet.", type="last_sheet")
    for cell in cells_of(state, place).values():
        state.grid_cells.delete(cell.id)
    state.grid_sheets.delete(place.id)
    touched(state, ctx, place)
    return {"deleted": place.sheet_name, "sheets": [one.sheet_name for one in sheets_of(state, filepath)]}


def rename_sheet(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, name: Any) -> Seen:
    """Give a sheet another name."""
    place = sheet_at(state, filepath, sheet)
    place = state.grid_sheets.patch(place.id, sheet_name=free_name(state, filepath, name))
    touched(state, ctx, place)
    return {"old_name": str(sheet), "sheet_name": place.sheet_name}


def copy_sheet(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, name: Any) -> Seen:
    """Copy a sheet with its cells and marks under another name."""
    place = sheet_at(state, filepath, sheet)
    fresh = free_name(state, filepath, name)
    made = state.grid_sheets.create(
        filepath=place.filepath, sheet_name=fresh, position=_next(sheets_of(state, filepath)), ranges=place.ranges
    )
    for cell in cells_of(state, place).values():
        state.grid_cells.create(sheet=made.id, row=cell.row, column=cell.column, value=cell.value, style=cell.style)
    touched(state, ctx, made)
    return {"source": place.sheet_name, "sheet_name": made.sheet_name, "position": made.position}


def write_range(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    values: Sequence[Any],
    start: Any = None,
    new: Any = None,
) -> Seen:
    """Write rows of values from a cell on; null empties a cell. With `new` the sheet is made first."""
    if new:
        create_sheet(state, ctx, filepath=filepath, sheet=sheet)
    place = sheet_at(state, filepath, sheet)
    first, _, last = str("A1" if start in (None, "") else start).rpartition("!")[2].partition(":")
    top, left = place_of(first)
    rows = [row if isinstance(row, list) else [row] for row in values]
    if not any(rows):
        raise invalid("Send at least one row with a value.")
    wide = max(map(len, rows))
    span = Span(top, left, top + len(rows) - 1, left + wide - 1)
    if last and span != span_of(first, last):
        raise invalid(f"The values fill {span.text()}, not {first}:{last}.", type="wrong_size")
    for down, row in enumerate(rows):
        for across, value in enumerate(row):
            put_cell(state, place, top + down, left + across, canonical_value(value))
    touched(state, ctx, place)
    return {"sheet_name": place.sheet_name, "range": span.text(), "cells": sum(map(len, rows))}


def canonical_value(value: Any) -> Any:
    """A value that a cell can hold: lists and objects as text."""
    return value if value is None or isinstance(value, str | int | float | bool) else canonical(value)


def write_formula(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, cell: Any, formula: Any) -> Seen:
    """Put a formula into a cell and say what it shows; 422 for one that is not complete."""
    place = sheet_at(state, filepath, sheet)
    row, column = place_of(cell)
    put_cell(state, place, row, column, check_formula(formula))
    touched(state, ctx, place)
    cells = cells_of(state, place)
    found = cells[(row, column)]
    return {"address": name_of(row, column), "formula": found.value, "value": worked_out(found, cells)}


def set_style(state: SheetState, sheet: Sheet, row: int, column: int, style: dict[str, str]) -> None:
    cell = state.grid_cells.first(sheet=sheet.id, row=row, column=column)
    if cell is None:
        state.grid_cells.create(sheet=sheet.id, row=row, column=column, style=tuple(sorted(style.items())))
    else:
        state.grid_cells.patch(cell.id, style=tuple(sorted({**dict(cell.style), **style}.items())))


def checked_size(span: Span) -> Span:
    if (span.bottom - span.top + 1) * (span.right - span.left + 1) > 5000:
        raise invalid("The range has more than 5000 cells; take a smaller one.", type="too_large")
    return span


# Rows and columns


def insert_rows(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, at: Any, count: Any = None) -> Seen:
    """Insert empty rows before row `at`: the rows below move down, other sheets stay."""
    return _opened(state, ctx, filepath, sheet, at, check_count(count), by_row=True)


def insert_columns(
    state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, at: Any, count: Any = None
) -> Seen:
    """Insert empty columns before column `at`: the columns after it move right, other sheets stay."""
    return _opened(state, ctx, filepath, sheet, at, check_count(count), by_row=False)


def delete_rows(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, at: Any, count: Any = None) -> Seen:
    """Delete rows from row `at` on: the rows below move up, other sheets stay."""
    return _opened(state, ctx, filepath, sheet, at, -check_count(count), by_row=True)


def delete_columns(
    state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, at: Any, count: Any = None
) -> Seen:
    """Delete columns from column `at` on: the columns after them move left, other sheets stay."""
    return _opened(state, ctx, filepath, sheet, at, -check_count(count), by_row=False)


def _opened(state: SheetState, ctx: CallContext, filepath: Any, sheet: Any, at: Any, by: int, *, by_row: bool) -> Seen:
    """Open a gap of `by` rows or columns at `at`, or close one where `by` is negative."""
    place = sheet_at(state, filepath, sheet)
    start = int(at)
    if start < 1:
        raise invalid("Rows and columns count from 1.")

    def moved(row: int, column: int) -> tuple[int, int] | None:
        line = row if by_row else column
        if line < start:
            return row, column
        if line < start - by:
            return None
        return (row + by, column) if by_row else (row, column + by)

    changed = move_cells(state, place, moved)
    state.grid_sheets.patch(place.id, ranges=_shifted(place.ranges, start, by, by_row=by_row))
    touched(state, ctx, place)
    what = "rows" if by_row else "columns"
    return {"sheet_name": place.sheet_name, "at": start, what: abs(by), "cells_moved": changed}


def move_cells(state: SheetState, sheet: Sheet, moved: Callable[[int, int], tuple[int, int] | None]) -> int:
    """Move every cell to where `moved` says; where it says None the cell is gone."""
    count = 0
    for cell in cells_of(state, sheet).values():
        place = moved(cell.row, cell.column)
        if place is None:
            state.grid_cells.delete(cell.id)
        elif place != (cell.row, cell.column):
            state.grid_cells.patch(cell.id, row=place[0], column=place[1])
            count += 1
    return count


def _shifted(ranges: tuple[NamedRange, ...], start: int, by: int, *, by_row: bool) -> tuple[NamedRange, ...]:
    """Named ranges after a gap was opened or closed; one that lay in it altogether is gone."""
    found = []
    for one in ranges:
        span = span_of(one.range)
        first, last = (span.top, span.bottom) if by_row else (span.left, span.right)
        first = first + by if first >= start - min(by, 0) else min(first, start) if first >= start else first
        last = last + by if last >= start - min(by, 0) else start - 1 if last >= start else last
        if first <= last:
            span = span._replace(top=first, bottom=last) if by_row else span._replace(left=first, right=last)
            found.append(one.model_copy(update={"range": span.text()}))
    return tuple(found)


def copy_range(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    start: Any,
    end: Any,
    target: Any,
    target_sheet: Any = None,
) -> Seen:
    """Copy a range to another place, on its sheet or on another; formulas are copied as they stand."""
    place = sheet_at(state, filepath, sheet)
    onto = place if target_sheet in (None, "") else sheet_at(state, filepath, target_sheet)
    span = checked_size(span_of(start, end))
    top, left = place_of(target)
    cells = cells_of(state, place)
    for row in range(span.top, span.bottom + 1):
        for column in range(span.left, span.right + 1):
            cell = cells.get((row, column))
            at = (top + row - span.top, left + column - span.left)
            put_cell(state, onto, *at, cell.value if cell else None)
            if cell is not None and cell.style:
                set_style(state, onto, *at, dict(cell.style))
    touched(state, ctx, onto)
    return {"from": span.text(), "to": name_of(top, left), "sheet_name": onto.sheet_name}


def delete_range(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    start: Any,
    end: Any,
    shift: Any = None,
) -> Seen:
    """Delete the cells of a range; those below move up, or those to the right move left."""
    place = sheet_at(state, filepath, sheet)
    span = span_of(start, end)
    way = str(shift or "up").casefold()
    if way not in ("up", "left"):
        raise invalid("Cells shift up or left.", type="invalid_direction")
    tall, wide = span.bottom - span.top + 1, span.right - span.left + 1

    def moved(row: int, column: int) -> tuple[int, int] | None:
        if span.holds(row, column):
            return None
        if way == "up" and span.left <= column <= span.right and row > span.bottom:
            return row - tall, column
        if way == "left" and span.top <= row <= span.bottom and column > span.right:
            return row, column - wide
        return row, column

    changed = move_cells(state, place, moved)
    touched(state, ctx, place)
    return {"deleted": span.text(), "shift": way, "cells_moved": changed}
