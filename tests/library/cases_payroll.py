"""Situations in payroll; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import one, patched, rows

SLUG = "payroll"
PEOPLE += [(SLUG, "employees"), (SLUG, "administrators")]


def draft(env: Env) -> dict[str, Any]:
    return one(env, SLUG, "pay_runs", status="draft")


def payee(env: Env, number: int = 0) -> dict[str, Any]:
    """Somebody who is paid in the draft run."""
    return rows(env, SLUG, "employees", schedule_id=draft(env)["schedule_id"], ended_on=None)[number]


def item(env: Env, **more: Any) -> dict[str, Any]:
    base = {"pay_run_id": draft(env)["id"], "employee_id": payee(env)["id"], "kind": "bonus", "amount": 11.0}
    return {**base, "description": "Bonus", **more}


def settled(env: Env) -> Env:
    """No bank account change is pending."""
    for row in rows(env, SLUG, "bank_changes", status="pending"):
        env = patched(env, SLUG, "bank_changes", row["id"], status="rejected")
    return env


def approvers(env: Env) -> list[str]:
    return [row["email"] for row in rows(env, SLUG, "administrators", role="approver")]


@case(SLUG, "add_pay_item", "blank_text")
def _(env: Env) -> Situation:
    return env, item(env, description="  ")


@case(SLUG, "add_pay_item", "cutoff_passed")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "pay_runs", draft(env)["id"], pay_date="2026-03-04"), item(env)


@case(SLUG, "add_pay_item", "duplicate_item")
def _(env: Env) -> Situation:
    assert env.call(SLUG, "add_pay_item", item(env))["success"]
    return env, item(env)


@case(SLUG, "add_pay_item", "negative_pay")
def _(env: Env) -> Situation:
    return env, item(env, kind="correction", amount=-45_000)


@case(SLUG, "add_pay_item", "approval_needed")
def _(env: Env) -> Situation:
    return env, item(env, amount=20_000)


@case(SLUG, "approve_pay_run", "already_approved")
def _(env: Env) -> Situation:
    env, run, first = settled(env), draft(env), approvers(env)[0]
    env = patched(env, SLUG, "schedules", run["schedule_id"], second_approval_above=1.0)
    assert env.call(SLUG, "approve_pay_run", {"pay_run_id": run["id"], "approver_email": first})["success"]
    return env, {"pay_run_id": run["id"], "approver_email": first}


@case(SLUG, "approve_pay_run", "bank_change_pending")
def _(env: Env) -> Situation:
    asked = {"employee_id": payee(env)["id"], "iban": "GB99TEST12345678", "reason": "Letter"}
    env.call(SLUG, "request_bank_account_change", asked)
    return env, {"pay_run_id": draft(env)["id"], "approver_email": approvers(env)[0]}


def _raise(env: Env, **more: Any) -> dict[str, Any]:
    return {"employee_id": payee(env)["id"], "annual_salary": 50_000, "effective_on": "2026-04-01", **more}


@case(SLUG, "change_salary", "employment_ended")
def _(env: Env) -> Situation:
    env = patched(env, SLUG, "employees", payee(env)["id"], ended_on="2026-03-20")
    gone = one(env, SLUG, "employees", ended_on="2026-03-20")
    return env, _raise(env, employee_id=gone["id"])


@case(SLUG, "change_salary", "period_closed")
def _(env: Env) -> Situation:
    return env, _raise(env, effective_on="2026-02-01")


@case(SLUG, "change_salary", "same_salary")
def _(env: Env) -> Situation:
    assert env.call(SLUG, "change_salary", _raise(env))["success"]
    return env, _raise(env)


def _deduct(env: Env, **more: Any) -> dict[str, Any]:
    base = {"employee_id": payee(env)["id"], "kind": "loan", "monthly_amount": 20, "starts_on": "2026-04-01"}
    return {**base, **more}


@case(SLUG, "create_deduction", "employment_ended")
def _(env: Env) -> Situation:
    gone = next(row for row in rows(env, SLUG, "employees") if row["ended_on"])
    return env, _deduct(env, employee_id=gone["id"])


@case(SLUG, "create_deduction", "protected_pay")
def _(env: Env) -> Situation:
    return env, _deduct(env, kind="union_fee", monthly_amount=2000)


@case(SLUG, "create_pay_run", "earlier_run_open")
def _(env: Env) -> Situation:
    return env, {"schedule": "UK monthly", "month": "2026-04"}


@case(SLUG, "create_pay_run", "month_skipped")
def _(env: Env) -> Situation:
    return env, {"schedule": "NL monthly", "month": "2026-05"}


@case(SLUG, "decide_bank_account_change", "own_account")
def _(env: Env) -> Situation:
    env, email = settled(env), approvers(env)[0]
    employee = one(env, SLUG, "employees", email=email)
    asked = {"employee_id": employee["id"], "iban": "GB99TEST12345678", "reason": "Letter"}
    change = env.call(SLUG, "request_bank_account_change", asked)["data"]
    return env, {"bank_change_id": change["id"], "decided_by": email}


@case(SLUG, "end_deduction", "period_closed")
def _(env: Env) -> Situation:
    row = next(row for row in rows(env, SLUG, "deductions") if row["kind"] != "court_order" and not row["ends_on"])
    env = patched(env, SLUG, "deductions", row["id"], starts_on="2025-12-01")
    return env, {"deduction_id": row["id"], "ends_on": "2025-12-20"}


@case(SLUG, "request_bank_account_change", "blank_text")
def _(env: Env) -> Situation:
    return settled(env), {"employee_id": payee(env)["id"], "iban": "GB99TEST12345678", "reason": "  "}


@case(SLUG, "request_bank_account_change", "change_pending")
def _(env: Env) -> Situation:
    change = one(env, SLUG, "bank_changes", status="pending")
    return env, {"employee_id": change["employee_id"], "iban": "GB99TEST12345678", "reason": "Letter"}


@case(SLUG, "submit_pay_run", "too_early")
def _(env: Env) -> Situation:
    run = one(env, SLUG, "pay_runs", status="approved")
    return patched(env, SLUG, "pay_runs", run["id"], pay_date="2026-06-25"), {"pay_run_id": run["id"]}
