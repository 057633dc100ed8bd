"""Tools for what happens to a work order: lines, approval, completion."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.fleet.figures import order_row, read_meter
from services_app.library.fleet.state import FleetState, LineKind, WorkOrder, service
from services_app.library.fleet.vehicles import Odometer
from services_app.library.shared import Amount, Json, check_text, same

WorkOrderId = Annotated[str, f.ref("work_orders")]
APPROVAL_FROM = 750.0


def _open(state: FleetState, work_order_id: str) -> WorkOrder:
    order = state.work_orders.get(work_order_id)
    if order.status != "open":
        raise conflict(f"{order.number} is {order.status}, not open.", type="not_open")
    return order


@service.tool(phrase="add {quantity} × {description} to the work order {work_order_id}")
def add_work_order_line(
    state: FleetState,
    ctx: CallContext,
    work_order_id: WorkOrderId,
    kind: LineKind,
    description: Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=160)],
    quantity: Annotated[float, f.count("units"), Field(gt=0, le=1000)],
    unit_cost: Amount | None = None,
) -> Json:
    """Add labour or a part to an open work order; an approval given before is void then.

    Errors: `not_found`, `not_open`, `blank_text`, `unit_cost_needed` (parts have no fixed price).

    Args:
        work_order_id: Id of the work order.
        kind: Labour or part.
        description: What it is.
        quantity: Hours or pieces.
        unit_cost: Cost of one; for labour the hourly rate of the workshop, if left out.
    """
    order = _open(state, work_order_id)
    text = check_text(description, "description")
    if unit_cost is None:
        if kind == "part":
            raise invalid("Send the cost of one piece.", type="unit_cost_needed")
        unit_cost = state.workshops.get(order.workshop_id).hourly_rate
    state.work_lines.create(
        work_order_id=work_order_id, kind=kind, description=text, quantity=quantity, unit_cost=unit_cost
    )
    return order_row(state, state.work_orders.patch(work_order_id, approver_id=None))


@service.tool(
    phrase="note that {approved_by} approved the work order {work_order_id}",
    examples=(Example({"work_order_id": "WKO-0010", "approved_by": "jana.mbeki@larkfield.example"}),),
)
def approve_work_order(state: FleetState, ctx: CallContext, work_order_id: WorkOrderId, approved_by: f.Email) -> Json:
    """Note who approved the cost of a work order; needed above 750.00.

    Errors: `not_found`, `not_open`, `no_lines`, `unknown_approver`, `approver_limit`, `already_approved`.

    Args:
        work_order_id: Id of the work order.
        approved_by: Address of the fleet approver.
    """
    order = _open(state, work_order_id)
    cost = order_row(state, order)["total_cost"]
    if not cost:
        raise conflict(f"{order.number} has no lines; use add_work_order_line.", type="no_lines")
    if order.approver_id is not None:
        raise conflict(f"{order.number} is approved already.", type="already_approved")
    row = next((row for row in state.approvers if same(row.email, approved_by)), None)
    if row is None:
        raise invalid(f"{approved_by} approves no repairs; see list_workshops.", type="unknown_approver")
    if row.limit < cost:
        raise forbidden(f"{row.name} may approve up to {row.limit:.2f}, not {cost:.2f}.", type="approver_limit")
    return order_row(state, state.work_orders.patch(work_order_id, approver_id=row.id))


@service.tool(phrase="complete the work order {work_order_id}")
def complete_work_order(
    state: FleetState, ctx: CallContext, work_order_id: WorkOrderId, odometer: Odometer | None = None
) -> Json:
    """Complete a work order: its issue is resolved and its service starts anew. The vehicle's status stays.

    Errors: `not_found`, `not_open`, `no_lines`, `approval_needed` (it costs more than 750.00), `odometer_needed` (for
    a service), `odometer_too_low`, `implausible_odometer`.

    Args:
        work_order_id: Id of the work order.
        odometer: What the odometer showed at the workshop.
    """
    order = _open(state, work_order_id)
    cost = order_row(state, order)["total_cost"]
    if not cost:
        raise conflict(f"{order.number} has no lines; use add_work_order_line.", type="no_lines")
    if cost > APPROVAL_FROM and order.approver_id is None:
        raise forbidden(f"{order.number} costs {cost:.2f}; use approve_work_order.", type="approval_needed")
    if order.plan_id is not None and odometer is None:
        raise invalid("A service needs the odometer reading.", type="odometer_needed")
    if odometer is not None:
        read_meter(state, order.vehicle_id, odometer, ctx.today, "work_order")
    if order.plan_id is not None:
        state.plans.patch(order.plan_id, last_odometer=odometer, last_on=ctx.today)
    if order.issue_id is not None:
        state.issues.patch(order.issue_id, status="resolved", resolution=f"Work order {order.number}")
    return order_row(state, state.work_orders.patch(work_order_id, status="completed", completed_on=ctx.today))
