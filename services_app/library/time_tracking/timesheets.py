"""Tools for weekly timesheets: handing in, approving, sending back."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    same,
    total,
    with_fields,
)
from services_app.library.time_tracking.hours import (
    amount_of,
    entries_of_week,
    entry_shown,
    monday_of,
    sheet_of,
    user_by_email,
)
from services_app.library.time_tracking.state import SheetStatus, Timesheet, TimeState, service

SheetId = Annotated[str, f.ref("timesheets")]
ENOUGH = 0.8  # share of the weekly capacity below which a timesheet has to be explained


def _shown(state: TimeState, sheet: Timesheet) -> Json:
    user = state.users.get(sheet.user_id)
    entries = entries_of_week(state, user.id, sheet.week_start)
    hours = total(row.hours for row in entries)
    return with_fields(
        sheet,
        user_name=user.name,
        user_email=user.email,
        manager_email=user.manager_email,
        hours=hours,
        overtime=max(round(hours - user.weekly_capacity, 2), 0.0),
        billable_amount=total(amount_of(state, row) for row in entries),
    )


@service.tool()
def get_timesheet(
    state: TimeState, ctx: CallContext, week_of_date: f.Date | None = None, user_email: f.Email | None = None
) -> Json:
    """Show a week of a user: hours of each day, entries, and whether it is open, submitted, approved or rejected.

    Errors: `unknown_user`, `invalid_date`.

    Args:
        week_of_date: Any day of the week; this week when left out.
        user_email: Address of the user; you when left out.
    """
    user = user_by_email(state, user_email)
    monday = monday_of(check_date(week_of_date) if week_of_date else ctx.today)
    sheet, entries = sheet_of(state, user.id, monday), entries_of_week(state, user.id, monday)
    days = [plus_days(monday, number) for number in range(7)]
    return {
        "user_email": user.email,
        "week_start": monday,
        "status": sheet.status if sheet else "open",
        "timesheet": sheet,
        "days": {day: total(row.hours for row in entries if row.date == day) for day in days},
        "hours": total(row.hours for row in entries),
        "weekly_capacity": user.weekly_capacity,
        "entries": [entry_shown(state, row) for row in sorted(entries, key=lambda row: (row.date, row.id))],
    }


@service.tool()
def list_timesheets(
    state: TimeState,
    ctx: CallContext,
    status: SheetStatus | None = None,
    user_email: f.Email | None = None,
    manager_email: f.Email | None = None,
    week_of_date: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List timesheets with hours, overtime and billable amount, newest week first.

    Errors: `unknown_user`, `invalid_date`.

    Args:
        status: Only timesheets in this status.
        user_email: Only timesheets of this user.
        manager_email: Only timesheets of people who report to this address.
        week_of_date: Only timesheets of the week of this day.
        limit: At most so many timesheets.
        cursor: next_cursor of the previous page.
    """
    user_id = user_by_email(state, user_email).id if user_email else None
    monday = monday_of(check_date(week_of_date)) if week_of_date else None
    found = keep(state.timesheets, status=status, user_id=user_id, week_start=monday)
    if manager_email is not None:
        team = {row.id for row in state.users if row.manager_email and same(row.manager_email, manager_email)}
        found = [row for row in found if row.user_id in team]
    found = newest_first(found, "week_start")
    page = cursor_page("timesheets", found, limit, cursor)
    page["timesheets"] = [_shown(state, row) for row in page["timesheets"]]
    return page


