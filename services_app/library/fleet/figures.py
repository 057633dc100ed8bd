"""What follows from readings, plans and trips: odometers, due services, costs, scores; and shared rules."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import conflict, forbidden, invalid
from services_app.library.fleet.state import Driver, FleetState, Issue, ServicePlan, Trip, Vehicle, WorkOrder
from services_app.library.shared import Json, days_between, plus_days, total, with_fields

SOON_KM, SOON_DAYS = 1000, 21
MOST_JUMP = 5000


def mileage(state: FleetState, vehicle_id: str) -> int:
    """The highest reading of a vehicle; 0 when there is none."""
    return max((row.odometer for row in state.meter_entries.find(vehicle_id=vehicle_id)), default=0)


def read_meter(state: FleetState, vehicle_id: str, value: int, day: str, source: str) -> None:
    """Note a reading; 422 `odometer_too_low` or `implausible_odometer` when it does not fit the last one."""
    last = mileage(state, vehicle_id)
    if value < last:
        raise invalid(f"The odometer stood at {last} km already; check the reading.", type="odometer_too_low")
    if value > last + MOST_JUMP:
        raise invalid(
            f"{value - last} km more than the last reading of {last} km; check it.", type="implausible_odometer"
        )
    state.meter_entries.create(vehicle_id=vehicle_id, odometer=value, read_on=day, source=source)


def holder(state: FleetState, vehicle_id: str) -> Driver | None:
    """Who has the vehicle now."""
    row = state.assignments.first(vehicle_id=vehicle_id, ended_on=None)
    return None if row is None else state.drivers.get(row.driver_id)


def vehicle_row(state: FleetState, vehicle: Vehicle) -> Json:
    """A vehicle as lists show it."""
    driver = holder(state, vehicle.id)
    return with_fields(
        vehicle,
        odometer=mileage(state, vehicle.id),
        driver_name=None if driver is None else driver.name,
        open_issues=state.issues.count(vehicle_id=vehicle.id, status="open"),
    )


def reminder(state: FleetState, plan: ServicePlan, today: str) -> Json:
    """A service with when it is due, how much is left, and whether that is overdue, due_soon or ok."""
    vehicle = state.vehicles.get(plan.vehicle_id)
    due_on, due_at = plus_days(plan.last_on, plan.every_days), plan.last_odometer + plan.every_km
    days, left = days_between(today, due_on), due_at - mileage(state, plan.vehicle_id)
    state_of = "overdue" if days < 0 or left < 0 else "due_soon" if days <= SOON_DAYS or left <= SOON_KM else "ok"
    return with_fields(
        plan,
        plate=vehicle.plate,
        model=vehicle.model,
        due_on=due_on,
        due_at_km=due_at,
        days_left=days,
        km_left=left,
        due_status=state_of,
    )


def order_row(state: FleetState, order: WorkOrder) -> Json:
    """A work order with its lines and what they add up to."""
    lines = [
        with_fields(row, amount=round(row.quantity * row.unit_cost, 2))
        for row in state.work_lines.find(work_order_id=order.id)
    ]
    vehicle = state.vehicles.get(order.vehicle_id)
    return with_fields(
        order,
        plate=vehicle.plate,
        workshop_name=state.workshops.get(order.workshop_id).name,
        lines=lines,
        total_cost=total(row["amount"] for row in lines),
    )


def issue_row(state: FleetState, issue: Issue) -> Json:
    order = state.work_orders.first(issue_id=issue.id, status="open")
    return with_fields(
        issue,
        plate=state.vehicles.get(issue.vehicle_id).plate,
        work_order_number=None if order is None else order.number,
    )


def safety(trips: Iterable[Trip]) -> Json:
    """Score of driving: 100, less 10 for each harsh event per 100 km, less the share of idling in percent / 2."""
    rows = list(trips)
    distance, minutes = sum(row.distance for row in rows), sum(row.minutes for row in rows)
    harsh, idle = sum(row.harsh_events for row in rows), sum(row.idle_minutes for row in rows)
    score = 100.0
    if distance and minutes:
        score = max(0.0, round(100 - 10 * harsh * 100 / distance - 50 * idle / minutes, 1))
    return {"trips": len(rows), "distance_km": distance, "harsh_events": harsh, "idle_minutes": idle, "score": score}


def may_drive(driver: Driver, vehicle: Vehicle, last_day: str) -> None:
    """403 `licence_expired` or `licence_class` when the driver may not drive the vehicle up to that day."""
    if driver.licence_until < last_day:
        raise forbidden(f"The licence of {driver.name} ends on {driver.licence_until}.", type="licence_expired")
    if vehicle.kind == "lorry" and driver.licence_class != "C":
        raise forbidden(f"{driver.name} has class B; a lorry needs class C.", type="licence_class")


def usable(vehicle: Vehicle) -> None:
    """409 `not_in_service` for a vehicle that must not be driven."""
    if vehicle.status != "in_service":
        raise conflict(f"{vehicle.plate} is {vehicle.status}; choose another vehicle.", type="not_in_service")
