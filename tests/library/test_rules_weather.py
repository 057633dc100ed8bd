"""The rules of weather, as short stories: what calls bring about."""

from __future__ import annotations

import pytest

from tests.library.cases_weather import HERE, NOOR, SITE, SLUG, rule, warned, world
from tests.library.driver import environment
from tests.library.world import added, ok, one, refused, rows

WIND = {"saved_place_id": SITE, "metric": "wind_gust", "comparison": "above", "recipient_email": NOOR}


def test_a_rule_is_met_by_the_hours_that_it_watches() -> None:
    env = world(environment(SLUG), 20, 20, 50, 64)
    met = ok(env, SLUG, "create_alert_rule", **WIND, value=45, hours_ahead=24)
    assert (met["triggered"], met["first_at"], met["peak"]) == (True, "2026-03-02T15:00:00Z", 64.0)
    near = ok(env, SLUG, "update_alert_rule", rule_id=met["id"], hours_ahead=5)
    assert (near["triggered"], near["peak"]) == (False, None)
    ok(env, SLUG, "update_alert_rule", rule_id=met["id"], hours_ahead=12, value=63.5)
    assert ok(env, SLUG, "list_alert_rules", saved_place_id=SITE, triggered_only=True)["total"] == 1
    assert refused(env, SLUG, "create_alert_rule", **WIND, value=63.5) == "rule_exists"


def test_days_agree_with_their_hours() -> None:
    env = environment(SLUG)
    location = one(env, SLUG, "locations")["id"]
    day = ok(env, SLUG, "get_daily_forecast", location_id=location, days=2)["days"][1]
    points = [row for row in rows(env, SLUG, "points", location_id=location) if row["starts_at"][:10] == day["date"]]
    assert len(points) == 8
    assert day["rain_total"] == pytest.approx(sum(row["rain"] for row in points), abs=0.05)
    assert day["wind_gust_max"] == max(row["wind_gust"] for row in points)
    assert day["temperature_min"] == min(row["temperature"] for row in points)


def test_windows_for_work_avoid_the_gusts() -> None:
    env = world(environment(SLUG), 20, 50, 20, 20)
    found = ok(env, SLUG, "find_weather_window", location_id=HERE, hours=6, max_gust=45, from_hour=9)["windows"]
    assert found[0]["starts_at"] == "2026-03-02T15:00:00Z"
    all_fit = ok(env, SLUG, "find_weather_window", location_id=HERE, hours=6, max_gust=50, from_hour=9)["windows"]
    assert all_fit[0]["starts_at"] == "2026-03-02T09:00:00Z"


def test_red_warnings_are_acknowledged_once_and_with_words() -> None:
    env = warned(environment(SLUG))
    assert refused(env, SLUG, "acknowledge_warning", warning_id="WRN-9000", text=" ") == "action_needed"
    ok(env, SLUG, "acknowledge_warning", warning_id="WRN-9000", text="Nobody drives.")
    assert refused(env, SLUG, "acknowledge_warning", warning_id="WRN-9000", text="Again") == "already_acknowledged"
    assert ok(env, SLUG, "get_warning", warning_id="WRN-9000")["saved_places"] == ["Test site"]


def test_a_place_in_use_stays_and_muted_rules_are_silent() -> None:
    env = added(world(environment(SLUG), 90), SLUG, "alert_rules", rule())
    digest = ok(env, SLUG, "create_digest", saved_place_id=SITE, recipient_email=NOOR, send_at="06:00")["id"]
    assert ok(env, SLUG, "preview_digest", digest_id=digest)["rules_met"] == ["RUL-900"]
    ok(env, SLUG, "mute_alert_rule", rule_id="RUL-900", until="2026-03-03T09:00:00Z")
    assert ok(env, SLUG, "preview_digest", digest_id=digest)["rules_met"] == []
    assert refused(env, SLUG, "remove_saved_place", saved_place_id=SITE) == "in_use"
    ok(env, SLUG, "delete_alert_rule", rule_id="RUL-900")
    ok(env, SLUG, "delete_digest", digest_id=digest)
    ok(env, SLUG, "remove_saved_place", saved_place_id=SITE)
