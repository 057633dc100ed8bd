"""Tools to look at work centres and operations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.manufacturing.orders import OrderId
from services_app.library.manufacturing.plant import center_row, operation_row
from services_app.library.manufacturing.state import ManufacturingState, OperationStatus, service
from services_app.library.shared import Cursor, Json, Limit, Query, cursor_page, keep, plus_days, search

CenterId = Annotated[str, f.ref("work_centers")]


@service.tool()
def list_work_centers(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    down: bool | None = None,
    days_ahead: Annotated[int, f.duration("days"), Field(ge=0, le=90)] = 7,
) -> Json:
    """List work centres with what runs there and the hours still to be worked for orders due in the next days.

    Args:
        query: Words in the code, name or reason of a breakdown.
        down: Only work centres that are down, or only the others.
        days_ahead: Orders due within so many days count towards the load.
    """
    last = plus_days(ctx.today, days_ahead)
    found = keep(search(state.work_centers, query, lambda row: (row.code, row.name, row.down_reason)), down=down)
    rows = [center_row(state, row, last) for row in found]
    return {"work_centers": rows, "total": len(rows)}


@service.tool(phrase="report the work centre {work_center_id} as down or up again")
def set_work_center_status(
    state: ManufacturingState,
    ctx: CallContext,
    work_center_id: CenterId,
    down: bool,
    reason: Annotated[str, f.Semantic("text"), Field(max_length=300)] = "",
) -> Json:
    """Report a breakdown of a work centre, or that it works again; nothing starts there while it is down.

    Errors: `not_found`, `no_change`, `reason_needed` (for a breakdown).

    Args:
        work_center_id: Id of the work centre.
        down: True for a breakdown, false when it works again.
        reason: What is broken.
    """
    center = state.work_centers.get(work_center_id)
    if center.down == down:
        raise conflict(f"{center.name} is {'down' if down else 'up'} already.", type="no_change")
    if down and not reason.strip():
        raise invalid("Say what is broken.", type="reason_needed")
    changed = state.work_centers.patch(work_center_id, down=down, down_reason=reason if down else "")
    return center_row(state, changed, plus_days(ctx.today, 7))


@service.tool()
def list_operations(
    state: ManufacturingState,
    ctx: CallContext,
    query: Query | None = None,
    order_id: OrderId | None = None,
    work_center_id: CenterId | None = None,
    status: OperationStatus | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List operations of released and started orders, those of the order due first at the top.

    Args:
        query: Words in the order number, product, operation, work centre, operator or scrap reason.
        order_id: Only operations of this order, whatever its status.
        work_center_id: Only operations at this work centre.
        status: Only operations in this status.
        limit: At most so many operations.
        cursor: next_cursor of the previous page.
    """
    centers = {row.id: row.work_center_id for row in state.routing_steps}
    orders = {row.id: row for row in state.orders}
    found = [
        row
        for row in keep(state.operations, order_id=order_id, status=status)
        if work_center_id in (None, centers[row.step_id])
        and (order_id is not None or orders[row.order_id].status in ("released", "in_progress"))
    ]
    rows = [operation_row(state, row) for row in found]
    names = ("order_number", "product", "name", "work_center", "scrap_reason")
    rows = search(rows, query, lambda row: [row["operator"] or "", *(row[name] for name in names)])
    rows.sort(key=lambda row: (orders[row["order_id"]].due_on, row["order_number"], row["sequence"]))
    return cursor_page("operations", rows, limit, cursor)


@service.tool()
def list_operators(state: ManufacturingState, ctx: CallContext, query: Query | None = None) -> Json:
    """List the people of the plant: operators, inspectors and quality engineers.

    Args:
        query: Words in the name, e-mail address or role.
    """
    found = search(state.operators, query, lambda row: (row.name, row.email, row.role.replace("_", " ")))
    return {"operators": found, "total": len(found)}
