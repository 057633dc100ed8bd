"""Tools for those who come: attendees, transfers, check-in, sessions, announcements."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.events.figures import open_event, session_shown, ticket_shown
from services_app.library.events.offers import ClassId
from services_app.library.events.planning import EventId
from services_app.library.events.selling import PersonName, TicketId
from services_app.library.events.state import Announcement, Audience, Event, EventsState, Ticket, service
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    newest_first,
    offset_page,
    plus_days,
    plus_minutes,
    same,
    search,
    with_fields,
)

SessionId = Annotated[str, f.ref("sessions")]
DOORS = 180  # minutes before the start from which people are let in


@service.tool()
def list_attendees(
    state: EventsState,
    ctx: CallContext,
    query: Query | None = None,
    event_id: EventId | None = None,
    ticket_class_id: ClassId | None = None,
    checked_in: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List people with a valid ticket, by name.

    Errors: `not_found`.

    Args:
        query: Words in the name, address or barcode.
        event_id: Only tickets of this event.
        ticket_class_id: Only tickets of this kind.
        checked_in: Only people who have come, or who have not.
        limit: At most so many people.
        cursor: next_cursor of the previous page.
    """
    if event_id is not None:
        state.events.get(event_id)
    if ticket_class_id is not None:
        state.ticket_classes.get(ticket_class_id)
    found = keep(
        search(state.tickets, query, lambda row: (row.name, row.email, row.barcode)),
        event_id=event_id,
        ticket_class_id=ticket_class_id,
        status="valid",
    )
    found = [row for row in found if checked_in is None or (row.checked_in_at is not None) == checked_in]
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("attendees", found, limit, cursor)
    page["attendees"] = [ticket_shown(state, row) for row in page["attendees"]]
    return page


def _valid(state: EventsState, ticket_id: str) -> Ticket:
    """A ticket that opens the door; 409 `ticket_not_valid` otherwise."""
    ticket = state.tickets.get(ticket_id)
    if ticket.status != "valid":
        raise conflict(f"{ticket.barcode} is {ticket.status}; sell a new ticket.", type="ticket_not_valid")
    return ticket


@service.tool(phrase="transfer the ticket {ticket_id} to {name}")
def transfer_ticket(
    state: EventsState, ctx: CallContext, ticket_id: TicketId, name: PersonName, email: f.Email
) -> Json:
    """Put a ticket in another name; nobody has two tickets of an event in their own name afterwards.

    Errors: `not_found`, `ticket_not_valid`, `event_closed`, `blank_text`, `already_checked_in`, `has_ticket`.

    Args:
        ticket_id: Id of the ticket.
        name: Full name of the new holder.
        email: Address of the new holder.
    """
    ticket, text = _valid(state, ticket_id), check_text(name, "name")
    event = open_event(state, ticket.event_id, ctx.now)
    if ticket.checked_in_at:
        raise conflict(f"{ticket.name} is checked in with it.", type="already_checked_in")
    for row in state.tickets.find(event_id=event.id, status="valid"):
        if same(row.email, email):
            raise conflict(f"{email} has the ticket {row.barcode} already.", type="has_ticket")
    return ticket_shown(state, state.tickets.patch(ticket.id, name=text, email=email))


@service.tool(phrase="check in the ticket {ticket_id}")
def check_in_attendee(state: EventsState, ctx: CallContext, ticket_id: TicketId) -> Json:
    """Let somebody in, from three hours before the start until the end.

    Errors: `not_found`, `ticket_not_valid`, `event_closed`, `too_early`, `already_checked_in`.

    Args:
        ticket_id: Id of the ticket.
    """
    ticket = _valid(state, ticket_id)
    event = open_event(state, ticket.event_id, ctx.now)
    if minutes_between(ctx.now, event.starts_at) > DOORS:
        raise conflict(f"Doors open three hours before {event.starts_at}.", type="too_early")
    if ticket.checked_in_at:
        raise conflict(f"{ticket.barcode} came in at {ticket.checked_in_at}.", type="already_checked_in")
    return ticket_shown(state, state.tickets.patch(ticket.id, checked_in_at=ctx.now))


# Sessions


@service.tool(phrase="add the session {title} to the event {event_id}")
def add_session(  # noqa: PLR0913, PLR0917 - what a session is
    state: EventsState,
    ctx: CallContext,
    event_id: EventId,
    title: Name,
    speaker: PersonName,
    room: Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=60)],
    start_time: f.Time,
    day: Annotated[int, f.Semantic("count"), Field(ge=1, le=6)] = 1,
    minutes: Annotated[int, f.duration("minutes"), Field(ge=10, le=480)] = 60,
    seats: Annotated[int, f.count("places"), Field(ge=1, le=5000)] = 30,
) -> Json:
    """Add a session inside the hours of an event; rooms and speakers are in one session at a time.

    Errors: `not_found`, `event_closed`, `blank_text`, `outside_event`, `room_busy`, `speaker_busy`.

    Args:
        event_id: Id of the event.
        title: Title of the session.
        speaker: Who speaks.
        room: Room of the venue.
        start_time: Time of day at which it starts (UTC).
        day: Day of the event, 1 is the first.
        minutes: How long it takes.
        seats: How many can take part.
    """
    event, text = open_event(state, event_id, ctx.now), check_text(title, "title")
    start = f"{plus_days(event.starts_at, day - 1)}T{start_time}:00Z"
    end = plus_minutes(start, minutes)
    _check_session(state, event, (start, end), room, speaker)
    row = state.sessions.create(
        event_id=event.id, title=text, speaker=speaker, room=room, starts_at=start, ends_at=end, seats=seats
    )
    return session_shown(state, row)


