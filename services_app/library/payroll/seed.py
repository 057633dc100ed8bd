"""Pay of our own people: some months paid, the last one approved in one country, the new month in draft."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.payroll import texts
from services_app.library.payroll.compute import first_of, share_employed, write_payslips
from services_app.library.payroll.state import Employee, PayrollState, PayRun, PaySchedule, service
from services_app.library.shared import plus_days
from services_app.library.staff import FORMER, Employment, employments, last_raise

# name, country, currency, pay day, cut-off, social security, employer's share, limit, office, tax bands
_SCHEDULES = (
    ("UK monthly", "United Kingdom", "GBP", 27, 7, 8.0, 13.8, 60_000.0, "London", ((12_500, 20), (50_000, 40))),
    ("NL monthly", "Netherlands", "EUR", 25, 8, 9.5, 18.2, 50_000.0, "Rotterdam", ((8_000, 30), (40_000, 37))),
    ("FR monthly", "France", "EUR", 28, 6, 22.0, 42.0, 40_000.0, "Lyon", ((11_000, 11), (29_000, 30), (82_000, 41))),
)  # fmt: skip
_MONTHS = {"small": 3, "normal": 6, "large": 20}
# kind, monthly amount, total, reference
_DEDUCTIONS = (
    ("loan", 150.0, 1800.0, "LOAN-{number}"),
    ("bike_lease", 64.5, None, "BL-{number}"),
    ("season_ticket", 110.0, 1320.0, "ST-{number}"),
    ("union_fee", 18.2, None, ""),
    ("court_order", 210.0, 3150.0, "CO-{number}"),
    ("loan", 95.0, 570.0, "LOAN-{number}"),
)


@service.seed
def fill(state: PayrollState, ctx: SeedContext) -> None:
    for number, row in enumerate(_SCHEDULES):
        _schedule(state, row, number)
    contracts = employments(ctx)
    _administrators(state, contracts)
    for contract in contracts[: min(len(contracts), max(ctx.size(61), 24))]:
        _employee(state, ctx, contract)
    for number, (code, name, _, _) in enumerate(FORMER):
        _leaver(state, ctx, code, name, number)
    months = [ctx.today[:7]]
    for _ in range(_MONTHS[ctx.scale]):
        months.insert(0, plus_days(first_of(months[0]), -1)[:7])
    _deductions(state, ctx, months[0])
    for month in months:
        for schedule in state.schedules:
            _run(state, ctx, schedule, month)
    _bank_changes(state, ctx)


def _schedule(state: PayrollState, row: tuple[object, ...], number: int) -> None:
    name, country, currency, pay_day, cutoff, social, share, limit, _, bands = row
    schedule = state.schedules.create(
        name=name,
        country=country,
        currency=currency,
        pay_day=pay_day,
        cutoff=cutoff,
        social_security=social,
        employer_share=share,
        second_approval_above=limit,
    )
    assert isinstance(bands, tuple)
    for above, rate in bands:
        state.tax_bands.create(schedule_id=schedule.id, above=above, rate=rate)


def _administrators(state: PayrollState, contracts: tuple[Employment, ...]) -> None:
    """The signed-in user prepares; the head of finance and two colleagues approve."""
    finance = [row.person for row in contracts if row.person.team == "finance"]
    managers = [row.person for row in contracts if row.manager is None and row.person.team in ("people", "operations")]
    for person, role in (
        (people.ME, "preparer"),
        (finance[0], "approver"),
        (finance[1], "preparer"),
        (managers[0], "approver"),
        (managers[1], "approver"),
    ):
        state.administrators.create(name=person.name, email=person.email, role=role)


def _employee(state: PayrollState, ctx: SeedContext, contract: Employment) -> None:
    place = next(number for number, row in enumerate(_SCHEDULES) if row[8] == contract.office.city)
    hired = ctx.date(contract.hired)
    row = state.employees.create(
        number=contract.number,
        name=contract.person.name,
        email=contract.person.email,
        schedule_id=list(state.schedules)[place].id,
        iban=contract.iban,
        pension=ctx.random.choice((3.0, 4.0, 5.0)),
        hired_on=hired,
    )
    raised = last_raise(contract)
    before = raised.before if raised else contract.salary
    state.salaries.create(employee_id=row.id, effective_on=hired, annual_salary=before, reason="Hired")
    if raised:
        day = first_of(ctx.date(raised.month)[:7])
        state.salaries.create(employee_id=row.id, effective_on=day, annual_salary=contract.salary, reason=raised.reason)


def _leaver(state: PayrollState, ctx: SeedContext, code: str, name: str, number: int) -> None:
    """Someone who left in the last year, at the end of a month or within it."""
    row = state.employees.create(
        number=code,
        name=name,
        email=f"{people.ascii_name(name)}@{people.DOMAIN}",
        schedule_id=state.schedules.find(country="United Kingdom")[0].id,
        iban=f"GB{41 + number}LARK{60_120_330 + 71 * number}",
        pension=3.0,
        hired_on=ctx.date(-1900 - 40 * number),
        ended_on=ctx.date(-30 - 70 * number),
    )
    state.salaries.create(employee_id=row.id, effective_on=row.hired_on, annual_salary=39_000.0 + 900 * number)


def _deductions(state: PayrollState, ctx: SeedContext, month: str) -> None:
    staff = [row for row in state.employees if row.ended_on is None][1:]
    for index in range(ctx.size(24)):
        kind, monthly, amount, reference = _DEDUCTIONS[index % len(_DEDUCTIONS)]
        employee = staff[index * 5 % len(staff)]
        if state.deductions.first(employee_id=employee.id):
            continue
        starts = first_of(month) if index % 3 else first_of(ctx.date(-25)[:7])
        state.deductions.create(
            employee_id=employee.id,
            kind=kind,
            monthly_amount=monthly,
            total_amount=amount,
            starts_on=max(starts, employee.hired_on),
            ends_on=None if index % 8 != 5 else plus_days(max(starts, employee.hired_on), 40),
            reference=reference.format(number=3100 + 7 * index),
        )


def _run(state: PayrollState, ctx: SeedContext, schedule: PaySchedule, month: str) -> None:
    """A run: of last month one is approved and the others paid; of this month only the British one is open."""
    if month == ctx.today[:7] and schedule.country != "United Kingdom":
        return
    run = state.pay_runs.create(
        schedule_id=schedule.id, month=month, pay_date=f"{month}-{schedule.pay_day:02d}", status="draft"
    )
    staff = [row for row in state.employees.find(schedule_id=schedule.id) if share_employed(row, month) > 0]
    for employee in ctx.random.sample(staff, min(len(staff), ctx.random.randint(2, 5))):
        _item(state, ctx, run, employee)
    for _ in range(ctx.random.choice((0, 1, 1, 2)) if month < ctx.today[:7] else 3):
        _note(state, ctx, run)
    if month == ctx.today[:7]:
        return
    approvers = [row.email for row in state.administrators.find(role="approver")]
    write_payslips(state, run)
    paid = month < ctx.date(-15)[:7] or schedule.country != "France"
    state.pay_runs.patch(
        run.id,
        status="paid" if paid else "approved",
        approved_by=tuple(approvers[:2]),
        paid_on=run.pay_date if paid else None,
    )


def _item(state: PayrollState, ctx: SeedContext, run: PayRun, employee: Employee) -> None:
    """Commissions are for sales; overtime is paid at one and a half times the hourly pay."""
    cast = people.build(ctx)
    project = ctx.random.choice(cast.projects[:150])
    kind = ctx.random.choice(tuple(texts.ITEMS))
    if kind == "commission" and employee.email not in {person.email for person in cast.team("sales")}:
        kind = "overtime"
    hours = ctx.random.choice(texts.HOURS)
    if kind == "overtime":
        salary = max(state.salaries.find(employee_id=employee.id), key=lambda row: row.effective_on)
        amount = round(1.5 * hours * salary.annual_salary / 2080, 2)
    else:
        amount = ctx.random.choice(texts.AMOUNTS[kind])
    facts = people.facts(ctx, project) | {"hours": str(hours), "colleague": ctx.random.choice(cast.staff[1:25]).name}
    text = ctx.random.choice(texts.ITEMS[kind])
    if "twice" in text or "Missing" in text:  # what was too much is taken back, what was too little is added
        amount = -abs(amount) if "twice" in text else abs(amount)
    state.pay_items.create(
        pay_run_id=run.id, employee_id=employee.id, kind=kind, amount=amount, description=text.format(**facts)
    )


def _note(state: PayrollState, ctx: SeedContext, run: PayRun) -> None:
    cast = people.build(ctx)
    facts = people.facts(ctx, ctx.random.choice(cast.projects[:150]))
    colleague, seller = ctx.random.choice(cast.staff[1:25]), ctx.random.choice(cast.team("sales")[:4])
    order = state.deductions.first(kind="court_order")
    debtor = state.employees.get(order.employee_id).name if order else colleague.name
    facts |= {"colleague": colleague.name, "seller": seller.name, "debtor": debtor}
    day = min(f"{run.month}-{ctx.random.randint(1, 24):02d}", ctx.date(-1))
    state.run_notes.create(
        pay_run_id=run.id,
        author_email=ctx.random.choice(list(state.administrators)).email,
        text=ctx.random.choice(texts.NOTES).format(**facts),
        written_at=f"{day}T{ctx.random.randint(8, 17):02d}:{ctx.random.randint(0, 59):02d}:00Z",
    )


def _bank_changes(state: PayrollState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    approver = state.administrators.find(role="approver")[0].email
    staff = [row for row in state.employees if row.email not in {item.email for item in state.administrators}]
    home = state.schedules.find(country="United Kingdom")[0].id
    british = [row for row in staff if row.schedule_id == home and row.ended_on is None]
    # The British run can be approved as it is; the others wait for decisions about accounts.
    abroad = [row for row in staff if row.schedule_id != home][: ctx.size(6)]
    for index, employee in enumerate([*abroad, *ctx.random.sample(british, min(len(british), ctx.size(5)))]):
        status = ("rejected", "confirmed")[index % 2] if employee in british else "pending"
        country = employee.iban[:2]
        number = f"{country}{ctx.random.randint(10, 99)}NEWB{ctx.random.randint(1000_0000, 9999_9999)}"
        facts = people.facts(ctx, ctx.random.choice(cast.projects[:100]))
        state.bank_changes.create(
            employee_id=employee.id,
            new_iban=employee.iban if status == "confirmed" else number,
            reason=ctx.random.choice(texts.BANK[status]).format(
                **facts, colleague=ctx.random.choice(cast.staff[1:20]).name
            ),
            status=status,
            requested_at=ctx.moment(-ctx.random.randint(1, 12) - 30 * (status != "pending"), 11, index),
            decided_by=None if status == "pending" else approver,
        )
