"""What an inventory application holds. Stock is never stored: it is the sum of the movements."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

LocationKind = Annotated[Literal["warehouse", "van", "quarantine"], LABEL]
LotStatus = Annotated[Literal["released", "blocked"], LABEL]
MovementKind = Annotated[Literal["receipt", "issue", "adjustment", "transfer_out", "transfer_in", "count"], LABEL]
AdjustmentReason = Annotated[Literal["damaged", "lost", "found", "expired", "data_error"], LABEL]
TransferStatus = Annotated[Literal["draft", "in_transit", "received", "cancelled"], LABEL]
CountStatus = Annotated[Literal["open", "approved", "cancelled"], LABEL]
ReservationStatus = Annotated[Literal["active", "fulfilled", "released"], LABEL]


class Supplier(Record):
    about: ClassVar[About] = About("supplier", "suppliers", prefix="SUP-", key="name")

    name: f.Organisation
    contact_name: f.Person
    email: f.Email
    city: f.Place
    lead_time: Annotated[int, f.duration("days")]


class Location(Record):
    about: ClassVar[About] = About("location", "locations", prefix="LOC-", key="name")

    code: f.Code
    name: f.Title
    kind: LocationKind
    address: f.Place
    manager_email: f.Email


class Item(Record):
    about: ClassVar[About] = About("item", "items", prefix="ITM-", key="sku")

    sku: f.Code
    name: f.Product
    unit: f.Label
    unit_cost: f.Money
    supplier_id: Annotated[str, f.ref("suppliers")]
    lot_tracked: bool = False
    """Batteries and labels: every unit belongs to a lot with a last day."""


class ReorderRule(Record):
    about: ClassVar[About] = About("reorder rule", "reorder rules", prefix="RRU-", key="")

    item_id: Annotated[str, f.ref("items")]
    location_id: Annotated[str, f.ref("locations")]
    reorder_point: Annotated[int, f.count("units")]
    reorder_quantity: Annotated[int, f.count("units")]


class Lot(Record):
    about: ClassVar[About] = About("lot", "lots", prefix="LOT-", key="lot_number")

    item_id: Annotated[str, f.ref("items")]
    lot_number: f.Code
    expires_on: f.Date
    status: LotStatus = "released"
    block_reason: f.Text = ""


class Movement(Record):
    about: ClassVar[About] = About("stock movement", "stock movements", prefix="MOV-", key="reference")

    item_id: Annotated[str, f.ref("items")]
    location_id: Annotated[str, f.ref("locations")]
    lot_id: Annotated[str | None, f.ref("lots")] = None
    quantity: Annotated[int, f.count("units")]
    """Negative for what leaves."""
    kind: MovementKind
    reference: f.Code = ""
    note: f.Text = ""
    moved_on: f.Date
    author_email: f.Email


class Reservation(Record):
    about: ClassVar[About] = About("reservation", "reservations", prefix="RSV-", key="order_number")

    item_id: Annotated[str, f.ref("items")]
    location_id: Annotated[str, f.ref("locations")]
    quantity: Annotated[int, f.count("units")]
    order_number: f.Code
    needed_by: f.Date
    status: ReservationStatus = "active"


class Transfer(Record):
    about: ClassVar[About] = About("transfer", "transfers", prefix="TRF-", key="number")

    number: f.Code
    from_location_id: Annotated[str, f.ref("locations")]
    to_location_id: Annotated[str, f.ref("locations")]
    status: TransferStatus
    expected_on: f.Date
    shipped_on: f.Date | None = None
    closing_note: f.Text = ""
    created_at: f.SystemTime


class TransferLine(Record):
    about: ClassVar[About] = About("transfer line", "transfer lines", prefix="TRL-", key="")

    transfer_id: Annotated[str, f.ref("transfers")]
    item_id: Annotated[str, f.ref("items")]
    lot_id: Annotated[str | None, f.ref("lots")] = None
    quantity: Annotated[int, f.count("units")]
    received: Annotated[int, f.count("units")] = 0


class Count(Record):
    about: ClassVar[About] = About("stock count", "stock counts", prefix="CNT-", key="number")

    number: f.Code
    location_id: Annotated[str, f.ref("locations")]
    status: CountStatus
    started_on: f.Date
    counter_email: f.Email


class CountLine(Record):
    about: ClassVar[About] = About("count line", "count lines", prefix="CTL-", key="")

    count_id: Annotated[str, f.ref("counts")]
    item_id: Annotated[str, f.ref("items")]
    counted: Annotated[int | None, f.count("units")] = None
    times_counted: Annotated[int, f.count("counts")] = 0


class Note(Record):
    about: ClassVar[About] = About("item note", "item notes", prefix="INT-", key="", carrier="note")

    item_id: Annotated[str, f.ref("items")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Procedure(Record):
    about: ClassVar[About] = About("procedure", "procedures", prefix="PRC-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class InventoryState(State):
    suppliers: Table[Supplier]
    locations: Table[Location]
    items: Table[Item]
    reorder_rules: Table[ReorderRule]
    lots: Table[Lot]
    movements: Table[Movement]
    reservations: Table[Reservation]
    transfers: Table[Transfer]
    transfer_lines: Table[TransferLine]
    counts: Table[Count]
    count_lines: Table[CountLine]
    notes: Table[Note]
    procedures: Table[Procedure]


service = Service(
    "inventory",
    title="Inventory",
    domain="operations",
    description="Stock by location and lot with reservations, transfers, stock counts and replenishment.",
    state=InventoryState,
    files=sources(__file__, "goods.py"),
)
