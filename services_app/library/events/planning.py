"""Tools for events themselves: venues, planning, publishing, cancelling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.events.figures import (
    check_contingent,
    check_times,
    check_venue,
    class_shown,
    event_shown,
    open_event,
    phase_of,
    session_shown,
    takings,
)
from services_app.library.events.state import (
    Category,
    Event,
    EventsState,
    RefundPolicy,
    service,
)
from services_app.library.shared import (
    LABEL,
    Body,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_date,
    check_future,
    check_text,
    check_time,
    keep,
    offset_page,
    same,
    search,
    some_changes,
    within,
)

EventId = Annotated[str, f.ref("events")]
VenueId = Annotated[str, f.ref("venues")]
City = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
Capacity = Annotated[int, f.count("places"), Field(ge=1, le=5000)]
Phase = Annotated[Literal["draft", "upcoming", "running", "over", "cancelled"], LABEL]


@service.tool()
def list_venues(
    state: EventsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    min_capacity: Capacity = 1,
    free_on: f.Date | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find venues by words, city and size, by name.

    Errors: `invalid_date`.

    Args:
        query: Words in the name, address or notes.
        city: Only venues in this city.
        min_capacity: Only venues that hold at least so many.
        free_on: Only venues without an event on this day.
        limit: At most so many venues.
        offset: Skip so many venues.
    """
    day = check_date(free_on) if free_on else None
    busy = {
        row.venue_id
        for row in state.events
        if day is not None and row.status != "cancelled" and row.starts_at[:10] <= day <= row.ends_at[:10]
    }
    found = keep(search(state.venues, query, lambda row: (row.name, row.address, row.notes)), city=city)
    found = [row for row in found if row.capacity >= min_capacity and row.id not in busy]
    found.sort(key=lambda row: (row.name, row.id))
    return offset_page("venues", found, limit, offset)


