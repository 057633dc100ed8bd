"""What a laboratory holds. Flags, prices of orders and their progress follow from the records."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

SpecimenType = Annotated[Literal["whole blood", "serum", "urine", "swab"], LABEL]
Priority = Annotated[Literal["routine", "urgent", "stat"], LABEL]
OrderStatus = Annotated[Literal["awaiting_approval", "ordered", "verified", "cancelled"], LABEL]
SpecimenStatus = Annotated[Literal["accepted", "rejected"], LABEL]
RejectionReason = Annotated[
    Literal["haemolysed", "clotted", "insufficient volume", "unlabelled", "wrong container", "delayed transport"], LABEL
]
Sex = Annotated[Literal["female", "male"], LABEL]
PolicyStatus = Annotated[Literal["current", "superseded"], LABEL]
LabValue = Annotated[float, f.Semantic("count", unit="lab value")]


class Patient(Record):
    about: ClassVar[About] = About("patient", "patients", prefix="LP-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    born_on: f.Date
    sex: Sex
    record_number: f.Code
    employer: f.Organisation
    restricted: bool = False
    """Nobody at the desk may look at the results."""


class Consent(Record):
    about: ClassVar[About] = About("consent", "consents", prefix="CON-", key="")

    patient_id: Annotated[str, f.ref("patients")]
    recipient_email: f.Email
    valid_until: f.Date
    withdrawn: bool = False
    recorded_at: f.SystemTime


class Site(Record):
    about: ClassVar[About] = About("collection site", "collection sites", prefix="SITE-", width=2, key="name")

    name: f.Organisation
    city: f.Place
    address: f.Place
    opens: f.Time
    closes: f.Time
    chairs: Annotated[int, f.count("chairs")]
    """How many patients can be seen in the same half hour."""


class Analyte(Record):
    """Something that is measured, with its normal range and the limits beyond which it is critical."""

    about: ClassVar[About] = About("analyte", "analytes", prefix="AN-", width=2, key="name")

    name: f.Title
    code: f.Code
    unit: f.Label
    low: LabValue
    high: LabValue
    high_male: LabValue | None = None
    """Upper end of the range for men, where it differs."""
    critical_low: LabValue | None = None
    critical_high: LabValue | None = None


class LabTest(Record):
    about: ClassVar[About] = About("laboratory test", "laboratory tests", prefix="LT-", width=2, key="name")

    name: f.Title
    code: f.Code
    analyte_ids: Annotated[tuple[str, ...], f.ref("analytes")]
    specimen: SpecimenType
    price: f.Money
    fasting: bool
    stability: Annotated[int, f.duration("hours")]
    """How long a specimen can be measured after it was taken."""
    turnaround: Annotated[int, f.duration("hours")]
    interval: Annotated[int, f.duration("days")]
    """A routine repeat within so many days is refused."""
    guidance: f.Text


class LabOrder(Record):
    about: ClassVar[About] = About("laboratory order", "laboratory orders", prefix="LO-", key="number")

    number: f.Code
    patient_id: Annotated[str, f.ref("patients")]
    test_ids: Annotated[tuple[str, ...], f.ref("lab_tests")]
    priority: Priority
    status: OrderStatus
    question: f.Text
    ordered_by: f.Person
    reference: f.Code = ""
    """Order number of the employer, when the employer pays."""
    ordered_at: f.SystemTime
    verified_at: f.SystemTime | None = None
    cancellation_reason: f.Text = ""


class CollectionBooking(Record):
    about: ClassVar[About] = About("collection booking", "collection bookings", prefix="CB-", key="")

    lab_order_id: Annotated[str, f.ref("lab_orders")]
    site_id: Annotated[str, f.ref("sites")]
    starts_at: f.Timestamp


class Specimen(Record):
    about: ClassVar[About] = About("specimen", "specimens", prefix="SP-", key="barcode")

    barcode: f.Code
    lab_order_id: Annotated[str, f.ref("lab_orders")]
    type: SpecimenType
    collected_at: f.Timestamp
    fasting: bool
    status: SpecimenStatus
    rejection_reason: RejectionReason | None = None


class Result(Record):
    about: ClassVar[About] = About("result", "results", prefix="RES-", key="")

    lab_order_id: Annotated[str, f.ref("lab_orders")]
    analyte_id: Annotated[str, f.ref("analytes")]
    specimen_id: Annotated[str, f.ref("specimens")]
    value: LabValue
    entered_at: f.SystemTime
    told_to: f.Person = ""
    """Who was told of a critical value and read it back."""
    told_at: f.SystemTime | None = None


class Amendment(Record):
    about: ClassVar[About] = About("amendment", "amendments", prefix="AM-", key="", carrier="note")

    result_id: Annotated[str, f.ref("results")]
    old_value: LabValue
    new_value: LabValue
    reason: f.Text
    amended_at: f.SystemTime


class OrderComment(Record):
    about: ClassVar[About] = About("order comment", "order comments", prefix="OC-", key="", carrier="note")

    lab_order_id: Annotated[str, f.ref("lab_orders")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class SharedReport(Record):
    about: ClassVar[About] = About("shared report", "shared reports", prefix="RPT-", key="")

    lab_order_id: Annotated[str, f.ref("lab_orders")]
    recipient_email: f.Email
    shared_at: f.SystemTime


class Procedure(Record):
    about: ClassVar[About] = About(
        "laboratory procedure", "laboratory procedures", prefix="SOP-", width=2, key="title", carrier="document"
    )

    title: f.Title
    status: PolicyStatus
    body: f.Text
    valid_from: f.Date


class LabState(State):
    patients: Table[Patient]
    consents: Table[Consent]
    sites: Table[Site]
    analytes: Table[Analyte]
    lab_tests: Table[LabTest]
    lab_orders: Table[LabOrder]
    collection_bookings: Table[CollectionBooking]
    specimens: Table[Specimen]
    results: Table[Result]
    amendments: Table[Amendment]
    order_comments: Table[OrderComment]
    shared_reports: Table[SharedReport]
    procedures: Table[Procedure]


service = Service(
    "lab-results",
    title="Lab results",
    domain="health",
    description="A laboratory: test orders, collection, specimens, results with ranges, critical values, reports.",
    state=LabState,
    files=sources(__file__, "staff.py"),
)
