"""Situations in travel; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, one, patched, rows

SLUG = "travel"
PEOPLE += [(SLUG, "travelers")]

HOME, AWAY = "LHR", "OPO"


def flight(number: int, departs: str, arrives: str, **more: Any) -> dict[str, Any]:
    base = {
        "id": f"FLT-{9000 + number}",
        "number": f"NV{9000 + number}",
        "airline": "Norvane Air",
        "origin": HOME,
        "destination": AWAY,
        "route": f"{HOME}-{AWAY}",
        "departs_at": departs,
        "arrives_at": arrives,
        "status": "scheduled",
        "economy_fare": 120.0,
        "business_fare": 360.0,
        "economy_seats": 3,
        "business_seats": 1,
    }
    return {**base, **more}


def trip_record(env: Env, number: int = 0, **more: Any) -> dict[str, Any]:
    """A trip to Porto in June of someone who has a manager."""
    travelers = [row for row in rows(env, SLUG, "travelers") if row["manager_email"]]
    base = {
        "id": f"TRIP-{9000 + number}",
        "traveler_id": travelers[number]["id"],
        "purpose": "Acceptance",
        "destination_city": "Porto",
        "starts_on": "2026-06-08",
        "ends_on": "2026-06-12",
        "project_code": "",
        "status": "open",
        "rejection_reason": "",
    }
    return {**base, **more}


def world(env: Env) -> Env:
    """Two trips to Porto in June of people with passports, and flights: at the same time, cancelled, in July, late."""
    for number in (0, 1):
        traveler = trip_record(env, number)["traveler_id"]
        env = patched(env, SLUG, "travelers", traveler, passport_expires_on="2030-01-01")
    env = added(env, SLUG, "trips", trip_record(env, 0), trip_record(env, 1))
    return added(
        env,
        SLUG,
        "flights",
        flight(0, "2026-06-08T07:00:00Z", "2026-06-08T09:25:00Z"),
        flight(1, "2026-06-08T08:00:00Z", "2026-06-08T10:25:00Z", economy_seats=1, economy_fare=150.0),
        flight(2, "2026-06-08T15:00:00Z", "2026-06-08T17:25:00Z", status="cancelled"),
        flight(3, "2026-07-20T15:00:00Z", "2026-07-20T17:25:00Z"),
        flight(4, "2026-06-08T19:00:00Z", "2026-06-08T21:25:00Z"),
    )


def hold(env: Env, number: int = 0, trip: int = 0, **more: Any) -> dict[str, Any]:
    arguments = {"trip_id": f"TRIP-{9000 + trip}", "flight_id": f"FLT-{9000 + number}", **more}
    observation = env.call(SLUG, "create_flight_booking", arguments)
    assert observation["success"], observation
    return dict(observation["data"])


def booking(env: Env, number: int, status: str, **more: Any) -> tuple[Env, str]:
    """The world with one flight booking on the first trip."""
    record = {
        "id": "FB-9000",
        "locator": "LK9000",
        "trip_id": "TRIP-9000",
        "flight_id": f"FLT-{9000 + number}",
        "route": f"{HOME}-{AWAY}",
        "cabin": "economy",
        "price": 120.0,
        "status": status,
        "seat": "",
        "justification": "",
    }
    return added(world(env), SLUG, "flight_bookings", {**record, **more}), "FB-9000"


def soon(env: Env, hour: str, status: str = "ticketed") -> tuple[Env, str]:
    """That booking, on a flight of today."""
    env, identity = booking(env, 0, status)
    times = {"departs_at": f"2026-03-02T{hour}:00Z", "arrives_at": "2026-03-02T23:00:00Z"}
    return patched(env, SLUG, "flights", "FLT-9000", **times), identity


@case(SLUG, "create_flight_booking", "flight_overlaps")
def _(env: Env) -> Situation:
    env = world(env)
    hold(env, 0)
    return env, {"trip_id": "TRIP-9000", "flight_id": "FLT-9001"}


@case(SLUG, "create_flight_booking", "flight_cancelled")
def _(env: Env) -> Situation:
    return world(env), {"trip_id": "TRIP-9000", "flight_id": "FLT-9002"}


@case(SLUG, "create_flight_booking", "justification_needed")
def _(env: Env) -> Situation:
    return world(env), {"trip_id": "TRIP-9000", "flight_id": "FLT-9000", "cabin": "business"}


@case(SLUG, "create_flight_booking", "passport_expires")
def _(env: Env) -> Situation:
    env = world(env)
    traveler = trip_record(env)["traveler_id"]
    env = patched(env, SLUG, "travelers", traveler, passport_expires_on="2026-06-10")
    return env, {"trip_id": "TRIP-9000", "flight_id": "FLT-9000"}


@case(SLUG, "create_flight_booking", "sold_out")
def _(env: Env) -> Situation:
    env = world(env)
    hold(env, 1, trip=1)
    return env, {"trip_id": "TRIP-9000", "flight_id": "FLT-9001"}


def _porto(env: Env, name: str = "Hotel Porto Terminal") -> dict[str, Any]:
    return {"trip_id": "TRIP-9000", "hotel_id": one(env, SLUG, "hotels", name=name)["id"]}


@case(SLUG, "create_hotel_booking", "fully_booked")
def _(env: Env) -> Situation:
    env = patched(world(env), SLUG, "hotels", _porto(env)["hotel_id"], rooms=0)
    return env, _porto(env)


@case(SLUG, "create_hotel_booking", "in_the_past")
def _(env: Env) -> Situation:
    env = patched(world(env), SLUG, "trips", "TRIP-9000", starts_on="2026-02-20", ends_on="2026-03-06")
    return env, _porto(env)


@case(SLUG, "create_hotel_booking", "justification_needed")
def _(env: Env) -> Situation:
    env = patched(world(env), SLUG, "hotels", _porto(env)["hotel_id"], nightly_rate=161.0)
    return env, _porto(env)


@case(SLUG, "create_hotel_booking", "no_night")
def _(env: Env) -> Situation:
    return world(env), {**_porto(env), "check_in": "2026-06-09", "check_out": "2026-06-09"}


@case(SLUG, "create_hotel_booking", "other_city")
def _(env: Env) -> Situation:
    return world(env), _porto(env, "Hotel Lyon Terminal")


@case(SLUG, "create_hotel_booking", "stay_overlaps")
def _(env: Env) -> Situation:
    env = world(env)
    assert env.call(SLUG, "create_hotel_booking", _porto(env))["success"]
    return env, _porto(env, "Larch House Porto")


@case(SLUG, "create_hotel_booking", "outside_trip")
def _(env: Env) -> Situation:
    return world(env), {**_porto(env), "check_in": "2026-06-01"}


@case(SLUG, "search_hotels", "no_night")
def _(env: Env) -> Situation:
    return env, {"city": "Porto", "check_in": "2026-06-09", "check_out": "2026-06-09"}


@case(SLUG, "cancel_flight_booking", "already_departed")
def _(env: Env) -> Situation:
    env, identity = soon(env, "08:00")
    return env, {"flight_booking_id": identity}


@case(SLUG, "select_seat", "already_departed")
def _(env: Env) -> Situation:
    env, identity = soon(env, "08:00")
    return env, {"flight_booking_id": identity, "seat": "12C"}


@case(SLUG, "select_seat", "seat_taken")
def _(env: Env) -> Situation:
    env, identity = booking(env, 0, "held")
    other = hold(env, 0, trip=1)
    assert env.call(SLUG, "select_seat", {"flight_booking_id": identity, "seat": "12C"})["success"]
    return env, {"flight_booking_id": other["id"], "seat": "12C"}


@case(SLUG, "check_in", "already_departed")
def _(env: Env) -> Situation:
    env, identity = soon(env, "08:00")
    return env, {"flight_booking_id": identity}


@case(SLUG, "check_in", "too_late")
def _(env: Env) -> Situation:
    env, identity = soon(env, "09:30")
    return env, {"flight_booking_id": identity}


@case(SLUG, "check_in", "no_seat")
def _(env: Env) -> Situation:
    env, identity = soon(env, "18:30")
    return env, {"flight_booking_id": identity}


@case(SLUG, "check_in", "flight_cancelled")
def _(env: Env) -> Situation:
    env, identity = booking(env, 2, "ticketed")
    return env, {"flight_booking_id": identity}


@case(SLUG, "change_flight", "flight_cancelled")
def _(env: Env) -> Situation:
    env, identity = booking(env, 0, "ticketed")
    return env, {"flight_booking_id": identity, "flight_id": "FLT-9002"}


@case(SLUG, "change_flight", "outside_trip")
def _(env: Env) -> Situation:
    env, identity = booking(env, 0, "ticketed")
    return env, {"flight_booking_id": identity, "flight_id": "FLT-9003"}


@case(SLUG, "change_flight", "sold_out")
def _(env: Env) -> Situation:
    env, identity = booking(env, 0, "ticketed")
    hold(env, 1, trip=1)
    return env, {"flight_booking_id": identity, "flight_id": "FLT-9001"}


@case(SLUG, "change_flight", "flight_overlaps")
def _(env: Env) -> Situation:
    env, identity = booking(env, 4, "ticketed")
    hold(env, 0)
    return env, {"flight_booking_id": identity, "flight_id": "FLT-9001"}


@case(SLUG, "confirm_trip", "flight_cancelled")
def _(env: Env) -> Situation:
    return booking(env, 2, "held")[0], {"trip_id": "TRIP-9000"}


@case(SLUG, "reject_trip", "blank_text")
def _(env: Env) -> Situation:
    env, _ = booking(env, 0, "held", price=600.0)
    traveler = one(env, SLUG, "travelers", id=trip_record(env)["traveler_id"])
    return env, {"trip_id": "TRIP-9000", "approver_email": traveler["manager_email"], "reason": "  "}


@case(SLUG, "change_flight", "already_departed")
def _(env: Env) -> Situation:
    env, identity = soon(env, "08:00")
    return env, {"flight_booking_id": identity, "flight_id": "FLT-9001"}


@case(SLUG, "change_flight", "other_route")
def _(env: Env) -> Situation:
    env, identity = booking(env, 0, "ticketed")
    other = next(row for row in rows(env, SLUG, "flights") if row["route"] != f"{HOME}-{AWAY}")
    return env, {"flight_booking_id": identity, "flight_id": other["id"]}


@case(SLUG, "confirm_trip", "approval_missing")
def _(env: Env) -> Situation:
    return booking(env, 0, "held", price=900.0)[0], {"trip_id": "TRIP-9000"}


@case(SLUG, "approve_trip", "already_approved")
def _(env: Env) -> Situation:
    env, _ = booking(env, 0, "held", price=900.0)
    manager = one(env, SLUG, "travelers", id=trip_record(env)["traveler_id"])["manager_email"]
    arguments = {"trip_id": "TRIP-9000", "approver_email": manager}
    assert env.call(SLUG, "approve_trip", arguments)["success"]
    return env, arguments


@case(SLUG, "create_trip", "trip_overlaps")
def _(env: Env) -> Situation:
    env = world(env)
    email = one(env, SLUG, "travelers", id=trip_record(env)["traveler_id"])["email"]
    days = {"starts_on": "2026-06-10", "ends_on": "2026-06-15"}
    return env, {"traveler_email": email, "purpose": "Audit", "destination_city": "Lyon", **days}
