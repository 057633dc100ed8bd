"""Tools for employees, their salaries and bank accounts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.payroll.compute import due, must_approve, salary_on, taken
from services_app.library.payroll.state import (
    BankChange,
    ChangeStatus,
    Employee,
    PayrollState,
    PaySchedule,
    Role,
    Salary,
    service,
)
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Offset,
    Query,
    check_date,
    check_text,
    keep,
    newest_first,
    offset_page,
    same,
    search,
    with_fields,
)

EmployeeId = Annotated[str, f.ref("employees")]
ChangeId = Annotated[str, f.ref("bank_changes")]
ScheduleName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]


def schedule_by_name(state: PayrollState, name: str) -> PaySchedule:
    """The pay schedule with this name or id; 404 otherwise."""
    return next((row for row in state.schedules if same(row.name, name)), None) or state.schedules.get(name)


@service.tool()
def list_pay_schedules(state: PayrollState, ctx: CallContext) -> Json:
    """List pay schedules with country, pay day, cut-off, rates and the number of people on each."""
    rows = [with_fields(row, employees=state.employees.count(schedule_id=row.id)) for row in state.schedules]
    return {"schedules": rows}


@service.tool()
def list_administrators(state: PayrollState, ctx: CallContext, role: Role | None = None) -> Json:
    """List who prepares and who approves payroll.

    Args:
        role: Only preparers or approvers.
    """
    return {"administrators": keep(state.administrators, role=role)}


@service.tool()
def list_employees(
    state: PayrollState,
    ctx: CallContext,
    query: Query | None = None,
    schedule: ScheduleName | None = None,
    include_ended: bool = False,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find people on the payroll by words in the name, address or employee number, by number.

    Errors: `not_found` for an unknown schedule.

    Args:
        query: Words that must all occur.
        schedule: Only people on the pay schedule of this name.
        include_ended: Also people whose employment has ended.
        limit: At most so many people.
        offset: Skip so many people.
    """
    schedule_id = schedule_by_name(state, schedule).id if schedule else None
    found = search(state.employees, query, lambda row: (row.name, row.email, row.number))
    found = [
        row
        for row in keep(found, schedule_id=schedule_id)
        if include_ended or row.ended_on is None or row.ended_on >= ctx.today
    ]
    found.sort(key=lambda row: (row.number, row.id))
    page = offset_page("employees", found, limit, offset)
    page["employees"] = [_shown(state, ctx, row) for row in page["employees"]]
    return page


def _shown(state: PayrollState, ctx: CallContext, employee: Employee) -> Json:
    schedule = state.schedules.get(employee.schedule_id)
    salary = salary_on(state, employee.id, ctx.today)
    return with_fields(employee, schedule=schedule.name, currency=schedule.currency, annual_salary=salary)


@service.tool()
def get_employee(state: PayrollState, ctx: CallContext, employee_id: EmployeeId) -> Json:
    """Show someone on the payroll: bank account, salaries (newest first), deductions with what is left, changes.

    Errors: `not_found`.

    Args:
        employee_id: Id of the employee.
    """
    employee = state.employees.get(employee_id)
    salaries = sorted(state.salaries.find(employee_id=employee_id), key=lambda row: row.effective_on, reverse=True)
    return {
        **_shown(state, ctx, employee),
        "salaries": salaries,
        "deductions": [
            with_fields(row, taken=taken(state, row.id), due_this_month=due(state, row, ctx.today[:7]))
            for row in state.deductions.find(employee_id=employee_id)
        ],
        "pending_bank_changes": state.bank_changes.find(employee_id=employee_id, status="pending"),
    }


