"""Tools for fulfillments: what leaves the warehouse, its tracking and its delivery."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.orders.figures import Ledger
from services_app.library.orders.orders import OrderId
from services_app.library.orders.state import Carrier, Fulfillment, OrdersState, ShipmentStatus, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
    within,
)

FulfillmentId = Annotated[str, f.ref("fulfillments")]


class Item(BaseModel):
    """Part of a line to ship."""

    model_config = ConfigDict(extra="forbid")

    line_id: str = Field(description="Id of the order line.")
    quantity: int = Field(ge=1, le=10_000, description="How many units go.")


@service.tool(
    phrase="ship the order {order_id} with {carrier}",
    examples=(
        Example({"order_id": "ORD-0026", "carrier": "Postwind", "items": [{"line_id": "OLN-0066", "quantity": 2}]}),
    ),
)
def create_fulfillment(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId,
    carrier: Carrier,
    tracking_number: f.Code = "",
    items: Annotated[list[Item], Field(min_length=1, max_length=50)] | None = None,
) -> Json:
    """Ship an open order, in full or in part; the units leave the stock today.

    Errors: `not_found`, `not_open` (draft, on hold or cancelled), `nothing_to_ship`, `not_on_order`, `too_many`
    (more than is still open on a line), `insufficient_stock`, `duplicate_tracking`.

    Args:
        order_id: Id of the order.
        carrier: Who carries it.
        tracking_number: Number of the shipment, when known.
        items: Lines and quantities; everything that is still open, if left out.
    """
    order, ledger = state.orders.get(order_id), Ledger(state)
    if order.status != "open":
        raise conflict(f"Order {order.number} is {order.status}, not open.", type="not_open")
    rest = {line_id: ledger.open_quantity(line_id) for line_id in ledger.lines.get(order_id, ())}
    wanted = _wanted(rest, items)
    if not wanted:
        raise conflict(f"Everything of {order.number} has shipped.", type="nothing_to_ship")
    _unused_tracking(state, tracking_number)
    shipment = state.fulfillments.create(
        order_id=order_id, status="in_transit", carrier=carrier, tracking_number=tracking_number, shipped_on=ctx.today
    )
    for line_id, quantity in wanted.items():
        _take(state, line_id, quantity)
        state.parcels.create(fulfillment_id=shipment.id, line_id=line_id, quantity=quantity)
    return _described(state, shipment)


def _wanted(rest: dict[str, int], items: list[Item] | None) -> dict[str, int]:
    """Units to ship by line; 422 when a line is foreign or has fewer open units."""
    if items is None:
        return {line_id: quantity for line_id, quantity in rest.items() if quantity}
    wanted: dict[str, int] = {}
    for item in items:
        if item.line_id not in rest:
            raise invalid(f"Line {item.line_id} is not on this order; see get_order.", type="not_on_order")
        wanted[item.line_id] = wanted.get(item.line_id, 0) + item.quantity
        if wanted[item.line_id] > rest[item.line_id]:
            raise invalid(f"Line {item.line_id} has {rest[item.line_id]} open units; send fewer.", type="too_many")
    return wanted


def _take(state: OrdersState, line_id: str, quantity: int) -> None:
    product = state.products.get(state.lines.get(line_id).product_id)
    if product.on_hand is None:
        return
    if quantity > product.on_hand:
        raise conflict(
            f"{product.sku} has {product.on_hand} on hand, {quantity} are to ship; ship a part or wait.",
            type="insufficient_stock",
        )
    state.products.patch(product.id, on_hand=product.on_hand - quantity)


def _unused_tracking(state: OrdersState, number: str) -> None:
    for row in state.fulfillments:
        if number and row.status != "cancelled" and same(row.tracking_number, number):
            raise conflict(f"{number} is the tracking number of {row.id} already.", type="duplicate_tracking")


def _described(state: OrdersState, shipment: Fulfillment) -> Json:
    order = state.orders.get(shipment.order_id)
    parcels = []
    for row in state.parcels.find(fulfillment_id=shipment.id):
        product = state.products.get(state.lines.get(row.line_id).product_id)
        parcels.append({"line_id": row.line_id, "sku": product.sku, "quantity": row.quantity})
    return with_fields(shipment, order_number=order.number, ship_to=order.shipping_address, items=parcels)


@service.tool()
def list_fulfillments(  # noqa: PLR0913, PLR0917 - one per filter
    state: OrdersState,
    ctx: CallContext,
    query: Query | None = None,
    order_id: OrderId | None = None,
    carrier: Carrier | None = None,
    status: ShipmentStatus | None = None,
    shipped_from: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List shipments with what they hold, latest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the tracking number, order number or the name of who signed.
        order_id: Only shipments of this order.
        carrier: Only shipments of this carrier.
        status: Only shipments in this status.
        shipped_from: Only what left on this day or later.
        limit: At most so many shipments.
        cursor: next_cursor of the previous page.
    """
    numbers = {row.id: row.number for row in state.orders}
    found = search(state.fulfillments, query, lambda row: (row.tracking_number, numbers[row.order_id], row.signed_by))
    found = within(keep(found, order_id=order_id, carrier=carrier, status=status), "shipped_on", shipped_from, None)
    found = newest_first(found, "shipped_on")
    page = cursor_page("fulfillments", found, limit, cursor)
    page["fulfillments"] = [_described(state, row) for row in page["fulfillments"]]
    return page


@service.tool(phrase="confirm the delivery of {fulfillment_id}")
def confirm_delivery(
    state: OrdersState,
    ctx: CallContext,
    fulfillment_id: FulfillmentId,
    delivered_on: f.Date | None = None,
    signed_by: f.Person = "",
) -> Json:
    """Confirm that a shipment has arrived; the 30 days for returns start then.

    Errors: `not_found`, `not_in_transit`, `invalid_date`, `invalid_range` (before it shipped), `in_the_future`.

    Args:
        fulfillment_id: Id of the shipment.
        delivered_on: Day of arrival; today, if left out.
        signed_by: Who took it.
    """
    shipment = _moving(state, fulfillment_id)
    day = check_date(delivered_on) if delivered_on else ctx.today
    if day < shipment.shipped_on:
        raise invalid(f"It shipped on {shipment.shipped_on}; it cannot arrive on {day}.", type="invalid_range")
    if day > ctx.today:
        raise invalid(f"{day} is in the future; today is {ctx.today}.", type="in_the_future")
    changed = state.fulfillments.patch(fulfillment_id, status="delivered", delivered_on=day, signed_by=signed_by)
    return _described(state, changed)


@service.tool(phrase="cancel the shipment {fulfillment_id}")
def cancel_fulfillment(state: OrdersState, ctx: CallContext, fulfillment_id: FulfillmentId) -> Json:
    """Call back a shipment that has not arrived; its units are in stock and open on the order again.

    Errors: `not_found`, `not_in_transit`.

    Args:
        fulfillment_id: Id of the shipment.
    """
    _moving(state, fulfillment_id)
    for row in state.parcels.find(fulfillment_id=fulfillment_id):
        product = state.products.get(state.lines.get(row.line_id).product_id)
        if product.on_hand is not None:
            state.products.patch(product.id, on_hand=product.on_hand + row.quantity)
    return _described(state, state.fulfillments.patch(fulfillment_id, status="cancelled"))


def _moving(state: OrdersState, fulfillment_id: str) -> Fulfillment:
    shipment = state.fulfillments.get(fulfillment_id)
    if shipment.status != "in_transit":
        raise conflict(f"Shipment {shipment.id} is {shipment.status}, not in transit.", type="not_in_transit")
    return shipment
