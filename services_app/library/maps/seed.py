"""Cities of the cast with the sites of customers, everyday places, lines, traffic and what Noor has saved."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Project
from services_app.library.maps import texts
from services_app.library.maps.state import Line, MapsState, Place, Stop, service
from services_app.library.shared import plus_minutes

# city, latitude, longitude, number for telephones
_CITIES = (
    ("London", 51.5136, -0.0865, "+44 20 7946"),
    ("Rotterdam", 51.9225, 4.4792, "+31 10 555"),
    ("Lyon", 45.7485, 4.8467, "+33 4 72 55"),
    ("Bristol", 51.4545, -2.5879, "+44 117 496"),
    ("Porto", 41.1496, -8.6110, "+351 22 555"),
    ("Leipzig", 51.3397, 12.3731, "+49 341 555"),
    ("Gothenburg", 57.7089, 11.9746, "+46 31 555"),
    ("Kraków", 50.0647, 19.9450, "+48 12 555"),
    ("Toronto", 43.6532, -79.3832, "+1 416 555"),
    ("Austin", 30.2672, -97.7431, "+1 512 555"),
    ("Osaka", 34.6937, 135.5023, "+81 6 5550"),
    ("Nairobi", -1.2864, 36.8172, "+254 20 555"),
    ("Valparaíso", -33.0472, -71.6127, "+56 32 555"),
)
# mode, number, direction of each step, stops by their index in the list of names; all of them meet at Central
_LINES = (
    ("tram", "{letter}1", (0.009, 0.004), (1, 2, 0, 3, 4)),
    ("bus", "{letter}24", (-0.004, 0.010), (5, 6, 0, 7, 8)),
    ("ferry", "{letter}F3", (0.003, -0.013), (0, 9, 10, 11)),
)


@service.seed
def fill(state: MapsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    cities = _CITIES[: min(ctx.size(6), len(_CITIES))]
    for city in cities:
        _city(state, ctx, cast, city)
    projects = [row for row in cast.projects if row.company.city in {city[0] for city in cities}]
    known: set[str] = set()
    for project in projects[: ctx.size(120)]:
        if project.company.name not in known:
            known.add(project.company.name)
            _site(state, ctx, project)
    _opinions(state, ctx, cast, projects)
    _disturbances(state, ctx, projects)
    _saved(state, ctx, projects)


def _city(state: MapsState, ctx: SeedContext, cast: Cast, city: tuple[str, float, float, str]) -> None:
    name, latitude, longitude, _ = city
    names = texts.STOPS + texts.FURTHER_STOPS
    stops: dict[int, str] = {}
    for index, (mode, number, (north, east), order) in enumerate(_LINES):
        middle = order.index(0)
        for place, key in enumerate(order):
            if key not in stops:
                stop = state.stops.create(
                    name=f"{name} {names[key]}",
                    code=f"{people.ascii_name(name)[:3].upper()}{100 + 10 * key + index}",
                    city=name,
                    latitude=round(latitude + north * (place - middle), 5),
                    longitude=round(longitude + east * (place - middle), 5),
                    step_free=ctx.random.random() < 0.6,
                )
                stops[key] = stop.id
        state.lines.create(
            number=number.format(letter=name[:2].upper()),
            mode=mode,
            city=name,
            operator=texts.OPERATORS[index].format(city=name),
            stop_ids=tuple(stops[key] for key in order),
            leg_minutes=tuple(ctx.random.choice((3, 4, 5, 6)) for _ in order[1:]),
            first_departure=("05:10", "05:30", "06:30")[index],
            last_departure=("23:20", "22:40", "20:30")[index],
            headway=(10, 15, 30)[index],
            followed=name == "London" and index < 2,
        )
    for category, title, opens, closes, closed_on, description in texts.PUBLIC:
        _place(state, ctx, city, title.format(city=name), category, (opens, closes), closed_on, description)
    for office in cast.offices:
        if office.city == name:
            own = _place(state, ctx, city, office.building, "office", ("08:00", "18:00"), _WEEKEND, texts.OFFICE)
            state.places.patch(own.id, address=office.address)


_WEEKEND = ("saturday", "sunday")
_STREETS = ("Quay Street", "Mill Lane", "Station Road", "Canal Row", "Market Square")


def _place(
    state: MapsState,
    ctx: SeedContext,
    city: tuple[str, float, float, str],
    name: str,
    category: str,
    hours: tuple[str, str],
    closed_on: tuple[str, ...],
    description: str,
) -> Place:
    """A place at a short walk from one of the stops of its city."""
    stop: Stop = ctx.random.choice(state.stops.find(city=city[0]))
    return state.places.create(
        name=name,
        category=category,
        city=city[0],
        address=f"{ctx.random.randint(1, 160)} {ctx.random.choice(_STREETS)}, {city[0]}",
        latitude=round(stop.latitude + ctx.random.randint(-45, 45) / 10_000, 5),
        longitude=round(stop.longitude + ctx.random.randint(-60, 60) / 10_000, 5),
        phone=f"{city[3]} {ctx.random.randint(1000, 9999)}",
        opens=hours[0],
        closes=hours[1],
        closed_on=closed_on,
        status="open",
        description=description,
    )


def _site(state: MapsState, ctx: SeedContext, project: Project) -> None:
    company = project.company
    city = next(row for row in _CITIES if row[0] == company.city)
    text = ctx.random.choice(texts.SITES).format(**people.facts(ctx, project))
    hours = ctx.random.choice((("06:00", "18:00"), ("08:00", "17:00"), ("09:00", "17:30")))
    place = _place(state, ctx, city, company.name, "business", hours, _WEEKEND, text)
    status = ctx.random.choice(("open",) * 12 + ("temporarily_closed", "permanently_closed"))
    state.places.patch(place.id, address=company.address, phone=project.contact.phone, status=status)


def _opinions(state: MapsState, ctx: SeedContext, cast: Cast, projects: list[Project]) -> None:
    """Reviews by people of customers and by Noor; corrections by both."""
    writers = [person for company in cast.companies[:40] for person in company.people]
    for number, place in enumerate(state.places):
        for turn in range(ctx.random.choice((0, 1, 2, 2))):
            stars, text = ctx.random.choice(texts.REVIEWS)
            facts = people.facts(ctx, ctx.random.choice(projects)) | {"name": place.name}
            state.place_reviews.create(
                place_id=place.id,
                author=ME.name if (number + turn) % 17 == 4 and turn == 0 else writers[(5 * number + turn) % 80].name,
                stars=stars,
                text=text.format(**facts),
                posted_on=ctx.date(-ctx.random.randint(2, 300)),
            )
    chosen = ctx.random.sample([row.id for row in state.places], ctx.size(14))
    for number, place_id in enumerate(chosen):
        place, facts = state.places.get(place_id), people.facts(ctx, projects[number])
        field, value, comment = texts.EDITS[number % len(texts.EDITS)]
        facts |= {"city": place.city, "name": place.name, "number": str(ctx.random.randint(100, 199))}
        state.suggested_edits.create(
            place_id=place_id,
            field=field,
            value=value.format(**facts),
            comment=comment.format(**facts),
            status=("pending", "accepted", "rejected")[number % 3],
            author=ME.name if number % 2 else projects[number].contact.name,
            suggested_at=ctx.moment(-ctx.random.randint(1, 60), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _disturbances(state: MapsState, ctx: SeedContext, projects: list[Project]) -> None:
    lines: list[Line] = list(state.lines)
    for number in range(ctx.size(15)):
        line = lines[(number * 2 + 1) % len(lines)]
        effect, title, delay, text = texts.ALERTS[number % len(texts.ALERTS)]
        stop = state.stops.get(line.stop_ids[1 + number % 2]) if effect == "stop_closed" else None
        slots = {"line": line.number, "city": line.city, "stop": stop.name if stop else ""}
        start = ctx.random.randint(-20, 20) if number % 3 else -ctx.random.randint(0, 3)
        state.service_alerts.create(
            title=title.format(**slots),
            line_id=line.id,
            stop_id=stop.id if stop else None,
            effect=effect,
            delay_minutes=delay,
            starts_on=ctx.date(start),
            ends_on=ctx.date(start + ctx.random.choice((4, 6, 9))),
            text=text.format(**slots),
        )
    places: list[Place] = list(state.places)
    for number in range(ctx.size(24)):
        kind, delay, text = texts.INCIDENTS[number % len(texts.INCIDENTS)]
        facts = people.facts(ctx, projects[number])
        now = ctx.moment(0, 8, ctx.random.randint(0, 55))
        begins = now if number % 2 == 0 else ctx.moment(ctx.random.randint(-6, 6), ctx.random.randint(6, 18))
        state.traffic_incidents.create(
            place_id=ctx.random.choice(places).id,
            kind=kind,
            delay_minutes=delay,
            starts_at=begins,
            ends_at=plus_minutes(begins, ctx.random.choice((180, 600, 2880))),
            text=text.format(**facts),
            reported_by=ctx.random.choice((ME.name, projects[number].contact.name, "City traffic office")),
        )


def _saved(state: MapsState, ctx: SeedContext, projects: list[Project]) -> None:
    for number, name in enumerate(texts.LISTS[: max(ctx.size(4), 3)]):
        row = state.place_lists.create(name=name)
        wanted = ("business", None, "cafe", "charging_station", None)[number]
        fitting = [place.id for place in state.places if wanted in (None, place.category)]
        for place_id in ctx.random.sample(fitting, min(len(fitting), ctx.random.randint(3, 6))):
            note = ctx.random.choice(texts.NOTES).format(**people.facts(ctx, projects[number]))
            state.saved_places.create(list_id=row.id, place_id=place_id, note=note)
    cities = sorted({row.city for row in state.places})
    for number in range(max(ctx.size(7), 4)):
        city = cities[number % len(cities)]
        stops = ctx.random.sample([row.id for row in state.places.find(city=city)], ctx.random.choice((3, 4, 5)))
        turn = number // len(cities)
        state.routes.create(
            name=texts.ROUTES[turn % len(texts.ROUTES)].format(city=city),
            mode=("driving", "driving", "cycling")[number % 3],
            place_ids=tuple(stops),
            minutes_per_stop=ctx.random.choice((10, 15, 20, 30)),
        )
