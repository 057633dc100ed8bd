"""Subscriptions of our customers: trials, running ones, pauses, dunning, and those that have left."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Company, Project
from services_app.library.shared import plus_days, plus_months
from services_app.library.subscriptions import texts
from services_app.library.subscriptions.figures import DUE_DAYS, MONTHS, period_price
from services_app.library.subscriptions.state import Account, Plan, Subscription, SubscriptionsState, service

# Of twelve subscriptions in a row, seven run without anything special.
_FATES = (
    "active", "past_due", "active", "trialing", "active", "paused",
    "active", "ending", "active", "cancelled", "changing", "open",
)  # fmt: skip


@service.seed
def fill(state: SubscriptionsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _catalogue(state, ctx, cast)
    companies = cast.companies[: ctx.size(36)]
    accounts = {company.name: _account(state, ctx, company) for company in companies}
    projects = [project for project in cast.projects if project.company.name in accounts]
    plans = [plan for plan in state.plans if not plan.retired]
    taken: set[tuple[str, str]] = set()
    for project in projects:
        if len(state.subscriptions) >= ctx.size(72):
            break
        account = accounts[project.company.name]
        plan = ctx.random.choice(plans)
        if (account.id, plan.id) not in taken:
            taken.add((account.id, plan.id))
            _subscription(state, ctx, project, account, plan)


def _catalogue(state: SubscriptionsState, ctx: SeedContext, cast: Cast) -> None:
    for product in (row for row in cast.products if row.kind == "subscription"):
        short = texts.SHORT[product.name]
        trial = 14 if short in ("FT", "FTP", "RP") else 0
        for suffix, interval, factor in (("M", "month", 1.0), ("Y", "year", 10.0)):
            state.plans.create(
                code=f"{short}-{suffix}",
                name=f"{product.name}, {interval}ly",
                interval=interval,
                unit=product.unit,
                unit_price=round(product.price * factor, 2),
                min_quantity=5 if short == "FTP" else 1,
                trial_days=trial,
            )
        if short in ("FT", "WC"):
            state.plans.create(
                code=f"{short}-2023",
                name=f"{product.name} (2023)",
                interval="month",
                unit=product.unit,
                unit_price=round(product.price * 0.8, 2),
                retired=True,
            )
    plans = {plan.code: plan.id for plan in state.plans}
    for code, percent, months, most, last, plan_code in texts.COUPONS:
        state.coupons.create(
            code=code,
            percent_off=percent,
            months=months,
            max_redemptions=most,
            redeem_by=None if last is None else ctx.date(last),
            plan_id=plans.get(plan_code),
        )
    for title, body in texts.PLAYBOOKS:
        state.playbooks.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))


def _account(state: SubscriptionsState, ctx: SeedContext, company: Company) -> Account:
    contact = next((person for person in company.people if "IT" in person.title), company.people[0])
    number = len(state.accounts)
    year = 2025 if number % 9 == 4 else ctx.random.randint(2027, 2029)
    return state.accounts.create(
        name=company.name,
        contact_name=contact.name,
        email=contact.email,
        owner_email=company.manager.email,
        card_last4=f"{ctx.random.randint(0, 9999):04d}",
        card_expires=f"{year}-{ctx.random.randint(1, 12):02d}",
        card_declines=number % 7 == 5,
        created_at=ctx.moment(-ctx.random.randint(500, 1200), 9),
    )


def _subscription(state: SubscriptionsState, ctx: SeedContext, project: Project, account: Account, plan: Plan) -> None:
    index = len(state.subscriptions)
    fate = _FATES[index % len(_FATES)]
    if fate == "trialing":
        plan = state.plans.find(trial_days=14, retired=False)[index % 3]
        fate = "active" if state.subscriptions.first(account_id=account.id, plan_id=plan.id) else fate
    gone = ctx.random.randint(2, 26) if plan.interval == "month" else ctx.random.randint(20, 330)
    start = ctx.date(-(index % 12) - 1 if fate == "trialing" else -gone)
    whole = 0 if fate == "trialing" else ctx.random.randint(2, 9) if plan.interval == "month" else index % 2
    end = plus_days(start, 14) if fate == "trialing" else plus_months(start, MONTHS[plan.interval])
    row = state.subscriptions.create(
        number=f"S-{1001 + index}",
        account_id=account.id,
        plan_id=plan.id,
        quantity=max(plan.min_quantity, project.seats if plan.unit in ("seat", "vehicle") else 1 + index % 3),
        status=fate if fate in ("trialing", "paused", "past_due", "cancelled") else "active",
        started_on=plus_months(start, -whole * MONTHS[plan.interval]),
        period_start=start,
        period_end=end,
        po_number=project.po_number if index % 3 else "",
        **_terms(state, ctx, fate, index, plan, start),
    )
    facts = people.facts(ctx, project)
    for text in ctx.random.sample(texts.NOTES, index % 3):
        state.notes.create(
            subscription_id=row.id,
            author_email=project.owner.email,
            text=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 60), 9 + index % 8, index % 60),
        )
    if fate != "trialing":
        _invoices(state, ctx, row, plan, fate, whole)
    if index % 8 == 3:
        state.credits.create(
            account_id=account.id,
            amount=float(ctx.random.choice((25, 40, 60, 120))),
            reason=ctx.random.choice(texts.CREDITS).format(**facts),
            created_on=ctx.date(-ctx.random.randint(3, 80)),
        )


def _terms(
    state: SubscriptionsState, ctx: SeedContext, fate: str, index: int, plan: Plan, start: str
) -> dict[str, object]:
    """What sets a subscription apart: a pause, an end, a scheduled change, a coupon."""
    if fate == "paused":
        return {"paused_on": ctx.date(-1), "resumes_on": ctx.date(20 + index % 50)}
    if fate == "ending":
        return {"cancels_at_end": True, "cancel_reason": ctx.random.choice(("too_expensive", "not_used", "switched"))}
    if fate == "cancelled":
        return {"cancelled_on": ctx.date(-1), "cancel_reason": ctx.random.choice(("switched", "unpaid"))}
    if fate == "changing":
        return {"next_plan_id": plan.id, "next_quantity": plan.min_quantity + 1 + index % 4}
    if index % 4 == 0:
        fit = [row for row in state.coupons if row.plan_id in (None, plan.id) and row.code != "SPRING25-OLD"]
        coupon = fit[index % len(fit)]
        if state.subscriptions.count(coupon_id=coupon.id) < coupon.max_redemptions:
            return {"coupon_id": coupon.id, "coupon_ends_on": plus_months(start, coupon.months)}
    return {}


def _invoices(
    state: SubscriptionsState, ctx: SeedContext, row: Subscription, plan: Plan, fate: str, whole: int
) -> None:
    """One invoice for each of the last periods; that of the present one may be open or in dunning."""
    for back in range(min(whole, 3), -1, -1):
        day = plus_months(row.period_start, -back * MONTHS[plan.interval])
        unpaid = back == 0 and fate in ("past_due", "open")
        year = day[:4]
        taken = sum(1 for invoice in state.invoices if invoice.number[3:7] == year)
        invoice = state.invoices.create(
            number=f"SI-{year}-{taken + 1:05d}",
            subscription_id=row.id,
            status="open" if unpaid else "paid",
            issued_on=day,
            due_on=plus_days(day, DUE_DAYS),
            paid_on=None if unpaid else plus_days(day, 1),
        )
        price = period_price(state, row, plan, row.quantity, day)
        text = f"{plan.name}, {row.quantity} x {plan.unit}"
        state.lines.create(invoice_id=invoice.id, description=text, amount=price)
        if not unpaid:
            state.attempts.create(
                invoice_id=invoice.id, attempted_on=plus_days(day, 1), amount=price, succeeded=True, message="Paid."
            )
        elif fate == "past_due":
            for number in range(1 + len(state.subscriptions) // 12 % 3):
                state.attempts.create(
                    invoice_id=invoice.id,
                    attempted_on=ctx.date(-9 + 3 * number),
                    amount=price,
                    succeeded=False,
                    message="The bank declined.",
                )
