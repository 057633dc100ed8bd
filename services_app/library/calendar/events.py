"""Tools for events: finding, making, moving and cancelling them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.calendar.overlaps import (
    check_room,
    described,
    end_of,
    events_of,
    live_event,
    overlapping,
)
from services_app.library.calendar.state import AgendaNote, CalendarState, Event, EventStatus, Visibility, service
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Minutes,
    Name,
    Query,
    check_date,
    check_future,
    check_range,
    check_text,
    cursor_page,
    keep,
    minutes_between,
    newest_first,
    same,
    search,
    some_changes,
    total,
    with_fields,
)

EventId = Annotated[str, f.ref("events")]


@service.tool()
def list_calendars(state: CalendarState, ctx: CallContext) -> Json:
    """List the calendars you can see, with the number of coming events in each."""
    rows = [
        with_fields(
            calendar,
            upcoming_events=sum(1 for event in state.events.find(calendar_id=calendar.id) if _coming(event, ctx.now)),
        )
        for calendar in state.calendars
    ]
    return {"calendars": rows, "total": len(rows)}


def _coming(event: Event, now: str) -> bool:
    return event.status != "cancelled" and event.start > now


@service.tool()
def list_events(
    state: CalendarState,
    ctx: CallContext,
    first_day: f.Date,
    last_day: f.Date,
    calendar_id: Annotated[str, f.ref("calendars")] | None = None,
    organizer_email: f.Email | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the events of some days in the order of their start, cancelled ones included.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        first_day: First day.
        last_day: Last day.
        calendar_id: Only events of this calendar.
        organizer_email: Only events organised by this person.
        limit: At most so many events.
        cursor: next_cursor of the previous page.
    """
    check_range(first_day, last_day)
    found = keep(state.events, calendar_id=calendar_id, organizer_email=organizer_email)
    found = [row for row in found if first_day <= row.start[:10] <= last_day]
    found.sort(key=lambda row: (row.start, row.id))
    page = cursor_page("events", found, limit, cursor)
    page["events"] = [described(state, row) for row in page["events"]]
    return page


@service.tool()
def search_events(
    state: CalendarState,
    ctx: CallContext,
    query: Query | None = None,
    attendee_email: f.Email | None = None,
    status: EventStatus | None = None,
    upcoming_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find events by words in the title, description or location, in the order of their start.

    Args:
        query: Words that must all occur.
        attendee_email: Only events to which this person is invited.
        status: Only events in this status.
        upcoming_only: Leave out what has begun or is over.
        limit: At most so many events.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.events, query, lambda row: (row.title, row.description, row.location)), status=status)
    if attendee_email is not None:
        invited = {row.event_id for row in state.attendees if same(row.email, attendee_email)}
        found = [row for row in found if row.id in invited]
    found = [row for row in found if row.start > ctx.now or not upcoming_only]
    found.sort(key=lambda row: (row.start, row.id))
    page = cursor_page("events", found, limit, cursor)
    page["events"] = [described(state, row) for row in page["events"]]
    return page


@service.tool()
def get_event(state: CalendarState, ctx: CallContext, event_id: EventId) -> Json:
    """Show an event with its attendees, answers, notes and reminders.

    Errors: `not_found`.

    Args:
        event_id: Id of the event.
    """
    event = state.events.get(event_id)
    return {
        **described(state, event),
        "attendees": state.attendees.find(event_id=event_id),
        "attendee_count": state.attendees.count(event_id=event_id),
        "notes": sorted(state.notes.find(event_id=event_id), key=lambda row: (row.written_at, row.id)),
        "reminders_minutes_before": sorted(row.minutes_before for row in state.reminders.find(event_id=event_id)),
    }


