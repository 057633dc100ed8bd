"""Restaurants in the cities of the cast, and meals of our people with customers there."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.restaurants import texts
from services_app.library.restaurants.reservations import next_code
from services_app.library.restaurants.seating import (
    SLOT,
    closed_because,
    deposit_for,
    free_tables,
    times_of,
)
from services_app.library.restaurants.state import Diner, Reservation, Restaurant, RestaurantsState, service
from services_app.library.shared import plus_minutes

_CITIES = (
    ("London", "+44 20 7946"),
    ("Rotterdam", "+31 10 555"),
    ("Lyon", "+33 4 72 55"),
    ("Bristol", "+44 117 496"),
    ("Porto", "+351 22 555"),
    ("Leipzig", "+49 341 555"),
    ("Gothenburg", "+46 31 555"),
    ("Kraków", "+48 12 555"),
    ("Toronto", "+1 416 555"),
    ("Austin", "+1 512 555"),
    ("Osaka", "+81 6 5550"),
    ("Nairobi", "+254 20 555"),
    ("Valparaíso", "+56 32 555"),
)
_STREETS = ("Quay Street", "Mill Lane", "Market Square", "Canal Row", "Foundry Way")
_PRICE = (14.0, 19.0, 27.0, 38.0)  # of a usual main course, by price level
_DIETS = ("vegetarian", "vegan", "gluten_free", "halal", "nut_free")


@service.seed
def fill(state: RestaurantsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    count = ctx.size(26)
    for index in range(count):
        _restaurant(state, ctx, index, min(count // 3, len(_CITIES)))
    for person in cast.staff[: 6 + ctx.size(22)]:
        diets = ctx.random.sample(_DIETS, ctx.random.choice((0, 0, 0, 1, 1, 2)))
        state.diners.create(name=person.name, email=person.email, phone=person.phone, diets=tuple(sorted(diets)))
    cities = {row.city for row in state.restaurants}
    projects = [row for row in cast.projects if row.company.city in cities]
    total = ctx.size(80)
    for index, project in enumerate(projects[:total]):
        _meal(state, ctx, project, index, total)
    _waiting(state, ctx)
    _opinions(state, ctx, cast, projects)


def _restaurant(state: RestaurantsState, ctx: SeedContext, index: int, cities: int) -> None:
    city, dial = _CITIES[index % cities]
    turn = (index // cities + 3 * (index % cities)) % len(texts.RESTAURANTS)
    name, cuisine, level, opens, closes, closed_on, description = texts.RESTAURANTS[turn]
    place = state.restaurants.create(
        name=name.format(city=city),
        cuisine=cuisine,
        price_level=level,
        city=city,
        address=f"{ctx.random.randint(1, 140)} {ctx.random.choice(_STREETS)}, {city}",
        phone=f"{dial} {ctx.random.randint(1000, 9999)}",
        opens=opens,
        closes=closes,
        closed_on=closed_on,
        sitting=ctx.random.choice((90, 120, 120)),
        large_party=ctx.random.choice((6, 8, 8)),
        deposit=float(ctx.random.choice((10, 15, 20))),
        cancel_hours=ctx.random.choice((4, 12, 24)),
        late_fee=float(ctx.random.choice((10, 15, 25))),
        private_minimum=float(ctx.random.choice((300, 450, 600))),
        description=description,
        policy=ctx.random.choice(texts.POLICIES),
    )
    _tables(state, ctx, place)
    for course, factor, diets, dish, text in (*texts.SPECIALS[cuisine], *texts.DISHES):
        if course == "main" or ctx.random.random() < 0.8:
            state.menu_items.create(
                restaurant_id=place.id,
                name=dish,
                course=course,
                price=round(_PRICE[level - 1] * factor * ctx.random.choice((0.95, 1.0, 1.1)) * 2) / 2,
                diets=diets,
                available=ctx.random.random() < 0.9,
                description=text,
            )
    for _ in range(ctx.random.choice((0, 1, 1, 2))):
        day = ctx.date(ctx.random.randint(-5, 35))
        if state.closures.first(restaurant_id=place.id, date=day) is None:
            state.closures.create(restaurant_id=place.id, date=day, reason=ctx.random.choice(texts.CLOSURES))


def _tables(state: RestaurantsState, ctx: SeedContext, place: Restaurant) -> None:
    plan = [("main", 2), ("main", 4), ("main", 4), ("main", 8)][: ctx.random.choice((3, 4))]
    plan += ctx.random.choice(([("terrace", 4)], [("bar", 2)], [("terrace", 2), ("terrace", 6)]))
    if ctx.random.random() < 0.6:
        plan.append(("private", ctx.random.choice((10, 12, 14))))
    for number, (area, seats) in enumerate(plan):
        state.tables.create(restaurant_id=place.id, name=f"Table {number + 1}", area=area, seats=seats)


def _meal(state: RestaurantsState, ctx: SeedContext, project: Project, index: int, total: int) -> None:
    """Meals spread from fifty days ago to forty days ahead; the next ones first, as on the desk."""
    offset = index + 2 if index < 6 else (90 * index // total + 50) % 90 - 50
    day = ctx.date(offset)
    places = [row for row in state.restaurants.find(city=project.company.city) if not closed_because(state, row, day)]
    if not places or offset == 0:
        return
    place = ctx.random.choice(places)
    times = [at for at in times_of(place, day) if at[11:16] in ("12:00", "12:30", "18:00", "18:30", "19:00", "20:00")]
    party = ctx.random.choice((2, 2, 3, 4, 4, 6, 8, 10))
    area = "private" if party > 8 else ctx.random.choice((None, None, "terrace"))
    moment = ctx.random.choice(times)
    tables, diner = free_tables(state, place, moment, party, area), ctx.random.choice(list(state.diners))
    if not tables or any(row.starts_at[:10] == day for row in state.reservations.find(diner_id=diner.id)):
        return
    facts = people.facts(ctx, project)
    row = state.reservations.create(
        code=next_code(state),
        restaurant_id=place.id,
        table_id=tables[0].id,
        diner_id=diner.id,
        starts_at=moment,
        party_size=party,
        status="booked",
        occasion=ctx.random.choice(("business", "business", "business", "team", "farewell")),
        special_request=ctx.random.choice(texts.REQUESTS).format(**facts),
        reference=project.po_number if ctx.random.random() < 0.7 else "",
        deposit=deposit_for(place, party),
        booked_at=ctx.moment(min(offset - ctx.random.randint(3, 20), -1), ctx.random.randint(8, 17), 40),
    )
    _company(state, ctx, row, project, diner)
    for number, (sender, text) in enumerate(ctx.random.sample(texts.MESSAGES, ctx.random.choice((0, 1, 1, 2)))):
        sent = ctx.moment(min(offset, 0) - 4 + number, ctx.random.randint(9, 18), ctx.random.randint(0, 59))
        state.messages.create(reservation_id=row.id, sender=sender, text=text.format(**facts), sent_at=sent)
    if index % 9 == 7:
        late = index % 2 == 1
        state.reservations.patch(row.id, status="cancelled", fee=round(place.late_fee * party, 2) if late else 0.0)
    elif offset < -2 and index % 14 == 5:
        state.reservations.patch(row.id, status="no_show", fee=round(place.late_fee * party, 2))


def _company(state: RestaurantsState, ctx: SeedContext, row: Reservation, project: Project, diner: Diner) -> None:
    """Who comes along, and what is ordered ahead."""
    guests = [person for person in (*project.company.people, project.owner) if person.email != diner.email]
    for number, person in enumerate(guests[: row.party_size]):
        coming = number < row.party_size - 1 and ctx.random.random() < 0.6
        state.invitations.create(
            reservation_id=row.id,
            name=person.name,
            email=person.email,
            diets=tuple(sorted(ctx.random.sample(_DIETS, ctx.random.choice((0, 0, 1))))),
            answer="accepted" if coming else ctx.random.choice(("invited", "declined")),
        )
    if row.party_size >= 6 or ctx.random.random() < 0.25:
        dishes = state.menu_items.find(restaurant_id=row.restaurant_id, available=True)
        for dish in ctx.random.sample(dishes, min(len(dishes), ctx.random.choice((1, 2, 3)))):
            state.preorder_items.create(
                reservation_id=row.id,
                menu_item_id=dish.id,
                quantity=ctx.random.randint(1, row.party_size),
                unit_price=dish.price,
                remark=ctx.random.choice(("", "", "without nuts", "sauce apart")),
            )


def _waiting(state: RestaurantsState, ctx: SeedContext) -> None:
    """People who wait on days when the restaurant is closed or full for them, one whose table has become free."""
    places, diners = list(state.restaurants), list(state.diners)
    for number in range(ctx.size(14)):
        place, diner = places[(2 * number) % len(places)], diners[(3 * number + 1) % len(diners)]
        state.waitlist_entries.create(
            restaurant_id=place.id,
            diner_id=diner.id,
            date=ctx.date(3 + number),
            from_time="18:00",
            to_time="20:30",
            party_size=(2, 12, 4, 14, 9)[number % 5],
            status="left" if number % 4 == 3 else "waiting",
        )


def _opinions(state: RestaurantsState, ctx: SeedContext, cast: Cast, projects: list[Project]) -> None:
    past = [row for row in state.reservations if row.status == "booked" and row.starts_at < ctx.moment(-4)]
    for row in past[::3]:
        author = state.diners.get(row.diner_id).name
        _review(state, ctx, row.restaurant_id, row.id, author, plus_minutes(row.starts_at, 24 * SLOT * 2)[:10])
    others = [person for company in cast.companies for person in company.people]
    for number, place in enumerate(state.restaurants):
        for turn in range(ctx.random.choice((1, 2, 3))):
            day = ctx.date(-ctx.random.randint(5, 220))
            _review(state, ctx, place.id, None, others[(number * 3 + turn) % len(others)].name, day)
    chosen = ctx.random.sample([row.id for row in state.restaurants], min(ctx.size(8), len(state.restaurants)))
    for number, restaurant_id in enumerate(chosen):
        note = ctx.random.choice(texts.FAVORITE_NOTES).format(**people.facts(ctx, projects[number]))
        state.favorites.create(restaurant_id=restaurant_id, note=note)


def _review(
    state: RestaurantsState, ctx: SeedContext, place_id: str, reservation_id: str | None, author: str, day: str
) -> None:
    place, cast = state.restaurants.get(place_id), people.build(ctx)
    near = [row for row in cast.projects[:300] if row.company.city == place.city] or list(cast.projects[:20])
    facts = people.facts(ctx, ctx.random.choice(near)) | {"place": place.name}
    stars, title, text = ctx.random.choice(texts.REVIEWS)
    state.dining_reviews.create(
        restaurant_id=place_id,
        reservation_id=reservation_id,
        author=author,
        stars=stars,
        title=title,
        text=text.format(**facts),
        posted_on=day,
    )
