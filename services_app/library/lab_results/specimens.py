"""Tools for specimens: taking, refusing and finding them."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.lab_results.figures import live_order, open_specimen, tests_of
from services_app.library.lab_results.orders import OrderId
from services_app.library.lab_results.state import (
    LabState,
    RejectionReason,
    Specimen,
    SpecimenStatus,
    SpecimenType,
    service,
)
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    check_time,
    cursor_page,
    keep,
    newest_first,
    next_number,
    plus_minutes,
    with_fields,
    within,
)

SpecimenId = Annotated[str, f.ref("specimens")]


def specimen_shown(state: LabState, ctx: CallContext, specimen: Specimen) -> Json:
    """A specimen with its order, and until when the shortest-lived of its tests can be measured."""
    order = state.lab_orders.get(specimen.lab_order_id)
    hours = [test.stability for test in tests_of(state, order) if test.specimen == specimen.type]
    keeps = plus_minutes(specimen.collected_at, 60 * min(hours, default=0))
    return with_fields(specimen, order_number=order.number, keeps_until=keeps, expired=keeps < ctx.now)


@service.tool(phrase="record the {specimen_type} specimen of {lab_order_id} taken at {collected_at}")
def record_collection(
    state: LabState,
    ctx: CallContext,
    lab_order_id: OrderId,
    specimen_type: SpecimenType,
    collected_at: f.Timestamp,
    fasting: bool = False,
) -> Json:
    """Record a specimen that was taken; it gets the next barcode.

    Errors: `not_found`, `order_not_open`, `not_needed` (no test of the order takes it), `already_collected`,
    `invalid_time`, `in_the_future`, `before_order`, `fasting_needed`.

    Args:
        lab_order_id: Id of the order.
        specimen_type: What was taken.
        collected_at: When it was taken.
        fasting: Whether the patient had eaten nothing for eight hours.
    """
    order, taken = live_order(state, lab_order_id), check_time(collected_at)
    wanted = [test for test in tests_of(state, order) if test.specimen == specimen_type]
    if not wanted:
        raise conflict(f"No test of {order.number} takes {specimen_type}.", type="not_needed")
    if open_specimen(state, order, specimen_type) is not None:
        raise conflict(f"{order.number} has an accepted {specimen_type} specimen.", type="already_collected")
    if taken > ctx.now:
        raise invalid(f"{taken} is still to come; record what was taken.", type="in_the_future")
    if taken < order.ordered_at:
        raise invalid(f"{order.number} was placed at {order.ordered_at}, after that.", type="before_order")
    if not fasting and any(test.fasting for test in wanted):
        raise conflict(
            f"{order.number} has a test that is taken fasting; ask the patient to come back.", type="fasting_needed"
        )
    row = state.specimens.create(
        barcode=next_number((one.barcode for one in state.specimens), "B", first=7_000_001, width=7),
        lab_order_id=order.id,
        type=specimen_type,
        collected_at=taken,
        fasting=fasting,
        status="accepted",
    )
    return specimen_shown(state, ctx, row)


@service.tool(phrase="reject the specimen {specimen_id} as {reason}")
def reject_specimen(state: LabState, ctx: CallContext, specimen_id: SpecimenId, reason: RejectionReason) -> Json:
    """Reject a specimen that cannot be measured; it has to be taken again.

    Errors: `not_found`, `already_rejected`, `already_measured`.

    Args:
        specimen_id: Id of the specimen.
        reason: What is wrong with it.
    """
    row = state.specimens.get(specimen_id)
    if row.status == "rejected":
        raise conflict(f"{row.barcode} is rejected as {row.rejection_reason} already.", type="already_rejected")
    if state.results.first(specimen_id=row.id):
        raise conflict(f"{row.barcode} has results; amend those instead.", type="already_measured")
    return specimen_shown(state, ctx, state.specimens.patch(row.id, status="rejected", rejection_reason=reason))


@service.tool()
def list_specimens(  # noqa: PLR0913, PLR0917 - one per filter
    state: LabState,
    ctx: CallContext,
    status: SpecimenStatus | None = None,
    specimen_type: SpecimenType | None = None,
    barcode: f.Code | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List specimens with their orders and how long they keep, the latest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        status: Only accepted or only rejected ones.
        specimen_type: Only this kind.
        barcode: Only the specimen with this barcode.
        from_date: Only specimens taken on this day or later.
        to_date: Only specimens taken on this day or earlier.
        limit: At most so many specimens.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.specimens, status=status, type=specimen_type, barcode=barcode)
    found = within(found, "collected_at", from_date, to_date)
    found = newest_first(found, "collected_at")
    page = cursor_page("specimens", found, limit, cursor)
    page["specimens"] = [specimen_shown(state, ctx, row) for row in page["specimens"]]
    return page
