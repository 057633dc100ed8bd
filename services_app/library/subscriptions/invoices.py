"""Tools for invoices: find them, collect them, give them up."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
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
    newest_first,
    search,
    total,
)
from services_app.library.subscriptions.catalogue import AccountId
from services_app.library.subscriptions.figures import credit_left, described, described_invoice, due
from services_app.library.subscriptions.lifecycle import close
from services_app.library.subscriptions.state import (
    Account,
    Attempt,
    Invoice,
    InvoiceStatus,
    SubscriptionsState,
    service,
)

InvoiceId = Annotated[str, f.ref("invoices")]
MAX_ATTEMPTS = 4
ATTEMPTS_BEFORE_WRITING_OFF = 3


@service.tool()
def list_invoices(
    state: SubscriptionsState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    status: InvoiceStatus | None = None,
    due_before: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List subscription invoices, newest first, with what is due and how often it was tried.

    Errors: `invalid_date`.

    Args:
        query: Words in the invoice number, subscription number or account name.
        account_id: Only invoices of this account.
        status: Only invoices in this status.
        due_before: Only invoices due on this day or earlier.
        limit: At most so many invoices.
        cursor: next_cursor of the previous page.
    """
    day = check_date(due_before) if due_before else "9999"
    rows = [described_invoice(state, ctx, row) for row in keep(state.invoices, status=status) if row.due_on <= day]
    rows = [row for row in rows if account_id in (None, row["account_id"])]
    rows = search(rows, query, lambda row: (row["number"], row["subscription_number"], row["account_name"]))
    rows = newest_first(rows, "issued_on")
    return {**cursor_page("invoices", rows, limit, cursor), "total_due": total(row["amount_due"] for row in rows)}


@service.tool()
def get_invoice(state: SubscriptionsState, ctx: CallContext, invoice_id: InvoiceId) -> Json:
    """Show an invoice with its lines, collection attempts and the credit used on it.

    Errors: `not_found`.

    Args:
        invoice_id: Id of the invoice.
    """
    invoice = state.invoices.get(invoice_id)
    used = [-row.amount for row in state.credits.find(invoice_id=invoice_id) if row.amount < 0]
    return {
        **described_invoice(state, ctx, invoice),
        "lines": state.lines.find(invoice_id=invoice_id),
        "collection_attempts": state.attempts.find(invoice_id=invoice_id),
        "credit_used": total(used),
    }


@service.tool(phrase="collect the invoice {invoice_id}")
def collect_invoice(state: SubscriptionsState, ctx: CallContext, invoice_id: InvoiceId) -> Json:
    """Collect an open invoice: account credit first, the rest from the card, once a day.

    A refused card is no error: the answer says so and the subscription becomes past due; with the fourth refusal
    the subscription is cancelled as unpaid.
    Errors: `not_found`, `not_open`, `tried_today`.

    Args:
        invoice_id: Id of the invoice.
    """
    invoice = state.invoices.get(invoice_id)
    if invoice.status != "open":
        raise conflict(f"Invoice {invoice.number} is {invoice.status}, not open.", type="not_open")
    if state.attempts.first(invoice_id=invoice_id, attempted_on=ctx.today):
        raise conflict("It was tried today; the bank wants a day in between.", type="tried_today")
    row = state.subscriptions.get(invoice.subscription_id)
    _use_credit(state, ctx, invoice, row.account_id)
    rest = due(state, invoice)
    attempt = _try_card(state, ctx, invoice, state.accounts.get(row.account_id), rest) if rest > 0 else None
    if attempt is None or attempt.succeeded:
        state.invoices.patch(invoice_id, status="paid", paid_on=ctx.today)
        others = [due(state, found) for found in state.invoices.find(subscription_id=row.id)]
        if row.status == "past_due" and not any(others):
            state.subscriptions.patch(row.id, status="active")
    elif state.attempts.count(invoice_id=invoice_id, succeeded=False) >= MAX_ATTEMPTS:
        close(state, ctx, row, "unpaid")
    elif row.status == "active":
        state.subscriptions.patch(row.id, status="past_due")
    return {
        "collected": attempt is None or attempt.succeeded,
        "attempt": attempt,
        "invoice": get_invoice(state, ctx, invoice_id),
        "subscription": described(state, ctx, state.subscriptions.get(row.id)),
    }


def _use_credit(state: SubscriptionsState, ctx: CallContext, invoice: Invoice, account_id: str) -> None:
    used = min(credit_left(state, account_id), due(state, invoice))
    if used > 0:
        state.credits.create(
            account_id=account_id,
            amount=-used,
            reason=f"Used on {invoice.number}",
            invoice_id=invoice.id,
            created_on=ctx.today,
        )


def _try_card(
    state: SubscriptionsState, ctx: CallContext, invoice: Invoice, account: Account, amount: float
) -> Attempt:
    expired = account.card_expires < ctx.today[:7]
    message = "The card has expired." if expired else "The bank declined." if account.card_declines else "Paid."
    return state.attempts.create(
        invoice_id=invoice.id,
        attempted_on=ctx.today,
        amount=amount,
        succeeded=message == "Paid.",
        message=message,
    )


@service.tool(phrase="give up the invoice {invoice_id} as uncollectible")
def mark_uncollectible(state: SubscriptionsState, ctx: CallContext, invoice_id: InvoiceId, reason: Body) -> Json:
    """Give an open invoice up after at least three refused attempts; the reason becomes a subscription note.

    Errors: `not_found`, `not_open`, `too_early`, `blank_text`.

    Args:
        invoice_id: Id of the invoice.
        reason: Why nothing more is to be expected.
    """
    invoice = state.invoices.get(invoice_id)
    if invoice.status != "open":
        raise conflict(f"Invoice {invoice.number} is {invoice.status}, not open.", type="not_open")
    tried = state.attempts.count(invoice_id=invoice_id, succeeded=False)
    if tried < ATTEMPTS_BEFORE_WRITING_OFF:
        raise conflict(f"It was refused {tried} times; collect_invoice comes first.", type="too_early")
    state.notes.create(
        subscription_id=invoice.subscription_id,
        author_email=ME.email,
        text=check_text(reason, "reason"),
        written_at=ctx.now,
    )
    return described_invoice(state, ctx, state.invoices.patch(invoice_id, status="uncollectible"))