@service.tool(phrase="create the event {title} starting at {start}")
def create_event(
    state: CalendarState,
    ctx: CallContext,
    title: Name,
    start: f.Timestamp,
    duration_minutes: Minutes,
    description: f.Text = "",
    location: f.Place = "",
    calendar_id: Annotated[str, f.ref("calendars")] | None = None,
) -> Json:
    """Create an event organised by you; invite people with add_attendee and book a room with book_room.

    You cannot organise two events at the same time. Errors: `not_found`, `in_the_past`, `invalid_time`, `too_long`
    (over twelve hours), `organizer_busy`, `no_access` (someone's own calendar), `blank_text`.

    Args:
        title: Title of the event.
        start: When it begins, UTC.
        duration_minutes: How long it lasts.
        description: What it is about.
        location: Where it is, if not in one of our rooms.
        calendar_id: Calendar to put it in; your own, if left out.
    """
    begin = check_future(ctx, start, "start")
    end = end_of(begin, duration_minutes)
    _organizer_free(state, ME.email, begin, end)
    event = state.events.create(
        calendar_id=_writable_calendar(state, calendar_id),
        title=check_text(title, "title"),
        description=description,
        location=location,
        organizer_email=ME.email,
        start=begin,
        end=end,
    )
    return described(state, event)


def _writable_calendar(state: CalendarState, calendar_id: str | None) -> str:
    if calendar_id is None:
        for row in state.calendars:
            if same(row.owner_email, ME.email):
                return row.id
        raise conflict("You have no calendar of your own; name one.", type="no_access")
    calendar = state.calendars.get(calendar_id)
    if not (calendar.shared or same(calendar.owner_email, ME.email)):
        raise forbidden(f"The calendar {calendar.name} belongs to {calendar.owner_email}.", type="no_access")
    return calendar.id


def _organizer_free(state: CalendarState, email: str, start: str, end: str, *, but: str = "") -> None:
    own = [row for row in state.events if same(row.organizer_email, email)]
    for other in overlapping(own, start, end, but=but):
        raise conflict(
            f"{email} organises {other.id} ({other.title}) from {other.start} to {other.end}.", type="organizer_busy"
        )


@service.tool(phrase="update the event {event_id}")
def update_event(
    state: CalendarState,
    ctx: CallContext,
    event_id: EventId,
    title: Name | Unset = UNSET,
    description: f.Text | Unset = UNSET,
    location: f.Place | Unset = UNSET,
    visibility: Visibility | Unset = UNSET,
) -> Json:
    """Change what an event says; what is not sent stays. To move it use reschedule_event.

    Errors: `not_found`, `event_cancelled`, `nothing_to_change`.

    Args:
        event_id: Id of the event.
        title: New title.
        description: New description.
        location: New place outside our rooms.
        visibility: Who can see it.
    """
    live_event(state, event_id)
    changes = some_changes(given(title=title, description=description, location=location, visibility=visibility))
    return described(state, state.events.patch(event_id, **changes))


@service.tool(phrase="move {event_id} to {start}")
def reschedule_event(
    state: CalendarState,
    ctx: CallContext,
    event_id: EventId,
    start: f.Timestamp,
    duration_minutes: Minutes | None = None,
) -> Json:
    """Move an event to another time; everyone who had answered has to answer again.

    The room moves with it if it is free then. Errors: `not_found`, `event_cancelled`, `in_the_past`, `invalid_time`,
    `too_long`, `organizer_busy`, `room_taken`, `room_out_of_service`, `room_too_small`, `same_time`.

    Args:
        event_id: Id of the event.
        start: New start, UTC.
        duration_minutes: New length; as before, if left out.
    """
    event = live_event(state, event_id)
    begin = check_future(ctx, start, "start")
    end = end_of(begin, duration_minutes or minutes_between(event.start, event.end))
    if (begin, end) == (event.start, event.end):
        raise conflict(f"Event {event_id} is at this time already.", type="same_time")
    _organizer_free(state, event.organizer_email, begin, end, but=event_id)
    if event.room_id is not None:
        check_room(state, event.room_id, event.changed(start=begin, end=end))
    for attendee in state.attendees.find(event_id=event_id):
        if attendee.response != "needs_action":
            state.attendees.patch(attendee.id, response="needs_action")
    return described(state, state.events.patch(event_id, start=begin, end=end))


