"""What a claims application holds. What is payable, paid, recovered and left of yearly limits is computed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Line = Annotated[Literal["motor", "property", "cargo", "liability"], LABEL]
ClaimStatus = Annotated[Literal["draft", "submitted", "settled", "closed", "denied", "withdrawn"], LABEL]
LossKind = Annotated[Literal["repair", "replacement", "hire", "expert_fee", "third_party"], LABEL]
DocumentKind = Annotated[
    Literal["photos", "police_report", "invoice", "delivery_note", "claim_letter", "correspondence"], LABEL
]
InspectionStatus = Annotated[Literal["scheduled", "done", "cancelled"], LABEL]
Slot = Annotated[Literal["morning", "afternoon"], LABEL]


class Policy(Record):
    about: ClassVar[About] = About("insurance policy", "insurance policies", prefix="IPO-", key="policy_number")

    policy_number: f.Code
    line: Line
    insurer: f.Organisation
    broker: f.Organisation
    broker_email: f.Email
    insured_object: f.Title
    """Registration of a vehicle, address of a building, or what is covered."""
    starts_on: f.Date
    ends_on: f.Date
    report_within: Annotated[int, f.duration("days")]


class Cover(Record):
    about: ClassVar[About] = About("cover", "covers", prefix="COV-", key="name")

    policy_id: Annotated[str, f.ref("policies")]
    name: f.Title
    claim_limit: f.Money
    yearly_limit: f.Money
    deductible: f.Money


class Claim(Record):
    about: ClassVar[About] = About("insurance claim", "insurance claims", prefix="ICL-", key="number")

    number: f.Code
    cover_id: Annotated[str, f.ref("covers")]
    status: ClaimStatus
    loss_on: f.Date
    reported_on: f.Date
    place: f.Place
    description: f.Text
    reference: f.Code = ""
    """Purchase order, tracking number or ticket it is about."""
    third_party: f.Organisation = ""
    """Who caused it; empty when we or nobody did."""
    late_reason: f.Text = ""
    handler_email: f.Email
    reserve: f.Money = 0.0
    settled_amount: f.Money | None = None
    approver_id: Annotated[str | None, f.ref("approvers")] = None
    closing_reason: f.Text = ""
    closed_on: f.Date | None = None


class LossItem(Record):
    about: ClassVar[About] = About("loss item", "loss items", prefix="LSI-", key="description")

    claim_id: Annotated[str, f.ref("claims")]
    kind: LossKind
    description: f.Title
    claimed: f.Money
    approved: f.Money | None = None
    """None until somebody has assessed it."""
    assessment: f.Text = ""


class Document(Record):
    about: ClassVar[About] = About("claim document", "claim documents", prefix="CDO-", key="title", carrier="document")

    claim_id: Annotated[str, f.ref("claims")]
    kind: DocumentKind
    title: f.Title
    body: f.Text
    added_at: f.SystemTime


class Adjuster(Record):
    about: ClassVar[About] = About("loss adjuster", "loss adjusters", prefix="ADJ-", key="email")

    name: f.Person
    company: f.Organisation
    email: f.Email
    phone: f.Phone
    lines: tuple[f.Label, ...]
    region: f.Place


class Inspection(Record):
    about: ClassVar[About] = About("loss inspection", "loss inspections", prefix="LIN-", key="")

    claim_id: Annotated[str, f.ref("claims")]
    adjuster_id: Annotated[str, f.ref("adjusters")]
    inspect_on: f.Date
    slot: Slot
    status: InspectionStatus = "scheduled"
    findings: f.Text = ""


class Approver(Record):
    about: ClassVar[About] = About("claims approver", "claims approvers", prefix="CAP-", key="email")

    name: f.Person
    email: f.Email
    limit: f.Money


class Payment(Record):
    about: ClassVar[About] = About("claim payment", "claim payments", prefix="CPY-", key="reference")

    claim_id: Annotated[str, f.ref("claims")]
    payee: f.Organisation
    iban: f.Code
    amount: f.Money
    reference: f.Code
    paid_on: f.Date


class Recovery(Record):
    about: ClassVar[About] = About("recovery", "recoveries", prefix="RCV-", key="number")

    number: f.Code
    claim_id: Annotated[str, f.ref("claims")]
    debtor: f.Organisation
    demanded: f.Money
    opened_on: f.Date


class RecoveryReceipt(Record):
    about: ClassVar[About] = About("recovery receipt", "recovery receipts", prefix="RRC-", key="reference")

    recovery_id: Annotated[str, f.ref("recoveries")]
    amount: f.Money
    reference: f.Code
    received_on: f.Date


class ClaimNote(Record):
    about: ClassVar[About] = About("claim note", "claim notes", prefix="CNO-", key="", carrier="note")

    claim_id: Annotated[str, f.ref("claims")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Guideline(Record):
    about: ClassVar[About] = About(
        "claims guideline", "claims guidelines", prefix="CGL-", key="title", carrier="document"
    )

    title: f.Title
    body: f.Text
    updated_at: f.SystemTime


class ClaimsState(State):
    policies: Table[Policy]
    covers: Table[Cover]
    claims: Table[Claim]
    loss_items: Table[LossItem]
    documents: Table[Document]
    adjusters: Table[Adjuster]
    inspections: Table[Inspection]
    approvers: Table[Approver]
    payments: Table[Payment]
    recoveries: Table[Recovery]
    recovery_receipts: Table[RecoveryReceipt]
    notes: Table[ClaimNote]
    guidelines: Table[Guideline]


service = Service(
    "insurance-claims",
    title="Insurance claims",
    domain="finance",
    description="Company insurance: policies and covers, claims, inspections, reserves, settlements and recoveries.",
    state=ClaimsState,
    files=sources(__file__, "suppliers.py", "motor_pool.py"),
)
