"""Tools for viewings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.real_estate.access import ListingId, available, is_free
from services_app.library.real_estate.state import RealEstateState, Slot, Viewing, ViewingStatus, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    brief,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    plus_minutes,
    with_fields,
    within,
)

SlotId = Annotated[str, f.ref("slots")]
ViewingId = Annotated[str, f.ref("viewings")]
Remarks = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=2000)]
TRAVEL_MINUTES = 30
MOST_VIEWINGS = 6


def _shown(state: RealEstateState, viewing: Viewing) -> Json:
    listing, slot = state.listings.get(viewing.listing_id), state.slots.get(viewing.slot_id)
    agent = state.agents.get(listing.agent_id)
    return with_fields(
        viewing,
        start=slot.start,
        minutes=slot.minutes,
        **brief(listing, "reference", "title", "address", "city"),
        agent_name=agent.name,
        agent_email=agent.email,
    )


@service.tool()
def list_viewing_slots(
    state: RealEstateState,
    ctx: CallContext,
    listing_id: ListingId | None = None,
    from_day: f.Date | None = None,
    to_day: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List free slots for viewings from now on, the earliest first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        listing_id: Only slots of this home.
        from_day: Only slots on this day or later.
        to_day: Only slots on this day or earlier.
        limit: At most so many slots.
        cursor: next_cursor of the previous page.
    """
    found = within(keep(state.slots, listing_id=listing_id), "start", from_day, to_day)
    found = [row for row in found if row.start > ctx.now and is_free(state, row)]
    found.sort(key=lambda row: (row.start, row.id))
    page = cursor_page("slots", found, limit, cursor)
    page["slots"] = [
        {
            **brief(row, "id", "listing_id", "start", "minutes"),
            **brief(state.listings.get(row.listing_id), "reference", "address", "city"),
        }
        for row in page["slots"]
    ]
    return page


