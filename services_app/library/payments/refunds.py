"""Tools for money that goes back: refunds and disputes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.payments.charges import ChargeId
from services_app.library.payments.ledger import balance, described, entries, open_dispute
from services_app.library.payments.state import (
    Dispute,
    DisputeReason,
    DisputeStatus,
    PaymentsState,
    RefundReason,
    service,
)
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    search,
    total,
    with_fields,
    within,
)

DisputeId = Annotated[str, f.ref("disputes")]
REFUND_DAYS = 180


@service.tool(phrase="refund {amount} of the charge {charge_id}")
def create_refund(
    state: PaymentsState,
    ctx: CallContext,
    charge_id: ChargeId,
    reason: RefundReason,
    amount: Amount | None = None,
    note: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
) -> Json:
    """Refund a captured charge from the available balance, in full or in part, within 180 days.

    Fees are not given back.
    Errors: `not_found`, `not_captured`, `too_old`, `disputed`, `over_refund`, `insufficient_balance`.

    Args:
        charge_id: Id of the charge.
        reason: Why, as the bank records it.
        amount: Amount to pay back; all that is left, if left out.
        note: What happened, for ourselves.
    """
    charge = state.charges.get(charge_id)
    if charge.captured_on is None:
        raise conflict(f"Charge {charge_id} is {charge.status}; nothing was taken.", type="not_captured")
    if days_between(charge.captured_on, ctx.today) > REFUND_DAYS:
        raise conflict(f"Charges can be refunded for {REFUND_DAYS} days; send a transfer.", type="too_old")
    if open_dispute(state, charge_id):
        raise conflict("The charge is disputed; its money is with the bank.", type="disputed")
    left = described(state, charge)["refundable"]
    wanted = left if amount is None else amount
    if not left or wanted > left:
        raise invalid(f"{left:.2f} of the charge can still be refunded.", type="over_refund")
    free = balance(entries(state), charge.currency, ctx.today)["available"]
    if wanted > free:
        raise conflict(f"{free:.2f} {charge.currency} are available; wait for charges.", type="insufficient_balance")
    refund = state.refunds.create(charge_id=charge_id, amount=wanted, reason=reason, note=note, created_on=ctx.today)
    return {"refund": refund, "charge": described(state, charge)}


@service.tool()
def list_refunds(  # noqa: PLR0913, PLR0917 - one per filter
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    charge_id: ChargeId | None = None,
    reason: RefundReason | None = None,
    created_from: f.Date | None = None,
    created_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List refunds with charge and customer, newest first.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the note, the order number or the customer name.
        charge_id: Only refunds of this charge.
        reason: Only refunds for this reason.
        created_from: Only refunds made on this day or later.
        created_to: Only refunds made on this day or earlier.
        limit: At most so many refunds.
        cursor: next_cursor of the previous page.
    """
    heads = _heads(state)
    found = search(state.refunds, query, lambda row: (row.note, *heads[row.charge_id].values()))
    found = within(keep(found, charge_id=charge_id, reason=reason), "created_on", created_from, created_to)
    found = newest_first(found, "created_on")
    page = cursor_page("refunds", found, limit, cursor)
    page["refunds"] = [with_fields(row, **heads[row.charge_id]) for row in page["refunds"]]
    return page


def _heads(state: PaymentsState) -> dict[str, dict[str, str]]:
    """Currency, order number and customer name by charge."""
    names = {row.id: row.name for row in state.customers}
    return {
        row.id: {
            "currency": row.currency,
            "order_number": row.order_number,
            "customer_name": names[row.customer_id],
        }
        for row in state.charges
    }


@service.tool()
def list_disputes(
    state: PaymentsState,
    ctx: CallContext,
    query: Query | None = None,
    status: DisputeStatus | None = None,
    reason: DisputeReason | None = None,
    respond_before: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List disputes, the most urgent answer first, with the sum that is at stake.

    Errors: `invalid_date`.

    Args:
        query: Words in the customer's statement, name or order number.
        status: Only disputes in this status.
        reason: Only disputes for this reason.
        respond_before: Only disputes to be answered on this day or earlier.
        limit: At most so many disputes.
        cursor: next_cursor of the previous page.
    """
    day, heads = check_date(respond_before) if respond_before else "9999", _heads(state)
    found = search(state.disputes, query, lambda row: (row.statement, *heads[row.charge_id].values()))
    found = [row for row in keep(found, status=status, reason=reason) if row.respond_by <= day]
    found.sort(key=lambda row: (row.status != "needs_response", row.respond_by, row.id))
    page = cursor_page("disputes", found, limit, cursor)
    page["disputes"] = [with_fields(row, **heads[row.charge_id]) for row in page["disputes"]]
    open_ = [row.amount for row in found if row.status in ("needs_response", "under_review")]
    return {**page, "amount_at_stake": total(open_)}


@service.tool()
def get_dispute(state: PaymentsState, ctx: CallContext, dispute_id: DisputeId) -> Json:
    """Show a dispute with its charge, the notes on it and the days left to answer.

    Errors: `not_found`.

    Args:
        dispute_id: Id of the dispute.
    """
    dispute = state.disputes.get(dispute_id)
    waiting = dispute.status == "needs_response"
    return with_fields(
        dispute,
        days_left=max(0, days_between(ctx.today, dispute.respond_by)) if waiting else None,
        charge=described(state, state.charges.get(dispute.charge_id)),
        notes=state.notes.find(charge_id=dispute.charge_id),
    )


@service.tool(phrase="answer the dispute {dispute_id} with evidence")
def submit_dispute_evidence(
    state: PaymentsState, ctx: CallContext, dispute_id: DisputeId, evidence: Body, tracking_number: f.Code = ""
) -> Json:
    """Send our evidence to the bank; it can be sent once, and the bank decides then.

    Errors: `not_found`, `not_open`, `too_late`, `tracking_needed` (for goods that were not received), `blank_text`.

    Args:
        dispute_id: Id of the dispute.
        evidence: What happened, with dates and names.
        tracking_number: Number of the shipment.
    """
    dispute = _answerable(state, dispute_id)
    if dispute.respond_by < ctx.today:
        raise conflict(f"The answer was due on {dispute.respond_by}; accept the dispute.", type="too_late")
    if dispute.reason == "product_not_received" and not tracking_number.strip():
        raise invalid("The bank wants the tracking number of the shipment.", type="tracking_needed")
    changes = {"status": "under_review", "tracking_number": tracking_number.strip()}
    state.disputes.patch(dispute_id, evidence=check_text(evidence, "evidence"), **changes)
    return get_dispute(state, ctx, dispute_id)


@service.tool(phrase="accept the dispute {dispute_id}")
def accept_dispute(state: PaymentsState, ctx: CallContext, dispute_id: DisputeId) -> Json:
    """Give a dispute up: the customer keeps the money and we pay the fee.

    Errors: `not_found`, `not_open`.

    Args:
        dispute_id: Id of the dispute.
    """
    _answerable(state, dispute_id)
    state.disputes.patch(dispute_id, status="lost", closed_on=ctx.today)
    return get_dispute(state, ctx, dispute_id)


def _answerable(state: PaymentsState, dispute_id: str) -> Dispute:
    dispute = state.disputes.get(dispute_id)
    if dispute.status != "needs_response":
        raise conflict(f"Dispute {dispute_id} is {dispute.status}; it needs no answer.", type="not_open")
    return dispute
