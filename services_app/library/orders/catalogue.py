"""Tools to look up customers, products, approvers and policies."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.orders.figures import Ledger, by_sku, stock
from services_app.library.orders.state import OrdersState, Policy, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    search,
    with_fields,
)

CustomerId = Annotated[str, f.ref("customers")]


@service.tool()
def search_customers(
    state: OrdersState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    credit_hold: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find customers by company, contact or address, with how many of their orders are open.

    Args:
        query: Words in the company name, contact name, email or shipping address.
        email: The exact email of the contact.
        credit_hold: Only customers whom finance has stopped, or only the others.
        limit: At most so many customers.
        cursor: next_cursor of the previous page.
    """
    found = search(state.customers, query, lambda row: (row.name, row.contact_name, row.email, row.shipping_address))
    found = keep(found, email=email, credit_hold=credit_hold)
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("customers", found, limit, cursor)
    live = [row.customer_id for row in state.orders if row.status in ("open", "on_hold")]
    page["customers"] = [with_fields(row, open_orders=live.count(row.id)) for row in page["customers"]]
    return page


@service.tool()
def list_products(
    state: OrdersState,
    ctx: CallContext,
    query: Query | None = None,
    kind: f.Label | None = None,
    available_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what can be ordered, with price and units on hand, reserved and available.

    Args:
        query: Words in the name or product code.
        kind: Only this kind: hardware, subscription or service.
        available_only: true leaves out what is discontinued or has no unit available.
        limit: At most so many products.
        cursor: next_cursor of the previous page.
    """
    ledger = Ledger(state)
    found = keep(search(state.products, query, lambda row: (row.sku, row.name)), kind=kind)
    rows = [with_fields(row, **stock(state, row, ledger)) for row in found]
    if available_only:
        rows = [row for row in rows if not row["discontinued"] and (row["available"] is None or row["available"] > 0)]
    return cursor_page("products", rows, limit, cursor)


@service.tool()
def check_availability(
    state: OrdersState, ctx: CallContext, sku: f.Code, quantity: Annotated[int, f.count("units")] = 1
) -> Json:
    """Say whether so many units of a product can be promised now, and who is waiting for it.

    Errors: `unknown_sku`, `discontinued`.

    Args:
        sku: Product code.
        quantity: How many units are wanted.
    """
    product, ledger = by_sku(state, sku), Ledger(state)
    found = stock(state, product, ledger)
    live = {row.id: row.number for row in state.orders if row.status in ("open", "on_hold")}
    waiting = [
        {"order_number": live[row.order_id], "quantity": ledger.open_quantity(row.id)}
        for row in state.lines.find(product_id=product.id)
        if row.order_id in live and ledger.open_quantity(row.id)
    ]
    free = found["available"]
    return {
        **brief(product, "sku", "name"),
        **found,
        "can_promise": free is None or free >= quantity,
        "short_by": 0 if free is None else max(0, quantity - free),
        "waiting_orders": waiting[:20],
    }


@service.tool()
def list_approvers(
    state: OrdersState,
    ctx: CallContext,
    discount_percent: f.Percent | None = None,
    amount: f.Money | None = None,
) -> Json:
    """List who may approve large orders and discounts, the lowest limits first.

    Args:
        discount_percent: Only people who may approve this discount.
        amount: Only people who may approve an order of this total.
    """
    found = [
        row
        for row in state.approvers
        if (discount_percent is None or row.discount_limit >= discount_percent)
        and (amount is None or row.amount_limit >= amount)
    ]
    found.sort(key=lambda row: (row.amount_limit, row.discount_limit, row.id))
    return {"approvers": found, "total": len(found)}


@service.tool()
def search_policies(state: OrdersState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read the order policies whose title or text holds the words: approvals, holds, returns, goodwill.

    Args:
        query: Words that must all occur.
    """
    found: list[Policy] = search(state.policies, query, lambda row: (row.title, row.body))
    return {"policies": found, "total": len(found)}
