"""The rules of payments, as short stories: what calls bring about."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused

CARD = {"kind": "card", "brand": "Visa", "last4": "4242", "expires": "2030-01"}


def payer(env: ProductEnvironment) -> str:
    customer: Row = ok(env, "payments", "create_customer", name="Testwerk", email="pay@testwerk.example")
    ok(env, "payments", "attach_payment_method", customer_id=customer["id"], **CARD)
    return str(customer["id"])


def euros(env: ProductEnvironment) -> Row:
    found: Row = ok(env, "payments", "get_balance", currency="EUR")["balances"][0]
    return found


def charge(env: ProductEnvironment, amount: float, **terms: Any) -> Row:
    made: Row = ok(env, "payments", "create_charge", customer_id=payer(env), amount=amount, description="Test", **terms)
    return made


def test_the_balance_is_the_sum_of_its_movements() -> None:
    env = environment("payments", scale="normal", seed=11)
    for found in ok(env, "payments", "get_balance")["balances"]:
        listed = ok(env, "payments", "list_balance_transactions", currency=found["currency"])
        parts = (found[name] for name in ("available", "pending", "held_for_review"))
        assert sum(parts) == pytest.approx(listed["sum_net"], abs=0.01)
        assert found["available"] >= 0


def test_part_of_an_authorisation_is_captured_and_is_pending() -> None:
    env = environment("payments")
    made = charge(env, 200.0, capture=False)
    before = euros(env)
    assert refused(env, "payments", "create_refund", charge_id=made["id"], reason="duplicate") == "not_captured"
    taken = ok(env, "payments", "capture_charge", charge_id=made["id"], amount=150.0)
    assert taken["fee"] == pytest.approx(150 * 0.015 + 0.25)
    assert euros(env)["pending"] == pytest.approx(before["pending"] + 150 - 2.5)
    assert euros(env)["available"] == before["available"]
    assert refused(env, "payments", "capture_charge", charge_id=made["id"]) == "not_authorized"
    back = {"charge_id": made["id"], "reason": "goods_returned", "amount": 100.0}
    assert ok(env, "payments", "create_refund", **back)["charge"]["refundable"] == 50.0
    assert refused(env, "payments", "create_refund", **back) == "over_refund"


def test_large_card_charges_wait_for_a_review() -> None:
    env = environment("payments")
    before = euros(env)
    made = charge(env, 10_000.0)
    assert made["review"] == "open"
    assert euros(env)["held_for_review"] > before["held_for_review"]
    ok(env, "payments", "review_charge", charge_id=made["id"], finding="Called the contact.")
    after = euros(env)
    assert after["held_for_review"] == before["held_for_review"]
    assert after["pending"] == pytest.approx(before["pending"] + made["amount"] - made["fee"])


def test_payouts_take_from_what_is_available_and_can_be_called_back() -> None:
    env = environment("payments")
    before = euros(env)["available"]
    rest = ok(env, "payments", "create_payout", amount=100.0, currency="EUR", speed="instant")["balance"]
    assert rest["available"] == pytest.approx(before - 101.0)
    slow = ok(env, "payments", "create_payout", amount=50.0, currency="EUR")
    assert slow["balance"]["available"] == pytest.approx(before - 151.0)
    over = {"amount": before, "currency": "EUR"}
    assert refused(env, "payments", "create_payout", **over) == "insufficient_balance"
    back = ok(env, "payments", "cancel_payout", payout_id=slow["payout"]["id"])
    assert back["balance"]["available"] == pytest.approx(before - 101.0)


def test_an_accepted_dispute_cannot_be_answered_and_keeps_the_money_away() -> None:
    env = environment("payments")
    dispute = one(env, "payments", "disputes", status="needs_response")
    before = ok(env, "payments", "get_balance")
    ok(env, "payments", "accept_dispute", dispute_id=dispute["id"])
    assert ok(env, "payments", "get_balance") == before
    answer = {"dispute_id": dispute["id"], "evidence": "Signed", "tracking_number": "TRK1"}
    assert refused(env, "payments", "submit_dispute_evidence", **answer) == "not_open"
    assert refused(env, "payments", "create_refund", charge_id=dispute["charge_id"], reason="duplicate")
