"""Tools for places: finding, directions, reviews, corrections."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.maps.geo import (
    check_reach,
    city_of,
    is_open,
    metres,
    minutes,
    place_shown,
    rating,
    traffic,
)
from services_app.library.maps.state import (
    Category,
    EditField,
    EditStatus,
    MapsState,
    Place,
    PlaceReview,
    SuggestedEdit,
    TravelMode,
    service,
)
from services_app.library.maps.timetable import best_journey, nearest_stops
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_text,
    check_time,
    cursor_page,
    keep,
    newest_first,
    offset_page,
    plus_minutes,
    search,
    with_fields,
)

PlaceId = Annotated[str, f.ref("places")]
City = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
Stars = Annotated[int, f.count("stars"), Field(ge=1, le=5)]


@service.tool()
def search_places(  # noqa: PLR0913, PLR0917 - one per filter
    state: MapsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    category: Category | None = None,
    min_rating: Annotated[float, f.Semantic("count", unit="stars"), Field(ge=1, le=5)] | None = None,
    open_at: f.Timestamp | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Search places by words in the name, address or description, by name.

    Errors: `invalid_time`.

    Args:
        query: Words that must all occur.
        city: Only places in this city.
        category: Only places of this kind.
        min_rating: Only places with at least so many stars on average.
        open_at: Only places that are open at this time (UTC).
        limit: At most so many places.
        offset: Skip so many places.
    """
    moment = check_time(open_at) if open_at else None
    found = [
        row
        for row in keep(search(state.places, query, _words), category=category)
        if city_of(row, city)
        and (moment is None or is_open(row, moment))
        and (min_rating is None or (rating(state, row) or 0.0) >= min_rating)
    ]
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("places", found, limit, offset)
    page["places"] = [place_shown(state, row) for row in page["places"]]
    return page


def _words(row: Place) -> tuple[str, ...]:
    return row.name, row.address, row.description


@service.tool()
def get_place(state: MapsState, ctx: CallContext, place_id: PlaceId) -> Json:
    """Show a place with opening hours, rating, stops nearby, your lists and corrections that wait.

    Errors: `not_found`.

    Args:
        place_id: Id of the place.
    """
    place = state.places.get(place_id)
    saved = state.saved_places.find(place_id=place_id)
    return with_fields(
        place,
        open_now=is_open(place, ctx.now),
        rating=rating(state, place),
        reviews=state.place_reviews.count(place_id=place_id),
        nearest_stops=nearest_stops(state, place, 3),
        saved=[{"list": state.place_lists.get(row.list_id).name, "note": row.note} for row in saved],
        pending_edits=state.suggested_edits.find(place_id=place_id, status="pending"),
    )


@service.tool()
def search_nearby(
    state: MapsState,
    ctx: CallContext,
    place_id: PlaceId,
    radius_metres: Annotated[int, f.count("metres"), Field(ge=50, le=50_000)] = 1500,
    category: Category | None = None,
    open_now: bool = False,
    limit: Limit = 10,
) -> Json:
    """Find places within a distance of another one, the nearest first.

    Errors: `not_found`.

    Args:
        place_id: Id of the place in the middle.
        radius_metres: How far in a straight line.
        category: Only places of this kind.
        open_now: Only places that are open now.
        limit: At most so many places.
    """
    middle = state.places.get(place_id)
    near = [
        (metres(middle, row), row.id, row)
        for row in keep(state.places, category=category)
        if row.id != place_id and (not open_now or is_open(row, ctx.now))
    ]
    near = sorted(item for item in near if item[0] <= radius_metres)
    shown = [{**place_shown(state, row), "metres": distance} for distance, _, row in near[: int(limit)]]
    return {"around": brief(middle, "id", "name", "city"), "places": shown, "total": len(near)}


