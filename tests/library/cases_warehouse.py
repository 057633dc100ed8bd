"""Situations in warehouse; see cases.py."""

from __future__ import annotations

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

WMS = "warehouse"
PEOPLE += [(WMS, "workers")]


def _open_task(env: Env) -> Row:
    """An open pick task that a worker with a licence has."""
    return next(row for row in rows(env, WMS, "pick_tasks", status="open") if row["worker_id"] is not None)


def _picked_line(env: Env) -> Row:
    """A line of an open order of which units are picked and not packed."""
    for order in ok(env, WMS, "search_outbound_orders", stage="picked")["orders"]:
        for line in order["lines"]:
            if line["picked"] > line["packed"]:
                return dict(line)
    raise AssertionError("nothing is picked")


def _packed_order(env: Env, *, short: bool) -> Row:
    for order in ok(env, WMS, "search_outbound_orders", stage="packed")["orders"]:
        if any(line["picked"] < line["quantity"] for line in order["lines"]) == short:
            return dict(order)
    raise AssertionError("no such order")


@case(WMS, "pack_item", "unknown_carton")
def _(env: Env) -> Situation:
    return env, {"order_line_id": _picked_line(env)["id"], "quantity": 1, "carton_label": "CT-1"}


@case(WMS, "pack_item", "carton_too_heavy")
def _(env: Env) -> Situation:
    line = _picked_line(env)
    env = patched(env, WMS, "skus", line["sku_id"], unit_weight=26_000)
    return env, {"order_line_id": line["id"], "quantity": 1}


@case(WMS, "release_wave", "wave_empty")
def _(env: Env) -> Situation:
    wave = one(env, WMS, "waves", status="planned")
    for order in rows(env, WMS, "orders", wave_id=wave["id"]):
        ok(env, WMS, "hold_outbound_order", order_id=order["id"], reason="Wait")
    return env, {"wave_id": wave["id"]}


@case(WMS, "release_wave", "insufficient_stock")
def _(env: Env) -> Situation:
    wave = one(env, WMS, "waves", status="planned")
    order = one(env, WMS, "orders", wave_id=wave["id"])
    line = one(env, WMS, "order_lines", order_id=order["id"])
    return patched(env, WMS, "order_lines", line["id"], quantity=90_000), {"wave_id": wave["id"]}


@case(WMS, "ship_outbound_order", "nothing_picked")
def _(env: Env) -> Situation:
    order = _packed_order(env, short=False)
    lines = {line["id"] for line in order["lines"]}
    for task in env.rows(WMS, "pick_tasks"):
        if task["order_line_id"] in lines:
            env = patched(env, WMS, "pick_tasks", task["id"], picked=0)
    for item in env.rows(WMS, "carton_items"):
        if item["order_line_id"] in lines:
            env = patched(env, WMS, "carton_items", item["id"], quantity=0)
    return env, {"order_id": order["id"], "tracking_number": "TRK-1", "allow_short": True}


@case(WMS, "ship_outbound_order", "short_picked")
def _(env: Env) -> Situation:
    return env, {"order_id": _packed_order(env, short=True)["id"], "tracking_number": "TRK-1"}


@case(WMS, "ship_outbound_order", "duplicate_tracking")
def _(env: Env) -> Situation:
    used = one(env, WMS, "orders", status="shipped")["tracking_number"]
    return env, {"order_id": _packed_order(env, short=False)["id"], "tracking_number": used}


@case(WMS, "assign_pick_task", "worker_full")
def _(env: Env) -> Situation:
    worker = one(env, WMS, "workers", forklift=True)["id"]
    tasks = [row["id"] for row in rows(env, WMS, "pick_tasks", status="open")]
    for task in tasks[:7]:
        env = patched(env, WMS, "pick_tasks", task, worker_id=worker)
    return env, {"task_id": tasks[7], "worker_id": worker}


@case(WMS, "assign_pick_task", "no_change")
def _(env: Env) -> Situation:
    task = _open_task(env)
    return env, {"task_id": task["id"], "worker_id": task["worker_id"]}


@case(WMS, "move_license_plate", "plate_empty")
def _(env: Env) -> Situation:
    plate = one(env, WMS, "plates", on_hold=False)
    target = one(env, WMS, "locations", zone="quarantine")["id"]
    return patched(env, WMS, "plates", plate["id"], quantity=0), {"plate_id": plate["id"], "location_id": target}


@case(WMS, "move_license_plate", "over_weight")
def _(env: Env) -> Situation:
    target = one(env, WMS, "locations", zone="quarantine")["id"]
    busy = {row["plate_id"] for row in rows(env, WMS, "pick_tasks", status="open")}
    plate = next(row for row in rows(env, WMS, "plates", on_hold=False) if row["quantity"] and row["id"] not in busy)
    return patched(env, WMS, "plates", plate["id"], quantity=900_000), {"plate_id": plate["id"], "location_id": target}


@case(WMS, "receive_inbound_line", "over_receipt")
def _(env: Env) -> Situation:
    shipment = one(env, WMS, "inbounds", status="arrived")
    line = one(env, WMS, "inbound_lines", inbound_id=shipment["id"])
    return env, {"inbound_line_id": line["id"], "quantity": line["expected"] * 2}


@case(WMS, "receive_inbound_line", "too_many_damaged")
def _(env: Env) -> Situation:
    shipment = one(env, WMS, "inbounds", status="arrived")
    line = one(env, WMS, "inbound_lines", inbound_id=shipment["id"])
    return env, {"inbound_line_id": line["id"], "quantity": 1, "damaged": 2}


@case(WMS, "book_dock_appointment", "booked_already")
def _(env: Env) -> Situation:
    shipment = one(env, WMS, "appointments", direction="inbound", status="booked")
    slot = {"door": "D4", "starts_at": "2026-05-20T07:00:00Z", "carrier_name": "Saxby Freight"}
    return env, {**slot, "reference": shipment["reference"]}


@case(WMS, "book_dock_appointment", "inbound_closed")
def _(env: Env) -> Situation:
    shipment = one(env, WMS, "inbounds", status="closed")
    slot = {"door": "D4", "starts_at": "2026-05-20T07:00:00Z", "carrier_name": "Saxby Freight"}
    return env, {**slot, "reference": shipment["number"]}


@case(WMS, "book_dock_appointment", "door_taken")
def _(env: Env) -> Situation:
    row = one(env, WMS, "appointments", direction="outbound", status="booked")
    slot = {"door": row["door"], "starts_at": row["starts_at"], "carrier_name": "Saxby Freight"}
    return env, {**slot, "reference": "LK12 VAN"}


@case(WMS, "reschedule_dock_appointment", "door_taken")
def _(env: Env) -> Situation:
    first, second = rows(env, WMS, "appointments", direction="outbound", status="booked")[:2]
    return env, {"appointment_id": first["id"], "door": second["door"], "starts_at": second["starts_at"]}
