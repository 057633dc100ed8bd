"""Tools that move stock: receipts, issues, adjustments and reservations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.inventory.items import ItemId, LocationId
from services_app.library.inventory.state import (
    AdjustmentReason,
    InventoryState,
    Reservation,
    ReservationStatus,
    service,
)
from services_app.library.inventory.stock import Stock, enough, not_counted, put, take
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)

Quantity = Annotated[int, f.count("units"), Field(ge=1, le=100_000)]
Reference = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=60)]
ReservationId = Annotated[str, f.ref("reservations")]
COUNT_FROM = 1000.0


_DELIVERY = {"item_id": "ITM-0008", "location_id": "LOC-0001", "quantity": 5, "reference": "DN-30100"}


@service.tool(
    phrase="receive {quantity} of {item_id} at {location_id} on {reference}",
    examples=(Example({**_DELIVERY, "lot_number": "L-NEW-1", "expires_on": "2027-09-30"}),),
)
def receive_stock(
    state: InventoryState,
    ctx: CallContext,
    item_id: ItemId,
    location_id: LocationId,
    quantity: Quantity,
    reference: Reference,
    lot_number: f.Code = "",
    expires_on: f.Date | None = None,
) -> Json:
    """Book a delivery of a supplier in; lot-tracked items need the lot number, new lots their last day.

    Errors: `not_found`, `lot_needed`, `no_lots_here` (the item is not tracked by lot), `expiry_needed`,
    `invalid_date`, `expired`, `being_counted`.

    Args:
        item_id: Id of the item.
        location_id: Id of the location.
        quantity: How many units came.
        reference: Number of the delivery note or purchase order.
        lot_number: Lot printed on the box.
        expires_on: Last day of a new lot.
    """
    item, place = state.items.get(item_id), state.locations.get(location_id)
    if item.lot_tracked and not lot_number.strip():
        raise invalid(f"{item.sku} is kept by lot; send the lot number.", type="lot_needed")
    if not item.lot_tracked and lot_number.strip():
        raise invalid(f"{item.sku} is not kept by lot; leave lot_number out.", type="no_lots_here")
    not_counted(state, item_id, location_id)
    lot_id = _lot(state, ctx, item_id, lot_number.strip(), expires_on) if item.lot_tracked else None
    put(state, item_id, location_id, lot_id, quantity, kind="receipt", reference=reference, moved_on=ctx.today)
    return Stock(state).level(item, place.id)


def _lot(state: InventoryState, ctx: CallContext, item_id: str, number: str, expires_on: str | None) -> str:
    for lot in state.lots.find(item_id=item_id):
        if same(lot.lot_number, number):
            return lot.id
    if expires_on is None:
        raise invalid(f"{number} is a new lot; send its last day.", type="expiry_needed")
    if check_date(expires_on) < ctx.today:
        raise invalid(f"{number} ended on {expires_on}; refuse the delivery.", type="expired")
    return state.lots.create(item_id=item_id, lot_number=number, expires_on=expires_on).id


@service.tool(phrase="issue {quantity} of {item_id} from {location_id} for {reference}")
def issue_stock(
    state: InventoryState,
    ctx: CallContext,
    item_id: ItemId,
    location_id: LocationId,
    quantity: Quantity,
    reference: Reference,
    note: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
) -> Json:
    """Book units out that are not reserved; lots that end first leave first. Reserved units: fulfill_reservation.

    Errors: `not_found`, `insufficient_stock`, `being_counted`, `quarantine` (nothing is issued from there).

    Args:
        item_id: Id of the item.
        location_id: Id of the location.
        quantity: How many units leave.
        reference: Order or job they are for.
        note: What has to be known about it.
    """
    item, place = state.items.get(item_id), state.locations.get(location_id)
    if place.kind == "quarantine":
        raise conflict(f"Nothing is issued from {place.name}; transfer it first.", type="quarantine")
    not_counted(state, item_id, location_id)
    enough(state, item, location_id, quantity)
    terms = {"kind": "issue", "reference": reference, "note": note, "moved_on": ctx.today}
    moved = take(state, item, location_id, quantity, **terms)
    return {"movements": moved, "level": Stock(state).level(item, location_id)}


@service.tool(phrase="adjust the stock of {item_id} at {location_id} by {change}")
def adjust_stock(
    state: InventoryState,
    ctx: CallContext,
    item_id: ItemId,
    location_id: LocationId,
    change: Annotated[int, f.count("units"), Field(ge=-10_000, le=10_000)],
    reason: AdjustmentReason,
    note: Body,
) -> Json:
    """Correct the stock of an item that is not kept by lot; a value of more than 1,000.00 needs a stock count.

    Errors: `not_found`, `no_change`, `count_needed`, `lot_item` (use a count), `insufficient_stock`, `wrong_sign`
    (found adds, damaged, lost and expired take away), `being_counted`, `blank_text`.

    Args:
        item_id: Id of the item.
        location_id: Id of the location.
        change: Units to add, negative to take away.
        reason: Why.
        note: What happened, and who saw it.
    """
    item, place = state.items.get(item_id), state.locations.get(location_id)
    if not change:
        raise invalid("A change of 0 changes nothing.", type="no_change")
    if item.lot_tracked:
        raise conflict(f"{item.sku} is kept by lot; use start_count.", type="lot_item")
    if (reason == "found") != (change > 0) and reason != "data_error":
        raise invalid(f"The reason {reason} does not go with {change:+d} units.", type="wrong_sign")
    if abs(change) * item.unit_cost > COUNT_FROM:
        raise conflict(f"More than {COUNT_FROM:,.2f} of value need a count; use start_count.", type="count_needed")
    not_counted(state, item_id, location_id)
    if change < 0:
        enough(state, item, location_id, -change)
    put(
        state,
        item_id,
        location_id,
        None,
        change,
        kind="adjustment",
        reference=reason,
        note=check_text(note, "note"),
        moved_on=ctx.today,
    )
    return Stock(state).level(item, place.id)


@service.tool(phrase="reserve {quantity} of {item_id} at {location_id} for {order_number}")
def create_reservation(
    state: InventoryState,
    ctx: CallContext,
    item_id: ItemId,
    location_id: LocationId,
    quantity: Quantity,
    order_number: Reference,
    needed_by: f.Date,
) -> Json:
    """Promise available units to an order; they cannot be issued or transferred otherwise.

    Errors: `not_found`, `insufficient_stock`, `duplicate_reservation` (this order has one for the item here),
    `invalid_date`, `in_the_past`.

    Args:
        item_id: Id of the item.
        location_id: Id of the location.
        quantity: How many units.
        order_number: Order they are for.
        needed_by: Day on which they leave.
    """
    item, place = state.items.get(item_id), state.locations.get(location_id)
    if check_date(needed_by) < ctx.today:
        raise invalid(f"{needed_by} is past; today is {ctx.today}.", type="in_the_past")
    for row in state.reservations.find(item_id=item_id, location_id=location_id, status="active"):
        if same(row.order_number, order_number):
            raise conflict(f"{row.id} reserves {row.quantity} for it; release it first.", type="duplicate_reservation")
    enough(state, item, location_id, quantity)
    row = state.reservations.create(
        item_id=item_id,
        location_id=location_id,
        quantity=quantity,
        order_number=order_number.strip(),
        needed_by=needed_by,
    )
    return {"reservation": row, "level": Stock(state).level(item, place.id)}


@service.tool()
def list_reservations(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    location_id: LocationId | None = None,
    status: ReservationStatus | None = None,
    needed_before: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List reservations, the most urgent first.

    Errors: `invalid_date`.

    Args:
        query: Words in the order number, SKU or item name.
        location_id: Only at this location.
        status: Only reservations in this status.
        needed_before: Only what is needed on this day or earlier.
        limit: At most so many reservations.
        cursor: next_cursor of the previous page.
    """
    day = check_date(needed_before) if needed_before else "9999"
    names = {row.id: (row.sku, row.name) for row in state.items}
    found = search(state.reservations, query, lambda row: (row.order_number, *names[row.item_id]))
    found = [row for row in keep(found, location_id=location_id, status=status) if row.needed_by <= day]
    found.sort(key=lambda row: (row.needed_by, row.id))
    page = cursor_page("reservations", found, limit, cursor)
    page["reservations"] = [with_fields(row, sku=names[row.item_id][0]) for row in page["reservations"]]
    return page


