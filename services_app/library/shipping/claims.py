"""Tools for claims against carriers: what is lost or broken."""

from __future__ import annotations

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
    next_number,
    search,
    total,
    with_fields,
    within,
)
from services_app.library.shipping.shipments import ShipmentId
from services_app.library.shipping.state import Claim, ClaimKind, ClaimStatus, ShippingState, service
from services_app.library.shipping.tariff import Desk

LOST_AFTER, CLAIM_DAYS = 10, 60
UNINSURED = 100.0


def _claim(state: ShippingState, row: Claim) -> Json:
    shipment = Desk(state).row(state.shipments.get(row.shipment_id))
    return with_fields(
        row,
        shipment_number=shipment["number"],
        tracking_number=shipment["tracking_number"],
        company=shipment["company"],
        carrier_name=shipment["carrier_name"],
    )


@service.tool(phrase="claim {amount} from the carrier of {shipment_id}")
def file_carrier_claim(
    state: ShippingState, ctx: CallContext, shipment_id: ShipmentId, kind: ClaimKind, amount: Amount, description: Body
) -> Json:
    """Claim the value of a parcel that is lost (no scan for 10 days) or was delivered damaged.

    Carriers pay up to the insured value, and 100.00 at most for what is not insured.
    Errors: `not_found`, `blank_text`, `claim_exists`, `not_lost`, `not_delivered`, `over_cover`,
    `claim_window_over` (60 days after the label).

    Args:
        shipment_id: Id of the shipment.
        kind: Lost or damaged.
        amount: What is claimed.
        description: What happened.
    """
    shipment, desk = state.shipments.get(shipment_id), Desk(state)
    text = check_text(description, "description")
    old = state.claims.first(shipment_id=shipment_id)
    if old is not None:
        raise conflict(f"{old.number} is filed for {shipment.number} already.", type="claim_exists")
    status, scan = desk.status(shipment), desk.last.get(shipment_id)
    if kind == "damaged" and status != "delivered":
        raise conflict(f"{shipment.number} is {status}, not delivered; wait for it.", type="not_delivered")
    if kind == "lost":
        moving = status in ("in_transit", "exception") and scan is not None
        if not moving or days_between(scan.happened_at if scan else ctx.now, ctx.today) < LOST_AFTER:
            raise conflict(f"{shipment.number} counts as lost {LOST_AFTER} days after its last scan.", type="not_lost")
    if days_between(shipment.bought_on or ctx.today, ctx.today) > CLAIM_DAYS:
        raise conflict(f"The label is older than {CLAIM_DAYS} days; nothing is paid.", type="claim_window_over")
    cover = max(shipment.insured_value, min(UNINSURED, shipment.declared_value))
    if amount > cover:
        raise invalid(f"The carrier pays up to {cover:.2f} for {shipment.number}; claim less.", type="over_cover")
    row = state.claims.create(
        number=next_number((claim.number for claim in state.claims), "CC-", first=1101),
        shipment_id=shipment_id,
        kind=kind,
        amount=amount,
        description=text,
        status="filed",
        filed_on=ctx.today,
    )
    return _claim(state, row)


@service.tool()
def list_carrier_claims(
    state: ShippingState,
    ctx: CallContext,
    query: Query | None = None,
    status: ClaimStatus | None = None,
    kind: ClaimKind | None = None,
    filed_from: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List claims against carriers, the latest first, with the sum of those shown on all pages.

    Errors: `invalid_date`.

    Args:
        query: Words in the claim, shipment or tracking number, company, carrier or description.
        status: Only claims in this status.
        kind: Only lost or only damaged parcels.
        filed_from: Only claims filed on this day or later.
        limit: At most so many claims.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.claims, status=status, kind=kind), "filed_on", filed_from, None)
    found = newest_first(found, "filed_on")
    names = ("number", "shipment_number", "tracking_number", "company", "carrier_name", "description")
    rows = search([_claim(state, row) for row in found], query, lambda row: [row[name] for name in names])
    return {**cursor_page("claims", rows, limit, cursor), "amount_claimed": total(row["amount"] for row in rows)}
