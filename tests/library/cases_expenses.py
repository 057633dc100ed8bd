"""Situations in the expense application; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.driver import SPECIAL, Driver
from tests.library.world import Row, added, ok, one, patched

PEOPLE += [("expenses", "employees")]
SLUG = "expenses"


def _me(env: Env) -> Row:
    return one(env, SLUG, "employees", email=ME.email)


def own(env: Env, **more: object) -> tuple[Env, Row]:
    """An environment in which I have a fresh expense on no report, without receipt."""
    category = one(env, SLUG, "categories", name="Meals")
    record: Row = {
        "id": "EXP-9000",
        "employee_id": _me(env)["id"],
        "report_id": None,
        "category_id": category["id"],
        "kind": "purchase",
        "merchant": "Noodle House",
        "amount": 20.0,
        "currency": "GBP",
        "incurred_on": "2026-02-20",
        "description": "Lunch",
        "paid_with": "personal",
        "receipt_id": None,
        "distance_km": 0,
        **more,
    }
    return added(env, SLUG, "expenses", record), record


def draft(env: Env) -> Row:
    return ok(env, SLUG, "create_report", title="A fresh report")


def waiting(env: Env, **changes: object) -> tuple[Env, Row]:
    """A submitted report of a colleague that waits for me."""
    report = next(row for row in env.rows(SLUG, "reports") if row["employee_id"] != _me(env)["id"])
    changes = {"status": "submitted", "approver_id": _me(env)["id"], **changes}
    return patched(env, SLUG, "reports", report["id"], **changes), report


@case(SLUG, "create_mileage_expense", "no_mileage_category")
def _(env: Env) -> Situation:
    env = patched(env, SLUG, "categories", one(env, SLUG, "categories", name="Mileage")["id"], archived=True)
    return env, {"origin": "London", "destination": "Luton", "distance_km": 50, "incurred_on": "2026-02-20"}


@case(SLUG, "create_mileage_expense", "duplicate_expense")
def _(env: Env) -> Situation:
    drive = {"origin": "London", "destination": "Luton", "distance_km": 50, "incurred_on": "2026-02-20"}
    ok(env, SLUG, "create_mileage_expense", **drive)
    return env, drive


@case(SLUG, "create_expense", "duplicate_expense")
def _(env: Env) -> Situation:
    env, record = own(env)
    names = ("category_id", "amount", "incurred_on")
    return env, {"merchant": " noodle house", **{name: record[name] for name in names}}


@case(SLUG, "create_expense", "blank_text")
def _(env: Env) -> Situation:
    category = one(env, SLUG, "categories", archived=False)
    return env, {"merchant": " ", "category_id": category["id"], "amount": 5, "incurred_on": "2026-02-20"}


def _new(env: Env, **more: object) -> dict[str, object]:
    category = one(env, SLUG, "categories", archived=False)
    return {"merchant": "Kiosk", "category_id": category["id"], "amount": 5.0, "incurred_on": "2026-02-20", **more}


@case(SLUG, "create_expense", "report_locked")
def _(env: Env) -> Situation:
    report = draft(env)
    env = patched(env, SLUG, "reports", report["id"], status="approved")
    return env, _new(env, report_id=report["id"])


@case(SLUG, "create_expense", "not_yours")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    return env, _new(env, report_id=report["id"])


@case(SLUG, "update_expense", "archived_category")
def _(env: Env) -> Situation:
    env, record = own(env)
    archived = one(env, SLUG, "categories", archived=True)
    return env, {"expense_id": record["id"], "category_id": archived["id"]}


@case(SLUG, "update_expense", "blank_text")
def _(env: Env) -> Situation:
    env, record = own(env)
    return env, {"expense_id": record["id"], "merchant": "  "}


@case(SLUG, "update_expense", "invalid_date")
def _(env: Env) -> Situation:
    env, record = own(env)
    return env, {"expense_id": record["id"], "incurred_on": "2026-02-30"}


@case(SLUG, "update_expense", "card_matched")
def _(env: Env) -> Situation:
    env, record = own(env)
    env = patched(env, SLUG, "card_transactions", one(env, SLUG, "card_transactions")["id"], expense_id=record["id"])
    return env, {"expense_id": record["id"], "amount": 21.0}


@case(SLUG, "split_expense", "archived_category")
def _(env: Env) -> Situation:
    env, record = own(env)
    archived = one(env, SLUG, "categories", archived=True)
    return env, {"expense_id": record["id"], "amount": 1.0, "category_id": archived["id"], "description": "Part"}


@case(SLUG, "split_expense", "blank_text")
def _(env: Env) -> Situation:
    env, record = own(env)
    return env, {"expense_id": record["id"], "amount": 1.0, "category_id": record["category_id"], "description": " "}


def receipt(env: Env, **more: object) -> tuple[Env, Row]:
    record: Row = {
        "id": "RCP-9000",
        "employee_id": _me(env)["id"],
        "file_name": "noodle-house.pdf",
        "text": "Noodle House 20.00",
        "merchant": "Noodle House",
        "amount": 20.0,
        "currency": "GBP",
        "issued_on": "2026-02-20",
        "uploaded_at": "2026-02-20T18:00:00Z",
        **more,
    }
    return added(env, SLUG, "receipts", record), record


@case(SLUG, "attach_receipt", "receipt_in_use")
def _(env: Env) -> Situation:
    env, record = own(env)
    env, scan = receipt(env)
    arguments = {"expense_id": record["id"], "receipt_id": scan["id"]}
    ok(env, SLUG, "attach_receipt", **arguments)
    return env, arguments


@case(SLUG, "attach_receipt", "receipt_mismatch")
def _(env: Env) -> Situation:
    env, record = own(env)
    env, scan = receipt(env, amount=30.0)
    return env, {"expense_id": record["id"], "receipt_id": scan["id"]}


def transaction(env: Env, **more: object) -> tuple[Env, Row]:
    row = one(env, SLUG, "card_transactions")
    changes = {"employee_id": _me(env)["id"], "amount": 20.0, "currency": "GBP", "expense_id": None, **more}
    return patched(env, SLUG, "card_transactions", row["id"], **changes), row


@case(SLUG, "match_card_transaction", "already_matched")
def _(env: Env) -> Situation:
    env, record = own(env)
    env, row = transaction(env, expense_id=record["id"])
    return env, {"transaction_id": row["id"], "expense_id": record["id"]}


@case(SLUG, "match_card_transaction", "amount_mismatch")
def _(env: Env) -> Situation:
    env, record = own(env)
    env, row = transaction(env, amount=19.5)
    return env, {"transaction_id": row["id"], "expense_id": record["id"]}


@case(SLUG, "match_card_transaction", "report_locked")
def _(env: Env) -> Situation:
    report = draft(env)
    env = patched(env, SLUG, "reports", report["id"], status="approved")
    env, record = own(env, report_id=report["id"])
    env, row = transaction(env)
    return env, {"transaction_id": row["id"], "expense_id": record["id"]}


@case(SLUG, "create_report", "duplicate_title")
def _(env: Env) -> Situation:
    draft(env)
    return env, {"title": "A FRESH report "}


@case(SLUG, "move_expense_to_report", "already_reported")
def _(env: Env) -> Situation:
    report = draft(env)
    env, record = own(env, report_id=report["id"])
    return env, {"report_id": report["id"], "expense_id": record["id"]}


@case(SLUG, "submit_report", "empty_report")
def _(env: Env) -> Situation:
    return env, {"report_id": draft(env)["id"]}


@case(SLUG, "submit_report", "policy_violation")
def _(env: Env) -> Situation:
    report = draft(env)
    env, _ = own(env, report_id=report["id"])
    return env, {"report_id": report["id"]}


@case(SLUG, "approve_report", "over_approval_limit")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    env = patched(env, SLUG, "employees", _me(env)["id"], approval_limit=1)
    return env, {"report_id": report["id"]}


@case(SLUG, "reject_report", "blank_text")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    return env, {"report_id": report["id"], "reason": " "}


@case(SLUG, "forward_report", "own_report")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    return env, {"report_id": report["id"], "approver_email": ME.email}


@case(SLUG, "forward_report", "limit_too_low")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    low = next(
        row for row in env.rows(SLUG, "employees") if row["approval_limit"] == 0 and row["id"] != report["employee_id"]
    )
    return env, {"report_id": report["id"], "approver_email": low["email"]}


@case(SLUG, "forward_report", "unknown_employee")
def _(env: Env) -> Situation:
    env, report = waiting(env)
    return env, {"report_id": report["id"], "approver_email": "nobody@else.example"}


def _booked_for(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A card line that no expense has yet, and an expense of the same person and amount."""
    for row in driver.env.rows(SLUG, "card_transactions"):
        for expense in driver.env.rows(SLUG, "expenses"):
            same = all(row[name] == expense[name] for name in ("employee_id", "amount", "currency"))
            if same and row["expense_id"] is None and expense["report_id"] is None:
                return {"transaction_id": row["id"], "expense_id": expense["id"]}
    return {}


def _bought_for(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A loose receipt and the expense it belongs to."""
    used = {row["receipt_id"] for row in driver.env.rows(SLUG, "expenses")}
    for row in driver.env.rows(SLUG, "receipts"):
        for expense in driver.env.rows(SLUG, "expenses"):
            same = all(row[name] == expense[name] for name in ("employee_id", "amount", "currency"))
            if same and row["id"] not in used and expense["report_id"] is None:
                return {"receipt_id": row["id"], "expense_id": expense["id"]}
    return {}


SPECIAL[SLUG, "match_card_transaction"] = _booked_for
SPECIAL[SLUG, "attach_receipt"] = _bought_for
