"""Situations in inventory; see cases.py."""

from __future__ import annotations

from tests.library.cases import Env, Situation, case
from tests.library.world import Row, ok, one, patched

INV = "inventory"


def _item(env: Env, *, lots: bool = False) -> str:
    return str(one(env, INV, "items", lot_tracked=lots)["id"])


def _place(env: Env) -> str:
    return str(one(env, INV, "locations", kind="warehouse")["id"])


def _stocked(env: Env, quantity: int = 5, *, lots: bool = False) -> dict[str, str]:
    """An item of which some units have just come, at the first warehouse."""
    where = {"item_id": _item(env, lots=lots), "location_id": _place(env)}
    more = {"lot_number": "L-NEW", "expires_on": "2027-12-31"} if lots else {}
    ok(env, INV, "receive_stock", **where, quantity=quantity, reference="DN-1", **more)
    return where


def _draft(env: Env, quantity: int) -> tuple[dict[str, str], Row]:
    where = _stocked(env)
    level = _level(env, where)
    target = one(env, INV, "locations", kind="quarantine")["id"]
    terms = {"from_location_id": where["location_id"], "to_location_id": target, "expected_on": "2026-03-09"}
    transfer = ok(env, INV, "create_transfer", **terms)
    units = quantity or level["available"]
    add = {"transfer_id": transfer["id"], "item_id": where["item_id"], "quantity": units}
    return where, ok(env, INV, "add_transfer_item", **add)


def _level(env: Env, where: dict[str, str]) -> Row:
    levels = ok(env, INV, "get_item", item_id=where["item_id"])["levels"]
    found: Row = next(row for row in levels if row["location_id"] == where["location_id"])
    return found


@case(INV, "adjust_stock", "insufficient_stock")
def _(env: Env) -> Situation:
    where = _stocked(env)
    env = patched(env, INV, "items", where["item_id"], unit_cost=0.01)
    return env, {**where, "change": -9000, "reason": "lost", "note": "Gone"}


@case(INV, "adjust_stock", "no_change")
def _(env: Env) -> Situation:
    return env, {**_stocked(env), "change": 0, "reason": "data_error", "note": "Nothing"}


@case(INV, "adjust_stock", "count_needed")
def _(env: Env) -> Situation:
    return env, {**_stocked(env), "change": 5000, "reason": "found", "note": "A hall full"}


@case(INV, "adjust_stock", "blank_text")
def _(env: Env) -> Situation:
    return env, {**_stocked(env), "change": 1, "reason": "found", "note": "  "}


@case(INV, "adjust_stock", "being_counted")
def _(env: Env) -> Situation:
    where = _stocked(env)
    ok(env, INV, "start_count", location_id=where["location_id"])
    return env, {**where, "change": 1, "reason": "found", "note": "One more"}


@case(INV, "issue_stock", "being_counted")
def _(env: Env) -> Situation:
    where = _stocked(env)
    ok(env, INV, "start_count", location_id=where["location_id"])
    return env, {**where, "quantity": 1, "reference": "PO-1"}


@case(INV, "receive_stock", "being_counted")
def _(env: Env) -> Situation:
    where = _stocked(env)
    ok(env, INV, "start_count", location_id=where["location_id"])
    return env, {**where, "quantity": 1, "reference": "DN-2"}


@case(INV, "create_reservation", "duplicate_reservation")
def _(env: Env) -> Situation:
    promise = {**_stocked(env), "quantity": 1, "order_number": "PO-1", "needed_by": "2026-03-20"}
    ok(env, INV, "create_reservation", **promise)
    return env, promise


@case(INV, "finish_count", "second_count_needed")
def _(env: Env) -> Situation:
    where = _stocked(env)
    sku = one(env, INV, "items", id=where["item_id"])["sku"]
    count = ok(env, INV, "start_count", location_id=where["location_id"], query=sku)
    ok(env, INV, "submit_count_line", line_id=count["lines"][0]["id"], counted=5000)
    return env, {"count_id": count["id"], "decision": "approve"}


