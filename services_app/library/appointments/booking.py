"""Tools that find free time and book, move and cancel visits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.appointments.patients import PatientId, PractitionerId, VisitTypeId
from services_app.library.appointments.rules import (
    LATE_HOURS,
    MOVES,
    NO_SHOWS,
    check_patient_free,
    check_slot,
    free_starts,
    missed_in_a_year,
    planned,
    shown,
    visits_left,
)
from services_app.library.appointments.state import (
    PLANNED,
    Appointment,
    AppointmentState,
    AppointmentStatus,
    Patient,
    Practitioner,
    VisitType,
    service,
)
from services_app.library.cast import ME
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    cursor_page,
    days_between,
    keep,
    next_number,
    plus_days,
    plus_minutes,
    search,
    with_fields,
    within,
)

AppointmentId = Annotated[str, f.ref("appointments")]
Reason = Annotated[str, f.Semantic("text"), Field(max_length=1000)]
_SPAN = 31  # days that one search of slots looks at


@service.tool()
def find_open_slots(  # noqa: PLR0913, PLR0917 - one per filter
    state: AppointmentState,
    ctx: CallContext,
    visit_type_id: VisitTypeId,
    practitioner_id: PractitionerId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    part_of_day: Annotated[Literal["morning", "afternoon"], LABEL] | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find when a kind of visit can still be booked, the earliest first; searches 31 days at most.

    Errors: `not_found`, `invalid_date`, `invalid_range`, `wrong_specialty`.

    Args:
        visit_type_id: Kind of visit.
        practitioner_id: Only with this practitioner.
        from_date: First day; today when left out.
        to_date: Last day; two weeks after the first when left out.
        part_of_day: Before noon, or from noon on.
        limit: At most so many slots.
        cursor: next_cursor of the previous page.
    """
    kind = state.visit_types.get(visit_type_id)
    if practitioner_id is None:
        people = state.practitioners.find(specialty=kind.specialty)
    else:
        people = [_for_visit(state, practitioner_id, kind)]
    first = from_date or ctx.today
    last = to_date or plus_days(first, 13)
    check_range(first, last)
    earliest = plus_minutes(ctx.now, kind.notice * 60)
    days = [plus_days(first, offset) for offset in range(min(days_between(first, last) + 1, _SPAN))]
    found = [
        (start, person)
        for day in days
        if day >= ctx.today
        for person in people
        for start in free_starts(state, person, kind.minutes, day)
        if start >= earliest and (part_of_day is None or (start[11:13] < "12") == (part_of_day == "morning"))
    ]
    found.sort(key=lambda pair: (pair[0], pair[1].id))
    page = cursor_page("slots", found, limit, cursor)
    page["slots"] = [_slot(state, kind, start, person) for start, person in page["slots"]]
    return page


def _for_visit(state: AppointmentState, practitioner_id: str, kind: VisitType) -> Practitioner:
    person = state.practitioners.get(practitioner_id)
    if person.specialty != kind.specialty:
        raise invalid(f"{person.name} does {person.specialty}, not {kind.specialty}.", type="wrong_specialty")
    return person


def _slot(state: AppointmentState, kind: VisitType, start: str, person: Practitioner) -> Json:
    return {
        "starts_at": start,
        "ends_at": plus_minutes(start, kind.minutes),
        "practitioner_id": person.id,
        "practitioner_name": person.name,
        "practice_name": state.practices.get(person.practice_id).name,
    }


@service.tool(phrase="book a {visit_type_id} visit with {practitioner_id} at {starts_at} for patient {patient_id}")
def book_appointment(
    state: AppointmentState,
    ctx: CallContext,
    patient_id: PatientId,
    practitioner_id: PractitionerId,
    visit_type_id: VisitTypeId,
    starts_at: f.Timestamp,
    reason: Reason = "",
) -> Json:
    """Book a visit at a free time. A visit that needs a referral uses the patient's referral that expires first.

    Errors: `not_found`, `wrong_specialty`, `booking_suspended` (three missed visits in a year), `no_new_patients`,
    `already_booked` (the same kind of visit is planned), `referral_needed`, `short_notice`, `too_far_ahead`,
    `slot_taken`, `patient_is_busy`, `invalid_time`.

    Args:
        patient_id: Id of the patient.
        practitioner_id: Who sees the patient.
        visit_type_id: Kind of visit.
        starts_at: Start, as find_open_slots gives it.
        reason: Why the patient comes, in words fit for the desk.
    """
    patient, kind = state.patients.get(patient_id), state.visit_types.get(visit_type_id)
    person = _for_visit(state, practitioner_id, kind)
    return shown(state, make_appointment(state, ctx, patient, person, kind, starts_at, reason))


