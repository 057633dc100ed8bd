"""Tools for the pool: who has which vehicle on which days."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fleet.driving import DriverId
from services_app.library.fleet.figures import may_drive, usable, vehicle_row
from services_app.library.fleet.state import Booking, BookingStatus, FleetState, Kind, Site, service
from services_app.library.fleet.vehicles import VehicleId
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_range,
    check_text,
    cursor_page,
    days_between,
    keep,
    next_number,
    search,
    with_fields,
)

LONGEST = 7


def _row(state: FleetState, row: Booking) -> Json:
    return with_fields(
        row,
        plate=state.vehicles.get(row.vehicle_id).plate,
        driver_name=state.drivers.get(row.driver_id).name,
        days=days_between(row.starts_on, row.ends_on) + 1,
    )


def _clash(state: FleetState, vehicle_id: str, first: str, last: str) -> Booking | None:
    for row in state.bookings.find(vehicle_id=vehicle_id, status="booked"):
        if row.starts_on <= last and first <= row.ends_on:
            return row
    return None


@service.tool()
def find_available_vehicles(
    state: FleetState,
    ctx: CallContext,
    starts_on: f.Date,
    ends_on: f.Date,
    kind: Kind | None = None,
    site: Site | None = None,
    min_payload: Annotated[int, f.count("kilograms"), Field(ge=0, le=40_000)] = 0,
) -> Json:
    """Find vehicles of the pool that are in service and free on every day of a range, the smallest payload first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        starts_on: First day.
        ends_on: Last day.
        kind: Only cars, vans or lorries.
        site: Only vehicles of this site.
        min_payload: Least payload in kilograms.
    """
    check_range(starts_on, ends_on)
    found = keep(state.vehicles, pool=True, status="in_service", kind=kind, site=site)
    free = [
        row
        for row in found
        if row.payload >= min_payload
        and row.roadworthy_until >= ends_on
        and _clash(state, row.id, starts_on, ends_on) is None
    ]
    free.sort(key=lambda row: (row.payload, row.plate))
    return {"vehicles": [vehicle_row(state, row) for row in free], "total": len(free)}


@service.tool()
def list_vehicle_bookings(  # noqa: PLR0913, PLR0917 - one per filter
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    driver_id: DriverId | None = None,
    status: BookingStatus | None = None,
    day: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List bookings of pool vehicles in the order of their first day.

    Errors: `invalid_date`.

    Args:
        query: Words in the number, registration, driver's name or purpose.
        vehicle_id: Only bookings of this vehicle.
        driver_id: Only bookings for this driver.
        status: Only bookings in this status.
        day: Only bookings that cover this day.
        limit: At most so many bookings.
        cursor: next_cursor of the previous page.
    """
    on = check_date(day) if day else None
    found = keep(state.bookings, vehicle_id=vehicle_id, driver_id=driver_id, status=status)
    rows = [_row(state, row) for row in found if on is None or row.starts_on <= on <= row.ends_on]
    rows = search(rows, query, lambda row: [row[name] for name in ("number", "plate", "driver_name", "purpose")])
    rows.sort(key=lambda row: (row["starts_on"], row["id"]))
    return cursor_page("bookings", rows, limit, cursor)


@service.tool(phrase="book the vehicle {vehicle_id} for {driver_id} from {starts_on} to {ends_on}")
def create_vehicle_booking(
    state: FleetState,
    ctx: CallContext,
    vehicle_id: VehicleId,
    driver_id: DriverId,
    starts_on: f.Date,
    ends_on: f.Date,
    purpose: Body,
) -> Json:
    """Book a vehicle of the pool for whole days, at most seven in a row.

    Errors: `not_found`, `invalid_date`, `invalid_range`, `in_the_past`, `too_long`, `not_in_pool`, `not_in_service`,
    `test_expired` (the official test ends before), `licence_expired`, `licence_class`, `double_booking`,
    `driver_booked` (has another vehicle then), `blank_text`.

    Args:
        vehicle_id: Id of the vehicle.
        driver_id: Id of the driver.
        starts_on: First day.
        ends_on: Last day.
        purpose: What it is needed for.
    """
    vehicle, driver = state.vehicles.get(vehicle_id), state.drivers.get(driver_id)
    check_range(starts_on, ends_on)
    if starts_on < ctx.today:
        raise invalid(f"{starts_on} is past; today is {ctx.today}.", type="in_the_past")
    if days_between(starts_on, ends_on) >= LONGEST:
        raise invalid(f"At most {LONGEST} days in a row; book twice.", type="too_long")
    usable(vehicle)
    if not vehicle.pool:
        raise conflict(f"{vehicle.plate} is not in the pool; use find_available_vehicles.", type="not_in_pool")
    if vehicle.roadworthy_until < ends_on:
        raise conflict(f"The official test of {vehicle.plate} ends on {vehicle.roadworthy_until}.", type="test_expired")
    may_drive(driver, vehicle, ends_on)
    clash = _clash(state, vehicle_id, starts_on, ends_on)
    if clash is not None:
        raise conflict(
            f"{clash.number} has {vehicle.plate} from {clash.starts_on} to {clash.ends_on}; choose another.",
            type="double_booking",
        )
    for row in state.bookings.find(driver_id=driver_id, status="booked"):
        if row.starts_on <= ends_on and starts_on <= row.ends_on:
            raise conflict(f"{driver.name} has {row.number} on these days; cancel it first.", type="driver_booked")
    text = check_text(purpose, "purpose")
    booking = state.bookings.create(
        number=next_number((row.number for row in state.bookings), "VB-", first=2001),
        vehicle_id=vehicle_id,
        driver_id=driver_id,
        starts_on=starts_on,
        ends_on=ends_on,
        purpose=text,
    )
    return _row(state, booking)


@service.tool(phrase="cancel the vehicle booking {booking_id}")
def cancel_vehicle_booking(state: FleetState, ctx: CallContext, booking_id: Annotated[str, f.ref("bookings")]) -> Json:
    """Cancel a booking that has not ended; the vehicle is free again.

    Errors: `not_found`, `already_cancelled`, `over` (its last day is past).

    Args:
        booking_id: Id of the booking.
    """
    row = state.bookings.get(booking_id)
    if row.status == "cancelled":
        raise conflict(f"{row.number} is cancelled already.", type="already_cancelled")
    if row.ends_on < ctx.today:
        raise conflict(f"{row.number} ended on {row.ends_on}.", type="over")
    return _row(state, state.bookings.patch(booking_id, status="cancelled"))
