"""Tools for employees, departments, notes and policies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.hr.records import (
    balance,
    by_email,
    department_by_name,
    described,
    employed,
    job_of,
    reports_of,
    status_of,
)
from services_app.library.hr.state import Contract, Employee, HrState, Location, Note, Policy, PolicyStatus, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    days_between,
    keep,
    newest_first,
    offset_page,
    plus_days,
    same,
    search,
    some_changes,
)

EmployeeId = Annotated[str, f.ref("employees")]
DepartmentName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=80)]
PROBATION = 90


@service.tool()
def search_employees(
    state: HrState,
    ctx: CallContext,
    query: Query | None = None,
    department: DepartmentName | None = None,
    location: Location | None = None,
    include_left: bool = False,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find employees by words in the name, address, employee number or job title, by name.

    Errors: `not_found` for an unknown department.

    Args:
        query: Words that must all occur.
        department: Only people of the department of this name.
        location: Only people of this office.
        include_left: Also people who have left.
        limit: At most so many people.
        offset: Skip so many people.
    """
    wanted = department_by_name(state, department).name if department else None
    rows = [described(state, ctx, row) for row in keep(state.employees, location=location)]
    found = search(rows, query, lambda row: (row["name"], row["email"], row["number"], row["title"]))
    found = [
        row
        for row in found
        if (wanted is None or row["department"] == wanted) and (include_left or row["status"] != "left")
    ]
    found.sort(key=lambda row: (row["name"], row["id"]))
    return offset_page("employees", found, limit, offset)


@service.tool()
def get_employee(state: HrState, ctx: CallContext, employee_id: EmployeeId) -> Json:
    """Show an employee: job, manager, reports, time with us, and the days of leave left this year.

    Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
    """
    employee = state.employees.get(employee_id)
    year = int(ctx.today[:4])
    reports = [row.email for row in reports_of(state, employee_id, ctx.today)]
    left = {
        kind.name: balance(state, ctx, employee, kind, year)["available"]
        for kind in state.leave_types
        if kind.days_per_year is not None
    }
    last = min(employee.ended_on or ctx.today, ctx.today)
    return {
        **described(state, ctx, employee),
        "reports": reports,
        "days_employed": max(days_between(employee.hired_on, last), 0),
        "in_probation": employee.probation_ends_on >= ctx.today,
        "leave_available": left,
    }


@service.tool(examples=(Example({"employee_id": "EMP-0002", "levels": 2}),))
def get_org_chart(
    state: HrState, ctx: CallContext, employee_id: EmployeeId, levels: Annotated[int, Field(ge=1, le=4)] = 2
) -> Json:
    """Show the reporting line of an employee: managers up to the top, and reports below.

    Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
        levels: How many levels of reports to show.
    """
    employee = state.employees.get(employee_id)
    above: list[Json] = []
    current = job_of(state, employee_id, ctx.today).manager_id
    while current is not None and len(above) < 10:
        manager = state.employees.get(current)
        above.append(_place(state, ctx, manager))
        current = job_of(state, manager.id, ctx.today).manager_id
    return {**_place(state, ctx, employee), "managers": above, "reports": _below(state, ctx, employee_id, levels)}


def _place(state: HrState, ctx: CallContext, employee: Employee) -> Json:
    return {**brief(employee, "id", "name", "email"), "title": job_of(state, employee.id, ctx.today).title}


def _below(state: HrState, ctx: CallContext, employee_id: str, levels: int) -> list[Json]:
    if levels == 0:
        return []
    return [
        {**_place(state, ctx, row), "reports": _below(state, ctx, row.id, levels - 1)}
        for row in reports_of(state, employee_id, ctx.today)
    ]


