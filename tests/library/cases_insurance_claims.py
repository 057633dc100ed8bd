"""Situations in insurance claims; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import Row, ok, one, patched, rows

INS = "insurance-claims"
PEOPLE += [(INS, "adjusters"), (INS, "approvers")]


def cover(env: Env, name: str = "Goods in transit") -> Row:
    """The cover of this name of the policy that is in force."""
    found = ok(env, INS, "search_insurance_policies", query=name, in_force_on="2026-03-01")["policies"]
    return dict(next(row for row in found[0]["covers"] if row["name"] == name))


def notice(env: Env, **more: Any) -> dict[str, Any]:
    """Arguments of a notice of loss that works."""
    terms = {"cover_id": cover(env)["id"], "loss_on": "2026-02-27", "place": "Rotterdam", "reference": "PO-1"}
    return {**terms, "description": "Pallet fell.", **more}


def submitted(env: Env, *amounts: float, **more: Any) -> Row:
    """A submitted cargo claim with items of these amounts."""
    claim = ok(env, INS, "file_claim", **notice(env, **more))
    for number, amount in enumerate(amounts):
        item = {"claim_id": claim["id"], "kind": "replacement", "description": f"Goods {number}", "claimed": amount}
        ok(env, INS, "add_loss_item", **item)
    for kind in ("photos", "delivery_note"):
        ok(env, INS, "add_claim_document", claim_id=claim["id"], kind=kind, title=kind, body="Seen.")
    return dict(ok(env, INS, "submit_claim", claim_id=claim["id"]))


def inspected(env: Env, claim: Row) -> None:
    """An adjuster has looked at the claim."""
    adjuster = ok(env, INS, "list_adjusters", line=claim["line"])["adjusters"][0]
    slot = {"adjuster_id": adjuster["id"], "inspect_on": "2026-04-16", "slot": "morning"}
    row = ok(env, INS, "schedule_inspection", claim_id=claim["id"], **slot)
    ok(env, INS, "record_inspection_report", inspection_id=row["id"], findings="All right.")


def assessed(env: Env, *amounts: float, reserve: float | None = None, **more: Any) -> Row:
    """A submitted claim with all items approved in full, and a reserve."""
    claim = submitted(env, *amounts, **more)
    if max(amounts) > 2500:
        inspected(env, claim)
    for item in claim["loss_items"]:
        ok(env, INS, "assess_loss_item", item_id=item["id"], approved=item["claimed"])
    head = max(env.rows(INS, "approvers"), key=lambda row: row["limit"])["email"]
    amount = sum(amounts) if reserve is None else reserve
    ok(env, INS, "set_claim_reserve", claim_id=claim["id"], reserve=amount, approved_by=head)
    return claim


@case(INS, "add_loss_item", "duplicate_item")
def _(env: Env) -> Situation:
    claim = submitted(env, 100.0)
    item = {"kind": "replacement", "description": "Goods 0", "claimed": 100.0}
    return env, {"claim_id": claim["id"], **item}


@case(INS, "assess_loss_item", "inspection_needed")
def _(env: Env) -> Situation:
    item = submitted(env, 2600.0)["loss_items"][0]
    return env, {"item_id": item["id"], "approved": 2600.0}


@case(INS, "file_claim", "duplicate_claim")
def _(env: Env) -> Situation:
    ok(env, INS, "file_claim", **notice(env))
    return env, notice(env)


@case(INS, "file_claim", "late_reason_needed")
def _(env: Env) -> Situation:
    return env, notice(env, loss_on="2026-01-20")


@case(INS, "pay_claim", "duplicate_reference")
def _(env: Env) -> Situation:
    claim = one(env, INS, "claims", status="settled")
    used = env.rows(INS, "payments")[0]
    payment = {"payee": "Saxby Freight", "iban": used["iban"], "amount": 1.0, "reference": used["reference"]}
    return env, {"claim_id": claim["id"], **payment}


@case(INS, "pay_claim", "invalid_iban")
def _(env: Env) -> Situation:
    claim = one(env, INS, "claims", status="settled")
    payment = {"payee": "Saxby Freight", "iban": "GB00 1234", "amount": 1.0, "reference": "IP-1"}
    return env, {"claim_id": claim["id"], **payment}


@case(INS, "record_inspection_report", "blank_text")
def _(env: Env) -> Situation:
    row = one(env, INS, "inspections", status="scheduled")
    return env, {"inspection_id": row["id"], "findings": "  "}


@case(INS, "reopen_claim", "too_old")
def _(env: Env) -> Situation:
    claim = one(env, INS, "claims", status="denied")
    env = patched(env, INS, "claims", claim["id"], closed_on="2025-02-01")
    return env, {"claim_id": claim["id"], "reason": "New report"}


@case(INS, "reopen_claim", "documents_missing")
def _(env: Env) -> Situation:
    claim = ok(env, INS, "file_claim", **notice(env))
    ok(env, INS, "withdraw_claim", claim_id=claim["id"], reason="Paid by the carrier")
    return env, {"claim_id": claim["id"], "reason": "Not paid after all"}


@case(INS, "schedule_inspection", "adjuster_busy")
def _(env: Env) -> Situation:
    claim = submitted(env, 3000.0)
    adjuster = ok(env, INS, "list_adjusters", line="cargo")["adjusters"][0]
    slot = {"adjuster_id": adjuster["id"], "inspect_on": "2026-04-16", "slot": "morning"}
    ok(env, INS, "schedule_inspection", claim_id=claim["id"], **slot)
    return env, {"claim_id": submitted(env, 1.0, reference="PO-2")["id"], **slot}


@case(INS, "schedule_inspection", "already_scheduled")
def _(env: Env) -> Situation:
    claim = submitted(env, 3000.0)
    adjuster = ok(env, INS, "list_adjusters", line="cargo")["adjusters"][0]
    slot = {"claim_id": claim["id"], "adjuster_id": adjuster["id"], "slot": "morning"}
    ok(env, INS, "schedule_inspection", **slot, inspect_on="2026-04-16")
    return env, {**slot, "inspect_on": "2026-04-17"}


@case(INS, "set_claim_reserve", "approver_limit")
def _(env: Env) -> Situation:
    claim = submitted(env, 24_000.0)
    least = min(env.rows(INS, "approvers"), key=lambda row: row["limit"])
    return env, {"claim_id": claim["id"], "reserve": least["limit"] + 1, "approved_by": least["email"]}


@case(INS, "settle_claim", "approval_needed")
def _(env: Env) -> Situation:
    return env, {"claim_id": assessed(env, 6000.0)["id"]}


@case(INS, "settle_claim", "approver_limit")
def _(env: Env) -> Situation:
    claim = assessed(env, 24_000.0)
    least = min(env.rows(INS, "approvers"), key=lambda row: row["limit"])
    return env, {"claim_id": claim["id"], "approved_by": least["email"]}


@case(INS, "settle_claim", "unknown_approver")
def _(env: Env) -> Situation:
    return env, {"claim_id": assessed(env, 6000.0)["id"], "approved_by": "nobody@larkfield.example"}


@case(INS, "settle_claim", "nothing_payable")
def _(env: Env) -> Situation:
    return env, {"claim_id": assessed(env, 200.0)["id"]}


@case(INS, "settle_claim", "reserve_too_low")
def _(env: Env) -> Situation:
    return env, {"claim_id": assessed(env, 1000.0, reserve=500.0)["id"]}


@case(INS, "create_recovery", "over_paid")
def _(env: Env) -> Situation:
    paid = {row["claim_id"] for row in env.rows(INS, "payments")}
    claim = next(row for row in rows(env, INS, "claims") if row["id"] in paid)
    env = patched(env, INS, "claims", claim["id"], third_party="Saxby Freight")
    return env, {"claim_id": claim["id"], "amount": 900_000.0}


@case(INS, "pay_claim", "over_settlement")
def _(env: Env) -> Situation:
    claim = one(env, INS, "claims", status="settled")
    iban = env.rows(INS, "payments")[0]["iban"]
    return env, {"claim_id": claim["id"], "payee": "Saxby Freight", "iban": iban, "amount": 9e5, "reference": "IP-1"}


@case(INS, "record_recovery_payment", "duplicate_reference")
def _(env: Env) -> Situation:
    used = env.rows(INS, "recovery_receipts")[0]["reference"]
    row = next(row for row in ok(env, INS, "list_recoveries", open_only=True)["recoveries"])
    return env, {"recovery_id": row["id"], "amount": 1.0, "reference": used}
