"""Tools for recoveries: what comes back from those who caused a loss."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.insurance_claims.claims import ClaimId
from services_app.library.insurance_claims.figures import paid, recovery_row
from services_app.library.insurance_claims.state import ClaimsState, service
from services_app.library.shared import (
    Amount,
    Cursor,
    Json,
    Limit,
    Query,
    cursor_page,
    keep,
    next_number,
    same,
    search,
    total,
)


@service.tool(phrase="demand {amount} back from who caused the loss of {claim_id}")
def create_recovery(state: ClaimsState, ctx: CallContext, claim_id: ClaimId, amount: Amount) -> Json:
    """Demand money back from the third party that caused a loss, up to what was paid and not demanded yet.

    Errors: `not_found`, `no_third_party`, `nothing_paid`, `over_paid`.

    Args:
        claim_id: Id of the claim.
        amount: Amount that is demanded.
    """
    claim = state.claims.get(claim_id)
    if not claim.third_party:
        raise conflict(f"{claim.number} names no third party; nobody owes it.", type="no_third_party")
    spent = paid(state, claim_id)
    if not spent:
        raise conflict(f"Nothing of {claim.number} is paid yet; pay it first.", type="nothing_paid")
    left = round(spent - total(row.demanded for row in state.recoveries.find(claim_id=claim_id)), 2)
    if round(amount, 2) > left:
        raise invalid(f"{left:,.2f} are paid and not demanded yet; demand no more.", type="over_paid")
    row = state.recoveries.create(
        number=next_number((other.number for other in state.recoveries), "RC-", first=301),
        claim_id=claim_id,
        debtor=claim.third_party,
        demanded=amount,
        opened_on=ctx.today,
    )
    return recovery_row(state, row)


@service.tool(phrase="note {amount} received for the recovery {recovery_id}")
def record_recovery_payment(
    state: ClaimsState,
    ctx: CallContext,
    recovery_id: Annotated[str, f.ref("recoveries")],
    amount: Amount,
    reference: Annotated[f.Code, Field(min_length=2, max_length=60)],
) -> Json:
    """Note money that came in for a recovery.

    Errors: `not_found`, `over_demand` (more than is open), `duplicate_reference`.

    Args:
        recovery_id: Id of the recovery.
        amount: What came in.
        reference: Number of the payment.
    """
    row = state.recoveries.get(recovery_id)
    left = recovery_row(state, row)["open_amount"]
    if round(amount, 2) > left:
        raise conflict(f"{left:,.2f} of {row.number} are open; the rest belongs elsewhere.", type="over_demand")
    if any(same(receipt.reference, reference) for receipt in state.recovery_receipts):
        raise conflict(f"The payment {reference} is noted already.", type="duplicate_reference")
    state.recovery_receipts.create(recovery_id=recovery_id, amount=amount, reference=reference, received_on=ctx.today)
    return recovery_row(state, row)


@service.tool()
def list_recoveries(
    state: ClaimsState,
    ctx: CallContext,
    query: Query | None = None,
    claim_id: ClaimId | None = None,
    open_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List recoveries with what was received and what is open, the highest number first.

    Args:
        query: Words in the recovery or claim number or the debtor's name.
        claim_id: Only recoveries of this claim.
        open_only: Only recoveries on which money is open.
        limit: At most so many recoveries.
        cursor: next_cursor of the previous page.
    """
    rows = [recovery_row(state, row) for row in keep(state.recoveries, claim_id=claim_id)]
    rows = search(rows, query, lambda row: (row["number"], row["claim_number"], row["debtor"]))
    rows = [row for row in rows if row["open_amount"] > 0 or not open_only]
    rows.sort(key=lambda row: row["number"], reverse=True)
    page = cursor_page("recoveries", rows, limit, cursor)
    return {**page, "open_amount": total(row["open_amount"] for row in rows)}
