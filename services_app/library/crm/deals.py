"""Tools for deals: the pipeline, what is offered, and winning or losing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.crm.accounts import AccountId, ContactId, user_by_email
from services_app.library.crm.state import OPEN_STAGES, PROBABILITY, CrmState, Deal, DealItem, Stage, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_date,
    check_text,
    keep,
    offset_page,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

DealId = Annotated[str, f.ref("deals")]
Quantity = Annotated[int, f.count("units"), Field(ge=1, le=100_000)]
Discount = Annotated[float, f.Semantic("percent"), Field(ge=0, le=60)]
OpenStage = Annotated[Literal["qualification", "discovery", "proposal", "negotiation"], LABEL]


def items_total(state: CrmState, deal: Deal) -> float:
    """Value of the items of a deal, less its discount."""
    listed = sum(item.quantity * item.unit_price for item in state.items.find(deal_id=deal.id))
    return round(listed * (1 - deal.discount / 100), 2)


def open_deal(state: CrmState, deal_id: str) -> Deal:
    """A deal that can still be changed; 409 `deal_closed` otherwise."""
    deal = state.deals.get(deal_id)
    if deal.stage not in OPEN_STAGES:
        raise conflict(f"Deal {deal_id} is {deal.stage}; use reopen_deal before changing it.", type="deal_closed")
    return deal


@service.tool()
def search_deals(
    state: CrmState,
    ctx: CallContext,
    query: Query | None = None,
    account_id: AccountId | None = None,
    stage: Stage | None = None,
    owner_email: f.Email | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find deals by title, account or order number, next to close first.

    Args:
        query: Words in the title, account name or order number.
        account_id: Only deals of this account.
        stage: Only deals in this stage.
        owner_email: Only deals of this sales user.
        limit: At most so many deals.
        offset: Skip so many deals.
    """
    names = {account.id: account.name for account in state.accounts}
    found = search(state.deals, query, lambda row: (row.title, row.order_number, names.get(row.account_id, "")))
    found = keep(found, account_id=account_id, stage=stage, owner_email=owner_email)
    found.sort(key=lambda row: (row.close_date, row.id))
    rows = [with_fields(row, account_name=names.get(row.account_id)) for row in found]
    page = offset_page("deals", rows, limit, offset)
    return {**page, "total_amount": total(deal.amount for deal in found)}


@service.tool()
def get_deal(state: CrmState, ctx: CallContext, deal_id: DealId) -> Json:
    """Show a deal with its items, their total after discount and its weighted value.

    Errors: `not_found`.

    Args:
        deal_id: Id of the deal.
    """
    deal = state.deals.get(deal_id)
    products = {product.id: product for product in state.products}
    items = [
        with_fields(
            item,
            product=products[item.product_id].name if item.product_id in products else None,
            line_total=round(item.quantity * item.unit_price, 2),
        )
        for item in state.items.find(deal_id=deal_id)
    ]
    return with_fields(
        deal,
        items=items,
        items_total=items_total(state, deal),
        probability=PROBABILITY[deal.stage],
        weighted_amount=round(deal.amount * PROBABILITY[deal.stage] / 100, 2),
    )


@service.tool(phrase="create the deal {title} for {account_id}")
def create_deal(
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId,
    title: Name,
    amount: Amount,
    close_date: f.Date,
    contact_id: ContactId | None = None,
) -> Deal:
    """Create a deal in qualification, owned by whoever looks after the account.

    Errors: `not_found`, `in_the_past` (close date), `invalid_date`, `wrong_account` (the contact works elsewhere),
    `former_customer`, `blank_text`.

    Args:
        account_id: Id of the account.
        title: Title of the deal.
        amount: Expected value.
        close_date: When it should be decided.
        contact_id: Person the deal is negotiated with.
    """
    account = state.accounts.get(account_id)
    if account.status == "former":
        raise conflict(f"{account.name} is a former customer; change its status first.", type="former_customer")
    if contact_id is not None and state.contacts.get(contact_id).account_id != account_id:
        raise invalid(f"Contact {contact_id} does not work at {account.name}.", type="wrong_account")
    return state.deals.create(
        account_id=account_id,
        contact_id=contact_id,
        title=check_text(title, "title"),
        stage="qualification",
        amount=amount,
        close_date=_future(ctx, close_date),
        owner_email=account.owner_email,
        created_at=ctx.now,
    )


def _future(ctx: CallContext, close_date: str) -> str:
    if check_date(close_date) < ctx.today:
        raise invalid(f"The close date {close_date} is over; today is {ctx.today}.", type="in_the_past")
    return close_date


