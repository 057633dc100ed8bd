"""What an order management application holds. Totals, stock reservations and fulfilment states are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

OrderStatus = Annotated[Literal["draft", "open", "on_hold", "cancelled"], LABEL]
FulfillmentStatus = Annotated[Literal["unfulfilled", "partially_fulfilled", "fulfilled"], LABEL]
Channel = Annotated[Literal["web", "phone", "email", "sales_rep"], LABEL]
HoldReason = Annotated[Literal["payment", "address", "stock", "fraud_review", "customer_request"], LABEL]
CancelReason = Annotated[Literal["customer_request", "out_of_stock", "duplicate", "fraud", "other"], LABEL]
Carrier = Annotated[Literal["Postwind", "Norfreight", "Larkfield van", "Customer collection"], LABEL]
ShipmentStatus = Annotated[Literal["in_transit", "delivered", "cancelled"], LABEL]
ReturnReason = Annotated[Literal["damaged", "wrong_item", "not_needed", "defective", "late"], LABEL]
ReturnStatus = Annotated[Literal["requested", "approved", "declined", "received"], LABEL]
Condition = Annotated[Literal["sealed", "opened", "damaged"], LABEL]


class Customer(Record):
    about: ClassVar[About] = About("customer", "customers", prefix="CUS-", key="name")

    name: f.Organisation
    contact_name: f.Person
    email: f.Email
    phone: f.Phone
    shipping_address: f.Place
    tier: Annotated[Literal["standard", "gold", "platinum"], LABEL]
    credit_hold: bool = False
    """Finance has stopped new orders."""


class Product(Record):
    about: ClassVar[About] = About("product", "products", prefix="PRD-", key="sku")

    sku: f.Code
    name: f.Product
    kind: f.Label
    unit: f.Label
    unit_price: f.Money
    on_hand: Annotated[int | None, f.count("units")] = None
    """Units in the warehouse; None for subscriptions and services, which need no stock."""
    discontinued: bool = False


class Approver(Record):
    about: ClassVar[About] = About("approver", "approvers", prefix="APR-", key="email")

    name: f.Person
    email: f.Email
    title: f.Title
    discount_limit: f.Percent
    amount_limit: f.Money


class Order(Record):
    about: ClassVar[About] = About("order", "orders", prefix="ORD-", key="number")

    number: f.Code
    customer_id: Annotated[str, f.ref("customers")]
    status: OrderStatus
    channel: Channel
    po_number: f.Code = ""
    """The customer's purchase order."""
    shipping_address: f.Place
    requested_date: f.Date | None = None
    discount_percent: f.Percent = 0.0
    shipping_fee: f.Money = 0.0
    tax_rate: f.Percent
    approver_id: Annotated[str | None, f.ref("approvers")] = None
    hold_reason: HoldReason | None = None
    cancel_reason: CancelReason | None = None
    tags: tuple[f.Label, ...] = ()
    placed_at: f.SystemTime | None = None
    created_at: f.SystemTime


class Line(Record):
    about: ClassVar[About] = About("order line", "order lines", prefix="OLN-", key="")

    order_id: Annotated[str, f.ref("orders")]
    product_id: Annotated[str, f.ref("products")]
    quantity: Annotated[int, f.count("units"), Field(ge=1)]
    unit_price: f.Money


class Fulfillment(Record):
    about: ClassVar[About] = About("fulfillment", "fulfillments", prefix="FUL-", key="tracking_number")

    order_id: Annotated[str, f.ref("orders")]
    status: ShipmentStatus
    carrier: Carrier
    tracking_number: f.Code = ""
    shipped_on: f.Date
    delivered_on: f.Date | None = None
    signed_by: f.Person = ""


class Parcel(Record):
    """How much of a line went with a fulfillment."""

    about: ClassVar[About] = About("fulfilled line", "fulfilled lines", prefix="FLN-", key="")

    fulfillment_id: Annotated[str, f.ref("fulfillments")]
    line_id: Annotated[str, f.ref("lines")]
    quantity: Annotated[int, f.count("units"), Field(ge=1)]


class Return(Record):
    about: ClassVar[About] = About("return", "returns", prefix="RET-", key="rma_number")

    rma_number: f.Code
    line_id: Annotated[str, f.ref("lines")]
    quantity: Annotated[int, f.count("units"), Field(ge=1)]
    reason: ReturnReason
    comment: f.Text = ""
    status: ReturnStatus
    decline_reason: f.Text = ""
    condition: Condition | None = None
    requested_on: f.Date


class Refund(Record):
    about: ClassVar[About] = About("refund", "refunds", prefix="RFD-", key="")

    order_id: Annotated[str, f.ref("orders")]
    return_id: Annotated[str | None, f.ref("returns")] = None
    amount: f.Money
    reason: f.Text
    issued_on: f.Date


class Note(Record):
    about: ClassVar[About] = About("order note", "order notes", prefix="NOT-", key="", carrier="note")

    order_id: Annotated[str, f.ref("orders")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Policy(Record):
    about: ClassVar[About] = About("order policy", "order policies", prefix="POL-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class OrdersState(State):
    customers: Table[Customer]
    products: Table[Product]
    approvers: Table[Approver]
    orders: Table[Order]
    lines: Table[Line]
    fulfillments: Table[Fulfillment]
    parcels: Table[Parcel]
    returns: Table[Return]
    refunds: Table[Refund]
    notes: Table[Note]
    policies: Table[Policy]


service = Service(
    "orders",
    title="Orders",
    domain="commerce",
    description="Sales orders from draft to delivery: lines, approvals, holds, fulfillments, returns and refunds.",
    state=OrdersState,
    files=sources(__file__),
)
