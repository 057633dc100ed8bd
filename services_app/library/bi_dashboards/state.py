"""What the dashboard application holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Measure = Annotated[Literal["amount", "quantity", "records"], LABEL]
Aggregation = Annotated[Literal["sum", "avg", "max"], LABEL]
Dimension = Annotated[Literal["month", "company", "country", "product", "owner_email"], LABEL]
ChartType = Annotated[Literal["bar", "line", "table", "number"], LABEL]
Frequency = Annotated[Literal["daily", "weekly", "monthly"], LABEL]
Condition = Annotated[Literal["above", "below"], LABEL]

CollectionId = Annotated[str, f.ref("collections")]
DatasetId = Annotated[str, f.ref("datasets")]
ChartId = Annotated[str, f.ref("charts")]
DashboardId = Annotated[str, f.ref("dashboards")]
Recipients = Annotated[tuple[f.Email, ...], Field(min_length=1, max_length=20)]
Note = Annotated[str, f.Semantic("text"), Field(max_length=4000)]


class Collection(Record):
    about: ClassVar[About] = About("collection", "collections", prefix="COL-", width=2, key="name")

    name: f.Title
    description: f.Text
    curator_emails: tuple[f.Email, ...]
    """Who may change what is in it."""
    restricted: bool = False
    """Whether its content must not leave it."""


class Dataset(Record):
    about: ClassVar[About] = About("dataset", "datasets", prefix="dataset-", key="title")

    title: f.Title
    description: f.Text
    amount_means: f.Text
    quantity_means: f.Text
    owner_email: f.Email
    trusted: bool = True
    refreshed_at: f.SystemTime


class Fact(Record):
    about: ClassVar[About] = About("row of data", "rows of data", prefix="F-", width=5, key="")

    dataset: DatasetId
    date: f.Date
    company: f.Organisation
    country: f.Place
    product: f.Product
    owner_email: f.Email
    reference: f.Code
    amount: f.Money
    quantity: Annotated[int, f.count("units", system=True)]


class Chart(Record):
    about: ClassVar[About] = About("chart", "charts", prefix="CH-", key="title")

    title: f.Title
    description: f.Text = ""
    collection_id: CollectionId
    dataset: DatasetId
    measure: Measure
    aggregation: Aggregation
    group_by: Dimension
    chart_type: ChartType
    company: f.Organisation | None = None
    country: f.Place | None = None
    product: f.Product | None = None
    start_date: f.Date | None = None
    end_date: f.Date | None = None
    owner_email: f.Email
    archived: bool = False


class Dashboard(Record):
    about: ClassVar[About] = About("dashboard", "dashboards", prefix="DB-", key="title")

    title: f.Title
    description: f.Text
    collection_id: CollectionId
    owner_email: f.Email
    certified_by: f.Email | None = None
    certified_note: f.Text = ""
    archived: bool = False
    updated_at: f.SystemTime


class Tile(Record):
    about: ClassVar[About] = About("tile", "tiles", prefix="TL-", width=5, key="")

    dashboard_id: DashboardId
    chart_id: ChartId
    position: Annotated[int, f.count("position")]
    """From 1, without gaps."""


class Subscription(Record):
    about: ClassVar[About] = About("dashboard subscription", "dashboard subscriptions", prefix="SUB-", key="")

    dashboard_id: DashboardId
    frequency: Frequency
    send_at: f.Time
    """Time of the day, in UTC."""
    recipient_emails: Recipients
    message: f.Text = ""
    paused: bool = False
    owner_email: f.Email


class Alert(Record):
    about: ClassVar[About] = About("data alert", "data alerts", prefix="AL-", key="")

    chart_id: ChartId
    condition: Condition
    threshold: f.Money
    notify_emails: Recipients
    owner_email: f.Email


class Comment(Record):
    about: ClassVar[About] = About("comment", "comments", prefix="CMT-", key="", carrier="note")

    dashboard_id: DashboardId
    text: f.Text
    by_email: f.Email
    at: f.SystemTime


class Definition(Record):
    about: ClassVar[About] = About(
        "metric definition", "metric definitions", prefix="DEF-", width=2, key="term", carrier="document"
    )

    term: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class BiState(State):
    collections: Table[Collection]
    datasets: Table[Dataset]
    facts: Table[Fact]
    charts: Table[Chart]
    dashboards: Table[Dashboard]
    tiles: Table[Tile]
    subscriptions: Table[Subscription]
    alerts: Table[Alert]
    comments: Table[Comment]
    definitions: Table[Definition]


service = Service(
    "bi-dashboards",
    title="BI Dashboards",
    domain="data and analytics",
    description="Datasets, saved charts, dashboards with tiles, certification, subscriptions and data alerts.",
    state=BiState,
    files=sources(__file__),
)
