"""Tools for the waiting list: who wants an earlier or any visit, and giving them a time."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.appointments.booking import make_appointment
from services_app.library.appointments.patients import PatientId, PractitionerId, VisitTypeId
from services_app.library.appointments.rules import shown
from services_app.library.appointments.state import AppointmentState, WaitlistEntry, WaitlistStatus, service
from services_app.library.shared import Cursor, Json, Limit, check_range, check_time, cursor_page, keep, with_fields

EntryId = Annotated[str, f.ref("waitlist_entries")]


def _row(state: AppointmentState, entry: WaitlistEntry) -> Json:
    wanted = entry.practitioner_id
    return with_fields(
        entry,
        patient_name=state.patients.get(entry.patient_id).name,
        visit_type=state.visit_types.get(entry.visit_type_id).name,
        practitioner_name=state.practitioners.get(wanted).name if wanted else None,
    )


@service.tool()
def list_waitlist(
    state: AppointmentState,
    ctx: CallContext,
    visit_type_id: VisitTypeId | None = None,
    practitioner_id: PractitionerId | None = None,
    patient_id: PatientId | None = None,
    status: WaitlistStatus = "waiting",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the waiting list: urgent entries first, then in the order in which patients joined.

    Args:
        visit_type_id: Only entries for this kind of visit.
        practitioner_id: Only patients who asked for this practitioner.
        patient_id: Only entries of this patient.
        status: Entries in this status.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.waitlist_entries, visit_type_id=visit_type_id, patient_id=patient_id, status=status)
    found = keep(found, practitioner_id=practitioner_id)
    found.sort(key=lambda row: (not row.urgent, row.joined_at, row.id))
    page = cursor_page("entries", found, limit, cursor)
    page["entries"] = [_row(state, row) for row in page["entries"]]
    return page


@service.tool(phrase="put patient {patient_id} on the waiting list for {visit_type_id} from {earliest} to {latest}")
def join_waitlist(
    state: AppointmentState,
    ctx: CallContext,
    patient_id: PatientId,
    visit_type_id: VisitTypeId,
    earliest: f.Date,
    latest: f.Date,
    practitioner_id: PractitionerId | None = None,
    urgent: bool = False,
) -> Json:
    """Put a patient on the waiting list for a kind of visit.

    Errors: `not_found`, `invalid_date`, `invalid_range`, `in_the_past`, `wrong_specialty`, `already_waiting`.

    Args:
        patient_id: Id of the patient.
        visit_type_id: Kind of visit.
        earliest: First day that suits.
        latest: Last day that suits.
        practitioner_id: Only with this practitioner; anyone when left out.
        urgent: Whether a doctor asked for a visit soon.
    """
    patient, kind = state.patients.get(patient_id), state.visit_types.get(visit_type_id)
    check_range(earliest, latest)
    if latest < ctx.today:
        raise invalid(f"{latest} is over; give a day that is still to come.", type="in_the_past")
    if practitioner_id is not None and state.practitioners.get(practitioner_id).specialty != kind.specialty:
        raise invalid(f"{kind.name} is a visit of {kind.specialty}; name such a practitioner.", type="wrong_specialty")
    for row in state.waitlist_entries.find(patient_id=patient.id, visit_type_id=kind.id, status="waiting"):
        raise conflict(f"{patient.name} waits for {kind.name} already ({row.id}).", type="already_waiting")
    entry = state.waitlist_entries.create(
        patient_id=patient.id,
        visit_type_id=kind.id,
        practitioner_id=practitioner_id,
        earliest=earliest,
        latest=latest,
        urgent=urgent,
        status="waiting",
        joined_at=ctx.now,
    )
    return _row(state, entry)


def _waiting(state: AppointmentState, entry_id: str) -> WaitlistEntry:
    entry = state.waitlist_entries.get(entry_id)
    if entry.status != "waiting":
        raise conflict(f"{entry_id} is {entry.status}; only waiting entries can be changed.", type="not_waiting")
    return entry


@service.tool(
    phrase="give the waiting patient {waitlist_entry_id} the time {starts_at} with {practitioner_id}",
    examples=(
        Example(
            {"waitlist_entry_id": "WL-0002", "practitioner_id": "DOC-004", "starts_at": "2026-03-06T09:00:00Z"},
        ),
    ),
)
def book_from_waitlist(
    state: AppointmentState,
    ctx: CallContext,
    waitlist_entry_id: EntryId,
    practitioner_id: PractitionerId,
    starts_at: f.Timestamp,
) -> Json:
    """Give a waiting patient a free time within the wished days; the entry is then done.

    Errors: `not_found`, `not_waiting`, `not_wished` (other days or another practitioner), `wrong_specialty`,
    `booking_suspended`, `no_new_patients`, `already_booked`, `referral_needed`, `short_notice`, `too_far_ahead`,
    `slot_taken`, `patient_is_busy`, `invalid_time`.

    Args:
        waitlist_entry_id: Id of the waiting list entry.
        practitioner_id: Who sees the patient.
        starts_at: Start, as find_open_slots gives it.
    """
    entry, person = _waiting(state, waitlist_entry_id), state.practitioners.get(practitioner_id)
    kind = state.visit_types.get(entry.visit_type_id)
    if person.specialty != kind.specialty:
        raise invalid(f"{person.name} does {person.specialty}, not {kind.specialty}.", type="wrong_specialty")
    day = check_time(starts_at)[:10]
    if not entry.earliest <= day <= entry.latest or entry.practitioner_id not in (None, person.id):
        raise conflict(
            f"{waitlist_entry_id} wishes a day from {entry.earliest} to {entry.latest}"
            f"{' with ' + entry.practitioner_id if entry.practitioner_id else ''}.",
            type="not_wished",
        )
    patient = state.patients.get(entry.patient_id)
    appointment = make_appointment(state, ctx, patient, person, kind, starts_at, "From the waiting list.")
    state.waitlist_entries.patch(entry.id, status="booked")
    return shown(state, appointment)


@service.tool(phrase="take {waitlist_entry_id} off the waiting list")
def leave_waitlist(state: AppointmentState, ctx: CallContext, waitlist_entry_id: EntryId) -> Json:
    """Take a patient who no longer waits off the waiting list.

    Errors: `not_found`, `not_waiting`.

    Args:
        waitlist_entry_id: Id of the waiting list entry.
    """
    entry = _waiting(state, waitlist_entry_id)
    return _row(state, state.waitlist_entries.patch(entry.id, status="withdrawn"))
