"""Situations in payments; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import COMPANIES, Env, Situation, case
from tests.library.world import Row, ok, one, patched

COMPANIES += [("payments", "customers")]


def _payer(env: Env) -> Row:
    """A new customer with a card that works."""
    customer = ok(env, "payments", "create_customer", name="Testwerk", email="pay@testwerk.example")
    card = {"kind": "card", "brand": "Visa", "last4": "4242", "expires": "2030-01"}
    found: Row = ok(env, "payments", "attach_payment_method", customer_id=customer["id"], **card)
    return found


def _charge(env: Env, **terms: Any) -> Row:
    arguments = {"customer_id": _payer(env)["id"], "amount": 80.0, "description": "Test", **terms}
    charge: Row = ok(env, "payments", "create_charge", **arguments)
    return charge


def _dispute(env: Env, **changes: Any) -> tuple[Env, str]:
    dispute = one(env, "payments", "disputes")
    terms = {"status": "needs_response", "respond_by": "2026-04-01", "closed_on": None, **changes}
    return patched(env, "payments", "disputes", dispute["id"], **terms), dispute["id"]


@case("payments", "attach_payment_method", "expired_card")
def _(env: Env) -> Situation:
    card = {"kind": "card", "brand": "Visa", "last4": "1111", "expires": "2026-01"}
    return env, {"customer_id": _payer(env)["id"], **card}


@case("payments", "attach_payment_method", "currency_not_supported")
def _(env: Env) -> Situation:
    arguments = {"name": "Testwerk", "email": "pay@testwerk.example", "currency": "USD"}
    customer = ok(env, "payments", "create_customer", **arguments)
    return env, {"customer_id": customer["id"], "kind": "sepa_debit", "brand": "Bank", "last4": "1111"}


@case("payments", "attach_payment_method", "duplicate_method")
def _(env: Env) -> Situation:
    card = {"kind": "card", "brand": "Visa", "last4": "4242", "expires": "2031-01"}
    return env, {"customer_id": _payer(env)["id"], **card}


@case("payments", "detach_payment_method", "in_use")
def _(env: Env) -> Situation:
    charge = one(env, "payments", "charges")
    env = patched(env, "payments", "customers", charge["customer_id"], default_method_id=None)
    return env, {"method_id": charge["method_id"]}


@case("payments", "capture_charge", "authorization_expired")
def _(env: Env) -> Situation:
    charge = one(env, "payments", "charges", status="cancelled")
    old = {"status": "authorized", "created_at": "2026-01-05T09:00:00Z"}
    return patched(env, "payments", "charges", charge["id"], **old), {"charge_id": charge["id"]}


@case("payments", "capture_charge", "in_review")
def _(env: Env) -> Situation:
    return env, {"charge_id": _charge(env, amount=12_000.0, capture=False)["id"]}


@case("payments", "capture_charge", "over_authorized")
def _(env: Env) -> Situation:
    return env, {"charge_id": _charge(env, capture=False)["id"], "amount": 81.0}


@case("payments", "create_charge", "expired_card")
def _(env: Env) -> Situation:
    payer = _payer(env)
    env = patched(env, "payments", "methods", one(env, "payments", "methods", kind="card")["id"], expires="2025-12")
    method = one(env, "payments", "methods", expires="2025-12")
    assert payer["default_method_id"] != method["id"]
    return env, {
        "customer_id": method["customer_id"],
        "method_id": method["id"],
        "amount": 5.0,
        "description": "Test",
    }


@case("payments", "create_charge", "no_payment_method")
def _(env: Env) -> Situation:
    customer = ok(env, "payments", "create_customer", name="Testwerk", email="pay@testwerk.example")
    return env, {"customer_id": customer["id"], "amount": 5.0, "description": "Test"}


@case("payments", "create_charge", "duplicate_charge")
def _(env: Env) -> Situation:
    charge = _charge(env, order_number="PO-1")
    return env, {"customer_id": charge["customer_id"], "amount": 5.0, "description": "Test", "order_number": "po-1"}


@case("payments", "create_payout", "instant_limit")
def _(env: Env) -> Situation:
    return _rich(env), {"amount": 10_001.0, "currency": "EUR", "speed": "instant"}


def _rich(env: Env) -> Env:
    """Enough EUR for any payout."""
    charge = one(env, "payments", "charges", status="succeeded", currency="EUR")
    return patched(env, "payments", "charges", charge["id"], amount=900_000.0, captured_amount=900_000.0, review="none")


@case("payments", "create_refund", "too_old")
def _(env: Env) -> Situation:
    charge = _charge(env)
    env = patched(env, "payments", "charges", one(env, "payments", "charges", status="succeeded")["id"], review="none")
    old = one(env, "payments", "charges", status="succeeded")
    assert charge["id"] != old["id"]
    env = patched(env, "payments", "charges", old["id"], captured_on="2025-05-01")
    return env, {"charge_id": old["id"], "reason": "duplicate"}


@case("payments", "create_refund", "insufficient_balance")
def _(env: Env) -> Situation:
    return env, {"charge_id": _charge(env, amount=500_000.0)["id"], "reason": "duplicate"}


@case("payments", "create_refund", "disputed")
def _(env: Env) -> Situation:
    dispute = one(env, "payments", "disputes", status="needs_response")
    charge = one(env, "payments", "charges", id=dispute["charge_id"])
    env = patched(env, "payments", "charges", charge["id"], captured_on="2026-02-20")
    return env, {"charge_id": charge["id"], "reason": "duplicate"}


@case("payments", "review_charge", "blank_text")
def _(env: Env) -> Situation:
    return env, {"charge_id": _charge(env, amount=12_000.0)["id"], "finding": "  "}


@case("payments", "set_default_payment_method", "expired_card")
def _(env: Env) -> Situation:
    used = {row["default_method_id"] for row in env.rows("payments", "customers")}
    method = next(row for row in env.rows("payments", "methods") if row["id"] not in used)
    return patched(env, "payments", "methods", method["id"], expires="2025-12"), {"method_id": method["id"]}


@case("payments", "set_default_payment_method", "card_declined")
def _(env: Env) -> Situation:
    used = {row["default_method_id"] for row in env.rows("payments", "customers")}
    method = next(row for row in env.rows("payments", "methods") if row["id"] not in used)
    changes = {"blocked": True, "expires": ""}
    return patched(env, "payments", "methods", method["id"], **changes), {"method_id": method["id"]}


@case("payments", "submit_dispute_evidence", "too_late")
def _(env: Env) -> Situation:
    env, dispute = _dispute(env, respond_by="2026-02-01")
    return env, {"dispute_id": dispute, "evidence": "Signed"}


@case("payments", "submit_dispute_evidence", "tracking_needed")
def _(env: Env) -> Situation:
    env, dispute = _dispute(env, reason="product_not_received")
    return env, {"dispute_id": dispute, "evidence": "Signed"}


@case("payments", "submit_dispute_evidence", "blank_text")
def _(env: Env) -> Situation:
    env, dispute = _dispute(env, reason="duplicate")
    return env, {"dispute_id": dispute, "evidence": " "}
