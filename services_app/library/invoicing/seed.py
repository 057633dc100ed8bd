"""The books of the last months: drafts, issued and paid invoices, some late, a few disputed."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Company, Project
from services_app.library.invoicing import texts
from services_app.library.invoicing.figures import figures
from services_app.library.invoicing.state import Invoice, InvoicingState, service

_CURRENCY = {"United Kingdom": "GBP", "United States": "USD", "Canada": "USD"}


@service.seed
def fill(state: InvoicingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for product in cast.products:
        rate = 20.0 if product.kind != "service" else ctx.random.choice((20.0, 10.0))
        state.items.create(
            sku=product.sku, name=product.name, unit=product.unit, unit_price=product.price, tax_rate=rate
        )
    for title, body in texts.POLICIES:
        state.policies.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    ids = {company.name: _customer(state, ctx, company) for company in cast.companies[: ctx.size(36)]}
    projects = [project for project in cast.projects if project.company.name in ids][: ctx.size(110)]
    # Numbers follow the issue dates, as they do in real books; drafts come last.
    days = sorted(ctx.random.randint(-140, -3) for _ in projects)
    for index, (project, day) in enumerate(zip(projects, days, strict=True)):
        _invoice(state, ctx, project, ids[project.company.name], index, day if index < 0.88 * len(projects) else None)


def _customer(state: InvoicingState, ctx: SeedContext, company: Company) -> str:
    contact = next((person for person in company.people if "Finance" in person.title), company.people[0])
    return state.customers.create(
        name=company.name,
        contact_name=contact.name,
        billing_email=contact.email,
        address=company.address,
        currency=_CURRENCY.get(company.country, "EUR"),
        payment_terms=ctx.random.choice((14, 30, 30, 45, 60)),
        credit_limit=ctx.random.choice((20_000.0, 40_000.0, 60_000.0, 120_000.0)),
        tax_exempt=ctx.random.random() < 0.1,
        blocked=ctx.random.random() < 0.06,
    ).id


def _invoice(
    state: InvoicingState, ctx: SeedContext, project: Project, customer_id: str, index: int, day: int | None
) -> None:
    facts = people.facts(ctx, project)
    customer = state.customers.get(customer_id)
    year = ctx.date(-3 if day is None else day)[:4]
    taken = sum(1 for row in state.invoices if row.number.startswith(f"F-{year}-"))
    invoice = state.invoices.create(
        number=f"F-{year}-{taken + 1:04d}",
        customer_id=customer_id,
        subject=ctx.random.choice(texts.SUBJECTS).format(**facts),
        status="draft" if day is None else "issued",
        order_number=project.po_number if ctx.random.random() < 0.8 else "",
        issue_date=None if day is None else ctx.date(day),
        due_date=None if day is None else ctx.date(day + customer.payment_terms),
        currency=customer.currency,
        created_at=ctx.moment(-2 if day is None else day, 9, index % 60),
    )
    _lines(state, ctx, project, invoice, exempt=customer.tax_exempt)
    for text in ctx.random.sample(texts.REMARKS, ctx.random.choice((0, 1, 1, 2))):
        _remark(state, ctx, project, invoice, text.format(**facts))
    if day is not None:
        _settle(state, ctx, project, invoice, day, short=index % 14 == 5)


def _lines(state: InvoicingState, ctx: SeedContext, project: Project, invoice: Invoice, *, exempt: bool) -> None:
    items = list(state.items)
    main = next(item for item in items if item.sku == project.product.sku)
    others = ctx.random.sample([item for item in items if item.id != main.id], ctx.random.randint(0, 2))
    for item in (main, *others):
        state.lines.create(
            invoice_id=invoice.id,
            item_id=item.id,
            description=item.name,
            quantity=project.seats if item is main else ctx.random.randint(1, 3),
            unit_price=item.unit_price,
            tax_rate=0.0 if exempt else item.tax_rate,
        )


def _remark(state: InvoicingState, ctx: SeedContext, project: Project, invoice: Invoice, text: str) -> None:
    state.remarks.create(
        invoice_id=invoice.id,
        author_email=project.owner.email,
        text=text,
        written_at=ctx.moment(-ctx.random.randint(1, 30), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
    )


def _settle(
    state: InvoicingState, ctx: SeedContext, project: Project, invoice: Invoice, day: int, *, short: bool
) -> None:
    """Payments, credits, voids and reminders: most are paid in time, some in part or short of bank charges."""
    facts = {**people.facts(ctx, project), "number": invoice.number}
    amount = figures(state, invoice).total
    fate = 0.4 if short else ctx.random.random()
    if fate < 0.05:
        state.invoices.patch(invoice.id, status="void")
        return
    if fate < 0.12:
        credit = round(amount * ctx.random.choice((0.05, 0.1)), 2)
        count = len(state.credit_notes) + 1
        state.credit_notes.create(
            number=f"G-{ctx.today[:4]}-{count:04d}",
            invoice_id=invoice.id,
            amount=credit,
            reason=ctx.random.choice(texts.CREDITS).format(**facts),
            issued_on=ctx.date(min(day + 9, -1)),
        )
        amount = round(amount - credit, 2)
    if fate < 0.66:
        share = 1.0 if fate < 0.5 else ctx.random.choice((0.3, 0.5))
        rest = 12.4 if short else 0.0
        _pay(state, ctx, invoice, project, round(amount * share - rest, 2), min(day + ctx.random.randint(5, 40), -1))
    elif invoice.due_date is not None and invoice.due_date < ctx.date(-12):
        state.reminders.create(
            invoice_id=invoice.id,
            level=1,
            sent_to=state.customers.get(invoice.customer_id).billing_email,
            message=texts.REMINDERS[0].format(**facts),
            sent_on=ctx.date(-ctx.random.randint(1, 11)),
        )


def _pay(state: InvoicingState, ctx: SeedContext, invoice: Invoice, project: Project, amount: float, day: int) -> None:
    state.payments.create(
        invoice_id=invoice.id,
        amount=amount,
        method=ctx.random.choice(("bank_transfer", "bank_transfer", "card", "direct_debit", "cheque")),
        received_on=ctx.date(day),
        reference=ctx.random.choice((invoice.number, project.po_number, f"RF{ctx.random.randint(10_000, 99_999)}")),
    )
