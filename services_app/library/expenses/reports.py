"""Tools of the person who spent: collect expenses on a report and submit it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.expenses.entries import EmployeeId, ExpenseId, ReportId
from services_app.library.expenses.figures import Ledger, me, own_expense, own_report
from services_app.library.expenses.state import ExpensesState, ReportStatus, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    keep,
    next_number,
    search,
    total,
    within,
)

Purpose = Annotated[str, f.Semantic("text"), Field(max_length=2000)]
ReportSort = Annotated[Literal["newest", "oldest", "total_desc"], LABEL]


@service.tool()
def search_reports(  # noqa: PLR0913, PLR0917 - one per filter
    state: ExpensesState,
    ctx: CallContext,
    query: Query | None = None,
    employee_id: EmployeeId | None = None,
    status: ReportStatus | None = None,
    awaiting_my_approval: bool | None = None,
    submitted_from: f.Date | None = None,
    submitted_to: f.Date | None = None,
    sort: ReportSort = "newest",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find expense reports by number, title, order number or employee, with totals in GBP.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the number, title, purpose, order number or employee name.
        employee_id: Only reports of this employee.
        status: Only reports with this status.
        awaiting_my_approval: true for reports that wait for your decision, false for all others.
        submitted_from: Only reports submitted on this day or later.
        submitted_to: Only reports submitted on this day or earlier.
        sort: By number, newest or oldest first, or by total.
        limit: At most so many reports.
        cursor: next_cursor of the previous page.
    """
    ledger, mine = Ledger(state), me(state).id
    found = search(
        state.reports,
        query,
        lambda row: (row.number, row.title, row.purpose, row.order_number, ledger.employees[row.employee_id].name),
    )
    found = [
        row
        for row in within(
            keep(found, employee_id=employee_id, status=status), "submitted_on", submitted_from, submitted_to
        )
        if awaiting_my_approval in (None, row.status == "submitted" and row.approver_id == mine)
    ]
    found.sort(key=lambda row: row.number, reverse=sort != "oldest")
    rows = [ledger.report_json(row) for row in found]
    if sort == "total_desc":
        rows.sort(key=lambda row: row["total"], reverse=True)
    return {**cursor_page("reports", rows, limit, cursor), "sum_in_pounds": total(row["total"] for row in rows)}


@service.tool()
def get_report(state: ExpensesState, ctx: CallContext, report_id: ReportId) -> Json:
    """Show a report with its expenses, totals by category, policy violations and comments.

    Errors: `not_found`.

    Args:
        report_id: Id of the report.
    """
    return _shown(state, ctx, report_id)


def _shown(state: ExpensesState, ctx: CallContext, report_id: str) -> Json:
    report, ledger = state.reports.get(report_id), Ledger(state)
    rows = [ledger.expense_json(row, ctx.today) for row in ledger.expenses_of(report_id)]
    names = sorted({row["category_name"] for row in rows})
    return {
        **ledger.report_json(report),
        "expenses": rows,
        "by_category": [
            {"category": name, "total": total(row["amount_in_pounds"] for row in rows if row["category_name"] == name)}
            for name in names
        ],
        "violations": sum(len(row["violations"]) for row in rows),
        "comments": state.comments.find(report_id=report_id),
    }


@service.tool(phrase="open an expense report called {title}")
def create_report(
    state: ExpensesState, ctx: CallContext, title: Name, purpose: Purpose = "", order_number: f.Code = ""
) -> Json:
    """Open an empty expense report of your own; expenses are added with move_expense_to_report.

    Errors: `blank_text`, `duplicate_title` (you have an open report with this title).

    Args:
        title: Title of the report.
        purpose: Why the money was spent.
        order_number: Customer order that the spending is charged on to.
    """
    owner, clean = me(state), check_text(title, "title")
    for row in state.reports.find(employee_id=owner.id, status="draft"):
        if row.title.casefold() == clean.casefold():
            raise conflict(f"Your draft {row.number} has this title; use that one.", type="duplicate_title")
    start = f"ER-{ctx.today[:4]}-"
    report = state.reports.create(
        number=next_number((row.number for row in state.reports), start),
        employee_id=owner.id,
        title=clean,
        purpose=purpose.strip(),
        order_number=order_number.strip(),
        created_at=ctx.now,
    )
    return Ledger(state).report_json(report)


@service.tool(phrase="put the expense {expense_id} on the report {report_id}")
def move_expense_to_report(state: ExpensesState, ctx: CallContext, expense_id: ExpenseId, report_id: ReportId) -> Json:
    """Put an expense of your own on one of your open reports; it leaves the open report it was on.

    Errors: `not_found`, `not_yours`, `report_locked`, `already_reported` (it is on this report).

    Args:
        expense_id: Id of the expense.
        report_id: Id of the report.
    """
    report, expense = own_report(state, report_id), own_expense(state, expense_id)
    if expense.report_id == report.id:
        raise conflict(f"Expense {expense_id} is on report {report.number} already.", type="already_reported")
    state.expenses.patch(expense_id, report_id=report.id)
    return _shown(state, ctx, report_id)


@service.tool(phrase="take the expense {expense_id} off its report")
def unreport_expense(state: ExpensesState, ctx: CallContext, expense_id: ExpenseId) -> Json:
    """Take an expense of yours off a draft or rejected report; the expense is kept.

    Errors: `not_found`, `not_yours`, `report_locked`, `not_reported`.

    Args:
        expense_id: Id of the expense.
    """
    if own_expense(state, expense_id).report_id is None:
        raise conflict(f"Expense {expense_id} is on no report.", type="not_reported")
    return Ledger(state).expense_json(state.expenses.patch(expense_id, report_id=None), ctx.today)


@service.tool(phrase="submit the expense report {report_id} for approval")
def submit_report(state: ExpensesState, ctx: CallContext, report_id: ReportId) -> Json:
    """Submit one of your reports to your manager; reports that break the policy are not accepted.

    Errors: `not_found`, `not_yours`, `report_locked`, `empty_report`, `policy_violation` (the message names each).

    Args:
        report_id: Id of the report.
    """
    report, ledger = own_report(state, report_id), Ledger(state)
    expenses = ledger.expenses_of(report_id)
    if not expenses:
        raise conflict(f"Report {report.number} has no expenses; add some first.", type="empty_report")
    broken = [f"{row.id}: {word}" for row in expenses for word in ledger.violations(row, ctx.today)]
    if broken:
        raise forbidden(f"The policy is broken ({'; '.join(broken)}); correct these first.", type="policy_violation")
    manager = state.employees.first(email=me(state).manager_email)
    state.reports.patch(
        report_id,
        status="submitted",
        approver_id=manager.id if manager else None,
        submitted_on=ctx.today,
        decided_on=None,
    )
    return _shown(state, ctx, report_id)


@service.tool(phrase="retract the submitted report {report_id}")
def retract_report(state: ExpensesState, ctx: CallContext, report_id: ReportId) -> Json:
    """Take one of your submitted reports back to draft, as long as nobody has decided on it.

    Errors: `not_found`, `not_yours`, `not_submitted`.

    Args:
        report_id: Id of the report.
    """
    report = state.reports.get(report_id)
    if report.employee_id != me(state).id:
        raise forbidden(f"Report {report.number} belongs to a colleague.", type="not_yours")
    if report.status != "submitted":
        raise conflict(f"Report {report.number} is {report.status}, not submitted.", type="not_submitted")
    state.reports.patch(report_id, status="draft", approver_id=None, submitted_on=None)
    return _shown(state, ctx, report_id)
