"""When practitioners are free, what a visit costs its patient, and how records are shown."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, invalid
from services_app.library.appointments.state import (
    PLANNED,
    TAKES_TIME,
    Appointment,
    AppointmentState,
    Patient,
    Practitioner,
    Referral,
    VisitType,
)
from services_app.library.shared import (
    Json,
    check_time,
    days_between,
    minutes_between,
    plus_days,
    plus_minutes,
    total,
    weekday_of,
)

GRID = 15  # minutes between two possible starts
LATE_HOURS = 24  # a cancellation later than this before the visit costs half of it
NO_SHOWS = 3  # so many missed visits in a year suspend booking
MOVES = 2


def ends_at(state: AppointmentState, appointment: Appointment) -> str:
    return plus_minutes(appointment.starts_at, state.visit_types.get(appointment.visit_type_id).minutes)


def busy(state: AppointmentState, practitioner_id: str, date: str, but: str = "") -> list[tuple[str, str]]:
    """From when to when a practitioner is taken on a day, by appointments (`but` one) and absences."""
    found = [
        (row.starts_at, ends_at(state, row))
        for row in state.appointments.find(practitioner_id=practitioner_id)
        if row.starts_at[:10] == date and row.status in TAKES_TIME and row.id != but
    ]
    away = state.absences.find(practitioner_id=practitioner_id)
    return found + [(row.starts_at, row.ends_at) for row in away if row.starts_at[:10] <= date <= row.ends_at[:10]]


def free_starts(
    state: AppointmentState, practitioner: Practitioner, minutes: int, date: str, but: str = ""
) -> list[str]:
    """Instants of a day at which a visit of this length can begin."""
    taken = busy(state, practitioner.id, date, but)
    found = []
    for session in state.sessions.find(practitioner_id=practitioner.id, weekday=weekday_of(date)):
        start, last = f"{date}T{session.starts}:00Z", f"{date}T{session.ends}:00Z"
        while (end := plus_minutes(start, minutes)) <= last:
            if all(end <= first or until <= start for first, until in taken):
                found.append(start)
            start = plus_minutes(start, GRID)
    return sorted(found)


def check_slot(
    state: AppointmentState,
    ctx: CallContext,
    practitioner: Practitioner,
    kind: VisitType,
    starts_at: str,
    but: str = "",
) -> str:
    """The start, when the practitioner is free then and there is notice enough.

    Refused with `short_notice`, `too_far_ahead` or `slot_taken`.
    """
    start = check_time(starts_at)
    if start < plus_minutes(ctx.now, kind.notice * 60):
        raise invalid(f"{kind.name} is booked at least {kind.notice} hours ahead.", type="short_notice")
    if days_between(ctx.today, start) > 180:
        raise invalid("Appointments are given out for the next 180 days only.", type="too_far_ahead")
    if start not in free_starts(state, practitioner, kind.minutes, start[:10], but):
        raise conflict(
            f"{practitioner.name} has no free {kind.minutes} minutes at {start}; see find_open_slots.",
            type="slot_taken",
        )
    return start


def check_patient_free(state: AppointmentState, patient: Patient, kind: VisitType, start: str, but: str = "") -> None:
    """409 `patient_is_busy` when the patient is somewhere else of ours then."""
    end = plus_minutes(start, kind.minutes)
    for row in state.appointments.find(patient_id=patient.id):
        if row.id != but and row.status in TAKES_TIME and row.starts_at < end and start < ends_at(state, row):
            raise conflict(f"{patient.name} has {row.reference} at {row.starts_at} already.", type="patient_is_busy")


def missed_in_a_year(state: AppointmentState, ctx: CallContext, patient_id: str) -> int:
    """How many visits of the last 365 days the patient missed without a word."""
    since = plus_days(ctx.today, -365)
    return sum(1 for row in state.appointments.find(patient_id=patient_id, status="no_show") if row.starts_at >= since)


def charge(state: AppointmentState, appointment: Appointment) -> float:
    """What the patient owes for a visit that was missed or cancelled late, in pounds; settled or not."""
    fee = state.visit_types.get(appointment.visit_type_id).fee
    if appointment.status == "no_show":
        return fee
    if appointment.status == "cancelled" and appointment.cancelled_at is not None:
        late = minutes_between(appointment.cancelled_at, appointment.starts_at) < LATE_HOURS * 60
        return round(fee / 2, 2) if late else 0.0
    return 0.0


def outstanding(state: AppointmentState, patient_id: str) -> float:
    """Charges of a patient that are neither paid nor waived."""
    return total(charge(state, row) for row in state.appointments.find(patient_id=patient_id, settlement="none"))


def visits_left(state: AppointmentState, referral: Referral, but: str = "") -> int:
    """Visits of a referral that are not used; missed ones count as used."""
    rows = state.appointments.find(referral_id=referral.id)
    return referral.visits - sum(1 for row in rows if row.status in TAKES_TIME and row.id != but)


def planned(state: AppointmentState, appointment_id: str) -> Appointment:
    """An appointment that is still to come; 409 `not_planned` otherwise."""
    appointment = state.appointments.get(appointment_id)
    if appointment.status not in PLANNED:
        raise conflict(
            f"{appointment.reference} is {appointment.status}; only booked or confirmed appointments can be changed.",
            type="not_planned",
        )
    return appointment


def shown(state: AppointmentState, appointment: Appointment) -> Json:
    """An appointment with the names behind its ids, its end and its charge."""
    practitioner = state.practitioners.get(appointment.practitioner_id)
    kind, patient = state.visit_types.get(appointment.visit_type_id), state.patients.get(appointment.patient_id)
    return {
        **appointment.plain(),
        "ends_at": ends_at(state, appointment),
        "patient_name": patient.name,
        "patient_email": patient.email,
        "practitioner_name": practitioner.name,
        "practice_name": state.practices.get(practitioner.practice_id).name,
        "visit_type": kind.name,
        "charge": charge(state, appointment),
    }
