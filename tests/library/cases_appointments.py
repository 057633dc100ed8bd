"""Situations in appointments; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.engine import Edit
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, rows

SLUG = "appointments"
PEOPLE += [(SLUG, "patients")]
MONDAY = "2026-03-09"


def patient(number: int = 0, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"PAT-{9000 + number}",
        "name": f"Agnes Example {number}",
        "email": f"agnes.{number}@patients.example",
        "phone": "",
        "born_on": "1980-05-05",
        "patient_number": f"P-{29_000 + number}",
        "employer": "",
        "reminder": "email",
        "language": "English",
        "registered_on": "2025-05-05",
    }
    return {**base, **more}


def visit_type(env: Env, name: str) -> str:
    return str(one(env, SLUG, "visit_types", name=name)["id"])


def practitioner(env: Env, name: str) -> str:
    return str(one(env, SLUG, "practitioners", name=name)["id"])


def appointment(env: Env, number: int, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"APP-{9000 + number}",
        "reference": f"HA-{39_000 + number}",
        "patient_id": "PAT-9000",
        "practitioner_id": practitioner(env, "Dr Imogen Hale"),
        "visit_type_id": visit_type(env, "Consultation"),
        "starts_at": f"{MONDAY}T10:00:00Z",
        "status": "booked",
        "reason": "",
        "booked_at": "2026-02-20T10:00:00Z",
    }
    return {**base, **more}


def world(env: Env) -> Env:
    """Two patients with a clean record, nothing else booked, nobody away, everybody taking new patients."""
    gone = [
        Edit(SLUG, table, row["id"])
        for table in ("appointment_notes", "appointments", "absences")
        for row in rows(env, SLUG, table)
    ]
    return added(env.edited(gone), SLUG, "patients", patient(0), patient(1))


def booking(env: Env, **more: Any) -> dict[str, Any]:
    base = {
        "patient_id": "PAT-9000",
        "practitioner_id": practitioner(env, "Dr Imogen Hale"),
        "visit_type_id": visit_type(env, "Consultation"),
        "starts_at": f"{MONDAY}T10:00:00Z",
    }
    return {**base, **more}


def waiting(env: Env, **more: Any) -> Env:
    base = {
        "id": "WL-9000",
        "patient_id": "PAT-9000",
        "visit_type_id": visit_type(env, "Consultation"),
        "earliest": "2026-03-02",
        "latest": "2027-03-31",
        "urgent": False,
        "status": "waiting",
        "joined_at": "2026-02-20T10:00:00Z",
    }
    return added(env, SLUG, "waitlist_entries", {**base, **more})


def offer(env: Env, **more: Any) -> dict[str, Any]:
    doctor = practitioner(env, "Dr Imogen Hale")
    base = {"waitlist_entry_id": "WL-9000", "practitioner_id": doctor, "starts_at": f"{MONDAY}T10:00:00Z"}
    return {**base, **more}


def missed(env: Env) -> Env:
    """The first patient has missed three visits."""
    days = ("2025-11-03", "2025-12-01", "2026-01-12")
    records = [
        appointment(env, 50 + number, starts_at=f"{day}T10:00:00Z", status="no_show") for number, day in enumerate(days)
    ]
    return added(env, SLUG, "appointments", *records)


def eyes(env: Env, **more: Any) -> dict[str, Any]:
    """A visit of another kind at the same time, with somebody else."""
    base = {
        "practitioner_id": practitioner(env, "Dr Farid Nazari"),
        "visit_type_id": visit_type(env, "Display screen eye test"),
    }
    return appointment(env, 10, **{**base, **more})


@case(SLUG, "book_appointment", "patient_is_busy")
def _(env: Env) -> Situation:
    env = world(env)
    env = added(env, SLUG, "appointments", eyes(env, practitioner_id=practitioner(env, "Dr Leon Abara")))
    return env, booking(env)


@case(SLUG, "book_appointment", "too_far_ahead")
def _(env: Env) -> Situation:
    env = world(env)
    return env, booking(env, starts_at="2026-10-05T10:00:00Z")


@case(SLUG, "book_appointment", "booking_suspended")
def _(env: Env) -> Situation:
    env = missed(world(env))
    return env, booking(env)


@case(SLUG, "book_appointment", "already_booked")
def _(env: Env) -> Situation:
    env = world(env)
    ok(env, SLUG, "book_appointment", **booking(env))
    return env, booking(env, starts_at=f"{MONDAY}T11:00:00Z")


@case(SLUG, "book_from_waitlist", "too_far_ahead")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    return env, offer(env, starts_at="2026-10-05T10:00:00Z")


@case(SLUG, "book_from_waitlist", "booking_suspended")
def _(env: Env) -> Situation:
    env = waiting(missed(world(env)))
    return env, offer(env)


@case(SLUG, "book_from_waitlist", "no_new_patients")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    return env, offer(env, practitioner_id=practitioner(env, "Dr Harriet Coombe"))


@case(SLUG, "book_from_waitlist", "already_booked")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    ok(env, SLUG, "book_appointment", **booking(env))
    return env, offer(env, starts_at=f"{MONDAY}T11:00:00Z")


@case(SLUG, "book_from_waitlist", "patient_is_busy")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    env = added(env, SLUG, "appointments", eyes(env))
    return env, offer(env)


@case(SLUG, "book_from_waitlist", "referral_needed")
def _(env: Env) -> Situation:
    env = world(env)
    env = waiting(env, visit_type_id=visit_type(env, "Skin check"))
    return env, offer(env, practitioner_id=practitioner(env, "Dr Sunniva Brandt"))


@case(SLUG, "book_from_waitlist", "slot_taken")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    return env, offer(env, starts_at=f"{MONDAY}T10:05:00Z")


@case(SLUG, "book_from_waitlist", "short_notice")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    return env, offer(env, starts_at="2026-03-02T10:00:00Z")


@case(SLUG, "join_waitlist", "already_waiting")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    arguments = {"patient_id": "PAT-9000", "visit_type_id": visit_type(env, "Consultation")}
    return env, {**arguments, "earliest": MONDAY, "latest": MONDAY}


def moved(env: Env, **more: Any) -> tuple[Env, dict[str, Any]]:
    env = world(env)
    env = added(env, SLUG, "appointments", appointment(env, 0, **more))
    return env, {"appointment_id": "APP-9000", "starts_at": f"{MONDAY}T11:00:00Z"}


@case(SLUG, "reschedule_appointment", "same_time")
def _(env: Env) -> Situation:
    env, arguments = moved(env)
    return env, {**arguments, "starts_at": f"{MONDAY}T10:00:00Z"}


@case(SLUG, "reschedule_appointment", "moved_too_often")
def _(env: Env) -> Situation:
    return moved(env, moves=2)


@case(SLUG, "reschedule_appointment", "too_late_to_move")
def _(env: Env) -> Situation:
    return moved(env, starts_at="2026-03-02T16:00:00Z")


@case(SLUG, "reschedule_appointment", "too_far_ahead")
def _(env: Env) -> Situation:
    env, arguments = moved(env)
    return env, {**arguments, "starts_at": "2026-10-05T10:00:00Z"}


@case(SLUG, "reschedule_appointment", "short_notice")
def _(env: Env) -> Situation:
    env, arguments = moved(env)
    return env, {**arguments, "starts_at": "2026-03-02T10:00:00Z"}


@case(SLUG, "reschedule_appointment", "slot_taken")
def _(env: Env) -> Situation:
    env, arguments = moved(env)
    return env, {**arguments, "starts_at": f"{MONDAY}T20:00:00Z"}


@case(SLUG, "reschedule_appointment", "patient_is_busy")
def _(env: Env) -> Situation:
    env, arguments = moved(env)
    return added(env, SLUG, "appointments", eyes(env, starts_at=f"{MONDAY}T11:00:00Z")), arguments


@case(SLUG, "reschedule_appointment", "referral_needed")
def _(env: Env) -> Situation:
    env = world(env)
    more = {"practitioner_id": practitioner(env, "Dr Sunniva Brandt"), "visit_type_id": visit_type(env, "Skin check")}
    env = added(env, SLUG, "appointments", appointment(env, 0, **more))
    return env, {"appointment_id": "APP-9000", "starts_at": f"{MONDAY}T11:00:00Z"}


@case(SLUG, "update_patient", "phone_needed")
def _(env: Env) -> Situation:
    return world(env), {"patient_id": "PAT-9000", "reminder": "sms"}


@case(SLUG, "update_patient", "email_taken")
def _(env: Env) -> Situation:
    return world(env), {"patient_id": "PAT-9000", "email": "agnes.1@patients.example"}


@case(SLUG, "add_referral", "referral_expired")
def _(env: Env) -> Situation:
    arguments = {"patient_id": "PAT-9000", "number": "RF-1", "specialty": "dermatology", "referred_by": "Dr Hale"}
    return world(env), {**arguments, "issued_on": "2025-01-10"}


@case(SLUG, "block_time", "blocked_already")
def _(env: Env) -> Situation:
    env = world(env)
    span = {"practitioner_id": practitioner(env, "Dr Owen Trask")}
    span |= {"starts_at": "2026-05-04T08:00:00Z", "ends_at": "2026-05-08T18:00:00Z"}
    ok(env, SLUG, "block_time", **span)
    return env, {**span, "ends_at": "2026-05-05T18:00:00Z"}


def charged(env: Env, **more: Any) -> Env:
    env = world(env)
    first = appointment(env, 0, starts_at="2026-02-23T10:00:00Z", status="no_show", settlement="waived")
    second = appointment(env, 1, starts_at="2026-02-16T10:00:00Z", status="no_show", **more)
    return added(env, SLUG, "appointments", first, second)


@case(SLUG, "waive_charge", "waived_before")
def _(env: Env) -> Situation:
    return charged(env), {"appointment_id": "APP-9001", "reason": "Asked for it."}


@case(SLUG, "waive_charge", "blank_text")
def _(env: Env) -> Situation:
    return charged(env, patient_id="PAT-9001"), {"appointment_id": "APP-9001", "reason": "  "}


@case(SLUG, "cancel_appointment", "already_started")
def _(env: Env) -> Situation:
    env, _ = moved(env, starts_at="2026-03-02T08:30:00Z")
    return env, {"appointment_id": "APP-9000"}


@case(SLUG, "check_in_patient", "too_late")
def _(env: Env) -> Situation:
    env, _ = moved(env, starts_at="2026-03-02T08:30:00Z")
    return env, {"appointment_id": "APP-9000"}


@case(SLUG, "book_from_waitlist", "invalid_time")
def _(env: Env) -> Situation:
    env = waiting(world(env))
    return env, offer(env, starts_at="2026-02-30T10:00:00Z")
