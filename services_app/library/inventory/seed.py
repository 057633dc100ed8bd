"""Stores in three cities, vans and a quarantine store: receipts, issues, transfers, counts and promises."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import goods
from services_app.library.cast import Cast
from services_app.library.inventory import texts
from services_app.library.inventory.state import InventoryState, Item, service
from services_app.library.inventory.stock import Stock, put, take


@service.seed
def fill(state: InventoryState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.PROCEDURES:
        state.procedures.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    _places(state, ctx, cast)
    _items(state, ctx, cast)
    for item in state.items:
        _receive(state, ctx, cast, item)
    _issues(state, ctx, cast)
    _transfers(state, ctx, cast)
    _counts(state, ctx, cast)
    _promises(state, ctx, cast)
    _notes(state, ctx, cast)


def _places(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    crew = cast.team("operations")
    for index, office in enumerate(cast.offices):
        code = office.city[:3].upper()
        manager = crew[index % len(crew)].email
        state.locations.create(
            code=f"{code}-1",
            name=f"{office.city} warehouse",
            kind="warehouse",
            address=office.address,
            manager_email=manager,
        )
    state.locations.create(
        code="QUA-1",
        name="Rotterdam quarantine",
        kind="quarantine",
        address=cast.offices[1].address,
        manager_email=crew[1].email,
    )
    drivers = cast.team("support")
    for index in range(min(len(drivers), ctx.size(4))):
        city = cast.offices[index % 3].city
        state.locations.create(
            code=f"VAN-{index + 1}",
            name=f"Van {index + 1}, {city}",
            kind="van",
            address=city,
            manager_email=drivers[index].email,
        )


def _items(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    makers = [
        goods.Maker("Kestrelworks Electronics", "Aino Salmi", "sales@kestrelworks.example", "Tampere", 35),
        *goods.MAKERS,
    ]
    for maker in makers:
        state.suppliers.create(
            name=maker.name,
            contact_name=maker.contact,
            email=maker.email,
            city=maker.city,
            lead_time=maker.lead_days,
        )
    ids = {row.name: row.id for row in state.suppliers}
    for product in (row for row in cast.products if row.kind == "hardware"):
        cost = round(product.price * 0.58, 2)
        state.items.create(
            sku=product.sku, name=product.name, unit=product.unit, unit_cost=cost, supplier_id=ids[makers[0].name]
        )
    for row in goods.accessories(cast)[: ctx.size(40)]:
        state.items.create(
            sku=row.sku,
            name=row.title,
            unit="unit",
            unit_cost=row.cost,
            supplier_id=ids[row.maker.name],
            lot_tracked=row.title.startswith(("Spare battery", "Label pack")),
        )


def _receive(state: InventoryState, ctx: SeedContext, cast: Cast, item: Item) -> None:
    """Two deliveries to each of one to three warehouses, and the rule when to order again."""
    warehouses = state.locations.find(kind="warehouse")
    number = len(state.reorder_rules)
    for place in warehouses[: 1 + number % 3]:
        for day in (-ctx.random.randint(90, 160), -ctx.random.randint(40, 80)):
            lot_id = None
            if item.lot_tracked:
                lot = state.lots.create(
                    item_id=item.id,
                    lot_number=f"L{ctx.random.randint(10_000, 99_999)}",
                    expires_on=ctx.date(ctx.random.choice((-10, 25, 50, 120, 300, 420))),
                )
                blocked = lot.expires_on < ctx.today or len(state.lots) % 7 == 3
                if blocked:
                    facts = people.facts(ctx, cast.projects[len(state.lots)])
                    reason = ctx.random.choice(texts.BLOCKS[item.name.split()[0]]).format(**facts)
                    reason = texts.ENDED if lot.expires_on < ctx.today else reason
                    state.lots.patch(lot.id, status="blocked", block_reason=reason)
                lot_id = lot.id
            units = ctx.random.choice((20, 24, 40, 60))
            reference = f"DN-{ctx.random.randint(20_000, 99_999)}"
            put(
                state, item.id, place.id, lot_id, units, kind="receipt", reference=reference, moved_on=ctx.date(day),
                author_email=place.manager_email,
            )  # fmt: skip
        state.reorder_rules.create(
            item_id=item.id,
            location_id=place.id,
            reorder_point=ctx.random.choice((10, 15, 25, 40)),
            reorder_quantity=ctx.random.choice((20, 40, 60)),
        )


def _free(state: InventoryState, item: Item, place: str) -> int:
    return max(0, Stock(state).available((item.id, place)))


def _issues(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    """Orders that were served, and small corrections."""
    held = [(row.item_id, row.location_id) for row in state.reorder_rules]
    for index, project in enumerate(cast.projects[: ctx.size(110)]):
        item_id, place = held[index % len(held)]
        item = state.items.get(item_id)
        units = min(_free(state, item, place), project.seats + index % 7)
        if units < 1:
            continue
        author, date = project.owner.email, ctx.date(-ctx.random.randint(1, 39))
        terms = {"kind": "issue", "reference": project.po_number, "note": project.title}
        take(state, item, place, units, moved_on=date, author_email=author, **terms)
        if index % 6 == 2 and not item.lot_tracked and units > 2:
            reason = tuple(texts.ADJUSTMENTS)[index // 6 % 4]
            put(
                state, item.id, place, None, 1 if reason == "found" else -1, kind="adjustment", reference=reason,
                note=texts.ADJUSTMENTS[reason].format(**people.facts(ctx, project)), moved_on=date, author_email=author,
            )  # fmt: skip


def _transfers(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    """Warehouse to van or to another warehouse: most have arrived, some are on their way or drafts."""
    warehouses = state.locations.find(kind="warehouse")
    targets = [row for row in state.locations if row.kind != "warehouse"] + warehouses[1:]
    for index in range(ctx.size(24)):
        status = ("received", "in_transit", "received", "draft", "in_transit", "received")[index % 6]
        source, target = warehouses[0], targets[index % len(targets)]
        day = -ctx.random.randint(1, 3) if status != "received" else -ctx.random.randint(6, 35)
        transfer = state.transfers.create(
            number=f"TO-{701 + index}",
            from_location_id=source.id,
            to_location_id=target.id,
            status=status,
            expected_on=ctx.date(day + 5),
            shipped_on=None if status == "draft" else ctx.date(day),
            closing_note=texts.CLOSING.format(**people.facts(ctx, cast.projects[index])) if index % 12 == 5 else "",
            created_at=ctx.moment(day, 8, index % 60),
        )
        stocked = [row for row in state.items if _free(state, row, source.id) > 8]
        for item in ctx.random.sample(stocked, min(len(stocked), 1 + index % 3)):
            _line(state, ctx, transfer.id, item, day)


def _line(state: InventoryState, ctx: SeedContext, transfer_id: str, item: Item, day: int) -> None:
    transfer = state.transfers.get(transfer_id)
    units = ctx.random.randint(2, 6)
    if transfer.status == "draft":
        state.transfer_lines.create(transfer_id=transfer_id, item_id=item.id, quantity=units)
        return
    terms = {"reference": transfer.number, "author_email": state.locations.get(transfer.from_location_id).manager_email}
    moved = take(state, item, transfer.from_location_id, units, kind="transfer_out", moved_on=ctx.date(day), **terms)
    for row in moved:
        arrived = -row.quantity - (1 if transfer.closing_note else 0) if transfer.status == "received" else 0
        state.transfer_lines.create(
            transfer_id=transfer_id, item_id=item.id, lot_id=row.lot_id, quantity=-row.quantity, received=arrived
        )
        if arrived:
            place, date = transfer.to_location_id, ctx.date(day + 3)
            put(state, item.id, place, row.lot_id, arrived, kind="transfer_in", moved_on=date, **terms)


def _counts(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    """Past counts, and an open one in a van and in the last warehouse."""
    vans, warehouses = state.locations.find(kind="van"), state.locations.find(kind="warehouse")
    crew = cast.team("operations")
    stock = Stock(state)
    for index in range(ctx.size(12)):
        still = index in (0, 1)
        place = (vans[0], warehouses[-1])[index] if still else [*warehouses, *vans][index % (len(vans) + 3)]
        count = state.counts.create(
            number=f"SC-{301 + index}",
            location_id=place.id,
            status="open" if still else "cancelled" if index % 5 == 4 else "approved",
            started_on=ctx.date(-1 if still else -ctx.random.randint(20, 150)),
            counter_email=crew[index % len(crew)].email,
        )
        here = [row for row in state.items if stock.on_hand[row.id, place.id] > 0]
        for number, item in enumerate(here[: 5 + index % 4]):
            seen = not still or number % 2 == 0
            units = stock.on_hand[item.id, place.id] - (1 if number % 4 == 0 else 0)
            state.count_lines.create(
                count_id=count.id, item_id=item.id, counted=units if seen else None, times_counted=int(seen)
            )


def _promises(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    held = [(row.item_id, row.location_id) for row in state.reorder_rules]
    for index, project in enumerate(cast.projects[40 : 40 + ctx.size(50)]):
        item_id, place = held[(index * 5) % len(held)]
        units = min(_free(state, state.items.get(item_id), place) // 2, project.seats)
        if units:
            state.reservations.create(
                item_id=item_id,
                location_id=place,
                quantity=units,
                order_number=project.po_number,
                needed_by=ctx.date(index % 40 - 6),
                status=("active", "active", "fulfilled", "active", "released")[index % 5],
            )


def _notes(state: InventoryState, ctx: SeedContext, cast: Cast) -> None:
    for index, item in enumerate(state.items):
        project = cast.projects[index]
        for text in ctx.random.sample(texts.NOTES, index % 3):
            state.notes.create(
                item_id=item.id,
                author_email=project.owner.email,
                text=text.format(**people.facts(ctx, project)),
                written_at=ctx.moment(-ctx.random.randint(1, 90), 9 + index % 8, index % 60),
            )
