"""What the web analytics holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Role = Annotated[Literal["viewer", "analyst", "editor", "admin"], LABEL]
Medium = Annotated[Literal["organic", "cpc", "email", "social", "referral", "none"], LABEL]
CampaignMedium = Annotated[Literal["cpc", "email", "social", "referral"], LABEL]
Device = Annotated[Literal["desktop", "mobile", "tablet"], LABEL]
GoalKind = Annotated[Literal["page", "event"], LABEL]
Importance = Annotated[Literal["note", "release", "outage"], LABEL]
FilterField = Annotated[Literal["source", "country", "campaign"], LABEL]

RANK = {"viewer": 1, "analyst": 2, "editor": 3, "admin": 4}

PropertyId = Annotated[str, f.ref("properties")]
PageId = Annotated[str, f.ref("pages")]
GoalId = Annotated[str, f.ref("goals")]
CampaignId = Annotated[str, f.ref("campaigns")]
SegmentId = Annotated[str, f.ref("segments")]
Source = Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Za-z0-9][\w.\-]{0,60}$")]
UtmName = Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Za-z0-9][\w.\-]*$", max_length=60)]
Value = Annotated[float, f.Semantic("money"), Field(ge=0, le=1_000_000)]
Note = Annotated[str, f.Semantic("text"), Field(max_length=4000)]


class WebProperty(Record):
    about: ClassVar[About] = About("property", "properties", prefix="PROP-", width=2, key="name")

    name: f.Title
    domain: f.Code
    description: f.Text
    created_on: f.Date


class Page(Record):
    about: ClassVar[About] = About("page", "pages", prefix="PG-", key="path")

    property_id: PropertyId
    path: f.Code
    title: f.Title
    author_email: f.Email
    published_on: f.Date


class Traffic(Record):
    about: ClassVar[About] = About("traffic record", "traffic records", prefix="TR-", width=5, key="")

    property_id: PropertyId
    date: f.Date
    page_id: PageId
    source: f.Code
    medium: Medium
    campaign: f.Code = ""
    country: f.Place
    device: Device
    users: Annotated[int, f.count("users", system=True)]
    sessions: Annotated[int, f.count("sessions", system=True)]
    pageviews: Annotated[int, f.count("pageviews", system=True)]
    bounces: Annotated[int, f.count("sessions", system=True)]
    seconds: Annotated[int, f.count("seconds", system=True)]
    event_name: f.Code = ""
    event_count: Annotated[int, f.count("events", system=True)] = 0


class Goal(Record):
    about: ClassVar[About] = About("goal", "goals", prefix="GOAL-", width=3, key="name")

    property_id: PropertyId
    name: f.Title
    kind: GoalKind
    match: f.Code
    """Beginning of a path, or name of an event."""
    value: f.Money
    """What one conversion is worth, in GBP."""
    description: f.Text = ""


class Campaign(Record):
    about: ClassVar[About] = About("campaign", "campaigns", prefix="CMP-", key="utm_campaign", carrier="note")

    property_id: PropertyId
    utm_campaign: f.Code
    source: f.Code
    medium: CampaignMedium
    budget: f.Money
    start_date: f.Date
    end_date: f.Date
    owner_email: f.Email
    notes: f.Text = ""


class Segment(Record):
    about: ClassVar[About] = About("segment", "segments", prefix="SEG-", key="name")

    name: f.Title
    source: f.Code | None = None
    medium: Medium | None = None
    country: f.Place | None = None
    device: Device | None = None
    path_prefix: f.Code | None = None
    owner_email: f.Email


class Annotation(Record):
    about: ClassVar[About] = About("annotation", "annotations", prefix="ANN-", key="", carrier="note")

    property_id: PropertyId
    date: f.Date
    text: f.Text
    importance: Importance = "note"
    by_email: f.Email


class TrafficFilter(Record):
    about: ClassVar[About] = About("traffic filter", "traffic filters", prefix="FLT-", key="value")

    property_id: PropertyId
    field: FilterField
    value: f.Code
    reason: f.Text
    active: bool = True


class Access(Record):
    about: ClassVar[About] = About("property user", "property users", prefix="ACC-", key="email")

    property_id: PropertyId
    name: f.Person
    email: f.Email
    role: Role


class PlanPage(Record):
    about: ClassVar[About] = About(
        "tracking plan page",
        "tracking plan pages",
        prefix="PLAN-",
        width=2,
        key="title",
        carrier="document",
    )

    title: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class WebState(State):
    properties: Table[WebProperty]
    pages: Table[Page]
    traffic: Table[Traffic]
    goals: Table[Goal]
    campaigns: Table[Campaign]
    segments: Table[Segment]
    annotations: Table[Annotation]
    filters: Table[TrafficFilter]
    users: Table[Access]
    plan: Table[PlanPage]


service = Service(
    "web-analytics",
    title="Web Analytics",
    domain="data and analytics",
    description="Traffic of web sites: reports by any dimension, goals, campaigns, segments, annotations and filters.",
    state=WebState,
    files=sources(__file__),
)