def make_appointment(
    state: AppointmentState,
    ctx: CallContext,
    patient: Patient,
    person: Practitioner,
    kind: VisitType,
    starts_at: str,
    reason: str,
) -> Appointment:
    """Check every rule of booking and make the appointment."""
    _check_allowed(state, ctx, patient, person, kind)
    start = check_slot(state, ctx, person, kind, starts_at)
    check_patient_free(state, patient, kind, start)
    return state.appointments.create(
        reference=next_number((row.reference for row in state.appointments), "HA-", first=30_001, width=5),
        patient_id=patient.id,
        practitioner_id=person.id,
        visit_type_id=kind.id,
        starts_at=start,
        status="booked",
        reason=reason,
        referral_id=referral_for(state, patient, kind, start) if kind.needs_referral else None,
        booked_at=ctx.now,
    )


def _check_allowed(
    state: AppointmentState, ctx: CallContext, patient: Patient, person: Practitioner, kind: VisitType
) -> None:
    missed = missed_in_a_year(state, ctx, patient.id)
    if missed >= NO_SHOWS:
        raise forbidden(
            f"{patient.name} missed {missed} visits in a year; the practice manager decides.", type="booking_suspended"
        )
    own = state.appointments.find(patient_id=patient.id)
    if not person.accepts_new_patients and not any(row.practitioner_id == person.id for row in own):
        raise conflict(f"{person.name} takes no new patients at present.", type="no_new_patients")
    for row in own:
        if row.visit_type_id == kind.id and row.status in PLANNED:
            raise conflict(
                f"{patient.name} has {row.reference} for {kind.name} at {row.starts_at}; reschedule that one.",
                type="already_booked",
            )


def referral_for(state: AppointmentState, patient: Patient, kind: VisitType, start: str, but: str = "") -> str:
    """The referral that a visit on this day uses; 409 `referral_needed` when there is none."""
    usable = [
        row
        for row in state.referrals.find(patient_id=patient.id, specialty=kind.specialty)
        if row.issued_on <= start[:10] <= row.expires_on and visits_left(state, row, but) > 0
    ]
    if not usable:
        raise conflict(
            f"{kind.name} needs a referral to {kind.specialty} with a visit left on {start[:10]}.",
            type="referral_needed",
        )
    return min(usable, key=lambda row: (row.expires_on, row.id)).id


@service.tool(phrase="move the appointment {appointment_id} to {starts_at}")
def reschedule_appointment(
    state: AppointmentState,
    ctx: CallContext,
    appointment_id: AppointmentId,
    starts_at: f.Timestamp,
    practitioner_id: PractitionerId | Unset = UNSET,
) -> Json:
    """Move a visit to another free time; it is then booked, not confirmed. Twice at most.

    Errors: `not_found`, `not_planned`, `wrong_specialty`, `same_time`, `moved_too_often`, `too_late_to_move` (less than
    24 hours before it), `short_notice`, `too_far_ahead`, `slot_taken`, `patient_is_busy`, `referral_needed`,
    `invalid_time`.

    Args:
        appointment_id: Id of the appointment.
        starts_at: New start, as find_open_slots gives it.
        practitioner_id: Another practitioner of the same specialty.
    """
    row = planned(state, appointment_id)
    kind = state.visit_types.get(row.visit_type_id)
    wanted = given(practitioner_id=practitioner_id).get("practitioner_id", row.practitioner_id)
    person = _for_visit(state, wanted, kind)
    if (starts_at, wanted) == (row.starts_at, row.practitioner_id):
        raise conflict(f"{row.reference} is at that time already.", type="same_time")
    if row.moves >= MOVES:
        raise conflict(f"{row.reference} was moved {MOVES} times; cancel it and book anew.", type="moved_too_often")
    if plus_minutes(ctx.now, LATE_HOURS * 60) > row.starts_at:
        raise conflict(
            f"{row.reference} starts in less than {LATE_HOURS} hours; it can only be cancelled.",
            type="too_late_to_move",
        )
    start = check_slot(state, ctx, person, kind, starts_at, row.id)
    patient = state.patients.get(row.patient_id)
    check_patient_free(state, patient, kind, start, row.id)
    referral = referral_for(state, patient, kind, start, row.id) if kind.needs_referral else None
    moved = state.appointments.patch(
        row.id,
        starts_at=start,
        practitioner_id=person.id,
        status="booked",
        moves=row.moves + 1,
        referral_id=referral,
    )
    return shown(state, moved)