@service.tool()
def list_viewings(
    state: RealEstateState,
    ctx: CallContext,
    status: ViewingStatus | None = None,
    listing_id: ListingId | None = None,
    from_day: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List your viewings with time, address, agent and your feedback, by time.

    Errors: `invalid_date`.

    Args:
        status: Only viewings in this status.
        listing_id: Only viewings of this home.
        from_day: Only viewings on this day or later.
        limit: At most so many viewings.
        cursor: next_cursor of the previous page.
    """
    rows = [_shown(state, row) for row in keep(state.viewings, status=status, listing_id=listing_id)]
    first = f.parse_date(from_day).isoformat() if from_day else ""
    rows = sorted((row for row in rows if row["start"] >= first), key=lambda row: (row["start"], row["id"]))
    return cursor_page("viewings", rows, limit, cursor)


def _check_slot(state: RealEstateState, ctx: CallContext, slot: Slot, but: str = "") -> None:
    """Refuse a slot that is over, taken, too near, or meets another viewing of yours with the way between."""
    listing = state.listings.get(slot.listing_id)
    agent = state.agents.get(listing.agent_id)
    if not is_free(state, slot):
        raise conflict(f"The slot at {slot.start} is taken; see list_viewing_slots.", type="slot_taken")
    if minutes_between(ctx.now, slot.start) < agent.notice_hours * 60:
        raise conflict(f"{agent.name} wants {agent.notice_hours} hours of notice.", type="short_notice")
    for other in state.viewings.find(status="confirmed"):
        there = state.slots.get(other.slot_id)
        early, late = sorted((slot, there), key=lambda row: row.start)
        if other.id != but and plus_minutes(early.start, early.minutes + TRAVEL_MINUTES) > late.start:
            raise conflict(
                f"You view {state.listings.get(other.listing_id).reference} at {there.start}; leave "
                f"{TRAVEL_MINUTES} minutes for the way.",
                type="viewing_overlaps",
            )


@service.tool(phrase="book the viewing slot {slot_id}")
def book_viewing(state: RealEstateState, ctx: CallContext, slot_id: SlotId, questions: f.Text = "") -> Json:
    """Book a free slot to view a home; six viewings may lie ahead, with half an hour between two.

    Errors: `not_found`, `not_available`, `slot_taken`, `short_notice`, `viewing_overlaps`, `already_booked` (a viewing
    of this home lies ahead), `too_many_viewings`.

    Args:
        slot_id: Id of the slot, from list_viewing_slots.
        questions: What the agent should be ready to answer.
    """
    slot = state.slots.get(slot_id)
    listing = available(state, slot.listing_id)
    _check_slot(state, ctx, slot)
    if state.viewings.first(listing_id=listing.id, status="confirmed") is not None:
        raise conflict(f"You have a viewing of {listing.reference}; use reschedule_viewing.", type="already_booked")
    if state.viewings.count(status="confirmed") >= MOST_VIEWINGS:
        raise conflict(f"{MOST_VIEWINGS} viewings lie ahead; cancel one first.", type="too_many_viewings")
    viewing = state.viewings.create(
        slot_id=slot_id, listing_id=listing.id, status="confirmed", questions=questions, booked_at=ctx.now
    )
    return _shown(state, viewing)


def _ahead(state: RealEstateState, viewing_id: str) -> Viewing:
    """A viewing that is still to come; 409 `viewing_over` otherwise."""
    viewing = state.viewings.get(viewing_id)
    if viewing.status != "confirmed":
        raise conflict(f"{viewing_id} is {viewing.status}.", type="viewing_over")
    return viewing


@service.tool(
    phrase="move the viewing {viewing_id} to the slot {slot_id}",
    examples=(
        Example({"viewing_id": "VIEW-0013", "slot_id": "SLOT-0062"}),
        Example({"viewing_id": "VIEW-0014", "slot_id": "SLOT-0063"}),
    ),
)
def reschedule_viewing(state: RealEstateState, ctx: CallContext, viewing_id: ViewingId, slot_id: SlotId) -> Json:
    """Move a viewing to another free slot of the same home.

    Errors: `not_found`, `viewing_over`, `other_listing`, `slot_taken`, `short_notice`, `viewing_overlaps`.

    Args:
        viewing_id: Id of the viewing.
        slot_id: Id of the new slot.
    """
    viewing, slot = _ahead(state, viewing_id), state.slots.get(slot_id)
    if slot.listing_id != viewing.listing_id:
        raise invalid("The slot belongs to another home; book it instead.", type="other_listing")
    _check_slot(state, ctx, slot, but=viewing_id)
    return _shown(state, state.viewings.patch(viewing_id, slot_id=slot_id))


@service.tool(phrase="cancel the viewing {viewing_id}")
def cancel_viewing(state: RealEstateState, ctx: CallContext, viewing_id: ViewingId, reason: f.Text = "") -> Json:
    """Cancel a viewing; within the agent's notice only with a reason.

    Errors: `not_found`, `viewing_over`, `reason_required`.

    Args:
        viewing_id: Id of the viewing.
        reason: Why, for the agent.
    """
    viewing = _ahead(state, viewing_id)
    slot = state.slots.get(viewing.slot_id)
    agent = state.agents.get(state.listings.get(viewing.listing_id).agent_id)
    late = minutes_between(ctx.now, slot.start) < agent.notice_hours * 60
    if late and not reason.strip():
        raise invalid(f"{agent.name} expects you at {slot.start}; give a reason.", type="reason_required")
    changed = state.viewings.patch(viewing_id, status="cancelled", feedback=reason)
    return {**_shown(state, changed), "late": late}


@service.tool(phrase="write feedback on the viewing {viewing_id}")
def add_viewing_feedback(state: RealEstateState, ctx: CallContext, viewing_id: ViewingId, feedback: Remarks) -> Json:
    """Write down how a viewing went, once it has begun; it then counts as done. An earlier feedback is replaced.

    Errors: `not_found`, `not_yet` (it lies ahead), `viewing_cancelled`, `blank_text`.

    Args:
        viewing_id: Id of the viewing.
        feedback: What was good or bad.
    """
    viewing = state.viewings.get(viewing_id)
    if viewing.status == "cancelled":
        raise conflict(f"{viewing_id} was cancelled.", type="viewing_cancelled")
    if state.slots.get(viewing.slot_id).start > ctx.now:
        raise conflict(f"{viewing_id} is at {state.slots.get(viewing.slot_id).start}.", type="not_yet")
    check_text(feedback, "feedback")
    return _shown(state, state.viewings.patch(viewing_id, status="done", feedback=feedback))
