"""Tools for receipts and for what the company cards booked."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.expenses.entries import EmployeeId, ExpenseId
from services_app.library.expenses.figures import Ledger, me, own_expense
from services_app.library.expenses.state import ExpensesState, Receipt, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    newest_first,
    search,
    total,
    with_fields,
    within,
)

ReceiptId = Annotated[str, f.ref("receipts")]
LARGEST_TIP = 1.15


@service.tool()
def search_receipts(  # noqa: PLR0913, PLR0917 - one per filter
    state: ExpensesState,
    ctx: CallContext,
    query: Query | None = None,
    employee_id: EmployeeId | None = None,
    attached: bool | None = None,
    issued_from: f.Date | None = None,
    issued_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find scanned receipts by merchant, file name or what is printed on them, newest first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the file name, merchant or printed text.
        employee_id: Only receipts of this employee.
        attached: true for receipts on an expense, false for loose ones.
        issued_from: Only receipts of this day or later.
        issued_to: Only receipts of this day or earlier.
        limit: At most so many receipts.
        cursor: next_cursor of the previous page.
    """
    used = {row.receipt_id for row in state.expenses}
    found = search(state.receipts, query, lambda row: (row.file_name, row.merchant, row.text))
    found = [
        row
        for row in within(keep(found, employee_id=employee_id), "issued_on", issued_from, issued_to)
        if attached is None or (row.id in used) == attached
    ]
    found = newest_first(found, "issued_on")
    page = cursor_page("receipts", found, limit, cursor)
    names = ("id", "file_name", "merchant", "amount", "currency", "issued_on", "employee_id")
    page["receipts"] = [{**brief(row, *names), "attached": row.id in used} for row in page["receipts"]]
    return page


@service.tool()
def get_receipt(state: ExpensesState, ctx: CallContext, receipt_id: ReceiptId) -> Json:
    """Read a receipt: what the scan shows, and the expenses that use it.

    Errors: `not_found`.

    Args:
        receipt_id: Id of the receipt.
    """
    receipt = state.receipts.get(receipt_id)
    return with_fields(receipt, expense_ids=[row.id for row in state.expenses.find(receipt_id=receipt_id)])


def _own_receipt(state: ExpensesState, receipt_id: str) -> Receipt:
    receipt = state.receipts.get(receipt_id)
    if receipt.employee_id != me(state).id:
        raise forbidden(f"Receipt {receipt.file_name} was uploaded by a colleague.", type="not_yours")
    return receipt


@service.tool(phrase="attach the receipt {receipt_id} to the expense {expense_id}")
def attach_receipt(state: ExpensesState, ctx: CallContext, expense_id: ExpenseId, receipt_id: ReceiptId) -> Json:
    """Attach a receipt of yours to an expense of yours; a receipt that was there before becomes loose.

    The receipt must have the currency of the expense, and may exceed the amount by no more than a tip of 15 %.
    Errors: `not_found`, `not_yours`, `report_locked`, `receipt_in_use`, `receipt_mismatch`.

    Args:
        expense_id: Id of the expense.
        receipt_id: Id of the receipt.
    """
    expense, receipt = own_expense(state, expense_id), _own_receipt(state, receipt_id)
    if any(row.receipt_id == receipt_id for row in state.expenses):
        raise conflict(
            f"Receipt {receipt.file_name} is on an expense already; attach another one.", type="receipt_in_use"
        )
    fits = receipt.amount / LARGEST_TIP <= expense.amount <= receipt.amount * LARGEST_TIP
    if receipt.currency != expense.currency or not fits:
        raise invalid(
            f"The receipt shows {receipt.amount:.2f} {receipt.currency}, the expense {expense.amount:.2f} "
            f"{expense.currency}; correct the expense first.",
            type="receipt_mismatch",
        )
    return Ledger(state).expense_json(state.expenses.patch(expense_id, receipt_id=receipt_id), ctx.today)


@service.tool()
def search_card_transactions(
    state: ExpensesState,
    ctx: CallContext,
    query: Query | None = None,
    employee_id: EmployeeId | None = None,
    matched: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find what company cards booked, newest first, with the sum in GBP.

    Args:
        query: Words in the merchant, or the last four digits of the card.
        employee_id: Only the cards of this employee.
        matched: true for transactions that have an expense, false for those that still need one.
        limit: At most so many transactions.
        cursor: next_cursor of the previous page.
    """
    ledger = Ledger(state)
    found = search(state.card_transactions, query, lambda row: (row.merchant, row.card_last4))
    found = [
        row
        for row in keep(found, employee_id=employee_id)
        if matched is None or (row.expense_id is not None) == matched
    ]
    found = newest_first(found, "booked_on")
    rows = [with_fields(row, employee_name=ledger.employees[row.employee_id].name) for row in found]
    amounts = (ledger.in_gbp(row.amount, row.currency) for row in found)
    return {**cursor_page("card_transactions", rows, limit, cursor), "sum_in_pounds": total(amounts)}


@service.tool(phrase="match the card transaction {transaction_id} with the expense {expense_id}")
def match_card_transaction(
    state: ExpensesState,
    ctx: CallContext,
    transaction_id: Annotated[str, f.ref("card_transactions")],
    expense_id: ExpenseId,
) -> Json:
    """Match what your company card booked with your expense of the same amount; it then counts as paid by card.

    Errors: `not_found`, `not_yours`, `report_locked`, `already_matched`, `amount_mismatch`.

    Args:
        transaction_id: Id of the card transaction.
        expense_id: Id of the expense.
    """
    transaction = state.card_transactions.get(transaction_id)
    expense = own_expense(state, expense_id)
    if transaction.employee_id != expense.employee_id:
        raise forbidden(f"Transaction {transaction_id} is on the card of a colleague.", type="not_yours")
    if transaction.expense_id is not None or state.card_transactions.first(expense_id=expense_id):
        raise conflict("The transaction or the expense is matched already.", type="already_matched")
    if (transaction.amount, transaction.currency) != (expense.amount, expense.currency):
        raise invalid(
            f"The card booked {transaction.amount:.2f} {transaction.currency}, the expense is {expense.amount:.2f} "
            f"{expense.currency}; correct the expense first.",
            type="amount_mismatch",
        )
    state.card_transactions.patch(transaction_id, expense_id=expense_id)
    expense = state.expenses.patch(expense_id, paid_with="company_card")
    return Ledger(state).expense_json(expense, ctx.today)
