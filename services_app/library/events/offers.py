"""Tools for what is sold and what comes of it: ticket classes, discount codes, takings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.events.figures import check_contingent, class_shown, open_event, sold, takings, uses
from services_app.library.events.planning import EventId
from services_app.library.events.state import DiscountCode, EventsState, Ticket, service
from services_app.library.shared import (
    LABEL,
    Json,
    Limit,
    Name,
    Offset,
    check_date,
    check_text,
    check_time,
    grouped,
    keep,
    offset_page,
    same,
    some_changes,
    with_fields,
    within,
)

ClassId = Annotated[str, f.ref("ticket_classes")]
Count = Annotated[int, f.count("tickets"), Field(ge=1, le=5000)]
Price = Annotated[float, f.Semantic("money"), Field(ge=0, le=10_000)]
GroupBy = Annotated[Literal["event", "ticket_class", "discount_code"], LABEL]


@service.tool(phrase="offer {quantity} tickets {name} for the event {event_id}")
def create_ticket_class(
    state: EventsState,
    ctx: CallContext,
    event_id: EventId,
    name: Name,
    price: Price,
    quantity: Count,
    max_per_order: Annotated[int, f.count("tickets"), Field(ge=1, le=20)] = 6,
    sales_end: f.Timestamp | None = None,
) -> Json:
    """Offer a kind of ticket; all kinds together may not be more than the event holds.

    Errors: `not_found`, `event_closed`, `blank_text`, `name_taken`, `invalid_time`, `sales_too_long` (they end by the
    start), `over_capacity`.

    Args:
        event_id: Id of the event.
        name: Name of the ticket.
        price: Price; 0 for free tickets.
        quantity: How many there are.
        max_per_order: How many one order may hold.
        sales_end: End of sales (UTC); the start of the event when left out.
    """
    event, title = open_event(state, event_id, ctx.now), check_text(name, "name")
    if any(same(row.name, title) for row in state.ticket_classes.find(event_id=event.id)):
        raise conflict(f"{event.name} has tickets {title!r} already; update them.", type="name_taken")
    end = check_time(sales_end) if sales_end else event.starts_at
    if end > event.starts_at:
        raise invalid(f"Sales end at the start of the event, {event.starts_at}.", type="sales_too_long")
    check_contingent(state, event, quantity)
    kind = state.ticket_classes.create(
        event_id=event.id, name=title, price=price, quantity=quantity, max_per_order=max_per_order, sales_end=end
    )
    return class_shown(state, kind, ctx.now)


@service.tool(phrase="change the ticket class {ticket_class_id}")
def update_ticket_class(
    state: EventsState,
    ctx: CallContext,
    ticket_class_id: ClassId,
    price: Price | Unset = UNSET,
    quantity: Count | Unset = UNSET,
    sales_end: f.Timestamp | Unset = UNSET,
) -> Json:
    """Change price, number or end of sales of a kind of ticket; sold tickets keep their price.

    Errors: `not_found`, `event_closed`, `nothing_to_change`, `invalid_time`, `sales_too_long`, `below_sold`,
    `over_capacity`.

    Args:
        ticket_class_id: Id of the ticket class.
        price: New price.
        quantity: How many there are, at least as many as are sold.
        sales_end: End of sales (UTC).
    """
    kind = state.ticket_classes.get(ticket_class_id)
    event = open_event(state, kind.event_id, ctx.now)
    changes = some_changes(given(price=price, quantity=quantity, sales_end=sales_end))
    if "sales_end" in changes:
        changes["sales_end"] = check_time(changes["sales_end"])
        if changes["sales_end"] > event.starts_at:
            raise invalid(f"Sales end at the start of the event, {event.starts_at}.", type="sales_too_long")
    if "quantity" in changes:
        if changes["quantity"] < sold(state, kind):
            raise conflict(f"{sold(state, kind)} are sold; offer at least as many.", type="below_sold")
        check_contingent(state, event, changes["quantity"], kind.id)
    return class_shown(state, state.ticket_classes.patch(kind.id, **changes), ctx.now)


# Codes and takings


def _code_shown(state: EventsState, row: DiscountCode, today: str) -> Json:
    used = uses(state, row)
    return with_fields(
        row,
        event=state.events.get(row.event_id).name,
        uses=used,
        usable=used < row.max_uses and row.valid_until >= today,
    )


@service.tool()
def list_discount_codes(
    state: EventsState,
    ctx: CallContext,
    event_id: EventId | None = None,
    usable_only: bool = False,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """List discount codes with how often they were used.

    Errors: `not_found`.

    Args:
        event_id: Only codes of this event.
        usable_only: Only codes that are valid and not used up.
        limit: At most so many codes.
        offset: Skip so many codes.
    """
    if event_id is not None:
        state.events.get(event_id)
    rows = [_code_shown(state, row, ctx.today) for row in keep(state.discount_codes, event_id=event_id)]
    return offset_page("codes", [row for row in rows if row["usable"] or not usable_only], limit, offset)


@service.tool(phrase="create the discount code {code} for the event {event_id}")
def create_discount_code(
    state: EventsState,
    ctx: CallContext,
    event_id: EventId,
    code: Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Za-z0-9-]{3,20}$")],
    percent_off: Annotated[float, f.Semantic("percent"), Field(gt=0, le=100)],
    max_uses: Annotated[int, f.count("orders"), Field(ge=1, le=1000)] = 50,
    valid_until: f.Date | None = None,
) -> Json:
    """Create a code that makes the tickets of an order cheaper.

    Errors: `not_found`, `event_closed`, `invalid_date`, `in_the_past`, `code_taken`.

    Args:
        event_id: Id of the event.
        code: The code, 3 to 20 letters, digits and hyphens.
        percent_off: Discount in percent.
        max_uses: In how many orders it can be used.
        valid_until: Last day; the day of the event when left out.
    """
    event = open_event(state, event_id, ctx.now)
    last = check_date(valid_until) if valid_until else event.starts_at[:10]
    if last < ctx.today:
        raise invalid(f"{last} is over; today is {ctx.today}.", type="in_the_past")
    if any(same(row.code, code) for row in state.discount_codes.find(event_id=event.id)):
        raise conflict(f"{event.name} has the code {code} already.", type="code_taken")
    row = state.discount_codes.create(
        event_id=event.id, code=code.upper(), percent_off=percent_off, max_uses=max_uses, valid_until=last
    )
    return _code_shown(state, row, ctx.today)


@service.tool()
def get_sales_report(
    state: EventsState,
    ctx: CallContext,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    event_id: EventId | None = None,
    group_by: GroupBy = "event",
) -> Json:
    """Sum up tickets, gross takings, refunds, fees and payout of the orders of a time, the largest payout first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        from_date: First day of orders.
        to_date: Last day of orders.
        event_id: Only orders for this event.
        group_by: What the rows are.
    """
    if event_id is not None:
        state.events.get(event_id)
    orders = {row.id: row for row in within(keep(state.orders, event_id=event_id), "placed_at", from_date, to_date)}
    sold = [ticket for ticket in state.tickets if ticket.order_id in orders]
    groups = grouped(sold, lambda ticket: _group(state, ticket, group_by))
    rows: list[Json] = [{group_by: name, "tickets": len(part), **takings(part)} for name, part in groups.items()]
    rows.sort(key=lambda row: (-row["payout"], row[group_by]))
    return {"rows": rows[:100], "tickets": len(sold), **takings(sold)}


def _group(state: EventsState, ticket: Ticket, group_by: str) -> str:
    event = state.events.get(ticket.event_id).name
    if group_by == "event":
        return event
    if group_by == "ticket_class":
        return f"{event}: {state.ticket_classes.get(ticket.ticket_class_id).name}"
    discount = state.orders.get(ticket.order_id).discount_id
    return state.discount_codes.get(discount).code if discount else "none"
