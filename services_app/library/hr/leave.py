"""Tools for leave: what there is, what is left, asking, deciding, and who is away."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.hr.people import DepartmentName, EmployeeId
from services_app.library.hr.records import (
    balance,
    days_of,
    department_by_name,
    employed,
    job_of,
    leave_shown,
    status_of,
    working_days,
)
from services_app.library.hr.state import Employee, HrState, LeaveRequest, LeaveStatus, LeaveType, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    check_date,
    check_range,
    check_text,
    cursor_page,
    days_between,
    keep,
    same,
    with_fields,
)

RequestId = Annotated[str, f.ref("leave_requests")]
TypeName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
Year = Annotated[int, Field(ge=2020, le=2035)]
OUT_AT_ONCE = 0.5  # share of a department that may be away on the same day


def kind_by_name(state: HrState, name: str) -> LeaveType:
    """The leave type with this name or id; 404 otherwise."""
    return next((row for row in state.leave_types if same(row.name, name)), None) or state.leave_types.get(name)


@service.tool()
def get_leave_balance(state: HrState, ctx: CallContext, employee_id: EmployeeId, year: Year | None = None) -> Json:
    """Show for each kind of leave what an employee is allowed, has taken, booked and requested, and has left.

    Each row also says how many days ahead that leave is requested, and the longest request in working days.
    Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
        year: Calendar year; this year when left out.
    """
    employee = state.employees.get(employee_id)
    wanted = int(ctx.today[:4]) if year is None else year
    rows = [balance(state, ctx, employee, kind, wanted) for kind in state.leave_types]
    return {"employee_id": employee.id, "employee_name": employee.name, "balances": rows}


@service.tool(phrase="request {leave_type} for employee {employee_id} from {start_date} to {end_date}")
def request_leave(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId,
    leave_type: TypeName,
    start_date: f.Date,
    end_date: f.Date,
    half_day: bool = False,
    note: f.Text = "",
) -> Json:
    """Request leave for an employee. Weekends and public holidays in between do not count.

    Errors: `not_found` (employee or leave type), `employee_left`, `invalid_date`, `invalid_range`, `before_hire`,
    `short_notice`, `no_working_days`, `too_long`, `overlapping_leave`, `insufficient_balance`, `half_day_is_one_day`.

    Args:
        employee_id: Id of the employee.
        leave_type: Name of the kind of leave.
        start_date: First day away.
        end_date: Last day away.
        half_day: Only half of a single day.
        note: What the manager should know.
    """
    employee, kind = employed(state, ctx, employee_id), kind_by_name(state, leave_type)
    check_range(start_date, end_date)
    _check_days(state, ctx, employee, kind, start_date, end_date)
    if half_day and start_date != end_date:
        raise invalid("A half day starts and ends on the same date.", type="half_day_is_one_day")
    request = state.leave_requests.create(
        employee_id=employee_id,
        leave_type_id=kind.id,
        start_on=start_date,
        end_on=end_date,
        half_day=half_day,
        status="requested",
        note=note,
        requested_at=ctx.now,
    )
    for year in {int(start_date[:4]), int(end_date[:4])}:
        left = balance(state, ctx, employee, kind, year)["available"]
        if left is not None and left < 0 and days_of(state, request, year):
            raise conflict(
                f"That is {-left} days more of {kind.name} than are left in {year}.", type="insufficient_balance"
            )
    return leave_shown(state, request)


def _check_days(state: HrState, ctx: CallContext, employee: Employee, kind: LeaveType, first: str, last: str) -> None:
    if first < employee.hired_on:
        raise invalid(f"{employee.name} starts on {employee.hired_on}.", type="before_hire")
    if kind.notice and days_between(ctx.today, first) < kind.notice:
        raise conflict(f"{kind.name} is requested {kind.notice} days ahead.", type="short_notice")
    days = working_days(state, employee.location, first, min(last, f"{int(first[:4]) + 2}-01-01"))
    if not days:
        raise invalid("There is no working day in this range.", type="no_working_days")
    if len(days) > kind.longest:
        raise conflict(f"{kind.name} is at most {kind.longest} working days at a time.", type="too_long")
    for row in state.leave_requests.find(employee_id=employee.id):
        if row.status in ("requested", "approved") and row.start_on <= last and first <= row.end_on:
            raise conflict(f"{row.id} covers {row.start_on} to {row.end_on} already.", type="overlapping_leave")


@service.tool()
def list_leave_requests(
    state: HrState,
    ctx: CallContext,
    status: LeaveStatus | None = None,
    employee_id: EmployeeId | None = None,
    starts_after: f.Date | None = None,
    leave_type: TypeName | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List leave requests with their working days, by first day.

    Errors: `not_found` for an unknown leave type, `invalid_date`.

    Args:
        status: Only requests in this status.
        employee_id: Only requests of this employee.
        starts_after: Only leave that starts on this day or later.
        leave_type: Only this kind of leave.
        limit: At most so many requests.
        cursor: next_cursor of the previous page.
    """
    kind = kind_by_name(state, leave_type).id if leave_type else None
    first = check_date(starts_after) if starts_after else ""
    found = keep(state.leave_requests, status=status, employee_id=employee_id, leave_type_id=kind)
    found = sorted((row for row in found if row.start_on >= first), key=lambda row: (row.start_on, row.id))
    page = cursor_page("requests", found, limit, cursor)
    page["requests"] = [leave_shown(state, row) for row in page["requests"]]
    return page


