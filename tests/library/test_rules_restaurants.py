"""The rules of restaurants, as short stories: what calls bring about."""

from __future__ import annotations

from itertools import combinations

from services_app.library.shared import plus_minutes
from tests.library.cases_restaurants import DISH, EVENING, NOOR, PLACE, SLUG, SOON, booked, order, others, wish, world
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, refused


def test_a_table_is_given_once_in_a_sitting() -> None:
    env, identity = booked(environment(SLUG))
    other = others(env)
    assert ok(env, SLUG, "get_reservation", reservation=identity)["table_id"] == "TBL-9000"
    second = ok(env, SLUG, "create_reservation", **order(diner_email=other, starts_at="2026-04-07T19:00:00Z"))
    assert second["table_id"] == "TBL-9001"
    times = ok(env, SLUG, "get_available_times", restaurant_id=PLACE, date="2026-04-07")["times"]
    assert EVENING not in times
    assert "2026-04-07T16:00:00Z" in times
    ok(env, SLUG, "cancel_reservation", reservation_id=identity)
    assert EVENING in ok(env, SLUG, "get_available_times", restaurant_id=PLACE, date="2026-04-07")["times"]


def test_deposits_follow_the_size_and_late_cancellations_cost() -> None:
    env, identity = booked(environment(SLUG), party_size=4)
    larger = ok(env, SLUG, "modify_reservation", reservation_id=identity, party_size=6)
    assert (larger["deposit"], larger["table_id"]) == (60.0, "TBL-9001")
    cancelled = ok(env, SLUG, "cancel_reservation", reservation_id=identity)
    assert (cancelled["fee"], cancelled["refunded"]) == (0.0, 60.0)
    late, soon = booked(environment(SLUG), party_size=6, starts_at=SOON)
    assert ok(late, SLUG, "get_reservation", reservation=soon)["cancellation_fee_now"] == 90.0
    assert refused(late, SLUG, "modify_reservation", reservation_id=soon, party_size=5) == "too_late"
    assert ok(late, SLUG, "cancel_reservation", reservation_id=soon)["refunded"] == 0.0


def test_the_private_room_asks_for_its_minimum() -> None:
    env, identity = booked(environment(SLUG), party_size=10, area="private")
    assert ok(env, SLUG, "get_reservation", reservation=identity)["minimum_missing"] == 300.0
    first = ok(env, SLUG, "add_preorder_item", reservation_id=identity, menu_item=DISH, quantity=10)
    assert (first["preorder_total"], first["minimum_missing"]) == (200.0, 100.0)
    more = ok(env, SLUG, "add_preorder_item", reservation_id=identity, menu_item=DISH, quantity=6)
    assert (more["id"], more["quantity"], more["minimum_missing"]) == (first["id"], 16, 0.0)
    ok(env, SLUG, "remove_preorder_item", preorder_item_id=first["id"])
    assert ok(env, SLUG, "get_reservation", reservation=identity)["preorder_total"] == 0.0


def test_no_more_guests_accept_than_there_are_seats() -> None:
    env, identity = booked(environment(SLUG), party_size=2)
    guests = [
        ok(env, SLUG, "invite_guest", reservation_id=identity, name=f"Guest {number}", email=f"g{number}@x.example")
        for number in range(2)
    ]
    assert ok(env, SLUG, "record_answer", invitation_id=guests[0]["id"], answer="accepted")["seats_left"] == 0
    assert refused(env, SLUG, "record_answer", invitation_id=guests[1]["id"], answer="accepted") == "no_seat_left"
    ok(env, SLUG, "record_answer", invitation_id=guests[0]["id"], answer="declined")
    ok(env, SLUG, "record_answer", invitation_id=guests[1]["id"], answer="accepted")


def test_who_waits_gets_the_table_that_becomes_free() -> None:
    env = world(environment(SLUG))
    other = others(env)
    small = ok(env, SLUG, "create_reservation", **order(diner_email=other, party_size=5))
    narrow = {"from_time": "18:00", "to_time": "18:00", "party_size": 5}
    entry = ok(env, SLUG, "join_waitlist", **wish(**narrow))
    assert refused(env, SLUG, "accept_waitlist_table", entry_id=entry["id"]) == "no_table"
    ok(env, SLUG, "cancel_reservation", reservation_id=small["id"])
    assert ok(env, SLUG, "list_waitlist", restaurant_id=PLACE)["entries"][0]["free_times"] == [EVENING]
    got = ok(env, SLUG, "accept_waitlist_table", entry_id=entry["id"])
    assert (got["table_id"], got["diner_email"]) == ("TBL-9001", NOOR)
    assert refused(env, SLUG, "leave_waitlist", entry_id=entry["id"]) == "not_waiting"


def test_drawn_calls_never_seat_two_parties_at_a_table() -> None:
    state = wander(SLUG, 2).state()[SLUG]
    sitting = {row["id"]: row["sitting"] for row in state["restaurants"]}
    seats = {row["id"]: row["seats"] for row in state["tables"]}
    booked = [row for row in state["reservations"] if row["status"] == "booked"]
    assert all(row["party_size"] <= seats[row["table_id"]] for row in booked)
    for first, second in combinations(sorted(booked, key=lambda row: row["starts_at"]), 2):
        if first["table_id"] == second["table_id"]:
            end = plus_minutes(first["starts_at"], sitting[first["restaurant_id"]])
            assert end <= second["starts_at"], (first, second)
