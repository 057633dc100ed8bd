"""What a warehouse management application holds. Stock, loads of bins and progress of orders are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Zone = Annotated[Literal["receiving", "pick_face", "reserve", "cold", "battery_cage", "quarantine"], LABEL]
StorageClass = Annotated[Literal["ambient", "cold", "battery"], LABEL]
InboundStatus = Annotated[Literal["expected", "arrived", "closed"], LABEL]
AppointmentStatus = Annotated[Literal["booked", "checked_in", "cancelled"], LABEL]
Direction = Annotated[Literal["inbound", "outbound"], LABEL]
OrderStatus = Annotated[Literal["open", "on_hold", "shipped", "cancelled"], LABEL]
Carrier = Annotated[Literal["Postwind", "Norfreight", "Larkfield van"], LABEL]
WaveStatus = Annotated[Literal["planned", "released"], LABEL]
TaskStatus = Annotated[Literal["open", "picked", "short"], LABEL]
Door = Annotated[Literal["D1", "D2", "D3", "D4"], LABEL]


class Sku(Record):
    about: ClassVar[About] = About("SKU", "SKUs", prefix="SKU-", key="sku")

    sku: f.Code
    name: f.Product
    storage_class: StorageClass
    unit_weight: Annotated[int, f.count("grams")]


class Location(Record):
    about: ClassVar[About] = About("bin", "bins", prefix="BIN-", key="code")

    code: f.Code
    zone: Zone
    level: Annotated[int, f.count("levels")]
    """From level 3 on a forklift is needed."""
    max_weight: Annotated[int, f.count("kilograms")]
    blocked: bool = False
    block_reason: f.Text = ""


class Plate(Record):
    """A license plate: one pallet or tote with units of one SKU."""

    about: ClassVar[About] = About("license plate", "license plates", prefix="LPN-", key="number")

    number: f.Code
    sku_id: Annotated[str, f.ref("skus")]
    location_id: Annotated[str, f.ref("locations")]
    quantity: Annotated[int, f.count("units")]
    received_on: f.Date
    on_hold: bool = False
    hold_reason: f.Text = ""


class Inbound(Record):
    about: ClassVar[About] = About("inbound shipment", "inbound shipments", prefix="ASN-", key="number")

    number: f.Code
    supplier_name: f.Organisation
    delivery_note: f.Code
    carrier_name: f.Organisation
    expected_on: f.Date
    status: InboundStatus
    closing_note: f.Text = ""


class InboundLine(Record):
    about: ClassVar[About] = About("inbound line", "inbound lines", prefix="INL-", key="")

    inbound_id: Annotated[str, f.ref("inbounds")]
    sku_id: Annotated[str, f.ref("skus")]
    expected: Annotated[int, f.count("units")]


class Receipt(Record):
    about: ClassVar[About] = About("receipt", "receipts", prefix="RCT-", key="")

    inbound_line_id: Annotated[str, f.ref("inbound_lines")]
    quantity: Annotated[int, f.count("units")]
    damaged: Annotated[int, f.count("units")]
    received_at: f.SystemTime


class Appointment(Record):
    about: ClassVar[About] = About("dock appointment", "dock appointments", prefix="DCK-", key="reference")

    reference: f.Code
    """Number of the inbound shipment, or plate of the truck."""
    direction: Direction
    door: Door
    carrier_name: f.Organisation
    starts_at: f.Timestamp
    minutes: Annotated[int, f.duration("minutes")]
    inbound_id: Annotated[str | None, f.ref("inbounds")] = None
    status: AppointmentStatus = "booked"
    checked_in_at: f.SystemTime | None = None


class Worker(Record):
    about: ClassVar[About] = About("warehouse worker", "warehouse workers", prefix="WRK-", key="email")

    name: f.Person
    email: f.Email
    shift: Annotated[Literal["early", "late"], LABEL]
    forklift: bool
    """Holds a valid forklift licence."""


class Order(Record):
    about: ClassVar[About] = About("outbound order", "outbound orders", prefix="OUT-", key="number")

    number: f.Code
    customer_name: f.Organisation
    po_number: f.Code
    ship_to: f.Place
    carrier: Carrier
    ship_by: f.Date
    status: OrderStatus
    hold_reason: f.Text = ""
    wave_id: Annotated[str | None, f.ref("waves")] = None
    tracking_number: f.Code = ""
    shipped_on: f.Date | None = None


class OrderLine(Record):
    about: ClassVar[About] = About("outbound line", "outbound lines", prefix="OUL-", key="")

    order_id: Annotated[str, f.ref("orders")]
    sku_id: Annotated[str, f.ref("skus")]
    quantity: Annotated[int, f.count("units")]


class Wave(Record):
    about: ClassVar[About] = About("wave", "waves", prefix="WAV-", key="number")

    number: f.Code
    carrier: Carrier
    status: WaveStatus
    created_at: f.SystemTime
    released_at: f.SystemTime | None = None


class PickTask(Record):
    about: ClassVar[About] = About("pick task", "pick tasks", prefix="PCK-", key="")

    wave_id: Annotated[str, f.ref("waves")]
    order_line_id: Annotated[str, f.ref("order_lines")]
    plate_id: Annotated[str, f.ref("plates")]
    quantity: Annotated[int, f.count("units")]
    picked: Annotated[int, f.count("units")] = 0
    status: TaskStatus = "open"
    worker_id: Annotated[str | None, f.ref("workers")] = None
    remark: f.Text = ""


class Carton(Record):
    about: ClassVar[About] = About("carton", "cartons", prefix="CTN-", key="label")

    order_id: Annotated[str, f.ref("orders")]
    label: f.Code


class CartonItem(Record):
    about: ClassVar[About] = About("carton item", "carton items", prefix="CTI-", key="")

    carton_id: Annotated[str, f.ref("cartons")]
    order_line_id: Annotated[str, f.ref("order_lines")]
    quantity: Annotated[int, f.count("units")]


class OrderNote(Record):
    about: ClassVar[About] = About("order note", "order notes", prefix="WNT-", key="", carrier="note")

    order_id: Annotated[str, f.ref("orders")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Instruction(Record):
    about: ClassVar[About] = About(
        "work instruction", "work instructions", prefix="WIN-", key="title", carrier="document"
    )

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class WarehouseState(State):
    skus: Table[Sku]
    locations: Table[Location]
    plates: Table[Plate]
    inbounds: Table[Inbound]
    inbound_lines: Table[InboundLine]
    receipts: Table[Receipt]
    appointments: Table[Appointment]
    workers: Table[Worker]
    orders: Table[Order]
    order_lines: Table[OrderLine]
    waves: Table[Wave]
    pick_tasks: Table[PickTask]
    cartons: Table[Carton]
    carton_items: Table[CartonItem]
    order_notes: Table[OrderNote]
    instructions: Table[Instruction]


service = Service(
    "warehouse",
    title="Warehouse",
    domain="operations",
    description="One warehouse from dock to dock: receipts, putaway, bins, waves, picking, packing and loading.",
    state=WarehouseState,
    files=sources(__file__, "goods.py"),
)
