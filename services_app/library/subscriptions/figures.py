"""Amounts that follow: price of a period, proration, recurring revenue, credit and what is due."""

from __future__ import annotations

from dataclasses import dataclass

from services_app.engine import CallContext, conflict
from services_app.library.shared import Json, days_between, plus_days, plus_months, total
from services_app.library.subscriptions.state import Invoice, Plan, Subscription, SubscriptionsState

DUE_DAYS = 14
MONTHS = {"month": 1, "year": 12}
LIVE = ("active", "past_due")


def discount(state: SubscriptionsState, row: Subscription, day: str) -> float:
    """Share of the price that is charged on a day: 0.8 with a coupon of 20 per cent."""
    if row.coupon_id is None or row.coupon_ends_on is None or row.coupon_ends_on <= day:
        return 1.0
    return 1 - state.coupons.get(row.coupon_id).percent_off / 100


def period_price(state: SubscriptionsState, row: Subscription, plan: Plan, quantity: int, day: str) -> float:
    """Price of a whole period at the coupon of that day."""
    return round(plan.unit_price * quantity * discount(state, row, day), 2)


def mrr(state: SubscriptionsState, row: Subscription, day: str) -> float:
    """Monthly recurring revenue: 0 while it is no revenue."""
    if row.status not in LIVE:
        return 0.0
    plan = state.plans.get(row.plan_id)
    return round(period_price(state, row, plan, row.quantity, day) / MONTHS[plan.interval], 2)


@dataclass(frozen=True, slots=True)
class Proration:
    """What a change on a day costs: the unused rest of the old terms against the new ones."""

    unused: float
    charge: float
    period_end: str

    @property
    def net(self) -> float:
        return total((self.charge, -self.unused))

    def to_json(self) -> Json:
        return {
            "unused_credit": self.unused,
            "new_charge": self.charge,
            "net": self.net,
            "next_renewal": self.period_end,
        }


def unused_share(row: Subscription, day: str) -> float:
    """Part of the paid period that is left from a day on."""
    whole = days_between(row.period_start, row.period_end)
    return max(0, days_between(day, row.period_end)) / whole if whole else 0.0


def prorate(state: SubscriptionsState, row: Subscription, plan: Plan, quantity: int, day: str) -> Proration:
    """Same interval: the rest of the period at both prices. Another interval: a new period starts that day."""
    old = state.plans.get(row.plan_id)
    share = 0.0 if row.status == "trialing" else unused_share(row, day)
    unused = round(period_price(state, row, old, row.quantity, day) * share, 2)
    price = period_price(state, row, plan, quantity, day)
    if plan.interval == old.interval:
        return Proration(unused, round(price * share, 2), row.period_end)
    return Proration(unused, price, plus_months(day, MONTHS[plan.interval]))


def amount(state: SubscriptionsState, invoice: Invoice) -> float:
    return total(row.amount for row in state.lines.find(invoice_id=invoice.id))


def due(state: SubscriptionsState, invoice: Invoice) -> float:
    """What is still to be collected: the amount less the credit used on it; 0 once it is settled."""
    if invoice.status != "open":
        return 0.0
    used = total(row.amount for row in state.credits.find(invoice_id=invoice.id) if row.amount < 0)
    return total((amount(state, invoice), used))


def credit_left(state: SubscriptionsState, account_id: str) -> float:
    return total(row.amount for row in state.credits.find(account_id=account_id))


def described_invoice(state: SubscriptionsState, ctx: CallContext, invoice: Invoice) -> Json:
    """An invoice with account, amounts, attempts and how late it is."""
    row = state.subscriptions.get(invoice.subscription_id)
    left = due(state, invoice)
    return {
        **invoice.plain(),
        "subscription_number": row.number,
        "account_id": row.account_id,
        "account_name": state.accounts.get(row.account_id).name,
        "amount": amount(state, invoice),
        "amount_due": left,
        "days_overdue": max(0, days_between(invoice.due_on, ctx.today)) if left else 0,
        "attempts": state.attempts.count(invoice_id=invoice.id),
    }


def described(state: SubscriptionsState, ctx: CallContext, row: Subscription) -> Json:
    """A subscription with plan, account, price and revenue."""
    plan = state.plans.get(row.plan_id)
    coupon = state.coupons.get(row.coupon_id) if row.coupon_id else None
    return {
        **row.plain(),
        "account_name": state.accounts.get(row.account_id).name,
        "plan_code": plan.code,
        "plan_name": plan.name,
        "interval": plan.interval,
        "unit_price": plan.unit_price,
        "coupon_code": coupon.code if coupon and discount(state, row, ctx.today) < 1 else None,
        "period_price": period_price(state, row, plan, row.quantity, ctx.today),
        "mrr": mrr(state, row, ctx.today),
    }


def issue(state: SubscriptionsState, ctx: CallContext, row: Subscription, lines: list[tuple[str, float]]) -> Invoice:
    """An open invoice over the lines, due in 14 days."""
    start = f"SI-{ctx.today[:4]}-"
    taken = [int(invoice.number[len(start) :]) for invoice in state.invoices if invoice.number.startswith(start)]
    invoice = state.invoices.create(
        number=f"{start}{max(taken, default=0) + 1:05d}",
        subscription_id=row.id,
        status="open",
        issued_on=ctx.today,
        due_on=plus_days(ctx.today, DUE_DAYS),
    )
    for description, price in lines:
        state.lines.create(invoice_id=invoice.id, description=description, amount=price)
    return invoice


def running(state: SubscriptionsState, subscription_id: str) -> Subscription:
    """A subscription that can be changed; 409 `not_running` when it is paused or over."""
    row = state.subscriptions.get(subscription_id)
    if row.status in ("cancelled", "paused"):
        raise conflict(f"Subscription {row.number} is {row.status}; nothing can be changed.", type="not_running")
    return row
