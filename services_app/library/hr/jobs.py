"""Tools for jobs, pay and the end of employment."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.hr.people import DepartmentName, EmployeeId
from services_app.library.hr.records import (
    by_email,
    department_by_name,
    described,
    employed,
    job_of,
    pay_of,
    reports_of,
)
from services_app.library.hr.state import Employee, HrState, Pay, service
from services_app.library.shared import (
    Body,
    Json,
    Name,
    check_date,
    check_text,
    days_between,
    newest_first,
    same,
    with_fields,
)

RAISE_LIMIT = 8.0  # percent that needs no approval
RAISE_PAUSE = 180  # days between two changes of pay


def is_head(state: HrState, employee_id: str) -> bool:
    return state.departments.first(head_id=employee_id) is not None


@service.tool(phrase="make employee {employee_id} a {title}")
def change_job(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId,
    title: Name,
    effective_date: f.Date,
    department: DepartmentName | None = None,
    manager_email: f.Email | None = None,
    reason: f.Text = "",
) -> Json:
    """Record a new job for an employee from a day on: title, department or manager.

    Errors: `not_found` (employee or department), `employee_left`, `unknown_manager`, `own_manager`,
    `reporting_loop` (the manager reports to this employee), `same_job`, `out_of_order` (there is a later job record,
    or the day is before the first one), `invalid_date`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        title: Job title.
        effective_date: First day in the new job.
        department: Name of the new department; it stays the same when left out.
        manager_email: Address of the new manager; it stays the same when left out.
        reason: Why, such as promotion or reorganisation.
    """
    employee = employed(state, ctx, employee_id)
    day = check_date(effective_date)
    current = job_of(state, employee_id, "9999-12-31")
    if day <= current.effective_on:
        raise conflict(
            f"The job record {current.id} is of {current.effective_on}; use a later day.", type="out_of_order"
        )
    place = department_by_name(state, department).id if department else current.department_id
    manager = _new_manager(state, ctx, employee, manager_email) if manager_email else current.manager_id
    title = check_text(title, "title")
    if (place, manager) == (current.department_id, current.manager_id) and same(title, current.title):
        raise conflict(f"{employee.name} has this job already.", type="same_job")
    job = state.jobs.create(
        employee_id=employee_id, effective_on=day, title=title, department_id=place, manager_id=manager, reason=reason
    )
    return with_fields(job, employee_name=employee.name, department=state.departments.get(place).name)


def _new_manager(state: HrState, ctx: CallContext, employee: Employee, email: str) -> str:
    manager = employed(state, ctx, by_email(state, email, "manager").id)
    if manager.id == employee.id:
        raise invalid("Nobody is their own manager.", type="own_manager")
    above = job_of(state, manager.id, ctx.today).manager_id
    while above is not None:
        if above == employee.id:
            raise conflict(f"{manager.name} reports to {employee.name}.", type="reporting_loop")
        above = job_of(state, above, ctx.today).manager_id
    return manager.id


@service.tool()
def list_employment_history(state: HrState, ctx: CallContext, employee_id: EmployeeId) -> Json:
    """Show all jobs and pay of an employee, newest first, with the pay band of the present title.

    The pay of heads of department is confidential and left out. Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
    """
    employee = state.employees.get(employee_id)
    jobs = newest_first(state.jobs.find(employee_id=employee_id), "effective_on")
    hidden = is_head(state, employee_id)
    pay = newest_first(state.pay.find(employee_id=employee_id), "effective_on")
    names = {row.id: row.name for row in state.departments}
    now = job_of(state, employee_id, ctx.today)
    bands = state.bands.find(title=now.title, currency=_currency(employee))
    return {
        "employee_id": employee.id,
        "employee_name": employee.name,
        "jobs": [with_fields(row, department=names.get(row.department_id)) for row in jobs],
        "pay_confidential": hidden,
        "pay": [] if hidden else pay,
        "band": bands[0] if bands and not hidden else None,
    }


def _currency(employee: Employee) -> str:
    return "GBP" if employee.location == "London" else "EUR"


@service.tool(phrase="set the yearly pay of employee {employee_id} to {annual_salary}")
def change_compensation(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId,
    annual_salary: Annotated[float, f.Semantic("money"), Field(gt=0, le=1_000_000)],
    effective_date: f.Date,
    reason: Body,
    approved_by: f.Email | None = None,
) -> Pay:
    """Record new yearly pay for an employee, in the currency of the office, from a day on.

    A change of more than 8 % needs the approval of a head of department. Errors: `not_found`, `employee_left`,
    `pay_confidential` (heads of department), `outside_band` (of the title on that day), `too_soon` (180 days between
    changes), `approval_needed`, `not_an_approver`, `invalid_date`, `before_hire`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        annual_salary: Gross pay for a year.
        effective_date: First day of the new pay.
        reason: Why.
        approved_by: Address of the head of department who approved it.
    """
    employee = employed(state, ctx, employee_id)
    if is_head(state, employee_id):
        raise forbidden("The pay of heads of department is set by the board.", type="pay_confidential")
    day, last = check_date(effective_date), pay_of(state, employee_id)
    if day < employee.hired_on:
        raise invalid(f"{employee.name} starts on {employee.hired_on}.", type="before_hire")
    _must_fit(state, employee, annual_salary, day)
    if last is not None:
        if days_between(last.effective_on, day) < RAISE_PAUSE:
            raise conflict(f"The last change was on {last.effective_on}; wait 180 days.", type="too_soon")
        if abs(annual_salary / last.annual_salary - 1) * 100 > RAISE_LIMIT and approved_by is None:
            raise conflict("A change of more than 8 % needs approved_by.", type="approval_needed")
    if approved_by is not None and not is_head(state, by_approver(state, approved_by)):
        raise forbidden(f"{approved_by} is not a head of department.", type="not_an_approver")
    return state.pay.create(
        employee_id=employee_id,
        effective_on=day,
        annual_salary=annual_salary,
        currency=_currency(employee),
        reason=check_text(reason, "reason"),
        approved_by=approved_by,
    )


def by_approver(state: HrState, email: str) -> str:
    """Id of the employee with this address, or "" when there is none: such a one approves nothing."""
    return next((row.id for row in state.employees if same(row.email, email)), "")


def _must_fit(state: HrState, employee: Employee, salary: float, day: str) -> None:
    title = job_of(state, employee.id, day).title
    band = state.bands.first(title=title, currency=_currency(employee))
    if band is not None and not band.low <= salary <= band.high:
        raise conflict(
            f"The band of {title} is {band.low:.2f} to {band.high:.2f} {band.currency}.", type="outside_band"
        )


@service.tool(phrase="end the employment of employee {employee_id} on {last_day}")
def terminate_employee(
    state: HrState, ctx: CallContext, employee_id: EmployeeId, last_day: f.Date, reason: Body
) -> Json:
    """Record the last day of an employee; leave that is requested or booked after it is cancelled.

    Open goals are dropped. Errors: `not_found`, `employee_left`, `has_reports` (give them another manager with
    change_job first), `invalid_date`, `in_the_past`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        last_day: Last day of employment.
        reason: Resignation, end of contract or another reason.
    """
    employee, day = employed(state, ctx, employee_id), check_date(last_day)
    if day < max(ctx.today, employee.hired_on):
        raise invalid(f"The last day {day} is over or before the first day.", type="in_the_past")
    reports = reports_of(state, employee_id, day)
    if reports or is_head(state, employee_id):
        raise conflict(f"{len(reports)} people report to {employee.name}; change their manager.", type="has_reports")
    cancelled = [
        state.leave_requests.patch(row.id, status="cancelled", decision_note="Employment ends").id
        for row in state.leave_requests.find(employee_id=employee_id)
        if row.status in ("requested", "approved") and row.end_on > day
    ]
    for goal in state.goals.find(employee_id=employee_id, status="open"):
        state.goals.patch(goal.id, status="dropped")
    changed = state.employees.patch(employee_id, ended_on=day, end_reason=check_text(reason, "reason"))
    return {**described(state, ctx, changed), "cancelled_leave": cancelled}
