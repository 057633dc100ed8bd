"""Tools for orders: selling, finding, refunding, notes, waiting for tickets."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.events.figures import (
    left,
    open_event,
    order_by_number,
    order_shown,
    refund_of,
    ticket_shown,
    uses,
)
from services_app.library.events.offers import ClassId
from services_app.library.events.planning import EventId
from services_app.library.events.state import EventsState, Order, OrderNote, TicketClass, WaitlistEntry, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    next_number,
    offset_page,
    same,
    search,
    with_fields,
    within,
)

OrderId = Annotated[str, f.ref("orders")]
TicketId = Annotated[str, f.ref("tickets")]
PersonName = Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=120)]
Quantity = Annotated[int, f.count("tickets"), Field(ge=1, le=20)]
Code = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)]


def next_order(state: EventsState) -> str:
    """The next order number."""
    return next_number((row.number for row in state.orders), "EO-", first=3001, width=4)


def next_barcode(state: EventsState) -> str:
    """The next barcode. Tickets are never deleted, so their number serves."""
    return f"LK{100_000 + 7 * len(state.tickets)}"


@service.tool(phrase="sell {quantity} of the tickets {ticket_class_id} to {buyer_email}")
def place_order(
    state: EventsState,
    ctx: CallContext,
    ticket_class_id: ClassId,
    buyer_name: PersonName,
    buyer_email: f.Email,
    quantity: Quantity = 1,
    discount_code: Code | None = None,
) -> Json:
    """Sell tickets of a live event; all are in the name of the buyer until they are transferred.

    Whoever waited for these tickets is served by this.
    Errors: `not_found`, `event_closed`, `not_on_sale`, `sales_over`, `blank_text`, `too_many` for one order,
    `sold_out`, `unknown_code`, `code_expired`, `code_used_up`.

    Args:
        ticket_class_id: Id of the ticket class.
        buyer_name: Full name.
        buyer_email: Address of the buyer.
        quantity: How many tickets.
        discount_code: A code of the event.
    """
    kind, name = state.ticket_classes.get(ticket_class_id), check_text(buyer_name, "name")
    _must_be_on_sale(state, ctx, kind, quantity)
    discount = _discount(state, ctx, kind.event_id, discount_code) if discount_code else None
    order = state.orders.create(
        number=next_order(state),
        event_id=kind.event_id,
        buyer_name=name,
        buyer_email=buyer_email,
        discount_id=discount[0] if discount else None,
        placed_at=ctx.now,
    )
    for _ in range(int(quantity)):
        state.tickets.create(
            barcode=next_barcode(state),
            order_id=order.id,
            event_id=kind.event_id,
            ticket_class_id=kind.id,
            name=name,
            email=buyer_email,
            paid=round(kind.price * (1 - (discount[1] if discount else 0.0) / 100), 2),
            status="valid",
        )
    for entry in state.waitlist_entries.find(ticket_class_id=kind.id, served=False):
        if same(entry.email, buyer_email):
            state.waitlist_entries.patch(entry.id, served=True)
    return _order_details(state, order)


def _must_be_on_sale(state: EventsState, ctx: CallContext, kind: TicketClass, quantity: int) -> None:
    event = open_event(state, kind.event_id, ctx.now)
    if event.status != "live":
        raise conflict(f"{event.name} is a draft; publish it first.", type="not_on_sale")
    if kind.sales_end <= ctx.now:
        raise conflict(f"Sales of {kind.name} ended at {kind.sales_end}.", type="sales_over")
    if quantity > kind.max_per_order:
        raise conflict(f"One order holds up to {kind.max_per_order} of {kind.name}.", type="too_many")
    if left(state, kind) < quantity:
        raise conflict(f"{left(state, kind)} of {kind.name} are left; join the waitlist.", type="sold_out")


def _discount(state: EventsState, ctx: CallContext, event_id: str, code: str) -> tuple[str, float]:
    """Id and percent of a usable code."""
    row = next((row for row in state.discount_codes.find(event_id=event_id) if same(row.code, code)), None)
    if row is None:
        raise invalid(f"The event has no code {code!r}; see list_discount_codes.", type="unknown_code")
    if row.valid_until < ctx.today:
        raise conflict(f"{row.code} expired on {row.valid_until}.", type="code_expired")
    if uses(state, row) >= row.max_uses:
        raise conflict(f"{row.code} was used {row.max_uses} times; it is used up.", type="code_used_up")
    return row.id, row.percent_off


def _order_details(state: EventsState, order: Order) -> Json:
    notes = sorted(state.order_notes.find(order_id=order.id), key=lambda row: (row.written_at, row.id))
    tickets = [ticket_shown(state, row) for row in state.tickets.find(order_id=order.id)]
    return {**order_shown(state, order), "attendees": tickets, "notes": notes}


@service.tool()
def list_orders(  # noqa: PLR0913, PLR0917 - one per filter
    state: EventsState,
    ctx: CallContext,
    query: Query | None = None,
    event_id: EventId | None = None,
    buyer_email: f.Email | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List ticket orders with total and refunds, newest first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        query: Words in the number or the buyer's name or address.
        event_id: Only orders for this event.
        buyer_email: Only orders of this buyer.
        from_date: Only orders of this day or later.
        to_date: Only orders up to this day.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    if event_id is not None:
        state.events.get(event_id)
    found = search(state.orders, query, lambda row: (row.number, row.buyer_name, row.buyer_email))
    found = keep(within(found, "placed_at", from_date, to_date), event_id=event_id, buyer_email=buyer_email)
    found = newest_first(found, "placed_at")
    page = cursor_page("orders", found, limit, cursor)
    page["orders"] = [order_shown(state, row) for row in page["orders"]]
    return page


@service.tool()
def get_order(state: EventsState, ctx: CallContext, order: Code) -> Json:
    """Show an order with its tickets and notes.

    Errors: `not_found`.

    Args:
        order: Id or number of the order.
    """
    return _order_details(state, order_by_number(state, order))


@service.tool(phrase="add a note to the ticket order {order_id}")
def add_order_note(state: EventsState, ctx: CallContext, order_id: OrderId, text: Body) -> OrderNote:
    """Add a note to an order for those who look after it.

    Errors: `not_found`, `blank_text`.

    Args:
        order_id: Id of the order.
        text: What they should know.
    """
    state.orders.get(order_id)
    return state.order_notes.create(
        order_id=order_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool(phrase="refund the ticket {ticket_id}")
def refund_ticket(state: EventsState, ctx: CallContext, ticket_id: TicketId) -> Json:
    """Take back a ticket before the event begins; what is refunded follows the event's policy, and may be nothing.

    The place can be sold again, and seats in sessions are given up. The service keeps its fee.
    Errors: `not_found`, `event_closed`, `already_begun`, `ticket_not_valid`.

    Args:
        ticket_id: Id of the ticket.
    """
    ticket = state.tickets.get(ticket_id)
    event = open_event(state, ticket.event_id, ctx.now)
    if ticket.status != "valid":
        raise conflict(f"{ticket.barcode} is {ticket.status}.", type="ticket_not_valid")
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.name} began at {event.starts_at}.", type="already_begun")
    back = refund_of(event, ticket, ctx.now)
    for seat in state.session_seats.find(ticket_id=ticket.id):
        state.session_seats.delete(seat.id)
    status = "refunded" if back == ticket.paid else "void"
    return ticket_shown(state, state.tickets.patch(ticket.id, status=status, refunded=back))


# Waiting for tickets


@service.tool()
def list_ticket_waitlist(
    state: EventsState,
    ctx: CallContext,
    event_id: EventId | None = None,
    query: Query | None = None,
    served: bool | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List who waits for tickets that are sold out, the longest waiting first, and how many have become free.

    Errors: `not_found`.

    Args:
        event_id: Only entries for this event.
        query: Words in the name or address.
        served: Only entries that got tickets, or that still wait.
        limit: At most so many entries.
        offset: Skip so many entries.
    """
    if event_id is not None:
        state.events.get(event_id)
    found = [
        row
        for row in keep(search(state.waitlist_entries, query, lambda row: (row.name, row.email)), served=served)
        if event_id in (None, state.ticket_classes.get(row.ticket_class_id).event_id)
    ]
    found.sort(key=lambda row: (row.joined_at, row.id))
    page = offset_page("entries", found, limit, offset)
    page["entries"] = [_entry_shown(state, row) for row in page["entries"]]
    return page


