"""Tools for campaigns and their links."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    keep,
    search,
    some_changes,
    with_fields,
)
from services_app.library.web_analytics.figures import counted, metrics, need
from services_app.library.web_analytics.state import (
    Campaign,
    CampaignId,
    CampaignMedium,
    Note,
    PageId,
    PropertyId,
    Source,
    UtmName,
    WebState,
    service,
)

Status = Annotated[Literal["planned", "running", "ended"], LABEL]
Budget = Annotated[float, f.Semantic("money"), Field(ge=0, le=1_000_000)]
Content = Annotated[str, f.Semantic("code"), Field(pattern=r"^[\w.\-]*$", max_length=40)]
PAID = ("cpc", "social")


def status_of(ctx: CallContext, row: Campaign) -> str:
    if row.start_date > ctx.today:
        return "planned"
    return "running" if row.end_date >= ctx.today else "ended"


def campaign_row(state: WebState, ctx: CallContext, row: Campaign) -> Json:
    """A campaign with what it brought from its first to its last day."""
    rows = [one for one in counted(state, row.property_id) if row.start_date <= one.date <= row.end_date]
    goals = state.goals.find(property_id=row.property_id)
    found = metrics(state, [one for one in rows if one.campaign == row.utm_campaign], goals)
    each = round(row.budget / found["conversions"], 2) if found["conversions"] else None
    figures = {name: found[name] for name in ("sessions", "conversions", "value")}
    return with_fields(row, status=status_of(ctx, row), **figures, cost_per_conversion=each)


def check_days(start: str, end: str) -> None:
    if check_date(end) < check_date(start):
        raise invalid(f"The campaign ends ({end}) before it starts ({start}).", type="invalid_range")


@service.tool()
def list_campaigns(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: WebState,
    ctx: CallContext,
    query: Query | None = None,
    property_id: PropertyId | None = None,
    status: Status | None = None,
    source: Source | None = None,
    medium: CampaignMedium | None = None,
    owner_email: f.Email | None = None,
    sort: Annotated[Literal["start_date", "sessions", "budget"], LABEL] = "start_date",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List campaigns with their budget, sessions, conversions and cost per conversion.

    Errors: `not_found`.

    Args:
        query: Words in the name or notes.
        property_id: Only campaigns of this property.
        status: Only campaigns that are planned, running or ended.
        source: Only campaigns on this source.
        medium: Only campaigns of this medium.
        owner_email: Only campaigns of this person.
        sort: start_date with the latest first, or the largest sessions or budget first.
        limit: At most so many campaigns.
        cursor: next_cursor of the previous page.
    """
    if property_id is not None:
        state.properties.get(property_id)
    found = search(state.campaigns, query, lambda row: (row.utm_campaign, row.notes))
    found = keep(found, property_id=property_id, source=source, medium=medium, owner_email=owner_email)
    rows = [campaign_row(state, ctx, row) for row in found]
    rows = [row for row in rows if status in (None, row["status"])]
    rows.sort(key=lambda row: (row[sort], row["id"]), reverse=True)
    return cursor_page("campaigns", rows, limit, cursor)