@service.tool(phrase="update the deal {deal_id}")
def update_deal(
    state: CrmState,
    ctx: CallContext,
    deal_id: DealId,
    title: Name | Unset = UNSET,
    amount: Amount | Unset = UNSET,
    close_date: f.Date | Unset = UNSET,
    order_number: f.Code | Unset = UNSET,
) -> Deal:
    """Change an open deal; what is not sent stays as it is.

    Errors: `not_found`, `deal_closed`, `nothing_to_change`, `in_the_past`, `invalid_date`,
    `duplicate_order`.

    Args:
        deal_id: Id of the deal.
        title: New title.
        amount: New expected value.
        close_date: New close date.
        order_number: The customer's purchase order number; each belongs to one deal.
    """
    open_deal(state, deal_id)
    changes = some_changes(given(title=title, amount=amount, close_date=close_date, order_number=order_number))
    if "close_date" in changes:
        _future(ctx, changes["close_date"])
    wanted = changes.get("order_number")
    if wanted and any(same(deal.order_number, wanted) and deal.id != deal_id for deal in state.deals):
        raise conflict(f"Another deal has the order number {wanted}.", type="duplicate_order")
    return state.deals.patch(deal_id, **changes)


@service.tool(phrase="move {deal_id} to the stage {stage}")
def move_deal(state: CrmState, ctx: CallContext, deal_id: DealId, stage: OpenStage) -> Deal:
    """Move an open deal to another stage: one step forward, or any number back.

    Winning and losing have their own tools. Errors: `not_found`, `deal_closed`, `same_stage`, `stage_skipped`.

    Args:
        deal_id: Id of the deal.
        stage: Stage to move to.
    """
    deal = open_deal(state, deal_id)
    steps = OPEN_STAGES.index(stage) - OPEN_STAGES.index(deal.stage)
    if steps == 0:
        raise conflict(f"Deal {deal_id} is in {stage} already.", type="same_stage")
    if steps > 1:
        following = OPEN_STAGES[OPEN_STAGES.index(deal.stage) + 1]
        raise conflict(f"A deal in {deal.stage} goes to {following} next, not to {stage}.", type="stage_skipped")
    return state.deals.patch(deal_id, stage=stage)


@service.tool(phrase="mark {deal_id} as won under the order {order_number}")
def win_deal(state: CrmState, ctx: CallContext, deal_id: DealId, order_number: f.Code) -> Deal:
    """Close a deal as won under the customer's order number, and make a prospect a customer.

    Only from proposal or negotiation. Errors: `not_found`, `deal_closed`, `too_early`, `account_on_hold`,
    `over_credit_limit` (the amount is above the account's credit limit), `duplicate_order`, `blank_text`.

    Args:
        deal_id: Id of the deal.
        order_number: The customer's purchase order number.
    """
    deal = open_deal(state, deal_id)
    if deal.stage not in ("proposal", "negotiation"):
        raise conflict(f"A deal in {deal.stage} cannot be won yet; move it to proposal first.", type="too_early")
    account = state.accounts.get(deal.account_id)
    if account.status == "on_hold":
        raise conflict(f"{account.name} is on hold; nothing can be sold to it.", type="account_on_hold")
    if deal.amount > account.credit_limit:
        raise conflict(
            f"{deal.amount:.2f} is above the credit limit of {account.credit_limit:.2f}.", type="over_credit_limit"
        )
    number = check_text(order_number, "order number")
    if any(same(other.order_number, number) and other.id != deal_id for other in state.deals):
        raise conflict(f"Another deal has the order number {number}.", type="duplicate_order")
    if account.status == "prospect":
        state.accounts.patch(account.id, status="customer")
    return state.deals.patch(deal_id, stage="won", order_number=number, close_date=ctx.today)


@service.tool(phrase="close {deal_id} as lost")
def lose_deal(state: CrmState, ctx: CallContext, deal_id: DealId, reason: Body) -> Deal:
    """Close a deal as lost and say why.

    Errors: `not_found`, `deal_closed`, `blank_text`.

    Args:
        deal_id: Id of the deal.
        reason: Why it was lost.
    """
    open_deal(state, deal_id)
    return state.deals.patch(deal_id, stage="lost", lost_reason=check_text(reason, "reason"), close_date=ctx.today)


@service.tool(phrase="reopen {deal_id} with the close date {close_date}")
def reopen_deal(state: CrmState, ctx: CallContext, deal_id: DealId, close_date: f.Date) -> Deal:
    """Take a lost deal back into discovery; a won deal stays won.

    Errors: `not_found`, `not_lost`, `in_the_past`, `invalid_date`.

    Args:
        deal_id: Id of the deal.
        close_date: New close date.
    """
    if state.deals.get(deal_id).stage != "lost":
        raise conflict(f"Deal {deal_id} is not lost; only lost deals can be reopened.", type="not_lost")
    return state.deals.patch(deal_id, stage="discovery", lost_reason="", close_date=_future(ctx, close_date))


