"""Tools that find restaurants: words, dishes, free times, reviews, favorites."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.restaurants.seating import (
    closed_because,
    phase_of,
    rating_of,
    restaurant_shown,
    slots,
    times_of,
)
from services_app.library.restaurants.state import (
    Area,
    Course,
    Cuisine,
    Diet,
    DiningReview,
    Favorite,
    Restaurant,
    RestaurantsState,
    service,
)
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    brief,
    check_date,
    check_text,
    keep,
    newest_first,
    offset_page,
    same,
    search,
    with_fields,
)

RestaurantId = Annotated[str, f.ref("restaurants")]
City = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
Party = Annotated[int, f.count("guests"), Field(ge=1, le=30)]
Stars = Annotated[int, f.count("stars"), Field(ge=1, le=5)]
PriceLevel = Annotated[int, f.Semantic("count"), Field(ge=1, le=4)]


@service.tool()
def search_restaurants(  # noqa: PLR0913, PLR0917 - one per filter
    state: RestaurantsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    cuisine: Cuisine | None = None,
    max_price_level: PriceLevel = 4,
    diet: Diet | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find restaurants by words, city, cuisine, price and diet, by name.

    Args:
        query: Words in the name, address, description or policy.
        city: Only restaurants in this city.
        cuisine: Only restaurants of this cuisine.
        max_price_level: From 1 (cheap) to 4 (dear).
        diet: Only restaurants with a main course for this diet.
        limit: At most so many restaurants.
        offset: Skip so many restaurants.
    """
    found = keep(search(state.restaurants, query, _words), city=city, cuisine=cuisine)
    found = [row for row in found if row.price_level <= max_price_level and (diet is None or _suits(state, row, diet))]
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("restaurants", found, limit, offset)
    page["restaurants"] = [restaurant_shown(state, row) for row in page["restaurants"]]
    return page


def _words(row: Restaurant) -> tuple[str, ...]:
    return row.name, row.address, row.description, row.policy


def _suits(state: RestaurantsState, row: Restaurant, diet: str) -> bool:
    dishes = state.menu_items.find(restaurant_id=row.id, course="main", available=True)
    return any(diet in dish.diets for dish in dishes)


@service.tool()
def get_restaurant(state: RestaurantsState, ctx: CallContext, restaurant_id: RestaurantId) -> Json:
    """Show a restaurant with its policy, tables by area, closures to come, rating and whether it is a favorite.

    Errors: `not_found`.

    Args:
        restaurant_id: Id of the restaurant.
    """
    place = state.restaurants.get(restaurant_id)
    tables = state.tables.find(restaurant_id=restaurant_id)
    areas = sorted({row.area for row in tables})
    favorite = state.favorites.first(restaurant_id=restaurant_id)
    return with_fields(
        place,
        areas=[
            {
                "area": area,
                "tables": sum(1 for row in tables if row.area == area),
                "largest_party": max(row.seats for row in tables if row.area == area),
            }
            for area in areas
        ],
        closures=[row for row in state.closures.find(restaurant_id=restaurant_id) if row.date >= ctx.today],
        rating=rating_of(state, restaurant_id),
        favorite=favorite.note if favorite else None,
    )


@service.tool()
def get_menu(
    state: RestaurantsState,
    ctx: CallContext,
    restaurant_id: RestaurantId,
    course: Course | None = None,
    diet: Diet | None = None,
) -> Json:
    """Show the dishes and drinks of a restaurant with prices and for which diets they are suitable.

    Errors: `not_found`.

    Args:
        restaurant_id: Id of the restaurant.
        course: Only starters, mains, desserts or drinks.
        diet: Only what suits this diet.
    """
    place = state.restaurants.get(restaurant_id)
    rows = keep(state.menu_items.find(restaurant_id=restaurant_id), course=course)
    dishes = [row for row in rows if diet is None or diet in row.diets]
    return {"restaurant_id": place.id, "restaurant": place.name, "menu": dishes}


@service.tool()
def search_table_availability(
    state: RestaurantsState,
    ctx: CallContext,
    city: City,
    date: f.Date,
    party_size: Party = 2,
    time: f.Time | None = None,
    cuisine: Cuisine | None = None,
    area: Area | None = None,
) -> Json:
    """Search the restaurants of a city that have a table on a day, with up to three times nearest to yours.

    Errors: `invalid_date`.

    Args:
        city: City.
        date: The day.
        party_size: How many people.
        time: When you want to come (UTC); the first times when left out.
        cuisine: Only restaurants of this cuisine.
        area: Only tables in this area; the private room only when it is asked for.
    """
    day = check_date(date)
    found = []
    for place in keep(state.restaurants, city=city, cuisine=cuisine):
        free = slots(state, place, day, party_size, area, ctx.now)
        if time is not None:
            free.sort(key=lambda at: (abs(_minute(at[11:16]) - _minute(time)), at))
        if free:
            found.append({**restaurant_shown(state, place), "times": sorted(free[:3])})
    found.sort(key=lambda row: (-(row["rating"] or 0.0), row["id"]))
    return {"date": day, "restaurants": found[:40], "total": len(found)}


