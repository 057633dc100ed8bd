"""Tools for scenes: settings of several devices under one name."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, Name, Query, brief, check_text, same, search, with_fields
from services_app.library.smart_home.access import (
    LEVELLED,
    SWITCHED,
    Degrees,
    DeviceId,
    Percent,
    check_kind,
    check_load,
    check_target,
    shown,
)
from services_app.library.smart_home.state import Device, Scene, SceneAction, SmartHomeState, service

SceneId = Annotated[str, f.ref("scenes")]
MOST_SCENES = 20


def _settings(action: SceneAction) -> Json:
    """What an action sets, without what it leaves alone."""
    settings = brief(action, "on", "level", "target")
    return {name: value for name, value in settings.items() if value is not None}


def _shown_scene(state: SmartHomeState, scene: Scene) -> Json:
    return with_fields(
        scene,
        actions=[
            {"device_id": row.device_id, "device": state.devices.get(row.device_id).name, **_settings(row)}
            for row in state.scene_actions.find(scene_id=scene.id)
        ],
        automations=[row.name for row in state.automations.find(scene_id=scene.id)],
    )


@service.tool()
def list_scenes(state: SmartHomeState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the scenes with what they set and the automations that use them.

    Args:
        query: Words in the name or description.
    """
    found = search(state.scenes, query, lambda row: (row.name, row.description))
    return {"scenes": [_shown_scene(state, row) for row in found], "total": len(found)}


@service.tool(phrase="create the scene {name}")
def create_scene(state: SmartHomeState, ctx: CallContext, name: Name, description: f.Text = "") -> Scene:
    """Create an empty scene; set_scene_action then says what it does.

    Errors: `duplicate_name`, `too_many_scenes` (twenty), `blank_text`.

    Args:
        name: Name, unique in the home.
        description: When it is meant to be used.
    """
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.scenes):
        raise conflict(f"There is a scene {clean} already.", type="duplicate_name")
    if len(state.scenes) >= MOST_SCENES:
        raise conflict(f"There are {MOST_SCENES} scenes; change one of them instead.", type="too_many_scenes")
    return state.scenes.create(name=clean, description=description)


@service.tool(
    phrase="let the scene {scene_id} set the device {device_id}",
    examples=(
        Example({"scene_id": "SCN-01", "device_id": "DEV-003", "on": True, "level": 40}),
        Example({"scene_id": "SCN-01", "device_id": "DEV-008", "celsius": 19.0}),
    ),
)
def set_scene_action(
    state: SmartHomeState,
    ctx: CallContext,
    scene_id: SceneId,
    device_id: DeviceId,
    on: bool | None = None,
    level: Percent | None = None,
    celsius: Degrees | None = None,
) -> Json:
    """Say what a scene does with a device, instead of what it did before; with no setting the device leaves the scene.

    Locks and sensors cannot be in a scene.
    Errors: `not_found`, `not_supported`, `not_in_scene`, `scene_full` (twelve devices).

    Args:
        scene_id: Id of the scene.
        device_id: Id of the device.
        on: Turn it on or off.
        level: Brightness, volume or opening in per cent.
        celsius: Temperature of a thermostat.
    """
    scene, device = state.scenes.get(scene_id), state.devices.get(device_id)
    if device.kind in ("lock", "sensor"):
        raise invalid(f"{device.name} is a {device.kind} and cannot be in a scene.", type="not_supported")
    for value, kinds, what in (
        (on, SWITCHED, "switch"),
        (level, LEVELLED, "level"),
        (celsius, ("thermostat",), "temperature"),
    ):
        if value is not None:
            check_kind(device, kinds, what)
    before = state.scene_actions.first(scene_id=scene_id, device_id=device_id)
    if before is not None:
        state.scene_actions.delete(before.id)
    if on is None and level is None and celsius is None:
        if before is None:
            raise conflict(f"{device.name} is not in {scene.name}; send a setting.", type="not_in_scene")
        return _shown_scene(state, scene)
    if state.scene_actions.count(scene_id=scene_id) >= 12:
        raise conflict(f"{scene.name} sets twelve devices, no more are possible.", type="scene_full")
    state.scene_actions.create(scene_id=scene_id, device_id=device_id, on=on, level=level, target=celsius)
    return _shown_scene(state, scene)


@service.tool(phrase="activate the scene {scene_id}")
def activate_scene(state: SmartHomeState, ctx: CallContext, scene_id: SceneId) -> Json:
    """Set all devices of a scene at once; those that do not answer are left out and named.

    Errors: `not_found`, `empty_scene`, `circuit_overload`, `above_limit`, `nothing_to_change` (all is set so already).

    Args:
        scene_id: Id of the scene.
    """
    scene = state.scenes.get(scene_id)
    actions = state.scene_actions.find(scene_id=scene_id)
    if not actions:
        raise conflict(f"{scene.name} sets nothing; use set_scene_action.", type="empty_scene")
    devices = {row.device_id: state.devices.get(row.device_id) for row in actions}
    skipped = [device.name for device in devices.values() if not device.online]
    changed: dict[str, Device] = {}
    for action in actions:
        device = devices[action.device_id]
        after = device.changed(**_settings(action))
        if device.online and after != device:
            if action.target is not None:
                check_target(state, action.target)
            changed[device.id] = after
    if not changed:
        raise conflict(f"All that {scene.name} sets is so already.", type="nothing_to_change")
    check_load(state, changed)
    for action in actions:
        if action.device_id in changed:
            state.devices.patch(action.device_id, **_settings(action))
    state.scenes.patch(scene_id, last_activated_at=ctx.now)
    return {
        "scene_id": scene_id,
        "scene": scene.name,
        "devices": [shown(state, state.devices.get(identity)) for identity in changed],
        "offline": skipped,
    }
