"""Tools that look at the weather: locations, now, hours, days, the past, windows for work."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Body,
    Cursor,
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_date,
    check_range,
    check_text,
    check_time,
    cursor_page,
    keep,
    mean,
    minutes_between,
    newest_first,
    offset_page,
    plus_days,
    plus_minutes,
    search,
    with_fields,
)
from services_app.library.weather.figures import (
    SHOWN,
    STEP,
    current,
    daily,
    feels_like,
    location_shown,
    points_of,
    warnings_at,
)
from services_app.library.weather.state import Condition, ConditionReport, Point, WeatherState, service

LocationId = Annotated[str, f.ref("locations")]
Country = Annotated[str, f.Semantic("place"), Field(min_length=2, max_length=60)]
Gust = Annotated[int, f.count("km/h"), Field(ge=0, le=250)]
Rain = Annotated[float, f.Semantic("count", unit="mm"), Field(ge=0, le=200)]
Order = Annotated[Literal["coldest", "warmest", "wettest", "windiest"], LABEL]
_ORDER = {
    "coldest": ("temperature_min", 1),
    "warmest": ("temperature_max", -1),
    "wettest": ("rain_total", -1),
    "windiest": ("wind_gust_max", -1),
}


@service.tool()
def search_locations(
    state: WeatherState,
    ctx: CallContext,
    query: Query | None = None,
    country: Country | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Json:
    """Find locations by words in the name or city, with the weather of now, by name.

    Args:
        query: Words that must all occur.
        country: Only locations in this country.
        limit: At most so many locations.
        offset: Skip so many locations.
    """
    found = keep(search(state.locations, query, lambda row: (row.name, row.city)), country=country)
    found.sort(key=lambda row: (row.name, row.id))
    page = offset_page("locations", found, limit, offset)
    page["locations"] = [location_shown(state, row, ctx.now) for row in page["locations"]]
    return page


@service.tool()
def get_current_weather(state: WeatherState, ctx: CallContext, location_id: LocationId) -> Json:
    """Show the weather of now at a location, with warnings in force and the latest report from the spot.

    Errors: `not_found`.

    Args:
        location_id: Id of the location.
    """
    place = state.locations.get(location_id)
    point = current(state, location_id, ctx.now)
    reports = sorted(state.condition_reports.find(location_id=location_id), key=lambda row: (row.seen_at, row.id))
    return {
        "location_id": place.id,
        "name": place.name,
        **brief(point, *SHOWN),
        "feels_like": feels_like(point),
        "warnings": [brief(row, "id", "severity", "headline") for row in warnings_at(state, location_id, ctx.now)],
        "latest_report": reports[-1] if reports else None,
    }


@service.tool()
def get_hourly_forecast(
    state: WeatherState,
    ctx: CallContext,
    location_id: LocationId,
    from_time: f.Timestamp | None = None,
    hours: Annotated[int, f.duration("hours"), Field(ge=3, le=120)] = 24,
) -> Json:
    """Show the forecast in steps of three hours.

    Errors: `not_found`, `invalid_time`, `no_forecast` (there is none that far ahead).

    Args:
        location_id: Id of the location.
        from_time: From this time on (UTC); now when left out, and never before now.
        hours: How many hours.
    """
    place = state.locations.get(location_id)
    start = max(check_time(from_time), ctx.now) if from_time else ctx.now
    points = points_of(state, location_id, start, plus_minutes(start, hours * 60))
    return {"location_id": place.id, "name": place.name, "steps": [brief(row, *SHOWN) for row in _some(points, start)]}


def _some(points: list[Point], start: str) -> list[Point]:
    if not points:
        raise conflict(f"The forecast does not reach {start[:10]}; ask again nearer to it.", type="no_forecast")
    return points


@service.tool()
def get_daily_forecast(
    state: WeatherState,
    ctx: CallContext,
    location_id: LocationId,
    days: Annotated[int, f.duration("days"), Field(ge=1, le=10)] = 5,
    from_date: f.Date | None = None,
) -> Json:
    """Show days with lowest and highest temperature, rain, gusts and the worst condition.

    Errors: `not_found`, `invalid_date`, `no_forecast` (there is none that far ahead).

    Args:
        location_id: Id of the location.
        days: How many days.
        from_date: First day; today when left out, and never before today.
    """
    place = state.locations.get(location_id)
    start = max(check_date(from_date), ctx.today) if from_date else ctx.today
    points = _days(state, location_id, start, plus_days(start, days - 1))
    return {"location_id": place.id, "name": place.name, "days": daily(_some(points, start))}


def _days(state: WeatherState, location_id: str, first: str, last: str) -> list[Point]:
    """The points that begin on these days."""
    found = [row for row in state.points.find(location_id=location_id) if first <= row.starts_at[:10] <= last]
    return sorted(found, key=lambda row: row.starts_at)


@service.tool()
def get_historical_weather(
    state: WeatherState,
    ctx: CallContext,
    location_id: LocationId,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
) -> Json:
    """Show the observed weather of past days, and of all of them together. About a week is kept.

    Errors: `not_found`, `invalid_date`, `invalid_range`, `no_records` (nothing is kept of these days).

    Args:
        location_id: Id of the location.
        from_date: First day; six days ago when left out.
        to_date: Last day; yesterday when left out.
    """
    place = state.locations.get(location_id)
    first, last = from_date or ctx.in_days(-6), to_date or ctx.in_days(-1)
    check_range(first, last)
    points = _days(state, location_id, first, min(last, ctx.in_days(-1)))
    if not points:
        raise conflict(f"No observations of {first} to {last} are kept; choose days of last week.", type="no_records")
    days = daily(points)
    return {
        "location_id": place.id,
        "name": place.name,
        "days": days,
        "rain_total": round(sum(row["rain_total"] for row in days), 1),
        "temperature_mean": mean([row.temperature for row in points]),
        "wind_gust_max": max(row["wind_gust_max"] for row in days),
    }


@service.tool()
def compare_saved_places(
    state: WeatherState, ctx: CallContext, date: f.Date | None = None, order: Order = "wettest"
) -> Json:
    """Compare the weather of your saved places on a day, observed or forecast, the most extreme first.

    Errors: `invalid_date`, `no_forecast` (the day is too far away).

    Args:
        date: The day; today when left out.
        order: What is compared.
    """
    day = date or ctx.today
    check_range(day, None)
    rows: list[Json] = []
    for place in state.saved_places:
        points = _days(state, place.location_id, day, day)
        rows += [{"saved_place_id": place.id, "label": place.label, **row} for row in daily(points)]
    if not rows:
        raise conflict(f"There is no weather of {day}; choose a day of this or next week.", type="no_forecast")
    name, sign = _ORDER[order]
    rows.sort(key=lambda row: (sign * row[name], row["saved_place_id"]))
    return {"date": day, "places": rows}


@service.tool()
def find_weather_window(
    state: WeatherState,
    ctx: CallContext,
    location_id: LocationId,
    hours: Annotated[int, f.duration("hours"), Field(ge=3, le=48)] = 6,
    max_gust: Gust = 45,
    max_rain: Rain = 0.5,
    from_hour: Annotated[int, f.Semantic("count"), Field(ge=0, le=21)] = 6,
) -> Json:
    """Find the next times at which work outside is possible: long enough, without gusts and rain above the limits.

    Errors: `not_found`.

    Args:
        location_id: Id of the location.
        hours: How long the work takes.
        max_gust: Highest gust in km/h.
        max_rain: Most rain in three hours, in mm.
        from_hour: Earliest hour of the day (UTC) at which work can begin.
    """
    place = state.locations.get(location_id)
    ahead = [row for row in state.points.find(location_id=location_id) if row.starts_at >= ctx.now]
    ahead.sort(key=lambda row: row.starts_at)
    needed = -(-int(hours) * 60 // STEP)
    found = []
    for index, first in enumerate(ahead[: len(ahead) - needed + 1]):
        block = ahead[index : index + needed]
        fits = all(row.wind_gust <= max_gust and row.rain <= max_rain for row in block)
        if fits and int(first.starts_at[11:13]) >= from_hour:
            found.append(
                {
                    "starts_at": first.starts_at,
                    "ends_at": plus_minutes(first.starts_at, hours * 60),
                    "wind_gust_max": max(row.wind_gust for row in block),
                    "rain_total": round(sum(row.rain for row in block), 1),
                    "temperature_min": min(row.temperature for row in block),
                }
            )
    return {"location_id": place.id, "name": place.name, "windows": found[:12], "total": len(found)}


REPORT_PAUSE = 30  # minutes between two reports from one location


@service.tool()
def list_condition_reports(
    state: WeatherState,
    ctx: CallContext,
    query: Query | None = None,
    location_id: LocationId | None = None,
    condition: Condition | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List what people saw on the spot, newest first.

    Errors: `not_found`.

    Args:
        query: Words in the text or the reporter's address.
        location_id: Only reports from this location.
        condition: Only reports of this condition.
        limit: At most so many reports.
        cursor: next_cursor of the previous page.
    """
    if location_id is not None:
        state.locations.get(location_id)
    found = search(state.condition_reports, query, lambda row: (row.text, row.reporter_email))
    found = keep(found, location_id=location_id, condition=condition)
    found = newest_first(found, "seen_at")
    page = cursor_page("reports", found, limit, cursor)
    page["reports"] = [with_fields(row, location=state.locations.get(row.location_id).name) for row in page["reports"]]
    return page


@service.tool(phrase="report {condition} at the location {location_id}")
def add_condition_report(
    state: WeatherState, ctx: CallContext, location_id: LocationId, condition: Condition, text: Body
) -> Json:
    """Report what you see at a location now, for others; you can do so every half hour.

    Errors: `not_found`, `blank_text`, `too_soon` (you reported from there just now).

    Args:
        location_id: Id of the location.
        condition: What it is like.
        text: What others should know.
    """
    place, words = state.locations.get(location_id), check_text(text, "text")
    for row in state.condition_reports.find(location_id=location_id, reporter_email=ME.email):
        if minutes_between(row.seen_at, ctx.now) < REPORT_PAUSE:
            raise conflict(f"You reported from {place.name} at {row.seen_at}; wait half an hour.", type="too_soon")
    report: ConditionReport = state.condition_reports.create(
        location_id=location_id, reporter_email=ME.email, condition=condition, text=words, seen_at=ctx.now
    )
    measured = current(state, location_id, ctx.now).condition
    return with_fields(report, location=place.name, measured=measured, agrees=measured == condition)
