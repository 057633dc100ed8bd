"""Tools for properties: finding, rooms and rates, lists of favourites."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.hotels.rates import (
    check_nights,
    free_until,
    night_rate,
    nights_of,
    property_shown,
    rooms_left,
    score_of,
    stay_price,
)
from services_app.library.hotels.state import Amenity, HotelsState, Property, SavedList, service
from services_app.library.shared import (
    LABEL,
    Json,
    Limit,
    Name,
    Offset,
    Query,
    check_text,
    keep,
    offset_page,
    plus_days,
    same,
    search,
    with_fields,
)

PropertyId = Annotated[str, f.ref("properties")]
ListId = Annotated[str, f.ref("saved_lists")]
City = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
Stars = Annotated[int, f.count("stars"), Field(ge=1, le=5)]
Heads = Annotated[int, f.count("guests"), Field(ge=1, le=16)]
Rooms = Annotated[int, f.count("rooms"), Field(ge=1, le=8)]
Sort = Annotated[Literal["price", "score", "stars"], LABEL]
MAX_SAVED = 20


@service.tool()
def search_properties(
    state: HotelsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    min_stars: Stars = 1,
    amenity: Amenity | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find hotels by words, city, stars and amenities, whatever the dates, by name.

    Args:
        query: Words in the name, chain, address or description.
        city: Only hotels in this city.
        min_stars: Only hotels with at least so many stars.
        amenity: Only hotels that offer this.
        limit: At most so many hotels.
        offset: Skip so many hotels.
    """
    found = [
        row
        for row in keep(search(state.properties, query, _words), city=city)
        if row.stars >= min_stars and (amenity is None or amenity in row.amenities)
    ]
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("properties", found, limit, offset)
    page["properties"] = [property_shown(state, row) for row in page["properties"]]
    return page


def _words(row: Property) -> tuple[str, ...]:
    return row.name, row.chain, row.address, row.description


@service.tool()
def search_availability(
    state: HotelsState,
    ctx: CallContext,
    city: City,
    check_in: f.Date,
    check_out: f.Date,
    guests: Heads = 1,
    max_nightly_rate: Annotated[float, f.Semantic("money"), Field(gt=0, le=5000)] | None = None,
    sort_by: Sort = "price",
) -> Json:
    """Search the hotels of a city that have a free room for the whole stay, with their cheapest room.

    Errors: `invalid_date`, `invalid_range`, `no_night`, `too_long`, `in_the_past`.

    Args:
        city: City.
        check_in: First night.
        check_out: Day of departure.
        guests: People who share the room.
        max_nightly_rate: Only hotels whose cheapest room costs at most so much a night on average.
        sort_by: Cheapest, best reviewed or most stars first.
    """
    check_nights(check_in, check_out, ctx.today)
    nights = nights_of(check_in, check_out)
    found = []
    for hotel in state.properties:
        offers = _cheapest(state, hotel, nights, guests) if same(hotel.city, city) else []
        if offers and (max_nightly_rate is None or offers[0][0] / len(nights) <= max_nightly_rate):
            price, room_id, name, left = offers[0]
            found.append(
                {
                    **property_shown(state, hotel),
                    "room_type_id": room_id,
                    "room_name": name,
                    "rooms_left": left,
                    "price": price,
                }
            )
    found.sort(key=lambda row: (row["price"] if sort_by == "price" else -(row[sort_by] or 0), row["id"]))
    return {"city": city, "nights": len(nights), "properties": found[:50], "total": len(found)}


def _cheapest(state: HotelsState, hotel: Property, nights: list[str], guests: int) -> list[tuple[float, str, str, int]]:
    """Price before any plan, id, name and free rooms of the room types that fit, the cheapest first."""
    found = []
    for room in state.room_types.find(property_id=hotel.id):
        left = rooms_left(state, room, nights) if room.sleeps >= guests else 0
        if left:
            price = round(sum(night_rate(state, room, night) for night in nights), 2)
            found.append((price, room.id, room.name, left))
    return sorted(found)


@service.tool()
def get_property(state: HotelsState, ctx: CallContext, property_id: PropertyId) -> Json:
    """Show a hotel with its house rules, room types, rate plans, seasons and score.

    Errors: `not_found`.

    Args:
        property_id: Id of the hotel.
    """
    hotel = state.properties.get(property_id)
    return with_fields(
        hotel,
        score=score_of(state, hotel),
        reviews=state.reviews.count(property_id=property_id),
        room_types=state.room_types.find(property_id=property_id),
        rate_plans=state.rate_plans.find(property_id=property_id),
        seasons=state.seasons.find(property_id=property_id),
        saved_in=[row.name for row in state.saved_lists if property_id in row.property_ids],
    )


