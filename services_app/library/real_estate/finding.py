"""Tools that find and show properties."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.real_estate.access import (
    Bedrooms,
    ListingId,
    Price,
    has_viewed,
    median_per_m2,
    monthly_payment,
    per_m2,
    short,
)
from services_app.library.real_estate.state import (
    Kind,
    Listing,
    ListingStatus,
    RealEstateState,
    Tenure,
    service,
)
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    days_between,
    keep,
    mean,
    same,
    search,
    with_fields,
)

ListingOrder = Annotated[Literal["newest", "price", "-price", "area", "price_per_m2"], LABEL]
Area = Annotated[int, f.count("square metres"), Field(ge=1, le=100_000)]
DocumentId = Annotated[str, f.ref("documents")]


@service.tool()
def search_listings(  # noqa: PLR0913, PLR0917 - filters of the product
    state: RealEstateState,
    ctx: CallContext,
    query: Query | None = None,
    city: f.Place | None = None,
    tenure: Tenure | None = None,
    kind: Kind | None = None,
    status: ListingStatus = "active",
    min_price: Price | None = None,
    max_price: Price | None = None,
    min_bedrooms: Bedrooms | None = None,
    min_area_m2: Area | None = None,
    order_by: ListingOrder = "newest",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find homes for sale or for rent by words in the title, address, reference or description.

    Args:
        query: Words that must all occur.
        city: Only homes in this city.
        tenure: For sale or for rent.
        kind: Only homes of this kind.
        status: Active ones, unless another status is asked for.
        min_price: Only homes that cost at least this.
        max_price: Only homes that cost at most this.
        min_bedrooms: Only homes with so many bedrooms or more.
        min_area_m2: Only homes of so many square metres or more.
        order_by: Newest first, by price (-price: dearest first), largest first, or cheapest per square metre.
        limit: At most so many homes.
        cursor: next_cursor of the previous page.
    """
    found = search(
        state.listings,
        query,
        lambda row: (row.title, row.address, row.city, row.reference, row.description),
    )
    found = [
        row
        for row in keep(found, city=city, tenure=tenure, kind=kind, status=status)
        if (min_price or 0) <= row.price <= (max_price or row.price)
        and row.bedrooms >= (min_bedrooms or 0)
        and row.area_m2 >= (min_area_m2 or 0)
    ]
    found.sort(key=lambda row: row.id)
    if order_by == "newest":
        found.sort(key=lambda row: row.listed_on, reverse=True)
    else:
        found.sort(key=lambda row: _rank(row, order_by))
    page = cursor_page("listings", found, limit, cursor)
    page["listings"] = [short(row) for row in page["listings"]]
    return page


def _rank(listing: Listing, order_by: str) -> float:
    return {
        "price": listing.price,
        "-price": -listing.price,
        "area": -listing.area_m2,
        "price_per_m2": per_m2(listing),
    }[order_by]


@service.tool()
def get_listing(state: RealEstateState, ctx: CallContext, listing_id: ListingId) -> Json:
    """Show a home with its agent, price history, documents, and your viewings, offers and notes.

    Errors: `not_found`.

    Args:
        listing_id: Id of the listing.
    """
    listing = state.listings.get(listing_id)
    agent = state.agents.get(listing.agent_id)
    saved = state.favorites.first(listing_id=listing_id)
    changes = state.price_changes.find(listing_id=listing_id)
    return with_fields(
        listing,
        price_per_m2=per_m2(listing),
        days_on_market=days_between(listing.listed_on, listing.sold_on or ctx.today),
        agent=brief(agent, "name", "email", "phone", "agency", "notice_hours"),
        price_changes=[brief(row, "old_price", "new_price", "changed_on") for row in changes],
        documents=[brief(row, "id", "title", "access", "dated") for row in state.documents.find(listing_id=listing_id)],
        viewings=[
            {"start": state.slots.get(row.slot_id).start, **brief(row, "id", "status", "feedback")}
            for row in state.viewings.find(listing_id=listing_id)
        ],
        offers=[brief(row, "id", "amount", "status") for row in state.offers.find(listing_id=listing_id)],
        saved_note=saved.note if saved else None,
    )


@service.tool()
def read_document(state: RealEstateState, ctx: CallContext, document_id: DocumentId) -> Json:
    """Read a document of a home: questionnaire, survey, lease or energy certificate. Some need a viewing first.

    Errors: `not_found`, `viewing_required`.

    Args:
        document_id: Id of the document, from get_listing.
    """
    document = state.documents.get(document_id)
    listing = state.listings.get(document.listing_id)
    if document.access == "after_viewing" and not has_viewed(state, listing.id):
        raise forbidden(
            f"{document.title} of {listing.reference} is shown only to people who have viewed the home.",
            type="viewing_required",
        )
    return with_fields(document, reference=listing.reference, address=listing.address)


