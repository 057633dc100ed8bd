"""Tools for favorite homes and saved searches."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.real_estate.access import Bedrooms, ListingId, Price, short
from services_app.library.real_estate.state import (
    Favorite,
    Kind,
    Listing,
    RealEstateState,
    SavedSearch,
    Tenure,
    service,
)
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    with_fields,
)

MOST_SEARCHES = 10


@service.tool(phrase="make the home {listing_id} a favorite")
def add_favorite(state: RealEstateState, ctx: CallContext, listing_id: ListingId, note: f.Text = "") -> Favorite:
    """Add a home to your favorites with a note of your own; one that is there gets the new note.

    Errors: `not_found`, `already_favorite` (with this note).

    Args:
        listing_id: Id of the listing.
        note: What you want to remember.
    """
    listing = state.listings.get(listing_id)
    row = state.favorites.first(listing_id=listing_id)
    if row is None:
        return state.favorites.create(listing_id=listing_id, note=note, saved_on=ctx.today)
    if row.note == note:
        raise conflict(f"{listing.reference} is a favorite with this note already.", type="already_favorite")
    return state.favorites.patch(row.id, note=note)


@service.tool(phrase="take the home {listing_id} off the favorites")
def remove_favorite(state: RealEstateState, ctx: CallContext, listing_id: ListingId) -> Favorite:
    """Take a home off your favorites; its note is lost.

    Errors: `not_found`, `not_favorite`.

    Args:
        listing_id: Id of the listing.
    """
    listing = state.listings.get(listing_id)
    row = state.favorites.first(listing_id=listing_id)
    if row is None:
        raise conflict(f"{listing.reference} is no favorite; see list_favorites.", type="not_favorite")
    return state.favorites.delete(row.id)


@service.tool()
def list_favorites(
    state: RealEstateState,
    ctx: CallContext,
    query: Query | None = None,
    tenure: Tenure | None = None,
    available_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List your favorites with their notes, present price and status, the last added first.

    Args:
        query: Words in the note, title or address.
        tenure: For sale or for rent.
        available_only: Only homes that are still to be had.
        limit: At most so many homes.
        cursor: next_cursor of the previous page.
    """
    homes = {row.id: row for row in state.listings}

    def texts(row: Favorite) -> tuple[str, ...]:
        home = homes[row.listing_id]
        return row.note, home.title, home.address, home.city

    found = [
        row
        for row in search(state.favorites, query, texts)
        if tenure in (None, homes[row.listing_id].tenure)
        and (not available_only or homes[row.listing_id].status == "active")
    ]
    found = newest_first(found, "saved_on")
    page = cursor_page("favorites", found, limit, cursor)
    page["favorites"] = [
        {**brief(row, "id", "note", "saved_on"), "listing": short(homes[row.listing_id])} for row in page["favorites"]
    ]
    return page


def _matches(state: RealEstateState, row: SavedSearch) -> list[Listing]:
    found = keep(state.listings, status="active", tenure=row.tenure, city=row.city, kind=row.kind)
    return [
        home
        for home in found
        if home.price <= (row.max_price or home.price) and home.bedrooms >= (row.min_bedrooms or 0)
    ]


@service.tool()
def list_saved_searches(state: RealEstateState, ctx: CallContext) -> Json:
    """List your saved searches with how many homes match now, and the newest of them."""
    rows = []
    for row in state.saved_searches:
        found = newest_first(_matches(state, row), "listed_on")
        fresh = sum(1 for home in found if home.listed_on >= row.created_on)
        rows.append(with_fields(row, matches=len(found), new_matches=fresh, newest=[short(home) for home in found[:3]]))
    return {"searches": rows, "total": len(rows)}


@service.tool(phrase="save the search {name}")
def create_saved_search(
    state: RealEstateState,
    ctx: CallContext,
    name: Name,
    tenure: Tenure,
    city: f.Place | None = None,
    kind: Kind | None = None,
    max_price: Price | None = None,
    min_bedrooms: Bedrooms | None = None,
) -> Json:
    """Save a search, to see what is new.

    Errors: `duplicate_name`, `no_criteria`, `too_many_searches` (ten), `blank_text`.

    Args:
        name: Name of the search, unique.
        tenure: For sale or for rent.
        city: City to look in.
        kind: Kind of home.
        max_price: Highest price, or rent of a month.
        min_bedrooms: Fewest bedrooms.
    """
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.saved_searches):
        raise conflict(f"You have a search {clean} already.", type="duplicate_name")
    if (city, kind, max_price, min_bedrooms) == (None, None, None, None):
        raise conflict("A search needs a city, a kind, a price or bedrooms.", type="no_criteria")
    if len(state.saved_searches) >= MOST_SEARCHES:
        raise conflict(f"You have {MOST_SEARCHES} searches; delete one first.", type="too_many_searches")
    row = state.saved_searches.create(
        name=clean,
        tenure=tenure,
        city=city,
        kind=kind,
        max_price=max_price,
        min_bedrooms=min_bedrooms,
        created_on=ctx.today,
    )
    return with_fields(row, matches=len(_matches(state, row)))


@service.tool(phrase="delete the saved search {search_id}")
def delete_saved_search(
    state: RealEstateState, ctx: CallContext, search_id: Annotated[str, f.ref("saved_searches")]
) -> SavedSearch:
    """Delete a saved search.

    Errors: `not_found`.

    Args:
        search_id: Id of the saved search.
    """
    return state.saved_searches.delete(search_id)