def _waiting(state: HrState, leave_request_id: str) -> LeaveRequest:
    """A request that waits for a decision of ours; 409 `already_decided` or 403 `own_request` otherwise."""
    request = state.leave_requests.get(leave_request_id)
    if request.status != "requested":
        raise conflict(f"{leave_request_id} is {request.status} already.", type="already_decided")
    if same(state.employees.get(request.employee_id).email, ME.email):
        raise forbidden("Your own leave is decided by your manager.", type="own_request")
    return request


@service.tool(phrase="approve the leave request {leave_request_id}")
def approve_leave(state: HrState, ctx: CallContext, leave_request_id: RequestId, comment: f.Text = "") -> Json:
    """Approve a leave request, unless more than half of the department would be away on one of its days.

    Errors: `not_found`, `already_decided`, `own_request`, `department_short`.

    Args:
        leave_request_id: Id of the request.
        comment: What the employee is told.
    """
    request = _waiting(state, leave_request_id)
    if state.leave_types.get(request.leave_type_id).notice:  # illness cannot be refused for lack of people
        _must_be_covered(state, ctx, request)
    changed = state.leave_requests.patch(
        leave_request_id, status="approved", decided_by=ME.email, decision_note=comment
    )
    return leave_shown(state, changed)


def _must_be_covered(state: HrState, ctx: CallContext, request: LeaveRequest) -> None:
    place = job_of(state, request.employee_id, request.start_on).department_id
    team = {
        row.id
        for row in state.employees
        if status_of(row, request.start_on) == "active" and job_of(state, row.id, ctx.today).department_id == place
    }
    location = state.employees.get(request.employee_id).location
    away = [row for row in state.leave_requests.find(status="approved") if row.employee_id in team]
    for day in working_days(state, location, request.start_on, request.end_on):
        out = {row.employee_id for row in away if row.start_on <= day <= row.end_on} | {request.employee_id}
        if len(out) > max(1.0, len(team) * OUT_AT_ONCE):
            name = state.departments.get(place).name
            raise conflict(f"On {day} {len(out)} of {len(team)} in {name} would be away.", type="department_short")