@service.tool(phrase="add {quantity} of {product_id} to the deal {deal_id}")
def add_deal_item(
    state: CrmState,
    ctx: CallContext,
    deal_id: DealId,
    product_id: Annotated[str, f.ref("products")],
    quantity: Quantity,
    unit_price: Amount | None = None,
) -> DealItem:
    """Add a product to an open deal, at its list price or a special one.

    Errors: `not_found`, `deal_closed`, `product_withdrawn`, `duplicate_item` (change the one that is there).

    Args:
        deal_id: Id of the deal.
        product_id: Id of the product, from list_products.
        quantity: How many.
        unit_price: Special price of one; the list price if left out.
    """
    open_deal(state, deal_id)
    product = state.products.get(product_id)
    if not product.active:
        raise conflict(f"{product.name} is no longer sold.", type="product_withdrawn")
    if state.items.first(deal_id=deal_id, product_id=product_id):
        raise conflict(f"Deal {deal_id} has {product.name} already; remove that item first.", type="duplicate_item")
    price = product.list_price if unit_price is None else unit_price
    return state.items.create(deal_id=deal_id, product_id=product_id, quantity=quantity, unit_price=price)


@service.tool(phrase="take the item {item_id} off its deal")
def remove_deal_item(state: CrmState, ctx: CallContext, item_id: Annotated[str, f.ref("items")]) -> Json:
    """Take an item off an open deal and show the new total.

    Errors: `not_found`, `deal_closed`.

    Args:
        item_id: Id of the item, from get_deal.
    """
    item = state.items.get(item_id)
    deal = open_deal(state, item.deal_id)
    state.items.delete(item_id)
    return {"removed": item_id, "deal_id": deal.id, "items_total": items_total(state, deal)}


@service.tool(phrase="give a discount of {discount} % on {deal_id}")
def set_discount(
    state: CrmState, ctx: CallContext, deal_id: DealId, discount: Discount, approved_by: f.Email | None = None
) -> Deal:
    """Set the discount on all items of an open deal.

    Above the limit of the deal's owner someone with a higher limit has to approve: see list_users.
    Errors: `not_found`, `deal_closed`, `approval_needed`, `approver_limit` (the approver's own limit is too low),
    `unknown_user`.

    Args:
        deal_id: Id of the deal.
        discount: Per cent, 0 to 60.
        approved_by: Sales user who has approved it.
    """
    deal = open_deal(state, deal_id)
    owner = user_by_email(state, deal.owner_email)
    approver = user_by_email(state, approved_by) if approved_by else None
    if approver is not None and discount > approver.discount_limit:
        raise forbidden(f"{approver.name} may approve up to {approver.discount_limit:g} %.", type="approver_limit")
    if approver is None and discount > owner.discount_limit:
        raise forbidden(
            f"{owner.name} may give up to {owner.discount_limit:g} %; name who has approved more.",
            type="approval_needed",
        )
    return state.deals.patch(deal_id, discount=discount, discount_approved_by=approver.email if approver else None)


@service.tool()
def list_products(
    state: CrmState, ctx: CallContext, query: Query | None = None, include_inactive: bool = False
) -> Json:
    """List the products that can be offered, with their list prices.

    Args:
        query: Words in the name or product code.
        include_inactive: Also those that are no longer sold.
    """
    found = search(state.products, query, lambda row: (row.sku, row.name))
    rows = [row for row in found if row.active or include_inactive]
    return {"products": rows, "total": len(rows)}


@service.tool()
def pipeline_summary(state: CrmState, ctx: CallContext, owner_email: f.Email | None = None) -> Json:
    """Sum up the open deals by stage: number, value, and value weighted by probability.

    Errors: `unknown_user`.

    Args:
        owner_email: Only deals of this sales user; all, if left out.
    """
    owner = user_by_email(state, owner_email).email if owner_email else None
    deals = keep([deal for deal in state.deals if deal.stage in OPEN_STAGES], owner_email=owner)
    stages = []
    for stage in OPEN_STAGES:
        amount = total(deal.amount for deal in deals if deal.stage == stage)
        weighted = round(amount * PROBABILITY[stage] / 100, 2)
        stages.append(
            {"stage": stage, "deals": len(keep(deals, stage=stage)), "amount": amount, "weighted_amount": weighted}
        )
    overdue = [deal.id for deal in deals if deal.close_date < ctx.today]
    return {
        "owner_email": owner,
        "stages": stages,
        "total_amount": total(deal.amount for deal in deals),
        "weighted_total": total(float(str(row["weighted_amount"])) for row in stages),
        "past_close_date": overdue,
        "my_own": bool(owner and same(owner, ME.email)),
    }
