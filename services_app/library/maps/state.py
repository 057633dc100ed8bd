"""What the map holds. Distances, journeys, departures, ratings and what is open follow from the records.

All times are UTC, opening hours and timetables as well.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Category = Annotated[
    Literal[
        "business", "office", "train_station", "freight_terminal", "cafe", "parking", "charging_station", "pharmacy",
        "post_office", "hardware_store",
    ],
    LABEL,
]  # fmt: skip
Weekday = Annotated[
    Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], f.Semantic("label")
]
PlaceStatus = Annotated[Literal["open", "temporarily_closed", "permanently_closed"], LABEL]
TransitMode = Annotated[Literal["tram", "bus", "ferry"], LABEL]
Effect = Annotated[Literal["delay", "suspended", "stop_closed"], LABEL]
IncidentKind = Annotated[Literal["accident", "roadworks", "closure", "congestion"], LABEL]
TravelMode = Annotated[Literal["driving", "cycling", "walking", "transit"], LABEL]
RouteMode = Annotated[Literal["driving", "cycling", "walking"], LABEL]
EditField = Annotated[Literal["name", "phone", "address", "opening_hours", "status"], LABEL]
EditStatus = Annotated[Literal["pending", "accepted", "rejected"], LABEL]
Degrees = Annotated[float, f.Semantic("count", unit="degrees"), Field(ge=-180, le=180)]


class Place(Record):
    about: ClassVar[About] = About("place", "places", prefix="PLC-", key="name")

    name: f.Organisation
    category: Category
    city: f.Place
    address: f.Place
    latitude: Degrees
    longitude: Degrees
    phone: f.Phone
    opens: f.Time
    closes: f.Time
    closed_on: tuple[Weekday, ...]
    status: PlaceStatus
    description: f.Text


class PlaceReview(Record):
    about: ClassVar[About] = About("place review", "place reviews", prefix="PRV-", key="", carrier="note")

    place_id: Annotated[str, f.ref("places")]
    author: f.Person
    stars: Annotated[int, f.count("stars")]
    text: f.Text
    posted_on: f.Date


class SuggestedEdit(Record):
    """A correction that somebody proposed for a place."""

    about: ClassVar[About] = About("suggested edit", "suggested edits", prefix="SGE-", key="")

    place_id: Annotated[str, f.ref("places")]
    field: EditField
    value: f.Text
    comment: f.Text
    status: EditStatus
    author: f.Person
    suggested_at: f.SystemTime


class Stop(Record):
    about: ClassVar[About] = About("transit stop", "transit stops", prefix="STP-", width=3, key="name")

    name: f.Place
    code: f.Code
    city: f.Place
    latitude: Degrees
    longitude: Degrees
    step_free: bool


class Line(Record):
    """A line runs both ways, every `headway` minutes from the first to the last departure of a day."""

    about: ClassVar[About] = About("transit line", "transit lines", prefix="LIN-", width=3, key="number")

    number: f.Code
    mode: TransitMode
    city: f.Place
    operator: f.Organisation
    stop_ids: Annotated[tuple[str, ...], f.ref("stops")]
    leg_minutes: tuple[Annotated[int, f.duration("minutes")], ...]
    """From each stop to the next one; one fewer than stops."""
    first_departure: f.Time
    last_departure: f.Time
    headway: Annotated[int, f.duration("minutes")]
    followed: bool = False


class ServiceAlert(Record):
    about: ClassVar[About] = About(
        "service alert", "service alerts", prefix="ALR-", width=3, key="title", carrier="document"
    )

    title: f.Title
    line_id: Annotated[str, f.ref("lines")]
    stop_id: Annotated[str, f.ref("stops")] | None
    """The closed stop; null when the whole line is concerned."""
    effect: Effect
    delay_minutes: Annotated[int, f.duration("minutes")]
    starts_on: f.Date
    ends_on: f.Date
    text: f.Text


class TrafficIncident(Record):
    about: ClassVar[About] = About("traffic incident", "traffic incidents", prefix="INC-", width=3, key="")

    place_id: Annotated[str, f.ref("places")]
    """The place that it is near to."""
    kind: IncidentKind
    delay_minutes: Annotated[int, f.duration("minutes")]
    starts_at: f.Timestamp
    ends_at: f.Timestamp
    text: f.Text
    reported_by: f.Person


class PlaceList(Record):
    about: ClassVar[About] = About("place list", "place lists", prefix="PLS-", width=3, key="name")

    name: f.Title


class SavedPlace(Record):
    about: ClassVar[About] = About("saved place", "saved places", prefix="SVP-", key="", carrier="note")

    list_id: Annotated[str, f.ref("place_lists")]
    place_id: Annotated[str, f.ref("places")]
    note: f.Text


class Route(Record):
    about: ClassVar[About] = About("route", "routes", prefix="RTE-", width=3, key="name")

    name: f.Title
    mode: RouteMode
    place_ids: Annotated[tuple[str, ...], f.ref("places")]
    minutes_per_stop: Annotated[int, f.duration("minutes")]


class MapsState(State):
    places: Table[Place]
    place_reviews: Table[PlaceReview]
    suggested_edits: Table[SuggestedEdit]
    stops: Table[Stop]
    lines: Table[Line]
    service_alerts: Table[ServiceAlert]
    traffic_incidents: Table[TrafficIncident]
    place_lists: Table[PlaceList]
    saved_places: Table[SavedPlace]
    routes: Table[Route]


service = Service(
    "maps",
    title="Maps",
    domain="travel and places",
    description="Places, directions, public transport with departures and alerts, traffic, saved lists and routes.",
    state=MapsState,
    files=sources(__file__),
)
