"""Tools for what is paid again and again: standing orders and direct debits."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.banking.accounts import AccountId, Reference
from services_app.library.banking.beneficiaries import BeneficiaryId
from services_app.library.banking.money import payable, paying_account
from services_app.library.banking.state import BankingState, DirectDebit, Frequency, OrderStatus, StandingOrder, service
from services_app.library.shared import Amount, Json, Query, check_date, check_text, keep, search, total, with_fields

_PER_YEAR = {"weekly": 52, "monthly": 12, "quarterly": 4}


@service.tool()
def list_standing_orders(
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    status: OrderStatus | None = None,
) -> Json:
    """List standing orders, next one first, with what each comes to in a year.

    Args:
        query: Words in the reference or beneficiary name.
        account_id: Only those from this account.
        status: Only active or only cancelled ones.
    """
    names = {row.id: row.name for row in state.beneficiaries}
    found = search(state.standing_orders, query, lambda row: (row.reference, names[row.beneficiary_id]))
    found = sorted(keep(found, account_id=account_id, status=status), key=lambda row: (row.next_on, row.id))
    rows = [
        with_fields(
            row, beneficiary_name=names[row.beneficiary_id], yearly=total([row.amount * _PER_YEAR[row.frequency]])
        )
        for row in found
    ]
    return {"standing_orders": rows, "total": len(rows)}


@service.tool(phrase="set up a {frequency} standing order of {amount} to {beneficiary_id} from {start_date}")
def create_standing_order(
    state: BankingState,
    ctx: CallContext,
    account_id: AccountId,
    beneficiary_id: BeneficiaryId,
    amount: Amount,
    reference: Reference,
    start_date: f.Date,
    frequency: Frequency = "monthly",
) -> StandingOrder:
    """Set up a standing order; the first payment leaves on a day after today.

    Errors: `not_found`, `savings_account`, `beneficiary_blocked`, `currency_mismatch`, `over_threshold` (above the
    approval threshold of the account), `invalid_date`, `not_future`, `duplicate_order`, `blank_text`.

    Args:
        account_id: Account to pay from.
        beneficiary_id: Who is paid.
        amount: Amount each time.
        reference: Text on the statement.
        start_date: Day of the first payment.
        frequency: How often.
    """
    account = paying_account(state, account_id)
    beneficiary, day = payable(state, account, beneficiary_id), check_date(start_date)
    if day <= ctx.today:
        raise invalid(f"{day} is not after today, {ctx.today}; choose a later day.", type="not_future")
    if amount > account.approval_threshold:
        raise conflict(
            f"Standing orders from {account.name} go up to {account.approval_threshold:.2f}; make single payments.",
            type="over_threshold",
        )
    text = check_text(reference, "reference")
    if any(row.reference == text for row in state.standing_orders.find(beneficiary_id=beneficiary_id, status="active")):
        raise conflict(f"{beneficiary.name} has an active standing order with this reference.", type="duplicate_order")
    return state.standing_orders.create(
        account_id=account_id,
        beneficiary_id=beneficiary_id,
        amount=amount,
        reference=text,
        frequency=frequency,
        next_on=day,
    )


@service.tool(phrase="cancel the standing order {standing_order_id}")
def cancel_standing_order(
    state: BankingState, ctx: CallContext, standing_order_id: Annotated[str, f.ref("standing_orders")]
) -> StandingOrder:
    """Cancel a standing order; nothing more is paid by it.

    Errors: `not_found`, `already_cancelled`.

    Args:
        standing_order_id: Id of the standing order.
    """
    if state.standing_orders.get(standing_order_id).status == "cancelled":
        raise conflict(f"Standing order {standing_order_id} is cancelled already.", type="already_cancelled")
    return state.standing_orders.patch(standing_order_id, status="cancelled")


@service.tool()
def list_direct_debits(
    state: BankingState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    status: OrderStatus | None = None,
) -> Json:
    """List direct debit mandates by creditor, with what each has collected so far.

    Args:
        query: Words in the creditor or mandate reference.
        account_id: Only mandates on this account.
        status: Only active or only cancelled ones.
    """
    collected: dict[str, list[float]] = {}
    for row in state.transactions.find(kind="direct_debit"):
        collected.setdefault(row.reference, []).append(-row.amount)
    found = search(state.direct_debits, query, lambda row: (row.creditor, row.mandate_reference))
    found = sorted(keep(found, account_id=account_id, status=status), key=lambda row: (row.creditor, row.id))
    rows = [with_fields(row, collected=total(collected.get(row.mandate_reference, ()))) for row in found]
    return {"direct_debits": rows, "total": len(rows)}


@service.tool(phrase="cancel the direct debit {direct_debit_id}")
def cancel_direct_debit(
    state: BankingState, ctx: CallContext, direct_debit_id: Annotated[str, f.ref("direct_debits")]
) -> DirectDebit:
    """Cancel a direct debit mandate: the creditor can collect nothing more; not on the day of a collection.

    Errors: `not_found`, `already_cancelled`, `collection_today`.

    Args:
        direct_debit_id: Id of the mandate.
    """
    mandate = state.direct_debits.get(direct_debit_id)
    if mandate.status == "cancelled":
        raise conflict(f"Mandate {mandate.mandate_reference} is cancelled already.", type="already_cancelled")
    if mandate.next_on == ctx.today:
        raise conflict(f"{mandate.creditor} collects today; cancel tomorrow.", type="collection_today")
    return state.direct_debits.patch(direct_debit_id, status="cancelled")
