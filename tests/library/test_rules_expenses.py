"""The rules of the expense application, as short stories."""

from __future__ import annotations

import pytest

from services_app.library.cast import ME
from tests.library.cases_expenses import SLUG, draft, own, receipt, waiting
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused


def test_a_report_is_submitted_only_with_receipts_and_can_be_retracted() -> None:
    env, expense = own(environment(SLUG))
    env, scan = receipt(env)
    report = draft(env)
    shown = ok(env, SLUG, "move_expense_to_report", report_id=report["id"], expense_id=expense["id"])
    assert (shown["total"], shown["violations"]) == (20.0, 1)
    assert refused(env, SLUG, "submit_report", report_id=report["id"]) == "policy_violation"
    ok(env, SLUG, "attach_receipt", expense_id=expense["id"], receipt_id=scan["id"])
    sent = ok(env, SLUG, "submit_report", report_id=report["id"])
    me = one(env, SLUG, "employees", email=ME.email)
    assert one(env, SLUG, "employees", id=sent["approver_id"])["email"] == me["manager_email"]
    assert refused(env, SLUG, "delete_expense", expense_id=expense["id"]) == "report_locked"
    assert refused(env, SLUG, "approve_report", report_id=report["id"]) == "not_your_approval"
    ok(env, SLUG, "retract_report", report_id=report["id"])
    ok(env, SLUG, "delete_expense", expense_id=expense["id"])
    assert ok(env, SLUG, "get_report", report_id=report["id"])["total"] == 0


def test_a_report_above_my_limit_is_forwarded_to_someone_with_a_higher_one() -> None:
    env, report = waiting(environment(SLUG))
    env = patched(env, SLUG, "employees", one(env, SLUG, "employees", email=ME.email)["id"], approval_limit=0.5)
    assert refused(env, SLUG, "approve_report", report_id=report["id"]) == "over_approval_limit"
    top = max(env.rows(SLUG, "employees"), key=lambda row: row["approval_limit"])
    ok(env, SLUG, "forward_report", report_id=report["id"], approver_email=top["email"].upper())
    assert refused(env, SLUG, "approve_report", report_id=report["id"]) == "not_your_approval"


def test_totals_are_converted_and_card_spending_is_not_paid_back() -> None:
    env, expense = own(environment(SLUG), currency="EUR", amount=100.0)
    report = draft(env)
    ok(env, SLUG, "move_expense_to_report", report_id=report["id"], expense_id=expense["id"])
    shown = ok(env, SLUG, "get_report", report_id=report["id"])
    assert (shown["total"], shown["reimbursable"]) == (86.0, 86.0)
    ok(env, SLUG, "update_expense", expense_id=expense["id"], paid_with="company_card")
    shown = ok(env, SLUG, "get_report", report_id=report["id"])
    assert (shown["total"], shown["reimbursable"]) == (86.0, 0.0)


def test_splitting_keeps_the_sum_and_a_drive_costs_its_distance() -> None:
    env, expense = own(environment(SLUG))
    tools = one(env, SLUG, "categories", name="Small tools and parts")
    arguments = {"expense_id": expense["id"], "category_id": tools["id"], "description": "Cable"}
    assert refused(env, SLUG, "split_expense", amount=20.0, **arguments) == "split_too_large"
    parts = ok(env, SLUG, "split_expense", amount=7.5, **arguments)
    assert (parts["kept"]["amount"], parts["part"]["amount"]) == (12.5, 7.5)
    drive = {"origin": "London", "destination": "Luton", "distance_km": 50, "incurred_on": "2026-02-20"}
    assert ok(env, SLUG, "create_mileage_expense", round_trip=True, **drive)["amount"] == pytest.approx(28.0)


@pytest.mark.parametrize("scale", ["small", "normal"])
def test_the_seed_keeps_its_own_rules(scale: str) -> None:
    env = environment(SLUG, scale=scale)
    expenses = {row["id"]: row for row in env.rows(SLUG, "expenses")}
    for row in env.rows(SLUG, "card_transactions"):
        if row["expense_id"] is not None:
            expense = expenses[row["expense_id"]]
            assert (row["amount"], row["employee_id"]) == (expense["amount"], expense["employee_id"])
    numbers = [row["number"] for row in env.rows(SLUG, "reports")]
    assert len(numbers) == len(set(numbers))
    for report in env.rows(SLUG, "reports"):
        assert (report["status"] == "draft") == (report["submitted_on"] is None)
        assert report["approver_id"] != report["employee_id"]
    assert ok(env, SLUG, "search_reports", awaiting_my_approval=True)["total"] > 0
