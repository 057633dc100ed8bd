"""Reading workbooks: cells, ranges, sheets, what lies on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, invalid
from services_app.recipes.sheet import (
    Cell,
    Seen,
    Sheet,
    SheetState,
    Span,
    cells_of,
    letters_of,
    name_of,
    place_of,
    sheet_at,
    sheets_of,
    span_of,
    used_span,
    workbook_at,
)
from services_app.recipes.sheet_formulas import check_formula, worked_out


def read_range(  # noqa: PLR0913 - which part, and how
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    start: Any = None,
    end: Any = None,
    preview: Any = None,
    formulas: Any = None,
    styles: Any = None,
) -> Seen:
    """The cells of a range with their values; without an end up to the last used cell."""
    place = sheet_at(state, filepath, sheet)
    span = asked(state, place, start, end)
    if preview:
        span = span._replace(bottom=min(span.bottom, span.top + 1))
    cells = cells_of(state, place)
    rows = [
        [_shown(cells.get((row, column)), cells, formulas) for column in range(span.left, span.right + 1)]
        for row in range(span.top, span.bottom + 1)
    ]
    told = [
        _told(place, cells[at], cells, styles)
        for at in sorted(cells)
        if span.holds(*at) and (cells[at].value is not None or cells[at].style)
    ]
    return {"sheet_name": place.sheet_name, "range": span.text(), "values": rows, "cells": told}


def asked(state: SheetState, sheet: Sheet, start: Any, end: Any = None) -> Span:
    """The range that is meant; one without an end goes on to the last used cell."""
    if start in (None, ""):
        start = "A1"
    if end not in (None, "") or ":" in str(start):
        return span_of(start, end)
    used = used_span(state, sheet)
    top, left = place_of(str(start).rpartition("!")[2])
    return Span(top, left, max(top, used.bottom if used else top), max(left, used.right if used else left))


def _shown(cell: Cell | None, cells: dict[tuple[int, int], Cell], formulas: Any) -> Any:
    if cell is None:
        return None
    return cell.value if formulas else worked_out(cell, cells)


def _told(sheet: Sheet, cell: Cell, cells: dict[tuple[int, int], Cell], styles: Any = True) -> Seen:
    """One cell as agents see it, with its formula, format and rule where it has them."""
    told: Seen = {"address": name_of(cell.row, cell.column), "value": worked_out(cell, cells)}
    told |= {"row": cell.row, "column": cell.column}
    if isinstance(cell.value, str) and cell.value.startswith("="):
        told["formula"] = cell.value
    if cell.style and styles is not False:
        told["style"] = dict(cell.style)
    rules = [
        one for one in sheet.ranges if one.kind == "validation" and span_of(one.range).holds(cell.row, cell.column)
    ]
    if rules:
        told["validation"] = dict(rules[0].details)
    return told


def read_cell(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, cell: Any) -> Seen:
    """One cell with everything that is known of it."""
    place = sheet_at(state, filepath, sheet)
    row, column = place_of(cell)
    cells = cells_of(state, place)
    found = cells.get((row, column))
    if found is None:
        return {"address": name_of(row, column), "value": None, "row": row, "column": column}
    return _told(place, found, cells)


def cell_value(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, cell: Any) -> Seen:
    """The value of one cell."""
    told = read_cell(state, ctx, filepath=filepath, sheet=sheet, cell=cell)
    return {"address": told["address"], "value": told["value"]}


def cell_values(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, cells: Sequence[Any]) -> Seen:
    """The values of several cells."""
    return {
        "values": {str(one): cell_value(state, ctx, filepath=filepath, sheet=sheet, cell=one)["value"] for one in cells}
    }


def search_range(
    state: SheetState,
    ctx: CallContext,
    *,
    filepath: Any,
    sheet: Any,
    start: Any = None,
    end: Any = None,
    text: Any,
    exact: Any = None,
) -> Seen:
    """The cells of a range that hold a text, or nothing but that text."""
    place = sheet_at(state, filepath, sheet)
    span = asked(state, place, start, end)
    cells = cells_of(state, place)
    wanted = str(text).casefold()
    found = []
    for at in sorted(cells):
        value = str(worked_out(cells[at], cells)).casefold()
        if span.holds(*at) and (value == wanted if exact else wanted in value):
            found.append({"address": name_of(*at), "value": worked_out(cells[at], cells)})
    return {"matches": found, "total": len(found)}


def list_sheets(state: SheetState, ctx: CallContext, *, filepath: Any, ranges: Any = True) -> Seen:
    """The sheets of a workbook in order, with the range that each uses."""
    book = workbook_at(state, filepath)
    found = []
    for one in sheets_of(state, filepath):
        told: Seen = {"sheet_name": one.sheet_name, "position": one.position}
        if ranges:
            used = used_span(state, one)
            told["used_range"] = used.text() if used else ""
            told["named_ranges"] = [f"{mark.kind} {mark.name} {mark.range}".replace("  ", " ") for mark in one.ranges]
        found.append(told)
    return {"filepath": book.filepath, "modified": book.modified, "sheets": found}


def marked(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, kind: str) -> Seen:
    """The merged blocks, rules, tables or charts of a sheet."""
    place = sheet_at(state, filepath, sheet)
    cells = cells_of(state, place)
    found = []
    for one in (mark for mark in place.ranges if mark.kind == kind):
        span = span_of(one.range)
        first = _shown(cells.get((span.top, span.left)), cells, formulas=False)
        found.append({"range": one.range, "name": one.name, "first_value": first, **dict(one.details)})
    return {"sheet_name": place.sheet_name, kind: found, "total": len(found)}


def check_range(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, start: Any, end: Any = None) -> Seen:
    """Whether a range can be used, and how many of its cells hold something; 400 for what is none."""
    place = sheet_at(state, filepath, sheet)
    span = span_of(start, end)
    filled = sum(span.holds(*at) and cell.value is not None for at, cell in cells_of(state, place).items())
    size = (span.bottom - span.top + 1) * (span.right - span.left + 1)
    return {"valid": True, "range": span.text(), "cells": size, "filled": filled}


def check_cell_formula(
    state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, cell: Any, formula: Any
) -> Seen:
    """What a formula would show in a cell, without writing it; 422 for one that is not complete."""
    place = sheet_at(state, filepath, sheet)
    row, column = place_of(cell)
    text = check_formula(formula)
    cells = cells_of(state, place)
    trial = Cell(id="trial", sheet=place.id, row=row, column=column, value=text)
    return {"valid": True, "address": name_of(row, column), "formula": text, "value": worked_out(trial, cells)}


def as_csv(
    state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any, start: Any = None, end: Any = None
) -> Seen:
    """A range as comma-separated values."""
    told = read_range(state, ctx, filepath=filepath, sheet=sheet, start=start, end=end)
    lines = [",".join(_field(value) for value in row) for row in told["values"]]
    return {"range": told["range"], "csv": "\n".join(lines)}


def _field(value: Any) -> str:
    text = "" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\n') else text


def column_letters(count: int) -> list[str]:
    """A, B, C and so on."""
    return [letters_of(number) for number in range(1, count + 1)]


def sheet_rows(state: SheetState, ctx: CallContext, *, filepath: Any, sheet: Any = None, headers: Any = None) -> Seen:
    """The rows of a sheet as objects named by the first row, or as they are."""
    names = [one.sheet_name for one in sheets_of(state, filepath)]
    if not names:
        raise ToolError(404, "not_found", "The workbook has no sheet.")
    wanted = [str(sheet)] if sheet not in (None, "") else names
    found: Seen = {}
    for name in wanted:
        rows = read_range(state, ctx, filepath=filepath, sheet=name)["values"]
        if headers is False or not rows:
            found[name] = rows
        else:
            keys = [
                str(key) if key is not None else column
                for key, column in zip(rows[0], column_letters(len(rows[0])), strict=True)
            ]
            found[name] = [dict(zip(keys, row, strict=True)) for row in rows[1:]]
    return {"sheets": found}


def check_count(count: Any) -> int:
    """How many rows or columns; 422 for fewer than one."""
    number = 1 if count is None else int(count)
    if not 1 <= number <= 10_000:
        raise invalid("The count lies between 1 and 10000.")
    return number
