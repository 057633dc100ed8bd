"""The rules of appointments, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_appointments import (
    MONDAY,
    SLUG,
    appointment,
    booking,
    charged,
    eyes,
    missed,
    practitioner,
    visit_type,
    world,
)
from tests.library.driver import environment
from tests.library.world import added, ok, patched, refused, rows


def test_a_time_is_given_out_once_and_comes_back() -> None:
    env = world(environment(SLUG))
    first = ok(env, SLUG, "book_appointment", **booking(env))
    assert first["ends_at"] == f"{MONDAY}T10:15:00Z"
    assert refused(env, SLUG, "book_appointment", **booking(env, patient_id="PAT-9001")) == "slot_taken"
    cancelled = ok(env, SLUG, "cancel_appointment", appointment_id=first["id"])
    assert (cancelled["status"], cancelled["charge"]) == ("cancelled", 0.0)
    ok(env, SLUG, "book_appointment", **booking(env, patient_id="PAT-9001"))


def test_offered_slots_can_be_booked_and_booked_ones_are_not_offered() -> None:
    env = world(environment(SLUG))
    kind = visit_type(env, "Dental check-up")
    asked = {"visit_type_id": kind, "from_date": MONDAY, "to_date": MONDAY}
    slots = ok(env, SLUG, "find_open_slots", **asked)["slots"]
    assert len(slots) > 3
    slot = slots[2]
    wanted = {"visit_type_id": kind, "practitioner_id": slot["practitioner_id"], "starts_at": slot["starts_at"]}
    ok(env, SLUG, "book_appointment", patient_id="PAT-9000", **wanted)
    for later in ok(env, SLUG, "find_open_slots", limit=100, **asked)["slots"]:
        if later["practitioner_id"] == slot["practitioner_id"]:
            assert later["ends_at"] <= slot["starts_at"] or slot["ends_at"] <= later["starts_at"]


def test_no_practitioner_and_no_patient_is_in_two_places() -> None:
    env = environment(SLUG, scale="normal")
    kinds = {row["id"]: row["minutes"] for row in rows(env, SLUG, "visit_types")}
    for who in ("practitioner_id", "patient_id"):
        taken: dict[tuple[str, str], set[int]] = {}
        for row in rows(env, SLUG, "appointments"):
            if row["status"] == "cancelled":
                continue
            start = int(row["starts_at"][11:13]) * 60 + int(row["starts_at"][14:16])
            minutes = set(range(start, start + kinds[row["visit_type_id"]]))
            known = taken.setdefault((row[who], row["starts_at"][:10]), set())
            assert not known & minutes, row
            known |= minutes


def test_late_cancellations_and_missed_visits_cost_and_are_settled_once() -> None:
    env = world(environment(SLUG))
    env = added(env, SLUG, "appointments", appointment(env, 0, starts_at="2026-03-02T16:00:00Z"))
    late = ok(env, SLUG, "cancel_appointment", appointment_id="APP-9000")
    assert late["charge"] == 22.5
    assert ok(env, SLUG, "get_patient", patient_id="PAT-9000")["outstanding"] == 22.5
    ok(env, SLUG, "record_payment", appointment_id="APP-9000", method="card")
    assert ok(env, SLUG, "get_patient", patient_id="PAT-9000")["outstanding"] == 0
    assert refused(env, SLUG, "waive_charge", appointment_id="APP-9000", reason="x") == "nothing_to_pay"


def test_a_waiver_counts_for_a_year() -> None:
    env = charged(environment(SLUG))
    assert refused(env, SLUG, "waive_charge", appointment_id="APP-9001", reason="Ill.") == "waived_before"
    env = patched(env, SLUG, "appointments", "APP-9000", starts_at="2025-01-13T10:00:00Z")
    assert ok(env, SLUG, "waive_charge", appointment_id="APP-9001", reason="Ill.")["settlement"] == "waived"


def test_the_third_missed_visit_suspends_booking() -> None:
    env = missed(world(environment(SLUG)))
    assert ok(env, SLUG, "get_patient", patient_id="PAT-9000")["booking_suspended"]
    assert refused(env, SLUG, "book_appointment", **booking(env)) == "booking_suspended"
    env = patched(env, SLUG, "appointments", "APP-9050", starts_at="2025-02-03T10:00:00Z")
    ok(env, SLUG, "book_appointment", **booking(env))


def test_a_referral_is_used_up_and_given_back() -> None:
    env = world(environment(SLUG))
    kind, doctor = visit_type(env, "Skin check"), practitioner(env, "Dr Sunniva Brandt")
    wanted = booking(env, visit_type_id=kind, practitioner_id=doctor)
    assert refused(env, SLUG, "book_appointment", **wanted) == "referral_needed"
    letter = {"patient_id": "PAT-9000", "number": "RF-77", "specialty": "dermatology", "referred_by": "Dr Hale"}
    ok(env, SLUG, "add_referral", issued_on="2026-02-27", **letter)
    made = ok(env, SLUG, "book_appointment", **wanted)
    left = ok(env, SLUG, "get_patient", patient_id="PAT-9000")["referrals"][0]["visits_left"]
    ok(env, SLUG, "reschedule_appointment", appointment_id=made["id"], starts_at=f"{MONDAY}T11:00:00Z")
    ok(env, SLUG, "cancel_appointment", appointment_id=made["id"])
    again = ok(env, SLUG, "get_patient", patient_id="PAT-9000")["referrals"][0]["visits_left"]
    assert (left, again) == (0, 1)


def test_blocked_time_is_not_offered_and_planned_visits_come_first() -> None:
    env = world(environment(SLUG))
    env = added(env, SLUG, "appointments", eyes(env))
    doctor = practitioner(env, "Dr Farid Nazari")
    span = {"practitioner_id": doctor, "starts_at": f"{MONDAY}T08:00:00Z", "ends_at": f"{MONDAY}T18:00:00Z"}
    assert refused(env, SLUG, "block_time", **span) == "visits_planned"
    ok(env, SLUG, "cancel_appointment", appointment_id="APP-9010")
    ok(env, SLUG, "block_time", **span)
    assert ok(env, SLUG, "get_day_sheet", practitioner_id=doctor, date=MONDAY)["free_starts"] == []


def test_clinical_notes_stay_with_clinicians() -> None:
    env = environment(SLUG, scale="normal")
    clinical = next(row for row in rows(env, SLUG, "appointment_notes") if row["clinical"])
    shown = ok(env, SLUG, "get_appointment", appointment_id=clinical["appointment_id"])
    texts = {note["id"]: note["text"] for note in shown["notes"]}
    assert texts[clinical["id"]] == "(clinical)"
