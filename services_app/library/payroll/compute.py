"""How pay comes about: the lines of a payslip from salary, items, pension, social security, tax and deductions."""

from __future__ import annotations

from dataclasses import dataclass

from services_app.engine import conflict, forbidden
from services_app.library.payroll.state import Deduction, Employee, PayrollState, PayRun, PaySchedule
from services_app.library.shared import Json, days_between, plus_days, plus_months, same, total

EARNED = ("salary", "bonus", "commission", "overtime", "correction")
PROTECTED = 0.25  # share of net pay that deductions may take


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a payslip that has not been written yet."""

    kind: str
    label: str
    amount: float
    deduction_id: str | None = None


def first_of(month: str) -> str:
    return f"{month}-01"


def last_of(month: str) -> str:
    return plus_days(first_of(next_month(month)), -1)


def next_month(month: str) -> str:
    return plus_months(first_of(month), 1)[:7]


def salary_on(state: PayrollState, employee_id: str, day: str) -> float:
    """A year's pay that is in force on a day; 0 before the first."""
    found = [row for row in state.salaries.find(employee_id=employee_id) if row.effective_on <= day]
    return max(found, key=lambda row: (row.effective_on, row.id)).annual_salary if found else 0.0


def share_employed(employee: Employee, month: str) -> float:
    """Part of the days of a month in which someone is employed."""
    first, last = max(first_of(month), employee.hired_on), min(last_of(month), employee.ended_on or last_of(month))
    days = days_between(first, last) + 1
    return max(days, 0) / (days_between(first_of(month), last_of(month)) + 1)


def tax_of(state: PayrollState, schedule_id: str, yearly: float) -> float:
    """Tax on a year's pay by the bands of a schedule."""
    bands = sorted(state.tax_bands.find(schedule_id=schedule_id), key=lambda row: row.above)
    limits = [*(band.above for band in bands[1:]), float("inf")]
    return sum(
        max(min(yearly, limit) - band.above, 0.0) * band.rate / 100 for band, limit in zip(bands, limits, strict=True)
    )


def taken(state: PayrollState, deduction_id: str) -> float:
    """What payslips have taken for a deduction so far."""
    return -total(row.amount for row in state.lines.find(deduction_id=deduction_id))


def due(state: PayrollState, deduction: Deduction, month: str) -> float:
    """What a deduction takes in a month: its monthly amount, at most what is left of the total."""
    if deduction.starts_on > last_of(month) or (deduction.ends_on is not None and deduction.ends_on < first_of(month)):
        return 0.0
    if deduction.total_amount is None:
        return deduction.monthly_amount
    return round(max(min(deduction.monthly_amount, deduction.total_amount - taken(state, deduction.id)), 0.0), 2)


def payslip_parts(state: PayrollState, employee: Employee, run: PayRun) -> list[Part]:
    """The lines of someone's payslip in a run."""
    schedule = state.schedules.get(run.schedule_id)
    yearly = salary_on(state, employee.id, last_of(run.month))
    items = state.pay_items.find(pay_run_id=run.id, employee_id=employee.id)
    parts = [Part("salary", "Monthly salary", round(yearly / 12 * share_employed(employee, run.month), 2))]
    parts += [Part(item.kind, item.description, item.amount) for item in items]
    gross = total(part.amount for part in parts if part.kind in EARNED)
    pension = round(gross * employee.pension / 100, 2)
    social = round(gross * schedule.social_security / 100, 2)
    tax = round(tax_of(state, schedule.id, (gross - pension) * 12) / 12, 2)
    parts += [
        Part("pension", f"Pension {employee.pension:g} %", -pension),
        Part("social_security", f"Social security {schedule.social_security:g} %", -social),
        Part("tax", "Income tax", -tax),
    ]
    for row in state.deductions.find(employee_id=employee.id):
        amount = due(state, row, run.month)
        if amount:
            parts.append(Part("deduction", f"{row.kind.replace('_', ' ')} {row.reference}".strip(), -amount, row.id))
    return [part for part in parts if part.amount]


def figures(lines: list[Part], schedule: PaySchedule) -> Json:
    """Gross, what is taken off, net and the cost to us, from the lines of one or more payslips."""

    def of(*kinds: str) -> float:
        return total(line.amount for line in lines if line.kind in kinds)

    gross = of(*EARNED)
    return {
        "gross": gross,
        "reimbursements": of("reimbursement"),
        "pension": -of("pension") or 0.0,
        "social_security": -of("social_security") or 0.0,
        "tax": -of("tax") or 0.0,
        "deductions": -of("deduction") or 0.0,
        "net": total(line.amount for line in lines),
        "employer_cost": round(gross * (1 + schedule.employer_share / 100) + of("reimbursement"), 2),
    }


def staff_of(state: PayrollState, run: PayRun) -> list[Employee]:
    """Who is paid in a run: employed in its month, or with an item in it."""
    extra = {row.employee_id for row in state.pay_items.find(pay_run_id=run.id)}
    return [
        row
        for row in state.employees.find(schedule_id=run.schedule_id)
        if share_employed(row, run.month) > 0 or row.id in extra
    ]


def slip_parts(state: PayrollState, payslip_id: str) -> list[Part]:
    rows = state.lines.find(payslip_id=payslip_id)
    return [Part(row.kind, row.label, row.amount, row.deduction_id) for row in rows]


def run_parts(state: PayrollState, run: PayRun) -> dict[str, list[Part]]:
    """The lines of a run by employee: those written when it was approved, or those it would have now."""
    if run.status == "draft":
        return {row.id: payslip_parts(state, row, run) for row in staff_of(state, run)}
    owners = {row.id: row.employee_id for row in state.payslips.find(pay_run_id=run.id)}
    found: dict[str, list[Part]] = {employee_id: [] for employee_id in owners.values()}
    for row in state.lines:  # once over all lines: there are thousands
        if row.payslip_id in owners:
            found[owners[row.payslip_id]].append(Part(row.kind, row.label, row.amount, row.deduction_id))
    return found


def run_figures(state: PayrollState, run: PayRun) -> Json:
    """Sums over a run."""
    found = run_parts(state, run)
    lines = [part for parts in found.values() for part in parts]
    return {"payslips": len(found), **figures(lines, state.schedules.get(run.schedule_id))}


def write_payslips(state: PayrollState, run: PayRun) -> None:
    """Write down what a draft run pays; from then on the payslips count."""
    for employee in staff_of(state, run):
        parts = payslip_parts(state, employee, run)
        slip = state.payslips.create(employee_id=employee.id, pay_run_id=run.id, iban=employee.iban)
        for part in parts:
            state.lines.create(
                payslip_id=slip.id,
                kind=part.kind,
                label=part.label,
                amount=part.amount,
                deduction_id=part.deduction_id,
            )


def must_approve(state: PayrollState, email: str) -> str:
    """The address of an approver as it is written in the list; 403 `not_an_approver` for anybody else."""
    for row in state.administrators.find(role="approver"):
        if same(row.email, email):
            return row.email
    raise forbidden(f"{email} may not approve; list_administrators shows who may.", type="not_an_approver")


def draft_run(state: PayrollState, pay_run_id: str) -> PayRun:
    """A run that can still be changed; 409 `run_closed` otherwise."""
    run = state.pay_runs.get(pay_run_id)
    if run.status != "draft":
        raise conflict(f"The run is {run.status}; use the next one.", type="run_closed")
    return run


def cutoff_of(state: PayrollState, run: PayRun) -> str:
    """The last day on which a run takes items."""
    return plus_days(run.pay_date, -state.schedules.get(run.schedule_id).cutoff)
