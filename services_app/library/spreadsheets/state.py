"""What a spreadsheet application holds. A cell is a record of its own, so that a change of one cell is one change."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Role = Annotated[Literal["viewer", "commenter", "editor"], LABEL]
RuleKind = Annotated[Literal["date", "list", "number"], LABEL]


class Workbook(Record):
    about: ClassVar[About] = About("workbook", "workbooks", prefix="WB-", key="title")

    title: f.Title
    description: f.Text = ""
    folder: f.Label = ""
    owner_email: f.Email
    created_at: f.SystemTime
    modified_at: f.SystemTime


class Sheet(Record):
    about: ClassVar[About] = About("sheet", "sheets", prefix="SHT-", key="title")

    workbook_id: Annotated[str, f.ref("workbooks")]
    title: f.Title
    position: Annotated[int, f.count("sheets")]
    hidden: bool = False
    frozen_rows: Annotated[int, f.count("rows")] = 0


class Cell(Record):
    about: ClassVar[About] = About("cell", "cells", prefix="C-", width=5, key="")

    sheet_id: Annotated[str, f.ref("sheets")]
    row: Annotated[int, f.count("rows", system=True)]
    column: Annotated[int, f.count("columns", system=True)]
    content: f.Text
    """What was typed: a number, a text, or a formula that begins with `=`."""


class NamedRange(Record):
    about: ClassVar[About] = About("named range", "named ranges", prefix="NR-", width=3, key="name")

    sheet_id: Annotated[str, f.ref("sheets")]
    name: f.Label
    range: f.Label


class ProtectedRange(Record):
    about: ClassVar[About] = About("protected range", "protected ranges", prefix="PR-", width=3, key="")

    sheet_id: Annotated[str, f.ref("sheets")]
    range: f.Label
    description: f.Text
    """Why only some people may change it."""
    editor_emails: tuple[f.Email, ...] = ()
    """Who may change it besides the owner of the workbook."""


class ValidationRule(Record):
    about: ClassVar[About] = About("data validation rule", "data validation rules", prefix="DV-", width=3, key="")

    sheet_id: Annotated[str, f.ref("sheets")]
    range: f.Label
    kind: RuleKind
    allowed: tuple[f.Label, ...] = ()
    minimum: Annotated[float | None, f.Semantic("count")] = None
    maximum: Annotated[float | None, f.Semantic("count")] = None


class Comment(Record):
    about: ClassVar[About] = About("cell comment", "cell comments", prefix="CMT-", key="", carrier="note")

    sheet_id: Annotated[str, f.ref("sheets")]
    cell: f.Label
    author_name: f.Person
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime
    resolved_at: f.SystemTime | None = None


class Share(Record):
    about: ClassVar[About] = About("workbook share", "workbook shares", prefix="SHR-", key="email")

    workbook_id: Annotated[str, f.ref("workbooks")]
    email: f.Email
    role: Role
    message: f.Text = ""


class SpreadsheetState(State):
    workbooks: Table[Workbook]
    sheets: Table[Sheet]
    cells: Table[Cell]
    named_ranges: Table[NamedRange]
    protected_ranges: Table[ProtectedRange]
    validation_rules: Table[ValidationRule]
    comments: Table[Comment]
    shares: Table[Share]


service = Service(
    "spreadsheets",
    title="Spreadsheets",
    domain="productivity",
    description="Workbooks of sheets with formulas, named and protected ranges, validation, comments and sharing.",
    state=SpreadsheetState,
    files=sources(__file__),
)
