"""Tools for inspections by drivers and the issues they find."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.fleet.driving import DriverId
from services_app.library.fleet.figures import issue_row, read_meter, vehicle_row
from services_app.library.fleet.state import FleetState, Issue, IssueStatus, Result, Severity, service
from services_app.library.fleet.vehicles import Odometer, VehicleId
from services_app.library.shared import (
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
    search,
    with_fields,
    within,
)

IssueId = Annotated[str, f.ref("issues")]
Summary = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=160)]


@service.tool()
def list_inspections(  # noqa: PLR0913, PLR0917 - one per filter
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    result: Result | None = None,
    inspected_from: f.Date | None = None,
    inspected_to: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List inspections by drivers, the latest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the registration, driver's name or remark.
        vehicle_id: Only inspections of this vehicle.
        result: Only passed or only failed ones.
        inspected_from: Only inspections on this day or later.
        inspected_to: Only inspections on this day or earlier.
        limit: At most so many inspections.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.inspections, vehicle_id=vehicle_id, result=result)
    found = within(found, "inspected_on", inspected_from, inspected_to)
    found = newest_first(found, "inspected_on")
    rows = [
        with_fields(
            row,
            plate=state.vehicles.get(row.vehicle_id).plate,
            driver_name=state.drivers.get(row.driver_id).name,
        )
        for row in found
    ]
    rows = search(rows, query, lambda row: (row["plate"], row["driver_name"], row["remark"]))
    return cursor_page("inspections", rows, limit, cursor)


@service.tool(phrase="submit an inspection of {vehicle_id} by {driver_id}: {result}")
def submit_inspection(
    state: FleetState,
    ctx: CallContext,
    vehicle_id: VehicleId,
    driver_id: DriverId,
    result: Result,
    odometer: Odometer | None = None,
    remark: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
    severity: Severity = "minor",
) -> Json:
    """Submit a driver's inspection; a failed one opens an issue, a critical issue takes the vehicle off the road.

    Errors: `not_found`, `sold`, `remark_needed` (a failed inspection says what is wrong), `odometer_too_low`,
    `implausible_odometer`.

    Args:
        vehicle_id: Id of the vehicle.
        driver_id: Id of the driver who looked.
        result: Pass or fail.
        odometer: What the odometer shows.
        remark: What was seen.
        severity: How bad it is, for a failed inspection.
    """
    vehicle = state.vehicles.get(vehicle_id)
    state.drivers.get(driver_id)
    if vehicle.status == "sold":
        raise conflict(f"{vehicle.plate} is sold.", type="sold")
    if result == "fail" and not remark.strip():
        raise invalid("Write in the remark what is wrong.", type="remark_needed")
    if odometer is not None:
        read_meter(state, vehicle_id, odometer, ctx.today, "inspection")
    row = state.inspections.create(
        vehicle_id=vehicle_id, driver_id=driver_id, inspected_on=ctx.today, result=result, remark=remark
    )
    issue = _open(state, ctx, vehicle_id, severity, remark.strip()[:160]) if result == "fail" else None
    return {
        "inspection": row,
        "issue": None if issue is None else issue_row(state, issue),
        "vehicle": vehicle_row(state, state.vehicles.get(vehicle_id)),
    }


def _open(state: FleetState, ctx: CallContext, vehicle_id: str, severity: str, summary: str) -> Issue:
    if severity == "critical":
        state.vehicles.patch(vehicle_id, status="out_of_service")
    return state.issues.create(
        number=next_number((row.number for row in state.issues), "VI-", first=501),
        vehicle_id=vehicle_id,
        severity=severity,
        summary=summary,
        status="open",
        reported_on=ctx.today,
    )


@service.tool()
def list_vehicle_issues(
    state: FleetState,
    ctx: CallContext,
    query: Query | None = None,
    vehicle_id: VehicleId | None = None,
    severity: Severity | None = None,
    status: IssueStatus | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List issues of vehicles, the latest first, with the open work order that deals with each.

    Args:
        query: Words in the number, registration, summary or resolution.
        vehicle_id: Only issues of this vehicle.
        severity: Only issues this bad.
        status: Only open or only resolved issues.
        limit: At most so many issues.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.issues, vehicle_id=vehicle_id, severity=severity, status=status)
    found = newest_first(found, "reported_on")
    names = ("number", "plate", "summary", "resolution")
    rows = search([issue_row(state, row) for row in found], query, lambda row: [row[name] for name in names])
    return cursor_page("issues", rows, limit, cursor)


@service.tool(phrase="report an issue of the vehicle {vehicle_id}: {summary}")
def report_vehicle_issue(
    state: FleetState, ctx: CallContext, vehicle_id: VehicleId, summary: Summary, severity: Severity = "minor"
) -> Json:
    """Report something wrong with a vehicle; a critical issue takes it off the road at once.

    Errors: `not_found`, `sold`, `blank_text`, `duplicate_issue` (the same summary is open for this vehicle).

    Args:
        vehicle_id: Id of the vehicle.
        summary: What is wrong, in a line.
        severity: How bad it is.
    """
    vehicle = state.vehicles.get(vehicle_id)
    text = check_text(summary, "summary")
    if vehicle.status == "sold":
        raise conflict(f"{vehicle.plate} is sold.", type="sold")
    old = state.issues.first(vehicle_id=vehicle_id, status="open", summary=text)
    if old is not None:
        raise conflict(f"{old.number} says this already.", type="duplicate_issue")
    return issue_row(state, _open(state, ctx, vehicle_id, severity, text))


@service.tool(phrase="resolve the vehicle issue {issue_id}")
def resolve_vehicle_issue(state: FleetState, ctx: CallContext, issue_id: IssueId, resolution: Body) -> Json:
    """Resolve an issue that needed no workshop; major and critical ones are resolved by a work order.

    Errors: `not_found`, `already_resolved`, `work_order_needed`, `blank_text`.

    Args:
        issue_id: Id of the issue.
        resolution: What was done.
    """
    issue = state.issues.get(issue_id)
    if issue.status == "resolved":
        raise conflict(f"{issue.number} is resolved already.", type="already_resolved")
    if issue.severity != "minor":
        raise conflict(f"{issue.number} is {issue.severity}; use create_work_order.", type="work_order_needed")
    text = check_text(resolution, "resolution")
    return issue_row(state, state.issues.patch(issue_id, status="resolved", resolution=text))
