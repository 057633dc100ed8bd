"""What a shared calendar holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

EventStatus = Annotated[Literal["confirmed", "tentative", "cancelled"], LABEL]
Answer = Annotated[Literal["accepted", "declined", "tentative"], LABEL]
Response = Annotated[Literal["needs_action", "accepted", "declined", "tentative"], LABEL]
Visibility = Annotated[Literal["public", "private"], LABEL]
Equipment = Annotated[Literal["projector", "whiteboard", "video", "phone"], LABEL]


class Calendar(Record):
    about: ClassVar[About] = About("calendar", "calendars", prefix="CAL-", width=2, key="name")

    name: f.Title
    owner_email: f.Email
    shared: bool
    description: f.Text = ""


class Room(Record):
    about: ClassVar[About] = About("meeting room", "meeting rooms", prefix="RM-", width=3, key="name")

    name: f.Place
    code: f.Code
    building: f.Place
    floor: Annotated[int, f.count("floors")]
    capacity: Annotated[int, f.count("people")]
    equipment: tuple[Equipment, ...]
    out_of_service: bool = False


class Event(Record):
    about: ClassVar[About] = About("event", "events", prefix="EVT-", key="title")

    calendar_id: Annotated[str, f.ref("calendars")]
    title: f.Title
    description: f.Text = ""
    location: f.Place = ""
    room_id: Annotated[str | None, f.ref("rooms")] = None
    organizer_email: f.Email
    start: f.Timestamp
    end: f.Timestamp
    status: EventStatus = "confirmed"
    visibility: Visibility = "public"
    cancel_reason: f.Text = ""


class Attendee(Record):
    about: ClassVar[About] = About("attendee", "attendees", prefix="ATD-", key="email")

    event_id: Annotated[str, f.ref("events")]
    name: f.Person = ""
    email: f.Email
    optional: bool = False
    response: Response = "needs_action"
    comment: f.Text = ""


class AgendaNote(Record):
    about: ClassVar[About] = About("event note", "event notes", prefix="NOTE-", key="", carrier="note")

    event_id: Annotated[str, f.ref("events")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Absence(Record):
    about: ClassVar[About] = About("absence", "absences", prefix="ABS-", key="")

    email: f.Email
    name: f.Person
    first_day: f.Date
    last_day: f.Date
    reason: f.Text = ""
    stand_in_email: f.Email | None = None


class Reminder(Record):
    about: ClassVar[About] = About("reminder", "reminders", prefix="REM-", key="")

    event_id: Annotated[str, f.ref("events")]
    minutes_before: Annotated[int, f.duration("minutes")]


class CalendarState(State):
    calendars: Table[Calendar]
    rooms: Table[Room]
    events: Table[Event]
    attendees: Table[Attendee]
    notes: Table[AgendaNote]
    absences: Table[Absence]
    reminders: Table[Reminder]


service = Service(
    "calendar",
    title="Calendar",
    domain="productivity",
    description="Calendars with events, invitations, meeting rooms, absences and free-time search.",
    state=CalendarState,
    files=sources(__file__),
)
