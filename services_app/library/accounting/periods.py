"""Tools for monthly periods and for budgets."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.accounting.chart import AccountId
from services_app.library.accounting.ledger import balances
from services_app.library.accounting.state import AccountingState, Period, PeriodStatus, service
from services_app.library.shared import Json, brief, keep, percent, total, with_fields

PeriodId = Annotated[str, f.ref("periods")]
BudgetAmount = Annotated[float, f.Semantic("money"), Field(ge=0, le=100_000_000)]
REOPEN_MONTHS = 3


@service.tool()
def list_periods(state: AccountingState, ctx: CallContext, status: PeriodStatus | None = None) -> Json:
    """List the monthly periods, latest first, with how many journals are posted and still in draft.

    Args:
        status: Only open or only closed periods.
    """
    rows = []
    for period in sorted(keep(state.periods, status=status), key=lambda row: row.id, reverse=True):
        inside = [row for row in state.journals if period.starts_on <= row.posting_date <= period.ends_on]
        counts = {kind: sum(row.status == kind for row in inside) for kind in ("posted", "draft")}
        rows.append(with_fields(period, **counts))
    return {"periods": rows, "total": len(rows)}


@service.tool(
    phrase="close the accounting period {period_id}",
    examples=(Example({"period_id": "2026-01"}),),
)
def close_period(state: AccountingState, ctx: CallContext, period_id: PeriodId) -> Period:
    """Close a month that is over; earlier months must be closed and no drafts may be left in it.

    Errors: `not_found`, `already_closed`, `not_over`, `earlier_period_open`, `drafts_left`.

    Args:
        period_id: Year and month, such as 2026-02.
    """
    found = state.periods.get(period_id)
    if found.status == "closed":
        raise conflict(f"Period {period_id} is closed already.", type="already_closed")
    if found.ends_on >= ctx.today:
        raise conflict(f"Period {period_id} ends on {found.ends_on}; close it afterwards.", type="not_over")
    earlier = [row.id for row in state.periods if row.id < period_id and row.status == "open"]
    if earlier:
        raise conflict(f"Period {min(earlier)} is still open; close it first.", type="earlier_period_open")
    drafts = [row.number for row in state.journals.find(status="draft") if row.posting_date[:7] == period_id]
    if drafts:
        raise conflict(f"Post, move or void the drafts {', '.join(drafts[:5])} first.", type="drafts_left")
    return state.periods.patch(found.id, status="closed", closed_on=ctx.today)


@service.tool(
    phrase="reopen the accounting period {period_id}",
    examples=(Example({"period_id": "2025-12"}),),
)
def reopen_period(state: AccountingState, ctx: CallContext, period_id: PeriodId) -> Period:
    """Reopen the latest closed month, at most three months back.

    Errors: `not_found`, `not_closed`, `later_period_closed`, `too_old`.

    Args:
        period_id: Year and month, such as 2026-02.
    """
    found = state.periods.get(period_id)
    if found.status == "open":
        raise conflict(f"Period {period_id} is open.", type="not_closed")
    if any(row.id > period_id and row.status == "closed" for row in state.periods):
        raise conflict("A later period is closed; reopen that one first.", type="later_period_closed")
    months = (int(ctx.today[:4]) - int(period_id[:4])) * 12 + int(ctx.today[5:7]) - int(period_id[5:7])
    if months > REOPEN_MONTHS:
        raise forbidden(f"Period {period_id} is {months} months back; only three can be reopened.", type="too_old")
    return state.periods.patch(found.id, status="open", closed_on=None)


@service.tool(phrase="set the budget of account {account_id} for {period_id} to {amount}")
def set_budget(
    state: AccountingState, ctx: CallContext, account_id: AccountId, period_id: PeriodId, amount: BudgetAmount
) -> Json:
    """Set what an expense or revenue account may come to in a month that is not closed; replaces an earlier budget.

    Errors: `not_found`, `period_closed`, `no_budget_account`.

    Args:
        account_id: Id of an expense or revenue account.
        period_id: Year and month, such as 2026-04.
        amount: The budget.
    """
    account, found = state.accounts.get(account_id), state.periods.get(period_id)
    if account.type not in ("expense", "revenue"):
        raise conflict(
            f"Account {account.code} is of the type {account.type}; budgets are for expenses and revenue.",
            type="no_budget_account",
        )
    if found.status == "closed":
        raise conflict(f"Period {period_id} is closed; its budgets stand.", type="period_closed")
    old = state.budgets.first(account_id=account.id, period_id=found.id)
    if old is None:
        budget = state.budgets.create(account_id=account.id, period_id=found.id, amount=amount)
    else:
        budget = state.budgets.patch(old.id, amount=amount)
    return with_fields(budget, account_code=account.code, account_name=account.name, period=found.id)


@service.tool()
def budget_variance(state: AccountingState, ctx: CallContext, period_id: PeriodId, over_only: bool = False) -> Json:
    """Compare budgets of a month with what is posted: actual, variance (budget less actual) and the share used.

    Errors: `not_found`.

    Args:
        period_id: Year and month, such as 2026-02.
        over_only: true shows only accounts above their budget.
    """
    found = state.periods.get(period_id)
    actuals = balances(state, found.starts_on, found.ends_on)
    rows = []
    for budget in state.budgets.find(period_id=found.id):
        account, actual = state.accounts.get(budget.account_id), actuals.get(budget.account_id, 0.0)
        variance = total((budget.amount, -actual))
        share = percent(actual, budget.amount)
        rows.append(
            {
                **brief(account, "code", "name", "type"),
                "budget": budget.amount,
                "actual": actual,
                "variance": variance,
                "used_percent": share,
            }
        )
    rows = sorted((row for row in rows if row["variance"] < 0 or not over_only), key=lambda row: str(row["code"]))
    return {"period_id": found.id, "rows": rows, "budget_total": total(row["budget"] for row in rows)}
