"""Our own company as the people team sees it: a few leavers, people in probation, leave in every state."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.engine import fields as f
from services_app.library import cast as people
from services_app.library.cast import Project
from services_app.library.hr import texts
from services_app.library.hr.records import working_days
from services_app.library.hr.state import Employee, HrState, LeaveType, service
from services_app.library.shared import days_between, plus_days
from services_app.library.staff import EURO, FORMER, PAY, Employment, employments, last_raise, weekly_hours

_CENTERS = {
    "operations": "CC-400",
    "sales": "CC-100",
    "marketing": "CC-700",
    "support": "CC-200",
    "engineering": "CC-500",
    "finance": "CC-300",
    "people": "CC-600",
}
# name, paid, days a year, notice, longest request
_LEAVE = (
    ("Annual leave", True, 25.0, 7, 15),
    ("Sick leave", True, None, 0, 30),
    ("Parental leave", True, 30.0, 28, 30),
    ("Compassionate leave", True, 5.0, 0, 5),
    ("Study leave", True, 5.0, 14, 5),
    ("Unpaid leave", False, 20.0, 28, 20),
)
_HOLIDAYS = {
    "London": (("New Year's Day", "01-01"), ("Good Friday", "04-03"), ("Easter Monday", "04-06"),
               ("Early May bank holiday", "05-04"), ("Spring bank holiday", "05-25"), ("Christmas Day", "12-25")),
    "Rotterdam": (("New Year's Day", "01-01"), ("Easter Monday", "04-06"), ("King's Day", "04-27"),
                  ("Ascension Day", "05-14"), ("Whit Monday", "05-25"), ("Christmas Day", "12-25")),
    "Lyon": (("New Year's Day", "01-01"), ("Easter Monday", "04-06"), ("Labour Day", "05-01"),
             ("Victory Day", "05-08"), ("Bastille Day", "07-14"), ("Christmas Day", "12-25")),
}  # fmt: skip


@service.seed
def fill(state: HrState, ctx: SeedContext) -> None:
    contracts = employments(ctx)
    # The first contracts are the signed-in user and the heads; the whole staff is there at normal scale.
    known = contracts[: min(len(contracts), max(ctx.size(61), 24))]
    _frame(state, ctx)
    for contract in known:
        _employee(state, ctx, contract)
    for index, (number, name, title, team) in enumerate(FORMER):
        _leaver(state, ctx, number, name, title, team, index)
    for row in state.departments:
        head = next(item for item in known if item.manager is None and item.person.team == row.name.lower())
        state.departments.patch(row.id, head_id=_row(state, head).id)
    projects = people.build(ctx).projects
    for index in range(ctx.size(130)):
        _leave(state, ctx, known[index % len(known)], projects[index % len(projects)])
    for index in range(ctx.size(70)):
        _note(state, ctx, ctx.random.choice(known), projects[index])
    for index in range(ctx.size(60)):
        _goal(state, ctx, known[index % len(known)], projects[ctx.random.randint(0, 200)])
    for cycle, due in (("2025 H2", 10), ("2025 H1", -170), ("2024 H2", -350))[: 3 if ctx.scale == "large" else 2]:
        for contract in known[: ctx.size(40)]:
            if contract.manager is not None and contract.hired < due - 60:
                _review(state, ctx, contract, cycle, due)


def _frame(state: HrState, ctx: SeedContext) -> None:
    for team, center in _CENTERS.items():
        state.departments.create(name=team.capitalize(), cost_center=center)
    for name, paid, days, notice, longest in _LEAVE:
        state.leave_types.create(name=name, paid=paid, days_per_year=days, notice=notice, longest=longest)
    for location, found in _HOLIDAYS.items():
        for name, day in found:
            state.holidays.create(name=name, date=f"{ctx.today[:4]}-{day}", location=location)
    for title, usual in PAY.items():
        for currency, factor in (("GBP", 1.0), ("EUR", EURO)):
            low, high = round(usual * factor * 0.85 / 500) * 500, round(usual * factor * 1.2 / 500) * 500
            state.bands.create(title=title, currency=currency, low=low, high=high)
    for title, status, days_ago, body in texts.POLICIES:
        state.policies.create(title=title, status=status, body=body, valid_from=ctx.date(-days_ago))


def _row(state: HrState, contract: Employment) -> Employee:
    found = state.employees.first(email=contract.person.email)
    assert found is not None
    return found


def _employee(state: HrState, ctx: SeedContext, contract: Employment) -> None:
    person, hired = contract.person, ctx.date(contract.hired)
    hours = weekly_hours(contract)
    row = state.employees.create(
        number=contract.number,
        name=person.name,
        email=person.email,
        phone=person.phone,
        location=contract.office.city,
        contract="part_time" if hours < 40 else "fixed_term" if ctx.random.random() < 0.08 else "full_time",
        weekly_hours=hours,
        hired_on=hired,
        probation_ends_on=plus_days(hired, 90),
    )
    team = state.departments.first(name=person.team.capitalize())
    assert team is not None
    manager = state.employees.first(email=contract.manager.email) if contract.manager else None
    job = {"employee_id": row.id, "department_id": team.id, "manager_id": manager.id if manager else None}
    promoted = contract.hired < -900 and ctx.random.random() < 0.4
    if promoted:
        state.jobs.create(**job, effective_on=hired, title=f"Junior {person.title}", reason="Hired")
    since = ctx.date(contract.hired // 2) if promoted else hired
    state.jobs.create(**job, effective_on=since, title=person.title, reason="Promotion" if promoted else "Hired")
    _pay(state, ctx, contract, row)
    # Someone whose manager comes later in the list gets the manager once all are there.
    for late in state.jobs.where(lambda item: item.manager_id is None and item.department_id == team.id):
        if contract.manager is None and late.employee_id != row.id:
            state.jobs.patch(late.id, manager_id=row.id)


def _leaver(state: HrState, ctx: SeedContext, number: str, name: str, title: str, team: str, index: int) -> None:
    """Someone who left in the last year; their account is with a colleague now."""
    project = people.build(ctx).projects[index]
    row = state.employees.create(
        number=number,
        name=name,
        email=f"{people.ascii_name(name)}@{people.DOMAIN}",
        phone="",
        location="London",
        contract="full_time",
        weekly_hours=40,
        hired_on=ctx.date(-1900 - 40 * index),
        probation_ends_on=ctx.date(-1810 - 40 * index),
        ended_on=ctx.date(-30 - 70 * index),
        end_reason=texts.LEAVERS[index % len(texts.LEAVERS)].format(**people.facts(ctx, project)),
    )
    department = state.departments.first(name=team.capitalize())
    assert department is not None
    head = state.jobs.first(department_id=department.id, manager_id=None)
    assert head is not None
    state.jobs.create(
        employee_id=row.id,
        effective_on=row.hired_on,
        title=title,
        department_id=department.id,
        manager_id=head.employee_id,
        reason="Hired",
    )


def _pay(state: HrState, ctx: SeedContext, contract: Employment, row: Employee) -> None:
    salary, currency = contract.salary, contract.currency
    raised = last_raise(contract)
    if raised:
        before, day = raised.before, f"{ctx.date(raised.month)[:7]}-01"
        state.pay.create(
            employee_id=row.id, effective_on=row.hired_on, annual_salary=before, currency=currency, reason="Hired"
        )
        state.pay.create(
            employee_id=row.id, effective_on=day, annual_salary=salary, currency=currency, reason=raised.reason,
            approved_by=contract.manager.email if contract.manager and "offer" in raised.reason else None,
        )  # fmt: skip
    else:
        state.pay.create(
            employee_id=row.id, effective_on=row.hired_on, annual_salary=salary, currency=currency, reason="Hired"
        )


def _facts(ctx: SeedContext, contract: Employment, project: Project) -> dict[str, str]:
    others = [person for person in people.build(ctx).team(contract.person.team) if person is not contract.person]
    colleague = ctx.random.choice(others)
    return people.facts(ctx, project) | {"colleague": colleague.name, "first": contract.person.first}


def _leave(state: HrState, ctx: SeedContext, contract: Employment, project: Project) -> None:
    row, facts = _row(state, contract), _facts(ctx, contract, project)
    kind = ctx.random.choice([*list(state.leave_types)[:1] * 5, *state.leave_types])
    offset = ctx.random.randint(-150, 110)
    start = f.parse_date(ctx.date(offset))
    first = plus_days(start.isoformat(), -start.weekday() % 7 if start.weekday() > 4 else 0)
    last = plus_days(first, ctx.random.choice((0, 1, 2, 4, 4, 7, 11)))
    if first < row.hired_on or not _fits(state, row, kind, first, last):
        return
    past = last < ctx.today
    status = "approved" if past else ctx.random.choice(("requested", "requested", "approved", "declined", "cancelled"))
    asked = max(ctx.date(min(offset - ctx.random.randint(8, 40), -1)), row.hired_on)
    if kind.notice == 0:  # illness is not known before
        asked = min(first, ctx.date(-1))
        status = "approved" if first < ctx.today else "requested"
    decided = _decider(ctx, contract) if status in ("approved", "declined") else None
    request = state.leave_requests.create(
        employee_id=row.id,
        leave_type_id=kind.id,
        start_on=first,
        end_on=last,
        half_day=first == last and ctx.random.random() < 0.3,
        status=status,
        note=ctx.random.choice(texts.LEAVE_NOTES).format(**facts) if kind.notice else "",
        requested_at=f"{asked}T{ctx.random.randint(8, 17):02d}:{ctx.random.randint(0, 59):02d}:00Z",
        decided_by=decided,
        decision_note=ctx.random.choice(texts.DECLINED).format(**facts) if status == "declined" else "",
    )
    if ctx.random.random() < 0.2 and kind.days_per_year is not None:
        reason, amounts = ctx.random.choice(texts.ADJUSTMENTS)
        state.adjustments.create(
            employee_id=row.id,
            leave_type_id=state.leave_types.get("LT-01").id,
            year=int(ctx.today[:4]),
            days=ctx.random.choice(amounts),
            reason=reason.format(**facts),
            made_on=request.requested_at[:10],
        )


def _decider(ctx: SeedContext, contract: Employment) -> str:
    """Who decides about someone's leave: the manager; for heads the head of the people team or of finance."""
    if contract.manager is not None:
        return contract.manager.email
    cast = people.build(ctx)
    heads = (cast.team("people")[0], cast.team("finance")[0])
    return next(person.email for person in heads if person is not contract.person)


