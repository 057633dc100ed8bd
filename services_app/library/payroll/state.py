"""What the payroll system holds. A draft run is computed when asked for; approving it writes the payslips."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

RunStatus = Annotated[Literal["draft", "approved", "paid"], LABEL]
ItemKind = Annotated[Literal["bonus", "commission", "overtime", "correction", "reimbursement"], LABEL]
DeductionKind = Annotated[Literal["loan", "bike_lease", "season_ticket", "union_fee", "court_order"], LABEL]
ChangeStatus = Annotated[Literal["pending", "confirmed", "rejected"], LABEL]
LineKind = Annotated[
    Literal[
        "salary", "bonus", "commission", "overtime", "correction", "reimbursement", "pension", "social_security", "tax",
        "deduction",
    ],
    LABEL,
]  # fmt: skip
Role = Annotated[Literal["preparer", "approver"], LABEL]
Month = Annotated[str, f.Semantic("label")]


class Administrator(Record):
    about: ClassVar[About] = About(
        "payroll administrator", "payroll administrators", prefix="ADM-", width=2, key="email"
    )

    name: f.Person
    email: f.Email
    role: Role


class PaySchedule(Record):
    about: ClassVar[About] = About("pay schedule", "pay schedules", prefix="SCH-", width=2, key="name")

    name: f.Label
    country: f.Place
    currency: f.Label
    pay_day: Annotated[int, f.count("day of month")]
    cutoff: Annotated[int, f.duration("days")]
    """Days before the pay day after which only corrections are taken."""
    social_security: f.Percent
    employer_share: f.Percent
    second_approval_above: f.Money
    """Gross of a run above which two people approve it."""


class TaxBand(Record):
    """Tax on the part of a year's pay above a limit."""

    about: ClassVar[About] = About("tax band", "tax bands", prefix="TAX-", width=2, key="")

    schedule_id: Annotated[str, f.ref("schedules")]
    above: f.Money
    rate: f.Percent


class Employee(Record):
    about: ClassVar[About] = About("employee", "employees", prefix="PE-", key="email")

    number: f.Code
    name: f.Person
    email: f.Email
    schedule_id: Annotated[str, f.ref("schedules")]
    iban: f.Code
    pension: f.Percent
    hired_on: f.Date
    ended_on: f.Date | None = None


class Salary(Record):
    about: ClassVar[About] = About("salary", "salaries", prefix="SAL-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    effective_on: f.Date
    annual_salary: f.Money
    reason: f.Text = ""


class BankChange(Record):
    about: ClassVar[About] = About("bank account change", "bank account changes", prefix="BC-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    new_iban: f.Code
    reason: f.Text
    status: ChangeStatus
    requested_at: f.SystemTime
    decided_by: f.Email | None = None


class PayRun(Record):
    about: ClassVar[About] = About("pay run", "pay runs", prefix="RUN-", key="")

    schedule_id: Annotated[str, f.ref("schedules")]
    month: Month
    pay_date: f.Date
    status: RunStatus
    approved_by: tuple[f.Email, ...] = ()
    paid_on: f.Date | None = None


class PayItem(Record):
    about: ClassVar[About] = About("pay item", "pay items", prefix="ITM-", key="")

    pay_run_id: Annotated[str, f.ref("pay_runs")]
    employee_id: Annotated[str, f.ref("employees")]
    kind: ItemKind
    amount: f.Money
    description: f.Text
    approved_by: f.Email | None = None


class Deduction(Record):
    about: ClassVar[About] = About("deduction", "deductions", prefix="DED-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    kind: DeductionKind
    monthly_amount: f.Money
    total_amount: f.Money | None = None
    """What is taken altogether; None: until it is ended."""
    starts_on: f.Date
    ends_on: f.Date | None = None
    reference: f.Code = ""


class Payslip(Record):
    about: ClassVar[About] = About("payslip", "payslips", prefix="PS-", key="")

    employee_id: Annotated[str, f.ref("employees")]
    pay_run_id: Annotated[str, f.ref("pay_runs")]
    iban: f.Code


class Line(Record):
    about: ClassVar[About] = About("payslip line", "payslip lines", prefix="LN-", width=5, key="")

    payslip_id: Annotated[str, f.ref("payslips")]
    kind: LineKind
    label: f.Text
    amount: f.Money
    """Negative when it is taken off."""
    deduction_id: Annotated[str | None, f.ref("deductions")] = None


class RunNote(Record):
    about: ClassVar[About] = About("pay run note", "pay run notes", prefix="PRN-", key="", carrier="note")

    pay_run_id: Annotated[str, f.ref("pay_runs")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class PayrollState(State):
    administrators: Table[Administrator]
    schedules: Table[PaySchedule]
    tax_bands: Table[TaxBand]
    employees: Table[Employee]
    salaries: Table[Salary]
    bank_changes: Table[BankChange]
    pay_runs: Table[PayRun]
    pay_items: Table[PayItem]
    deductions: Table[Deduction]
    payslips: Table[Payslip]
    lines: Table[Line]
    run_notes: Table[RunNote]


service = Service(
    "payroll",
    title="Payroll",
    domain="people",
    description="Monthly pay runs in three countries: salaries, bonuses, deductions, tax, approvals and payslips.",
    state=PayrollState,
    files=sources(__file__),
)
