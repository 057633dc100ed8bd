"""Tools for service reminders and opening work orders."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fleet.figures import order_row, reminder
from services_app.library.fleet.inspections import IssueId, Summary
from services_app.library.fleet.state import FleetState, Site, WorkStatus, service
from services_app.library.fleet.vehicles import VehicleId
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    next_number,
    search,
    total,
)

WorkshopId = Annotated[str, f.ref("workshops")]
PlanId = Annotated[str, f.ref("plans")]
DueStatus = Annotated[Literal["overdue", "due_soon", "ok"], LABEL]


@service.tool()
def list_service_reminders(
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    due_status: DueStatus | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List services that vehicles need again, the most urgent day first, with days and kilometres left.

    Args:
        query: Words in the task, registration or model.
        vehicle_id: Only reminders of this vehicle.
        due_status: Only what is overdue, due soon (21 days or 1,000 km) or neither.
        limit: At most so many reminders.
        cursor: next_cursor of the previous page.
    """
    rows = [reminder(state, row, ctx.today) for row in keep(state.plans, vehicle_id=vehicle_id)]
    rows = search(rows, query, lambda row: (row["task"], row["plate"], row["model"]))
    rows = [row for row in rows if due_status in (None, row["due_status"])]
    rows.sort(key=lambda row: (row["due_on"], row["id"]))
    return cursor_page("service_reminders", rows, limit, cursor)


@service.tool()
def list_workshops(state: FleetState, ctx: CallContext, query: Query | None = None, site: Site | None = None) -> Json:
    """List the workshops we use with their hourly rates, and the fleet approvers with their limits.

    Args:
        query: Words in the workshop's name or e-mail address.
        site: Only workshops near this site.
    """
    found = keep(search(state.workshops, query, lambda row: (row.name, row.email)), site=site)
    return {"workshops": found, "total": len(found), "fleet_approvers": list(state.approvers)}


@service.tool()
def list_work_orders(
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    workshop_id: WorkshopId | None = None,
    status: WorkStatus | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """List work orders with their lines, the latest first, with the cost of all that match.

    Args:
        query: Words in the number, title, registration, workshop or the descriptions of lines.
        vehicle_id: Only orders for this vehicle.
        workshop_id: Only orders at this workshop.
        status: Only orders in this status.
        limit: At most so many orders.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.work_orders, vehicle_id=vehicle_id, workshop_id=workshop_id, status=status)
    found = newest_first(found, "opened_on")
    names = ("number", "title", "plate", "workshop_name")
    rows = search(
        [order_row(state, row) for row in found],
        query,
        lambda row: [row[name] for name in names] + [line["description"] for line in row["lines"]],
    )
    return {**cursor_page("work_orders", rows, limit, cursor), "cost": total(row["total_cost"] for row in rows)}


_WORK = {"vehicle_id": "VEH-0002", "workshop_id": "WSH-0003", "title": "Brakes", "issue_id": "VIS-0002"}


@service.tool(
    phrase="open a work order for {vehicle_id} at {workshop_id}: {title}",
    examples=(Example({**_WORK, "plan_id": "SPL-0005"}),),
)
def create_work_order(
    state: FleetState,
    ctx: CallContext,
    vehicle_id: VehicleId,
    workshop_id: WorkshopId,
    title: Summary,
    issue_id: IssueId | None = None,
    plan_id: PlanId | None = None,
) -> Json:
    """Open a work order at a workshop, for an issue, a service that is due, or something else.

    Errors: `not_found`, `blank_text`, `sold`, `wrong_vehicle` (issue or reminder of another vehicle),
    `already_resolved`, `already_ordered` (an open order deals with the issue or the reminder).

    Args:
        vehicle_id: Id of the vehicle.
        workshop_id: Id of the workshop.
        title: What is to be done.
        issue_id: Id of the issue that it resolves.
        plan_id: Id of the service reminder that it fulfils.
    """
    vehicle = state.vehicles.get(vehicle_id)
    state.workshops.get(workshop_id)
    text = check_text(title, "title")
    if vehicle.status == "sold":
        raise conflict(f"{vehicle.plate} is sold.", type="sold")
    reasons = [state.issues.get(issue_id)] if issue_id else []
    plans = [state.plans.get(plan_id)] if plan_id else []
    if any(other != vehicle_id for other in [row.vehicle_id for row in reasons] + [row.vehicle_id for row in plans]):
        raise invalid(f"The issue or reminder is not of {vehicle.plate}; send one that is.", type="wrong_vehicle")
    if any(row.status == "resolved" for row in reasons):
        raise conflict(f"{reasons[0].number} is resolved already.", type="already_resolved")
    for name, value in (("issue_id", issue_id), ("plan_id", plan_id)):
        old = state.work_orders.first(**{name: value, "status": "open"}) if value else None
        if old is not None:
            raise conflict(f"{old.number} deals with it already.", type="already_ordered")
    order = state.work_orders.create(
        number=next_number((row.number for row in state.work_orders), "WO-", first=3101),
        vehicle_id=vehicle_id,
        workshop_id=workshop_id,
        title=text,
        issue_id=issue_id,
        plan_id=plan_id,
        status="open",
        opened_on=ctx.today,
    )
    return order_row(state, order)
