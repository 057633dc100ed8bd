"""Figures that follow from the records, and checks that several tools share."""

from __future__ import annotations

from statistics import median
from typing import Annotated

from pydantic import Field

from services_app.engine import conflict, invalid
from services_app.engine import fields as f
from services_app.library.real_estate.state import Listing, Offer, Preapproval, RealEstateState, Slot
from services_app.library.shared import Json, brief, percent

ListingId = Annotated[str, f.ref("listings")]
Price = Annotated[float, f.Semantic("money"), Field(gt=0, le=20_000_000)]
Bedrooms = Annotated[int, f.count("bedrooms"), Field(ge=0, le=20)]

OPEN_OFFERS = ("submitted", "countered")


def per_m2(listing: Listing) -> float:
    return round((listing.sold_price or listing.price) / listing.area_m2, 2)


def median_per_m2(listings: list[Listing]) -> float | None:
    return round(median(per_m2(row) for row in listings), 2) if listings else None


def short(listing: Listing) -> Json:
    """A listing as lists show it."""
    return {
        **brief(listing, "id", "reference", "title", "kind", "tenure", "address", "city", "bedrooms", "area_m2"),
        **brief(listing, "price", "currency", "energy_rating", "status", "listed_on"),
        "price_per_m2": per_m2(listing),
    }


def has_viewed(state: RealEstateState, listing_id: str) -> bool:
    return state.viewings.first(listing_id=listing_id, status="done") is not None


def is_free(state: RealEstateState, slot: Slot) -> bool:
    """Whether a slot can be booked: neither by others nor by you."""
    return not slot.taken_by_others and state.viewings.first(slot_id=slot.id, status="confirmed") is None


def available(state: RealEstateState, listing_id: str) -> Listing:
    """A listing that is still to be had; 409 `not_available` otherwise."""
    listing = state.listings.get(listing_id)
    if listing.status != "active":
        raise conflict(f"{listing.reference} is {listing.status.replace('_', ' ')}.", type="not_available")
    return listing


def monthly_payment(loan: float, yearly_rate: float, years: int) -> float:
    """Payment each month for a loan with equal instalments."""
    rate, count = yearly_rate / 1200, years * 12
    return round(loan / count if rate == 0 else loan * rate / (1 - (1 + rate) ** -count), 2)


def check_funds(listing: Listing, approval: Preapproval, amount: float, deposit: float, today: str) -> None:
    """422 or 409 when a pre-approval and a deposit do not carry an amount."""
    if approval.currency != listing.currency:
        raise invalid(
            f"{approval.lender} lends {approval.currency}, {listing.reference} is in {listing.currency}.",
            type="other_currency",
        )
    if approval.expires_on < today:
        raise conflict(f"The pre-approval of {approval.lender} ended on {approval.expires_on}.", type="approval_over")
    if deposit < amount * 0.1:
        raise invalid(f"The deposit has to be a tenth of the amount, {amount / 10:.2f}.", type="deposit_too_small")
    if deposit + approval.max_loan < amount:
        raise conflict(
            f"Deposit and loan come to {deposit + approval.max_loan:.2f}, the amount is {amount:.2f}.",
            type="not_enough_funds",
        )


def shown_offer(state: RealEstateState, offer: Offer) -> Json:
    listing = state.listings.get(offer.listing_id)
    return {
        **offer.plain(),
        **brief(listing, "reference", "title", "address", "currency"),
        "asking_price": listing.price,
        "percent_of_asking": percent(offer.amount, listing.price),
        "lender": state.preapprovals.get(offer.preapproval_id).lender,
    }
