"""Tools for claims: notice of loss, submission, withdrawal, reopening."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.insurance_claims.figures import claim_row, described, in_status, missing_documents
from services_app.library.insurance_claims.policies import CoverId
from services_app.library.insurance_claims.state import Claim, ClaimsState, ClaimStatus, Cover, Line, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    newest_first,
    next_number,
    same,
    search,
    within,
)

ClaimId = Annotated[str, f.ref("claims")]
REOPEN_DAYS = 365


@service.tool()
def search_claims(  # noqa: PLR0913, PLR0917 - one per filter
    state: ClaimsState,
    ctx: CallContext,
    query: Query | None = None,
    status: ClaimStatus | None = None,
    line: Line | None = None,
    loss_from: f.Date | None = None,
    loss_to: f.Date | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """Find claims, the latest day of loss first, with what is claimed, paid and outstanding.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the claim or policy number, insured object, reference, place, third party or description.
        status: Only claims in this status.
        line: Only claims of this line.
        loss_from: Only losses on this day or later.
        loss_to: Only losses on this day or earlier.
        limit: At most so many claims.
        cursor: next_cursor of the previous page.
    """
    found = within(state.claims, "loss_on", loss_from, loss_to)
    found = newest_first(found, "loss_on")
    names = ("number", "policy_number", "insured_object", "reference", "place", "third_party", "description")
    rows = [claim_row(state, row) for row in found if status in (None, row.status)]
    rows = search(rows, query, lambda row: [row[name] for name in names])
    return cursor_page("claims", [row for row in rows if line in (None, row["line"])], limit, cursor)


@service.tool()
def get_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId) -> Json:
    """Show a claim with loss items, documents and missing ones, inspections, payments, recoveries and notes.

    Errors: `not_found`.

    Args:
        claim_id: Id of the claim.
    """
    return described(state, state.claims.get(claim_id))


@service.tool(phrase="report a loss of {loss_on} in {place} under the cover {cover_id}")
def file_claim(  # noqa: PLR0913, PLR0917 - a notice of loss has so many parts
    state: ClaimsState,
    ctx: CallContext,
    cover_id: CoverId,
    loss_on: f.Date,
    place: Annotated[f.Place, Field(min_length=2, max_length=200)],
    description: Body,
    reference: Annotated[f.Code, Field(max_length=60)] = "",
    third_party: Annotated[f.Organisation, Field(max_length=120)] = "",
    late_reason: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
) -> Json:
    """Give the first notice of a loss; the claim is a draft until it is submitted.

    Errors: `not_found`, `invalid_date`, `in_the_future`, `not_in_force`, `blank_text`, `late_reason_needed` (after
    the days that the policy allows), `duplicate_claim` (same cover, day and reference).

    Args:
        cover_id: Id of the cover, from search_insurance_policies.
        loss_on: Day of the loss.
        place: Where it happened.
        description: What happened.
        reference: Purchase order, tracking number or ticket it is about.
        third_party: Who caused it, if that was somebody else.
        late_reason: Why it is reported late.
    """
    cover, day = state.covers.get(cover_id), check_date(loss_on)
    text = check_text(description, "description")
    _notice(state, ctx, cover, day, late_reason)
    for row in state.claims.find(cover_id=cover_id, loss_on=day):
        if row.status != "withdrawn" and same(row.reference, reference):
            raise conflict(f"{row.number} is about this loss already; add to it.", type="duplicate_claim")
    claim = state.claims.create(
        number=next_number((row.number for row in state.claims), f"CL-{ctx.today[:4]}-"),
        cover_id=cover_id,
        status="draft",
        loss_on=day,
        reported_on=ctx.today,
        place=place,
        description=text,
        reference=reference,
        third_party=third_party,
        late_reason=late_reason,
        handler_email=ME.email,
    )
    return described(state, claim)


def _notice(state: ClaimsState, ctx: CallContext, cover: Cover, day: str, late_reason: str) -> None:
    """Whether a loss of that day can still be reported."""
    policy = state.policies.get(cover.policy_id)
    if day > ctx.today:
        raise invalid(f"{day} is in the future; today is {ctx.today}.", type="in_the_future")
    if not policy.starts_on <= day <= policy.ends_on:
        raise conflict(
            f"{policy.policy_number} covers {policy.starts_on} to {policy.ends_on}; look for the policy of that year.",
            type="not_in_force",
        )
    if days_between(day, ctx.today) > policy.report_within and not late_reason.strip():
        raise invalid(
            f"Losses are reported within {policy.report_within} days; send late_reason.", type="late_reason_needed"
        )


@service.tool(phrase="submit the insurance claim {claim_id}")
def submit_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId) -> Json:
    """Submit a draft claim with its loss items and documents for assessment.

    Errors: `not_found`, `wrong_status`, `no_loss_items`, `documents_missing` (names the kinds).

    Args:
        claim_id: Id of the claim.
    """
    claim = in_status(state, claim_id, "draft")
    if not state.loss_items.count(claim_id=claim_id):
        raise conflict(f"{claim.number} has no loss items; use add_loss_item.", type="no_loss_items")
    missing = missing_documents(state, claim)
    if missing:
        raise conflict(f"Missing: {', '.join(missing)}; use add_claim_document.", type="documents_missing")
    return described(state, state.claims.patch(claim_id, status="submitted"))


@service.tool(phrase="withdraw the insurance claim {claim_id}")
def withdraw_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, reason: Body) -> Json:
    """Withdraw a claim that is not settled; its scheduled inspections are cancelled and its reserve is released.

    Errors: `not_found`, `wrong_status`, `blank_text`.

    Args:
        claim_id: Id of the claim.
        reason: Why.
    """
    in_status(state, claim_id, "draft", "submitted")
    text = check_text(reason, "reason")
    return described(state, _close(state, ctx, claim_id, "withdrawn", text))


def _close(state: ClaimsState, ctx: CallContext, claim_id: str, status: str, reason: str) -> Claim:
    for row in state.inspections.find(claim_id=claim_id, status="scheduled"):
        state.inspections.patch(row.id, status="cancelled")
    return state.claims.patch(claim_id, status=status, closing_reason=reason, closed_on=ctx.today, reserve=0.0)


@service.tool(phrase="deny the insurance claim {claim_id}")
def deny_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, reason: Body) -> Json:
    """Deny a submitted claim, as when the cover does not apply; its reserve is released.

    Errors: `not_found`, `wrong_status`, `blank_text`.

    Args:
        claim_id: Id of the claim.
        reason: Which exclusion or condition applies.
    """
    in_status(state, claim_id, "submitted")
    text = check_text(reason, "reason")
    return described(state, _close(state, ctx, claim_id, "denied", text))


@service.tool(phrase="reopen the insurance claim {claim_id}")
def reopen_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, reason: Body) -> Json:
    """Take a denied or withdrawn claim up again within a year of its end; it is submitted then.

    Errors: `not_found`, `wrong_status`, `too_old`, `documents_missing`, `blank_text`.

    Args:
        claim_id: Id of the claim.
        reason: What is new; kept as a note.
    """
    claim = in_status(state, claim_id, "denied", "withdrawn")
    text = check_text(reason, "reason")
    if days_between(claim.closed_on or ctx.today, ctx.today) > REOPEN_DAYS:
        raise conflict(f"{claim.number} ended on {claim.closed_on}; it cannot be reopened.", type="too_old")
    missing = missing_documents(state, claim)
    if missing:
        raise conflict(f"Missing: {', '.join(missing)}; use add_claim_document.", type="documents_missing")
    state.notes.create(claim_id=claim_id, author_email=ME.email, text=text, written_at=ctx.now)
    return described(state, state.claims.patch(claim_id, status="submitted", closing_reason="", closed_on=None))


@service.tool(phrase="note on the insurance claim {claim_id}: {text}")
def add_claim_note(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, text: Body) -> Json:
    """Add a note to the file of a claim.

    Errors: `not_found`, `blank_text`.

    Args:
        claim_id: Id of the claim.
        text: The note.
    """
    claim = state.claims.get(claim_id)
    note = check_text(text, "note")
    row = state.notes.create(claim_id=claim_id, author_email=ME.email, text=note, written_at=ctx.now)
    return {"claim_number": claim.number, "note": row}
