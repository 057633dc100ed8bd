"""Tools for loss items, their assessment, and the documents of a claim."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.insurance_claims.claims import ClaimId
from services_app.library.insurance_claims.figures import described, in_status, missing_documents
from services_app.library.insurance_claims.state import ClaimsState, Document, DocumentKind, LossKind, service
from services_app.library.shared import Amount, Body, Json, check_text, with_fields

ItemId = Annotated[str, f.ref("loss_items")]
Title = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=160)]
INSPECT_FROM = 2500.0


@service.tool(phrase="claim {claimed} for {description} on the insurance claim {claim_id}")
def add_loss_item(
    state: ClaimsState,
    ctx: CallContext,
    claim_id: ClaimId,
    kind: LossKind,
    description: Title,
    claimed: Amount,
) -> Json:
    """Add what a loss costs to a draft or submitted claim, one item for each invoice or thing.

    Errors: `not_found`, `wrong_status`, `blank_text`, `no_third_party` (the claim names none), `duplicate_item` (the
    same description and amount).

    Args:
        claim_id: Id of the claim.
        kind: Repair, replacement, hire, expert's fee or damage of a third party.
        description: What it is for.
        claimed: Amount without tax.
    """
    claim = in_status(state, claim_id, "draft", "submitted")
    text = check_text(description, "description")
    if kind == "third_party" and not claim.third_party:
        raise invalid(f"{claim.number} names no third party; choose another kind.", type="no_third_party")
    old = state.loss_items.first(claim_id=claim_id, description=text, claimed=round(claimed, 2))
    if old is not None:
        raise conflict(f"{old.id} says the same; nothing is claimed twice.", type="duplicate_item")
    state.loss_items.create(claim_id=claim_id, kind=kind, description=text, claimed=claimed)
    return described(state, claim)


@service.tool(phrase="approve {approved} of the loss item {item_id}")
def assess_loss_item(
    state: ClaimsState,
    ctx: CallContext,
    item_id: ItemId,
    approved: Annotated[float, f.Semantic("money"), Field(ge=0, le=10_000_000)],
    assessment: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
) -> Json:
    """Decide how much of an item of a submitted claim is approved; assessing it again replaces the decision.

    Errors: `not_found`, `wrong_status`, `over_claimed`, `assessment_needed` (less than claimed needs a reason),
    `inspection_needed` (items above 2,500.00 wait for an adjuster's report).

    Args:
        item_id: Id of the loss item.
        approved: Amount that is approved.
        assessment: Why it is less.
    """
    item = state.loss_items.get(item_id)
    claim = in_status(state, item.claim_id, "submitted")
    if approved > item.claimed:
        raise invalid(f"{item.claimed:,.2f} are claimed; approve no more.", type="over_claimed")
    if approved < item.claimed and not assessment.strip():
        raise invalid("Less than claimed needs a reason in assessment.", type="assessment_needed")
    if item.claimed > INSPECT_FROM and state.inspections.first(claim_id=claim.id, status="done") is None:
        raise conflict(
            f"Items above {INSPECT_FROM:,.2f} wait for an adjuster; use schedule_inspection.", type="inspection_needed"
        )
    state.loss_items.patch(item_id, approved=approved, assessment=assessment)
    return described(state, claim)


@service.tool(phrase="add {title} to the insurance claim {claim_id}")
def add_claim_document(
    state: ClaimsState, ctx: CallContext, claim_id: ClaimId, kind: DocumentKind, title: Title, body: Body
) -> Json:
    """Put a document into the file of a claim that has not ended.

    Errors: `not_found`, `wrong_status`, `blank_text`, `duplicate_document` (a document of that title is there).

    Args:
        claim_id: Id of the claim.
        kind: What it is.
        title: Title of the document.
        body: Its text, or what the pictures show.
    """
    claim = in_status(state, claim_id, "draft", "submitted", "settled", "denied", "withdrawn")
    name, text = check_text(title, "title"), check_text(body, "body")
    if state.documents.first(claim_id=claim_id, title=name) is not None:
        raise conflict(f"{claim.number} has a document {name!r}; choose another title.", type="duplicate_document")
    row = state.documents.create(claim_id=claim_id, kind=kind, title=name, body=text, added_at=ctx.now)
    return {"claim_number": claim.number, "document": row, "missing_documents": missing_documents(state, claim)}


@service.tool()
def read_claim_document(state: ClaimsState, ctx: CallContext, document_id: Annotated[str, f.ref("documents")]) -> Json:
    """Read a document of a claim.

    Errors: `not_found`.

    Args:
        document_id: Id of the document, from get_claim.
    """
    row: Document = state.documents.get(document_id)
    return with_fields(row, claim_number=state.claims.get(row.claim_id).number)
