"""A warehouse on a working day: goods in all zones, trucks to come, orders at every stage."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import goods
from services_app.library.cast import Cast, Project
from services_app.library.shared import words
from services_app.library.warehouse import texts
from services_app.library.warehouse.floor import Floor
from services_app.library.warehouse.picking import allocate
from services_app.library.warehouse.state import Order, Sku, WarehouseState, Wave, service

_CREW = (
    ("Magnus Thorvald", True), ("Ottoline Brearley", False), ("Jerome Adjei", True), ("Pilar Echeverría", False),
    ("Wendell Krause", True), ("Sunniva Lie", False), ("Baptiste Morel", True), ("Agnes Szűcs", False),
)  # fmt: skip
_CARRIERS = ("Postwind", "Norfreight", "Postwind", "Larkfield van")
_GRAMS = {"HS-2": 420, "HS-4": 460, "LP-1": 2300, "T5": 350, "G10": 3800, "Sensor": 120, "Charger": 900}
_FATES = words("waiting shipped waiting packed in_wave picking shipped picked on_hold packed picking cancelled")


@service.seed
def fill(state: WarehouseState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.INSTRUCTIONS:
        state.instructions.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for index, (name, forklift) in enumerate(_CREW):
        email = f"{people.ascii_name(name)}@{people.DOMAIN}"
        state.workers.create(name=name, email=email, shift=("early", "late")[index // 2 % 2], forklift=forklift)
    _skus(state, ctx, cast)
    _bins(state, ctx)
    _plates(state, ctx)
    _inbounds(state, ctx)
    _trucks(state, ctx)
    _orders(state, ctx, cast)
    _trouble(state, ctx, cast)


def _skus(state: WarehouseState, ctx: SeedContext, cast: Cast) -> None:
    for product in (row for row in cast.products if row.kind == "hardware"):
        grams = next(weight for word, weight in _GRAMS.items() if word in product.name)
        kind = "cold" if "Sensor" in product.name else "ambient"
        state.skus.create(sku=product.sku, name=product.name, storage_class=kind, unit_weight=grams)
    for row in goods.accessories(cast)[: ctx.size(34)]:
        kind = "battery" if row.title.startswith("Spare battery") else "ambient"
        state.skus.create(sku=row.sku, name=row.title, storage_class=kind, unit_weight=row.grams)


def _bins(state: WarehouseState, ctx: SeedContext) -> None:
    for number in (1, 2, 3):
        state.locations.create(code=f"RCV-{number}", zone="receiving", level=1, max_weight=20_000)
    for bay in range(1, ctx.size(18) + 1):
        for aisle in "ABC":
            for level in (1, 2, 3):
                zone = "pick_face" if level == 1 else "reserve"
                weight = (400, 300, 200)[level - 1]
                state.locations.create(code=f"{aisle}-{bay:02d}-{level}", zone=zone, level=level, max_weight=weight)
    for bay in range(1, ctx.size(8) + 1):
        state.locations.create(code=f"COLD-{bay:02d}", zone="cold", level=1, max_weight=250)
        state.locations.create(code=f"CAGE-{bay:02d}", zone="battery_cage", level=1, max_weight=250)
    for number in (1, 2):
        state.locations.create(code=f"QUA-{number}", zone="quarantine", level=1, max_weight=2000)


def _plates(state: WarehouseState, ctx: SeedContext) -> None:
    """Three plates of every SKU in fitting bins, the last of every fifth still in receiving."""
    shelves = {
        "ambient": [row.id for row in state.locations if row.zone in ("pick_face", "reserve")],
        "cold": [row.id for row in state.locations if row.zone == "cold"],
        "battery": [row.id for row in state.locations if row.zone == "battery_cage"],
    }
    dock = state.locations.find(zone="receiving")
    for index, sku in enumerate(state.skus):
        for turn in range(3):
            places = shelves[sku.storage_class]
            waits = turn == 2 and index % 5 == 0
            place = dock[index % 3].id if waits else places[(index * 7 + turn * 4) % len(places)]
            state.plates.create(
                number=f"LP-{10_001 + len(state.plates)}",
                sku_id=sku.id,
                location_id=place,
                quantity=ctx.random.choice((24, 36, 40)) if waits else ctx.random.choice((30, 40, 48)),
                received_on=ctx.date(-1 if waits else -ctx.random.randint(5, 120)),
            )


def _inbounds(state: WarehouseState, ctx: SeedContext) -> None:
    skus = list(state.skus)
    for index in range(ctx.size(30)):
        status = ("expected", "arrived", "closed", "expected", "closed")[index % 5]
        day = {"expected": ctx.random.randint(0, 14), "arrived": 0, "closed": -ctx.random.randint(2, 40)}[status]
        if index % 10 == 0:
            day = 0  # comes today
        maker = goods.MAKERS[index % len(goods.MAKERS)]
        row = state.inbounds.create(
            number=f"ASN-{4201 + index}",
            supplier_name=maker.name,
            delivery_note=f"DN-{ctx.random.randint(20_000, 99_999)}",
            carrier_name=("Saxby Freight", "Rhône Transit", "Norfreight")[index % 3],
            expected_on=ctx.date(day),
            status=status,
            closing_note=texts.CLOSINGS[index // 5 % 2] if status == "closed" and index % 2 else "",
        )
        for sku in ctx.random.sample(skus, 1 + index % 3):
            line = state.inbound_lines.create(
                inbound_id=row.id, sku_id=sku.id, expected=ctx.random.choice((20, 40, 60, 100))
            )
            if status == "closed":
                short = 4 if row.closing_note else 0
                state.receipts.create(
                    inbound_line_id=line.id,
                    quantity=line.expected - short,
                    damaged=index % 3,
                    received_at=ctx.moment(day, 11, index % 60),
                )


def _trucks(state: WarehouseState, ctx: SeedContext) -> None:
    """Two slots a door and day; each open inbound shipment but every fourth has one."""
    slots = [(day, hour, door) for day in range(40) for hour in (10, 13, 15) for door in ("D1", "D2", "D3", "D4")]
    ctx.random.shuffle(slots)
    for index, row in enumerate(state.inbounds.where(lambda row: row.status != "closed")):
        if row.status == "expected" and index % 4 == 3:
            continue
        here = row.status == "arrived"
        due = [slot for slot in slots if ctx.date(slot[0]) == row.expected_on] or slots
        day, hour, door = due[0]
        slots.remove(due[0])
        state.appointments.create(
            reference=row.number,
            direction="inbound",
            door=door,
            carrier_name=row.carrier_name,
            starts_at=ctx.moment(day, hour),
            minutes=60,
            inbound_id=row.id,
            status="checked_in" if here else "booked",
            checked_in_at=ctx.moment(0, 8, index % 60) if here else None,
        )
    for index in range(ctx.size(16)):
        day, hour, door = slots.pop()
        state.appointments.create(
            reference=f"LK{ctx.random.randint(10, 99)} {ctx.random.choice(('WRH', 'DOC', 'VAN'))}",
            direction="outbound",
            door=door,
            carrier_name=("Norfreight", "Postwind")[index % 2],
            starts_at=ctx.moment(day, hour),
            minutes=ctx.random.choice((30, 45, 90)),
            status="cancelled" if index % 6 == 5 else "booked",
        )


def _orders(state: WarehouseState, ctx: SeedContext, cast: Cast) -> None:
    skus = {row.sku: row for row in state.skus}
    others = list(state.skus)
    for index, project in enumerate(cast.projects[: ctx.size(90)]):
        fate = _FATES[index % len(_FATES)]
        due = -ctx.random.randint(2, 40) if fate in ("shipped", "cancelled") else ctx.random.randint(0, 9)
        facts = people.facts(ctx, project)
        order = state.orders.create(
            number=f"OB-{60_010 + index * 3 + ctx.random.randint(0, 2)}",
            customer_name=project.company.name,
            po_number=project.po_number,
            ship_to=project.company.address,
            carrier=_CARRIERS[index % len(_CARRIERS)],
            ship_by=ctx.date(due),
            status=fate if fate in ("on_hold", "cancelled") else "open",
            hold_reason=ctx.random.choice(texts.HOLDS).format(**facts) if fate == "on_hold" else "",
        )
        main = skus.get(project.product.sku) or others[index % len(others)]
        _lines(state, ctx, project, order, [main, others[(index * 5 + 3) % len(others)]][: 1 + index % 2])
        for text in ctx.random.sample(texts.NOTES, index % 3):
            state.order_notes.create(
                order_id=order.id,
                author_email=project.owner.email,
                text=text.format(**facts),
                written_at=ctx.moment(min(due, 0) - 3, 9 + index % 8, index % 60),
            )
        if fate not in ("waiting", "on_hold", "cancelled"):
            _forward(state, ctx, order, fate, due)


def _lines(state: WarehouseState, ctx: SeedContext, project: Project, order: Order, skus: list[Sku]) -> None:
    for sku in dict.fromkeys(row.id for row in skus):
        quantity = min(project.seats, ctx.random.choice((3, 5, 8)))
        state.order_lines.create(order_id=order.id, sku_id=sku, quantity=quantity)


def _forward(state: WarehouseState, ctx: SeedContext, order: Order, fate: str, due: int) -> None:
    """Take an order through wave, picks, cartons and loading, as far as its fate says."""
    floor = Floor(state)
    lines = state.order_lines.find(order_id=order.id)
    if any(floor.stock(state.skus.get(row.sku_id))["available"] < row.quantity for row in lines):
        return  # it waits for goods
    wave = _wave(state, ctx, order, planned=fate == "in_wave", day=min(due, 0))
    state.orders.patch(order.id, wave_id=wave.id)
    if fate == "in_wave":
        return
    for line in lines:
        allocate(state, wave.id, line.id)
    if fate == "picking":
        return
    for task in state.pick_tasks.where(lambda row: row.order_line_id in {line.id for line in lines}):
        worker = state.workers.get(f"WRK-{1 + len(state.cartons) % len(_CREW):04d}")
        missing = 1 if task.quantity > 2 and len(state.orders) % 8 == 4 else 0
        plate = state.plates.get(task.plate_id)
        state.plates.patch(plate.id, quantity=plate.quantity - task.quantity + missing)
        state.pick_tasks.patch(
            task.id,
            picked=task.quantity - missing,
            status="short" if missing else "picked",
            worker_id=worker.id,
            remark=ctx.random.choice(texts.SHORTS) if missing else "",
        )
        if fate != "picked":
            box = state.cartons.create(order_id=order.id, label=f"CT-{8001 + len(state.cartons)}")
            state.carton_items.create(
                carton_id=box.id, order_line_id=task.order_line_id, quantity=task.quantity - missing
            )
    if fate == "shipped":
        state.orders.patch(
            order.id,
            status="shipped",
            tracking_number=f"TRK{ctx.random.randint(100_000, 999_999)}",
            shipped_on=ctx.date(due),
        )


def _wave(state: WarehouseState, ctx: SeedContext, order: Order, *, planned: bool, day: int) -> Wave:
    """A wave of this carrier that is not full, or a new one."""
    status = "planned" if planned else "released"
    for wave in state.waves.find(carrier=order.carrier, status=status):
        if state.orders.count(wave_id=wave.id) < 4:
            return wave
    return state.waves.create(
        number=f"W-{401 + len(state.waves):04d}",
        carrier=order.carrier,
        status=status,
        created_at=ctx.moment(day - 1, 15, len(state.waves) % 60),
        released_at=None if planned else ctx.moment(day - 1, 17, len(state.waves) % 60),
    )


def _trouble(state: WarehouseState, ctx: SeedContext, cast: Cast) -> None:
    """Plates on hold, blocked bins, and pick tasks that somebody has."""
    floor = Floor(state)
    quarantine = state.locations.find(zone="quarantine")
    for index, plate in enumerate([row for row in state.plates if not floor.allocated[row.id] and row.quantity][3::9]):
        reason = texts.PLATE_HOLDS[index % 3].format(**people.facts(ctx, cast.projects[index]))
        place = quarantine[index % 2].id if index % 3 == 0 else plate.location_id
        state.plates.patch(plate.id, on_hold=True, hold_reason=reason, location_id=place)
    used = {row.location_id for row in state.plates}
    for index, row in enumerate([row for row in state.locations if row.id not in used and row.zone == "reserve"][::11]):
        reason = texts.BLOCKS[index % 3].format(**people.facts(ctx, cast.projects[index]))
        state.locations.patch(row.id, blocked=True, block_reason=reason)
    licensed = state.workers.find(forklift=True)
    for index, task in enumerate(state.pick_tasks.find(status="open")):
        worker = licensed[index // 2 % len(licensed)]
        if index % 2 and state.pick_tasks.count(worker_id=worker.id, status="open") < 5:
            state.pick_tasks.patch(task.id, worker_id=worker.id)
