"""Balances, limits and bookings: what follows from transactions, and how money moves."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.library.banking.state import Account, BankingState, Beneficiary, Payment, Transaction, User
from services_app.library.cast import ME
from services_app.library.shared import Json, total, with_fields

NEW_BENEFICIARY_LIMIT = 1000.0
OPEN = ("pending_approval", "scheduled")


def me(state: BankingState) -> User:
    """The user who is signed in."""
    found = state.users.first(email=ME.email)
    if found is None:
        raise forbidden("You have no access to this bank; ask an approver.", type="no_access")
    return found


def balance(state: BankingState, account_id: str, until: str | None = None) -> float:
    """What is booked on an account, up to a day and including it."""
    rows = state.transactions.find(account_id=account_id)
    return total(row.amount for row in rows if until is None or row.booked_on <= until)


def reserved(state: BankingState, account_id: str) -> float:
    """What payments that wait will take from an account."""
    return total(row.amount for row in state.payments.find(account_id=account_id) if row.status in OPEN)


def available(state: BankingState, account: Account) -> float:
    """What can be spent now: balance and overdraft, less what waiting payments will take."""
    return total((balance(state, account.id), account.overdraft_limit, -reserved(state, account.id)))


def paid_on(state: BankingState, account_id: str, day: str) -> float:
    """What payments take from an account on a day, executed or waiting."""
    rows = state.payments.find(account_id=account_id, payment_date=day)
    return total(row.amount for row in rows if row.status in (*OPEN, "completed"))


def account_json(state: BankingState, account: Account, today: str) -> Json:
    return with_fields(
        account,
        balance=balance(state, account.id),
        reserved=reserved(state, account.id),
        available=available(state, account),
        daily_limit_left=total((account.daily_limit, -paid_on(state, account.id, today))),
    )


def payment_json(state: BankingState, payment: Payment) -> Json:
    account, beneficiary = state.accounts.get(payment.account_id), state.beneficiaries.get(payment.beneficiary_id)
    return with_fields(payment, currency=account.currency, account_name=account.name, beneficiary_name=beneficiary.name)


def sums_by_currency(amounts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """What amounts come to in each currency that occurs."""
    found: dict[str, list[float]] = {}
    for currency, amount in amounts:
        found.setdefault(currency, []).append(amount)
    return {key: total(found[key]) for key in sorted(found)}


def rate(state: BankingState, source: str, target: str) -> float:
    """Units of `target` for one unit of `source`."""
    per_gbp: dict[str, float] = {"GBP": 1.0, **{row.currency: row.per_gbp for row in state.exchange_rates}}
    return round(per_gbp[target] / per_gbp[source], 6)


def paying_account(state: BankingState, account_id: str) -> Account:
    """A current account; 409 `savings_account` for one that only takes transfers."""
    account = state.accounts.get(account_id)
    if account.kind == "savings":
        raise conflict(
            f"{account.name} is a savings account; transfer to a current account first.", type="savings_account"
        )
    return account


def payable(state: BankingState, account: Account, beneficiary_id: str) -> Beneficiary:
    """A beneficiary that can be paid from an account; 403 `beneficiary_blocked`, 422 `currency_mismatch`."""
    beneficiary = state.beneficiaries.get(beneficiary_id)
    if beneficiary.blocked:
        raise forbidden(f"{beneficiary.name} is blocked; see its payment note.", type="beneficiary_blocked")
    if beneficiary.currency != account.currency:
        raise invalid(
            f"{beneficiary.name} is paid in {beneficiary.currency}, {account.name} holds {account.currency}; "
            "choose another account.",
            type="currency_mismatch",
        )
    return beneficiary


def check_limits(
    state: BankingState, ctx: CallContext, account: Account, beneficiary: Beneficiary, amount: float, day: str
) -> None:
    """403 `new_beneficiary_limit`, 409 `daily_limit`, 409 `insufficient_funds`."""
    if beneficiary.verified_from > ctx.now and amount > NEW_BENEFICIARY_LIMIT:
        raise forbidden(
            f"The account number of {beneficiary.name} is new: up to {NEW_BENEFICIARY_LIMIT:.2f} until "
            f"{beneficiary.verified_from}.",
            type="new_beneficiary_limit",
        )
    left = total((account.daily_limit, -paid_on(state, account.id, day)))
    if amount > left:
        raise conflict(f"{left:.2f} of the daily limit is left on {day}; pay less or later.", type="daily_limit")
    check_funds(state, account, amount)


def check_funds(state: BankingState, account: Account, amount: float) -> None:
    """409 `insufficient_funds` when an account cannot spend the amount."""
    spendable = available(state, account)
    if amount > spendable:
        raise conflict(f"{account.name} has {spendable:.2f} available; pay less.", type="insufficient_funds")


def book_payment(state: BankingState, payment: Payment, day: str) -> Transaction:
    """The transaction that carries a payment out."""
    return state.transactions.create(
        account_id=payment.account_id,
        kind="payment",
        amount=-payment.amount,
        counterparty=state.beneficiaries.get(payment.beneficiary_id).name,
        reference=payment.reference,
        booked_on=day,
        payment_id=payment.id,
    )
