"""Who and what is taken when. Times are UTC text, which sorts as it runs."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.engine import conflict, invalid
from services_app.library.calendar.state import Absence, CalendarState, Event
from services_app.library.shared import Json, minutes_between, plus_minutes, same

DAY_START, DAY_END = "08:00:00Z", "18:00:00Z"
LONGEST = 720


def overlapping(events: Iterable[Event], start: str, end: str, *, but: str = "") -> list[Event]:
    """Events that are not cancelled and share time with [start, end), other than `but`."""
    return [
        event
        for event in events
        if event.status != "cancelled" and event.id != but and event.start < end and start < event.end
    ]


def events_of(state: CalendarState, email: str) -> list[Event]:
    """Events that keep someone busy: organised by them, or invited to and not declined."""
    invited = {row.event_id for row in state.attendees if same(row.email, email) and row.response != "declined"}
    return [row for row in state.events if row.id in invited or same(row.organizer_email, email)]


def absence_on(state: CalendarState, email: str, day: str) -> Absence | None:
    """The absence of someone on a day, if any."""
    for row in state.absences:
        if row.first_day <= day <= row.last_day and same(row.email, email):
            return row
    return None


def check_room(state: CalendarState, room_id: str, event: Event) -> None:
    """Refuse a room that is taken, out of service or too small for the event."""
    room = state.rooms.get(room_id)
    if room.out_of_service:
        raise conflict(f"{room.name} is out of service.", type="room_out_of_service")
    people = state.attendees.count(event_id=event.id)
    if people > room.capacity:
        raise invalid(f"{room.name} seats {room.capacity}; {people} are invited.", type="room_too_small")
    for other in overlapping(state.events.find(room_id=room_id), event.start, event.end, but=event.id):
        raise conflict(
            f"{room.name} is taken from {other.start} to {other.end} by {other.id}; see find_free_rooms.",
            type="room_taken",
        )


def end_of(start: str, minutes: int) -> str:
    """End of an event of so many minutes; 422 when it would be longer than twelve hours."""
    if minutes > LONGEST:
        raise invalid(f"{minutes} minutes are more than the {LONGEST} an event may last.", type="too_long")
    return plus_minutes(start, minutes)


def live_event(state: CalendarState, event_id: str) -> Event:
    """An event that is not cancelled; 409 otherwise."""
    event = state.events.get(event_id)
    if event.status == "cancelled":
        raise conflict(f"Event {event_id} is cancelled; create a new one.", type="event_cancelled")
    return event


def described(state: CalendarState, event: Event) -> Json:
    """An event as answers show it: fields, length, room name and head count."""
    people = state.attendees.find(event_id=event.id)
    room = state.rooms.first(id=event.room_id) if event.room_id else None
    return {
        **event.plain(),
        "duration_minutes": minutes_between(event.start, event.end),
        "room_name": room.name if room else None,
        "attendees": len(people),
        "accepted": sum(1 for row in people if row.response == "accepted"),
    }
