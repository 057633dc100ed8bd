"""Tools to look at items, locations, levels, lots and movements."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.inventory.state import (
    InventoryState,
    LocationKind,
    Lot,
    LotStatus,
    MovementKind,
    Procedure,
    ReorderRule,
    service,
)
from services_app.library.inventory.stock import Stock
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    search,
    total,
    with_fields,
    within,
)

ItemId = Annotated[str, f.ref("items")]
LocationId = Annotated[str, f.ref("locations")]
SupplierId = Annotated[str, f.ref("suppliers")]
LotId = Annotated[str, f.ref("lots")]
LevelFilter = Annotated[Literal["below_reorder_point", "out_of_stock", "overpromised"], LABEL]


@service.tool()
def search_items(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    supplier_id: SupplierId | None = None,
    lot_tracked: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find items by SKU, name or supplier, with their stock over all locations.

    Args:
        query: Words in the SKU, name or supplier name.
        supplier_id: Only items of this supplier.
        lot_tracked: Only items that are kept by lot, or only the others.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    stock = Stock(state)
    names = {row.id: row.name for row in state.suppliers}
    found = search(state.items, query, lambda row: (row.sku, row.name, names[row.supplier_id]))
    found = keep(found, supplier_id=supplier_id, lot_tracked=lot_tracked)
    page = cursor_page("items", found, limit, cursor)
    page["items"] = [
        with_fields(
            row,
            supplier_name=names[row.supplier_id],
            on_hand=sum(stock.on_hand[row.id, place.id] for place in state.locations),
            available=sum(stock.available((row.id, place.id)) for place in state.locations),
        )
        for row in page["items"]
    ]
    return page


@service.tool()
def get_item(state: InventoryState, ctx: CallContext, item_id: ItemId) -> Json:
    """Show an item with its stock at each location, lots, reorder rules, supplier and notes.

    Errors: `not_found`.

    Args:
        item_id: Id of the item.
    """
    item, stock = state.items.get(item_id), Stock(state)
    rules = {row.location_id: row for row in state.reorder_rules.find(item_id=item_id)}
    levels = [stock.level(item, place.id, rules.get(place.id)) for place in state.locations]
    return with_fields(
        item,
        supplier=state.suppliers.get(item.supplier_id),
        levels=[row for row in levels if row["on_hand"] or row["reserved"] or row["reorder_point"]],
        lots=state.lots.find(item_id=item_id),
        notes=state.notes.find(item_id=item_id),
    )


@service.tool()
def list_locations(
    state: InventoryState, ctx: CallContext, query: Query | None = None, kind: LocationKind | None = None
) -> Json:
    """List warehouses, vans and quarantine stores with the value of what lies there.

    Args:
        query: Words in the code, name or address.
        kind: Only locations of this kind.
    """
    stock = Stock(state)
    found = keep(search(state.locations, query, lambda row: (row.code, row.name, row.address)), kind=kind)
    rows = [
        with_fields(row, stock_value=total(stock.on_hand[item.id, row.id] * item.unit_cost for item in state.items))
        for row in found
    ]
    return {"locations": rows, "total": len(rows)}


@service.tool()
def list_stock_levels(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    location_id: LocationId | None = None,
    only: LevelFilter | None = None,
    limit: Limit = 40,
    cursor: Cursor = "",
) -> Json:
    """List stock by item and location: on hand, blocked, reserved, available, on its way, and the reorder point.

    Args:
        query: Words in the SKU or item name.
        location_id: Only this location.
        only: Only levels at or below the reorder point, without stock, or with more promised than there is.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    stock = Stock(state)
    rules = {(row.item_id, row.location_id): row for row in state.reorder_rules}
    known = sorted({*stock.on_hand, *stock.reserved, *rules})
    wanted = {row.id: row for row in search(state.items, query, lambda row: (row.sku, row.name))}
    rows = [
        stock.level(wanted[item_id], place, rules.get((item_id, place)))
        for item_id, place in known
        if item_id in wanted and location_id in (None, place)
    ]
    if only == "below_reorder_point":
        rows = [row for row in rows if row["below_reorder_point"]]
    elif only is not None:
        rows = [row for row in rows if (row["on_hand"] <= 0 if only == "out_of_stock" else row["available"] < 0)]
    return {**cursor_page("levels", rows, limit, cursor), "total_value": total(row["value"] for row in rows)}


@service.tool()
def list_movements(  # noqa: PLR0913, PLR0917 - one per filter
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    item_id: ItemId | None = None,
    location_id: LocationId | None = None,
    kind: MovementKind | None = None,
    moved_from: f.Date | None = None,
    moved_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List stock movements, latest first, with the sum of their quantities.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the reference, note, SKU or item name.
        item_id: Only movements of this item.
        location_id: Only movements at this location.
        kind: Only movements of this kind.
        moved_from: Only movements on this day or later.
        moved_to: Only movements on this day or earlier.
        limit: At most so many movements.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: (row.sku, row.name) for row in state.items}
    found = search(state.movements, query, lambda row: (row.reference, row.note, *names[row.item_id]))
    found = within(keep(found, item_id=item_id, location_id=location_id, kind=kind), "moved_on", moved_from, moved_to)
    found = newest_first(found, "moved_on")
    page = cursor_page("movements", found, limit, cursor)
    page["movements"] = [with_fields(row, sku=names[row.item_id][0]) for row in page["movements"]]
    return {**page, "net_quantity": sum(row.quantity for row in found)}


