"""What follows from the daily figures, and the rules that several tools look at."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import CallContext, conflict, forbidden
from services_app.library.ads.state import Account, AdGroup, AdsState, Budget, Campaign, DailyFigure
from services_app.library.cast import ME
from services_app.library.shared import Json, days_between, percent, plus_days, same, total

MONTH_DAYS = 30


def account_of(state: AdsState) -> Account:
    return state.accounts.get("ACT-1")


def performance(figures: Iterable[DailyFigure]) -> Json:
    """Sums of daily figures with rates and prices; a price of nothing is null."""
    rows = list(figures)
    shown, clicks = sum(row.impressions for row in rows), sum(row.clicks for row in rows)
    sales, cost = sum(row.conversions for row in rows), total(row.cost for row in rows)
    value = total(row.conversion_value for row in rows)
    return {
        "impressions": shown,
        "clicks": clicks,
        "conversions": sales,
        "cost": cost,
        "conversion_value": value,
        "ctr": percent(clicks, shown, 2),
        "average_cpc": round(cost / clicks, 2) if clicks else None,
        "cost_per_conversion": round(cost / sales, 2) if sales else None,
        "return_on_spend": round(value / cost, 2) if cost else None,
    }


def groups_of(state: AdsState, campaign_id: str) -> list[AdGroup]:
    return state.ad_groups.find(campaign_id=campaign_id)


def figures_of(
    state: AdsState, groups: Iterable[AdGroup], first: str | None = None, last: str | None = None
) -> list[DailyFigure]:
    """Figures of ad groups, between two days where they are given, both included."""
    wanted = {row.id for row in groups}
    return [row for row in state.figures if row.ad_group_id in wanted and (first or "") <= row.day <= (last or "9999")]


def last_week(ctx: CallContext) -> str:
    """The first of the last seven days before today."""
    return plus_days(ctx.today, -7)


def spent_this_month(state: AdsState, ctx: CallContext) -> float:
    return total(row.cost for row in state.figures if row.day[:7] == ctx.today[:7])


def running(campaign: Campaign, today: str) -> bool:
    """Whether a campaign may show ads today."""
    started = campaign.start_date <= today
    return campaign.status == "enabled" and started and (campaign.end_date is None or campaign.end_date >= today)


def daily_commitment(state: AdsState, today: str) -> float:
    """Daily amounts of the budgets that an enabled campaign uses which has not ended."""
    used = {
        row.budget_id for row in state.campaigns.find(status="enabled") if row.end_date is None or row.end_date >= today
    }
    return total(row.daily_amount for row in state.budgets if row.id in used)


def check_cap(state: AdsState, ctx: CallContext) -> None:
    """After a change: what is committed for a month stays below the cap; 403 `over_monthly_cap`."""
    account, wanted = account_of(state), daily_commitment(state, ctx.today) * MONTH_DAYS
    if wanted > account.monthly_cap:
        raise forbidden(
            f"Enabled campaigns could spend {wanted:.2f} in {MONTH_DAYS} days, more than the cap of "
            f"{account.monthly_cap:.2f}; pause a campaign or lower a budget first.",
            type="over_monthly_cap",
        )


def live_campaign(state: AdsState, campaign_id: str) -> Campaign:
    """A campaign that has not been removed; 409 `campaign_removed`."""
    campaign = state.campaigns.get(campaign_id)
    if campaign.status == "removed":
        raise conflict(f"{campaign.name} has been removed; make a new campaign.", type="campaign_removed")
    return campaign


def live_group(state: AdsState, ad_group_id: str) -> AdGroup:
    """An ad group that can be changed; 409 `ad_group_removed` or `campaign_removed`."""
    group = state.ad_groups.get(ad_group_id)
    live_campaign(state, group.campaign_id)
    if group.status == "removed":
        raise conflict(f"{group.name} has been removed; use another ad group.", type="ad_group_removed")
    return group


def may_change(budget: Budget) -> None:
    """403 `budget_locked` for a locked budget of somebody else."""
    if budget.locked and not same(budget.owner_email, ME.email):
        raise forbidden(f"{budget.name} is locked; ask {budget.owner_email} to change it.", type="budget_locked")


def log(state: AdsState, ctx: CallContext, campaign_id: str, what: str, reason: str = "") -> None:
    """Keep who changed what; the history is never edited."""
    state.changes.create(campaign_id=campaign_id, what=what, reason=reason, by_email=ME.email, at=ctx.now)


def days_left(campaign: Campaign, today: str) -> int | None:
    return None if campaign.end_date is None else max(0, days_between(today, campaign.end_date))
