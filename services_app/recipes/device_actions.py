"""What an agent does to a phone: taps, swipes, types, starts apps, presses buttons, records."""

from __future__ import annotations

from typing import Any

from services_app.engine.context import CallContext
from services_app.engine.errors import ToolError, conflict, invalid
from services_app.engine.plain import digest
from services_app.recipes.device import (
    HOME,
    App,
    DeviceState,
    Seen,
    at_point,
    device_of,
    kept,
    noted,
    screen_of,
)


def use_device(state: DeviceState, ctx: CallContext, *, device: Any, kind: Any = None) -> Seen:
    """Select a device by its name; 404 when there is none of that name and kind."""
    one = device_of(state, str(device))
    if kind is not None and str(kind) not in (one.kind, "simulator" if one.kind == "ios" else one.kind):
        raise ToolError(404, "not_found", f"{one.name!r} is of kind {one.kind}, not {kind}.")
    state.device_use.patch(next(iter(state.device_use)).id, device=one.id)
    return {"selected": one.name, "kind": one.kind}


def app_named(state: DeviceState, app: object) -> App:
    """The installed app of a package name, or 404."""
    if str(app) not in state.device_apps:
        names = ", ".join(one.id for one in state.device_apps)
        raise ToolError(404, "not_found", f"No app {app!r} is installed; there is {names}.")
    return state.device_apps.get(str(app))


def launch_app(state: DeviceState, ctx: CallContext, *, app: Any, device: Any = None) -> Seen:
    """Bring an app to the front."""
    found, one = app_named(state, app), device_of(state, device)
    state.device_apps.patch(found.id, running=True)
    noted(state, one, "launch", found.id, app=found.id, scroll=0, typed="", focused="")
    return {"app": found.id, "label": found.label, "device": one.name}


def terminate_app(state: DeviceState, ctx: CallContext, *, app: Any, device: Any = None) -> Seen:
    """Stop an app; 409 when it does not run."""
    found, one = app_named(state, app), device_of(state, device)
    if not found.running:
        raise conflict(f"{found.id} does not run.", type="not_running")
    state.device_apps.patch(found.id, running=False)
    if one.app == found.id:
        noted(state, one, "terminate", found.id, app=HOME, scroll=0, typed="", focused="")
    return {"app": found.id, "running": False}


def tap(state: DeviceState, ctx: CallContext, *, x: Any, y: Any, duration: Any = None, device: Any = None) -> Seen:
    """Tap a point: an app opens, a field gets the focus. 422 for a duration that is no number."""
    one = device_of(state, device)
    element = at_point(state, one, x, y)
    if duration is not None and not str(duration).replace(".", "", 1).isdecimal():
        raise invalid(f"{duration!r} is no duration in seconds.", type="invalid_duration")
    app = next((app for app in state.device_apps if app.label == element["label"]), None)
    if one.app == HOME and app is not None:
        launch_app(state, ctx, app=app.id, device=one.udid)
    else:
        field = element["type"] == "TextField"
        noted(state, one, "tap", x, y, duration, focused=element["label"] if field else one.focused)
    return {"tapped": element["label"], "x": x, "y": y, "app": device_of(state, one.udid).app}


def type_text(state: DeviceState, ctx: CallContext, *, text: Any, submit: Any = None, device: Any = None) -> Seen:
    """Type into the field that has the focus, or into the first one; submitting leaves the field."""
    one = device_of(state, device)
    fields = [element["label"] for element in screen_of(state, one) if element["type"] == "TextField"]
    if not fields:
        raise conflict("There is no field to type into on the screen.", type="no_field")
    field = one.focused if one.focused in fields else fields[0]
    typed = one.typed + str(text)
    noted(state, one, "type", text, "submit" if submit else "", typed=typed, focused="" if submit else field)
    return {"field": field, "value": typed, "submitted": bool(submit), "device": one.name}


