"""Tools that show the home and look after its devices."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, ToolError, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
    within,
)
from services_app.library.smart_home.access import LOW_BATTERY, DeviceId, RoomName, home_of, load_of, reachable, shown
from services_app.library.smart_home.state import DeviceKind, Event, EventKind, Room, SmartHomeState, service

Battery = Annotated[int, f.Semantic("percent"), Field(ge=1, le=100)]


def room_named(state: SmartHomeState, name: str) -> Room:
    """The room of this name; 404 `unknown_room` otherwise."""
    for room in state.rooms:
        if same(room.name, name):
            return room
    rooms = ", ".join(room.name for room in state.rooms)
    raise ToolError(404, "unknown_room", f"There is no room {name}; there are {rooms}.")


@service.tool()
def get_home(state: SmartHomeState, ctx: CallContext) -> Json:
    """Show the home: mode, rooms with their devices counted, load of the circuits, and what needs attention."""
    home = home_of(state)
    return with_fields(
        home,
        rooms=[
            with_fields(
                room,
                devices=state.devices.count(room_id=room.id),
                lights_on=state.devices.count(room_id=room.id, kind="light", on=True),
            )
            for room in state.rooms
        ],
        circuits=[with_fields(row, watts_now=load_of(state, row.id, {})) for row in state.circuits],
        unlocked_doors=[row.name for row in state.devices.find(kind="lock", locked=False)],
        offline_devices=[row.name for row in state.devices.find(online=False)],
        low_batteries=[
            {"device_id": row.id, "name": row.name, "battery": row.battery}
            for row in state.devices
            if row.battery is not None and row.battery < LOW_BATTERY
        ],
    )


@service.tool()
def list_devices(  # noqa: PLR0913, PLR0917 - filters of the product
    state: SmartHomeState,
    ctx: CallContext,
    query: Query | None = None,
    room: RoomName | None = None,
    kind: DeviceKind | None = None,
    online: bool | None = None,
    battery_below: Battery | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List devices by name with their present state.

    Errors: `unknown_room`.

    Args:
        query: Words in the name or serial number.
        room: Only devices in this room.
        kind: Only devices of this kind.
        online: Only devices that answer (true) or do not (false).
        battery_below: Only devices with less battery than this, in per cent.
        limit: At most so many devices.
        cursor: next_cursor of the previous page.
    """
    found = search(state.devices, query, lambda row: (row.name, row.serial_number))
    found = keep(found, kind=kind, online=online, room_id=room_named(state, room).id if room else None)
    if battery_below is not None:
        found = [row for row in found if row.battery is not None and row.battery < battery_below]
    found.sort(key=lambda row: (row.name.casefold(), row.id))
    page = cursor_page("devices", found, limit, cursor)
    page["devices"] = [shown(state, row) for row in page["devices"]]
    return page


