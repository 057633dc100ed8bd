"""A year of figures from the projects of the cast, with charts and dashboards on them."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.bi_dashboards import texts
from services_app.library.bi_dashboards.state import BiState, Dashboard, Dataset, service
from services_app.library.cast import ME, Cast, Person, Project

_EDITORS = 5


@service.seed
def fill(state: BiState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    curators = [cast.team("sales")[0], cast.team("finance")[0], cast.team("operations")[1]]
    for name, description, restricted, mine in texts.COLLECTIONS:
        emails = tuple(person.email for person in ([ME, *curators] if mine else curators))
        state.collections.create(name=name, description=description, curator_emails=emails, restricted=restricted)
    for number, (identity, title, description, amount, quantity, trusted) in enumerate(texts.DATASETS):
        values = {"id": identity, "title": title, "description": description, "trusted": trusted}
        means = {"amount_means": amount, "quantity_means": quantity, "owner_email": curators[number % 3].email}
        state.datasets.add(Dataset.model_validate({**values, **means, "refreshed_at": ctx.moment(0, 4, number * 7)}))
    for number in range(ctx.size(110)):
        _facts_of(state, ctx, cast.projects[number])
    for term, age, superseded, body in texts.DEFINITIONS:
        state.definitions.create(term=term, body=body, valid_from=ctx.date(age), superseded=superseded)
    _charts(state, ctx, cast, curators)
    for number in range(ctx.size(20)):
        _dashboard(state, ctx, cast, curators, number)
    _delivery(state, ctx, cast, curators)


def _facts_of(state: BiState, ctx: SeedContext, project: Project) -> None:
    """The rows of one project in each dataset: its order, some months of tickets, its delivery, a guess."""
    day = min(project.start, -2)
    dims = {
        "company": project.company.name,
        "country": project.company.country,
        "product": project.product.name,
        "owner_email": project.owner.email,
        "reference": project.po_number,
    }

    def add(dataset: str, days: int, amount: float, quantity: int) -> None:
        state.facts.create(dataset=dataset, date=ctx.date(days), **dims, amount=amount, quantity=quantity)

    add("orders", day - 12, project.amount, project.seats)
    for back in range(ctx.random.choice((1, 1, 2))):
        hours = ctx.random.choice((0.5, 1.5, 2.0, 3.25, 6.0, 11.5))
        add("support", min(day + 20 + 31 * back, -2), hours, ctx.random.randint(1, 6))
    late = ctx.random.choice((0, 0, 0, 1, 2, 5, 9))
    add("deliveries", day, round(12 + project.seats * 3.4, 2), late)
    if ctx.random.random() < 0.5:
        share = ctx.random.choice((0.5, 0.8, 1.0))
        add("renewals", min(day + 30, -2), round(project.amount * share, 2), project.seats)


def _charts(state: BiState, ctx: SeedContext, cast: Cast, curators: list[Person]) -> None:
    collections = list(state.collections)
    for number in range(ctx.size(36)):
        kind, turn = number % len(texts.CHARTS), number // len(texts.CHARTS)
        title, dataset, measure, aggregation, group, chart_type, description = texts.CHARTS[kind]
        project = cast.projects[number]
        collection = collections[3 if dataset == "renewals" else 0 if turn == 0 else 1 + turn % 2]
        narrowed = turn > 0
        owner = ctx.random.choice((ME, ME, *curators))
        state.charts.create(
            title=f"{title}: {project.company.name}" if narrowed else title,
            description=description.format(**people.facts(ctx, project)),
            collection_id=collection.id,
            dataset=dataset,
            measure=measure,
            aggregation=aggregation,
            group_by=group,
            chart_type=chart_type,
            company=project.company.name if narrowed else None,
            start_date=ctx.date(-190) if number % 5 == 3 else None,
            owner_email=owner.email,
            archived=narrowed and number % 9 == 7,
        )


def _dashboard(state: BiState, ctx: SeedContext, cast: Cast, curators: list[Person], number: int) -> None:
    """Dashboards of our own first, then one for each review with a customer."""
    collections, project = list(state.collections), cast.projects[number]
    own = number < len(texts.DASHBOARDS)
    home = collections[(0, 0, 0, 2, 3, 3)[number]] if own else collections[1]
    facts = people.facts(ctx, project)
    owner = (ME, *curators)[number % 4]
    dashboard: Dashboard = state.dashboards.create(
        title=texts.DASHBOARDS[number] if own else f"Review {project.company.name}: {project.title}",
        description=texts.ABOUT[number % len(texts.ABOUT)].format(**facts),
        collection_id=home.id,
        owner_email=owner.email,
        archived=not own and number % 7 == 6,
        updated_at=ctx.moment(-ctx.random.randint(1, 80), 15, number % 60),
    )
    usable = [
        row
        for row in state.charts.find(archived=False)
        if row.collection_id == home.id or not state.collections.get(row.collection_id).restricted
    ]
    charts = ctx.random.sample(usable, ctx.random.randint(2, min(_EDITORS, len(usable))))
    for position, chart in enumerate(charts, start=1):
        state.tiles.create(dashboard_id=dashboard.id, chart_id=chart.id, position=position)
    if number % 3 == 1 and all(state.datasets.get(chart.dataset).trusted for chart in charts):
        checker = next(person for person in curators if person is not owner)
        note = texts.CERTIFIED[number % 2].format(**facts)
        state.dashboards.patch(dashboard.id, certified_by=checker.email, certified_note=note)
    for turn in range(ctx.random.choice((0, 1, 1, 2))):
        state.comments.create(
            dashboard_id=dashboard.id,
            text=texts.COMMENTS[(number + turn) % len(texts.COMMENTS)].format(**facts),
            by_email=ctx.random.choice((project.owner.email, *(person.email for person in curators))),
            at=ctx.moment(-ctx.random.randint(1, 60), 11, turn * 9),
        )


def _delivery(state: BiState, ctx: SeedContext, cast: Cast, curators: list[Person]) -> None:
    dashboards = list(state.dashboards)
    for number in range(ctx.size(16)):
        dashboard, project = dashboards[number % len(dashboards)], cast.projects[number]
        frequency = ("weekly", "monthly", "daily")[(number + number // len(dashboards)) % 3]
        outside = dashboard.certified_by is not None and not state.collections.get(dashboard.collection_id).restricted
        guests = (project.contact.email,) if outside else ()
        state.subscriptions.create(
            dashboard_id=dashboard.id,
            frequency=frequency,
            send_at=ctx.random.choice(("06:00", "07:00", "07:30", "08:00")),
            recipient_emails=(ctx.random.choice((ME, *curators)).email, *guests),
            message=texts.MESSAGES[number % 3].format(**people.facts(ctx, project)),
            paused=dashboard.archived or number % 5 == 4,
            owner_email=ctx.random.choice((ME.email, dashboard.owner_email)),
        )
    numbers = state.charts.find(chart_type="number", archived=False)
    for number in range(ctx.size(8)):
        chart = numbers[number % len(numbers)]
        state.alerts.create(
            chart_id=chart.id,
            condition="above" if number % 2 else "below",
            threshold=float((400, 25_000, 60, 9000)[number % 4] + 50 * number),
            notify_emails=(ctx.random.choice((ME, *curators)).email,),
            owner_email=(ME, *curators)[number % 3].email,
        )
