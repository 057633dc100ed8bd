"""The rules of subscription billing, as short stories: what calls bring about."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import Row, ok, patched, refused

SUBS = "subscriptions"


def start(env: ProductEnvironment, *, declines: bool = False, **terms: Any) -> tuple[ProductEnvironment, Row]:
    """Four units at 30.00 a month from today on (2 March to 2 April: 31 days), not yet paid, without credit."""
    rich = {row["account_id"] for row in env.rows(SUBS, "credits")}
    account = next(row["id"] for row in env.rows(SUBS, "accounts") if row["id"] not in rich)
    env = patched(env, SUBS, "accounts", account, card_declines=declines, card_expires="2030-01")
    plan = {"code": "TEST-M", "name": "Test", "unit_price": 30.0, "interval": "month"}
    made = ok(env, SUBS, "create_plan", **plan)
    row = ok(env, SUBS, "create_subscription", account_id=account, plan_id=made["id"], quantity=4, **terms)
    return env, row


def test_more_units_now_cost_the_rest_of_the_period_and_fewer_give_credit() -> None:
    env, row = start(environment(SUBS))
    assert (row["mrr"], row["invoices"][0]["amount"]) == (120.0, 120.0)
    ok(env, SUBS, "collect_invoice", invoice_id=row["invoices"][0]["id"])
    estimate = ok(env, SUBS, "get_change_estimate", subscription_id=row["id"], quantity=6)
    assert estimate["today"]["net"] == 60.0
    more = ok(env, SUBS, "change_subscription", subscription_id=row["id"], quantity=6)
    assert [invoice["amount_due"] for invoice in more["invoices"]] == [0.0, 60.0]
    before = ok(env, SUBS, "get_account", account_id=row["account_id"])["credit"]
    ok(env, SUBS, "change_subscription", subscription_id=row["id"], quantity=1)
    after = ok(env, SUBS, "get_account", account_id=row["account_id"])["credit"]
    assert after == pytest.approx(before + 150.0)


def test_a_coupon_lowers_price_and_revenue_and_is_used_up() -> None:
    env, row = start(environment(SUBS), coupon_code="welcome20")
    assert (row["period_price"], row["mrr"]) == (96.0, 96.0)
    assert refused(env, SUBS, "apply_coupon", subscription_id=row["id"], coupon_code="STAY30") == "has_coupon"
    ok(env, SUBS, "create_coupon", code="ONCE", percent_off=10, months=1, max_redemptions=1)
    other = next(
        found for found in env.rows(SUBS, "subscriptions") if found["status"] == "active" and found["coupon_id"] is None
    )
    ok(env, SUBS, "apply_coupon", subscription_id=other["id"], coupon_code="once")
    left = ok(env, SUBS, "list_coupons", query="ONCE")["coupons"][0]
    assert (left["redemptions_left"], left["redeemable"]) == (0, False)


def test_a_refused_card_makes_it_past_due_and_a_new_one_helps() -> None:
    env, row = start(environment(SUBS), declines=True)
    invoice = row["invoices"][0]["id"]
    answer = ok(env, SUBS, "collect_invoice", invoice_id=invoice)
    assert (answer["collected"], answer["subscription"]["status"]) == (False, "past_due")
    assert refused(env, SUBS, "collect_invoice", invoice_id=invoice) == "tried_today"
    assert refused(env, SUBS, "change_subscription", subscription_id=row["id"], quantity=5) == "past_due"
    ok(env, SUBS, "grant_credit", account_id=row["account_id"], amount=120.0, reason="Card trouble, agreed by phone.")
    assert ok(env, SUBS, "get_account", account_id=row["account_id"])["credit"] == 120.0
    assert refused(env, SUBS, "mark_uncollectible", invoice_id=invoice, reason="No answer") == "too_early"


def test_credit_is_used_before_the_card() -> None:
    env, row = start(environment(SUBS), declines=True)
    ok(env, SUBS, "grant_credit", account_id=row["account_id"], amount=150.0, reason="Outage")
    answer = ok(env, SUBS, "collect_invoice", invoice_id=row["invoices"][0]["id"])
    assert (answer["collected"], answer["attempt"], answer["invoice"]["credit_used"]) == (True, None, 120.0)
    assert ok(env, SUBS, "get_account", account_id=row["account_id"])["credit"] == 30.0


def test_a_cancellation_now_gives_back_the_unused_rest_and_one_at_the_end_can_be_taken_back() -> None:
    env, row = start(environment(SUBS))
    ok(env, SUBS, "cancel_subscription", subscription_id=row["id"], reason="not_used")
    assert ok(env, SUBS, "revenue_report")["mrr_ending"] >= 120.0
    ok(env, SUBS, "reactivate_subscription", subscription_id=row["id"])
    assert refused(env, SUBS, "reactivate_subscription", subscription_id=row["id"]) == "not_ending"
    now = {"subscription_id": row["id"], "reason": "switched", "when": "now"}
    unpaid = ok(env.fork(), SUBS, "cancel_subscription", **now)
    assert unpaid["credit"] == 0.0
    ok(env, SUBS, "collect_invoice", invoice_id=row["invoices"][0]["id"])
    paid = ok(env, SUBS, "cancel_subscription", **now)
    assert (paid["credit"], paid["subscription"]["mrr"]) == (120.0, 0.0)


def test_revenue_is_the_same_by_plan_and_by_owner_and_from_the_list() -> None:
    env = environment(SUBS, scale="normal", seed=11)
    by_plan = ok(env, SUBS, "revenue_report")
    by_owner = ok(env, SUBS, "revenue_report", group_by="account_owner")
    listed = ok(env, SUBS, "search_subscriptions")
    assert by_plan["total_mrr"] == by_owner["total_mrr"] == pytest.approx(listed["total_mrr"])
