"""Situations in hotels; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, one, patched

SLUG = "hotels"
PEOPLE += [(SLUG, "guests")]
NOOR = "noor.haddad@larkfield.example"
ROOM, SINGLE, FLEXIBLE, LONG = "ROOM-9000", "ROOM-9001", "RATE-9000", "RATE-9001"
STAY = {"check_in": "2026-06-08", "check_out": "2026-06-11"}


def world(env: Env) -> Env:
    """A hotel with one double and two singles, a flexible plan, one for four nights and more, and a dear season."""
    hotel = {**one(env, SLUG, "properties"), "id": "PRO-9000", "name": "Test House", "check_in_from": "15:00"}
    room = {"property_id": hotel["id"], "beds": "double", "base_rate": 100.0}
    plan = {"property_id": hotel["id"], "breakfast": False, "refundable": True, "late_fee": "first_night"}
    season = {"property_id": hotel["id"], "name": "Fair", "first_night": "2026-06-10", "last_night": "2026-06-12"}
    env = added(env, SLUG, "properties", hotel)
    env = added(env, SLUG, "seasons", {"id": "SEA-9000", **season, "adjustment": 50.0})
    env = added(
        env,
        SLUG,
        "room_types",
        {"id": ROOM, **room, "name": "Double room", "sleeps": 2, "rooms": 1},
        {"id": SINGLE, **room, "name": "Single room", "sleeps": 1, "rooms": 2, "base_rate": 80.0},
    )
    flexible = {"name": "Flexible", "adjustment": 0.0, "min_nights": 1, "free_until_days": 2}
    long = {"name": "Long stay", "adjustment": -10.0, "min_nights": 4, "free_until_days": 5}
    return added(env, SLUG, "rate_plans", {"id": FLEXIBLE, **plan, **flexible}, {"id": LONG, **plan, **long})


def order(**more: Any) -> dict[str, Any]:
    """Arguments of create_booking in the world."""
    return {"property_id": "PRO-9000", "guest_email": NOOR, "room_type": ROOM, **STAY, **more}


def booked(env: Env, **more: Any) -> tuple[Env, str]:
    """The world with a booking."""
    env = world(env)
    observation = env.call(SLUG, "create_booking", order(**more))
    assert observation["success"], observation
    return env, str(observation["data"]["id"])


def stay(env: Env, check_in: str, check_out: str, **more: Any) -> tuple[Env, str]:
    """The world with a booking of these nights, past ones too."""
    record = {
        "id": "BKG-9000",
        "confirmation_number": "HB-99000",
        "guest_id": one(env, SLUG, "guests", email=NOOR)["id"],
        "property_id": "PRO-9000",
        "room_type_id": ROOM,
        "rate_plan_id": FLEXIBLE,
        "check_in": check_in,
        "check_out": check_out,
        "rooms": 1,
        "guests": 1,
        "status": "confirmed",
        "price": 300.0,
        "booked_at": "2026-01-02T10:00:00Z",
        "fee": 0.0,
        "reference": "",
        "arrival_time": None,
        "special_request": "",
    }
    return added(world(env), SLUG, "bookings", {**record, **more}), "BKG-9000"


@case(SLUG, "search_availability", "no_night")
def _(env: Env) -> Situation:
    return env, {"city": "Lyon", "check_in": "2026-06-08", "check_out": "2026-06-08"}


@case(SLUG, "get_room_offers", "no_night")
def _(env: Env) -> Situation:
    return world(env), {"property_id": "PRO-9000", "check_in": "2026-06-08", "check_out": "2026-06-08"}


@case(SLUG, "add_property_to_list", "list_full")
def _(env: Env) -> Situation:
    ids = tuple(row["id"] for row in env.rows(SLUG, "properties"))
    env = patched(world(env), SLUG, "saved_lists", "LST-001", property_ids=(ids * 2)[:20])
    return env, {"list_id": "LST-001", "property_id": "PRO-9000"}


@case(SLUG, "create_booking", "in_the_past")
def _(env: Env) -> Situation:
    return world(env), order(check_in="2026-02-20", check_out="2026-02-22")


@case(SLUG, "create_booking", "no_night")
def _(env: Env) -> Situation:
    return world(env), order(check_out=STAY["check_in"])


@case(SLUG, "create_booking", "sold_out")
def _(env: Env) -> Situation:
    return booked(env)[0], order()


@case(SLUG, "create_booking", "stay_too_short")
def _(env: Env) -> Situation:
    return world(env), order(rate_plan=LONG)


@case(SLUG, "create_booking", "unknown_rate_plan")
def _(env: Env) -> Situation:
    return world(env), order(rate_plan="RATE-0001")


@case(SLUG, "create_booking", "too_many_guests")
def _(env: Env) -> Situation:
    return world(env), order(guests=3)


@case(SLUG, "create_booking", "too_long")
def _(env: Env) -> Situation:
    return world(env), order(check_out="2026-07-20")


def _moved(env: Env, first: str, last: str, **more: Any) -> Situation:
    env, identity = booked(env, **more)
    return env, {"booking_id": identity, "check_in": first, "check_out": last}


@case(SLUG, "change_dates", "in_the_past")
def _(env: Env) -> Situation:
    return _moved(env, "2026-02-20", "2026-02-22")


@case(SLUG, "change_dates", "no_night")
def _(env: Env) -> Situation:
    return _moved(env, "2026-06-20", "2026-06-20")


@case(SLUG, "change_dates", "too_long")
def _(env: Env) -> Situation:
    return _moved(env, "2026-06-01", "2026-07-20")


@case(SLUG, "change_dates", "same_dates")
def _(env: Env) -> Situation:
    return _moved(env, STAY["check_in"], STAY["check_out"])


@case(SLUG, "change_dates", "stay_too_short")
def _(env: Env) -> Situation:
    return _moved(env, "2026-06-20", "2026-06-22", rate_plan=LONG, check_out="2026-06-14")


@case(SLUG, "change_dates", "sold_out")
def _(env: Env) -> Situation:
    env, _ = booked(env)
    other = env.call(SLUG, "create_booking", order(check_in="2026-06-20", check_out="2026-06-22"))["data"]
    return env, {"booking_id": other["id"], **STAY}


def _late(env: Env) -> tuple[Env, str]:
    return stay(env, "2026-03-03", "2026-03-06")


@case(SLUG, "change_dates", "too_late")
def _(env: Env) -> Situation:
    env, identity = _late(env)
    return env, {"booking_id": identity, **STAY}


@case(SLUG, "change_room", "too_late")
def _(env: Env) -> Situation:
    env, identity = _late(env)
    return env, {"booking_id": identity, "room_type": SINGLE}


@case(SLUG, "change_guest", "too_late")
def _(env: Env) -> Situation:
    env, identity = _late(env)
    return env, {"booking_id": identity, "guest_email": NOOR}


@case(SLUG, "change_room", "too_many_guests")
def _(env: Env) -> Situation:
    env, identity = booked(env, guests=2)
    return env, {"booking_id": identity, "room_type": SINGLE}


@case(SLUG, "change_room", "sold_out")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"booking_id": identity, "room_type": ROOM, "rooms": 2}


@case(SLUG, "change_room", "same_room")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"booking_id": identity, "room_type": ROOM}


@case(SLUG, "change_guest", "same_guest")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"booking_id": identity, "guest_email": NOOR}


@case(SLUG, "write_review", "too_late")
def _(env: Env) -> Situation:
    env, identity = stay(env, "2025-12-01", "2025-12-03")
    return env, {"booking_id": identity, "score": 5, "title": "Late", "text": "Too late."}


@case(SLUG, "update_booking_details", "early_arrival")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"booking_id": identity, "arrival_time": "09:00"}


@case(SLUG, "send_message", "stay_over")
def _(env: Env) -> Situation:
    env, identity = stay(env, "2026-02-01", "2026-02-03")
    return env, {"booking_id": identity, "text": "Thank you"}


def _credit(env: Env, **more: Any) -> Situation:
    record = {"id": "CRD-900", "code": "STAY-9", "amount": 50.0, "valid_until": "2027-01-01", "reason": "x"}
    env = added(world(env), SLUG, "travel_credits", {**record, "booking_id": None, **more})
    identity = env.call(SLUG, "create_booking", order())["data"]["id"]
    return env, {"booking_id": identity, "credit_code": "STAY-9"}


@case(SLUG, "apply_travel_credit", "credit_expired")
def _(env: Env) -> Situation:
    return _credit(env, valid_until="2026-01-31")


@case(SLUG, "apply_travel_credit", "credit_used")
def _(env: Env) -> Situation:
    return _credit(env, booking_id="BKG-0001")


@case(SLUG, "apply_travel_credit", "more_than_due")
def _(env: Env) -> Situation:
    return _credit(env, amount=900.0)


@case(SLUG, "create_booking", "unknown_room")
def _(env: Env) -> Situation:
    return world(env), order(room_type="Tower room")
