"""What the monitoring holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Role = Annotated[Literal["app", "database", "worker", "gateway"], LABEL]
Aggregator = Annotated[Literal["avg", "max", "min", "last"], LABEL]
Comparison = Annotated[Literal["above", "below"], LABEL]
MonitorStatus = Annotated[Literal["OK", "Warn", "Alert", "No Data"], LABEL]
LogStatus = Annotated[Literal["info", "warn", "error"], LABEL]
AlertType = Annotated[Literal["info", "success", "warning", "error"], LABEL]
Timeframe = Annotated[Literal["7d", "30d", "90d"], LABEL]
Category = Annotated[Literal["scheduled_maintenance", "deployment", "outside_business_hours", "other"], LABEL]

HostName = Annotated[str, f.ref("hosts")]
MetricName = Annotated[str, f.ref("metrics")]
MonitorId = Annotated[str, f.ref("monitors")]
ServiceName = Annotated[str, f.ref("services")]
Hours = Annotated[int, f.duration("hours"), Field(ge=1, le=48)]
Priority = Annotated[int, f.count("priority"), Field(ge=1, le=5)]
Threshold = Annotated[float, f.count("threshold"), Field(ge=0, le=1_000_000)]
Emails = Annotated[tuple[f.Email, ...], Field(max_length=8)]
Note = Annotated[str, f.Semantic("text"), Field(max_length=4000)]


class CatalogService(Record):
    about: ClassVar[About] = About("service", "services", prefix="SRV-", key="title")

    title: f.Title
    """The id is the name of its repository."""
    description: f.Text
    owner_email: f.Email
    tier: Annotated[Literal["critical", "standard"], LABEL]


class Host(Record):
    about: ClassVar[About] = About("host", "hosts", prefix="host-", key="name")

    name: f.Code
    """Same as the id: the name under which the agent reports."""
    service: ServiceName
    role: Role
    place: f.Place
    customer: f.Organisation = ""
    """Whose site it stands on; empty for our own machines."""
    agent_version: f.Code
    last_reported_at: f.SystemTime
    muted_until: f.Timestamp | None = None
    mute_message: f.Text = ""


class Metric(Record):
    about: ClassVar[About] = About("metric", "metrics", prefix="metric-", key="id")

    description: f.Text
    unit: f.Label


class Series(Record):
    about: ClassVar[About] = About("time series", "time series", prefix="TS-", key="")

    metric: MetricName
    host: HostName
    first_at: f.SystemTime
    values: tuple[Annotated[float, f.count("value", system=True)], ...]
    """One per hour from `first_at` on."""


class Monitor(Record):
    about: ClassVar[About] = About("monitor", "monitors", prefix="MON-", key="name")

    name: f.Title
    service: ServiceName
    metric: MetricName
    aggregator: Aggregator = "avg"
    window_hours: Hours = 1
    comparison: Comparison = "above"
    critical: Threshold
    warning: Threshold | None = None
    message: f.Text
    notify_emails: Emails = ()
    priority: Priority = 3
    owner_email: f.Email
    locked: bool = False
    """Only its owner may change a locked monitor."""
    muted_until: f.Timestamp | None = None
    created_at: f.SystemTime


class Episode(Record):
    about: ClassVar[About] = About("alert episode", "alert episodes", prefix="EP-", key="", carrier="note")

    monitor_id: MonitorId
    started_at: f.SystemTime
    ended_at: f.SystemTime
    comment: f.Text = ""


class Downtime(Record):
    about: ClassVar[About] = About("downtime", "downtimes", prefix="DT-", key="message", carrier="note")

    service: ServiceName
    monitor_id: Annotated[str | None, f.ref("monitors")] = None
    """One monitor only; all of the service if None."""
    start: f.Timestamp
    end: f.Timestamp
    message: f.Text
    created_by: f.Email
    cancelled: bool = False


class Event(Record):
    about: ClassVar[About] = About("event", "events", prefix="EVT-", key="title", carrier="note")

    title: f.Title
    text: f.Text
    service: ServiceName
    alert_type: AlertType = "info"
    source: f.Label
    by_email: f.Email
    at: f.SystemTime


class LogEntry(Record):
    about: ClassVar[About] = About("log entry", "log entries", prefix="LOG-", width=5, key="", carrier="note")

    at: f.SystemTime
    service: ServiceName
    host: HostName
    status: LogStatus
    message: f.Text


class Objective(Record):
    about: ClassVar[About] = About("service level objective", "service level objectives", prefix="SLO-", key="name")

    name: f.Title
    service: ServiceName
    monitor_ids: tuple[MonitorId, ...]
    target: f.Percent
    timeframe: Timeframe
    description: f.Text


class Correction(Record):
    about: ClassVar[About] = About("status correction", "status corrections", prefix="COR-", key="", carrier="note")

    slo_id: Annotated[str, f.ref("slos")]
    category: Category
    start: f.Timestamp
    end: f.Timestamp
    description: f.Text
    created_by: f.Email


class Notebook(Record):
    about: ClassVar[About] = About("notebook", "notebooks", prefix="NB-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    author_email: f.Email
    modified_on: f.Date


class MonitoringState(State):
    services: Table[CatalogService]
    hosts: Table[Host]
    metrics: Table[Metric]
    series: Table[Series]
    monitors: Table[Monitor]
    episodes: Table[Episode]
    downtimes: Table[Downtime]
    events: Table[Event]
    logs: Table[LogEntry]
    slos: Table[Objective]
    corrections: Table[Correction]
    notebooks: Table[Notebook]


service = Service(
    "monitoring",
    title="Monitoring",
    domain="engineering",
    description="Hosts, metrics, monitors with thresholds, downtimes, events, logs and service level objectives.",
    state=MonitoringState,
    files=sources(__file__, "engineering.py"),
)
