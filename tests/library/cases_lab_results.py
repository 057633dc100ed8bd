"""Situations in lab results; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, patched

SLUG = "lab-results"
PEOPLE += [(SLUG, "patients")]
MORNING = "2026-03-02T08:00:00Z"


def id_of(env: Env, code: str) -> str:
    return str(one(env, SLUG, "lab_tests", code=code)["id"])


def analyte_id(env: Env, code: str) -> str:
    return str(one(env, SLUG, "analytes", code=code)["id"])


def world(env: Env, **more: Any) -> Env:
    """A patient whom nobody knows yet."""
    record = {
        "id": "LP-9000",
        "name": "Agnes Example",
        "email": "agnes@patients.example",
        "phone": "+44 20 7946 0999",
        "born_on": "1980-05-05",
        "sex": "female",
        "record_number": "R-900000",
        "employer": "",
    }
    return added(env, SLUG, "patients", {**record, **more})


def order(env: Env, *codes: str, **more: Any) -> Env:
    """That patient with an order of this morning."""
    env = world(env)
    record = {
        "id": "LO-9000",
        "number": "L-69000",
        "patient_id": "LP-9000",
        "test_ids": [id_of(env, code) for code in codes],
        "priority": "routine",
        "status": "ordered",
        "question": "",
        "ordered_by": "Noor Haddad",
        "ordered_at": "2026-03-01T08:00:00Z",
    }
    return added(env, SLUG, "lab_orders", {**record, **more})


def collected(env: Env, *codes: str, kind: str = "serum", at: str = MORNING) -> Env:
    env = order(env, *codes)
    arguments = {"lab_order_id": "LO-9000", "specimen_type": kind, "collected_at": at, "fasting": True}
    ok(env, SLUG, "record_collection", **arguments)
    return env


def measured(env: Env, value: float) -> tuple[Env, str]:
    """An order for kidney and salts with all values; potassium is as given."""
    env = collected(env, "RENAL")
    found = ""
    for code, entered in (("NA", 140.0), ("CREA", 70.0), ("K", value)):
        arguments = {"lab_order_id": "LO-9000", "analyte_id": analyte_id(env, code), "value": entered}
        found = ok(env, SLUG, "enter_result", **arguments)["id"]
    return env, found


@case(SLUG, "acknowledge_critical_result", "blank_text")
def _(env: Env) -> Situation:
    env, result = measured(env, 7.0)
    return env, {"result_id": result, "told_to": "   "}


@case(SLUG, "acknowledge_critical_result", "already_told")
def _(env: Env) -> Situation:
    env, result = measured(env, 7.0)
    ok(env, SLUG, "acknowledge_critical_result", result_id=result, told_to="Dr Hale")
    return env, {"result_id": result, "told_to": "Dr Hale"}


@case(SLUG, "add_test_to_order", "too_many_tests")
def _(env: Env) -> Situation:
    codes = ("FBC", "RENAL", "LIVER", "THY", "IRON", "VITD", "LEAD", "ETG", "UPRO", "CRP")
    return order(env, *codes), {"lab_order_id": "LO-9000", "test_id": id_of(env, "STREP")}


@case(SLUG, "approve_lab_order", "own_order")
def _(env: Env) -> Situation:
    env = order(env, "FBC", status="awaiting_approval")
    own = one(env, SLUG, "patients", email="noor.haddad@larkfield.example")["id"]
    return patched(env, SLUG, "lab_orders", "LO-9000", patient_id=own), {"lab_order_id": "LO-9000"}


def booking(env: Env, start: str, site: str = "Dockside Draw Station") -> dict[str, Any]:
    site_id = one(env, SLUG, "sites", name=site)["id"]
    return {"lab_order_id": "LO-9000", "site_id": site_id, "starts_at": start}


@case(SLUG, "book_collection", "fasting_hours")
def _(env: Env) -> Situation:
    env = order(env, "LIPID")
    return env, booking(env, "2026-06-02T11:30:00Z")


@case(SLUG, "book_collection", "fully_booked")
def _(env: Env) -> Situation:
    env = order(env, "LIPID")
    wanted = booking(env, "2026-06-02T09:30:00Z")
    other = {**wanted, "id": "CB-9000", "lab_order_id": "LO-0001"}
    return added(env, SLUG, "collection_bookings", other), wanted


@case(SLUG, "book_collection", "site_closed")
def _(env: Env) -> Situation:
    env = order(env, "FBC")
    return env, booking(env, "2026-06-07T09:30:00Z")  # a Sunday


@case(SLUG, "enter_result", "specimen_expired")
def _(env: Env) -> Situation:
    env = collected(env, "FGLU", at="2026-03-02T00:30:00Z")
    return env, {"lab_order_id": "LO-9000", "analyte_id": analyte_id(env, "GLU"), "value": 5.0}


@case(SLUG, "enter_result", "no_specimen")
def _(env: Env) -> Situation:
    env = order(env, "FGLU")
    return env, {"lab_order_id": "LO-9000", "analyte_id": analyte_id(env, "GLU"), "value": 5.0}


@case(SLUG, "record_collection", "fasting_needed")
def _(env: Env) -> Situation:
    env = order(env, "LIPID")
    return env, {"lab_order_id": "LO-9000", "specimen_type": "serum", "collected_at": MORNING}


@case(SLUG, "share_report", "critical_not_told")
def _(env: Env) -> Situation:
    env, _ = measured(env, 7.0)
    ok(env, SLUG, "verify_results", lab_order_id="LO-9000")
    return env, {"lab_order_id": "LO-9000", "recipient_email": "agnes@patients.example"}


@case(SLUG, "share_report", "already_shared")
def _(env: Env) -> Situation:
    env, _ = measured(env, 4.0)
    ok(env, SLUG, "verify_results", lab_order_id="LO-9000")
    arguments = {"lab_order_id": "LO-9000", "recipient_email": "agnes@patients.example"}
    ok(env, SLUG, "share_report", **arguments)
    return env, arguments


@case(SLUG, "create_lab_order", "retest_too_soon")
def _(env: Env) -> Situation:
    env = order(env, "LEAD")
    return env, {"patient_id": "LP-9000", "test_codes": ["LEAD"]}


@case(SLUG, "record_consent", "consent_exists")
def _(env: Env) -> Situation:
    consent = {"patient_id": "LP-9000", "recipient_email": "doctor@practice.example", "valid_until": "2026-06-02"}
    env = world(env)
    ok(env, SLUG, "record_consent", **consent)
    return env, {**consent, "valid_until": "2026-05-02"}


@case(SLUG, "enter_result", "already_entered")
def _(env: Env) -> Situation:
    env, _ = measured(env, 4.0)
    return env, {"lab_order_id": "LO-9000", "analyte_id": analyte_id(env, "K"), "value": 5.0}


@case(SLUG, "create_lab_order", "duplicate_test")
def _(env: Env) -> Situation:
    return world(env), {"patient_id": "LP-9000", "test_codes": ["FBC", "fbc"]}
