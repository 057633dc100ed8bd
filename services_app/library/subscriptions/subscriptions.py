"""Tools that find, start and change subscriptions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    plus_days,
    plus_months,
    same,
    search,
    total,
)
from services_app.library.subscriptions.catalogue import AccountId, Code, PlanId, coupon_shown
from services_app.library.subscriptions.figures import (
    MONTHS,
    Proration,
    described,
    described_invoice,
    issue,
    period_price,
    prorate,
    running,
)
from services_app.library.subscriptions.state import (
    Coupon,
    Note,
    Plan,
    Status,
    Subscription,
    SubscriptionsState,
    service,
)

SubscriptionId = Annotated[str, f.ref("subscriptions")]
Quantity = Annotated[int, f.count("units"), Field(ge=1, le=10_000)]
Timing = Annotated[Literal["now", "at_renewal"], LABEL]
Sort = Annotated[Literal["renewal", "newest", "highest_mrr"], LABEL]


@service.tool()
def search_subscriptions(  # noqa: PLR0913, PLR0917 - one per filter
    state: SubscriptionsState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    plan_id: PlanId | None = None,
    status: Status | None = None,
    renews_before: f.Date | None = None,
    sort: Sort = "renewal",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find subscriptions by number, account, plan or PO number, with the sum of their monthly revenue.

    Errors: `invalid_date`.

    Args:
        query: Words in the number, PO number, account name or plan.
        account_id: Only subscriptions of this account.
        plan_id: Only subscriptions to this plan.
        status: Only subscriptions in this status.
        renews_before: Only those that renew on this day or earlier and are not cancelled.
        sort: Order of the list.
        limit: At most so many subscriptions.
        cursor: next_cursor of the previous page.
    """
    day = check_date(renews_before) if renews_before else None
    found = keep(state.subscriptions, account_id=account_id, plan_id=plan_id, status=status)
    found = [row for row in found if day is None or (row.status != "cancelled" and row.period_end <= day)]
    rows = [described(state, ctx, row) for row in found]
    names = ("number", "po_number", "account_name", "plan_code", "plan_name")
    rows = search(rows, query, lambda row: [row[name] for name in names])
    rows.sort(key=lambda row: (row["period_end"], row["id"]))
    if sort == "newest":
        rows.sort(key=lambda row: row["started_on"], reverse=True)
    if sort == "highest_mrr":
        rows.sort(key=lambda row: -row["mrr"])
    return {**cursor_page("subscriptions", rows, limit, cursor), "total_mrr": total(row["mrr"] for row in rows)}


@service.tool()
def get_subscription(state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId) -> Json:
    """Show a subscription with its invoices, notes and the change that is scheduled for its renewal.

    Errors: `not_found`.

    Args:
        subscription_id: Id of the subscription.
    """
    row = state.subscriptions.get(subscription_id)
    coming = state.plans.get(row.next_plan_id).code if row.next_plan_id else None
    return {
        **described(state, ctx, row),
        "next_plan_code": coming,
        "invoices": [described_invoice(state, ctx, invoice) for invoice in state.invoices.find(subscription_id=row.id)],
        "notes": state.notes.find(subscription_id=row.id),
    }


