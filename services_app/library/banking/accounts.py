"""Tools for accounts, statements, exchange rates, and transfers between own accounts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict
from services_app.engine import fields as f
from services_app.library.banking.money import account_json, balance, check_funds, rate
from services_app.library.banking.state import AccountKind, BankingState, Currency, Notice, service
from services_app.library.shared import Amount, Json, Query, brief, keep, newest_first, search, total

AccountId = Annotated[str, f.ref("accounts")]
Month = Annotated[str, f.Semantic("code"), Field(pattern=r"^20\d{2}-(0[1-9]|1[0-2])$")]
Reference = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=35)]


@service.tool()
def list_accounts(
    state: BankingState, ctx: CallContext, currency: Currency | None = None, kind: AccountKind | None = None
) -> Json:
    """List the accounts of the company with balance, what waiting payments reserve, and what is available.

    Args:
        currency: Only accounts in this currency.
        kind: Only current or only savings accounts.
    """
    rows = [account_json(state, row, ctx.today) for row in keep(state.accounts, currency=currency, kind=kind)]
    return {"accounts": rows, "total": len(rows)}


@service.tool()
def get_account(state: BankingState, ctx: CallContext, account_id: AccountId) -> Json:
    """Show an account with its figures, limits, cards, standing orders and mandates.

    Errors: `not_found`.

    Args:
        account_id: Id of the account.
    """
    account = state.accounts.get(account_id)
    return {
        **account_json(state, account, ctx.today),
        "cards": [
            brief(row, "id", "holder_name", "last4", "status") for row in state.cards.find(account_id=account_id)
        ],
        "active_standing_orders": state.standing_orders.count(account_id=account_id, status="active"),
        "active_direct_debits": state.direct_debits.count(account_id=account_id, status="active"),
    }


@service.tool(examples=(Example({"account_id": "BA-0001", "month": "2026-02"}),))
def get_statement(state: BankingState, ctx: CallContext, account_id: AccountId, month: Month) -> Json:
    """Show the statement of a month: opening and closing balance, money in and out, by kind of transaction.

    Errors: `not_found`.

    Args:
        account_id: Id of the account.
        month: Year and month, such as 2026-02.
    """
    account = state.accounts.get(account_id)
    rows = [row for row in state.transactions.find(account_id=account_id) if row.booked_on[:7] == month]
    kinds = sorted({row.kind for row in rows})
    closing = balance(state, account_id, until=f"{month}-31")
    return {
        "account_id": account.id,
        "account_name": account.name,
        "month": month,
        "currency": account.currency,
        "opening_balance": total((closing, *(-row.amount for row in rows))),
        "money_in": total(row.amount for row in rows if row.amount > 0),
        "money_out": total(-row.amount for row in rows if row.amount < 0),
        "closing_balance": closing,
        "transactions": len(rows),
        "by_kind": [{"kind": kind, "amount": total(row.amount for row in rows if row.kind == kind)} for kind in kinds],
    }


@service.tool()
def get_exchange_rate(
    state: BankingState, ctx: CallContext, source: Currency, target: Currency, amount: Amount = 100.0
) -> Json:
    """Show today's rate between two currencies, what an amount comes to, and what the accounts hold of both.

    Errors: `same_currency`.

    Args:
        source: Currency to sell.
        target: Currency to buy.
        amount: Amount of the source currency.
    """
    if source == target:
        raise conflict("Choose two different currencies.", type="same_currency")
    factor = rate(state, source, target)
    held = {
        code: total(balance(state, row.id) for row in state.accounts.find(currency=code)) for code in (source, target)
    }
    return {
        "source": source,
        "target": target,
        "rate": factor,
        "amount": amount,
        "converted": round(amount * factor, 2),
        "held_source": held[source],
        "held_target": held[target],
    }


@service.tool(phrase="move {amount} from the account {from_account_id} to {to_account_id}")
def transfer_between_accounts(
    state: BankingState,
    ctx: CallContext,
    from_account_id: AccountId,
    to_account_id: AccountId,
    amount: Amount,
    reference: Reference = "Internal transfer",
) -> Json:
    """Move money between two own accounts at once, converted at today's rate when the currencies differ.

    Errors: `not_found`, `same_account`, `insufficient_funds`.

    Args:
        from_account_id: Account to take from.
        to_account_id: Account to put on.
        amount: Amount in the currency of the first account.
        reference: Text on both statements.
    """
    source, target = state.accounts.get(from_account_id), state.accounts.get(to_account_id)
    if source.id == target.id:
        raise conflict("Choose two different accounts.", type="same_account")
    check_funds(state, source, amount)
    factor = rate(state, source.currency, target.currency)
    for account, other, moved in ((source, target, -amount), (target, source, round(amount * factor, 2))):
        state.transactions.create(
            account_id=account.id,
            kind="transfer",
            amount=moved,
            counterparty=other.name,
            reference=reference,
            booked_on=ctx.today,
        )
    return {
        "rate": factor,
        "from_account": account_json(state, source, ctx.today),
        "to_account": account_json(state, target, ctx.today),
    }


@service.tool()
def search_notices(state: BankingState, ctx: CallContext, query: Query | None = None) -> Json:
    """Find messages of the bank by words in subject or text, latest first; get_notice has the full text.

    Args:
        query: Words that must all occur.
    """
    found = search(state.notices, query, lambda row: (row.subject, row.body))
    found = newest_first(found, "sent_at")
    return {"notices": [brief(row, "id", "subject", "sent_at") for row in found], "total": len(found)}


@service.tool()
def get_notice(state: BankingState, ctx: CallContext, notice_id: Annotated[str, f.ref("notices")]) -> Notice:
    """Read a message of the bank.

    Errors: `not_found`.

    Args:
        notice_id: Id of the notice.
    """
    return state.notices.get(notice_id)
