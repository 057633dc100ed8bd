"""Three months of traffic on four sites, with campaigns, goals and what people noted."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, ascii_name
from services_app.library.web_analytics import texts
from services_app.library.web_analytics.state import Page, WebProperty, WebState, service

_DAYS = 84
_DEVICES = ("desktop", "desktop", "mobile", "tablet")


@service.seed
def fill(state: WebState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for number, (name, domain, description, role) in enumerate(texts.PROPERTIES):
        created = ctx.date(-900 + 100 * number)
        site = state.properties.create(name=name, domain=domain, description=description, created_on=created)
        state.users.create(property_id=site.id, name=ME.name, email=ME.email, role=role)
        _users(state, ctx, cast, site, number)
        for path, title in texts.FIXED_PAGES[number]:
            _page(state, ctx, cast, site, path, title)
    sites = list(state.properties)
    _pages(state, ctx, cast, sites)
    for index, name, kind, match, worth, description in texts.GOALS:
        text = description.format(**people.facts(ctx, cast.projects[index]))
        state.goals.create(
            property_id=sites[index].id, name=name, kind=kind, match=match, value=worth, description=text
        )
    for index, field, value, reason, active in texts.FILTERS:
        state.filters.create(property_id=sites[index].id, field=field, value=value, reason=reason, active=active)
    _campaigns(state, ctx, cast, sites)
    _traffic(state, ctx, cast, sites)
    for number, (name, conditions) in enumerate(texts.SEGMENTS):
        owner = ME if number % 2 else cast.team("marketing")[0]
        state.segments.create(name=name, **conditions, owner_email=owner.email)
    _notes(state, ctx, cast, sites)
    for title, age, superseded, body in texts.PLAN:
        state.plan.create(title=title, body=body, valid_from=ctx.date(age), superseded=superseded)


def _users(state: WebState, ctx: SeedContext, cast: Cast, site: WebProperty, number: int) -> None:
    people_of = cast.team("marketing") if number < 3 else cast.team("people")
    for index, person in enumerate(people_of[: ctx.size(5)]):
        role = "admin" if index == 0 else ("editor", "analyst", "viewer")[(index + number) % 3]
        state.users.create(property_id=site.id, name=person.name, email=person.email, role=role)


def _page(state: WebState, ctx: SeedContext, cast: Cast, site: WebProperty, path: str, title: str) -> None:
    author = ctx.random.choice(cast.team("marketing"))
    published = ctx.date(-ctx.random.randint(90, 700))
    values = {"path": path, "title": title, "author_email": author.email, "published_on": published}
    state.pages.create(property_id=site.id, **values)


def _pages(state: WebState, ctx: SeedContext, cast: Cast, sites: list[WebProperty]) -> None:
    """Product pages first, then stories of customers, articles of the shop and manuals in turn."""
    seen: set[str] = set()
    for number in range(ctx.size(48)):
        project = cast.projects[number]
        product = cast.products[number % len(cast.products)]
        slug = ascii_name(product.name).replace(".", "-")
        customer = ascii_name(project.company.name).replace(".", "-")
        kind = number % 4
        choices = (
            (sites[0], f"/products/{slug}", product.name),
            (sites[0], f"/customers/{customer}", f"How {project.company.name} uses {project.product.name}"),
            (sites[1], f"/articles/{product.sku.lower()}", f"{product.name} ({product.sku})"),
            (sites[2], f"/manuals/{slug}", f"Manual: {product.name}"),
        )
        site, path, title = choices[kind]
        if f"{site.id}{path}" not in seen:
            seen.add(f"{site.id}{path}")
            _page(state, ctx, cast, site, path, title)


def _campaigns(state: WebState, ctx: SeedContext, cast: Cast, sites: list[WebProperty]) -> None:
    linked = [(source, medium) for source, medium, with_campaign in texts.SOURCES if with_campaign]
    for number in range(ctx.size(20)):
        source, medium = linked[number % len(linked)]
        project, topic = cast.projects[number], texts.TOPICS[number % len(texts.TOPICS)]
        company, owner = project.company, ctx.random.choice((ME, *cast.team("marketing")))
        start = ctx.random.randint(-80, -10) if number % 5 != 4 else ctx.random.randint(3, 30)
        suffix = "" if number < len(texts.TOPICS) else f"-{ascii_name(company.short)}-{number}"
        facts = people.facts(ctx, project) | {"industry": company.industry, "country": company.country}
        state.campaigns.create(
            property_id=sites[number % 2].id,
            utm_campaign=f"{topic}{suffix}-2026",
            source=source,
            medium=medium,
            budget=0.0 if medium == "email" else float(ctx.random.choice((400, 900, 1500, 2400, 4000))),
            start_date=ctx.date(start),
            end_date=ctx.date(start + ctx.random.choice((14, 30, 45, 60))),
            owner_email=owner.email,
            notes=texts.CAMPAIGN_NOTES[number % len(texts.CAMPAIGN_NOTES)].format(**facts),
        )


def _traffic(state: WebState, ctx: SeedContext, cast: Cast, sites: list[WebProperty]) -> None:
    pages = {site.id: state.pages.find(property_id=site.id) for site in sites}
    for number in range(ctx.size(640)):
        site = sites[ctx.random.choice((0, 0, 0, 1, 1, 2, 2, 3))]
        source, medium, linked = ctx.random.choice(texts.SOURCES)
        day = ctx.date(-ctx.random.randint(0, _DAYS))
        running = [
            row.utm_campaign
            for row in state.campaigns.find(property_id=site.id, source=source)
            if row.start_date <= day <= row.end_date
        ]
        page = ctx.random.choice(pages[site.id])
        if page.path.startswith("/thanks") and number % 3:
            continue  # few visits end there
        name = ctx.random.choice(running) if linked and running else ""
        _visit(state, ctx, page, day, (source, medium), name, cast.projects[number % 40].company.country)


def _visit(
    state: WebState, ctx: SeedContext, page: Page, day: str, source: tuple[str, str], campaign: str, country: str
) -> None:
    """A record of one day; every fourth on a page of the main site or the shop has events, too."""
    sessions = ctx.random.choice((3, 6, 9, 14, 20, 33, 48))
    domain = state.properties.get(page.property_id).domain
    names = {"www": texts.EVENTS[:3], "shop": texts.EVENTS[2:]}.get(domain.split(".")[0], ())
    event = bool(names) and ctx.random.random() < 0.25
    state.traffic.create(
        property_id=page.property_id,
        date=day,
        page_id=page.id,
        source=source[0],
        medium=source[1],
        campaign=campaign,
        country=country,
        device=ctx.random.choice(_DEVICES),
        users=max(1, sessions - ctx.random.randint(0, sessions // 3)),
        sessions=sessions,
        pageviews=sessions + ctx.random.randint(0, 2 * sessions),
        bounces=ctx.random.randint(0, sessions * 2 // 3),
        seconds=sessions * ctx.random.randint(12, 190),
        event_name=ctx.random.choice(names) if event else "",
        event_count=ctx.random.randint(1, 4) if event else 0,
    )


def _notes(state: WebState, ctx: SeedContext, cast: Cast, sites: list[WebProperty]) -> None:
    for number in range(ctx.size(24)):
        project = cast.projects[number]
        facts = people.facts(ctx, project) | {"country": project.company.country}
        importance, text = texts.ANNOTATIONS[number % len(texts.ANNOTATIONS)]
        state.annotations.create(
            property_id=sites[number % 3].id,
            date=ctx.date(-ctx.random.randint(0, _DAYS)),
            text=text.format(**facts),
            importance=importance,
            by_email=ctx.random.choice((ME, *cast.team("marketing"))).email,
        )
