"""What a warehouse holds: a small relational data set, and what people have built on it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

OrderStatus = Annotated[Literal["placed", "shipped", "delivered", "returned", "cancelled"], LABEL]
Channel = Annotated[Literal["web", "phone", "partner"], LABEL]
Region = Annotated[Literal["north", "south", "east", "west"], LABEL]
Chart = Annotated[Literal["number", "table", "bar", "line", "pie"], LABEL]
Comparison = Annotated[Literal["above", "below"], LABEL]
AlertState = Annotated[Literal["unchecked", "ok", "triggered", "muted"], LABEL]
Cadence = Annotated[Literal["daily", "weekly", "monthly"], LABEL]
Month = Annotated[str, f.Semantic("label")]


# The data that queries read


class Customer(Record):
    about: ClassVar[About] = About("customer row", "customer rows", prefix="C-", key="name")

    name: f.Organisation
    industry: f.Label
    city: f.Place
    country: f.Place
    region: Region
    contact_email: f.Email
    signed_on: f.Date
    employees: Annotated[int, f.count("people")]


class Product(Record):
    about: ClassVar[About] = About("product row", "product rows", prefix="P-", key="sku")

    sku: f.Code
    name: f.Product
    category: f.Label
    list_price: f.Money
    unit_cost: f.Money


class Order(Record):
    about: ClassVar[About] = About("order row", "order rows", prefix="O-", width=5, key="order_number")

    order_number: f.Code
    customer_id: Annotated[str, f.ref("customers")]
    ordered_on: f.Date
    status: OrderStatus
    channel: Channel


class OrderLine(Record):
    about: ClassVar[About] = About("order line row", "order line rows", prefix="L-", width=5, key="")

    order_id: Annotated[str, f.ref("orders")]
    product_id: Annotated[str, f.ref("products")]
    quantity: Annotated[int, f.count("units")]
    unit_price: f.Money


class Shipment(Record):
    about: ClassVar[About] = About("shipment row", "shipment rows", prefix="S-", width=5, key="tracking_code")

    order_id: Annotated[str, f.ref("orders")]
    carrier: f.Organisation
    tracking_code: f.Code
    shipped_on: f.Date
    delivered_on: f.Date | None = None
    freight_cost: f.Money


class Target(Record):
    about: ClassVar[About] = About("sales target", "sales targets", prefix="T-", key="")

    region: Region
    month: Month
    """Such as 2026-03."""
    amount: f.Money
    entered_by: f.Email


# What people have built on it


class TableDoc(Record):
    about: ClassVar[About] = About("table", "tables", prefix="TBL-", width=2, key="name")

    name: f.Label
    description: f.Text
    steward_email: f.Email
    """Who answers questions about it."""
    refreshed_at: f.SystemTime


class Column(Record):
    about: ClassVar[About] = About("column", "columns", prefix="COL-", width=3, key="name")

    table_name: f.Label
    name: f.Label
    data_type: f.Label
    description: f.Text
    restricted: bool = False
    """Restricted columns cannot be read by queries."""


class SavedQuery(Record):
    about: ClassVar[About] = About("saved query", "saved queries", prefix="QRY-", key="name")

    name: f.Title
    description: f.Text
    sql: f.Text
    owner_email: f.Email
    updated_at: f.SystemTime


class QueryRun(Record):
    about: ClassVar[About] = About("query run", "query runs", prefix="RUN-", width=5, key="")

    query_id: Annotated[str, f.ref("saved_queries")]
    row_count: Annotated[int, f.count("rows", system=True)]
    first_value: Annotated[float | None, f.Semantic("money", system=True)] = None
    ran_by: f.Email
    ran_at: f.SystemTime


class QueryNote(Record):
    about: ClassVar[About] = About("query note", "query notes", prefix="NOTE-", key="", carrier="note")

    query_id: Annotated[str, f.ref("saved_queries")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Dashboard(Record):
    about: ClassVar[About] = About("dashboard", "dashboards", prefix="DASH-", width=3, key="name")

    name: f.Title
    description: f.Text = ""
    owner_email: f.Email


class Tile(Record):
    about: ClassVar[About] = About("dashboard tile", "dashboard tiles", prefix="TILE-", width=3, key="title")

    dashboard_id: Annotated[str, f.ref("dashboards")]
    query_id: Annotated[str, f.ref("saved_queries")]
    title: f.Title
    chart: Chart


class Alert(Record):
    about: ClassVar[About] = About("alert", "alerts", prefix="ALR-", width=3, key="name")

    name: f.Title
    query_id: Annotated[str, f.ref("saved_queries")]
    comparison: Comparison
    threshold: f.Money
    recipient_email: f.Email
    state: AlertState = "unchecked"
    last_value: f.Money | None = None
    last_checked_at: f.SystemTime | None = None


class Schedule(Record):
    about: ClassVar[About] = About("schedule", "schedules", prefix="SCH-", width=3, key="")

    query_id: Annotated[str, f.ref("saved_queries")]
    cadence: Cadence
    at: f.Time
    recipients: tuple[f.Email, ...]
    active: bool = True


class Definition(Record):
    about: ClassVar[About] = About(
        "metric definition", "metric definitions", prefix="DEF-", width=3, key="term", carrier="document"
    )

    term: f.Title
    body: f.Text
    owner_email: f.Email
    updated_at: f.SystemTime


class WarehouseState(State):
    customers: Table[Customer]
    products: Table[Product]
    orders: Table[Order]
    order_lines: Table[OrderLine]
    shipments: Table[Shipment]
    targets: Table[Target]
    tables: Table[TableDoc]
    columns: Table[Column]
    saved_queries: Table[SavedQuery]
    runs: Table[QueryRun]
    notes: Table[QueryNote]
    dashboards: Table[Dashboard]
    tiles: Table[Tile]
    alerts: Table[Alert]
    schedules: Table[Schedule]
    definitions: Table[Definition]


service = Service(
    "sql-warehouse",
    title="SQL warehouse",
    domain="data and analytics",
    description="Sales data to query with SQL, saved queries, dashboards, alerts, schedules and metric definitions.",
    state=WarehouseState,
    files=sources(__file__),
)
