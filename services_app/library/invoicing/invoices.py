"""Tools for invoices and their lines, from draft to issue."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.invoicing.customers import CustomerId
from services_app.library.invoicing.figures import (
    Books,
    described,
    draft_invoice,
    figures,
    line_net,
    line_tax,
    outstanding,
)
from services_app.library.invoicing.state import Invoice, InvoicingState, PaymentStatus, Remark, service
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_range,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

InvoiceId = Annotated[str, f.ref("invoices")]
Quantity = Annotated[int, f.count("units"), Field(ge=1, le=100_000)]
TaxRate = Annotated[float, f.Semantic("percent"), Field(ge=0, le=30)]
STANDARD_TAX = 20.0


class NewLine(BaseModel):
    """One line of a new invoice."""

    model_config = ConfigDict(extra="forbid")

    description: str = Field(min_length=1, max_length=200, description="What is charged.")
    quantity: int = Field(ge=1, le=100_000, description="How many.")
    unit_price: float = Field(gt=0, le=10_000_000, description="Price of one, without tax.")
    tax_rate: float = Field(default=STANDARD_TAX, ge=0, le=30, description="Per cent of tax.")


@service.tool()
def search_invoices(
    state: InvoicingState,
    ctx: CallContext,
    query: Query | None = None,
    customer_id: CustomerId | None = None,
    payment_status: PaymentStatus | None = None,
    due_before: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find invoices by number, order number, subject or customer name, newest number first.

    Each comes with its total, what is paid and the balance.

    Args:
        query: Words in the number, order number, subject or customer name.
        customer_id: Only invoices of this customer.
        payment_status: Only invoices that are in this state today.
        due_before: Only invoices due on this day or earlier.
        limit: At most so many invoices.
        cursor: next_cursor of the previous page.
    """
    names = {customer.id: customer.name for customer in state.customers}
    found = search(
        state.invoices, query, lambda row: (row.number, row.order_number, row.subject, names.get(row.customer_id, ""))
    )
    found = keep(found, customer_id=customer_id)
    found = [row for row in found if due_before is None or (row.due_date is not None and row.due_date <= due_before)]
    books = Books(state)
    rows = [books.described(ctx, row) for row in newest_first(found, "number")]
    rows = [row for row in rows if payment_status is None or row["payment_status"] == payment_status]
    return {**cursor_page("invoices", rows, limit, cursor), "total_balance": total(row["balance"] for row in rows)}


@service.tool()
def get_invoice(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId) -> Json:
    """Show an invoice with its lines, payments, credit notes, reminders and balance.

    Errors: `not_found`.

    Args:
        invoice_id: Id of the invoice.
    """
    invoice = state.invoices.get(invoice_id)
    lines = [
        with_fields(line, net=line_net(line), tax=line_tax(line)) for line in state.lines.find(invoice_id=invoice_id)
    ]
    return {
        **described(state, ctx, invoice),
        "lines": lines,
        "payments": state.payments.find(invoice_id=invoice_id),
        "credit_notes": state.credit_notes.find(invoice_id=invoice_id),
        "reminders": [
            brief(row, "id", "level", "sent_on", "sent_to") for row in state.reminders.find(invoice_id=invoice_id)
        ],
    }


def _next_number(state: InvoicingState, ctx: CallContext) -> str:
    """One above the highest number of this year: F-2026-0043."""
    start = f"F-{ctx.today[:4]}-"
    used = [row.number[len(start) :] for row in state.invoices if row.number.startswith(start)]
    return f"{start}{max((int(number) for number in used if number.isdecimal()), default=0) + 1:04d}"


@service.tool(phrase="draft an invoice to {customer_id} for {subject}")
def create_invoice(
    state: InvoicingState,
    ctx: CallContext,
    customer_id: CustomerId,
    subject: Name,
    order_number: f.Code = "",
    lines: Annotated[list[NewLine], Field(max_length=50)] | None = None,
) -> Json:
    """Create a draft invoice, with lines at once or added later by add_line.

    Customers that are exempt from tax get lines without tax. An order number can be invoiced once.
    Errors: `not_found`, `customer_blocked`, `duplicate_order` (another invoice has this order number), `blank_text`.

    Args:
        customer_id: Id of the customer.
        subject: What the invoice is for.
        order_number: The customer's purchase order number.
        lines: What is charged.
    """
    customer = state.customers.get(customer_id)
    if customer.blocked:
        raise conflict(f"{customer.name} is blocked; nothing can be invoiced.", type="customer_blocked")
    _unused_order(state, order_number)
    invoice = state.invoices.create(
        number=_next_number(state, ctx),
        customer_id=customer_id,
        subject=check_text(subject, "subject"),
        status="draft",
        order_number=order_number.strip(),
        currency=customer.currency,
        created_at=ctx.now,
    )
    for line in lines or []:
        rate = 0.0 if customer.tax_exempt else line.tax_rate
        state.lines.create(invoice_id=invoice.id, **{**line.model_dump(), "tax_rate": rate})
    return described(state, ctx, invoice)


