"""Tools for transfers between locations."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.inventory.items import ItemId, LocationId
from services_app.library.inventory.moving import Quantity
from services_app.library.inventory.state import InventoryState, Transfer, TransferStatus, service
from services_app.library.inventory.stock import enough, not_counted, put, take
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
    newest_first,
    search,
    with_fields,
)

TransferId = Annotated[str, f.ref("transfers")]


def _described(state: InventoryState, transfer: Transfer) -> Json:
    """A transfer with the names of its locations, its lines and what is still missing."""
    lines = state.transfer_lines.find(transfer_id=transfer.id)
    shown = [with_fields(row, sku=state.items.get(row.item_id).sku) for row in lines]
    moving = transfer.status == "in_transit"
    return with_fields(
        transfer,
        from_location=state.locations.get(transfer.from_location_id).name,
        to_location=state.locations.get(transfer.to_location_id).name,
        lines=shown,
        units=sum(row.quantity for row in lines),
        units_missing=sum(row.quantity - row.received for row in lines) if moving else 0,
    )


@service.tool(phrase="draft a transfer from {from_location_id} to {to_location_id}")
def create_transfer(
    state: InventoryState,
    ctx: CallContext,
    from_location_id: LocationId,
    to_location_id: LocationId,
    expected_on: f.Date,
) -> Json:
    """Draft a transfer; add_transfer_item says what goes, ship_transfer sends it.

    Errors: `not_found`, `same_location`, `invalid_date`, `in_the_past`.

    Args:
        from_location_id: Where the goods are.
        to_location_id: Where they go.
        expected_on: Day on which they should arrive.
    """
    state.locations.get(from_location_id)
    state.locations.get(to_location_id)
    if from_location_id == to_location_id:
        raise invalid("Both locations are the same; send two different ones.", type="same_location")
    if check_date(expected_on) < ctx.today:
        raise invalid(f"{expected_on} is past; today is {ctx.today}.", type="in_the_past")
    transfer = state.transfers.create(
        number=f"TO-{max((int(row.number[3:]) for row in state.transfers), default=700) + 1}",
        from_location_id=from_location_id,
        to_location_id=to_location_id,
        status="draft",
        expected_on=expected_on,
        created_at=ctx.now,
    )
    return _described(state, transfer)


@service.tool(phrase="put {quantity} of {item_id} on the transfer {transfer_id}")
def add_transfer_item(
    state: InventoryState, ctx: CallContext, transfer_id: TransferId, item_id: ItemId, quantity: Quantity
) -> Json:
    """Put an item on a draft transfer; an item that is on it already gets the new quantity.

    Errors: `not_found`, `not_draft`, `insufficient_stock`.

    Args:
        transfer_id: Id of the transfer.
        item_id: Id of the item.
        quantity: How many units go.
    """
    transfer, item = _in(state, transfer_id, "draft"), state.items.get(item_id)
    enough(state, item, transfer.from_location_id, quantity)
    old = state.transfer_lines.first(transfer_id=transfer_id, item_id=item_id)
    if old is None:
        state.transfer_lines.create(transfer_id=transfer_id, item_id=item_id, quantity=quantity)
    else:
        state.transfer_lines.patch(old.id, quantity=quantity)
    return _described(state, transfer)


def _in(state: InventoryState, transfer_id: str, status: str) -> Transfer:
    transfer = state.transfers.get(transfer_id)
    if transfer.status != status:
        words = status.replace("_", " ")
        raise conflict(f"Transfer {transfer.number} is {transfer.status}, not {words}.", type=f"not_{status}")
    return transfer


@service.tool(phrase="ship the transfer {transfer_id}")
def ship_transfer(state: InventoryState, ctx: CallContext, transfer_id: TransferId) -> Json:
    """Send a draft transfer off: the units leave the first location today and are at neither until received.

    Lines of lot-tracked items are split by lot, those that end first.
    Errors: `not_found`, `not_draft`, `no_items`, `insufficient_stock`, `being_counted`.

    Args:
        transfer_id: Id of the transfer.
    """
    transfer = _in(state, transfer_id, "draft")
    lines = state.transfer_lines.find(transfer_id=transfer_id)
    if not lines:
        raise conflict(f"Transfer {transfer.number} is empty; use add_transfer_item.", type="no_items")
    for line in lines:
        item = state.items.get(line.item_id)
        not_counted(state, item.id, transfer.from_location_id)
        enough(state, item, transfer.from_location_id, line.quantity)
        terms = {"kind": "transfer_out", "reference": transfer.number, "moved_on": ctx.today}
        moved = take(state, item, transfer.from_location_id, line.quantity, **terms)
        state.transfer_lines.patch(line.id, quantity=-moved[0].quantity, lot_id=moved[0].lot_id)
        for rest in moved[1:]:
            state.transfer_lines.create(
                transfer_id=transfer_id, item_id=item.id, lot_id=rest.lot_id, quantity=-rest.quantity
            )
    return _described(state, state.transfers.patch(transfer_id, status="in_transit", shipped_on=ctx.today))


@service.tool(phrase="receive {quantity} units of the transfer line {line_id}")
def receive_transfer_line(
    state: InventoryState,
    ctx: CallContext,
    line_id: Annotated[str, f.ref("transfer_lines")],
    quantity: Quantity,
) -> Json:
    """Book units of a transfer in at its destination; with the last one the transfer is received.

    Errors: `not_found`, `not_in_transit`, `too_many`, `being_counted`.

    Args:
        line_id: Id of the transfer line.
        quantity: How many units arrived.
    """
    line = state.transfer_lines.get(line_id)
    transfer = _in(state, line.transfer_id, "in_transit")
    left = line.quantity - line.received
    if quantity > left:
        raise invalid(f"{left} units of this line are on their way; book a surplus by a count.", type="too_many")
    not_counted(state, line.item_id, transfer.to_location_id)
    terms = {"kind": "transfer_in", "reference": transfer.number, "moved_on": ctx.today}
    put(state, line.item_id, transfer.to_location_id, line.lot_id, quantity, **terms)
    state.transfer_lines.patch(line_id, received=line.received + quantity)
    lines = state.transfer_lines.find(transfer_id=transfer.id)
    if all(row.received == row.quantity for row in lines):
        transfer = state.transfers.patch(transfer.id, status="received")
    return _described(state, transfer)


@service.tool(phrase="close the transfer {transfer_id}")
def close_transfer(state: InventoryState, ctx: CallContext, transfer_id: TransferId, note: Body) -> Json:
    """Cancel a draft transfer, or end one in transit of which nothing more will come; what is missing is lost.

    Errors: `not_found`, `already_closed`, `blank_text`.

    Args:
        transfer_id: Id of the transfer.
        note: Why; kept with the transfer.
    """
    transfer = state.transfers.get(transfer_id)
    if transfer.status in ("received", "cancelled"):
        raise conflict(f"Transfer {transfer.number} is {transfer.status} already.", type="already_closed")
    status = "cancelled" if transfer.status == "draft" else "received"
    text = check_text(note, "note")
    return _described(state, state.transfers.patch(transfer_id, status=status, closing_note=text))


@service.tool()
def list_transfers(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    status: TransferStatus | None = None,
    location_id: LocationId | None = None,
    expected_before: f.Date | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """List transfers with their lines, newest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the number, the location names, the SKUs or the closing note.
        status: Only transfers in this status.
        location_id: Only transfers from or to this location.
        expected_before: Only transfers expected on this day or earlier.
        limit: At most so many transfers.
        cursor: next_cursor of the previous page.
    """
    day = check_date(expected_before) if expected_before else "9999"
    found = [
        row
        for row in keep(state.transfers, status=status)
        if location_id in (None, row.from_location_id, row.to_location_id) and row.expected_on <= day
    ]
    rows = search([_described(state, row) for row in found], query, _words)
    rows = newest_first(rows, "created_at")
    return cursor_page("transfers", rows, limit, cursor)


def _words(row: Json) -> list[str]:
    skus = [line["sku"] for line in row["lines"]]
    return [row["number"], row["from_location"], row["to_location"], row["closing_note"], *skus]