def _minute(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


@service.tool()
def get_available_times(
    state: RestaurantsState,
    ctx: CallContext,
    restaurant_id: RestaurantId,
    date: f.Date | None = None,
    party_size: Party = 2,
    area: Area | None = None,
) -> Json:
    """Show the times of a day at which a restaurant has a table, and why it is closed if it is.

    Errors: `not_found`, `invalid_date`.

    Args:
        restaurant_id: Id of the restaurant.
        date: The day; tomorrow when left out.
        party_size: How many people.
        area: Only tables in this area; the private room only when it is asked for.
    """
    place = state.restaurants.get(restaurant_id)
    day = check_date(date) if date else ctx.in_days(1)
    reason = closed_because(state, place, day)
    return {
        "restaurant_id": place.id,
        "restaurant": place.name,
        "date": day,
        "times": slots(state, place, day, party_size, area, ctx.now),
        "sittings": 0 if reason else len(times_of(place, day)),
        "closed": reason or None,
    }


@service.tool()
def list_dining_reviews(
    state: RestaurantsState,
    ctx: CallContext,
    restaurant_id: RestaurantId | None = None,
    query: Query | None = None,
    max_stars: Stars = 5,
    limit: Limit = 10,
    offset: Offset = 0,
) -> Json:
    """List reviews of a restaurant, or of all, newest first.

    Errors: `not_found`.

    Args:
        restaurant_id: Only reviews of this restaurant.
        query: Words in the title or text.
        max_stars: Only reviews with at most so many stars.
        limit: At most so many reviews.
        offset: Skip so many reviews.
    """
    if restaurant_id is not None:
        state.restaurants.get(restaurant_id)
    found = [
        row
        for row in search(state.dining_reviews, query, lambda row: (row.title, row.text))
        if restaurant_id in (None, row.restaurant_id) and row.stars <= max_stars
    ]
    found = newest_first(found, "posted_on")
    return offset_page("reviews", found, limit, offset)


@service.tool(phrase="review the meal {reservation_id} with {stars} stars")
def write_dining_review(
    state: RestaurantsState,
    ctx: CallContext,
    reservation_id: Annotated[str, f.ref("reservations")],
    stars: Stars,
    title: Name,
    text: Body,
) -> DiningReview:
    """Review a meal that is over, once.

    Errors: `not_found`, `reservation_closed`, `not_over`, `already_reviewed`, `blank_text`.

    Args:
        reservation_id: Id of the reservation.
        stars: From 1 to 5.
        title: Headline.
        text: What was good and what was not.
    """
    row = state.reservations.get(reservation_id)
    if row.status != "booked":
        raise conflict(f"{row.code} is {row.status}; nobody ate there.", type="reservation_closed")
    if phase_of(state, row, ctx.now) != "completed":
        raise conflict(f"{row.code} is not over; review it afterwards.", type="not_over")
    if state.dining_reviews.first(reservation_id=row.id):
        raise conflict(f"{row.code} has a review already.", type="already_reviewed")
    return state.dining_reviews.create(
        restaurant_id=row.restaurant_id,
        reservation_id=row.id,
        author=state.diners.get(row.diner_id).name,
        stars=stars,
        title=check_text(title, "title"),
        text=check_text(text, "text"),
        posted_on=ctx.today,
    )


@service.tool()
def list_favorites(
    state: RestaurantsState, ctx: CallContext, query: Query | None = None, city: City | None = None
) -> Json:
    """Show your favorite restaurants with your notes.

    Args:
        query: Words in the name or your note.
        city: Only favorites in this city.
    """

    def texts(row: Favorite) -> tuple[str, str]:
        return row.note, state.restaurants.get(row.restaurant_id).name

    found = []
    for row in search(state.favorites, query, texts):
        place = state.restaurants.get(row.restaurant_id)
        if city is None or same(place.city, city):
            found.append({**brief(row, "id", "restaurant_id", "note"), **brief(place, "name", "city", "cuisine")})
    return {"favorites": found[:100], "total": len(found)}


@service.tool(phrase="mark the restaurant {restaurant_id} as a favorite")
def mark_favorite(
    state: RestaurantsState, ctx: CallContext, restaurant_id: RestaurantId, note: f.Text = ""
) -> Favorite:
    """Mark a restaurant as a favorite, or change your note about it.

    Errors: `not_found`, `no_change` (it is one with this note).

    Args:
        restaurant_id: Id of the restaurant.
        note: What you want to remember.
    """
    place = state.restaurants.get(restaurant_id)
    present = state.favorites.first(restaurant_id=restaurant_id)
    if present is None:
        return state.favorites.create(restaurant_id=restaurant_id, note=note)
    if present.note == note:
        raise invalid(f"{place.name} is a favorite with this note already.", type="no_change")
    return state.favorites.patch(present.id, note=note)


@service.tool(phrase="unmark the favorite {favorite_id}")
def unmark_favorite(
    state: RestaurantsState, ctx: CallContext, favorite_id: Annotated[str, f.ref("favorites")]
) -> Favorite:
    """Take a restaurant off the favorites.

    Errors: `not_found`.

    Args:
        favorite_id: Id of the favorite, as list_favorites shows it.
    """
    return state.favorites.delete(favorite_id)