def _unused_order(state: InvoicingState, number: str, own: str = "") -> None:
    for row in state.invoices:
        if number.strip() and same(row.order_number, number) and row.status != "void" and row.id != own:
            raise conflict(f"Order {number} is on invoice {row.number} already.", type="duplicate_order")


@service.tool(phrase="add {quantity} of {description} to the draft {invoice_id}")
def add_line(
    state: InvoicingState,
    ctx: CallContext,
    invoice_id: InvoiceId,
    description: Name,
    quantity: Quantity,
    unit_price: Amount,
    tax_rate: TaxRate = STANDARD_TAX,
) -> Json:
    """Add a line to a draft invoice and show the new total.

    Errors: `not_found`, `not_draft`, `blank_text`.

    Args:
        invoice_id: Id of the draft.
        description: What is charged.
        quantity: How many.
        unit_price: Price of one, without tax.
        tax_rate: Per cent of tax; none is charged to exempt customers.
    """
    invoice = draft_invoice(state, invoice_id)
    exempt = state.customers.get(invoice.customer_id).tax_exempt
    line = state.lines.create(
        invoice_id=invoice_id,
        description=check_text(description, "description"),
        quantity=quantity,
        unit_price=unit_price,
        tax_rate=0.0 if exempt else tax_rate,
    )
    return {"line": line, "invoice": described(state, ctx, invoice)}


@service.tool(phrase="add {quantity} of {item_id} to the draft {invoice_id}")
def add_item(
    state: InvoicingState,
    ctx: CallContext,
    invoice_id: InvoiceId,
    item_id: Annotated[str, f.ref("items")],
    quantity: Quantity,
) -> Json:
    """Add something from the price list to a draft invoice, at its list price.

    Errors: `not_found`, `not_draft`.

    Args:
        invoice_id: Id of the draft.
        item_id: Id of the price list item.
        quantity: How many.
    """
    invoice, item = draft_invoice(state, invoice_id), state.items.get(item_id)
    exempt = state.customers.get(invoice.customer_id).tax_exempt
    line = state.lines.create(
        invoice_id=invoice_id,
        item_id=item_id,
        description=item.name,
        quantity=quantity,
        unit_price=item.unit_price,
        tax_rate=0.0 if exempt else item.tax_rate,
    )
    return {"line": line, "invoice": described(state, ctx, invoice)}


@service.tool(phrase="take the line {line_id} off its invoice")
def remove_line(state: InvoicingState, ctx: CallContext, line_id: Annotated[str, f.ref("lines")]) -> Json:
    """Take a line off a draft invoice and show the new total.

    Errors: `not_found`, `not_draft`.

    Args:
        line_id: Id of the line.
    """
    invoice = draft_invoice(state, state.lines.get(line_id).invoice_id)
    state.lines.delete(line_id)
    return described(state, ctx, invoice)


@service.tool(phrase="update the draft invoice {invoice_id}")
def update_invoice(
    state: InvoicingState,
    ctx: CallContext,
    invoice_id: InvoiceId,
    subject: Name | Unset = UNSET,
    order_number: f.Code | Unset = UNSET,
) -> Json:
    """Change the subject or the order number of a draft.

    Errors: `not_found`, `not_draft`, `nothing_to_change`, `duplicate_order`.

    Args:
        invoice_id: Id of the draft.
        subject: New subject.
        order_number: New purchase order number.
    """
    draft_invoice(state, invoice_id)
    changes = some_changes(given(subject=subject, order_number=order_number))
    _unused_order(state, changes.get("order_number", ""), own=invoice_id)
    return described(state, ctx, state.invoices.patch(invoice_id, **changes))