@service.tool(phrase="decline the leave request {leave_request_id}")
def decline_leave(state: HrState, ctx: CallContext, leave_request_id: RequestId, reason: Body) -> Json:
    """Decline a leave request with a reason that the employee reads.

    Errors: `not_found`, `already_decided`, `own_request`, `blank_text`.

    Args:
        leave_request_id: Id of the request.
        reason: Why it cannot be granted.
    """
    _waiting(state, leave_request_id)
    text = check_text(reason, "reason")
    changed = state.leave_requests.patch(leave_request_id, status="declined", decided_by=ME.email, decision_note=text)
    return leave_shown(state, changed)


@service.tool(phrase="cancel the leave {leave_request_id}")
def cancel_leave(state: HrState, ctx: CallContext, leave_request_id: RequestId) -> Json:
    """Cancel leave that is requested, or approved and not begun; its days become available again.

    Errors: `not_found`, `not_active`, `already_begun`.

    Args:
        leave_request_id: Id of the request.
    """
    request = state.leave_requests.get(leave_request_id)
    if request.status not in ("requested", "approved"):
        raise conflict(f"{leave_request_id} is {request.status}.", type="not_active")
    if request.status == "approved" and request.start_on <= ctx.today:
        raise conflict(f"The leave began on {request.start_on}; adjust the balance instead.", type="already_begun")
    return leave_shown(state, state.leave_requests.patch(leave_request_id, status="cancelled"))


@service.tool(phrase="adjust the {leave_type} of employee {employee_id} by {days} days")
def adjust_leave_balance(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId,
    leave_type: TypeName,
    days: Annotated[float, f.duration("days"), Field(ge=-30, le=30, multiple_of=0.5)],
    reason: Body,
    year: Year | None = None,
) -> Json:
    """Add days to the balance of an employee, or take some away (negative), for instance carried-over days.

    Errors: `not_found` (employee or leave type), `unlimited_type`, `nothing_to_change` (0 days),
    `insufficient_balance` (it would become negative), `blank_text`.

    Args:
        employee_id: Id of the employee.
        leave_type: Name of the kind of leave.
        days: Days to add, in halves; negative to take away.
        reason: Why.
        year: Calendar year; this year when left out.
    """
    employee, kind = state.employees.get(employee_id), kind_by_name(state, leave_type)
    wanted = int(ctx.today[:4]) if year is None else year
    if kind.days_per_year is None:
        raise conflict(f"{kind.name} has no balance.", type="unlimited_type")
    if days == 0:
        raise invalid("Send a number of days other than 0.", type="nothing_to_change")
    left = balance(state, ctx, employee, kind, wanted)["available"]
    if days < 0 and left + days < 0:
        raise conflict(f"Only {left} days of {kind.name} are left.", type="insufficient_balance")
    row = state.adjustments.create(
        employee_id=employee_id,
        leave_type_id=kind.id,
        year=wanted,
        days=days,
        reason=check_text(reason, "reason"),
        made_on=ctx.today,
    )
    return with_fields(row, leave_type=kind.name, available=left + days)


@service.tool()
def get_whos_out(
    state: HrState,
    ctx: CallContext,
    start_date: f.Date,
    end_date: f.Date,
    department: DepartmentName | None = None,
) -> Json:
    """Show who is on approved leave in a range of days, and the public holidays in it.

    Errors: `not_found` for an unknown department, `invalid_date`, `invalid_range`.

    Args:
        start_date: First day.
        end_date: Last day.
        department: Only people of the department of this name.
    """
    check_range(start_date, end_date)
    place = department_by_name(state, department).id if department else None
    found = [
        leave_shown(state, row)
        for row in state.leave_requests.find(status="approved")
        if row.start_on <= end_date
        and start_date <= row.end_on
        and (place is None or job_of(state, row.employee_id, ctx.today).department_id == place)
    ]
    found.sort(key=lambda row: (row["start_on"], row["id"]))
    holidays = [row for row in state.holidays if start_date <= row.date <= end_date]
    return {"out": found[:60], "people": len({row["employee_id"] for row in found}), "holidays": holidays}