@service.tool(phrase="cancel the appointment {appointment_id}")
def cancel_appointment(
    state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId, reason: Reason = ""
) -> Json:
    """Cancel a visit, which frees its time; within 24 hours of its start half of the fee is charged.

    Errors: `not_found`, `not_planned`, `already_started`.

    Args:
        appointment_id: Id of the appointment.
        reason: Why it is cancelled.
    """
    row = planned(state, appointment_id)
    if row.starts_at <= ctx.now:
        raise conflict(
            f"{row.reference} began at {row.starts_at}; check in or record a no-show.", type="already_started"
        )
    changed = state.appointments.patch(row.id, status="cancelled", cancelled_at=ctx.now, cancellation_reason=reason)
    return shown(state, changed)


@service.tool(phrase="confirm the appointment {appointment_id}")
def confirm_appointment(state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Note that the patient has confirmed a booked visit.

    Errors: `not_found`, `not_planned`, `already_confirmed`.

    Args:
        appointment_id: Id of the appointment.
    """
    row = planned(state, appointment_id)
    if row.status == "confirmed":
        raise conflict(f"{row.reference} is confirmed already.", type="already_confirmed")
    return shown(state, state.appointments.patch(row.id, status="confirmed"))


@service.tool()
def list_appointments(  # noqa: PLR0913, PLR0917 - one per filter
    state: AppointmentState,
    ctx: CallContext,
    patient_id: PatientId | None = None,
    practitioner_id: PractitionerId | None = None,
    status: AppointmentStatus | None = None,
    query: Query | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List appointments by their start, with names, end and charge.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        patient_id: Only visits of this patient.
        practitioner_id: Only visits to this practitioner.
        status: Only visits in this status.
        query: Words in the reference, the reason, or the names of patient, practitioner or visit type.
        from_date: Only visits on this day or later.
        to_date: Only visits on this day or earlier.
        limit: At most so many appointments.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.appointments, patient_id=patient_id, practitioner_id=practitioner_id, status=status)
    found = search(within(found, "starts_at", from_date, to_date), query, lambda row: _words(state, row))
    found.sort(key=lambda row: (row.starts_at, row.id))
    page = cursor_page("appointments", found, limit, cursor)
    page["appointments"] = [shown(state, row) for row in page["appointments"]]
    return page


def _words(state: AppointmentState, row: Appointment) -> tuple[str, ...]:
    return (
        row.reference,
        row.reason,
        state.patients.get(row.patient_id).name,
        state.practitioners.get(row.practitioner_id).name,
        state.visit_types.get(row.visit_type_id).name,
    )


@service.tool()
def get_appointment(state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Show an appointment with its preparation, address and notes; what clinicians wrote is not shown to the desk.

    Errors: `not_found`.

    Args:
        appointment_id: Id of the appointment.
    """
    row = state.appointments.get(appointment_id)
    practitioner = state.practitioners.get(row.practitioner_id)
    notes = sorted(state.appointment_notes.find(appointment_id=row.id), key=lambda note: (note.written_at, note.id))
    return {
        **shown(state, row),
        "practice_address": state.practices.get(practitioner.practice_id).address,
        "preparation": state.visit_types.get(row.visit_type_id).preparation,
        "notes": [with_fields(note, text="(clinical)") if note.clinical else note for note in notes],
    }


@service.tool(phrase="note on the appointment {appointment_id}: {text}")
def add_appointment_note(
    state: AppointmentState,
    ctx: CallContext,
    appointment_id: AppointmentId,
    text: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=4000)],
) -> Json:
    """Leave a note of the desk on an appointment.

    Errors: `not_found`, `blank_text`.

    Args:
        appointment_id: Id of the appointment.
        text: What to remember.
    """
    row = state.appointments.get(appointment_id)
    if not text.strip():
        raise invalid("The note is blank; write what to remember.", type="blank_text")
    note = state.appointment_notes.create(
        appointment_id=row.id, author_email=ME.email, text=text, clinical=False, written_at=ctx.now
    )
    return note.plain()
