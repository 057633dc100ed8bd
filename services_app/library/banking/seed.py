"""Half a year at the bank: what customers paid in, what suppliers got, cards, mandates, and payments that wait."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.banking import texts
from services_app.library.banking.state import Account, BankingState, Beneficiary, service
from services_app.library.cast import Cast, Person
from services_app.library.shared import plus_days
from services_app.library.suppliers import Supplier, iban, suppliers

MY_LIMIT, MANAGER_LIMIT, ACCOUNTANT_LIMIT = 10_000.0, 100_000.0, 7500.0
FIRST_DAY = -170
HOLDERS = 14
_MONTH_STARTS = ("2025-10", "2025-11", "2025-12", "2026-01", "2026-02")


class Statement:
    """Keeps bookings until all are known, then writes them in the order of their days."""

    def __init__(self, state: BankingState) -> None:
        self.state = state
        self.rows: list[tuple[str, dict[str, object]]] = []

    def add(self, day: str, **fields: object) -> None:
        self.rows.append((day, fields))

    def write(self) -> None:
        for day, fields in sorted(self.rows, key=lambda row: row[0]):
            self.state.transactions.create(booked_on=day, **fields)


@service.seed
def fill(state: BankingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for currency, per_gbp in (("EUR", 1.162), ("USD", 1.266)):
        state.exchange_rates.create(currency=currency, per_gbp=per_gbp)
    for subject, body, day in texts.NOTICES:
        state.notices.create(subject=subject, body=body, sent_at=ctx.moment(day, 8))
    _users(state, cast)
    statement = Statement(state)
    accounts = _accounts(state, ctx, statement)
    _beneficiaries(state, ctx, suppliers(ctx)[: min(24, ctx.size(20))])
    _incoming(ctx, cast, statement, accounts)
    _payments(state, ctx, statement, accounts)
    _standing(state, ctx, statement, accounts)
    _cards(state, ctx, cast, statement, accounts["Main account"])
    statement.write()
    _notes(state, ctx, cast)


def _users(state: BankingState, cast: Cast) -> None:
    finance = [person for person in cast.team("finance") if person is not cast.me]
    state.users.create(name=cast.me.name, email=cast.me.email, role="approver", approval_limit=MY_LIMIT)
    for index, person in enumerate(finance[:4]):
        limit = MANAGER_LIMIT if index == 0 else ACCOUNTANT_LIMIT if index == 1 else 0.0
        role = "approver" if limit else "initiator"
        state.users.create(name=person.name, email=person.email, role=role, approval_limit=limit)


def _accounts(state: BankingState, ctx: SeedContext, statement: Statement) -> dict[str, Account]:
    found = {}
    for number, (name, kind, currency, bank, overdraft, daily, threshold, opening) in enumerate(texts.ACCOUNTS):
        account = state.accounts.create(
            name=name,
            kind=kind,
            iban=iban("GB", bank, 40_112_200 + 17 * number),
            currency=currency,
            overdraft_limit=overdraft,
            daily_limit=daily,
            approval_threshold=threshold,
        )
        amount = round(opening * ctx.size(100) / 100 * ctx.random.uniform(0.9, 1.1), 2)
        statement.add(
            ctx.date(FIRST_DAY),
            account_id=account.id,
            kind="transfer",
            amount=amount,
            counterparty=people.HOME,
            reference="Opening balance",
        )
        found[name] = account
    return found


def _beneficiaries(state: BankingState, ctx: SeedContext, known: tuple[Supplier, ...]) -> None:
    """The suppliers; two of them twice, once with an account number that must not be used."""
    for index, supplier in enumerate(known):
        note = ctx.random.choice(texts.PAYMENT_NOTES).format(contact=supplier.contact.name)
        fields = {
            "currency": supplier.currency,
            "email": supplier.contact.email,
            "address": supplier.address,
            "verified_from": ctx.moment(-ctx.random.randint(30, 160), 12),
        }
        state.beneficiaries.create(name=supplier.name, iban=supplier.iban, payment_note=note, **fields)
        if index in (1, 4):
            state.beneficiaries.create(
                name=f"{supplier.name} Ltd",
                iban=iban("GB", "QUIK", 55_310_000 + index),
                payment_note=texts.BLOCKED_NOTE.format(contact=supplier.contact.name),
                blocked=True,
                **fields,
            )


def _incoming(ctx: SeedContext, cast: Cast, statement: Statement, accounts: dict[str, Account]) -> None:
    projects = [row for row in cast.projects if row.company in cast.companies[: ctx.size(36)]][: ctx.size(100)]
    for project in projects:
        country = project.company.country
        name = "Main account" if country == "United Kingdom" else "Euro account"
        name = "Dollar account" if country in ("United States", "Canada") else name
        short = 12.5 if ctx.random.random() < 0.08 else 0.0
        statement.add(
            ctx.date(ctx.random.randint(FIRST_DAY + 3, -1)),
            account_id=accounts[name].id,
            kind="incoming",
            amount=round(min(project.amount * 1.2, 14_000.0) - short, 2),
            counterparty=project.company.name,
            reference=project.po_number,
        )


def _payments(state: BankingState, ctx: SeedContext, statement: Statement, accounts: dict[str, Account]) -> None:
    payable = [row for row in state.beneficiaries if not row.blocked]
    users = [row.email for row in state.users]
    for index in range(ctx.size(80)):
        beneficiary = payable[index * 7 // 5 % len(payable)]
        account = accounts["Main account" if beneficiary.currency == "GBP" else "Euro account"]
        day = -ctx.random.randint(3, 160) if index % 5 else ctx.random.randint(0, 12)
        large = index % 4 == 0
        amount = round(ctx.random.uniform(5100, 9800) if large and day >= 0 else ctx.random.uniform(80, 3900), 2)
        asked = ctx.random.choice(users[1:] if index % 3 else users)
        status = "completed" if day < 0 else "pending_approval" if large else "scheduled"
        if day < 0 and index % 19 == 7:
            status = "returned"
        elif status == "scheduled" and (day == 0 or index % 15 == 5):
            status = "cancelled"
        payment = state.payments.create(
            account_id=account.id,
            beneficiary_id=beneficiary.id,
            amount=amount,
            reference=f"{beneficiary.name[:3].upper()}-{ctx.random.randint(2000, 9999)}-{index}",
            status=status,
            payment_date=ctx.date(day),
            requested_by=asked,
            approved_by=users[1] if amount > account.approval_threshold and day < 0 else "",
            created_at=ctx.moment(min(day, 0) - 2, 10, index % 60),
        )
        if status in ("completed", "returned"):
            fields = {"account_id": account.id, "counterparty": beneficiary.name, "payment_id": payment.id}
            head = {"kind": "payment", "reference": payment.reference, **fields}
            statement.add(payment.payment_date, amount=-amount, **head)
            if status == "returned":
                statement.add(ctx.date(day + 2), amount=amount, **{**head, "kind": "incoming"})


def _days_before(next_on: str, frequency: str, first: str) -> list[str]:
    """The days after `first` on which a standing order has been paid already."""
    if frequency == "weekly":
        return [day for day in (plus_days(next_on, -7 * back) for back in range(1, 25)) if day > first]
    months = _MONTH_STARTS if frequency == "monthly" else _MONTH_STARTS[2:3]
    return [f"{month}-{next_on[8:]}" for month in months]


def _standing(state: BankingState, ctx: SeedContext, statement: Statement, accounts: dict[str, Account]) -> None:
    def pays(row: Beneficiary) -> Account:
        return accounts["Main account" if row.currency == "GBP" else "Euro account"]

    payable = [row for row in state.beneficiaries if not row.blocked]
    for index, beneficiary in enumerate(ctx.random.sample(payable, min(len(payable), ctx.size(10)))):
        frequency = ctx.random.choice(("monthly", "monthly", "quarterly", "weekly"))
        amount = float(ctx.random.choice((120, 240) if frequency == "weekly" else (240, 310, 450, 690, 875)))
        next_on = ctx.date(ctx.random.randint(1, 7 if frequency == "weekly" else 25))
        order = state.standing_orders.create(
            account_id=pays(beneficiary).id,
            beneficiary_id=beneficiary.id,
            amount=amount,
            reference=f"SVC-{1200 + 7 * index}",
            frequency=frequency,
            next_on=next_on,
            status="cancelled" if index % 5 == 4 else "active",
        )
        for day in _days_before(next_on, frequency, ctx.date(FIRST_DAY)):
            head = {"account_id": order.account_id, "kind": "standing_order", "reference": order.reference}
            statement.add(day, amount=-amount, counterparty=beneficiary.name, **head)
    for index, (creditor, mandate, usual, name) in enumerate(texts.CREDITORS):
        state.direct_debits.create(
            account_id=accounts[name].id,
            creditor=creditor,
            mandate_reference=mandate,
            usual_amount=usual,
            next_on=ctx.date(0 if index == 0 else ctx.random.randint(1, 26)),
            status="cancelled" if index == 3 else "active",
        )
        for month in _MONTH_STARTS:
            amount = round(usual * ctx.random.uniform(0.9, 1.15), 2)
            head = {"account_id": accounts[name].id, "kind": "direct_debit", "reference": mandate}
            statement.add(f"{month}-12", amount=-amount, counterparty=creditor, **head)


def _cards(state: BankingState, ctx: SeedContext, cast: Cast, statement: Statement, account: Account) -> None:
    holders: list[Person] = list(cast.staff[: ctx.size(HOLDERS)])
    for index, person in enumerate(holders):
        card = state.cards.create(
            account_id=account.id,
            holder_name=person.name,
            holder_email=person.email,
            last4=str(4137 + 37 * index),
            monthly_limit=3000.0 if "Manager" in person.title else 1500.0,
            status=("frozen" if index % 5 == 3 else "cancelled" if index % 11 == 5 else "active"),
        )
        for _ in range(ctx.random.randint(3, 9)):
            merchant, low, high = ctx.random.choice(texts.MERCHANTS)
            day = ctx.date(0 if ctx.random.random() < 0.15 else -ctx.random.randint(1, 120))
            head = {"account_id": account.id, "kind": "card", "counterparty": merchant, "card_id": card.id}
            statement.add(day, amount=-round(ctx.random.uniform(low, high), 2), **head)


def _notes(state: BankingState, ctx: SeedContext, cast: Cast) -> None:
    by_order = {project.po_number: project for project in cast.projects}
    known = [row for row in state.transactions if row.reference in by_order]
    for row in ctx.random.sample(known, min(len(known), ctx.size(40))):
        facts = people.facts(ctx, by_order[row.reference])
        state.transaction_notes.create(
            transaction_id=row.id,
            author_email=ctx.random.choice([user.email for user in state.users]),
            text=ctx.random.choice(texts.TRANSACTION_NOTES).format(**facts),
            written_at=ctx.moment(-ctx.random.randint(0, 20), ctx.random.randint(7, 8), ctx.random.randint(0, 59)),
        )
