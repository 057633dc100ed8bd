"""Tools for pre-approvals and offers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.real_estate.access import (
    OPEN_OFFERS,
    ListingId,
    Price,
    available,
    check_funds,
    has_viewed,
    shown_offer,
)
from services_app.library.real_estate.state import Currency, Offer, OfferStatus, RealEstateState, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    cursor_page,
    keep,
    newest_first,
    plus_days,
    some_changes,
    with_fields,
)

OfferId = Annotated[str, f.ref("offers")]
PreapprovalId = Annotated[str, f.ref("preapprovals")]
Deposit = Annotated[float, f.Semantic("money"), Field(ge=0, le=20_000_000)]
ValidDays = Annotated[int, f.duration("days"), Field(ge=1, le=30)]
MOST_OFFERS = 2
LOWEST_SHARE = 0.8


@service.tool()
def list_preapprovals(
    state: RealEstateState, ctx: CallContext, currency: Currency | None = None, valid_only: bool = False
) -> Json:
    """List your mortgage pre-approvals with their conditions and what is left beside open offers.

    Args:
        currency: Only loans in this currency.
        valid_only: Only pre-approvals that have not ended.
    """
    rows = []
    for row in keep(state.preapprovals, currency=currency):
        valid = row.expires_on >= ctx.today
        theirs = [offer for offer in state.offers.find(preapproval_id=row.id) if offer.status in OPEN_OFFERS]
        bound = sum(offer.amount - offer.deposit for offer in theirs)
        if valid or not valid_only:
            rows.append(with_fields(row, valid=valid, bound_by_open_offers=round(bound, 2)))
    return {"preapprovals": rows, "total": len(rows)}


@service.tool()
def list_offers(
    state: RealEstateState,
    ctx: CallContext,
    status: OfferStatus | None = None,
    listing_id: ListingId | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List your offers with status, counteroffer and reply, the latest first.

    Args:
        status: Only offers in this status.
        listing_id: Only offers for this home.
        limit: At most so many offers.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.offers, status=status, listing_id=listing_id)
    found = newest_first(found, "submitted_at")
    page = cursor_page("offers", found, limit, cursor)
    page["offers"] = [shown_offer(state, row) for row in page["offers"]]
    return page


def _check_amount(asking: float, amount: float) -> None:
    if amount < asking * LOWEST_SHARE:
        raise invalid(f"Sellers see no offer below 80% of the asking price, {asking * LOWEST_SHARE:.2f}.",
                      type="offer_too_low")  # fmt: skip


@service.tool(phrase="offer {amount} for the home {listing_id}")
def make_offer(
    state: RealEstateState,
    ctx: CallContext,
    listing_id: ListingId,
    amount: Price,
    deposit: Deposit,
    preapproval_id: PreapprovalId,
    conditions: f.Text = "",
    valid_days: ValidDays = 7,
) -> Json:
    """Make an offer for a home that you have viewed; two offers may be open at once, one per home.

    Errors: `not_found`, `not_available`, `not_for_sale`, `viewing_required`, `open_offer`, `too_many_offers`,
    `offer_too_low`, `other_currency`, `approval_over`, `deposit_too_small` (below a tenth), `not_enough_funds`.

    Args:
        listing_id: Id of the listing.
        amount: What you offer.
        deposit: What you pay yourself; the rest is the loan.
        preapproval_id: Pre-approval that carries the loan.
        conditions: What has to be done before, such as repairs or a survey.
        valid_days: For how many days the offer stands.
    """
    approval = state.preapprovals.get(preapproval_id)
    listing = available(state, listing_id)
    if listing.tenure != "sale":
        raise invalid(f"{listing.reference} is for rent; write to the agent instead.", type="not_for_sale")
    if not has_viewed(state, listing_id):
        raise conflict(f"View {listing.reference} first and write feedback.", type="viewing_required")
    open_ = [row for row in state.offers if row.status in OPEN_OFFERS]
    if any(row.listing_id == listing_id for row in open_):
        raise conflict(f"Your offer for {listing.reference} is open; use revise_offer.", type="open_offer")
    if len(open_) >= MOST_OFFERS:
        raise conflict(f"{MOST_OFFERS} offers are open; withdraw one first.", type="too_many_offers")
    _check_amount(listing.price, amount)
    check_funds(listing, approval, amount, deposit, ctx.today)
    offer = state.offers.create(
        listing_id=listing_id,
        preapproval_id=preapproval_id,
        amount=amount,
        deposit=deposit,
        conditions=conditions,
        status="submitted",
        valid_until=plus_days(ctx.today, valid_days),
        submitted_at=ctx.now,
    )
    return shown_offer(state, offer)


def _open_offer(state: RealEstateState, offer_id: str) -> Offer:
    offer = state.offers.get(offer_id)
    if offer.status not in OPEN_OFFERS:
        raise conflict(f"{offer_id} is {offer.status}; make a new offer.", type="offer_closed")
    return offer


@service.tool(phrase="revise the offer {offer_id}")
def revise_offer(
    state: RealEstateState,
    ctx: CallContext,
    offer_id: OfferId,
    amount: Price | Unset = UNSET,
    deposit: Deposit | Unset = UNSET,
    conditions: f.Text | Unset = UNSET,
    valid_days: ValidDays | Unset = UNSET,
) -> Json:
    """Change an open offer; a counteroffer is answered by it and falls away.

    Errors: `not_found`, `offer_closed`, `nothing_to_change`, `not_available`, `offer_too_low`, `other_currency`,
    `approval_over`, `deposit_too_small`, `not_enough_funds`.

    Args:
        offer_id: Id of the offer.
        amount: New amount.
        deposit: New deposit.
        conditions: New conditions, instead of those before.
        valid_days: For how many days from today it stands.
    """
    offer = _open_offer(state, offer_id)
    changes = some_changes(given(amount=amount, deposit=deposit, conditions=conditions, valid_days=valid_days))
    listing = available(state, offer.listing_id)
    if "valid_days" in changes:
        changes["valid_until"] = plus_days(ctx.today, changes.pop("valid_days"))
    changed = offer.changed(**changes)
    _check_amount(listing.price, changed.amount)
    approval = state.preapprovals.get(offer.preapproval_id)
    check_funds(listing, approval, changed.amount, changed.deposit, ctx.today)
    return shown_offer(state, state.offers.patch(offer_id, **changes, status="submitted", counter_amount=None))


@service.tool(
    phrase="accept the counteroffer to {offer_id}",
    examples=(Example({"offer_id": "OFR-0001"}),),
)
def accept_counteroffer(
    state: RealEstateState, ctx: CallContext, offer_id: OfferId, deposit: Deposit | None = None
) -> Json:
    """Accept what the seller asks instead: the home is under offer. No other offer of yours may be open.

    Errors: `not_found`, `offer_closed`, `no_counteroffer`, `offer_expired`, `other_offer_open`, `not_available`,
    `other_currency`, `approval_over`, `deposit_too_small`, `not_enough_funds`.

    Args:
        offer_id: Id of the offer.
        deposit: New deposit, if the old one does not do.
    """
    offer = _open_offer(state, offer_id)
    if offer.counter_amount is None:
        raise conflict(f"The seller has not answered {offer_id} yet.", type="no_counteroffer")
    if offer.valid_until < ctx.today:
        raise conflict(f"The counteroffer stood until {offer.valid_until}; revise your offer.", type="offer_expired")
    others = [row.id for row in state.offers if row.status in OPEN_OFFERS and row.id != offer_id]
    if others:
        raise conflict(f"{', '.join(others)} is open; withdraw it first.", type="other_offer_open")
    listing = available(state, offer.listing_id)
    paid = offer.deposit if deposit is None else deposit
    check_funds(listing, state.preapprovals.get(offer.preapproval_id), offer.counter_amount, paid, ctx.today)
    state.listings.patch(listing.id, status="under_offer")
    changed = state.offers.patch(offer_id, status="accepted", amount=offer.counter_amount, deposit=paid)
    return shown_offer(state, changed)


@service.tool(phrase="withdraw the offer {offer_id}")
def withdraw_offer(state: RealEstateState, ctx: CallContext, offer_id: OfferId) -> Json:
    """Withdraw an open offer.

    Errors: `not_found`, `offer_closed`.

    Args:
        offer_id: Id of the offer.
    """
    _open_offer(state, offer_id)
    return shown_offer(state, state.offers.patch(offer_id, status="withdrawn"))
