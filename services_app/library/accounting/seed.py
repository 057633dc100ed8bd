"""Six months of books: opening balances, sales, purchases, payments, wages and manual journals, some in draft."""

from __future__ import annotations

from collections.abc import Sequence

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.accounting import texts
from services_app.library.accounting.state import AccountingState, Journal, Period, service
from services_app.library.cast import Cast, Project
from services_app.library.suppliers import suppliers

MONTHS = ("2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06")
_LENGTH = {"02": 28, "04": 30, "06": 30, "09": 30, "11": 30}
OPEN_FROM = "2026-01"  # the months before are closed
VAT = 0.2
Line = tuple[str, float, str, str | None]
"""Account code, amount (negative: credit), description, id of the cost center."""
OPENING: tuple[Line, ...] = (
    ("1000", 400_000.0, "", None),
    ("1010", 90_000.0, "", None),
    ("1300", 60_000.0, "", None),
    ("1200", 24_000.0, "", None),
    ("3000", -574_000.0, "", None),
)


class Books:
    """Writes balanced journals, numbered in the order of their dates."""

    def __init__(self, state: AccountingState) -> None:
        self.state = state
        self.accounts = {row.code: row.id for row in state.accounts}
        self.waiting: list[tuple[str, dict[str, object], Sequence[Line]]] = []

    def add(self, day: str, lines: Sequence[Line], **head: object) -> None:
        """Keep a journal until all are known."""
        self.waiting.append((day, head, lines))

    def write(self, ctx: SeedContext) -> list[Journal]:
        found, taken = [], {"2025": 0, "2026": 0}
        for day, head, lines in sorted(self.waiting, key=lambda row: row[0]):
            taken[day[:4]] += 1
            number = f"J-{day[:4]}-{taken[day[:4]]:04d}"
            journal = self.state.journals.create(
                number=number, posting_date=day, created_at=min(f"{day}T16:00:00Z", ctx.moment(0, 8)), **head
            )
            for code, amount, description, option in lines:
                self.state.journal_lines.create(
                    journal_id=journal.id,
                    account_id=self.accounts[code],
                    description=description,
                    debit=round(max(amount, 0.0), 2),
                    credit=round(max(-amount, 0.0), 2),
                    cost_center_id=option,
                )
            found.append(journal)
        return found