@service.tool(phrase="set the yearly salary of {employee_id} to {annual_salary}")
def change_salary(
    state: PayrollState,
    ctx: CallContext,
    employee_id: EmployeeId,
    annual_salary: Annotated[float, f.Semantic("money"), Field(gt=0, le=1_000_000)],
    effective_on: f.Date,
    reason: f.Text = "",
) -> Salary:
    """Record a new salary from a month on that has not been approved or paid yet.

    It counts for the whole month of its first day.
    Errors: `not_found`, `invalid_date`, `period_closed`, `employment_ended`, `same_salary`.

    Args:
        employee_id: Id of the employee.
        annual_salary: Gross pay for a year, in the currency of the schedule.
        effective_on: First day of the new salary.
        reason: Why.
    """
    employee, day = state.employees.get(employee_id), check_date(effective_on)
    if employee.ended_on is not None and employee.ended_on < day:
        raise conflict(f"{employee.name} leaves on {employee.ended_on}.", type="employment_ended")
    for run in state.pay_runs.find(schedule_id=employee.schedule_id):
        if run.status != "draft" and run.month >= day[:7]:
            raise conflict(
                f"{run.month} is {run.status}: {run.id}; pay the difference as correction.", type="period_closed"
            )
    if salary_on(state, employee_id, day) == annual_salary:
        raise conflict(f"The salary is {annual_salary:.2f} on that day already.", type="same_salary")
    return state.salaries.create(employee_id=employee_id, effective_on=day, annual_salary=annual_salary, reason=reason)


@service.tool(phrase="request that {employee_id} is paid to the account {iban}")
def request_bank_account_change(
    state: PayrollState,
    ctx: CallContext,
    employee_id: EmployeeId,
    iban: Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$")],
    reason: Body,
) -> BankChange:
    """Request another bank account for someone; pay goes to the old one until an approver confirms the change.

    Errors: `not_found`, `same_account`, `account_of_other` (a colleague is paid to it), `change_pending`,
    `blank_text`.

    Args:
        employee_id: Id of the employee.
        iban: The new account.
        reason: How the wish was made and checked.
    """
    employee = state.employees.get(employee_id)
    owner = state.employees.first(iban=iban)
    if owner is not None and owner.id == employee_id:
        raise conflict(f"{employee.name} is paid to this account already.", type="same_account")
    if owner is not None:
        raise conflict("Somebody else is paid to this account; check the number.", type="account_of_other")
    pending = state.bank_changes.first(employee_id=employee_id, status="pending")
    if pending is not None:
        raise conflict(f"{pending.id} waits for a decision; decide it first.", type="change_pending")
    return state.bank_changes.create(
        employee_id=employee_id,
        new_iban=iban,
        reason=check_text(reason, "reason"),
        status="pending",
        requested_at=ctx.now,
    )


@service.tool()
def list_bank_account_changes(state: PayrollState, ctx: CallContext, status: ChangeStatus | None = None) -> Json:
    """List bank account changes, newest first, with the account in use.

    Args:
        status: Only changes in this status.
    """
    found = newest_first(keep(state.bank_changes, status=status), "requested_at")
    rows = []
    for row in found[:80]:
        employee = state.employees.get(row.employee_id)
        rows.append(with_fields(row, employee_name=employee.name, iban_in_use=employee.iban))
    return {"changes": rows, "total": len(found)}


@service.tool(phrase="decide the bank account change {bank_change_id}")
def decide_bank_account_change(
    state: PayrollState, ctx: CallContext, bank_change_id: ChangeId, decided_by: f.Email, confirm: bool = True
) -> Json:
    """Record that an approver confirms or rejects a bank account change; a confirmed one takes effect at once.

    Errors: `not_found`, `not_pending`, `not_an_approver`, `own_account` (nobody decides about their own).

    Args:
        bank_change_id: Id of the change.
        decided_by: Address of the approver.
        confirm: false to reject it.
    """
    change = state.bank_changes.get(bank_change_id)
    if change.status != "pending":
        raise conflict(f"The change is {change.status} already.", type="not_pending")
    approver, employee = must_approve(state, decided_by), state.employees.get(change.employee_id)
    if same(approver, employee.email):
        raise conflict("Another approver has to decide about this account.", type="own_account")
    if confirm:
        state.employees.patch(employee.id, iban=change.new_iban)
    done = state.bank_changes.patch(bank_change_id, status="confirmed" if confirm else "rejected", decided_by=approver)
    return with_fields(done, employee_name=employee.name)
