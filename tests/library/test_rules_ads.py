"""The rules of the advertising account, as short stories."""

from __future__ import annotations

import pytest

from tests.library.cases_ads import AD, fresh
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused

S = "ads"


def test_a_campaign_runs_only_with_an_approved_ad_and_below_the_cap() -> None:
    env = environment(S)
    campaign = fresh(env)
    switch = {"campaign_id": campaign["id"], "status": "enabled"}
    shouting = ok(env, S, "create_ad", ad_group_id=campaign["group"], **{**AD, "headline": "Buy it now!"})
    assert shouting["approval"] == "disapproved"
    assert refused(env, S, "set_campaign_status", **switch) == "nothing_to_show"
    calm = ok(env, S, "update_ad", ad_id=shouting["id"], headline="Have a look")
    assert (calm["approval"], calm["disapproval_reason"]) == ("approved", "")
    claim = ok(env, S, "create_ad", ad_group_id=campaign["group"], **{**AD, "headline": "The best one"})
    assert claim["approval"] == "under_review"
    tight = patched(env, S, "accounts", "ACT-1", monthly_cap=1.0)
    assert refused(tight, S, "set_campaign_status", **switch) == "over_monthly_cap"
    wide = patched(env, S, "accounts", "ACT-1", monthly_cap=90_000.0)
    assert ok(wide, S, "set_campaign_status", **switch)["running"]


def test_a_budget_rises_step_by_step_and_a_locked_one_belongs_to_its_owner() -> None:
    env = patched(environment(S), S, "accounts", "ACT-1", monthly_cap=90_000.0)
    budget = one(env, S, "budgets", name="Tests")
    step = {"budget_id": budget["id"], "daily_amount": 25.0}
    assert refused(env, S, "set_daily_budget", **step) == "raise_too_large"
    ok(env, S, "set_daily_budget", **{**step, "daily_amount": 24.0})
    assert ok(env, S, "set_daily_budget", **step)["daily_amount"] == 25.0
    locked = one(env, S, "budgets", name="Brand")["id"]
    assert refused(env, S, "set_daily_budget", budget_id=locked, daily_amount=1.0) == "budget_locked"


def test_reports_add_up_whichever_way_they_are_cut() -> None:
    env = environment(S)
    reports = {
        kind: ok(env, S, "get_performance_report", group_by=kind, limit=100)
        for kind in ("campaign", "ad_group", "channel", "day")
    }
    whole = reports["day"]["totals"]
    for kind, report in reports.items():
        assert report["totals"] == whole, kind
        assert sum(row["clicks"] for row in report["rows"]) == whole["clicks"], kind
        assert sum(row["cost"] for row in report["rows"]) == pytest.approx(whole["cost"], abs=0.01), kind
    spent = ok(env, S, "get_performance_report", date_from="2026-03-01", date_until="2026-03-31")["totals"]["cost"]
    account = ok(env, S, "get_account")
    assert account["spent_this_month"] == pytest.approx(spent)
    assert account["left_this_month"] == pytest.approx(account["monthly_cap"] - spent)


def test_keywords_and_negatives_do_not_fight() -> None:
    env = environment(S)
    campaign = fresh(env)
    key = ok(env, S, "add_keyword", ad_group_id=campaign["group"], text="dock jobs", match_type="exact")
    assert key["effective_bid"] == 1.0
    block = {"campaign_id": campaign["id"], "text": "jobs"}
    assert refused(env, S, "add_negative_keyword", **block) == "blocks_own_keyword"
    ok(env, S, "update_keyword", keyword_id=key["id"], status="paused")
    ok(env, S, "add_negative_keyword", **block)
    again = {"ad_group_id": campaign["group"], "text": "dock jobs", "match_type": "broad"}
    assert refused(env, S, "add_keyword", **again) == "blocked_by_negative"
