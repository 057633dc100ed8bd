"""Tools for public transport and the roads: stops, departures, lines, alerts, incidents."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.maps.geo import city_of
from services_app.library.maps.places import City, PlaceId
from services_app.library.maps.state import IncidentKind, Line, MapsState, TrafficIncident, TransitMode, service
from services_app.library.maps.timetable import active_alerts, closed_stops, passages
from services_app.library.shared import (
    Body,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_date,
    check_text,
    check_time,
    keep,
    minutes_between,
    newest_first,
    offset_page,
    plus_minutes,
    same,
    search,
    with_fields,
)

LineId = Annotated[str, f.ref("lines")]
StopId = Annotated[str, f.ref("stops")]
MOST_FOLLOWED = 8


@service.tool()
def list_transit_stops(
    state: MapsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    step_free: bool | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find stops of public transport by words in the name or code, with the lines that call there, by name.

    Args:
        query: Words that must all occur.
        city: Only stops in this city.
        step_free: Only stops that can, or cannot, be reached without steps.
        limit: At most so many stops.
        offset: Skip so many stops.
    """
    found = [
        row
        for row in keep(search(state.stops, query, lambda row: (row.name, row.code)), step_free=step_free)
        if city_of(row, city)
    ]
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("stops", found, limit, offset)
    page["stops"] = [
        {
            **brief(row, "id", "name", "code", "city", "step_free"),
            "lines": [line.number for line in state.lines if row.id in line.stop_ids],
        }
        for row in page["stops"]
    ]
    return page


@service.tool()
def get_stop_departures(
    state: MapsState,
    ctx: CallContext,
    stop_id: StopId,
    after: f.Timestamp | None = None,
    line_number: Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=12)] | None = None,
    limit: Limit = 10,
) -> Json:
    """Show the next departures from a stop on that day, delays and closures included.

    Errors: `not_found`, `invalid_time`, `unknown_line` (it does not call there).

    Args:
        stop_id: Id of the stop.
        after: Only departures at or after this time (UTC); now when left out.
        line_number: Only departures of this line.
        limit: At most so many departures.
    """
    stop, moment = state.stops.get(stop_id), check_time(after) if after else ctx.now
    lines = [row for row in state.lines if stop_id in row.stop_ids]
    if line_number is not None:
        lines = [row for row in lines if same(row.number, line_number)]
        if not lines:
            raise invalid(f"The line {line_number} does not call at {stop.name}.", type="unknown_line")
    found = sorted(
        (departs, line.number, state.stops.get(towards).name)
        for line in lines
        for departs, towards in passages(state, line, stop_id, moment)
    )
    departures = [{"departs_at": at, "line": number, "towards": end} for at, number, end in found[: int(limit)]]
    alerts = [row.id for line in lines for row in active_alerts(state, moment[:10], line.id)]
    return {"stop": brief(stop, "id", "name", "code"), "departures": departures, "total": len(found), "alerts": alerts}


@service.tool()
def list_transit_lines(
    state: MapsState,
    ctx: CallContext,
    city: City | None = None,
    mode: TransitMode | None = None,
    followed_only: bool = False,
) -> Json:
    """List lines of public transport with their ends, by city and number.

    Args:
        city: Only lines of this city.
        mode: Only trams, buses or ferries.
        followed_only: Only lines that you follow.
    """
    found = [row for row in keep(state.lines, mode=mode, city=city) if row.followed or not followed_only]
    found.sort(key=lambda row: (row.city, row.number, row.id))
    return {"lines": [_line_shown(state, ctx, row) for row in found[:100]], "total": len(found)}


def _line_shown(state: MapsState, ctx: CallContext, line: Line) -> Json:
    ends = f"{state.stops.get(line.stop_ids[0]).name} - {state.stops.get(line.stop_ids[-1]).name}"
    return {
        **brief(line, "id", "number", "mode", "city", "operator", "headway", "followed"),
        "ends": ends,
        "alerts_today": len(active_alerts(state, ctx.today, line.id)),
    }


@service.tool()
def get_transit_line(state: MapsState, ctx: CallContext, line_id: LineId) -> Json:
    """Show a line with its stops in order, minutes from the first stop, hours of service and alerts of today.

    Errors: `not_found`.

    Args:
        line_id: Id of the line.
    """
    line = state.lines.get(line_id)
    shut = closed_stops(state, ctx.today, line_id)
    stops = [
        {
            "stop_id": stop_id,
            "name": state.stops.get(stop_id).name,
            "minutes_from_start": sum(line.leg_minutes[:index]),
            "closed_today": stop_id in shut,
        }
        for index, stop_id in enumerate(line.stop_ids)
    ]
    return {
        **_line_shown(state, ctx, line),
        "first_departure": line.first_departure,
        "last_departure": line.last_departure,
        "stops": stops,
        "alerts": active_alerts(state, ctx.today, line_id),
    }