def _fits(state: HrState, row: Employee, kind: LeaveType, first: str, last: str) -> bool:
    """Whether this leave keeps the rules that requests keep: within limits, no overlap, days left."""
    days = working_days(state, row.location, first, last)
    mine = [item for item in state.leave_requests.find(employee_id=row.id) if item.status in ("requested", "approved")]
    used = sum(days_between(item.start_on, item.end_on) + 1 for item in mine if item.leave_type_id == kind.id)
    free = kind.days_per_year is None or used + len(days) <= kind.days_per_year * row.weekly_hours / 40 * 0.6
    return bool(days) and len(days) <= kind.longest and free and all(
        last < item.start_on or item.end_on < first for item in mine
    )  # fmt: skip


def _note(state: HrState, ctx: SeedContext, contract: Employment, project: Project) -> None:
    team = [person for person in people.build(ctx).team("people")[:3] if person is not contract.person]
    state.notes.create(
        employee_id=_row(state, contract).id,
        author_email=ctx.random.choice([contract.manager or team[0], *team]).email,
        text=ctx.random.choice(texts.NOTES).format(**_facts(ctx, contract, project)),
        written_at=ctx.moment(-ctx.random.randint(1, 200), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
    )


def _goal(state: HrState, ctx: SeedContext, contract: Employment, project: Project) -> None:
    row, facts = _row(state, contract), _facts(ctx, contract, project)
    title, measure = ctx.random.choice(texts.GOALS)
    status = ctx.random.choice(("open", "open", "open", "achieved", "dropped"))
    if state.goals.count(employee_id=row.id, status="open") >= 3:
        status = "achieved"
    state.goals.create(
        employee_id=row.id,
        title=title.format(**facts),
        measure=measure.format(**facts),
        progress=100 if status == "achieved" else ctx.random.choice((0, 10, 25, 40, 60, 80)),
        due_on=ctx.date(ctx.random.randint(10, 200) if status == "open" else -ctx.random.randint(5, 100)),
        status=status,
    )


def _review(state: HrState, ctx: SeedContext, contract: Employment, cycle: str, due: int) -> None:
    project = ctx.random.choice(people.build(ctx).projects[:120])
    facts, row = _facts(ctx, contract, project), _row(state, contract)
    assert contract.manager is not None
    reviewer = state.employees.first(email=contract.manager.email)
    assert reviewer is not None
    stage = "completed" if due < 0 else ctx.random.choice(("self_assessment", "manager_review", "completed"))
    late = -ctx.random.randint(2, 20) if due > 0 and ctx.random.random() < 0.4 else due
    done = stage == "completed"
    state.reviews.create(
        employee_id=row.id,
        reviewer_id=reviewer.id,
        cycle=cycle,
        stage=stage,
        due_on=ctx.date(late),
        self_assessment="" if stage == "self_assessment" else ctx.random.choice(texts.SELF).format(**facts),
        summary=ctx.random.choice(texts.SUMMARIES).format(**facts) if done else "",
        rating=ctx.random.choice((2, 3, 3, 3, 4)) if done else None,
        completed_on=ctx.date(min(late, -1)) if done else None,
    )
