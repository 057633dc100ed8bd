"""What a subscription billing application holds. Recurring revenue, credit and amounts due are computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Interval = Annotated[Literal["month", "year"], LABEL]
Status = Annotated[Literal["trialing", "active", "paused", "past_due", "cancelled"], LABEL]
InvoiceStatus = Annotated[Literal["open", "paid", "void", "uncollectible"], LABEL]
CancelReason = Annotated[Literal["too_expensive", "missing_features", "switched", "not_used", "unpaid", "other"], LABEL]


class Account(Record):
    about: ClassVar[About] = About("account", "accounts", prefix="ACC-", key="name")

    name: f.Organisation
    contact_name: f.Person
    email: f.Email
    owner_email: f.Email
    """Who of us looks after it."""
    card_last4: f.Code
    card_expires: f.Code
    """Last month of the card, YYYY-MM."""
    card_declines: bool = False
    created_at: f.SystemTime


class Plan(Record):
    about: ClassVar[About] = About("plan", "plans", prefix="PLN-", key="code")

    code: f.Code
    name: f.Product
    interval: Interval
    unit: f.Label
    unit_price: f.Money
    min_quantity: Annotated[int, f.count("units")] = 1
    trial_days: Annotated[int, f.duration("days")] = 0
    retired: bool = False


class Coupon(Record):
    about: ClassVar[About] = About("coupon", "coupons", prefix="CPN-", key="code")

    code: f.Code
    percent_off: f.Percent
    months: Annotated[int, f.duration("months")]
    """How long the discount lasts once applied."""
    max_redemptions: Annotated[int, f.count("redemptions")]
    redeem_by: f.Date | None = None
    plan_id: Annotated[str | None, f.ref("plans")] = None
    """Only for this plan; for all, if None."""


class Subscription(Record):
    about: ClassVar[About] = About("subscription", "subscriptions", prefix="SUB-", key="number")

    number: f.Code
    account_id: Annotated[str, f.ref("accounts")]
    plan_id: Annotated[str, f.ref("plans")]
    quantity: Annotated[int, f.count("units")]
    status: Status
    started_on: f.Date
    period_start: f.Date
    period_end: f.Date
    """Day of the renewal."""
    trial_extended: bool = False
    cancels_at_end: bool = False
    cancelled_on: f.Date | None = None
    cancel_reason: CancelReason | None = None
    paused_on: f.Date | None = None
    resumes_on: f.Date | None = None
    next_plan_id: Annotated[str | None, f.ref("plans")] = None
    next_quantity: Annotated[int | None, f.count("units")] = None
    """A change that takes effect at the renewal."""
    coupon_id: Annotated[str | None, f.ref("coupons")] = None
    coupon_ends_on: f.Date | None = None
    po_number: f.Code = ""


class Invoice(Record):
    about: ClassVar[About] = About("invoice", "invoices", prefix="SIN-", key="number")

    number: f.Code
    subscription_id: Annotated[str, f.ref("subscriptions")]
    status: InvoiceStatus
    issued_on: f.Date
    due_on: f.Date
    paid_on: f.Date | None = None


class Line(Record):
    about: ClassVar[About] = About("invoice line", "invoice lines", prefix="SIL-", key="description")

    invoice_id: Annotated[str, f.ref("invoices")]
    description: f.Title
    amount: f.Money


class Attempt(Record):
    about: ClassVar[About] = About("collection attempt", "collection attempts", prefix="ATT-", key="")

    invoice_id: Annotated[str, f.ref("invoices")]
    attempted_on: f.Date
    amount: f.Money
    succeeded: bool
    message: f.Text


class Credit(Record):
    about: ClassVar[About] = About("account credit", "account credits", prefix="CRD-", key="")

    account_id: Annotated[str, f.ref("accounts")]
    amount: f.Money
    """Negative where it was used."""
    reason: f.Text
    invoice_id: Annotated[str | None, f.ref("invoices")] = None
    created_on: f.Date


class Note(Record):
    about: ClassVar[About] = About("subscription note", "subscription notes", prefix="SNT-", key="", carrier="note")

    subscription_id: Annotated[str, f.ref("subscriptions")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Playbook(Record):
    about: ClassVar[About] = About("playbook", "playbooks", prefix="PBK-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class SubscriptionsState(State):
    accounts: Table[Account]
    plans: Table[Plan]
    coupons: Table[Coupon]
    subscriptions: Table[Subscription]
    invoices: Table[Invoice]
    lines: Table[Line]
    attempts: Table[Attempt]
    credits: Table[Credit]
    notes: Table[Note]
    playbooks: Table[Playbook]


service = Service(
    "subscriptions",
    title="Subscriptions",
    domain="commerce",
    description="Plans, coupons and subscriptions with trials, proration, pauses, invoices and dunning.",
    state=SubscriptionsState,
    files=sources(__file__),
)