@service.tool()
def get_device(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Show a device with its firmware, circuit, scenes, automations and latest events.

    Errors: `not_found`.

    Args:
        device_id: Id of the device.
    """
    device = state.devices.get(device_id)
    scenes = [state.scenes.get(row.scene_id) for row in state.scene_actions.find(device_id=device_id)]
    events = sorted(state.events.find(device_id=device_id), key=lambda row: row.happened_at, reverse=True)
    ids = {scene.id for scene in scenes}
    return {
        **shown(state, device),
        **brief(device, "circuit_id", "watts", "firmware", "latest_firmware", "serial_number"),
        "circuit": state.circuits.get(device.circuit_id).name if device.circuit_id else None,
        "scenes": [brief(scene, "id", "name") for scene in scenes],
        "automations": [
            brief(row, "id", "name", "enabled")
            for row in state.automations
            if row.scene_id in ids or row.sensor_id == device_id
        ],
        "events": [brief(row, "kind", "text", "happened_at") for row in events[:10]],
    }


@service.tool(phrase="change the device {device_id}")
def update_device(
    state: SmartHomeState,
    ctx: CallContext,
    device_id: DeviceId,
    name: Name | Unset = UNSET,
    room: RoomName | Unset = UNSET,
) -> Json:
    """Rename a device or move it to another room; names are unique.

    Errors: `not_found`, `nothing_to_change`, `duplicate_name`, `unknown_room`, `blank_text`.

    Args:
        device_id: Id of the device.
        name: New name.
        room: Name of its new room.
    """
    state.devices.get(device_id)
    changes = some_changes(given(name=name, room=room))
    if "name" in changes:
        changes["name"] = check_text(changes["name"], "name")
        if any(same(row.name, changes["name"]) and row.id != device_id for row in state.devices):
            raise conflict(f"Another device is called {changes['name']}.", type="duplicate_name")
    if "room" in changes:
        changes["room_id"] = room_named(state, changes.pop("room")).id
    return shown(state, state.devices.patch(device_id, **changes))


@service.tool(phrase="update the firmware of the device {device_id}")
def update_firmware(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Install the latest firmware on a device; one that runs on a battery needs at least 30 per cent.

    Errors: `not_found`, `device_offline`, `up_to_date`, `battery_low`, `in_use` (something plugged in is running).

    Args:
        device_id: Id of the device.
    """
    device = reachable(state, device_id)
    if device.firmware == device.latest_firmware:
        raise conflict(f"{device.name} has {device.firmware}, the latest firmware.", type="up_to_date")
    if device.battery is not None and device.battery < 30:
        raise conflict(f"{device.name} has {device.battery}% battery; replace it first.", type="battery_low")
    if device.kind == "plug" and device.on:
        raise conflict(f"{device.name} is on and would be interrupted; turn it off first.", type="in_use")
    changed = state.devices.patch(device_id, firmware=device.latest_firmware)
    return {**shown(state, changed), "firmware": changed.firmware, "previous_firmware": device.firmware}


@service.tool(phrase="note a new battery in the device {device_id}")
def replace_battery(state: SmartHomeState, ctx: CallContext, device_id: DeviceId) -> Json:
    """Note that a device got a new battery; one that had gone silent answers again.

    Errors: `not_found`, `no_battery`, `battery_fine` (more than half is left).

    Args:
        device_id: Id of the device.
    """
    device = state.devices.get(device_id)
    if device.battery is None:
        raise conflict(f"{device.name} runs on mains.", type="no_battery")
    if device.battery > 50:
        raise conflict(f"{device.name} has {device.battery}% left; keep its battery.", type="battery_fine")
    state.events.create(
        device_id=device_id, kind="battery", text=f"New battery, {device.battery}% was left.", happened_at=ctx.now
    )
    return shown(state, state.devices.patch(device_id, battery=100, online=True))


@service.tool()
def list_events(  # noqa: PLR0913, PLR0917 - filters of the product
    state: SmartHomeState,
    ctx: CallContext,
    query: Query | None = None,
    device_id: DeviceId | None = None,
    kind: EventKind | None = None,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what devices and residents have noted, newest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the text.
        device_id: Only events of this device.
        kind: Only events of this kind.
        from_day: Only events on this day or later.
        to_day: Only events on this day or earlier.
        limit: At most so many events.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.events, query, lambda row: (row.text,)), device_id=device_id, kind=kind)
    found = within(found, "happened_at", from_day, to_day)
    found = newest_first(found, "happened_at")
    page = cursor_page("events", found, limit, cursor)
    page["events"] = [with_fields(row, device=state.devices.get(row.device_id).name) for row in page["events"]]
    return page


@service.tool(phrase="write a note about the device {device_id}")
def add_event_note(
    state: SmartHomeState,
    ctx: CallContext,
    device_id: DeviceId,
    text: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=1000)],
) -> Event:
    """Write a note into the log of a device, for the other residents.

    Errors: `not_found`, `blank_text`.

    Args:
        device_id: Id of the device.
        text: What they should know.
    """
    state.devices.get(device_id)
    check_text(text, "text")
    return state.events.create(device_id=device_id, kind="note", text=text, happened_at=ctx.now)


@service.tool()
def read_house_guides(state: SmartHomeState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read the guides of the house: heating rules, waste, guests, what to do in an emergency.

    Args:
        query: Words in the title or text.
    """
    found = search(state.guides, query, lambda row: (row.title, row.body))
    found = newest_first(found, "written_on")
    return {"guides": found, "total": len(found)}
