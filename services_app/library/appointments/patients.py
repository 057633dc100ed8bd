"""Tools for patients, and what they read: practices, practitioners, kinds of visits, guides."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.appointments.rules import (
    NO_SHOWS,
    free_starts,
    missed_in_a_year,
    outstanding,
    shown,
    visits_left,
)
from services_app.library.appointments.state import (
    PLANNED,
    AppointmentState,
    GuideStatus,
    Patient,
    Reminder,
    Specialty,
    service,
)
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    guide_pages,
    keep,
    next_number,
    plus_days,
    same,
    search,
    some_changes,
    with_fields,
)

PatientId = Annotated[str, f.ref("patients")]
PractitionerId = Annotated[str, f.ref("practitioners")]
VisitTypeId = Annotated[str, f.ref("visit_types")]
PersonName = Annotated[str, f.Semantic("person"), Field(min_length=2, max_length=120)]
Phone = Annotated[str, f.Semantic("phone"), Field(min_length=5, max_length=40)]
Language = Annotated[str, f.Semantic("label"), Field(min_length=2, max_length=40)]
Place = Annotated[str, f.Semantic("place"), Field(min_length=1, max_length=80)]
_LOOK_AHEAD = 30  # days in which the next free slot is looked for


@service.tool()
def search_patients(
    state: AppointmentState,
    ctx: CallContext,
    query: Query | None = None,
    suspended_only: bool = False,
    owing_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find patients by words of their name, email, phone or patient number, by name.

    Args:
        query: Words that must all occur.
        suspended_only: Only patients who may not book because of missed visits.
        owing_only: Only patients with charges to pay.
        limit: At most so many patients.
        cursor: next_cursor of the previous page.
    """
    found = search(state.patients, query, lambda row: (row.name, row.email, row.phone, row.patient_number))
    rows = [
        {
            **brief(row, "id", "name", "email", "phone", "patient_number"),
            "missed_visits": (missed := missed_in_a_year(state, ctx, row.id)),
            "booking_suspended": missed >= NO_SHOWS,
            "outstanding": outstanding(state, row.id),
        }
        for row in sorted(found, key=lambda row: (row.name, row.id))
    ]
    rows = [row for row in rows if row["booking_suspended"] or not suspended_only]
    rows = [row for row in rows if row["outstanding"] or not owing_only]
    return cursor_page("patients", rows, limit, cursor)


@service.tool()
def get_patient(state: AppointmentState, ctx: CallContext, patient_id: PatientId) -> Json:
    """Show a patient with coming appointments, referrals, missed visits of a year and what is to be paid.

    Errors: `not_found`.

    Args:
        patient_id: Id of the patient.
    """
    patient = state.patients.get(patient_id)
    own = sorted(state.appointments.find(patient_id=patient_id), key=lambda row: row.starts_at)
    missed = missed_in_a_year(state, ctx, patient_id)
    return with_fields(
        patient,
        upcoming=[shown(state, row) for row in own if row.status in PLANNED],
        past_visits=sum(1 for row in own if row.status == "completed"),
        referrals=[
            with_fields(row, visits_left=visits_left(state, row)) for row in state.referrals.find(patient_id=patient_id)
        ],
        missed_visits=missed,
        booking_suspended=missed >= NO_SHOWS,
        outstanding=outstanding(state, patient_id),
    )


@service.tool(phrase="register {name} ({email}) as a patient")
def register_patient(
    state: AppointmentState,
    ctx: CallContext,
    name: PersonName,
    email: f.Email,
    born_on: f.Date,
    phone: Phone = "",
    employer: Annotated[str, f.Semantic("organisation"), Field(max_length=120)] = "",
    reminder: Reminder = "email",
) -> Patient:
    """Register a patient, who gets the next patient number.

    Errors: `already_registered` (the email is taken), `invalid_date`, `not_born_yet`, `phone_needed` (for reminders by
    text message or phone), `blank_text`.

    Args:
        name: Full name.
        email: Address; one per patient.
        born_on: Date of birth.
        phone: Phone number.
        employer: Company that pays for occupational health.
        reminder: How the patient is reminded of visits.
    """
    if any(same(row.email, email) for row in state.patients):
        raise conflict(f"{email} belongs to a patient already; use search_patients.", type="already_registered")
    if check_date(born_on) > ctx.today:
        raise invalid(f"{born_on} is still to come.", type="not_born_yet")
    _check_reminder(reminder, phone)
    return state.patients.create(
        name=check_text(name, "name"),
        email=email,
        phone=phone,
        born_on=born_on,
        patient_number=next_number((row.patient_number for row in state.patients), "P-", first=20_001, width=5),
        employer=employer,
        reminder=reminder,
        language="English",
        registered_on=ctx.today,
    )


def _check_reminder(reminder: str, phone: str) -> None:
    if reminder in ("sms", "phone") and not phone.strip():
        raise invalid(f"Reminders by {reminder} need a phone number.", type="phone_needed")


