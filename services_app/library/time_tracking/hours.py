"""What follows from the entries: hours of a day, a week and a project, money, and which weeks are locked."""

from __future__ import annotations

import math

from services_app.engine import conflict, invalid, not_found
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import Json, minutes_between, plus_days, same, total, with_fields
from services_app.library.time_tracking.state import Project, Task, TimeEntry, Timesheet, TimeState, User

DAY_LIMIT = 14.0  # hours that one person can log for a day
STEP = 0.25  # hours are logged in quarters


def user_by_email(state: TimeState, email: str | None) -> User:
    """The user with this address, the signed-in one when it is None; 422 `unknown_user` otherwise."""
    wanted = email or ME.email
    for user in state.users:
        if same(user.email, wanted):
            return user
    raise invalid(f"{wanted} does not track time here; list_users shows who does.", type="unknown_user")


def monday_of(date: str) -> str:
    """The Monday of the week of a date."""
    day = f.parse_date(date)
    return plus_days(day.isoformat(), -day.weekday())


def sheet_of(state: TimeState, user_id: str, date: str) -> Timesheet | None:
    """The timesheet of someone for the week of a date, if it was ever submitted."""
    return state.timesheets.first(user_id=user_id, week_start=monday_of(date))


def must_be_open(state: TimeState, user_id: str, date: str) -> None:
    """409 `week_locked` for a week that is submitted or approved."""
    sheet = sheet_of(state, user_id, date)
    if sheet is not None and sheet.status != "rejected":
        raise conflict(f"The week of {sheet.week_start} is {sheet.status}: {sheet.id}.", type="week_locked")


def hours_of_day(state: TimeState, user_id: str, date: str, but: str = "") -> float:
    return total(row.hours for row in state.time_entries.find(user_id=user_id, date=date) if row.id != but)


def entries_of_week(state: TimeState, user_id: str, monday: str) -> list[TimeEntry]:
    last = plus_days(monday, 6)
    return [row for row in state.time_entries.find(user_id=user_id) if monday <= row.date <= last]


def hours_used(state: TimeState, project_id: str, but: str = "") -> float:
    """All hours on a project."""
    return total(row.hours for row in state.time_entries.find(project_id=project_id) if row.id != but)


def rate_of(state: TimeState, entry: TimeEntry) -> float:
    """Money for an hour of an entry; nothing when its task is not billable."""
    task = state.tasks.get(entry.task_id)
    if not task.billable:
        return 0.0
    return state.projects.get(entry.project_id).hourly_rate if task.rate is None else task.rate


def amount_of(state: TimeState, entry: TimeEntry) -> float:
    return round(entry.hours * rate_of(state, entry), 2)


def task_by_name(state: TimeState, project: Project, name: str) -> Task:
    """The task of a project with this name; 404 otherwise."""
    for task in state.tasks.find(project_id=project.id):
        if same(task.name, name) or task.id == name:
            return task
    raise not_found("project task", name)


def run_hours(start: str, now: str) -> float:
    """Hours that a timer has run, up to the next quarter."""
    return max(math.ceil(minutes_between(start, now) / 15) * STEP, STEP)


def must_fit(state: TimeState, entry: TimeEntry, hours: float, date: str) -> None:
    """Whether an entry may have these hours on this day: 409 `day_full` or `budget_exceeded` otherwise."""
    spent = hours_of_day(state, entry.user_id, date, entry.id)
    if spent + hours > DAY_LIMIT:
        raise conflict(f"{spent} hours are logged on {date}; a day has at most {DAY_LIMIT}.", type="day_full")
    project = state.projects.get(entry.project_id)
    left = round(project.budget_hours - hours_used(state, project.id, entry.id), 2)
    if project.budget_is_hard and hours > left:
        raise conflict(f"{project.name} has {left} hours of its budget left.", type="budget_exceeded")


def entry_shown(state: TimeState, entry: TimeEntry) -> Json:
    """An entry with names and money."""
    user, project = state.users.get(entry.user_id), state.projects.get(entry.project_id)
    task = state.tasks.get(entry.task_id)
    return with_fields(
        entry,
        user_email=user.email,
        project=project.name,
        client=state.clients.get(project.client_id).name,
        task=task.name,
        billable=task.billable,
        amount=amount_of(state, entry),
    )