@service.tool(phrase="confirm the event {event_id}")
def confirm_event(state: CalendarState, ctx: CallContext, event_id: EventId) -> Json:
    """Turn a tentative event into a confirmed one.

    Errors: `not_found`, `event_cancelled`, `already_confirmed`, `nobody_coming` (all who answered have declined).

    Args:
        event_id: Id of the event.
    """
    event = live_event(state, event_id)
    if event.status == "confirmed":
        raise conflict(f"Event {event_id} is confirmed already.", type="already_confirmed")
    answers = [row.response for row in state.attendees.find(event_id=event_id)]
    if answers and all(answer == "declined" for answer in answers):
        raise conflict("Everyone has declined; move the event or cancel it.", type="nobody_coming")
    return described(state, state.events.patch(event_id, status="confirmed"))


@service.tool(phrase="cancel the event {event_id}")
def cancel_event(state: CalendarState, ctx: CallContext, event_id: EventId, reason: Body) -> Json:
    """Cancel an event and free its room; cancelled events stay visible.

    Errors: `not_found`, `event_cancelled`, `blank_text`.

    Args:
        event_id: Id of the event.
        reason: Why it does not take place; attendees see it.
    """
    live_event(state, event_id)
    text = check_text(reason, "reason")
    return described(state, state.events.patch(event_id, status="cancelled", cancel_reason=text, room_id=None))


@service.tool(phrase="add a note to the event {event_id}")
def add_note(state: CalendarState, ctx: CallContext, event_id: EventId, text: Body) -> AgendaNote:
    """Add a note to an event: an agenda point, a decision, a remark.

    Errors: `not_found`, `blank_text`.

    Args:
        event_id: Id of the event.
        text: The note.
    """
    state.events.get(event_id)
    return state.notes.create(
        event_id=event_id, author_email=ME.email, text=check_text(text, "text"), written_at=ctx.now
    )


@service.tool()
def list_notes(
    state: CalendarState,
    ctx: CallContext,
    event_id: EventId | None = None,
    query: Query | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List event notes, newest first, of one event or of all.

    Args:
        event_id: Only notes on this event.
        query: Words in the text.
        limit: At most so many notes.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.notes, query, lambda row: (row.text,)), event_id=event_id)
    found = newest_first(found, "written_at")
    return cursor_page("notes", found, limit, cursor)


@service.tool(phrase="set a reminder {minutes_before} minutes before {event_id}")
def set_reminder(
    state: CalendarState,
    ctx: CallContext,
    event_id: EventId,
    minutes_before: Annotated[int, f.duration("minutes"), Field(ge=0, le=20_160)],
) -> Json:
    """Set a reminder for a coming event; up to three different ones.

    Errors: `not_found`, `event_cancelled`, `event_over`, `duplicate_reminder`, `too_many_reminders`.

    Args:
        event_id: Id of the event.
        minutes_before: How long before the start.
    """
    event = live_event(state, event_id)
    if event.start <= ctx.now:
        raise conflict(f"Event {event_id} has begun or is over.", type="event_over")
    present = state.reminders.find(event_id=event_id)
    if any(row.minutes_before == minutes_before for row in present):
        raise conflict(f"There is a reminder {minutes_before} minutes before already.", type="duplicate_reminder")
    if len(present) >= 3:
        raise conflict("An event has at most three reminders.", type="too_many_reminders")
    row = state.reminders.create(event_id=event_id, minutes_before=minutes_before)
    return with_fields(row, event_title=event.title, reminders=len(present) + 1)


@service.tool()
def day_summary(state: CalendarState, ctx: CallContext, email: f.Email, day: f.Date) -> Json:
    """Sum up someone's day: events in order, minutes in meetings, and the longest free stretch of the working day.

    Errors: `invalid_date`.

    Args:
        email: Whose day.
        day: The day.
    """
    check_date(day)
    events = [row for row in events_of(state, email) if row.start[:10] == day and row.status != "cancelled"]
    events.sort(key=lambda row: (row.start, row.id))
    free, reached = 0, f"{day}T08:00:00Z"
    for event in [*events, None]:
        begin = min(event.start, f"{day}T18:00:00Z") if event else f"{day}T18:00:00Z"
        free = max(free, minutes_between(reached, begin) if begin > reached else 0)
        reached = max(reached, event.end) if event else reached
    return {
        "email": email,
        "day": day,
        "events": [described(state, row) for row in events],
        "meeting_minutes": int(total(minutes_between(row.start, row.end) for row in events)),
        "longest_free_minutes": free,
    }
