"""Tools for manufacturing orders: planning, release and cancellation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.manufacturing.items import ItemId, Units
from services_app.library.manufacturing.plant import (
    Plant,
    cost,
    in_status,
    operation_row,
    operations,
    order_row,
)
from services_app.library.manufacturing.state import ManufacturingState, Order, OrderStatus, Priority, service
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
    next_number,
    search,
    some_changes,
    within,
)

OrderId = Annotated[str, f.ref("orders")]


def described(state: ManufacturingState, order: Order) -> Json:
    """An order with materials, operations, checks, nonconformances, comments and cost so far."""
    waits = order.status in ("planned", "released")
    return {
        **order_row(state, order),
        "materials": Plant(state).needs(order.product_id, order.quantity) if waits else [],
        "operations": [operation_row(state, row) for row in operations(state, order.id)],
        "quality_checks": state.quality_checks.find(order_id=order.id),
        "nonconformances": state.nonconformances.find(order_id=order.id),
        "comments": state.comments.find(order_id=order.id),
        "cost": cost(state, order),
    }


@service.tool()
def search_manufacturing_orders(  # noqa: PLR0913, PLR0917 - one per filter
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    status: OrderStatus | None = None,
    product_id: ItemId | None = None,
    priority: Priority | None = None,
    due_from: f.Date | None = None,
    due_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find manufacturing orders, those due first at the top, with progress and open nonconformances.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the order number, reference, customer, lot, SKU or product name.
        status: Only orders in this status.
        product_id: Only orders for this product.
        priority: Only orders of this priority.
        due_from: Only orders due on this day or later.
        due_to: Only orders due on this day or earlier.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.orders, status=status, product_id=product_id, priority=priority)
    found = sorted(within(found, "due_on", due_from, due_to), key=lambda row: (row.due_on, row.id))
    names = ("number", "reference", "customer_name", "lot_number", "sku", "product")
    rows = search([order_row(state, row) for row in found], query, lambda row: [row[name] for name in names])
    return cursor_page("orders", rows, limit, cursor)


@service.tool()
def get_manufacturing_order(state: ManufacturingState, ctx: CallContext, order_id: OrderId) -> Json:
    """Show an order with its materials and shortages, operations, quality, comments and cost so far.

    Errors: `not_found`.

    Args:
        order_id: Id of the manufacturing order.
    """
    return described(state, state.orders.get(order_id))


@service.tool(phrase="plan {quantity} of {product_id} for {due_on}")
def create_manufacturing_order(
    state: ManufacturingState,
    ctx: CallContext,
    product_id: ItemId,
    quantity: Units,
    due_on: f.Date,
    priority: Priority = "normal",
    customer_name: f.Organisation = "",
    reference: Annotated[f.Code, Field(max_length=40)] = "",
) -> Json:
    """Plan a manufacturing order; its operations come from the routing of the product.

    Errors: `not_found`, `not_a_product`, `invalid_date`, `in_the_past`.

    Args:
        product_id: Id of the product.
        quantity: How many units.
        due_on: Day on which they have to be ready.
        priority: How urgent it is.
        customer_name: For whom; nobody for stock.
        reference: Purchase order of the customer.
    """
    product = state.items.get(product_id)
    if product.kind != "product":
        raise invalid(f"{product.sku} is a material; send a product.", type="not_a_product")
    if check_date(due_on) < ctx.today:
        raise invalid(f"{due_on} is past; today is {ctx.today}.", type="in_the_past")
    order = state.orders.create(
        number=next_number((row.number for row in state.orders), "MO-", first=5001),
        product_id=product_id,
        quantity=quantity,
        customer_name=customer_name,
        reference=reference,
        due_on=due_on,
        priority=priority,
        status="planned",
    )
    for step in state.routing_steps.find(product_id=product_id):
        state.operations.create(order_id=order.id, step_id=step.id)
    return described(state, order)


@service.tool(phrase="change the manufacturing order {order_id}")
def update_manufacturing_order(
    state: ManufacturingState,
    ctx: CallContext,
    order_id: OrderId,
    quantity: Units = UNSET,  # type: ignore[assignment]
    due_on: f.Date = UNSET,  # type: ignore[assignment]
    priority: Priority = UNSET,  # type: ignore[assignment]
) -> Json:
    """Change an order; its quantity only while it is planned, day and priority until it is done.

    Errors: `not_found`, `wrong_status`, `quantity_fixed` (it is released), `invalid_date`, `in_the_past`,
    `nothing_to_change`.

    Args:
        order_id: Id of the manufacturing order.
        quantity: How many units.
        due_on: Day on which they have to be ready.
        priority: How urgent it is.
    """
    order = in_status(state, order_id, "planned", "released", "in_progress")
    changes = some_changes(given(quantity=quantity, due_on=due_on, priority=priority))
    if "quantity" in changes and order.status != "planned":
        raise conflict(f"{order.number} is released; cancel it and plan another.", type="quantity_fixed")
    if "due_on" in changes and check_date(changes["due_on"]) < ctx.today:
        raise invalid(f"{changes['due_on']} is past; today is {ctx.today}.", type="in_the_past")
    return described(state, state.orders.patch(order_id, **changes))


@service.tool(phrase="release the manufacturing order {order_id}")
def release_manufacturing_order(state: ManufacturingState, ctx: CallContext, order_id: OrderId) -> Json:
    """Release a planned order to the shop floor; its materials are allocated to it.

    Errors: `not_found`, `wrong_status`, `material_short` (names what is missing).

    Args:
        order_id: Id of the manufacturing order.
    """
    order = in_status(state, order_id, "planned")
    short = [row for row in Plant(state).needs(order.product_id, order.quantity) if row["short"]]
    if short:
        missing = ", ".join(f"{row['short']} of {row['sku']}" for row in short)
        raise conflict(f"Missing for {order.number}: {missing}. Plan fewer or receive it first.", type="material_short")
    return described(state, state.orders.patch(order_id, status="released"))


@service.tool(phrase="cancel the manufacturing order {order_id}: {reason}")
def cancel_manufacturing_order(state: ManufacturingState, ctx: CallContext, order_id: OrderId, reason: Body) -> Json:
    """Cancel an order on which work has not begun; its materials are free again. The reason becomes a comment.

    Errors: `not_found`, `wrong_status`, `blank_text`.

    Args:
        order_id: Id of the manufacturing order.
        reason: Why.
    """
    in_status(state, order_id, "planned", "released")
    text = check_text(reason, "reason")
    state.comments.create(order_id=order_id, author_email=ME.email, text=text, written_at=ctx.now)
    return described(state, state.orders.patch(order_id, status="cancelled"))


@service.tool(phrase="comment on the manufacturing order {order_id}: {text}")
def comment_on_order(state: ManufacturingState, ctx: CallContext, order_id: OrderId, text: Body) -> Json:
    """Add a comment to an order, for planning and the shop floor.

    Errors: `not_found`, `blank_text`.

    Args:
        order_id: Id of the manufacturing order.
        text: The comment.
    """
    order = state.orders.get(order_id)
    note = check_text(text, "comment")
    row = state.comments.create(order_id=order_id, author_email=ME.email, text=note, written_at=ctx.now)
    return {"order_number": order.number, "comment": row}
