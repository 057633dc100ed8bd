"""Tools for orders from draft to placement, their holds, tags and notes."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.orders.catalogue import CustomerId
from services_app.library.orders.figures import Ledger, described, need_approval
from services_app.library.orders.state import (
    CancelReason,
    FulfillmentStatus,
    HoldReason,
    Note,
    Order,
    OrdersState,
    OrderStatus,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_range,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    total,
    with_fields,
    within,
)

OrderId = Annotated[str, f.ref("orders")]
Sort = Annotated[Literal["newest", "oldest", "highest_total", "requested_date"], LABEL]
PO_FROM = 1000.0


@service.tool()
def search_orders(  # noqa: PLR0913, PLR0917 - one per filter
    state: OrdersState,
    ctx: CallContext,
    query: Query | None = None,
    customer_id: CustomerId | None = None,
    status: OrderStatus | None = None,
    fulfillment_status: FulfillmentStatus | None = None,
    tag: f.Label | None = None,
    placed_from: f.Date | None = None,
    placed_to: f.Date | None = None,
    sort: Sort = "newest",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find orders by number, purchase order, customer, product code or address, with their totals.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the order number, PO number, customer name, product codes or shipping address.
        customer_id: Only orders of this customer.
        status: Only orders in this status.
        fulfillment_status: Only orders that have shipped so far.
        tag: Only orders with this tag.
        placed_from: Only orders placed on this day or later.
        placed_to: Only orders placed on this day or earlier.
        sort: Order of the list.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    check_range(placed_from, placed_to)
    ledger = Ledger(state)
    found = search(state.orders, query, lambda row: _words(ledger, row)) if query else list(state.orders)
    found = within(keep(found, customer_id=customer_id, status=status), "placed_at", placed_from, placed_to)
    rows = [ledger.described(row) for row in found if tag is None or tag in row.tags]
    rows = [row for row in rows if fulfillment_status in (None, row["fulfillment_status"])]
    rows.sort(key=lambda row: (row["created_at"], row["id"]), reverse=sort != "oldest")
    if sort == "highest_total":
        rows.sort(key=lambda row: -row["total"])
    if sort == "requested_date":
        rows.sort(key=lambda row: row["requested_date"] or "9999")
    return {**cursor_page("orders", rows, limit, cursor), "total_amount": total(row["total"] for row in rows)}


def _words(ledger: Ledger, order: Order) -> tuple[str, ...]:
    skus = [
        ledger.products[ledger.state.lines.get(line_id).product_id].sku for line_id in ledger.lines.get(order.id, ())
    ]
    return (order.number, order.po_number, ledger.customers[order.customer_id].name, order.shipping_address, *skus)


@service.tool()
def get_order(state: OrdersState, ctx: CallContext, order_id: OrderId) -> Json:
    """Show an order with lines, amounts, fulfillments, returns, refunds and whether it needs an approval.

    Errors: `not_found`.

    Args:
        order_id: Id of the order.
    """
    order, ledger = state.orders.get(order_id), Ledger(state)
    ids = set(ledger.lines.get(order_id, ()))
    return {
        **ledger.described(order),
        "needs_approval": ledger.needs_approval(order),
        "customer": brief(ledger.customers[order.customer_id], "id", "name", "contact_name", "email", "tier"),
        "lines": ledger.described_lines(order),
        "fulfillments": state.fulfillments.find(order_id=order_id),
        "returns": [row for row in state.returns if row.line_id in ids],
        "refunds": state.refunds.find(order_id=order_id),
        "notes": state.notes.count(order_id=order_id),
    }


@service.tool(phrase="place the draft order {order_id}")
def place_order(state: OrdersState, ctx: CallContext, order_id: OrderId) -> Json:
    """Place a draft order, so that its units are reserved.

    Errors: `not_found`, `not_draft`, `no_lines`, `credit_hold`, `po_required` (orders of 1,000.00 and more need the
    customer's PO number), `duplicate_po` (another placed order of the customer has it), `approval_needed`.

    Args:
        order_id: Id of the draft.
    """
    order = state.orders.get(order_id)
    if order.status != "draft":
        raise conflict(f"Order {order.number} is {order.status}, not a draft.", type="not_draft")
    customer = state.customers.get(order.customer_id)
    if not state.lines.count(order_id=order_id):
        raise conflict(f"Order {order.number} has no lines; use add_line_item first.", type="no_lines")
    if customer.credit_hold:
        raise conflict(f"{customer.name} is on credit hold; ask finance to lift it.", type="credit_hold")
    if not order.po_number and Ledger(state).amounts(order)["total"] >= PO_FROM:
        raise conflict(f"Order {order.number} needs the customer's PO number; use update_order.", type="po_required")
    _unused_po(state, order)
    need_approval(state, order)
    return described(state, state.orders.patch(order_id, status="open", placed_at=ctx.now))


def _unused_po(state: OrdersState, order: Order) -> None:
    for row in keep(state.orders, customer_id=order.customer_id, po_number=order.po_number):
        if row.id != order.id and order.po_number and row.status in ("open", "on_hold"):
            raise conflict(f"{order.po_number} is on order {row.number} already.", type="duplicate_po")


@service.tool(phrase="put the order {order_id} on hold")
def hold_order(
    state: OrdersState, ctx: CallContext, order_id: OrderId, reason: HoldReason, note: Body | None = None
) -> Json:
    """Put an open order on hold; nothing more ships until release_hold.

    Errors: `not_found`, `not_open`, `nothing_to_ship`, `blank_text`.

    Args:
        order_id: Id of the order.
        reason: Why it waits.
        note: Kept as a note on the order.
    """
    order = _open(state, order_id)
    if Ledger(state).fulfillment_status(order) == "fulfilled":
        raise conflict(f"Order {order.number} has shipped in full; there is nothing to hold.", type="nothing_to_ship")
    if note is not None:
        _note(state, ctx, order_id, note)
    return described(state, state.orders.patch(order_id, status="on_hold", hold_reason=reason))


@service.tool(phrase="release the order {order_id} from its hold")
def release_hold(state: OrdersState, ctx: CallContext, order_id: OrderId, note: Body | None = None) -> Json:
    """Release an order from its hold, so that it can ship.

    Errors: `not_found`, `not_on_hold`, `credit_hold` (the customer is stopped by finance), `blank_text`.

    Args:
        order_id: Id of the order.
        note: Kept as a note on the order.
    """
    order = state.orders.get(order_id)
    if order.status != "on_hold":
        raise conflict(f"Order {order.number} is {order.status}, not on hold.", type="not_on_hold")
    if state.customers.get(order.customer_id).credit_hold:
        raise conflict("The customer is on credit hold; ask finance to lift it first.", type="credit_hold")
    if note is not None:
        _note(state, ctx, order_id, note)
    return described(state, state.orders.patch(order_id, status="open", hold_reason=None))


@service.tool(phrase="cancel the order {order_id}")
def cancel_order(
    state: OrdersState, ctx: CallContext, order_id: OrderId, reason: CancelReason, note: Body | None = None
) -> Json:
    """Cancel an order of which nothing has shipped; its units are free again.

    Errors: `not_found`, `already_cancelled`, `already_shipped` (use create_return), `note_required` (the reason
    other needs a note), `blank_text`.

    Args:
        order_id: Id of the order.
        reason: Why it is cancelled.
        note: Kept as a note on the order.
    """
    order = state.orders.get(order_id)
    if order.status == "cancelled":
        raise conflict(f"Order {order.number} is cancelled already.", type="already_cancelled")
    if Ledger(state).fulfillment_status(order) != "unfulfilled":
        raise conflict(f"Part of {order.number} has shipped; use create_return.", type="already_shipped")
    if reason == "other" and note is None:
        raise conflict("Say in a note why the order is cancelled.", type="note_required")
    if note is not None:
        _note(state, ctx, order_id, note)
    return described(state, state.orders.patch(order_id, status="cancelled", cancel_reason=reason, hold_reason=None))


def _open(state: OrdersState, order_id: str) -> Order:
    order = state.orders.get(order_id)
    if order.status != "open":
        raise conflict(f"Order {order.number} is {order.status}, not open.", type="not_open")
    return order


def _note(state: OrdersState, ctx: CallContext, order_id: str, text: str) -> Note:
    return state.notes.create(
        order_id=order_id, author_email=ME.email, text=check_text(text, "note"), written_at=ctx.now
    )


@service.tool(phrase="add a note to the order {order_id}")
def add_order_note(state: OrdersState, ctx: CallContext, order_id: OrderId, text: Body) -> Note:
    """Add an internal note to an order; the customer does not see it.

    Errors: `not_found`, `blank_text`.

    Args:
        order_id: Id of the order.
        text: The note.
    """
    state.orders.get(order_id)
    return _note(state, ctx, order_id, text)


@service.tool()
def list_order_notes(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId | None = None,
    query: Query | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List notes, newest first, of one order or of all.

    Args:
        order_id: Only notes on this order.
        query: Words in the text or the author's address.
        limit: At most so many notes.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.notes, query, lambda row: (row.text, row.author_email)), order_id=order_id)
    found = newest_first(found, "written_at")
    numbers = {row.id: row.number for row in state.orders}
    page = cursor_page("notes", found, limit, cursor)
    page["notes"] = [with_fields(row, order_number=numbers[row.order_id]) for row in page["notes"]]
    return page
