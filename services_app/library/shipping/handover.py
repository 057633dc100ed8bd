"""Tools for pickups and manifests: how parcels get to the carrier."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    is_weekend,
    keep,
    newest_first,
    next_number,
    search,
    total,
    with_fields,
    within,
)
from services_app.library.shipping.shipments import CarrierId
from services_app.library.shipping.state import Manifest, Origin, Pickup, PickupStatus, Shipment, ShippingState, service
from services_app.library.shipping.tariff import Desk

PickupId = Annotated[str, f.ref("pickups")]
Instructions = Annotated[str, f.Semantic("text"), Field(max_length=300)]


def _ready(state: ShippingState, carrier_id: str, origin: str) -> list[Shipment]:
    """Shipments with a label that wait at an office for a carrier; 409 `nothing_ready` when there are none."""
    carrier, desk = state.carriers.get(carrier_id), Desk(state)
    services = {row.id for row in state.services.find(carrier_id=carrier_id)}
    found = [
        row
        for row in state.shipments.find(origin=origin)
        if row.service_id in services and row.return_of is None and desk.status(row) == "ready"
    ]
    if not found:
        raise conflict(f"Nothing with a label of {carrier.name} waits in {origin}; buy labels.", type="nothing_ready")
    return found


def _pickup(state: ShippingState, row: Pickup) -> Json:
    return with_fields(row, carrier_name=state.carriers.get(row.carrier_id).name)


@service.tool()
def list_pickups(  # noqa: PLR0913, PLR0917 - one per filter
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    carrier_id: CarrierId | None = None,
    origin: Origin | None = None,
    status: PickupStatus | None = None,
    pickup_from: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List pickups by carriers, the latest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the confirmation number or the instructions.
        carrier_id: Only pickups of this carrier.
        origin: Only pickups at this office.
        status: Only pickups in this status.
        pickup_from: Only pickups on this day or later.
        limit: At most so many pickups.
        cursor: next_cursor of the previous page.
    """
    found = search(state.pickups, query, lambda row: (row.confirmation, row.instructions))
    found = within(keep(found, carrier_id=carrier_id, origin=origin, status=status), "pickup_on", pickup_from, None)
    found = newest_first(found, "pickup_on")
    return cursor_page("pickups", [_pickup(state, row) for row in found], limit, cursor)


@service.tool(phrase="order a pickup by {carrier_id} in {origin} on {pickup_on}")
def schedule_pickup(
    state: ShippingState,
    ctx: CallContext,
    carrier_id: CarrierId,
    origin: Origin,
    pickup_on: f.Date,
    ready_at: f.Time = "14:00",
    instructions: Instructions = "",
) -> Json:
    """Order a carrier to an office on a working day; one pickup a carrier, office and day.

    Errors: `not_found`, `invalid_date`, `in_the_past`, `weekend`, `pickup_exists`, `nothing_ready`,
    `too_late` (parcels have to be ready by 17:00).

    Args:
        carrier_id: Id of the carrier.
        origin: Office.
        pickup_on: Day, Monday to Friday.
        ready_at: From when on the parcels are ready.
        instructions: Where the driver finds them.
    """
    ready = _ready(state, carrier_id, origin)
    day = check_date(pickup_on)
    if day < ctx.today:
        raise invalid(f"{day} is past; today is {ctx.today}.", type="in_the_past")
    if is_weekend(day):
        raise invalid(f"{day} is a weekend; choose Monday to Friday.", type="weekend")
    if ready_at > "17:00":
        raise invalid("Drivers come until 18:00; parcels have to be ready by 17:00.", type="too_late")
    old = state.pickups.first(carrier_id=carrier_id, origin=origin, pickup_on=day, status="scheduled")
    if old is not None:
        raise conflict(f"{old.confirmation} is ordered for that day already.", type="pickup_exists")
    pickup = state.pickups.create(
        confirmation=next_number((row.confirmation for row in state.pickups), "PU-", first=3001),
        carrier_id=carrier_id,
        origin=origin,
        pickup_on=day,
        ready_at=ready_at,
        instructions=instructions,
    )
    return {**_pickup(state, pickup), "parcels_ready": len(ready)}


@service.tool(phrase="cancel the pickup {pickup_id}")
def cancel_pickup(state: ShippingState, ctx: CallContext, pickup_id: PickupId) -> Json:
    """Call off a pickup that has not taken place.

    Errors: `not_found`, `not_scheduled`.

    Args:
        pickup_id: Id of the pickup.
    """
    row = state.pickups.get(pickup_id)
    if row.status != "scheduled":
        raise conflict(f"{row.confirmation} is {row.status}, not scheduled.", type="not_scheduled")
    return _pickup(state, state.pickups.patch(pickup_id, status="cancelled"))


def _manifest(state: ShippingState, row: Manifest) -> Json:
    parcels = state.shipments.find(manifest_id=row.id)
    return with_fields(
        row,
        carrier_name=state.carriers.get(row.carrier_id).name,
        shipments=[parcel.number for parcel in parcels],
        weight_kg=round(sum(parcel.weight for parcel in parcels) / 1000, 1),
        postage=total(parcel.price for parcel in parcels),
    )


@service.tool(phrase="close the manifest of {carrier_id} in {origin}")
def create_manifest(state: ShippingState, ctx: CallContext, carrier_id: CarrierId, origin: Origin) -> Json:
    """Close the day for a carrier at an office: all its waiting labels go on one manifest and cannot be voided.

    Errors: `not_found`, `nothing_ready`.

    Args:
        carrier_id: Id of the carrier.
        origin: Office.
    """
    ready = _ready(state, carrier_id, origin)
    manifest = state.manifests.create(
        number=next_number((row.number for row in state.manifests), "MF-", first=901),
        carrier_id=carrier_id,
        origin=origin,
        closed_at=ctx.now,
    )
    for row in ready:
        state.shipments.patch(row.id, manifest_id=manifest.id)
    return _manifest(state, manifest)


@service.tool()
def list_manifests(
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    carrier_id: CarrierId | None = None,
    origin: Origin | None = None,
    closed_from: f.Date | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """List manifests with their shipments, weight and postage, newest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the manifest number or the numbers of its shipments.
        carrier_id: Only manifests for this carrier.
        origin: Only manifests of this office.
        closed_from: Only manifests closed on this day or later.
        limit: At most so many manifests.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.manifests, carrier_id=carrier_id, origin=origin), "closed_at", closed_from, None)
    found = newest_first(found, "closed_at")
    rows = search([_manifest(state, row) for row in found], query, lambda row: (row["number"], *row["shipments"]))
    return cursor_page("manifests", rows, limit, cursor)
