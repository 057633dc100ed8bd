"""What the event and ticket service holds. Tickets sold, uses of codes, takings and fees follow from the tickets.

All times are UTC.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

EventStatus = Annotated[Literal["draft", "live", "cancelled"], LABEL]
Category = Annotated[Literal["conference", "training", "user_group", "open_day", "social"], LABEL]
RefundPolicy = Annotated[Literal["none", "day_before", "week_before", "month_before"], LABEL]
TicketStatus = Annotated[Literal["valid", "refunded", "void"], LABEL]
Audience = Annotated[Literal["all", "checked_in", "not_checked_in"], LABEL]
Places = Annotated[int, f.count("places")]
Tickets = Annotated[int, f.count("tickets")]


class Venue(Record):
    about: ClassVar[About] = About("venue", "venues", prefix="VEN-", width=3, key="name")

    name: f.Organisation
    city: f.Place
    address: f.Place
    capacity: Places
    contact_email: f.Email
    notes: f.Text


class Event(Record):
    about: ClassVar[About] = About("event", "events", prefix="EVT-", width=3, key="name")

    name: f.Title
    category: Category
    venue_id: Annotated[str, f.ref("venues")]
    organizer_email: f.Email
    starts_at: f.Timestamp
    ends_at: f.Timestamp
    capacity: Places
    status: EventStatus
    refund_policy: RefundPolicy
    summary: f.Text
    cancel_reason: f.Text = ""


class TicketClass(Record):
    about: ClassVar[About] = About("ticket class", "ticket classes", prefix="TCL-", key="")

    event_id: Annotated[str, f.ref("events")]
    name: f.Title
    price: f.Money
    quantity: Tickets
    max_per_order: Tickets
    sales_end: f.Timestamp


class DiscountCode(Record):
    about: ClassVar[About] = About("discount code", "discount codes", prefix="DSC-", width=3, key="code")

    event_id: Annotated[str, f.ref("events")]
    code: f.Code
    percent_off: f.Percent
    max_uses: Annotated[int, f.count("orders")]
    valid_until: f.Date


class Order(Record):
    about: ClassVar[About] = About("order", "orders", prefix="ORD-", key="number")

    number: f.Code
    event_id: Annotated[str, f.ref("events")]
    buyer_name: f.Person
    buyer_email: f.Email
    discount_id: Annotated[str, f.ref("discount_codes")] | None
    placed_at: f.SystemTime


class Ticket(Record):
    """A place at an event, in the name of somebody."""

    about: ClassVar[About] = About("ticket", "tickets", prefix="TIC-", key="barcode")

    barcode: f.Code
    order_id: Annotated[str, f.ref("orders")]
    event_id: Annotated[str, f.ref("events")]
    ticket_class_id: Annotated[str, f.ref("ticket_classes")]
    name: f.Person
    email: f.Email
    paid: f.Money
    status: TicketStatus
    refunded: f.Money = 0.0
    checked_in_at: f.SystemTime | None = None


class OrderNote(Record):
    about: ClassVar[About] = About("order note", "order notes", prefix="ONT-", key="", carrier="note")

    order_id: Annotated[str, f.ref("orders")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Session(Record):
    about: ClassVar[About] = About("session", "sessions", prefix="SES-", width=3, key="title")

    event_id: Annotated[str, f.ref("events")]
    title: f.Title
    speaker: f.Person
    room: f.Place
    starts_at: f.Timestamp
    ends_at: f.Timestamp
    seats: Places


class SessionSeat(Record):
    about: ClassVar[About] = About("session seat", "session seats", prefix="SEAT-", key="")

    session_id: Annotated[str, f.ref("sessions")]
    ticket_id: Annotated[str, f.ref("tickets")]


class WaitlistEntry(Record):
    about: ClassVar[About] = About("waitlist entry", "waitlist entries", prefix="WLE-", width=3, key="")

    ticket_class_id: Annotated[str, f.ref("ticket_classes")]
    name: f.Person
    email: f.Email
    quantity: Tickets
    joined_at: f.SystemTime
    served: bool = False


class Announcement(Record):
    """Mail to those who have a ticket."""

    about: ClassVar[About] = About("announcement", "announcements", prefix="ANN-", key="subject", carrier="document")

    event_id: Annotated[str, f.ref("events")]
    subject: f.Title
    body: f.Text
    audience: Audience
    recipients: Annotated[int, f.count("people", system=True)]
    """How many had a ticket when it was sent."""
    sent_at: f.SystemTime


class EventsState(State):
    venues: Table[Venue]
    events: Table[Event]
    ticket_classes: Table[TicketClass]
    discount_codes: Table[DiscountCode]
    orders: Table[Order]
    tickets: Table[Ticket]
    order_notes: Table[OrderNote]
    sessions: Table[Session]
    session_seats: Table[SessionSeat]
    waitlist_entries: Table[WaitlistEntry]
    announcements: Table[Announcement]


service = Service(
    "events",
    title="Events",
    domain="travel and places",
    description="Events of your own: venues, ticket sales, codes and refunds, check-in, sessions and announcements.",
    state=EventsState,
    files=sources(__file__),
)
