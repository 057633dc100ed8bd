"""The rules of travel, as short stories: what calls bring about."""

from __future__ import annotations

from tests.library.cases_travel import SLUG, booking, hold, soon, trip_record, world
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused

TRIP = "TRIP-9000"


def test_approvals_follow_the_cost_and_lapse_when_it_rises() -> None:
    env = world(environment(SLUG))
    env = patched(env, SLUG, "flights", "FLT-9000", economy_fare=400.0, business_fare=2400.0)
    manager = one(env, SLUG, "travelers", id=trip_record(env)["traveler_id"])["manager_email"]
    hold(env, 0)
    assert ok(env, SLUG, "get_trip", trip_id=TRIP)["approvals_missing"] == []
    hotel = one(env, SLUG, "hotels", name="Larch House Porto")
    ok(env, SLUG, "create_hotel_booking", trip_id=TRIP, hotel_id=hotel["id"])
    shown = ok(env, SLUG, "get_trip", trip_id=TRIP)
    assert shown["cost"] == 400 + 4 * hotel["nightly_rate"]
    assert shown["approvals_missing"] == [manager]
    assert refused(env, SLUG, "confirm_trip", trip_id=TRIP) == "approval_missing"
    ok(env, SLUG, "approve_trip", trip_id=TRIP, approver_email=manager)
    assert refused(env, SLUG, "approve_trip", trip_id=TRIP, approver_email=manager) == "already_approved"
    hold(env, 4)
    assert ok(env, SLUG, "get_trip", trip_id=TRIP)["approvals_missing"] == [manager]
    ok(env, SLUG, "approve_trip", trip_id=TRIP, approver_email=manager)
    assert {row["status"] for row in ok(env, SLUG, "confirm_trip", trip_id=TRIP)["ticketed"]} == {"ticketed"}


def test_dear_trips_also_need_finance() -> None:
    env, _ = booking(environment(SLUG), 0, "held", price=2100.0)
    missing = ok(env, SLUG, "get_trip", trip_id=TRIP)["approvals_missing"]
    assert len(missing) == 2
    for email in missing:
        ok(env, SLUG, "approve_trip", trip_id=TRIP, approver_email=email)
    assert refused(env, SLUG, "approve_trip", trip_id=TRIP, approver_email="x@y.example") == "not_an_approver"


def test_the_last_seat_is_sold_once_and_comes_back() -> None:
    env = world(environment(SLUG))
    first = hold(env, 1)
    assert refused(env, SLUG, "create_flight_booking", trip_id="TRIP-9001", flight_id="FLT-9001") == "sold_out"
    back = ok(env, SLUG, "cancel_flight_booking", flight_booking_id=first["id"])
    assert (back["refunded"], back["price"]) == (150.0, 0.0)
    hold(env, 1, trip=1)


def test_changes_and_cancellations_of_tickets_cost_a_fee() -> None:
    env, identity = booking(environment(SLUG), 0, "ticketed")
    changed = ok(env, SLUG, "change_flight", flight_booking_id=identity, flight_id="FLT-9001")
    assert (changed["fee"], changed["price"]) == (45.0, 195.0)
    cancelled = ok(env, SLUG, "cancel_flight_booking", flight_booking_id=identity)
    assert (cancelled["refunded"], ok(env, SLUG, "get_trip", trip_id=TRIP)["cost"]) == (135.0, 60.0)


def test_check_in_needs_a_seat_and_the_right_hour() -> None:
    env, identity = booking(environment(SLUG), 0, "ticketed")
    assert refused(env, SLUG, "check_in", flight_booking_id=identity) == "too_early"
    env, identity = soon(environment(SLUG), "18:30")
    assert refused(env, SLUG, "check_in", flight_booking_id=identity) == "no_seat"
    assert refused(env, SLUG, "select_seat", flight_booking_id=identity, seat="2A") == "wrong_cabin"
    ok(env, SLUG, "select_seat", flight_booking_id=identity, seat="14F")
    assert ok(env, SLUG, "check_in", flight_booking_id=identity)["status"] == "checked_in"
    assert refused(env, SLUG, "cancel_flight_booking", flight_booking_id=identity) == "checked_in"
