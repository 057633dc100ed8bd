"""What a manufacturing application holds. Stock, shortages, loads and costs are computed from moves and operations."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

ItemKind = Annotated[Literal["product", "material"], LABEL]
OrderStatus = Annotated[Literal["planned", "released", "in_progress", "done", "cancelled"], LABEL]
Priority = Annotated[Literal["low", "normal", "high"], LABEL]
OperationStatus = Annotated[Literal["pending", "running", "done"], LABEL]
MoveKind = Annotated[Literal["receipt", "issue", "output", "scrap"], LABEL]
Disposition = Annotated[Literal["open", "rework", "scrap", "use_as_is"], LABEL]
ChangeStatus = Annotated[Literal["proposed", "approved", "rejected"], LABEL]


class Item(Record):
    about: ClassVar[About] = About("item", "items", prefix="MIT-", key="sku")

    sku: f.Code
    name: f.Product
    kind: ItemKind
    unit: f.Label
    unit_cost: f.Money
    """What a material costs; 0 for products, whose cost follows from their orders."""
    supplier_name: f.Organisation = ""


class BomLine(Record):
    about: ClassVar[About] = About("bill of materials line", "bill of materials lines", prefix="BOM-", key="")

    product_id: Annotated[str, f.ref("items")]
    material_id: Annotated[str, f.ref("items")]
    quantity_per: Annotated[int, f.count("units")]


class WorkCenter(Record):
    about: ClassVar[About] = About("work centre", "work centres", prefix="WCT-", key="name")

    code: f.Code
    name: f.Title
    hours_per_day: Annotated[int, f.duration("hours")]
    hourly_rate: f.Money
    down: bool = False
    down_reason: f.Text = ""


class RoutingStep(Record):
    about: ClassVar[About] = About("routing step", "routing steps", prefix="RST-", key="name")

    product_id: Annotated[str, f.ref("items")]
    sequence: Annotated[int, f.count("steps")]
    name: f.Title
    work_center_id: Annotated[str, f.ref("work_centers")]
    setup_minutes: Annotated[int, f.duration("minutes")]
    minutes_per_unit: Annotated[int, f.duration("minutes")]


class Operator(Record):
    about: ClassVar[About] = About("operator", "operators", prefix="OPR-", key="email")

    name: f.Person
    email: f.Email
    role: Annotated[Literal["operator", "inspector", "quality_engineer"], LABEL]


class Order(Record):
    about: ClassVar[About] = About("manufacturing order", "manufacturing orders", prefix="MFO-", key="number")

    number: f.Code
    product_id: Annotated[str, f.ref("items")]
    quantity: Annotated[int, f.count("units")]
    customer_name: f.Organisation = ""
    reference: f.Code = ""
    """Purchase order of the customer it is made for; empty for stock."""
    due_on: f.Date
    priority: Priority
    status: OrderStatus
    lot_number: f.Code = ""
    finished_on: f.Date | None = None


class Operation(Record):
    about: ClassVar[About] = About("operation", "operations", prefix="OPN-", key="")

    order_id: Annotated[str, f.ref("orders")]
    step_id: Annotated[str, f.ref("routing_steps")]
    status: OperationStatus = "pending"
    operator_id: Annotated[str | None, f.ref("operators")] = None
    good: Annotated[int, f.count("units")] = 0
    scrapped: Annotated[int, f.count("units")] = 0
    scrap_reason: f.Text = ""


class Move(Record):
    about: ClassVar[About] = About("stock move", "stock moves", prefix="MMV-", key="lot_number")

    item_id: Annotated[str, f.ref("items")]
    quantity: Annotated[int, f.count("units")]
    """Negative for what is consumed."""
    kind: MoveKind
    lot_number: f.Code
    order_id: Annotated[str | None, f.ref("orders")] = None
    note: f.Text = ""
    moved_on: f.Date


class QualityPlan(Record):
    about: ClassVar[About] = About("quality characteristic", "quality characteristics", prefix="QPL-", key="name")

    product_id: Annotated[str, f.ref("items")]
    name: f.Title
    unit: f.Label
    low: Annotated[float, f.count("measure")]
    high: Annotated[float, f.count("measure")]


class QualityCheck(Record):
    about: ClassVar[About] = About("quality check", "quality checks", prefix="QCK-", key="")

    order_id: Annotated[str, f.ref("orders")]
    plan_id: Annotated[str, f.ref("quality_plans")]
    value: Annotated[float, f.count("measure")]
    checked_at: f.SystemTime


class Nonconformance(Record):
    about: ClassVar[About] = About("nonconformance", "nonconformances", prefix="NCR-", key="number")

    number: f.Code
    order_id: Annotated[str, f.ref("orders")]
    units: Annotated[int, f.count("units")]
    description: f.Text
    disposition: Disposition
    decided_by: f.Email | None = None
    reported_on: f.Date


class Change(Record):
    about: ClassVar[About] = About("engineering change", "engineering changes", prefix="ECH-", key="number")

    number: f.Code
    product_id: Annotated[str, f.ref("items")]
    old_material_id: Annotated[str, f.ref("items")]
    new_material_id: Annotated[str, f.ref("items")]
    reason: f.Text
    proposed_by: f.Email
    status: ChangeStatus
    decision_note: f.Text = ""


class Comment(Record):
    about: ClassVar[About] = About("order comment", "order comments", prefix="MCM-", key="", carrier="note")

    order_id: Annotated[str, f.ref("orders")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class ProcessSheet(Record):
    about: ClassVar[About] = About("process sheet", "process sheets", prefix="PSH-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class ManufacturingState(State):
    items: Table[Item]
    bom_lines: Table[BomLine]
    work_centers: Table[WorkCenter]
    routing_steps: Table[RoutingStep]
    operators: Table[Operator]
    orders: Table[Order]
    operations: Table[Operation]
    moves: Table[Move]
    quality_plans: Table[QualityPlan]
    quality_checks: Table[QualityCheck]
    nonconformances: Table[Nonconformance]
    changes: Table[Change]
    comments: Table[Comment]
    process_sheets: Table[ProcessSheet]


service = Service(
    "manufacturing",
    title="Manufacturing",
    domain="operations",
    description="Our plant: bills of materials, manufacturing orders, operations at work centres, quality and changes.",
    state=ManufacturingState,
    files=sources(__file__, "suppliers.py"),
)
