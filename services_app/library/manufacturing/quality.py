"""Tools for quality: measured values, and what does not conform."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.manufacturing.orders import OrderId
from services_app.library.manufacturing.plant import in_status
from services_app.library.manufacturing.state import (
    Disposition,
    ManufacturingState,
    Nonconformance,
    QualityCheck,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    next_number,
    same,
    search,
    with_fields,
    within,
)

PlanId = Annotated[str, f.ref("quality_plans")]
NcrId = Annotated[str, f.ref("nonconformances")]


def _check(state: ManufacturingState, row: QualityCheck) -> Json:
    plan = state.quality_plans.get(row.plan_id)
    return with_fields(
        row,
        order_number=state.orders.get(row.order_id).number,
        characteristic=plan.name,
        unit=plan.unit,
        low=plan.low,
        high=plan.high,
        passed=plan.low <= row.value <= plan.high,
    )


def _ncr(state: ManufacturingState, row: Nonconformance) -> Json:
    order = state.orders.get(row.order_id)
    return with_fields(row, order_number=order.number, product=state.items.get(order.product_id).name)


@service.tool()
def list_quality_checks(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    order_id: OrderId | None = None,
    passed: bool | None = None,
    checked_from: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List quality checks, the latest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the order number or the characteristic.
        order_id: Only checks of this order.
        passed: Only checks within the limits, or only the others.
        checked_from: Only checks on this day or later.
        limit: At most so many checks.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.quality_checks, order_id=order_id), "checked_at", checked_from, None)
    found = newest_first(found, "checked_at")
    rows = [_check(state, row) for row in found]
    rows = search(rows, query, lambda row: (row["order_number"], row["characteristic"]))
    return cursor_page("quality_checks", [row for row in rows if passed in (None, row["passed"])], limit, cursor)


@service.tool(phrase="record {value} for the characteristic {plan_id} of the order {order_id}")
def record_quality_check(
    state: ManufacturingState,
    ctx: CallContext,
    order_id: OrderId,
    plan_id: PlanId,
    value: Annotated[float, f.count("measure"), Field(ge=-1000, le=100_000)],
    units_affected: Annotated[int, f.count("units"), Field(ge=1, le=10_000)] = 1,
) -> Json:
    """Record a measured value of an order in progress; one outside the limits opens a nonconformance.

    Errors: `not_found`, `wrong_status`, `wrong_product` (the characteristic is one of another product), `too_many`.

    Args:
        order_id: Id of the manufacturing order.
        plan_id: Id of the quality characteristic, from get_bill_of_materials.
        value: What was measured.
        units_affected: How many units are concerned, if the value is outside the limits.
    """
    order, plan = in_status(state, order_id, "in_progress"), state.quality_plans.get(plan_id)
    if plan.product_id != order.product_id:
        raise invalid(f"{plan.name} is not measured for {order.number}; choose another.", type="wrong_product")
    _units(state, order_id, units_affected)
    row = _check(
        state, state.quality_checks.create(order_id=order_id, plan_id=plan_id, value=value, checked_at=ctx.now)
    )
    if row["passed"]:
        return {"quality_check": row, "nonconformance": None}
    text = f"{plan.name}: {value:g} {plan.unit} measured, {plan.low:g} to {plan.high:g} allowed."
    return {"quality_check": row, "nonconformance": _open(state, ctx, order_id, units_affected, text)}


def _units(state: ManufacturingState, order_id: str, units: int) -> None:
    order = state.orders.get(order_id)
    if units > order.quantity:
        raise invalid(f"{order.number} has {order.quantity} units; send no more.", type="too_many")


def _open(state: ManufacturingState, ctx: CallContext, order_id: str, units: int, text: str) -> Json:
    row = state.nonconformances.create(
        number=next_number((other.number for other in state.nonconformances), "NC-", first=201),
        order_id=order_id,
        units=units,
        description=text,
        disposition="open",
        reported_on=ctx.today,
    )
    return _ncr(state, row)


@service.tool(phrase="report {units} units of the order {order_id} that do not conform")
def report_nonconformance(
    state: ManufacturingState,
    ctx: CallContext,
    order_id: OrderId,
    units: Annotated[int, f.count("units"), Field(ge=1, le=10_000)],
    description: Body,
) -> Json:
    """Report units of an order in progress that do not conform; the order cannot be finished before a decision.

    Errors: `not_found`, `wrong_status`, `too_many`, `blank_text`.

    Args:
        order_id: Id of the manufacturing order.
        units: How many units are concerned.
        description: What is wrong with them.
    """
    in_status(state, order_id, "in_progress")
    _units(state, order_id, units)
    return _open(state, ctx, order_id, units, check_text(description, "description"))


@service.tool(phrase="decide {disposition} on the nonconformance {nonconformance_id}")
def disposition_nonconformance(
    state: ManufacturingState,
    ctx: CallContext,
    nonconformance_id: NcrId,
    disposition: Annotated[Literal["rework", "scrap", "use_as_is"], LABEL],
    decided_by: f.Email,
) -> Json:
    """Decide what happens to units that do not conform; use as is can only be decided by a quality engineer.

    Errors: `not_found`, `already_decided`, `unknown_person`, `not_allowed` (operators decide nothing, inspectors
    not use_as_is).

    Args:
        nonconformance_id: Id of the nonconformance.
        disposition: Rework, scrap or use as is.
        decided_by: Address of the inspector or quality engineer who decided.
    """
    row = state.nonconformances.get(nonconformance_id)
    if row.disposition != "open":
        raise conflict(f"{row.number} is decided: {row.disposition}.", type="already_decided")
    person = next((one for one in state.operators if same(one.email, decided_by)), None)
    if person is None:
        raise invalid(f"{decided_by} is not of the plant; see list_operators.", type="unknown_person")
    if person.role == "operator" or (disposition == "use_as_is" and person.role != "quality_engineer"):
        raise forbidden(f"{person.name} may not decide this; ask a quality engineer.", type="not_allowed")
    changes = {"disposition": disposition, "decided_by": person.email}
    return _ncr(state, state.nonconformances.patch(nonconformance_id, **changes))


@service.tool()
def list_nonconformances(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    order_id: OrderId | None = None,
    disposition: Disposition | None = None,
    reported_from: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List nonconformances, the latest first.

    Errors: `invalid_date`.

    Args:
        query: Words in the number, order number, product or description.
        order_id: Only those of this order.
        disposition: Only those with this decision; open ones wait for one.
        reported_from: Only those reported on this day or later.
        limit: At most so many.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.nonconformances, order_id=order_id, disposition=disposition)
    found = within(found, "reported_on", reported_from, None)
    found = newest_first(found, "reported_on")
    names = ("number", "order_number", "product", "description")
    rows = search([_ncr(state, row) for row in found], query, lambda row: [row[name] for name in names])
    return cursor_page("nonconformances", rows, limit, cursor)
