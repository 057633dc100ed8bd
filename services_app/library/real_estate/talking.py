"""Tools for agents and messages with them."""

from __future__ import annotations

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.real_estate.access import ListingId
from services_app.library.real_estate.state import Message, RealEstateState, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    with_fields,
)


@service.tool()
def list_agents(
    state: RealEstateState,
    ctx: CallContext,
    query: Query | None = None,
    city: f.Place | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List estate agents with their contact, notice for viewings and active homes, by name.

    Args:
        query: Words in the name, agency or address.
        city: Only agents in this city.
        limit: At most so many agents.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.agents, query, lambda row: (row.name, row.agency, row.email)), city=city)
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("agents", found, limit, cursor)
    page["agents"] = [
        with_fields(row, active_listings=state.listings.count(agent_id=row.id, status="active"))
        for row in page["agents"]
    ]
    return page


@service.tool()
def list_messages(
    state: RealEstateState,
    ctx: CallContext,
    listing_id: ListingId | None = None,
    query: Query | None = None,
    author_email: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List messages between you and agents about homes, newest first.

    Args:
        listing_id: Only messages about this home.
        query: Words in the text.
        author_email: Only messages of this person.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    found = search(state.messages, query, lambda row: (row.text,))
    found = keep(found, listing_id=listing_id, author_email=author_email)
    found = newest_first(found, "sent_at")
    page = cursor_page("messages", found, limit, cursor)
    page["messages"] = [
        with_fields(row, reference=state.listings.get(row.listing_id).reference) for row in page["messages"]
    ]
    return page


@service.tool(phrase="write to the agent of the home {listing_id}")
def send_message(state: RealEstateState, ctx: CallContext, listing_id: ListingId, text: Body) -> Message:
    """Write to the agent of a home; about homes that are gone nobody answers.

    Errors: `not_found`, `listing_gone` (sold or withdrawn), `blank_text`.

    Args:
        listing_id: Id of the listing.
        text: The message.
    """
    listing = state.listings.get(listing_id)
    if listing.status in ("sold", "withdrawn"):
        raise conflict(f"{listing.reference} is {listing.status}; its agent no longer answers.", type="listing_gone")
    check_text(text, "text")
    return state.messages.create(
        listing_id=listing_id, author_name=ME.name, author_email=ME.email, text=text, sent_at=ctx.now
    )
