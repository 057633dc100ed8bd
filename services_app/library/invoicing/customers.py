"""Tools for customers, the price list and the billing policies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.invoicing.figures import Books, days_overdue, figures, outstanding
from services_app.library.invoicing.state import Currency, Customer, InvoicingState, Item, Policy, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

CustomerId = Annotated[str, f.ref("customers")]
Terms = Annotated[int, f.duration("days"), Field(ge=0, le=120)]
CreditLimit = Annotated[float, f.Semantic("money"), Field(ge=0, le=100_000_000)]


@service.tool()
def search_customers(
    state: InvoicingState,
    ctx: CallContext,
    query: Query | None = None,
    billing_email: f.Email | None = None,
    blocked: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find customers by name, contact or billing address, with what each owes.

    Args:
        query: Words in the name, contact name, address or billing email.
        billing_email: The exact billing email.
        blocked: Only blocked customers, or only those that are not.
        limit: At most so many customers.
        cursor: next_cursor of the previous page.
    """
    found = search(state.customers, query, lambda row: (row.name, row.contact_name, row.address, row.billing_email))
    found = keep(found, billing_email=billing_email, blocked=blocked)
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("customers", found, limit, cursor)
    books = Books(state)
    page["customers"] = [with_fields(row, outstanding=outstanding(state, row.id, books)) for row in page["customers"]]
    return page


@service.tool()
def get_customer(state: InvoicingState, ctx: CallContext, customer_id: CustomerId) -> Json:
    """Show a customer with what is outstanding, overdue, and left of the credit limit.

    Errors: `not_found`.

    Args:
        customer_id: Id of the customer.
    """
    customer = state.customers.get(customer_id)
    owed = outstanding(state, customer_id)
    rows = [(invoice, figures(state, invoice)) for invoice in state.invoices.find(customer_id=customer_id)]
    late = [amounts.balance for invoice, amounts in rows if days_overdue(ctx, invoice, amounts)]
    return with_fields(
        customer,
        invoices=len(rows),
        outstanding=owed,
        overdue=total(late),
        overdue_invoices=len(late),
        available_credit=total((customer.credit_limit, -owed)),
    )


@service.tool(phrase="add {name} as a customer billed at {billing_email}")
def create_customer(
    state: InvoicingState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("organisation"), Field(min_length=1, max_length=200)],
    billing_email: f.Email,
    contact_name: f.Person,
    address: f.Place,
    currency: Currency = "EUR",
    payment_terms: Terms = 30,
) -> Customer:
    """Add a customer with a credit limit of 5,000.00; names and billing emails are unique.

    Errors: `duplicate_customer`, `blank_text`.

    Args:
        name: Name of the company.
        billing_email: Where invoices go.
        contact_name: Who looks after invoices there.
        address: Postal address.
        currency: Currency of its invoices.
        payment_terms: Days from issue to due date.
    """
    clean = check_text(name, "name")
    for customer in state.customers:
        if same(customer.name, clean) or same(customer.billing_email, billing_email):
            raise conflict(f"Customer {customer.id} has this name or billing email.", type="duplicate_customer")
    return state.customers.create(
        name=clean,
        contact_name=contact_name,
        billing_email=billing_email,
        address=address,
        currency=currency,
        payment_terms=payment_terms,
        credit_limit=5000.0,
    )


@service.tool(phrase="update the customer {customer_id}")
def update_customer(
    state: InvoicingState,
    ctx: CallContext,
    customer_id: CustomerId,
    billing_email: f.Email | Unset = UNSET,
    contact_name: f.Person | Unset = UNSET,
    address: f.Place | Unset = UNSET,
    payment_terms: Terms | Unset = UNSET,
    blocked: bool | Unset = UNSET,
) -> Customer:
    """Change a customer; what is not sent stays as it is. New terms count for invoices issued from now on.

    Errors: `not_found`, `nothing_to_change`, `duplicate_customer`.

    Args:
        customer_id: Id of the customer.
        billing_email: New billing email.
        contact_name: New contact.
        address: New postal address.
        payment_terms: New number of days from issue to due date.
        blocked: true stops invoices from being issued.
    """
    state.customers.get(customer_id)
    changes = some_changes(
        given(
            billing_email=billing_email,
            contact_name=contact_name,
            address=address,
            payment_terms=payment_terms,
            blocked=blocked,
        )
    )
    wanted = changes.get("billing_email", "")
    if any(same(row.billing_email, wanted) and row.id != customer_id for row in state.customers):
        raise conflict(f"Another customer has the billing email {wanted}.", type="duplicate_customer")
    return state.customers.patch(customer_id, **changes)


@service.tool(phrase="set the credit limit of {customer_id} to {credit_limit}")
def set_credit_limit(
    state: InvoicingState, ctx: CallContext, customer_id: CustomerId, credit_limit: CreditLimit
) -> Json:
    """Set how much a customer may owe; it cannot be below what is outstanding.

    Errors: `not_found`, `below_outstanding`.

    Args:
        customer_id: Id of the customer.
        credit_limit: New limit.
    """
    state.customers.get(customer_id)
    owed = outstanding(state, customer_id)
    if credit_limit < owed:
        raise conflict(f"{owed:.2f} is outstanding; the limit cannot be {credit_limit:.2f}.", type="below_outstanding")
    customer = state.customers.patch(customer_id, credit_limit=credit_limit)
    return with_fields(customer, outstanding=owed, available_credit=total((credit_limit, -owed)))


@service.tool()
def customer_statement(state: InvoicingState, ctx: CallContext, customer_id: CustomerId) -> Json:
    """List the open invoices of a customer, oldest first, with their balances and the sum.

    Errors: `not_found`.

    Args:
        customer_id: Id of the customer.
    """
    customer = state.customers.get(customer_id)
    books = Books(state)
    rows = [books.described(ctx, row) for row in state.invoices.find(customer_id=customer_id, status="issued")]
    rows = sorted((row for row in rows if row["balance"] > 0), key=lambda row: (row["due_date"], row["id"]))
    return {
        "customer": brief(customer, "id", "name", "billing_email", "currency", "credit_limit"),
        "invoices": rows,
        "total_balance": total(row["balance"] for row in rows),
        "as_of": ctx.today,
    }


@service.tool()
def list_price_list(state: InvoicingState, ctx: CallContext, query: Query | None = None) -> Json:
    """List what we sell, with price and tax rate.

    Args:
        query: Words in the name or item code.
    """
    found: list[Item] = search(state.items, query, lambda row: (row.sku, row.name))
    return {"items": found, "total": len(found)}


@service.tool()
def search_policies(state: InvoicingState, ctx: CallContext, query: Query | None = None) -> Json:
    """Find billing policies by words in their title or text; get_policy has the full text.

    Args:
        query: Words that must all occur.
    """
    found = search(state.policies, query, lambda row: (row.title, row.body))
    return {"policies": [brief(row, "id", "title", "updated_at") for row in found], "total": len(found)}


@service.tool()
def get_policy(state: InvoicingState, ctx: CallContext, policy_id: Annotated[str, f.ref("policies")]) -> Policy:
    """Read a billing policy.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    return state.policies.get(policy_id)