@service.tool(phrase="issue the invoice {invoice_id}")
def issue_invoice(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId) -> Json:
    """Issue a draft today; the due date follows from the customer's payment terms.

    Errors: `not_found`, `not_draft`, `no_lines`, `customer_blocked`, `over_credit_limit` (what is outstanding and
    this invoice together are above the customer's credit limit).

    Args:
        invoice_id: Id of the draft.
    """
    invoice = draft_invoice(state, invoice_id)
    customer = state.customers.get(invoice.customer_id)
    amount = figures(state, invoice).total
    if not amount:
        raise invalid(f"Invoice {invoice.number} has no lines; use add_line first.", type="no_lines")
    if customer.blocked:
        raise conflict(f"{customer.name} is blocked; nothing can be invoiced.", type="customer_blocked")
    owed = outstanding(state, customer.id)
    if total((owed, amount)) > customer.credit_limit:
        raise conflict(
            f"{customer.name} owes {owed:.2f}; with {amount:.2f} it would pass the limit of "
            f"{customer.credit_limit:.2f}.",
            type="over_credit_limit",
        )
    due = plus_days(ctx.today, customer.payment_terms)
    changed = state.invoices.patch(invoice_id, status="issued", issue_date=ctx.today, due_date=due)
    return described(state, ctx, changed)


@service.tool(phrase="move the due date of {invoice_id} to {due_date}")
def extend_due_date(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, due_date: f.Date) -> Json:
    """Give a customer more time, at most 60 days beyond the present due date.

    Errors: `not_found`, `not_issued`, `invalid_date`, `invalid_range` (not later than now agreed), `too_far`.

    Args:
        invoice_id: Id of an issued invoice.
        due_date: New due date.
    """
    invoice = state.invoices.get(invoice_id)
    if invoice.status != "issued" or invoice.due_date is None:
        raise conflict(f"Invoice {invoice.number} is {invoice.status}, not issued.", type="not_issued")
    if check_date(due_date) <= invoice.due_date:
        raise invalid(f"{due_date} is not later than the due date {invoice.due_date}.", type="invalid_range")
    if due_date > plus_days(invoice.due_date, 60):
        raise invalid("A due date can be moved by at most 60 days.", type="too_far")
    return described(state, ctx, state.invoices.patch(invoice_id, due_date=due_date))


@service.tool(phrase="void the invoice {invoice_id}")
def void_invoice(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, reason: Body) -> Json:
    """Void an invoice on which nothing has been paid or credited; the reason becomes a remark.

    Errors: `not_found`, `already_void`, `has_payments` (use a credit note), `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        reason: Why it is void.
    """
    invoice = state.invoices.get(invoice_id)
    if invoice.status == "void":
        raise conflict(f"Invoice {invoice.number} is void already.", type="already_void")
    if figures(state, invoice).settled:
        raise conflict(f"Invoice {invoice.number} has payments or credits; credit it instead.", type="has_payments")
    _remark(state, ctx, invoice, check_text(reason, "reason"))
    return described(state, ctx, state.invoices.patch(invoice_id, status="void"))


def _remark(state: InvoicingState, ctx: CallContext, invoice: Invoice, text: str) -> Remark:
    return state.remarks.create(invoice_id=invoice.id, author_email=ME.email, text=text, written_at=ctx.now)


@service.tool(phrase="add a remark to the invoice {invoice_id}")
def add_remark(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, text: Body) -> Remark:
    """Add an internal remark to an invoice; customers do not see it.

    Errors: `not_found`, `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        text: The remark.
    """
    return _remark(state, ctx, state.invoices.get(invoice_id), check_text(text, "text"))


@service.tool()
def list_remarks(
    state: InvoicingState,
    ctx: CallContext,
    invoice_id: InvoiceId | None = None,
    query: Query | None = None,
    written_after: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List remarks, newest first, of one invoice or of all.

    Errors: `invalid_date`.

    Args:
        invoice_id: Only remarks on this invoice.
        query: Words in the text.
        written_after: Only remarks written on this day or later.
        limit: At most so many remarks.
        cursor: next_cursor of the previous page.
    """
    check_range(written_after, None)
    found = keep(search(state.remarks, query, lambda row: (row.text,)), invoice_id=invoice_id)
    found = [row for row in found if written_after is None or row.written_at[:10] >= written_after]
    found = newest_first(found, "written_at")
    return cursor_page("remarks", found, limit, cursor)
