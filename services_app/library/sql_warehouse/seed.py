"""Half a year of orders and shipments, and the queries, dashboards and alerts built on them."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Project
from services_app.library.sql_warehouse import texts
from services_app.library.sql_warehouse.sql import evaluate
from services_app.library.sql_warehouse.state import SavedQuery, WarehouseState, service

_REGIONS = ("north", "south", "east", "west")


@service.seed
def fill(state: WarehouseState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    companies = cast.companies[: ctx.size(48)]
    for company in companies:
        state.customers.create(
            name=company.name,
            industry=company.industry,
            city=company.city,
            country=company.country,
            region=ctx.random.choice(_REGIONS),
            contact_email=company.people[0].email,
            signed_on=ctx.date(-ctx.random.randint(200, 1500)),
            employees=company.employees,
        )
    for product in cast.products:
        state.products.create(
            sku=product.sku,
            name=product.name,
            category=product.kind,
            list_price=product.price,
            unit_cost=round(product.price * ctx.random.choice((0.4, 0.5, 0.55)), 2),
        )
    known = {row.name: row.id for row in state.customers}
    projects = [project for project in cast.projects if project.company.name in known]
    _orders(state, ctx, projects, known)
    _targets(state, ctx)
    _documentation(state, ctx, cast)
    _queries(state, ctx, cast)


def _orders(state: WarehouseState, ctx: SeedContext, projects: list[Project], known: dict[str, str]) -> None:
    """Orders in the order of their dates; those of known projects carry the project's order number."""
    count = ctx.size(260)
    days = sorted(ctx.random.randint(-170, -1) for _ in range(count))
    used = {project.po_number for project in projects}
    products = list(state.products)
    customers = list(state.customers)
    for index, day in enumerate(days):
        project = projects[index] if index < len(projects) else None
        number = project.po_number if project else f"PO-{10_000 + index}"
        if project is None and number in used:
            continue
        order = state.orders.create(
            order_number=number,
            customer_id=known[project.company.name] if project else ctx.random.choice(customers).id,
            ordered_on=ctx.date(day),
            status=_status(ctx, day),
            channel=ctx.random.choice(("web", "web", "phone", "partner")),
        )
        chosen = ctx.random.sample(products, ctx.random.choice((1, 1, 2, 3)))
        if project is not None:
            main = next(row for row in products if row.sku == project.product.sku)
            chosen = [main, *(row for row in chosen[1:] if row.id != main.id)]
        for position, product in enumerate(chosen):
            state.order_lines.create(
                order_id=order.id,
                product_id=product.id,
                quantity=project.seats if project and position == 0 else ctx.random.randint(1, 9),
                unit_price=round(product.list_price * ctx.random.choice((1.0, 1.0, 0.95, 0.9)), 2),
            )
        if order.status in ("shipped", "delivered", "returned"):
            _shipment(state, ctx, order.id, day, arrived=order.status != "shipped")


def _status(ctx: SeedContext, day: int) -> str:
    if day > -12:
        return ctx.random.choice(("placed", "placed", "shipped", "cancelled"))
    return ctx.random.choice(("delivered",) * 12 + ("returned", "cancelled", "placed"))


def _shipment(state: WarehouseState, ctx: SeedContext, order_id: str, day: int, *, arrived: bool) -> None:
    shipped = min(day + ctx.random.randint(1, 5), -1)
    delivered = min(shipped + ctx.random.choice((1, 2, 2, 3, 3, 4, 5, 9, 11)), 0)
    state.shipments.create(
        order_id=order_id,
        carrier=ctx.random.choice(texts.CARRIERS),
        tracking_code=f"TRK{ctx.random.randint(1_000_000, 9_999_999)}",
        shipped_on=ctx.date(shipped),
        delivered_on=ctx.date(delivered) if arrived else None,
        freight_cost=round(ctx.random.uniform(8, 140), 2),
    )


def _targets(state: WarehouseState, ctx: SeedContext) -> None:
    months = sorted({ctx.date(days)[:7] for days in (-90, -60, -30, 0, 30)})
    for month in months:
        for region in _REGIONS:
            amount = float(ctx.random.randrange(20, 70, 5) * 1000)
            state.targets.create(region=region, month=month, amount=amount, entered_by=ME.email)


def _documentation(state: WarehouseState, ctx: SeedContext, cast: Cast) -> None:
    stewards = cast.team("engineering") + cast.team("operations")[1:]
    for name, description, columns in texts.TABLES:
        state.tables.create(
            name=name,
            description=description,
            steward_email=ctx.random.choice(stewards).email,
            refreshed_at=ctx.moment(0, 5, ctx.random.randint(0, 59)),
        )
        for column, data_type, meaning, restricted in columns:
            state.columns.create(
                table_name=name, name=column, data_type=data_type, description=meaning, restricted=restricted
            )
    for term, body in texts.DEFINITIONS:
        owner = ctx.random.choice(stewards)
        state.definitions.create(
            term=term, body=body, owner_email=owner.email, updated_at=ctx.moment(-ctx.random.randint(20, 300), 11)
        )


def _run(state: WarehouseState, ctx: SeedContext, query: SavedQuery, email: str) -> None:
    """A run of this morning, so that its numbers are those of the data."""
    result = evaluate(state, ctx.now, query.sql)
    state.runs.create(
        query_id=query.id,
        row_count=len(result.rows),
        first_value=result.single_number,
        ran_by=email,
        ran_at=ctx.moment(0, 7, ctx.random.randint(0, 59)),
    )


def _queries(state: WarehouseState, ctx: SeedContext, cast: Cast) -> None:
    ids: dict[str, str] = {}
    for index, (name, description, sql) in enumerate(texts.QUERIES):
        owner = ME if index % 2 else ctx.random.choice(cast.staff[1:20])
        query = state.saved_queries.create(
            name=name, description=description, sql=sql, owner_email=owner.email, updated_at=ctx.moment(-60 + index, 10)
        )
        ids[name] = query.id
        if ":" not in sql:
            _run(state, ctx, query, owner.email)
        for text in ctx.random.sample(texts.NOTES, ctx.random.choice((0, 1, 2))):
            facts = people.facts(ctx, ctx.random.choice(cast.projects[:40]))
            state.notes.create(
                query_id=query.id,
                author_email=ctx.random.choice(cast.staff[1:20]).email,
                text=text.format(**facts),
                written_at=ctx.moment(-ctx.random.randint(1, 40), ctx.random.randint(8, 17)),
            )
    for name, description, tiles in texts.DASHBOARDS:
        owner = ctx.random.choice(cast.staff[1:20])
        board = state.dashboards.create(name=name, description=description, owner_email=owner.email)
        for title, chart in tiles:
            state.tiles.create(dashboard_id=board.id, query_id=ids[title], title=title, chart=chart)
    for name, query_name, comparison, threshold in texts.ALERTS:
        recipient = ctx.random.choice(cast.staff[1:20]).email
        state.alerts.create(
            name=name,
            query_id=ids[query_name],
            comparison=comparison,
            threshold=threshold,
            recipient_email=recipient,
            state="muted" if name == "Much on the way" else "unchecked",
        )
    for query_name, cadence, at in texts.SCHEDULES:
        recipients = (ctx.random.choice(cast.staff[1:20]).email, ME.email)[: ctx.random.choice((1, 2))]
        state.schedules.create(query_id=ids[query_name], cadence=cadence, at=at, recipients=recipients)
