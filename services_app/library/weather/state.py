"""What the weather service holds. Daily figures, what feels how cold and which rules are met follow from the points.

All times are UTC. A point is the weather of three hours: observed up to now, forecast after it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Condition = Annotated[Literal["clear", "cloudy", "rain", "heavy_rain", "snow", "fog", "storm"], LABEL]
Hazard = Annotated[Literal["wind", "flood", "snow_ice", "heat", "fog", "thunderstorm"], LABEL]
Severity = Annotated[Literal["yellow", "orange", "red"], LABEL]
WarningStatus = Annotated[Literal["in_force", "superseded", "withdrawn"], LABEL]
Metric = Annotated[Literal["temperature", "wind_gust", "rain"], LABEL]
Comparison = Annotated[Literal["above", "below"], LABEL]
Days = Annotated[Literal["daily", "weekdays", "mondays"], LABEL]
ProtocolStatus = Annotated[Literal["current", "superseded"], LABEL]
Celsius = Annotated[float, f.Semantic("count", unit="degrees Celsius")]
Speed = Annotated[int, f.count("km/h")]
Millimetres = Annotated[float, f.Semantic("count", unit="mm")]


class Location(Record):
    about: ClassVar[About] = About("location", "locations", prefix="LOC-", width=3, key="name")

    name: f.Place
    city: f.Place
    country: f.Place
    elevation: Annotated[int, f.count("metres")]


class Point(Record):
    about: ClassVar[About] = About("weather point", "weather points", prefix="WP-", width=5, key="")

    location_id: Annotated[str, f.ref("locations")]
    starts_at: f.Timestamp
    temperature: Celsius
    rain: Millimetres
    rain_chance: Annotated[int, f.Semantic("percent")]
    wind: Speed
    wind_gust: Speed
    humidity: Annotated[int, f.Semantic("percent")]
    condition: Condition


class WeatherWarning(Record):
    about: ClassVar[About] = About("warning", "warnings", prefix="WRN-", key="headline", carrier="document")

    location_id: Annotated[str, f.ref("locations")]
    hazard: Hazard
    severity: Severity
    headline: f.Title
    text: f.Text
    issued_at: f.Timestamp
    starts_at: f.Timestamp
    ends_at: f.Timestamp
    status: WarningStatus


class Acknowledgement(Record):
    about: ClassVar[About] = About("acknowledgement", "acknowledgements", prefix="ACK-", key="", carrier="note")

    warning_id: Annotated[str, f.ref("warnings")]
    author_email: f.Email
    text: f.Text
    given_at: f.SystemTime


class SavedPlace(Record):
    """A site whose weather somebody looks after."""

    about: ClassVar[About] = About("saved place", "saved places", prefix="SPL-", width=3, key="label")

    location_id: Annotated[str, f.ref("locations")]
    label: f.Title
    contact_email: f.Email
    note: f.Text = ""


class AlertRule(Record):
    about: ClassVar[About] = About("alert rule", "alert rules", prefix="RUL-", width=3, key="")

    saved_place_id: Annotated[str, f.ref("saved_places")]
    metric: Metric
    comparison: Comparison
    value: Annotated[float, f.Semantic("count")]
    """In degrees, km/h or mm in three hours, by the metric."""
    hours_ahead: Annotated[int, f.duration("hours")]
    recipient_email: f.Email
    muted_until: f.Timestamp | None = None


class Digest(Record):
    about: ClassVar[About] = About("digest", "digests", prefix="DIG-", width=3, key="")

    saved_place_id: Annotated[str, f.ref("saved_places")]
    recipient_email: f.Email
    days: Days
    send_at: f.Time
    forecast_days: Annotated[int, f.duration("days")]
    active: bool


class ConditionReport(Record):
    """What somebody saw on the spot."""

    about: ClassVar[About] = About("condition report", "condition reports", prefix="OBS-", key="", carrier="note")

    location_id: Annotated[str, f.ref("locations")]
    reporter_email: f.Email
    condition: Condition
    text: f.Text
    seen_at: f.SystemTime


class Protocol(Record):
    """What is to be done in which weather."""

    about: ClassVar[About] = About(
        "weather protocol", "weather protocols", prefix="WPR-", key="title", carrier="document"
    )

    title: f.Title
    status: ProtocolStatus
    body: f.Text
    valid_from: f.Date


class WeatherState(State):
    locations: Table[Location]
    points: Table[Point]
    warnings: Table[WeatherWarning]
    acknowledgements: Table[Acknowledgement]
    saved_places: Table[SavedPlace]
    alert_rules: Table[AlertRule]
    digests: Table[Digest]
    condition_reports: Table[ConditionReport]
    protocols: Table[Protocol]


service = Service(
    "weather",
    title="Weather",
    domain="travel and places",
    description="Weather of sites: forecasts, history, official warnings, threshold alerts, digests and protocols.",
    state=WeatherState,
    files=sources(__file__),
)
