"""Tools for what is booked, and for the notes on it."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.banking.accounts import AccountId
from services_app.library.banking.money import me, payment_json, sums_by_currency
from services_app.library.banking.state import BankingState, TransactionKind, TransactionNote, service
from services_app.library.shared import (
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
    search,
    with_fields,
    within,
)

TransactionId = Annotated[str, f.ref("transactions")]


@service.tool()
def search_transactions(  # noqa: PLR0913, PLR0917 - one per filter
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    kind: TransactionKind | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    min_amount: Amount | None = None,
    max_amount: Amount | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find booked transactions by counterparty, reference, note, day or amount, latest first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the counterparty, reference or notes.
        account_id: Only transactions of this account.
        kind: Only transactions of this kind.
        from_date: Only transactions of this day or later.
        to_date: Only transactions of this day or earlier.
        min_amount: Only those of this amount or more, whichever way it went.
        max_amount: Only those of this amount or less, whichever way it went.
        limit: At most so many transactions.
        cursor: next_cursor of the previous page.
    """
    notes: dict[str, list[str]] = {}
    for note in state.transaction_notes:
        notes.setdefault(note.transaction_id, []).append(note.text)
    found = search(state.transactions, query, lambda row: (row.counterparty, row.reference, *notes.get(row.id, ())))
    found = [
        row
        for row in within(keep(found, account_id=account_id, kind=kind), "booked_on", from_date, to_date)
        if (min_amount is None or abs(row.amount) >= min_amount)
        and (max_amount is None or abs(row.amount) <= max_amount)
    ]
    found = newest_first(found, "booked_on")
    currencies = {row.id: row.currency for row in state.accounts}
    rows = [with_fields(row, currency=currencies[row.account_id], notes=len(notes.get(row.id, ()))) for row in found]
    sums = sums_by_currency((row["currency"], row["amount"]) for row in rows)
    return {**cursor_page("transactions", rows, limit, cursor), "sums": sums}


@service.tool()
def get_transaction(state: BankingState, ctx: CallContext, transaction_id: TransactionId) -> Json:
    """Show a transaction with the payment behind it and its notes.

    Errors: `not_found`.

    Args:
        transaction_id: Id of the transaction.
    """
    row = state.transactions.get(transaction_id)
    account = state.accounts.get(row.account_id)
    return with_fields(
        row,
        account_name=account.name,
        currency=account.currency,
        payment=payment_json(state, state.payments.get(row.payment_id)) if row.payment_id else None,
        notes=state.transaction_notes.find(transaction_id=transaction_id),
    )


@service.tool(phrase="note on the transaction {transaction_id} that {text}")
def add_transaction_note(
    state: BankingState, ctx: CallContext, transaction_id: TransactionId, text: Body
) -> TransactionNote:
    """Add a note to a transaction; colleagues with access to the bank see it.

    Errors: `not_found`, `blank_text`.

    Args:
        transaction_id: Id of the transaction.
        text: What to note.
    """
    state.transactions.get(transaction_id)
    return state.transaction_notes.create(
        transaction_id=transaction_id,
        author_email=me(state).email,
        text=check_text(text, "text"),
        written_at=ctx.now,
    )
