"""Tools to pack cartons and to hand orders to the carrier."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, next_number, same
from services_app.library.warehouse.floor import Floor, open_order
from services_app.library.warehouse.orders import OrderId, carton
from services_app.library.warehouse.state import Carton, WarehouseState, service

MOST_KG = 25.0


@service.tool(phrase="pack {quantity} units of the outbound line {order_line_id}")
def pack_item(
    state: WarehouseState,
    ctx: CallContext,
    order_line_id: Annotated[str, f.ref("order_lines")],
    quantity: Annotated[int, f.count("units"), Field(ge=1, le=20_000)],
    carton_label: Annotated[f.Code, Field(max_length=40)] = "",
) -> Json:
    """Put picked units of an order line into a carton of up to 25 kg; several units per carton, one order each.

    Errors: `not_found`, `order_not_open`, `not_picked` (fewer units are picked and unpacked), `unknown_carton`,
    `carton_too_heavy`.

    Args:
        order_line_id: Id of the line of the outbound order.
        quantity: How many units go into the carton.
        carton_label: Label of a carton of this order; a new carton, if left out.
    """
    line = state.order_lines.get(order_line_id)
    order, floor = open_order(state, line.order_id), Floor(state)
    ready = floor.picked[line.id] - floor.packed[line.id]
    if quantity > ready:
        raise conflict(f"{ready} units of this line are picked and not packed; send no more.", type="not_picked")
    box = _carton(state, order.id, carton_label)
    state.carton_items.create(carton_id=box.id, order_line_id=line.id, quantity=quantity)
    packed = carton(state, box.id)
    if packed["weight_kg"] > MOST_KG:
        raise conflict(
            f"The carton would weigh {packed['weight_kg']} kg, {MOST_KG:g} are allowed; spread the units.",
            type="carton_too_heavy",
        )
    return {"carton": packed, "order": Floor(state).order(order)}


def _carton(state: WarehouseState, order_id: str, label: str) -> Carton:
    if not label.strip():
        number = next_number((row.label for row in state.cartons), "CT-", first=8001)
        return state.cartons.create(order_id=order_id, label=number)
    for row in state.cartons.find(order_id=order_id):
        if same(row.label, label):
            return row
    raise invalid(f"{label} is no carton of this order; leave it out for a new one.", type="unknown_carton")


@service.tool(phrase="ship the outbound order {order_id} under {tracking_number}")
def ship_outbound_order(
    state: WarehouseState,
    ctx: CallContext,
    order_id: OrderId,
    tracking_number: Annotated[f.Code, Field(min_length=4, max_length=40)],
    allow_short: bool = False,
) -> Json:
    """Hand a packed order to its carrier; with short picks only when the customer takes less.

    Errors: `not_found`, `order_not_open`, `not_packed`, `short_picked` (units are missing), `nothing_picked`,
    `duplicate_tracking`.

    Args:
        order_id: Id of the order.
        tracking_number: Number that the carrier gave.
        allow_short: Ship although units are missing.
    """
    order, floor = open_order(state, order_id), Floor(state)
    if floor.stage(order) != "packed":
        raise conflict(f"{order.number} is {floor.stage(order)}; pick and pack all of it first.", type="not_packed")
    lines = state.order_lines.find(order_id=order_id)
    if not any(floor.picked[row.id] for row in lines):
        raise conflict(f"Nothing of {order.number} could be picked; hold back the truck.", type="nothing_picked")
    missing = sum(row.quantity - floor.picked[row.id] for row in lines)
    if missing and not allow_short:
        raise conflict(f"{missing} units are missing; ask the customer, then allow it.", type="short_picked")
    if any(same(row.tracking_number, tracking_number) for row in state.orders):
        raise conflict(f"{tracking_number} is on another order; check the label.", type="duplicate_tracking")
    shipped = state.orders.patch(order_id, status="shipped", tracking_number=tracking_number, shipped_on=ctx.today)
    return Floor(state).order(shipped)
