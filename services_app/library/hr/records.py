"""What follows from the histories: who does what today, who reports to whom, how long leave is, what is left of it."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, invalid, not_found
from services_app.library.hr.state import Department, Employee, HrState, Job, LeaveRequest, LeaveType, Pay
from services_app.library.shared import Json, days_between, is_weekend, plus_days, same, with_fields


def status_of(employee: Employee, day: str) -> str:
    """`upcoming` before the first day, `left` after the last one, `active` between."""
    if employee.hired_on > day:
        return "upcoming"
    return "left" if employee.ended_on is not None and employee.ended_on < day else "active"


def employed(state: HrState, ctx: CallContext, employee_id: str) -> Employee:
    """An employee who has not left and is not about to; 409 `employee_left` otherwise."""
    employee = state.employees.get(employee_id)
    if employee.ended_on is not None:
        raise conflict(f"{employee.name}'s employment ends on {employee.ended_on}.", type="employee_left")
    return employee


def by_email(state: HrState, email: str, what: str) -> Employee:
    """The employee with this address; 422 `unknown_<what>` otherwise."""
    for employee in state.employees:
        if same(employee.email, email):
            return employee
    raise invalid(f"{email} is not the address of an employee; use search_employees.", type=f"unknown_{what}")


def job_of(state: HrState, employee_id: str, day: str) -> Job:
    """The job of someone on a day; the first one before they start."""
    jobs = sorted(state.jobs.find(employee_id=employee_id), key=lambda row: (row.effective_on, row.id))
    if not jobs:
        raise not_found("job record", employee_id)
    return next((job for job in reversed(jobs) if job.effective_on <= day), jobs[0])


def pay_of(state: HrState, employee_id: str) -> Pay | None:
    """The last agreed pay of someone, in force or not yet."""
    return max(state.pay.find(employee_id=employee_id), key=lambda row: (row.effective_on, row.id), default=None)


def department_by_name(state: HrState, name: str) -> Department:
    """The department with this name or id; 404 otherwise."""
    return next((row for row in state.departments if same(row.name, name)), None) or state.departments.get(name)


def reports_of(state: HrState, employee_id: str, day: str) -> list[Employee]:
    """Who reports to someone on a day, without those who have left."""
    return [
        row
        for row in state.employees
        if status_of(row, day) != "left" and job_of(state, row.id, day).manager_id == employee_id
    ]


def described(state: HrState, ctx: CallContext, employee: Employee) -> Json:
    """An employee as answers show one: fields, status, and the job of today."""
    job = job_of(state, employee.id, ctx.today)
    manager = state.employees.get(job.manager_id) if job.manager_id else None
    return with_fields(
        employee,
        status=status_of(employee, ctx.today),
        title=job.title,
        department=state.departments.get(job.department_id).name,
        manager_email=manager.email if manager else None,
    )


# Leave


def working_days(state: HrState, location: str, first: str, last: str) -> list[str]:
    """The days from first to last that are neither weekend nor a public holiday of the place."""
    free = {row.date for row in state.holidays.find(location=location)}
    days = (plus_days(first, ahead) for ahead in range(days_between(first, last) + 1))
    return [day for day in days if not is_weekend(day) and day not in free]


def days_of(state: HrState, request: LeaveRequest, year: int | None = None) -> float:
    """Working days that a request takes, of one year or altogether; half a day counts half."""
    location = state.employees.get(request.employee_id).location
    days = working_days(state, location, request.start_on, request.end_on)
    wanted = [day for day in days if year is None or day.startswith(f"{year}-")]
    return len(wanted) * (0.5 if request.half_day else 1.0)


def allowance(employee: Employee, kind: LeaveType, year: int) -> float:
    """Days of a leave type for a year: by the months employed in it, and by weekly hours, to the half day."""
    if kind.days_per_year is None:
        return 0.0
    first = max(employee.hired_on, f"{year}-01-01")
    last = min(employee.ended_on or f"{year}-12-31", f"{year}-12-31")
    months = int(last[5:7]) - int(first[5:7]) + 1 if first <= last else 0
    return round(kind.days_per_year * months / 12 * min(employee.weekly_hours, 40) / 40 * 2) / 2


def balance(state: HrState, ctx: CallContext, employee: Employee, kind: LeaveType, year: int) -> Json:
    """Allowance, adjustments, taken, booked, requested and available days of one leave type in a year."""
    requests = state.leave_requests.find(employee_id=employee.id, leave_type_id=kind.id)
    approved = [row for row in requests if row.status == "approved"]
    taken = sum(days_of(state, row, year) for row in approved if row.end_on < ctx.today)
    booked = sum(days_of(state, row, year) for row in approved if row.end_on >= ctx.today)
    asked = sum(days_of(state, row, year) for row in requests if row.status == "requested")
    moved = sum(
        row.days for row in state.adjustments.find(employee_id=employee.id, leave_type_id=kind.id) if row.year == year
    )
    given = allowance(employee, kind, year)
    return {
        "leave_type": kind.name,
        "year": year,
        "paid": kind.paid,
        "notice_days": kind.notice,
        "longest_days": kind.longest,
        "allowance": given,
        "adjustments": moved,
        "taken": taken,
        "booked": booked,
        "requested": asked,
        "available": None if kind.days_per_year is None else given + moved - taken - booked - asked,
    }


def leave_shown(state: HrState, request: LeaveRequest) -> Json:
    """A leave request with names and its length in working days."""
    employee = state.employees.get(request.employee_id)
    return with_fields(
        request,
        employee_name=employee.name,
        employee_email=employee.email,
        leave_type=state.leave_types.get(request.leave_type_id).name,
        days=days_of(state, request),
        back_on=plus_days(request.end_on, 1),
    )