@service.tool()
def search_events(  # noqa: PLR0913, PLR0917 - one per filter
    state: EventsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    phase: Phase | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find events with the number of tickets sold, by start.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the name, summary or venue.
        city: Only events in this city.
        phase: Only drafts, upcoming, running, past or cancelled events.
        from_date: Only events that start on this day or later.
        to_date: Only events that start up to this day.
        limit: At most so many events.
        offset: Skip so many events.
    """

    def texts(row: Event) -> tuple[str, ...]:
        return row.name, row.summary, state.venues.get(row.venue_id).name

    found = [
        row
        for row in within(search(state.events, query, texts), "starts_at", from_date, to_date)
        if (phase is None or phase_of(row, ctx.now) == phase)
        and (city is None or same(state.venues.get(row.venue_id).city, city))
    ]
    found.sort(key=lambda row: (row.starts_at, row.id))
    page = offset_page("events", found, limit, offset)
    page["events"] = [event_shown(state, row, ctx.now) for row in page["events"]]
    return page


@service.tool()
def get_event(state: EventsState, ctx: CallContext, event_id: EventId) -> Json:
    """Show an event with venue, ticket classes, codes, sessions in order and takings.

    Errors: `not_found`.

    Args:
        event_id: Id of the event.
    """
    event = state.events.get(event_id)
    sessions = sorted(state.sessions.find(event_id=event_id), key=lambda row: (row.starts_at, row.id))
    return {
        **event_shown(state, event, ctx.now),
        "venue_details": state.venues.get(event.venue_id),
        "ticket_classes": [class_shown(state, row, ctx.now) for row in state.ticket_classes.find(event_id=event_id)],
        "discount_codes": [row.code for row in state.discount_codes.find(event_id=event_id)],
        "sessions": [session_shown(state, row) for row in sessions],
        "takings": takings(state.tickets.find(event_id=event_id)),
    }


@service.tool(phrase="plan an event called {name}")
def create_event(  # noqa: PLR0913, PLR0917 - what the form asks
    state: EventsState,
    ctx: CallContext,
    name: Name,
    venue_id: VenueId,
    starts_at: f.Timestamp,
    ends_at: f.Timestamp,
    capacity: Capacity,
    category: Category = "conference",
    refund_policy: RefundPolicy = "week_before",
    summary: f.Text = "",
) -> Json:
    """Plan an event as a draft; add ticket classes and publish it to sell tickets.

    Errors: `blank_text`, `name_taken`, `not_found`, `invalid_time`, `in_the_past`, `invalid_range`, `venue_busy`,
    `venue_too_small`.

    Args:
        name: Name of the event.
        venue_id: Id of the venue.
        starts_at: Start (UTC).
        ends_at: End (UTC), within five days.
        capacity: How many people may come.
        category: conference, training, user_group, open_day or social.
        refund_policy: Until when tickets are refunded.
        summary: What it is about.
    """
    title = _free_name(state, name)
    state.venues.get(venue_id)
    start, end = check_future(ctx, starts_at, "start"), check_time(ends_at)
    check_times(start, end)
    check_venue(state, venue_id, start, end, capacity)
    event = state.events.create(
        name=title,
        category=category,
        venue_id=venue_id,
        organizer_email=ME.email,
        starts_at=start,
        ends_at=end,
        capacity=capacity,
        status="draft",
        refund_policy=refund_policy,
        summary=summary,
    )
    return event_shown(state, event, ctx.now)


def _free_name(state: EventsState, name: str, but: str = "") -> str:
    title = check_text(name, "name")
    if any(same(row.name, title) and row.id != but and row.status != "cancelled" for row in state.events):
        raise conflict(f"There is an event {title!r} already; choose another name.", type="name_taken")
    return title


@service.tool(phrase="change the event {event_id}")
def update_event(  # noqa: PLR0913, PLR0917 - one per field
    state: EventsState,
    ctx: CallContext,
    event_id: EventId,
    name: Name | Unset = UNSET,
    venue_id: VenueId | Unset = UNSET,
    starts_at: f.Timestamp | Unset = UNSET,
    ends_at: f.Timestamp | Unset = UNSET,
    capacity: Capacity | Unset = UNSET,
    summary: f.Text | Unset = UNSET,
) -> Json:
    """Change an event that has not begun; the venue must be free and the ticket classes must fit.

    Errors: `not_found`, `event_closed`, `already_begun`, `nothing_to_change`, `blank_text`, `name_taken`,
    `invalid_time`, `in_the_past`, `invalid_range`, `venue_busy`, `venue_too_small`, `over_capacity`,
    `sessions_outside` the new times.

    Args:
        event_id: Id of the event.
        name: New name.
        venue_id: Id of the new venue.
        starts_at: New start (UTC).
        ends_at: New end (UTC).
        capacity: How many people may come.
        summary: What it is about.
    """
    event = open_event(state, event_id, ctx.now)
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.name} began at {event.starts_at}.", type="already_begun")
    changes = some_changes(
        given(name=name, venue_id=venue_id, starts_at=starts_at, ends_at=ends_at, capacity=capacity, summary=summary)
    )
    if "name" in changes:
        changes["name"] = _free_name(state, changes["name"], event.id)
    if "starts_at" in changes:
        changes["starts_at"] = check_future(ctx, changes["starts_at"], "start")
    if "ends_at" in changes:
        changes["ends_at"] = check_time(changes["ends_at"])
    wanted = event.changed(**changes)
    check_times(wanted.starts_at, wanted.ends_at)
    check_venue(state, wanted.venue_id, wanted.starts_at, wanted.ends_at, wanted.capacity, event.id)
    check_contingent(state, wanted, 0)
    for row in state.sessions.find(event_id=event.id):
        if row.starts_at < wanted.starts_at or row.ends_at > wanted.ends_at:
            raise conflict(f"{row.title!r} is from {row.starts_at} to {row.ends_at}.", type="sessions_outside")
    return event_shown(state, state.events.patch(event.id, **changes), ctx.now)


@service.tool(phrase="publish the event {event_id}")
def publish_event(state: EventsState, ctx: CallContext, event_id: EventId) -> Json:
    """Put a draft on sale, once it has a ticket class and has not begun.

    Errors: `not_found`, `event_closed`, `already_live`, `already_begun`, `no_tickets`.

    Args:
        event_id: Id of the event.
    """
    event = open_event(state, event_id, ctx.now)
    if event.status == "live":
        raise conflict(f"{event.name} is on sale already.", type="already_live")
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.name} would have begun at {event.starts_at}; move it first.", type="already_begun")
    if not state.ticket_classes.first(event_id=event.id):
        raise conflict(f"{event.name} has no tickets; create a ticket class first.", type="no_tickets")
    return event_shown(state, state.events.patch(event.id, status="live"), ctx.now)


@service.tool(phrase="cancel the event {event_id}")
def cancel_event(state: EventsState, ctx: CallContext, event_id: EventId, reason: Body) -> Json:
    """Cancel an event that has not begun: all tickets are refunded whole, whatever the policy.

    Errors: `not_found`, `event_closed`, `already_begun`, `blank_text`.

    Args:
        event_id: Id of the event.
        reason: Why; ticket holders read it.
    """
    event, text = open_event(state, event_id, ctx.now), check_text(reason, "reason")
    if event.starts_at <= ctx.now:
        raise conflict(f"{event.name} began at {event.starts_at}.", type="already_begun")
    for row in state.tickets.find(event_id=event.id, status="valid"):
        state.tickets.patch(row.id, status="refunded", refunded=row.paid)
    cancelled = state.events.patch(event.id, status="cancelled", cancel_reason=text)
    return {**event_shown(state, cancelled, ctx.now), "takings": takings(state.tickets.find(event_id=event.id))}
