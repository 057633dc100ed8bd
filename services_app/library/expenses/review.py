"""Tools of the person who decides: approve, reject, forward, comment."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.expenses.entries import ReportId
from services_app.library.expenses.figures import Ledger, employee_by_email, me
from services_app.library.expenses.state import Comment, ExpensesState, Report, service
from services_app.library.shared import Body, Json, check_text


def _mine_to_decide(state: ExpensesState, report_id: str) -> Report:
    """A submitted report that waits for me; 409 `not_submitted`, 403 `not_your_approval`."""
    report = state.reports.get(report_id)
    if report.status != "submitted":
        raise conflict(f"Report {report.number} is {report.status}, not submitted.", type="not_submitted")
    if report.approver_id != me(state).id:
        raise forbidden(f"Report {report.number} waits for somebody else's decision.", type="not_your_approval")
    return report


@service.tool(phrase="approve the expense report {report_id}")
def approve_report(state: ExpensesState, ctx: CallContext, report_id: ReportId) -> Json:
    """Approve a report that waits for you, if its total is within your approval limit; else forward it.

    Errors: `not_found`, `not_submitted`, `not_your_approval`, `over_approval_limit`.

    Args:
        report_id: Id of the report.
    """
    report, ledger = _mine_to_decide(state, report_id), Ledger(state)
    amount, limit = ledger.report_total(report_id), me(state).approval_limit
    if amount > limit:
        raise forbidden(
            f"{amount:.2f} is above your approval limit of {limit:.2f}; forward the report to someone with a higher "
            "limit.",
            type="over_approval_limit",
        )
    changed = state.reports.patch(report.id, status="approved", decided_on=ctx.today)
    return Ledger(state).report_json(changed)


@service.tool(phrase="send the expense report {report_id} back because {reason}")
def reject_report(state: ExpensesState, ctx: CallContext, report_id: ReportId, reason: Body) -> Json:
    """Send a report that waits for you back to its owner; the reason becomes a comment.

    Errors: `not_found`, `not_submitted`, `not_your_approval`, `blank_text`.

    Args:
        report_id: Id of the report.
        reason: What has to change.
    """
    report = _mine_to_decide(state, report_id)
    _comment(state, ctx, report_id, check_text(reason, "reason"))
    changed = state.reports.patch(report.id, status="rejected", decided_on=ctx.today)
    return Ledger(state).report_json(changed)


@service.tool(phrase="forward the expense report {report_id} to {approver_email}")
def forward_report(state: ExpensesState, ctx: CallContext, report_id: ReportId, approver_email: f.Email) -> Json:
    """Hand a report that waits for you to another approver whose limit covers it; nobody decides on their own.

    Errors: `not_found`, `not_submitted`, `not_your_approval`, `unknown_employee`, `limit_too_low`, `own_report`.

    Args:
        report_id: Id of the report.
        approver_email: Address of the other approver.
    """
    report, ledger = _mine_to_decide(state, report_id), Ledger(state)
    approver = employee_by_email(state, approver_email)
    if approver.id in (report.employee_id, report.approver_id):
        raise conflict(f"{approver.name} spent it or has it already; choose someone else.", type="own_report")
    if approver.approval_limit < ledger.report_total(report_id):
        raise forbidden(
            f"{approver.name} may approve {approver.approval_limit:.2f}; choose someone with a higher limit.",
            type="limit_too_low",
        )
    state.reports.patch(report_id, approver_id=approver.id)
    return Ledger(state).report_json(state.reports.get(report_id))


def _comment(state: ExpensesState, ctx: CallContext, report_id: str, text: str) -> Comment:
    return state.comments.create(report_id=report_id, author_email=me(state).email, text=text, written_at=ctx.now)


@service.tool(phrase="comment on the expense report {report_id}: {text}")
def add_report_comment(state: ExpensesState, ctx: CallContext, report_id: ReportId, text: Body) -> Comment:
    """Add a comment that the owner and the approvers of a report see.

    Errors: `not_found`, `blank_text`.

    Args:
        report_id: Id of the report.
        text: What to say.
    """
    state.reports.get(report_id)
    return _comment(state, ctx, report_id, check_text(text, "text"))
