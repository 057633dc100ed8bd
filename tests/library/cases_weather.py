"""Situations in weather; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import added, one, rows

SLUG = "weather"
NOOR = "noor.haddad@larkfield.example"
SITE, HERE = "SPL-900", "LOC-900"


def world(env: Env, *gusts: int) -> Env:
    """A location with calm, dry weather from 09:00 of today on, but for these gusts, and a saved place there."""
    location = {"id": HERE, "name": "Testham", "city": "Testham", "country": "Testland", "elevation": 10}
    env = added(env, SLUG, "locations", location)
    base = {"location_id": HERE, "temperature": 6.0, "rain": 0.0, "rain_chance": 0, "wind": 10, "humidity": 60}
    times = [f"2026-03-0{day}T{hour:02d}:00:00Z" for day in (2, 3, 4) for hour in range(0, 24, 3)][3:]
    points = [
        {
            **base,
            "id": f"WP-9{index:04d}",
            "starts_at": moment,
            "condition": "cloudy",
            "wind_gust": gusts[index] if index < len(gusts) else 20,
        }
        for index, moment in enumerate(times)
    ]
    env = added(env, SLUG, "points", *points)
    return added(
        env,
        SLUG,
        "saved_places",
        {"id": SITE, "location_id": HERE, "label": "Test site", "contact_email": NOOR, "note": ""},
    )


def rule(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"RUL-90{number}",
        "saved_place_id": SITE,
        "metric": "wind_gust",
        "comparison": "above",
        "value": 45.0 + number,
        "hours_ahead": 24,
        "recipient_email": NOOR,
        "muted_until": None,
    }
    return {**base, **more}


def warned(env: Env, **more: Any) -> Env:
    record = {
        "id": "WRN-9000",
        "location_id": HERE,
        "hazard": "snow_ice",
        "severity": "red",
        "headline": "Ice: Testham",
        "text": "Do not drive.",
        "issued_at": "2026-03-02T06:00:00Z",
        "starts_at": "2026-03-02T08:00:00Z",
        "ends_at": "2026-03-02T20:00:00Z",
        "status": "in_force",
    }
    return added(world(env), SLUG, "warnings", {**record, **more})


@case(SLUG, "save_place", "too_many_places")
def _(env: Env) -> Situation:
    place = one(env, SLUG, "saved_places")
    missing = 15 - len(rows(env, SLUG, "saved_places"))
    more = [{**place, "id": f"SPL-80{number:02d}", "label": f"Site {number}"} for number in range(missing)]
    env = added(env, SLUG, "saved_places", *more)
    return env, {"location_id": place["location_id"], "label": "One more", "contact_email": NOOR}


@case(SLUG, "save_place", "label_taken")
def _(env: Env) -> Situation:
    return world(env), {"location_id": HERE, "label": "test SITE", "contact_email": NOOR}


@case(SLUG, "create_alert_rule", "too_many_rules")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "alert_rules", *(rule(number) for number in range(6)))
    names = ("saved_place_id", "metric", "comparison", "recipient_email")
    return env, {**{name: rule()[name] for name in names}, "value": 99.0}


@case(SLUG, "create_alert_rule", "rule_exists")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "alert_rules", rule())
    names = ("saved_place_id", "metric", "comparison", "value", "recipient_email")
    return env, {name: rule()[name] for name in names}


@case(SLUG, "update_alert_rule", "rule_exists")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "alert_rules", rule(0), rule(1))
    return env, {"rule_id": "RUL-900", "value": 46.0}


@case(SLUG, "acknowledge_warning", "action_needed")
def _(env: Env) -> Situation:
    return warned(env), {"warning_id": "WRN-9000"}


@case(SLUG, "acknowledge_warning", "over")
def _(env: Env) -> Situation:
    return warned(env, ends_at="2026-03-02T08:30:00Z"), {"warning_id": "WRN-9000"}


@case(SLUG, "acknowledge_warning", "not_in_force")
def _(env: Env) -> Situation:
    return warned(env, status="withdrawn"), {"warning_id": "WRN-9000"}


@case(SLUG, "add_condition_report", "too_soon")
def _(env: Env) -> Situation:
    arguments = {"location_id": one(env, SLUG, "locations")["id"], "condition": "fog", "text": "Grey."}
    assert env.call(SLUG, "add_condition_report", arguments)["success"]
    return env, arguments


@case(SLUG, "mute_alert_rule", "too_long")
def _(env: Env) -> Situation:
    env = added(world(env), SLUG, "alert_rules", rule())
    return env, {"rule_id": "RUL-900", "until": "2026-03-30T09:00:00Z"}
