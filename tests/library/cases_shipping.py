"""Situations in shipping; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched

SHIP = "shipping"
PEOPLE += [(SHIP, "approvers")]


def prepared(env: Env, **more: Any) -> Row:
    """A new domestic shipment from London to a verified address."""
    address = one(env, SHIP, "addresses", country="United Kingdom", verified=True)["id"]
    terms = {"order_number": "PO-1", "origin": "London", "address_id": address, "contents": "Parts"}
    box = {"box": "large_box", "weight": 9000, "declared_value": 400.0}
    return dict(ok(env, SHIP, "create_shipment", **{**terms, **box, **more}))


def offer(env: Env, name: str) -> str:
    return str(one(env, SHIP, "services", name=name)["id"])


def _delivered(env: Env) -> Row:
    found = ok(env, SHIP, "search_shipments", status="delivered", bought_from="2026-02-01")["shipments"]
    return next(dict(row) for row in found if row["price"] < 60 and row["carrier_name"] != "Greenlane Couriers")


@case(SHIP, "buy_label", "approval_needed")
def _(env: Env) -> Situation:
    row = prepared(env, box="pallet", weight=700_000)
    return env, {"shipment_id": row["id"], "service_id": offer(env, "Norfreight Priority")}


@case(SHIP, "buy_label", "approver_limit")
def _(env: Env) -> Situation:
    row = prepared(env, box="pallet", weight=780_000)
    least = min(env.rows(SHIP, "approvers"), key=lambda row: row["limit"])
    env = patched(env, SHIP, "approvers", least["id"], limit=100.0)
    row = prepared(env, box="pallet", weight=780_000)
    choice = {"shipment_id": row["id"], "service_id": offer(env, "Norfreight Priority")}
    return env, {**choice, "approved_by": least["email"]}


@case(SHIP, "buy_label", "unknown_approver")
def _(env: Env) -> Situation:
    row = prepared(env)
    choice = {"shipment_id": row["id"], "service_id": offer(env, "Postwind Standard")}
    return env, {**choice, "approved_by": "nobody@larkfield.example"}


@case(SHIP, "buy_label", "insufficient_balance")
def _(env: Env) -> Situation:
    return env, {"shipment_id": prepared(env)["id"], "service_id": offer(env, "Greenlane Same Day Van")}


@case(SHIP, "buy_label", "lithium_refused")
def _(env: Env) -> Situation:
    row = prepared(env, contains_lithium=True)
    return env, {"shipment_id": row["id"], "service_id": offer(env, "Postwind Express")}


@case(SHIP, "create_return_label", "insufficient_balance")
def _(env: Env) -> Situation:
    row = _delivered(env)
    return patched(env, SHIP, "shipments", row["id"], price=90_000.0), {"shipment_id": row["id"]}


@case(SHIP, "create_return_label", "return_exists")
def _(env: Env) -> Situation:
    row = _delivered(env)
    ok(env, SHIP, "create_return_label", shipment_id=row["id"])
    return env, {"shipment_id": row["id"]}


@case(SHIP, "create_return_label", "is_return")
def _(env: Env) -> Situation:
    back = ok(env, SHIP, "create_return_label", shipment_id=_delivered(env)["id"])
    return env, {"shipment_id": back["id"]}


@case(SHIP, "file_carrier_claim", "claim_window_over")
def _(env: Env) -> Situation:
    claimed = {row["shipment_id"] for row in env.rows(SHIP, "claims")}
    found = ok(env, SHIP, "search_shipments", status="delivered")["shipments"]
    row = next(row for row in found if row["id"] not in claimed)
    env = patched(env, SHIP, "shipments", row["id"], bought_on="2025-11-01")
    return env, {"shipment_id": row["id"], "kind": "damaged", "amount": 1.0, "description": "Broken"}


@case(SHIP, "schedule_pickup", "too_late")
def _(env: Env) -> Situation:
    row = ok(env, SHIP, "search_shipments", status="ready")["shipments"][0]
    carrier = one(env, SHIP, "services", id=row["service_id"])["carrier_id"]
    terms = {"carrier_id": carrier, "origin": row["origin"], "pickup_on": "2026-03-20"}
    return env, {**terms, "ready_at": "18:30"}
