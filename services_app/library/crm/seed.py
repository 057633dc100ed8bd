"""A sales team's CRM in the middle of a quarter."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Company, Project
from services_app.library.crm import texts
from services_app.library.crm.state import OPEN_STAGES, CrmState, service

_STAGES = ("qualification", "discovery", "discovery", "proposal", "proposal", "negotiation", "won", "won", "lost")
_TIERS = ("bronze", "bronze", "silver", "silver", "gold", "platinum")
_CREDIT = {"bronze": 15_000.0, "silver": 40_000.0, "gold": 90_000.0, "platinum": 200_000.0}


@service.seed
def fill(state: CrmState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _users(state, ctx, cast)
    for product in cast.products:
        state.products.create(
            sku=product.sku,
            name=product.name,
            unit=product.unit,
            list_price=product.price,
            active=product.name != "Handheld Scanner HS-2",
        )
    companies = cast.companies[: ctx.size(40)]
    ids = {company.name: _account(state, ctx, company) for company in companies}
    projects = [project for project in cast.projects if project.company.name in ids][: ctx.size(90)]
    for project in projects:
        _deal(state, ctx, project, ids[project.company.name])


def _users(state: CrmState, ctx: SeedContext, cast: Cast) -> None:
    state.users.create(name=ME.name, email=ME.email, role=ME.title, discount_limit=5.0, quota=60_000.0)
    for person in cast.team("sales"):
        manager = person.title == "Sales Manager"
        state.users.create(
            name=person.name,
            email=person.email,
            role=person.title,
            discount_limit=35.0 if manager else ctx.random.choice((8.0, 10.0, 12.0, 15.0)),
            quota=float(ctx.random.randrange(120, 400, 20) * 1000),
        )


def _account(state: CrmState, ctx: SeedContext, company: Company) -> str:
    tier = ctx.random.choice(_TIERS)
    account = state.accounts.create(
        name=company.name,
        domain=company.domain,
        industry=company.industry,
        city=company.city,
        country=company.country,
        address=company.address,
        phone=company.people[0].phone,
        tier=tier,
        status=ctx.random.choice(("customer", "customer", "customer", "prospect", "on_hold")),
        employees=company.employees,
        credit_limit=_CREDIT[tier],
        owner_email=company.manager.email,
        created_at=ctx.moment(-ctx.random.randint(200, 900), 10),
    )
    for index, person in enumerate(company.people):
        state.contacts.create(
            account_id=account.id,
            name=person.name,
            email=person.email,
            phone=person.phone,
            title=person.title,
            primary=index == 0,
            do_not_contact=index > 0 and ctx.random.random() < 0.08,
        )
    return account.id


def _deal(state: CrmState, ctx: SeedContext, project: Project, account_id: str) -> None:
    stage = ctx.random.choice(_STAGES)
    is_open = stage in OPEN_STAGES
    contact = state.contacts.first(email=project.contact.email)
    deal = state.deals.create(
        account_id=account_id,
        contact_id=contact.id if contact else None,
        title=f"{project.title} ({project.company.short})",
        stage=stage,
        amount=project.amount,
        close_date=ctx.date(ctx.random.randint(-6, 75) if is_open else -ctx.random.randint(5, 120)),
        owner_email=project.owner.email,
        order_number=project.po_number if stage == "won" else "",
        lost_reason=ctx.random.choice(texts.LOST) if stage == "lost" else "",
        created_at=ctx.moment(-ctx.random.randint(121, 190), 11),
    )
    products = list(state.products)
    main = next(product for product in products if product.sku == project.product.sku)
    extra = ctx.random.choice([product for product in products if product.active and product.id != main.id])
    for product, quantity in ((main, project.seats), (extra, ctx.random.randint(1, 4)))[: ctx.random.randint(1, 2)]:
        state.items.create(deal_id=deal.id, product_id=product.id, quantity=quantity, unit_price=product.list_price)
    _history(state, ctx, project, account_id, deal.id, contact.id if contact else None)


def _history(
    state: CrmState, ctx: SeedContext, project: Project, account_id: str, deal_id: str, contact_id: str | None
) -> None:
    facts = people.facts(ctx, project)
    for kind, subject, text in ctx.random.sample(texts.ACTIVITIES, ctx.random.randint(1, 3)):
        state.activities.create(
            account_id=account_id,
            deal_id=deal_id,
            contact_id=None if kind == "note" else contact_id,
            kind=kind,
            subject=subject.format(**facts),
            text=text.format(**facts),
            author_email=project.owner.email,
            happened_at=ctx.moment(-ctx.random.randint(1, 110), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )
    if ctx.random.random() < 0.6:
        done = ctx.random.random() < 0.35
        state.tasks.create(
            account_id=account_id,
            deal_id=deal_id,
            title=ctx.random.choice(texts.TASKS).format(**facts),
            due_date=ctx.date(ctx.random.randint(-10, 25)),
            priority=ctx.random.choice(("low", "normal", "normal", "high")),
            status="done" if done else "open",
            assignee_email=project.owner.email,
            completed_at=ctx.moment(-1, 12) if done else None,
        )
