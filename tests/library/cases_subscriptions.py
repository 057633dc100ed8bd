"""Situations in subscription billing; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import COMPANIES, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

SUBS = "subscriptions"
COMPANIES += [(SUBS, "accounts")]


def _plan(env: Env, code: str) -> str:
    return str(one(env, SUBS, "plans", code=code)["id"])


def _subscription(env: Env, quantity: int = 3, **terms: Any) -> Row:
    """A new subscription to a plan of its own, with an open invoice."""
    plan = {"code": "TEST-M", "name": "Test", "unit_price": 10.0, "interval": "month", "min_quantity": 2}
    made = ok(env, SUBS, "create_plan", **plan)
    account = one(env, SUBS, "accounts", card_declines=False)
    arguments = {"account_id": account["id"], "plan_id": made["id"], "quantity": quantity, **terms}
    found: Row = ok(env, SUBS, "create_subscription", **arguments)
    return found


@case(SUBS, "change_subscription", "ends_at_renewal")
def _(env: Env) -> Situation:
    row = _subscription(env)
    ok(env, SUBS, "cancel_subscription", subscription_id=row["id"], reason="not_used")
    return env, {"subscription_id": row["id"], "quantity": 4, "timing": "at_renewal"}


@case(SUBS, "change_subscription", "past_due")
def _(env: Env) -> Situation:
    return env, {"subscription_id": one(env, SUBS, "subscriptions", status="past_due")["id"], "quantity": 999}


@case(SUBS, "change_subscription", "below_minimum")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "quantity": 1}


@case(SUBS, "get_change_estimate", "below_minimum")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "quantity": 1}


@case(SUBS, "get_change_estimate", "plan_retired")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "plan_id": _plan(env, "FT-2023")}


@case(SUBS, "change_subscription", "plan_retired")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "plan_id": _plan(env, "FT-2023")}


@case(SUBS, "collect_invoice", "tried_today")
def _(env: Env) -> Situation:
    invoice = one(env, SUBS, "invoices", status="open")
    account = one(env, SUBS, "subscriptions", id=invoice["subscription_id"])["account_id"]
    for credit in rows(env, SUBS, "credits", account_id=account):
        env = patched(env, SUBS, "credits", credit["id"], amount=0.01)
    env = patched(env, SUBS, "accounts", account, card_declines=True)
    ok(env, SUBS, "collect_invoice", invoice_id=invoice["id"])
    return env, {"invoice_id": invoice["id"]}


@case(SUBS, "create_subscription", "coupon_not_redeemable")
def _(env: Env) -> Situation:
    row = _subscription(env)
    ok(env, SUBS, "cancel_subscription", subscription_id=row["id"], reason="not_used", when="now")
    arguments = {"account_id": row["account_id"], "plan_id": row["plan_id"], "quantity": 2}
    return env, {**arguments, "coupon_code": "SPRING25-OLD"}


@case(SUBS, "create_subscription", "coupon_other_plan")
def _(env: Env) -> Situation:
    row = _subscription(env)
    ok(env, SUBS, "cancel_subscription", subscription_id=row["id"], reason="not_used", when="now")
    arguments = {"account_id": row["account_id"], "plan_id": row["plan_id"], "quantity": 2}
    return env, {**arguments, "coupon_code": "FLEET10"}


@case(SUBS, "apply_coupon", "coupon_other_plan")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "coupon_code": "FLEET10"}


@case(SUBS, "apply_coupon", "has_coupon")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env, coupon_code="WELCOME20")["id"], "coupon_code": "STAY30"}


@case(SUBS, "apply_coupon", "coupon_not_redeemable")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "coupon_code": "SPRING25-OLD"}


@case(SUBS, "pause_subscription", "too_long")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "resumes_on": "2026-12-01"}


@case(SUBS, "pause_subscription", "open_invoices")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "resumes_on": "2026-04-01"}


@case(SUBS, "pause_subscription", "ends_at_renewal")
def _(env: Env) -> Situation:
    row = _subscription(env)
    ok(env, SUBS, "cancel_subscription", subscription_id=row["id"], reason="not_used")
    return env, {"subscription_id": row["id"], "resumes_on": "2026-04-01"}


@case(SUBS, "pause_subscription", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"subscription_id": _subscription(env)["id"], "resumes_on": "2026-02-30"}


@case(SUBS, "extend_trial", "already_extended")
def _(env: Env) -> Situation:
    row = one(env, SUBS, "subscriptions", status="trialing")
    ok(env, SUBS, "extend_trial", subscription_id=row["id"], days=3)
    return env, {"subscription_id": row["id"], "days": 3}


@case(SUBS, "retire_plan", "change_scheduled")
def _(env: Env) -> Situation:
    row = _subscription(env)
    ok(env, SUBS, "change_subscription", subscription_id=row["id"], quantity=5, timing="at_renewal")
    return env, {"plan_id": row["plan_id"]}


@case(SUBS, "mark_uncollectible", "blank_text")
def _(env: Env) -> Situation:
    invoice = one(env, SUBS, "invoices", status="paid")
    env = patched(env, SUBS, "invoices", invoice["id"], status="open", paid_on=None)
    tries = [row for row in env.rows(SUBS, "attempts") if row["invoice_id"] != invoice["id"]][:3]
    for row in tries:
        env = patched(env, SUBS, "attempts", row["id"], invoice_id=invoice["id"], succeeded=False)
    return env, {"invoice_id": invoice["id"], "reason": "  "}


@case(SUBS, "grant_credit", "blank_text")
def _(env: Env) -> Situation:
    return env, {"account_id": _subscription(env)["account_id"], "amount": 1.0, "reason": " "}


@case(SUBS, "update_card", "card_expired")
def _(env: Env) -> Situation:
    return env, {"account_id": one(env, SUBS, "accounts")["id"], "card_last4": "4242", "card_expires": "2026-02"}


@case(SUBS, "update_card", "no_change")
def _(env: Env) -> Situation:
    row = next(row for row in env.rows(SUBS, "accounts") if row["card_expires"] > "2026-06")
    return env, {"account_id": row["id"], "card_last4": row["card_last4"], "card_expires": row["card_expires"]}


@case(SUBS, "update_card", "not_found")
def _(env: Env) -> Situation:
    return env, {"account_id": "ACC-9999", "card_last4": "4242", "card_expires": "2030-02"}
