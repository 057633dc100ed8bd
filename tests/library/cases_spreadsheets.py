"""Situations in spreadsheets; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import ok, one, patched, rows

SLUG = "spreadsheets"


def _own(env: Env, *values: list[Any]) -> dict[str, Any]:
    """A sheet of a fresh workbook of yours, filled from A1 on."""
    sheet = ok(env, SLUG, "create_workbook", title="Fresh")["sheets"][0]
    if values:
        ok(env, SLUG, "write_range", sheet_id=sheet["id"], start_cell="A1", values=list(values))
    return one(env, SLUG, "sheets", id=sheet["id"])


def _budget(env: Env) -> str:
    """The sheet whose budgets in B2:B7 you may not change."""
    book = one(env, SLUG, "workbooks", title="Operations budget 2026")
    return str(one(env, SLUG, "sheets", workbook_id=book["id"], title="Budget")["id"])


def _orders(env: Env) -> str:
    book = one(env, SLUG, "workbooks", title="Rollout tracker 2026")
    return str(one(env, SLUG, "sheets", workbook_id=book["id"], title="Orders")["id"])


def _foreign(env: Env) -> Env:
    """A world in which the depot workbook is somebody else's and not shared with you."""
    return patched(env, SLUG, "workbooks", _seeded(env)["workbook_id"], owner_email="ana@north.example")


def _seeded(env: Env) -> dict[str, Any]:
    """A sheet of the depot workbook, which is yours and shared with a viewer only."""
    book = one(env, SLUG, "workbooks", title="Depot capacity")
    return one(env, SLUG, "sheets", workbook_id=book["id"])


_SHUT: dict[str, dict[str, Any]] = {
    "add_comment": {"cell": "A1", "text": "Why?"},
    "add_named_range": {"name": "Mine", "range": "A1"},
    "append_row": {"values": ["x"]},
    "clear_range": {"range": "A1"},
    "copy_range": {"range": "A1", "destination_cell": "A9"},
    "protect_range": {"range": "A1", "description": "Mine"},
    "read_range": {},
    "set_data_validation": {"range": "A1", "kind": "date"},
    "sort_range": {"range": "A1:B2", "sort_column": 1},
    "trace_cell": {"cell": "A1"},
    "write_cell": {"cell": "A1", "value": "x"},
    "write_range": {"start_cell": "A1", "values": [["x"]]},
    "filter_rows": {"value": "x"},
    "add_sheet": {"title": "New"},
    "delete_sheet": {},
    "update_sheet": {"hidden": True},
    "insert_dimension": {"dimension": "rows", "start": 1},
    "delete_dimension": {"dimension": "rows", "start": 1},
}


def _no_access(tool: str, arguments: dict[str, Any]) -> None:
    @case(SLUG, tool, "no_access")
    def _(env: Env) -> Situation:
        shut = _foreign(env)
        sheet = _seeded(shut)
        where = {"workbook_id": sheet["workbook_id"]} if tool == "add_sheet" else {"sheet_id": sheet["id"]}
        return shut, {**where, **arguments}


for _tool, _arguments in _SHUT.items():
    _no_access(_tool, _arguments)


@case(SLUG, "list_comments", "no_access")
def _(env: Env) -> Situation:
    shut = _foreign(env)
    return shut, {"workbook_id": _seeded(shut)["workbook_id"]}


@case(SLUG, "resolve_comment", "no_access")
def _(env: Env) -> Situation:
    comment = rows(env, SLUG, "comments", resolved_at=None)[0]
    sheet = one(env, SLUG, "sheets", id=comment["sheet_id"])
    shut = patched(env, SLUG, "workbooks", sheet["workbook_id"], owner_email="ana@north.example")
    return shut, {"comment_id": comment["id"]}


@case(SLUG, "remove_protection", "no_access")
def _(env: Env) -> Situation:
    area = next(row for row in rows(env, SLUG, "protected_ranges") if not row["editor_emails"])
    sheet = one(env, SLUG, "sheets", id=area["sheet_id"])
    shut = patched(env, SLUG, "workbooks", sheet["workbook_id"], owner_email="ana@north.example")
    return shut, {"protected_range_id": area["id"]}


