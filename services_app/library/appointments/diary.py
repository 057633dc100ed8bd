"""Tools of the day: who comes, who arrived, who did not, and when a practitioner is away."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.appointments.booking import AppointmentId, Reason
from services_app.library.appointments.patients import PractitionerId
from services_app.library.appointments.rules import charge, ends_at, free_starts, planned, shown
from services_app.library.appointments.state import (
    PLANNED,
    TAKES_TIME,
    Absence,
    Appointment,
    AppointmentState,
    PaymentMethod,
    service,
)
from services_app.library.shared import (
    Json,
    check_date,
    check_future,
    check_text,
    check_time,
    plus_days,
    plus_minutes,
)

EARLY = 60  # minutes before a visit in which a patient can check in
LATE = 15  # minutes after its start from which a patient counts as missing


@service.tool()
def get_day_sheet(
    state: AppointmentState, ctx: CallContext, practitioner_id: PractitionerId, date: f.Date | None = None
) -> Json:
    """Show the day of a practitioner: visits in order, absences, and the quarters of an hour that are left.

    Errors: `not_found`, `invalid_date`.

    Args:
        practitioner_id: Id of the practitioner.
        date: The day; today when left out.
    """
    person, day = state.practitioners.get(practitioner_id), check_date(date or ctx.today)
    rows = [
        row
        for row in state.appointments.find(practitioner_id=person.id)
        if row.starts_at[:10] == day and row.status in TAKES_TIME
    ]
    away = state.absences.find(practitioner_id=person.id)
    return {
        "practitioner_name": person.name,
        "date": day,
        "appointments": [shown(state, row) for row in sorted(rows, key=lambda row: row.starts_at)],
        "absences": [row for row in away if row.starts_at[:10] <= day <= row.ends_at[:10]],
        "free_starts": free_starts(state, person, 15, day),
    }


@service.tool(phrase="check the patient of {appointment_id} in")
def check_in_patient(state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Note that the patient has arrived: from an hour before the visit until its end.

    Errors: `not_found`, `not_planned`, `too_early`, `too_late`.

    Args:
        appointment_id: Id of the appointment.
    """
    row = planned(state, appointment_id)
    opens = plus_minutes(row.starts_at, -EARLY)
    if ctx.now < opens:
        raise conflict(f"Check-in for {row.reference} opens at {opens}.", type="too_early")
    if ctx.now > ends_at(state, row):
        raise conflict(f"{row.reference} is over; mark a no-show.", type="too_late")
    return shown(state, state.appointments.patch(row.id, status="arrived"))


@service.tool(phrase="close the visit {appointment_id}")
def complete_visit(state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Close the visit of a patient who has arrived.

    Errors: `not_found`, `not_arrived`.

    Args:
        appointment_id: Id of the appointment.
    """
    row = state.appointments.get(appointment_id)
    if row.status != "arrived":
        raise conflict(f"{row.reference} is {row.status}; check the patient in first.", type="not_arrived")
    return shown(state, state.appointments.patch(row.id, status="completed"))


@service.tool(phrase="mark the patient as missing from {appointment_id}")
def mark_no_show(state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId) -> Json:
    """Mark a visit as missed, from 15 minutes after its start; the whole fee is charged.

    Errors: `not_found`, `not_planned`, `too_early`.

    Args:
        appointment_id: Id of the appointment.
    """
    row = planned(state, appointment_id)
    missing = plus_minutes(row.starts_at, LATE)
    if ctx.now < missing:
        raise conflict(f"The patient of {row.reference} is not missing before {missing}.", type="too_early")
    return shown(state, state.appointments.patch(row.id, status="no_show"))


@service.tool(phrase="record the payment of the charge on {appointment_id} by {method}")
def record_payment(
    state: AppointmentState, ctx: CallContext, appointment_id: AppointmentId, method: PaymentMethod
) -> Json:
    """Record that the charge for a missed or late cancelled visit was paid in full.

    Errors: `not_found`, `nothing_to_pay`.

    Args:
        appointment_id: Id of the appointment.
        method: How it was paid.
    """
    row = _charged(state, appointment_id)
    return shown(state, state.appointments.patch(row.id, settlement="paid", payment_method=method))


@service.tool(phrase="waive the charge on {appointment_id} because {reason}")
def waive_charge(
    state: AppointmentState,
    ctx: CallContext,
    appointment_id: AppointmentId,
    reason: Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=1000)],
) -> Json:
    """Waive the charge for a missed or late cancelled visit, once for visits of any 365 days.

    Errors: `not_found`, `nothing_to_pay`, `waived_before`, `blank_text`.

    Args:
        appointment_id: Id of the appointment.
        reason: Why the practice lets it go.
    """
    row = _charged(state, appointment_id)
    near = (plus_days(row.starts_at, -365), plus_days(row.starts_at, 365))
    for other in state.appointments.find(patient_id=row.patient_id, settlement="waived"):
        if near[0] <= other.starts_at[:10] <= near[1]:
            raise forbidden(
                f"The charge for {other.reference} was waived within a year of this one.", type="waived_before"
            )
    text = check_text(reason, "reason")
    return shown(state, state.appointments.patch(row.id, settlement="waived", waiver_reason=text))


def _charged(state: AppointmentState, appointment_id: str) -> Appointment:
    row = state.appointments.get(appointment_id)
    if row.settlement != "none" or not charge(state, row):
        raise conflict(f"There is no open charge for {row.reference}.", type="nothing_to_pay")
    return row


@service.tool(phrase="block the time of {practitioner_id} from {starts_at} to {ends_at}")
def block_time(
    state: AppointmentState,
    ctx: CallContext,
    practitioner_id: PractitionerId,
    starts_at: f.Timestamp,
    ends_at: f.Timestamp,
    reason: Reason = "",
) -> Absence:
    """Keep a practitioner's time free of bookings; visits that are planned then have to be moved first.

    Errors: `not_found`, `invalid_time`, `in_the_past`, `ends_before_start`, `visits_planned`, `blocked_already`.

    Args:
        practitioner_id: Id of the practitioner.
        starts_at: First moment away.
        ends_at: Moment of return.
        reason: Why, for the desk.
    """
    person = state.practitioners.get(practitioner_id)
    start, end = check_future(ctx, starts_at, "start"), check_time(ends_at)
    if end <= start:
        raise invalid(f"The absence ends ({end}) before it starts ({start}).", type="ends_before_start")
    rows = state.appointments.find(practitioner_id=person.id)
    hit = [row for row in rows if row.status in PLANNED and row.starts_at < end and start < _end(state, row)]
    if hit:
        raise conflict(f"Move {', '.join(row.reference for row in hit[:5])} first.", type="visits_planned")
    for other in state.absences.find(practitioner_id=person.id):
        if other.starts_at <= start and end <= other.ends_at:
            raise conflict(f"{person.name} is away then already ({other.id}).", type="blocked_already")
    return state.absences.create(practitioner_id=person.id, starts_at=start, ends_at=end, reason=reason)


def _end(state: AppointmentState, row: Appointment) -> str:
    return ends_at(state, row)