@service.tool()
def get_room_offers(
    state: HotelsState,
    ctx: CallContext,
    property_id: PropertyId,
    check_in: f.Date,
    check_out: f.Date,
    guests: Heads = 1,
    rooms: Rooms = 1,
    refundable_only: bool = False,
) -> Json:
    """Show what each free room type of a hotel costs for a stay under each rate plan, the cheapest first.

    Errors: `not_found`, `invalid_date`, `invalid_range`, `no_night`, `too_long`, `in_the_past`.

    Args:
        property_id: Id of the hotel.
        check_in: First night.
        check_out: Day of departure.
        guests: People in all rooms together.
        rooms: How many rooms.
        refundable_only: Leave out plans that are never refunded.
    """
    state.properties.get(property_id)
    check_nights(check_in, check_out, ctx.today)
    nights = nights_of(check_in, check_out)
    plans = [
        row
        for row in state.rate_plans.find(property_id=property_id)
        if row.min_nights <= len(nights) and (row.refundable or not refundable_only)
    ]
    offers = []
    for room in state.room_types.find(property_id=property_id):
        left = rooms_left(state, room, nights)
        if left < rooms or room.sleeps * rooms < guests:
            continue
        for plan in plans:
            offers.append(
                {
                    "room_type_id": room.id,
                    "room_name": room.name,
                    "rate_plan_id": plan.id,
                    "rate_plan_name": plan.name,
                    "breakfast": plan.breakfast,
                    "price": stay_price(state, room, plan, nights, rooms),
                    "free_cancellation_until": free_until(plan, check_in),
                    "rooms_left": left,
                }
            )
    offers.sort(key=lambda row: (row["price"], row["room_type_id"], row["rate_plan_id"]))
    return {"property_id": property_id, "nights": len(nights), "offers": offers}


@service.tool()
def get_rate_calendar(
    state: HotelsState,
    ctx: CallContext,
    room_type_id: Annotated[str, f.ref("room_types")],
    first_night: f.Date | None = None,
    nights: Annotated[int, f.count("nights"), Field(ge=1, le=42)] = 14,
) -> Json:
    """Show the rate of each night for a room type, before rate plans, and how many rooms are free.

    Errors: `not_found`, `invalid_date`.

    Args:
        room_type_id: Id of the room type.
        first_night: First night; today when left out.
        nights: How many nights.
    """
    room = state.room_types.get(room_type_id)
    dates = [plus_days(first_night or ctx.today, number) for number in range(nights)]
    calendar = [
        {"night": day, "rate": night_rate(state, room, day), "rooms_left": rooms_left(state, room, [day])}
        for day in dates
    ]
    return {"room_type_id": room.id, "room_name": room.name, "property_id": room.property_id, "calendar": calendar}


# Lists of favourites


def _list_shown(state: HotelsState, row: SavedList) -> Json:
    return {
        "id": row.id,
        "name": row.name,
        "properties": [property_shown(state, state.properties.get(identity)) for identity in row.property_ids],
    }


@service.tool()
def list_saved_lists(state: HotelsState, ctx: CallContext, query: Query | None = None) -> Json:
    """Show your lists of favourite hotels with what is in them.

    Args:
        query: Only lists with these words in the name.
    """
    found = search(state.saved_lists, query, lambda row: (row.name,))
    return {"lists": [_list_shown(state, row) for row in found], "total": len(found)}


@service.tool(phrase="start a list of hotels called {name}")
def create_saved_list(state: HotelsState, ctx: CallContext, name: Name) -> SavedList:
    """Start an empty list of favourite hotels.

    Errors: `blank_text`, `name_taken`.

    Args:
        name: Name of the list.
    """
    title = check_text(name, "name")
    if any(same(row.name, title) for row in state.saved_lists):
        raise conflict(f"There is a list {title!r} already; save hotels to it.", type="name_taken")
    return state.saved_lists.create(name=title)


@service.tool(phrase="put the hotel {property_id} on the list {list_id}")
def add_property_to_list(state: HotelsState, ctx: CallContext, list_id: ListId, property_id: PropertyId) -> Json:
    """Put a hotel on a list; a list holds up to twenty.

    Errors: `not_found`, `already_saved`, `list_full`.

    Args:
        list_id: Id of the list.
        property_id: Id of the hotel.
    """
    row, hotel = state.saved_lists.get(list_id), state.properties.get(property_id)
    if hotel.id in row.property_ids:
        raise conflict(f"{hotel.name} is on {row.name!r} already.", type="already_saved")
    if len(row.property_ids) >= MAX_SAVED:
        raise conflict(f"{row.name!r} has {MAX_SAVED} hotels; remove one first.", type="list_full")
    return _list_shown(state, state.saved_lists.patch(row.id, property_ids=(*row.property_ids, hotel.id)))


@service.tool(phrase="take the hotel {property_id} off the list {list_id}")
def remove_property_from_list(state: HotelsState, ctx: CallContext, list_id: ListId, property_id: PropertyId) -> Json:
    """Take a hotel off a list.

    Errors: `not_found`, `not_saved`.

    Args:
        list_id: Id of the list.
        property_id: Id of the hotel.
    """
    row, hotel = state.saved_lists.get(list_id), state.properties.get(property_id)
    if hotel.id not in row.property_ids:
        raise conflict(f"{hotel.name} is not on {row.name!r}.", type="not_saved")
    rest = tuple(identity for identity in row.property_ids if identity != hotel.id)
    return _list_shown(state, state.saved_lists.patch(row.id, property_ids=rest))
