"""Tools for campaigns and the budgets they share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.ads.figures import (
    MONTH_DAYS,
    account_of,
    check_cap,
    daily_commitment,
    days_left,
    figures_of,
    groups_of,
    last_week,
    live_campaign,
    log,
    performance,
    running,
    spent_this_month,
)
from services_app.library.ads.state import (
    AdsState,
    Bid,
    Bidding,
    BudgetId,
    Campaign,
    CampaignId,
    Channel,
    RunStatus,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_range,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

Locations = Annotated[list[f.Place], Field(min_length=1, max_length=20)]
Reason = Annotated[str, f.Semantic("text"), Field(max_length=500)]


@service.tool()
def get_account(state: AdsState, ctx: CallContext) -> Json:
    """Show the advertising account: what has been spent this month, what enabled campaigns may spend, and the cap."""
    account, spent = account_of(state), spent_this_month(state, ctx)
    committed = daily_commitment(state, ctx.today)
    return with_fields(
        account,
        spent_this_month=spent,
        left_this_month=total((account.monthly_cap, -spent)),
        committed_a_day=committed,
        committed_a_month=total((committed * MONTH_DAYS,)),
    )


@service.tool()
def list_campaigns(
    state: AdsState,
    ctx: CallContext,
    query: Query | None = None,
    status: RunStatus | None = None,
    channel: Channel | None = None,
    budget_id: BudgetId | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List campaigns with their budget and the cost of the last seven days, the dearest first.

    Args:
        query: Words in the name, brief or locations.
        status: Only campaigns with this status; removed ones are shown only when asked for.
        channel: Only campaigns of this channel.
        budget_id: Only campaigns that use this budget.
        limit: At most so many campaigns.
        cursor: next_cursor of the previous page.
    """
    found = search(state.campaigns, query, lambda row: (row.name, row.brief, *row.locations))
    found = keep(found, status=status, channel=channel, budget_id=budget_id)
    rows = []
    for row in found:
        if status is None and row.status == "removed":
            continue
        week = total(day.cost for day in figures_of(state, groups_of(state, row.id), last_week(ctx)))
        shown = brief(row, "id", "name", "channel", "status", "budget_id", "start_date", "end_date", "owner_email")
        rows.append({**shown, "running": running(row, ctx.today), "cost_last_7_days": week})
    rows.sort(key=lambda row: (-row["cost_last_7_days"], row["id"]))
    return cursor_page("campaigns", rows, limit, cursor)