@service.tool(phrase="subscribe {account_id} to {plan_id} with {quantity} units")
def create_subscription(
    state: SubscriptionsState,
    ctx: CallContext,
    account_id: AccountId,
    plan_id: PlanId,
    quantity: Quantity,
    coupon_code: Code | None = None,
    po_number: f.Code = "",
    trial: bool = True,
) -> Json:
    """Start a subscription today, with the plan's trial or with a first invoice that is due in 14 days.

    Errors: `not_found`, `plan_retired`, `below_minimum`, `duplicate_subscription` (a live one to this plan),
    `unknown_coupon`, `coupon_not_redeemable`, `coupon_other_plan`.

    Args:
        account_id: Id of the account.
        plan_id: Id of the plan.
        quantity: How many units.
        coupon_code: Code of a coupon.
        po_number: The customer's purchase order number.
        trial: false skips the free trial of the plan.
    """
    account, plan = state.accounts.get(account_id), _choosable(state, plan_id, quantity)
    for row in state.subscriptions.find(account_id=account_id, plan_id=plan_id):
        if row.status != "cancelled":
            raise conflict(f"{account.name} has {row.number} already; change it.", type="duplicate_subscription")
    free = trial and plan.trial_days > 0
    end = plus_days(ctx.today, plan.trial_days) if free else plus_months(ctx.today, MONTHS[plan.interval])
    coupon = _coupon(state, ctx, coupon_code, plan) if coupon_code else None
    row = state.subscriptions.create(
        number=f"S-{max((int(row.number[2:]) for row in state.subscriptions), default=1000) + 1}",
        account_id=account_id,
        plan_id=plan_id,
        quantity=quantity,
        status="trialing" if free else "active",
        started_on=ctx.today,
        period_start=ctx.today,
        period_end=end,
        coupon_id=coupon.id if coupon else None,
        coupon_ends_on=plus_months(ctx.today, coupon.months) if coupon else None,
        po_number=po_number.strip(),
    )
    if not free:
        text = f"{plan.name}, {quantity} x {plan.unit}, to {end}"
        issue(state, ctx, row, [(text, period_price(state, row, plan, quantity, ctx.today))])
    return get_subscription(state, ctx, row.id)


def _choosable(state: SubscriptionsState, plan_id: str, quantity: int) -> Plan:
    plan = state.plans.get(plan_id)
    if plan.retired:
        raise conflict(f"{plan.code} is retired; see list_plans.", type="plan_retired")
    if quantity < plan.min_quantity:
        raise invalid(f"{plan.code} starts at {plan.min_quantity} units.", type="below_minimum")
    return plan


def _coupon(state: SubscriptionsState, ctx: CallContext, code: str, plan: Plan) -> Coupon:
    coupon = next((row for row in state.coupons if same(row.code, code)), None)
    if coupon is None:
        raise invalid(f"There is no coupon {code}; see list_coupons.", type="unknown_coupon")
    if not coupon_shown(state, ctx, coupon)["redeemable"]:
        raise conflict(f"{coupon.code} is used up or past its last day.", type="coupon_not_redeemable")
    if coupon.plan_id not in (None, plan.id):
        raise conflict(f"{coupon.code} is for another plan.", type="coupon_other_plan")
    return coupon


@service.tool()
def get_change_estimate(
    state: SubscriptionsState,
    ctx: CallContext,
    subscription_id: SubscriptionId,
    plan_id: PlanId | None = None,
    quantity: Quantity | None = None,
) -> Json:
    """Work out what a change of plan or quantity would cost today; nothing is changed.

    Errors: `not_found`, `not_running`, `no_change`, `plan_retired`, `below_minimum`.

    Args:
        subscription_id: Id of the subscription.
        plan_id: New plan; the present one, if left out.
        quantity: New number of units; the present one, if left out.
    """
    row = running(state, subscription_id)
    plan, units = _target(state, row, plan_id, quantity)
    return {
        "subscription_number": row.number,
        "from": {"plan_code": state.plans.get(row.plan_id).code, "quantity": row.quantity},
        "to": {"plan_code": plan.code, "quantity": units},
        "today": prorate(state, row, plan, units, ctx.today).to_json(),
        "price_from_renewal": period_price(state, row, plan, units, row.period_end),
    }


def _target(
    state: SubscriptionsState, row: Subscription, plan_id: str | None, quantity: int | None
) -> tuple[Plan, int]:
    """The plan and quantity of a change, checked; 409 when it changes nothing."""
    units = row.quantity if quantity is None else quantity
    if plan_id in (None, row.plan_id):
        plan = state.plans.get(row.plan_id)
        if units == row.quantity:
            raise conflict(f"{row.number} has {units} units of {plan.code} already.", type="no_change")
        if units < plan.min_quantity:
            raise invalid(f"{plan.code} starts at {plan.min_quantity} units.", type="below_minimum")
        return plan, units
    return _choosable(state, plan_id or "", units), units


