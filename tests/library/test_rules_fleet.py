"""The rules of fleet, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_fleet import DAYS, FLEET, order, parked, trip, walker
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused, rows


def test_no_vehicle_and_no_driver_is_booked_twice() -> None:
    env = environment(FLEET, scale="normal", seed=11)
    live = rows(env, FLEET, "bookings", status="booked")
    for first in live:
        for second in live:
            same = first["vehicle_id"] == second["vehicle_id"] or first["driver_id"] == second["driver_id"]
            if same and first["id"] < second["id"]:
                assert first["ends_on"] < second["starts_on"] or second["ends_on"] < first["starts_on"]
    held = [row["vehicle_id"] for row in rows(env, FLEET, "assignments", ended_on=None)]
    assert len(held) == len(set(held))


def test_a_booking_takes_the_vehicle_out_of_the_pool_until_it_is_cancelled() -> None:
    env = environment(FLEET)
    terms = trip(env)

    def free() -> list[str]:
        return [row["id"] for row in ok(env, FLEET, "find_available_vehicles", **DAYS)["vehicles"]]

    assert terms["vehicle_id"] in free()
    booking = ok(env, FLEET, "create_vehicle_booking", **terms)
    assert terms["vehicle_id"] not in free()
    assert refused(env, FLEET, "create_vehicle_booking", **terms) == "double_booking"
    ok(env, FLEET, "cancel_vehicle_booking", booking_id=booking["id"])
    assert terms["vehicle_id"] in free()


def test_one_driver_one_vehicle() -> None:
    env, vehicle = parked(environment(FLEET))
    driver = walker(env)
    ok(env, FLEET, "assign_driver", vehicle_id=vehicle, driver_id=driver["id"])
    assert refused(env, FLEET, "assign_driver", vehicle_id=vehicle, driver_id=driver["id"]) == "vehicle_taken"
    assert ok(env, FLEET, "search_vehicles", query=driver["name"])["vehicles"][0]["id"] == vehicle
    ok(env, FLEET, "unassign_driver", vehicle_id=vehicle)
    assert ok(env, FLEET, "get_driver", driver_id=driver["id"])["assignments"][-1]["ended_on"] == "2026-03-02"


def test_a_critical_issue_grounds_the_vehicle_until_the_workshop_is_done() -> None:
    env = environment(FLEET)
    vehicle = one(env, FLEET, "vehicles", status="in_service")["id"]
    report = {"vehicle_id": vehicle, "summary": "Brakes fail", "severity": "critical"}
    issue = ok(env, FLEET, "report_vehicle_issue", **report)
    back = {"vehicle_id": vehicle, "status": "in_service"}
    assert refused(env, FLEET, "set_vehicle_status", **back) == "critical_issue_open"
    fix = {"issue_id": issue["id"], "resolution": "Looked at it"}
    assert refused(env, FLEET, "resolve_vehicle_issue", **fix) == "work_order_needed"
    shop = one(env, FLEET, "workshops")["id"]
    work = {"vehicle_id": vehicle, "workshop_id": shop, "title": "Brakes", "issue_id": issue["id"]}
    made = ok(env, FLEET, "create_work_order", **work)["id"]
    line = {"work_order_id": made, "kind": "labour", "description": "Brakes", "quantity": 2}
    ok(env, FLEET, "add_work_order_line", **line)
    ok(env, FLEET, "complete_work_order", work_order_id=made)
    assert ok(env, FLEET, "set_vehicle_status", **back)["status"] == "in_service"


def test_dear_repairs_need_an_approval_that_a_new_line_voids() -> None:
    env = environment(FLEET)
    made = order(env, 900.0)["id"]
    head = max(env.rows(FLEET, "approvers"), key=lambda row: row["limit"])["email"]
    assert refused(env, FLEET, "complete_work_order", work_order_id=made) == "approval_needed"
    ok(env, FLEET, "approve_work_order", work_order_id=made, approved_by=head)
    more = {"work_order_id": made, "kind": "part", "description": "Seal", "quantity": 2, "unit_cost": 5.0}
    assert ok(env, FLEET, "add_work_order_line", **more)["total_cost"] == 910.0
    assert refused(env, FLEET, "complete_work_order", work_order_id=made) == "approval_needed"
    ok(env, FLEET, "approve_work_order", work_order_id=made, approved_by=head)
    assert ok(env, FLEET, "complete_work_order", work_order_id=made)["status"] == "completed"


def test_a_completed_service_starts_its_reminder_anew() -> None:
    env = environment(FLEET)
    busy = {row["plan_id"] for row in rows(env, FLEET, "work_orders", status="open")}
    due: list[Row] = ok(env, FLEET, "list_service_reminders", due_status="overdue", limit=100)["service_reminders"]
    sold = {row["id"] for row in rows(env, FLEET, "vehicles", status="sold")}
    plan = next(row for row in due if row["id"] not in busy and row["vehicle_id"] not in sold)
    shop = one(env, FLEET, "workshops")["id"]
    work = {"vehicle_id": plan["vehicle_id"], "workshop_id": shop, "title": plan["task"], "plan_id": plan["id"]}
    made = ok(env, FLEET, "create_work_order", **work)["id"]
    assert refused(env, FLEET, "create_work_order", **work) == "already_ordered"
    line = {"work_order_id": made, "kind": "labour", "description": "Service", "quantity": 1}
    ok(env, FLEET, "add_work_order_line", **line)
    now = ok(env, FLEET, "get_vehicle", vehicle_id=plan["vehicle_id"])["odometer"]
    ok(env, FLEET, "complete_work_order", work_order_id=made, odometer=now + 10)
    after = ok(env, FLEET, "list_service_reminders", vehicle_id=plan["vehicle_id"])["service_reminders"]
    again = next(row for row in after if row["id"] == plan["id"])
    assert (again["due_status"], again["km_left"], again["last_on"]) == ("ok", plan["every_km"], "2026-03-02")
