"""Tools for what comes back, and the money that goes back for it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.orders.figures import Ledger
from services_app.library.orders.orders import OrderId
from services_app.library.orders.state import (
    Condition,
    OrdersState,
    Return,
    ReturnReason,
    ReturnStatus,
    service,
)
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    search,
    total,
    with_fields,
)

ReturnId = Annotated[str, f.ref("returns")]
RETURN_DAYS = 30
RESTOCKING_PERCENT = {"sealed": 0.0, "opened": 15.0, "damaged": 100.0}
OURS = ("damaged", "wrong_item", "defective", "late")  # reasons that are our fault: nothing is deducted


@service.tool(phrase="open a return of {quantity} from the order line {line_id}")
def create_return(
    state: OrdersState,
    ctx: CallContext,
    line_id: Annotated[str, f.ref("lines")],
    quantity: Annotated[int, f.count("units"), Field(ge=1, le=10_000)],
    reason: ReturnReason,
    comment: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
) -> Json:
    """Open a return of delivered units, up to 30 days after delivery.

    Errors: `not_found`, `not_delivered` (fewer units were delivered), `already_returning`, `window_closed`,
    `not_returnable` (subscriptions and services).

    Args:
        line_id: Id of the order line.
        quantity: How many units come back.
        reason: Why they come back.
        comment: What the customer says.
    """
    line, ledger = state.lines.get(line_id), Ledger(state)
    product = state.products.get(line.product_id)
    if product.on_hand is None:
        raise conflict(f"{product.name} is no goods; issue a refund instead.", type="not_returnable")
    if quantity > ledger.delivered[line_id]:
        raise conflict(f"{ledger.delivered[line_id]} units of this line were delivered.", type="not_delivered")
    if quantity > ledger.delivered[line_id] - ledger.returning[line_id]:
        raise conflict("A return of these units is open already; see list_returns.", type="already_returning")
    last = _last_delivery(state, line_id)
    if plus_days(last, RETURN_DAYS) < ctx.today:
        raise conflict(f"The last delivery was on {last}; returns end after {RETURN_DAYS} days.", type="window_closed")
    row = state.returns.create(
        rma_number=_next_number(state),
        line_id=line_id,
        quantity=quantity,
        reason=reason,
        comment=comment,
        status="requested",
        requested_on=ctx.today,
    )
    return _described(state, row)


def _next_number(state: OrdersState) -> str:
    return f"RMA-{max((int(row.rma_number[4:]) for row in state.returns), default=5000) + 1}"


def _last_delivery(state: OrdersState, line_id: str) -> str:
    shipments = (state.fulfillments.get(row.fulfillment_id) for row in state.parcels.find(line_id=line_id))
    return max(row.delivered_on or "" for row in shipments)


def credit_of(state: OrdersState, row: Return) -> float:
    """What a received return is worth: net of discount and restocking fee, with tax."""
    if row.status != "received":
        return 0.0
    line = state.lines.get(row.line_id)
    order = state.orders.get(line.order_id)
    kept = 0.0 if row.reason in OURS or row.condition is None else RESTOCKING_PERCENT[row.condition]
    net = row.quantity * line.unit_price * (1 - order.discount_percent / 100) * (1 - kept / 100)
    return round(net * (1 + order.tax_rate / 100), 2)


def _described(state: OrdersState, row: Return) -> Json:
    line = state.lines.get(row.line_id)
    order, product = state.orders.get(line.order_id), state.products.get(line.product_id)
    return with_fields(
        row,
        order_id=order.id,
        order_number=order.number,
        sku=product.sku,
        customer_name=state.customers.get(order.customer_id).name,
        credit=credit_of(state, row),
        refunded=total(refund.amount for refund in state.refunds.find(return_id=row.id)),
    )


@service.tool()
def list_returns(
    state: OrdersState,
    ctx: CallContext,
    query: Query | None = None,
    status: ReturnStatus | None = None,
    reason: ReturnReason | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List returns with the credit that each is worth, newest first.

    Args:
        query: Words in the RMA number, order number, customer name, product code or comment.
        status: Only returns in this status.
        reason: Only returns for this reason.
        limit: At most so many returns.
        cursor: next_cursor of the previous page.
    """
    rows = [_described(state, row) for row in keep(state.returns, status=status, reason=reason)]
    names = ("rma_number", "order_number", "customer_name", "sku", "comment")
    rows = search(rows, query, lambda row: tuple(row[name] for name in names))
    rows = newest_first(rows, "requested_on")
    return cursor_page("returns", rows, limit, cursor)


