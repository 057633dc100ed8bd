"""What the booking desk of a group of practices holds. Charges, ends and visits left follow from the records."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Specialty = Annotated[
    Literal["general practice", "occupational health", "physiotherapy", "dermatology", "dentistry"], LABEL
]
Weekday = Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday"], LABEL]
AppointmentStatus = Annotated[Literal["booked", "confirmed", "arrived", "completed", "cancelled", "no_show"], LABEL]
Settlement = Annotated[Literal["none", "paid", "waived"], LABEL]
PaymentMethod = Annotated[Literal["card", "cash", "bank_transfer", "employer"], LABEL]
WaitlistStatus = Annotated[Literal["waiting", "booked", "withdrawn"], LABEL]
Reminder = Annotated[Literal["email", "sms", "phone", "none"], LABEL]
GuideStatus = Annotated[Literal["current", "superseded"], LABEL]
Minutes = Annotated[int, f.duration("minutes")]

PLANNED = ("booked", "confirmed")
TAKES_TIME = ("booked", "confirmed", "arrived", "completed", "no_show")
"""Statuses in which an appointment keeps its time: only a cancelled one gives it back."""


class Practice(Record):
    about: ClassVar[About] = About("practice", "practices", prefix="PRA-", width=2, key="name")

    name: f.Organisation
    city: f.Place
    address: f.Place
    phone: f.Phone
    step_free: bool


class Practitioner(Record):
    about: ClassVar[About] = About("practitioner", "practitioners", prefix="DOC-", width=3, key="name")

    name: f.Person
    email: f.Email
    specialty: Specialty
    practice_id: Annotated[str, f.ref("practices")]
    languages: tuple[f.Label, ...]
    accepts_new_patients: bool


class Session(Record):
    """Hours of a practitioner on a day of the week."""

    about: ClassVar[About] = About("session", "sessions", prefix="SES-", key="")

    practitioner_id: Annotated[str, f.ref("practitioners")]
    weekday: Weekday
    starts: f.Time
    ends: f.Time


class Absence(Record):
    about: ClassVar[About] = About("absence", "absences", prefix="ABS-", key="")

    practitioner_id: Annotated[str, f.ref("practitioners")]
    starts_at: f.Timestamp
    ends_at: f.Timestamp
    reason: f.Text


class VisitType(Record):
    about: ClassVar[About] = About("visit type", "visit types", prefix="VT-", width=2, key="name")

    name: f.Title
    specialty: Specialty
    minutes: Minutes
    fee: f.Money
    needs_referral: bool
    notice: Annotated[int, f.duration("hours")]
    """How many hours ahead it has to be booked."""
    preparation: f.Text


class Patient(Record):
    about: ClassVar[About] = About("patient", "patients", prefix="PAT-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    born_on: f.Date
    patient_number: f.Code
    employer: f.Organisation
    reminder: Reminder
    language: f.Label
    remarks: f.Text = ""
    registered_on: f.Date


class Referral(Record):
    about: ClassVar[About] = About("referral", "referrals", prefix="REF-", key="number")

    number: f.Code
    patient_id: Annotated[str, f.ref("patients")]
    specialty: Specialty
    referred_by: f.Person
    question: f.Text
    issued_on: f.Date
    expires_on: f.Date
    visits: Annotated[int, f.count("visits")]


class Appointment(Record):
    about: ClassVar[About] = About("appointment", "appointments", prefix="APP-", key="reference")

    reference: f.Code
    patient_id: Annotated[str, f.ref("patients")]
    practitioner_id: Annotated[str, f.ref("practitioners")]
    visit_type_id: Annotated[str, f.ref("visit_types")]
    starts_at: f.Timestamp
    status: AppointmentStatus
    reason: f.Text
    referral_id: Annotated[str | None, f.ref("referrals")] = None
    moves: Annotated[int, f.count("moves", system=True)] = 0
    booked_at: f.SystemTime
    cancelled_at: f.SystemTime | None = None
    cancellation_reason: f.Text = ""
    settlement: Settlement = "none"
    payment_method: PaymentMethod | None = None
    waiver_reason: f.Text = ""


class WaitlistEntry(Record):
    about: ClassVar[About] = About("waiting list entry", "waiting list entries", prefix="WL-", key="")

    patient_id: Annotated[str, f.ref("patients")]
    visit_type_id: Annotated[str, f.ref("visit_types")]
    practitioner_id: Annotated[str | None, f.ref("practitioners")] = None
    earliest: f.Date
    latest: f.Date
    urgent: bool
    status: WaitlistStatus
    joined_at: f.SystemTime


class AppointmentNote(Record):
    about: ClassVar[About] = About("appointment note", "appointment notes", prefix="AN-", key="", carrier="note")

    appointment_id: Annotated[str, f.ref("appointments")]
    author_email: f.Email
    text: f.Text
    clinical: bool
    """For clinicians only: the desk sees that it exists, not what it says."""
    written_at: f.SystemTime


class Guide(Record):
    about: ClassVar[About] = About("practice guide", "practice guides", prefix="PG-", key="title", carrier="document")

    title: f.Title
    status: GuideStatus
    body: f.Text
    valid_from: f.Date


class AppointmentState(State):
    practices: Table[Practice]
    practitioners: Table[Practitioner]
    sessions: Table[Session]
    absences: Table[Absence]
    visit_types: Table[VisitType]
    patients: Table[Patient]
    referrals: Table[Referral]
    appointments: Table[Appointment]
    waitlist_entries: Table[WaitlistEntry]
    appointment_notes: Table[AppointmentNote]
    guides: Table[Guide]


service = Service(
    "appointments",
    title="Appointments",
    domain="health",
    description="Health appointments: open slots, bookings, referrals, check-in, missed visits and a waiting list.",
    state=AppointmentState,
    files=sources(__file__, "staff.py"),
)
