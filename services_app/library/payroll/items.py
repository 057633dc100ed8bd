"""Tools for what is paid once and what is taken every month."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.payroll.compute import (
    PROTECTED,
    cutoff_of,
    draft_run,
    due,
    figures,
    must_approve,
    payslip_parts,
    salary_on,
    taken,
)
from services_app.library.payroll.employees import EmployeeId
from services_app.library.payroll.state import (
    Deduction,
    DeductionKind,
    ItemKind,
    PayItem,
    PayrollState,
    PayRun,
    service,
)
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    check_date,
    check_range,
    check_text,
    cursor_page,
    keep,
    with_fields,
)

RunId = Annotated[str, f.ref("pay_runs")]
LARGE_BONUS = 0.10  # share of a year's salary above which an approver has to agree


@service.tool()
def list_pay_items(
    state: PayrollState,
    ctx: CallContext,
    pay_run_id: RunId | None = None,
    employee_id: EmployeeId | None = None,
    kind: ItemKind | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List bonuses, commissions, overtime, corrections and reimbursements of pay runs.

    Args:
        pay_run_id: Only items of this run.
        employee_id: Only items of this employee.
        kind: Only items of this kind.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.pay_items, pay_run_id=pay_run_id, employee_id=employee_id, kind=kind)
    page = cursor_page("items", found, limit, cursor)
    page["items"] = [
        with_fields(
            row,
            employee_name=state.employees.get(row.employee_id).name,
            month=state.pay_runs.get(row.pay_run_id).month,
        )
        for row in page["items"]
    ]
    return page


@service.tool(phrase="add a {kind} of {amount} for {employee_id} to the pay run {pay_run_id}")
def add_pay_item(
    state: PayrollState,
    ctx: CallContext,
    pay_run_id: RunId,
    employee_id: EmployeeId,
    kind: ItemKind,
    amount: Annotated[float, f.Semantic("money"), Field(ge=-50_000, le=200_000)],
    description: Body,
    approved_by: f.Email | None = None,
) -> PayItem:
    """Add something that is paid once, in a draft run. Reimbursements are not taxed; only corrections are negative.

    A bonus or commission above 10 % of the yearly salary needs approved_by. After the cut-off only corrections are
    taken. Errors: `not_found`, `run_closed`, `other_schedule`, `cutoff_passed`, `invalid_amount`, `approval_needed`,
    `not_an_approver`, `duplicate_item` (same kind and amount for the same person), `negative_pay`, `blank_text`.

    Args:
        pay_run_id: Id of the run.
        employee_id: Id of the employee.
        kind: What it is.
        amount: How much, in the currency of the run.
        description: What the payslip says about it.
        approved_by: Address of the approver who agreed.
    """
    run, employee = draft_run(state, pay_run_id), state.employees.get(employee_id)
    if employee.schedule_id != run.schedule_id:
        raise conflict(f"{employee.name} is paid on another schedule.", type="other_schedule")
    if kind != "correction" and ctx.today > cutoff_of(state, run):
        raise conflict(f"The cut-off was on {cutoff_of(state, run)}; use the next run.", type="cutoff_passed")
    if amount == 0 or (amount < 0 and kind != "correction"):
        raise invalid("Send an amount above 0; only a correction may be negative.", type="invalid_amount")
    large = amount > LARGE_BONUS * salary_on(state, employee_id, ctx.today)
    if large and kind in ("bonus", "commission") and approved_by is None:
        raise conflict("This is more than 10 % of a year's salary; send approved_by.", type="approval_needed")
    approver = must_approve(state, approved_by) if approved_by is not None else None
    if state.pay_items.first(pay_run_id=pay_run_id, employee_id=employee_id, kind=kind, amount=round(amount, 2)):
        raise conflict(f"The run has a {kind} of {amount:.2f} for {employee.name} already.", type="duplicate_item")
    item = state.pay_items.create(
        pay_run_id=pay_run_id,
        employee_id=employee_id,
        kind=kind,
        amount=amount,
        description=check_text(description, "description"),
        approved_by=approver,
    )
    if amount < 0 and _net(state, employee_id, run) < 0:
        raise conflict(f"{employee.name} would have negative pay; spread the correction.", type="negative_pay")
    return item


def _net(state: PayrollState, employee_id: str, run: PayRun) -> float:
    parts = payslip_parts(state, state.employees.get(employee_id), run)
    return float(figures(parts, state.schedules.get(run.schedule_id))["net"])


@service.tool(phrase="remove the pay item {pay_item_id}")
def remove_pay_item(state: PayrollState, ctx: CallContext, pay_item_id: Annotated[str, f.ref("pay_items")]) -> Json:
    """Remove an item from a draft run.

    Errors: `not_found`, `run_closed`.

    Args:
        pay_item_id: Id of the item.
    """
    item = state.pay_items.get(pay_item_id)
    draft_run(state, item.pay_run_id)
    return {"removed": True, **state.pay_items.delete(pay_item_id).plain()}


@service.tool()
def list_deductions(
    state: PayrollState,
    ctx: CallContext,
    kind: DeductionKind | None = None,
    active_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List what is taken from pay every month, with what has been taken and what is left.

    Args:
        kind: Only deductions of this kind.
        active_only: Only deductions that take something this month.
        limit: At most so many deductions.
        cursor: next_cursor of the previous page.
    """
    month = ctx.today[:7]
    found = [row for row in keep(state.deductions, kind=kind) if not active_only or due(state, row, month)]
    page = cursor_page("deductions", found, limit, cursor)
    page["deductions"] = [_shown(state, ctx, row) for row in page["deductions"]]
    return page


