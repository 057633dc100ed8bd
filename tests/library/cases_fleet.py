"""Situations in fleet; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

FLEET = "fleet"
PEOPLE += [(FLEET, "drivers"), (FLEET, "approvers")]
DAYS = {"starts_on": "2026-05-11", "ends_on": "2026-05-12"}


def pool_vehicle(env: Env, kind: str = "van") -> Row:
    """A vehicle of the pool that nobody has booked for DAYS."""
    found = ok(env, FLEET, "find_available_vehicles", **DAYS)["vehicles"]
    return dict(next((row for row in found if row["kind"] == kind), found[0]))


def trip(env: Env, **more: Any) -> dict[str, Any]:
    """Arguments of a booking that works."""
    driver = next(row for row in env.rows(FLEET, "drivers") if row["licence_until"] > "2026-06-01")
    terms = {"vehicle_id": pool_vehicle(env)["id"], "driver_id": driver["id"], "purpose": "Delivery"}
    return {**terms, **DAYS, **more}


def parked(env: Env) -> tuple[Env, str]:
    """A vehicle outside the pool that nobody has, and is in service."""
    taken = {row["vehicle_id"] for row in rows(env, FLEET, "assignments", ended_on=None)}
    row = next(row for row in rows(env, FLEET, "vehicles", status="in_service") if row["id"] not in taken)
    return patched(env, FLEET, "vehicles", row["id"], pool=False, kind="van"), row["id"]


def walker(env: Env, **equal: Any) -> Row:
    """A driver without a vehicle."""
    taken = {row["driver_id"] for row in rows(env, FLEET, "assignments", ended_on=None)}
    return next(row for row in rows(env, FLEET, "drivers", **equal) if row["id"] not in taken)


def order(env: Env, cost: float, **more: Any) -> Row:
    """A new work order with one line that costs so much."""
    vehicle = one(env, FLEET, "vehicles", status="in_service")["id"]
    shop = one(env, FLEET, "workshops")["id"]
    made = ok(env, FLEET, "create_work_order", vehicle_id=vehicle, workshop_id=shop, title="Repair", **more)
    line = {"work_order_id": made["id"], "kind": "part", "description": "Gearbox", "quantity": 1, "unit_cost": cost}
    return dict(ok(env, FLEET, "add_work_order_line", **line))


@case(FLEET, "approve_work_order", "already_approved")
def _(env: Env) -> Situation:
    approval = {"work_order_id": order(env, 800.0)["id"], "approved_by": env.rows(FLEET, "approvers")[0]["email"]}
    ok(env, FLEET, "approve_work_order", **approval)
    return env, approval


@case(FLEET, "approve_work_order", "approver_limit")
def _(env: Env) -> Situation:
    least = min(env.rows(FLEET, "approvers"), key=lambda row: row["limit"])
    return env, {"work_order_id": order(env, least["limit"] + 1)["id"], "approved_by": least["email"]}


@case(FLEET, "assign_driver", "licence_class")
def _(env: Env) -> Situation:
    env, vehicle = parked(env)
    env = patched(env, FLEET, "vehicles", vehicle, kind="lorry")
    return env, {"vehicle_id": vehicle, "driver_id": walker(env, licence_class="B")["id"]}


@case(FLEET, "assign_driver", "licence_expired")
def _(env: Env) -> Situation:
    env, vehicle = parked(env)
    driver = walker(env)["id"]
    return patched(env, FLEET, "drivers", driver, licence_until="2026-03-01"), {
        "vehicle_id": vehicle,
        "driver_id": driver,
    }


@case(FLEET, "create_vehicle_booking", "licence_expired")
def _(env: Env) -> Situation:
    terms = trip(env)
    return patched(env, FLEET, "drivers", terms["driver_id"], licence_until="2026-05-11"), terms


@case(FLEET, "create_vehicle_booking", "licence_class")
def _(env: Env) -> Situation:
    terms = trip(env)
    env = patched(env, FLEET, "drivers", terms["driver_id"], licence_class="B")
    return patched(env, FLEET, "vehicles", terms["vehicle_id"], kind="lorry"), terms


@case(FLEET, "create_vehicle_booking", "blank_text")
def _(env: Env) -> Situation:
    return env, trip(env, purpose="  ")


@case(FLEET, "create_vehicle_booking", "not_in_service")
def _(env: Env) -> Situation:
    terms = trip(env)
    return patched(env, FLEET, "vehicles", terms["vehicle_id"], status="out_of_service"), terms


@case(FLEET, "create_vehicle_booking", "test_expired")
def _(env: Env) -> Situation:
    terms = trip(env)
    return patched(env, FLEET, "vehicles", terms["vehicle_id"], roadworthy_until="2026-05-11"), terms


@case(FLEET, "create_vehicle_booking", "double_booking")
def _(env: Env) -> Situation:
    terms = trip(env)
    ok(env, FLEET, "create_vehicle_booking", **terms)
    return env, {**terms, "starts_on": "2026-05-12", "ends_on": "2026-05-13"}


@case(FLEET, "create_vehicle_booking", "driver_booked")
def _(env: Env) -> Situation:
    terms = trip(env)
    ok(env, FLEET, "create_vehicle_booking", **terms)
    return env, {**terms, "vehicle_id": pool_vehicle(env)["id"]}


def _service(env: Env) -> Row:
    vehicle = one(env, FLEET, "vehicles", status="in_service")
    plans = rows(env, FLEET, "plans", vehicle_id=vehicle["id"])
    busy = {row["plan_id"] for row in rows(env, FLEET, "work_orders", status="open")}
    return order(env, 90.0, plan_id=next(row["id"] for row in plans if row["id"] not in busy))


@case(FLEET, "complete_work_order", "odometer_needed")
def _(env: Env) -> Situation:
    return env, {"work_order_id": _service(env)["id"]}


@case(FLEET, "complete_work_order", "odometer_too_low")
def _(env: Env) -> Situation:
    return env, {"work_order_id": _service(env)["id"], "odometer": 10}


@case(FLEET, "complete_work_order", "implausible_odometer")
def _(env: Env) -> Situation:
    return env, {"work_order_id": _service(env)["id"], "odometer": 900_000}


@case(FLEET, "log_fuel", "implausible_odometer")
def _(env: Env) -> Situation:
    vehicle, driver = one(env, FLEET, "vehicles")["id"], one(env, FLEET, "drivers")["id"]
    fuel = {"litres": 20.0, "cost": 32.0, "receipt_number": "FR-1"}
    return env, {"vehicle_id": vehicle, "driver_id": driver, "odometer": 900_000, **fuel}


@case(FLEET, "set_vehicle_status", "critical_issue_open")
def _(env: Env) -> Situation:
    vehicle = one(env, FLEET, "vehicles", status="in_service")["id"]
    ok(env, FLEET, "report_vehicle_issue", vehicle_id=vehicle, summary="Brakes fail", severity="critical")
    return env, {"vehicle_id": vehicle, "status": "in_service"}


@case(FLEET, "set_vehicle_status", "test_expired")
def _(env: Env) -> Situation:
    vehicle = one(env, FLEET, "vehicles", status="in_service")["id"]
    ok(env, FLEET, "set_vehicle_status", vehicle_id=vehicle, status="out_of_service")
    env = patched(env, FLEET, "vehicles", vehicle, roadworthy_until="2026-03-01", status="out_of_service")
    return env, {"vehicle_id": vehicle, "status": "in_service"}


@case(FLEET, "create_vehicle_booking", "not_in_pool")
def _(env: Env) -> Situation:
    env, vehicle = parked(env)
    return env, trip(env, vehicle_id=vehicle)
