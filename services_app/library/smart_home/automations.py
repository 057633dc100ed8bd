"""Tools for automations: when a scene is activated by itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Json,
    Name,
    Query,
    brief,
    check_text,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)
from services_app.library.smart_home.access import DeviceId
from services_app.library.smart_home.scenes import SceneId
from services_app.library.smart_home.state import Automation, Days, Mode, SmartHomeState, Trigger, service

AutomationId = Annotated[str, f.ref("automations")]
_FIELDS = {"time": {"at_time"}, "sensor": {"sensor_id", "above"}, "mode": {"mode"}}
Threshold = Annotated[float, f.Semantic("count"), Field(ge=-50, le=100_000)]


def _shown(state: SmartHomeState, row: Automation) -> Json:
    sensor = state.devices.get(row.sensor_id) if row.sensor_id else None
    return with_fields(
        row, scene=state.scenes.get(row.scene_id).name, sensor=sensor.name if sensor else None, when=_when(state, row)
    )


def _when(state: SmartHomeState, row: Automation) -> str:
    """The trigger in words."""
    if row.trigger == "time":
        return f"at {row.at_time}, {row.days.replace('_', ' ')}"
    if row.trigger == "mode":
        return f"when the mode becomes {row.mode}"
    sensor = state.devices.get(row.sensor_id or "")
    return f"when {sensor.name} measures more than {row.above:g}"


@service.tool()
def list_automations(
    state: SmartHomeState,
    ctx: CallContext,
    query: Query | None = None,
    trigger: Trigger | None = None,
    enabled: bool | None = None,
) -> Json:
    """List the automations with their trigger in words and their scene.

    Args:
        query: Words in the name.
        trigger: Only automations with this kind of trigger.
        enabled: Only automations that are on (true) or off (false).
    """
    found = keep(search(state.automations, query, lambda row: (row.name,)), trigger=trigger, enabled=enabled)
    return {"automations": [_shown(state, row) for row in found], "total": len(found)}


@service.tool(
    phrase="create the automation {name} for the scene {scene_id}",
    examples=(
        Example(
            {
                "name": "Window",
                "scene_id": "SCN-05",
                "trigger": "sensor",
                "sensor_id": "DEV-013",
                "above": 0.5,
            }
        ),
    ),
)
def create_automation(  # noqa: PLR0913, PLR0917 - one per field of a trigger
    state: SmartHomeState,
    ctx: CallContext,
    name: Name,
    scene_id: SceneId,
    trigger: Trigger,
    at_time: f.Time | None = None,
    days: Days = "every_day",
    sensor_id: DeviceId | None = None,
    above: Threshold | None = None,
    mode: Mode | None = None,
) -> Json:
    """Activate a scene at a time, when a sensor measures more than a value, or when the home gets a mode.

    Errors: `not_found`, `incomplete_trigger`, `other_trigger` (a field of another kind of trigger), `not_a_sensor`,
    `duplicate_name`, `conflicting_automation` (another one sets the same device differently at this moment),
    `blank_text`.

    Args:
        name: Name, unique in the home.
        scene_id: Scene that is activated.
        trigger: time needs at_time, sensor needs sensor_id and above, mode needs mode.
        at_time: Time of day such as 06:30.
        days: On which days.
        sensor_id: Sensor that is watched.
        above: The scene is activated when it measures more.
        mode: Mode of the home.
    """
    clean = check_text(name, "name")
    state.scenes.get(scene_id)
    if any(same(row.name, clean) for row in state.automations):
        raise conflict(f"There is an automation {clean} already.", type="duplicate_name")
    fields: Json = {"at_time": at_time, "days": days, "sensor_id": sensor_id, "above": above, "mode": mode}
    _check_trigger(state, trigger, fields)
    row = state.automations.create(name=clean, scene_id=scene_id, trigger=trigger, **fields)
    _check_conflicts(state, row)
    return _shown(state, row)


def _check_trigger(state: SmartHomeState, trigger: str, fields: Json) -> None:
    """422 when a trigger lacks a field, or has one that belongs to another kind."""
    if fields["sensor_id"] is not None:
        sensor = state.devices.get(fields["sensor_id"])
        if sensor.reading is None:
            raise invalid(f"{sensor.name} measures nothing.", type="not_a_sensor")
    sent = {name for name, value in fields.items() if value not in (None, "every_day")}
    needed = _FIELDS[trigger]
    if needed - sent:
        raise invalid(f"A {trigger} trigger also needs: {', '.join(sorted(needed - sent))}.", type="incomplete_trigger")
    odd = sent - needed - ({"days"} if trigger == "time" else set())
    if odd:
        raise invalid(f"A {trigger} trigger has no {', '.join(sorted(odd))}.", type="other_trigger")


def _check_conflicts(state: SmartHomeState, row: Automation) -> None:
    for other in state.automations.find(enabled=True, trigger=row.trigger):
        if other.id == row.id or not _together(row, other):
            continue
        for action in state.scene_actions.find(scene_id=row.scene_id):
            rival = state.scene_actions.first(scene_id=other.scene_id, device_id=action.device_id)
            if rival is not None and brief(rival, "on", "level", "target") != brief(action, "on", "level", "target"):
                device = state.devices.get(action.device_id).name
                raise conflict(
                    f"{other.name} sets {device} differently at the same moment; turn it off first.",
                    type="conflicting_automation",
                )


def _together(one: Automation, other: Automation) -> bool:
    """Whether two automations of one kind can start at the same moment."""
    if one.trigger == "time":
        return one.at_time == other.at_time and {one.days, other.days} != {"weekdays", "weekend"}
    if one.trigger == "mode":
        return one.mode == other.mode
    return one.sensor_id == other.sensor_id and one.above == other.above


@service.tool(
    phrase="change the automation {automation_id}",
    examples=(Example({"automation_id": "AUT-003", "above": 1000.0}),),
)
def update_automation(
    state: SmartHomeState,
    ctx: CallContext,
    automation_id: AutomationId,
    enabled: bool | Unset = UNSET,
    at_time: f.Time | Unset = UNSET,
    days: Days | Unset = UNSET,
    above: Threshold | Unset = UNSET,
) -> Json:
    """Turn an automation on or off, or change its time or threshold.

    Errors: `not_found`, `nothing_to_change`, `other_trigger` (a time for a sensor, a threshold for a time),
    `conflicting_automation`.

    Args:
        automation_id: Id of the automation.
        enabled: Whether it runs.
        at_time: New time of day, of a time trigger.
        days: New days, of a time trigger.
        above: New threshold, of a sensor trigger.
    """
    row = state.automations.get(automation_id)
    changes = some_changes(given(enabled=enabled, at_time=at_time, days=days, above=above))
    allowed = {"time": {"enabled", "at_time", "days"}, "sensor": {"enabled", "above"}, "mode": {"enabled"}}
    wrong = changes.keys() - allowed[row.trigger]
    if wrong:
        raise invalid(f"{row.name} has a {row.trigger} trigger without {min(wrong)}.", type="other_trigger")
    changed = state.automations.patch(automation_id, **changes)
    if changed.enabled:
        _check_conflicts(state, changed)
    return _shown(state, changed)


@service.tool(phrase="delete the automation {automation_id}")
def delete_automation(state: SmartHomeState, ctx: CallContext, automation_id: AutomationId) -> Automation:
    """Delete an automation; its scene stays.

    Errors: `not_found`.

    Args:
        automation_id: Id of the automation.
    """
    return state.automations.delete(automation_id)
