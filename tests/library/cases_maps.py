"""Situations in maps; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import added, one, patched, rows

SLUG = "maps"
A, B, C, FAR = "PLC-9000", "PLC-9001", "PLC-9002", "PLC-9003"
EAST = 0.0145  # degrees of a kilometre or so at this latitude


def world(env: Env) -> Env:
    """A town with three places one kilometre apart, a tram between the first and the last, and a place far away."""
    place = {**one(env, SLUG, "places"), "city": "Testham", "latitude": 51.0, "status": "open", "closed_on": ()}
    hours = {"opens": "08:00", "closes": "17:00"}
    env = added(
        env,
        SLUG,
        "places",
        {**place, **hours, "id": A, "name": "Alpha", "longitude": 10.0},
        {**place, **hours, "id": B, "name": "Beta", "longitude": 10.0 + 3 * EAST},
        {**place, **hours, "id": C, "name": "Gamma", "longitude": 10.0 + 6 * EAST},
        {**place, **hours, "id": FAR, "name": "Delta", "city": "Farham", "longitude": 12.0},
    )
    stop = {"city": "Testham", "latitude": 51.0, "step_free": True}
    env = added(
        env,
        SLUG,
        "stops",
        {**stop, "id": "STP-900", "name": "Alpha", "code": "TES1", "longitude": 10.0},
        {**stop, "id": "STP-901", "name": "Gamma", "code": "TES2", "longitude": 10.0 + 6 * EAST},
    )
    line = {
        "id": "LIN-900",
        "number": "T9",
        "mode": "tram",
        "city": "Testham",
        "operator": "Testham Transit",
        "stop_ids": ("STP-900", "STP-901"),
        "leg_minutes": (7,),
        "first_departure": "06:00",
        "last_departure": "20:00",
        "headway": 20,
        "followed": False,
    }
    return added(env, SLUG, "lines", line)


def alert(env: Env, effect: str, **more: Any) -> Env:
    """The world with an alert of its tram today."""
    record = {
        "id": "ALR-900",
        "title": "Works",
        "line_id": "LIN-900",
        "stop_id": None,
        "effect": effect,
        "delay_minutes": 0,
        "starts_on": "2026-03-01",
        "ends_on": "2026-03-05",
        "text": "Works on the track.",
    }
    return added(world(env), SLUG, "service_alerts", {**record, **more})


def route(env: Env, *stops: str, mode: str = "walking") -> Env:
    record = {"id": "RTE-900", "name": "Test round", "mode": mode, "place_ids": stops, "minutes_per_stop": 10}
    return added(world(env), SLUG, "routes", record)


@case(SLUG, "get_directions", "no_connection")
def _(env: Env) -> Situation:
    env = alert(env, "suspended")
    return env, {"origin_place_id": A, "destination_place_id": C, "mode": "transit"}


@case(SLUG, "suggest_edit", "no_change")
def _(env: Env) -> Situation:
    return world(env), {"place_id": A, "field": "opening_hours", "value": "08:00-17:00"}


@case(SLUG, "add_place_to_list", "no_change")
def _(env: Env) -> Situation:
    saved = one(env, SLUG, "saved_places")
    return env, {name: saved[name] for name in ("list_id", "place_id", "note")}


@case(SLUG, "add_route_stop", "route_full")
def _(env: Env) -> Situation:
    ids = [row["id"] for row in rows(env, SLUG, "places")]
    return route(env, *ids[:10]), {"route_id": "RTE-900", "place_id": A}


@case(SLUG, "add_route_stop", "too_far")
def _(env: Env) -> Situation:
    return route(env, A), {"route_id": "RTE-900", "place_id": FAR}


@case(SLUG, "add_route_stop", "invalid_position")
def _(env: Env) -> Situation:
    return route(env, A), {"route_id": "RTE-900", "place_id": B, "position": 9}


@case(SLUG, "remove_route_stop", "too_far")
def _(env: Env) -> Situation:
    return route(env, A, B, FAR), {"route_id": "RTE-900", "place_id": B}


@case(SLUG, "optimize_route", "too_few_stops")
def _(env: Env) -> Situation:
    return route(env, A, B), {"route_id": "RTE-900"}


@case(SLUG, "optimize_route", "no_shorter_order")
def _(env: Env) -> Situation:
    return route(env, A, B, C), {"route_id": "RTE-900"}


@case(SLUG, "follow_line", "too_many_followed")
def _(env: Env) -> Situation:
    env = world(env)
    for row in rows(env, SLUG, "lines", followed=False)[: 8 - len(rows(env, SLUG, "lines", followed=True))]:
        env = patched(env, SLUG, "lines", row["id"], followed=True)
    return env, {"line_id": rows(env, SLUG, "lines", followed=False)[0]["id"]}
