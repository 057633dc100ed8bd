"""Tools for payments: create, approve, cancel, look up."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.banking.accounts import AccountId, Reference
from services_app.library.banking.beneficiaries import BeneficiaryId
from services_app.library.banking.money import (
    OPEN,
    account_json,
    book_payment,
    check_limits,
    me,
    payable,
    paying_account,
    payment_json,
    sums_by_currency,
)
from services_app.library.banking.state import BankingState, PaymentStatus, service
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    same,
    search,
    within,
)

PaymentId = Annotated[str, f.ref("payments")]
LONGEST_AHEAD = 365


@service.tool(phrase="pay {amount} to {beneficiary_id} from {account_id} with the reference {reference}")
def create_payment(
    state: BankingState,
    ctx: CallContext,
    account_id: AccountId,
    beneficiary_id: BeneficiaryId,
    amount: Amount,
    reference: Reference,
    payment_date: f.Date | None = None,
) -> Json:
    """Pay a beneficiary, today or on a later day; large payments wait until a second user has approved them.

    The threshold is in the account. The reference can be paid once per beneficiary.
    Errors: `not_found`, `savings_account`, `beneficiary_blocked`, `currency_mismatch`, `new_beneficiary_limit`,
    `daily_limit`, `insufficient_funds`, `invalid_date`, `invalid_day` (before today or more than a year ahead),
    `duplicate_payment`, `blank_text`.

    Args:
        account_id: Account to pay from, in the currency of the beneficiary.
        beneficiary_id: Who is paid.
        amount: Amount in the currency of the account.
        reference: Invoice or order number for the beneficiary.
        payment_date: Day of the payment; today, if left out.
    """
    account = paying_account(state, account_id)
    beneficiary = payable(state, account, beneficiary_id)
    day, text = check_date(payment_date) if payment_date else ctx.today, check_text(reference, "reference")
    if not ctx.today <= day <= plus_days(ctx.today, LONGEST_AHEAD):
        raise invalid(f"{day} is before today or more than a year ahead; choose another day.", type="invalid_day")
    for row in state.payments.find(beneficiary_id=beneficiary_id):
        if same(row.reference, text) and row.status not in ("cancelled", "returned"):
            raise conflict(f"Payment {row.id} to {beneficiary.name} has this reference.", type="duplicate_payment")
    check_limits(state, ctx, account, beneficiary, amount, day)
    waits, later = amount > account.approval_threshold, day > ctx.today
    payment = state.payments.create(
        account_id=account_id,
        beneficiary_id=beneficiary_id,
        amount=amount,
        reference=text,
        status="pending_approval" if waits else "scheduled" if later else "completed",
        payment_date=day,
        requested_by=me(state).email,
        created_at=ctx.now,
    )
    if payment.status == "completed":
        book_payment(state, payment, ctx.today)
    return {**payment_json(state, payment), "account": account_json(state, account, ctx.today)}


@service.tool()
def search_payments(  # noqa: PLR0913, PLR0917 - one per filter
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    status: PaymentStatus | None = None,
    account_id: AccountId | None = None,
    beneficiary_id: BeneficiaryId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find payments by reference or beneficiary, latest day first, with the sums that wait per currency.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the reference, beneficiary name or address of who asked for it.
        status: Only payments with this status.
        account_id: Only payments from this account.
        beneficiary_id: Only payments to this beneficiary.
        from_date: Only payments of this day or later.
        to_date: Only payments of this day or earlier.
        limit: At most so many payments.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: row.name for row in state.beneficiaries}
    found = search(state.payments, query, lambda row: (row.reference, names[row.beneficiary_id], row.requested_by))
    found = keep(found, status=status, account_id=account_id, beneficiary_id=beneficiary_id)
    found = within(found, "payment_date", from_date, to_date)
    found = newest_first(found, "payment_date")
    rows = [payment_json(state, row) for row in found]
    waiting = sums_by_currency((row["currency"], row["amount"]) for row in rows if row["status"] in OPEN)
    return {**cursor_page("payments", rows, limit, cursor), "waiting": waiting}


@service.tool()
def get_payment(state: BankingState, ctx: CallContext, payment_id: PaymentId) -> Json:
    """Show a payment with the beneficiary's account number and note, and the transaction that carried it out.

    Errors: `not_found`.

    Args:
        payment_id: Id of the payment.
    """
    payment = state.payments.get(payment_id)
    beneficiary = state.beneficiaries.get(payment.beneficiary_id)
    return {
        **payment_json(state, payment),
        "beneficiary_iban": beneficiary.iban,
        "payment_note": beneficiary.payment_note,
        "transaction": state.transactions.first(payment_id=payment_id),
    }


@service.tool(phrase="approve the payment {payment_id}")
def approve_payment(state: BankingState, ctx: CallContext, payment_id: PaymentId) -> Json:
    """Approve a payment that somebody else asked for; it is carried out at once, or on its day if that is later.

    Errors: `not_found`, `not_pending`, `own_payment`, `over_approval_limit`, `beneficiary_blocked`.

    Args:
        payment_id: Id of the payment.
    """
    payment, user = state.payments.get(payment_id), me(state)
    if payment.status != "pending_approval":
        raise conflict(f"Payment {payment_id} is {payment.status}; nothing to approve.", type="not_pending")
    if same(payment.requested_by, user.email):
        raise forbidden("You asked for this payment; a second user has to approve it.", type="own_payment")
    if payment.amount > user.approval_limit:
        raise forbidden(
            f"{payment.amount:.2f} is above your approval limit of {user.approval_limit:.2f}; ask another approver.",
            type="over_approval_limit",
        )
    beneficiary = state.beneficiaries.get(payment.beneficiary_id)
    if beneficiary.blocked:
        raise forbidden(f"{beneficiary.name} is blocked; see its payment note.", type="beneficiary_blocked")
    later = payment.payment_date > ctx.today
    changed = state.payments.patch(
        payment_id,
        status="scheduled" if later else "completed",
        approved_by=user.email,
        payment_date=max(payment.payment_date, ctx.today),
    )
    if not later:
        book_payment(state, changed, ctx.today)
    return payment_json(state, changed)


@service.tool(phrase="cancel the payment {payment_id}")
def cancel_payment(state: BankingState, ctx: CallContext, payment_id: PaymentId) -> Json:
    """Cancel a payment that waits for approval or for its day; what was carried out stays.

    Errors: `not_found`, `not_waiting`.

    Args:
        payment_id: Id of the payment.
    """
    payment = state.payments.get(payment_id)
    if payment.status not in OPEN:
        raise conflict(f"Payment {payment_id} is {payment.status} and cannot be cancelled.", type="not_waiting")
    return payment_json(state, state.payments.patch(payment_id, status="cancelled"))
