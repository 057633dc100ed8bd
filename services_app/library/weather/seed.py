"""Two weeks of weather in the cities of the cast, warnings, and the sites that are watched."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Project
from services_app.library.shared import plus_minutes
from services_app.library.weather import texts
from services_app.library.weather.state import Location, WeatherState, service

# city, country, metres, mean temperature in March, how wet (0 to 1), how windy (km/h)
_CITIES = (
    ("London", "United Kingdom", 24, 7.5, 0.4, 18),
    ("Rotterdam", "Netherlands", 2, 6.0, 0.45, 26),
    ("Lyon", "France", 173, 8.5, 0.35, 14),
    ("Bristol", "United Kingdom", 11, 7.0, 0.5, 22),
    ("Porto", "Portugal", 90, 13.0, 0.5, 20),
    ("Leipzig", "Germany", 113, 4.0, 0.35, 17),
    ("Gothenburg", "Sweden", 12, 1.0, 0.4, 24),
    ("Kraków", "Poland", 219, 2.5, 0.35, 13),
    ("Toronto", "Canada", 76, -1.0, 0.35, 20),
    ("Austin", "United States", 149, 17.0, 0.2, 16),
    ("Osaka", "Japan", 5, 9.5, 0.35, 15),
    ("Nairobi", "Kenya", 1795, 20.0, 0.3, 12),
    ("Valparaíso", "Chile", 41, 16.0, 0.05, 18),
)
_KINDS = ("{city}", "{city} Airport", "{city} Harbour", "{city} Hills")
_FIRST, _LAST = -6, 8  # days of weather around today
_CURVE = (-3.0, -3.5, -2.0, 1.0, 3.5, 4.0, 1.5, -1.0)  # degrees around the mean, every three hours from midnight


@service.seed
def fill(state: WeatherState, ctx: SeedContext) -> None:
    for index in range(ctx.size(10)):
        city = _CITIES[index % len(_CITIES)]
        location = state.locations.create(
            name=_KINDS[index // len(_CITIES)].format(city=city[0]), city=city[0], country=city[1], elevation=city[2]
        )
        _weather(state, ctx, location, city[3], city[4], city[5])
    for title, status, days_ago, body in texts.PROTOCOLS:
        state.protocols.create(title=title, status=status, body=body, valid_from=ctx.date(-days_ago))
    cities = {row.city for row in state.locations}
    projects = [row for row in people.build(ctx).projects if row.company.city in cities]
    _warnings(state, ctx, projects)
    _watched(state, ctx, projects)
    _reports(state, ctx, projects)


def _weather(state: WeatherState, ctx: SeedContext, location: Location, mean: float, wet: float, windy: int) -> None:
    """Points of three hours: temperature and wind wander from day to day, rain comes in spells."""
    drift, gale, spell = 0.0, 1.0, 0
    lengths = (1, 2, 4, 6)
    for day in range(_FIRST, _LAST + 1):
        drift = max(min(drift + ctx.random.uniform(-2.2, 2.2), 6.0), -6.0)
        gale = max(min(gale * ctx.random.uniform(0.7, 1.45), 2.8), 0.5)
        for step, curve in enumerate(_CURVE):
            begins = spell == 0 and ctx.random.random() < wet / 4
            spell = ctx.random.choice(lengths) if begins else max(spell - 1, 0)
            rain = round(ctx.random.choice((0.2, 0.6, 1.4, 3.0, 6.5, 12.0)) * (1 + gale / 4), 1) if spell else 0.0
            temperature = round(mean + drift + curve + ctx.random.uniform(-0.8, 0.8), 1)
            wind = round(windy * gale * ctx.random.uniform(0.7, 1.2))
            gust = round(wind * ctx.random.uniform(1.4, 1.8))
            state.points.create(
                location_id=location.id,
                starts_at=ctx.moment(day, 3 * step),
                temperature=temperature,
                rain=rain,
                rain_chance=min(95, 40 + round(rain * 8)) if rain else ctx.random.choice((0, 5, 10, 20, 30)),
                wind=wind,
                wind_gust=gust,
                humidity=ctx.random.randint(78, 98) if rain else ctx.random.randint(45, 85),
                condition=_condition(ctx, temperature, rain, gust, step),
            )


def _condition(ctx: SeedContext, temperature: float, rain: float, gust: int, step: int) -> str:
    if gust > 75:
        return "storm"
    if rain and temperature < 0.5:
        return "snow"
    if rain:
        return "heavy_rain" if rain > 5 else "rain"
    if step < 3 and ctx.random.random() < 0.1:
        return "fog"
    return str(ctx.random.choice(("clear", "cloudy", "cloudy")))


def _warnings(state: WeatherState, ctx: SeedContext, projects: list[Project]) -> None:
    places = list(state.locations)
    for number in range(ctx.size(20)):
        hazard, severity, headline, text, begins, hours, status = texts.WARNINGS[number % len(texts.WARNINGS)]
        place, facts = places[(number * 3 + number // len(places)) % len(places)], people.facts(ctx, projects[number])
        starts = plus_minutes(ctx.moment(0, 9), begins * 60)
        row = state.warnings.create(
            location_id=place.id,
            hazard=hazard,
            severity=severity,
            headline=headline.format(place=place.name),
            text=text.format(**facts),
            issued_at=plus_minutes(min(starts, ctx.moment(0, 8)), -ctx.random.randint(1, 20) * 15),
            starts_at=starts,
            ends_at=plus_minutes(starts, hours * 60),
            status=status,
        )
        if number % 3 == 1:
            state.acknowledgements.create(
                warning_id=row.id,
                author_email=projects[number].owner.email,
                text=ctx.random.choice(texts.ACKNOWLEDGEMENTS).format(**facts),
                given_at=plus_minutes(row.issued_at, 10),
            )


def _watched(state: WeatherState, ctx: SeedContext, projects: list[Project]) -> None:
    """Saved places, up to fewer than the limit, with rules and digests."""
    for number, project in enumerate(projects[: min(ctx.size(10), 13)]):
        facts = people.facts(ctx, project)
        label = texts.PLACES[number % len(texts.PLACES)].format(**facts)
        if state.saved_places.first(label=label):
            continue
        location = state.locations.find(city=project.company.city)[0]
        place = state.saved_places.create(
            location_id=location.id,
            label=label,
            contact_email=project.contact.email,
            note=ctx.random.choice(texts.PLACE_NOTES).format(**facts),
        )
        if number % 4 != 2:  # one in four is only looked at
            _rules(state, ctx, place.id, project, number)


def _rules(state: WeatherState, ctx: SeedContext, place_id: str, project: Project, number: int) -> None:
    for metric, comparison, values in (
        ("wind_gust", "above", (45, 60, 75)),
        ("temperature", "below", (2, 0, -5)),
        ("rain", "above", (2, 10, 20)),
    )[: ctx.random.choice((1, 2, 2, 3))]:
        state.alert_rules.create(
            saved_place_id=place_id,
            metric=metric,
            comparison=comparison,
            value=float(ctx.random.choice(values)),
            hours_ahead=ctx.random.choice((12, 24, 48, 72)),
            recipient_email=ctx.random.choice((people.ME.email, project.owner.email)),
            muted_until=ctx.moment(2, 18) if number % 5 == 3 else None,
        )
    state.digests.create(
        saved_place_id=place_id,
        recipient_email=project.owner.email if number % 2 else people.ME.email,
        days=ctx.random.choice(("daily", "weekdays", "mondays")),
        send_at=ctx.random.choice(("05:30", "06:00", "06:45")),
        forecast_days=ctx.random.choice((2, 3, 5)),
        active=number % 4 != 3,
    )


def _reports(state: WeatherState, ctx: SeedContext, projects: list[Project]) -> None:
    for number, project in enumerate(projects[: ctx.size(26)]):
        condition, text = ctx.random.choice(texts.REPORTS)
        location = ctx.random.choice(state.locations.find(city=project.company.city))
        mine = number % 4 == 0
        state.condition_reports.create(
            location_id=location.id,
            reporter_email=people.ME.email if mine else project.contact.email,
            condition=condition,
            text=text.format(**people.facts(ctx, project)),
            seen_at=ctx.moment(-ctx.random.randint(1, 6), ctx.random.randint(6, 18), ctx.random.randint(0, 59)),
        )
