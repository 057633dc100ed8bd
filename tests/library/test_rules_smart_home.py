"""The rules of the smart home, as short stories."""

from __future__ import annotations

import pytest

from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

SLUG = "smart-home"


def test_a_circuit_bears_the_oven_or_the_kettle_but_not_both() -> None:
    env = environment(SLUG)
    oven, kettle = (one(env, SLUG, "devices", name=name)["id"] for name in ("Oven plug", "Kettle plug"))
    env = patched(patched(env, SLUG, "devices", oven, on=True), SLUG, "devices", kettle, on=False)
    assert refused(env, SLUG, "turn_on", device_id=kettle) == "circuit_overload"
    ok(env, SLUG, "turn_off", device_id=oven)
    ok(env, SLUG, "turn_on", device_id=kettle)
    dinner = one(env, SLUG, "scenes", name="Dinner")["id"]
    assert refused(env, SLUG, "activate_scene", scene_id=dinner) == "circuit_overload"
    circuit = next(row for row in ok(env, SLUG, "get_home")["circuits"] if row["name"] == "Kitchen circuit")
    drawing = rows(env, SLUG, "devices", circuit_id=circuit["id"], on=True)
    light = [row for row in drawing if row["kind"] == "light"]
    assert circuit["watts_now"] == 2000 + sum(round(row["watts"] * row["level"] / 100) for row in light)


def test_leaving_needs_locked_doors_and_brings_the_house_in_line() -> None:
    env = environment(SLUG)
    assert refused(env, SLUG, "set_home_mode", mode="away") == "not_secured"
    ok(env, SLUG, "lock_door", device_id=one(env, SLUG, "devices", name="Garden door lock")["id"])
    for plug in rows(env, SLUG, "devices", kind="plug", on=True):
        ok(env, SLUG, "turn_off", device_id=plug["id"])
    ok(env, SLUG, "set_home_mode", mode="away")
    assert rows(env, SLUG, "devices", kind="light", on=True, online=True) == []
    heating = one(env, SLUG, "devices", name="Living room thermostat")
    assert heating["target"] == 16
    assert refused(env, SLUG, "set_temperature", device_id=heating["id"], celsius=21.0) == "above_limit"
    camera = one(env, SLUG, "devices", name="Garden camera")["id"]
    assert refused(env, SLUG, "turn_off", device_id=camera) == "armed"


def test_codes_open_their_door_in_their_time_until_they_are_revoked() -> None:
    env = environment(SLUG)
    front = one(env, SLUG, "devices", name="Front door lock")["id"]
    guest = {"holder": "Ana", "email": "ana@north.example", "pin": "7391"}
    times = {"valid_from": "2026-03-01T07:00:00Z", "valid_until": "2026-03-20T18:00:00Z"}
    code = ok(env, SLUG, "create_access_code", lock_id=front, **guest, **times)
    assert code["status"] == "active"
    assert ok(env, SLUG, "unlock_door", device_id=front, pin="7391")["holder"] == "Ana"
    ok(env, SLUG, "lock_door", device_id=front)
    ok(env, SLUG, "revoke_access_code", code_id=code["id"])
    assert refused(env, SLUG, "unlock_door", device_id=front, pin="7391") == "wrong_code"
    mine = one(env, SLUG, "access_codes", lock_id=front, resident=True)
    assert refused(env, SLUG, "revoke_access_code", code_id=mine["id"]) == "resident_code"
    opened = ok(env, SLUG, "list_events", device_id=front, kind="opened", query="Ana")
    assert opened["total"] == 1


def test_scenes_skip_silent_devices_and_automations_do_not_contradict_each_other() -> None:
    env = environment(SLUG)
    lamp = one(env, SLUG, "devices", name="Living room lamp")
    env = patched(env, SLUG, "devices", lamp["id"], online=False)
    film = one(env, SLUG, "scenes", name="Film evening")["id"]
    done = ok(env, SLUG, "activate_scene", scene_id=film)
    assert done["offline"] == ["Living room lamp"]
    assert one(env, SLUG, "devices", name="Living room blind")["level"] == 0
    new = {"name": "Film time", "scene_id": film, "trigger": "time"}
    assert refused(env, SLUG, "create_automation", **new) == "incomplete_trigger"
    assert refused(env, SLUG, "create_automation", **new, at_time="06:40") == "conflicting_automation"
    assert ok(env, SLUG, "create_automation", **new, at_time="20:15")["when"] == "at 20:15, every day"


def test_energy_costs_what_the_tariff_of_the_day_says() -> None:
    env = environment(SLUG, scale="normal")
    report = ok(env, SLUG, "get_energy_report", group_by="month")
    tariffs = sorted(rows(env, SLUG, "tariffs"), key=lambda row: row["valid_from"])
    cost = 0.0
    for row in rows(env, SLUG, "readings"):
        price = [tariff["price_per_kwh"] for tariff in tariffs if tariff["valid_from"] <= row["day"]][-1]
        cost += row["kwh"] * price
    assert report["total_cost"] == pytest.approx(cost, abs=0.01)
    assert sum(line["cost"] for line in report["lines"]) == pytest.approx(cost, abs=0.05)
