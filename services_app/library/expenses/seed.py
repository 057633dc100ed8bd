"""The spending of a quarter: reports in every state, loose expenses, receipts, and card lines without an expense."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Person, Project
from services_app.library.expenses import texts
from services_app.library.expenses.state import Employee, Expense, ExpensesState, Report, service

_TEAM_CODES = {
    "operations": "CC-400",
    "sales": "CC-100",
    "support": "CC-200",
    "finance": "CC-300",
    "engineering": "CC-500",
    "people": "CC-600",
    "marketing": "CC-700",
}
COORDINATOR_LIMIT, MANAGER_LIMIT, FINANCE_LIMIT = 750.0, 3000.0, 50_000.0
REPORT_OWNERS = 12


@service.seed
def fill(state: ExpensesState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, code, limit, receipt_from, reimbursable in texts.CATEGORIES:
        state.categories.create(
            name=name,
            ledger_code=code,
            limit_amount=limit,
            receipt_from=receipt_from,
            reimbursable=reimbursable,
            archived=name == texts.ARCHIVED,
        )
    for currency, rate in (("EUR", 0.86), ("USD", 0.79)):
        state.exchange_rates.create(currency=currency, gbp_per_unit=rate, valid_from=ctx.date(-29))
    for title, body, day, superseded in texts.POLICIES:
        state.policies.create(title=title, body=body, valid_from=ctx.date(day), superseded=superseded)
    _employees(state, cast, ctx.size(36))
    _reports(state, ctx, cast)
    _loose(state, ctx, cast)


def _employees(state: ExpensesState, cast: Cast, count: int) -> None:
    """Everybody reports to the head of the team, heads to finance; I sign for operations and support."""
    top = _manager(cast, "finance")
    for person in dict.fromkeys([*cast.staff[:count], *(_manager(cast, team) for team in _TEAM_CODES)]):
        head = _manager(cast, person.team)
        boss = "" if person is top else top.email if person is head else head.email
        if person.team in ("operations", "support") and person not in (cast.me, head):
            boss = cast.me.email
        state.employees.create(
            name=person.name,
            email=person.email,
            team=person.team,
            cost_center=_TEAM_CODES[person.team],
            manager_email=boss,
            approval_limit=_limit(cast, person),
        )


def _manager(cast: Cast, team: str) -> Person:
    return next(person for person in cast.team(team) if person is not cast.me)


def _limit(cast: Cast, person: Person) -> float:
    if person is cast.me:
        return COORDINATOR_LIMIT
    if person is _manager(cast, "finance"):
        return FINANCE_LIMIT
    return MANAGER_LIMIT if person is _manager(cast, person.team) else 0.0


def _reports(state: ExpensesState, ctx: SeedContext, cast: Cast) -> None:
    me = state.employees.find(email=cast.me.email)
    below = state.employees.find(manager_email=cast.me.email)
    others = [row for row in state.employees if row not in below and row not in me and row.manager_email]
    days = sorted(ctx.random.randint(-85, -2) for _ in range(ctx.size(90)))
    for index, day in enumerate(days):
        # A third is mine, a third waits for me or did, the rest belongs to the company.
        owner = ctx.random.choice((me, below or me, others or me)[index % 3])
        project = cast.projects[(index * 7) % 120]
        _report(state, ctx, cast, owner, project, day, index)


def _report(
    state: ExpensesState, ctx: SeedContext, cast: Cast, owner: Employee, project: Project, day: int, index: int
) -> None:
    facts = people.facts(ctx, project)
    status = _status(ctx, day)
    approver = state.employees.first(email=owner.manager_email)
    report = state.reports.create(
        number=f"ER-{ctx.date(day)[:4]}-{_next(state, ctx.date(day)[:4]):04d}",
        employee_id=owner.id,
        title=ctx.random.choice(texts.TITLES).format(**facts),
        purpose=ctx.random.choice(texts.PURPOSES).format(**facts),
        order_number=project.po_number if ctx.random.random() < 0.6 else "",
        status=status,
        approver_id=approver.id if approver and status != "draft" else None,
        submitted_on=None if status == "draft" else ctx.date(day + 1),
        decided_on=ctx.date(min(day + 6, -1)) if status in ("approved", "rejected", "reimbursed") else None,
        created_at=ctx.moment(day, 9, index % 60),
    )
    for _ in range(ctx.random.randint(2, 6)):
        spent = _expense(state, ctx, owner, project, day - ctx.random.randint(1, 9), report, tidy=status != "draft")
        if spent.paid_with == "company_card":
            _booked(state, ctx, spent, spent.id)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2))):
        state.comments.create(
            report_id=report.id,
            author_email=ctx.random.choice((project.owner.email, owner.email)),
            text=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 20), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _next(state: ExpensesState, year: str) -> int:
    return sum(1 for row in state.reports if row.number.startswith(f"ER-{year}-")) + 1


def _status(ctx: SeedContext, day: int) -> str:
    if day > -25:
        return ctx.random.choice(("draft", "draft", "submitted", "submitted", "submitted", "approved", "rejected"))
    return ctx.random.choice(("reimbursed", "reimbursed", "reimbursed", "approved", "rejected", "submitted", "draft"))


def _expense(
    state: ExpensesState,
    ctx: SeedContext,
    owner: Employee,
    project: Project,
    day: int,
    report: Report | None,
    *,
    tidy: bool,
) -> Expense:
    """One expense with its receipt; untidy ones lack receipts or explanations now and then."""
    name, merchants, low, high, printed = ctx.random.choice(texts.SPENDING)
    category = next(row for row in state.categories if row.name == name)
    facts = {**people.facts(ctx, project), "name": owner.name}
    merchant, amount = ctx.random.choice(merchants), round(ctx.random.uniform(low, high), 2)
    currency = ctx.random.choice(("GBP", "GBP", "GBP", "EUR", "EUR", "USD"))
    receipt_id = None
    if tidy or ctx.random.random() < 0.7:
        receipt_id = _receipt(state, ctx, owner, merchant, amount, currency, day, printed.format(**facts))
    explained = tidy and amount > category.limit_amount * 0.9
    return state.expenses.create(
        employee_id=owner.id,
        report_id=report.id if report else None,
        category_id=category.id,
        merchant=merchant,
        amount=amount,
        currency=currency,
        incurred_on=ctx.date(day),
        description=ctx.random.choice(texts.REASONS).format(**facts) if explained or ctx.random.random() < 0.5 else "",
        paid_with=ctx.random.choice(("personal", "personal", "company_card")),
        receipt_id=receipt_id,
    )


def _receipt(
    state: ExpensesState,
    ctx: SeedContext,
    owner: Employee,
    merchant: str,
    amount: float,
    currency: str,
    day: int,
    printed: str,
) -> str:
    slug = people.ascii_name(merchant).replace(".", "-")
    number = ctx.random.randint(1000, 9999)
    return state.receipts.create(
        employee_id=owner.id,
        file_name=f"{slug}-{ctx.date(day)}-{number}.pdf",
        text=f"{merchant}\nReceipt no. {number}\n{people.in_words(ctx.date(day))}\n{printed}\n"
        f"Total {currency} {amount:.2f}",
        merchant=merchant,
        amount=amount,
        currency=currency,
        issued_on=ctx.date(day),
        uploaded_at=ctx.moment(min(day + 1, -1), 18, number % 60),
    ).id


def _card(employee_id: str) -> str:
    """The last four digits of the employee's company card."""
    return str(4100 + 37 * int(employee_id.rsplit("-", 1)[-1]))


