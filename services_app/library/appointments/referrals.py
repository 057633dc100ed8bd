"""Tools for referrals: letters that entitle a patient to visits of a specialty."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.appointments.patients import PatientId, PersonName
from services_app.library.appointments.state import AppointmentState, Specialty, service
from services_app.library.shared import (
    Json,
    check_date,
    check_text,
    plus_days,
    same,
    with_fields,
)

VALID = 180  # days that a referral holds


@service.tool(phrase="file the referral {number} to {specialty} for patient {patient_id}")
def add_referral(  # noqa: PLR0913, PLR0917 - one per field
    state: AppointmentState,
    ctx: CallContext,
    patient_id: PatientId,
    number: Annotated[str, f.Semantic("code"), Field(min_length=3, max_length=40)],
    specialty: Specialty,
    referred_by: PersonName,
    issued_on: f.Date,
    visits: Annotated[int, f.count("visits"), Field(ge=1, le=20)] = 1,
    question: Annotated[str, f.Semantic("text"), Field(max_length=2000)] = "",
) -> Json:
    """File a referral letter; it holds for 180 days from the day it was issued.

    Errors: `not_found`, `number_taken`, `invalid_date`, `issued_in_future`, `referral_expired`, `blank_text`.

    Args:
        patient_id: Id of the patient.
        number: Number on the letter.
        specialty: What the patient is referred to.
        referred_by: Doctor who wrote the letter.
        issued_on: Date of the letter.
        visits: How many visits it covers.
        question: What the doctor asks.
    """
    patient, issued, code = state.patients.get(patient_id), check_date(issued_on), check_text(number, "number")
    if any(same(row.number, code) for row in state.referrals):
        raise conflict(f"A referral with the number {code} is filed already.", type="number_taken")
    if issued > ctx.today:
        raise invalid(f"A letter of {issued} cannot have come yet.", type="issued_in_future")
    expires = plus_days(issued, VALID)
    if expires < ctx.today:
        raise invalid(f"The letter expired on {expires}; ask for a new one.", type="referral_expired")
    row = state.referrals.create(
        number=code,
        patient_id=patient.id,
        specialty=specialty,
        referred_by=check_text(referred_by, "name of the doctor"),
        question=question,
        issued_on=issued,
        expires_on=expires,
        visits=visits,
    )
    return with_fields(row, visits_left=visits, patient_name=patient.name)
