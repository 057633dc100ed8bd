"""The rules of insurance claims, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_insurance_claims import INS, assessed, cover, inspected, notice, submitted
from tests.library.driver import environment
from tests.library.world import ok, refused, rows


def test_no_claim_is_paid_above_its_settlement_and_no_cover_above_its_year() -> None:
    env = environment(INS, scale="normal", seed=11)
    covers = {row["id"]: row for row in env.rows(INS, "covers")}
    used: dict[str, float] = {}
    for claim in env.rows(INS, "claims"):
        assert (claim["settled_amount"] is not None) == (claim["status"] in ("settled", "closed"))
        paid = sum(row["amount"] for row in rows(env, INS, "payments", claim_id=claim["id"]))
        settled = claim["settled_amount"] or 0.0
        assert paid <= settled + 0.005
        assert claim["status"] != "closed" or abs(paid - settled) < 0.005
        used[claim["cover_id"]] = used.get(claim["cover_id"], 0.0) + settled
    assert all(amount <= covers[cover_id]["yearly_limit"] for cover_id, amount in used.items())
    booked = rows(env, INS, "inspections", status="scheduled")
    slots = [(row["adjuster_id"], row["inspect_on"], row["slot"]) for row in booked]
    assert len(slots) == len(set(slots))


def test_a_settlement_takes_the_deductible_and_uses_up_the_year() -> None:
    env = environment(INS)
    before = cover(env)
    claim = assessed(env, 1000.0, 500.0)
    found = ok(env, INS, "get_settlement_estimate", claim_id=claim["id"])
    assert (found["approved"], found["payable"]) == (1500.0, 1500.0 - before["deductible"])
    ok(env, INS, "settle_claim", claim_id=claim["id"])
    assert cover(env)["left"] == round(before["left"] - found["payable"], 2)
    check = ok(env, INS, "check_coverage", cover_id=before["id"], loss_on="2026-03-01", amount=90_000.0)
    assert check["payable"] == min(before["claim_limit"], cover(env)["left"])


def test_a_claim_needs_its_documents_and_large_items_an_adjuster() -> None:
    env = environment(INS)
    claim = ok(env, INS, "file_claim", **notice(env))
    assert refused(env, INS, "submit_claim", claim_id=claim["id"]) == "no_loss_items"
    item = {"claim_id": claim["id"], "kind": "replacement", "description": "Goods", "claimed": 3000.0}
    ok(env, INS, "add_loss_item", **item)
    assert refused(env, INS, "submit_claim", claim_id=claim["id"]) == "documents_missing"
    large = submitted(env, 3000.0, reference="PO-2")
    assess = {"item_id": large["loss_items"][0]["id"], "approved": 2000.0}
    assert refused(env, INS, "assess_loss_item", **assess) == "assessment_needed"
    assert refused(env, INS, "assess_loss_item", **assess, assessment="Net of salvage") == "inspection_needed"
    inspected(env, large)
    ok(env, INS, "assess_loss_item", **assess, assessment="Net of salvage")


def test_payment_in_parts_closes_the_claim_and_can_be_recovered_once() -> None:
    env = environment(INS)
    claim = assessed(env, 1250.0, third_party="Saxby Freight")
    ok(env, INS, "settle_claim", claim_id=claim["id"])
    demand = {"claim_id": claim["id"], "amount": 1000.0}
    assert refused(env, INS, "create_recovery", **demand) == "nothing_paid"
    payment = {"claim_id": claim["id"], "payee": "Saxby Freight", "iban": env.rows(INS, "payments")[0]["iban"]}
    first = ok(env, INS, "pay_claim", **payment, amount=400.0, reference="IP-A")
    assert (first["status"], first["outstanding"]) == ("settled", 600.0)
    assert refused(env, INS, "pay_claim", **payment, amount=601.0, reference="IP-B") == "over_settlement"
    assert ok(env, INS, "pay_claim", **payment, amount=600.0, reference="IP-B")["status"] == "closed"
    recovery = ok(env, INS, "create_recovery", **demand)
    assert recovery["debtor"] == "Saxby Freight"
    assert refused(env, INS, "create_recovery", claim_id=claim["id"], amount=1.0) == "over_paid"
    receipt = {"recovery_id": recovery["id"], "amount": 800.0, "reference": "RR-A"}
    assert ok(env, INS, "record_recovery_payment", **receipt)["open_amount"] == 200.0


def test_large_settlements_need_an_approver_with_the_limit() -> None:
    env = environment(INS)
    claim = assessed(env, 9000.0)
    assert refused(env, INS, "settle_claim", claim_id=claim["id"]) == "approval_needed"
    least = min(env.rows(INS, "approvers"), key=lambda row: row["limit"])
    assert ok(env, INS, "settle_claim", claim_id=claim["id"], approved_by=least["email"])["approver_id"] == least["id"]


def test_every_vehicle_of_the_fleet_is_insured_under_its_number() -> None:
    env, fleet = environment(INS, seed=3), environment("fleet", seed=3)
    for vehicle in fleet.rows("fleet", "vehicles"):
        found = ok(env, INS, "search_insurance_policies", query=vehicle["plate"], in_force_on="2026-03-02")["policies"]
        assert [row["policy_number"] for row in found] == [vehicle["policy_number"]]
        assert found[0]["broker"] == vehicle["insured_with"]
