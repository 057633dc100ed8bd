"""What you may do with a workbook, the one way in which cells are written, and how answers show records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, brief, same
from services_app.library.spreadsheets.formulas import FormulaError, Span, letters, parse, span_of
from services_app.library.spreadsheets.functions import text_of, typed
from services_app.library.spreadsheets.grid import Grid
from services_app.library.spreadsheets.state import (
    Cell,
    Sheet,
    SpreadsheetState,
    ValidationRule,
    Workbook,
)

WorkbookId = Annotated[str, f.ref("workbooks")]
SheetId = Annotated[str, f.ref("sheets")]
_ADDRESS = r"[A-Za-z]{1,2}[1-9]\d{0,2}"
CellName = Annotated[str, f.Semantic("label"), Field(pattern=rf"^{_ADDRESS}$")]
CellRange = Annotated[str, f.Semantic("label"), Field(pattern=rf"^{_ADDRESS}(:{_ADDRESS})?$")]
Typed = Annotated[str, f.Semantic("text"), Field(max_length=2000)] | float
Places = dict[tuple[int, int], str]  # (row, column) -> what is typed there; "" empties the cell


def my_role(state: SpreadsheetState, workbook: Workbook) -> str:
    """owner, editor, commenter, viewer, or "" for a workbook that is not shared with you."""
    if same(workbook.owner_email, ME.email):
        return "owner"
    for row in state.shares.find(workbook_id=workbook.id):
        if same(row.email, ME.email):
            return row.role
    return ""


def readable(state: SpreadsheetState, workbook_id: str) -> Workbook:
    """A workbook that you may open; 403 `no_access` otherwise."""
    workbook = state.workbooks.get(workbook_id)
    if not my_role(state, workbook):
        raise forbidden(
            f"{workbook.title} is not shared with you; ask {workbook.owner_email} for access.", type="no_access"
        )
    return workbook


def readable_sheet(state: SpreadsheetState, sheet_id: str) -> Sheet:
    sheet = state.sheets.get(sheet_id)
    readable(state, sheet.workbook_id)
    return sheet


def editable(state: SpreadsheetState, workbook_id: str) -> Workbook:
    """A workbook that you may change; 403 `no_access` or `read_only` otherwise."""
    workbook = readable(state, workbook_id)
    role = my_role(state, workbook)
    if role not in ("owner", "editor"):
        raise forbidden(
            f"You are a {role} of {workbook.title}; ask {workbook.owner_email} for the right to edit.",
            type="read_only",
        )
    return workbook


def editable_sheet(state: SpreadsheetState, sheet_id: str) -> Sheet:
    sheet = state.sheets.get(sheet_id)
    editable(state, sheet.workbook_id)
    return sheet


def owned(state: SpreadsheetState, workbook_id: str) -> Workbook:
    """A workbook of yours; 403 `not_owner` otherwise."""
    workbook = readable(state, workbook_id)
    if my_role(state, workbook) != "owner":
        raise forbidden(f"Only {workbook.owner_email} may do this with {workbook.title}.", type="not_owner")
    return workbook


def grid_of(state: SpreadsheetState, ctx: CallContext, workbook_id: str) -> Grid:
    return Grid(state, workbook_id, ctx.today)


def touch(state: SpreadsheetState, ctx: CallContext, workbook_id: str) -> None:
    state.workbooks.patch(workbook_id, modified_at=ctx.now)


def check_protected(state: SpreadsheetState, sheet: Sheet, spans: Iterable[Span]) -> None:
    """403 `protected_range` when a block meets a range that you may not change."""
    if same(state.workbooks.get(sheet.workbook_id).owner_email, ME.email):
        return
    areas = list(spans)
    for row in state.protected_ranges.find(sheet_id=sheet.id):
        if ME.email in row.editor_emails or not any(span_of(row.range).meets(area) for area in areas):
            continue
        raise forbidden(f"{row.range} is protected: {row.description.rstrip('.')}.", type="protected_range")


def fits(rule: ValidationRule, content: str) -> bool:
    """Whether typed content obeys a rule; formulas and empty cells always do."""
    if not content or content.startswith("="):
        return True
    if rule.kind == "list":
        return any(same(content, choice) for choice in rule.allowed)
    if rule.kind == "date":
        try:
            return f.parse_date(content).isoformat() == content
        except ToolError:
            return False
    value = typed(content)
    if not isinstance(value, float):
        return False
    return (rule.minimum is None or value >= rule.minimum) and (rule.maximum is None or value <= rule.maximum)


def wanted_by(rule: ValidationRule) -> str:
    """What a rule asks for, in words."""
    if rule.kind == "list":
        return "one of " + ", ".join(rule.allowed)
    if rule.kind == "date":
        return "a date such as 2026-03-14"
    low, high = (text_of(value) if value is not None else "any" for value in (rule.minimum, rule.maximum))
    return f"a number from {low} to {high}"


def cells_of(state: SpreadsheetState, sheet_id: str) -> dict[tuple[int, int], Cell]:
    return {(row.row, row.column): row for row in state.cells.find(sheet_id=sheet_id)}


def write_cells(state: SpreadsheetState, ctx: CallContext, sheet: Sheet, contents: Places) -> int:
    """Type into cells of a sheet that you may edit; how many changed.

    403 `protected_range`, 422 `invalid_formula` or `invalid_value`.
    """
    check_protected(state, sheet, [Span(row, column, row, column) for row, column in contents])
    rules = [(span_of(rule.range), rule) for rule in state.validation_rules.find(sheet_id=sheet.id)]
    for (row, column), content in contents.items():
        _check_content(rules, Span(row, column, row, column), content)
    return put_cells(state, ctx, sheet, contents)


def _check_content(rules: list[tuple[Span, ValidationRule]], place: Span, content: str) -> None:
    if content.startswith("="):
        try:
            parse(content)
        except FormulaError as error:
            raise invalid(f"{content!r} is not a formula: {error}.", type="invalid_formula") from error
    for span, rule in rules:
        if span.meets(place) and not fits(rule, content):
            raise invalid(f"{place.text()} takes {wanted_by(rule)}, not {content!r}.", type="invalid_value")


def put_cells(state: SpreadsheetState, ctx: CallContext, sheet: Sheet, contents: Mapping[tuple[int, int], str]) -> int:
    """Store contents that have been checked; empty ones leave no cell."""
    now, changed = cells_of(state, sheet.id), 0
    for (row, column), content in contents.items():
        cell = now.get((row, column))
        if (cell.content if cell else "") == content:
            continue
        changed += 1
        if cell is None:
            state.cells.create(sheet_id=sheet.id, row=row, column=column, content=content)
        elif content:
            state.cells.patch(cell.id, content=content)
        else:
            state.cells.delete(cell.id)
    if changed:
        touch(state, ctx, sheet.workbook_id)
    return changed


def typed_text(value: str | float | None) -> str:
    """A sent value as it would be typed."""
    if isinstance(value, str):
        return value
    return text_of(float(value)) if value is not None else ""


def shown_cells(state: SpreadsheetState, ctx: CallContext, sheet: Sheet, places: Iterable[tuple[int, int]]) -> Json:
    """Cells after a write: address -> value now."""
    grid = grid_of(state, ctx, sheet.workbook_id)
    return {f"{letters(column)}{row}": grid.shown((sheet.id, row, column)) for row, column in sorted(places)[:40]}


def described(state: SpreadsheetState, workbook: Workbook) -> Json:
    sheets = sorted(state.sheets.find(workbook_id=workbook.id), key=lambda row: row.position)
    return {
        **brief(workbook, "id", "title", "description", "folder", "owner_email", "created_at", "modified_at"),
        "your_role": my_role(state, workbook),
        "sheets": [brief(sheet, "id", "title", "hidden") for sheet in sheets],
    }


def check_title(state: SpreadsheetState, workbook_id: str, title: str, own: str = "") -> None:
    """409 `duplicate_title` when another sheet of the workbook has this title."""
    for sheet in state.sheets.find(workbook_id=workbook_id):
        if sheet.id != own and same(sheet.title, title):
            raise conflict(f"{sheet.id} is called {sheet.title} already.", type="duplicate_title")
