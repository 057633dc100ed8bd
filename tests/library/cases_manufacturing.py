"""Situations in manufacturing; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

MFG = "manufacturing"
PEOPLE += [(MFG, "operators")]


def free_operator(env: Env) -> str:
    busy = {row["operator_id"] for row in rows(env, MFG, "operations", status="running")}
    return str(next(row["id"] for row in rows(env, MFG, "operators", role="operator") if row["id"] not in busy))


def idle_plant(env: Env) -> Env:
    """No operation runs, and every work centre is up."""
    for row in rows(env, MFG, "operations", status="running"):
        ok(env, MFG, "complete_operation", operation_id=row["id"])
    for row in rows(env, MFG, "work_centers", down=True):
        ok(env, MFG, "set_work_center_status", work_center_id=row["id"], down=False)
    return env


def new_order(env: Env, quantity: int = 10, **more: Any) -> Row:
    """A released order, for which materials have come."""
    product = next(row for row in rows(env, MFG, "items", kind="product") if "Charger" in row["name"])["id"]
    for need in ok(env, MFG, "get_bill_of_materials", product_id=product, quantity=quantity)["materials"]:
        lot = {"material_id": need["material_id"], "quantity": need["needed"] * 2 + need["short"]}
        ok(env, MFG, "record_material_receipt", **lot, lot_number=f"NEW-{need['sku']}")
    terms = {"product_id": product, "quantity": quantity, "due_on": "2026-03-20"}
    order = ok(env, MFG, "create_manufacturing_order", **terms, **more)
    return dict(ok(env, MFG, "release_manufacturing_order", order_id=order["id"]))


def run(env: Env, operation: str, *, scrapped: int = 0) -> None:
    """Start and complete an operation."""
    ok(env, MFG, "start_operation", operation_id=operation, operator_id=free_operator(env))
    ok(env, MFG, "complete_operation", operation_id=operation, scrapped=scrapped, scrap_reason="Broken")


def made(env: Env) -> Row:
    """An order with all operations done and all characteristics within their limits."""
    order = new_order(idle_plant(env))
    for row in order["operations"]:
        run(env, row["id"])
    for plan in rows(env, MFG, "quality_plans", product_id=order["product_id"]):
        value = (plan["low"] + plan["high"]) / 2
        ok(env, MFG, "record_quality_check", order_id=order["id"], plan_id=plan["id"], value=value)
    return order


@case(MFG, "complete_operation", "reason_needed")
def _(env: Env) -> Situation:
    operation = new_order(idle_plant(env))["operations"][0]["id"]
    ok(env, MFG, "start_operation", operation_id=operation, operator_id=free_operator(env))
    return env, {"operation_id": operation, "scrapped": 2}


@case(MFG, "complete_operation", "too_many")
def _(env: Env) -> Situation:
    operation = new_order(idle_plant(env))["operations"][0]["id"]
    ok(env, MFG, "start_operation", operation_id=operation, operator_id=free_operator(env))
    return env, {"operation_id": operation, "scrapped": 11}


@case(MFG, "start_operation", "no_operator")
def _(env: Env) -> Situation:
    operation = new_order(idle_plant(env))["operations"][0]["id"]
    return env, {"operation_id": operation, "operator_id": one(env, MFG, "operators", role="inspector")["id"]}


@case(MFG, "start_operation", "work_center_busy")
def _(env: Env) -> Situation:
    first = new_order(idle_plant(env))
    again = {"product_id": first["product_id"], "quantity": 1, "due_on": "2026-03-20"}
    second = ok(env, MFG, "create_manufacturing_order", **again)
    second = ok(env, MFG, "release_manufacturing_order", order_id=second["id"])
    operator = free_operator(env)
    ok(env, MFG, "start_operation", operation_id=first["operations"][0]["id"], operator_id=operator)
    return env, {"operation_id": second["operations"][0]["id"], "operator_id": free_operator(env)}


@case(MFG, "start_operation", "operator_busy")
def _(env: Env) -> Situation:
    first = new_order(idle_plant(env))
    again = {"product_id": first["product_id"], "quantity": 1, "due_on": "2026-03-20"}
    second = ok(env, MFG, "create_manufacturing_order", **again)
    second = ok(env, MFG, "release_manufacturing_order", order_id=second["id"])
    operator = free_operator(env)
    run(env, first["operations"][0]["id"])
    ok(env, MFG, "start_operation", operation_id=first["operations"][1]["id"], operator_id=operator)
    return env, {"operation_id": second["operations"][0]["id"], "operator_id": operator}


@case(MFG, "finish_manufacturing_order", "duplicate_lot")
def _(env: Env) -> Situation:
    order = made(env)
    return env, {"order_id": order["id"], "lot_number": env.rows(MFG, "moves")[0]["lot_number"]}


@case(MFG, "finish_manufacturing_order", "nothing_good")
def _(env: Env) -> Situation:
    order = made(env)
    report = {"order_id": order["id"], "units": order["quantity"], "description": "All scratched"}
    found = ok(env, MFG, "report_nonconformance", **report)
    inspector = one(env, MFG, "operators", role="inspector")["email"]
    decision = {"nonconformance_id": found["id"], "disposition": "scrap", "decided_by": inspector}
    ok(env, MFG, "disposition_nonconformance", **decision)
    return env, {"order_id": order["id"], "lot_number": "LOT-NEW"}


def _change(env: Env) -> Row:
    """A proposed change of a product of which no order is released."""
    released = {row["product_id"] for row in rows(env, MFG, "orders", status="released")}
    for row in rows(env, MFG, "changes", status="proposed"):
        if row["product_id"] not in released:
            return row
    raise AssertionError("every change waits for a released order")


@case(MFG, "decide_engineering_change", "not_on_bom")
def _(env: Env) -> Situation:
    change = _change(env)
    line = one(env, MFG, "bom_lines", product_id=change["product_id"], material_id=change["old_material_id"])
    spare = one(env, MFG, "items", sku="RM-131")["id"]
    other = spare if spare != change["old_material_id"] else one(env, MFG, "items", sku="RM-141")["id"]
    env = patched(env, MFG, "bom_lines", line["id"], material_id=other)
    return env, {"change_id": change["id"], "decision": "approve", "note": "Good"}


@case(MFG, "decide_engineering_change", "on_bom_already")
def _(env: Env) -> Situation:
    change = _change(env)
    lines = rows(env, MFG, "bom_lines", product_id=change["product_id"])
    other = next(row for row in lines if row["material_id"] != change["old_material_id"])
    env = patched(env, MFG, "bom_lines", other["id"], material_id=change["new_material_id"])
    return env, {"change_id": change["id"], "decision": "approve", "note": "Good"}


def _proposal(env: Env) -> dict[str, Any]:
    change = one(env, MFG, "changes", status="proposed")
    names = ("product_id", "old_material_id", "new_material_id")
    return {**{name: change[name] for name in names}, "reason": "Better"}


@case(MFG, "propose_engineering_change", "already_proposed")
def _(env: Env) -> Situation:
    return env, _proposal(env)


@case(MFG, "propose_engineering_change", "not_a_material")
def _(env: Env) -> Situation:
    return env, {**_proposal(env), "new_material_id": one(env, MFG, "items", kind="product")["id"]}


@case(MFG, "propose_engineering_change", "on_bom_already")
def _(env: Env) -> Situation:
    proposal = _proposal(env)
    return env, {**proposal, "new_material_id": proposal["old_material_id"]}


@case(MFG, "record_material_receipt", "duplicate_lot")
def _(env: Env) -> Situation:
    move = one(env, MFG, "moves", kind="receipt")
    return env, {"material_id": move["item_id"], "quantity": 1, "lot_number": move["lot_number"]}
