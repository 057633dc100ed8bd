"""The rules of manufacturing, as short stories: what calls bring about."""

from __future__ import annotations

from collections import Counter

from services_app.engine import ProductEnvironment
from tests.library.cases_manufacturing import MFG, free_operator, idle_plant, made, new_order, run
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused, rows


def item(env: ProductEnvironment, sku: str) -> Row:
    return dict(ok(env, MFG, "search_materials", query=sku)["items"][0])


def test_stock_is_never_negative_and_no_work_centre_runs_twice() -> None:
    for scale in ("small", "normal"):
        env = environment(MFG, scale=scale, seed=11)
        lots: Counter[tuple[str, str]] = Counter()
        for row in env.rows(MFG, "moves"):
            lots[row["item_id"], row["lot_number"]] += row["quantity"]
        assert min(lots.values()) >= 0
        steps = {row["id"]: row["work_center_id"] for row in env.rows(MFG, "routing_steps")}
        running = rows(env, MFG, "operations", status="running")
        assert running
        for people in ([steps[row["step_id"]] for row in running], [row["operator_id"] for row in running]):
            assert len(people) == len(set(people))


def test_release_allocates_and_the_first_operation_consumes() -> None:
    env = idle_plant(environment(MFG))
    order = new_order(env)
    need = order["materials"][0]
    held = item(env, need["sku"])
    assert held["allocated"] >= need["needed"]
    ok(env, MFG, "start_operation", operation_id=order["operations"][0]["id"], operator_id=free_operator(env))
    after = item(env, need["sku"])
    assert after["on_hand"] == held["on_hand"] - need["needed"]
    assert after["available"] == held["available"]


def test_an_order_short_of_material_is_not_released() -> None:
    env = environment(MFG)
    product = one(env, MFG, "items", kind="product")["id"]
    terms = {"product_id": product, "quantity": 9000, "due_on": "2026-03-20"}
    order = ok(env, MFG, "create_manufacturing_order", **terms)
    assert refused(env, MFG, "release_manufacturing_order", order_id=order["id"]) == "material_short"
    can = ok(env, MFG, "get_bill_of_materials", product_id=product)["can_be_made"]
    ok(env, MFG, "update_manufacturing_order", order_id=order["id"], quantity=can)
    assert ok(env, MFG, "release_manufacturing_order", order_id=order["id"])["status"] == "released"


def test_scrap_of_operations_and_quality_is_missing_in_stock() -> None:
    env = idle_plant(environment(MFG))
    order = new_order(env, quantity=20)
    first, second, *others = [row["id"] for row in order["operations"]]
    assert refused(env, MFG, "start_operation", operation_id=second, operator_id=free_operator(env)) == "previous_open"
    run(env, first, scrapped=3)
    for operation in (second, *others):
        run(env, operation)
    finish = {"order_id": order["id"], "lot_number": "CHARGER-NEW"}
    assert refused(env, MFG, "finish_manufacturing_order", **finish) == "checks_missing"
    plans = rows(env, MFG, "quality_plans", product_id=order["product_id"])
    for plan in plans:
        check = {"order_id": order["id"], "plan_id": plan["id"], "value": plan["high"] + 1, "units_affected": 2}
        found = ok(env, MFG, "record_quality_check", **check)["nonconformance"]
        assert refused(env, MFG, "finish_manufacturing_order", **finish) in ("checks_missing", "nonconformance_open")
        decide = {"nonconformance_id": found["id"], "disposition": "use_as_is"}
        inspector = one(env, MFG, "operators", role="inspector")["email"]
        assert refused(env, MFG, "disposition_nonconformance", **decide, decided_by=inspector) == "not_allowed"
        ok(env, MFG, "disposition_nonconformance", **{**decide, "disposition": "scrap"}, decided_by=inspector)
    done = ok(env, MFG, "finish_manufacturing_order", **finish)
    assert done["units_into_stock"] == 20 - 3 - 2 * len(plans)


def test_a_lot_is_traced_from_material_to_customer_and_back() -> None:
    env = environment(MFG)
    order = made(env)
    ok(env, MFG, "finish_manufacturing_order", order_id=order["id"], lot_number="CHARGER-NEW")
    inside = ok(env, MFG, "trace_lot", lot_number="CHARGER-NEW")["material_lots"]
    assert inside
    where = ok(env, MFG, "trace_lot", lot_number=inside[0]["lot_number"])["orders"]
    assert "CHARGER-NEW" in [row["product_lot"] for row in where]
