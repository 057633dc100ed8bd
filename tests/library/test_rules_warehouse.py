"""The rules of warehouse, as short stories: what calls bring about."""

from __future__ import annotations

from collections import Counter

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused, rows

WMS = "warehouse"


def stock(env: ProductEnvironment, sku_id: str) -> Row:
    sku = one(env, WMS, "skus", id=sku_id)["sku"]
    return dict(ok(env, WMS, "search_skus", query=sku)["skus"][0])


def licensed(env: ProductEnvironment) -> Row:
    workers: list[Row] = ok(env, WMS, "list_workers", forklift=True)["workers"]
    return min(workers, key=lambda row: row["open_tasks"])


def test_no_plate_is_promised_twice_and_no_door_either() -> None:
    env = environment(WMS, scale="normal", seed=11)
    promised: Counter[str] = Counter()
    for task in rows(env, WMS, "pick_tasks", status="open"):
        promised[task["plate_id"]] += task["quantity"]
    plates = {row["id"]: row for row in env.rows(WMS, "plates")}
    assert all(units <= plates[plate]["quantity"] for plate, units in promised.items())
    assert all(row["quantity"] >= 0 for row in plates.values())
    shown: list[Row] = []
    for day in ("2026-03-0", "2026-03-1"):
        page = ok(env, WMS, "list_dock_appointments", date_from=f"{day}2", date_to=f"{day}9", limit=100)
        shown += [row for row in page["appointments"] if row["status"] != "cancelled"]
    for first in shown:
        for second in shown:
            if first["id"] < second["id"] and first["door"] == second["door"]:
                assert first["ends_at"] <= second["starts_at"] or second["ends_at"] <= first["starts_at"]


def test_a_wave_takes_an_order_from_the_shelf_to_the_truck() -> None:
    env = environment(WMS)
    order = ok(env, WMS, "search_outbound_orders", stage="waiting")["orders"][0]
    line = order["lines"][0]
    before = stock(env, line["sku_id"])
    due = {"carrier": order["carrier"], "ship_by": order["ship_by"]}
    wave = ok(env, WMS, "create_wave", **due, max_orders=1)
    assert wave["orders"] == [order["number"]]
    ok(env, WMS, "release_wave", wave_id=wave["id"])
    promised = stock(env, line["sku_id"])
    assert promised["on_hand"] == before["on_hand"]
    assert promised["available"] == before["available"] - line["quantity"]
    for task in ok(env, WMS, "list_pick_tasks", wave_id=wave["id"])["pick_tasks"]:
        done = {"task_id": task["id"], "quantity": task["quantity"]}
        assert refused(env, WMS, "confirm_pick", **done) == "not_assigned"
        ok(env, WMS, "assign_pick_task", task_id=task["id"], worker_id=licensed(env)["id"])
        ok(env, WMS, "confirm_pick", **done)
    assert stock(env, line["sku_id"])["on_hand"] == before["on_hand"] - line["quantity"]
    ship = {"order_id": order["id"], "tracking_number": "TRK-900"}
    assert refused(env, WMS, "ship_outbound_order", **ship) == "not_packed"
    for row in order["lines"]:
        for _ in range(row["quantity"]):
            ok(env, WMS, "pack_item", order_line_id=row["id"], quantity=1)
    assert refused(env, WMS, "pack_item", order_line_id=line["id"], quantity=1) == "not_picked"
    assert ok(env, WMS, "ship_outbound_order", **ship)["stage"] == "shipped"


def test_high_levels_are_only_for_people_with_a_licence() -> None:
    env = environment(WMS, scale="normal")
    tasks = ok(env, WMS, "list_pick_tasks", status="open", limit=100)["pick_tasks"]
    high = next(row for row in tasks if row["needs_forklift"])
    walker = one(env, WMS, "workers", forklift=False)["id"]
    assert refused(env, WMS, "assign_pick_task", task_id=high["id"], worker_id=walker) == "no_forklift_licence"
    low = next(row for row in tasks if not row["needs_forklift"])
    ok(env, WMS, "assign_pick_task", task_id=low["id"], worker_id=walker)


def test_a_delivery_is_checked_in_received_and_put_away() -> None:
    env = environment(WMS)
    slot = next(
        row
        for row in ok(env, WMS, "list_dock_appointments", date_to="2026-03-02", status="booked")["appointments"]
        if row["direction"] == "inbound"
    )
    line = ok(env, WMS, "get_inbound_shipment", inbound_id=slot["inbound_id"])["lines"][0]
    receive = {"inbound_line_id": line["id"], "quantity": line["expected"], "damaged": 2}
    assert refused(env, WMS, "receive_inbound_line", **receive) == "not_arrived"
    ok(env, WMS, "check_in_truck", appointment_id=slot["id"])
    before = stock(env, line["sku_id"])
    good, bad = ok(env, WMS, "receive_inbound_line", **receive)["license_plates"]
    assert (good["quantity"], bad["quantity"], bad["on_hold"]) == (line["expected"] - 2, 2, True)
    after = stock(env, line["sku_id"])
    assert (after["on_hand"], after["available"]) == (before["on_hand"] + line["expected"], before["available"])
    bins = ok(env, WMS, "suggest_putaway", plate_id=good["id"])["suggestions"]
    ok(env, WMS, "move_license_plate", plate_id=good["id"], location_id=bins[0]["id"])
    assert stock(env, line["sku_id"])["available"] == before["available"] + line["expected"] - 2
    assert refused(env, WMS, "move_license_plate", plate_id=bad["id"], location_id=bins[0]["id"]) == "plate_on_hold"
