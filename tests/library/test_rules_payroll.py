"""The rules of payroll, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.cases_payroll import SLUG, approvers, draft, item, payee, settled
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows


def test_payslips_add_up_to_the_run_and_to_their_lines() -> None:
    env = environment(SLUG)
    for run in rows(env, SLUG, "pay_runs"):
        shown = ok(env, SLUG, "get_pay_run", pay_run_id=run["id"])
        assert sum(row["net"] for row in shown["people"]) == pytest.approx(shown["net"], abs=0.01)
        taken = shown["pension"] + shown["social_security"] + shown["tax"] + shown["deductions"]
        assert shown["gross"] + shown["reimbursements"] - taken == pytest.approx(shown["net"], abs=0.01)
    slip = rows(env, SLUG, "payslips")[-1]
    shown = ok(env, SLUG, "get_payslip", payslip_id=slip["id"])
    lines = [row["amount"] for row in rows(env, SLUG, "lines", payslip_id=slip["id"])]
    assert shown["net"] == pytest.approx(sum(lines), abs=0.005)


def test_a_bonus_is_taxed_and_a_reimbursement_is_not() -> None:
    env = environment(SLUG)
    where = {"pay_run_id": draft(env)["id"], "employee_id": payee(env)["id"]}
    before = ok(env, SLUG, "preview_payslip", **where)
    ok(env, SLUG, "add_pay_item", **item(env, kind="reimbursement", amount=101.5))
    paid_back = ok(env, SLUG, "preview_payslip", **where)
    assert (paid_back["tax"], paid_back["net"]) == (before["tax"], pytest.approx(before["net"] + 101.5))
    ok(env, SLUG, "add_pay_item", **item(env, amount=1000))
    rewarded = ok(env, SLUG, "preview_payslip", **where)
    assert rewarded["tax"] > before["tax"]
    assert 400 < rewarded["net"] - paid_back["net"] < 900


def test_a_large_run_is_approved_twice_and_then_does_not_change_any_more() -> None:
    env = settled(environment(SLUG))
    run, extra = draft(env), item(env)
    env = patched(env, SLUG, "schedules", run["schedule_id"], second_approval_above=1000.0)
    first, second, *_ = approvers(env)
    assert refused(env, SLUG, "submit_pay_run", pay_run_id=run["id"]) == "not_approved"
    shown = ok(env, SLUG, "approve_pay_run", pay_run_id=run["id"], approver_email=first)
    assert (shown["status"], shown["approvals_needed"]) == ("draft", 1)
    closed = ok(env, SLUG, "approve_pay_run", pay_run_id=run["id"], approver_email=second)
    assert closed["status"] == "approved"
    assert refused(env, SLUG, "add_pay_item", **extra) == "run_closed"
    change = {"employee_id": rows(env, SLUG, "employees")[0]["id"], "annual_salary": 99_000}
    assert refused(env, SLUG, "change_salary", effective_on="2026-03-01", **change) == "period_closed"
    ok(env, SLUG, "submit_pay_run", pay_run_id=run["id"])
    assert refused(env, SLUG, "reopen_pay_run", pay_run_id=run["id"]) == "not_approved"


def test_a_bank_account_changes_only_when_an_approver_confirms() -> None:
    env = settled(environment(SLUG))
    employee = payee(env)
    asked = {"employee_id": employee["id"], "iban": "GB12TEST00001111", "reason": "Letter, called back"}
    change = ok(env, SLUG, "request_bank_account_change", **asked)
    assert one(env, SLUG, "employees", id=employee["id"])["iban"] == employee["iban"]
    decision = {"bank_change_id": change["id"]}
    stranger = "noor.haddad@larkfield.example"
    assert refused(env, SLUG, "decide_bank_account_change", decided_by=stranger, **decision) == "not_an_approver"
    approver = next(email for email in approvers(env) if email != employee["email"])
    ok(env, SLUG, "decide_bank_account_change", decided_by=approver, **decision)
    assert one(env, SLUG, "employees", id=employee["id"])["iban"] == "GB12TEST00001111"


def test_a_deduction_stops_at_its_total() -> None:
    env = environment(SLUG)
    loan = {"employee_id": payee(env, 2)["id"], "kind": "loan", "monthly_amount": 40, "total_amount": 60}
    made = ok(env, SLUG, "create_deduction", starts_on="2026-03-01", **loan)
    assert (made["due_this_month"], made["left"]) == (40.0, 60.0)
    assert refused(env, SLUG, "create_deduction", starts_on="2026-03-01", **loan) == "duplicate_deduction"
