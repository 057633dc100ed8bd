"""Tools for drivers, assignments and trips."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.fleet.figures import holder, may_drive, safety, usable, vehicle_row
from services_app.library.fleet.state import FleetState, LicenceClass, Site, Trip, service
from services_app.library.fleet.vehicles import VehicleId
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    search,
    with_fields,
    within,
)

DriverId = Annotated[str, f.ref("drivers")]


@service.tool()
def search_drivers(
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    site: Site | None = None,
    licence_class: LicenceClass | None = None,
    licence_ends_before: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find drivers with their licence and the vehicle they have.

    Errors: `invalid_date`.

    Args:
        query: Words in the name, e-mail address, phone or licence number.
        site: Only drivers of this site.
        licence_class: Only drivers with this class.
        licence_ends_before: Only licences that end on this day or earlier.
        limit: At most so many drivers.
        cursor: next_cursor of the previous page.
    """
    found = search(state.drivers, query, lambda row: (row.name, row.email, row.phone, row.licence_number))
    found = within(keep(found, site=site, licence_class=licence_class), "licence_until", None, licence_ends_before)
    plates = {row.driver_id: state.vehicles.get(row.vehicle_id).plate for row in state.assignments.find(ended_on=None)}
    page = cursor_page("drivers", found, limit, cursor)
    page["drivers"] = [with_fields(row, vehicle_plate=plates.get(row.id)) for row in page["drivers"]]
    return page


@service.tool()
def get_driver(state: FleetState, ctx: CallContext, driver_id: DriverId) -> Json:
    """Show a driver with assignments, coming bookings and the safety figures of the last 30 days.

    Errors: `not_found`.

    Args:
        driver_id: Id of the driver.
    """
    driver = state.drivers.get(driver_id)
    trips = [row for row in state.trips.find(driver_id=driver_id) if row.started_at >= plus_days(ctx.today, -30)]
    assignments = [
        with_fields(row, plate=state.vehicles.get(row.vehicle_id).plate)
        for row in state.assignments.find(driver_id=driver_id)
    ]
    bookings = state.bookings.find(driver_id=driver_id, status="booked")
    return with_fields(
        driver,
        assignments=assignments,
        bookings=[row for row in bookings if row.ends_on >= ctx.today],
        safety=safety(trips),
    )


@service.tool(phrase="give the vehicle {vehicle_id} to {driver_id}")
def assign_driver(state: FleetState, ctx: CallContext, vehicle_id: VehicleId, driver_id: DriverId) -> Json:
    """Give a vehicle that is not in the pool to a driver, from today on.

    Errors: `not_found`, `pool_vehicle` (book it instead), `not_in_service`, `vehicle_taken`, `driver_has_vehicle`,
    `licence_expired`, `licence_class`.

    Args:
        vehicle_id: Id of the vehicle.
        driver_id: Id of the driver.
    """
    vehicle, driver = state.vehicles.get(vehicle_id), state.drivers.get(driver_id)
    usable(vehicle)
    if vehicle.pool:
        raise conflict(f"{vehicle.plate} is in the pool; use create_vehicle_booking.", type="pool_vehicle")
    taken = holder(state, vehicle_id)
    if taken is not None:
        raise conflict(f"{taken.name} has {vehicle.plate}; use unassign_driver first.", type="vehicle_taken")
    old = state.assignments.first(driver_id=driver_id, ended_on=None)
    if old is not None:
        plate = state.vehicles.get(old.vehicle_id).plate
        raise conflict(f"{driver.name} has {plate}; take it back first.", type="driver_has_vehicle")
    may_drive(driver, vehicle, ctx.today)
    state.assignments.create(vehicle_id=vehicle_id, driver_id=driver_id, started_on=ctx.today)
    return vehicle_row(state, vehicle)


@service.tool(phrase="take the vehicle {vehicle_id} back from its driver")
def unassign_driver(state: FleetState, ctx: CallContext, vehicle_id: VehicleId) -> Json:
    """End the assignment of a vehicle today.

    Errors: `not_found`, `not_assigned`.

    Args:
        vehicle_id: Id of the vehicle.
    """
    vehicle = state.vehicles.get(vehicle_id)
    row = state.assignments.first(vehicle_id=vehicle_id, ended_on=None)
    if row is None:
        raise conflict(f"Nobody has {vehicle.plate}.", type="not_assigned")
    state.assignments.patch(row.id, ended_on=ctx.today)
    return vehicle_row(state, vehicle)


def _trip(state: FleetState, row: Trip) -> Json:
    return with_fields(
        row,
        plate=state.vehicles.get(row.vehicle_id).plate,
        driver_name=state.drivers.get(row.driver_id).name,
    )


@service.tool()
def list_trips(  # noqa: PLR0913, PLR0917 - one per filter
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    driver_id: DriverId | None = None,
    started_from: f.Date | None = None,
    started_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List trips, the latest first, with distance, idling, harsh events and the safety figures of all that match.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the registration, driver's name, places or purpose.
        vehicle_id: Only trips of this vehicle.
        driver_id: Only trips of this driver.
        started_from: Only trips on this day or later.
        started_to: Only trips on this day or earlier.
        limit: At most so many trips.
        cursor: next_cursor of the previous page.
    """
    found = within(
        keep(state.trips, vehicle_id=vehicle_id, driver_id=driver_id), "started_at", started_from, started_to
    )
    plates = {row.id: row.plate for row in state.vehicles}
    names = {row.id: row.name for row in state.drivers}
    found = search(
        found,
        query,
        lambda row: (plates[row.vehicle_id], names[row.driver_id], row.from_place, row.to_place, row.purpose),
    )
    found = newest_first(found, "started_at")
    page = cursor_page("trips", found, limit, cursor)
    page["trips"] = [_trip(state, row) for row in page["trips"]]
    return {**page, "safety": safety(found)}
