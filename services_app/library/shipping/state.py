"""What a parcel shipping application holds. Prices, statuses and balances of carrier accounts are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Origin = Annotated[Literal["London", "Rotterdam", "Lyon"], LABEL]
Box = Annotated[Literal["satchel", "small_box", "large_box", "pallet"], LABEL]
EventCode = Annotated[Literal["picked_up", "in_transit", "out_for_delivery", "exception", "delivered"], LABEL]
PickupStatus = Annotated[Literal["scheduled", "done", "cancelled"], LABEL]
AdjustmentStatus = Annotated[Literal["charged", "disputed", "reversed"], LABEL]
ClaimKind = Annotated[Literal["lost", "damaged"], LABEL]
ClaimStatus = Annotated[Literal["filed", "paid", "rejected"], LABEL]


class City(Record):
    """A place that the carriers serve, with the country it lies in."""

    about: ClassVar[About] = About("served city", "served cities", prefix="CTY-", key="name")

    name: f.Place
    country: f.Place


class Address(Record):
    about: ClassVar[About] = About("address", "addresses", prefix="ADR-", key="email")

    contact_name: f.Person
    company: f.Organisation
    email: f.Email
    phone: f.Phone
    street: f.Place
    city: f.Place
    country: f.Place
    verified: bool


class Carrier(Record):
    about: ClassVar[About] = About("carrier account", "carrier accounts", prefix="CAR-", key="name")

    name: f.Organisation
    account_number: f.Code
    support_email: f.Email


class CarrierService(Record):
    about: ClassVar[About] = About("carrier service", "carrier services", prefix="SVC-", key="name")

    carrier_id: Annotated[str, f.ref("carriers")]
    name: f.Title
    base_price: f.Money
    price_per_kg: f.Money
    max_weight: Annotated[int, f.count("kilograms")]
    days_domestic: Annotated[int, f.duration("days")]
    days_europe: Annotated[int | None, f.duration("days")] = None
    """None: it does not go there."""
    days_overseas: Annotated[int | None, f.duration("days")] = None
    takes_lithium: bool


class Approver(Record):
    about: ClassVar[About] = About("freight approver", "freight approvers", prefix="APV-", key="email")

    name: f.Person
    email: f.Email
    limit: f.Money


class Manifest(Record):
    about: ClassVar[About] = About("manifest", "manifests", prefix="MAN-", key="number")

    number: f.Code
    carrier_id: Annotated[str, f.ref("carriers")]
    origin: Origin
    closed_at: f.SystemTime


class Shipment(Record):
    about: ClassVar[About] = About("shipment", "shipments", prefix="SHP-", key="number")

    number: f.Code
    order_number: f.Code
    origin: Origin
    address_id: Annotated[str, f.ref("addresses")]
    contents: f.Text
    box: Box
    weight: Annotated[int, f.count("grams")]
    declared_value: f.Money
    insured_value: f.Money = 0.0
    contains_lithium: bool = False
    service_id: Annotated[str | None, f.ref("services")] = None
    approver_id: Annotated[str | None, f.ref("approvers")] = None
    tracking_number: f.Code = ""
    price: f.Money = 0.0
    """What the label cost."""
    bought_on: f.Date | None = None
    voided_on: f.Date | None = None
    manifest_id: Annotated[str | None, f.ref("manifests")] = None
    return_of: Annotated[str | None, f.ref("shipments")] = None


class CustomsItem(Record):
    about: ClassVar[About] = About("customs item", "customs items", prefix="CUI-", key="description")

    shipment_id: Annotated[str, f.ref("shipments")]
    description: f.Title
    hs_code: f.Code
    quantity: Annotated[int, f.count("units")]
    unit_value: f.Money
    origin_country: f.Place


class Event(Record):
    about: ClassVar[About] = About("tracking event", "tracking events", prefix="EVT-", key="", carrier="note")

    shipment_id: Annotated[str, f.ref("shipments")]
    code: EventCode
    place: f.Place
    text: f.Text
    happened_at: f.SystemTime


class Pickup(Record):
    about: ClassVar[About] = About("pickup", "pickups", prefix="PUP-", key="confirmation")

    confirmation: f.Code
    carrier_id: Annotated[str, f.ref("carriers")]
    origin: Origin
    pickup_on: f.Date
    ready_at: f.Time
    instructions: f.Text = ""
    status: PickupStatus = "scheduled"


class Deposit(Record):
    about: ClassVar[About] = About("deposit", "deposits", prefix="DEP-", key="reference")

    carrier_id: Annotated[str, f.ref("carriers")]
    amount: f.Money
    reference: f.Code
    paid_on: f.Date


class Adjustment(Record):
    """What a carrier charged after it weighed a parcel itself."""

    about: ClassVar[About] = About("adjustment", "adjustments", prefix="ADJ-", key="")

    shipment_id: Annotated[str, f.ref("shipments")]
    measured_weight: Annotated[int, f.count("grams")]
    amount: f.Money
    charged_on: f.Date
    status: AdjustmentStatus
    dispute_reason: f.Text = ""


class Claim(Record):
    about: ClassVar[About] = About("carrier claim", "carrier claims", prefix="CLM-", key="number")

    number: f.Code
    shipment_id: Annotated[str, f.ref("shipments")]
    kind: ClaimKind
    amount: f.Money
    description: f.Text
    status: ClaimStatus
    filed_on: f.Date


class Guide(Record):
    about: ClassVar[About] = About("shipping guide", "shipping guides", prefix="GDE-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class ShippingState(State):
    cities: Table[City]
    addresses: Table[Address]
    carriers: Table[Carrier]
    services: Table[CarrierService]
    approvers: Table[Approver]
    manifests: Table[Manifest]
    shipments: Table[Shipment]
    customs_items: Table[CustomsItem]
    events: Table[Event]
    pickups: Table[Pickup]
    deposits: Table[Deposit]
    adjustments: Table[Adjustment]
    claims: Table[Claim]
    guides: Table[Guide]


service = Service(
    "shipping",
    title="Shipping",
    domain="operations",
    description="Parcels and pallets with several carriers: rates, labels, customs, pickups, tracking and claims.",
    state=ShippingState,
    files=sources(__file__, "suppliers.py"),
)