@service.tool(phrase="update the details of patient {patient_id}")
def update_patient(
    state: AppointmentState,
    ctx: CallContext,
    patient_id: PatientId,
    email: f.Email | Unset = UNSET,
    phone: Phone | Unset = UNSET,
    reminder: Reminder | Unset = UNSET,
    language: Language | Unset = UNSET,
    remarks: f.Text | Unset = UNSET,
) -> Patient:
    """Change how a patient is reached and spoken to; what is not sent stays as it is.

    Errors: `not_found`, `nothing_to_change`, `email_taken`, `phone_needed`.

    Args:
        patient_id: Id of the patient.
        email: New address.
        phone: New phone number.
        reminder: How the patient is reminded of visits.
        language: Language the patient prefers.
        remarks: What the desk should know; replaces what is there.
    """
    patient = state.patients.get(patient_id)
    changes = some_changes(given(email=email, phone=phone, reminder=reminder, language=language, remarks=remarks))
    if any(same(row.email, str(email)) and row.id != patient_id for row in state.patients):
        raise conflict(f"{email} belongs to another patient.", type="email_taken")
    _check_reminder(changes.get("reminder", patient.reminder), changes.get("phone", patient.phone))
    return state.patients.patch(patient_id, **changes)


@service.tool()
def search_practitioners(  # noqa: PLR0913, PLR0917 - one per filter
    state: AppointmentState,
    ctx: CallContext,
    query: Query | None = None,
    specialty: Specialty | None = None,
    city: Place | None = None,
    language: Language | None = None,
    new_patients_only: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find doctors, therapists and dentists by name, specialty, city or language.

    Args:
        query: Words of the name or of the practice.
        specialty: Only this specialty.
        city: Only practices in this city.
        language: Only those who speak it.
        new_patients_only: Only those who take patients they have not seen before.
        limit: At most so many practitioners.
        cursor: next_cursor of the previous page.
    """
    practices = {row.id: row for row in state.practices}
    found = search(state.practitioners, query, lambda row: (row.name, row.email, practices[row.practice_id].name))
    found = keep(found, specialty=specialty)
    found = [row for row in found if row.accepts_new_patients or not new_patients_only]
    found = [row for row in found if city is None or same(practices[row.practice_id].city, city)]
    found = [row for row in found if language is None or any(same(spoken, language) for spoken in row.languages)]
    found.sort(key=lambda row: (row.name, row.id))
    page = cursor_page("practitioners", found, limit, cursor)
    page["practitioners"] = [
        with_fields(row, practice_name=practices[row.practice_id].name, city=practices[row.practice_id].city)
        for row in page["practitioners"]
    ]
    return page


@service.tool()
def get_practitioner(state: AppointmentState, ctx: CallContext, practitioner_id: PractitionerId) -> Json:
    """Show a practitioner with weekly hours, absences to come, kinds of visits and the next free quarter of an hour.

    Errors: `not_found`.

    Args:
        practitioner_id: Id of the practitioner.
    """
    person = state.practitioners.get(practitioner_id)
    away = [row for row in state.absences.find(practitioner_id=practitioner_id) if row.ends_at >= ctx.now]
    kinds = state.visit_types.find(specialty=person.specialty)
    days = (plus_days(ctx.today, offset) for offset in range(_LOOK_AHEAD))
    starts = (start for day in days for start in free_starts(state, person, 15, day) if start > ctx.now)
    return with_fields(
        person,
        practice=state.practices.get(person.practice_id),
        hours=[brief(row, "weekday", "starts", "ends") for row in state.sessions.find(practitioner_id=person.id)],
        absences=sorted(away, key=lambda row: row.starts_at),
        visit_types=[brief(row, "id", "name", "minutes", "fee") for row in kinds],
        next_free=next(starts, None),
    )


@service.tool()
def list_visit_types(
    state: AppointmentState,
    ctx: CallContext,
    specialty: Specialty | None = None,
    query: Query | None = None,
    max_minutes: Annotated[int, f.duration("minutes"), Field(ge=5, le=240)] | None = None,
) -> Json:
    """List kinds of visits with length, fee, notice in hours, preparation and whether they need a referral.

    Args:
        specialty: Only visits of this specialty.
        query: Words of the name or the preparation.
        max_minutes: Only visits that last no longer.
    """
    found = keep(search(state.visit_types, query, lambda row: (row.name, row.preparation)), specialty=specialty)
    return {"visit_types": [row for row in found if max_minutes is None or row.minutes <= max_minutes]}


@service.tool()
def search_guides(
    state: AppointmentState,
    ctx: CallContext,
    query: Query | None = None,
    status: GuideStatus = "current",
    limit: Limit = 10,
    cursor: Cursor = "",
) -> Json:
    """Find the practice's guides and house rules with their full text, the latest first.

    Args:
        query: Words that must all occur in title or text.
        status: Rules that hold now, or those that were replaced.
        limit: At most so many guides.
        cursor: next_cursor of the previous page.
    """
    found = guide_pages(state.guides, query, status=status)
    return cursor_page("guides", found, limit, cursor)
