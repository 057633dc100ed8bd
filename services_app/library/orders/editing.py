"""Tools that write orders before they ship: create, lines, terms, discounts and approvals."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.orders.catalogue import CustomerId
from services_app.library.orders.figures import Ledger, by_sku, changed, described, editable
from services_app.library.orders.orders import OrderId
from services_app.library.orders.state import Channel, OrdersState, service
from services_app.library.shared import Body, Json, check_date, check_text, keep, same, some_changes

LineId = Annotated[str, f.ref("lines")]
Quantity = Annotated[int, f.count("units"), Field(ge=1, le=10_000)]
Address = Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=300)]
Tag = Annotated[str, Field(min_length=1, max_length=40)]
FREE_SHIPPING_FROM = 500.0
SHIPPING_FEE = 25.0
TAX_RATE = 20.0


class NewLine(BaseModel):
    """One line of a new order."""

    model_config = ConfigDict(extra="forbid")

    sku: str = Field(min_length=1, max_length=40, description="Product code.")
    quantity: int = Field(ge=1, le=10_000, description="How many units.")


@service.tool(
    phrase="draft an order for {customer_id}",
    examples=(Example({"customer_id": "CUS-0001", "lines": [{"sku": "LF-1100", "quantity": 3}]}),),
)
def create_order(
    state: OrdersState,
    ctx: CallContext,
    customer_id: CustomerId,
    lines: Annotated[list[NewLine], Field(min_length=1, max_length=50)],
    po_number: f.Code = "",
    shipping_address: Address | None = None,
    requested_date: f.Date | None = None,
    channel: Channel = "email",
) -> Json:
    """Create a draft order at list prices; place_order makes it binding.

    Shipping costs 25.00 below a subtotal of 500.00 and nothing from there on.
    Errors: `not_found`, `credit_hold`, `unknown_sku`, `discontinued`, `duplicate_line` (one line for each product),
    `invalid_date`, `in_the_past`.

    Args:
        customer_id: Id of the customer.
        lines: Products and quantities.
        po_number: The customer's purchase order number.
        shipping_address: Where it goes; the customer's own address, if left out.
        requested_date: Day on which the customer wants it.
        channel: How the order came in.
    """
    customer = state.customers.get(customer_id)
    if customer.credit_hold:
        raise conflict(f"{customer.name} is on credit hold; ask finance to lift it.", type="credit_hold")
    products = [by_sku(state, line.sku) for line in lines]
    if len({product.id for product in products}) < len(products):
        raise invalid("A product occurs on two lines; send one line with the sum.", type="duplicate_line")
    subtotal = sum(product.unit_price * line.quantity for product, line in zip(products, lines, strict=True))
    order = state.orders.create(
        number=_next_number(state),
        customer_id=customer_id,
        status="draft",
        channel=channel,
        po_number=po_number.strip(),
        shipping_address=shipping_address or customer.shipping_address,
        requested_date=_future(ctx, requested_date) if requested_date else None,
        shipping_fee=0.0 if subtotal >= FREE_SHIPPING_FROM else SHIPPING_FEE,
        tax_rate=TAX_RATE,
        created_at=ctx.now,
    )
    for product, line in zip(products, lines, strict=True):
        state.lines.create(
            order_id=order.id, product_id=product.id, quantity=line.quantity, unit_price=product.unit_price
        )
    return described(state, order)


def _next_number(state: OrdersState) -> str:
    return f"SO-{max((int(row.number[3:]) for row in state.orders), default=10_000) + 1}"


def _future(ctx: CallContext, day: str) -> str:
    if check_date(day) < ctx.today:
        raise invalid(f"{day} is past; today is {ctx.today}.", type="in_the_past")
    return day


@service.tool(phrase="add {quantity} of {sku} to the order {order_id}")
def add_line_item(state: OrdersState, ctx: CallContext, order_id: OrderId, sku: f.Code, quantity: Quantity) -> Json:
    """Add a product to an order that has not shipped; an approval given before no longer counts.

    Errors: `not_found`, `not_editable`, `unknown_sku`, `discontinued`, `duplicate_line` (use set_line_quantity).

    Args:
        order_id: Id of the order.
        sku: Product code.
        quantity: How many units.
    """
    order, product = editable(state, order_id), by_sku(state, sku)
    if state.lines.first(order_id=order_id, product_id=product.id):
        raise conflict(f"{product.sku} is on the order already; use set_line_quantity.", type="duplicate_line")
    state.lines.create(order_id=order_id, product_id=product.id, quantity=quantity, unit_price=product.unit_price)
    return described(state, changed(state, order))


@service.tool(
    phrase="change the quantity of the order line {line_id} to {quantity}",
    examples=(Example({"line_id": "OLN-0107", "quantity": 12}),),
)
def set_line_quantity(
    state: OrdersState,
    ctx: CallContext,
    line_id: LineId,
    quantity: Annotated[int, f.count("units"), Field(ge=0, le=10_000)],
) -> Json:
    """Set how many units of a line are ordered, 0 to take it off; an approval given before no longer counts.

    Errors: `not_found`, `not_editable`, `no_change`, `last_line` (a placed order keeps one; use cancel_order).

    Args:
        line_id: Id of the line.
        quantity: New number of units; 0 removes the line.
    """
    line = state.lines.get(line_id)
    order = editable(state, line.order_id)
    if line.quantity == quantity:
        raise conflict(f"The line has {quantity} units already.", type="no_change")
    if quantity:
        state.lines.patch(line_id, quantity=quantity)
    elif order.status != "draft" and state.lines.count(order_id=order.id) == 1:
        raise conflict("This is the only line of the order; use cancel_order.", type="last_line")
    else:
        state.lines.delete(line_id)
    return described(state, changed(state, order))


@service.tool(phrase="update the order {order_id}")
def update_order(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId,
    po_number: f.Code | Unset = UNSET,
    shipping_address: Address | Unset = UNSET,
    requested_date: f.Date | Unset | None = UNSET,
    tags: Annotated[list[Tag], f.Semantic("label"), Field(max_length=10)] | Unset = UNSET,
) -> Json:
    """Change the PO number, address, requested date or tags of an order that has not shipped.

    Errors: `not_found`, `not_editable`, `nothing_to_change`, `duplicate_po`, `invalid_date`, `in_the_past`.

    Args:
        order_id: Id of the order.
        po_number: New purchase order number.
        shipping_address: New address.
        requested_date: New date; null takes it away.
        tags: All tags that it has from now on.
    """
    order = editable(state, order_id)
    changes = some_changes(
        given(po_number=po_number, shipping_address=shipping_address, requested_date=requested_date, tags=tags)
    )
    if changes.get("requested_date"):
        _future(ctx, changes["requested_date"])
    wanted = changes.get("po_number", "")
    for row in keep(state.orders, customer_id=order.customer_id):
        if wanted and row.id != order_id and row.status in ("open", "on_hold") and same(row.po_number, wanted):
            raise conflict(f"{wanted} is on order {row.number} already.", type="duplicate_po")
    return described(state, state.orders.patch(order_id, **changes))


@service.tool(phrase="give {percent} per cent discount on the order {order_id}")
def apply_discount(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId,
    percent: Annotated[float, f.Semantic("percent"), Field(ge=0, le=60)],
) -> Json:
    """Set the discount of a draft order; above 10 per cent place_order wants an approval.

    Errors: `not_found`, `not_draft`.

    Args:
        order_id: Id of the draft.
        percent: Per cent off the subtotal; 0 takes the discount away.
    """
    order = state.orders.get(order_id)
    if order.status != "draft":
        raise conflict(f"Order {order.number} is {order.status}; only drafts get a discount.", type="not_draft")
    return described(state, state.orders.patch(order_id, discount_percent=percent, approver_id=None))


@service.tool(phrase="record that {approver_id} approved the order {order_id}")
def record_approval(
    state: OrdersState,
    ctx: CallContext,
    order_id: OrderId,
    approver_id: Annotated[str, f.ref("approvers")],
    comment: Body,
) -> Json:
    """Enter the approval of a draft with a large total or discount; the comment is kept as a note.

    Errors: `not_found`, `not_draft`, `no_approval_needed`, `over_approver_limit`, `blank_text`.

    Args:
        order_id: Id of the draft.
        approver_id: Id of who approved it; see list_approvers.
        comment: What was approved, and why.
    """
    order = state.orders.get(order_id)
    if order.status != "draft":
        raise conflict(f"Order {order.number} is {order.status}, not a draft.", type="not_draft")
    ledger = Ledger(state)
    if not ledger.needs_approval(order):
        raise conflict(f"Order {order.number} needs no approval.", type="no_approval_needed")
    approver = state.approvers.get(approver_id)
    if order.discount_percent > approver.discount_limit or ledger.amounts(order)["total"] > approver.amount_limit:
        raise forbidden(
            f"{approver.name} may approve up to {approver.amount_limit:,.2f} and {approver.discount_limit:g} % off.",
            type="over_approver_limit",
        )
    state.notes.create(
        order_id=order_id, author_email=approver.email, text=check_text(comment, "comment"), written_at=ctx.now
    )
    return described(state, state.orders.patch(order_id, approver_id=approver.id))
