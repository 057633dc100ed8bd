"""Tools for the budgets that campaigns share."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, invalid
from services_app.library.ads.campaigns import Reason
from services_app.library.ads.figures import (
    account_of,
    check_cap,
    figures_of,
    groups_of,
    last_week,
    log,
    may_change,
)
from services_app.library.ads.state import AdsState, Budget, BudgetId, DailyAmount, service
from services_app.library.cast import ME
from services_app.library.shared import Json, Name, Query, brief, check_text, percent, same, search, total, with_fields


@service.tool()
def list_budgets(state: AdsState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the budgets with the campaigns that use them and what these cost in the last seven days.

    Args:
        query: Words in the name, note or address of the owner.
    """
    found = search(state.budgets, query, lambda row: (row.name, row.note, row.owner_email))
    return {"budgets": [_budget(state, ctx, row) for row in found], "total": len(found)}


def _budget(state: AdsState, ctx: CallContext, budget: Budget) -> Json:
    campaigns = [row for row in state.campaigns.find(budget_id=budget.id) if row.status != "removed"]
    groups = [group for row in campaigns for group in groups_of(state, row.id)]
    week = total(row.cost for row in figures_of(state, groups, last_week(ctx)))
    used = percent(week, 7 * budget.daily_amount)
    shown = [brief(row, "id", "name", "status") for row in campaigns]
    return with_fields(budget, campaigns=shown, cost_last_7_days=week, percent_used=used)


@service.tool(phrase="make the budget {name} of {daily_amount} a day")
def create_budget(
    state: AdsState, ctx: CallContext, name: Name, daily_amount: DailyAmount, note: Reason = "", locked: bool = False
) -> Json:
    """Make a budget of yours, which costs nothing until an enabled campaign uses it.

    Errors: `duplicate_name`, `blank_text`.

    Args:
        name: Name of the budget.
        daily_amount: What its campaigns together may spend a day.
        note: What it is for.
        locked: Whether only you may change it.
    """
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.budgets):
        raise conflict(f"There is a budget {clean!r} already; choose another name.", type="duplicate_name")
    made = state.budgets.create(name=clean, daily_amount=daily_amount, owner_email=ME.email, note=note, locked=locked)
    return _budget(state, ctx, made)


@service.tool(phrase="set the budget {budget_id} to {daily_amount} a day")
def set_daily_budget(
    state: AdsState, ctx: CallContext, budget_id: BudgetId, daily_amount: DailyAmount, reason: Reason = ""
) -> Json:
    """Set what the campaigns of a budget may spend a day; it is raised by at most the account's share in one step.

    Errors: `not_found`, `budget_locked`, `no_change`, `raise_too_large`, `over_monthly_cap`.

    Args:
        budget_id: Id of the budget.
        daily_amount: New amount a day.
        reason: Why, for the change history of its campaigns.
    """
    budget, account = state.budgets.get(budget_id), account_of(state)
    may_change(budget)
    if round(daily_amount, 2) == budget.daily_amount:
        raise conflict(f"{budget.name} is {budget.daily_amount:.2f} a day already.", type="no_change")
    most = round(budget.daily_amount * (1 + account.raise_limit / 100), 2)
    if daily_amount > most:
        raise invalid(
            f"From {budget.daily_amount:.2f} it can go to {most:.2f} in one step, {account.raise_limit:g} % more.",
            type="raise_too_large",
        )
    changed = state.budgets.patch(budget_id, daily_amount=daily_amount)
    check_cap(state, ctx)
    for row in state.campaigns.find(budget_id=budget_id):
        log(state, ctx, row.id, f"budget {budget.daily_amount:.2f} to {changed.daily_amount:.2f} a day", reason)
    return _budget(state, ctx, changed)
