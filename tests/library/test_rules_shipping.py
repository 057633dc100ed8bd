"""The rules of shipping, as short stories: what calls bring about."""

from __future__ import annotations

from services_app.engine import ProductEnvironment
from tests.library.cases_shipping import offer, prepared
from tests.library.driver import environment
from tests.library.world import Row, ok, one, refused

SHIP = "shipping"


def balance(env: ProductEnvironment, carrier: str) -> float:
    return float(ok(env, SHIP, "list_carrier_accounts", query=carrier)["carrier_accounts"][0]["balance"])


def test_balances_add_up() -> None:
    env = environment(SHIP, scale="normal", seed=11)
    services = {row["id"]: row["carrier_id"] for row in env.rows(SHIP, "services")}
    shipments = {row["id"]: row for row in env.rows(SHIP, "shipments")}
    for account in ok(env, SHIP, "list_carrier_accounts")["carrier_accounts"]:
        mine = [row for row in shipments.values() if services.get(row["service_id"]) == account["id"]]
        paid = sum(row["amount"] for row in env.rows(SHIP, "deposits") if row["carrier_id"] == account["id"])
        spent = sum(row["price"] for row in mine if not row["voided_on"])
        ids = {row["id"] for row in mine if not row["voided_on"]}
        extra = [row for row in env.rows(SHIP, "adjustments") if row["shipment_id"] in ids]
        spent += sum(row["amount"] for row in extra if row["status"] != "reversed")
        assert abs(account["balance"] - (paid - spent)) < 0.01
        assert account["balance"] >= 0


def test_a_label_costs_its_rate_and_a_void_gives_it_back() -> None:
    env = environment(SHIP)
    row = prepared(env)
    rates = ok(env, SHIP, "get_rates", shipment_id=row["id"])["rates"]
    assert [rate["price"] for rate in rates] == sorted(rate["price"] for rate in rates)
    cheap = next(rate for rate in rates if rate["service_name"] == "Postwind Standard")
    before = balance(env, "Postwind")
    label = ok(env, SHIP, "buy_label", shipment_id=row["id"], service_id=cheap["service_id"])
    assert (label["status"], label["price"]) == ("ready", cheap["price"])
    assert abs(balance(env, "Postwind") - (before - cheap["price"])) < 0.01
    assert ok(env, SHIP, "track_package", tracking_number=label["tracking_number"])["events"] == []
    ok(env, SHIP, "void_label", shipment_id=row["id"])
    assert balance(env, "Postwind") == before


def test_a_label_on_a_manifest_cannot_be_voided() -> None:
    env = environment(SHIP)
    row = prepared(env)
    carrier = one(env, SHIP, "carriers", name="Postwind")["id"]
    ok(env, SHIP, "buy_label", shipment_id=row["id"], service_id=offer(env, "Postwind Standard"))
    manifest = ok(env, SHIP, "create_manifest", carrier_id=carrier, origin="London")
    assert row["number"] in manifest["shipments"]
    assert refused(env, SHIP, "void_label", shipment_id=row["id"]) == "already_manifested"
    assert refused(env, SHIP, "create_manifest", carrier_id=carrier, origin="London") == "nothing_ready"


def test_customs_lines_have_to_add_up_to_the_declared_value() -> None:
    env = environment(SHIP)
    address: Row = next(
        row for row in env.rows(SHIP, "addresses") if row["verified"] and row["country"] not in ("United Kingdom",)
    )
    row = prepared(env, address_id=address["id"], box="small_box", weight=1500, declared_value=100.0)
    buy = {"shipment_id": row["id"], "service_id": offer(env, "Postwind Standard")}
    assert refused(env, SHIP, "buy_label", **buy) == "customs_incomplete"
    line = {"shipment_id": row["id"], "description": "Cable", "hs_code": "8544.42", "unit_value": 40.0}
    assert refused(env, SHIP, "add_customs_item", **line, quantity=3) == "over_declared_value"
    ok(env, SHIP, "add_customs_item", **line, quantity=2)
    assert refused(env, SHIP, "buy_label", **buy) == "customs_incomplete"
    ok(env, SHIP, "update_shipment", shipment_id=row["id"], declared_value=80.0)
    assert ok(env, SHIP, "buy_label", **buy)["status"] == "ready"


def test_dear_labels_need_an_approver_with_the_limit() -> None:
    env = environment(SHIP)
    row = prepared(env, box="pallet", weight=700_000)
    buy = {"shipment_id": row["id"], "service_id": offer(env, "Norfreight Priority")}
    assert refused(env, SHIP, "buy_label", **buy) == "approval_needed"
    head = max(env.rows(SHIP, "approvers"), key=lambda person: person["limit"])
    assert ok(env, SHIP, "buy_label", **buy, approved_by=head["email"])["approver_id"] == head["id"]
