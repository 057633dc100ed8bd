"""The rules of spreadsheets, as short stories."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

SLUG = "spreadsheets"


def _fresh(env: ProductEnvironment, *values: list[Any]) -> str:
    sheet = str(ok(env, SLUG, "create_workbook", title="Fresh")["sheets"][0]["id"])
    ok(env, SLUG, "write_range", sheet_id=sheet, start_cell="A1", values=list(values))
    return sheet


def _shown(env: ProductEnvironment, sheet: str, cell: str) -> Any:
    return ok(env, SLUG, "trace_cell", sheet_id=sheet, cell=cell)["value"]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=2+3*4^2", 50),
        ("=-(2-5)%", 0.03),
        ("=SUM(B1:B4)", 60),
        ("=AVERAGE(B1:B3)", 20),
        ("=MEDIAN(B1:B3,100)", 25),
        ('=COUNTIF(A1:A4,"d*")', 2),
        ('=SUMIF(A1:A4,"dock",B1:B4)', 40),
        ('=SUMIFS(B1:B4,A1:A4,"dock",B1:B4,">15")', 30),
        ('=VLOOKUP("hall",A1:B4,2,FALSE)', 20),
        ("=VLOOKUP(25,B1:C3,2)", "two"),
        ('=IFERROR(VLOOKUP("roof",A1:B4,2,FALSE),"none")', "none"),
        ('=XLOOKUP("one",C1:C3,B1:B3)', 10),
        ("=INDEX(A1:B4,MATCH(30,B1:B4,0),1)", "Dock"),
        ('=IF(AND(B1>5,NOT(B2=5)),UPPER(A1)&"-"&LEN(C2),0)', "DOCK-3"),
        ("=ROUND(2.675,2)", 2.68),
        ('=DAYS("2026-03-12","2026-03-02")', 10),
        ("=B1/0", "#DIV/0!"),
        ("=nosuch(1)", "#NAME?"),
        ("=A1*2", "#VALUE!"),
        ("=SUMPRODUCT(B1:B3,B1:B3)", 1400),
        ('=TEXTJOIN(", ",TRUE,C1:C4)', "one, two, three"),
    ],
)
def test_formulas_are_computed(formula: str, value: object) -> None:
    env = environment(SLUG)
    sheet = _fresh(env, ["Dock", 10, "one"], ["Hall", 20, "two"], ["Dock", 30, "three"], ["", "", ""])
    assert ok(env, SLUG, "write_cell", sheet_id=sheet, cell="E1", value=formula)["value"] == value


def test_long_chains_are_computed_and_circles_are_errors() -> None:
    env = environment(SLUG)
    sheet = _fresh(env, [1])
    for start in range(2, 400, 60):
        chain = [[f"=A{row - 1}+1"] for row in range(start, min(start + 60, 401))]
        ok(env, SLUG, "write_range", sheet_id=sheet, start_cell=f"A{start}", values=chain)
    assert _shown(env, sheet, "A400") == 400
    ok(env, SLUG, "write_range", sheet_id=sheet, start_cell="C1", values=[["=D1+1", "=C1+1", "=C1", "=A3"]])
    assert [_shown(env, sheet, cell) for cell in ("C1", "D1", "E1", "F1")] == ["#REF!", "#REF!", "#REF!", 3]


def test_formulas_follow_inserted_deleted_sorted_and_copied_cells() -> None:
    env = environment(SLUG)
    sheet = _fresh(env, ["b", 20, "=B1*2"], ["a", 10, "=B2*2"], ["sum", "=SUM(B1:B2)", "=SUM(C1:C2)"])
    ok(env, SLUG, "insert_dimension", sheet_id=sheet, dimension="rows", start=2, count=2)
    content = ok(env, SLUG, "trace_cell", sheet_id=sheet, cell="B5")
    assert (content["content"], content["value"]) == ("=SUM(B1:B4)", 30)
    ok(env, SLUG, "delete_dimension", sheet_id=sheet, dimension="rows", start=2, count=2)
    ok(env, SLUG, "sort_range", sheet_id=sheet, range="A1:C2", sort_column=1)
    found = ok(env, SLUG, "read_range", sheet_id=sheet, range="A1:C2", render="formulas")["rows"]
    assert [row["values"] for row in found] == [["a", "10", "=B1*2"], ["b", "20", "=B2*2"]]
    ok(env, SLUG, "copy_range", sheet_id=sheet, range="C1:C2", destination_cell="D1")
    assert _shown(env, sheet, "D2") == 80
    ok(env, SLUG, "delete_dimension", sheet_id=sheet, dimension="columns", start=2)
    assert _shown(env, sheet, "B1") == "#REF!"


def test_renamed_and_deleted_sheets_are_followed_by_formulas() -> None:
    env = environment(SLUG)
    sheet = _fresh(env, [5])
    book = one(env, SLUG, "sheets", id=sheet)["workbook_id"]
    other = ok(env, SLUG, "add_sheet", workbook_id=book, title="Other")["id"]
    ok(env, SLUG, "write_cell", sheet_id=other, cell="A1", value="=Sheet1!A1*2")
    ok(env, SLUG, "update_sheet", sheet_id=sheet, title="My numbers")
    seen = ok(env, SLUG, "trace_cell", sheet_id=other, cell="A1")
    assert (seen["content"], seen["value"]) == ("='My numbers'!A1*2", 10)
    assert ok(env, SLUG, "delete_sheet", sheet_id=sheet)["broken_formulas"] == 1
    assert _shown(env, other, "A1") == "#REF!"
    assert refused(env, SLUG, "delete_sheet", sheet_id=other) == "last_sheet"


def test_sums_of_the_tracker_add_up_after_a_new_row_and_rules_guard_it() -> None:
    env = environment(SLUG)
    book = one(env, SLUG, "workbooks", title="Rollout tracker 2026")["id"]
    orders = one(env, SLUG, "sheets", workbook_id=book, title="Orders")["id"]
    summary = one(env, SLUG, "sheets", workbook_id=book, title="Summary")["id"]
    before = ok(env, SLUG, "filter_rows", sheet_id=summary, column="Owner", value="Total")["rows"][0]["values"]
    listed = ok(env, SLUG, "read_range", sheet_id=orders, limit=100)["rows"][1:]
    assert before["Amount"] == pytest.approx(sum(row["values"][7] for row in listed))
    for row in listed:
        units, price, discount, amount = row["values"][4:8]
        assert amount == pytest.approx(units * price * (1 - discount), abs=0.006)
    assert refused(env, SLUG, "write_cell", sheet_id=orders, cell="K2", value="Someday") == "invalid_value"
    ok(env, SLUG, "write_cell", sheet_id=orders, cell="E2", value=1000.0)
    after = ok(env, SLUG, "filter_rows", sheet_id=summary, column="Owner", value="Total")["rows"][0]["values"]
    assert after["Amount"] > before["Amount"]
    added = ok(env, SLUG, "append_row", sheet_id=orders, values=["PO-1", "Acme", "Bath", "Gateway", 2.0, 10.0, "10%"])
    assert added["values"]["Amount"] == 18


def test_roles_and_protected_ranges_decide_who_may_write() -> None:
    env = environment(SLUG)
    budget = one(env, SLUG, "workbooks", title="Operations budget 2026")["id"]
    sheet = one(env, SLUG, "sheets", workbook_id=budget, title="Budget")["id"]
    assert refused(env, SLUG, "write_cell", sheet_id=sheet, cell="B3", value=1.0) == "protected_range"
    left = ok(env, SLUG, "trace_cell", sheet_id=sheet, cell="G3")["value"]
    march = ok(env, SLUG, "trace_cell", sheet_id=sheet, cell="E3")["value"]
    row = ok(env, SLUG, "write_cell", sheet_id=sheet, cell="E3", value=march + 100)["row"]
    assert row["Left"] == pytest.approx(left - 100)
    commission = one(env, SLUG, "workbooks", title="Commission Q1 2026")["id"]
    deals = one(env, SLUG, "sheets", workbook_id=commission, title="Deals")["id"]
    assert refused(env, SLUG, "append_row", sheet_id=deals, values=["PO-1"]) == "read_only"
    assert refused(env, SLUG, "add_comment", sheet_id=deals, cell="A1", text="Hm") == "view_only"
    own = _fresh(env, [1])
    book = one(env, SLUG, "sheets", id=own)["workbook_id"]
    share = {"workbook_id": book, "email": "ana@north.example"}
    assert refused(env, SLUG, "share_workbook", **share, role="editor") == "outside_no_edit"
    ok(env, SLUG, "share_workbook", **share)
    ok(env, SLUG, "remove_access", **share)
    assert rows(env, SLUG, "shares", workbook_id=book) == []
