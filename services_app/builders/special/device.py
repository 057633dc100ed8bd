"""Servers that drive a phone or simulator: taps at points, apps, buttons, orientation."""

from __future__ import annotations

from services_app.builders.entities import Reader
from services_app.builders.plan import Fixture, ToolPlan
from services_app.builders.special.calls import Model, Operation, call_plan, keys_of
from services_app.recipes import device as recipe
from services_app.recipes import device_actions
from services_app.specs.model import ToolSpec

OPERATIONS = (
    Operation("_list_(available_)?devices_", recipe.list_devices),
    Operation("_(booted|current)_(sim|device|simulator)\\w*_", recipe.booted_device),
    Operation("_(use|select)_device_", device_actions.use_device),
    Operation("_list_apps_", recipe.list_apps),
    Operation("_(launch|start|open)_app_", device_actions.launch_app),
    Operation("_(terminate|stop|close|kill)_app_", device_actions.terminate_app),
    Operation("_(screen_size|get_window_size)_", recipe.screen_size),
    Operation("_get_orientation_", recipe.orientation),
    Operation("_set_orientation_", device_actions.set_orientation),
    Operation("_(elements_on_screen|describe_all|dump_ui)_", recipe.screen_elements),
    Operation("_describe_point_", recipe.element_at),
    Operation("_(click_on_screen_at_coordinates|tap|ui_tap)_", device_actions.tap, needs="x"),
    Operation("_(type_keys|ui_type|input_text|type_text)_", device_actions.type_text, needs="text"),
    Operation("_swipe(_on_screen)?_", device_actions.swipe),
    Operation("_press_button_", device_actions.press_button, needs="button"),
    Operation("_open_url_", device_actions.open_address, needs="url"),
    Operation(
        "_record_(video|screen)_|_start_recording_",
        device_actions.record_video,
        samples={"path": ("demo.mp4", "new.mp4"), "force": (True,)},
    ),
    Operation("_stop_recording_", device_actions.stop_recording, after=("record_video", {"path": "film.mp4"})),
    Operation("_screenshot_", recipe.device_screenshot),
)
_MODULE = "services_app.recipes.device"
DEVICES = Model(
    operations=OPERATIONS,
    vocabulary={
        "device": "udid|device(_id|_name)?",
        "kind": "device_type",
        "app": "package_name|bundle_id|app(_id)?",
        "x": "x(_start)?|start_x",
        "y": "y(_start)?|start_y",
        "to_x": "x_end|end_x",
        "to_y": "y_end|end_y",
        "duration": "duration",
        "text": "text",
        "submit": "submit",
        "direction": "direction",
        "step": "delta",
        "button": "button",
        "url": "url",
        "orientation": "orientation",
        "path": "output_path|save_to|path",
        "format": "type|format",
        "display": "display",
        "mask": "mask",
        "codec": "codec",
        "force": "force",
    },
    fixtures=(
        Fixture("device_list", "Device", _MODULE, "seed_devices"),
        Fixture("device_use", "DeviceUse", _MODULE, "seed_use"),
        Fixture("device_apps", "App", _MODULE, "seed_apps"),
        Fixture("device_files", "Recording", _MODULE, "seed_files"),
    ),
    steady=(),
    noun="device",
    samples={
        "device": ("A1B2-0015", "Pixel 8"),
        "kind": ("ios", "android"),
        "app": ("com.north.notes", "com.north.mail"),
        "x": (60, 80),
        "y": (100, 340),
        "to_x": (60,),
        "to_y": (40,),
        "duration": ("1",),
        "text": ("plan",),
        "step": (5,),
        "button": ("HOME", "VOLUME_UP"),
        "url": ("https://north.example/",),
        "path": ("shot.png",),
    },
)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that drives a device; None where the server, or the tool, is of another kind."""
    operation = DEVICES.operation_of(tool, keys_of(reader, tool))
    if operation is None:
        return None
    found = [DEVICES.operation_of(other, keys_of(reader, other)) for other in reader.spec.tools]
    does = {one.function.__name__ for one in found if one is not None}
    touches = {"tap", "swipe"} & does and {"type_text", "press_button", "screen_elements"} & does
    return call_plan(reader, tool, DEVICES, operation) if touches else None
