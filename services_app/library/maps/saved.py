"""Tools for what you keep: lists of places with notes, and routes with several stops."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.maps.geo import FURTHEST, metres, minutes, place_shown, way
from services_app.library.maps.places import PlaceId
from services_app.library.maps.state import MapsState, PlaceList, Route, RouteMode, SavedPlace, service
from services_app.library.shared import Json, Name, Query, brief, check_text, same, search

ListId = Annotated[str, f.ref("place_lists")]
RouteId = Annotated[str, f.ref("routes")]
StayMinutes = Annotated[int, f.duration("minutes"), Field(ge=0, le=480)]
MOST_STOPS = 10


@service.tool()
def list_place_lists(state: MapsState, ctx: CallContext, query: Query | None = None) -> Json:
    """Show your lists with the places on them and your notes.

    Args:
        query: Only lists with these words in the name, a place or a note.
    """
    found = [_list_shown(state, row) for row in search(state.place_lists, query, lambda row: _list_words(state, row))]
    return {"lists": found, "total": len(found)}


def _list_words(state: MapsState, row: PlaceList) -> list[str]:
    saved = state.saved_places.find(list_id=row.id)
    return [row.name, *(text for item in saved for text in (item.note, state.places.get(item.place_id).name))]


def _list_shown(state: MapsState, row: PlaceList) -> Json:
    saved = state.saved_places.find(list_id=row.id)
    return {
        "id": row.id,
        "name": row.name,
        "places": [
            {"saved_place_id": item.id, "note": item.note, **place_shown(state, state.places.get(item.place_id))}
            for item in saved
        ],
    }


@service.tool(phrase="start a list of places called {name}")
def create_list(state: MapsState, ctx: CallContext, name: Name) -> PlaceList:
    """Start an empty list of places.

    Errors: `blank_text`, `name_taken`.

    Args:
        name: Name of the list.
    """
    title = check_text(name, "name")
    if any(same(row.name, title) for row in state.place_lists):
        raise conflict(f"There is a list {title!r} already; add places to it.", type="name_taken")
    return state.place_lists.create(name=title)


@service.tool(phrase="put the place {place_id} on the list {list_id}")
def add_place_to_list(
    state: MapsState, ctx: CallContext, list_id: ListId, place_id: PlaceId, note: f.Text = ""
) -> SavedPlace:
    """Put a place on a list, or change your note about it when it is on the list already.

    Errors: `not_found`, `no_change` (it is there with this note).

    Args:
        list_id: Id of the list.
        place_id: Id of the place.
        note: What you want to remember.
    """
    row, place = state.place_lists.get(list_id), state.places.get(place_id)
    present = state.saved_places.first(list_id=list_id, place_id=place_id)
    if present is None:
        return state.saved_places.create(list_id=list_id, place_id=place_id, note=note)
    if present.note == note:
        raise conflict(f"{place.name} is on {row.name!r} with this note already.", type="no_change")
    return state.saved_places.patch(present.id, note=note)


@service.tool(phrase="take the saved place {saved_place_id} off its list")
def remove_place_from_list(
    state: MapsState, ctx: CallContext, saved_place_id: Annotated[str, f.ref("saved_places")]
) -> Json:
    """Take a place off a list; its note is lost.

    Errors: `not_found`.

    Args:
        saved_place_id: Id of the entry, as list_place_lists shows it.
    """
    entry = state.saved_places.delete(saved_place_id)
    return _list_shown(state, state.place_lists.get(entry.list_id))


@service.tool()
def get_travel_times(
    state: MapsState, ctx: CallContext, origin_place_id: PlaceId, list_id: ListId, mode: RouteMode = "driving"
) -> Json:
    """Compare the way from one place to all places of a list, the nearest first, without traffic.

    Places that the mode does not reach have no duration.
    Errors: `not_found`, `empty_list`.

    Args:
        origin_place_id: Id of the place of departure.
        list_id: Id of the list.
        mode: driving, cycling or walking.
    """
    origin, row = state.places.get(origin_place_id), state.place_lists.get(list_id)
    goals = [state.places.get(item.place_id) for item in state.saved_places.find(list_id=list_id)]
    if not goals:
        raise conflict(f"{row.name!r} is empty; add places first.", type="empty_list")
    ways = sorted((way(origin, goal), goal.id, goal.name) for goal in goals)
    return {
        "origin_place_id": origin.id,
        "origin": origin.name,
        "destinations": [
            {
                "place_id": identity,
                "name": name,
                "distance_metres": distance,
                "duration_minutes": minutes(distance, mode) if distance <= FURTHEST[mode] else None,
            }
            for distance, identity, name in ways
        ],
    }


# Routes


def _legs(state: MapsState, place_ids: tuple[str, ...]) -> list[int]:
    """Metres from each stop to the next."""
    places = [state.places.get(identity) for identity in place_ids]
    return [way(one, other) for one, other in pairwise(places)]


def _check_legs(state: MapsState, place_ids: tuple[str, ...], mode: str) -> tuple[str, ...]:
    """The stops, when the mode reaches each from the one before; 409 `too_far` otherwise."""
    for distance in _legs(state, place_ids):
        if distance > FURTHEST[mode]:
            raise conflict(f"A leg of {distance // 1000} km is too far for {mode}; leave it out.", type="too_far")
    return place_ids


def _route_shown(state: MapsState, route: Route) -> Json:
    legs = _legs(state, route.place_ids)
    travel = sum(minutes(distance, route.mode) for distance in legs)
    return {
        **brief(route, "id", "name", "mode", "minutes_per_stop"),
        "stops": [
            {"position": index + 1, "place_id": identity, "name": state.places.get(identity).name}
            for index, identity in enumerate(route.place_ids)
        ],
        "distance_metres": sum(legs),
        "travel_minutes": travel,
        "total_minutes": travel + route.minutes_per_stop * (len(route.place_ids) - 1),
    }


@service.tool()
def list_routes(state: MapsState, ctx: CallContext, query: Query | None = None) -> Json:
    """List your routes with distance and time, by name.

    Args:
        query: Only routes with these words in the name or a stop.
    """

    def texts(row: Route) -> list[str]:
        return [row.name, *(state.places.get(identity).name for identity in row.place_ids)]

    found = sorted(search(state.routes, query, texts), key=lambda row: (row.name, row.id))
    return {"routes": [_route_shown(state, row) for row in found[:50]], "total": len(found)}


@service.tool(phrase="plan a route called {name} from {start_place_id}")
def create_route(
    state: MapsState,
    ctx: CallContext,
    name: Name,
    start_place_id: PlaceId,
    mode: RouteMode = "driving",
    minutes_per_stop: StayMinutes = 20,
) -> Json:
    """Start a route at a place; add_route_stop adds where it goes.

    Errors: `not_found`, `blank_text`, `name_taken`.

    Args:
        name: Name of the route.
        start_place_id: Id of the place where it starts.
        mode: driving, cycling or walking.
        minutes_per_stop: Minutes spent at each stop after the start.
    """
    start, title = state.places.get(start_place_id), check_text(name, "name")
    if any(same(row.name, title) for row in state.routes):
        raise conflict(f"There is a route {title!r} already; choose another name.", type="name_taken")
    route = state.routes.create(name=title, mode=mode, place_ids=(start.id,), minutes_per_stop=minutes_per_stop)
    return _route_shown(state, route)


@service.tool(phrase="add the stop {place_id} to the route {route_id}")
def add_route_stop(
    state: MapsState,
    ctx: CallContext,
    route_id: RouteId,
    place_id: PlaceId,
    position: Annotated[int, f.Semantic("count"), Field(ge=2, le=MOST_STOPS)] | None = None,
) -> Json:
    """Add a stop to a route; a route has up to ten and goes to each place once.

    Errors: `not_found`, `already_a_stop`, `route_full`, `invalid_position`, `too_far` for the route's mode.

    Args:
        route_id: Id of the route.
        place_id: Id of the place.
        position: Place in the order, 2 is right after the start; at the end when left out.
    """
    route, place = state.routes.get(route_id), state.places.get(place_id)
    if place.id in route.place_ids:
        raise conflict(f"{place.name} is a stop of {route.name!r} already.", type="already_a_stop")
    if len(route.place_ids) >= MOST_STOPS:
        raise conflict(f"{route.name!r} has {MOST_STOPS} stops; start another route.", type="route_full")
    index = len(route.place_ids) if position is None else int(position) - 1
    if index > len(route.place_ids):
        raise invalid(f"The last position is {len(route.place_ids) + 1}.", type="invalid_position")
    stops = (*route.place_ids[:index], place.id, *route.place_ids[index:])
    return _route_shown(state, state.routes.patch(route_id, place_ids=_check_legs(state, stops, route.mode)))


@service.tool(phrase="take the stop {place_id} out of the route {route_id}")
def remove_route_stop(state: MapsState, ctx: CallContext, route_id: RouteId, place_id: PlaceId) -> Json:
    """Take a stop out of a route; the start stays.

    Errors: `not_found`, `not_a_stop`, `start_stays`, `too_far` (the leg that would remain).

    Args:
        route_id: Id of the route.
        place_id: Id of the place.
    """
    route, place = state.routes.get(route_id), state.places.get(place_id)
    if place.id not in route.place_ids:
        raise conflict(f"{place.name} is no stop of {route.name!r}.", type="not_a_stop")
    if route.place_ids[0] == place.id:
        raise conflict(f"{route.name!r} starts at {place.name}; create another route.", type="start_stays")
    rest = tuple(identity for identity in route.place_ids if identity != place.id)
    return _route_shown(state, state.routes.patch(route_id, place_ids=_check_legs(state, rest, route.mode)))


@service.tool(phrase="put the stops of the route {route_id} in the shortest order")
def optimize_route(state: MapsState, ctx: CallContext, route_id: RouteId) -> Json:
    """Reorder the stops of a route: from the start always to the nearest stop that is left.

    Errors: `not_found`, `too_few_stops` (two after the start are needed), `no_shorter_order`.

    Args:
        route_id: Id of the route.
    """
    route = state.routes.get(route_id)
    if len(route.place_ids) < 3:
        raise conflict(f"{route.name!r} has one way only; add stops first.", type="too_few_stops")
    order = [route.place_ids[0]]
    left = set(route.place_ids[1:])
    while left:
        here = state.places.get(order[-1])
        nearest = min((metres(here, state.places.get(identity)), identity) for identity in left)
        order.append(nearest[1])
        left.remove(nearest[1])
    stops = tuple(order)
    saved = sum(_legs(state, route.place_ids)) - sum(_legs(state, stops))
    if saved <= 0:
        raise conflict(f"{route.name!r} cannot be made shorter this way.", type="no_shorter_order")
    return {**_route_shown(state, state.routes.patch(route_id, place_ids=stops)), "metres_saved": saved}
