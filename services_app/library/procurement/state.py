"""What a procurement application holds. All amounts are in GBP; what is received, spent or left is never stored."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

SupplierStatus = Annotated[Literal["approved", "on_hold", "inactive"], LABEL]
RequisitionStatus = Annotated[
    Literal["draft", "pending_approval", "approved", "rejected", "ordered", "withdrawn"], LABEL
]
Decision = Annotated[Literal["pending", "approved", "rejected"], LABEL]
OrderStatus = Annotated[Literal["issued", "cancelled"], LABEL]
InvoiceStatus = Annotated[Literal["received", "approved", "disputed"], LABEL]


class Supplier(Record):
    about: ClassVar[About] = About("supplier", "suppliers", prefix="SUP-", key="name")

    name: f.Organisation
    category: f.Label
    contact_name: f.Person
    email: f.Email
    phone: f.Phone
    address: f.Place
    payment_terms: Annotated[int, f.duration("days")]
    minimum_order: f.Money
    """Orders below this amount are not accepted."""
    preferred: bool = False
    status: SupplierStatus = "approved"
    remark: f.Text = ""


class CatalogItem(Record):
    about: ClassVar[About] = About("catalog item", "catalog items", prefix="ITM-", key="name")

    supplier_id: Annotated[str, f.ref("suppliers")]
    sku: f.Code
    name: f.Product
    unit: f.Label
    price: f.Money
    lead_days: Annotated[int, f.duration("days")]
    minimum_quantity: Annotated[int, f.count("units")] = 1
    discontinued: bool = False


class Budget(Record):
    about: ClassVar[About] = About("budget", "budgets", prefix="BGT-", key="name")

    name: f.Title
    code: f.Code
    owner_email: f.Email
    amount: f.Money
    """What may be spent in the year."""


class Requisition(Record):
    about: ClassVar[About] = About("requisition", "requisitions", prefix="REQ-", key="number")

    number: f.Code
    title: f.Title
    requester_email: f.Email
    budget_id: Annotated[str, f.ref("budgets")]
    justification: f.Text = ""
    order_number: f.Code = ""
    """The customer order that the goods are for."""
    needed_by: f.Date
    deliver_to: f.Place
    status: RequisitionStatus = "draft"
    created_at: f.SystemTime


class RequisitionLine(Record):
    about: ClassVar[About] = About("requisition line", "requisition lines", prefix="RL-", key="description")

    requisition_id: Annotated[str, f.ref("requisitions")]
    supplier_id: Annotated[str, f.ref("suppliers")]
    item_id: Annotated[str | None, f.ref("catalog_items")] = None
    description: f.Title
    quantity: Annotated[int, f.count("units")]
    unit_price: f.Money


class Approval(Record):
    about: ClassVar[About] = About("approval step", "approval steps", prefix="APR-", key="")

    requisition_id: Annotated[str, f.ref("requisitions")]
    step: Annotated[int, f.count("steps")]
    approver_email: f.Email
    decision: Decision = "pending"
    decided_on: f.Date | None = None


class PurchaseOrder(Record):
    about: ClassVar[About] = About("purchase order", "purchase orders", prefix="PUR-", key="number")

    number: f.Code
    supplier_id: Annotated[str, f.ref("suppliers")]
    requisition_id: Annotated[str, f.ref("requisitions")]
    status: OrderStatus = "issued"
    issued_on: f.Date
    expected_on: f.Date
    deliver_to: f.Place


class OrderLine(Record):
    about: ClassVar[About] = About("order line", "order lines", prefix="OL-", key="description")

    purchase_order_id: Annotated[str, f.ref("purchase_orders")]
    description: f.Title
    quantity: Annotated[int, f.count("units")]
    unit_price: f.Money


class GoodsReceipt(Record):
    about: ClassVar[About] = About("goods receipt", "goods receipts", prefix="GR-", key="delivery_note")

    order_line_id: Annotated[str, f.ref("order_lines")]
    quantity: Annotated[int, f.count("units")]
    delivery_note: f.Code
    remark: f.Text = ""
    received_on: f.Date


class SupplierInvoice(Record):
    about: ClassVar[About] = About("supplier invoice", "supplier invoices", prefix="SIN-", key="number")

    number: f.Code
    purchase_order_id: Annotated[str, f.ref("purchase_orders")]
    amount: f.Money
    invoiced_on: f.Date
    status: InvoiceStatus = "received"
    dispute_reason: f.Text = ""


class Comment(Record):
    about: ClassVar[About] = About("requisition comment", "requisition comments", prefix="CMT-", key="", carrier="note")

    requisition_id: Annotated[str, f.ref("requisitions")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Policy(Record):
    about: ClassVar[About] = About(
        "purchasing policy", "purchasing policies", prefix="POL-", key="title", carrier="document"
    )

    title: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class ProcurementState(State):
    suppliers: Table[Supplier]
    catalog_items: Table[CatalogItem]
    budgets: Table[Budget]
    requisitions: Table[Requisition]
    requisition_lines: Table[RequisitionLine]
    approvals: Table[Approval]
    purchase_orders: Table[PurchaseOrder]
    order_lines: Table[OrderLine]
    goods_receipts: Table[GoodsReceipt]
    supplier_invoices: Table[SupplierInvoice]
    comments: Table[Comment]
    policies: Table[Policy]


service = Service(
    "procurement",
    title="Procurement",
    domain="operations",
    description="Requisitions with approval chains and budgets, purchase orders, goods received, supplier invoices.",
    state=ProcurementState,
    files=sources(__file__, "suppliers.py"),
)
