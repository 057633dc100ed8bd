"""What an advertising account holds: campaigns, ad groups, keywords, ads, daily figures, budgets and billing."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Channel = Annotated[Literal["search", "display", "video"], LABEL]
RunStatus = Annotated[Literal["enabled", "paused", "removed"], LABEL]
Bidding = Annotated[Literal["manual_cpc", "maximize_clicks", "target_cpa"], LABEL]
MatchType = Annotated[Literal["exact", "phrase", "broad"], LABEL]
Approval = Annotated[Literal["under_review", "approved", "disapproved"], LABEL]
Appeal = Annotated[Literal["none", "open", "granted", "refused"], LABEL]

CampaignId = Annotated[str, f.ref("campaigns")]
GroupId = Annotated[str, f.ref("ad_groups")]
KeywordId = Annotated[str, f.ref("keywords")]
AdId = Annotated[str, f.ref("ads")]
BudgetId = Annotated[str, f.ref("budgets")]
Bid = Annotated[float, f.Semantic("money"), Field(gt=0, le=1000)]
DailyAmount = Annotated[float, f.Semantic("money"), Field(gt=0, le=100_000)]
Phrase = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=80, pattern=r"^\S(.*\S)?$")]
Headline = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=30)]
Description = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=90)]
PageUrl = Annotated[str, f.Semantic("url"), Field(pattern=r"^https://\S+$", max_length=300)]


class Account(Record):
    about: ClassVar[About] = About("advertising account", "advertising accounts", prefix="ACT-", width=1, key="name")

    name: f.Organisation
    currency: f.Code
    monthly_cap: f.Money
    """What all campaigns together may spend in a month; set by finance."""
    raise_limit: f.Percent
    """A daily budget is raised by at most this share in one step."""
    landing_domain: f.Label


class Budget(Record):
    about: ClassVar[About] = About("shared budget", "shared budgets", prefix="BUD-", width=3, key="name")

    name: f.Title
    daily_amount: f.Money
    owner_email: f.Email
    locked: bool = False
    """Locked budgets are changed by their owner only."""
    note: f.Text = ""


class Campaign(Record):
    about: ClassVar[About] = About("ad campaign", "ad campaigns", prefix="CAM-", key="name")

    name: f.Title
    channel: Channel
    status: RunStatus
    budget_id: BudgetId
    bidding: Bidding
    target_cpa: f.Money | None = None
    """Wanted cost of one conversion; for target_cpa bidding only."""
    start_date: f.Date
    end_date: f.Date | None = None
    locations: tuple[f.Place, ...]
    owner_email: f.Email
    brief: f.Text = ""


class NegativeKeyword(Record):
    about: ClassVar[About] = About("negative keyword", "negative keywords", prefix="NEG-", key="text")

    campaign_id: CampaignId
    text: Phrase


class AdGroup(Record):
    about: ClassVar[About] = About("ad group", "ad groups", prefix="GRP-", key="name")

    campaign_id: CampaignId
    name: f.Title
    status: RunStatus
    default_bid: f.Money


class Keyword(Record):
    about: ClassVar[About] = About("keyword", "keywords", prefix="KEY-", key="text")

    ad_group_id: GroupId
    text: Phrase
    match_type: MatchType
    status: RunStatus
    bid: f.Money | None = None
    """Highest price of a click; that of the ad group where it is null."""
    quality_score: Annotated[int, f.count("points", system=True)]


class Ad(Record):
    about: ClassVar[About] = About("ad", "ads", prefix="AD-", key="headline")

    ad_group_id: GroupId
    headline: Headline
    description: Description
    final_url: PageUrl
    status: RunStatus
    approval: Approval
    disapproval_reason: f.Text = ""
    appeal: Appeal = "none"
    created_at: f.SystemTime


class DailyFigure(Record):
    about: ClassVar[About] = About("daily figure", "daily figures", prefix="DAY-", width=5, key="")

    ad_group_id: GroupId
    day: f.Date
    impressions: Annotated[int, f.count("impressions")]
    clicks: Annotated[int, f.count("clicks")]
    conversions: Annotated[int, f.count("conversions")]
    cost: f.Money
    conversion_value: f.Money


class SearchTerm(Record):
    about: ClassVar[About] = About("search term", "search terms", prefix="TERM-", key="text")

    keyword_id: KeywordId
    text: Phrase
    """What somebody typed before the ad was shown."""
    clicks: Annotated[int, f.count("clicks")]
    conversions: Annotated[int, f.count("conversions")]
    cost: f.Money


class Change(Record):
    about: ClassVar[About] = About("change", "changes", prefix="CHG-", width=5, key="", carrier="note")

    campaign_id: CampaignId
    what: f.Text
    reason: f.Text = ""
    by_email: f.Email
    at: f.SystemTime


class AdsState(State):
    accounts: Table[Account]
    budgets: Table[Budget]
    campaigns: Table[Campaign]
    negatives: Table[NegativeKeyword]
    ad_groups: Table[AdGroup]
    keywords: Table[Keyword]
    ads: Table[Ad]
    figures: Table[DailyFigure]
    search_terms: Table[SearchTerm]
    changes: Table[Change]


service = Service(
    "ads",
    title="Ads",
    domain="marketing",
    description="Paid advertising: campaigns, budgets, ad groups, keywords, reviewed ads, search terms and reports.",
    state=AdsState,
    files=sources(__file__),
)
