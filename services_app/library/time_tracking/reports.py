"""Tools for budgets, sums of hours, and what can be billed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json, check_date, check_range, grouped, keep, same, total
from services_app.library.time_tracking.hours import amount_of, hours_used, sheet_of
from services_app.library.time_tracking.projects import ClientId, ProjectId
from services_app.library.time_tracking.state import TimeEntry, TimeState, service

GroupBy = Annotated[Literal["user", "project", "client", "task"], LABEL]


@service.tool()
def get_project_budget_report(
    state: TimeState,
    ctx: CallContext,
    client_id: ClientId | None = None,
    at_least_percent: Annotated[float, f.Semantic("percent"), Field(ge=0, le=500)] = 0,
) -> Json:
    """Report how much of the budget of each active project is used, the fullest first.

    Args:
        client_id: Only projects of this client.
        at_least_percent: Only projects that have used at least so much of their budget.
    """
    rows = []
    for project in keep(state.projects, client_id=client_id, status="active"):
        used = hours_used(state, project.id)
        share = round(used / project.budget_hours * 100, 1)
        if share >= at_least_percent:
            rows.append(
                {
                    "project_id": project.id,
                    "project": project.name,
                    "code": project.code,
                    "manager_email": project.manager_email,
                    "budget_hours": project.budget_hours,
                    "hours_used": used,
                    "percent_used": share,
                    "ends_on": project.ends_on,
                }
            )
    rows.sort(key=lambda row: (-float(str(row["percent_used"])), str(row["project_id"])))
    return {"projects": rows[:80], "over_budget": sum(1 for row in rows if float(str(row["percent_used"])) > 100)}


@service.tool()
def get_time_report(
    state: TimeState, ctx: CallContext, from_date: f.Date, to_date: f.Date, group_by: GroupBy = "project"
) -> Json:
    """Report hours, billable hours and amounts in a range of days, by user, project, client or task name.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        from_date: First day.
        to_date: Last day.
        group_by: What the rows are.
    """
    check_range(from_date, to_date)
    found = [row for row in state.time_entries if from_date <= row.date <= to_date]
    groups = grouped(found, lambda row: _group(state, row, group_by))
    rows = [
        {
            group_by: name,
            "hours": total(row.hours for row in entries),
            "billable_hours": total(row.hours for row in entries if state.tasks.get(row.task_id).billable),
            "amount": total(amount_of(state, row) for row in entries),
        }
        for name, entries in groups.items()
    ]
    rows.sort(key=lambda row: (-float(str(row["hours"])), str(row[group_by])))
    return {"rows": rows[:100], "total_hours": total(row.hours for row in found)}


def _group(state: TimeState, entry: TimeEntry, group_by: str) -> str:
    """The name under which an entry is summed."""
    project = state.projects.get(entry.project_id)
    if group_by == "user":
        return state.users.get(entry.user_id).email
    if group_by == "task":
        return state.tasks.get(entry.task_id).name
    return project.name if group_by == "project" else state.clients.get(project.client_id).name


def _billable(state: TimeState, project_id: str, through: str) -> tuple[list[TimeEntry], list[TimeEntry]]:
    """Billable entries that are on no invoice, up to a day: those of approved weeks, and the others."""
    ready: list[TimeEntry] = []
    waiting: list[TimeEntry] = []
    for row in state.time_entries.find(project_id=project_id, invoice_number=""):
        if row.date <= through and row.hours and state.tasks.get(row.task_id).billable:
            sheet = sheet_of(state, row.user_id, row.date)
            (ready if sheet is not None and sheet.status == "approved" else waiting).append(row)
    return ready, waiting


@service.tool()
def get_uninvoiced_report(
    state: TimeState, ctx: CallContext, through_date: f.Date | None = None, client_id: ClientId | None = None
) -> Json:
    """Report what can be invoiced: billable hours of approved weeks by project, and what still waits for approval.

    Errors: `invalid_date`.

    Args:
        through_date: Only hours up to this day; up to today when left out.
        client_id: Only projects of this client.
    """
    day = check_date(through_date) if through_date else ctx.today
    rows = []
    for project in keep(state.projects, client_id=client_id):
        ready, waiting = _billable(state, project.id, day)
        if ready or waiting:
            client = state.clients.get(project.client_id)
            rows.append(
                {
                    "project_id": project.id,
                    "project": project.name,
                    "code": project.code,
                    "client": client.name,
                    "currency": client.currency,
                    "hours": total(row.hours for row in ready),
                    "amount": total(amount_of(state, row) for row in ready),
                    "unapproved_hours": total(row.hours for row in waiting),
                    "unapproved_amount": total(amount_of(state, row) for row in waiting),
                }
            )
    return {"projects": rows[:80], "total_hours": total(float(str(row["hours"])) for row in rows)}


@service.tool(phrase="mark the hours of the project {project_id} up to {through_date} as invoiced on {invoice_number}")
def mark_as_invoiced(
    state: TimeState,
    ctx: CallContext,
    project_id: ProjectId,
    through_date: f.Date,
    invoice_number: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=40, pattern=r"\S")],
) -> Json:
    """Mark the billable hours of approved weeks of a project as invoiced; they cannot be changed afterwards.

    Errors: `not_found`, `nothing_to_invoice`, `number_of_other_project`, `invalid_date`.

    Args:
        project_id: Id of the project.
        through_date: Last day that is invoiced.
        invoice_number: Number of the invoice.
    """
    project, day = state.projects.get(project_id), check_date(through_date)
    for row in state.time_entries:
        if row.invoice_number and same(row.invoice_number, invoice_number) and row.project_id != project_id:
            raise conflict(f"{invoice_number} bills {row.project_id}; use another.", type="number_of_other_project")
    ready, waiting = _billable(state, project_id, day)
    if not ready:
        raise conflict(f"{project.name} has no approved billable hours up to {day}.", type="nothing_to_invoice")
    amount = total(amount_of(state, row) for row in ready)
    for row in ready:
        state.time_entries.patch(row.id, invoice_number=invoice_number)
    return {
        "project_id": project_id,
        "invoice_number": invoice_number,
        "entries": len(ready),
        "hours": total(row.hours for row in ready),
        "amount": amount,
        "hours_left_unapproved": total(row.hours for row in waiting),
    }
