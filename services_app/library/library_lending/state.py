"""What a city library holds. Availability, places in a queue, fines and balances follow from the records."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Format = Annotated[Literal["book", "audiobook", "dvd", "magazine"], LABEL]
Subject = Annotated[
    Literal["logistics", "management", "engineering", "languages", "travel", "novels", "cooking", "history"], LABEL
]
HoldStatus = Annotated[Literal["waiting", "ready", "collected", "cancelled", "expired"], LABEL]
FeeKind = Annotated[Literal["late return", "lost item", "hold not collected"], LABEL]
PaymentMethod = Annotated[Literal["card", "cash", "online"], LABEL]
RequestStatus = Annotated[Literal["under review", "ordered", "declined"], LABEL]
RuleStatus = Annotated[Literal["current", "superseded"], LABEL]


class Member(Record):
    about: ClassVar[About] = About("reader", "readers", prefix="MEM-", key="email")

    name: f.Person
    email: f.Email
    card_number: f.Code
    card_expires_on: f.Date


class Branch(Record):
    about: ClassVar[About] = About("branch", "branches", prefix="BR-", width=2, key="name")

    name: f.Place
    address: f.Place
    opens: f.Time
    closes: f.Time
    closed_on: f.Label
    phone: f.Phone


class Title(Record):
    about: ClassVar[About] = About("title", "titles", prefix="TTL-", key="title")

    title: f.Title
    author: f.Person
    year: Annotated[int, f.count("year")]
    format: Format
    subject: Subject
    isbn: f.Code
    summary: f.Text
    price: f.Money
    """What a lost copy costs."""


class Copy(Record):
    about: ClassVar[About] = About("copy", "copies", prefix="CPY-", key="barcode")

    barcode: f.Code
    title_id: Annotated[str, f.ref("titles")]
    branch_id: Annotated[str, f.ref("branches")]
    shelf: f.Code
    reference_only: bool
    lost: bool = False


class Loan(Record):
    about: ClassVar[About] = About("loan", "loans", prefix="LN-", key="")

    copy_id: Annotated[str, f.ref("copies")]
    member_id: Annotated[str, f.ref("members")]
    borrowed_on: f.Date
    due_on: f.Date
    renewals: Annotated[int, f.count("renewals", system=True)] = 0
    returned_on: f.Date | None = None
    lost: bool = False


class Hold(Record):
    about: ClassVar[About] = About("hold", "holds", prefix="HLD-", key="")

    title_id: Annotated[str, f.ref("titles")]
    member_id: Annotated[str, f.ref("members")]
    pickup_branch_id: Annotated[str, f.ref("branches")]
    status: HoldStatus
    placed_at: f.SystemTime
    suspended_until: f.Date | None = None
    copy_id: Annotated[str | None, f.ref("copies")] = None
    """The copy that waits on the hold shelf."""
    collect_by: f.Date | None = None


class Fee(Record):
    about: ClassVar[About] = About("fee", "fees", prefix="FEE-", key="")

    member_id: Annotated[str, f.ref("members")]
    loan_id: Annotated[str | None, f.ref("loans")]
    kind: FeeKind
    amount: f.Money
    charged_on: f.Date


class Payment(Record):
    about: ClassVar[About] = About("payment", "payments", prefix="PAY-", key="")

    fee_id: Annotated[str, f.ref("fees")]
    amount: f.Money
    method: PaymentMethod
    paid_at: f.SystemTime


class ReadingList(Record):
    about: ClassVar[About] = About("reading list", "reading lists", prefix="RL-", width=3, key="name")

    name: f.Title
    owner_id: Annotated[str, f.ref("members")]
    shared_with: Annotated[tuple[str, ...], f.Semantic("email")] = ()
    description: f.Text = ""


class ListEntry(Record):
    about: ClassVar[About] = About("list entry", "list entries", prefix="LE-", key="", carrier="note")

    reading_list_id: Annotated[str, f.ref("reading_lists")]
    title_id: Annotated[str, f.ref("titles")]
    note: f.Text = ""
    added_on: f.Date


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="REV-", key="", carrier="note")

    title_id: Annotated[str, f.ref("titles")]
    member_id: Annotated[str, f.ref("members")]
    stars: Annotated[int, f.count("stars")]
    text: f.Text
    written_on: f.Date


class PurchaseRequest(Record):
    about: ClassVar[About] = About("purchase request", "purchase requests", prefix="PRQ-", width=3, key="title")

    member_id: Annotated[str, f.ref("members")]
    title: f.Title
    author: f.Person
    reason: f.Text
    status: RequestStatus
    answer: f.Text = ""
    requested_on: f.Date


class Event(Record):
    about: ClassVar[About] = About("event", "events", prefix="EV-", width=3, key="title")

    title: f.Title
    branch_id: Annotated[str, f.ref("branches")]
    speaker: f.Person
    starts_at: f.Timestamp
    minutes: Annotated[int, f.duration("minutes")]
    places: Annotated[int, f.count("places")]
    description: f.Text


class Registration(Record):
    about: ClassVar[About] = About("registration", "registrations", prefix="REG-", key="")

    event_id: Annotated[str, f.ref("events")]
    member_id: Annotated[str, f.ref("members")]
    registered_at: f.SystemTime


class HouseRule(Record):
    about: ClassVar[About] = About("house rule", "house rules", prefix="HR-", width=2, key="title", carrier="document")

    title: f.Title
    status: RuleStatus
    body: f.Text
    valid_from: f.Date


class LendingState(State):
    members: Table[Member]
    branches: Table[Branch]
    titles: Table[Title]
    copies: Table[Copy]
    loans: Table[Loan]
    holds: Table[Hold]
    fees: Table[Fee]
    payments: Table[Payment]
    reading_lists: Table[ReadingList]
    list_entries: Table[ListEntry]
    reviews: Table[Review]
    purchase_requests: Table[PurchaseRequest]
    events: Table[Event]
    registrations: Table[Registration]
    house_rules: Table[HouseRule]


service = Service(
    "library-lending",
    title="Library lending",
    domain="education",
    description="Your library card: catalogue, loans, renewals, holds, fees, reading lists, reviews and events.",
    state=LendingState,
    files=sources(__file__),
)
