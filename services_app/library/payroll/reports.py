"""Tools for payslips and sums over months."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, invalid
from services_app.engine import fields as f
from services_app.library.payroll.compute import figures, run_parts, slip_parts
from services_app.library.payroll.employees import EmployeeId, ScheduleName, schedule_by_name
from services_app.library.payroll.items import RunId
from services_app.library.payroll.state import PayrollState, PayRun, Payslip, service
from services_app.library.shared import Cursor, Json, Limit, cursor_page, keep, with_fields

Year = Annotated[int, Field(ge=2020, le=2035)]


def _shown(state: PayrollState, slip: Payslip) -> Json:
    run = state.pay_runs.get(slip.pay_run_id)
    schedule = state.schedules.get(run.schedule_id)
    sums = figures(slip_parts(state, slip.id), schedule)
    return with_fields(
        slip,
        employee_name=state.employees.get(slip.employee_id).name,
        month=run.month,
        pay_date=run.pay_date,
        currency=schedule.currency,
        gross=sums["gross"],
        net=sums["net"],
    )


@service.tool()
def list_payslips(
    state: PayrollState,
    ctx: CallContext,
    employee_id: EmployeeId | None = None,
    pay_run_id: RunId | None = None,
    year: Year | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List payslips with gross and net, newest month first.

    Args:
        employee_id: Only payslips of this employee.
        pay_run_id: Only payslips of this run.
        year: Only payslips of this year.
        limit: At most so many payslips.
        cursor: next_cursor of the previous page.
    """
    months = {row.id: row.month for row in state.pay_runs}
    found = [
        row
        for row in keep(state.payslips, employee_id=employee_id, pay_run_id=pay_run_id)
        if year is None or months[row.pay_run_id][:4] == str(year)
    ]
    found.sort(key=lambda row: (months[row.pay_run_id], row.id), reverse=True)
    page = cursor_page("payslips", found, limit, cursor)
    page["payslips"] = [_shown(state, row) for row in page["payslips"]]
    return page


@service.tool()
def get_payslip(state: PayrollState, ctx: CallContext, payslip_id: Annotated[str, f.ref("payslips")]) -> Json:
    """Show a payslip line by line with its sums, and the sums of the year up to its month.

    Errors: `not_found`.

    Args:
        payslip_id: Id of the payslip.
    """
    slip = state.payslips.get(payslip_id)
    run = state.pay_runs.get(slip.pay_run_id)
    schedule = state.schedules.get(run.schedule_id)
    so_far = [
        part
        for row in state.payslips.find(employee_id=slip.employee_id)
        if run.month[:4] == state.pay_runs.get(row.pay_run_id).month[:4]
        and state.pay_runs.get(row.pay_run_id).month <= run.month
        for part in slip_parts(state, row.id)
    ]
    return {
        **_shown(state, slip),
        **figures(slip_parts(state, payslip_id), schedule),
        "lines": state.lines.find(payslip_id=payslip_id),
        "year_to_date": figures(so_far, schedule),
    }


@service.tool()
def get_payroll_report(
    state: PayrollState, ctx: CallContext, year: Year | None = None, schedule: ScheduleName | None = None
) -> Json:
    """Sum up the approved and paid runs of a year by pay schedule and month.

    Errors: `not_found` for an unknown schedule.

    Args:
        year: The year; this year when left out.
        schedule: Only the pay schedule of this name.
    """
    wanted = int(ctx.today[:4]) if year is None else year
    schedule_id = schedule_by_name(state, schedule).id if schedule else None
    rows = []
    for found in keep(state.schedules, id=schedule_id):
        runs = [row for row in state.pay_runs.find(schedule_id=found.id) if row.month[:4] == str(wanted)]
        closed = sorted((row for row in runs if row.status != "draft"), key=lambda row: row.month)
        lines = {row.id: [part for parts in run_parts(state, row).values() for part in parts] for row in closed}
        rows.append(
            {
                "schedule": found.name,
                "currency": found.currency,
                **figures([part for parts in lines.values() for part in parts], found),
                "months": [{"month": row.month, **figures(lines[row.id], found)} for row in closed],
            }
        )
    return {"year": wanted, "schedules": rows}


@service.tool()
def compare_pay_runs(
    state: PayrollState,
    ctx: CallContext,
    pay_run_id: RunId,
    previous_pay_run_id: RunId,
    at_least_percent: Annotated[float, f.Semantic("percent"), Field(ge=0, le=100)] = 0,
) -> Json:
    """Compare two runs of a schedule person by person: who is new, who is missing, whose net pay changed.

    Errors: `not_found`, `other_schedule`.

    Args:
        pay_run_id: Id of the later run.
        previous_pay_run_id: Id of the earlier run.
        at_least_percent: Only people whose net pay changed by at least so much.
    """
    run, other = state.pay_runs.get(pay_run_id), state.pay_runs.get(previous_pay_run_id)
    if run.schedule_id != other.schedule_id:
        raise invalid("The two runs are of different pay schedules.", type="other_schedule")
    now, before = _nets(state, run), _nets(state, other)
    names = {row.id: row.name for row in state.employees}
    changed = []
    for identity in sorted(now.keys() & before.keys()):
        old, new = before[identity], now[identity]
        percent = round((new - old) / old * 100, 1) if old else 100.0
        if new != old and abs(percent) >= at_least_percent:
            changed.append(
                {
                    "employee_id": identity,
                    "name": names[identity],
                    "before": old,
                    "now": new,
                    "percent": percent,
                }
            )
    return {
        "new": [names[identity] for identity in sorted(now.keys() - before.keys())],
        "missing": [names[identity] for identity in sorted(before.keys() - now.keys())],
        "changed": changed,
        "unchanged": len(now.keys() & before.keys()) - len(changed),
        "net_before": round(sum(before.values()), 2),
        "net_now": round(sum(now.values()), 2),
    }


def _nets(state: PayrollState, run: PayRun) -> dict[str, float]:
    """Net pay by employee."""
    schedule = state.schedules.get(run.schedule_id)
    return {who: float(figures(parts, schedule)["net"]) for who, parts in run_parts(state, run).items()}
