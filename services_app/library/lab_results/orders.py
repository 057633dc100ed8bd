"""Tools for laboratory orders: placing, approving, booking the collection, cancelling, finding."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.lab_results.catalogue import PatientId, TestId
from services_app.library.lab_results.figures import (
    APPROVAL_ABOVE,
    check_open,
    live_order,
    missing_analytes,
    missing_specimens,
    order_shown,
    price_of,
    result_shown,
    tests_of,
)
from services_app.library.lab_results.state import LabOrder, LabState, LabTest, OrderStatus, Priority, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_future,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    next_number,
    same,
    search,
    weekday_of,
    within,
)

OrderId = Annotated[str, f.ref("lab_orders")]
SiteId = Annotated[str, f.ref("sites")]
TestCode = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=20)]
FASTING_UNTIL = "10:30"
MOST_TESTS = 10


@service.tool(phrase="order the tests {test_codes} for patient {patient_id}")
def create_lab_order(
    state: LabState,
    ctx: CallContext,
    patient_id: PatientId,
    test_codes: Annotated[list[TestCode], Field(min_length=1, max_length=MOST_TESTS)],
    priority: Priority = "routine",
    question: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
    reference: Annotated[str, f.Semantic("code"), Field(max_length=40)] = "",
) -> Json:
    """Order tests for a patient. An order above 200 pounds waits for approval.

    Errors: `not_found`, `duplicate_test`, `retest_too_soon` (a routine repeat within the interval of a test).

    Args:
        patient_id: Id of the patient.
        test_codes: Codes of the tests, such as FBC.
        priority: Stat orders cost 25 pounds more.
        question: What the orderer wants to know.
        reference: Order number of the employer who pays.
    """
    patient = state.patients.get(patient_id)
    tests = [_test_by_code(state, code) for code in test_codes]
    if len({test.id for test in tests}) < len(tests):
        raise invalid("Every test can be ordered once; take the repeated codes out.", type="duplicate_test")
    for test in tests:
        _check_interval(state, ctx, patient.id, test, priority)
    order = state.lab_orders.create(
        number=next_number((row.number for row in state.lab_orders), "L-", first=60_001, width=5),
        patient_id=patient.id,
        test_ids=tuple(test.id for test in tests),
        priority=priority,
        status="ordered",
        question=question,
        ordered_by=ME.name,
        reference=reference,
        ordered_at=ctx.now,
    )
    return order_shown(state, _for_approval(state, order))


def _test_by_code(state: LabState, code: str) -> LabTest:
    """The test with this code; 404 otherwise."""
    return next((row for row in state.lab_tests if same(row.code, code)), None) or state.lab_tests.get(code)


def _for_approval(state: LabState, order: LabOrder) -> LabOrder:
    """The order, which waits for approval when it costs more than may be ordered freely."""
    dear = price_of(state, order) > APPROVAL_ABOVE
    return state.lab_orders.patch(order.id, status="awaiting_approval") if dear else order


def _check_interval(state: LabState, ctx: CallContext, patient_id: str, test: LabTest, priority: str) -> None:
    if priority != "routine":
        return
    for row in state.lab_orders.find(patient_id=patient_id):
        ago = days_between(row.ordered_at, ctx.today)
        if row.status != "cancelled" and test.id in row.test_ids and ago < test.interval:
            raise conflict(
                f"{test.name} was ordered {ago} days ago ({row.number}); a routine repeat waits {test.interval} days.",
                type="retest_too_soon",
            )


@service.tool(phrase="add the test {test_id} to the laboratory order {lab_order_id}")
def add_test_to_order(state: LabState, ctx: CallContext, lab_order_id: OrderId, test_id: TestId) -> Json:
    """Add a test to an order under way; a specimen that was taken already is used when it keeps long enough.

    Errors: `not_found`, `order_not_open`, `duplicate_test`, `too_many_tests` (ten at most), `retest_too_soon`.

    Args:
        lab_order_id: Id of the order.
        test_id: Id of the test.
    """
    order, test = live_order(state, lab_order_id), state.lab_tests.get(test_id)
    if test.id in order.test_ids:
        raise conflict(f"{order.number} has {test.name} already.", type="duplicate_test")
    if len(order.test_ids) >= MOST_TESTS:
        raise conflict(f"{order.number} has {MOST_TESTS} tests; place another order.", type="too_many_tests")
    _check_interval(state, ctx, order.patient_id, test, order.priority)
    changed = state.lab_orders.patch(order.id, test_ids=(*order.test_ids, test.id))
    return order_shown(state, _for_approval(state, changed))


@service.tool(phrase="approve the laboratory order {lab_order_id}", examples=(Example({"lab_order_id": "LO-0007"}),))
def approve_lab_order(state: LabState, ctx: CallContext, lab_order_id: OrderId) -> Json:
    """Approve an order that waits for approval; nobody approves an order for tests of their own.

    Errors: `not_found`, `not_awaiting_approval`, `own_order`.

    Args:
        lab_order_id: Id of the order.
    """
    order = state.lab_orders.get(lab_order_id)
    if order.status != "awaiting_approval":
        raise conflict(f"{order.number} is {order.status}; there is nothing to approve.", type="not_awaiting_approval")
    if state.patients.get(order.patient_id).email == ME.email:
        raise forbidden("These tests are your own; somebody else has to approve them.", type="own_order")
    return order_shown(state, state.lab_orders.patch(order.id, status="ordered"))


@service.tool(phrase="cancel the laboratory order {lab_order_id}")
def cancel_lab_order(
    state: LabState,
    ctx: CallContext,
    lab_order_id: OrderId,
    reason: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=1000)],
) -> Json:
    """Cancel an order of which nothing has been measured; its booking is given back.

    Errors: `not_found`, `already_cancelled`, `results_exist`, `blank_text`.

    Args:
        lab_order_id: Id of the order.
        reason: Why it is cancelled.
    """
    order = state.lab_orders.get(lab_order_id)
    if order.status == "cancelled":
        raise conflict(f"{order.number} is cancelled already.", type="already_cancelled")
    if state.results.first(lab_order_id=order.id):
        raise conflict(f"{order.number} has results; it can only be completed.", type="results_exist")
    for booking in state.collection_bookings.find(lab_order_id=order.id):
        state.collection_bookings.delete(booking.id)
    text = check_text(reason, "reason")
    return order_shown(state, state.lab_orders.patch(order.id, status="cancelled", cancellation_reason=text))


@service.tool(phrase="book the collection for {lab_order_id} at {site_id} at {starts_at}")
def book_collection(
    state: LabState, ctx: CallContext, lab_order_id: OrderId, site_id: SiteId, starts_at: f.Timestamp
) -> Json:
    """Book a half hour for taking the specimens of an order; an earlier booking of the order is replaced.

    Errors: `not_found`, `order_not_open`, `nothing_to_collect`, `invalid_time`, `in_the_past`, `site_closed`,
    `not_a_half_hour`, `fasting_hours` (fasting tests are taken by 10:30), `fully_booked`.

    Args:
        lab_order_id: Id of the order.
        site_id: Id of the collection site.
        starts_at: Start: a full or half hour within the opening hours, Monday to Saturday.
    """
    order, site = live_order(state, lab_order_id), state.sites.get(site_id)
    if not missing_specimens(state, order):
        raise conflict(f"All specimens of {order.number} have been taken.", type="nothing_to_collect")
    start = check_future(ctx, starts_at, "collection")
    if start[14:19] not in ("00:00", "30:00"):
        raise invalid("Collections start at full and half hours.", type="not_a_half_hour")
    if weekday_of(start) == "sunday" or not site.opens <= start[11:16] < site.closes:
        raise invalid(f"{site.name} opens {site.opens} to {site.closes}, not on Sundays.", type="site_closed")
    if any(test.fasting for test in tests_of(state, order)) and start[11:16] > FASTING_UNTIL:
        raise invalid(f"Fasting tests are taken until {FASTING_UNTIL}.", type="fasting_hours")
    own = state.collection_bookings.find(lab_order_id=order.id)
    for booking in own:
        state.collection_bookings.delete(booking.id)
    if state.collection_bookings.count(site_id=site.id, starts_at=start) >= site.chairs:
        raise conflict(f"{site.name} has no chair left at {start}; take another half hour.", type="fully_booked")
    made = state.collection_bookings.create(lab_order_id=order.id, site_id=site.id, starts_at=start)
    return {**made.plain(), "order_number": order.number, "site_name": site.name, "address": site.address}


@service.tool()
def list_lab_orders(  # noqa: PLR0913, PLR0917 - one per filter
    state: LabState,
    ctx: CallContext,
    status: OrderStatus | None = None,
    patient_id: PatientId | None = None,
    priority: Priority | None = None,
    query: Query | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List laboratory orders with price and progress, the latest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        status: Only orders in this status.
        patient_id: Only orders for this patient.
        priority: Only orders of this priority.
        query: Words in the number, the question, the reference, or the patient's name.
        from_date: Only orders placed on this day or later.
        to_date: Only orders placed on this day or earlier.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.lab_orders, status=status, patient_id=patient_id, priority=priority)
    names = {row.id: row.name for row in state.patients}
    found = search(
        within(found, "ordered_at", from_date, to_date),
        query,
        lambda row: (row.number, row.question, row.reference, names[row.patient_id]),
    )
    found = newest_first(found, "ordered_at")
    page = cursor_page("orders", found, limit, cursor)
    page["orders"] = [order_shown(state, row) for row in page["orders"]]
    return page


@service.tool()
def get_lab_order(state: LabState, ctx: CallContext, lab_order_id: OrderId) -> Json:
    """Show an order with booking, specimens, results and their flags, what is missing, comments and who got the report.

    Errors: `not_found`, `restricted_record`.

    Args:
        lab_order_id: Id of the order.
    """
    order = state.lab_orders.get(lab_order_id)
    check_open(state.patients.get(order.patient_id))
    missing = [state.analytes.get(identity) for identity in missing_analytes(state, order)]
    return {
        **order_shown(state, order),
        "booking": state.collection_bookings.first(lab_order_id=order.id),
        "specimens": state.specimens.find(lab_order_id=order.id),
        "missing_specimens": missing_specimens(state, order),
        "results": [result_shown(state, row) for row in state.results.find(lab_order_id=order.id)],
        "missing_analytes": [{"analyte_id": row.id, "name": row.name} for row in missing],
        "comments": state.order_comments.find(lab_order_id=order.id),
        "shared_with": [row.recipient_email for row in state.shared_reports.find(lab_order_id=order.id)],
    }


@service.tool(phrase="comment on the laboratory order {lab_order_id}")
def add_order_comment(state: LabState, ctx: CallContext, lab_order_id: OrderId, text: Body) -> Json:
    """Leave a comment on an order, for colleagues and for the report.

    Errors: `not_found`, `blank_text`.

    Args:
        lab_order_id: Id of the order.
        text: Text of the comment.
    """
    order, clean = state.lab_orders.get(lab_order_id), check_text(text, "comment")
    row = state.order_comments.create(lab_order_id=order.id, author_email=ME.email, text=clean, written_at=ctx.now)
    return row.plain()