@service.tool()
def get_directions(
    state: MapsState,
    ctx: CallContext,
    origin_place_id: PlaceId,
    destination_place_id: PlaceId,
    mode: TravelMode = "driving",
    depart_at: f.Timestamp | None = None,
) -> Json:
    """Work out distance, duration and arrival between two places; drivers with traffic, transit with lines and changes.

    Errors: `not_found`, `invalid_time`, `same_place`, `too_far` for the mode, `no_connection` by public transport.

    Args:
        origin_place_id: Id of the place of departure.
        destination_place_id: Id of the destination.
        mode: driving, cycling, walking or transit.
        depart_at: Time of departure (UTC); now when left out.
    """
    origin, goal = state.places.get(origin_place_id), state.places.get(destination_place_id)
    moment = check_time(depart_at) if depart_at else ctx.now
    distance = check_reach(origin, goal, mode)
    answer: Json = {
        "origin": brief(origin, "id", "name", "address"),
        "destination": brief(goal, "id", "name", "address"),
        "mode": mode,
        "departs_at": moment,
    }
    if mode == "transit":
        journey = best_journey(state, origin, goal, moment)
        if journey is None:
            raise conflict("No line connects these places then; try another time or mode.", type="no_connection")
        found = {**answer, **journey}
    else:
        late, incidents = traffic(state, origin, goal, moment) if mode == "driving" else (0, [])
        duration = minutes(distance, mode) + late
        found = {
            **answer,
            "distance_metres": distance,
            "duration_minutes": duration,
            "traffic_delay_minutes": late,
            "incidents": incidents,
            "arrives_at": plus_minutes(moment, duration),
        }
    return {**found, "open_on_arrival": is_open(goal, str(found["arrives_at"]))}


@service.tool()
def list_place_reviews(
    state: MapsState,
    ctx: CallContext,
    place_id: PlaceId | None = None,
    query: Query | None = None,
    max_stars: Stars = 5,
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """List reviews of a place, or of all places, newest first.

    Errors: `not_found`.

    Args:
        place_id: Only reviews of this place.
        query: Words in the text.
        max_stars: Only reviews with at most so many stars.
        limit: At most so many reviews.
        cursor: next_cursor of the previous page.
    """
    if place_id is not None:
        state.places.get(place_id)
    found = [
        row
        for row in search(state.place_reviews, query, lambda row: (row.text,))
        if place_id in (None, row.place_id) and row.stars <= max_stars
    ]
    found = newest_first(found, "posted_on")
    page = cursor_page("reviews", found, limit, cursor)
    page["reviews"] = [with_fields(row, place=state.places.get(row.place_id).name) for row in page["reviews"]]
    return page


@service.tool(phrase="review the place {place_id} with {stars} stars")
def write_place_review(state: MapsState, ctx: CallContext, place_id: PlaceId, stars: Stars, text: Body) -> PlaceReview:
    """Review a place; a second review of the same place replaces your first one.

    Errors: `not_found`, `blank_text`.

    Args:
        place_id: Id of the place.
        stars: From 1 to 5.
        text: What others should know.
    """
    state.places.get(place_id)
    content = {"stars": stars, "text": check_text(text, "text"), "posted_on": ctx.today}
    mine = state.place_reviews.first(place_id=place_id, author=ME.name)
    if mine:
        return state.place_reviews.patch(mine.id, **content)
    return state.place_reviews.create(place_id=place_id, author=ME.name, **content)


@service.tool(phrase="suggest {value} as the {field} of the place {place_id}")
def suggest_edit(
    state: MapsState,
    ctx: CallContext,
    place_id: PlaceId,
    field: EditField,
    value: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=500)],
    comment: f.Text = "",
) -> SuggestedEdit:
    """Suggest a correction of a place; the map's editors decide on it.

    Errors: `not_found`, `blank_text`, `already_suggested` (a correction of this field waits), `no_change`.

    Args:
        place_id: Id of the place.
        field: What is wrong.
        value: What it should be.
        comment: How you know.
    """
    place, wanted = state.places.get(place_id), check_text(value, "value")
    if state.suggested_edits.first(place_id=place_id, field=field, status="pending"):
        raise conflict(f"A correction of the {field} of {place.name} waits already.", type="already_suggested")
    present = f"{place.opens}-{place.closes}" if field == "opening_hours" else str(getattr(place, field))
    if wanted == present:
        raise invalid(f"The {field} is {present!r} already.", type="no_change")
    return state.suggested_edits.create(
        place_id=place_id,
        field=field,
        value=wanted,
        comment=comment,
        status="pending",
        author=ME.name,
        suggested_at=ctx.now,
    )


@service.tool()
def list_suggested_edits(
    state: MapsState,
    ctx: CallContext,
    place_id: PlaceId | None = None,
    status: EditStatus | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List corrections that you and others suggested, newest first.

    Errors: `not_found`.

    Args:
        place_id: Only corrections of this place.
        status: Only corrections that wait, were accepted or rejected.
        limit: At most so many corrections.
        offset: Skip so many corrections.
    """
    if place_id is not None:
        state.places.get(place_id)
    found = keep(state.suggested_edits, place_id=place_id, status=status)
    found = newest_first(found, "suggested_at")
    page = offset_page("edits", found, limit, offset)
    page["edits"] = [with_fields(row, place=state.places.get(row.place_id).name) for row in page["edits"]]
    return page
