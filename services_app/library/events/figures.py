"""What follows from the tickets: sold and left, uses of codes, takings, fees, refunds, who may still change what."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import conflict, invalid, not_found
from services_app.library.events.state import DiscountCode, Event, EventsState, Order, Session, Ticket, TicketClass
from services_app.library.shared import Json, minutes_between, same, total, with_fields

FEE_PERCENT, FEE_FIXED = 2.5, 0.59  # what the service keeps of every paid ticket
_REFUND_DAYS = {"day_before": 1, "week_before": 7, "month_before": 30}
DAY = 24 * 60


def phase_of(event: Event, now: str) -> str:
    """`upcoming`, `running` or `over` for live events; `draft` or `cancelled` as it is."""
    if event.status != "live":
        return event.status
    if event.ends_at <= now:
        return "over"
    return "running" if event.starts_at <= now else "upcoming"


def sold(state: EventsState, kind: TicketClass) -> int:
    return state.tickets.count(ticket_class_id=kind.id, status="valid")


def left(state: EventsState, kind: TicketClass) -> int:
    return max(kind.quantity - sold(state, kind), 0)


def uses(state: EventsState, code: DiscountCode) -> int:
    """Orders that used a code; those with no valid ticket left do not count."""
    orders = state.orders.find(discount_id=code.id)
    return sum(1 for row in orders if state.tickets.first(order_id=row.id, status="valid"))


def fee(ticket: Ticket) -> float:
    """What the service keeps of a ticket, also when it is refunded; nothing of free ones."""
    return round(ticket.paid * FEE_PERCENT / 100 + FEE_FIXED, 2) if ticket.paid else 0.0


def takings(tickets: Iterable[Ticket]) -> Json:
    """Gross, refunds, fees and what is paid out for some tickets."""
    rows = list(tickets)
    gross, back = total(row.paid for row in rows), total(row.refunded for row in rows)
    fees = total(fee(row) for row in rows)
    return {"gross": gross, "refunded": back, "fees": fees, "payout": round(gross - back - fees, 2)}


def refund_of(event: Event, ticket: Ticket, now: str) -> float:
    """What comes back for a ticket now: all of it in time, otherwise nothing."""
    days = _REFUND_DAYS.get(event.refund_policy)
    if days is None:
        return 0.0
    return ticket.paid if minutes_between(now, event.starts_at) >= days * DAY else 0.0


def class_shown(state: EventsState, kind: TicketClass, now: str) -> Json:
    on_sale = kind.sales_end > now and left(state, kind) > 0
    return with_fields(kind, sold=sold(state, kind), left=left(state, kind), on_sale=on_sale)


def event_shown(state: EventsState, event: Event, now: str) -> Json:
    """An event as lists show it."""
    venue = state.venues.get(event.venue_id)
    return with_fields(
        event,
        phase=phase_of(event, now),
        venue=venue.name,
        city=venue.city,
        tickets_sold=state.tickets.count(event_id=event.id, status="valid"),
        checked_in=sum(1 for row in state.tickets.find(event_id=event.id) if row.checked_in_at),
    )


def order_shown(state: EventsState, order: Order) -> Json:
    """An order with its total, what was refunded and its discount code."""
    tickets = state.tickets.find(order_id=order.id)
    return with_fields(
        order,
        event=state.events.get(order.event_id).name,
        tickets=len(tickets),
        valid_tickets=sum(1 for row in tickets if row.status == "valid"),
        total=total(row.paid for row in tickets),
        refunded=total(row.refunded for row in tickets),
        discount_code=state.discount_codes.get(order.discount_id).code if order.discount_id else None,
    )


def ticket_shown(state: EventsState, ticket: Ticket) -> Json:
    return with_fields(
        ticket,
        event=state.events.get(ticket.event_id).name,
        ticket_class=state.ticket_classes.get(ticket.ticket_class_id).name,
        order_number=state.orders.get(ticket.order_id).number,
    )


def session_shown(state: EventsState, row: Session) -> Json:
    taken = state.session_seats.count(session_id=row.id)
    return with_fields(row, taken=taken, seats_left=max(row.seats - taken, 0))


def order_by_number(state: EventsState, number: str) -> Order:
    """The order with this id or number; 404 otherwise."""
    for row in state.orders:
        if same(row.number, number) or row.id == number:
            return row
    raise not_found("order", number)


def open_event(state: EventsState, event_id: str, now: str) -> Event:
    """An event that is neither cancelled nor over; 409 `event_closed` otherwise."""
    event = state.events.get(event_id)
    if event.status == "cancelled" or event.ends_at <= now:
        word = "cancelled" if event.status == "cancelled" else "over"
        raise conflict(f"{event.name} is {word}.", type="event_closed")
    return event


def check_times(starts_at: str, ends_at: str) -> None:
    """422 `invalid_range` for an end before the start or more than five days after it."""
    length = minutes_between(starts_at, ends_at)
    if not 0 < length <= 5 * DAY:
        raise invalid("It has to end after it starts, within five days.", type="invalid_range")


def check_venue(state: EventsState, venue_id: str, starts_at: str, ends_at: str, capacity: int, but: str = "") -> None:
    """409 `venue_busy` or `venue_too_small` when an event cannot be held there."""
    venue = state.venues.get(venue_id)
    if capacity > venue.capacity:
        raise conflict(f"{venue.name} holds {venue.capacity}; choose another venue.", type="venue_too_small")
    for row in state.events.find(venue_id=venue_id):
        if row.id != but and row.status != "cancelled" and row.starts_at < ends_at and starts_at < row.ends_at:
            raise conflict(f"{row.name} is at {venue.name} until {row.ends_at}.", type="venue_busy")


def check_contingent(state: EventsState, event: Event, more: int, but: str = "") -> None:
    """409 `over_capacity` when the ticket classes together would be more than the event holds."""
    present = sum(row.quantity for row in state.ticket_classes.find(event_id=event.id) if row.id != but)
    if present + more > event.capacity:
        free = max(event.capacity - present, 0)
        raise conflict(f"{event.name} has room for {free} more tickets; raise its capacity.", type="over_capacity")
