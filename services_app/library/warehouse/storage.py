"""Tools for bins, SKUs and license plates."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, ToolError, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    search,
    with_fields,
)
from services_app.library.warehouse.floor import Floor
from services_app.library.warehouse.state import StorageClass, WarehouseState, Zone, service

LocationId = Annotated[str, f.ref("locations")]
PlateId = Annotated[str, f.ref("plates")]
SkuId = Annotated[str, f.ref("skus")]
Reason = Annotated[str, f.Semantic("text"), Field(max_length=500)]


@service.tool()
def search_locations(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    zone: Zone | None = None,
    blocked: bool | None = None,
    empty: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find bins with the license plates in them, their load and the weight they can still take.

    Args:
        query: Words in the bin code or the reason of a block.
        zone: Only bins of this zone.
        blocked: Only bins that are blocked, or only the others.
        empty: Only bins without goods, or only bins with goods.
        limit: At most so many bins.
        cursor: next_cursor of the previous page.
    """
    floor = Floor(state)
    found = search(state.locations, query, lambda row: (row.code, row.block_reason))
    found = keep(found, zone=zone, blocked=blocked)
    if empty is not None:
        found = [row for row in found if (floor.grams[row.id] == 0) == empty]
    page = cursor_page("locations", found, limit, cursor)
    page["locations"] = [floor.location(row) for row in page["locations"]]
    return page


@service.tool()
def search_skus(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    storage_class: StorageClass | None = None,
    out_of_stock: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find SKUs with their units in the house, allocated to orders and available.

    Args:
        query: Words in the SKU or the name.
        storage_class: Only goods of this class.
        out_of_stock: Only SKUs of which nothing is available, or only the others.
        limit: At most so many SKUs.
        cursor: next_cursor of the previous page.
    """
    floor = Floor(state)
    found = keep(search(state.skus, query, lambda row: (row.sku, row.name)), storage_class=storage_class)
    rows = [with_fields(row, **floor.stock(row)) for row in found]
    if out_of_stock is not None:
        rows = [row for row in rows if (row["available"] == 0) == out_of_stock]
    return cursor_page("skus", rows, limit, cursor)


@service.tool()
def list_license_plates(  # noqa: PLR0913, PLR0917 - one per filter
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    sku_id: SkuId | None = None,
    location_id: LocationId | None = None,
    zone: Zone | None = None,
    on_hold: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List license plates that hold goods, the oldest receipt first: SKU, bin, units, allocated and available.

    Args:
        query: Words in the plate number, SKU, product name, bin code or hold reason.
        sku_id: Only plates with this SKU.
        location_id: Only plates in this bin.
        zone: Only plates in this zone; those in receiving wait for putaway.
        on_hold: Only plates on hold, or only the others.
        limit: At most so many plates.
        cursor: next_cursor of the previous page.
    """
    floor = Floor(state)
    found = keep((row for row in state.plates if row.quantity), sku_id=sku_id, location_id=location_id, on_hold=on_hold)
    rows = [floor.plate(row) for row in sorted(found, key=lambda row: (row.received_on, row.id))]
    names = ("number", "sku", "sku_name", "location_code", "hold_reason")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    return cursor_page("license_plates", [row for row in rows if zone in (None, row["zone"])], limit, cursor)


@service.tool()
def suggest_putaway(state: WarehouseState, ctx: CallContext, plate_id: PlateId, limit: Limit = 5) -> Json:
    """Propose bins for a license plate: the right zone, strong enough, where the same SKU stands first.

    Errors: `not_found`.

    Args:
        plate_id: Id of the license plate.
        limit: At most so many bins.
    """
    plate, floor = state.plates.get(plate_id), Floor(state)
    zones = ("quarantine",) if plate.on_hold else ("pick_face", "reserve", "cold", "battery_cage")
    alike = {row.location_id for row in state.plates.find(sku_id=plate.sku_id) if row.quantity}
    fit = [
        row
        for row in state.locations
        if row.zone in zones and row.id != plate.location_id and floor.refusal(plate, row) is None
    ]
    fit.sort(key=lambda row: (row.id not in alike, floor.grams[row.id], row.level, row.code))
    rows = [{**floor.location(row), "holds_same_sku": row.id in alike} for row in fit[: int(limit)]]
    return {"plate": floor.plate(plate), "suggestions": rows, "total": len(fit)}


@service.tool(phrase="move the license plate {plate_id} to the bin {location_id}")
def move_license_plate(state: WarehouseState, ctx: CallContext, plate_id: PlateId, location_id: LocationId) -> Json:
    """Put a license plate away or move it to another bin.

    Errors: `not_found`, `no_change`, `plate_empty`, `plate_allocated` (picks are open on it), `location_blocked`,
    `plate_on_hold`, `wrong_zone`, `over_weight`.

    Args:
        plate_id: Id of the license plate.
        location_id: Id of the bin it goes to.
    """
    plate, place, floor = state.plates.get(plate_id), state.locations.get(location_id), Floor(state)
    if plate.location_id == location_id:
        raise invalid(f"{plate.number} stands in {place.code} already.", type="no_change")
    if not plate.quantity:
        raise conflict(f"{plate.number} is empty; nothing is left to move.", type="plate_empty")
    if floor.allocated[plate_id]:
        raise conflict(f"Picks are open on {plate.number}; confirm them first.", type="plate_allocated")
    refusal = floor.refusal(plate, place)
    if refusal:
        raise ToolError(409, *refusal)
    state.plates.patch(plate_id, location_id=location_id)
    return Floor(state).plate(state.plates.get(plate_id))


@service.tool(phrase="set the license plate {plate_id} to {status}")
def set_plate_status(
    state: WarehouseState,
    ctx: CallContext,
    plate_id: PlateId,
    status: Annotated[Literal["available", "on_hold"], LABEL],
    reason: Reason,
) -> Json:
    """Put a license plate on hold, so that nothing is allocated from it, or release it again.

    Errors: `not_found`, `no_change`, `reason_needed`, `plate_allocated` (picks are open on it).

    Args:
        plate_id: Id of the license plate.
        status: What the plate becomes.
        reason: Why it is held, or who agreed to the release.
    """
    plate = state.plates.get(plate_id)
    held = status == "on_hold"
    if plate.on_hold == held:
        raise conflict(f"{plate.number} is {status} already.", type="no_change")
    if not reason.strip():
        raise invalid("Send a reason; it is printed on the plate.", type="reason_needed")
    if held and Floor(state).allocated[plate_id]:
        raise conflict(f"Picks are open on {plate.number}; confirm them first.", type="plate_allocated")
    state.plates.patch(plate_id, on_hold=held, hold_reason=reason)
    return Floor(state).plate(state.plates.get(plate_id))
