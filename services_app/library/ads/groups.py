"""Tools for ad groups, keywords, search terms and negative keywords."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.ads.figures import figures_of, live_campaign, live_group, log, performance
from services_app.library.ads.state import (
    AdGroup,
    AdsState,
    Bid,
    CampaignId,
    GroupId,
    Keyword,
    KeywordId,
    MatchType,
    NegativeKeyword,
    Phrase,
    RunStatus,
    service,
)
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    fold,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)


@service.tool()
def get_ad_group(state: AdsState, ctx: CallContext, ad_group_id: GroupId) -> Json:
    """Show an ad group with its keywords, ads and figures.

    Errors: `not_found`.

    Args:
        ad_group_id: Id of the ad group.
    """
    group = state.ad_groups.get(ad_group_id)
    return with_fields(
        group,
        campaign=state.campaigns.get(group.campaign_id).name,
        keywords=state.keywords.find(ad_group_id=ad_group_id),
        ads=state.ads.find(ad_group_id=ad_group_id),
        **performance(figures_of(state, [group])),
    )


@service.tool(phrase="add the ad group {name} to the campaign {campaign_id}")
def create_ad_group(
    state: AdsState, ctx: CallContext, campaign_id: CampaignId, name: Name, default_bid: Bid = 1.0
) -> AdGroup:
    """Add an enabled ad group to a campaign.

    Errors: `not_found`, `campaign_removed`, `duplicate_name`, `blank_text`.

    Args:
        campaign_id: Id of the campaign.
        name: Name of the ad group, unique in the campaign.
        default_bid: Highest price of a click for keywords without a bid of their own.
    """
    live_campaign(state, campaign_id)
    clean = check_text(name, "name")
    for row in state.ad_groups.find(campaign_id=campaign_id):
        if same(row.name, clean) and row.status != "removed":
            raise conflict(f"{row.id} has this name; choose another one.", type="duplicate_name")
    group = state.ad_groups.create(campaign_id=campaign_id, name=clean, status="enabled", default_bid=default_bid)
    log(state, ctx, campaign_id, f"ad group {group.id} added")
    return group


@service.tool(phrase="change the ad group {ad_group_id}")
def update_ad_group(
    state: AdsState,
    ctx: CallContext,
    ad_group_id: GroupId,
    status: RunStatus | Unset = UNSET,
    default_bid: Bid | Unset = UNSET,
) -> AdGroup:
    """Pause, enable or remove an ad group, or change its bid; an enabled campaign keeps one enabled group.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `nothing_to_change`, `last_ad_group`.

    Args:
        ad_group_id: Id of the ad group.
        status: New status.
        default_bid: New highest price of a click.
    """
    group = live_group(state, ad_group_id)
    changes = some_changes(given(status=status, default_bid=default_bid))
    campaign = state.campaigns.get(group.campaign_id)
    others = [row for row in state.ad_groups.find(campaign_id=campaign.id, status="enabled") if row.id != group.id]
    stopped = changes.get("status", "enabled") != "enabled" and group.status == "enabled"
    if stopped and not others and campaign.status == "enabled":
        raise conflict(f"{campaign.name} would have nothing to show; pause the campaign instead.", type="last_ad_group")
    log(state, ctx, group.campaign_id, f"ad group {group.id}: {', '.join(sorted(changes))}")
    return state.ad_groups.patch(ad_group_id, **changes)


@service.tool()
def list_keywords(
    state: AdsState,
    ctx: CallContext,
    query: Query | None = None,
    campaign_id: CampaignId | None = None,
    status: RunStatus | None = None,
    match_type: MatchType | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List keywords with the bid that holds and the clicks and cost of their search terms, in order of the alphabet.

    Args:
        query: Words in the keyword or in the name of its ad group.
        campaign_id: Only keywords of this campaign.
        status: Only keywords with this status.
        match_type: Only exact, phrase or broad ones.
        limit: At most so many keywords.
        cursor: next_cursor of the previous page.
    """
    groups = {row.id: row for row in state.ad_groups}
    found = search(state.keywords, query, lambda row: (row.text, groups[row.ad_group_id].name))
    found = [
        row
        for row in keep(found, status=status, match_type=match_type)
        if campaign_id in (None, groups[row.ad_group_id].campaign_id)
    ]
    found.sort(key=lambda row: (fold(row.text), row.id))
    page = cursor_page("keywords", found, limit, cursor)
    page["keywords"] = [_keyword(state, row) for row in page["keywords"]]
    return page


def _keyword(state: AdsState, keyword: Keyword) -> Json:
    group = state.ad_groups.get(keyword.ad_group_id)
    terms = state.search_terms.find(keyword_id=keyword.id)
    return with_fields(
        keyword,
        ad_group=group.name,
        campaign_id=group.campaign_id,
        effective_bid=keyword.bid if keyword.bid is not None else group.default_bid,
        clicks=sum(row.clicks for row in terms),
        conversions=sum(row.conversions for row in terms),
        cost=round(sum(row.cost for row in terms), 2),
    )


