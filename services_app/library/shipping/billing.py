"""Tools for carrier accounts: services, balances, deposits and adjustments."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    same,
    search,
    total,
    with_fields,
    within,
)
from services_app.library.shipping.shipments import CarrierId
from services_app.library.shipping.state import Adjustment, AdjustmentStatus, ShippingState, service
from services_app.library.shipping.tariff import Desk

DISPUTE_DAYS = 30


@service.tool()
def list_carrier_accounts(state: ShippingState, ctx: CallContext, query: Query | None = None) -> Json:
    """List our accounts at carriers with balance and services, and the freight approvers with their limits.

    Args:
        query: Words in the carrier's name, account number or the names of its services.
    """
    desk, rows = Desk(state), []
    for row in state.carriers:
        offers = state.services.find(carrier_id=row.id)
        rows.append(with_fields(row, balance=desk.balance(row.id), services=offers))
    rows = search(
        rows, query, lambda row: (row["name"], row["account_number"], *(offer.name for offer in row["services"]))
    )
    return {"carrier_accounts": rows, "total": len(rows), "freight_approvers": list(state.approvers)}


@service.tool(phrase="pay {amount} into the account at {carrier_id}")
def add_funds(
    state: ShippingState,
    ctx: CallContext,
    carrier_id: CarrierId,
    amount: Amount,
    reference: Annotated[f.Code, Field(min_length=2, max_length=40)],
) -> Json:
    """Note a payment to a carrier; its balance grows by it. At most 10,000.00 at once.

    Errors: `not_found`, `over_limit`, `duplicate_reference`.

    Args:
        carrier_id: Id of the carrier.
        amount: What was paid.
        reference: Number of the payment.
    """
    carrier = state.carriers.get(carrier_id)
    if amount > 10_000:
        raise invalid("At most 10,000.00 can be paid in at once; split it.", type="over_limit")
    if any(same(row.reference, reference) for row in state.deposits):
        raise conflict(f"The payment {reference} is noted already.", type="duplicate_reference")
    deposit = state.deposits.create(carrier_id=carrier_id, amount=amount, reference=reference, paid_on=ctx.today)
    return {"carrier_name": carrier.name, "deposit": deposit, "balance": Desk(state).balance(carrier_id)}


def _adjustment(state: ShippingState, row: Adjustment) -> Json:
    shipment = state.shipments.get(row.shipment_id)
    offer = state.services.get(shipment.service_id or "")
    return with_fields(
        row,
        shipment_number=shipment.number,
        tracking_number=shipment.tracking_number,
        declared_weight=shipment.weight,
        carrier_id=offer.carrier_id,
        carrier_name=state.carriers.get(offer.carrier_id).name,
    )


@service.tool()
def list_adjustments(  # noqa: PLR0913, PLR0917 - one per filter
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    carrier_id: CarrierId | None = None,
    status: AdjustmentStatus | None = None,
    charged_from: f.Date | None = None,
    charged_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what carriers charged after weighing parcels themselves, the latest first, with the sum that stands.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the shipment number, tracking number or dispute.
        carrier_id: Only charges of this carrier.
        status: Only charges in this status.
        charged_from: Only charges of this day or later.
        charged_to: Only charges of this day or earlier.
        limit: At most so many charges.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.adjustments, status=status), "charged_on", charged_from, charged_to)
    found = newest_first(found, "charged_on")
    rows = [_adjustment(state, row) for row in found]
    names = ("shipment_number", "tracking_number", "dispute_reason")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    rows = [row for row in rows if carrier_id in (None, row["carrier_id"])]
    stands = total(row["amount"] for row in rows if row["status"] != "reversed")
    return {**cursor_page("adjustments", rows, limit, cursor), "amount_standing": stands}


@service.tool(phrase="dispute the adjustment {adjustment_id}")
def dispute_adjustment(
    state: ShippingState, ctx: CallContext, adjustment_id: Annotated[str, f.ref("adjustments")], reason: Body
) -> Json:
    """Dispute a charge within 30 days; it stays charged until the carrier reverses it.

    Errors: `not_found`, `not_charged` (disputed or reversed already), `dispute_window_over`, `blank_text`.

    Args:
        adjustment_id: Id of the adjustment.
        reason: Why the carrier's weight is wrong.
    """
    row = state.adjustments.get(adjustment_id)
    if row.status != "charged":
        raise conflict(f"The adjustment is {row.status} already.", type="not_charged")
    if days_between(row.charged_on, ctx.today) > DISPUTE_DAYS:
        raise conflict(f"It was charged more than {DISPUTE_DAYS} days ago; it stands.", type="dispute_window_over")
    text = check_text(reason, "reason")
    return _adjustment(state, state.adjustments.patch(adjustment_id, status="disputed", dispute_reason=text))
