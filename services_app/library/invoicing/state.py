"""What an invoicing application holds. What is owed is never stored: it follows from lines, payments and credits."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

InvoiceStatus = Annotated[Literal["draft", "issued", "void", "written_off"], LABEL]
PaymentStatus = Annotated[Literal["draft", "unpaid", "partly_paid", "paid", "overdue", "void", "written_off"], LABEL]
Method = Annotated[Literal["bank_transfer", "card", "direct_debit", "cheque"], LABEL]
Currency = Annotated[Literal["EUR", "GBP", "USD"], LABEL]


class Customer(Record):
    about: ClassVar[About] = About("customer", "customers", prefix="CUS-", key="name")

    name: f.Organisation
    contact_name: f.Person
    billing_email: f.Email
    address: f.Place
    currency: Currency
    payment_terms: Annotated[int, f.duration("days")]
    """Days from issue to due date."""
    credit_limit: f.Money
    """How much may be outstanding before nothing more can be issued."""
    tax_exempt: bool = False
    blocked: bool = False


class Item(Record):
    about: ClassVar[About] = About("price list item", "price list items", prefix="ITM-", key="sku")

    sku: f.Code
    name: f.Product
    unit: f.Label
    unit_price: f.Money
    tax_rate: f.Percent


class Invoice(Record):
    about: ClassVar[About] = About("invoice", "invoices", prefix="IN-", key="number")

    number: f.Code
    customer_id: Annotated[str, f.ref("customers")]
    subject: f.Title
    status: InvoiceStatus
    order_number: f.Code = ""
    """The customer's purchase order."""
    issue_date: f.Date | None = None
    due_date: f.Date | None = None
    currency: Currency
    created_at: f.SystemTime


class Line(Record):
    about: ClassVar[About] = About("invoice line", "invoice lines", prefix="LN-", key="description")

    invoice_id: Annotated[str, f.ref("invoices")]
    item_id: Annotated[str | None, f.ref("items")] = None
    description: f.Title
    quantity: Annotated[int, f.count("units")]
    unit_price: f.Money
    tax_rate: f.Percent


class Payment(Record):
    about: ClassVar[About] = About("payment", "payments", prefix="PAY-", key="reference")

    invoice_id: Annotated[str, f.ref("invoices")]
    amount: f.Money
    method: Method
    received_on: f.Date
    reference: f.Code = ""
    """What the payer wrote on the transfer."""
    refunded: f.Money = 0.0


class CreditNote(Record):
    about: ClassVar[About] = About("credit note", "credit notes", prefix="CR-", key="number")

    number: f.Code
    invoice_id: Annotated[str, f.ref("invoices")]
    amount: f.Money
    reason: f.Text
    issued_on: f.Date


class Remark(Record):
    about: ClassVar[About] = About("remark", "remarks", prefix="RMK-", key="", carrier="note")

    invoice_id: Annotated[str, f.ref("invoices")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Reminder(Record):
    about: ClassVar[About] = About("payment reminder", "payment reminders", prefix="RMD-", key="")

    invoice_id: Annotated[str, f.ref("invoices")]
    level: Annotated[int, f.count("reminders")]
    """1 friendly, 2 firm, 3 final."""
    sent_to: f.Email
    message: f.Text
    sent_on: f.Date


class Policy(Record):
    about: ClassVar[About] = About("billing policy", "billing policies", prefix="POL-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class InvoicingState(State):
    customers: Table[Customer]
    items: Table[Item]
    invoices: Table[Invoice]
    lines: Table[Line]
    payments: Table[Payment]
    credit_notes: Table[CreditNote]
    remarks: Table[Remark]
    reminders: Table[Reminder]
    policies: Table[Policy]


service = Service(
    "invoicing",
    title="Invoicing",
    domain="finance",
    description="Customer invoices with lines, payments, credit notes, reminders and balances.",
    state=InvoicingState,
    files=sources(__file__),
)
