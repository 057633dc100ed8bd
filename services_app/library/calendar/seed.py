"""A month of calendars: meetings with customers and colleagues, rooms booked without clashes, some absences."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.calendar import texts
from services_app.library.calendar.overlaps import overlapping
from services_app.library.calendar.state import CalendarState, Event, service
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.shared import plus_days, plus_minutes

_ANSWERS = ("accepted", "accepted", "accepted", "needs_action", "tentative", "declined")


@service.seed
def fill(state: CalendarState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _calendars(state, cast)
    for index, (name, capacity, equipment) in enumerate(texts.ROOMS):
        office = cast.offices[0 if index < 4 else 1 if index < 7 else 2]
        state.rooms.create(
            name=name,
            code=f"{office.city[:3].upper()}-{101 + index}",
            building=office.building,
            floor=1 + index % 3,
            capacity=capacity,
            equipment=equipment,
            out_of_service=name == "Mersey",
        )
    for index in range(ctx.size(56)):
        _customer_event(state, ctx, cast, cast.projects[index])
    for _ in range(ctx.size(44)):
        _internal_event(state, ctx, cast)
    for person in ctx.random.sample(cast.staff[1:], ctx.size(12)):
        _absence(state, ctx, cast, person)


def _calendars(state: CalendarState, cast: Cast) -> None:
    state.calendars.create(name=ME.name, owner_email=ME.email, shared=False, description="Own calendar.")
    shared = (("Customer meetings", "sales"), ("Operations", "operations"), ("Company events", "people"))
    for name, team in shared:
        owner = cast.team(team)[-1]
        state.calendars.create(name=name, owner_email=owner.email, shared=True, description=f"Kept by {owner.name}.")
    for person in cast.team("sales")[:3]:
        state.calendars.create(name=person.name, owner_email=person.email, shared=False)


def _slot(ctx: SeedContext) -> str:
    """A start on a working day, past or coming."""
    day = ctx.random.randint(-21, 35)
    monday = 0  # the session clock starts on a Monday
    if (monday + day) % 7 >= 5:
        day += 2
    return ctx.moment(day, ctx.random.randint(8, 16), ctx.random.choice((0, 0, 30)))


def _event(
    state: CalendarState, ctx: SeedContext, organizer: Person, calendar: str, text: tuple[str, str, int]
) -> Event | None:
    """An event at a time when its organizer has no other; None when none was found."""
    title, description, minutes = text
    own = [row for row in state.events if row.organizer_email == organizer.email]
    for _ in range(12):
        start = _slot(ctx)
        end = plus_minutes(start, minutes)
        if not overlapping(own, start, end):
            break
    else:
        return None
    return state.events.create(
        calendar_id=next(row.id for row in state.calendars if row.name == calendar),
        title=title,
        description=description,
        organizer_email=organizer.email,
        start=start,
        end=end,
        status=ctx.random.choice(("confirmed", "confirmed", "confirmed", "confirmed", "tentative")),
        visibility="private" if ctx.random.random() < 0.08 else "public",
    )


def _customer_event(state: CalendarState, ctx: SeedContext, cast: Cast, project: Project) -> None:
    facts = people.facts(ctx, project)
    title, description, minutes = ctx.random.choice(texts.CUSTOMER)
    organizer = ctx.random.choice((ME, project.owner, project.owner))
    calendar = ME.name if organizer is ME else "Customer meetings"
    event = _event(state, ctx, organizer, calendar, (title.format(**facts), description.format(**facts), minutes))
    if event is None:
        return
    others = ctx.random.sample(cast.staff[1:], ctx.random.randint(0, 2))
    guests = [ME, project.owner, project.contact, *others]
    _invite(state, ctx, event, [person for person in guests if person.email != organizer.email])
    if "visit" in title.lower():
        event = state.events.patch(event.id, location=project.company.address)
    else:
        event = _room(state, ctx, event)
    before = min(event.start[:10], ctx.date(-1))
    for text in ctx.random.sample(texts.NOTES, ctx.random.choice((0, 1, 1, 2))):
        day = plus_days(before, -ctx.random.randint(1, 12))
        _note(state, event, project, text.format(**facts), f"{day}T{ctx.random.randint(8, 17):02d}:24:00Z")
    if event.end[:10] < ctx.today and ctx.random.random() < 0.7:
        _note(state, event, project, ctx.random.choice(texts.OUTCOMES).format(**facts), plus_minutes(event.end, 20))
    if ctx.random.random() < 0.08:
        state.events.patch(event.id, status="cancelled", room_id=None, cancel_reason=f"{project.contact.first} is ill.")


def _note(state: CalendarState, event: Event, project: Project, text: str, written_at: str) -> None:
    state.notes.create(event_id=event.id, author_email=project.owner.email, text=text, written_at=written_at)


def _internal_event(state: CalendarState, ctx: SeedContext, cast: Cast) -> None:
    organizer = ctx.random.choice(cast.staff[: ctx.size(25)])
    calendar = ME.name if organizer is ME else ctx.random.choice(("Operations", "Company events"))
    event = _event(state, ctx, organizer, calendar, ctx.random.choice(texts.INTERNAL))
    if event is None:
        return
    guests = ctx.random.sample(cast.staff, ctx.random.randint(2, 6))
    _invite(state, ctx, event, [person for person in guests if person.email != organizer.email])
    _room(state, ctx, event)
    if organizer is ME:
        state.reminders.create(event_id=event.id, minutes_before=15)


def _invite(state: CalendarState, ctx: SeedContext, event: Event, guests: list[Person]) -> None:
    for person in {person.email: person for person in guests}.values():
        state.attendees.create(
            event_id=event.id,
            name=person.name,
            email=person.email,
            optional=ctx.random.random() < 0.2,
            response=ctx.random.choice(_ANSWERS),
        )


def _room(state: CalendarState, ctx: SeedContext, event: Event) -> Event:
    """Book a free room that is large enough, if there is one."""
    people_count = state.attendees.count(event_id=event.id)
    rooms = [
        room
        for room in state.rooms
        if room.capacity >= people_count
        and not room.out_of_service
        and not overlapping(state.events.find(room_id=room.id), event.start, event.end)
    ]
    if not rooms or ctx.random.random() < 0.15:
        return event
    return state.events.patch(event.id, room_id=ctx.random.choice(rooms).id)


def _absence(state: CalendarState, ctx: SeedContext, cast: Cast, person: Person) -> None:
    first = ctx.random.randint(-10, 40)
    stand_in = ctx.random.choice([other for other in cast.team(person.team) if other is not person])
    state.absences.create(
        email=person.email,
        name=person.name,
        first_day=ctx.date(first),
        last_day=ctx.date(first + ctx.random.randint(0, 12)),
        reason=ctx.random.choice(texts.ABSENCES),
        stand_in_email=stand_in.email,
    )
