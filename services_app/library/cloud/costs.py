"""Tools for costs, budgets and what could be saved."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.cloud.figures import forecast, instance_row, volume_row
from services_app.library.cloud.network import PUBLIC_PORTS, WORLD
from services_app.library.cloud.state import AccountId, Budget, CloudState, CostCenter, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Json,
    check_range,
    keep,
    percent,
    same,
    some_changes,
    total,
    with_fields,
)

RAISE_WITHOUT_FINANCE = 1.2
IDLE_DAYS = 14


_DECEMBER = {
    "group_by": "product",
    "account": "larkfield-production",
    "cost_center": "CC-200",
    "product": "compute",
    "start": "2025-11-01",
    "end": "2025-12-31",
}


@service.tool(examples=(Example({**_DECEMBER}),))
def get_cost_and_usage(
    state: CloudState,
    ctx: CallContext,
    group_by: Annotated[Literal["account", "cost_center", "product", "month"], LABEL] = "account",
    account: AccountId | None = None,
    cost_center: CostCenter | None = None,
    product: Annotated[Literal["compute", "storage", "network", "support"], LABEL] | None = None,
    start: f.Date | None = None,
    end: f.Date | None = None,
) -> Json:
    """Sum up what has been billed, by account, cost centre, product or month, the largest sum first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        group_by: What gets a sum.
        account: Only this account.
        cost_center: Only this cost centre.
        product: Only this product.
        start: Day in the first month.
        end: Day in the last month.
    """
    if account is not None:
        state.accounts.get(account)
    check_range(start, end)
    sums: dict[str, list[float]] = {}
    for row in keep(state.costs, account=account, cost_center=cost_center, product=product):
        if (start or "")[:7] <= row.month <= (end or "9999")[:7]:
            sums.setdefault(getattr(row, group_by), []).append(row.amount)
    groups: list[Json] = [{group_by: key, "amount": total(amounts)} for key, amounts in sums.items()]
    groups.sort(key=lambda row: (-row["amount"], row[group_by]))
    return {"groups": groups, "total": total(row["amount"] for row in groups), "currency": "USD"}


def budget_row(state: CloudState, budget: Budget) -> Json:
    """A budget with the forecast of its account."""
    coming = forecast(state, budget.account)
    return with_fields(
        budget,
        forecast=coming,
        left=total([budget.monthly_limit, -coming]),
        used_percent=percent(coming, budget.monthly_limit),
    )


@service.tool()
def list_budgets(
    state: CloudState, ctx: CallContext, account: AccountId | None = None, exceeded: bool | None = None
) -> Json:
    """List budgets with what a month costs as things are now, the most used first.

    Errors: `not_found`.

    Args:
        account: Only budgets of this account.
        exceeded: true for budgets that the forecast exceeds, false for the others.
    """
    if account is not None:
        state.accounts.get(account)
    rows = [budget_row(state, row) for row in keep(state.budgets, account=account)]
    rows = [row for row in rows if exceeded in (None, row["left"] < 0)]
    rows.sort(key=lambda row: (-row["used_percent"], row["id"]))
    return {"budgets": rows, "total": len(rows)}


@service.tool(phrase="change the budget {budget_id}")
def update_budget(
    state: CloudState,
    ctx: CallContext,
    budget_id: Annotated[str, f.ref("budgets")],
    monthly_limit: Amount | Unset = UNSET,
    notify_emails: Annotated[tuple[f.Email, ...], Field(min_length=1, max_length=5)] | Unset = UNSET,
    blocks_launches: bool | Unset = UNSET,
) -> Json:
    """Change the limit of a budget or whom it tells; raising it by more than a fifth is for the owner of the account.

    Errors: `not_found`, `nothing_to_change`, `needs_owner`, `duplicate_email`.

    Args:
        budget_id: Id of the budget.
        monthly_limit: New limit in USD.
        notify_emails: Who is told, instead of those before.
        blocks_launches: Whether it blocks launches that would exceed it.
    """
    budget = state.budgets.get(budget_id)
    owner = state.accounts.get(budget.account).owner_email
    changes = some_changes(
        given(monthly_limit=monthly_limit, notify_emails=notify_emails, blocks_launches=blocks_launches)
    )
    limit = changes.get("monthly_limit", 0)
    if limit > budget.monthly_limit * RAISE_WITHOUT_FINANCE and not same(owner, ME.email):
        most = total([budget.monthly_limit * RAISE_WITHOUT_FINANCE])
        raise forbidden(f"Only {owner} raises {budget_id} above {most:,.2f}.", type="needs_owner")
    emails = [email.lower() for email in changes.get("notify_emails", ())]
    if len(set(emails)) < len(emails):
        raise conflict("An address is there twice; send each once.", type="duplicate_email")
    return budget_row(state, state.budgets.patch(budget_id, **changes))


@service.tool()
def list_recommendations(
    state: CloudState,
    ctx: CallContext,
    account: AccountId | None = None,
    category: Annotated[Literal["cost", "security"], LABEL] | None = None,
) -> Json:
    """List what could be saved or secured: free volumes, instances stopped for two weeks, retired types, open ports.

    Errors: `not_found`.

    Args:
        account: Only this account.
        category: cost or security.
    """
    if account is not None:
        state.accounts.get(account)
    rows = [row for row in (*_idle(state, ctx), *_open(state)) if account in (None, row["account"])]
    rows = [row for row in rows if category in (None, row["category"])]
    rows.sort(key=lambda row: (-row["saves_a_month"], row["resource_id"]))
    return {"recommendations": rows, "total": len(rows), "saves_a_month": total(row["saves_a_month"] for row in rows)}


def _recommendation(account: str, resource: str, category: str, reason: str, saves: float) -> Json:
    keys = ("account", "resource_id", "category", "reason", "saves_a_month")
    return dict(zip(keys, (account, resource, category, reason, saves), strict=True))


def _idle(state: CloudState, ctx: CallContext) -> list[Json]:
    found = []
    for volume in state.volumes.find(instance_id=None):
        saves = volume_row(volume)["monthly_cost"]
        found.append(_recommendation(volume.account, volume.id, "cost", "unattached volume", saves))
    for row in state.instances:
        if row.state == "stopped" and row.state_changed_at[:10] <= ctx.in_days(-IDLE_DAYS):
            saves = instance_row(state, row)["monthly_cost"]
            found.append(_recommendation(row.account, row.id, "cost", "stopped for two weeks", saves))
        if row.state != "terminated" and state.instance_types.get(row.instance_type).retired:
            reason = f"{row.instance_type} is retired"
            found.append(_recommendation(row.account, row.id, "security", reason, 0.0))
    return found


def _open(state: CloudState) -> list[Json]:
    return [
        _recommendation(
            state.security_groups.get(rule.group_id).account, rule.id, "security", f"port {rule.from_port} is open", 0.0
        )
        for rule in state.ingress_rules
        if rule.cidr == WORLD and rule.from_port not in PUBLIC_PORTS
    ]
