"""Situations in procurement; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import Env, Situation, case
from tests.library.world import Row, added, ok, one, patched

SLUG = "procurement"


def item(env: Env, **changes: Any) -> tuple[Env, Row]:
    """A catalog item of a supplier that takes any order: 10.00 a piece, three days."""
    supplier = one(env, SLUG, "suppliers")
    env = patched(env, SLUG, "suppliers", supplier["id"], status="approved", minimum_order=0.0)
    record: Row = {
        "id": "ITM-9000",
        "supplier_id": supplier["id"],
        "sku": "NEW-1",
        "name": "Cable tie",
        "unit": "bag",
        "price": 10.0,
        "lead_days": 3,
        "minimum_quantity": 1,
        "discontinued": False,
        **changes,
    }
    return added(env, SLUG, "catalog_items", record), record


def draft(env: Env, budget: str = "Site equipment", **more: Any) -> Row:
    """A fresh requisition of mine without lines."""
    budget_id = one(env, SLUG, "budgets", name=budget)["id"]
    arguments = {"title": "Fresh", "budget_id": budget_id, "needed_by": "2026-04-15", **more}
    found: Row = ok(env, SLUG, "create_requisition", **arguments)
    return found


def filled(env: Env, quantity: int = 5, budget: str = "Site equipment") -> tuple[Env, Row]:
    """A fresh requisition of mine with one line of 10.00 a piece."""
    env, _ = item(env)
    row = draft(env, budget)
    line = {"requisition_id": row["id"], "item_id": "ITM-9000", "quantity": quantity}
    found: Row = ok(env, SLUG, "add_catalog_line", **line)
    return env, found


def approved(env: Env, quantity: int = 5) -> tuple[Env, Row]:
    """A requisition of mine that everybody has approved."""
    env, row = filled(env, quantity)
    ok(env, SLUG, "submit_requisition", requisition_id=row["id"])
    env = patched(env, SLUG, "requisitions", row["id"], status="approved")
    return env, row


def ordered(env: Env, quantity: int = 5) -> tuple[Env, Row]:
    """A purchase order with one line of 10.00 a piece."""
    env, row = approved(env, quantity)
    made = ok(env, SLUG, "create_purchase_orders", requisition_id=row["id"])
    return env, made["purchase_orders"][0]


def invoice(env: Env, order: Row, amount: float) -> tuple[Env, Row]:
    record: Row = {
        "id": "SIN-9000",
        "number": "XX1",
        "purchase_order_id": order["id"],
        "amount": amount,
        "invoiced_on": "2026-03-01",
        "status": "received",
        "dispute_reason": "",
    }
    return added(env, SLUG, "supplier_invoices", record), record


def receive(order: Row, quantity: int, note: str = "DN1") -> dict[str, Any]:
    return {"order_line_id": order["lines"][0]["id"], "quantity": quantity, "delivery_note": note}


def mine_to_decide(env: Env) -> tuple[Env, Row]:
    """A requisition of somebody else whose only step waits for me."""
    env, row = filled(env)
    ok(env, SLUG, "submit_requisition", requisition_id=row["id"])
    step = one(env, SLUG, "approvals", requisition_id=row["id"])
    env = patched(env, SLUG, "requisitions", row["id"], requester_email="somebody@larkfield.example")
    return patched(env, SLUG, "approvals", step["id"], approver_email=ME.email), row


@case(SLUG, "set_supplier_status", "open_orders")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    return env, {"supplier_id": order["supplier_id"], "status": "inactive", "reason": "Closed"}


@case(SLUG, "set_supplier_status", "blank_text")
def _(env: Env) -> Situation:
    return env, {
        "supplier_id": one(env, SLUG, "suppliers", status="approved")["id"],
        "status": "on_hold",
        "reason": " ",
    }


@case(SLUG, "create_requisition", "blank_text")
def _(env: Env) -> Situation:
    budget = one(env, SLUG, "budgets")["id"]
    return env, {"title": "  ", "budget_id": budget, "needed_by": "2026-04-15"}


def _line(env: Env, **changes: Any) -> Situation:
    env, new = item(env, **changes)
    return env, {"requisition_id": draft(env)["id"], "item_id": new["id"], "quantity": 1}


@case(SLUG, "add_catalog_line", "discontinued")
def _(env: Env) -> Situation:
    return _line(env, discontinued=True)


@case(SLUG, "add_catalog_line", "below_minimum_quantity")
def _(env: Env) -> Situation:
    return _line(env, minimum_quantity=2)


@case(SLUG, "add_catalog_line", "supplier_unavailable")
def _(env: Env) -> Situation:
    env, arguments = _line(env)
    supplier = one(env, SLUG, "catalog_items", id=arguments["item_id"])["supplier_id"]
    return patched(env, SLUG, "suppliers", supplier, status="on_hold"), arguments


@case(SLUG, "add_catalog_line", "duplicate_line")
def _(env: Env) -> Situation:
    env, row = filled(env)
    return env, {"requisition_id": row["id"], "item_id": "ITM-9000", "quantity": 1}


def _custom(env: Env, **more: Any) -> dict[str, Any]:
    supplier = one(env, SLUG, "suppliers", status="approved")["id"]
    arguments = {"requisition_id": draft(env)["id"], "supplier_id": supplier, "description": "Bench", "quantity": 1}
    return {**arguments, "unit_price": 50.0, **more}


@case(SLUG, "add_custom_line", "blank_text")
def _(env: Env) -> Situation:
    return env, _custom(env, description=" ")


@case(SLUG, "add_custom_line", "supplier_unavailable")
def _(env: Env) -> Situation:
    supplier = one(env, SLUG, "suppliers")["id"]
    env = patched(env, SLUG, "suppliers", supplier, status="inactive")
    return env, _custom(env, supplier_id=supplier)


@case(SLUG, "update_line_quantity", "below_minimum_quantity")
def _(env: Env) -> Situation:
    env, row = filled(env)
    env = patched(env, SLUG, "catalog_items", "ITM-9000", minimum_quantity=3)
    return env, {"line_id": row["lines"][0]["id"], "quantity": 2}


@case(SLUG, "submit_requisition", "no_lines")
def _(env: Env) -> Situation:
    return env, {"requisition_id": draft(env)["id"]}


@case(SLUG, "submit_requisition", "over_budget")
def _(env: Env) -> Situation:
    env, row = filled(env)
    return patched(env, SLUG, "budgets", row["budget_id"], amount=1.0), {"requisition_id": row["id"]}


@case(SLUG, "submit_requisition", "lead_time")
def _(env: Env) -> Situation:
    env, row = filled(env)
    return patched(env, SLUG, "catalog_items", "ITM-9000", lead_days=90), {"requisition_id": row["id"]}


@case(SLUG, "submit_requisition", "supplier_unavailable")
def _(env: Env) -> Situation:
    env, row = filled(env)
    supplier = row["lines"][0]["supplier_id"]
    return patched(env, SLUG, "suppliers", supplier, status="on_hold"), {"requisition_id": row["id"]}


@case(SLUG, "withdraw_requisition", "already_ordered")
def _(env: Env) -> Situation:
    env, row = approved(env)
    ok(env, SLUG, "create_purchase_orders", requisition_id=row["id"])
    return env, {"requisition_id": row["id"]}


@case(SLUG, "withdraw_requisition", "already_withdrawn")
def _(env: Env) -> Situation:
    row = draft(env)
    ok(env, SLUG, "withdraw_requisition", requisition_id=row["id"])
    return env, {"requisition_id": row["id"]}


@case(SLUG, "reject_requisition", "blank_text")
def _(env: Env) -> Situation:
    env, row = mine_to_decide(env)
    return env, {"requisition_id": row["id"], "reason": " "}


@case(SLUG, "create_purchase_orders", "supplier_unavailable")
def _(env: Env) -> Situation:
    env, row = approved(env)
    supplier = row["lines"][0]["supplier_id"]
    return patched(env, SLUG, "suppliers", supplier, status="on_hold"), {"requisition_id": row["id"]}


@case(SLUG, "create_purchase_orders", "below_minimum_order")
def _(env: Env) -> Situation:
    env, row = approved(env)
    supplier = row["lines"][0]["supplier_id"]
    return patched(env, SLUG, "suppliers", supplier, minimum_order=51.0), {"requisition_id": row["id"]}


def _cancelled(env: Env) -> tuple[Env, Row]:
    env, order = ordered(env)
    ok(env, SLUG, "cancel_purchase_order", purchase_order_id=order["id"])
    return env, order


@case(SLUG, "update_purchase_order", "order_cancelled")
def _(env: Env) -> Situation:
    env, order = _cancelled(env)
    return env, {"purchase_order_id": order["id"], "expected_on": "2026-04-02"}


@case(SLUG, "update_purchase_order", "invalid_date")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    return env, {"purchase_order_id": order["id"], "expected_on": "2026-02-30"}


@case(SLUG, "update_purchase_order", "in_the_past")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    return env, {"purchase_order_id": order["id"], "expected_on": "2026-02-20"}


@case(SLUG, "cancel_purchase_order", "order_cancelled")
def _(env: Env) -> Situation:
    env, order = _cancelled(env)
    return env, {"purchase_order_id": order["id"]}


@case(SLUG, "cancel_purchase_order", "partly_received")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    ok(env, SLUG, "receive_goods", **receive(order, 1))
    return env, {"purchase_order_id": order["id"]}


@case(SLUG, "cancel_purchase_order", "invoiced")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    env, _ = invoice(env, order, 50.0)
    return env, {"purchase_order_id": order["id"]}


@case(SLUG, "receive_goods", "order_cancelled")
def _(env: Env) -> Situation:
    env, order = _cancelled(env)
    return env, receive(order, 1)


@case(SLUG, "receive_goods", "over_delivery")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    return env, receive(order, 6)


@case(SLUG, "receive_goods", "duplicate_receipt")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    ok(env, SLUG, "receive_goods", **receive(order, 1))
    return env, receive(order, 1)


@case(SLUG, "receive_goods", "blank_text")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    return env, receive(order, 1, note=" ")


@case(SLUG, "approve_supplier_invoice", "match_failed")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    env, bill = invoice(env, order, 50.0)
    return env, {"invoice_id": bill["id"]}


@case(SLUG, "dispute_supplier_invoice", "blank_text")
def _(env: Env) -> Situation:
    env, order = ordered(env)
    env, bill = invoice(env, order, 50.0)
    return env, {"invoice_id": bill["id"], "reason": " "}
