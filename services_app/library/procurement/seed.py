"""A year of buying: requisitions in every state, orders on their way, short deliveries, invoices that do not match."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.procurement import texts
from services_app.library.procurement.figures import Books
from services_app.library.procurement.requisitions import approvers
from services_app.library.procurement.state import ProcurementState, PurchaseOrder, Requisition, service
from services_app.library.shared import grouped
from services_app.library.suppliers import suppliers

SUPPLIERS = 24
ON_HOLD, INACTIVE = 7, 4  # every seventh supplier is on hold, the one with this position inactive
DISCONTINUED = 11
RECENT = -40


@service.seed
def fill(state: ProcurementState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body, day, superseded in texts.POLICIES:
        state.policies.create(title=title, body=body, valid_from=ctx.date(day), superseded=superseded)
    _suppliers(state, ctx)
    for name, code, team, amount in texts.BUDGETS:
        head = cast.me if team == "me" else next(person for person in cast.team(team) if person is not cast.me)
        state.budgets.create(name=name, code=code, owner_email=head.email, amount=amount * ctx.size(100) / 100)
    days = sorted(ctx.random.randint(-110, -1) for _ in range(ctx.size(110)))
    for index, day in enumerate(days):
        _requisition(state, ctx, cast, index, day)


def _suppliers(state: ProcurementState, ctx: SeedContext) -> None:
    for index, known in enumerate(suppliers(ctx)[: min(SUPPLIERS, ctx.size(22))]):
        facts = {"contact": known.contact.name}
        status = "on_hold" if index % ON_HOLD == ON_HOLD - 1 else "inactive" if index == INACTIVE else "approved"
        remark = texts.ON_HOLD if status == "on_hold" else ctx.random.choice(texts.SUPPLIER_REMARKS)
        supplier = state.suppliers.create(
            name=known.name,
            category=known.category,
            contact_name=known.contact.name,
            email=known.contact.email,
            phone=known.contact.phone,
            address=known.address,
            payment_terms=known.terms,
            minimum_order=float(ctx.random.choice((0, 0, 25, 50, 100))),
            preferred=ctx.random.random() < 0.35,
            status=status,
            remark=remark.format(**facts),
        )
        for name, unit, price, days, least in texts.ITEMS[known.category]:
            number = len(state.catalog_items) + 1
            state.catalog_items.create(
                supplier_id=supplier.id,
                sku=f"{known.name[:3].upper()}-{2000 + 13 * number}",
                name=name,
                unit=unit,
                price=round(price * ctx.random.uniform(0.9, 1.12), 2),
                lead_days=max(days + ctx.random.randint(-1, 3), 0),
                minimum_quantity=least,
                discontinued=number % DISCONTINUED == 0,
            )


def _requisition(state: ProcurementState, ctx: SeedContext, cast: Cast, index: int, day: int) -> None:
    """A third is mine; half of the others are on my budgets, so that their first step waits for me."""
    project = cast.projects[index * 3 % 120]
    facts = people.facts(ctx, project)
    mine = index % 3 == 0
    own = [row for row in state.budgets if row.owner_email == cast.me.email]
    foreign = [row for row in state.budgets if row.owner_email != cast.me.email]
    budget = ctx.random.choice(own if index % 3 == 1 else foreign)
    requester = cast.me if mine else ctx.random.choice(cast.staff[1:30])
    status = _status(ctx, index, day)
    row = state.requisitions.create(
        number=f"RQ-{ctx.date(day)[:4]}-{_count(state, ctx.date(day)[:4]):04d}",
        title=ctx.random.choice(texts.TITLES).format(**facts),
        requester_email=requester.email,
        budget_id=budget.id,
        justification=ctx.random.choice(texts.JUSTIFICATIONS).format(**facts),
        order_number=project.po_number if ctx.random.random() < 0.7 else "",
        needed_by=ctx.date(ctx.random.randint(18, 60) if day > RECENT else day + ctx.random.randint(40, 75)),
        deliver_to=project.company.address if ctx.random.random() < 0.25 else cast.offices[index % 3].address,
        status=status,
        created_at=ctx.moment(day, 9, index % 60),
    )
    _lines(state, ctx, row, fast=index % 2 == 0 or status == "draft")
    _decide(state, ctx, row, day)
    _talk(state, ctx, row, project)
    if status == "ordered":
        _order(state, ctx, row, day)


def _count(state: ProcurementState, year: str) -> int:
    return sum(1 for row in state.requisitions if row.number.startswith(f"RQ-{year}-")) + 1


def _status(ctx: SeedContext, index: int, day: int) -> str:
    if day > RECENT:
        return ("draft", "pending_approval", "pending_approval", "draft", "pending_approval", "approved")[index % 6]
    return ctx.random.choice(("ordered", "ordered", "ordered", "ordered", "approved", "withdrawn", "rejected"))


def _lines(state: ProcurementState, ctx: SeedContext, row: Requisition, *, fast: bool) -> None:
    usable = {supplier.id for supplier in state.suppliers if supplier.status == "approved"}
    items = [item for item in state.catalog_items if item.supplier_id in usable and not item.discontinued]
    if fast:
        items = [item for item in items if item.lead_days <= 14]
    for item in ctx.random.sample(items, ctx.random.randint(1, 3)):
        most = 2 if item.price > 1000 else 12 if item.price > 100 else 40
        state.requisition_lines.create(
            requisition_id=row.id,
            supplier_id=item.supplier_id,
            item_id=item.id,
            description=item.name,
            quantity=max(item.minimum_quantity, ctx.random.randint(1, most)),
            unit_price=item.price,
        )


def _decide(state: ProcurementState, ctx: SeedContext, row: Requisition, day: int) -> None:
    if row.status in ("draft", "withdrawn"):
        return
    chain = approvers(state, row, Books(state).requisition_total(row.id))
    for step, email in enumerate(chain, start=1):
        last = step == len(chain)
        if row.status == "pending_approval":
            decision = "approved" if step == 1 and not last and ctx.random.random() < 0.4 else "pending"
        else:
            decision = "rejected" if last and row.status == "rejected" else "approved"
        decided = None if decision == "pending" else ctx.date(min(day + step, 0))
        state.approvals.create(
            requisition_id=row.id, step=step, approver_email=email, decision=decision, decided_on=decided
        )


def _talk(state: ProcurementState, ctx: SeedContext, row: Requisition, project: Project) -> None:
    facts = people.facts(ctx, project)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2))):
        state.comments.create(
            requisition_id=row.id,
            author_email=ctx.random.choice((project.owner.email, row.requester_email)),
            text=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 20), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _order(state: ProcurementState, ctx: SeedContext, row: Requisition, day: int) -> None:
    lines = state.requisition_lines.find(requisition_id=row.id)
    for supplier_id, mine in grouped(lines, lambda line: line.supplier_id).items():
        issued = min(day + 4, -1)
        year = ctx.date(issued)[:4]
        order = state.purchase_orders.create(
            number=f"LPO-{year}-{sum(one.number[4:8] == year for one in state.purchase_orders) + 1:04d}",
            supplier_id=supplier_id,
            requisition_id=row.id,
            issued_on=ctx.date(issued),
            expected_on=ctx.date(issued + ctx.random.randint(10, 60)),
            deliver_to=row.deliver_to,
            status="cancelled" if ctx.random.random() < 0.06 else "issued",
        )
        for line in mine:
            state.order_lines.create(
                purchase_order_id=order.id,
                description=line.description,
                quantity=line.quantity,
                unit_price=line.unit_price,
            )
        if order.status == "issued":
            _deliver(state, ctx, order)


def _deliver(state: ProcurementState, ctx: SeedContext, order: PurchaseOrder) -> None:
    """Most has arrived in full, some in part, some not at all; invoices follow, a few above what arrived."""
    fate = ctx.random.random()
    share = 1.0 if fate < 0.5 else 0.5 if fate < 0.75 else 0.0
    note = f"DN{ctx.random.randint(10_000, 99_999)}"
    for line in state.order_lines.find(purchase_order_id=order.id):
        quantity = round(line.quantity * share)
        if quantity:
            state.goods_receipts.create(
                order_line_id=line.id,
                quantity=quantity,
                delivery_note=note,
                remark="Box was open, contents complete." if fate < 0.06 else "",
                received_on=min(order.expected_on, ctx.date(-2)),
            )
    books = Books(state)
    if share:
        whole = ctx.random.random() < 0.35  # billed in full, whatever arrived
        amount = books.order_total(order.id) if whole else books.received_value(order.id)
        paid = amount <= books.received_value(order.id) and ctx.random.random() < 0.5
        disputed = not paid and ctx.random.random() < 0.2
        state.supplier_invoices.create(
            number=f"{books.suppliers[order.supplier_id].name[:2].upper()}{ctx.random.randint(10_000, 99_999)}",
            purchase_order_id=order.id,
            amount=amount,
            invoiced_on=min(order.expected_on, ctx.date(-2)),
            status="approved" if paid else "disputed" if disputed else "received",
            dispute_reason=ctx.random.choice(texts.DISPUTES) if disputed else "",
        )
