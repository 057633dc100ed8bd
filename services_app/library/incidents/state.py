"""What incident management holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Severity = Annotated[Literal["sev1", "sev2", "sev3", "sev4"], LABEL]
Status = Annotated[Literal["triggered", "acknowledged", "mitigated", "resolved"], LABEL]
AlertStatus = Annotated[Literal["firing", "acknowledged", "closed"], LABEL]
IncidentRole = Annotated[Literal["commander", "communications", "scribe", "responder"], LABEL]
PostmortemStatus = Annotated[Literal["draft", "in_review", "published"], LABEL]
ActionStatus = Annotated[Literal["open", "done"], LABEL]
EntryKind = Annotated[Literal["note", "status", "severity", "role", "page", "update"], LABEL]

OPEN = ("triggered", "acknowledged", "mitigated")
MINUTES_TO_ACKNOWLEDGE = {"sev1": 5, "sev2": 15, "sev3": 60, "sev4": 480}

IncidentId = Annotated[str, f.ref("incidents")]
ServiceName = Annotated[str, f.ref("services")]
ScheduleId = Annotated[str, f.ref("schedules")]
Note = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]


class Schedule(Record):
    about: ClassVar[About] = About("on-call schedule", "on-call schedules", prefix="SCH-", width=2, key="name")

    name: f.Title
    member_emails: tuple[f.Email, ...]
    """The rotation, in order; each takes a week."""
    rotation_start: f.Date
    escalate_to: f.Email
    """Who is paged when nobody answers."""


class Override(Record):
    about: ClassVar[About] = About("on-call override", "on-call overrides", prefix="OVR-", key="")

    schedule_id: ScheduleId
    email: f.Email
    first_day: f.Date
    last_day: f.Date
    reason: f.Text = ""


class BusinessService(Record):
    about: ClassVar[About] = About("service", "services", prefix="SVC-", key="name")

    name: f.Title
    """The id is the name of its repository."""
    description: f.Text
    schedule_id: ScheduleId
    runbook: f.Text
    """What to do first."""


class Responder(Record):
    about: ClassVar[About] = About("responder", "responders", prefix="RSP-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone


class Alert(Record):
    about: ClassVar[About] = About("alert", "alerts", prefix="ALT-", width=5, key="summary", carrier="note")

    service: ServiceName
    summary: f.Title
    details: f.Text
    source: f.Label
    status: AlertStatus = "firing"
    incident_id: Annotated[str | None, f.ref("incidents")] = None
    fired_at: f.SystemTime


class Incident(Record):
    about: ClassVar[About] = About("incident", "incidents", prefix="INC-", key="title")

    title: f.Title
    service: ServiceName
    severity: Severity
    status: Status
    summary: f.Text
    cause: f.Text = ""
    related_issue: f.Code = ""
    """Key of the issue under which the cause is repaired."""
    reported_by: f.Email
    triggered_at: f.SystemTime
    acknowledged_at: f.SystemTime | None = None
    mitigated_at: f.SystemTime | None = None
    resolved_at: f.SystemTime | None = None


class Assignment(Record):
    about: ClassVar[About] = About("incident role", "incident roles", prefix="ROLE-", key="email")

    incident_id: IncidentId
    role: IncidentRole
    email: f.Email


class Impact(Record):
    about: ClassVar[About] = About("affected customer", "affected customers", prefix="IMP-", key="company")

    incident_id: IncidentId
    company: f.Organisation
    contact_email: f.Email
    note: f.Text = ""


class TimelineEntry(Record):
    about: ClassVar[About] = About("timeline entry", "timeline entries", prefix="TL-", width=5, key="", carrier="note")

    incident_id: IncidentId
    kind: EntryKind
    text: f.Text
    by_email: f.Email
    at: f.SystemTime


class Postmortem(Record):
    about: ClassVar[About] = About("postmortem", "postmortems", prefix="PM-", key="", carrier="document")

    incident_id: IncidentId
    status: PostmortemStatus = "draft"
    author_email: f.Email
    what_happened: f.Text
    root_cause: f.Text
    reviewer_email: f.Email | None = None
    published_at: f.SystemTime | None = None


class ActionItem(Record):
    about: ClassVar[About] = About("action item", "action items", prefix="AI-", key="title")

    incident_id: IncidentId
    title: f.Title
    owner_email: f.Email
    due_date: f.Date
    status: ActionStatus = "open"


class IncidentsState(State):
    responders: Table[Responder]
    schedules: Table[Schedule]
    overrides: Table[Override]
    services: Table[BusinessService]
    incidents: Table[Incident]
    alerts: Table[Alert]
    assignments: Table[Assignment]
    impacts: Table[Impact]
    timeline: Table[TimelineEntry]
    postmortems: Table[Postmortem]
    action_items: Table[ActionItem]


service = Service(
    "incidents",
    title="Incident Response",
    domain="engineering",
    description="On-call schedules, alerts, incidents with roles and a timeline, postmortems and action items.",
    state=IncidentsState,
    files=sources(__file__, "engineering.py"),
)
