"""A plant with orders at every stage, lots of materials, measured values and proposed changes."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.manufacturing import catalogue, texts
from services_app.library.manufacturing.plant import operations
from services_app.library.manufacturing.state import Item, ManufacturingState, Operation, Order, service
from services_app.library.shared import words

_FATES = words("done planned begun released done checked running done planned begun cancelled done planned checked")
_USES = ("done", "begun", "running", "checked", "released")
_Lots = dict[str, list[list[object]]]


@service.seed
def fill(state: ManufacturingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.SHEETS:
        state.process_sheets.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for name, role in catalogue.CREW:
        state.operators.create(name=name, email=f"{people.ascii_name(name)}@{people.DOMAIN}", role=role)
    for code, name, hours, rate in catalogue.CENTERS:
        down = code == "CAL-1"
        reason = "Reference thermometer is at the maker" if down else ""
        state.work_centers.create(
            code=code, name=name, hours_per_day=hours, hourly_rate=rate, down=down, down_reason=reason
        )
    for sku, name, supplier, price in catalogue.MATERIALS:
        state.items.create(sku=sku, name=name, kind="material", unit="unit", unit_cost=price, supplier_name=supplier)
    for index, ware in enumerate(row for row in cast.products if row.kind == "hardware"):
        _product(state, index, ware.sku, ware.name, ware.price)
    plans = _plans(state, ctx, cast)
    lots = _receipts(state, ctx, plans)
    for index, (project, product, quantity, fate) in enumerate(plans):
        _order(state, ctx, project, product, quantity, fate, index, lots)
    _changes(state, ctx, cast)


def _product(state: ManufacturingState, index: int, sku: str, name: str, price: float) -> None:
    word = catalogue.word_of(name)
    product = state.items.create(sku=sku, name=name, kind="product", unit="unit", unit_cost=0.0)
    own = (
        (f"RM-3{index}0", f"Main board {word}", "Halden Components", 0.12),
        (f"RM-4{index}0", f"Housing {word}", "Ostrava Metalworks", 0.04),
    )
    used = [*catalogue.MADE_OF[word][0], *catalogue.EVERYWHERE]
    for code, title, supplier, share in own:
        state.items.create(
            sku=code,
            name=title,
            kind="material",
            unit="unit",
            unit_cost=round(price * share, 2),
            supplier_name=supplier,
        )
        used.append((code, 1))
    ids = {row.sku: row.id for row in state.items}
    for code, many in used:
        state.bom_lines.create(product_id=product.id, material_id=ids[code], quantity_per=many)
    centers = {row.code: row.id for row in state.work_centers}
    assembly = catalogue.MADE_OF[word][1]
    steps = (
        ("Board assembly", "SMT-1", 30, 2),
        ("Assembly", assembly, 20, 4 + index),
        ("Calibration", "CAL-1", 15, 3) if word == "Sensor" else ("Functional test", "TST-1", 10, 3),
        ("Packing", "PCK-1", 5, 1),
    )
    for number, (title, code, setup, each) in enumerate(steps, 1):
        state.routing_steps.create(
            product_id=product.id,
            sequence=number,
            name=title,
            work_center_id=centers[code],
            setup_minutes=setup,
            minutes_per_unit=each,
        )
    for title, unit, low, high in catalogue.CHARACTERISTICS[word]:
        state.quality_plans.create(product_id=product.id, name=title, unit=unit, low=low, high=high)


def _plans(state: ManufacturingState, ctx: SeedContext, cast: Cast) -> list[tuple[Project, Item, int, str]]:
    """Which project becomes an order for which product, how many and how far it is."""
    products = state.items.find(kind="product")
    found = []
    for index, project in enumerate(cast.projects[: ctx.size(60)]):
        own = next((row for row in products if row.sku == project.product.sku), products[index % len(products)])
        found.append((project, own, max(10, project.seats), _FATES[index % len(_FATES)]))
    return found


def _receipts(state: ManufacturingState, ctx: SeedContext, plans: list[tuple[Project, Item, int, str]]) -> _Lots:
    """Two lots of every material, which cover what has begun and a bit more; lots by material, the first one first."""
    needed: dict[str, int] = {}
    for _, product, quantity, fate in plans:
        if fate in _USES:
            for line in state.bom_lines.find(product_id=product.id):
                needed[line.material_id] = needed.get(line.material_id, 0) + line.quantity_per * quantity
    lots: _Lots = {}
    for index, item in enumerate(state.items.find(kind="material")):
        total = needed.get(item.id, 0) + (60, 25, 120, 15, 200)[index % 5]
        for turn, units in enumerate((total // 2, total - total // 2)):
            lot = f"{item.supplier_name[:3].upper()}-{ctx.random.randint(10_000, 99_999)}"
            state.moves.create(
                item_id=item.id,
                quantity=units,
                kind="receipt",
                lot_number=lot,
                note=f"DN-{ctx.random.randint(20_000, 99_999)}",
                moved_on=ctx.date(-120 + turn * 40),
            )
            lots.setdefault(item.id, []).append([lot, units])
    return lots


def _order(
    state: ManufacturingState,
    ctx: SeedContext,
    project: Project,
    product: Item,
    quantity: int,
    fate: str,
    index: int,
    lots: _Lots,
) -> None:
    stock = index % 6 == 5
    due = -ctx.random.randint(4, 60) if fate in ("done", "cancelled") else ctx.random.randint(1, 30)
    order = state.orders.create(
        number=f"MO-{5001 + index}",
        product_id=product.id,
        quantity=quantity,
        customer_name="" if stock else project.company.name,
        reference="" if stock else project.po_number,
        due_on=ctx.date(due),
        priority=("normal", "high", "normal", "low")[index % 4],
        status={"planned": "planned", "released": "released", "done": "done", "cancelled": "cancelled"}.get(
            fate, "in_progress"
        ),
    )
    for step in state.routing_steps.find(product_id=product.id):
        state.operations.create(order_id=order.id, step_id=step.id)
    facts = people.facts(ctx, project)
    notes = ctx.random.sample(texts.COMMENTS, index % 3)
    for text in [*notes, texts.CANCELLED] if fate == "cancelled" else notes:
        state.comments.create(
            order_id=order.id,
            author_email=project.owner.email,
            text=text.format(**facts),
            written_at=ctx.moment(min(due, 0) - 5, 9 + index % 8, index % 60),
        )
    if fate in ("done", "begun", "running", "checked"):
        day = min(due, 0) - 3
        _issue(state, ctx, order, lots, day)
        _progress(state, ctx, order, fate, index)
        _measure(state, ctx, order, fate, facts, day)
    if fate == "done":
        _finish(state, ctx, order, due)


def _issue(state: ManufacturingState, ctx: SeedContext, order: Order, lots: _Lots, day: int) -> None:
    for line in state.bom_lines.find(product_id=order.product_id):
        rest = line.quantity_per * order.quantity
        for lot in lots[line.material_id]:
            part = min(int(str(lot[1])), rest)
            if part:
                state.moves.create(
                    item_id=line.material_id,
                    quantity=-part,
                    kind="issue",
                    lot_number=lot[0],
                    order_id=order.id,
                    moved_on=ctx.date(day),
                )
                lot[1], rest = int(str(lot[1])) - part, rest - part


def _progress(state: ManufacturingState, ctx: SeedContext, order: Order, fate: str, index: int) -> None:
    """Operations that are done, and one that runs when its work centre and an operator are free."""
    crew = state.operators.find(role="operator")
    many = {"done": 4, "checked": 4, "begun": 1 + index % 2, "running": index % 3}[fate]
    units = order.quantity
    rows = operations(state, order.id)
    for number, row in enumerate(rows[:many]):
        spoilt = 1 if (index + number) % 5 == 0 else 0
        units -= spoilt
        state.operations.patch(
            row.id,
            status="done",
            operator_id=crew[(index + number) % len(crew)].id,
            good=units,
            scrapped=spoilt,
            scrap_reason=ctx.random.choice(texts.SCRAP) if spoilt else "",
        )
    if fate == "running":
        _run(state, rows[many])


def _run(state: ManufacturingState, row: Operation) -> None:
    center = state.work_centers.get(state.routing_steps.get(row.step_id).work_center_id)
    running = state.operations.find(status="running")
    taken = {state.routing_steps.get(other.step_id).work_center_id for other in running}
    busy = {other.operator_id for other in running}
    free = [person for person in state.operators.find(role="operator") if person.id not in busy]
    if center.id not in taken and not center.down and len(running) < 2:
        state.operations.patch(row.id, status="running", operator_id=free[0].id)


def _measure(
    state: ManufacturingState, ctx: SeedContext, order: Order, fate: str, facts: dict[str, str], day: int
) -> None:
    """Values of finished orders, of checked ones in part; some findings."""
    plans = state.quality_plans.find(product_id=order.product_id)
    number = int(order.number[3:])
    outside = fate == "checked" and number % 5 == 1
    whole = fate == "done" or (fate == "checked" and not outside)
    for plan in plans if whole else plans[: int(outside)]:
        share = 1.15 if outside else ctx.random.choice((0.2, 0.4, 0.5, 0.7, 0.9))
        state.quality_checks.create(
            order_id=order.id,
            plan_id=plan.id,
            value=round(plan.low + (plan.high - plan.low) * share, 2),
            checked_at=ctx.moment(min(day + 2, -1), 13, number % 60),
        )
    if outside or number % 3 == 0:
        still = fate != "done"
        state.nonconformances.create(
            number=f"NC-{201 + len(state.nonconformances):04d}",
            order_id=order.id,
            units=ctx.random.choice((1, 2, 3)),
            description=ctx.random.choice(texts.NCRS).format(**facts),
            disposition="open" if still else ("rework", "scrap", "use_as_is")[len(state.nonconformances) % 3],
            decided_by=None if still else state.operators.find(role="quality_engineer")[0].email,
            reported_on=ctx.date(min(day + 2, -1)),
        )


def _finish(state: ManufacturingState, ctx: SeedContext, order: Order, due: int) -> None:
    word = catalogue.word_of(state.items.get(order.product_id).name)
    lot = f"{word.upper()}-{ctx.random.randint(2550, 2609)}-{order.number[3:]}"
    scrapped = sum(row.units for row in state.nonconformances.find(order_id=order.id, disposition="scrap"))
    state.moves.create(
        item_id=order.product_id,
        quantity=operations(state, order.id)[-1].good - scrapped,
        kind="output",
        lot_number=lot,
        order_id=order.id,
        moved_on=ctx.date(due),
    )
    state.orders.patch(order.id, lot_number=lot, finished_on=ctx.date(due))


def _changes(state: ManufacturingState, ctx: SeedContext, cast: Cast) -> None:
    ids = {row.sku: row.id for row in state.items}
    engineers = cast.team("engineering")
    for index in range(ctx.size(10)):
        old, new, reason = texts.CHANGES[index % len(texts.CHANGES)]
        users = [row.product_id for row in state.bom_lines.find(material_id=ids[old])]
        product = users[index // len(texts.CHANGES) % len(users)]
        if state.changes.first(product_id=product, old_material_id=ids[old]) is not None:
            continue
        status = ("proposed", "rejected", "proposed", "proposed")[index % 4]
        state.changes.create(
            number=f"EC-{61 + index:03d}",
            product_id=product,
            old_material_id=ids[old],
            new_material_id=ids[new],
            reason=reason.format(**people.facts(ctx, cast.projects[index])),
            proposed_by=engineers[index % len(engineers)].email,
            status=status,
            decision_note=texts.DECISIONS[status],
        )