@service.tool()
def get_campaign(state: AdsState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Show a campaign with its budget, ad groups, negative keywords and figures since it started.

    Errors: `not_found`.

    Args:
        campaign_id: Id of the campaign.
    """
    return _shown(state, ctx, state.campaigns.get(campaign_id))


def _shown(state: AdsState, ctx: CallContext, campaign: Campaign) -> Json:
    groups, budget = groups_of(state, campaign.id), state.budgets.get(campaign.budget_id)
    return with_fields(
        campaign,
        running=running(campaign, ctx.today),
        days_left=days_left(campaign, ctx.today),
        budget=brief(budget, "name", "daily_amount", "locked"),
        ad_groups=[brief(row, "id", "name", "status", "default_bid") for row in groups],
        negative_keywords=[brief(row, "id", "text") for row in state.negatives.find(campaign_id=campaign.id)],
        **performance(figures_of(state, groups)),
    )


def _dates(ctx: CallContext, start: str, end: str | None) -> None:
    check_date(start)
    if end is None:
        return
    check_range(start, end)
    if end < ctx.today:
        raise invalid(f"The campaign would have ended on {end}; it is {ctx.today}.", type="in_the_past")


def _unused(state: AdsState, name: str, own: str = "") -> str:
    clean = check_text(name, "name")
    if any(same(row.name, clean) and row.id != own and row.status != "removed" for row in state.campaigns):
        raise conflict(f"There is a campaign {clean!r} already; choose another name.", type="duplicate_name")
    return clean


def _target(bidding: str, target_cpa: float | None) -> float | None:
    if bidding == "target_cpa" and target_cpa is None:
        raise invalid("Bidding to a cost per conversion needs target_cpa.", type="target_missing")
    if bidding != "target_cpa" and target_cpa is not None:
        raise invalid(f"With {bidding} bidding there is no target_cpa; leave it out.", type="target_not_used")
    return target_cpa


@service.tool(phrase="set up the ad campaign {name}")
def create_campaign(  # noqa: PLR0913, PLR0917 - fields of the product
    state: AdsState,
    ctx: CallContext,
    name: Name,
    budget_id: BudgetId,
    channel: Channel = "search",
    locations: Locations | None = None,
    start_date: f.Date | None = None,
    end_date: f.Date | None = None,
    bidding: Bidding | None = None,
    target_cpa: Bid | None = None,
) -> Json:
    """Set up a paused campaign of yours; add ad groups and ads, then enable it.

    Errors: `not_found`, `duplicate_name`, `target_missing`, `target_not_used`, `in_the_past`, `invalid_range`,
    `invalid_date`, `blank_text`.

    Args:
        name: Name of the campaign.
        budget_id: Budget it spends from.
        channel: Where its ads are shown.
        locations: Countries or cities in which they are shown; the United Kingdom, if left out.
        start_date: First day; today, if left out.
        end_date: Last day; none, if left out.
        bidding: How prices of clicks are chosen; by hand, or to target_cpa where that is given.
        target_cpa: Wanted cost of one conversion, for target_cpa bidding.
    """
    state.budgets.get(budget_id)
    start = start_date or ctx.today
    _dates(ctx, start, end_date)
    chosen = bidding or ("manual_cpc" if target_cpa is None else "target_cpa")
    campaign = state.campaigns.create(
        name=_unused(state, name),
        channel=channel,
        status="paused",
        budget_id=budget_id,
        bidding=chosen,
        target_cpa=_target(chosen, target_cpa),
        start_date=start,
        end_date=end_date,
        locations=tuple(locations or ("United Kingdom",)),
        owner_email=ME.email,
    )
    log(state, ctx, campaign.id, "created")
    return _shown(state, ctx, campaign)


@service.tool(phrase="change the ad campaign {campaign_id}")
def update_campaign(  # noqa: PLR0913, PLR0917 - fields of the product
    state: AdsState,
    ctx: CallContext,
    campaign_id: CampaignId,
    name: Name | Unset = UNSET,
    budget_id: BudgetId | Unset = UNSET,
    end_date: f.Date | Unset | None = UNSET,
    locations: Locations | Unset = UNSET,
    bidding: Bidding | Unset = UNSET,
    target_cpa: Bid | Unset = UNSET,
) -> Json:
    """Change name, budget, end, locations or bidding of a campaign; what is left out stays.

    Errors: `not_found`, `campaign_removed`, `nothing_to_change`, `duplicate_name`, `target_missing`,
    `target_not_used`, `over_monthly_cap`, `in_the_past`, `invalid_range`, `invalid_date`, `blank_text`.

    Args:
        campaign_id: Id of the campaign.
        name: New name.
        budget_id: Budget to spend from.
        end_date: New last day; null for none.
        locations: New locations, all of them.
        bidding: New way of bidding.
        target_cpa: Wanted cost of one conversion.
    """
    campaign = live_campaign(state, campaign_id)
    changes = some_changes(
        given(
            name=name,
            budget_id=budget_id,
            end_date=end_date,
            locations=locations,
            bidding=bidding,
            target_cpa=target_cpa,
        )
    )
    if "name" in changes:
        changes["name"] = _unused(state, changes["name"], own=campaign_id)
    if "budget_id" in changes:
        state.budgets.get(changes["budget_id"])
    if "end_date" in changes:
        _dates(ctx, campaign.start_date, changes["end_date"])
    kept = campaign.target_cpa if changes.get("bidding") in (None, "target_cpa") else None
    target = _target(changes.get("bidding", campaign.bidding), changes.get("target_cpa", kept))
    updated = state.campaigns.patch(campaign_id, **{**changes, "target_cpa": target})
    if updated.status == "enabled":
        check_cap(state, ctx)
    log(state, ctx, campaign_id, f"changed {', '.join(sorted(changes))}")
    return _shown(state, ctx, updated)


@service.tool(phrase="set the ad campaign {campaign_id} to {status}")
def set_campaign_status(
    state: AdsState, ctx: CallContext, campaign_id: CampaignId, status: RunStatus, reason: Reason = ""
) -> Json:
    """Enable, pause or remove a campaign; to run, it needs an enabled ad group with an approved, enabled ad.

    Errors: `not_found`, `campaign_removed`, `no_change`, `nothing_to_show`, `campaign_over`, `over_monthly_cap`.

    Args:
        campaign_id: Id of the campaign.
        status: Enabled, paused, or removed for good.
        reason: Why, for the change history.
    """
    campaign = live_campaign(state, campaign_id)
    if campaign.status == status:
        raise conflict(f"{campaign.name} is {status} already.", type="no_change")
    if status == "enabled":
        if campaign.end_date is not None and campaign.end_date < ctx.today:
            raise conflict(f"{campaign.name} ended on {campaign.end_date}; move its end first.", type="campaign_over")
        groups = {row.id for row in groups_of(state, campaign_id) if row.status == "enabled"}
        ads = state.ads.find(status="enabled", approval="approved")
        if not any(row.ad_group_id in groups for row in ads):
            raise conflict(f"{campaign.name} has no approved ad that is enabled; add one.", type="nothing_to_show")
    changed = state.campaigns.patch(campaign_id, status=status)
    if status == "enabled":
        check_cap(state, ctx)
    log(state, ctx, campaign_id, f"status {status}", reason)
    return _shown(state, ctx, changed)