@case(INV, "finish_count", "lines_missing")
def _(env: Env) -> Situation:
    count = ok(env, INV, "start_count", location_id=_stocked(env)["location_id"])
    return env, {"count_id": count["id"], "decision": "approve"}


@case(INV, "fulfill_reservation", "insufficient_stock")
def _(env: Env) -> Situation:
    row = one(env, INV, "reservations", status="active")
    return patched(env, INV, "reservations", row["id"], quantity=90_000), {"reservation_id": row["id"]}


@case(INV, "fulfill_reservation", "being_counted")
def _(env: Env) -> Situation:
    where = _stocked(env)
    promise = {**where, "quantity": 1, "order_number": "PO-1", "needed_by": "2026-03-20"}
    row = ok(env, INV, "create_reservation", **promise)["reservation"]
    ok(env, INV, "start_count", location_id=where["location_id"])
    return env, {"reservation_id": row["id"]}


@case(INV, "receive_stock", "expiry_needed")
def _(env: Env) -> Situation:
    lot = {"item_id": _item(env, lots=True), "location_id": _place(env), "lot_number": "L-NEW"}
    return env, {**lot, "quantity": 1, "reference": "DN-1"}


@case(INV, "receive_stock", "invalid_date")
def _(env: Env) -> Situation:
    lot = {"item_id": _item(env, lots=True), "location_id": _place(env), "lot_number": "L-NEW"}
    return env, {**lot, "quantity": 1, "reference": "DN-1", "expires_on": "2027-02-29"}


@case(INV, "receive_stock", "expired")
def _(env: Env) -> Situation:
    lot = {"item_id": _item(env, lots=True), "location_id": _place(env), "lot_number": "L-NEW"}
    return env, {**lot, "quantity": 1, "reference": "DN-1", "expires_on": "2026-01-31"}


@case(INV, "set_lot_status", "blank_text")
def _(env: Env) -> Situation:
    return env, {"lot_id": one(env, INV, "lots", status="released")["id"], "status": "blocked", "reason": "  "}


@case(INV, "set_lot_status", "expired")
def _(env: Env) -> Situation:
    lot = one(env, INV, "lots", status="blocked")
    return patched(env, INV, "lots", lot["id"], expires_on="2026-01-31"), {"lot_id": lot["id"], "status": "released"}


@case(INV, "ship_transfer", "insufficient_stock")
def _(env: Env) -> Situation:
    where, transfer = _draft(env, 0)
    ok(env, INV, "issue_stock", **where, quantity=1, reference="PO-1")
    return env, {"transfer_id": transfer["id"]}


@case(INV, "ship_transfer", "being_counted")
def _(env: Env) -> Situation:
    where, transfer = _draft(env, 1)
    ok(env, INV, "start_count", location_id=where["location_id"])
    return env, {"transfer_id": transfer["id"]}


@case(INV, "ship_transfer", "no_items")
def _(env: Env) -> Situation:
    places = [row["id"] for row in env.rows(INV, "locations")]
    terms = {"from_location_id": places[0], "to_location_id": places[1], "expected_on": "2026-03-09"}
    return env, {"transfer_id": ok(env, INV, "create_transfer", **terms)["id"]}


@case(INV, "receive_transfer_line", "being_counted")
def _(env: Env) -> Situation:
    where, transfer = _draft(env, 2)
    shipped = ok(env, INV, "ship_transfer", transfer_id=transfer["id"])
    line = shipped["lines"][0]["id"]
    ok(env, INV, "receive_transfer_line", line_id=line, quantity=1)
    assert where["location_id"] != transfer["to_location_id"]
    ok(env, INV, "start_count", location_id=transfer["to_location_id"])
    return env, {"line_id": line, "quantity": 1}


@case(INV, "receive_transfer_line", "too_many")
def _(env: Env) -> Situation:
    _, transfer = _draft(env, 2)
    shipped = ok(env, INV, "ship_transfer", transfer_id=transfer["id"])
    return env, {"line_id": shipped["lines"][0]["id"], "quantity": 3}