_OUTSIDE: dict[str, dict[str, Any]] = {
    "add_comment": {"cell": "ZZ1", "text": "Why?"},
    "add_named_range": {"name": "Mine", "range": "A1:A999"},
    "clear_range": {"range": "A999"},
    "copy_range": {"range": "ZZ1", "destination_cell": "A1"},
    "protect_range": {"range": "ZZ1", "description": "Mine"},
    "read_range": {"range": "A1:ZZ999"},
    "set_data_validation": {"range": "ZZ1", "kind": "date"},
    "sort_range": {"range": "A1:ZZ2", "sort_column": 1},
    "trace_cell": {"cell": "ZZ1"},
    "write_cell": {"cell": "A401", "value": "x"},
    "write_range": {"start_cell": "A400", "values": [["x"], ["y"]]},
}


def _outside(tool: str, arguments: dict[str, Any]) -> None:
    @case(SLUG, tool, "outside_sheet")
    def _(env: Env) -> Situation:
        return env, {"sheet_id": _own(env)["id"], **arguments}


for _tool, _arguments in _OUTSIDE.items():
    _outside(_tool, _arguments)

_GUARDED: dict[str, dict[str, Any]] = {
    "append_row": {"values": ["x"]},
    "clear_range": {"range": "A1:C3"},
    "copy_range": {"range": "A1", "destination_cell": "B3"},
    "delete_dimension": {"dimension": "rows", "start": 3},
    "set_data_validation": {"range": "B2", "kind": "date"},
    "sort_range": {"range": "A2:H7", "sort_column": 1},
    "write_cell": {"cell": "B2", "value": 9.0},
    "write_range": {"start_cell": "A2", "values": [["x", "1"]]},
    "delete_sheet": {},
}


def _guarded(tool: str, arguments: dict[str, Any]) -> None:
    @case(SLUG, tool, "protected_range")
    def _(env: Env) -> Situation:
        area = next(row for row in rows(env, SLUG, "protected_ranges") if row["sheet_id"] == _budget(env))
        wide = patched(env, SLUG, "protected_ranges", area["id"], range="B2:B60")
        return wide, {"sheet_id": _budget(env), **arguments}


for _tool, _arguments in _GUARDED.items():
    _guarded(_tool, _arguments)
_guarded("append_row", {"values": ["x", "5"]})
_guarded("protect_range", {"range": "B2:B3", "description": "Mine"})


@case(SLUG, "replace_all", "protected_range")
def _(env: Env) -> Situation:
    book = one(env, SLUG, "workbooks", title="Operations budget 2026")
    return env, {"workbook_id": book["id"], "find": "6400", "replacement": "9"}


_BAD_FORMULA: dict[str, dict[str, Any]] = {
    "append_row": {"values": ["=1+"]},
    "write_cell": {"cell": "A1", "value": "=SUM(A2"},
    "write_range": {"start_cell": "A1", "values": [["=)"]]},
}


def _formula(tool: str, arguments: dict[str, Any]) -> None:
    @case(SLUG, tool, "invalid_formula")
    def _(env: Env) -> Situation:
        return env, {"sheet_id": _own(env)["id"], **arguments}


for _tool, _arguments in _BAD_FORMULA.items():
    _formula(_tool, _arguments)


@case(SLUG, "replace_all", "invalid_formula")
def _(env: Env) -> Situation:
    sheet = _own(env, ["=SUM(A2:A3)"])
    where = {"workbook_id": sheet["workbook_id"], "include_formulas": True}
    return env, {**where, "find": ")", "replacement": ""}


_BAD_VALUE: dict[str, dict[str, Any]] = {
    "append_row": {"values": ["PO-1", "", "", "", "", "", "", "", "", "soon"]},
    "write_cell": {"cell": "K2", "value": "Someday"},
    "write_range": {"start_cell": "G2", "values": [["90%"]]},
    "copy_range": {"range": "B2", "destination_cell": "K2"},
    "sort_range": {"range": "J2:L3", "sort_column": 12},
}


