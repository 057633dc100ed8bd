"""Tools that book money: payments, refunds, credit notes, write-offs; and the reminders for what is late."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.invoicing.customers import CustomerId
from services_app.library.invoicing.figures import Books, days_overdue, described, figures, issued_invoice
from services_app.library.invoicing.invoices import InvoiceId
from services_app.library.invoicing.state import InvoicingState, Method, Reminder, service
from services_app.library.shared import (
    Amount,
    Body,
    Json,
    Limit,
    Offset,
    Query,
    check_date,
    check_range,
    check_text,
    days_between,
    keep,
    newest_first,
    offset_page,
    same,
    search,
    total,
    with_fields,
)

WRITE_OFF_LIMIT = 25.0
DAYS_BETWEEN_REMINDERS = 7


@service.tool(phrase="record a payment of {amount} against {invoice_id}")
def record_payment(
    state: InvoicingState,
    ctx: CallContext,
    invoice_id: InvoiceId,
    amount: Amount,
    received_on: f.Date | None = None,
    method: Method = "bank_transfer",
    reference: f.Code = "",
) -> Json:
    """Record a payment on an issued invoice and show the new balance.

    Errors: `not_found`, `not_issued`, `overpayment` (more than the balance), `in_the_future`, `invalid_date`,
    `duplicate_payment` (the same reference on the same invoice).

    Args:
        invoice_id: Id of the invoice.
        amount: Amount received.
        received_on: Day it arrived; today, if left out.
        method: How it was paid.
        reference: What the payer wrote on the transfer.
    """
    invoice = issued_invoice(state, invoice_id)
    day = check_date(received_on) if received_on else ctx.today
    if day > ctx.today:
        raise invalid(f"{day} is in the future; today is {ctx.today}.", type="in_the_future")
    balance = figures(state, invoice).balance
    if amount > balance:
        raise invalid(f"Invoice {invoice.number} has a balance of {balance:.2f}; send no more.", type="overpayment")
    if reference and any(same(row.reference, reference) for row in state.payments.find(invoice_id=invoice_id)):
        raise conflict(f"A payment with the reference {reference} is booked already.", type="duplicate_payment")
    payment = state.payments.create(
        invoice_id=invoice_id, amount=amount, method=method, received_on=day, reference=reference
    )
    return {"payment": payment, "invoice": described(state, ctx, invoice)}


@service.tool()
def search_payments(
    state: InvoicingState,
    ctx: CallContext,
    query: Query | None = None,
    customer_id: CustomerId | None = None,
    received_from: f.Date | None = None,
    received_to: f.Date | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find payments by reference, invoice number or customer, latest first, with their sum.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the reference, invoice number or customer name.
        customer_id: Only payments of this customer.
        received_from: Only payments received on this day or later.
        received_to: Only payments received on this day or earlier.
        limit: At most so many payments.
        offset: Skip so many payments.
    """
    check_range(received_from, received_to)
    names = {customer.id: customer.name for customer in state.customers}
    heads = {row.id: (row.number, row.customer_id, names.get(row.customer_id, "")) for row in state.invoices}
    found = search(state.payments, query, lambda row: (row.reference, *heads.get(row.invoice_id, ("", "", ""))[::2]))
    found = [
        row
        for row in found
        if (customer_id is None or heads.get(row.invoice_id, ("", "", ""))[1] == customer_id)
        and (received_from is None or row.received_on >= received_from)
        and (received_to is None or row.received_on <= received_to)
    ]
    found = newest_first(found, "received_on")
    rows = [with_fields(row, invoice_number=heads.get(row.invoice_id, (None,))[0]) for row in found]
    return {**offset_page("payments", rows, limit, offset), "sum": total(row.amount - row.refunded for row in found)}


@service.tool(phrase="refund {amount} of the payment {payment_id}")
def refund_payment(
    state: InvoicingState, ctx: CallContext, payment_id: Annotated[str, f.ref("payments")], amount: Amount
) -> Json:
    """Refund a payment in full or in part; the balance of its invoice grows by the amount.

    Errors: `not_found`, `not_issued`, `over_refund` (more than is left of the payment).

    Args:
        payment_id: Id of the payment.
        amount: Amount to give back.
    """
    payment = state.payments.get(payment_id)
    invoice = issued_invoice(state, payment.invoice_id)
    left = total((payment.amount, -payment.refunded))
    if amount > left:
        raise invalid(f"Only {left:.2f} of payment {payment_id} is left to refund.", type="over_refund")
    changed = state.payments.patch(payment_id, refunded=total((payment.refunded, amount)))
    return {"payment": changed, "invoice": described(state, ctx, invoice)}


