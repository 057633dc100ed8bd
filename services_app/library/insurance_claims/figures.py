"""What follows from covers, items and payments: what is payable, what is left, which documents are missing."""

from __future__ import annotations

from services_app.engine import conflict, forbidden, invalid
from services_app.library.insurance_claims.state import Claim, ClaimsState, Cover, Inspection, Policy, Recovery
from services_app.library.shared import Json, same, total, with_fields

REQUIRED = {
    "motor": ("photos",),
    "property": ("photos", "invoice"),
    "cargo": ("photos", "delivery_note"),
    "liability": ("claim_letter",),
}
"""Documents that a claim needs before it is submitted; motor claims with a third party the police report, too."""


def policy_of(state: ClaimsState, claim: Claim) -> Policy:
    return state.policies.get(state.covers.get(claim.cover_id).policy_id)


def used_of_year(state: ClaimsState, cover: Cover, but: str = "") -> float:
    """What was settled under a cover; covers are made anew each year with their policy."""
    rows = state.claims.find(cover_id=cover.id)
    return total(row.settled_amount or 0.0 for row in rows if row.id != but and row.status in ("settled", "closed"))


def cover_row(state: ClaimsState, cover: Cover) -> Json:
    used = used_of_year(state, cover)
    return with_fields(cover, used=used, left=round(cover.yearly_limit - used, 2))


def payable(state: ClaimsState, cover: Cover, amount: float, but: str = "") -> Json:
    """What a cover pays of an amount: less the deductible, up to its limits."""
    left = max(0.0, cover.yearly_limit - used_of_year(state, cover, but))
    net = max(0.0, round(amount - cover.deductible, 2))
    return {
        "amount": round(amount, 2),
        "deductible": cover.deductible,
        "claim_limit": cover.claim_limit,
        "left_of_year": round(left, 2),
        "payable": round(min(net, cover.claim_limit, left), 2),
    }


def estimate(state: ClaimsState, claim: Claim) -> Json:
    """What a claim pays as its items are assessed now."""
    items = state.loss_items.find(claim_id=claim.id)
    found = payable(state, state.covers.get(claim.cover_id), total(row.approved or 0.0 for row in items), claim.id)
    return {
        "claimed": total(row.claimed for row in items),
        "approved": found.pop("amount"),
        **found,
        "items_not_assessed": sum(row.approved is None for row in items),
    }


def paid(state: ClaimsState, claim_id: str) -> float:
    return total(row.amount for row in state.payments.find(claim_id=claim_id))


def missing_documents(state: ClaimsState, claim: Claim) -> list[str]:
    """Kinds of documents that the claim still needs."""
    line = policy_of(state, claim).line
    needed = [*REQUIRED[line], *(["police_report"] if line == "motor" and claim.third_party else [])]
    there = {row.kind for row in state.documents.find(claim_id=claim.id)}
    return [kind for kind in needed if kind not in there]


def claim_row(state: ClaimsState, claim: Claim) -> Json:
    """A claim as lists show it."""
    cover, policy = state.covers.get(claim.cover_id), policy_of(state, claim)
    settled = claim.settled_amount or 0.0
    return with_fields(
        claim,
        policy_number=policy.policy_number,
        line=policy.line,
        insurer=policy.insurer,
        insured_object=policy.insured_object,
        cover_name=cover.name,
        claimed=total(row.claimed for row in state.loss_items.find(claim_id=claim.id)),
        paid=paid(state, claim.id),
        outstanding=round(settled - paid(state, claim.id), 2),
    )


def recovery_row(state: ClaimsState, row: Recovery) -> Json:
    received = total(receipt.amount for receipt in state.recovery_receipts.find(recovery_id=row.id))
    return with_fields(
        row,
        claim_number=state.claims.get(row.claim_id).number,
        received=received,
        open_amount=round(row.demanded - received, 2),
    )


def inspection_row(state: ClaimsState, row: Inspection) -> Json:
    claim, adjuster = state.claims.get(row.claim_id), state.adjusters.get(row.adjuster_id)
    return with_fields(row, claim_number=claim.number, adjuster_name=adjuster.name, place=claim.place)


def described(state: ClaimsState, claim: Claim) -> Json:
    """A claim with items, documents, inspections, payments, recoveries and notes."""
    documents = state.documents.find(claim_id=claim.id)
    return {
        **claim_row(state, claim),
        "loss_items": state.loss_items.find(claim_id=claim.id),
        "documents": [{"id": row.id, "kind": row.kind, "title": row.title} for row in documents],
        "missing_documents": missing_documents(state, claim),
        "inspections": [inspection_row(state, row) for row in state.inspections.find(claim_id=claim.id)],
        "payments": state.payments.find(claim_id=claim.id),
        "recoveries": [recovery_row(state, row) for row in state.recoveries.find(claim_id=claim.id)],
        "notes": state.notes.find(claim_id=claim.id),
    }


def in_status(state: ClaimsState, claim_id: str, *wanted: str) -> Claim:
    """The claim; 409 `wrong_status` when it is in another status."""
    claim = state.claims.get(claim_id)
    if claim.status not in wanted:
        raise conflict(f"{claim.number} is {claim.status}, not {' or '.join(wanted)}.", type="wrong_status")
    return claim


def approver_of(state: ClaimsState, email: str | None, amount: float, authority: float) -> str | None:
    """Id of who approved an amount; None when it lies within our own authority and nobody is named."""
    if email is None:
        if amount > authority:
            raise forbidden(f"{amount:,.2f} is above {authority:,.2f}; name a claims approver.", type="approval_needed")
        return None
    row = next((row for row in state.approvers if same(row.email, email)), None)
    if row is None:
        raise invalid(f"{email} approves no claims; see list_adjusters for who does.", type="unknown_approver")
    if row.limit < amount:
        raise forbidden(f"{row.name} may approve up to {row.limit:,.2f}, not {amount:,.2f}.", type="approver_limit")
    return row.id