def _value(tool: str, arguments: dict[str, Any]) -> None:
    @case(SLUG, tool, "invalid_value")
    def _(env: Env) -> Situation:
        sheet = _orders(env)
        if tool == "sort_range":
            ok(env, SLUG, "write_range", sheet_id=sheet, start_cell="L2", values=[["b"], ["a"]])
            cell = one(env, SLUG, "cells", sheet_id=sheet, row=3, column=11)
            env = patched(env, SLUG, "cells", cell["id"], content="Someday")
            ok(env, SLUG, "write_range", sheet_id=sheet, start_cell="L2", values=[["b"], ["a"]])
        return env, {"sheet_id": sheet, **arguments}


for _tool, _arguments in _BAD_VALUE.items():
    _value(_tool, _arguments)


@case(SLUG, "replace_all", "invalid_value")
def _(env: Env) -> Situation:
    book = one(env, SLUG, "workbooks", title="Rollout tracker 2026")
    return env, {"workbook_id": book["id"], "find": "Done", "replacement": "Gone"}


@case(SLUG, "share_workbook", "already_shared")
def _(env: Env) -> Situation:
    arguments = {"workbook_id": _own(env)["workbook_id"], "email": "ana@north.example", "role": "viewer"}
    ok(env, SLUG, "share_workbook", **arguments)
    return env, arguments


@case(SLUG, "add_named_range", "duplicate_name")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _orders(env), "name": "amounts", "range": "A1"}


@case(SLUG, "protect_range", "already_protected")
def _(env: Env) -> Situation:
    sheet = _own(env)["id"]
    ok(env, SLUG, "protect_range", sheet_id=sheet, range="A1:B2", description="Mine")
    return env, {"sheet_id": sheet, "range": "A1:B2", "description": "Mine"}


@case(SLUG, "protect_range", "blank_text")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env)["id"], "range": "A1:B2", "description": " "}


@case(SLUG, "add_sheet", "blank_text")
def _(env: Env) -> Situation:
    return env, {"workbook_id": _own(env)["workbook_id"], "title": " "}


@case(SLUG, "update_sheet", "blank_text")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env)["id"], "title": " "}


@case(SLUG, "add_sheet", "too_many_sheets")
def _(env: Env) -> Situation:
    book = _own(env)["workbook_id"]
    for number in range(19):
        ok(env, SLUG, "add_sheet", workbook_id=book, title=f"Sheet {number}")
    return env, {"workbook_id": book, "title": "One more"}


@case(SLUG, "append_row", "sheet_full")
def _(env: Env) -> Situation:
    sheet = _own(env)["id"]
    ok(env, SLUG, "write_cell", sheet_id=sheet, cell="A400", value="end")
    return env, {"sheet_id": sheet, "values": ["x"]}


@case(SLUG, "copy_range", "not_found")
def _(env: Env) -> Situation:
    return env, {"sheet_id": "SHT-9999", "range": "A1", "destination_cell": "B1"}


@case(SLUG, "copy_range", "other_workbook")
def _(env: Env) -> Situation:
    arguments = {"range": "A1", "destination_cell": "B1"}
    return env, {"sheet_id": _own(env)["id"], "destination_sheet_id": _seeded(env)["id"], **arguments}


@case(SLUG, "copy_range", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env, ["same", "same"])["id"], "range": "A1", "destination_cell": "B1"}


@case(SLUG, "sort_range", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env, ["a"], ["b"])["id"], "range": "A1:A2", "sort_column": 1}


@case(SLUG, "insert_dimension", "sheet_full")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env)["id"], "dimension": "columns", "start": 50, "count": 9}


@case(SLUG, "update_sheet", "last_sheet")
def _(env: Env) -> Situation:
    return env, {"sheet_id": _own(env)["id"], "hidden": True}