@service.tool(phrase="credit {amount} on the invoice {invoice_id}")
def create_credit_note(
    state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, amount: Amount, reason: Body
) -> Json:
    """Credit part or all of what is owed on an issued invoice.

    Errors: `not_found`, `not_issued`, `over_credit` (more than the balance), `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        amount: Amount to credit, tax included.
        reason: Why it is credited.
    """
    invoice = issued_invoice(state, invoice_id)
    balance = figures(state, invoice).balance
    if amount > balance:
        raise invalid(f"Invoice {invoice.number} has a balance of {balance:.2f}; credit no more.", type="over_credit")
    used = [row.number.rsplit("-", 1)[-1] for row in state.credit_notes]
    following = max((int(number) for number in used if number.isdecimal()), default=0) + 1
    note = state.credit_notes.create(
        number=f"G-{ctx.today[:4]}-{following:04d}",
        invoice_id=invoice_id,
        amount=amount,
        reason=check_text(reason, "reason"),
        issued_on=ctx.today,
    )
    return {"credit_note": note, "invoice": described(state, ctx, invoice)}


@service.tool()
def list_credit_notes(
    state: InvoicingState, ctx: CallContext, query: Query | None = None, invoice_id: InvoiceId | None = None
) -> Json:
    """List credit notes, newest first, with their sum.

    Args:
        query: Words in the number or reason.
        invoice_id: Only those on this invoice.
    """
    found = keep(search(state.credit_notes, query, lambda row: (row.number, row.reason)), invoice_id=invoice_id)
    found = newest_first(found, "issued_on")
    return {"credit_notes": found[:100], "total": len(found), "sum": total(row.amount for row in found)}


@service.tool(phrase="write off what is left of {invoice_id}")
def write_off_invoice(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, reason: Body) -> Json:
    """Write off a small balance that will not be paid, at most 25.00; the reason becomes a remark.

    Errors: `not_found`, `not_issued`, `nothing_owed`, `over_write_off_limit`, `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        reason: Why nobody will pay it.
    """
    invoice = issued_invoice(state, invoice_id)
    balance = figures(state, invoice).balance
    if balance <= 0:
        raise conflict(f"Nothing is owed on invoice {invoice.number}.", type="nothing_owed")
    if balance > WRITE_OFF_LIMIT:
        raise forbidden(
            f"{balance:.2f} is above the {WRITE_OFF_LIMIT:.2f} you may write off; use a credit note.",
            type="over_write_off_limit",
        )
    text = check_text(reason, "reason")
    state.remarks.create(invoice_id=invoice_id, author_email=ME.email, text=text, written_at=ctx.now)
    return described(state, ctx, state.invoices.patch(invoice_id, status="written_off"))


@service.tool(phrase="remind the customer to pay {invoice_id}")
def send_reminder(state: InvoicingState, ctx: CallContext, invoice_id: InvoiceId, message: Body) -> Reminder:
    """Send the next payment reminder (first, second, final) for an overdue invoice to the billing email.

    Errors: `not_found`, `not_overdue`, `too_soon` (seven days have to pass between two), `final_reminder_sent`,
    `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        message: Text of the reminder.
    """
    invoice = state.invoices.get(invoice_id)
    if not days_overdue(ctx, invoice, figures(state, invoice)):
        raise conflict(f"Invoice {invoice.number} is not overdue.", type="not_overdue")
    sent = state.reminders.find(invoice_id=invoice_id)
    level = max((row.level for row in sent), default=0) + 1
    if level > 3:
        raise conflict("The final reminder has been sent; hand the case over.", type="final_reminder_sent")
    last = max((row.sent_on for row in sent), default=None)
    if last is not None and days_between(last, ctx.today) < DAYS_BETWEEN_REMINDERS:
        raise conflict(f"The last reminder went out on {last}; wait seven days.", type="too_soon")
    return state.reminders.create(
        invoice_id=invoice_id,
        level=level,
        sent_to=state.customers.get(invoice.customer_id).billing_email,
        message=check_text(message, "message"),
        sent_on=ctx.today,
    )


@service.tool()
def aging_report(state: InvoicingState, ctx: CallContext, customer_id: CustomerId | None = None) -> Json:
    """Sum up what is owed by how late it is: not due, 1-30, 31-60 and more than 60 days.

    Errors: `not_found`.

    Args:
        customer_id: Only this customer; all, if left out.
    """
    if customer_id is not None:
        state.customers.get(customer_id)
    buckets: dict[str, list[float]] = {"not_due": [], "days_1_30": [], "days_31_60": [], "over_60": []}
    books = Books(state)
    for invoice in keep(state.invoices.find(status="issued"), customer_id=customer_id):
        amounts = books.figures(invoice)
        if amounts.balance > 0:
            buckets[_bucket(days_overdue(ctx, invoice, amounts))].append(amounts.balance)
    report: Json = {name: {"invoices": len(found), "amount": total(found)} for name, found in buckets.items()}
    report["total_outstanding"] = total(amount for found in buckets.values() for amount in found)
    return report


def _bucket(days: int) -> str:
    if days == 0:
        return "not_due"
    return "days_1_30" if days <= 30 else "days_31_60" if days <= 60 else "over_60"
