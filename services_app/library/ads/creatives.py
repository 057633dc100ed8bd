"""Tools for ads, their review, the reports and the change history."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.ads.figures import account_of, figures_of, groups_of, live_group, log, performance
from services_app.library.ads.state import (
    Ad,
    AdId,
    AdsState,
    Approval,
    CampaignId,
    Description,
    GroupId,
    Headline,
    PageUrl,
    RunStatus,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    check_text,
    cursor_page,
    grouped,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
    within,
)

GroupBy = Annotated[Literal["campaign", "ad_group", "channel", "day"], LABEL]
MOST_ADS = 8
_CLAIMS = re.compile(r"\b(best|guaranteed|free|cheapest|number one)\b", re.IGNORECASE)
_SHOUTING = re.compile(r"\b[A-Z]{5,}\b")


def judged(headline: str, description: str) -> Json:
    """What the automatic review says of an ad: approval and, where it is refused, the reason."""
    for text in (headline, description):
        if "!" in text:
            return {"approval": "disapproved", "disapproval_reason": "Punctuation: exclamation marks are not allowed."}
        if _SHOUTING.search(text):
            return {"approval": "disapproved", "disapproval_reason": "Capitalisation: write words in lower case."}
    claim = _CLAIMS.search(f"{headline} {description}")
    return {"approval": "under_review" if claim else "approved", "disapproval_reason": ""}


def _own_page(state: AdsState, url: str) -> str:
    host = url.split("/")[2].lower()
    domain = account_of(state).landing_domain
    if host != domain and not host.endswith(f".{domain}"):
        raise forbidden(f"Ads have to lead to pages of {domain}, not {host}.", type="foreign_domain")
    return url


@service.tool()
def list_ads(
    state: AdsState,
    ctx: CallContext,
    query: Query | None = None,
    campaign_id: CampaignId | None = None,
    approval: Approval | None = None,
    status: RunStatus | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List ads with their ad group and campaign, newest first.

    Args:
        query: Words in the headline, description, address of the page or reason of a disapproval.
        campaign_id: Only ads of this campaign.
        approval: Only ads with this result of the review.
        status: Only ads with this status.
        limit: At most so many ads.
        cursor: next_cursor of the previous page.
    """
    found = search(state.ads, query, lambda row: (row.headline, row.description, row.final_url, row.disapproval_reason))
    rows = []
    for row in keep(found, approval=approval, status=status):
        group = state.ad_groups.get(row.ad_group_id)
        if campaign_id in (None, group.campaign_id):
            campaign = state.campaigns.get(group.campaign_id)
            rows.append(with_fields(row, ad_group=group.name, campaign_id=campaign.id, campaign=campaign.name))
    rows = newest_first(rows, "created_at")
    return cursor_page("ads", rows, limit, cursor)


@service.tool(phrase="write the ad {headline} for the ad group {ad_group_id}")
def create_ad(
    state: AdsState,
    ctx: CallContext,
    ad_group_id: GroupId,
    headline: Headline,
    description: Description,
    final_url: PageUrl,
) -> Ad:
    """Write an ad; it is reviewed at once.

    Exclamation marks and words in capitals are refused, claims such as best, free or guaranteed wait for a person.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `too_many_ads`, `duplicate_ad`, `foreign_domain`,
    `blank_text`.

    Args:
        ad_group_id: Id of the ad group.
        headline: At most 30 characters.
        description: At most 90 characters.
        final_url: Page it leads to, of the company's domain.
    """
    group = live_group(state, ad_group_id)
    check_text(headline, "headline")
    check_text(description, "description")
    present = [row for row in state.ads.find(ad_group_id=ad_group_id) if row.status != "removed"]
    if len(present) >= MOST_ADS:
        raise conflict(f"{group.name} has {MOST_ADS} ads; remove one first.", type="too_many_ads")
    _different(present, headline, description)
    ad = state.ads.create(
        ad_group_id=ad_group_id,
        headline=headline,
        description=description,
        final_url=_own_page(state, final_url),
        status="enabled",
        created_at=ctx.now,
        **judged(headline, description),
    )
    log(state, ctx, group.campaign_id, f"ad {ad.id} written")
    return ad


def _different(present: list[Ad], headline: str, description: str) -> None:
    for row in present:
        if same(row.headline, headline) and same(row.description, description):
            raise conflict(f"{row.id} of this ad group says the same; change the text.", type="duplicate_ad")


