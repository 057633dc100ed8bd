"""What a smart home holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Mode = Annotated[Literal["home", "night", "away", "vacation"], LABEL]
DeviceKind = Annotated[Literal["light", "plug", "thermostat", "lock", "blind", "camera", "sensor", "speaker"], LABEL]
Trigger = Annotated[Literal["time", "sensor", "mode"], LABEL]
Days = Annotated[Literal["every_day", "weekdays", "weekend"], LABEL]
EventKind = Annotated[Literal["motion", "opened", "alarm", "battery", "note"], LABEL]
Level = Annotated[int, f.Semantic("percent")]
Celsius = Annotated[float, f.Semantic("count", unit="degrees")]


class Home(Record):
    about: ClassVar[About] = About("home", "homes", prefix="HOME-", width=1, key="name")

    name: f.Title
    address: f.Place
    mode: Mode
    night_limit: Celsius
    """Highest temperature that can be set in the modes night, away and vacation."""


class Room(Record):
    about: ClassVar[About] = About("room", "rooms", prefix="ROOM-", width=2, key="name")

    name: f.Label
    floor: f.Label


class Circuit(Record):
    about: ClassVar[About] = About("electric circuit", "electric circuits", prefix="CIR-", width=1, key="name")

    name: f.Label
    max_watts: Annotated[int, f.count("watts")]


class Device(Record):
    about: ClassVar[About] = About("device", "devices", prefix="DEV-", width=3, key="name")

    name: f.Title
    kind: DeviceKind
    room_id: Annotated[str, f.ref("rooms")]
    circuit_id: Annotated[str | None, f.ref("circuits")] = None
    """Where it takes its electricity; None for devices with a battery."""
    watts: Annotated[int, f.count("watts")] = 0
    online: bool = True
    battery: Annotated[int | None, f.Semantic("percent")] = None
    firmware: f.Code
    latest_firmware: f.Code
    serial_number: f.Code
    on: bool = False
    level: Level = 100
    """Brightness, volume, or how far a blind is open, in per cent."""
    target: Celsius | None = None
    locked: bool | None = None
    measures: f.Label = ""
    reading: Annotated[float | None, f.Semantic("count")] = None
    """Last value of a sensor or thermostat."""


class Scene(Record):
    about: ClassVar[About] = About("scene", "scenes", prefix="SCN-", width=2, key="name")

    name: f.Title
    description: f.Text = ""
    last_activated_at: f.SystemTime | None = None


class SceneAction(Record):
    about: ClassVar[About] = About("scene action", "scene actions", prefix="ACT-", key="")

    scene_id: Annotated[str, f.ref("scenes")]
    device_id: Annotated[str, f.ref("devices")]
    on: bool | None = None
    level: Level | None = None
    target: Celsius | None = None


class Automation(Record):
    about: ClassVar[About] = About("automation", "automations", prefix="AUT-", width=3, key="name")

    name: f.Title
    trigger: Trigger
    at_time: f.Time | None = None
    days: Days = "every_day"
    sensor_id: Annotated[str | None, f.ref("devices")] = None
    above: Annotated[float | None, f.Semantic("count")] = None
    mode: Mode | None = None
    scene_id: Annotated[str, f.ref("scenes")]
    enabled: bool = True


class AccessCode(Record):
    about: ClassVar[About] = About("access code", "access codes", prefix="CODE-", width=3, key="holder")

    lock_id: Annotated[str, f.ref("devices")]
    holder: f.Person
    email: f.Email
    pin: f.Code
    purpose: f.Text
    resident: bool = False
    """Residents may come in at any time, also on vacation."""
    valid_from: f.Timestamp
    valid_until: f.Timestamp
    revoked_at: f.SystemTime | None = None


class Event(Record):
    about: ClassVar[About] = About("home event", "home events", prefix="EVT-", key="", carrier="note")

    device_id: Annotated[str, f.ref("devices")]
    kind: EventKind
    text: f.Text
    happened_at: f.SystemTime


class Reading(Record):
    about: ClassVar[About] = About("meter reading", "meter readings", prefix="MET-", key="")

    circuit_id: Annotated[str, f.ref("circuits")]
    day: f.Date
    kwh: Annotated[float, f.count("kilowatt-hours")]


class Tariff(Record):
    about: ClassVar[About] = About("electricity tariff", "electricity tariffs", prefix="TAR-", width=2, key="name")

    name: f.Title
    price_per_kwh: f.Money
    valid_from: f.Date


class Guide(Record):
    about: ClassVar[About] = About(
        "house guide", "house guides", prefix="GUIDE-", width=2, key="title", carrier="document"
    )

    title: f.Title
    body: f.Text
    written_on: f.Date


class SmartHomeState(State):
    homes: Table[Home]
    rooms: Table[Room]
    circuits: Table[Circuit]
    devices: Table[Device]
    scenes: Table[Scene]
    scene_actions: Table[SceneAction]
    automations: Table[Automation]
    access_codes: Table[AccessCode]
    events: Table[Event]
    readings: Table[Reading]
    tariffs: Table[Tariff]
    guides: Table[Guide]


service = Service(
    "smart-home",
    title="Smart home",
    domain="home and leisure",
    description="Lights, heating, locks and sensors of a home with scenes, automations, door codes and energy.",
    state=SmartHomeState,
    files=sources(__file__),
)
