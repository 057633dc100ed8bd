"""What a CRM holds: accounts, people, deals and what was said to whom."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Tier = Annotated[Literal["bronze", "silver", "gold", "platinum"], LABEL]
AccountStatus = Annotated[Literal["prospect", "customer", "on_hold", "former"], LABEL]
Stage = Annotated[Literal["qualification", "discovery", "proposal", "negotiation", "won", "lost"], LABEL]
ActivityKind = Annotated[Literal["call", "email", "meeting", "note"], LABEL]
TaskStatus = Annotated[Literal["open", "done"], LABEL]
Priority = Annotated[Literal["low", "normal", "high"], LABEL]

OPEN_STAGES = ("qualification", "discovery", "proposal", "negotiation")
PROBABILITY = {"qualification": 10, "discovery": 25, "proposal": 50, "negotiation": 75, "won": 100, "lost": 0}


class User(Record):
    about: ClassVar[About] = About("sales user", "sales users", prefix="USR-", width=3, key="email")

    name: f.Person
    email: f.Email
    role: f.Label
    discount_limit: f.Percent
    """The largest discount this person may give without an approval."""
    quota: f.Money
    """Won business expected this year."""


class Account(Record):
    about: ClassVar[About] = About("customer account", "customer accounts", prefix="ACC-", key="name")

    name: f.Organisation
    domain: f.Label
    industry: f.Label
    city: f.Place
    country: f.Place
    address: f.Place
    phone: f.Phone
    tier: Tier
    status: AccountStatus
    employees: Annotated[int, f.count("people")]
    credit_limit: f.Money
    owner_email: f.Email
    """The sales user who looks after it."""
    created_at: f.SystemTime


class Contact(Record):
    about: ClassVar[About] = About("contact", "contacts", prefix="CON-", key="email")

    account_id: Annotated[str, f.ref("accounts")]
    name: f.Person
    email: f.Email
    phone: f.Phone = ""
    title: f.Label = ""
    primary: bool = False
    do_not_contact: bool = False


class Deal(Record):
    about: ClassVar[About] = About("deal", "deals", prefix="DEAL-", key="title")

    account_id: Annotated[str, f.ref("accounts")]
    contact_id: Annotated[str | None, f.ref("contacts")] = None
    title: f.Title
    stage: Stage
    amount: f.Money
    """Value expected by the salesperson; the items of the deal have their own total."""
    discount: f.Percent = 0.0
    discount_approved_by: f.Email | None = None
    close_date: f.Date
    owner_email: f.Email
    order_number: f.Code = ""
    """The customer's purchase order; needed to win the deal."""
    lost_reason: f.Text = ""
    created_at: f.SystemTime


class Product(Record):
    about: ClassVar[About] = About("product", "products", prefix="PRD-", key="sku")

    sku: f.Code
    name: f.Product
    unit: f.Label
    list_price: f.Money
    active: bool = True


class DealItem(Record):
    about: ClassVar[About] = About("deal item", "deal items", prefix="ITEM-", key="")

    deal_id: Annotated[str, f.ref("deals")]
    product_id: Annotated[str, f.ref("products")]
    quantity: Annotated[int, f.count("units")]
    unit_price: f.Money


class Activity(Record):
    about: ClassVar[About] = About("activity", "activities", prefix="ACT-", key="subject", carrier="note")

    account_id: Annotated[str, f.ref("accounts")]
    deal_id: Annotated[str | None, f.ref("deals")] = None
    contact_id: Annotated[str | None, f.ref("contacts")] = None
    kind: ActivityKind
    subject: f.Title
    text: f.Text
    author_email: f.Email
    happened_at: f.SystemTime


class Task(Record):
    about: ClassVar[About] = About("follow-up task", "follow-up tasks", prefix="TSK-", key="title")

    account_id: Annotated[str, f.ref("accounts")]
    deal_id: Annotated[str | None, f.ref("deals")] = None
    title: f.Title
    due_date: f.Date
    priority: Priority
    status: TaskStatus
    assignee_email: f.Email
    completed_at: f.SystemTime | None = None


class CrmState(State):
    users: Table[User]
    accounts: Table[Account]
    contacts: Table[Contact]
    products: Table[Product]
    deals: Table[Deal]
    items: Table[DealItem]
    activities: Table[Activity]
    tasks: Table[Task]


service = Service(
    "crm",
    title="CRM",
    domain="sales",
    description="Customer accounts, contacts, deals with a sales pipeline, activities and follow-up tasks.",
    state=CrmState,
    files=sources(__file__),
)
