"""The financial statements, computed from posted lines."""

from __future__ import annotations

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.accounting.journals import CostCenterId
from services_app.library.accounting.ledger import (
    BALANCE_TYPES,
    DEBIT_TYPES,
    balances,
    lines_by_account,
    net,
    posted,
)
from services_app.library.accounting.state import AccountingState, AccountType, service
from services_app.library.shared import Json, brief, check_date, check_range, total


@service.tool()
def trial_balance(
    state: AccountingState, ctx: CallContext, as_of: f.Date | None = None, include_zero: bool = False
) -> Json:
    """List every account with its balance as a debit or a credit; the two columns have equal sums.

    Errors: `invalid_date`.

    Args:
        as_of: Last day that counts; today, if left out.
        include_zero: true shows accounts with a balance of zero.
    """
    day = check_date(as_of) if as_of else ctx.today
    sums, rows = balances(state, last=day), []
    for account in sorted(state.accounts, key=lambda row: row.code):
        amount = sums.get(account.id, 0.0)
        if amount or include_zero:
            debit = (account.type in DEBIT_TYPES) == (amount >= 0)
            sides = {"debit": abs(amount) if debit else 0.0, "credit": 0.0 if debit else abs(amount)}
            rows.append({**brief(account, "code", "name", "type"), **sides})
    return {
        "as_of": day,
        "accounts": rows,
        "total_debit": total(row["debit"] for row in rows),
        "total_credit": total(row["credit"] for row in rows),
    }


@service.tool()
def profit_and_loss(
    state: AccountingState,
    ctx: CallContext,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    cost_center_id: CostCenterId | None = None,
) -> Json:
    """Show revenue, expenses and net profit of some days, by account; this year to date, if none are given.

    Errors: `invalid_date`, `invalid_range`, `not_found`.

    Args:
        from_date: First day; 1 January of this year, if left out.
        to_date: Last day; today, if left out.
        cost_center_id: Only lines that count for this cost center.
    """
    first, last = from_date or f"{ctx.today[:4]}-01-01", to_date or ctx.today
    check_range(first, last)
    if cost_center_id is not None:
        state.cost_centers.get(cost_center_id)
    entries = [entry for entry in posted(state, first, last) if cost_center_id in (None, entry.line.cost_center_id)]
    parts: dict[str, list[Json]] = {"revenue": [], "expense": []}
    for key, lines in lines_by_account(entries).items():
        account = state.accounts.get(key)
        if account.type in parts:
            parts[account.type].append({**brief(account, "code", "name"), "amount": net(account, lines)})
    revenue, expenses = (sorted(parts[kind], key=lambda row: str(row["code"])) for kind in ("revenue", "expense"))
    sums = [total(row["amount"] for row in rows) for rows in (revenue, expenses)]
    return {
        "from_date": first,
        "to_date": last,
        "revenue": revenue,
        "expenses": expenses,
        "total_revenue": sums[0],
        "total_expenses": sums[1],
        "net_profit": total((sums[0], -sums[1])),
    }


@service.tool()
def balance_sheet(state: AccountingState, ctx: CallContext, as_of: f.Date | None = None) -> Json:
    """Show assets, liabilities and equity on a day; what was earned and not distributed is part of equity.

    Errors: `invalid_date`.

    Args:
        as_of: Day of the statement; today, if left out.
    """
    day = check_date(as_of) if as_of else ctx.today
    sums = balances(state, last=day)
    parts: dict[AccountType, list[Json]] = {kind: [] for kind in ("asset", "liability", "equity")}
    earned = []
    for account in sorted(state.accounts, key=lambda row: row.code):
        amount = sums.get(account.id, 0.0)
        if account.type in BALANCE_TYPES and amount:
            parts[account.type].append({**brief(account, "code", "name"), "amount": amount})
        elif account.type not in BALANCE_TYPES:
            earned.append(amount if account.type == "revenue" else -amount)
    parts["equity"].append({"code": "", "name": "Earnings not yet distributed", "amount": total(earned)})
    return {
        "as_of": day,
        "assets": parts["asset"],
        "liabilities": parts["liability"],
        "equity": parts["equity"],
        **{f"total_{kind}": total(row["amount"] for row in rows) for kind, rows in parts.items()},
    }
