"""Tools for fuel: what was filled, what it cost, and how much a vehicle needs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fleet.driving import DriverId
from services_app.library.fleet.figures import read_meter
from services_app.library.fleet.state import FleetState, FuelEntry, service
from services_app.library.fleet.vehicles import Odometer, VehicleId
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    total,
    with_fields,
    within,
)


def _row(state: FleetState, row: FuelEntry) -> Json:
    """An entry with the consumption since the entry before, in litres per 100 km."""
    earlier = [
        other.odometer for other in state.fuel_entries.find(vehicle_id=row.vehicle_id) if other.odometer < row.odometer
    ]
    driven = row.odometer - max(earlier) if earlier else None
    return with_fields(
        row,
        plate=state.vehicles.get(row.vehicle_id).plate,
        driver_name=state.drivers.get(row.driver_id).name,
        price_per_litre=round(row.cost / row.litres, 3),
        km_driven=driven,
        litres_per_100_km=round(row.litres * 100 / driven, 1) if driven else None,
    )


@service.tool()
def list_fuel_entries(  # noqa: PLR0913, PLR0917 - one per filter
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    driver_id: DriverId | None = None,
    filled_from: f.Date | None = None,
    filled_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List fuel entries, the latest first, with consumption, and litres and cost of all that match.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the registration, driver's name, station or receipt number.
        vehicle_id: Only entries of this vehicle.
        driver_id: Only entries of this driver.
        filled_from: Only entries of this day or later.
        filled_to: Only entries of this day or earlier.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.fuel_entries, vehicle_id=vehicle_id, driver_id=driver_id)
    found = within(found, "filled_on", filled_from, filled_to)
    found = newest_first(found, "filled_on")
    names = ("plate", "driver_name", "station", "receipt_number")
    rows = search([_row(state, row) for row in found], query, lambda row: [row[name] for name in names])
    page = cursor_page("fuel_entries", rows, limit, cursor)
    litres = round(sum(row["litres"] for row in rows), 1)
    return {**page, "litres": litres, "cost": total(row["cost"] for row in rows)}


@service.tool(phrase="enter {litres} litres of fuel for {vehicle_id}, receipt {receipt_number}")
def log_fuel(  # noqa: PLR0913, PLR0917 - a receipt has so many parts
    state: FleetState,
    ctx: CallContext,
    vehicle_id: VehicleId,
    driver_id: DriverId,
    odometer: Odometer,
    litres: Annotated[float, f.count("litres"), Field(ge=1, le=1500)],
    cost: Amount,
    receipt_number: Annotated[f.Code, Field(min_length=2, max_length=40)],
    station: f.Place = "",
) -> Json:
    """Enter what was filled today.

    Errors: `not_found`, `over_tank`, `implausible_price` (outside 0.80 to 3.50 a litre), `duplicate_receipt`,
    `odometer_too_low`, `implausible_odometer`.

    Args:
        vehicle_id: Id of the vehicle.
        driver_id: Id of the driver.
        odometer: What the odometer showed.
        litres: How much was filled.
        cost: What it cost.
        receipt_number: Number of the receipt.
        station: Where.
    """
    vehicle = state.vehicles.get(vehicle_id)
    state.drivers.get(driver_id)
    if litres > vehicle.tank:
        raise invalid(f"The tank of {vehicle.plate} takes {vehicle.tank} litres; check the receipt.", type="over_tank")
    if not 0.8 <= cost / litres <= 3.5:
        raise invalid(f"{cost / litres:.2f} a litre cannot be right; check the receipt.", type="implausible_price")
    if any(same(row.receipt_number, receipt_number) for row in state.fuel_entries):
        raise conflict(f"The receipt {receipt_number} is entered already.", type="duplicate_receipt")
    read_meter(state, vehicle_id, odometer, ctx.today, "fuel")
    entry = state.fuel_entries.create(
        vehicle_id=vehicle_id,
        driver_id=driver_id,
        filled_on=ctx.today,
        odometer=odometer,
        litres=litres,
        cost=cost,
        station=station,
        receipt_number=receipt_number,
    )
    return _row(state, entry)
