"""Half a year of payments: charges of all kinds, refunds, disputes, weekly payouts."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Company, Project
from services_app.library.payments import texts
from services_app.library.payments.ledger import balance, entries
from services_app.library.payments.state import Charge, PaymentsState, service

_CURRENCY = {"United Kingdom": "GBP", "United States": "USD", "Canada": "USD"}
_BRANDS = ("Visa", "Mastercard", "American Express")
_BANKS = ("Banque du Rhône", "Nordhavn Bank", "Volksbank Halden", "Banco do Douro")
_FAILURES = ("card_declined", "insufficient_funds", "expired_card", "fraud_suspected")


@service.seed
def fill(state: PaymentsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.GUIDES:
        state.guides.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    ids = {company.name: _customer(state, ctx, company) for company in cast.companies[: ctx.size(36)]}
    projects = [project for project in cast.projects if project.company.name in ids][: ctx.size(120)]
    days = sorted(ctx.random.randint(-170, -1) for _ in projects)
    for index, (project, day) in enumerate(zip(projects, days, strict=True)):
        left = len(projects) - index
        _charge(state, ctx, project, ids[project.company.name], index, -left if left < 6 else min(day, -6))
    _payouts(state, ctx)
    for index, project in enumerate(projects[: ctx.size(15)]):
        _link(state, ctx, project, index)


def _customer(state: PaymentsState, ctx: SeedContext, company: Company) -> str:
    contact = next((person for person in company.people if "Finance" in person.title), company.people[0])
    customer = state.customers.create(
        name=company.name,
        email=contact.email,
        contact_name=contact.name,
        currency=_CURRENCY.get(company.country, "EUR"),
        created_at=ctx.moment(-ctx.random.randint(200, 900), 9),
    )
    number = len(state.customers)
    kinds = ["card", "card"] if number % 3 else ["card", "bank_transfer"]
    if customer.currency == "EUR" and number % 2:
        kinds.append("sepa_debit")
    for place, kind in enumerate(kinds):
        year = ctx.random.randint(2027, 2029) if number % 6 or place == 0 else 2025
        state.methods.create(
            customer_id=customer.id,
            kind=kind,
            brand=ctx.random.choice(_BRANDS if kind == "card" else _BANKS),
            last4=f"{ctx.random.randint(0, 9999):04d}",
            expires=f"{year}-{ctx.random.randint(1, 12):02d}" if kind == "card" else "",
            blocked=number % 7 == 3 and place == 1,
        )
    first = state.methods.find(customer_id=customer.id)[0]
    return state.customers.patch(customer.id, default_method_id=first.id).id


def _charge(state: PaymentsState, ctx: SeedContext, project: Project, customer_id: str, index: int, day: int) -> None:
    """Of twelve charges one has failed, one was cancelled; some of the last days wait to be captured."""
    facts = people.facts(ctx, project)
    recent = day > -6
    status = "failed" if index % 12 == 7 else "cancelled" if index % 12 == 3 else "succeeded"
    if recent and day in (-1, -2, -4):
        status = "authorized"
    methods = [row for row in state.methods.find(customer_id=customer_id) if not row.blocked]
    method = methods[0] if status == "authorized" else ctx.random.choice(methods)
    captured = status == "succeeded"
    amount = round(project.amount * 1.2 / ctx.random.choice((1, 1, 2)), 2)
    held = method.kind == "card" and amount >= 10_000 and captured
    charge = state.charges.create(
        customer_id=customer_id,
        method_id=method.id,
        method_kind=method.kind,
        amount=amount,
        currency=state.customers.get(customer_id).currency,
        status=status,
        captured_amount=amount if captured else 0.0,
        captured_on=ctx.date(day) if captured else None,
        description=ctx.random.choice(texts.DESCRIPTIONS).format(**facts),
        order_number=project.po_number if captured or index % 2 else "",
        failure_code=ctx.random.choice(_FAILURES) if status == "failed" else None,
        review="open" if recent and (held or index % 2) and status != "failed" else "approved" if held else "none",
        created_at=ctx.moment(day, 8 + index % 10, index % 60),
    )
    for text in ctx.random.sample(texts.NOTES, index % 3):
        state.notes.create(
            charge_id=charge.id,
            author_email=project.owner.email,
            text=text.format(**facts),
            written_at=ctx.moment(min(day + 1, -1), 15, index % 60),
        )
    if captured:
        _returned(state, ctx, charge, index, day, facts)


def _returned(
    state: PaymentsState, ctx: SeedContext, charge: Charge, index: int, day: int, facts: dict[str, str]
) -> None:
    """Every fifth charge has a refund, every seventh other one a dispute."""
    if index % 5 == 1:
        share = ctx.random.choice((0.05, 0.1, 0.25, 1.0))
        state.refunds.create(
            charge_id=charge.id,
            amount=round(charge.amount * share, 2),
            reason=ctx.random.choice(("requested_by_customer", "duplicate", "goods_returned")),
            note=ctx.random.choice(texts.REFUND_NOTES).format(**facts),
            created_on=ctx.date(min(day + ctx.random.randint(3, 25), -1)),
        )
    elif index % 7 == 2:
        turn = len(state.disputes)
        # The bank has decided the old ones; the others are answered or wait for us.
        status = ("needs_response", "under_review", "needs_response", "won", "lost")[turn % 5]
        waiting = status == "needs_response"
        opened = -3 - turn % 9 if waiting else min(day + 20, -15)
        reason = tuple(texts.STATEMENTS)[(turn + turn // 5) % 5]
        state.disputes.create(
            charge_id=charge.id,
            amount=charge.amount,
            reason=reason,
            status=status,
            statement=texts.STATEMENTS[reason].format(**facts),
            opened_on=ctx.date(opened),
            respond_by=ctx.date(opened + 14),
            closed_on=ctx.date(min(opened + 12, -1)) if status in ("won", "lost") else None,
            evidence="" if waiting else texts.EVIDENCE.format(**facts),
            tracking_number="" if waiting else f"TRK{ctx.random.randint(100_000, 999_999)}",
        )


def _payouts(state: PaymentsState, ctx: SeedContext) -> None:
    """Every week or two most of what was available went to the bank; the last payouts are on their way."""
    weeks = ctx.size(18)
    for week in range(weeks, 0, -1):
        day = -round(week * 150 / weeks) + 6
        rows, date = entries(state), ctx.date(min(day, -1))
        for currency in ("EUR", "GBP", "USD"):
            free = balance(rows, currency, date)["available"]
            later = balance(rows, currency, ctx.today)["available"]
            amount = round(min(free, later) * 0.6, 2)
            if amount < 500:
                continue
            number = len(state.payouts) + 1
            state.payouts.create(
                amount=amount,
                currency=currency,
                speed="standard",
                status="in_transit" if week == 1 else "failed" if number % 9 == 5 else "paid",
                created_on=date,
                arrival_date=ctx.date(min(day, -1) + 2),
                statement_text=f"LARKFIELD {currency} {number:04d}",
            )


def _link(state: PaymentsState, ctx: SeedContext, project: Project, index: int) -> None:
    title = texts.LINKS[index % len(texts.LINKS)].format(**people.facts(ctx, project))
    state.links.create(
        title=f"{title} ({project.po_number})",
        amount=round(project.amount / 2, 2),
        currency=_CURRENCY.get(project.company.country, "EUR"),
        url=f"https://pay.larkfield.example/l/{1000 + 37 * (index + 1)}",
        active=index % 4 != 3,
        expires_on=ctx.date(20 - 6 * (index % 6)) if index % 3 else None,
        created_at=ctx.moment(-60 + index % 50, 10, index % 60),
    )
