"""Departures and journeys by public transport, computed from lines and alerts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services_app.library.maps.geo import metres, minutes, way
from services_app.library.maps.state import Line, MapsState, Place, ServiceAlert, Stop
from services_app.library.shared import Json, minutes_between, plus_minutes

WALK = 1500  # metres on streets that people walk to a stop
HORIZON = 180  # minutes that somebody waits at most


@dataclass(frozen=True, slots=True)
class Ride:
    """One leg: from stop to stop on a line."""

    line: Line
    start: str
    end: str
    departs: str
    arrives: str


def active_alerts(state: MapsState, day: str, line_id: str) -> list[ServiceAlert]:
    return [row for row in state.service_alerts.find(line_id=line_id) if row.starts_on <= day <= row.ends_on]


def closed_stops(state: MapsState, day: str, line_id: str) -> set[str]:
    return {row.stop_id for row in active_alerts(state, day, line_id) if row.effect == "stop_closed" and row.stop_id}


def _delay(state: MapsState, day: str, line_id: str) -> int | None:
    """Minutes by which a line is late on a day; None when it does not run."""
    alerts = active_alerts(state, day, line_id)
    if any(row.effect == "suspended" for row in alerts):
        return None
    return max((row.delay_minutes for row in alerts if row.effect == "delay"), default=0)


def passages(state: MapsState, line: Line, stop_id: str, after: str) -> Iterator[tuple[str, str]]:
    """Instants at or after `after`, until the end of that day, at which the line leaves the stop, and for which end.

    Both ways are mixed and not in order of time.
    """
    day = after[:10]
    late = _delay(state, day, line.id)
    if late is None or stop_id in closed_stops(state, day, line.id):
        return
    for stops, legs in ((line.stop_ids, line.leg_minutes), (line.stop_ids[::-1], line.leg_minutes[::-1])):
        place = stops.index(stop_id)
        if place == len(stops) - 1:
            continue  # it ends here
        first = plus_minutes(f"{day}T{line.first_departure}:00Z", sum(legs[:place]) + late)
        last = plus_minutes(f"{day}T{line.last_departure}:00Z", sum(legs[:place]) + late)
        skipped = max(-(-minutes_between(first, after) // line.headway), 0) if after > first else 0
        moment = plus_minutes(first, skipped * line.headway)
        while moment <= last:
            yield moment, stops[-1]
            moment = plus_minutes(moment, line.headway)


def _ride(state: MapsState, line: Line, start: str, end: str, after: str) -> Ride | None:
    """The first ride between two stops of a line at or after an instant; None when there is none soon."""
    here, there = line.stop_ids.index(start), line.stop_ids.index(end)
    if here == there or end in closed_stops(state, after[:10], line.id):
        return None
    terminus = line.stop_ids[-1] if here < there else line.stop_ids[0]
    departs = min((at for at, towards in passages(state, line, start, after) if towards == terminus), default=None)
    if departs is None or minutes_between(after, departs) > HORIZON:
        return None
    length = sum(line.leg_minutes[min(here, there) : max(here, there)])
    return Ride(line, start, end, departs, plus_minutes(departs, length))


def best_journey(state: MapsState, origin: Place, goal: Place, after: str) -> Json | None:
    """The journey with at most one change that arrives first, or None."""
    starts, ends = _stops_near(state, origin), _stops_near(state, goal)
    found: list[tuple[str, int, list[Ride], int]] = []
    for start, walk in starts.items():
        for end, last_walk in ends.items():
            for rides in _chains(state, start, end, plus_minutes(after, walk)):
                arrival = plus_minutes(rides[-1].arrives, last_walk)
                found.append((arrival, len(rides), rides, walk + last_walk))
    if not found:
        return None
    arrival, _, rides, walking = min(found, key=lambda row: (row[0], row[1], row[2][0].departs, row[3]))
    return {
        "duration_minutes": minutes_between(after, arrival),
        "arrives_at": arrival,
        "walking_minutes": walking,
        "changes": len(rides) - 1,
        "legs": [_leg(state, ride) for ride in rides],
    }


def _stops_near(state: MapsState, place: Place) -> dict[str, int]:
    """Stop -> minutes on foot, the five nearest within reach."""
    reach = sorted((way(place, stop), stop.id) for stop in state.stops.find(city=place.city))
    return {identity: minutes(distance, "walking") for distance, identity in reach[:5] if distance <= WALK}


def _chains(state: MapsState, start: str, end: str, after: str) -> Iterator[list[Ride]]:
    lines = [row for row in state.lines if start in row.stop_ids]
    for line in lines:
        if end in line.stop_ids:
            ride = _ride(state, line, start, end, after)
            if ride:
                yield [ride]
    for line in lines:
        for other in state.lines:
            if end in other.stop_ids and other.id != line.id:
                for change in (stop for stop in line.stop_ids if stop in other.stop_ids):
                    first = _ride(state, line, start, change, after)
                    second = _ride(state, other, change, end, plus_minutes(first.arrives, 2)) if first else None
                    if first and second:
                        yield [first, second]


def _leg(state: MapsState, ride: Ride) -> Json:
    return {
        "line_id": ride.line.id,
        "line": ride.line.number,
        "mode": ride.line.mode,
        "from_stop": state.stops.get(ride.start).name,
        "to_stop": state.stops.get(ride.end).name,
        "departs_at": ride.departs,
        "arrives_at": ride.arrives,
    }


def nearest_stops(state: MapsState, place: Place, count: int) -> list[Json]:
    """The stops nearest to a place, with metres in a straight line."""

    def far(stop: Stop) -> tuple[int, str]:
        return metres(place, stop), stop.id

    stops = sorted(state.stops.find(city=place.city), key=far)[:count]
    return [{"stop_id": stop.id, "name": stop.name, "metres": metres(place, stop)} for stop in stops]