@service.tool(phrase="add {name} to the employees")
def create_employee(  # noqa: PLR0913, PLR0917 - a new hire has that many facts
    state: HrState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)],
    email: f.Email,
    title: Name,
    manager_email: f.Email,
    start_date: f.Date,
    location: Location = "London",
    contract: Contract = "full_time",
) -> Json:
    """Add an employee, who joins the manager's department; probation ends 90 days after the first day.

    Pay is set afterwards with change_compensation. Part-time contracts start with 24 hours a week, others with 40.
    Errors: `duplicate_employee`, `unknown_manager`, `employee_left` (the manager has left), `invalid_date`,
    `too_far` (more than 180 days before or after today), `blank_text`.

    Args:
        name: Full name.
        email: Work address; each belongs to one person.
        title: Job title.
        manager_email: Address of the manager.
        start_date: First day.
        location: Office.
        contract: Kind of contract.
    """
    if any(same(row.email, email) for row in state.employees):
        raise conflict(f"{email} belongs to an employee already.", type="duplicate_employee")
    manager = employed(state, ctx, by_email(state, manager_email, "manager").id)
    start = check_date(start_date)
    if abs(days_between(ctx.today, start)) > 180:
        raise invalid("The first day must be within 180 days of today.", type="too_far")
    last = max((int(row.number[3:]) for row in state.employees if row.number[3:].isdigit()), default=1000)
    employee = state.employees.create(
        number=f"LK-{last + 1}",
        name=check_text(name, "name"),
        email=email,
        phone="",
        location=location,
        contract=contract,
        weekly_hours=24 if contract == "part_time" else 40,
        hired_on=start,
        probation_ends_on=plus_days(start, PROBATION),
    )
    state.jobs.create(
        employee_id=employee.id,
        effective_on=start,
        title=check_text(title, "title"),
        department_id=job_of(state, manager.id, ctx.today).department_id,
        manager_id=manager.id,
        reason="Hired",
    )
    return described(state, ctx, employee)


@service.tool(phrase="update the details of employee {employee_id}")
def update_employee(
    state: HrState,
    ctx: CallContext,
    employee_id: EmployeeId,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)] | Unset = UNSET,
    phone: f.Phone | Unset = UNSET,
    location: Location | Unset = UNSET,
    weekly_hours: Annotated[int, f.duration("hours"), Field(ge=8, le=40)] | Unset = UNSET,
) -> Json:
    """Change the personal details or hours of an employee. Jobs and pay have their own tools.

    A move to another office is refused while leave is requested or booked, since public holidays differ.
    Errors: `not_found`, `nothing_to_change`, `employee_left`, `open_leave`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        name: New full name.
        phone: New phone number.
        location: New office.
        weekly_hours: New hours a week; the leave allowance follows them.
    """
    employee = employed(state, ctx, employee_id)
    changes = some_changes(given(name=name, phone=phone, location=location, weekly_hours=weekly_hours))
    if "name" in changes:
        changes["name"] = check_text(changes["name"], "name")
    if changes.get("location", employee.location) != employee.location:
        for row in state.leave_requests.find(employee_id=employee_id):
            if row.status in ("requested", "approved") and row.end_on >= ctx.today:
                raise conflict(f"Cancel or decline {row.id} before the move.", type="open_leave")
    return described(state, ctx, state.employees.patch(employee_id, **changes))


@service.tool()
def list_departments(state: HrState, ctx: CallContext) -> Json:
    """List the departments with cost center, head and number of active people."""
    rows = []
    places = [job_of(state, row.id, ctx.today) for row in state.employees if status_of(row, ctx.today) == "active"]
    for row in state.departments:
        head = state.employees.get(row.head_id) if row.head_id else None
        people = sum(1 for job in places if job.department_id == row.id)
        rows.append({**row.plain(), "head_email": head.email if head else None, "headcount": people})
    return {"departments": rows, "headcount": len(places)}


@service.tool(phrase="add a note to the file of employee {employee_id}")
def add_employee_note(state: HrState, ctx: CallContext, employee_id: EmployeeId, text: Body) -> Note:
    """Add a note to the file of an employee; notes are never changed afterwards.

    Errors: `not_found`, `blank_text`.

    Args:
        employee_id: Id of the employee.
        text: What should be remembered.
    """
    state.employees.get(employee_id)
    return state.notes.create(
        employee_id=employee_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool()
def list_employee_notes(
    state: HrState, ctx: CallContext, employee_id: EmployeeId, limit: Limit = 20, cursor: Cursor = ""
) -> Json:
    """Read the notes in the file of an employee, newest first.

    Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
        limit: At most so many notes.
        cursor: next_cursor of the previous page.
    """
    state.employees.get(employee_id)
    found = newest_first(state.notes.find(employee_id=employee_id), "written_at")
    return cursor_page("notes", found, limit, cursor)


@service.tool()
def search_policies(
    state: HrState, ctx: CallContext, query: Query | None = None, status: PolicyStatus | None = None
) -> Json:
    """Find HR policies by words in the title or text; get_policy has the full text.

    Args:
        query: Words that must all occur.
        status: Only policies that are current, or superseded.
    """
    found = keep(search(state.policies, query, lambda row: (row.title, row.body)), status=status)
    return {
        "policies": [brief(row, "id", "title", "status", "valid_from") for row in found],
        "total": len(found),
    }


@service.tool()
def get_policy(state: HrState, ctx: CallContext, policy_id: Annotated[str, f.ref("policies")]) -> Policy:
    """Read an HR policy.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    return state.policies.get(policy_id)
