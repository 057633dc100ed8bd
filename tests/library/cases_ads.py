"""Situations in the advertising account; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

S = "ads"
AD = {"headline": "See it at work", "description": "Ask us.", "final_url": "https://www.larkfield.example/x"}


def fresh(env: Env, **more: Any) -> Row:
    """A new paused search campaign of mine on the budget for tests, with its ad group under `group`."""
    budget = one(env, S, "budgets", name="Tests")["id"]
    campaign: Row = ok(env, S, "create_campaign", **{"name": "Fresh", "budget_id": budget, **more})
    group = ok(env, S, "create_ad_group", campaign_id=campaign["id"], name="Main")
    return {**campaign, "group": group["id"]}


def _gone(env: Env) -> tuple[str, str, str]:
    """Ad group, ad and keyword of an ad group that has been removed."""
    group = fresh(env)["group"]
    ad = ok(env, S, "create_ad", ad_group_id=group, **{**AD, "headline": "Now!"})["id"]
    keyword = ok(env, S, "add_keyword", ad_group_id=group, text="dock plan")["id"]
    ok(env, S, "update_ad_group", ad_group_id=group, status="removed")
    return group, ad, keyword


@case(S, "add_keyword", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"ad_group_id": _gone(env)[0], "text": "dock plan"}


@case(S, "create_ad", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"ad_group_id": _gone(env)[0], **AD}


@case(S, "update_ad_group", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"ad_group_id": _gone(env)[0], "status": "enabled"}


@case(S, "appeal_disapproval", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"ad_id": _gone(env)[1], "explanation": "It is a quotation."}


@case(S, "update_ad", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"ad_id": _gone(env)[1], "status": "paused"}


@case(S, "update_keyword", "ad_group_removed")
def _(env: Env) -> Situation:
    return env, {"keyword_id": _gone(env)[2], "status": "paused"}


@case(S, "update_keyword", "keyword_removed")
def _(env: Env) -> Situation:
    keyword = ok(env, S, "add_keyword", ad_group_id=fresh(env)["group"], text="dock plan")["id"]
    ok(env, S, "update_keyword", keyword_id=keyword, status="removed")
    return env, {"keyword_id": keyword, "status": "enabled"}


@case(S, "update_keyword", "automatic_bidding")
def _(env: Env) -> Situation:
    group = fresh(env, bidding="maximize_clicks")["group"]
    keyword = ok(env, S, "add_keyword", ad_group_id=group, text="dock plan")["id"]
    return env, {"keyword_id": keyword, "bid": 2.0}


@case(S, "update_ad", "ad_removed")
def _(env: Env) -> Situation:
    ad = ok(env, S, "create_ad", ad_group_id=fresh(env)["group"], **AD)["id"]
    ok(env, S, "update_ad", ad_id=ad, status="removed")
    return env, {"ad_id": ad, "status": "enabled"}


@case(S, "update_ad", "foreign_domain")
def _(env: Env) -> Situation:
    ad = ok(env, S, "create_ad", ad_group_id=fresh(env)["group"], **AD)["id"]
    return env, {"ad_id": ad, "final_url": "https://elsewhere.example/x"}


@case(S, "update_ad", "duplicate_ad")
def _(env: Env) -> Situation:
    group = fresh(env)["group"]
    ok(env, S, "create_ad", ad_group_id=group, **AD)
    ad = ok(env, S, "create_ad", ad_group_id=group, **{**AD, "headline": "Another"})["id"]
    return env, {"ad_id": ad, "headline": AD["headline"]}


@case(S, "create_ad", "foreign_domain")
def _(env: Env) -> Situation:
    return env, {"ad_group_id": fresh(env)["group"], **AD, "final_url": "https://elsewhere.example/x"}


@case(S, "create_ad", "duplicate_ad")
def _(env: Env) -> Situation:
    group = fresh(env)["group"]
    ok(env, S, "create_ad", ad_group_id=group, **AD)
    return env, {"ad_group_id": group, **AD}


@case(S, "create_ad", "too_many_ads")
def _(env: Env) -> Situation:
    group = fresh(env)["group"]
    for number in range(8):
        ok(env, S, "create_ad", ad_group_id=group, **{**AD, "headline": f"Number {number}"})
    return env, {"ad_group_id": group, **AD}


@case(S, "add_keyword", "blocked_by_negative")
def _(env: Env) -> Situation:
    campaign = fresh(env)
    ok(env, S, "add_negative_keyword", campaign_id=campaign["id"], text="jobs")
    return env, {"ad_group_id": campaign["group"], "text": "warehouse jobs london"}


@case(S, "add_keyword", "duplicate_keyword")
def _(env: Env) -> Situation:
    values = {"ad_group_id": fresh(env)["group"], "text": "dock plan"}
    ok(env, S, "add_keyword", **values)
    return env, values


@case(S, "add_keyword", "not_a_search_campaign")
def _(env: Env) -> Situation:
    return env, {"ad_group_id": fresh(env, channel="video")["group"], "text": "dock plan"}


@case(S, "add_negative_keyword", "duplicate_keyword")
def _(env: Env) -> Situation:
    values = {"campaign_id": fresh(env)["id"], "text": "jobs"}
    ok(env, S, "add_negative_keyword", **values)
    return env, values


@case(S, "add_negative_keyword", "blocks_own_keyword")
def _(env: Env) -> Situation:
    campaign = fresh(env)
    ok(env, S, "add_keyword", ad_group_id=campaign["group"], text="warehouse jobs london")
    return env, {"campaign_id": campaign["id"], "text": "jobs"}


@case(S, "create_campaign", "in_the_past")
def _(env: Env) -> Situation:
    budget = one(env, S, "budgets")["id"]
    return env, {"name": "Late", "budget_id": budget, "start_date": "2026-01-01", "end_date": "2026-02-01"}


@case(S, "set_campaign_status", "campaign_over")
def _(env: Env) -> Situation:
    campaign = fresh(env)
    return patched(env, S, "campaigns", campaign["id"], end_date="2026-02-27", start_date="2026-02-01"), {
        "campaign_id": campaign["id"],
        "status": "enabled",
    }


@case(S, "set_campaign_status", "nothing_to_show")
def _(env: Env) -> Situation:
    return env, {"campaign_id": fresh(env)["id"], "status": "enabled"}


def _over_cap(env: Env) -> tuple[Env, Row]:
    campaign = fresh(env)
    ok(env, S, "create_ad", ad_group_id=campaign["group"], **AD)
    return patched(env, S, "accounts", "ACT-1", monthly_cap=10.0), campaign


@case(S, "set_campaign_status", "over_monthly_cap")
def _(env: Env) -> Situation:
    env, campaign = _over_cap(env)
    return env, {"campaign_id": campaign["id"], "status": "enabled"}


@case(S, "update_campaign", "over_monthly_cap")
def _(env: Env) -> Situation:
    env, campaign = _over_cap(env)
    env = patched(env, S, "campaigns", campaign["id"], status="enabled")
    return env, {"campaign_id": campaign["id"], "name": "Renamed"}


@case(S, "set_daily_budget", "over_monthly_cap")
def _(env: Env) -> Situation:
    env, campaign = _over_cap(env)
    return env, {"budget_id": campaign["budget_id"], "daily_amount": 21.0}


@case(S, "set_daily_budget", "budget_locked")
def _(env: Env) -> Situation:
    return env, {"budget_id": one(env, S, "budgets", name="Brand")["id"], "daily_amount": 61.0}


@case(S, "update_ad_group", "last_ad_group")
def _(env: Env) -> Situation:
    campaign = fresh(env)
    env = patched(env, S, "campaigns", campaign["id"], status="enabled")
    return env, {"ad_group_id": campaign["group"], "status": "paused"}


@case(S, "update_campaign", "target_not_used")
def _(env: Env) -> Situation:
    return env, {"campaign_id": fresh(env)["id"], "target_cpa": 20.0}


@case(S, "update_campaign", "target_missing")
def _(env: Env) -> Situation:
    return env, {"campaign_id": fresh(env)["id"], "bidding": "target_cpa"}