@service.tool(phrase="add the keyword {text} to the ad group {ad_group_id}")
def add_keyword(
    state: AdsState,
    ctx: CallContext,
    ad_group_id: GroupId,
    text: Phrase,
    match_type: MatchType = "phrase",
    bid: Bid | None = None,
) -> Json:
    """Add an enabled keyword to an ad group of a search campaign.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `not_a_search_campaign`, `duplicate_keyword` (in the
    same campaign), `blocked_by_negative` (a negative keyword occurs in it).

    Args:
        ad_group_id: Id of the ad group.
        text: The keyword.
        match_type: How close a search has to be.
        bid: Highest price of a click; that of the ad group, if left out.
    """
    group = live_group(state, ad_group_id)
    campaign = state.campaigns.get(group.campaign_id)
    if campaign.channel != "search":
        raise conflict(
            f"{campaign.name} is a {campaign.channel} campaign without keywords.", type="not_a_search_campaign"
        )
    siblings = {row.id for row in state.ad_groups.find(campaign_id=campaign.id)}
    for row in state.keywords.find(match_type=match_type):
        if row.ad_group_id in siblings and row.status != "removed" and same(row.text, text):
            raise conflict(
                f"{row.id} of {row.ad_group_id} is the same; it would bid against itself.", type="duplicate_keyword"
            )
    for negative in state.negatives.find(campaign_id=campaign.id):
        if f" {fold(negative.text)} " in f" {fold(text)} ":
            raise conflict(f"{negative.text!r} is a negative keyword of {campaign.name}.", type="blocked_by_negative")
    made = state.keywords.create(
        ad_group_id=ad_group_id, text=text, match_type=match_type, status="enabled", bid=bid, quality_score=5
    )
    log(state, ctx, campaign.id, f"keyword {text!r} added")
    return _keyword(state, made)


@service.tool(phrase="change the keyword {keyword_id}")
def update_keyword(
    state: AdsState,
    ctx: CallContext,
    keyword_id: KeywordId,
    status: RunStatus | Unset = UNSET,
    bid: Bid | Unset | None = UNSET,
) -> Json:
    """Change the bid of a keyword, pause it, enable it or remove it for good.

    Errors: `not_found`, `campaign_removed`, `ad_group_removed`, `keyword_removed`, `nothing_to_change`,
    `automatic_bidding`.

    Args:
        keyword_id: Id of the keyword.
        status: New status.
        bid: New highest price of a click; null for that of the ad group. Only with manual_cpc bidding.
    """
    keyword = state.keywords.get(keyword_id)
    group = live_group(state, keyword.ad_group_id)
    if keyword.status == "removed":
        raise conflict(f"{keyword.text!r} has been removed; add it again.", type="keyword_removed")
    changes = some_changes(given(status=status, bid=bid))
    campaign = state.campaigns.get(group.campaign_id)
    if "bid" in changes and campaign.bidding != "manual_cpc":
        raise conflict(f"{campaign.name} bids by {campaign.bidding}; set that instead.", type="automatic_bidding")
    log(state, ctx, campaign.id, f"keyword {keyword.text!r}: {', '.join(sorted(changes))}")
    return _keyword(state, state.keywords.patch(keyword_id, **changes))


@service.tool()
def list_search_terms(
    state: AdsState,
    ctx: CallContext,
    query: Query | None = None,
    campaign_id: CampaignId | None = None,
    without_conversions: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what people searched for before they clicked an ad, the dearest first.

    Args:
        query: Words in the search term.
        campaign_id: Only terms that met a keyword of this campaign.
        without_conversions: Only terms that cost money and led to nothing.
        limit: At most so many terms.
        cursor: next_cursor of the previous page.
    """
    rows = []
    for row in search(state.search_terms, query, lambda row: (row.text,)):
        keyword = state.keywords.get(row.keyword_id)
        group = state.ad_groups.get(keyword.ad_group_id)
        if campaign_id in (None, group.campaign_id) and not (without_conversions and row.conversions):
            rows.append(with_fields(row, keyword=keyword.text, campaign_id=group.campaign_id))
    rows.sort(key=lambda row: (-row["cost"], row["id"]))
    return cursor_page("search_terms", rows, limit, cursor)


@service.tool(phrase="keep the campaign {campaign_id} away from searches for {text}")
def add_negative_keyword(state: AdsState, ctx: CallContext, campaign_id: CampaignId, text: Phrase) -> NegativeKeyword:
    """Keep the ads of a campaign away from searches that contain a word or phrase.

    Errors: `not_found`, `campaign_removed`, `duplicate_keyword`, `blocks_own_keyword`.

    Args:
        campaign_id: Id of the campaign.
        text: Word or phrase.
    """
    campaign = live_campaign(state, campaign_id)
    if any(same(row.text, text) for row in state.negatives.find(campaign_id=campaign_id)):
        raise conflict(f"{text!r} is a negative keyword of {campaign.name} already.", type="duplicate_keyword")
    groups = {row.id for row in state.ad_groups.find(campaign_id=campaign_id)}
    for row in state.keywords.find(status="enabled"):
        if row.ad_group_id in groups and f" {fold(text)} " in f" {fold(row.text)} ":
            raise conflict(
                f"It would block your keyword {row.text!r} ({row.id}); pause that first.", type="blocks_own_keyword"
            )
    made = state.negatives.create(campaign_id=campaign_id, text=text)
    log(state, ctx, campaign_id, f"negative keyword {text!r} added")
    return made


@service.tool(phrase="drop the negative keyword {negative_keyword_id}")
def remove_negative_keyword(
    state: AdsState, ctx: CallContext, negative_keyword_id: Annotated[str, f.ref("negatives")]
) -> Json:
    """Drop a negative keyword of a campaign.

    Errors: `not_found`, `campaign_removed`.

    Args:
        negative_keyword_id: Id of the negative keyword.
    """
    negative = state.negatives.get(negative_keyword_id)
    live_campaign(state, negative.campaign_id)
    state.negatives.delete(negative_keyword_id)
    log(state, ctx, negative.campaign_id, f"negative keyword {negative.text!r} removed")
    left = [row.text for row in state.negatives.find(campaign_id=negative.campaign_id)]
    return {"removed": negative.text, "negative_keywords": left}