@service.tool(phrase="decide about the return {return_id}")
def review_return(
    state: OrdersState,
    ctx: CallContext,
    return_id: ReturnId,
    decision: Annotated[Literal["approve", "decline"], LABEL],
    explanation: Body | None = None,
) -> Json:
    """Approve or decline a requested return.

    Errors: `not_found`, `not_requested`, `explanation_required` (a decline needs one), `blank_text`.

    Args:
        return_id: Id of the return.
        decision: What is decided.
        explanation: Why it is declined; kept with the return.
    """
    row = state.returns.get(return_id)
    if row.status != "requested":
        raise conflict(f"Return {row.rma_number} is {row.status} already.", type="not_requested")
    if decision == "approve":
        return _described(state, state.returns.patch(return_id, status="approved"))
    if explanation is None:
        raise invalid("Say in explanation why the return is declined.", type="explanation_required")
    text = check_text(explanation, "explanation")
    return _described(state, state.returns.patch(return_id, status="declined", decline_reason=text))


@service.tool(phrase="receive the return {return_id} as {condition}")
def receive_return(state: OrdersState, ctx: CallContext, return_id: ReturnId, condition: Condition) -> Json:
    """Book an approved return as arrived; sealed units go back to stock, and the answer says what it is worth.

    Opened units the customer did not need lose 15 per cent, damaged ones everything; faults of ours lose nothing.
    Errors: `not_found`, `not_approved`.

    Args:
        return_id: Id of the return.
        condition: How the units look.
    """
    row = state.returns.get(return_id)
    if row.status != "approved":
        raise conflict(f"Return {row.rma_number} is {row.status}, not approved.", type="not_approved")
    product = state.products.get(state.lines.get(row.line_id).product_id)
    if condition == "sealed" and product.on_hand is not None:
        state.products.patch(product.id, on_hand=product.on_hand + row.quantity)
    return _described(state, state.returns.patch(return_id, status="received", condition=condition))


@service.tool(
    phrase="refund {amount} on the order {order_id}",
    examples=(Example({"order_id": "ORD-0017", "amount": 20.0, "reason": "Return RMA-5006", "return_id": "RET-0006"}),),
)
def issue_refund(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId,
    amount: Amount,
    reason: Body,
    return_id: ReturnId | None = None,
) -> Json:
    """Refund part of an order, for a received return or as goodwill.

    Refunds without a return are limited to 10 per cent of the order total; all refunds together to the total.
    Errors: `not_found`, `not_placed`, `over_refund`, `goodwill_limit`, `not_received`, `wrong_order`, `blank_text`.

    Args:
        order_id: Id of the order.
        amount: Amount to pay back.
        reason: Why, as the customer reads it.
        return_id: The return it is for.
    """
    order, ledger = state.orders.get(order_id), Ledger(state)
    if order.placed_at is None:
        raise conflict(f"Order {order.number} was never placed.", type="not_placed")
    amounts = ledger.amounts(order)
    left = total((amounts["total"], -amounts["refunded"]))
    if amount > left:
        raise invalid(f"{left:.2f} of {order.number} can still be refunded; send no more.", type="over_refund")
    if return_id is None:
        given_before = total(row.amount for row in state.refunds.find(order_id=order_id, return_id=None))
        if total((given_before, amount)) > round(amounts["total"] * 0.1, 2):
            raise conflict("Goodwill is limited to 10 % of the order; open a return.", type="goodwill_limit")
    else:
        _covered(state, return_id, order_id, amount)
    refund = state.refunds.create(
        order_id=order_id,
        return_id=return_id,
        amount=amount,
        reason=check_text(reason, "reason"),
        issued_on=ctx.today,
    )
    return {"refund": refund, "order": ledger.described(order)}


def _covered(state: OrdersState, return_id: str, order_id: str, amount: float) -> None:
    row = state.returns.get(return_id)
    if state.lines.get(row.line_id).order_id != order_id:
        raise invalid(f"Return {row.rma_number} belongs to another order.", type="wrong_order")
    if row.status != "received":
        raise conflict(f"Return {row.rma_number} is {row.status}; refund it once received.", type="not_received")
    paid = total(refund.amount for refund in state.refunds.find(return_id=return_id))
    left = total((credit_of(state, row), -paid))
    if amount > left:
        raise invalid(f"Return {row.rma_number} is worth {left:.2f} more; send no more.", type="over_refund")
