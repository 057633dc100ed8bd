"""What the HR system holds. Jobs and pay are histories; what someone is today follows from them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Contract = Annotated[Literal["full_time", "part_time", "fixed_term"], LABEL]
Location = Annotated[Literal["London", "Rotterdam", "Lyon"], f.Semantic("place")]
LeaveStatus = Annotated[Literal["requested", "approved", "declined", "cancelled"], LABEL]
ReviewStage = Annotated[Literal["self_assessment", "manager_review", "completed"], LABEL]
GoalStatus = Annotated[Literal["open", "achieved", "dropped"], LABEL]
PolicyStatus = Annotated[Literal["current", "superseded"], LABEL]
Days = Annotated[float, f.duration("days")]


class Department(Record):
    about: ClassVar[About] = About("department", "departments", prefix="DEP-", width=2, key="name")

    name: f.Label
    cost_center: f.Code
    head_id: Annotated[str | None, f.ref("employees")] = None


class Employee(Record):
    about: ClassVar[About] = About("employee", "employees", prefix="EMP-", key="email")

    number: f.Code
    """Employee number, as payroll and time tracking know it."""
    name: f.Person
    email: f.Email
    phone: f.Phone
    location: Location
    contract: Contract
    weekly_hours: Annotated[int, f.duration("hours")]
    hired_on: f.Date
    probation_ends_on: f.Date
    ended_on: f.Date | None = None
    end_reason: f.Text = ""


class Job(Record):
    """What someone does from a day on."""

    about: ClassVar[About] = About("job record", "job records", prefix="JOB-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    effective_on: f.Date
    title: f.Title
    department_id: Annotated[str, f.ref("departments")]
    manager_id: Annotated[str | None, f.ref("employees")] = None
    reason: f.Text = ""


class Pay(Record):
    """What someone earns from a day on."""

    about: ClassVar[About] = About("pay record", "pay records", prefix="PAY-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    effective_on: f.Date
    annual_salary: f.Money
    currency: f.Label
    reason: f.Text
    approved_by: f.Email | None = None


class Band(Record):
    """The range in which the pay for a job title lies."""

    about: ClassVar[About] = About("pay band", "pay bands", prefix="BAND-", width=3, key="")

    title: f.Title
    currency: f.Label
    low: f.Money
    high: f.Money


class LeaveType(Record):
    about: ClassVar[About] = About("leave type", "leave types", prefix="LT-", width=2, key="name")

    name: f.Label
    paid: bool
    days_per_year: Days | None
    """None: as many as are needed."""
    notice: Annotated[int, f.duration("days")]
    longest: Annotated[int, f.duration("days")]
    """Working days in one request."""


class LeaveRequest(Record):
    about: ClassVar[About] = About("leave request", "leave requests", prefix="LV-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    leave_type_id: Annotated[str, f.ref("leave_types")]
    start_on: f.Date
    end_on: f.Date
    half_day: bool = False
    status: LeaveStatus
    note: f.Text = ""
    requested_at: f.SystemTime
    decided_by: f.Email | None = None
    decision_note: f.Text = ""


class Adjustment(Record):
    about: ClassVar[About] = About("balance adjustment", "balance adjustments", prefix="ADJ-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    leave_type_id: Annotated[str, f.ref("leave_types")]
    year: Annotated[int, f.count("year")]
    days: Days
    reason: f.Text
    made_on: f.Date


class Holiday(Record):
    about: ClassVar[About] = About("public holiday", "public holidays", prefix="HOL-", key="name")

    name: f.Title
    date: f.Date
    location: Location


class Review(Record):
    about: ClassVar[About] = About("performance review", "performance reviews", prefix="REV-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    reviewer_id: Annotated[str, f.ref("employees")]
    cycle: f.Label
    stage: ReviewStage
    due_on: f.Date
    self_assessment: f.Text = ""
    summary: f.Text = ""
    rating: Annotated[int | None, f.count("points"), Field(ge=1, le=5)] = None
    completed_on: f.Date | None = None


class Goal(Record):
    about: ClassVar[About] = About("goal", "goals", prefix="GOAL-", key="title")

    employee_id: Annotated[str, f.ref("employees")]
    title: f.Title
    measure: f.Text
    progress: Annotated[int, f.Semantic("percent")]
    due_on: f.Date
    status: GoalStatus


class Note(Record):
    about: ClassVar[About] = About("employee note", "employee notes", prefix="NOTE-", key="", carrier="note")

    employee_id: Annotated[str, f.ref("employees")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Policy(Record):
    about: ClassVar[About] = About("HR policy", "HR policies", prefix="POL-", key="title", carrier="document")

    title: f.Title
    status: PolicyStatus
    body: f.Text
    valid_from: f.Date


class HrState(State):
    departments: Table[Department]
    employees: Table[Employee]
    jobs: Table[Job]
    pay: Table[Pay]
    bands: Table[Band]
    leave_types: Table[LeaveType]
    leave_requests: Table[LeaveRequest]
    adjustments: Table[Adjustment]
    holidays: Table[Holiday]
    reviews: Table[Review]
    goals: Table[Goal]
    notes: Table[Note]
    policies: Table[Policy]


service = Service(
    "hr",
    title="HR",
    domain="people",
    description="Employee records: jobs, reporting lines, pay, leave balances and requests, reviews, goals, policies.",
    state=HrState,
    files=sources(__file__),
)
