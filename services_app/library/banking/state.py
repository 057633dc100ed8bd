"""What a business bank holds. Balances are never stored: they are sums over booked transactions."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Iban = Annotated[str, f.Semantic("code", system=True)]
"""An account number: it goes nowhere else, since nothing else has its check number."""
Currency = Annotated[Literal["GBP", "EUR", "USD"], LABEL]
AccountKind = Annotated[Literal["current", "savings"], LABEL]
PaymentStatus = Annotated[Literal["pending_approval", "scheduled", "completed", "cancelled", "returned"], LABEL]
TransactionKind = Annotated[
    Literal["payment", "incoming", "card", "direct_debit", "standing_order", "transfer", "fee"], LABEL
]
Frequency = Annotated[Literal["weekly", "monthly", "quarterly"], LABEL]
OrderStatus = Annotated[Literal["active", "cancelled"], LABEL]
CardStatus = Annotated[Literal["active", "frozen", "cancelled"], LABEL]
Role = Annotated[Literal["viewer", "initiator", "approver"], LABEL]


class User(Record):
    about: ClassVar[About] = About("user", "users", prefix="USR-", key="name")

    name: f.Person
    email: f.Email
    role: Role
    approval_limit: f.Money = 0.0
    """The largest payment of somebody else that this user may approve, in the currency of the payment."""


class Account(Record):
    about: ClassVar[About] = About("bank account", "bank accounts", prefix="BA-", key="name")

    name: f.Title
    kind: AccountKind
    iban: Iban
    currency: Currency
    overdraft_limit: f.Money = 0.0
    daily_limit: f.Money
    """How much may leave by payments in a day."""
    approval_threshold: f.Money
    """Payments above this amount wait for a second user."""


class Beneficiary(Record):
    about: ClassVar[About] = About("beneficiary", "beneficiaries", prefix="BEN-", key="name")

    name: f.Organisation
    iban: Iban
    currency: Currency
    email: f.Email
    address: f.Place = ""
    payment_note: f.Text = ""
    """What to mind when paying: references, agreements, warnings."""
    blocked: bool = False
    verified_from: f.SystemTime
    """Until this instant payments are limited: the account number is new."""


class Payment(Record):
    about: ClassVar[About] = About("payment", "payments", prefix="PMT-", key="reference")

    account_id: Annotated[str, f.ref("accounts")]
    beneficiary_id: Annotated[str, f.ref("beneficiaries")]
    amount: f.Money
    reference: f.Code
    status: PaymentStatus
    payment_date: f.Date
    requested_by: f.Email
    approved_by: Annotated[str, f.Semantic("email")] = ""
    created_at: f.SystemTime


class Transaction(Record):
    about: ClassVar[About] = About("transaction", "transactions", prefix="TXN-", key="reference")

    account_id: Annotated[str, f.ref("accounts")]
    kind: TransactionKind
    amount: f.Money
    """Positive: money in. Negative: money out."""
    counterparty: f.Organisation
    reference: f.Code = ""
    booked_on: f.Date
    payment_id: Annotated[str | None, f.ref("payments")] = None
    card_id: Annotated[str | None, f.ref("cards")] = None


class StandingOrder(Record):
    about: ClassVar[About] = About("standing order", "standing orders", prefix="SO-", key="reference")

    account_id: Annotated[str, f.ref("accounts")]
    beneficiary_id: Annotated[str, f.ref("beneficiaries")]
    amount: f.Money
    reference: f.Code
    frequency: Frequency
    next_on: f.Date
    status: OrderStatus = "active"


class DirectDebit(Record):
    about: ClassVar[About] = About(
        "direct debit mandate", "direct debit mandates", prefix="DD-", key="mandate_reference"
    )

    account_id: Annotated[str, f.ref("accounts")]
    creditor: f.Organisation
    mandate_reference: f.Code
    usual_amount: f.Money
    next_on: f.Date
    status: OrderStatus = "active"


class Card(Record):
    about: ClassVar[About] = About("card", "cards", prefix="CRD-", key="holder_name")

    account_id: Annotated[str, f.ref("accounts")]
    holder_name: f.Person
    holder_email: f.Email
    last4: Annotated[str, f.Semantic("code", system=True)]
    monthly_limit: f.Money
    status: CardStatus = "active"


class ExchangeRate(Record):
    about: ClassVar[About] = About("exchange rate", "exchange rates", prefix="FX-", key="currency")

    currency: Currency
    per_gbp: Annotated[float, f.Semantic("count", unit="for a pound", system=True)]
    """Units of the currency for one pound."""


class TransactionNote(Record):
    about: ClassVar[About] = About("transaction note", "transaction notes", prefix="TN-", key="", carrier="note")

    transaction_id: Annotated[str, f.ref("transactions")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Notice(Record):
    about: ClassVar[About] = About("bank notice", "bank notices", prefix="NTC-", key="subject", carrier="document")

    subject: f.Title
    body: f.Text
    sent_at: f.SystemTime


class BankingState(State):
    users: Table[User]
    accounts: Table[Account]
    beneficiaries: Table[Beneficiary]
    payments: Table[Payment]
    cards: Table[Card]
    transactions: Table[Transaction]
    standing_orders: Table[StandingOrder]
    direct_debits: Table[DirectDebit]
    exchange_rates: Table[ExchangeRate]
    transaction_notes: Table[TransactionNote]
    notices: Table[Notice]


service = Service(
    "banking",
    title="Business banking",
    domain="finance",
    description="Bank accounts with payments and approvals, beneficiaries, standing orders, mandates and cards.",
    state=BankingState,
    files=sources(__file__, "suppliers.py"),
)
