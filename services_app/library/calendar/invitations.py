"""Tools for who comes."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.calendar.events import EventId
from services_app.library.calendar.overlaps import absence_on, events_of, live_event, overlapping
from services_app.library.calendar.state import (
    Absence,
    Answer,
    Attendee,
    CalendarState,
    Response,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import Json, check_date, check_range, keep, same, with_fields


def _invited(state: CalendarState, event_id: str, email: str) -> Attendee | None:
    return next((row for row in state.attendees.find(event_id=event_id) if same(row.email, email)), None)


@service.tool(phrase="invite {email} to the event {event_id}")
def add_attendee(
    state: CalendarState,
    ctx: CallContext,
    event_id: EventId,
    email: f.Email,
    name: f.Person = "",
    optional: bool = False,
) -> Json:
    """Invite someone to an event. Says whether they are busy or away then; they are invited all the same.

    Errors: `not_found`, `event_cancelled`, `already_invited`, `room_full` (the booked room has no seat left).

    Args:
        event_id: Id of the event.
        email: Address of the person.
        name: Full name, if known.
        optional: Whether they need not come.
    """
    event = live_event(state, event_id)
    if _invited(state, event_id, email):
        raise conflict(f"{email} is invited already.", type="already_invited")
    count = state.attendees.count(event_id=event_id)
    room = state.rooms.first(id=event.room_id) if event.room_id else None
    if room is not None and count >= room.capacity:
        raise conflict(f"{room.name} seats {room.capacity}; book a larger room first.", type="room_full")
    busy = overlapping(events_of(state, email), event.start, event.end, but=event_id)
    row = state.attendees.create(event_id=event_id, name=name, email=email, optional=optional)
    away = absence_on(state, email, event.start[:10])
    return with_fields(row, busy=bool(busy), away=away is not None, attendee_count=count + 1)


@service.tool(phrase="take {email} off the event {event_id}")
def remove_attendee(state: CalendarState, ctx: CallContext, event_id: EventId, email: f.Email) -> Json:
    """Take someone off the list of an event.

    Errors: `not_found`, `event_cancelled`, `not_invited`.

    Args:
        event_id: Id of the event.
        email: Address of the person.
    """
    live_event(state, event_id)
    row = _invited(state, event_id, email)
    if row is None:
        raise conflict(f"{email} is not invited to {event_id}.", type="not_invited")
    state.attendees.delete(row.id)
    return {"removed": email, "event_id": event_id, "attendee_count": state.attendees.count(event_id=event_id)}


@service.tool()
def list_attendees(state: CalendarState, ctx: CallContext, event_id: EventId, response: Response | None = None) -> Json:
    """List who is invited to an event and how they have answered.

    Errors: `not_found`.

    Args:
        event_id: Id of the event.
        response: Only people with this answer.
    """
    state.events.get(event_id)
    rows = state.attendees.find(event_id=event_id)
    answers: dict[str, int] = {}
    for row in rows:
        answers[row.response] = answers.get(row.response, 0) + 1
    return {"attendees": keep(rows, response=response), "total": len(rows), "by_response": answers}


@service.tool(phrase="answer the invitation to {event_id} with {response}")
def respond_to_invitation(
    state: CalendarState, ctx: CallContext, event_id: EventId, response: Answer, comment: f.Text = ""
) -> Attendee:
    """Accept, decline or tentatively accept an invitation to you.

    An event that overlaps with one you have accepted cannot be accepted. Errors: `not_found`, `event_cancelled`,
    `not_invited`, `event_over`, `time_conflict`.

    Args:
        event_id: Id of the event.
        response: Your answer.
        comment: A word to the organizer.
    """
    event = live_event(state, event_id)
    row = _invited(state, event_id, ME.email)
    if row is None:
        raise conflict(f"You are not invited to {event_id}.", type="not_invited")
    if event.end <= ctx.now:
        raise conflict(f"Event {event_id} is over.", type="event_over")
    accepted = {item.event_id for item in state.attendees if same(item.email, ME.email) and item.response == "accepted"}
    mine = [item for item in state.events if item.id in accepted]
    clash = overlapping(mine, event.start, event.end, but=event_id)
    if response == "accepted" and clash:
        raise conflict(f"You have accepted {clash[0].id} ({clash[0].title}) at this time.", type="time_conflict")
    return state.attendees.patch(row.id, response=response, comment=comment)


@service.tool()
def list_absences(
    state: CalendarState, ctx: CallContext, email: f.Email | None = None, on_day: f.Date | None = None
) -> Json:
    """List absences, earliest first, of one person or of all.

    Args:
        email: Only absences of this person.
        on_day: Only absences that include this day.
    """
    rows = [
        row for row in keep(state.absences, email=email) if on_day is None or row.first_day <= on_day <= row.last_day
    ]
    rows.sort(key=lambda row: (row.first_day, row.id))
    return {"absences": rows, "total": len(rows)}


@service.tool(phrase="enter an absence of {email} from {first_day} to {last_day}")
def record_absence(
    state: CalendarState,
    ctx: CallContext,
    email: f.Email,
    first_day: f.Date,
    last_day: f.Date,
    reason: f.Text = "",
    stand_in_email: f.Email | None = None,
) -> Absence:
    """Enter the absence of someone who is known here; absences of one person cannot overlap.

    Errors: `unknown_person`, `invalid_range`, `invalid_date`, `in_the_past`, `overlapping_absence`,
    `stand_in_absent` (the stand-in is away on one of these days).

    Args:
        email: Who is away.
        first_day: First day.
        last_day: Last day.
        reason: Why, if it may be known.
        stand_in_email: Who stands in.
    """
    check_range(check_date(first_day), check_date(last_day))
    if first_day < ctx.today:
        raise invalid(f"{first_day} is over; today is {ctx.today}.", type="in_the_past")
    for row in state.absences:
        shared_days = row.first_day <= last_day and first_day <= row.last_day
        if shared_days and same(row.email, email):
            raise conflict(
                f"{email} is away from {row.first_day} to {row.last_day} already.", type="overlapping_absence"
            )
        if shared_days and stand_in_email and same(row.email, stand_in_email):
            raise conflict(f"{stand_in_email} is away from {row.first_day} to {row.last_day}.", type="stand_in_absent")
    return state.absences.create(
        email=email,
        name=_name_of(state, email),
        first_day=first_day,
        last_day=last_day,
        reason=reason,
        stand_in_email=stand_in_email,
    )


def _name_of(state: CalendarState, email: str) -> str:
    known = [(row.email, row.name) for row in state.attendees] + [(row.email, row.name) for row in state.absences]
    for address, name in known:
        if name and same(address, email):
            return name
    raise invalid(f"Nobody here has the address {email}.", type="unknown_person")


@service.tool(phrase="end the absence {absence_id} on {last_day}")
def shorten_absence(
    state: CalendarState, ctx: CallContext, absence_id: Annotated[str, f.ref("absences")], last_day: f.Date
) -> Absence:
    """Let an absence end earlier.

    Errors: `not_found`, `invalid_date`, `invalid_range` (before its first day), `not_earlier`.

    Args:
        absence_id: Id of the absence.
        last_day: New last day.
    """
    row = state.absences.get(absence_id)
    check_range(row.first_day, check_date(last_day))
    if last_day >= row.last_day:
        raise conflict(f"The absence ends on {row.last_day}; {last_day} is not earlier.", type="not_earlier")
    return state.absences.patch(absence_id, last_day=last_day)