def _booked(state: ExpensesState, ctx: SeedContext, spent: Expense, expense_id: str | None) -> None:
    state.card_transactions.create(
        employee_id=spent.employee_id,
        card_last4=_card(spent.employee_id),
        merchant=spent.merchant,
        amount=spent.amount,
        currency=spent.currency,
        booked_on=spent.incurred_on,
        expense_id=expense_id,
    )


def _loose(state: ExpensesState, ctx: SeedContext, cast: Cast) -> None:
    """My expenses on no report, a few receipts nobody attached, and card lines without an expense."""
    me = state.employees.first(email=cast.me.email)
    assert me is not None
    for index in range(ctx.size(30)):
        project = cast.projects[index * 3 % 120]
        spent = _expense(state, ctx, me, project, -ctx.random.randint(2, 40), None, tidy=False)
        if spent.receipt_id is not None and index % 2 == 0:
            state.expenses.patch(spent.id, receipt_id=None)
        if spent.paid_with == "company_card" or index % 3 == 1:
            _booked(state, ctx, spent, None if index % 3 == 1 else spent.id)
    owners = [me, *list(state.employees)[1:REPORT_OWNERS]]
    for index in range(ctx.size(30)):
        # Never entered: only the card and the receipt know of it.
        _, merchants, low, high, printed = texts.SPENDING[index % len(texts.SPENDING)]
        owner, day = owners[index % len(owners)], -ctx.random.randint(2, 30)
        amount = round(ctx.random.uniform(low, high), 2)
        facts = {**people.facts(ctx, cast.projects[index]), "name": owner.name}
        _receipt(state, ctx, owner, merchants[0], amount, "GBP", day, printed.format(**facts))
        state.card_transactions.create(
            employee_id=owner.id,
            card_last4=_card(owner.id),
            merchant=merchants[0],
            amount=amount,
            currency="GBP",
            booked_on=ctx.date(day),
        )