@service.tool()
def list_service_alerts(  # noqa: PLR0913, PLR0917 - one per filter
    state: MapsState,
    ctx: CallContext,
    query: Query | None = None,
    city: City | None = None,
    line_id: LineId | None = None,
    active_on: f.Date | None = None,
    followed_only: bool = False,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List alerts of public transport with their full text, the latest start first.

    Errors: `not_found`, `invalid_date`.

    Args:
        query: Words in the title or text.
        city: Only alerts of this city.
        line_id: Only alerts of this line.
        active_on: Only alerts that hold on this day.
        followed_only: Only alerts of lines that you follow.
        limit: At most so many alerts.
        offset: Skip so many alerts.
    """
    if line_id is not None:
        state.lines.get(line_id)
    day = check_date(active_on) if active_on else None
    found = []
    for row in search(state.service_alerts, query, lambda row: (row.title, row.text)):
        line = state.lines.get(row.line_id)
        if (
            line_id in (None, line.id)
            and (city is None or same(line.city, city))
            and (day is None or row.starts_on <= day <= row.ends_on)
            and (line.followed or not followed_only)
        ):
            found.append(with_fields(row, line=line.number, city=line.city))
    found = newest_first(found, "starts_on")
    return offset_page("alerts", found, limit, offset)


@service.tool(phrase="follow the line {line_id}")
def follow_line(state: MapsState, ctx: CallContext, line_id: LineId) -> Json:
    """Follow a line, so that its alerts are among yours; up to eight lines.

    Errors: `not_found`, `already_followed`, `too_many_followed`.

    Args:
        line_id: Id of the line.
    """
    line = state.lines.get(line_id)
    if line.followed:
        raise conflict(f"You follow the line {line.number} already.", type="already_followed")
    if state.lines.count(followed=True) >= MOST_FOLLOWED:
        raise conflict(f"You follow {MOST_FOLLOWED} lines; unfollow one first.", type="too_many_followed")
    return _line_shown(state, ctx, state.lines.patch(line_id, followed=True))


@service.tool(phrase="stop following the line {line_id}")
def unfollow_line(state: MapsState, ctx: CallContext, line_id: LineId) -> Json:
    """Stop following a line.

    Errors: `not_found`, `not_followed`.

    Args:
        line_id: Id of the line.
    """
    line = state.lines.get(line_id)
    if not line.followed:
        raise conflict(f"You do not follow the line {line.number}.", type="not_followed")
    return _line_shown(state, ctx, state.lines.patch(line_id, followed=False))


@service.tool()
def list_traffic_incidents(
    state: MapsState,
    ctx: CallContext,
    city: City | None = None,
    kind: IncidentKind | None = None,
    at: f.Timestamp | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """List accidents, roadworks, closures and congestion, the longest delay first.

    Errors: `invalid_time`.

    Args:
        city: Only incidents in this city.
        kind: Only incidents of this kind.
        at: Only incidents that hold at this time (UTC).
        limit: At most so many incidents.
        offset: Skip so many incidents.
    """
    moment = check_time(at) if at else None
    found = [
        row
        for row in keep(state.traffic_incidents, kind=kind)
        if city_of(state.places.get(row.place_id), city) and (moment is None or row.starts_at <= moment < row.ends_at)
    ]
    found.sort(key=lambda row: (-row.delay_minutes, row.id))
    page = offset_page("incidents", found, limit, offset)
    page["incidents"] = [_incident_shown(state, row) for row in page["incidents"]]
    return page


def _incident_shown(state: MapsState, row: TrafficIncident) -> Json:
    place = state.places.get(row.place_id)
    return with_fields(row, near=place.name, city=place.city, minutes=minutes_between(row.starts_at, row.ends_at))


@service.tool(phrase="report {kind} near the place {place_id}")
def report_traffic_incident(
    state: MapsState,
    ctx: CallContext,
    place_id: PlaceId,
    kind: IncidentKind,
    delay_minutes: Annotated[int, f.duration("minutes"), Field(ge=1, le=120)],
    text: Body,
    lasts_minutes: Annotated[int, f.duration("minutes"), Field(ge=10, le=10_080)] = 60,
) -> Json:
    """Report an incident near a place from now on; drivers who start or arrive near it are slowed down.

    Errors: `not_found`, `blank_text`, `already_reported` (this kind is on the map there now).

    Args:
        place_id: Id of the place it is near to.
        kind: accident, roadworks, closure or congestion.
        delay_minutes: Minutes that drivers lose.
        text: What happened.
        lasts_minutes: How long it lasts from now.
    """
    place, words = state.places.get(place_id), check_text(text, "text")
    for row in state.traffic_incidents.find(place_id=place_id, kind=kind):
        if row.starts_at <= ctx.now < row.ends_at:
            raise conflict(f"{row.id} reports {kind} near {place.name} already.", type="already_reported")
    incident = state.traffic_incidents.create(
        place_id=place_id,
        kind=kind,
        delay_minutes=delay_minutes,
        starts_at=ctx.now,
        ends_at=plus_minutes(ctx.now, lasts_minutes),
        text=words,
        reported_by=ME.name,
    )
    return _incident_shown(state, incident)