@service.tool(
    examples=(Example({"references": ["LO1200", "LO1256"]}),),
)
def compare_listings(
    state: RealEstateState,
    ctx: CallContext,
    references: Annotated[list[f.Code], Field(min_length=2, max_length=5)],
) -> Json:
    """Put two to five homes side by side: price per square metre, market days, reductions, and the best of each.

    Errors: `unknown_reference`, `not_comparable` (sale and rent, or two currencies), `same_twice`.

    Args:
        references: References of the homes, such as LO1200.
    """
    rows = [_referred(state, text) for text in references]
    if len({row.id for row in rows}) < len(rows):
        raise invalid("A home is named twice; send different ones.", type="same_twice")
    if len({(row.tenure, row.currency) for row in rows}) > 1:
        raise conflict("Compare homes of one currency that are all for sale or all for rent.", type="not_comparable")
    lines = []
    for row in rows:
        first = state.price_changes.find(listing_id=row.id)
        reduced = first[0].old_price - row.price if first else 0.0
        lines.append(
            {
                **short(row),
                "service_charge": row.service_charge,
                "days_on_market": days_between(row.listed_on, ctx.today),
                "reduced_by": round(reduced, 2),
            }
        )
    return {
        "listings": lines,
        "cheapest": min(rows, key=lambda row: row.price).reference,
        "largest": max(rows, key=lambda row: row.area_m2).reference,
        "cheapest_per_m2": min(rows, key=per_m2).reference,
    }


def _referred(state: RealEstateState, text: str) -> Listing:
    """The home with this reference; 422 `unknown_reference` otherwise."""
    for row in state.listings:
        if same(row.reference, text):
            return row
    raise invalid(f"No home has the reference {text}; see search_listings.", type="unknown_reference")


@service.tool()
def get_market_report(
    state: RealEstateState, ctx: CallContext, city: f.Place | None = None, kind: Kind | None = None
) -> Json:
    """Tell what homes sold for: median price per square metre, days on the market and discount on the asking price.

    Args:
        city: Only this city; each city on its own line, if left out.
        kind: Only homes of this kind.
    """
    sold = keep(state.listings, status="sold", tenure="sale", city=city, kind=kind)
    lines = []
    for name in sorted({row.city for row in sold}):
        here = [row for row in sold if row.city == name]
        days = [days_between(row.listed_on, row.sold_on or row.listed_on) for row in here]
        discounts = [100 * (row.price - (row.sold_price or row.price)) / row.price for row in here]
        on_market = keep(state.listings, status="active", tenure="sale", city=name, kind=kind)
        lines.append(
            {
                "city": name,
                "currency": here[0].currency,
                "sold": len(here),
                "median_price_per_m2": median_per_m2(here),
                "asked_per_m2_now": median_per_m2(on_market),
                "average_days_on_market": mean(days),
                "average_discount_percent": mean(discounts),
            }
        )
    return {"cities": lines, "total_sold": len(sold)}


@service.tool()
def calculate_mortgage(
    state: RealEstateState,
    ctx: CallContext,
    listing_id: ListingId,
    preapproval_id: Annotated[str, f.ref("preapprovals")],
    deposit: Annotated[float, f.Semantic("money"), Field(ge=0, le=20_000_000)],
    years: Annotated[int, f.duration("years"), Field(ge=5, le=40)] | None = None,
) -> Json:
    """Work out the monthly cost of a home for sale with the rate of a pre-approval.

    Errors: `not_found`, `not_for_sale`, `other_currency`, `deposit_too_large`.

    Args:
        listing_id: Id of the listing.
        preapproval_id: Id of the pre-approval.
        deposit: What you pay yourself.
        years: Length of the loan; that of the pre-approval, if left out.
    """
    listing, approval = state.listings.get(listing_id), state.preapprovals.get(preapproval_id)
    if listing.tenure != "sale":
        raise invalid(f"{listing.reference} is for rent; there is nothing to finance.", type="not_for_sale")
    if listing.currency != approval.currency:
        raise invalid(f"{approval.lender} lends {approval.currency} only.", type="other_currency")
    loan = round(listing.price - deposit, 2)
    if loan <= 0:
        raise invalid(f"The deposit covers the price of {listing.price:.2f}; no loan is needed.",
                      type="deposit_too_large")  # fmt: skip
    length = years or approval.years
    payment = monthly_payment(loan, approval.yearly_rate, length)
    return {
        "listing_id": listing_id,
        "loan": loan,
        "yearly_rate": approval.yearly_rate,
        "years": length,
        "monthly_payment": payment,
        "service_charge": listing.service_charge,
        "monthly_total": round(payment + listing.service_charge, 2),
        "total_interest": round(payment * length * 12 - loan, 2),
        "within_preapproval": loan <= approval.max_loan,
    }
