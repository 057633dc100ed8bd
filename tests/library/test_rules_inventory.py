"""The rules of inventory, as short stories: what calls bring about."""

from __future__ import annotations

from typing import Any

from services_app.engine import ProductEnvironment
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused

INV = "inventory"


def setting(env: ProductEnvironment, *, lots: bool = False) -> dict[str, Any]:
    """An item and the first warehouse."""
    item = one(env, INV, "items", lot_tracked=lots)["id"]
    return {"item_id": item, "location_id": one(env, INV, "locations", kind="warehouse")["id"]}


def level(env: ProductEnvironment, item_id: str, location_id: str) -> Row:
    rows = ok(env, INV, "list_stock_levels", location_id=location_id, limit=100)["levels"]
    found: Row = next(row for row in rows if row["item_id"] == item_id)
    return found


def test_levels_are_the_sums_of_the_movements_and_never_negative() -> None:
    env = environment(INV, scale="normal", seed=11)
    sums: dict[tuple[str, str], int] = {}
    for row in env.rows(INV, "movements"):
        key = (row["item_id"], row["location_id"])
        sums[key] = sums.get(key, 0) + row["quantity"]
    assert min(sums.values()) >= 0
    for place in env.rows(INV, "locations"):
        for row in ok(env, INV, "list_stock_levels", location_id=place["id"], limit=100)["levels"]:
            assert row["on_hand"] == sums.get((row["item_id"], row["location_id"]), 0)


def test_reserved_units_leave_only_for_their_order() -> None:
    env = environment(INV)
    where = setting(env)
    ok(env, INV, "receive_stock", **where, quantity=5, reference="DN-1")
    before = level(env, **where)
    free = before["available"]
    promise = {**where, "quantity": free, "order_number": "PO-1", "needed_by": "2026-03-20"}
    row = ok(env, INV, "create_reservation", **promise)["reservation"]
    assert refused(env, INV, "issue_stock", **where, quantity=1, reference="PO-2") == "insufficient_stock"
    ok(env, INV, "fulfill_reservation", reservation_id=row["id"])
    after = level(env, **where)
    assert (after["on_hand"], after["available"]) == (before["on_hand"] - free, 0)
    assert refused(env, INV, "release_reservation", reservation_id=row["id"]) == "not_active"


def test_the_lot_that_ends_first_leaves_first_and_blocked_ones_stay() -> None:
    env = environment(INV)
    where = setting(env, lots=True)
    early = {"lot_number": "L-EARLY", "expires_on": "2026-03-05"}
    ok(env, INV, "receive_stock", **where, quantity=4, reference="DN-1", **early)
    lot = next(row for row in env.rows(INV, "lots") if row["lot_number"] == "L-EARLY")
    out = ok(env, INV, "issue_stock", **where, quantity=3, reference="PO-1")["movements"]
    assert [(row["lot_id"], row["quantity"]) for row in out] == [(lot["id"], -3)]
    before = level(env, **where)
    ok(env, INV, "set_lot_status", lot_id=lot["id"], status="blocked", reason="Recall")
    after = level(env, **where)
    assert (after["available"], after["blocked"]) == (before["available"] - 1, before["blocked"] + 1)
    out = ok(env, INV, "issue_stock", **where, quantity=1, reference="PO-1")["movements"]
    assert lot["id"] not in [row["lot_id"] for row in out]


def test_a_transfer_is_nowhere_while_it_travels_and_its_loss_stays_a_loss() -> None:
    env = environment(INV)
    where = setting(env)
    ok(env, INV, "receive_stock", **where, quantity=5, reference="DN-1")
    target = one(env, INV, "locations", kind="quarantine")["id"]
    before = level(env, **where)["on_hand"]
    terms = {"from_location_id": where["location_id"], "to_location_id": target, "expected_on": "2026-03-09"}
    transfer = ok(env, INV, "create_transfer", **terms)["id"]
    ok(env, INV, "add_transfer_item", transfer_id=transfer, item_id=where["item_id"], quantity=4)
    assert level(env, **where)["on_hand"] == before
    line = ok(env, INV, "ship_transfer", transfer_id=transfer)["lines"][0]["id"]
    assert level(env, **where)["on_hand"] == before - 4
    assert refused(env, INV, "receive_transfer_line", line_id=line, quantity=5) == "too_many"
    ok(env, INV, "receive_transfer_line", line_id=line, quantity=3)
    there = level(env, where["item_id"], target)
    assert (there["in_transit_here"], there["on_hand"] >= 3) == (1, True)
    ok(env, INV, "close_transfer", transfer_id=transfer, note="One is lost")
    assert level(env, where["item_id"], target)["in_transit_here"] == 0


def test_a_count_freezes_its_items_and_books_the_differences() -> None:
    env = environment(INV)
    where = setting(env)
    ok(env, INV, "receive_stock", **where, quantity=5, reference="DN-1")
    before = level(env, **where)["on_hand"]
    sku = one(env, INV, "items", id=where["item_id"])["sku"]
    count = ok(env, INV, "start_count", location_id=where["location_id"], query=sku)
    line = count["lines"][0]
    assert line["book_quantity"] is None
    assert refused(env, INV, "issue_stock", **where, quantity=1, reference="PO-1") == "being_counted"
    finish = {"count_id": count["id"], "decision": "approve"}
    assert refused(env, INV, "finish_count", **finish) == "lines_missing"
    seen = ok(env, INV, "submit_count_line", line_id=line["id"], counted=before + 40)
    assert seen["difference"] == 40
    assert refused(env, INV, "finish_count", **finish) == "second_count_needed"
    ok(env, INV, "submit_count_line", line_id=line["id"], counted=before + 40)
    ok(env, INV, "finish_count", **finish)
    assert level(env, **where)["on_hand"] == before + 40