def _entry_shown(state: EventsState, row: WaitlistEntry) -> Json:
    kind = state.ticket_classes.get(row.ticket_class_id)
    event = state.events.get(kind.event_id).name
    return with_fields(row, event=event, ticket_class=kind.name, tickets_left=left(state, kind))


@service.tool(phrase="put {email} on the waitlist for the tickets {ticket_class_id}")
def join_ticket_waitlist(
    state: EventsState,
    ctx: CallContext,
    ticket_class_id: ClassId,
    name: PersonName,
    email: f.Email,
    quantity: Quantity = 1,
) -> Json:
    """Wait for tickets of a live event of which fewer than wished are left.

    Errors: `not_found`, `event_closed`, `not_on_sale`, `blank_text`, `too_many` for one order, `tickets_left` (buy
    them), `already_waiting`.

    Args:
        ticket_class_id: Id of the ticket class.
        name: Full name.
        email: Address.
        quantity: How many tickets.
    """
    kind, text = state.ticket_classes.get(ticket_class_id), check_text(name, "name")
    event = open_event(state, kind.event_id, ctx.now)
    if event.status != "live":
        raise conflict(f"{event.name} is a draft; publish it first.", type="not_on_sale")
    if quantity > kind.max_per_order:
        raise conflict(f"One order holds up to {kind.max_per_order} of {kind.name}.", type="too_many")
    if left(state, kind) >= quantity:
        raise conflict(f"{left(state, kind)} of {kind.name} are left; place an order.", type="tickets_left")
    for row in state.waitlist_entries.find(ticket_class_id=kind.id, served=False):
        if same(row.email, email):
            raise conflict(f"{email} waits for these tickets already.", type="already_waiting")
    entry = state.waitlist_entries.create(
        ticket_class_id=kind.id, name=text, email=email, quantity=quantity, joined_at=ctx.now
    )
    return _entry_shown(state, entry)
