"""Tools for purchase orders and for the goods that arrive on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.procurement.figures import Books, line_value, usable_supplier
from services_app.library.procurement.requisitions import Quantity, RequisitionId
from services_app.library.procurement.sourcing import SupplierId
from services_app.library.procurement.state import ProcurementState, PurchaseOrder, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    grouped,
    keep,
    next_number,
    plus_days,
    search,
    some_changes,
    total,
    with_fields,
)

OrderId = Annotated[str, f.ref("purchase_orders")]
Delivery = Annotated[Literal["not_received", "partly_received", "received", "cancelled"], LABEL]
USUAL_DAYS = 14


def order_shown(state: ProcurementState, order_id: str) -> Json:
    """An order with its lines, what arrived, and its invoices."""
    books, order = Books(state), state.purchase_orders.get(order_id)
    lines = []
    for row in books.order_lines(order_id):
        came = books.received(row.id)
        figures = {"value": line_value(row), "received": came, "open": row.quantity - came}
        lines.append(with_fields(row, **figures, receipts=books.receipts(row.id)))
    return {
        **books.order_json(order),
        "requisition_number": state.requisitions.get(order.requisition_id).number,
        "lines": lines,
        "invoices": books.invoices(order_id),
    }


@service.tool(phrase="order what the requisition {requisition_id} asks for")
def create_purchase_orders(state: ProcurementState, ctx: CallContext, requisition_id: RequisitionId) -> Json:
    """Turn an approved requisition into purchase orders, one for each supplier, and send them.

    Errors: `not_found`, `not_approved`, `supplier_unavailable`, `below_minimum_order`.

    Args:
        requisition_id: Id of the requisition.
    """
    row, books = state.requisitions.get(requisition_id), Books(state)
    if row.status != "approved":
        raise conflict(f"Requisition {row.number} is {row.status}, not approved.", type="not_approved")
    made = []
    for supplier_id, lines in grouped(books.lines(row.id), lambda line: line.supplier_id).items():
        supplier, amount = usable_supplier(state, supplier_id), total(line_value(line) for line in lines)
        if amount < supplier.minimum_order:
            raise conflict(
                f"{supplier.name} takes orders from {supplier.minimum_order:.2f} on, this is {amount:.2f}.",
                type="below_minimum_order",
            )
        days = [state.catalog_items.get(line.item_id).lead_days for line in lines if line.item_id]
        order = state.purchase_orders.create(
            number=next_number((order.number for order in state.purchase_orders), f"LPO-{ctx.today[:4]}-"),
            supplier_id=supplier_id,
            requisition_id=row.id,
            issued_on=ctx.today,
            expected_on=plus_days(ctx.today, max(days, default=USUAL_DAYS)),
            deliver_to=row.deliver_to,
        )
        for line in lines:
            state.order_lines.create(
                purchase_order_id=order.id,
                description=line.description,
                quantity=line.quantity,
                unit_price=line.unit_price,
            )
        made.append(order.id)
    state.requisitions.patch(row.id, status="ordered")
    return {"requisition_number": row.number, "purchase_orders": [order_shown(state, key) for key in made]}


@service.tool()
def search_purchase_orders(
    state: ProcurementState,
    ctx: CallContext,
    query: Query | None = None,
    supplier_id: SupplierId | None = None,
    delivery: Delivery | None = None,
    overdue: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find purchase orders by number, supplier, address or what was ordered, newest number first.

    Args:
        query: Words in the number, supplier name, delivery address or lines.
        supplier_id: Only orders to this supplier.
        delivery: Only orders of which so much has arrived.
        overdue: true for orders that should have arrived by now and did not in full, false for all others.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    books = Books(state)
    found = search(
        state.purchase_orders,
        query,
        lambda row: (
            *(row.number, books.suppliers[row.supplier_id].name, row.deliver_to),
            *(line.description for line in books.order_lines(row.id)),
        ),
    )
    rows = [books.order_json(row) for row in sorted(keep(found, supplier_id=supplier_id), key=_by_number, reverse=True)]
    rows = [
        row
        for row in rows
        if delivery in (None, row["delivery"])
        and overdue in (None, row["delivery"] in ("not_received", "partly_received") and row["expected_on"] < ctx.today)
    ]
    return {**cursor_page("purchase_orders", rows, limit, cursor), "sum": total(row["total"] for row in rows)}


def _by_number(order: PurchaseOrder) -> str:
    return order.number


@service.tool()
def get_purchase_order(state: ProcurementState, ctx: CallContext, purchase_order_id: OrderId) -> Json:
    """Show a purchase order with its lines, what arrived of each, and the invoices for it.

    Errors: `not_found`.

    Args:
        purchase_order_id: Id of the purchase order.
    """
    return order_shown(state, purchase_order_id)


def _open_order(state: ProcurementState, order_id: str) -> PurchaseOrder:
    """An order on which something is still to come; 409 `order_cancelled`, `fully_received`."""
    order = state.purchase_orders.get(order_id)
    delivery = Books(state).delivery(order)
    if delivery == "cancelled":
        raise conflict(f"Order {order.number} is cancelled.", type="order_cancelled")
    if delivery == "received":
        raise conflict(f"Everything on {order.number} has arrived.", type="fully_received")
    return order


@service.tool(phrase="change the delivery of the purchase order {purchase_order_id}")
def update_purchase_order(
    state: ProcurementState,
    ctx: CallContext,
    purchase_order_id: OrderId,
    expected_on: f.Date | Unset = UNSET,
    deliver_to: f.Place | Unset = UNSET,
) -> Json:
    """Change the day or the address of a delivery that is still to come; what is not sent stays as it is.

    Errors: `not_found`, `order_cancelled`, `fully_received`, `nothing_to_change`, `invalid_date`, `in_the_past`.

    Args:
        purchase_order_id: Id of the purchase order.
        expected_on: New day, as agreed with the supplier.
        deliver_to: New address.
    """
    _open_order(state, purchase_order_id)
    changes = some_changes(given(expected_on=expected_on, deliver_to=deliver_to))
    if "expected_on" in changes and check_date(changes["expected_on"]) < ctx.today:
        raise invalid(f"{expected_on} is in the past; today is {ctx.today}.", type="in_the_past")
    state.purchase_orders.patch(purchase_order_id, **changes)
    return order_shown(state, purchase_order_id)


@service.tool(phrase="cancel the purchase order {purchase_order_id}")
def cancel_purchase_order(state: ProcurementState, ctx: CallContext, purchase_order_id: OrderId) -> Json:
    """Cancel a purchase order of which nothing has arrived and nothing was invoiced; the budget is free again.

    Errors: `not_found`, `order_cancelled`, `fully_received`, `partly_received`, `invoiced`.

    Args:
        purchase_order_id: Id of the purchase order.
    """
    order, books = _open_order(state, purchase_order_id), Books(state)
    if books.delivery(order) == "partly_received":
        raise conflict(f"Part of {order.number} has arrived; return it to the supplier first.", type="partly_received")
    if books.invoices(order.id):
        raise conflict(f"Order {order.number} was invoiced; dispute the invoice first.", type="invoiced")
    state.purchase_orders.patch(purchase_order_id, status="cancelled")
    return order_shown(state, purchase_order_id)


@service.tool(phrase="receive {quantity} of the order line {order_line_id} with the delivery note {delivery_note}")
def receive_goods(
    state: ProcurementState,
    ctx: CallContext,
    order_line_id: Annotated[str, f.ref("order_lines")],
    quantity: Quantity,
    delivery_note: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40)],
    remark: Annotated[str, f.Semantic("text"), Field(max_length=1000)] = "",
) -> Json:
    """Book goods that arrived today on a line of a purchase order, at most what is open on it.

    Errors: `not_found`, `order_cancelled`, `fully_received`, `over_delivery`, `duplicate_receipt` (this delivery note
    is booked on the line), `blank_text`.

    Args:
        order_line_id: Id of the order line.
        quantity: How many arrived in good order.
        delivery_note: Number of the delivery note.
        remark: Damage, missing parts and the like.
    """
    line, books = state.order_lines.get(order_line_id), Books(state)
    order = _open_order(state, line.purchase_order_id)
    note, still = check_text(delivery_note, "delivery note"), line.quantity - books.received(line.id)
    if any(row.delivery_note == note for row in books.receipts(line.id)):
        raise conflict(f"Delivery note {note} is booked on this line already.", type="duplicate_receipt")
    if quantity > still:
        raise invalid(f"Only {still} of {line.quantity} are open on this line; book no more.", type="over_delivery")
    state.goods_receipts.create(
        order_line_id=order_line_id,
        quantity=quantity,
        delivery_note=note,
        remark=remark.strip(),
        received_on=ctx.today,
    )
    return order_shown(state, order.id)
