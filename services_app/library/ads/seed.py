"""Two months of an advertising account that spends most of what it may."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.ads import texts
from services_app.library.ads.creatives import judged
from services_app.library.ads.figures import MONTH_DAYS, account_of, daily_commitment
from services_app.library.ads.state import AdGroup, AdsState, Campaign, service
from services_app.library.cast import DOMAIN, HOME, ME, Cast, Project

_BIDDING = ("manual_cpc", "manual_cpc", "manual_cpc", "maximize_clicks", "target_cpa")
_CPC = {"search": 1.9, "display": 0.6, "video": 0.35}


@service.seed
def fill(state: AdsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    state.accounts.create(name=HOME, currency="GBP", monthly_cap=1.0, raise_limit=20.0, landing_domain=DOMAIN)
    for name, amount, locked, team, note in texts.BUDGETS:
        owner = ME if team == "operations" else cast.team(team)[0]
        state.budgets.create(name=name, daily_amount=amount, owner_email=owner.email, locked=locked, note=note)
    for number in range(ctx.size(20)):
        _campaign(state, ctx, cast, number)
    committed = daily_commitment(state, ctx.today) * MONTH_DAYS
    state.accounts.patch(account_of(state).id, monthly_cap=float(round(committed * 1.08 / 50) * 50))


def _facts(ctx: SeedContext, project: Project) -> dict[str, str]:
    low = project.product.name.lower()
    company = project.company
    return {**people.facts(ctx, project), "low": low, "country": company.country, "industry": company.industry}


def _budget(state: AdsState, number: int, kind: str, project: Project) -> str:
    names = [row.name for row in state.budgets]
    if number % 9 == 8:
        return list(state.budgets)[names.index("Tests")].id
    if kind.startswith("Open day"):
        return list(state.budgets)[names.index("Events")].id
    fleet = any(word in project.product.name for word in ("Fleet", "Route", "Telematics", "Gateway", "Cold"))
    wanted = "Brand" if number % 7 == 6 else "Fleet products" if fleet else "Warehouse products"
    return list(state.budgets)[names.index(wanted)].id


def _campaign(state: AdsState, ctx: SeedContext, cast: Cast, number: int) -> None:
    kind, channel, phrases = texts.KINDS[number % len(texts.KINDS)]
    project = cast.projects[number]
    facts = _facts(ctx, project)
    name = kind.format(**facts)
    if any(row.name == name for row in state.campaigns):
        name = f"{name} {number}"
    over = number % 8 == 7
    start = -ctx.random.randint(25, 60)
    bidding = ctx.random.choice(_BIDDING)
    owner = ctx.random.choice((ME, *cast.team("marketing")))
    campaign = state.campaigns.create(
        name=name,
        channel=channel,
        status="paused" if over or number % 4 == 3 else "removed" if number % 16 == 12 else "enabled",
        budget_id=_budget(state, number, kind, project),
        bidding=bidding,
        target_cpa=float(ctx.random.randint(20, 90)) if bidding == "target_cpa" else None,
        start_date=ctx.date(start),
        end_date=ctx.date(-4) if over else ctx.date(ctx.random.randint(10, 80)) if number % 3 else None,
        locations=(facts["country"],) if number % 2 else (facts["country"], "United Kingdom"),
        owner_email=owner.email,
        brief=ctx.random.choice(texts.BRIEFS).format(**facts),
    )
    for text in ctx.random.sample(texts.NEGATIVES, ctx.random.choice((1, 2, 3))) if phrases else ():
        state.negatives.create(campaign_id=campaign.id, text=text)
    for turn in range(ctx.random.choice((1, 2, 2))):
        # The second group speaks of the same product to companies of another city.
        same = {name: facts[name] for name in ("product", "low", "price", "unit")}
        other = _facts(ctx, cast.projects[number + turn * 23])
        _group(state, ctx, campaign, {**other, **same}, phrases, turn)
    for _ in range(ctx.random.choice((1, 2, 3))):
        state.changes.create(
            campaign_id=campaign.id,
            what=ctx.random.choice(texts.WHAT),
            reason=ctx.random.choice(texts.REASONS).format(**facts),
            by_email=ctx.random.choice((owner.email, ME.email)),
            at=ctx.moment(-ctx.random.randint(1, 20), 15, ctx.random.randint(0, 59)),
        )


def _group(
    state: AdsState, ctx: SeedContext, campaign: Campaign, facts: dict[str, str], phrases: tuple[str, ...], turn: int
) -> None:
    usual = _CPC[campaign.channel]
    group = state.ad_groups.create(
        campaign_id=campaign.id,
        name=f"{facts['product']} {facts['city']}",
        status="paused" if turn and ctx.random.random() < 0.3 else "enabled",
        default_bid=round(usual * ctx.random.randint(90, 130) / 100, 2),
    )
    for index, phrase in enumerate(phrases):
        _keyword(state, ctx, group, phrase.format(**facts).lower(), index, usual)
    # The first is always approved, so that an enabled campaign has something to show.
    for index in (ctx.random.choice((0, 1, 2, 5)), *ctx.random.sample(range(6), 2)):
        headline, description, page = (part.format(**facts) for part in texts.ADS[index])
        headline = headline if len(headline) <= 30 else facts["product"]
        if any(row.headline == headline for row in state.ads.find(ad_group_id=group.id)):
            continue
        review = judged(headline, description[:90])
        refused = review["approval"] == "disapproved"
        state.ads.create(
            ad_group_id=group.id,
            headline=headline,
            description=description[:90],
            final_url=f"https://www.{DOMAIN}/{page}",
            status="paused" if ctx.random.random() < 0.15 and state.ads.find(ad_group_id=group.id) else "enabled",
            appeal=ctx.random.choice(("none", "none", "open", "refused")) if refused else "none",
            created_at=ctx.moment(-ctx.random.randint(5, 55), 11, index),
            **review,
        )
    _days(state, ctx, campaign, group, usual)


def _keyword(state: AdsState, ctx: SeedContext, group: AdGroup, text: str, index: int, usual: float) -> None:
    mates = {row.id for row in state.ad_groups.find(campaign_id=group.campaign_id)}
    if any(row.text == text and row.ad_group_id in mates for row in state.keywords):
        return
    keyword = state.keywords.create(
        ad_group_id=group.id,
        text=text,
        match_type=("exact", "phrase", "broad")[index % 3],
        status="paused" if ctx.random.random() < 0.15 else "enabled",
        bid=round(usual * ctx.random.randint(80, 180) / 100, 2) if ctx.random.random() < 0.5 else None,
        quality_score=ctx.random.randint(3, 10),
    )
    for term in (text, *ctx.random.sample(texts.EXTRA_TERMS, ctx.random.choice((1, 2)))):
        clicks = ctx.random.randint(2, 60)
        useful = term == text
        state.search_terms.create(
            keyword_id=keyword.id,
            text=term.format(text=text),
            clicks=clicks,
            conversions=ctx.random.randint(0, clicks // 8 + 1) if useful else 0,
            cost=round(clicks * usual * ctx.random.randint(70, 120) / 100, 2),
        )


def _days(state: AdsState, ctx: SeedContext, campaign: Campaign, group: AdGroup, usual: float) -> None:
    """Figures of every second day or so of the last four weeks, and of each of the last seven days."""
    stopped = campaign.status != "enabled" or group.status != "enabled"
    for day in (*range(-26, -8, 3), *range(-8, 1)):
        if day > -6 and stopped:
            continue
        clicks = ctx.random.randint(4, 26)
        conversions = sum(ctx.random.random() < 0.06 for _ in range(clicks))
        state.figures.create(
            ad_group_id=group.id,
            day=ctx.date(day),
            impressions=clicks * ctx.random.randint(18, 60),
            clicks=clicks,
            conversions=conversions,
            cost=round(clicks * usual * ctx.random.randint(75, 110) / 100, 2),
            conversion_value=float(conversions * ctx.random.randint(90, 420)),
        )
