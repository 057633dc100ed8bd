"""Situations in the web analytics; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, added, ok, one, patched, rows

S = "web-analytics"
PEOPLE += [(S, "users")]
MAIN, SHOP, JOBS = "PROP-01", "PROP-02", "PROP-04"
OTHER = "ana@larkfield.example"


def campaign(env: Env, **more: Any) -> Row:
    """A new campaign of mine on the main site."""
    values = {"property_id": MAIN, "utm_campaign": "probe-2026", "source": "newsletter", "medium": "email"}
    found: Row = ok(env, S, "create_campaign", **{**values, **PERIOD, **more})
    return found


PERIOD = {"start_date": "2026-03-01", "end_date": "2026-03-20"}


@case(S, "create_annotation", "same_text")
def _(env: Env) -> Situation:
    arguments = {"property_id": MAIN, "date": "2026-02-20", "text": "A fair."}
    ok(env, S, "create_annotation", **arguments)
    return env, {**arguments, "text": "a fair."}


@case(S, "create_annotation", "no_permission")
def _(env: Env) -> Situation:
    return env, {"property_id": JOBS, "date": "2026-02-20", "text": "A fair."}


def _annotation(env: Env, **more: Any) -> tuple[Env, dict[str, Any]]:
    row = {"id": "ANN-9000", "property_id": JOBS, "date": "2026-02-20", "text": "A fair.", "by_email": OTHER, **more}
    return added(env, S, "annotations", row), {"annotation_id": "ANN-9000"}


@case(S, "delete_annotation", "no_permission")
def _(env: Env) -> Situation:
    return _annotation(env)


@case(S, "delete_annotation", "outage_stays")
def _(env: Env) -> Situation:
    return _annotation(env, property_id=MAIN, importance="outage")


@case(S, "create_campaign", "duplicate_campaign")
def _(env: Env) -> Situation:
    campaign(env)
    more = {"source": "google", "medium": "cpc", "budget": 100.0}
    return env, {"property_id": MAIN, "utm_campaign": "probe-2026", **PERIOD, **more}


@case(S, "create_campaign", "budget_missing")
def _(env: Env) -> Situation:
    return env, {"property_id": MAIN, "utm_campaign": "probe-2026", "source": "google", "medium": "cpc", **PERIOD}


@case(S, "create_campaign", "in_the_past")
def _(env: Env) -> Situation:
    past = {"start_date": "2026-01-01", "end_date": "2026-01-20"}
    return env, {"property_id": MAIN, "utm_campaign": "probe-2026", "source": "post", "medium": "email", **past}


@case(S, "update_campaign", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"campaign_id": campaign(env)["id"], "end_date": "2026-03-01"}


@case(S, "update_campaign", "invalid_range")
def _(env: Env) -> Situation:
    return env, {"campaign_id": campaign(env)["id"], "end_date": "2026-02-01"}


@case(S, "update_campaign", "budget_missing")
def _(env: Env) -> Situation:
    made = campaign(env, source="google", medium="cpc", budget=50.0)
    return env, {"campaign_id": made["id"], "budget": 0}


@case(S, "update_campaign", "nothing_to_change")
def _(env: Env) -> Situation:
    return env, {"campaign_id": campaign(env)["id"]}


@case(S, "update_campaign", "no_permission")
def _(env: Env) -> Situation:
    row = one(env, S, "campaigns")
    return patched(env, S, "campaigns", row["id"], property_id=JOBS), {"campaign_id": row["id"], "notes": "Late."}


@case(S, "get_campaign_url", "other_property")
def _(env: Env) -> Situation:
    page = one(env, S, "pages", property_id=SHOP)
    return env, {"campaign_id": campaign(env)["id"], "page_id": page["id"]}


def _filter(env: Env, **more: Any) -> dict[str, Any]:
    return {"property_id": MAIN, "field": "source", "value": "bing", "reason": "Test", **more}


@case(S, "create_filter", "too_many_filters")
def _(env: Env) -> Situation:
    there = len(rows(env, S, "filters", property_id=MAIN))
    for number in range(10 - there):
        row = {"id": f"FLT-9{number:03d}", "property_id": MAIN, "field": "source", "value": f"bot-{number}"}
        env = added(env, S, "filters", {**row, "reason": "A bot."})
    return env, _filter(env)


@case(S, "create_filter", "leaves_nothing")
def _(env: Env) -> Situation:
    for row in rows(env, S, "traffic", property_id=MAIN):
        env = patched(env, S, "traffic", row["id"], source="bing")
    return env, _filter(env)


@case(S, "create_filter", "duplicate_filter")
def _(env: Env) -> Situation:
    ok(env, S, "create_filter", **_filter(env))
    return env, _filter(env, value="BING")


@case(S, "create_filter", "nothing_matches")
def _(env: Env) -> Situation:
    return env, _filter(env, value="nobody")


@case(S, "set_filter_active", "no_permission")
def _(env: Env) -> Situation:
    row = one(env, S, "filters", active=True)
    return patched(env, S, "filters", row["id"], property_id=JOBS), {"filter_id": row["id"], "active": False}


@case(S, "create_goal", "too_many_goals")
def _(env: Env) -> Situation:
    for number in range(20 - len(rows(env, S, "goals", property_id=MAIN))):
        ok(env, S, "create_goal", property_id=MAIN, name=f"Goal {number}", kind="page", match=f"/part-{number}")
    return env, {"property_id": MAIN, "name": "One more", "kind": "page", "match": "/more"}


@case(S, "create_goal", "duplicate_match")
def _(env: Env) -> Situation:
    return env, {"property_id": MAIN, "name": "Again", "kind": "page", "match": "/contact"}


@case(S, "create_goal", "invalid_path")
def _(env: Env) -> Situation:
    return env, {"property_id": MAIN, "name": "Again", "kind": "page", "match": "contact"}


@case(S, "update_goal", "duplicate_name")
def _(env: Env) -> Situation:
    first, second = rows(env, S, "goals", property_id=MAIN)[:2]
    return env, {"goal_id": first["id"], "name": second["name"].upper()}


@case(S, "delete_goal", "last_goal")
def _(env: Env) -> Situation:
    goals = rows(env, S, "goals", property_id=SHOP)
    for goal in goals[1:]:
        ok(env, S, "delete_goal", goal_id=goal["id"])
    return env, {"goal_id": goals[0]["id"]}


@case(S, "delete_goal", "no_permission")
def _(env: Env) -> Situation:
    return env, {"goal_id": one(env, S, "goals", property_id=JOBS)["id"]}


@case(S, "create_segment", "same_conditions")
def _(env: Env) -> Situation:
    return env, {"name": "Found by search", "medium": "organic"}


@case(S, "create_segment", "duplicate_name")
def _(env: Env) -> Situation:
    return env, {"name": "SEARCH", "medium": "cpc", "device": "tablet"}


@case(S, "set_property_role", "last_admin")
def _(env: Env) -> Situation:
    admins = rows(env, S, "users", property_id=MAIN, role="admin")
    for row in admins[1:]:
        ok(env, S, "set_property_role", property_id=MAIN, email=row["email"], role="viewer")
    return env, {"property_id": MAIN, "email": admins[0]["email"], "role": "viewer"}


@case(S, "remove_property_user", "last_admin")
def _(env: Env) -> Situation:
    admins = rows(env, S, "users", property_id=MAIN, role="admin")
    for row in admins[1:]:
        ok(env, S, "remove_property_user", property_id=MAIN, email=row["email"])
    return env, {"property_id": MAIN, "email": admins[0]["email"]}
