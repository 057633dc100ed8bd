"""What the time tracking system holds. A week without a timesheet record is open."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

ProjectStatus = Annotated[Literal["active", "archived"], LABEL]
SheetStatus = Annotated[Literal["submitted", "approved", "rejected"], LABEL]
Hours = Annotated[float, f.duration("hours")]


class User(Record):
    about: ClassVar[About] = About("user", "users", prefix="USR-", width=3, key="email")

    name: f.Person
    email: f.Email
    employee_number: f.Code
    team: f.Label
    manager_email: f.Email | None
    weekly_capacity: Hours
    """Hours that are expected in a week."""


class Client(Record):
    about: ClassVar[About] = About("client", "clients", prefix="CLI-", key="name")

    name: f.Organisation
    currency: f.Label
    billing_email: f.Email


class Project(Record):
    about: ClassVar[About] = About("project", "projects", prefix="PRJ-", key="name")

    name: f.Title
    code: f.Code
    """Order number under which it is billed."""
    client_id: Annotated[str, f.ref("clients")]
    manager_email: f.Email
    status: ProjectStatus
    budget_hours: Hours
    budget_is_hard: bool
    """Whether hours beyond the budget are refused."""
    hourly_rate: f.Money
    starts_on: f.Date
    ends_on: f.Date


class Task(Record):
    about: ClassVar[About] = About("project task", "project tasks", prefix="TASK-", key="")

    project_id: Annotated[str, f.ref("projects")]
    name: f.Label
    billable: bool
    rate: f.Money | None = None
    """Instead of the rate of the project."""


class Assignment(Record):
    about: ClassVar[About] = About("project assignment", "project assignments", prefix="ASG-", key="")

    project_id: Annotated[str, f.ref("projects")]
    user_id: Annotated[str, f.ref("users")]


class TimeEntry(Record):
    about: ClassVar[About] = About("time entry", "time entries", prefix="TE-", width=5, key="")

    user_id: Annotated[str, f.ref("users")]
    project_id: Annotated[str, f.ref("projects")]
    task_id: Annotated[str, f.ref("tasks")]
    date: f.Date
    hours: Hours
    notes: f.Text = ""
    invoice_number: f.Code = ""


class Timer(Record):
    """Work that goes on now; stopping it makes a time entry."""

    about: ClassVar[About] = About("timer", "timers", prefix="TMR-", key="")

    user_id: Annotated[str, f.ref("users")]
    project_id: Annotated[str, f.ref("projects")]
    task_id: Annotated[str, f.ref("tasks")]
    notes: f.Text = ""
    started_at: f.SystemTime


class Timesheet(Record):
    about: ClassVar[About] = About("timesheet", "timesheets", prefix="TS-", key="")

    user_id: Annotated[str, f.ref("users")]
    week_start: f.Date
    """The Monday."""
    status: SheetStatus
    comment: f.Text = ""
    submitted_at: f.SystemTime
    decided_by: f.Email | None = None
    decision_note: f.Text = ""


class ProjectNote(Record):
    about: ClassVar[About] = About("project note", "project notes", prefix="PN-", key="", carrier="note")

    project_id: Annotated[str, f.ref("projects")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class TimeState(State):
    users: Table[User]
    clients: Table[Client]
    projects: Table[Project]
    tasks: Table[Task]
    assignments: Table[Assignment]
    time_entries: Table[TimeEntry]
    timers: Table[Timer]
    timesheets: Table[Timesheet]
    project_notes: Table[ProjectNote]


service = Service(
    "time-tracking",
    title="Time tracking",
    domain="people",
    description="Hours on client projects: entries, timers, weekly timesheets with approval, budgets, billing.",
    state=TimeState,
    files=sources(__file__),
)
