"""Orders of the last five months: drafts, open ones, holds, deliveries in parts, returns and refunds."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Company, Project
from services_app.library.orders import texts
from services_app.library.orders.figures import Ledger
from services_app.library.orders.returns import credit_of
from services_app.library.orders.state import Line, Order, OrdersState, service

_LIMITS = {"sales": (20.0, 40_000.0), "finance": (15.0, 80_000.0), "operations": (12.0, 25_000.0)}
_CARRIERS = ("Postwind", "Postwind", "Norfreight", "Larkfield van", "Customer collection")


@service.seed
def fill(state: OrdersState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _catalogue(state, ctx, cast)
    ids = {company.name: _customer(state, ctx, company) for company in cast.companies[: ctx.size(36)]}
    projects = [project for project in cast.projects if project.company.name in ids][: ctx.size(110)]
    # More than half of the orders are of the last weeks: those are the ones on which there is still work to do.
    days = sorted(
        ctx.random.randint(-150, -30) if ctx.random.random() < 0.45 else ctx.random.randint(-30, -1) for _ in projects
    )
    for index, (project, day) in enumerate(zip(projects, days, strict=True)):
        late = len(projects) - index  # the latest orders are drafts, all but every third
        _order(state, ctx, project, ids[project.company.name], day, draft=late < len(projects) / 5 and late % 3 > 0)
    _promise_stock(state, ctx)


def _catalogue(state: OrdersState, ctx: SeedContext, cast: Cast) -> None:
    for product in cast.products:
        state.products.create(
            sku=product.sku,
            name=product.name,
            kind=product.kind,
            unit=product.unit,
            unit_price=product.price,
            on_hand=0 if product.kind == "hardware" else None,
            discontinued=product.name == "Handheld Scanner HS-2",
        )
    for title, body in texts.POLICIES:
        state.policies.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for team, (discount, amount) in _LIMITS.items():
        for place, person in enumerate(cast.team(team)[1 if team == "operations" else 0 :][:2]):
            state.approvers.create(
                name=person.name,
                email=person.email,
                title=person.title,
                discount_limit=discount if place == 0 else 11.0,
                amount_limit=amount if place == 0 else 22_000.0,
            )
    head = cast.team("finance")[2]
    state.approvers.create(
        name=head.name, email=head.email, title=head.title, discount_limit=35.0, amount_limit=500_000.0
    )


def _customer(state: OrdersState, ctx: SeedContext, company: Company) -> str:
    contact = next((person for person in company.people if "Procurement" in person.title), company.people[0])
    return state.customers.create(
        name=company.name,
        contact_name=contact.name,
        email=contact.email,
        phone=contact.phone,
        shipping_address=company.address,
        tier=ctx.random.choice(("standard", "standard", "gold", "platinum")),
        credit_hold=ctx.random.random() < 0.08,
    ).id


def _order(state: OrdersState, ctx: SeedContext, project: Project, customer_id: str, day: int, *, draft: bool) -> None:
    index = len(state.orders)
    order = state.orders.create(
        number=f"SO-{10_000 + index * 7 + ctx.random.randint(1, 6)}",
        customer_id=customer_id,
        status="draft" if draft else "open",
        channel=ctx.random.choice(("web", "phone", "email", "sales_rep")),
        po_number=project.po_number if ctx.random.random() < 0.95 or not draft else "",
        shipping_address=project.company.address,
        requested_date=ctx.date(day + ctx.random.randint(14, 40)) if ctx.random.random() < 0.7 else None,
        # Every other draft is one that somebody has to approve first.
        discount_percent=15.0 if draft and index % 2 else ctx.random.choice((0.0, 0.0, 0.0, 5.0, 8.0, 10.0)),
        tax_rate=20.0 if ctx.random.random() < 0.9 else 0.0,
        tags=tuple(ctx.random.sample(texts.TAGS, ctx.random.choice((0, 0, 1, 2)))),
        placed_at=None if draft else ctx.moment(day, 11, index % 60),
        created_at=ctx.moment(day, 10, index % 60),
    )
    lines = _lines(state, ctx, project, order)
    facts = people.facts(ctx, project)
    for text in ctx.random.sample(texts.NOTES, ctx.random.choice((0, 1, 1, 2))):
        _note(state, ctx, project, order, text.format(**facts), min(day + 1, -1))
    if not draft:
        _approve(state, order)
        _progress(state, ctx, project, order, lines, day)


def _lines(state: OrdersState, ctx: SeedContext, project: Project, order: Order) -> list[Line]:
    products = list(state.products)
    main = next(row for row in products if row.sku == project.product.sku)
    wares = [row for row in products if row.id != main.id and row.on_hand is not None and not row.discontinued]
    found = []
    for product in (main, *ctx.random.sample(wares, ctx.random.randint(1, 2))):
        quantity = project.seats if product is main else ctx.random.randint(1, 8)
        found.append(
            state.lines.create(
                order_id=order.id, product_id=product.id, quantity=quantity, unit_price=product.unit_price
            )
        )
    if Ledger(state).amounts(order)["subtotal"] < 500:
        state.orders.patch(order.id, shipping_fee=25.0)
    return found


def _approve(state: OrdersState, order: Order) -> None:
    ledger = Ledger(state)
    if ledger.needs_approval(order):
        amount = ledger.amounts(order)["total"]
        fit = [row for row in state.approvers if row.amount_limit >= amount]
        state.orders.patch(order.id, approver_id=min(fit, key=lambda row: row.amount_limit).id)


def _note(state: OrdersState, ctx: SeedContext, project: Project, order: Order, text: str, day: int) -> None:
    moment = ctx.moment(day, ctx.random.randint(8, 17), ctx.random.randint(0, 59))
    state.notes.create(order_id=order.id, author_email=project.owner.email, text=text, written_at=moment)


def _progress(
    state: OrdersState, ctx: SeedContext, project: Project, order: Order, lines: list[Line], day: int
) -> None:
    """What became of a placed order: most have arrived, some in part, a few wait or are off."""
    facts = people.facts(ctx, project)
    recent, fate = day > -31, ctx.random.random()
    if fate < 0.06:
        state.orders.patch(
            order.id, status="cancelled", cancel_reason=ctx.random.choice(("customer_request", "duplicate"))
        )
        return
    turn = len(state.orders) % 5  # of the recent orders one in five is on hold, two wait, one is under way
    if turn == 0 and (recent or fate < 0.5):
        _hold(state, ctx, project, order, day)
        return
    if recent and turn < 3:
        return
    whole = fate > 0.36
    moving = recent and turn == 3
    shipped = max(day, -ctx.random.randint(1, 4)) if moving else min(day + ctx.random.randint(2, 8), -5)
    arrived = shipped + ctx.random.randint(4 if moving else 2, 4)
    parts = [(line, line.quantity if whole else max(1, line.quantity // 2)) for line in lines]
    shipment = state.fulfillments.create(
        order_id=order.id,
        status="delivered" if arrived < 0 else "in_transit",
        carrier=ctx.random.choice(_CARRIERS),
        tracking_number=f"TRK{ctx.random.randint(100_000, 999_999)}",
        shipped_on=ctx.date(shipped),
        delivered_on=ctx.date(arrived) if arrived < 0 else None,
        signed_by=project.contact.name if arrived < 0 else "",
    )
    for line, quantity in parts:
        state.parcels.create(fulfillment_id=shipment.id, line_id=line.id, quantity=quantity)
    if arrived < 0 and len(state.fulfillments) % 5 in (1, 4):
        _return(state, ctx, project, parts, arrived, {**facts, "carrier": shipment.carrier})
    elif arrived < 0 and len(state.fulfillments) % 5 == 2:
        amount = round(Ledger(state).amounts(order)["total"] * 0.05, 2)
        reason = ctx.random.choice(texts.REFUND_REASONS).format(**facts)
        state.refunds.create(order_id=order.id, amount=amount, reason=reason, issued_on=ctx.date(min(arrived + 4, -1)))


def _hold(state: OrdersState, ctx: SeedContext, project: Project, order: Order, day: int) -> None:
    reason, text = ctx.random.choice(tuple(texts.HOLD_NOTES.items()))
    state.orders.patch(order.id, status="on_hold", hold_reason=reason)
    _note(state, ctx, project, order, text.format(**people.facts(ctx, project)), min(day + 2, -1))


def _return(
    state: OrdersState,
    ctx: SeedContext,
    project: Project,
    parts: list[tuple[Line, int]],
    arrived: int,
    facts: dict[str, str],
) -> None:
    goods = [(line, many) for line, many in parts if state.products.get(line.product_id).on_hand is not None]
    if not goods:
        return
    line, many = ctx.random.choice(goods)
    day = min(arrived + ctx.random.randint(1, 12), 0)
    status = ("requested", "received", "approved", "declined")[len(state.returns) % 4]
    reason = ctx.random.choice(tuple(texts.COMMENTS))
    row = state.returns.create(
        rma_number=f"RMA-{5001 + len(state.returns)}",
        line_id=line.id,
        quantity=ctx.random.randint(1, min(3, many)),
        reason=reason,
        comment=texts.COMMENTS[reason].format(**facts),
        status=status,
        decline_reason=ctx.random.choice(texts.DECLINES) if status == "declined" else "",
        condition=ctx.random.choice(("sealed", "opened")) if status == "received" else None,
        requested_on=ctx.date(day),
    )
    credit = credit_of(state, row)
    if credit and len(state.returns) % 8 == 2:
        state.refunds.create(
            order_id=line.order_id,
            return_id=row.id,
            amount=credit,
            reason=f"Return {row.rma_number}",
            issued_on=ctx.date(min(day + 6, 0)),
        )


def _promise_stock(state: OrdersState, ctx: SeedContext) -> None:
    """Stock around what is promised: some products are short, so that orders wait."""
    ledger = Ledger(state)
    for product in state.products:
        if product.on_hand is not None:
            promised = ledger.reserved(product.id)
            spare = ctx.random.choice((-4, 3, 12, 25, 60))
            state.products.patch(product.id, on_hand=max(2, promised + spare))
