"""Distances, times on the road and what is open: what follows from where things are."""

from __future__ import annotations

import math

from services_app.engine import conflict
from services_app.library.maps.state import MapsState, Place, Stop
from services_app.library.shared import Json, brief, mean, same, weekday_of

# Metres a minute, and how much longer the way is than the straight line.
SPEED = {"driving": 500.0, "cycling": 260.0, "walking": 80.0}
HIGHWAY = 1500.0  # metres a minute of long drives
DETOUR = 1.3
FURTHEST = {"driving": 3_000_000, "cycling": 120_000, "walking": 40_000, "transit": 60_000}
NEAR_INCIDENT = 1500  # metres within which an incident slows drivers who start or arrive there


def metres(one: Place | Stop, other: Place | Stop) -> int:
    """The straight line between two points of the earth."""
    lat = math.radians(other.latitude - one.latitude)
    lon = math.radians(other.longitude - one.longitude)
    across = math.cos(math.radians(one.latitude)) * math.cos(math.radians(other.latitude))
    part = math.sin(lat / 2) ** 2 + across * math.sin(lon / 2) ** 2
    return round(2 * 6_371_000 * math.asin(math.sqrt(part)))


def way(one: Place | Stop, other: Place | Stop) -> int:
    """Metres on streets."""
    return round(metres(one, other) * DETOUR)


def minutes(distance: int, mode: str) -> int:
    """Minutes for so many metres; long drives are faster after the first twenty kilometres."""
    if mode == "driving" and distance > 20_000:
        return math.ceil(20_000 / SPEED[mode] + (distance - 20_000) / HIGHWAY)
    return math.ceil(distance / SPEED[mode])


def check_reach(one: Place, other: Place, mode: str) -> int:
    """Metres on streets between two places; 409 `same_place` or `too_far` for the mode."""
    if one.id == other.id:
        raise conflict(f"{one.name} is start and destination; choose two places.", type="same_place")
    distance = way(one, other)
    if distance > FURTHEST[mode]:
        raise conflict(
            f"{other.name} is {distance / 1000:.0f} km away; {mode} reaches {FURTHEST[mode] // 1000} km.",
            type="too_far",
        )
    return distance


def traffic(state: MapsState, one: Place, other: Place, moment: str) -> tuple[int, list[str]]:
    """Minutes that incidents near either end cost a driver at this instant, and the ids of the incidents."""
    found = [
        row
        for row in state.traffic_incidents
        if row.starts_at <= moment < row.ends_at
        and min(metres(state.places.get(row.place_id), end) for end in (one, other)) <= NEAR_INCIDENT
    ]
    return sum(row.delay_minutes for row in found), [row.id for row in found]


def is_open(place: Place, moment: str) -> bool:
    """Whether a place is open at an instant."""
    weekday = weekday_of(moment)
    return place.status == "open" and weekday not in place.closed_on and place.opens <= moment[11:16] < place.closes


def rating(state: MapsState, place: Place) -> float | None:
    """Mean of the stars, to one decimal; None without reviews."""
    return mean([row.stars for row in state.place_reviews.find(place_id=place.id)])


def place_shown(state: MapsState, place: Place) -> Json:
    """A place as lists show it."""
    return {**brief(place, "id", "name", "category", "city", "address", "status"), "rating": rating(state, place)}


def city_of(place: Place | Stop, city: str | None) -> bool:
    """Whether something is in a city; None means any."""
    return city is None or same(place.city, city)
