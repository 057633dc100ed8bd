"""Tools that switch devices and the mode of the home."""

from __future__ import annotations

from services_app.engine import CallContext, conflict
from services_app.library.shared import Json, with_fields
from services_app.library.smart_home.access import (
    LEVELLED,
    SWITCHED,
    Degrees,
    DeviceId,
    Percent,
    check_kind,
    check_load,
    check_target,
    home_of,
    reachable,
    shown,
)
from services_app.library.smart_home.state import Mode, SmartHomeState, service

_AWAY_TARGET = {"away": 16.0, "vacation": 12.0}


@service.tool(phrase="turn on {device_id}")
def turn_on(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Turn on a light, a plug, a speaker or a camera.

    Errors: `not_found`, `device_offline`, `not_supported`, `already_on`, `circuit_overload`.

    Args:
        device_id: Id of the device.
    """
    device = reachable(state, device_id)
    check_kind(device, SWITCHED, "switch")
    if device.on:
        raise conflict(f"{device.name} is on already.", type="already_on")
    check_load(state, {device_id: device.changed(on=True)})
    return shown(state, state.devices.patch(device_id, on=True))


@service.tool(phrase="turn off {device_id}")
def turn_off(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Turn off a light, a plug, a speaker or a camera. Cameras stay on while nobody is home.

    Errors: `not_found`, `device_offline`, `not_supported`, `already_off`, `armed`.

    Args:
        device_id: Id of the device.
    """
    device = reachable(state, device_id)
    check_kind(device, SWITCHED, "switch")
    if not device.on:
        raise conflict(f"{device.name} is off already.", type="already_off")
    if device.kind == "camera" and home_of(state).mode in _AWAY_TARGET:
        raise conflict(f"{device.name} stays on in the mode {home_of(state).mode}.", type="armed")
    return shown(state, state.devices.patch(device_id, on=False))


@service.tool(phrase="set {device_id} to {level} per cent")
def set_level(state: SmartHomeState, ctx: CallContext, device_id: DeviceId, level: Percent) -> Json:
    """Set brightness, volume or how far a blind is open. Lights go on above 0 and off at 0.

    Errors: `not_found`, `device_offline`, `not_supported`, `same_level`, `circuit_overload`.

    Args:
        device_id: Id of the device.
        level: Per cent; a blind is closed at 0.
    """
    device = reachable(state, device_id)
    check_kind(device, LEVELLED, "level")
    changes = {"level": level, "on": level > 0} if device.kind == "light" else {"level": level}
    changed = device.changed(**changes)
    if changed == device:
        raise conflict(f"{device.name} is at {level}% already.", type="same_level")
    check_load(state, {device_id: changed})
    return shown(state, state.devices.patch(device_id, **changes))


@service.tool(phrase="set {device_id} to {celsius} degrees")
def set_temperature(state: SmartHomeState, ctx: CallContext, device_id: DeviceId, celsius: Degrees) -> Json:
    """Set the temperature that a thermostat aims at; at night and while nobody is home there is a limit.

    Errors: `not_found`, `device_offline`, `not_supported`, `above_limit`, `same_temperature`, `window_open` (a sensor
    of the room says that a window is open).

    Args:
        device_id: Id of the thermostat.
        celsius: Degrees, in halves.
    """
    device = reachable(state, device_id)
    check_kind(device, ("thermostat",), "temperature")
    wanted = round(celsius * 2) / 2
    if device.target == wanted:
        raise conflict(f"{device.name} aims at {wanted:g} degrees already.", type="same_temperature")
    check_target(state, wanted)
    for sensor in state.devices.find(room_id=device.room_id, measures="window open"):
        if sensor.reading and device.target is not None and wanted > device.target:
            raise conflict(f"{sensor.name} says that a window is open; close it first.", type="window_open")
    return shown(state, state.devices.patch(device_id, target=wanted))


@service.tool(phrase="set the home to the mode {mode}")
def set_home_mode(state: SmartHomeState, ctx: CallContext, mode: Mode) -> Json:
    """Set the mode of the home. Leaving (away, vacation) turns lights and speakers off, cameras on and heating down.

    Errors: `same_mode`, `not_secured` (a door is unlocked, or a plug that heats is on).

    Args:
        mode: home, night, away or vacation.
    """
    home = home_of(state)
    if home.mode == mode:
        raise conflict(f"The home is in the mode {mode} already.", type="same_mode")
    if mode in _AWAY_TARGET:
        open_ = [row.name for row in state.devices.find(kind="lock", locked=False)]
        open_ += [row.name for row in state.devices.find(kind="plug", on=True) if row.watts >= 1000]
        if open_:
            raise conflict(f"First lock or turn off: {', '.join(open_)}.", type="not_secured")
    changed = _follow(state, mode, home.night_limit)
    return with_fields(state.homes.patch(home.id, mode=mode), changed_devices=changed)


def _follow(state: SmartHomeState, mode: str, limit: float) -> list[str]:
    """Bring the devices in line with a mode; names of those that changed."""
    names = []
    for device in state.devices.where(lambda row: row.online):
        changes: Json = {}
        if mode in _AWAY_TARGET and device.kind in ("light", "speaker"):
            changes = {"on": False}
        elif mode in _AWAY_TARGET and device.kind == "camera":
            changes = {"on": True}
        elif device.kind == "thermostat" and mode != "home":
            changes = {"target": min(device.target or limit, _AWAY_TARGET.get(mode, limit))}
        if changes and device.changed(**changes) != device:
            state.devices.patch(device.id, **changes)
            names.append(device.name)
    return names
