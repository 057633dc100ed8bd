"""Tools for rooms and for finding a time."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.calendar.events import EventId
from services_app.library.calendar.overlaps import (
    DAY_END,
    DAY_START,
    absence_on,
    check_room,
    described,
    end_of,
    events_of,
    live_event,
    overlapping,
)
from services_app.library.calendar.state import CalendarState, Equipment, service
from services_app.library.shared import (
    Json,
    Minutes,
    Query,
    check_date,
    check_time,
    is_weekend,
    matches,
    plus_days,
    plus_minutes,
    with_fields,
)

Emails = Annotated[list[f.Email], Field(min_length=1, max_length=20)]
Seats = Annotated[int, f.count("people"), Field(ge=1, le=500)]
STEP = 30
SEARCH_DAYS = 21


@service.tool()
def check_availability(state: CalendarState, ctx: CallContext, email: f.Email, day: f.Date) -> Json:
    """Show when someone is busy on a day, without saying with what if it is private.

    Errors: `invalid_date`.

    Args:
        email: Whose day.
        day: The day.
    """
    check_date(day)
    events = [row for row in events_of(state, email) if row.status != "cancelled" and row.start[:10] == day]
    events.sort(key=lambda row: (row.start, row.id))
    away = absence_on(state, email, day)
    return {
        "email": email,
        "day": day,
        "away": away is not None,
        "stand_in_email": away.stand_in_email if away else None,
        "busy": [
            {
                "start": row.start,
                "end": row.end,
                "event_id": row.id if row.visibility == "public" else None,
                "title": row.title if row.visibility == "public" else "Private",
            }
            for row in events
        ],
    }


@service.tool()
def find_meeting_time(
    state: CalendarState,
    ctx: CallContext,
    emails: Emails,
    duration_minutes: Minutes,
    not_before: f.Date | None = None,
    seats: Seats | None = None,
) -> Json:
    """Find the next time at which everybody is free, and a free room if seats are asked for.

    Looks at half-hour starts on working days between 08:00 and 18:00 UTC for three weeks; people who are away count
    as busy. Errors: `invalid_date`, `no_time_found`, `too_long` (does not fit into a working day).

    Args:
        emails: Who has to be there.
        duration_minutes: How long.
        not_before: First day to look at; today, if left out.
        seats: Seats needed in a room.
    """
    if duration_minutes > 600:
        raise invalid("The working day has 600 minutes.", type="too_long")
    first = max(check_date(not_before), ctx.today) if not_before else ctx.today
    busy = {row.id: row for email in emails for row in events_of(state, email)}.values()
    for offset in range(SEARCH_DAYS):
        day = plus_days(first, offset)
        if is_weekend(day) or any(absence_on(state, email, day) for email in emails):
            continue
        start, latest = f"{day}T{DAY_START}", plus_minutes(f"{day}T{DAY_END}", -duration_minutes)
        while start <= latest:
            end = plus_minutes(start, duration_minutes)
            room = _free_room(state, start, end, seats) if seats else None
            if start > ctx.now and not overlapping(busy, start, end) and (room or not seats):
                return {"start": start, "end": end, "emails": emails, "room": room}
            start = plus_minutes(start, STEP)
    raise conflict("Nobody has time together in the three weeks looked at.", type="no_time_found")


def _free_room(state: CalendarState, start: str, end: str, seats: int) -> Json | None:
    rows = free_rooms(state, start, end, seats)
    return {"id": rows[0]["id"], "name": rows[0]["name"], "capacity": rows[0]["capacity"]} if rows else None


def free_rooms(state: CalendarState, start: str, end: str, seats: int) -> list[Json]:
    """Rooms in service with enough seats that are free in [start, end), the smallest first."""
    rooms = [
        room
        for room in state.rooms
        if room.capacity >= seats
        and not room.out_of_service
        and not overlapping(state.events.find(room_id=room.id), start, end)
    ]
    rooms.sort(key=lambda room: (room.capacity, room.id))
    return [room.plain() for room in rooms]


@service.tool()
def list_rooms(
    state: CalendarState,
    ctx: CallContext,
    query: Query | None = None,
    min_capacity: Seats = 1,
    equipment: Equipment | None = None,
) -> Json:
    """List meeting rooms with the number of coming bookings, by name.

    Args:
        query: Words in the name, code or building.
        min_capacity: Only rooms with at least so many seats.
        equipment: Only rooms that have this.
    """
    rows = []
    for room in state.rooms:
        if room.capacity < min_capacity or (equipment is not None and equipment not in room.equipment):
            continue
        if query is None or matches(query, room.name, room.code, room.building):
            ahead = [row for row in state.events.find(room_id=room.id, status="confirmed") if row.end > ctx.now]
            following = min((row.start for row in ahead), default=None)
            rows.append(with_fields(room, upcoming_bookings=len(ahead), next_booking_at=following))
    return {"rooms": rows, "total": len(rows)}


@service.tool()
def find_free_rooms(
    state: CalendarState,
    ctx: CallContext,
    start: f.Timestamp,
    duration_minutes: Minutes,
    seats: Seats = 1,
    building: f.Place | None = None,
) -> Json:
    """Find rooms that are free at a time, the smallest that fits first.

    Errors: `invalid_time`, `too_long`.

    Args:
        start: From when, UTC.
        duration_minutes: For how long.
        seats: Seats needed.
        building: Only rooms in this building.
    """
    begin = check_time(start)
    rows = free_rooms(state, begin, end_of(begin, duration_minutes), seats)
    rows = [row for row in rows if building is None or matches(building, row["building"])]
    return {"rooms": rows, "total": len(rows)}


@service.tool(phrase="book the room {room_id} for {event_id}")
def book_room(
    state: CalendarState, ctx: CallContext, event_id: EventId, room_id: Annotated[str, f.ref("rooms")]
) -> Json:
    """Book a room for the time of an event, instead of the room it may have.

    Errors: `not_found`, `event_cancelled`, `room_taken`, `room_too_small`, `room_out_of_service`, `already_booked`.

    Args:
        event_id: Id of the event.
        room_id: Id of the room.
    """
    event = live_event(state, event_id)
    if event.room_id == room_id:
        raise conflict(f"Event {event_id} has this room already.", type="already_booked")
    check_room(state, room_id, event)
    return described(state, state.events.patch(event_id, room_id=room_id))


@service.tool(phrase="give back the room of {event_id}")
def release_room(state: CalendarState, ctx: CallContext, event_id: EventId) -> Json:
    """Give back the room of an event.

    Errors: `not_found`, `no_room`.

    Args:
        event_id: Id of the event.
    """
    if state.events.get(event_id).room_id is None:
        raise conflict(f"Event {event_id} has no room.", type="no_room")
    return described(state, state.events.patch(event_id, room_id=None))


@service.tool(phrase="take the room {room_id} out of service")
def set_room_service(
    state: CalendarState, ctx: CallContext, room_id: Annotated[str, f.ref("rooms")], out_of_service: bool = True
) -> Json:
    """Take a room out of service, or back; a room with coming bookings cannot be taken out.

    Errors: `not_found`, `no_change`, `room_booked`.

    Args:
        room_id: Id of the room.
        out_of_service: false puts it back into service.
    """
    room = state.rooms.get(room_id)
    if room.out_of_service == out_of_service:
        raise conflict(f"{room.name} is {'out of' if out_of_service else 'in'} service already.", type="no_change")
    ahead = [row.id for row in state.events.find(room_id=room_id) if row.status != "cancelled" and row.end > ctx.now]
    if out_of_service and ahead:
        raise conflict(f"{room.name} is booked for {', '.join(ahead[:5])}; release it there first.", type="room_booked")
    return with_fields(state.rooms.patch(room_id, out_of_service=out_of_service), upcoming_bookings=len(ahead))