def _shown(state: PayrollState, ctx: CallContext, deduction: Deduction) -> Json:
    so_far = taken(state, deduction.id)
    return with_fields(
        deduction,
        employee_name=state.employees.get(deduction.employee_id).name,
        taken=so_far,
        left=None if deduction.total_amount is None else round(deduction.total_amount - so_far, 2),
        due_this_month=due(state, deduction, ctx.today[:7]),
    )


@service.tool(phrase="take {monthly_amount} a month from the pay of {employee_id}")
def create_deduction(
    state: PayrollState,
    ctx: CallContext,
    employee_id: EmployeeId,
    kind: DeductionKind,
    monthly_amount: Amount,
    starts_on: f.Date,
    total_amount: Amount | None = None,
    reference: f.Code = "",
) -> Json:
    """Take an amount from someone's pay every month, until the total is reached if there is one.

    All deductions together take at most a quarter of a month's net pay.
    Errors: `not_found`, `invalid_date`, `in_the_past` (before this month), `employment_ended`, `duplicate_deduction`
    (one of the kind goes on), `protected_pay`, `total_too_small`.

    Args:
        employee_id: Id of the employee.
        kind: What it is for.
        monthly_amount: How much a month.
        starts_on: Day from which it is taken.
        total_amount: How much altogether; no end when left out.
        reference: Number of the contract, lease or court order.
    """
    employee, day = state.employees.get(employee_id), check_date(starts_on)
    if day < f"{ctx.today[:7]}-01":
        raise invalid("A deduction starts this month or later.", type="in_the_past")
    if employee.ended_on is not None and employee.ended_on < day:
        raise conflict(f"{employee.name} leaves on {employee.ended_on}.", type="employment_ended")
    if total_amount is not None and total_amount < monthly_amount:
        raise invalid("The total is smaller than the monthly amount.", type="total_too_small")
    for row in state.deductions.find(employee_id=employee_id, kind=kind):
        if due(state, row, day[:7]):
            raise conflict(f"{row.id} takes a {kind} from {employee.name} already.", type="duplicate_deduction")
    deduction = state.deductions.create(
        employee_id=employee_id,
        kind=kind,
        monthly_amount=monthly_amount,
        total_amount=total_amount,
        starts_on=day,
        reference=reference,
    )
    _must_leave_enough(state, employee_id, day[:7])
    return _shown(state, ctx, deduction)


def _must_leave_enough(state: PayrollState, employee_id: str, month: str) -> None:
    """409 `protected_pay` when the deductions of a month take more than a quarter of the net pay before them."""
    employee = state.employees.get(employee_id)
    trial = PayRun(id="", schedule_id=employee.schedule_id, month=month, pay_date=f"{month}-28", status="draft")
    found = figures(payslip_parts(state, employee, trial), state.schedules.get(employee.schedule_id))
    most = round(PROTECTED * (found["net"] + found["deductions"]), 2)
    if found["deductions"] > most:
        raise conflict(f"Deductions may take {most:.2f} a month; it would be more.", type="protected_pay")


@service.tool(phrase="end the deduction {deduction_id} on {ends_on}")
def end_deduction(
    state: PayrollState, ctx: CallContext, deduction_id: Annotated[str, f.ref("deductions")], ends_on: f.Date
) -> Json:
    """End a deduction; months after the day take nothing any more.

    Errors: `not_found`, `invalid_date`, `invalid_range` (before its start), `already_ended`, `period_closed` (the
    month after is approved or paid), `court_order` (ends only when its total is paid).

    Args:
        deduction_id: Id of the deduction.
        ends_on: Last day.
    """
    deduction, day = state.deductions.get(deduction_id), check_date(ends_on)
    if deduction.ends_on is not None and deduction.ends_on < ctx.today:
        raise conflict(f"It ended on {deduction.ends_on}.", type="already_ended")
    check_range(deduction.starts_on, day)
    left = 0 if deduction.total_amount is None else deduction.total_amount - taken(state, deduction_id)
    if deduction.kind == "court_order" and left > 0:
        raise conflict(f"{left:.2f} of the court order is not paid yet.", type="court_order")
    employee = state.employees.get(deduction.employee_id)
    for run in state.pay_runs.find(schedule_id=employee.schedule_id):
        if run.status != "draft" and run.month > day[:7]:
            raise conflict(f"{run.month} is {run.status} already: {run.id}.", type="period_closed")
    return _shown(state, ctx, state.deductions.patch(deduction_id, ends_on=day))
