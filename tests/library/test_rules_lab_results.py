"""The rules of lab results, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_lab_results import MORNING, SLUG, analyte_id, booking, collected, id_of, measured, order, world
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused

ORDER = "LO-9000"
OWN = "agnes@patients.example"


def test_from_order_to_report() -> None:
    env = world(environment(SLUG))
    made = ok(env, SLUG, "create_lab_order", patient_id="LP-9000", test_codes=["FBC", "CRP"])
    assert (made["price"], made["status"], made["progress"]) == (29.0, "ordered", "to_collect")
    env, _ = measured(environment(SLUG), 4.1)
    assert ok(env, SLUG, "get_lab_order", lab_order_id=ORDER)["progress"] == "to_verify"
    assert refused(env, SLUG, "share_report", lab_order_id=ORDER, recipient_email=OWN) == "not_verified"
    ok(env, SLUG, "verify_results", lab_order_id=ORDER)
    ok(env, SLUG, "share_report", lab_order_id=ORDER, recipient_email=OWN)
    assert ok(env, SLUG, "get_lab_order", lab_order_id=ORDER)["shared_with"] == [OWN]


def test_dear_orders_wait_for_approval() -> None:
    env = world(environment(SLUG))
    codes = ["LEAD", "ETG", "HEPB", "VITD", "LIPID"]
    cheap = ok(env, SLUG, "create_lab_order", patient_id="LP-9000", test_codes=codes)
    assert (cheap["price"], cheap["status"]) == (194.0, "ordered")
    env = world(environment(SLUG))
    dear = ok(env, SLUG, "create_lab_order", patient_id="LP-9000", test_codes=codes, priority="stat")
    assert (dear["price"], dear["status"]) == (219.0, "awaiting_approval")
    assert ok(env, SLUG, "approve_lab_order", lab_order_id=dear["id"])["status"] == "ordered"


def test_an_order_that_grows_beyond_the_limit_waits_again() -> None:
    env = order(environment(SLUG), "LEAD", "ETG", "HEPB", "VITD", "LIPID")
    grown = ok(env, SLUG, "add_test_to_order", lab_order_id=ORDER, test_id=id_of(env, "CRP"))
    assert (grown["price"], grown["status"]) == (205.0, "awaiting_approval")


def test_critical_values_are_told_before_the_report_goes_out() -> None:
    env, result = measured(environment(SLUG), 6.8)
    ok(env, SLUG, "verify_results", lab_order_id=ORDER)
    assert refused(env, SLUG, "share_report", lab_order_id=ORDER, recipient_email=OWN) == "critical_not_told"
    ok(env, SLUG, "acknowledge_critical_result", result_id=result, told_to="Dr Hale")
    amended = ok(env, SLUG, "amend_result", result_id=result, value=6.4, reason="Decimal point.")
    assert (amended["flag"], amended["told_at"]) == ("critical_high", None)
    assert amended["amendments"][0]["old_value"] == 6.8
    assert refused(env, SLUG, "share_report", lab_order_id=ORDER, recipient_email=OWN) == "critical_not_told"


def test_ranges_depend_on_the_patient() -> None:
    env = collected(environment(SLUG), "LIVER")
    shown = ok(env, SLUG, "enter_result", lab_order_id=ORDER, analyte_id=analyte_id(env, "ALT"), value=40)
    assert (shown["flag"], shown["high"]) == ("high", 35)
    env = patched(env, SLUG, "patients", "LP-9000", sex="male")
    row = ok(env, SLUG, "get_lab_order", lab_order_id=ORDER)["results"][0]
    assert (row["flag"], row["high"]) == ("normal", 45)


def test_rejected_specimens_are_taken_again() -> None:
    env = collected(environment(SLUG), "RENAL")
    specimen = one(env, SLUG, "specimens", lab_order_id=ORDER)["id"]
    ok(env, SLUG, "reject_specimen", specimen_id=specimen, reason="haemolysed")
    assert ok(env, SLUG, "get_lab_order", lab_order_id=ORDER)["missing_specimens"] == ["serum"]
    arguments = {"lab_order_id": ORDER, "specimen_type": "serum", "collected_at": MORNING}
    ok(env, SLUG, "record_collection", **arguments)
    assert refused(env, SLUG, "record_collection", **arguments) == "already_collected"


def test_consents_decide_who_gets_a_report() -> None:
    env, _ = measured(environment(SLUG), 4.0)
    ok(env, SLUG, "verify_results", lab_order_id=ORDER)
    wanted = {"lab_order_id": ORDER, "recipient_email": "doctor@practice.example"}
    assert refused(env, SLUG, "share_report", **wanted) == "no_consent"
    consent = {"patient_id": "LP-9000", "recipient_email": "Doctor@practice.example", "valid_until": "2026-03-02"}
    made = ok(env, SLUG, "record_consent", **consent)
    ok(env, SLUG, "withdraw_consent", consent_id=made["id"])
    assert refused(env, SLUG, "share_report", **wanted) == "no_consent"
    ok(env, SLUG, "record_consent", **consent)
    ok(env, SLUG, "share_report", **wanted)


def test_a_new_booking_replaces_the_old_one() -> None:
    env = order(environment(SLUG), "LIPID")
    ok(env, SLUG, "book_collection", **booking(env, "2026-06-02T09:30:00Z"))
    ok(env, SLUG, "book_collection", **booking(env, "2026-06-03T09:30:00Z"))
    shown = ok(env, SLUG, "get_lab_order", lab_order_id=ORDER)["booking"]
    assert shown["starts_at"] == "2026-06-03T09:30:00Z"
    assert len([row for row in env.rows(SLUG, "collection_bookings") if row["lab_order_id"] == ORDER]) == 1


def test_restricted_records_stay_closed() -> None:
    env, _ = measured(environment(SLUG), 4.0)
    env = patched(env, SLUG, "patients", "LP-9000", restricted=True)
    assert refused(env, SLUG, "get_lab_order", lab_order_id=ORDER) == "restricted_record"
    assert refused(env, SLUG, "search_results", patient_id="LP-9000") == "restricted_record"
    found = ok(env, SLUG, "search_results", analyte="K", limit=100)["results"]
    assert all(row["lab_order_id"] != ORDER for row in found)
