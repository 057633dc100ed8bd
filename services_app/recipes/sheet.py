"""Workbooks as grids of cells: sheets, A1 ranges, stored formulas with the simple ones worked out.

A cell is a record of its own, so that a change of one cell is one line of the journal.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.state import About, Record, Table
from services_app.recipes.files import normal

Seen = dict[str, Any]
Value = str | int | float | bool | None


class Cell(Record):
    """What one cell holds: a value, or a formula that begins with `=`."""

    about: ClassVar[About] = About("cell", "cells", prefix="cell-", width=1)
    sheet: str
    row: int
    column: int
    value: Value = None
    style: tuple[tuple[str, str], ...] = ()


class NamedRange(BaseModel):
    """A range with a name or a purpose: a table, a chart, a merged block, a rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    range: str
    name: str = ""
    details: tuple[tuple[str, str], ...] = ()


class Sheet(Record):
    """One sheet of a workbook; `position` orders the sheets."""

    about: ClassVar[About] = About("sheet", "sheets", prefix="sheet-", width=1, key="sheet_name")
    filepath: str
    sheet_name: str
    position: int
    ranges: tuple[NamedRange, ...] = ()


class Workbook(Record):
    """A workbook; its path is the id."""

    about: ClassVar[About] = About("workbook", "workbooks", key="filepath")
    filepath: str
    created: str
    modified: str


class SheetState(Protocol):
    """The tables that workbooks need."""

    grid_workbooks: Table[Workbook]
    grid_sheets: Table[Sheet]
    grid_cells: Table[Cell]


class Span(NamedTuple):
    """A block of cells, both ends included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    def text(self) -> str:
        start, end = name_of(self.top, self.left), name_of(self.bottom, self.right)
        return start if start == end else f"{start}:{end}"

    def holds(self, row: int, column: int) -> bool:
        return self.top <= row <= self.bottom and self.left <= column <= self.right


# Addresses

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384


def letters_of(column: int) -> str:
    """Letters of a column counted from 1."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def name_of(row: int, column: int) -> str:
    return f"{letters_of(column)}{row}"


def place_of(name: object) -> tuple[int, int]:
    """(row, column) of an address such as B3; 400 for what is none."""
    match = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})", str(name).strip())
    if match is None:
        raise ToolError(400, "invalid_cell", f"{name!r} is no cell; send an address such as B3.")
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    if int(match[2]) > MOST_ROWS or column > MOST_COLUMNS:
        raise ToolError(400, "invalid_cell", f"{name!r} lies outside the sheet.")
    return int(match[2]), column


def span_of(start: object, end: object = None) -> Span:
    """The block between two addresses, or of one text such as B2:D5."""
    first, _, last = str(start).rpartition("!")[2].partition(":")
    top, left = place_of(first)
    bottom, right = place_of(end if end not in (None, "") else last or first)
    if bottom < top or right < left:
        raise ToolError(400, "invalid_range", f"{start}:{end or last} ends before it begins.")
    return Span(top, left, bottom, right)


# Workbooks and sheets


def workbook_at(state: SheetState, path: object) -> Workbook:
    """The workbook at a path, or 404."""
    known = normal(path)
    if known not in state.grid_workbooks:
        raise ToolError(404, "not_found", f"No workbook at {known!r}.")
    return state.grid_workbooks.get(known)


def sheets_of(state: SheetState, path: object) -> list[Sheet]:
    """Sheets of a workbook in order."""
    return sorted(state.grid_sheets.find(filepath=workbook_at(state, path).id), key=lambda sheet: sheet.position)


def sheet_at(state: SheetState, path: object, name: object) -> Sheet:
    """The sheet of that name, or 404."""
    found = next((one for one in sheets_of(state, path) if one.sheet_name == str(name)), None)
    if found is None:
        names = ", ".join(one.sheet_name for one in sheets_of(state, path))
        raise ToolError(404, "not_found", f"No sheet {name!r} in {normal(path)!r}; there are {names}.")
    return found


def free_name(state: SheetState, path: object, name: object) -> str:
    """A name for a new sheet; 409 when it is taken, 422 for one that no sheet may have."""
    text = str(name)
    if not text.strip() or len(text) > 31 or re.search(r"[\\/?*:\[\]]", text):
        raise invalid("A sheet name has 1 to 31 characters and none of \\ / ? * : [ ].", type="invalid_name")
    if any(one.sheet_name.casefold() == text.casefold() for one in sheets_of(state, path)):
        raise conflict(f"There is a sheet {text!r} already.", type="already_exists")
    return text


