"""Tools for outbound orders, their holds and notes, and the work instructions."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    search,
    within,
)
from services_app.library.warehouse.floor import Floor, open_order
from services_app.library.warehouse.state import Carrier, WarehouseState, service

OrderId = Annotated[str, f.ref("orders")]
Stage = Annotated[
    Literal["waiting", "in_wave", "picking", "picked", "packed", "shipped", "on_hold", "cancelled"], LABEL
]


@service.tool()
def search_outbound_orders(  # noqa: PLR0913, PLR0917 - one per filter
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    stage: Stage | None = None,
    carrier: Carrier | None = None,
    ship_by_from: f.Date | None = None,
    ship_by_to: f.Date | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """Find orders that leave the warehouse, the most urgent first, with their stage and lines.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the order number, purchase order, customer, address, tracking number, SKU or product name.
        stage: Only orders that are so far.
        carrier: Only orders that go with this carrier.
        ship_by_from: Only orders due on this day or later.
        ship_by_to: Only orders due on this day or earlier.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    floor = Floor(state)
    found = within(keep(state.orders, carrier=carrier), "ship_by", ship_by_from, ship_by_to)
    found = [row for row in found if stage is None or floor.stage(row) == stage]
    rows = search([floor.order(row) for row in sorted(found, key=lambda row: (row.ship_by, row.id))], query, _words)
    return cursor_page("orders", rows, limit, cursor)


def _words(row: Json) -> list[str]:
    names = ("number", "po_number", "customer_name", "ship_to", "tracking_number")
    return [row[name] for name in names] + [text for line in row["lines"] for text in (line["sku"], line["sku_name"])]


@service.tool()
def get_outbound_order(state: WarehouseState, ctx: CallContext, order_id: OrderId) -> Json:
    """Show an order with its lines, pick tasks, cartons with contents and weight, and notes.

    Errors: `not_found`.

    Args:
        order_id: Id of the order.
    """
    floor = Floor(state)
    found = floor.order(state.orders.get(order_id))
    lines = {row["id"] for row in found["lines"]}
    return {
        **found,
        "pick_tasks": [row for row in state.pick_tasks if row.order_line_id in lines],
        "cartons": [carton(state, row.id) for row in state.cartons.find(order_id=order_id)],
        "notes": state.order_notes.find(order_id=order_id),
    }


def carton(state: WarehouseState, carton_id: str) -> Json:
    """A carton with what lies in it and its weight in kilograms."""
    items, grams = [], 0
    for row in state.carton_items.find(carton_id=carton_id):
        sku = state.skus.get(state.order_lines.get(row.order_line_id).sku_id)
        items.append({"order_line_id": row.order_line_id, "sku": sku.sku, "quantity": row.quantity})
        grams += row.quantity * sku.unit_weight
    found = state.cartons.get(carton_id)
    return {"id": found.id, "label": found.label, "items": items, "weight_kg": round(grams / 1000, 2)}


@service.tool(phrase="put the outbound order {order_id} on hold")
def hold_outbound_order(state: WarehouseState, ctx: CallContext, order_id: OrderId, reason: Body) -> Json:
    """Stop an open order that is in no wave yet, or in one that is not released; it leaves that wave.

    Errors: `not_found`, `order_not_open`, `picking_started`, `blank_text`.

    Args:
        order_id: Id of the order.
        reason: Why, and until when.
    """
    order = open_order(state, order_id)
    if Floor(state).stage(order) not in ("waiting", "in_wave"):
        raise conflict(f"Picking of {order.number} has begun; it cannot be stopped any more.", type="picking_started")
    text = check_text(reason, "reason")
    return Floor(state).order(state.orders.patch(order_id, status="on_hold", hold_reason=text, wave_id=None))


@service.tool(phrase="release the outbound order {order_id} from its hold")
def release_outbound_order(state: WarehouseState, ctx: CallContext, order_id: OrderId) -> Json:
    """Let an order that is on hold go on; it waits for a wave then.

    Errors: `not_found`, `not_on_hold`.

    Args:
        order_id: Id of the order.
    """
    order = state.orders.get(order_id)
    if order.status != "on_hold":
        raise conflict(f"Order {order.number} is {order.status}, not on hold.", type="not_on_hold")
    return Floor(state).order(state.orders.patch(order_id, status="open", hold_reason=""))


@service.tool()
def search_work_instructions(
    state: WarehouseState, ctx: CallContext, query: Query | None = None, limit: Limit = 5, cursor: Cursor = ""
) -> Json:
    """Find the warehouse's work instructions: waves, forklifts, holds, cold goods, batteries, packing, loading.

    Args:
        query: Words in the title or text.
        limit: At most so many instructions.
        cursor: next_cursor of the previous page.
    """
    found = search(state.instructions, query, lambda row: (row.title, row.body))
    return cursor_page("work_instructions", found, limit, cursor)