def swipe(  # noqa: PLR0913 - a direction, or two points
    state: DeviceState,
    ctx: CallContext,
    *,
    direction: Any = None,
    x: Any = None,
    y: Any = None,
    to_x: Any = None,
    to_y: Any = None,
    step: Any = None,
    device: Any = None,
) -> Seen:
    """Swipe: up (or from a lower to a higher point) shows what is further down."""
    one = device_of(state, device)
    by = {"up": 400, "down": -400}.get(str(direction), 0) if direction is not None else int(y - to_y)
    if step is not None and not 0 < step <= 1000:
        raise invalid("The size of a step lies between 0 and 1000.", type="invalid_step")
    if direction is None:
        at_point(state, one, x, y)
        at_point(state, one, to_x, to_y)
    words = (direction, x, y, to_x, to_y, step)
    one = noted(state, one, "swipe", *words, scroll=max(0, one.scroll + by))
    return {"scroll": one.scroll, "device": one.name}


BUTTONS = (
    "HOME",
    "BACK",
    "VOLUME_UP",
    "VOLUME_DOWN",
    "ENTER",
    "DPAD_CENTER",
    "DPAD_UP",
    "DPAD_DOWN",
    "DPAD_LEFT",
    "DPAD_RIGHT",
)


def press_button(state: DeviceState, ctx: CallContext, *, button: Any, device: Any = None) -> Seen:
    """Press a button: HOME and BACK leave the app, the volume buttons change the volume."""
    name = str(button).upper()
    one = device_of(state, device)
    if name not in BUTTONS:
        raise invalid(f"No button {button!r}; there is {', '.join(BUTTONS)}.", type="unknown_button")
    changes: Seen = {}
    if name in ("HOME", "BACK"):
        changes = {"app": HOME, "scroll": 0, "focused": "", "typed": ""}
    elif name.startswith("VOLUME"):
        changes = {"volume": min(10, max(0, one.volume + (1 if name == "VOLUME_UP" else -1)))}
    one = noted(state, one, "press", name, **changes)
    return {"pressed": name, "app": one.app, "volume": one.volume, "device": one.name}


def open_address(state: DeviceState, ctx: CallContext, *, url: Any, device: Any = None) -> Seen:
    """Open an address in the browser of the device; 422 for what is none."""
    text = str(url)
    if "://" not in text or any(sign.isspace() for sign in text):
        raise invalid(f"{url!r} is no address; send one such as https://north.example/.", type="invalid_url")
    browser = next(app for app in state.device_apps if "Address" in app.labels)
    launch_app(state, ctx, app=browser.id, device=device)
    one = device_of(state, device)
    state.device_list.patch(one.id, url=text)
    return {"url": text, "app": browser.id}


def set_orientation(state: DeviceState, ctx: CallContext, *, orientation: Any, device: Any = None) -> Seen:
    """Hold the device upright or across."""
    if orientation not in ("portrait", "landscape"):
        raise invalid("A device is held portrait or landscape.", type="invalid_orientation")
    one = state.device_list.patch(device_of(state, device).id, orientation=str(orientation))
    return {"orientation": one.orientation, "device": one.name}


def record_video(
    state: DeviceState,
    ctx: CallContext,
    *,
    path: Any = None,
    codec: Any = None,
    display: Any = None,
    mask: Any = None,
    force: Any = None,
    device: Any = None,
) -> Seen:
    """Begin to record the screen; 409 while a recording runs, or when the file exists and `force` is not set."""
    one = device_of(state, device)
    name = str(path or f"recording-{len(state.device_files) + 1}.mp4")
    if one.recording:
        raise conflict("A recording runs already; stop it first.", type="recording")
    if name in state.device_files and not force:
        raise conflict(f"There is a file {name!r} already.", type="already_exists")
    form = str(codec or "hevc")
    made = kept(state, ctx, name, "film", form, digest([name, form, display or "", mask or ""])[:12])
    state.device_list.patch(one.id, recording=made.id)
    return {"recording": made.id, "format": form, "device": one.name}


def stop_recording(state: DeviceState, ctx: CallContext, *, device: Any = None) -> Seen:
    """End the recording; 409 when none runs."""
    one = device_of(state, device)
    if not one.recording:
        raise conflict("No recording runs.", type="not_recording")
    state.device_list.patch(one.id, recording="")
    return {"stopped": one.recording, "device": one.name}
