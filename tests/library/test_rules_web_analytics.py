"""The rules of the web analytics, as short stories."""

from __future__ import annotations

import pytest

from tests.library.cases_web_analytics import JOBS, MAIN, SHOP, campaign
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

S = "web-analytics"
QUARTER = {"property_id": MAIN, "start_date": "2025-12-01", "end_date": "2026-03-02"}


def test_rows_add_up_to_the_totals_whatever_the_dimension() -> None:
    env = environment(S)
    sums = set()
    for dimension in ("date", "page", "source", "medium", "campaign", "country", "device", "event_name"):
        found = ok(env, S, "run_report", **QUARTER, dimension=dimension, limit=100)
        assert sum(row["sessions"] for row in found["rows"]) == found["totals"]["sessions"]
        assert sum(row["conversions"] for row in found["rows"]) == found["totals"]["conversions"]
        sums.add(found["totals"]["sessions"])
    assert len(sums) == 1


def test_a_filter_changes_the_past_and_gives_it_back() -> None:
    env = environment(S)
    before = ok(env, S, "run_report", **QUARTER)
    assert "uptime-probe" not in [row["source"] for row in before["rows"]]
    bing = next(row["sessions"] for row in before["rows"] if row["source"] == "bing")
    made = ok(env, S, "create_filter", property_id=MAIN, field="source", value="bing", reason="Test")
    after = ok(env, S, "run_report", **QUARTER)
    assert after["totals"]["sessions"] == before["totals"]["sessions"] - bing
    ok(env, S, "set_filter_active", filter_id=made["id"], active=False)
    assert ok(env, S, "run_report", **QUARTER) == before


def test_a_goal_counts_the_past_and_its_value_can_change() -> None:
    env = environment(S)
    goal = ok(env, S, "create_goal", property_id=MAIN, name="Saw the prices", kind="page", match="/pricing", value=3.0)
    page = one(env, S, "pages", property_id=MAIN, path="/pricing")
    assert goal["conversions"] == ok(env, S, "get_page", page_id=page["id"])["sessions"]
    assert goal["total_value"] == pytest.approx(3 * goal["conversions"])
    dearer = ok(env, S, "update_goal", goal_id=goal["id"], value=4.0)
    assert dearer["total_value"] == pytest.approx(4 * goal["conversions"])
    assert refused(env, S, "create_goal", property_id=MAIN, name="x", kind="event", match="nothing") == "unknown_event"


def test_a_period_is_compared_with_the_one_before() -> None:
    env = environment(S)
    found = ok(env, S, "compare_periods", property_id=MAIN, start_date="2026-02-01", end_date="2026-02-28")
    before = {"start_date": "2026-01-04", "end_date": "2026-01-31"}
    assert {key: found["previous"][key] for key in before} == before
    assert found["previous"]["sessions"] == ok(env, S, "run_report", property_id=MAIN, **before)["totals"]["sessions"]


def test_a_campaign_is_measured_in_its_days_only() -> None:
    env = environment(S)
    traffic = one(env, S, "traffic", property_id=MAIN, source="newsletter")
    env = patched(env, S, "traffic", traffic["id"], campaign="probe-2026", date="2026-03-01")
    made = campaign(env)
    assert (made["status"], made["sessions"]) == ("running", traffic["sessions"])
    page = one(env, S, "pages", property_id=MAIN, path="/pricing")
    link = ok(env, S, "get_campaign_url", campaign_id=made["id"], page_id=page["id"], content="partner")["url"]
    assert link == (
        "https://www.larkfield.example/pricing?utm_source=newsletter&utm_medium=email&utm_campaign=probe-2026"
        "&utm_content=partner"
    )
    env = patched(environment(S), S, "traffic", traffic["id"], campaign="probe-2026", date="2026-02-27")
    assert campaign(env)["sessions"] == 0


def test_roles_decide_what_may_be_changed() -> None:
    env = environment(S)
    goal = one(env, S, "goals", property_id=JOBS)
    assert refused(env, S, "update_goal", goal_id=goal["id"], value=1.0) == "no_permission"
    colleague = {"email": "ana@agency.example", "role": "viewer"}
    assert refused(env, S, "set_property_role", property_id=SHOP, **colleague) == "no_permission"
    assert refused(env, S, "set_property_role", property_id=MAIN, **colleague) == "name_missing"
    ok(env, S, "set_property_role", property_id=MAIN, **colleague, name="Ana Lund")
    assert len(rows(env, S, "users", email="ana@agency.example")) == 1