@service.tool(phrase="change the subscription {subscription_id}")
def change_subscription(
    state: SubscriptionsState,
    ctx: CallContext,
    subscription_id: SubscriptionId,
    plan_id: PlanId | None = None,
    quantity: Quantity | None = None,
    timing: Timing = "now",
) -> Json:
    """Change plan or quantity, now with proration or at the renewal; what is overpaid becomes account credit.

    Errors: `not_found`, `not_running`, `no_change`, `plan_retired`, `below_minimum`, `past_due` (open invoices come
    first), `ends_at_renewal` (it is to be cancelled then).

    Args:
        subscription_id: Id of the subscription.
        plan_id: New plan; the present one, if left out.
        quantity: New number of units; the present one, if left out.
        timing: When it takes effect.
    """
    row = running(state, subscription_id)
    plan, units = _target(state, row, plan_id, quantity)
    if row.status == "past_due":
        raise conflict(f"{row.number} is past due; collect its invoices first.", type="past_due")
    if timing == "at_renewal":
        if row.cancels_at_end:
            raise conflict(f"{row.number} ends on {row.period_end}; reactivate it first.", type="ends_at_renewal")
        state.subscriptions.patch(row.id, next_plan_id=plan.id, next_quantity=units)
        return get_subscription(state, ctx, row.id)
    share = prorate(state, row, plan, units, ctx.today)
    fresh = row.status != "trialing" and share.period_end != row.period_end
    changes = {"period_start": ctx.today, "period_end": share.period_end} if fresh else {}
    state.subscriptions.patch(row.id, plan_id=plan.id, quantity=units, next_plan_id=None, next_quantity=None, **changes)
    if row.status != "trialing":
        _settle(state, ctx, row, plan, units, share)
    return get_subscription(state, ctx, row.id)


def _settle(
    state: SubscriptionsState, ctx: CallContext, row: Subscription, plan: Plan, units: int, share: Proration
) -> None:
    """An invoice over what is to be paid, or credit for what is too much."""
    if share.net > 0:
        lines = [(f"{plan.name}, {units} x {plan.unit}, to {share.period_end}", share.charge)]
        issue(state, ctx, row, [*lines, ("Unused rest of the former terms", -share.unused)])
    elif share.net < 0:
        text = f"Unused rest after the change of {row.number}"
        # It is tied to an invoice of the subscription, so that it does not count as granted by hand.
        last = state.invoices.find(subscription_id=row.id)[-1:]
        state.credits.create(
            account_id=row.account_id,
            amount=-share.net,
            reason=text,
            invoice_id=last[0].id if last else None,
            created_on=ctx.today,
        )


@service.tool(phrase="drop the scheduled change of {subscription_id}")
def cancel_scheduled_change(state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId) -> Json:
    """Drop the change that would take effect at the renewal.

    Errors: `not_found`, `nothing_scheduled`.

    Args:
        subscription_id: Id of the subscription.
    """
    row = state.subscriptions.get(subscription_id)
    if row.next_plan_id is None:
        raise conflict(f"{row.number} has no scheduled change.", type="nothing_scheduled")
    return described(state, ctx, state.subscriptions.patch(row.id, next_plan_id=None, next_quantity=None))


@service.tool(phrase="apply the coupon {coupon_code} to {subscription_id}")
def apply_coupon(
    state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId, coupon_code: Code
) -> Json:
    """Apply a coupon from today on; a subscription has one at a time, and none twice.

    Errors: `not_found`, `not_running`, `has_coupon`, `unknown_coupon`, `coupon_not_redeemable`, `coupon_other_plan`.

    Args:
        subscription_id: Id of the subscription.
        coupon_code: Code of the coupon.
    """
    row = running(state, subscription_id)
    coupon = _coupon(state, ctx, coupon_code, state.plans.get(row.plan_id))
    if row.coupon_id == coupon.id or (row.coupon_ends_on is not None and row.coupon_ends_on > ctx.today):
        raise conflict(f"{row.number} has a coupon until {row.coupon_ends_on}.", type="has_coupon")
    ends = plus_months(ctx.today, coupon.months)
    return described(state, ctx, state.subscriptions.patch(row.id, coupon_id=coupon.id, coupon_ends_on=ends))


@service.tool(phrase="add a note to the subscription {subscription_id}")
def add_subscription_note(
    state: SubscriptionsState, ctx: CallContext, subscription_id: SubscriptionId, text: Body
) -> Note:
    """Add an internal note to a subscription.

    Errors: `not_found`, `blank_text`.

    Args:
        subscription_id: Id of the subscription.
        text: The note.
    """
    state.subscriptions.get(subscription_id)
    return state.notes.create(
        subscription_id=subscription_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )
