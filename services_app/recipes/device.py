"""Phones and simulators: a screen with elements at places, apps, buttons, orientation, recordings.

The screen follows from the app in front, how far it is scrolled, and what was typed.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.errors import ToolError, invalid
from services_app.engine.plain import digest
from services_app.engine.state import About, Record, Table

Seen = dict[str, Any]
HOME = "home"
ROW = 120


class Device(Record):
    """A device; `app` is the package in front, `recording` the file of a running recording ("" for none)."""

    about: ClassVar[About] = About("device", "devices", key="name")
    name: str
    kind: str
    udid: str
    width: int
    height: int
    orientation: str = "portrait"
    app: str = HOME
    scroll: int = 0
    typed: str = ""
    focused: str = ""
    url: str = ""
    volume: int = 5
    recording: str = ""
    steps: tuple[str, ...] = ()


class DeviceUse(Record):
    """Which device is in use, by its id."""

    about: ClassVar[About] = About("device in use", "devices in use")
    device: str


class App(Record):
    """An installed app; its package name is the id."""

    about: ClassVar[About] = About("app", "apps", key="package_name")
    package_name: str
    label: str
    labels: tuple[str, ...]
    running: bool = False


class Recording(Record):
    """A picture or film that was saved; its path is the id."""

    about: ClassVar[About] = About("recording", "recordings")
    kind: str
    format: str
    mark: str
    time: str


class DeviceState(Protocol):
    """The tables that devices need."""

    device_list: Table[Device]
    device_use: Table[DeviceUse]
    device_apps: Table[App]
    device_files: Table[Recording]


def device_of(state: DeviceState, device: object = None) -> Device:
    """The device by its udid or name, else the one that is selected."""
    if device in (None, ""):
        return state.device_list.get(next(iter(state.device_use)).device)
    if str(device) in state.device_list:
        return state.device_list.get(str(device))
    found = next((one for one in state.device_list if str(device) in (one.udid, one.name)), None)
    if found is None:
        names = ", ".join(one.udid for one in state.device_list)
        raise ToolError(404, "not_found", f"No device {device!r}; there is {names}.")
    return found


def screen_of(state: DeviceState, device: Device) -> list[Seen]:
    """The elements on the screen with their places in pixels."""
    wide, high = size_of(device)
    labels = ["Search", *(app.label for app in state.device_apps)]
    if device.app != HOME:
        labels = list(state.device_apps.get(device.app).labels)
    found = []
    for number, label in enumerate(labels):
        top = 80 + ROW * number - device.scroll
        kind = "TextField" if label in ("Search", "Message", "Address") else "Button"
        if 0 <= top < high:
            value = device.typed if label == device.focused else ""
            value = device.url if label == "Address" and device.url and not value else value
            frame = {"x": 20, "y": top, "width": wide - 40, "height": 88}
            found.append(
                {"type": kind, "label": label, "value": value, "frame": frame, "focused": label == device.focused}
            )
    return found


def size_of(device: Device) -> tuple[int, int]:
    """Width and height of the screen as it is held."""
    return (device.width, device.height) if device.orientation == "portrait" else (device.height, device.width)


def at_point(state: DeviceState, device: Device, x: float, y: float) -> Seen:
    """The element at a point; 422 outside the screen, 404 where there is none."""
    wide, high = size_of(device)
    if not (0 <= x < wide and 0 <= y < high):
        raise invalid(f"The screen is {wide} x {high} pixels; {x}, {y} lies outside.", type="outside")
    for element in screen_of(state, device):
        frame = element["frame"]
        if frame["x"] <= x < frame["x"] + frame["width"] and frame["y"] - 16 <= y < frame["y"] + ROW:
            return element
    return {"type": "Window", "label": "", "value": "", "frame": {"x": 0, "y": 0, "width": wide, "height": high}}


def noted(state: DeviceState, device: Device, *words: object, **changes: Any) -> Device:
    """The device with changes and one more step in the list of what was done."""
    step = " ".join(str(word) for word in words if word not in (None, ""))
    return state.device_list.patch(device.id, steps=(*device.steps, step), **changes)


# Reads


def list_devices(state: DeviceState, ctx: CallContext) -> Seen:
    """All devices."""
    used, shown = device_of(state).id, ("name", "kind", "udid")
    found = [{name: getattr(one, name) for name in shown} | {"in_use": one.id == used} for one in state.device_list]
    return {"devices": found}


def booted_device(state: DeviceState, ctx: CallContext) -> Seen:
    """The device in use."""
    device = device_of(state)
    return {"name": device.name, "udid": device.udid}


def list_apps(state: DeviceState, ctx: CallContext, *, device: Any = None) -> Seen:
    """The installed apps."""
    device_of(state, device)
    shown = ("package_name", "label", "running")
    return {"apps": [{name: getattr(one, name) for name in shown} for one in state.device_apps]}


def screen_size(state: DeviceState, ctx: CallContext, *, device: Any = None) -> Seen:
    """Width and height of the screen in pixels, as the device is held."""
    wide, high = size_of(device_of(state, device))
    return {"width": wide, "height": high}


def orientation(state: DeviceState, ctx: CallContext, *, device: Any = None) -> Seen:
    """How the device is held."""
    return {"orientation": device_of(state, device).orientation}


def screen_elements(state: DeviceState, ctx: CallContext, *, device: Any = None) -> Seen:
    """The elements on the screen with their places."""
    one = device_of(state, device)
    return {"device": one.name, "app": one.app, "elements": screen_of(state, one)}


def element_at(state: DeviceState, ctx: CallContext, *, x: Any, y: Any, device: Any = None) -> Seen:
    """The element at a point of the screen."""
    return at_point(state, device_of(state, device), x, y)


def device_screenshot(
    state: DeviceState,
    ctx: CallContext,
    *,
    path: Any = None,
    format_: Any = None,
    display: Any = None,
    mask: Any = None,
    device: Any = None,
) -> Seen:
    """A picture of the screen in words, with a mark of its bytes; kept as a file where a path is given."""
    one = device_of(state, device)
    wide, high = size_of(one)
    seen = [f"{element['type']} {element['label']} {element['value']}".strip() for element in screen_of(state, one)]
    mark = digest([seen, wide, high, format_ or "png", display or "", mask or ""])[:12]
    told: Seen = {"width": wide, "height": high, "shows": seen, "mark": mark}
    if path in (None, ""):
        return told
    return {**told, "file": kept(state, ctx, str(path), "picture", str(format_ or "png"), mark).id}


def kept(state: DeviceState, ctx: CallContext, path: str, kind: str, form: str, mark: str) -> Recording:
    made = Recording(id=path, kind=kind, format=form, mark=mark, time=ctx.now)
    if path in state.device_files:
        return state.device_files.patch(path, kind=kind, format=form, mark=mark, time=ctx.now)
    return state.device_files.add(made)


# Seeds

_APPS = (
    (
        "com.north.notes",
        "Notes",
        ("Search", "New note", "Shopping list", "Plan for April", "Ideas", "Archive", "Trash"),
    ),
    ("com.north.browser", "Browser", ("Address", "Back", "Forward", "Reload", "Bookmarks", "Settings")),
    (
        "com.north.mail",
        "Mail",
        ("Search", "Inbox", "Ana Berg: budget", "Mei Tanaka: parts", "Sent", "Drafts", "Message"),
    ),
    ("com.north.settings", "Settings", ("Search", "Wi-Fi", "Sound", "Display", "Battery", "About")),
)


def seed_devices(devices: Table[Device], ctx: SeedContext) -> None:
    """A simulator that is in use, and a phone of another make."""
    rows = (("Phone 15", "ios", "A1B2-0015", 390, 844), ("Pixel 8", "android", "emulator-5554", 412, 915))
    for number, (name, kind, udid, wide, high) in enumerate(rows):
        devices.add(
            Device(
                id=udid,
                name=name,
                kind=kind,
                udid=udid,
                width=wide,
                height=high,
                volume=5 - number,
            )
        )


def seed_use(use: Table[DeviceUse], ctx: SeedContext) -> None:
    """The simulator is in use."""
    use.add(DeviceUse(id="use", device="A1B2-0015"))


def seed_apps(apps: Table[App], ctx: SeedContext) -> None:
    """Four apps, one of which runs."""
    for number, (package, label, labels) in enumerate(_APPS):
        apps.add(App(id=package, package_name=package, label=label, labels=labels, running=number == 0))


def seed_files(files: Table[Recording], ctx: SeedContext) -> None:
    """A film of the day before."""
    files.add(Recording(id="demo.mp4", kind="film", format="hevc", mark=digest("demo")[:12], time=ctx.moment(-1)))
