"""Tools for time entries and timers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    check_date,
    check_range,
    cursor_page,
    days_between,
    keep,
    newest_first,
    some_changes,
    total,
    with_fields,
)
from services_app.library.time_tracking.hours import (
    entry_shown,
    must_be_open,
    must_fit,
    run_hours,
    task_by_name,
    user_by_email,
)
from services_app.library.time_tracking.projects import ClientId, ProjectId
from services_app.library.time_tracking.state import Project, Task, TimeEntry, Timer, TimeState, User, service

EntryId = Annotated[str, f.ref("time_entries")]
TimerId = Annotated[str, f.ref("timers")]
HoursSent = Annotated[float, f.duration("hours"), Field(ge=0.25, le=14, multiple_of=0.25)]
TaskName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]
BACK = 60  # days that time can be logged after the fact


@service.tool()
def list_time_entries(
    state: TimeState,
    ctx: CallContext,
    user_email: f.Email | None = None,
    project_id: ProjectId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List time entries with project, task and amount, newest day first, and the hours of all that match.

    Errors: `unknown_user`, `invalid_date`, `invalid_range`.

    Args:
        user_email: Only entries of this user.
        project_id: Only entries on this project.
        from_date: Only entries of this day or later.
        to_date: Only entries of this day or earlier.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    check_range(from_date, to_date)
    user_id = user_by_email(state, user_email).id if user_email else None
    found = [
        row
        for row in keep(state.time_entries, user_id=user_id, project_id=project_id)
        if (from_date or "") <= row.date <= (to_date or "9999")
    ]
    found = newest_first(found, "date")
    page = cursor_page("entries", found, limit, cursor)
    page["entries"] = [entry_shown(state, row) for row in page["entries"]]
    return {**page, "total_hours": total(row.hours for row in found)}


def _may_log(state: TimeState, user: User, project_id: str, task_name: str) -> tuple[Project, Task]:
    """The project and task when this user may log on them; 404 or 409 otherwise."""
    project = state.projects.get(project_id)
    if project.status == "archived":
        raise conflict(f"{project.name} is archived.", type="project_archived")
    if not state.assignments.first(project_id=project_id, user_id=user.id):
        raise conflict(f"{user.name} is not assigned to {project.name}; use assign_user.", type="not_assigned")
    return project, task_by_name(state, project, task_name)


@service.tool(phrase="log {hours} hours on the project {project_id}")
def create_time_entry(
    state: TimeState,
    ctx: CallContext,
    project_id: ProjectId,
    task: TaskName,
    date: f.Date,
    hours: HoursSent,
    notes: f.Text = "",
    user_email: f.Email | None = None,
) -> Json:
    """Log hours on a task of a project for a day, for yourself or another user.

    Errors: `not_found` (project or task), `unknown_user`, `project_archived`, `not_assigned`, `week_locked`
    (submitted or approved), `day_full` (14 hours), `budget_exceeded`, `invalid_date`, `in_the_future`, `too_old`
    (60 days).

    Args:
        project_id: Id of the project.
        task: Name of the task.
        date: Day of the work.
        hours: Hours, in quarters.
        notes: What was done.
        user_email: Address of the user; you when left out.
    """
    user, day = user_by_email(state, user_email), check_date(date)
    project, kind = _may_log(state, user, project_id, task)
    _check_day(ctx, day)
    must_be_open(state, user.id, day)
    entry = state.time_entries.create(
        user_id=user.id, project_id=project.id, task_id=kind.id, date=day, hours=hours, notes=notes
    )
    must_fit(state, entry, hours, day)
    return entry_shown(state, entry)


def _check_day(ctx: CallContext, day: str) -> None:
    if day > ctx.today:
        raise invalid(f"{day} is in the future.", type="in_the_future")
    if days_between(day, ctx.today) > BACK:
        raise conflict(f"{day} is more than {BACK} days ago; ask for a correction.", type="too_old")


def _editable(state: TimeState, entry_id: str) -> TimeEntry:
    """An entry that can be changed; 409 `entry_invoiced` or `week_locked` otherwise."""
    entry = state.time_entries.get(entry_id)
    if entry.invoice_number:
        raise conflict(f"{entry_id} is on the invoice {entry.invoice_number}.", type="entry_invoiced")
    must_be_open(state, entry.user_id, entry.date)
    return entry


@service.tool(phrase="correct the time entry {time_entry_id}")
def update_time_entry(
    state: TimeState,
    ctx: CallContext,
    time_entry_id: EntryId,
    hours: HoursSent | Unset = UNSET,
    task: TaskName | Unset = UNSET,
    date: f.Date | Unset = UNSET,
    notes: f.Text | Unset = UNSET,
) -> Json:
    """Correct the hours, task, day or notes of an entry in an open week.

    Errors: `not_found` (entry or task), `nothing_to_change`, `entry_invoiced`, `week_locked` (the old or new week),
    `day_full`, `budget_exceeded`, `invalid_date`, `in_the_future`, `too_old`.

    Args:
        time_entry_id: Id of the entry.
        hours: New hours, in quarters.
        task: Name of another task of the project.
        date: New day.
        notes: New notes.
    """
    entry = _editable(state, time_entry_id)
    changes = some_changes(given(hours=hours, task=task, date=date, notes=notes))
    if "task" in changes:
        changes["task_id"] = task_by_name(state, state.projects.get(entry.project_id), changes.pop("task")).id
    if "date" in changes:
        changes["date"] = check_date(changes["date"])
        _check_day(ctx, changes["date"])
        must_be_open(state, entry.user_id, changes["date"])
    if "hours" in changes or "date" in changes:
        must_fit(state, entry, changes.get("hours", entry.hours), changes.get("date", entry.date))
    return entry_shown(state, state.time_entries.patch(time_entry_id, **changes))


@service.tool(phrase="delete the time entry {time_entry_id}")
def delete_time_entry(state: TimeState, ctx: CallContext, time_entry_id: EntryId) -> Json:
    """Delete an entry of an open week.

    Errors: `not_found`, `entry_invoiced`, `week_locked`.

    Args:
        time_entry_id: Id of the entry.
    """
    _editable(state, time_entry_id)
    shown = entry_shown(state, state.time_entries.get(time_entry_id))
    state.time_entries.delete(time_entry_id)
    return {"deleted": True, **shown}


@service.tool(phrase="start a timer on the project {project_id}")
def start_timer(
    state: TimeState,
    ctx: CallContext,
    project_id: ProjectId,
    task: TaskName,
    notes: f.Text = "",
    user_email: f.Email | None = None,
) -> Json:
    """Start a timer on a task of a project; each user has at most one.

    Errors: `not_found` (project or task), `unknown_user`, `project_archived`, `not_assigned`, `week_locked`,
    `timer_running`.

    Args:
        project_id: Id of the project.
        task: Name of the task.
        notes: What is being done.
        user_email: Address of the user; you when left out.
    """
    user = user_by_email(state, user_email)
    project, kind = _may_log(state, user, project_id, task)
    must_be_open(state, user.id, ctx.today)
    running = state.timers.first(user_id=user.id)
    if running is not None:
        raise conflict(f"The timer {running.id} of {user.name} runs; stop it first.", type="timer_running")
    timer = state.timers.create(
        user_id=user.id, project_id=project.id, task_id=kind.id, notes=notes, started_at=ctx.now
    )
    return _timer_shown(state, ctx, timer)


def _timer_shown(state: TimeState, ctx: CallContext, timer: Timer) -> Json:
    return with_fields(
        timer,
        user_email=state.users.get(timer.user_id).email,
        project=state.projects.get(timer.project_id).name,
        task=state.tasks.get(timer.task_id).name,
        would_log=run_hours(timer.started_at, ctx.now),
    )


@service.tool(phrase="stop the timer {timer_id}")
def stop_timer(state: TimeState, ctx: CallContext, timer_id: TimerId) -> Json:
    """Stop a running timer and log its time, rounded up to the next quarter of an hour, on the day it was started.

    Errors: `not_found`, `week_locked`, `day_full` (discard the timer and log the hours by hand), `budget_exceeded`.

    Args:
        timer_id: Id of the timer.
    """
    timer = state.timers.get(timer_id)
    hours, day = run_hours(timer.started_at, ctx.now), timer.started_at[:10]
    must_be_open(state, timer.user_id, day)
    entry = state.time_entries.create(
        user_id=timer.user_id,
        project_id=timer.project_id,
        task_id=timer.task_id,
        date=day,
        hours=hours,
        notes=timer.notes,
    )
    must_fit(state, entry, hours, day)
    state.timers.delete(timer_id)
    return entry_shown(state, entry)


@service.tool(phrase="discard the timer {timer_id}")
def discard_timer(state: TimeState, ctx: CallContext, timer_id: TimerId) -> Json:
    """Throw a running timer away without logging its time.

    Errors: `not_found`.

    Args:
        timer_id: Id of the timer.
    """
    shown = _timer_shown(state, ctx, state.timers.get(timer_id))
    state.timers.delete(timer_id)
    return {"discarded": True, **shown}


@service.tool()
def list_running_timers(state: TimeState, ctx: CallContext, client_id: ClientId | None = None) -> Json:
    """List the timers that run now with the hours each would log.

    Args:
        client_id: Only timers on projects of this client.
    """
    projects = {row.id for row in keep(state.projects, client_id=client_id)}
    return {"timers": [_timer_shown(state, ctx, row) for row in state.timers if row.project_id in projects]}
