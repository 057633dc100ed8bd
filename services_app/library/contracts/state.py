"""What a contract application holds. Deviations, deadlines and whether an agreement runs are never stored."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["master_agreement", "order_form", "statement_of_work", "nda", "data_processing"], LABEL]
Status = Annotated[
    Literal["draft", "in_review", "approved", "out_for_signature", "signed", "declined", "terminated"], LABEL
]
Role = Annotated[Literal["sales", "operations", "legal", "finance"], LABEL]
Decision = Annotated[Literal["pending", "approved", "returned"], LABEL]
Side = Annotated[Literal["us", "them"], LABEL]
RecipientRole = Annotated[Literal["signer", "copy"], LABEL]
RecipientStatus = Annotated[Literal["created", "sent", "signed", "declined"], LABEL]
Currency = Annotated[Literal["EUR", "GBP", "USD"], LABEL]


class User(Record):
    about: ClassVar[About] = About("user", "users", prefix="USR-", key="name")

    name: f.Person
    email: f.Email
    role: Role
    signing_limit: f.Money = 0.0
    """The largest agreement value that this user may sign for us; 0 for those who sign nothing."""


class Counterparty(Record):
    about: ClassVar[About] = About("counterparty", "counterparties", prefix="CPY-", key="name")

    name: f.Organisation
    address: f.Place
    signatory_name: f.Person
    signatory_email: f.Email
    remark: f.Text = ""


class Template(Record):
    about: ClassVar[About] = About("contract template", "contract templates", prefix="TPL-", key="name")

    name: f.Title
    kind: Kind
    clause_ids: Annotated[tuple[str, ...], f.ref("clauses")]
    """Clauses that a new agreement starts with, in order."""
    term_months: Annotated[int, f.duration("months")]
    notice_days: Annotated[int, f.duration("days")]


class Clause(Record):
    about: ClassVar[About] = About("library clause", "library clauses", prefix="CLS-", key="title", carrier="document")

    title: f.Title
    text: f.Text
    """With slots: {{counterparty}}, {{value}}, {{starts}}, {{ends}}, {{order}}, {{notice_days}}."""
    fallback: f.Text = ""
    """Wording that needs no legal review when the counterparty refuses the first."""
    guidance: f.Text = ""
    mandatory: bool = False


class Agreement(Record):
    about: ClassVar[About] = About("agreement", "agreements", prefix="AGR-", key="number")

    number: f.Code
    title: f.Title
    kind: Kind
    counterparty_id: Annotated[str, f.ref("counterparties")]
    template_id: Annotated[str, f.ref("templates")]
    owner_email: f.Email
    status: Status = "draft"
    value: f.Money
    currency: Currency
    order_number: f.Code = ""
    """The customer's purchase order."""
    effective_on: f.Date
    end_date: f.Date
    notice_days: Annotated[int, f.duration("days")]
    auto_renew: bool = False
    signed_on: f.Date | None = None
    terminated_on: f.Date | None = None
    renews_id: Annotated[str | None, f.ref("agreements")] = None
    created_at: f.SystemTime


class AgreementClause(Record):
    about: ClassVar[About] = About("agreement clause", "agreement clauses", prefix="AC-", key="")

    agreement_id: Annotated[str, f.ref("agreements")]
    clause_id: Annotated[str, f.ref("clauses")]
    position: Annotated[int, f.count("clauses")]
    text: f.Text


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="RVW-", key="")

    agreement_id: Annotated[str, f.ref("agreements")]
    role: Role
    reviewer_email: f.Email
    decision: Decision = "pending"
    decided_on: f.Date | None = None


class Recipient(Record):
    about: ClassVar[About] = About("recipient", "recipients", prefix="RCT-", key="name")

    agreement_id: Annotated[str, f.ref("agreements")]
    side: Side
    role: RecipientRole
    name: f.Person
    email: f.Email
    routing_order: Annotated[int, f.count("positions")]
    """Who gets the envelope first; equal numbers get it together."""
    status: RecipientStatus = "created"
    sent_at: f.SystemTime | None = None
    reminded_at: f.SystemTime | None = None
    signed_at: f.SystemTime | None = None


class Obligation(Record):
    about: ClassVar[About] = About("obligation", "obligations", prefix="OBL-", key="title")

    agreement_id: Annotated[str, f.ref("agreements")]
    title: f.Title
    due_on: f.Date
    responsible_email: f.Email
    done_on: f.Date | None = None
    evidence: f.Text = ""


class Comment(Record):
    about: ClassVar[About] = About("agreement comment", "agreement comments", prefix="CMT-", key="", carrier="note")

    agreement_id: Annotated[str, f.ref("agreements")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class ContractsState(State):
    users: Table[User]
    counterparties: Table[Counterparty]
    clauses: Table[Clause]
    templates: Table[Template]
    agreements: Table[Agreement]
    agreement_clauses: Table[AgreementClause]
    reviews: Table[Review]
    recipients: Table[Recipient]
    obligations: Table[Obligation]
    comments: Table[Comment]


service = Service(
    "contracts",
    title="Contracts",
    domain="sales",
    description="Agreements built from clauses, reviewed, signed in order, with obligations, notice and renewal.",
    state=ContractsState,
    files=sources(__file__),
)
