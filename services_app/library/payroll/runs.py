"""Tools for pay runs: opening, looking, approving, paying."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.payroll.compute import (
    cutoff_of,
    draft_run,
    figures,
    must_approve,
    next_month,
    payslip_parts,
    run_figures,
    run_parts,
    staff_of,
    write_payslips,
)
from services_app.library.payroll.employees import EmployeeId, ScheduleName, schedule_by_name
from services_app.library.payroll.items import RunId
from services_app.library.payroll.state import PayrollState, PayRun, RunNote, RunStatus, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    with_fields,
)

MonthText = Annotated[str, f.Semantic("label"), Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$")]


def _shown(state: PayrollState, run: PayRun) -> Json:
    schedule = state.schedules.get(run.schedule_id)
    sums = run_figures(state, run)
    needed = 2 if sums["gross"] > schedule.second_approval_above else 1
    return with_fields(
        run,
        schedule=schedule.name,
        currency=schedule.currency,
        cutoff_on=cutoff_of(state, run),
        approvals_needed=max(needed - len(run.approved_by), 0) if run.status == "draft" else 0,
        **sums,
    )


@service.tool()
def list_pay_runs(
    state: PayrollState,
    ctx: CallContext,
    schedule: ScheduleName | None = None,
    status: RunStatus | None = None,
    month: MonthText | None = None,
    limit: Limit = 12,
    cursor: Cursor = "",
) -> Json:
    """List pay runs with their sums, newest month first. Draft runs show what they would pay now.

    Errors: `not_found` for an unknown schedule.

    Args:
        schedule: Only runs of the pay schedule of this name.
        status: Only runs in this status.
        month: Only runs of this month, such as 2026-03.
        limit: At most so many runs.
        cursor: next_cursor of the previous page.
    """
    schedule_id = schedule_by_name(state, schedule).id if schedule else None
    found = keep(state.pay_runs, schedule_id=schedule_id, status=status, month=month)
    found = newest_first(found, "month")
    page = cursor_page("pay_runs", found, limit, cursor)
    page["pay_runs"] = [_shown(state, row) for row in page["pay_runs"]]
    return page


@service.tool()
def get_pay_run(state: PayrollState, ctx: CallContext, pay_run_id: RunId) -> Json:
    """Show a pay run: sums, each person's gross and net, and the notes (oldest first).

    Errors: `not_found`.

    Args:
        pay_run_id: Id of the run.
    """
    run = state.pay_runs.get(pay_run_id)
    schedule = state.schedules.get(run.schedule_id)
    people = []
    for employee_id, parts in run_parts(state, run).items():
        sums, name = figures(parts, schedule), state.employees.get(employee_id).name
        people.append({"employee_id": employee_id, "name": name, "gross": sums["gross"], "net": sums["net"]})
    notes = sorted(state.run_notes.find(pay_run_id=pay_run_id), key=lambda row: (row.written_at, row.id))
    return {**_shown(state, run), "people": people, "notes": notes}


@service.tool(phrase="open the {month} pay run of {schedule}")
def create_pay_run(state: PayrollState, ctx: CallContext, schedule: ScheduleName, month: MonthText) -> Json:
    """Open the draft run of a pay schedule for the month after its last one, once that one is paid.

    Errors: `not_found` (schedule), `run_exists`, `earlier_run_open`, `month_skipped`.

    Args:
        schedule: Name of the pay schedule.
        month: The month, such as 2026-04.
    """
    found = schedule_by_name(state, schedule)
    runs = sorted(state.pay_runs.find(schedule_id=found.id), key=lambda row: row.month)
    if any(row.month == month for row in runs):
        raise conflict(f"{found.name} has a run for {month} already.", type="run_exists")
    if runs and month != next_month(runs[-1].month):
        raise conflict(f"The next month of {found.name} is {next_month(runs[-1].month)}.", type="month_skipped")
    if runs and runs[-1].status != "paid":
        raise conflict(f"{runs[-1].id} of {runs[-1].month} is not paid yet.", type="earlier_run_open")
    run = state.pay_runs.create(
        schedule_id=found.id, month=month, pay_date=f"{month}-{found.pay_day:02d}", status="draft"
    )
    return _shown(state, run)


@service.tool()
def preview_payslip(state: PayrollState, ctx: CallContext, pay_run_id: RunId, employee_id: EmployeeId) -> Json:
    """Compute what someone's payslip in a draft run would say now, line by line.

    Errors: `not_found`, `run_closed` (read the payslip instead), `not_in_run`.

    Args:
        pay_run_id: Id of the run.
        employee_id: Id of the employee.
    """
    run, employee = draft_run(state, pay_run_id), state.employees.get(employee_id)
    if employee.id not in {row.id for row in staff_of(state, run)}:
        raise conflict(f"{employee.name} is not paid in {run.id}.", type="not_in_run")
    parts = payslip_parts(state, employee, run)
    schedule = state.schedules.get(run.schedule_id)
    return {
        "employee_id": employee.id,
        "employee_name": employee.name,
        "pay_run_id": run.id,
        "month": run.month,
        "currency": schedule.currency,
        "iban": employee.iban,
        "lines": [{"kind": part.kind, "label": part.label, "amount": part.amount} for part in parts],
        **figures(parts, schedule),
    }


@service.tool(phrase="add a note to the pay run {pay_run_id}")
def add_run_note(state: PayrollState, ctx: CallContext, pay_run_id: RunId, text: Body) -> RunNote:
    """Add a note to a pay run for those who prepare and approve it.

    Errors: `not_found`, `blank_text`.

    Args:
        pay_run_id: Id of the run.
        text: What they should know.
    """
    state.pay_runs.get(pay_run_id)
    return state.run_notes.create(
        pay_run_id=pay_run_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool(phrase="record that {approver_email} approves the pay run {pay_run_id}")
def approve_pay_run(state: PayrollState, ctx: CallContext, pay_run_id: RunId, approver_email: f.Email) -> Json:
    """Record the approval of a draft run; with the last one needed the payslips are written and the run is closed.

    A run whose gross is above the limit of its schedule needs two approvers.
    Errors: `not_found`, `run_closed`, `not_an_approver`, `already_approved`, `bank_change_pending`.

    Args:
        pay_run_id: Id of the run.
        approver_email: Address of the approver.
    """
    run = draft_run(state, pay_run_id)
    approver = must_approve(state, approver_email)
    if any(same(approver, email) for email in run.approved_by):
        raise conflict(f"{approver} has approved it; another approver is needed.", type="already_approved")
    ids = {row.id for row in staff_of(state, run)}
    for change in state.bank_changes.find(status="pending"):
        if change.employee_id in ids:
            raise conflict(f"The bank account change {change.id} is not decided.", type="bank_change_pending")
    run = state.pay_runs.patch(run.id, approved_by=(*run.approved_by, approver))
    if _shown(state, run)["approvals_needed"] == 0:
        write_payslips(state, run)
        run = state.pay_runs.patch(run.id, status="approved")
    return _shown(state, run)


@service.tool(phrase="take back the approval of the pay run {pay_run_id}")
def reopen_pay_run(state: PayrollState, ctx: CallContext, pay_run_id: RunId) -> Json:
    """Make an approved run a draft again; its payslips are withdrawn and approvals start anew.

    Errors: `not_found`, `not_approved`.

    Args:
        pay_run_id: Id of the run.
    """
    run = state.pay_runs.get(pay_run_id)
    if run.status != "approved":
        raise conflict(f"The run is {run.status}, not approved.", type="not_approved")
    for slip in state.payslips.find(pay_run_id=pay_run_id):
        for line in state.lines.find(payslip_id=slip.id):
            state.lines.delete(line.id)
        state.payslips.delete(slip.id)
    return _shown(state, state.pay_runs.patch(pay_run_id, status="draft", approved_by=()))


@service.tool(phrase="pay out the run {pay_run_id}")
def submit_pay_run(state: PayrollState, ctx: CallContext, pay_run_id: RunId) -> Json:
    """Send the payments of an approved run to the bank; this cannot be taken back.

    Errors: `not_found`, `not_approved`, `too_early` (more than 31 days before the pay day).

    Args:
        pay_run_id: Id of the run.
    """
    run = state.pay_runs.get(pay_run_id)
    if run.status != "approved":
        raise conflict(f"The run is {run.status}, not approved.", type="not_approved")
    if run.pay_date > ctx.in_days(31):
        raise conflict(f"The pay day is {run.pay_date}; submit it later.", type="too_early")
    return _shown(state, state.pay_runs.patch(pay_run_id, status="paid", paid_on=ctx.today))
