"""Tools for trials, pauses, cancellations and what the team earns each month."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import LABEL, Json, check_date, days_between, plus_days, total
from services_app.library.subscriptions.figures import described, due, mrr, period_price, unused_share
from services_app.library.subscriptions.state import CancelReason, Subscription, SubscriptionsState, service
from services_app.library.subscriptions.subscriptions import SubscriptionId

When = Annotated[Literal["now", "period_end"], LABEL]
PAUSE_DAYS = 90


@service.tool(phrase="pause the subscription {subscription_id} until {resumes_on}")
def pause_subscription(
    state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId, resumes_on: f.Date
) -> Json:
    """Pause an active subscription for at most 90 days; the renewal moves by the days of the pause.

    Errors: `not_found`, `not_active`, `open_invoices`, `ends_at_renewal`, `invalid_date`, `not_in_future`, `too_long`.

    Args:
        subscription_id: Id of the subscription.
        resumes_on: Day on which it should go on.
    """
    row = state.subscriptions.get(subscription_id)
    if row.status != "active":
        raise conflict(f"{row.number} is {row.status}; only active ones can be paused.", type="not_active")
    if row.cancels_at_end:
        raise conflict(f"{row.number} ends on {row.period_end}; reactivate it first.", type="ends_at_renewal")
    if check_date(resumes_on) <= ctx.today:
        raise invalid(f"{resumes_on} is not in the future; today is {ctx.today}.", type="not_in_future")
    if days_between(ctx.today, resumes_on) > PAUSE_DAYS:
        raise invalid(f"A pause lasts at most {PAUSE_DAYS} days.", type="too_long")
    if any(due(state, invoice) for invoice in state.invoices.find(subscription_id=row.id)):
        raise conflict(f"{row.number} has open invoices; collect them first.", type="open_invoices")
    changed = state.subscriptions.patch(row.id, status="paused", paused_on=ctx.today, resumes_on=resumes_on)
    return described(state, ctx, changed)


@service.tool(phrase="resume the subscription {subscription_id}")
def resume_subscription(state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId) -> Json:
    """Let a paused subscription go on today; its renewal moves by the days it was paused.

    Errors: `not_found`, `not_paused`.

    Args:
        subscription_id: Id of the subscription.
    """
    row = state.subscriptions.get(subscription_id)
    if row.status != "paused" or row.paused_on is None:
        raise conflict(f"{row.number} is {row.status}, not paused.", type="not_paused")
    end = plus_days(row.period_end, days_between(row.paused_on, ctx.today))
    changed = state.subscriptions.patch(row.id, status="active", paused_on=None, resumes_on=None, period_end=end)
    return described(state, ctx, changed)


@service.tool(phrase="cancel the subscription {subscription_id}")
def cancel_subscription(
    state: SubscriptionsState,
    ctx: CallContext,
    subscription_id: SubscriptionId,
    reason: CancelReason,
    when: When = "period_end",
) -> Json:
    """Cancel at the end of the paid period, or now, with account credit for what is unused.

    Open invoices of a subscription that is cancelled now stay open.
    Errors: `not_found`, `already_cancelled`, `ends_at_renewal` (it is cancelled for the end already).

    Args:
        subscription_id: Id of the subscription.
        reason: Why the customer leaves.
        when: End of the period, or now.
    """
    row = state.subscriptions.get(subscription_id)
    if row.status == "cancelled":
        raise conflict(f"{row.number} is cancelled since {row.cancelled_on}.", type="already_cancelled")
    if when == "period_end":
        if row.cancels_at_end:
            raise conflict(f"{row.number} ends on {row.period_end} already.", type="ends_at_renewal")
        changes = {"cancels_at_end": True, "cancel_reason": reason, "next_plan_id": None, "next_quantity": None}
        return {"subscription": described(state, ctx, state.subscriptions.patch(row.id, **changes)), "credit": 0.0}
    credit = _unused(state, ctx, row)
    return {"subscription": described(state, ctx, close(state, ctx, row, reason)), "credit": credit}


def _unused(state: SubscriptionsState, ctx: CallContext, row: Subscription) -> float:
    """Credit for the rest of a paid period; none for trials and unpaid periods."""
    invoices = state.invoices.find(subscription_id=row.id)
    if row.status == "trialing" or not invoices or any(due(state, invoice) for invoice in invoices):
        return 0.0
    plan = state.plans.get(row.plan_id)
    day = row.paused_on or ctx.today
    amount = round(period_price(state, row, plan, row.quantity, day) * unused_share(row, day), 2)
    if amount:
        state.credits.create(
            account_id=row.account_id,
            amount=amount,
            reason=f"Unused rest of {row.number}",
            invoice_id=invoices[-1].id,
            created_on=ctx.today,
        )
    return amount


def close(state: SubscriptionsState, ctx: CallContext, row: Subscription, reason: str) -> Subscription:
    """The subscription, cancelled today and without anything scheduled."""
    return state.subscriptions.patch(
        row.id,
        status="cancelled",
        cancelled_on=ctx.today,
        cancel_reason=reason,
        cancels_at_end=False,
        paused_on=None,
        resumes_on=None,
        next_plan_id=None,
        next_quantity=None,
    )


@service.tool(phrase="keep the subscription {subscription_id} that was to end")
def reactivate_subscription(state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId) -> Json:
    """Take back a cancellation for the end of the period.

    Errors: `not_found`, `not_ending` (it is not cancelled for its end, or is over already).

    Args:
        subscription_id: Id of the subscription.
    """
    row = state.subscriptions.get(subscription_id)
    if not row.cancels_at_end:
        raise conflict(f"{row.number} is {row.status} and not about to end.", type="not_ending")
    return described(state, ctx, state.subscriptions.patch(row.id, cancels_at_end=False, cancel_reason=None))


@service.tool(phrase="extend the trial of {subscription_id} by {days} days")
def extend_trial(
    state: SubscriptionsState,
    ctx: CallContext,
    subscription_id: SubscriptionId,
    days: Annotated[int, f.duration("days"), Field(ge=1, le=30)],
) -> Json:
    """Extend a running trial, once, by at most 30 days.

    Errors: `not_found`, `not_trialing`, `already_extended`.

    Args:
        subscription_id: Id of the subscription.
        days: How many days more.
    """
    row = state.subscriptions.get(subscription_id)
    if row.status != "trialing":
        raise conflict(f"{row.number} is {row.status}; it is in no trial.", type="not_trialing")
    if row.trial_extended:
        raise conflict(f"The trial of {row.number} was extended once; that is all.", type="already_extended")
    end = plus_days(row.period_end, days)
    return described(state, ctx, state.subscriptions.patch(row.id, period_end=end, trial_extended=True))


@service.tool()
def revenue_report(
    state: SubscriptionsState,
    ctx: CallContext,
    group_by: Annotated[Literal["plan", "account_owner"], LABEL] = "plan",
    as_of: f.Date | None = None,
) -> Json:
    """Sum up monthly recurring revenue by plan or by account owner, with what is lost at the next renewals.

    Errors: `invalid_date`.

    Args:
        group_by: How the revenue is grouped.
        as_of: Day whose coupons count; today, if left out.
    """
    day = check_date(as_of) if as_of else ctx.today
    groups: dict[str, list[float]] = {}
    for row in state.subscriptions:
        owner = state.accounts.get(row.account_id).owner_email
        key = state.plans.get(row.plan_id).code if group_by == "plan" else owner
        if mrr(state, row, day):
            groups.setdefault(key, []).append(mrr(state, row, day))
    rows = [{"name": key, "subscriptions": len(found), "mrr": total(found)} for key, found in sorted(groups.items())]
    ending = [mrr(state, row, day) for row in state.subscriptions if row.cancels_at_end]
    late = [mrr(state, row, day) for row in state.subscriptions.find(status="past_due")]
    return {
        "as_of": day,
        "groups": rows,
        "total_mrr": total(value for found in groups.values() for value in found),
        "mrr_ending": total(ending),
        "mrr_past_due": total(late),
    }
