"""Half a year of events of Larkfield in the cities of the cast, and who of the customers comes."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project, ascii_name
from services_app.library.events import texts
from services_app.library.events.figures import left, refund_of
from services_app.library.events.selling import next_barcode, next_order
from services_app.library.events.state import DiscountCode, Event, EventsState, Order, Session, TicketClass, service
from services_app.library.shared import plus_minutes

_CITIES = ("London", "Rotterdam", "Lyon", "Bristol", "Porto", "Leipzig", "Gothenburg", "Kraków", "Toronto", "Austin")
_STREETS = ("Quay Street", "Mill Lane", "Market Square", "Canal Row", "Foundry Way")


@service.seed
def fill(state: EventsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for index in range(min(ctx.size(12), len(_CITIES) * len(texts.VENUES))):
        city = _CITIES[index % min(ctx.size(6), len(_CITIES))]
        turn = index // min(ctx.size(6), len(_CITIES))
        name, capacity, notes = texts.VENUES[(turn + index) % len(texts.VENUES)]
        title = name.format(city=city)
        if state.venues.first(name=title):
            continue
        state.venues.create(
            name=title,
            city=city,
            address=f"{ctx.random.randint(1, 140)} {ctx.random.choice(_STREETS)}, {city}",
            capacity=capacity,
            contact_email=f"bookings@{ascii_name(title).replace('.', '-')}.example",
            notes=notes,
        )
    count = ctx.size(24)
    for index in range(count):
        _event(state, ctx, cast, index, count)
    projects = list(cast.projects[: ctx.size(130)])
    for index, project in enumerate(projects):
        _order(state, ctx, project, index)
    _arrivals(state, ctx)
    _seats(state, ctx)
    _waiting(state, ctx, projects)
    _announcements(state, ctx)
    _cancelled(state, ctx)


def _event(state: EventsState, ctx: SeedContext, cast: Cast, index: int, count: int) -> None:
    """Events from eighty days ago to seventy ahead, one of them today, a few still drafts."""
    venues = list(state.venues)
    venue = venues[index % len(venues)]
    name, category, hours, capacity, policy, summary, sessions = texts.EVENTS[(index * 5 + index // 6 + 1) % 6]
    offset = 0 if index == 1 else (150 * index // count + 90) % 150 - 79
    start = ctx.moment(offset, 8 if category != "social" else 16, 30)
    end = plus_minutes(start, hours * 60)
    busy = any(row.starts_at[:10] == start[:10] for row in state.events.find(venue_id=venue.id))
    title = name.format(city=venue.city)
    if busy or state.events.first(name=title):
        title = f"{title}, {people.in_words(start).split(' ', 1)[1]}"
    if busy or state.events.first(name=title):
        return
    organizer = ctx.random.choice((ME, ME, *cast.team("marketing")[:2]))
    event = state.events.create(
        name=title,
        category=category,
        venue_id=venue.id,
        organizer_email=organizer.email,
        starts_at=start,
        ends_at=end,
        capacity=min(capacity, venue.capacity),
        status="draft" if offset > 20 and index % 4 == 2 else "live",
        refund_policy=policy,
        summary=summary,
    )
    for number, (kind, share, factor, most) in enumerate(texts.CLASSES[: 2 if category == "user_group" else 3]):
        state.ticket_classes.create(
            event_id=event.id,
            name=kind,
            price=round(texts.PRICES[category] * factor),
            quantity=max(int(event.capacity * share), 2) if number != 1 else 3,
            max_per_order=most,
            sales_end=plus_minutes(start, -20 * 24 * 60) if number == 1 else start,
        )
    for number in range(min(sessions, 4)):
        _session(state, ctx, cast, event, number)
    for code, percent, most, days in texts.CODES[index % 2 :: 2]:
        short = f"{venue.city[:3].upper()}{event.id[-3:]}"
        state.discount_codes.create(
            event_id=event.id,
            code=code.format(short=short),
            percent_off=percent,
            max_uses=most,
            valid_until=ctx.date(offset + days - 25),
        )


def _session(state: EventsState, ctx: SeedContext, cast: Cast, event: Event, number: int) -> None:
    """Two sessions at a time, in different rooms, each an hour."""
    title, room = texts.SESSIONS[(number + len(state.sessions)) % len(texts.SESSIONS)]
    start = plus_minutes(event.starts_at, 60 + 90 * (number // 2))
    used = {(row.room, row.starts_at) for row in state.sessions.find(event_id=event.id)}
    rooms = [name for name in (room, "Hall", "Room 1", "Room 2") if (name, start) not in used]
    speakers = cast.team("support") + cast.team("engineering")
    facts = people.facts(ctx, cast.projects[(7 * len(state.sessions)) % len(cast.projects)])
    state.sessions.create(
        event_id=event.id,
        title=title.format(**facts),
        speaker=speakers[(3 * number + len(state.sessions)) % len(speakers)].name,
        room=rooms[0],
        starts_at=start,
        ends_at=plus_minutes(start, 60),
        seats=ctx.random.choice((4, 8, 20)),
    )


def _order(state: EventsState, ctx: SeedContext, project: Project, index: int) -> None:
    """An order of the project's contact for a live event that was on sale on some day before today."""
    events = [row for row in state.events if row.status == "live"]
    event = events[index % len(events)]
    kinds: list[TicketClass] = state.ticket_classes.find(event_id=event.id)
    kind = ctx.random.choice(kinds)
    latest = min(kind.sales_end, ctx.moment(-1, 18))
    placed = plus_minutes(latest, -ctx.random.randint(60, 30 * 24 * 60))
    group = [person for person in project.company.people if not _has_ticket(state, event, person)]
    quantity = min(len(group), ctx.random.choice((1, 1, 2, 3)), kind.max_per_order, left(state, kind))
    if quantity < 1:
        return
    codes = [row for row in state.discount_codes.find(event_id=event.id) if row.valid_until >= placed[:10]]
    code = ctx.random.choice(codes) if codes and ctx.random.random() < 0.3 and kind.price else None
    if code and state.orders.count(discount_id=code.id) >= code.max_uses:
        code = None
    order = state.orders.create(
        number=next_order(state),
        event_id=event.id,
        buyer_name=group[0].name,
        buyer_email=group[0].email,
        discount_id=code.id if code else None,
        placed_at=placed,
    )
    _tickets(state, order, kind, group[:quantity], code)
    if ctx.random.random() < 0.35:
        note = ctx.random.choice(texts.NOTES).format(**people.facts(ctx, project))
        written = plus_minutes(placed, 90)
        state.order_notes.create(order_id=order.id, author_email=project.owner.email, text=note, written_at=written)
    if index % 12 == 8:
        ticket = state.tickets.find(order_id=order.id)[-1]
        back = refund_of(event, ticket, placed)
        status = "refunded" if back == ticket.paid else "void"
        state.tickets.patch(ticket.id, status=status, refunded=back)


