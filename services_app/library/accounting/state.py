"""What a general ledger holds. Balances are never stored: they are sums over posted journal lines."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

AccountType = Annotated[Literal["asset", "liability", "equity", "revenue", "expense"], LABEL]
JournalStatus = Annotated[Literal["draft", "posted", "voided"], LABEL]
Origin = Annotated[Literal["manual", "sales", "purchases", "bank", "payroll", "reversal"], LABEL]
PeriodStatus = Annotated[Literal["open", "closed"], LABEL]


ChartCode = Annotated[str, f.Semantic("code", system=True)]
"""A place in the chart: nothing else is numbered like it."""


class Account(Record):
    about: ClassVar[About] = About("ledger account", "ledger accounts", prefix="ACC-", key="name")

    code: ChartCode
    name: f.Title
    type: AccountType
    tax_rate: f.Percent = 0.0
    """Per cent of tax that is usual on this account."""
    system: bool = False
    """Fed by another ledger (receivables, payables, bank): takes no manual journals."""
    archived: bool = False


class CostCenter(Record):
    about: ClassVar[About] = About("cost center", "cost centers", prefix="CCT-", key="name")

    code: ChartCode
    name: f.Title
    owner_email: f.Email


class Contact(Record):
    about: ClassVar[About] = About("contact", "contacts", prefix="CON-", key="name")

    name: f.Organisation
    email: f.Email
    tax_number: f.Code = ""
    supplier: bool = False
    customer: bool = False


class Period(Record):
    """A month; its id is the year and month, such as 2026-02."""

    about: ClassVar[About] = About("accounting period", "accounting periods", prefix="PER-", key="id")

    starts_on: f.Date
    ends_on: f.Date
    status: PeriodStatus = "open"
    closed_on: f.Date | None = None


class Journal(Record):
    about: ClassVar[About] = About("journal", "journals", prefix="JNL-", key="number")

    number: f.Code
    posting_date: f.Date
    narration: f.Title
    reference: f.Code = ""
    """Document the journal stands on: an invoice, order or payslip number."""
    origin: Origin = "manual"
    status: JournalStatus = "draft"
    contact_id: Annotated[str | None, f.ref("contacts")] = None
    reverses_id: Annotated[str | None, f.ref("journals")] = None
    created_at: f.SystemTime


class JournalLine(Record):
    about: ClassVar[About] = About("journal line", "journal lines", prefix="JL-", key="description")

    journal_id: Annotated[str, f.ref("journals")]
    account_id: Annotated[str, f.ref("accounts")]
    description: f.Text = ""
    debit: f.Money = 0.0
    credit: f.Money = 0.0
    cost_center_id: Annotated[str | None, f.ref("cost_centers")] = None


class Budget(Record):
    about: ClassVar[About] = About("budget", "budgets", prefix="BUD-", key="")

    account_id: Annotated[str, f.ref("accounts")]
    period_id: Annotated[str, f.ref("periods")]
    amount: f.Money


class HistoryNote(Record):
    about: ClassVar[About] = About("history note", "history notes", prefix="NOT-", key="", carrier="note")

    journal_id: Annotated[str, f.ref("journals")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Guideline(Record):
    about: ClassVar[About] = About(
        "accounting guideline", "accounting guidelines", prefix="GDL-", key="title", carrier="document"
    )

    title: f.Title
    body: f.Text
    valid_from: f.Date


class AccountingState(State):
    accounts: Table[Account]
    cost_centers: Table[CostCenter]
    contacts: Table[Contact]
    periods: Table[Period]
    journals: Table[Journal]
    journal_lines: Table[JournalLine]
    budgets: Table[Budget]
    history_notes: Table[HistoryNote]
    guidelines: Table[Guideline]


service = Service(
    "accounting",
    title="Accounting",
    domain="finance",
    description="A general ledger: accounts, journals that balance, monthly periods, budgets and financial reports.",
    state=AccountingState,
    files=sources(__file__, "suppliers.py"),
)
