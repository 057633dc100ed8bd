"""Tools for named ranges, protected ranges and data validation."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, check_text, same, with_fields
from services_app.library.spreadsheets.access import (
    CellRange,
    SheetId,
    cells_of,
    check_protected,
    editable_sheet,
    fits,
    my_role,
    touch,
)
from services_app.library.spreadsheets.formulas import Span, letters, span_of
from services_app.library.spreadsheets.state import ProtectedRange, RuleKind, SpreadsheetState, service

RangeName = Annotated[str, f.Semantic("label"), Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
Bound = Annotated[float, f.Semantic("count"), Field(ge=-1_000_000_000, le=1_000_000_000)]
ProtectedRangeId = Annotated[str, f.ref("protected_ranges")]


@service.tool(phrase="name {range} of the sheet {sheet_id} {name}")
def add_named_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    name: RangeName,
    range: CellRange,
) -> Json:
    """Give a range a name that formulas of the workbook can use.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `duplicate_name`, `bad_name` (it reads as an
    address or as a truth value).

    Args:
        sheet_id: Id of the sheet.
        name: Letters, digits and underscores.
        range: Cells such as B2:B9.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(range)
    if re.fullmatch(r"[A-Za-z]{1,2}\d{1,4}|true|false", name, re.IGNORECASE):
        raise invalid(f"{name} means something else in formulas; choose another name.", type="bad_name")
    ids = {row.id for row in state.sheets.find(workbook_id=sheet.workbook_id)}
    for row in state.named_ranges:
        if row.sheet_id in ids and same(row.name, name):
            raise conflict(f"{name} is the name of {row.range} already.", type="duplicate_name")
    touch(state, ctx, sheet.workbook_id)
    return with_fields(state.named_ranges.create(sheet_id=sheet_id, name=name, range=span.text()), sheet=sheet.title)


@service.tool(phrase="protect {range} of the sheet {sheet_id}")
def protect_range(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange,
    description: f.Text,
    editor_emails: Annotated[list[f.Email], Field(max_length=10)] = [],  # noqa: B006 - read only
) -> ProtectedRange:
    """Let only you, the owner and chosen editors change a range.

    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `blank_text`, `protected_range` (by someone else),
    `already_protected`, `not_an_editor` (someone chosen cannot edit the workbook).

    Args:
        sheet_id: Id of the sheet.
        range: Cells such as F2:F20.
        description: Why it is protected.
        editor_emails: Colleagues with the role editor who may change it as well.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(range)
    check_protected(state, sheet, [span])
    for row in state.protected_ranges.find(sheet_id=sheet_id):
        if same(row.range, span.text()):
            raise conflict(f"{row.range} is protected already ({row.id}).", type="already_protected")
    editors = {row.email.lower() for row in state.shares.find(workbook_id=sheet.workbook_id, role="editor")}
    for email in editor_emails:
        if email.lower() not in editors:
            raise invalid(f"{email} is no editor of the workbook; share it first.", type="not_an_editor")
    touch(state, ctx, sheet.workbook_id)
    return state.protected_ranges.create(
        sheet_id=sheet_id,
        range=span.text(),
        description=check_text(description, "description"),
        editor_emails=tuple(dict.fromkeys([ME.email, *editor_emails])),
    )


@service.tool(phrase="lift the protection {protected_range_id}")
def remove_protection(
    state: SpreadsheetState, ctx: CallContext, protected_range_id: ProtectedRangeId
) -> ProtectedRange:
    """Lift the protection of a range; the owner of the workbook and its editors may do that.

    Errors: `not_found`, `no_access`, `read_only`, `protected_range`.

    Args:
        protected_range_id: Id of the protected range, from get_workbook.
    """
    area = state.protected_ranges.get(protected_range_id)
    sheet = editable_sheet(state, area.sheet_id)
    workbook = state.workbooks.get(sheet.workbook_id)
    if my_role(state, workbook) != "owner" and ME.email not in area.editor_emails:
        raise forbidden(f"{area.range} is protected; ask {workbook.owner_email} to lift it.", type="protected_range")
    touch(state, ctx, sheet.workbook_id)
    return state.protected_ranges.delete(protected_range_id)


@service.tool(phrase="set a validation rule for {range} of the sheet {sheet_id}")
def set_data_validation(
    state: SpreadsheetState,
    ctx: CallContext,
    sheet_id: SheetId,
    range: CellRange,
    kind: RuleKind,
    allowed: Annotated[list[Annotated[str, f.Semantic("label"), Field(max_length=60)]], Field(max_length=20)] = [],  # noqa: B006 - read only
    minimum: Bound | None = None,
    maximum: Bound | None = None,
) -> Json:
    """Allow only certain values in a range, instead of the rule on this very range if there is one.

    What is there already stays; the cells that break the rule are listed.
    Errors: `not_found`, `no_access`, `read_only`, `outside_sheet`, `protected_range`, `incomplete_rule` (a list without
    values, or a number without bounds), `invalid_bounds`.

    Args:
        sheet_id: Id of the sheet.
        range: Cells such as K2:K40.
        kind: Values of a list, numbers within bounds, or dates.
        allowed: Values of a list; other kinds have none.
        minimum: Smallest number, for the kind number.
        maximum: Largest number, for the kind number.
    """
    sheet = editable_sheet(state, sheet_id)
    span = span_of(range)
    check_protected(state, sheet, [span])
    if (kind == "list" and not allowed) or (kind == "number" and minimum is None and maximum is None):
        raise invalid("A list needs allowed values, a number a minimum or maximum.", type="incomplete_rule")
    if minimum is not None and maximum is not None and minimum > maximum:
        raise invalid(f"The minimum {minimum:g} is above the maximum {maximum:g}.", type="invalid_bounds")
    for row in state.validation_rules.find(sheet_id=sheet_id, range=span.text()):
        state.validation_rules.delete(row.id)
    rule = state.validation_rules.create(
        sheet_id=sheet_id,
        range=span.text(),
        kind=kind,
        allowed=tuple(allowed) if kind == "list" else (),
        minimum=minimum if kind == "number" else None,
        maximum=maximum if kind == "number" else None,
    )
    touch(state, ctx, sheet.workbook_id)
    broken = [
        f"{letters(column)}{row}"
        for (row, column), cell in sorted(cells_of(state, sheet_id).items())
        if span.meets(Span(row, column, row, column)) and not fits(rule, cell.content)
    ]
    return with_fields(rule, cells_that_break_it=broken[:40])
