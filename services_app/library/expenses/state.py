"""What an expense application holds. Totals and violations are never stored: they follow from the expenses."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Currency = Annotated[Literal["GBP", "EUR", "USD"], LABEL]
ReportStatus = Annotated[Literal["draft", "submitted", "approved", "rejected", "reimbursed"], LABEL]
PaidWith = Annotated[Literal["personal", "company_card"], LABEL]
Kind = Annotated[Literal["purchase", "mileage"], LABEL]
Vehicle = Annotated[Literal["car", "electric_car", "motorcycle", "bicycle"], LABEL]


class Employee(Record):
    about: ClassVar[About] = About("employee", "employees", prefix="EMP-", key="name")

    name: f.Person
    email: f.Email
    team: f.Label
    cost_center: f.Label
    manager_email: Annotated[str, f.Semantic("email")]
    """Who approves the reports of this employee first; "" at the top."""
    approval_limit: f.Money = 0.0
    """The largest report total that this employee may approve, in GBP; 0 for those who approve nothing."""


class Category(Record):
    about: ClassVar[About] = About("expense category", "expense categories", prefix="CAT-", key="name")

    name: f.Title
    ledger_code: f.Code
    limit_amount: f.Money
    """More than this on one expense, in GBP, needs a description that explains it."""
    receipt_from: f.Money
    """From this amount on, in GBP, a receipt is needed."""
    reimbursable: bool = True
    archived: bool = False


class ExchangeRate(Record):
    about: ClassVar[About] = About("exchange rate", "exchange rates", prefix="FX-", key="currency")

    currency: Currency
    gbp_per_unit: Annotated[float, f.Semantic("count", unit="pounds", system=True)]
    valid_from: f.Date


class Report(Record):
    about: ClassVar[About] = About("expense report", "expense reports", prefix="ER-", key="number")

    number: f.Code
    employee_id: Annotated[str, f.ref("employees")]
    title: f.Title
    purpose: f.Text = ""
    order_number: f.Code = ""
    """The customer order that the spending is charged on to."""
    status: ReportStatus = "draft"
    approver_id: Annotated[str | None, f.ref("employees")] = None
    submitted_on: f.Date | None = None
    decided_on: f.Date | None = None
    created_at: f.SystemTime


class Expense(Record):
    about: ClassVar[About] = About("expense", "expenses", prefix="EXP-", key="merchant")

    employee_id: Annotated[str, f.ref("employees")]
    report_id: Annotated[str | None, f.ref("reports")] = None
    category_id: Annotated[str, f.ref("categories")]
    kind: Kind = "purchase"
    merchant: f.Organisation
    amount: f.Money
    currency: Currency = "GBP"
    incurred_on: f.Date
    description: f.Text = ""
    paid_with: PaidWith = "personal"
    receipt_id: Annotated[str | None, f.ref("receipts")] = None
    distance_km: Annotated[int, f.count("kilometres")] = 0


class Receipt(Record):
    about: ClassVar[About] = About("receipt", "receipts", prefix="RCP-", key="file_name", carrier="document")

    employee_id: Annotated[str, f.ref("employees")]
    file_name: f.Title
    text: f.Text
    """What the scan reads."""
    merchant: f.Organisation
    amount: f.Money
    currency: Currency
    issued_on: f.Date
    uploaded_at: f.SystemTime


class CardTransaction(Record):
    about: ClassVar[About] = About("card transaction", "card transactions", prefix="CTX-", key="merchant")

    employee_id: Annotated[str, f.ref("employees")]
    card_last4: Annotated[str, f.Semantic("code", system=True)]
    merchant: f.Organisation
    amount: f.Money
    currency: Currency
    booked_on: f.Date
    expense_id: Annotated[str | None, f.ref("expenses")] = None


class Comment(Record):
    about: ClassVar[About] = About("report comment", "report comments", prefix="CMT-", key="", carrier="note")

    report_id: Annotated[str, f.ref("reports")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Policy(Record):
    about: ClassVar[About] = About("expense policy", "expense policies", prefix="POL-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class ExpensesState(State):
    employees: Table[Employee]
    categories: Table[Category]
    exchange_rates: Table[ExchangeRate]
    reports: Table[Report]
    receipts: Table[Receipt]
    expenses: Table[Expense]
    card_transactions: Table[CardTransaction]
    comments: Table[Comment]
    policies: Table[Policy]


service = Service(
    "expenses",
    title="Expenses",
    domain="finance",
    description="Employee expenses with receipts, card transactions, policies, and reports that managers approve.",
    state=ExpensesState,
    files=sources(__file__),
)