def cells_of(state: SheetState, sheet: Sheet) -> dict[tuple[int, int], Cell]:
    """(row, column) -> cell, of those that hold something."""
    return {(cell.row, cell.column): cell for cell in state.grid_cells.find(sheet=sheet.id)}


def put_cell(state: SheetState, sheet: Sheet, row: int, column: int, value: Value) -> None:
    """Set one cell; null empties it."""
    cell = state.grid_cells.first(sheet=sheet.id, row=row, column=column)
    if cell is not None:
        if value is None and not cell.style:
            state.grid_cells.delete(cell.id)
        else:
            state.grid_cells.patch(cell.id, value=value)
    elif value is not None:
        state.grid_cells.create(sheet=sheet.id, row=row, column=column, value=value)


def used_span(state: SheetState, sheet: Sheet) -> Span | None:
    """The block from the first to the last used cell; None for an empty sheet."""
    places = [place for place, cell in cells_of(state, sheet).items() if cell.value is not None]
    if not places:
        return None
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return Span(min(rows), min(columns), max(rows), max(columns))


def touched(state: SheetState, ctx: CallContext, sheet: Sheet) -> None:
    """Note that the workbook changed."""
    state.grid_workbooks.patch(sheet.filepath, modified=ctx.now)


# Seeds

_BOOKS: dict[str, dict[str, tuple[tuple[Value, ...], ...]]] = {
    "/reports/costs.xlsx": {
        "Costs": (
            ("Item", "Cost", "Count", "Total", None, "Remarks"),
            ("Paint", 120, 2, "=B2*C2"),
            ("Windows", 840, 1, "=B3*C3"),
            ("Doors", 310, 3, "=B4*C4"),
            ("Lamps", 95, 4, "=B5*C5"),
            ("Sum", None, "=SUM(C2:C5)", "=SUM(D2:D5)"),
        ),
        "Plan": (("Month", "Owner", None, "Open"), ("March", "Ana"), ("April", "Mei"), ("May", "Jonas")),
        "Notes": (("Remark",), ("Prices of last year",), ("Ask the supplier",)),
    },
    "/reports/staff.xlsx": {
        "Staff": (("Name", "City", "Hours", None, "Shift"), ("Ana Berg", "Oslo", 32), ("Mei Tanaka", "Osaka", 40)),
    },
}


def seed_workbooks(workbooks: Table[Workbook], ctx: SeedContext) -> None:
    """Two workbooks."""
    for path in _BOOKS:
        workbooks.add(Workbook(id=path, filepath=path, created=ctx.moment(-20), modified=ctx.moment(-3)))


_MARKS = {
    "Costs": (
        NamedRange(kind="table", range="A1:D6", name="CostTable", details=(("style", "TableStyleMedium9"),)),
        NamedRange(kind="merged", range="F1:G1"),
        NamedRange(kind="validation", range="C2:C5", details=(("type", "whole"), ("minimum", "1"))),
    ),
    "Plan": (
        NamedRange(kind="merged", range="D1:E2"),
        NamedRange(kind="validation", range="B2:B4", details=(("type", "list"), ("values", "Ana, Mei, Jonas"))),
    ),
    "Staff": (
        NamedRange(kind="table", range="A1:C3", name="People"),
        NamedRange(kind="merged", range="E1:E4"),
        NamedRange(kind="validation", range="C2:C3", details=(("type", "whole"), ("maximum", "40"))),
    ),
}


def seed_sheets(sheets: Table[Sheet], ctx: SeedContext) -> None:
    """Their sheets, with tables, merged blocks and rules."""
    for path, book in _BOOKS.items():
        for position, name in enumerate(book):
            sheets.create(filepath=path, sheet_name=name, position=position, ranges=_MARKS.get(name, ()))


def seed_cells(cells: Table[Cell], ctx: SeedContext) -> None:
    """Their contents."""
    number = 0
    for book in _BOOKS.values():
        for rows in book.values():
            number += 1
            for row, values in enumerate(rows, 1):
                for column, value in enumerate(values, 1):
                    style = (("bold", "True"),) if row == 1 else ()
                    if value is not None:
                        cells.create(sheet=f"sheet-{number}", row=row, column=column, value=value, style=style)