@service.tool(phrase="create the campaign {utm_campaign}")
def create_campaign(  # noqa: PLR0913, PLR0917 - what a campaign consists of
    state: WebState,
    ctx: CallContext,
    property_id: PropertyId,
    utm_campaign: UtmName,
    source: Source,
    medium: CampaignMedium,
    start_date: f.Date,
    end_date: f.Date,
    budget: Budget = 0.0,
    notes: Note = "",
) -> Json:
    """Create a campaign that you own, so that its links are recognised.

    Errors: `not_found`, `no_permission` (editors), `duplicate_campaign`, `invalid_range`, `in_the_past`,
    `budget_missing` (cpc and social are paid for), `invalid_date`.

    Args:
        property_id: Id of the property.
        utm_campaign: Name in links, such as spring-fleet-2026; the tracking plan says how it is made.
        source: Where it runs, such as google or newsletter.
        medium: cpc, email, social or referral.
        start_date: First day.
        end_date: Last day.
        budget: What may be spent, in GBP.
        notes: What people should know.
    """
    need(state, property_id, "editor")
    check_days(start_date, end_date)
    if end_date < ctx.today:
        raise invalid(f"{end_date} is over; today is {ctx.today}.", type="in_the_past")
    if medium in PAID and budget <= 0:
        raise invalid(f"A {medium} campaign needs a budget.", type="budget_missing")
    other = state.campaigns.first(property_id=property_id, utm_campaign=utm_campaign)
    if other is not None:
        raise conflict(f"{other.id} has this name; choose another.", type="duplicate_campaign")
    row = state.campaigns.create(
        property_id=property_id,
        utm_campaign=utm_campaign,
        source=source,
        medium=medium,
        budget=budget,
        start_date=start_date,
        end_date=end_date,
        owner_email=ME.email,
        notes=notes,
    )
    return campaign_row(state, ctx, row)


@service.tool(phrase="change the campaign {campaign_id}")
def update_campaign(
    state: WebState,
    ctx: CallContext,
    campaign_id: CampaignId,
    budget: Budget | Unset = UNSET,
    end_date: f.Date | Unset = UNSET,
    owner_email: f.Email | Unset = UNSET,
    notes: Note | Unset = UNSET,
) -> Json:
    """Change budget, last day, owner or notes of a campaign; one that is over gets new notes only.

    Errors: `not_found`, `no_permission`, `nothing_to_change`, `campaign_ended`, `invalid_range`, `in_the_past`,
    `budget_missing`, `invalid_date`.

    Args:
        campaign_id: Id of the campaign.
        budget: New budget, in GBP.
        end_date: New last day; today ends it.
        owner_email: New owner.
        notes: New notes.
    """
    row = state.campaigns.get(campaign_id)
    need(state, row.property_id, "editor")
    changes = some_changes(given(budget=budget, end_date=end_date, owner_email=owner_email, notes=notes))
    if status_of(ctx, row) == "ended" and changes.keys() - {"notes"}:
        raise conflict(f"{campaign_id} ended on {row.end_date}; create a new one.", type="campaign_ended")
    if "end_date" in changes:
        check_days(row.start_date, changes["end_date"])
        if changes["end_date"] < ctx.today:
            raise invalid(f"{changes['end_date']} is over; today is {ctx.today}.", type="in_the_past")
    if row.medium in PAID and changes.get("budget", 1) <= 0:
        raise invalid(f"A {row.medium} campaign needs a budget.", type="budget_missing")
    return campaign_row(state, ctx, state.campaigns.patch(campaign_id, **changes))


@service.tool()
def get_campaign_url(
    state: WebState, ctx: CallContext, campaign_id: CampaignId, page_id: PageId, content: Content = ""
) -> Json:
    """Show the link to a page by which visitors of a campaign are recognised.

    Errors: `not_found`, `other_property` (the page belongs to another site), `campaign_ended`.

    Args:
        campaign_id: Id of the campaign.
        page_id: Id of the page.
        content: Word that tells several links of a campaign apart.
    """
    row, page = state.campaigns.get(campaign_id), state.pages.get(page_id)
    if page.property_id != row.property_id:
        raise invalid(f"{page_id} is not on the site of {campaign_id}.", type="other_property")
    if status_of(ctx, row) == "ended":
        raise conflict(f"{campaign_id} ended on {row.end_date}; its links do not count.", type="campaign_ended")
    domain = state.properties.get(row.property_id).domain
    url = f"https://{domain}{page.path}?utm_source={row.source}&utm_medium={row.medium}&utm_campaign={row.utm_campaign}"
    return {"url": f"{url}&utm_content={content}" if content else url, "campaign": row.utm_campaign}
