"""The rules of order management, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused


def placed(env: ProductEnvironment, sku: str, quantity: int) -> Row:
    customer = one(env, "orders", "customers", credit_hold=False)
    lines = [{"sku": sku, "quantity": quantity}]
    draft = ok(env, "orders", "create_order", customer_id=customer["id"], lines=lines, po_number=f"PO-{quantity}")
    order: Row = ok(env, "orders", "place_order", order_id=draft["id"])
    return order


def free(env: ProductEnvironment, sku: str) -> Row:
    found: Row = ok(env, "orders", "check_availability", sku=sku)
    return found


def test_units_are_reserved_shipped_and_come_back() -> None:
    """Available units fall with the order, units on hand with the shipment; a cancelled shipment restores both."""
    env = environment("orders")
    before = free(env, "LF-1140")
    order = placed(env, "LF-1140", 3)
    assert free(env, "LF-1140")["available"] == before["available"] - 3
    assert free(env, "LF-1140")["on_hand"] == before["on_hand"]
    line = order["lines"][0]["id"]
    part = {"order_id": order["id"], "carrier": "Postwind", "items": [{"line_id": line, "quantity": 2}]}
    first = ok(env, "orders", "create_fulfillment", **part)
    after = free(env, "LF-1140")
    assert (after["on_hand"], after["reserved"]) == (before["on_hand"] - 2, before["reserved"] + 1)
    assert ok(env, "orders", "get_order", order_id=order["id"])["fulfillment_status"] == "partially_fulfilled"
    assert refused(env, "orders", "create_fulfillment", **part) == "too_many"
    ok(env, "orders", "cancel_fulfillment", fulfillment_id=first["id"])
    assert free(env, "LF-1140")["on_hand"] == before["on_hand"]
    ok(env, "orders", "cancel_order", order_id=order["id"], reason="duplicate")
    assert free(env, "LF-1140")["available"] == before["available"]


def test_a_change_after_approval_needs_a_new_one() -> None:
    env = environment("orders")
    customer = one(env, "orders", "customers", credit_hold=False)
    lines = [{"sku": "LF-1120", "quantity": 2}]
    draft = ok(env, "orders", "create_order", customer_id=customer["id"], lines=lines, po_number="PO-9")
    ok(env, "orders", "apply_discount", order_id=draft["id"], percent=14)
    assert refused(env, "orders", "place_order", order_id=draft["id"]) == "approval_needed"
    approver = ok(env, "orders", "list_approvers", discount_percent=14)["approvers"][0]
    say = {"order_id": draft["id"], "approver_id": approver["id"], "comment": "Agreed by phone."}
    ok(env, "orders", "record_approval", **say)
    ok(env, "orders", "set_line_quantity", line_id=draft["lines"][0]["id"], quantity=3)
    assert refused(env, "orders", "place_order", order_id=draft["id"]) == "approval_needed"
    ok(env, "orders", "record_approval", **say)
    assert ok(env, "orders", "place_order", order_id=draft["id"])["total"] == pytest.approx(3 * 845 * 0.86 * 1.2)


def test_an_opened_return_loses_the_restocking_fee_and_is_refunded_once() -> None:
    env = environment("orders")
    order = placed(env, "LF-1100", 4)
    shipment = ok(env, "orders", "create_fulfillment", order_id=order["id"], carrier="Postwind")
    back = {"line_id": order["lines"][0]["id"], "quantity": 2, "reason": "not_needed"}
    assert refused(env, "orders", "create_return", **back) == "not_delivered"
    ok(env, "orders", "confirm_delivery", fulfillment_id=shipment["id"])
    row = ok(env, "orders", "create_return", **back)
    assert refused(env, "orders", "receive_return", return_id=row["id"], condition="opened") == "not_approved"
    ok(env, "orders", "review_return", return_id=row["id"], decision="approve")
    stock = free(env, "LF-1100")["on_hand"]
    worth = ok(env, "orders", "receive_return", return_id=row["id"], condition="opened")["credit"]
    assert worth == pytest.approx(2 * 198 * 0.85 * 1.2)
    assert free(env, "LF-1100")["on_hand"] == stock
    refund = {"order_id": order["id"], "amount": worth, "reason": "Return", "return_id": row["id"]}
    assert ok(env, "orders", "issue_refund", **refund)["order"]["refunded"] == pytest.approx(worth)
    assert refused(env, "orders", "issue_refund", **{**refund, "amount": 1.0}) == "over_refund"
    goodwill = {"order_id": order["id"], "amount": 100.0, "reason": "Sorry"}
    assert refused(env, "orders", "issue_refund", **goodwill) == "goodwill_limit"


def test_what_has_shipped_in_the_seed_is_no_more_than_was_ordered() -> None:
    env = environment("orders", scale="normal", seed=11)
    cancelled = {row["id"] for row in env.rows("orders", "fulfillments") if row["status"] == "cancelled"}
    for line in env.rows("orders", "lines"):
        parcels = [row for row in env.rows("orders", "parcels") if row["line_id"] == line["id"]]
        shipped = sum(row["quantity"] for row in parcels if row["fulfillment_id"] not in cancelled)
        back = sum(row["quantity"] for row in env.rows("orders", "returns") if row["line_id"] == line["id"])
        assert back <= shipped <= line["quantity"]
