"""Hotels in the cities of the cast, and the stays of our people with customers there."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.engine import fields as f
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.hotels import texts
from services_app.library.hotels.bookings import confirmation
from services_app.library.hotels.rates import cancellation_fee, due, nights_of, rooms_left, stay_price
from services_app.library.hotels.state import Booking, HotelsState, Property, RatePlan, RoomType, service
from services_app.library.shared import days_between, plus_days

# city, country, usual rate of a double room
_CITIES = (
    ("Rotterdam", "Netherlands", 118.0),
    ("Lyon", "France", 110.0),
    ("London", "United Kingdom", 150.0),
    ("Bristol", "United Kingdom", 105.0),
    ("Porto", "Portugal", 98.0),
    ("Leipzig", "Germany", 96.0),
    ("Gothenburg", "Sweden", 125.0),
    ("Kraków", "Poland", 84.0),
    ("Toronto", "Canada", 150.0),
    ("Austin", "United States", 148.0),
    ("Osaka", "Japan", 122.0),
    ("Nairobi", "Kenya", 112.0),
    ("Valparaíso", "Chile", 92.0),
)
_STREETS = ("Station Road", "Quay Street", "Mill Lane", "Market Square", "Canal Row")
_AMENITIES = ("breakfast", "parking", "gym", "meeting_room", "ev_charging", "restaurant", "late_check_in")


@service.seed
def fill(state: HotelsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    count = ctx.size(48)
    for index in range(count):
        _property(state, ctx, index, min(count // 3, len(_CITIES)))
    for person in cast.staff[: 6 + ctx.size(22)]:
        state.guests.create(
            name=person.name,
            email=person.email,
            phone=person.phone,
            preferences=ctx.random.choice(texts.PREFERENCES),
        )
    cities = {row.city for row in state.properties}
    projects = [row for row in cast.projects if row.company.city in cities]
    count = ctx.size(95)
    for index, project in enumerate(projects[:count]):
        _booking(state, ctx, project, index, count)
    _reviews(state, ctx, cast)
    for name in texts.LISTS[: max(ctx.size(3), 2)]:
        chosen = ctx.random.sample([row.id for row in state.properties], 3)
        state.saved_lists.create(name=name, property_ids=tuple(sorted(chosen)))
    _credits(state, ctx, projects)


def _property(state: HotelsState, ctx: SeedContext, index: int, cities: int) -> None:
    city, country, rate = _CITIES[index % cities]
    turn = (index // cities + 3 * index) % len(texts.HOTELS)
    while state.properties.first(name=texts.HOTELS[turn][0].format(city=city)):
        turn = (turn + 1) % len(texts.HOTELS)
    name, chain, stars, factor, description = texts.HOTELS[turn]
    hotel = state.properties.create(
        name=name.format(city=city),
        chain=chain or "Independent",
        city=city,
        country=country,
        address=f"{ctx.random.randint(1, 140)} {ctx.random.choice(_STREETS)}, {city}",
        stars=stars,
        amenities=("wifi", *sorted(ctx.random.sample(_AMENITIES, ctx.random.choice((2, 3, 4))))),
        check_in_from=ctx.random.choice(("14:00", "15:00", "16:00")),
        check_out_until=ctx.random.choice(("10:30", "11:00", "12:00")),
        description=description,
        house_rules=ctx.random.choice(texts.HOUSE_RULES),
    )
    for title, beds, sleeps, part, counts in texts.ROOMS[: 3 if stars < 4 else 4]:
        state.room_types.create(
            property_id=hotel.id,
            name=title,
            beds=beds,
            sleeps=sleeps,
            rooms=ctx.random.choice(counts),
            base_rate=float(round(rate * factor * part)),
        )
    for plan in (texts.PLANS[0], texts.PLANS[2], ctx.random.choice((*texts.PLANS[1:2], *texts.PLANS[3:]))):
        _plan(state, hotel, plan)
    for title, start, nights, adjustment in ctx.random.sample(texts.SEASONS, ctx.random.choice((1, 2))):
        state.seasons.create(
            property_id=hotel.id,
            name=title,
            first_night=ctx.date(start),
            last_night=ctx.date(start + nights - 1),
            adjustment=adjustment,
        )


def _plan(state: HotelsState, hotel: Property, plan: tuple[str, float, bool, int, bool, int, str]) -> None:
    name, adjustment, breakfast, nights, refundable, days, late_fee = plan
    state.rate_plans.create(
        property_id=hotel.id,
        name=name,
        adjustment=adjustment,
        breakfast=breakfast,
        min_nights=nights,
        refundable=refundable,
        free_until_days=days,
        late_fee=late_fee,
    )


def _booking(state: HotelsState, ctx: SeedContext, project: Project, index: int, count: int) -> None:
    """Stays spread from seventy days ago to fifty-five days ahead; the next ones first, as on the desk."""
    offset = index + 2 if index < 6 else (125 * index // count + 70) % 125 - 70
    check_in = ctx.date(offset)
    check_out = plus_days(check_in, ctx.random.choice((1, 2, 2, 3, 4, 5)))
    found = _free_room(state, ctx, project.company.city, check_in, check_out)
    if found is None:
        return
    room, plan = found
    facts = people.facts(ctx, project)
    rooms = 2 if rooms_left(state, room, nights_of(check_in, check_out)) > 2 and ctx.random.random() < 0.2 else 1
    booking = state.bookings.create(
        confirmation_number=confirmation(state),
        guest_id=ctx.random.choice(list(state.guests)).id,
        property_id=room.property_id,
        room_type_id=room.id,
        rate_plan_id=plan.id,
        check_in=check_in,
        check_out=check_out,
        rooms=rooms,
        guests=rooms,
        status="confirmed",
        price=stay_price(state, room, plan, nights_of(check_in, check_out), rooms),
        reference=project.po_number if ctx.random.random() < 0.8 else "",
        arrival_time=ctx.random.choice((None, None, "17:30", "19:00", "22:15")),
        special_request=ctx.random.choice(texts.REQUESTS).format(**facts),
        booked_at=ctx.moment(min(offset - ctx.random.randint(5, 25), -1), ctx.random.randint(8, 17), 20),
    )
    for number, (sender, text) in enumerate(ctx.random.sample(texts.MESSAGES, ctx.random.choice((0, 1, 1, 2, 3)))):
        state.messages.create(
            booking_id=booking.id,
            sender=sender,
            text=text.format(**facts),
            sent_at=ctx.moment(min(offset - 1, -1) - 3 + number, ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
        )
    _fate(state, ctx, booking, offset, index)


def _free_room(
    state: HotelsState, ctx: SeedContext, city: str, check_in: str, check_out: str
) -> tuple[RoomType, RatePlan] | None:
    """A free room in the city and a plan that fits; None when the city is full."""
    nights = nights_of(check_in, check_out)
    hotels = {row.id for row in state.properties.find(city=city)}
    free = [row for row in state.room_types if row.property_id in hotels and rooms_left(state, row, nights) > 0]
    if not free:
        return None
    room = ctx.random.choice(free)
    plans = [row for row in state.rate_plans.find(property_id=room.property_id) if row.min_nights <= len(nights)]
    return room, ctx.random.choice(plans)


def _fate(state: HotelsState, ctx: SeedContext, booking: Booking, offset: int, index: int) -> None:
    if index % 11 == 9:
        day = ctx.date(min(offset - 2, -1))
        state.bookings.patch(booking.id, status="cancelled", fee=cancellation_fee(state, booking, day))
    elif offset < -3 and index % 13 == 5:
        nights = days_between(booking.check_in, booking.check_out)
        state.bookings.patch(booking.id, status="no_show", fee=round(booking.price / nights, 2))


def _reviews(state: HotelsState, ctx: SeedContext, cast: Cast) -> None:
    """Of our own stays some are reviewed; other travelers write as well."""
    for index, booking in enumerate(row for row in state.bookings if row.status == "confirmed"):
        if booking.check_out < ctx.date(-3) and index % 3 == 0:
            posted = plus_days(booking.check_out, 2)
            _review(state, ctx, booking.property_id, booking.id, state.guests.get(booking.guest_id).name, posted)
    others = [person for company in cast.companies for person in company.people]
    for number, hotel in enumerate(state.properties):
        for turn in range(ctx.random.choice((1, 2, 3))):
            author = others[(number * 3 + turn) % len(others)].name
            _review(state, ctx, hotel.id, None, author, ctx.date(-ctx.random.randint(3, 200)))


def _review(
    state: HotelsState, ctx: SeedContext, property_id: str, booking_id: str | None, author: str, posted_on: f.Date
) -> None:
    hotel, cast = state.properties.get(property_id), people.build(ctx)
    near = [row for row in cast.projects[:300] if row.company.city == hotel.city] or list(cast.projects[:20])
    facts = people.facts(ctx, ctx.random.choice(near)) | {"hotel": hotel.name}
    score, title, text = ctx.random.choice(texts.REVIEWS)
    state.reviews.create(
        property_id=property_id,
        booking_id=booking_id,
        author=author,
        score=score,
        title=title.format(**facts),
        text=text.format(**facts),
        posted_on=posted_on,
    )


def _credits(state: HotelsState, ctx: SeedContext, projects: list[Project]) -> None:
    ahead = [row for row in state.bookings if row.status == "confirmed" and row.check_in > ctx.today]
    for number in range(max(ctx.size(9), 6)):
        amount = float(ctx.random.choice((15, 20, 25, 40, 60)))
        target = ahead[-1 - number % len(ahead)] if number % 4 == 3 else None
        if target is not None and due(state, target) < amount:
            target = None
        state.travel_credits.create(
            code=f"STAY-{3100 + 17 * number}",
            amount=amount,
            valid_until=ctx.date(-20 if number % 5 == 4 else ctx.random.randint(20, 300)),
            reason=ctx.random.choice(texts.CREDITS).format(**people.facts(ctx, projects[number])),
            booking_id=target.id if target else None,
        )
