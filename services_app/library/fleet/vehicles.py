"""Tools for vehicles and the fleet policies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.fleet.figures import issue_row, mileage, order_row, read_meter, reminder, vehicle_row
from services_app.library.fleet.state import FleetState, Kind, Site, VehicleStatus, service
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    search,
)

VehicleId = Annotated[str, f.ref("vehicles")]
Odometer = Annotated[int, f.count("kilometres"), Field(ge=1, le=2_000_000)]


@service.tool()
def search_vehicles(  # noqa: PLR0913, PLR0917 - one per filter
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    kind: Kind | None = None,
    site: Site | None = None,
    status: VehicleStatus | None = None,
    pool: bool | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find vehicles by registration, model or driver, with odometer, driver and open issues.

    Args:
        query: Words in the registration, model, policy number or the driver's name.
        kind: Only cars, vans or lorries.
        site: Only vehicles of this site.
        status: Only vehicles in this status.
        pool: Only vehicles of the pool, or only the others.
        limit: At most so many vehicles.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.vehicles, kind=kind, site=site, status=status, pool=pool)
    rows = [vehicle_row(state, row) for row in found]
    names = ("plate", "model", "policy_number")
    rows = search(rows, query, lambda row: [row["driver_name"] or "", *(row[name] for name in names)])
    return cursor_page("vehicles", rows, limit, cursor)


@service.tool()
def get_vehicle(state: FleetState, ctx: CallContext, vehicle_id: VehicleId) -> Json:
    """Show a vehicle with its open issues and work orders, service reminders, coming bookings and notes.

    Errors: `not_found`.

    Args:
        vehicle_id: Id of the vehicle.
    """
    vehicle = state.vehicles.get(vehicle_id)
    bookings = state.bookings.find(vehicle_id=vehicle_id, status="booked")
    return {
        **vehicle_row(state, vehicle),
        "issues": [issue_row(state, row) for row in state.issues.find(vehicle_id=vehicle_id, status="open")],
        "work_orders": [order_row(state, row) for row in state.work_orders.find(vehicle_id=vehicle_id, status="open")],
        "service_reminders": [reminder(state, row, ctx.today) for row in state.plans.find(vehicle_id=vehicle_id)],
        "bookings": [row for row in bookings if row.ends_on >= ctx.today],
        "notes": state.notes.find(vehicle_id=vehicle_id),
    }


@service.tool(phrase="set the vehicle {vehicle_id} to {status}")
def set_vehicle_status(
    state: FleetState,
    ctx: CallContext,
    vehicle_id: VehicleId,
    status: Annotated[Literal["in_service", "out_of_service"], LABEL],
) -> Json:
    """Take a vehicle off the road, or put it back when it is fit for it.

    Errors: `not_found`, `no_change`, `sold`, `critical_issue_open`, `test_expired` (the official test is over).

    Args:
        vehicle_id: Id of the vehicle.
        status: In service or out of service.
    """
    vehicle = state.vehicles.get(vehicle_id)
    if vehicle.status == "sold":
        raise conflict(f"{vehicle.plate} is sold.", type="sold")
    if vehicle.status == status:
        raise conflict(f"{vehicle.plate} is {status} already.", type="no_change")
    if status == "in_service":
        issue = state.issues.first(vehicle_id=vehicle_id, status="open", severity="critical")
        if issue is not None:
            raise conflict(f"{issue.number} is critical and open: {issue.summary}.", type="critical_issue_open")
        if vehicle.roadworthy_until < ctx.today:
            raise conflict(f"The official test ended on {vehicle.roadworthy_until}; renew it.", type="test_expired")
    return vehicle_row(state, state.vehicles.patch(vehicle_id, status=status))


@service.tool(phrase="note {odometer} km for the vehicle {vehicle_id}")
def log_odometer(state: FleetState, ctx: CallContext, vehicle_id: VehicleId, odometer: Odometer) -> Json:
    """Note an odometer reading of today.

    Errors: `not_found`, `odometer_too_low`, `implausible_odometer` (more than 5,000 km above the last one).

    Args:
        vehicle_id: Id of the vehicle.
        odometer: What the odometer shows.
    """
    vehicle = state.vehicles.get(vehicle_id)
    before = mileage(state, vehicle_id)
    read_meter(state, vehicle_id, odometer, ctx.today, "manual")
    return {**vehicle_row(state, vehicle), "km_since_last_reading": odometer - before}


@service.tool(phrase="note on the vehicle {vehicle_id}: {text}")
def add_vehicle_note(state: FleetState, ctx: CallContext, vehicle_id: VehicleId, text: Body) -> Json:
    """Add a note to a vehicle, for everybody who uses it.

    Errors: `not_found`, `blank_text`.

    Args:
        vehicle_id: Id of the vehicle.
        text: The note.
    """
    vehicle = state.vehicles.get(vehicle_id)
    note = check_text(text, "note")
    row = state.notes.create(vehicle_id=vehicle_id, author_email=ME.email, text=note, written_at=ctx.now)
    return {"plate": vehicle.plate, "note": row}


@service.tool()
def search_fleet_policies(
    state: FleetState, ctx: CallContext, query: Query | None = None, limit: Limit = 5, cursor: Cursor = ""
) -> Json:
    """Find the fleet policies: pool cars, private use, fuel cards, repairs, inspections, accidents, licences.

    Args:
        query: Words in the title or text.
        limit: At most so many policies.
        cursor: next_cursor of the previous page.
    """
    found = search(state.policies, query, lambda row: (row.title, row.body))
    return cursor_page("policies", found, limit, cursor)
