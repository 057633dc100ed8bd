"""Tools for plans, coupons, accounts and playbooks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    total,
    with_fields,
)
from services_app.library.subscriptions.figures import (
    credit_left,
    described,
    described_invoice,
    due,
    mrr,
)
from services_app.library.subscriptions.state import (
    Account,
    Coupon,
    Interval,
    Plan,
    Playbook,
    SubscriptionsState,
    service,
)

AccountId = Annotated[str, f.ref("accounts")]
PlanId = Annotated[str, f.ref("plans")]
Code = Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Za-z0-9-]{2,30}$")]
CREDIT_LIMIT = 500.0


@service.tool()
def list_plans(
    state: SubscriptionsState,
    ctx: CallContext,
    query: Query | None = None,
    interval: Interval | None = None,
    include_retired: bool = False,
) -> Json:
    """List plans with price, trial and how many live subscriptions each has.

    Args:
        query: Words in the code or name.
        interval: Only plans billed by the month, or by the year.
        include_retired: true shows plans that cannot be chosen any more, too.
    """
    found = keep(search(state.plans, query, lambda row: (row.code, row.name)), interval=interval)
    live = [row.plan_id for row in state.subscriptions if row.status != "cancelled"]
    rows = [with_fields(row, subscriptions=live.count(row.id)) for row in found if include_retired or not row.retired]
    return {"plans": rows, "total": len(rows)}


@service.tool(phrase="create the plan {code} at {unit_price} per {unit}")
def create_plan(  # noqa: PLR0913, PLR0917 - one per field of a plan
    state: SubscriptionsState,
    ctx: CallContext,
    code: Code,
    name: Annotated[str, f.Semantic("product"), Field(min_length=1, max_length=100)],
    unit_price: Amount,
    interval: Interval,
    unit: Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=30)] = "seat",
    min_quantity: Annotated[int, f.count("units"), Field(ge=1, le=1000)] = 1,
    trial_days: Annotated[int, f.duration("days"), Field(ge=0, le=60)] = 0,
) -> Plan:
    """Create a plan; its price cannot be changed later, only a new plan made.

    Errors: `duplicate_code`, `blank_text`.

    Args:
        code: Short unique code.
        name: Name on invoices.
        unit_price: Price of one unit for one interval.
        interval: How often it is billed.
        unit: What is counted.
        min_quantity: Fewest units that can be subscribed.
        trial_days: Length of the free trial; 0 for none.
    """
    if any(same(row.code, code) for row in state.plans):
        raise conflict(f"There is a plan {code} already.", type="duplicate_code")
    return state.plans.create(
        code=code,
        name=check_text(name, "name"),
        interval=interval,
        unit=unit,
        unit_price=unit_price,
        min_quantity=min_quantity,
        trial_days=trial_days,
    )


@service.tool(phrase="retire the plan {plan_id}")
def retire_plan(state: SubscriptionsState, ctx: CallContext, plan_id: PlanId) -> Json:
    """Retire a plan: nobody can choose it any more, present subscriptions go on.

    Errors: `not_found`, `already_retired`, `change_scheduled` (a subscription moves to it at its renewal).

    Args:
        plan_id: Id of the plan.
    """
    plan = state.plans.get(plan_id)
    if plan.retired:
        raise conflict(f"{plan.code} is retired already.", type="already_retired")
    coming = state.subscriptions.find(next_plan_id=plan_id)
    if coming:
        raise conflict(f"{coming[0].number} moves to {plan.code}; cancel that change first.", type="change_scheduled")
    live = [row for row in state.subscriptions.find(plan_id=plan_id) if row.status != "cancelled"]
    return with_fields(state.plans.patch(plan_id, retired=True), subscriptions_that_go_on=len(live))


@service.tool()
def list_coupons(
    state: SubscriptionsState, ctx: CallContext, query: Query | None = None, redeemable: bool | None = None
) -> Json:
    """List coupons with their discount and the redemptions that are left.

    Args:
        query: Words in the code.
        redeemable: Only coupons that can be applied today, or only the others.
    """
    rows = [coupon_shown(state, ctx, row) for row in search(state.coupons, query, lambda row: (row.code,))]
    rows = [row for row in rows if redeemable in (None, row["redeemable"])]
    return {"coupons": rows, "total": len(rows)}


def coupon_shown(state: SubscriptionsState, ctx: CallContext, coupon: Coupon) -> Json:
    """A coupon with the redemptions left; redeemable while some are and its last day is not past."""
    left = coupon.max_redemptions - state.subscriptions.count(coupon_id=coupon.id)
    in_time = coupon.redeem_by is None or coupon.redeem_by >= ctx.today
    return with_fields(coupon, redemptions_left=max(0, left), redeemable=left > 0 and in_time)


@service.tool(phrase="create the coupon {code} with {percent_off} per cent off")
def create_coupon(
    state: SubscriptionsState,
    ctx: CallContext,
    code: Code,
    percent_off: Annotated[float, f.Semantic("percent"), Field(gt=0, le=50)],
    months: Annotated[int, f.duration("months"), Field(ge=1, le=24)],
    max_redemptions: Annotated[int, f.count("redemptions"), Field(ge=1, le=10_000)] = 100,
    redeem_by: f.Date | None = None,
    plan_id: PlanId | None = None,
) -> Json:
    """Create a coupon, for every plan or for one.

    Errors: `duplicate_code`, `not_found`, `plan_retired`, `invalid_date`, `in_the_past`.

    Args:
        code: What is entered to get the discount.
        percent_off: Per cent off the price.
        months: How long the discount lasts.
        max_redemptions: How many subscriptions may have it.
        redeem_by: Last day to apply it.
        plan_id: Only for this plan.
    """
    if any(same(row.code, code) for row in state.coupons):
        raise conflict(f"There is a coupon {code} already.", type="duplicate_code")
    if plan_id is not None and state.plans.get(plan_id).retired:
        raise conflict("The plan is retired; choose another.", type="plan_retired")
    if redeem_by is not None and check_date(redeem_by) < ctx.today:
        raise invalid(f"{redeem_by} is past; today is {ctx.today}.", type="in_the_past")
    coupon = state.coupons.create(
        code=code.upper(),
        percent_off=percent_off,
        months=months,
        max_redemptions=max_redemptions,
        redeem_by=redeem_by,
        plan_id=plan_id,
    )
    return coupon_shown(state, ctx, coupon)


@service.tool()
def search_accounts(
    state: SubscriptionsState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    card_expires_before: Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")] | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find accounts by company, contact or card, with revenue, credit and what is due.

    Args:
        query: Words in the name, contact, email or last four digits of the card.
        email: The exact email.
        card_expires_before: Only accounts whose card ends before this month, YYYY-MM.
        limit: At most so many accounts.
        cursor: next_cursor of the previous page.
    """
    found = search(state.accounts, query, lambda row: (row.name, row.contact_name, row.email, row.card_last4))
    found = [
        row for row in keep(found, email=email) if not card_expires_before or row.card_expires < card_expires_before
    ]
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("accounts", found, limit, cursor)
    page["accounts"] = [_with_sums(state, ctx, row) for row in page["accounts"]]
    return page


