"""What follows from the points: the present, days, how it feels, rules that are met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from services_app.engine import invalid
from services_app.library.shared import Json, brief, grouped, plus_minutes
from services_app.library.weather.state import AlertRule, Location, Point, WeatherState, WeatherWarning

STEP = 180  # minutes of a point
SHOWN = ("starts_at", "temperature", "rain", "rain_chance", "wind", "wind_gust", "humidity", "condition")
_WORST = ("storm", "snow", "heavy_rain", "rain", "fog", "cloudy", "clear")


def points_of(state: WeatherState, location_id: str, first: str, last: str) -> list[Point]:
    """The points of a location that overlap the time from `first` up to, not including, `last`; by time."""
    early = plus_minutes(first, -STEP)
    found = [row for row in state.points.find(location_id=location_id) if early < row.starts_at < last]
    return sorted(found, key=lambda row: row.starts_at)


def current(state: WeatherState, location_id: str, now: str) -> Point:
    """The point that covers this instant, or the last one before it."""
    return max(
        (row for row in state.points.find(location_id=location_id) if row.starts_at <= now),
        key=lambda row: row.starts_at,
    )


def feels_like(point: Point) -> float:
    """Wind chill below ten degrees in wind, otherwise the temperature."""
    if point.temperature > 10 or point.wind < 5:
        return point.temperature
    power = float(point.wind**0.16)
    return round(13.12 + 0.6215 * point.temperature - 11.37 * power + 0.3965 * point.temperature * power, 1)


def daily(points: Sequence[Point]) -> list[Json]:
    """Days with their extremes, sums and the worst condition, for points in order of time."""
    days = grouped(points, lambda row: row.starts_at[:10])
    return [
        {
            "date": day,
            "temperature_min": min(row.temperature for row in rows),
            "temperature_max": max(row.temperature for row in rows),
            "rain_total": round(sum(row.rain for row in rows), 1),
            "rain_chance": max(row.rain_chance for row in rows),
            "wind_gust_max": max(row.wind_gust for row in rows),
            "condition": worst(rows),
        }
        for day, rows in days.items()
    ]


def worst(points: Sequence[Point]) -> str:
    """The worst condition that occurs; clear and cloudy by which is more frequent."""
    seen = Counter(str(row.condition) for row in points)
    bad = next((name for name in _WORST[:-2] if seen[name]), None)
    return bad or ("clear" if seen["clear"] > seen["cloudy"] else "cloudy")


def location_shown(state: WeatherState, row: Location, now: str) -> Json:
    """A location with its present weather."""
    point = current(state, row.id, now)
    return {
        **brief(row, "id", "name", "city", "country", "elevation"),
        "temperature": point.temperature,
        "condition": point.condition,
        "warnings": len(warnings_at(state, row.id, now)),
    }


def warnings_at(state: WeatherState, location_id: str, moment: str) -> list[WeatherWarning]:
    """Warnings in force at an instant."""
    found = state.warnings.find(location_id=location_id, status="in_force")
    return [row for row in found if row.starts_at <= moment < row.ends_at]


def meets(rule: AlertRule, point: Point) -> bool:
    value = float(getattr(point, rule.metric))
    return value > rule.value if rule.comparison == "above" else value < rule.value


def rule_shown(state: WeatherState, rule: AlertRule, now: str) -> Json:
    """A rule with whether the forecast of its next hours meets it, when first and how far."""
    place = state.saved_places.get(rule.saved_place_id)
    ahead = points_of(state, place.location_id, now, plus_minutes(now, rule.hours_ahead * 60))
    met = [row for row in ahead if meets(rule, row)]
    values = [float(getattr(row, rule.metric)) for row in met]
    return {
        **rule.plain(),
        "label": place.label,
        "muted": rule.muted_until is not None and rule.muted_until > now,
        "triggered": bool(met),
        "first_at": met[0].starts_at if met else None,
        "peak": (max(values) if rule.comparison == "above" else min(values)) if values else None,
    }


LIMITS = {"temperature": (-50.0, 55.0), "wind_gust": (0.0, 250.0), "rain": (0.0, 200.0)}


def check_value(metric: str, value: float) -> float:
    """A threshold that the metric can reach; 422 `value_out_of_range` otherwise."""
    low, high = LIMITS[metric]
    if not low <= value <= high:
        raise invalid(f"A threshold for {metric} lies between {low:.0f} and {high:.0f}.", type="value_out_of_range")
    return value