@service.tool(phrase="issue what is reserved as {reservation_id}")
def fulfill_reservation(state: InventoryState, ctx: CallContext, reservation_id: ReservationId) -> Json:
    """Issue the reserved units to their order, lots that end first before the others.

    Errors: `not_found`, `not_active`, `insufficient_stock` (a lot was blocked meanwhile), `being_counted`.

    Args:
        reservation_id: Id of the reservation.
    """
    row = _active(state, reservation_id)
    item = state.items.get(row.item_id)
    not_counted(state, row.item_id, row.location_id)
    done = state.reservations.patch(reservation_id, status="fulfilled")
    enough(state, item, row.location_id, row.quantity)
    terms = {"kind": "issue", "reference": row.order_number, "moved_on": ctx.today}
    moved = take(state, item, row.location_id, row.quantity, **terms)
    return {"reservation": done, "movements": moved, "level": Stock(state).level(item, row.location_id)}


@service.tool(phrase="release the reservation {reservation_id}")
def release_reservation(state: InventoryState, ctx: CallContext, reservation_id: ReservationId) -> Json:
    """Give reserved units free again.

    Errors: `not_found`, `not_active`.

    Args:
        reservation_id: Id of the reservation.
    """
    row = _active(state, reservation_id)
    done = state.reservations.patch(reservation_id, status="released")
    return {"reservation": done, "level": Stock(state).level(state.items.get(row.item_id), row.location_id)}


def _active(state: InventoryState, reservation_id: str) -> Reservation:
    row = state.reservations.get(reservation_id)
    if row.status != "active":
        raise conflict(f"Reservation {reservation_id} is {row.status} already.", type="not_active")
    return row