def _with_sums(state: SubscriptionsState, ctx: CallContext, account: Account) -> Json:
    rows = state.subscriptions.find(account_id=account.id)
    invoices = [invoice for row in rows for invoice in state.invoices.find(subscription_id=row.id)]
    return with_fields(
        account,
        mrr=total(mrr(state, row, ctx.today) for row in rows),
        credit=credit_left(state, account.id),
        amount_due=total(due(state, invoice) for invoice in invoices),
    )


@service.tool()
def get_account(state: SubscriptionsState, ctx: CallContext, account_id: AccountId) -> Json:
    """Show an account with subscriptions, open invoices and the history of its credit.

    Errors: `not_found`.

    Args:
        account_id: Id of the account.
    """
    account = state.accounts.get(account_id)
    rows = state.subscriptions.find(account_id=account_id)
    open_ = [invoice for row in rows for invoice in state.invoices.find(subscription_id=row.id, status="open")]
    return {
        **_with_sums(state, ctx, account),
        "subscriptions": [described(state, ctx, row) for row in rows],
        "open_invoices": [described_invoice(state, ctx, row) for row in open_],
        "credit_history": state.credits.find(account_id=account_id),
    }


@service.tool(phrase="enter the new card ending in {card_last4} for {account_id}")
def update_card(
    state: SubscriptionsState,
    ctx: CallContext,
    account_id: AccountId,
    card_last4: Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4}$")],
    card_expires: Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")],
) -> Json:
    """Enter a new card; open invoices can then be collected again.

    Errors: `not_found`, `card_expired`, `no_change`.

    Args:
        account_id: Id of the account.
        card_last4: Last four digits.
        card_expires: Last month, YYYY-MM.
    """
    account = state.accounts.get(account_id)
    if card_expires < ctx.today[:7]:
        raise invalid(f"The card expired in {card_expires}; ask for another.", type="card_expired")
    if (account.card_last4, account.card_expires) == (card_last4, card_expires):
        raise conflict("This is the card that is entered already.", type="no_change")
    changed = state.accounts.patch(account_id, card_last4=card_last4, card_expires=card_expires, card_declines=False)
    return _with_sums(state, ctx, changed)


@service.tool(phrase="grant {account_id} a credit of {amount}")
def grant_credit(
    state: SubscriptionsState, ctx: CallContext, account_id: AccountId, amount: Amount, reason: Body
) -> Json:
    """Grant an account credit, which collect_invoice uses first; at most 500.00 may be granted in 30 days.

    Errors: `not_found`, `over_credit_limit`, `blank_text`.

    Args:
        account_id: Id of the account.
        amount: Amount of the credit.
        reason: Why, as it stands in the history.
    """
    state.accounts.get(account_id)
    start = ctx.in_days(-30)
    recent = [
        row.amount
        for row in state.credits.find(account_id=account_id, invoice_id=None)
        if row.amount > 0 and row.created_on >= start
    ]
    if total((amount, *recent)) > CREDIT_LIMIT:
        raise forbidden(
            f"{total(recent):.2f} were granted in the last 30 days; {CREDIT_LIMIT:.2f} is the most.",
            type="over_credit_limit",
        )
    credit = state.credits.create(
        account_id=account_id, amount=amount, reason=check_text(reason, "reason"), created_on=ctx.today
    )
    return {"granted": credit, "credit": credit_left(state, account_id)}


@service.tool()
def search_playbooks(state: SubscriptionsState, ctx: CallContext, query: Query | None = None) -> Json:
    """Read the playbooks of the billing team that hold the words: dunning, discounts, pauses, cancellations.

    Args:
        query: Words that must all occur in the title or text.
    """
    found: list[Playbook] = search(state.playbooks, query, lambda row: (row.title, row.body))
    return {"playbooks": found, "total": len(found)}
