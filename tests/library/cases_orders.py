"""Situations in order management; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import COMPANIES, PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

COMPANIES += [("orders", "customers")]
PEOPLE += [("orders", "approvers")]


def _draft(env: Env, **terms: Any) -> tuple[Env, Row]:
    """A small draft order that could be placed, but for the terms given."""
    customer = one(env, "orders", "customers", credit_hold=False)
    lines = [{"sku": "LF-1100", "quantity": 3}]
    arguments = {"customer_id": customer["id"], "lines": lines, "po_number": "PO-1", **terms}
    return env, ok(env, "orders", "create_order", **arguments)


def _shipped(env: Env, status: str) -> Row:
    return one(env, "orders", "fulfillments", status=status)


@case("orders", "cancel_order", "blank_text")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    return env, {"order_id": order["id"], "reason": "duplicate", "note": " "}


@case("orders", "hold_order", "blank_text")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"order_id": order["id"], "reason": "stock", "note": " "}


@case("orders", "release_hold", "blank_text")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    ok(env, "orders", "hold_order", order_id=order["id"], reason="stock")
    return env, {"order_id": order["id"], "note": " "}


@case("orders", "release_hold", "credit_hold")
def _(env: Env) -> Situation:
    order = one(env, "orders", "orders", status="on_hold")
    return patched(env, "orders", "customers", order["customer_id"], credit_hold=True), {"order_id": order["id"]}


@case("orders", "confirm_delivery", "invalid_range")
def _(env: Env) -> Situation:
    shipment = _shipped(env, "delivered")
    changes = {"status": "in_transit", "delivered_on": None}
    env = patched(env, "orders", "fulfillments", shipment["id"], **changes)
    return env, {"fulfillment_id": shipment["id"], "delivered_on": "2025-01-02"}


@case("orders", "confirm_delivery", "in_the_future")
def _(env: Env) -> Situation:
    return env, {"fulfillment_id": _moving(env)["id"], "delivered_on": "2026-12-24"}


@case("orders", "confirm_delivery", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"fulfillment_id": _moving(env)["id"], "delivered_on": "2026-02-30"}


def _moving(env: Env) -> Row:
    """A shipment made now."""
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    shipment: Row = ok(env, "orders", "create_fulfillment", order_id=order["id"], carrier="Postwind")
    return shipment


@case("orders", "create_fulfillment", "insufficient_stock")
def _(env: Env) -> Situation:
    env, order = _draft(env, lines=[{"sku": "LF-1140", "quantity": 200}])
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"order_id": order["id"], "carrier": "Norfreight"}


@case("orders", "create_fulfillment", "too_many")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    items = [{"line_id": order["lines"][0]["id"], "quantity": 4}]
    return env, {"order_id": order["id"], "carrier": "Postwind", "items": items}


@case("orders", "create_fulfillment", "duplicate_tracking")
def _(env: Env) -> Situation:
    used = _shipped(env, "delivered")["tracking_number"]
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"order_id": order["id"], "carrier": "Postwind", "tracking_number": used}


@case("orders", "create_order", "duplicate_line")
def _(env: Env) -> Situation:
    lines = [{"sku": "LF-1100", "quantity": 3}, {"sku": "lf-1100", "quantity": 1}]
    return env, {"customer_id": one(env, "orders", "customers", credit_hold=False)["id"], "lines": lines}


@case("orders", "create_return", "already_returning")
def _(env: Env) -> Situation:
    row = one(env, "orders", "returns", status="approved")
    line = one(env, "orders", "lines", id=row["line_id"])
    env = patched(env, "orders", "returns", row["id"], quantity=line["quantity"])
    return env, {"line_id": line["id"], "quantity": 1, "reason": "late"}


@case("orders", "create_return", "window_closed")
def _(env: Env) -> Situation:
    taken = {row["line_id"] for row in env.rows("orders", "returns")}
    goods = {row["id"] for row in env.rows("orders", "products") if row["on_hand"] is not None}
    lines = {row["id"] for row in env.rows("orders", "lines") if row["product_id"] in goods} - taken
    arrived = {row["id"] for row in rows(env, "orders", "fulfillments", status="delivered")}
    parcel = next(
        row for row in env.rows("orders", "parcels") if row["line_id"] in lines and row["fulfillment_id"] in arrived
    )
    old = {"shipped_on": "2025-11-01", "delivered_on": "2025-11-03"}
    env = patched(env, "orders", "fulfillments", parcel["fulfillment_id"], **old)
    return env, {"line_id": parcel["line_id"], "quantity": 1, "reason": "late"}


@case("orders", "issue_refund", "not_received")
def _(env: Env) -> Situation:
    row = one(env, "orders", "returns", status="approved")
    order = one(env, "orders", "lines", id=row["line_id"])["order_id"]
    return env, {"order_id": order, "amount": 1.0, "reason": "Return", "return_id": row["id"]}


@case("orders", "issue_refund", "blank_text")
def _(env: Env) -> Situation:
    row = one(env, "orders", "returns", status="approved")
    return env, {"order_id": one(env, "orders", "lines", id=row["line_id"])["order_id"], "amount": 1.0, "reason": " "}


@case("orders", "place_order", "approval_needed")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "apply_discount", order_id=order["id"], percent=11)
    return env, {"order_id": order["id"]}


@case("orders", "place_order", "credit_hold")
def _(env: Env) -> Situation:
    order = one(env, "orders", "orders", status="draft")
    return patched(env, "orders", "customers", order["customer_id"], credit_hold=True), {"order_id": order["id"]}


@case("orders", "place_order", "duplicate_po")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"order_id": _draft(env)[1]["id"]}


@case("orders", "place_order", "no_lines")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "set_line_quantity", line_id=order["lines"][0]["id"], quantity=0)
    return env, {"order_id": order["id"]}


@case("orders", "place_order", "po_required")
def _(env: Env) -> Situation:
    env, order = _draft(env, po_number="", lines=[{"sku": "LF-1120", "quantity": 2}])
    return env, {"order_id": order["id"]}


def _waiting(env: Env) -> Row:
    env, order = _draft(env)
    changed: Row = ok(env, "orders", "apply_discount", order_id=order["id"], percent=30)
    return changed


@case("orders", "record_approval", "blank_text")
def _(env: Env) -> Situation:
    order = _waiting(env)
    head = max(env.rows("orders", "approvers"), key=lambda row: row["amount_limit"])
    return env, {"order_id": order["id"], "approver_id": head["id"], "comment": " "}


@case("orders", "record_approval", "over_approver_limit")
def _(env: Env) -> Situation:
    order = _waiting(env)
    low = min(env.rows("orders", "approvers"), key=lambda row: row["discount_limit"])
    return env, {"order_id": order["id"], "approver_id": low["id"], "comment": "Fine"}


@case("orders", "review_return", "blank_text")
def _(env: Env) -> Situation:
    row = one(env, "orders", "returns", status="requested")
    return env, {"return_id": row["id"], "decision": "decline", "explanation": "  "}


@case("orders", "set_line_quantity", "last_line")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"line_id": order["lines"][0]["id"], "quantity": 0}


@case("orders", "update_order", "duplicate_po")
def _(env: Env) -> Situation:
    env, order = _draft(env)
    ok(env, "orders", "place_order", order_id=order["id"])
    return env, {"order_id": _draft(env, po_number="")[1]["id"], "po_number": "po-1"}


@case("orders", "update_order", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"order_id": _draft(env)[1]["id"], "requested_date": "2026-02-30"}


@case("orders", "set_line_quantity", "no_change")
def _(env: Env) -> Situation:
    return env, {"line_id": _draft(env)[1]["lines"][0]["id"], "quantity": 3}
