"""The rules of procurement, as short stories; budgets are computed here and not by the service."""

from __future__ import annotations

import pytest

from services_app.engine import ProductEnvironment
from services_app.library.cast import ME
from tests.library.cases_procurement import SLUG, approved, filled, invoice, mine_to_decide, ordered, receive
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, one, patched, refused


def left(env: ProductEnvironment, budget_id: str) -> float:
    rows = ok(env, SLUG, "list_budgets")["budgets"]
    return float(next(row["left"] for row in rows if row["id"] == budget_id))


def test_the_chain_of_approvals_grows_with_the_amount_and_leaves_out_the_requester() -> None:
    lengths = []
    for quantity in (5, 250, 1200):
        env, row = filled(environment(SLUG), quantity, "Engineering lab")
        env = patched(env, SLUG, "budgets", row["budget_id"], amount=500_000.0)
        sent = ok(env, SLUG, "submit_requisition", requisition_id=row["id"])
        emails = [step["approver_email"] for step in sent["approvals"]]
        assert ME.email not in emails
        assert sent["waits_for"] == emails[0] == one(env, SLUG, "budgets", id=row["budget_id"])["owner_email"]
        lengths.append(len(emails))
    assert lengths == [1, 2, 3]
    env, row = filled(environment(SLUG))  # my own budget: somebody else decides
    sent = ok(env, SLUG, "submit_requisition", requisition_id=row["id"])
    assert sent["waits_for"] == one(env, SLUG, "budgets", name="General")["owner_email"]
    assert refused(env, SLUG, "approve_requisition", requisition_id=row["id"]) == "not_your_turn"


def test_a_decision_of_mine_moves_the_requisition() -> None:
    env, row = mine_to_decide(environment(SLUG))
    rejected = env.fork()
    assert ok(env, SLUG, "approve_requisition", requisition_id=row["id"])["status"] == "approved"
    assert refused(env, SLUG, "approve_requisition", requisition_id=row["id"]) == "not_pending"
    shown = ok(rejected, SLUG, "reject_requisition", requisition_id=row["id"], reason="Too many")
    assert (shown["status"], shown["comments"][-1]["text"]) == ("rejected", "Too many")


def test_a_budget_is_taken_by_requests_and_given_back_by_withdrawals_and_cancellations() -> None:
    env, row = filled(environment(SLUG))
    before = left(env, row["budget_id"])
    ok(env, SLUG, "submit_requisition", requisition_id=row["id"])
    assert left(env, row["budget_id"]) == pytest.approx(before - 50)
    ok(env, SLUG, "withdraw_requisition", requisition_id=row["id"])
    assert left(env, row["budget_id"]) == pytest.approx(before)
    env, row = approved(environment(SLUG))
    order = ok(env, SLUG, "create_purchase_orders", requisition_id=row["id"])["purchase_orders"][0]
    assert left(env, row["budget_id"]) == pytest.approx(before - 50)
    ok(env, SLUG, "cancel_purchase_order", purchase_order_id=order["id"])
    assert left(env, row["budget_id"]) == pytest.approx(before)


def test_an_invoice_is_paid_only_for_what_arrived() -> None:
    env, order = ordered(environment(SLUG))
    env, bill = invoice(env, order, 50.0)
    assert refused(env, SLUG, "approve_supplier_invoice", invoice_id=bill["id"]) == "match_failed"
    assert ok(env, SLUG, "receive_goods", **receive(order, 3))["delivery"] == "partly_received"
    assert refused(env, SLUG, "approve_supplier_invoice", invoice_id=bill["id"]) == "match_failed"
    assert refused(env, SLUG, "receive_goods", **receive(order, 3, "DN2")) == "over_delivery"
    assert ok(env, SLUG, "receive_goods", **receive(order, 2, "DN2"))["delivery"] == "received"
    assert ok(env, SLUG, "approve_supplier_invoice", invoice_id=bill["id"])["status"] == "approved"
    assert refused(env, SLUG, "dispute_supplier_invoice", invoice_id=bill["id"], reason="Late") == "already_approved"


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_received_or_paid_beyond_what_was_ordered(seed: int) -> None:
    env = wander(SLUG, seed)
    for order in env.rows(SLUG, "purchase_orders"):
        shown = ok(env, SLUG, "get_purchase_order", purchase_order_id=order["id"])
        for line in shown["lines"]:
            came = sum(row["quantity"] for row in line["receipts"])
            assert 0 <= came == line["received"] <= line["quantity"]
        assert shown["invoiced"] <= shown["received_value"] * 1.01 + 0.005
        assert shown["total"] == pytest.approx(sum(row["quantity"] * row["unit_price"] for row in shown["lines"]))


@pytest.mark.parametrize("scale", ["small", "normal"])
def test_the_seed_keeps_its_own_rules(scale: str) -> None:
    env = environment(SLUG, scale=scale)
    requesters = {row["id"]: row for row in env.rows(SLUG, "requisitions")}
    for step in env.rows(SLUG, "approvals"):
        assert step["approver_email"] != requesters[step["requisition_id"]]["requester_email"]
    for table in ("requisitions", "purchase_orders"):
        numbers = [row["number"] for row in env.rows(SLUG, table)]
        assert len(numbers) == len(set(numbers))
    assert ok(env, SLUG, "search_requisitions", awaiting_my_approval=True)["total"] > 0
    assert all(row["left"] >= 0 for row in ok(env, SLUG, "list_budgets")["budgets"])