@service.tool()
def list_lots(
    state: InventoryState,
    ctx: CallContext,
    query: Query | None = None,
    status: LotStatus | None = None,
    expires_before: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List lots that still have stock, the earliest last day first, with the units at each location.

    Errors: `invalid_date`.

    Args:
        query: Words in the lot number, SKU or item name.
        status: Only released lots, or only blocked ones.
        expires_before: Only lots that end on this day or earlier.
        limit: At most so many lots.
        cursor: next_cursor of the previous page.
    """
    stock, day = Stock(state), check_date(expires_before) if expires_before else "9999"
    names = {row.id: (row.sku, row.name) for row in state.items}
    found = search(state.lots, query, lambda row: (row.lot_number, *names[row.item_id]))
    rows = []
    for lot in keep(found, status=status):
        places = {row.name: stock.by_lot[lot.id, row.id] for row in state.locations if stock.by_lot[lot.id, row.id]}
        if places and lot.expires_on <= day:
            rows.append(with_fields(lot, sku=names[lot.item_id][0], units=sum(places.values()), by_location=places))
    rows.sort(key=lambda row: (row["expires_on"], row["id"]))
    return cursor_page("lots", rows, limit, cursor)


@service.tool(phrase="set the lot {lot_id} to {status}")
def set_lot_status(
    state: InventoryState, ctx: CallContext, lot_id: LotId, status: LotStatus, reason: Body | None = None
) -> Lot:
    """Block a lot, so that nothing of it leaves, or release it again; lots past their last day stay blocked.

    Errors: `not_found`, `no_change`, `reason_needed` (to block), `expired`, `blank_text`.

    Args:
        lot_id: Id of the lot.
        status: New status.
        reason: Why it is blocked.
    """
    lot = state.lots.get(lot_id)
    if lot.status == status:
        raise conflict(f"Lot {lot.lot_number} is {status} already.", type="no_change")
    if status == "released":
        if lot.expires_on < ctx.today:
            raise conflict(f"Lot {lot.lot_number} ended on {lot.expires_on}; adjust it out.", type="expired")
        return state.lots.patch(lot_id, status="released", block_reason="")
    if reason is None:
        raise conflict("Say in reason why the lot is blocked.", type="reason_needed")
    return state.lots.patch(lot_id, status="blocked", block_reason=check_text(reason, "reason"))


@service.tool(phrase="reorder {item_id} at {location_id} from {reorder_point} units on")
def set_reorder_rule(
    state: InventoryState,
    ctx: CallContext,
    item_id: ItemId,
    location_id: LocationId,
    reorder_point: Annotated[int, f.count("units"), Field(ge=0, le=100_000)],
    reorder_quantity: Annotated[int, f.count("units"), Field(ge=1, le=100_000)],
) -> ReorderRule:
    """Set from which available stock on an item is reordered for a warehouse, and how much.

    Errors: `not_found`, `not_a_warehouse`.

    Args:
        item_id: Id of the item.
        location_id: Id of the warehouse.
        reorder_point: Available units, with those on their way, at which it is time.
        reorder_quantity: How many to order then.
    """
    item, place = state.items.get(item_id), state.locations.get(location_id)
    if place.kind != "warehouse":
        raise conflict(f"{place.name} is filled by transfers; choose a warehouse.", type="not_a_warehouse")
    values = {"reorder_point": reorder_point, "reorder_quantity": reorder_quantity}
    old = state.reorder_rules.first(item_id=item.id, location_id=place.id)
    if old is not None:
        return state.reorder_rules.patch(old.id, **values)
    return state.reorder_rules.create(item_id=item.id, location_id=place.id, **values)


@service.tool()
def replenishment_report(
    state: InventoryState,
    ctx: CallContext,
    location_id: LocationId | None = None,
    supplier_id: SupplierId | None = None,
) -> Json:
    """Suggest what to order from which supplier, with cost and the day it would arrive.

    Args:
        location_id: Only for this warehouse.
        supplier_id: Only from this supplier.
    """
    stock = Stock(state)
    rows: list[Json] = []
    for rule in keep(state.reorder_rules, location_id=location_id):
        item = state.items.get(rule.item_id)
        level = stock.level(item, rule.location_id, rule)
        if level["below_reorder_point"] and supplier_id in (None, item.supplier_id):
            supplier = state.suppliers.get(item.supplier_id)
            rows.append(
                {
                    **{name: level[name] for name in ("item_id", "sku", "name", "location", "available")},
                    "reorder_point": rule.reorder_point,
                    "order_quantity": rule.reorder_quantity,
                    "cost": round(rule.reorder_quantity * item.unit_cost, 2),
                    "supplier_name": supplier.name,
                    "supplier_email": supplier.email,
                    "arrives_on": plus_days(ctx.today, supplier.lead_time),
                }
            )
    rows.sort(key=lambda row: (row["supplier_name"], row["sku"], row["location"]))
    return {"suggestions": rows[:100], "total": len(rows), "total_cost": total(row["cost"] for row in rows)}


@service.tool()
def search_procedures(state: InventoryState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read the procedures of the stores that hold the words: counts, adjustments, lots, transfers.

    Args:
        query: Words that must all occur in the title or text.
    """
    found: list[Procedure] = search(state.procedures, query, lambda row: (row.title, row.body))
    return {"procedures": found, "total": len(found)}