def _has_ticket(state: EventsState, event: Event, person: Person) -> bool:
    return state.tickets.first(event_id=event.id, email=person.email) is not None


def _tickets(
    state: EventsState, order: Order, kind: TicketClass, group: list[Person], code: DiscountCode | None
) -> None:
    for person in group:
        state.tickets.create(
            barcode=next_barcode(state),
            order_id=order.id,
            event_id=order.event_id,
            ticket_class_id=kind.id,
            name=person.name,
            email=person.email,
            paid=round(kind.price * (1 - (code.percent_off if code else 0.0) / 100), 2),
            status="valid",
        )


def _arrivals(state: EventsState, ctx: SeedContext) -> None:
    """Four in five came to events that are over; of the one that runs now some are in already."""
    for ticket in state.tickets.find(status="valid"):
        event = state.events.get(ticket.event_id)
        share = 0.8 if event.ends_at <= ctx.now else 0.4
        if event.starts_at < ctx.now and ctx.random.random() < share:
            early = plus_minutes(event.starts_at, -ctx.random.randint(0, 50))
            state.tickets.patch(ticket.id, checked_in_at=early)


def _seats(state: EventsState, ctx: SeedContext) -> None:
    for ticket in state.tickets.find(status="valid"):
        taken: list[Session] = []
        for session in state.sessions.find(event_id=ticket.event_id):
            overlaps = any(row.starts_at < session.ends_at and session.starts_at < row.ends_at for row in taken)
            full = state.session_seats.count(session_id=session.id) >= session.seats
            if not overlaps and not full and ctx.random.random() < 0.45:
                state.session_seats.create(session_id=session.id, ticket_id=ticket.id)
                taken.append(session)


def _waiting(state: EventsState, ctx: SeedContext, projects: list[Project]) -> None:
    """People who wait for kinds that are sold out, or were when they asked."""
    kinds = [
        row
        for row in state.ticket_classes
        if left(state, row) == 0 and state.events.get(row.event_id).starts_at > ctx.now
    ] or [row for row in state.ticket_classes if state.events.get(row.event_id).starts_at > ctx.now]
    for number in range(ctx.size(9)):
        kind, person = kinds[number % len(kinds)], projects[-1 - number].contact
        state.waitlist_entries.create(
            ticket_class_id=kind.id,
            name=person.name,
            email=person.email,
            quantity=1 + number % 2,
            joined_at=ctx.moment(-ctx.random.randint(1, 15), ctx.random.randint(8, 17), 25),
            served=number % 4 == 3,
        )


def _announcements(state: EventsState, ctx: SeedContext) -> None:
    for index, event in enumerate(row for row in state.events if row.status == "live"):
        over = event.ends_at <= ctx.now
        for subject, body, audience in texts.ANNOUNCEMENTS[:: 2 if index % 2 else 1][: 4 if over else 2]:
            if not over and audience != "all":
                continue
            tickets = state.tickets.find(event_id=event.id, status="valid")
            inside = audience == "checked_in"
            heads = {row.email for row in tickets if audience == "all" or bool(row.checked_in_at) == inside}
            if heads:
                sent = plus_minutes(event.ends_at, 60 * 20) if audience != "all" else ctx.moment(-3 - index % 4, 10)
                state.announcements.create(
                    event_id=event.id,
                    subject=subject.format(event=event.name),
                    body=body,
                    audience=audience,
                    recipients=len(heads),
                    sent_at=min(sent, ctx.moment(-1, 16), event.starts_at if audience == "all" else ctx.now),
                )


def _cancelled(state: EventsState, ctx: SeedContext) -> None:
    """One event in nine that is still to come was called off, and everybody got the money back."""
    ahead = [row for row in state.events if row.status == "live" and row.starts_at > ctx.moment(1)]
    for index, event in enumerate(ahead[2::9]):
        for ticket in state.tickets.find(event_id=event.id, status="valid"):
            state.tickets.patch(ticket.id, status="refunded", refunded=ticket.paid)
        reason = texts.REASONS[index % len(texts.REASONS)]
        state.events.patch(event.id, status="cancelled", cancel_reason=reason)
