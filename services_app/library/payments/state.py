"""What a payment service holds. Balances, fees and what is left to refund are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Currency = Annotated[Literal["EUR", "GBP", "USD"], LABEL]
MethodKind = Annotated[Literal["card", "sepa_debit", "bank_transfer"], LABEL]
ChargeStatus = Annotated[Literal["authorized", "succeeded", "failed", "cancelled"], LABEL]
ReviewState = Annotated[Literal["none", "open", "approved"], LABEL]
FailureCode = Annotated[Literal["card_declined", "insufficient_funds", "expired_card", "fraud_suspected"], LABEL]
RefundReason = Annotated[Literal["requested_by_customer", "duplicate", "fraudulent", "goods_returned"], LABEL]
DisputeReason = Annotated[
    Literal["product_not_received", "product_unacceptable", "duplicate", "fraudulent", "credit_not_processed"], LABEL
]
DisputeStatus = Annotated[Literal["needs_response", "under_review", "won", "lost"], LABEL]
PayoutStatus = Annotated[Literal["in_transit", "paid", "cancelled", "failed"], LABEL]
Speed = Annotated[Literal["standard", "instant"], LABEL]


class Customer(Record):
    about: ClassVar[About] = About("customer", "customers", prefix="CUS-", key="name")

    name: f.Organisation
    email: f.Email
    contact_name: f.Person
    currency: Currency
    default_method_id: Annotated[str | None, f.ref("methods")] = None
    created_at: f.SystemTime


class Method(Record):
    about: ClassVar[About] = About("payment method", "payment methods", prefix="PM-", key="")

    customer_id: Annotated[str, f.ref("customers")]
    kind: MethodKind
    brand: f.Label
    """Visa, Mastercard ... for cards, the bank otherwise."""
    last4: f.Code
    expires: f.Code = ""
    """Last month of a card, YYYY-MM."""
    blocked: bool = False
    """The bank refuses every charge."""


class Charge(Record):
    about: ClassVar[About] = About("charge", "charges", prefix="CH-", key="description")

    customer_id: Annotated[str, f.ref("customers")]
    method_id: Annotated[str, f.ref("methods")]
    method_kind: MethodKind
    amount: f.Money
    currency: Currency
    status: ChargeStatus
    captured_amount: f.Money = 0.0
    captured_on: f.Date | None = None
    description: f.Title
    order_number: f.Code = ""
    failure_code: FailureCode | None = None
    review: ReviewState = "none"
    """Open while the risk team holds the money back."""
    created_at: f.SystemTime


class Refund(Record):
    about: ClassVar[About] = About("refund", "refunds", prefix="RE-", key="")

    charge_id: Annotated[str, f.ref("charges")]
    amount: f.Money
    reason: RefundReason
    note: f.Text = ""
    created_on: f.Date


class Dispute(Record):
    about: ClassVar[About] = About("dispute", "disputes", prefix="DP-", key="")

    charge_id: Annotated[str, f.ref("charges")]
    amount: f.Money
    reason: DisputeReason
    status: DisputeStatus
    statement: f.Text
    """What the customer told the bank."""
    opened_on: f.Date
    respond_by: f.Date
    closed_on: f.Date | None = None
    evidence: f.Text = ""
    tracking_number: f.Code = ""


class Payout(Record):
    about: ClassVar[About] = About("payout", "payouts", prefix="PO-", key="")

    amount: f.Money
    currency: Currency
    speed: Speed
    status: PayoutStatus
    created_on: f.Date
    arrival_date: f.Date
    statement_text: f.Code
    """What stands on our bank statement."""


class PaymentLink(Record):
    about: ClassVar[About] = About("payment link", "payment links", prefix="PL-", key="title")

    title: f.Title
    amount: f.Money
    currency: Currency
    url: f.Url
    active: bool = True
    expires_on: f.Date | None = None
    created_at: f.SystemTime


class Note(Record):
    about: ClassVar[About] = About("charge note", "charge notes", prefix="NT-", key="", carrier="note")

    charge_id: Annotated[str, f.ref("charges")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Guide(Record):
    about: ClassVar[About] = About("payment guide", "payment guides", prefix="GD-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class PaymentsState(State):
    customers: Table[Customer]
    methods: Table[Method]
    charges: Table[Charge]
    refunds: Table[Refund]
    disputes: Table[Dispute]
    payouts: Table[Payout]
    links: Table[PaymentLink]
    notes: Table[Note]
    guides: Table[Guide]


service = Service(
    "payments",
    title="Payments",
    domain="commerce",
    description="Charges by card, debit and transfer with captures, refunds, disputes, balance and payouts.",
    state=PaymentsState,
    files=sources(__file__),
)