def _check_session(state: EventsState, event: Event, time: tuple[str, str], room: str, speaker: str) -> None:
    start, end = time
    if start < event.starts_at or end > event.ends_at:
        raise conflict(f"{event.name} is from {event.starts_at} to {event.ends_at}.", type="outside_event")
    for row in state.sessions.find(event_id=event.id):
        if row.starts_at < end and start < row.ends_at:
            if same(row.room, room):
                raise conflict(f"{row.title!r} is in {row.room} until {row.ends_at}.", type="room_busy")
            if same(row.speaker, speaker):
                raise conflict(f"{row.speaker} speaks in {row.title!r} until {row.ends_at}.", type="speaker_busy")


@service.tool(phrase="give the ticket {ticket_id} a seat in the session {session_id}")
def reserve_session_seat(state: EventsState, ctx: CallContext, ticket_id: TicketId, session_id: SessionId) -> Json:
    """Reserve a seat in a session for the holder of a ticket of the same event.

    Errors: `not_found`, `ticket_not_valid`, `event_closed`, `other_event`, `already_reserved`, `session_full`,
    `session_overlaps` (another seat of the ticket).

    Args:
        ticket_id: Id of the ticket.
        session_id: Id of the session.
    """
    ticket, session = _valid(state, ticket_id), state.sessions.get(session_id)
    event = open_event(state, session.event_id, ctx.now)
    if ticket.event_id != event.id:
        raise conflict(f"{ticket.barcode} is for another event than {session.title!r}.", type="other_event")
    for seat in state.session_seats.find(ticket_id=ticket.id):
        other = state.sessions.get(seat.session_id)
        if other.id == session.id:
            raise conflict(f"{ticket.name} has a seat in {session.title!r} already.", type="already_reserved")
        if other.starts_at < session.ends_at and session.starts_at < other.ends_at:
            raise conflict(f"{ticket.name} is in {other.title!r} then.", type="session_overlaps")
    if state.session_seats.count(session_id=session.id) >= session.seats:
        raise conflict(f"{session.title!r} is full.", type="session_full")
    state.session_seats.create(session_id=session.id, ticket_id=ticket.id)
    return session_shown(state, session)


@service.tool(phrase="give up the seat of the ticket {ticket_id} in the session {session_id}")
def release_session_seat(state: EventsState, ctx: CallContext, ticket_id: TicketId, session_id: SessionId) -> Json:
    """Give up a seat in a session.

    Errors: `not_found`, `event_closed`, `not_reserved`.

    Args:
        ticket_id: Id of the ticket.
        session_id: Id of the session.
    """
    ticket, session = state.tickets.get(ticket_id), state.sessions.get(session_id)
    open_event(state, session.event_id, ctx.now)
    seat = state.session_seats.first(ticket_id=ticket.id, session_id=session.id)
    if seat is None:
        raise conflict(f"{ticket.name} has no seat in {session.title!r}.", type="not_reserved")
    state.session_seats.delete(seat.id)
    return session_shown(state, session)


@service.tool()
def list_session_seats(state: EventsState, ctx: CallContext, session_id: SessionId, query: Query | None = None) -> Json:
    """Show who has a seat in a session, by name.

    Errors: `not_found`.

    Args:
        session_id: Id of the session.
        query: Words in the name or address.
    """
    session = state.sessions.get(session_id)
    tickets = [state.tickets.get(seat.ticket_id) for seat in state.session_seats.find(session_id=session.id)]
    found = search(tickets, query, lambda row: (row.name, row.email))
    found.sort(key=lambda row: (row.name, row.id))
    people = [{"ticket_id": row.id, "name": row.name, "email": row.email} for row in found[:200]]
    return {**session_shown(state, session), "people": people}


# Announcements


@service.tool(phrase="send those who come to the event {event_id} the announcement {subject}")
def send_announcement(
    state: EventsState, ctx: CallContext, event_id: EventId, subject: Name, body: Body, audience: Audience = "all"
) -> Json:
    """Write to the holders of valid tickets of an event, also of one that is over.

    Errors: `not_found`, `not_on_sale` (a draft has no attendees), `blank_text`, `nobody` (the audience is empty).

    Args:
        event_id: Id of the event.
        subject: Subject of the mail.
        body: Text of the mail.
        audience: All, or only those who are, or are not, checked in.
    """
    event = state.events.get(event_id)
    if event.status == "draft":
        raise conflict(f"{event.name} is a draft; publish it first.", type="not_on_sale")
    tickets = state.tickets.find(event_id=event.id, status="valid")
    inside = audience == "checked_in"
    people = {row.email.lower() for row in tickets if audience == "all" or bool(row.checked_in_at) == inside}
    if not people:
        raise conflict("Nobody would get this; choose another audience.", type="nobody")
    sent: Announcement = state.announcements.create(
        event_id=event.id,
        subject=check_text(subject, "subject"),
        body=check_text(body, "body"),
        audience=audience,
        recipients=len(people),
        sent_at=ctx.now,
    )
    return with_fields(sent, event=event.name)


@service.tool()
def list_announcements(
    state: EventsState,
    ctx: CallContext,
    event_id: EventId | None = None,
    query: Query | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Read what was announced to attendees, newest first.

    Errors: `not_found`.

    Args:
        event_id: Only announcements of this event.
        query: Words in the subject or body.
        limit: At most so many announcements.
        offset: Skip so many announcements.
    """
    if event_id is not None:
        state.events.get(event_id)
    found = keep(search(state.announcements, query, lambda row: (row.subject, row.body)), event_id=event_id)
    found = newest_first(found, "sent_at")
    page = offset_page("announcements", found, limit, offset)
    page["announcements"] = [
        with_fields(row, event=state.events.get(row.event_id).name) for row in page["announcements"]
    ]
    return page
