"""The rules of hotels, as short stories: what calls bring about."""

from __future__ import annotations

from collections import Counter

from services_app.library.hotels.rates import nights_of
from tests.library.cases_hotels import LONG, ROOM, SLUG, STAY, booked, order, stay, world
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import added, ok, one, refused


def test_the_price_adds_up_night_by_night() -> None:
    env = world(environment(SLUG))
    offers = ok(env, SLUG, "get_room_offers", property_id="PRO-9000", **STAY)["offers"]
    double = next(row for row in offers if row["room_type_id"] == ROOM)
    nights = ok(env, SLUG, "get_rate_calendar", room_type_id=ROOM, first_night="2026-06-08", nights=3)["calendar"]
    assert [row["rate"] for row in nights] == [100.0, 100.0, 150.0]
    assert double["price"] == sum(row["rate"] for row in nights) == 350.0
    four = {"check_in": "2026-06-08", "check_out": "2026-06-12"}
    assert ok(env, SLUG, "create_booking", **order(rate_plan=LONG, **four))["price"] == round(500 * 0.9, 2)


def test_the_last_room_is_sold_once_and_comes_back() -> None:
    env, identity = booked(environment(SLUG))
    assert refused(env, SLUG, "create_booking", **order()) == "sold_out"
    moved = ok(env, SLUG, "change_dates", booking_id=identity, check_in="2026-06-07", check_out="2026-06-09")
    assert (moved["price"], moved["price_difference"]) == (200.0, -150.0)
    ok(env, SLUG, "create_booking", **order(check_in="2026-06-09"))
    ok(env, SLUG, "cancel_booking", booking_id=identity)
    ok(env, SLUG, "create_booking", **order(check_in="2026-06-07", check_out="2026-06-09"))


def test_late_cancellations_cost_a_night_and_keep_the_credit() -> None:
    env, identity = stay(environment(SLUG), "2026-03-03", "2026-03-06")
    credit = {"id": "CRD-900", "code": "STAY-9", "amount": 50.0, "valid_until": "2027-01-01", "reason": "x"}
    env = added(env, SLUG, "travel_credits", {**credit, "booking_id": None})
    assert ok(env, SLUG, "apply_travel_credit", booking_id=identity, credit_code="STAY-9")["due"] == 250.0
    assert ok(env, SLUG, "get_booking", booking="HB-99000")["cancellation_fee_today"] == 100.0
    cancelled = ok(env, SLUG, "cancel_booking", booking_id=identity, reason="Workshop moved")
    assert (cancelled["fee"], cancelled["due"]) == (100.0, 50.0)
    assert one(env, SLUG, "travel_credits", id="CRD-900")["booking_id"] == identity


def test_a_free_cancellation_gives_the_credit_back() -> None:
    env = world(environment(SLUG))
    credit = {"id": "CRD-900", "code": "STAY-9", "amount": 50.0, "valid_until": "2027-01-01", "reason": "x"}
    env = added(env, SLUG, "travel_credits", {**credit, "booking_id": None})
    before = ok(env, SLUG, "list_travel_credits")["available"]
    identity = ok(env, SLUG, "create_booking", **order())["id"]
    ok(env, SLUG, "apply_travel_credit", booking_id=identity, credit_code="stay-9")
    assert ok(env, SLUG, "list_travel_credits")["available"] == before - 50
    assert ok(env, SLUG, "cancel_booking", booking_id=identity)["fee"] == 0.0
    assert ok(env, SLUG, "list_travel_credits")["available"] == before


def test_a_stay_is_reviewed_once_and_moves_the_score() -> None:
    env, identity = stay(environment(SLUG), "2026-02-20", "2026-02-22")
    review = {"booking_id": identity, "title": "Good", "text": "Quiet."}
    assert ok(env, SLUG, "write_review", **review, score=8)["property_score"] == 8.0
    assert refused(env, SLUG, "write_review", **review, score=2) == "already_reviewed"
    assert refused(env, SLUG, "create_booking", **order(rate_plan="flexible", room_type="single room", guests=2))


def test_drawn_calls_never_sell_a_room_twice() -> None:
    state = wander(SLUG, 2).state()[SLUG]
    rooms = {row["id"]: row["rooms"] for row in state["room_types"]}
    taken: Counter[tuple[str, str]] = Counter()
    for row in state["bookings"]:
        if row["status"] == "confirmed":
            for night in nights_of(row["check_in"], row["check_out"]):
                taken[row["room_type_id"], night] += row["rooms"]
    assert taken
    assert [key for key, count in taken.items() if count > rooms[key[0]]] == []


def test_the_cheapest_room_that_fits_is_taken_when_none_is_named() -> None:
    env = world(environment(SLUG))
    free = {name: value for name, value in order().items() if name != "room_type"}
    assert ok(env, SLUG, "create_booking", **free)["room_name"] == "Single room"
    assert ok(env, SLUG, "create_booking", **free, guests=2)["room_name"] == "Double room"
    assert refused(env, SLUG, "create_booking", **free, guests=2) == "sold_out"