@service.seed
def fill(state: AccountingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for code, name, kind, tax, system in texts.ACCOUNTS:
        state.accounts.create(code=code, name=name, type=kind, tax_rate=tax, system=system)
    for code, name, team in texts.COST_CENTERS:
        head = next(person for person in cast.team(team) if person is not cast.me)
        state.cost_centers.create(code=code, name=name, owner_email=head.email)
    for name in MONTHS:
        closed = name < OPEN_FROM
        state.periods.add(
            Period(
                id=name,
                starts_on=f"{name}-01",
                ends_on=f"{name}-{_LENGTH.get(name[5:], 31)}",
                status="closed" if closed else "open",
                closed_on=f"{MONTHS[MONTHS.index(name) + 1]}-10" if closed else None,
            )
        )
    for title, body, day in texts.GUIDELINES:
        state.guidelines.create(title=title, body=body, valid_from=ctx.date(day))
    books = Books(state)
    opening = [(code, amount * ctx.size(100) / 100, text, option) for code, amount, text, option in OPENING]
    books.add("2025-09-01", opening, narration="Opening balances", status="posted")
    _sales(state, ctx, cast, books)
    _purchases(state, ctx, books)
    _wages(state, ctx, books)
    _manual(state, ctx, cast, books)
    _notes(state, ctx, cast, books.write(ctx))
    _budgets(state, ctx)


def _contact(state: AccountingState, name: str, email: str, tax_number: str, **kind: bool) -> str:
    found = state.contacts.first(name=name)
    return (found or state.contacts.create(name=name, email=email, tax_number=tax_number, **kind)).id


def _sales(state: AccountingState, ctx: SeedContext, cast: Cast, books: Books) -> None:
    ids = {}
    for number, company in enumerate(cast.companies[: ctx.size(36)]):
        tax = f"VAT{310_000_000 + number * 7919}"
        ids[company.name] = _contact(state, company.name, company.people[0].email, tax, customer=True)
    projects = [project for project in cast.projects if project.company.name in ids][: ctx.size(110)]
    for project in projects:
        day, contact = ctx.random.randint(-175, -3), ids[project.company.name]
        gross = round(project.amount * (1 + VAT), 2)
        lines = [
            ("1100", gross, "", None),
            (texts.REVENUE[project.product.kind], -project.amount, project.product.name, None),
            ("2200", -round(gross - project.amount, 2), "VAT 20 %", None),
        ]
        head = {"contact_id": contact, "reference": project.po_number, "status": "posted"}
        words = f"Sale to {project.company.name}: {project.title}"
        books.add(ctx.date(day), lines, narration=words, origin="sales", **head)
        if day < -40 and ctx.random.random() < 0.85:
            paid = [("1000", gross, "", None), ("1100", -gross, "", None)]
            words = f"Payment from {project.company.name}"
            books.add(ctx.date(day + ctx.random.randint(14, 35)), paid, narration=words, origin="bank", **head)


def _purchases(state: AccountingState, ctx: SeedContext, books: Books) -> None:
    options = [row.id for row in state.cost_centers]
    for index in range(ctx.size(90)):
        supplier = suppliers(ctx)[index % min(24, ctx.size(20))]
        contact = _contact(state, supplier.name, supplier.contact.email, supplier.tax_number, supplier=True)
        cost, day = round(ctx.random.uniform(60, 3200), 2), ctx.random.randint(-175, -3)
        tax = round(cost * VAT, 2)
        reference = f"{supplier.name[:3].upper()}-{ctx.random.randint(2000, 9999)}"
        head = {"contact_id": contact, "reference": reference, "status": "posted"}
        lines = [
            (texts.SPEND[supplier.category], cost, supplier.category.capitalize(), ctx.random.choice(options)),
            ("2200", tax, "VAT 20 %", None),
            ("2000", -round(cost + tax, 2), "", None),
        ]
        books.add(ctx.date(day), lines, narration=f"Invoice of {supplier.name}", origin="purchases", **head)
        if day + supplier.terms < -4:
            bank = "1000" if supplier.currency == "GBP" else "1010"
            paid = [("2000", round(cost + tax, 2), "", None), (bank, -round(cost + tax, 2), "", None)]
            words = f"Payment to {supplier.name}"
            books.add(ctx.date(day + supplier.terms), paid, narration=words, origin="bank", **head)


def _wages(state: AccountingState, ctx: SeedContext, books: Books) -> None:
    for month in [name for name in MONTHS if name < ctx.today[:7]]:
        lines: list[Line] = []
        whole = 0.0
        for option in state.cost_centers:
            amount = round(ctx.random.uniform(5000, 16_000) * ctx.size(100) / 100, 2)
            lines.append(("6000", amount, f"Wages {option.name}", option.id))
            whole = round(whole + amount, 2)
        lines.append(("2300", -whole, "", None))
        head = {"reference": f"PAY-{month}", "origin": "payroll", "status": "posted"}
        books.add(f"{month}-25", lines, narration=f"Wages {month}", **head)
        paid = [("2300", whole, "", None), ("1000", -whole, "", None)]
        books.add(f"{month}-28", paid, narration=f"Wages paid {month}", **head)


def _manual(state: AccountingState, ctx: SeedContext, cast: Cast, books: Books) -> None:
    """Manual journals; the recent ones are partly drafts, and some drafts do not balance yet."""
    options = [row.id for row in state.cost_centers]
    for index in range(ctx.size(56)):
        project = cast.projects[index * 5 % 120]
        words, debit, credit, low, high = texts.MANUAL[index % len(texts.MANUAL)]
        draft, amount = index % 4 == 0, round(ctx.random.uniform(low, high), 2)
        day = -ctx.random.randint(2, 24) if draft else -ctx.random.randint(4, 170)
        lines = [(debit, amount, "", ctx.random.choice(options)), (credit, -amount, "", None)]
        if draft and index % 12 == 4:
            lines[1] = (credit, -round(amount * 0.9, 2), "", None)
        status = "draft" if draft else "voided" if index % 17 == 9 else "posted"
        narration = words.format(**people.facts(ctx, project))
        reference = project.po_number if "{po}" in words else project.contract
        books.add(ctx.date(day), lines, narration=narration, reference=reference, status=status)


def _notes(state: AccountingState, ctx: SeedContext, cast: Cast, journals: list[Journal]) -> None:
    by_order: dict[str, Project] = {}
    for project in cast.projects:
        by_order.setdefault(project.po_number, project)
        by_order.setdefault(project.contract, project)
    known = [row for row in journals if row.reference in by_order]
    for journal in ctx.random.sample(known, min(len(known), ctx.size(60))):
        project = by_order[journal.reference]
        state.history_notes.create(
            journal_id=journal.id,
            author_email=ctx.random.choice((project.owner.email, cast.me.email)),
            text=ctx.random.choice(texts.NOTES).format(**people.facts(ctx, project)),
            written_at=ctx.moment(-ctx.random.randint(1, 40), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _budgets(state: AccountingState, ctx: SeedContext) -> None:
    for period in state.periods:
        for account in state.accounts:
            if account.type == "expense" and account.code != texts.UNUSED and period.id >= "2026-01":
                usual = 90_000 if account.code == "6000" else ctx.random.choice((800, 1500, 2500, 4000, 6500))
                state.budgets.create(account_id=account.id, period_id=period.id, amount=usual)