@service.tool(phrase="change the ad {ad_id}")
def update_ad(
    state: AdsState,
    ctx: CallContext,
    ad_id: AdId,
    status: RunStatus | Unset = UNSET,
    headline: Headline | Unset = UNSET,
    description: Description | Unset = UNSET,
    final_url: PageUrl | Unset = UNSET,
) -> Ad:
    """Change an ad; new texts are reviewed again, and an open appeal is dropped with them.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `ad_removed`, `nothing_to_change`, `duplicate_ad`,
    `foreign_domain`, `blank_text`.

    Args:
        ad_id: Id of the ad.
        status: Enabled, paused, or removed for good.
        headline: New headline, at most 30 characters.
        description: New description, at most 90 characters.
        final_url: New page, of the company's domain.
    """
    ad = state.ads.get(ad_id)
    group = live_group(state, ad.ad_group_id)
    if ad.status == "removed":
        raise conflict(f"{ad_id} has been removed; write a new ad.", type="ad_removed")
    changes = some_changes(given(status=status, headline=headline, description=description, final_url=final_url))
    if "final_url" in changes:
        _own_page(state, changes["final_url"])
    texts = (changes.get("headline", ad.headline), changes.get("description", ad.description))
    if texts != (ad.headline, ad.description):
        check_text(texts[0], "headline")
        check_text(texts[1], "description")
        others = [row for row in state.ads.find(ad_group_id=group.id) if row.id != ad_id and row.status != "removed"]
        _different(others, *texts)
        changes |= {**judged(*texts), "appeal": "none"}
    log(state, ctx, group.campaign_id, f"ad {ad_id}: {', '.join(sorted(changes))}")
    return state.ads.patch(ad_id, **changes)


@service.tool(phrase="appeal against the disapproval of the ad {ad_id}")
def appeal_disapproval(state: AdsState, ctx: CallContext, ad_id: AdId, explanation: Body) -> Ad:
    """Ask for a second look at a disapproved ad; a text can be appealed once.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `not_disapproved`, `already_appealed`, `blank_text`.

    Args:
        ad_id: Id of the ad.
        explanation: Why the ad keeps the rules; goes to the change history.
    """
    ad = state.ads.get(ad_id)
    group = live_group(state, ad.ad_group_id)
    check_text(explanation, "explanation")
    if ad.approval != "disapproved":
        raise conflict(f"{ad_id} is {ad.approval}; there is nothing to appeal.", type="not_disapproved")
    if ad.appeal != "none":
        raise conflict(f"The appeal for {ad_id} is {ad.appeal}; change the text instead.", type="already_appealed")
    log(state, ctx, group.campaign_id, f"appeal for ad {ad_id}", explanation)
    return state.ads.patch(ad_id, appeal="open")


@service.tool()
def get_performance_report(
    state: AdsState,
    ctx: CallContext,
    group_by: GroupBy = "campaign",
    campaign_id: CampaignId | None = None,
    date_from: f.Date | None = None,
    date_until: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Report impressions, clicks, conversions, cost and value by campaign, ad group, channel or day, with the totals.

    Rows stand in the order of their cost, days in that of the calendar.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        group_by: What a row stands for.
        campaign_id: Only figures of this campaign.
        date_from: First day.
        date_until: Last day.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    check_range(date_from, date_until)
    groups = groups_of(state, state.campaigns.get(campaign_id).id) if campaign_id else list(state.ad_groups)
    campaigns = {row.id: row for row in state.campaigns}
    keys = {
        row.id: (row.campaign_id, campaigns[row.campaign_id].name)
        if group_by == "campaign"
        else (row.id, row.name)
        if group_by == "ad_group"
        else (campaigns[row.campaign_id].channel, "")
        for row in groups
    }
    figures = figures_of(state, groups, date_from, date_until)
    parts = grouped(figures, lambda row: (row.day, "") if group_by == "day" else keys[row.ad_group_id])
    rows = []
    for (key, name), held in parts.items():
        named = {"name": name} if name else {}
        rows.append({group_by: key, **named, **performance(held)})
    rows.sort(key=lambda row: row["day"] if group_by == "day" else (-row["cost"], row[group_by]))
    return {**cursor_page("rows", rows, limit, cursor), "totals": performance(figures)}


@service.tool()
def list_change_history(
    state: AdsState,
    ctx: CallContext,
    campaign_id: CampaignId | None = None,
    query: Query | None = None,
    by_email: f.Email | None = None,
    since: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List who changed what in which campaign and why, newest first.

    Errors: `invalid_date`.

    Args:
        campaign_id: Only changes of this campaign.
        query: Words in the change or its reason.
        by_email: Only changes by this person.
        since: Only changes on or after this day.
        limit: At most so many changes.
        cursor: next_cursor of the previous page.
    """
    found = search(state.changes, query, lambda row: (row.what, row.reason))
    found = within(keep(found, campaign_id=campaign_id, by_email=by_email), "at", since, None)
    found = newest_first(found, "at")
    page = cursor_page("changes", found, limit, cursor)
    page["changes"] = [with_fields(row, campaign=state.campaigns.get(row.campaign_id).name) for row in page["changes"]]
    return page
