"""Tools for reserves, settlements and payments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.insurance_claims.claims import ClaimId
from services_app.library.insurance_claims.figures import approver_of, described, estimate, in_status, paid
from services_app.library.insurance_claims.state import ClaimsState, service
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    total,
    with_fields,
    within,
)
from services_app.library.suppliers import valid_iban

RESERVE_AUTHORITY = 10_000.0
SETTLE_AUTHORITY = 5000.0


@service.tool(phrase="set the reserve of the insurance claim {claim_id} to {reserve}")
def set_claim_reserve(
    state: ClaimsState,
    ctx: CallContext,
    claim_id: ClaimId,
    reserve: Annotated[float, f.Semantic("money"), Field(ge=0, le=10_000_000)],
    approved_by: f.Email | None = None,
) -> Json:
    """Put money aside for a submitted claim; above 10,000.00 a claims approver has to have agreed.

    Errors: `not_found`, `wrong_status`, `over_claim_limit`, `approval_needed`, `unknown_approver`, `approver_limit`.

    Args:
        claim_id: Id of the claim.
        reserve: Amount of the reserve.
        approved_by: Address of the claims approver who agreed.
    """
    claim = in_status(state, claim_id, "submitted")
    most = state.covers.get(claim.cover_id).claim_limit
    if reserve > most:
        raise invalid(f"The cover pays up to {most:,.2f}; reserve no more.", type="over_claim_limit")
    approver_of(state, approved_by, reserve, RESERVE_AUTHORITY)
    return described(state, state.claims.patch(claim_id, reserve=reserve))


@service.tool()
def get_settlement_estimate(state: ClaimsState, ctx: CallContext, claim_id: ClaimId) -> Json:
    """Work out what a claim pays: approved items less the deductible, up to the limits of the cover.

    Errors: `not_found`.

    Args:
        claim_id: Id of the claim.
    """
    claim = state.claims.get(claim_id)
    found = estimate(state, claim)
    return {"claim_number": claim.number, "reserve": claim.reserve, **found}


@service.tool(phrase="settle the insurance claim {claim_id}")
def settle_claim(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, approved_by: f.Email | None = None) -> Json:
    """Settle a submitted claim at what get_settlement_estimate works out; above 5,000.00 an approver is needed.

    Errors: `not_found`, `wrong_status`, `items_not_assessed`, `nothing_payable`, `reserve_too_low`,
    `approval_needed`, `unknown_approver`, `approver_limit`.

    Args:
        claim_id: Id of the claim.
        approved_by: Address of the claims approver who agreed.
    """
    claim = in_status(state, claim_id, "submitted")
    found = estimate(state, claim)
    if found["items_not_assessed"]:
        raise conflict(f"{found['items_not_assessed']} items are not assessed.", type="items_not_assessed")
    amount = found["payable"]
    if not amount:
        raise conflict(f"Nothing of {claim.number} is above the deductible; deny it.", type="nothing_payable")
    if amount > claim.reserve:
        raise conflict(f"{amount:,.2f} are payable, {claim.reserve:,.2f} are reserved.", type="reserve_too_low")
    approver = approver_of(state, approved_by, amount, SETTLE_AUTHORITY)
    changes = {"status": "settled", "settled_amount": amount, "approver_id": approver}
    return described(state, state.claims.patch(claim_id, **changes))


@service.tool(phrase="pay {amount} to {payee} for the insurance claim {claim_id}")
def pay_claim(
    state: ClaimsState,
    ctx: CallContext,
    claim_id: ClaimId,
    payee: Annotated[f.Organisation, Field(min_length=2, max_length=120)],
    iban: Annotated[f.Code, Field(min_length=5, max_length=42)],
    amount: Amount,
    reference: Annotated[f.Code, Field(min_length=2, max_length=60)],
) -> Json:
    """Pay a settled claim in full or in part; with the last part the claim is closed.

    Errors: `not_found`, `wrong_status`, `over_settlement`, `invalid_iban`, `duplicate_reference`.

    Args:
        claim_id: Id of the claim.
        payee: Who is paid: ourselves, a workshop, a third party.
        iban: Account of the payee.
        amount: Amount, at most what is outstanding.
        reference: Number of the payment.
    """
    claim = in_status(state, claim_id, "settled")
    account = iban.replace(" ", "").upper()
    if not valid_iban(account):
        raise invalid(f"{iban} is not a valid account number; check it.", type="invalid_iban")
    outstanding = round((claim.settled_amount or 0.0) - paid(state, claim_id), 2)
    if round(amount, 2) > outstanding:
        raise conflict(f"{outstanding:,.2f} of {claim.number} are outstanding; pay no more.", type="over_settlement")
    if any(same(row.reference, reference) for row in state.payments):
        raise conflict(f"The payment {reference} is booked already.", type="duplicate_reference")
    state.payments.create(
        claim_id=claim_id, payee=payee, iban=account, amount=amount, reference=reference, paid_on=ctx.today
    )
    if round(amount, 2) == outstanding:
        claim = state.claims.patch(claim_id, status="closed", closing_reason="Paid.", closed_on=ctx.today)
    return described(state, claim)


@service.tool()
def list_claim_payments(
    state: ClaimsState,
    ctx: CallContext,
    query: Query | None = None,
    claim_id: ClaimId | None = None,
    paid_from: f.Date | None = None,
    paid_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List payments of claims, the latest first, with the sum of all that match.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the payee, account, reference or claim number.
        claim_id: Only payments of this claim.
        paid_from: Only payments of this day or later.
        paid_to: Only payments of this day or earlier.
        limit: At most so many payments.
        cursor: next_cursor of the previous page.
    """
    numbers = {row.id: row.number for row in state.claims}
    found = within(keep(state.payments, claim_id=claim_id), "paid_on", paid_from, paid_to)
    found = search(found, query, lambda row: (row.payee, row.iban, row.reference, numbers[row.claim_id]))
    found = newest_first(found, "paid_on")
    rows = [with_fields(row, claim_number=numbers[row.claim_id]) for row in found]
    return {**cursor_page("payments", rows, limit, cursor), "amount": total(row.amount for row in found)}
