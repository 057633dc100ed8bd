"""Tools for customers and the ways they pay."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.payments.ledger import described, refunded, usable
from services_app.library.payments.state import Currency, Method, MethodKind, PaymentsState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    total,
    with_fields,
)

CustomerId = Annotated[str, f.ref("customers")]
MethodId = Annotated[str, f.ref("methods")]


@service.tool()
def list_customers(
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    currency: Currency | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List customers by name, with what each has paid so far.

    Args:
        query: Words in the name, contact or email.
        email: The exact email.
        currency: Only customers who pay in this currency.
        limit: At most so many customers.
        cursor: next_cursor of the previous page.
    """
    found = search(state.customers, query, lambda row: (row.name, row.contact_name, row.email))
    found = keep(found, email=email, currency=currency)
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("customers", found, limit, cursor)
    page["customers"] = [with_fields(row, total_paid=_paid(state, row.id)) for row in page["customers"]]
    return page


def _paid(state: PaymentsState, customer_id: str) -> float:
    rows = state.charges.find(customer_id=customer_id)
    return total(value for row in rows for value in (row.captured_amount, -refunded(state, row.id)))


@service.tool()
def get_customer(state: PaymentsState, ctx: CallContext, customer_id: CustomerId) -> Json:
    """Show a customer with payment methods, the latest charges and what was paid in all.

    Errors: `not_found`.

    Args:
        customer_id: Id of the customer.
    """
    customer = state.customers.get(customer_id)
    charges = sorted(state.charges.find(customer_id=customer_id), key=lambda row: (row.created_at, row.id))
    return with_fields(
        customer,
        payment_methods=state.methods.find(customer_id=customer_id),
        latest_charges=[described(state, row) for row in reversed(charges[-10:])],
        total_paid=_paid(state, customer_id),
    )


@service.tool(phrase="add {name} as a paying customer with the email {email}")
def create_customer(
    state: PaymentsState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=200)],
    email: f.Email,
    contact_name: f.Person = "",
    currency: Currency = "EUR",
) -> Json:
    """Add a customer; attach_payment_method comes next.

    Errors: `duplicate_customer` (the email is taken), `blank_text`.

    Args:
        name: Name of the company.
        email: Where receipts go.
        contact_name: Who pays there.
        currency: Currency of its charges.
    """
    if any(same(row.email, email) for row in state.customers):
        raise conflict(f"A customer has the email {email} already.", type="duplicate_customer")
    customer = state.customers.create(
        name=check_text(name, "name"), email=email, contact_name=contact_name, currency=currency, created_at=ctx.now
    )
    return get_customer(state, ctx, customer.id)


@service.tool(phrase="attach the {kind} ending in {last4} to {customer_id}")
def attach_payment_method(
    state: PaymentsState,
    ctx: CallContext,
    customer_id: CustomerId,
    kind: MethodKind,
    brand: Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40)],
    last4: Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4}$")],
    expires: Annotated[str, f.Semantic("code"), Field(pattern=r"^(\d{4}-(0[1-9]|1[0-2]))?$")] = "",
) -> Json:
    """Attach a card or bank account to a customer; the first one becomes the default.

    Errors: `not_found`, `expiry_needed` (cards), `expired_card`, `duplicate_method`, `currency_not_supported` (direct
    debits are in EUR).

    Args:
        customer_id: Id of the customer.
        kind: Card, direct debit or transfer.
        brand: Brand of the card, or the bank.
        last4: Last four digits of the number.
        expires: Last month of a card, YYYY-MM.
    """
    customer = state.customers.get(customer_id)
    if kind == "card" and not expires:
        raise invalid("A card needs its last month in expires, such as 2028-04.", type="expiry_needed")
    if kind == "sepa_debit" and customer.currency != "EUR":
        raise conflict(f"{customer.name} pays in {customer.currency}; use a card.", type="currency_not_supported")
    if any(row.last4 == last4 and row.kind == kind for row in state.methods.find(customer_id=customer_id)):
        raise conflict(f"{customer.name} has this {kind} already.", type="duplicate_method")
    method = state.methods.create(
        customer_id=customer_id, kind=kind, brand=brand, last4=last4, expires=expires if kind == "card" else ""
    )
    usable(customer, method, ctx.today)
    if customer.default_method_id is None:
        state.customers.patch(customer_id, default_method_id=method.id)
    return get_customer(state, ctx, customer_id)


@service.tool(phrase="detach the payment method {method_id}")
def detach_payment_method(state: PaymentsState, ctx: CallContext, method_id: MethodId) -> Json:
    """Remove a way to pay that no charge has used; the default has to be another one first.

    Errors: `not_found`, `is_default`, `in_use`.

    Args:
        method_id: Id of the payment method.
    """
    method = state.methods.get(method_id)
    customer = state.customers.get(method.customer_id)
    if customer.default_method_id == method_id:
        raise conflict("It is the default; use set_default_payment_method first.", type="is_default")
    if state.charges.first(method_id=method_id):
        raise conflict("Charges were made with it; it has to stay for refunds.", type="in_use")
    state.methods.delete(method_id)
    return get_customer(state, ctx, customer.id)


@service.tool(phrase="make {method_id} the default payment method of its customer")
def set_default_payment_method(state: PaymentsState, ctx: CallContext, method_id: MethodId) -> Json:
    """Make a payment method the one that charges use unless another is named.

    Errors: `not_found`, `no_change`, `expired_card`, `card_declined`.

    Args:
        method_id: Id of the payment method.
    """
    method: Method = state.methods.get(method_id)
    customer = state.customers.get(method.customer_id)
    if customer.default_method_id == method_id:
        raise conflict("It is the default already.", type="no_change")
    usable(customer, method, ctx.today)
    state.customers.patch(customer.id, default_method_id=method_id)
    return get_customer(state, ctx, customer.id)
