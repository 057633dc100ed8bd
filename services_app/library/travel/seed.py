"""Trips of some months around customer projects: flown, under way, waiting for approval, rejected."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.engine import fields as f
from services_app.library import cast as people
from services_app.library.cast import Project
from services_app.library.shared import plus_days, plus_minutes
from services_app.library.staff import Employment, employments
from services_app.library.travel import texts
from services_app.library.travel.costs import HOTEL_LIMIT, approvers_of, cost_of, rooms_left, taken_seats
from services_app.library.travel.flights import locator_of
from services_app.library.travel.state import Flight, Traveler, TravelState, Trip, service

_HOME = "LHR"
# code, city, country, minutes from London, economy fare, usual rate of a hotel
_AIRPORTS = (
    ("LHR", "London", "United Kingdom", 0, 0.0, 150.0),
    ("BRS", "Bristol", "United Kingdom", 55, 78.0, 105.0),
    ("RTM", "Rotterdam", "Netherlands", 70, 112.0, 118.0),
    ("LYS", "Lyon", "France", 105, 138.0, 110.0),
    ("GOT", "Gothenburg", "Sweden", 120, 149.0, 125.0),
    ("OPO", "Porto", "Portugal", 145, 131.0, 98.0),
    ("LEJ", "Leipzig", "Germany", 110, 127.0, 96.0),
    ("KRK", "Kraków", "Poland", 150, 119.0, 84.0),
    ("YYZ", "Toronto", "Canada", 485, 612.0, 150.0),
    ("AUS", "Austin", "United States", 620, 748.0, 148.0),
    ("KIX", "Osaka", "Japan", 830, 905.0, 122.0),
    ("NBO", "Nairobi", "Kenya", 515, 655.0, 112.0),
    ("SCL", "Valparaíso", "Chile", 880, 1040.0, 92.0),
)
_AIRLINES = (("NV", "Norvane Air"), ("QX", "Quillon Airways"), ("MZ", "Meridian Skies"))
_CENTERS = {
    "operations": "CC-400",
    "sales": "CC-100",
    "marketing": "CC-700",
    "support": "CC-200",
    "engineering": "CC-500",
    "finance": "CC-300",
    "people": "CC-600",
}


@service.seed
def fill(state: TravelState, ctx: SeedContext) -> None:
    for code, city, country, _, _, rate in _AIRPORTS:
        state.airports.create(code=code, city=city, country=country)
        for name, factor, notes in texts.HOTELS:
            state.hotels.create(
                name=name.format(city=city),
                city=city,
                address=f"{ctx.random.randint(1, 90)} {ctx.random.choice(('Station Road', 'Quay Street'))}, {city}",
                nightly_rate=round(rate * factor),
                rooms=ctx.random.choice((1, 2, 3, 5)),
                notes=notes,
            )
    for title, status, days_ago, body in texts.POLICIES:
        state.policies.create(title=title, status=status, body=body, valid_from=ctx.date(-days_ago))
    contracts = employments(ctx)
    for contract in contracts[: min(len(contracts), max(ctx.size(46), 16))]:
        _traveler(state, ctx, contract)
    cities = {row[1] for row in _AIRPORTS}
    projects = [row for row in people.build(ctx).projects if row.company.city in cities]
    count = ctx.size(90)
    for index, project in enumerate(projects[:count]):
        _trip(state, ctx, project, index, count)


def _traveler(state: TravelState, ctx: SeedContext, contract: Employment) -> None:
    state.travelers.create(
        name=contract.person.name,
        email=contract.person.email,
        phone=contract.person.phone,
        employee_number=contract.number,
        cost_center=_CENTERS[contract.person.team],
        manager_email=contract.manager.email if contract.manager else None,
        home_airport=_HOME,
        passport_expires_on=ctx.date(ctx.random.choice((20, 75, 150, 400, 900, 1500, 2400))),
    )


def _trip(state: TravelState, ctx: SeedContext, project: Project, index: int, count: int) -> None:
    """Trips spread from eighty days ago to fifty days ahead; the traveler is free then."""
    # Not in the order of their dates: the next trips come first, as they do on the desk.
    offset = (130 * index // count + 80) % 130 - 80 if index > 3 else index // 2
    first = ctx.date(offset)
    day = f.parse_date(first).weekday()
    first = plus_days(first, 7 - day if day > 4 else 0)
    last = plus_days(first, ctx.random.choice((1, 2, 2, 3, 4)))
    free = [
        row
        for row in state.travelers
        if row.passport_expires_on >= last
        and not any(
            trip.starts_on <= plus_days(last, 1) and plus_days(first, -1) <= trip.ends_on
            for trip in state.trips.find(traveler_id=row.id)
        )
    ]
    if not free:
        return
    traveler = ctx.random.choice(free)
    facts = people.facts(ctx, project) | {"traveler": traveler.name}
    trip = state.trips.create(
        traveler_id=traveler.id,
        purpose=ctx.random.choice(texts.PURPOSES).format(**facts),
        destination_city=project.company.city,
        starts_on=first,
        ends_on=last,
        project_code=project.po_number if ctx.random.random() < 0.8 else "",
        status="open",
    )
    for text in ctx.random.sample(texts.NOTES, ctx.random.choice((0, 1, 1, 2))):
        state.trip_notes.create(
            trip_id=trip.id,
            author_email=ctx.random.choice((people.ME.email, traveler.email)),
            text=text.format(**facts),
            written_at=ctx.moment(min(offset - 3, -1), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )
    _bookings(state, ctx, trip, traveler, facts)
    _fate(state, ctx, trip, index, facts)


def _flight(state: TravelState, ctx: SeedContext, origin: str, destination: str, date: str, hour: int) -> Flight:
    far = destination if origin == _HOME else origin
    minutes, fare = next((row[3], row[4]) for row in _AIRPORTS if row[0] == far)
    code, airline = ctx.random.choice(_AIRLINES)
    price = round(fare * ctx.random.choice((0.8, 0.95, 1.1, 1.3)), 2)
    start = f"{date}T{hour:02d}:{ctx.random.choice((0, 10, 25, 40, 55)):02d}:00Z"
    state_of = ("scheduled",) * 8 + ("delayed", "cancelled")
    return state.flights.create(
        number=f"{code}{300 + len(state.flights)}",
        airline=airline,
        origin=origin,
        destination=destination,
        route=f"{origin}-{destination}",
        departs_at=start,
        arrives_at=plus_minutes(start, minutes),
        status="scheduled" if date < ctx.today else ctx.random.choice(state_of),
        economy_fare=price,
        business_fare=round(price * 2.8, 2),
        economy_seats=ctx.random.choice((1, 2, 4, 6)),
        business_seats=ctx.random.choice((0, 1, 2)),
    )


def _bookings(state: TravelState, ctx: SeedContext, trip: Trip, traveler: Traveler, facts: dict[str, str]) -> None:
    code = next(row[0] for row in _AIRPORTS if row[1] == trip.destination_city)
    for origin, destination, date, hours in (
        (_HOME, code, trip.starts_on, (6, 9, 13)),
        (code, _HOME, trip.ends_on, (12, 16, 19)),
    ):
        offers = [_flight(state, ctx, origin, destination, date, hour) for hour in hours[: ctx.random.choice((2, 3))]]
        flight = ctx.random.choice(offers)
        if trip.ends_on > ctx.date(8) and ctx.random.random() < 0.25:
            if flight.status != "cancelled" and ctx.random.random() < 0.7:
                _dropped(state, trip, flight)
            continue  # nothing is booked any more, or yet
        business = ctx.random.random() < 0.12 and flight.business_seats > 0
        cabin = "business" if business else "economy"
        if taken_seats(state, flight.id, cabin) >= (flight.business_seats if business else flight.economy_seats):
            continue
        state.flight_bookings.create(
            locator=locator_of(state),
            trip_id=trip.id,
            flight_id=flight.id,
            route=flight.route,
            cabin=cabin,
            price=flight.business_fare if business else flight.economy_fare,
            status="held",
            justification=texts.JUSTIFICATIONS[2].format(**facts) if business else "",
        )
    _stay(state, ctx, trip, facts)


def _dropped(state: TravelState, trip: Trip, flight: Flight) -> None:
    """A hold that ran out."""
    state.flight_bookings.create(
        locator=locator_of(state),
        trip_id=trip.id,
        flight_id=flight.id,
        route=flight.route,
        cabin="economy",
        price=0.0,
        status="cancelled",
    )


def _stay(state: TravelState, ctx: SeedContext, trip: Trip, facts: dict[str, str]) -> None:
    hotels = [
        row
        for row in state.hotels.find(city=trip.destination_city)
        if rooms_left(state, row, trip.starts_on, trip.ends_on) > 0
    ]
    if not hotels:
        return
    # Rooms that were given back, one of them on a trip that begins tomorrow.
    dropped = len(state.trips) == 4 or (trip.ends_on > ctx.date(8) and ctx.random.random() < 0.3)
    hotel = min(hotels, key=lambda row: row.nightly_rate) if dropped else ctx.random.choice(hotels)
    dear = hotel.nightly_rate > HOTEL_LIMIT
    state.hotel_bookings.create(
        trip_id=trip.id,
        hotel_id=hotel.id,
        check_in=trip.starts_on,
        check_out=trip.ends_on,
        nightly_rate=hotel.nightly_rate,
        status="cancelled" if dropped else "confirmed",
        justification=ctx.random.choice(texts.JUSTIFICATIONS[:2]).format(**facts) if dear else "",
    )


def _fate(state: TravelState, ctx: SeedContext, trip: Trip, index: int, facts: dict[str, str]) -> None:
    """Past trips are approved and flown; of those to come some wait, some are ticketed, a few rejected."""
    near, past = trip.starts_on <= ctx.date(3), trip.ends_on < ctx.today
    if not near and index % 9 == 4:
        for row in state.flight_bookings.find(trip_id=trip.id):
            state.flight_bookings.patch(row.id, status="cancelled", price=0.0)
        for stay in state.hotel_bookings.find(trip_id=trip.id):
            state.hotel_bookings.patch(stay.id, status="cancelled")
        reason = ctx.random.choice(texts.REJECTIONS).format(**facts)
        state.trips.patch(trip.id, status="rejected", rejection_reason=reason)
        return
    ahead = sum(1 for row in state.trips if row.starts_on > ctx.date(3))
    if not near and not past and ahead % 3:
        return  # waits, if it costs enough
    for role, email in approvers_of(state, trip):
        state.approvals.create(
            trip_id=trip.id,
            approver_email=email,
            role=role,
            amount=cost_of(state, trip.id),
            given_at=f"{min(plus_days(trip.starts_on, -12), ctx.date(-1))}T10:15:00Z",
        )
    if not near and ahead % 2:
        return  # approved, and still on hold
    for number, row in enumerate(state.flight_bookings.find(trip_id=trip.id)):
        flight = state.flights.get(row.flight_id)
        gone = flight.departs_at < ctx.now
        seat = f"{ctx.random.randint(5, 30)}{ctx.random.choice('ABCDEF')}"
        if row.cabin == "business":
            seat = f"{ctx.random.randint(1, 4)}{ctx.random.choice('ACDF')}"
        taken = state.flight_bookings.first(flight_id=flight.id, seat=seat) is not None
        state.flight_bookings.patch(
            row.id,
            status="checked_in" if gone or past else "ticketed",
            seat="" if taken or (number % 2 and not gone) else seat,
        )
