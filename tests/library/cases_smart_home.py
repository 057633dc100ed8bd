"""Situations in the smart home; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import added, ok, one, patched, rows

SLUG = "smart-home"
GUEST: dict[str, Any] = {
    "holder": "Ana North",
    "email": "ana@north.example",
    "valid_from": "2026-03-01T07:00:00Z",
    "valid_until": "2026-03-20T18:00:00Z",
    "pin": "7391",
}


def _device(env: Env, name: str) -> str:
    return str(one(env, SLUG, "devices", name=name)["id"])


def _front(env: Env) -> str:
    return _device(env, "Front door lock")


@case(SLUG, "create_scene", "too_many_scenes")
def _(env: Env) -> Situation:
    for number in range(20 - len(rows(env, SLUG, "scenes"))):
        ok(env, SLUG, "create_scene", name=f"Scene {number}")
    return env, {"name": "One more"}


@case(SLUG, "set_scene_action", "scene_full")
def _(env: Env) -> Situation:
    scene = one(env, SLUG, "scenes", name="Dinner")["id"]
    lights = [{**one(env, SLUG, "devices", name="Hall light"), "id": f"DEV-9{at:02d}"} for at in range(12)]
    env = added(env, SLUG, "devices", *lights)
    for light in lights[:10]:
        ok(env, SLUG, "set_scene_action", scene_id=scene, device_id=light["id"], on=True)
    return env, {"scene_id": scene, "device_id": lights[11]["id"], "on": True}


def _oven_off_kettle_on(env: Env) -> Env:
    env = patched(env, SLUG, "devices", _device(env, "Oven plug"), on=False)
    return patched(env, SLUG, "devices", _device(env, "Kettle plug"), on=True)


@case(SLUG, "activate_scene", "circuit_overload")
def _(env: Env) -> Situation:
    return _oven_off_kettle_on(env), {"scene_id": one(env, SLUG, "scenes", name="Dinner")["id"]}


@case(SLUG, "set_level", "circuit_overload")
def _(env: Env) -> Situation:
    light = _device(env, "Hall light")
    env = patched(env, SLUG, "devices", light, watts=2400, on=False, level=10)
    return env, {"device_id": light, "level": 100}


@case(SLUG, "create_automation", "conflicting_automation")
def _(env: Env) -> Situation:
    scene = ok(env, SLUG, "create_scene", name="Dim")["id"]
    light = _device(env, "Kitchen ceiling light")
    ok(env, SLUG, "set_scene_action", scene_id=scene, device_id=light, level=10)
    return env, {"name": "Dim", "scene_id": scene, "trigger": "time", "at_time": "06:40"}


@case(SLUG, "update_automation", "conflicting_automation")
def _(env: Env) -> Situation:
    scene = ok(env, SLUG, "create_scene", name="Dim")["id"]
    light = _device(env, "Kitchen ceiling light")
    ok(env, SLUG, "set_scene_action", scene_id=scene, device_id=light, level=10)
    made = ok(env, SLUG, "create_automation", name="Dim", scene_id=scene, trigger="time", at_time="06:30")
    return env, {"automation_id": made["id"], "at_time": "06:40"}


@case(SLUG, "turn_off", "armed")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "homes", "HOME-1", mode="away"), {"device_id": _device(env, "Garden camera")}


@case(SLUG, "set_temperature", "same_temperature")
def _(env: Env) -> Situation:
    device = one(env, SLUG, "devices", name="Living room thermostat")
    return env, {"device_id": device["id"], "celsius": device["target"]}


@case(SLUG, "set_temperature", "window_open")
def _(env: Env) -> Situation:
    return env, {"device_id": _device(env, "Study thermostat"), "celsius": 26.0}


@case(SLUG, "update_firmware", "in_use")
def _(env: Env) -> Situation:
    plug = _device(env, "Oven plug")
    return patched(env, SLUG, "devices", plug, on=True, firmware="0.1"), {"device_id": plug}


@case(SLUG, "unlock_door", "residents_only")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_access_code", lock_id=_front(env), **GUEST)
    code = one(env, SLUG, "access_codes", email=GUEST["email"])
    env = added(env, SLUG, "access_codes", {**code, "id": "CODE-900"})
    return patched(env, SLUG, "homes", "HOME-1", mode="vacation"), {"device_id": _front(env), "pin": "7391"}


@case(SLUG, "create_access_code", "has_code")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_access_code", lock_id=_front(env), **GUEST)
    return env, {"lock_id": _front(env), **GUEST, "pin": "7392"}


@case(SLUG, "create_access_code", "pin_taken")
def _(env: Env) -> Situation:
    ok(env, SLUG, "create_access_code", lock_id=_front(env), **GUEST)
    return env, {"lock_id": _front(env), **GUEST, "email": "ben@south.example"}


@case(SLUG, "create_access_code", "too_long")
def _(env: Env) -> Situation:
    return env, {"lock_id": _front(env), **GUEST, "valid_until": "2026-08-20T18:00:00Z"}


@case(SLUG, "create_access_code", "weak_pin")
def _(env: Env) -> Situation:
    return env, {"lock_id": _front(env), **GUEST, "pin": "1234"}


@case(SLUG, "create_access_code", "too_many_codes")
def _(env: Env) -> Situation:
    code = one(env, SLUG, "access_codes", lock_id=_front(env), resident=True)
    more = [{**code, "id": f"CODE-90{at}", "pin": f"84{at}6"} for at in range(8)]
    return added(env, SLUG, "access_codes", *more), {"lock_id": _front(env), **GUEST}