@service.tool(phrase="submit the timesheet of the week of {week_of_date}")
def submit_timesheet(
    state: TimeState,
    ctx: CallContext,
    week_of_date: f.Date,
    user_email: f.Email | None = None,
    comment: f.Text = "",
) -> Json:
    """Submit a week for approval; its entries are locked from then on. A rejected week can be submitted again.

    A week with less than 80 % of the expected hours needs a comment that says why.
    Errors: `unknown_user`, `invalid_date`, `week_not_begun`, `no_hours`, `hours_missing` (say why in the comment),
    `timer_running`, `week_locked` (submitted or approved already).

    Args:
        week_of_date: Any day of the week.
        user_email: Address of the user; you when left out.
        comment: What the manager should know.
    """
    user, monday = user_by_email(state, user_email), monday_of(check_date(week_of_date))
    sheet, entries = sheet_of(state, user.id, monday), entries_of_week(state, user.id, monday)
    if monday > ctx.today:
        raise conflict(f"The week of {monday} has not begun.", type="week_not_begun")
    if sheet is not None and sheet.status != "rejected":
        raise conflict(f"The week of {monday} is {sheet.status} already: {sheet.id}.", type="week_locked")
    if not entries:
        raise conflict(f"There are no hours in the week of {monday}.", type="no_hours")
    if any(monday_of(row.started_at) == monday for row in state.timers.find(user_id=user.id)):
        raise conflict("A timer runs in this week; stop it first.", type="timer_running")
    hours = total(row.hours for row in entries)
    if hours < user.weekly_capacity * ENOUGH and not comment.strip():
        raise conflict(f"{hours} of {user.weekly_capacity} hours are logged; explain in comment.", type="hours_missing")
    if sheet is None:
        sheet = state.timesheets.create(
            user_id=user.id, week_start=monday, status="submitted", comment=comment, submitted_at=ctx.now
        )
    else:
        sheet = state.timesheets.patch(
            sheet.id, status="submitted", comment=comment, submitted_at=ctx.now, decided_by=None, decision_note=""
        )
    return _shown(state, sheet)


def _to_decide(state: TimeState, timesheet_id: str) -> Timesheet:
    """A timesheet that waits for a decision of ours; 409 `not_submitted` or 403 `own_timesheet` otherwise."""
    sheet = state.timesheets.get(timesheet_id)
    if sheet.status != "submitted":
        raise conflict(f"{timesheet_id} is {sheet.status}, not submitted.", type="not_submitted")
    if same(state.users.get(sheet.user_id).email, ME.email):
        raise forbidden("Your own timesheet is decided by your manager.", type="own_timesheet")
    return sheet


@service.tool(phrase="approve the timesheet {timesheet_id}")
def approve_timesheet(state: TimeState, ctx: CallContext, timesheet_id: SheetId, note: f.Text = "") -> Json:
    """Approve a submitted timesheet; its billable hours can be invoiced from then on.

    More than 10 hours of overtime need a note. Errors: `not_found`, `not_submitted`, `own_timesheet`,
    `overtime_unexplained`.

    Args:
        timesheet_id: Id of the timesheet.
        note: What is to be remembered about the decision.
    """
    sheet = _to_decide(state, timesheet_id)
    overtime = _shown(state, sheet)["overtime"]
    if overtime > 10 and not note.strip():
        raise conflict(f"{overtime} hours of overtime need a note.", type="overtime_unexplained")
    changed = state.timesheets.patch(timesheet_id, status="approved", decided_by=ME.email, decision_note=note)
    return _shown(state, changed)


@service.tool(phrase="send the timesheet {timesheet_id} back")
def reject_timesheet(state: TimeState, ctx: CallContext, timesheet_id: SheetId, reason: Body) -> Json:
    """Send a submitted timesheet back with a reason; its week can be changed and submitted again.

    Errors: `not_found`, `not_submitted`, `own_timesheet`, `blank_text`.

    Args:
        timesheet_id: Id of the timesheet.
        reason: What has to be corrected.
    """
    _to_decide(state, timesheet_id)
    text = check_text(reason, "reason")
    changed = state.timesheets.patch(timesheet_id, status="rejected", decided_by=ME.email, decision_note=text)
    return _shown(state, changed)


@service.tool(phrase="reopen the approved timesheet {timesheet_id}")
def unapprove_timesheet(state: TimeState, ctx: CallContext, timesheet_id: SheetId) -> Json:
    """Take an approval back, so that the timesheet waits for a decision again.

    Errors: `not_found`, `not_approved`, `entry_invoiced` (hours of the week are on an invoice).

    Args:
        timesheet_id: Id of the timesheet.
    """
    sheet = state.timesheets.get(timesheet_id)
    if sheet.status != "approved":
        raise conflict(f"{timesheet_id} is {sheet.status}, not approved.", type="not_approved")
    for row in entries_of_week(state, sheet.user_id, sheet.week_start):
        if row.invoice_number:
            raise conflict(f"{row.id} is on the invoice {row.invoice_number}.", type="entry_invoiced")
    return _shown(state, state.timesheets.patch(timesheet_id, status="submitted", decided_by=None, decision_note=""))
