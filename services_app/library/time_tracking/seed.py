"""Some weeks of project work: old weeks approved and partly invoiced, the last one submitted, this one open."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Company
from services_app.library.cast import Project as Job
from services_app.library.shared import plus_days, total
from services_app.library.staff import Employment, employments
from services_app.library.time_tracking import texts
from services_app.library.time_tracking.hours import entries_of_week, hours_used, monday_of
from services_app.library.time_tracking.state import Project, TimeState, User, service

_CURRENCY = {"United Kingdom": "GBP", "United States": "USD", "Canada": "USD"}
_TEAMS = ("operations", "engineering", "support", "sales")


@service.seed
def fill(state: TimeState, ctx: SeedContext) -> None:
    staff = [row for row in employments(ctx) if row.person.team in _TEAMS]
    for contract in staff[: max(9, min(ctx.size(26), len(staff)))]:
        _user(state, ctx, contract)
    cast = people.build(ctx)
    for company in cast.companies[: ctx.size(34)]:
        _client(state, company)
    jobs = [job for job in cast.projects if -150 < job.start < 0 and state.clients.first(name=job.company.name)]
    jobs = jobs[: ctx.size(32)]
    for job in jobs:
        _project(state, ctx, job)
    _assign(state, ctx)
    weeks = {"small": 4, "normal": 6, "large": 14}[ctx.scale]
    by_code = {job.po_number: job for job in jobs}
    for back in range(weeks, -1, -1):
        for user in state.users:
            _week(state, ctx, user, back, by_code)
    _invoices(state, ctx)
    _timers(state, ctx)


def _user(state: TimeState, ctx: SeedContext, contract: Employment) -> None:
    state.users.create(
        name=contract.person.name,
        email=contract.person.email,
        employee_number=contract.number,
        team=contract.person.team,
        manager_email=contract.manager.email if contract.manager else None,
        weekly_capacity=ctx.random.choice((40.0, 40.0, 40.0, 32.0, 24.0)),
    )


def _client(state: TimeState, company: Company) -> None:
    contact = next((person for person in company.people if "Finance" in person.title), company.people[0])
    currency = _CURRENCY.get(company.country, "EUR")
    state.clients.create(name=company.name, currency=currency, billing_email=contact.email)


def _project(state: TimeState, ctx: SeedContext, job: Job) -> None:
    company, facts = job.company, people.facts(ctx, job)
    client = state.clients.first(name=company.name)
    assert client is not None
    rate = ctx.random.choice((85.0, 95.0, 110.0, 120.0))
    project = state.projects.create(
        name=f"{company.short}: {job.title}",
        code=job.po_number,
        client_id=client.id,
        manager_email=job.owner.email,
        status="active",
        budget_hours=ctx.random.choice((60.0, 80.0, 120.0, 160.0, 240.0)),
        budget_is_hard=ctx.random.random() < 0.25,
        hourly_rate=rate,
        starts_on=ctx.date(job.start),
        ends_on=ctx.date(job.end),
    )
    for name, billable, factor in (*texts.TASKS[:4], *ctx.random.sample(texts.TASKS[4:], ctx.random.randint(0, 2))):
        own = round(rate * factor, 2) if factor else None
        state.tasks.create(project_id=project.id, name=name, billable=billable, rate=own)
    for text in ctx.random.sample(texts.NOTES, ctx.random.choice((1, 2, 2, 3))):
        state.project_notes.create(
            project_id=project.id,
            author_email=ctx.random.choice((job.owner.email, people.ME.email)),
            text=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(3, 60), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _assign(state: TimeState, ctx: SeedContext) -> None:
    """Everyone works on a few projects, the signed-in user too, and each project has somebody."""
    users, projects = list(state.users), list(state.projects)
    for index, user in enumerate(users):
        for step in range(4):
            project = projects[(index * 3 + step * 7) % len(projects)]
            if not state.assignments.first(project_id=project.id, user_id=user.id):
                state.assignments.create(project_id=project.id, user_id=user.id)
    for project in projects:
        if not state.assignments.first(project_id=project.id):
            state.assignments.create(project_id=project.id, user_id=ctx.random.choice(users).id)


def _week(state: TimeState, ctx: SeedContext, user: User, back: int, jobs: dict[str, Job]) -> None:
    """A week of a user, `back` weeks ago; nothing is logged yet on the first morning of this week."""
    monday = plus_days(monday_of(ctx.today), -7 * back)
    mine = [state.projects.get(row.project_id) for row in state.assignments.find(user_id=user.id)]
    if back == 0:
        return
    for day in range(5):
        left = user.weekly_capacity / 5 + ctx.random.choice((-0.5, 0.0, 0.0, 0.5, 1.5))
        while left > 0.5 and ctx.random.random() < 0.9:
            hours = min(ctx.random.choice((1.5, 2.0, 2.5, 3.0, 4.0)), left)
            _entry(state, ctx, user, ctx.random.choice(mine), plus_days(monday, day), hours, jobs)
            left -= hours
    entries = entries_of_week(state, user.id, monday)
    fate = ctx.random.random()
    if not entries or (back == 1 and (fate < 0.45 or user.email == people.ME.email)):
        return
    status = ("submitted" if fate < 0.8 else "rejected") if back <= 2 and fate > 0.3 else "approved"
    job = ctx.random.choice(list(jobs.values()))
    facts = people.facts(ctx, job)
    state.timesheets.create(
        user_id=user.id,
        week_start=monday,
        status=status,
        comment=ctx.random.choice(texts.COMMENTS).format(**facts),
        submitted_at=f"{plus_days(monday, 4)}T{ctx.random.randint(15, 18)}:{ctx.random.randint(0, 59):02d}:00Z",
        decided_by=None if status == "submitted" else user.manager_email or people.ME.email,
        decision_note=ctx.random.choice(texts.REJECTIONS).format(**facts) if status == "rejected" else "",
    )


def _entry(
    state: TimeState, ctx: SeedContext, user: User, project: Project, date: str, hours: float, jobs: dict[str, Job]
) -> None:
    if project.budget_is_hard and hours_used(state, project.id) + hours > project.budget_hours:
        return
    tasks = state.tasks.find(project_id=project.id)
    task = ctx.random.choice([tasks[0], tasks[0], tasks[0], *tasks])
    state.time_entries.create(
        user_id=user.id,
        project_id=project.id,
        task_id=task.id,
        date=date,
        hours=hours,
        notes=ctx.random.choice(texts.WORK[task.name]).format(**people.facts(ctx, jobs[project.code])),
    )


def _invoices(state: TimeState, ctx: SeedContext) -> None:
    """Bill the approved hours of the first weeks, and close a few projects."""
    approved = {(row.user_id, row.week_start) for row in state.timesheets.find(status="approved")}
    until = monday_of(ctx.date(-21))
    for index, project in enumerate(state.projects):
        number = f"F-{ctx.today[:4]}-{3100 + index}"
        for row in state.time_entries.find(project_id=project.id):
            billable = state.tasks.get(row.task_id).billable
            if index % 3 and row.date < until and billable and (row.user_id, monday_of(row.date)) in approved:
                state.time_entries.patch(row.id, invoice_number=number)
        if index % 9 == 8 and total(row.hours for row in state.time_entries.find(project_id=project.id)) > 0:
            state.projects.patch(project.id, status="archived")


def _timers(state: TimeState, ctx: SeedContext) -> None:
    """Timers that have been running since this morning."""
    for user in [row for row in state.users if row.email != people.ME.email][: ctx.size(5)]:
        for assignment in state.assignments.find(user_id=user.id):
            project = state.projects.get(assignment.project_id)
            room = project.budget_hours - hours_used(state, project.id)
            if project.status == "active" and (room > 3 or not project.budget_is_hard):
                state.timers.create(
                    user_id=user.id,
                    project_id=project.id,
                    task_id=state.tasks.find(project_id=project.id)[0].id,
                    started_at=ctx.moment(0, ctx.random.choice((7, 8)), ctx.random.randint(0, 59)),
                )
                break
