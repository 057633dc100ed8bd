"""What devices can do, what circuits can bear, and how answers show devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from services_app.engine import conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, brief
from services_app.library.smart_home.state import Device, Home, SmartHomeState

DeviceId = Annotated[str, f.ref("devices")]
RoomName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
Percent = Annotated[int, f.Semantic("percent"), Field(ge=0, le=100)]
Degrees = Annotated[float, f.Semantic("count", unit="degrees"), Field(ge=5, le=28)]

SWITCHED = ("light", "plug", "speaker", "camera")
LEVELLED = ("light", "blind", "speaker")
LOW_BATTERY = 15


def home_of(state: SmartHomeState) -> Home:
    return next(iter(state.homes))


def reachable(state: SmartHomeState, device_id: str) -> Device:
    """A device that answers; 409 `device_offline` otherwise."""
    device = state.devices.get(device_id)
    if not device.online:
        raise conflict(f"{device.name} does not answer; check its power or battery.", type="device_offline")
    return device


def check_kind(device: Device, kinds: tuple[str, ...], what: str) -> None:
    """422 `not_supported` for a device that cannot do something."""
    if device.kind not in kinds:
        raise invalid(f"{device.name} is a {device.kind} and has no {what}.", type="not_supported")


def watts_now(device: Device) -> int:
    """What a device draws: nothing when off, lights in proportion to their brightness."""
    if not device.on or not device.online:
        return 0
    return round(device.watts * device.level / 100) if device.kind == "light" else device.watts


def load_of(state: SmartHomeState, circuit_id: str, changed: Mapping[str, Device]) -> int:
    """Watts on a circuit, with some devices as they would be."""
    return sum(watts_now(changed.get(row.id, row)) for row in state.devices.find(circuit_id=circuit_id))


def check_load(state: SmartHomeState, changed: Mapping[str, Device]) -> None:
    """409 `circuit_overload` when changed devices would draw more than their circuit bears."""
    for circuit_id in {row.circuit_id for row in changed.values() if row.circuit_id}:
        circuit = state.circuits.get(circuit_id)
        load = load_of(state, circuit_id, changed)
        if load > circuit.max_watts and load > load_of(state, circuit_id, {}):
            raise conflict(
                f"{circuit.name} would carry {load} of {circuit.max_watts} watts; turn something off first.",
                type="circuit_overload",
            )


def check_target(state: SmartHomeState, celsius: float) -> None:
    """409 `above_limit` for a temperature that the mode of the home does not allow."""
    home = home_of(state)
    if home.mode != "home" and celsius > home.night_limit:
        raise conflict(f"In the mode {home.mode} at most {home.night_limit:g} degrees can be set.", type="above_limit")


def shown(state: SmartHomeState, device: Device) -> Json:
    """A device with the fields that mean something for its kind."""
    row = brief(device, "id", "name", "kind")
    row["room"] = state.rooms.get(device.room_id).name
    row["online"] = device.online
    if device.kind in SWITCHED:
        row["on"] = device.on
    if device.kind in LEVELLED:
        row["level"] = device.level
    if device.kind == "thermostat":
        row["target"] = device.target
    if device.kind == "lock":
        row["locked"] = device.locked
    if device.measures:
        row["measures"] = device.measures
        row["reading"] = device.reading
    row["battery"] = device.battery
    row["watts_now"] = watts_now(device)
    return row
