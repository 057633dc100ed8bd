"""Situations in restaurants; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, one, rows

SLUG = "restaurants"
PEOPLE += [(SLUG, "diners"), (SLUG, "invitations")]
PLACE, DISH = "RST-900", "DISH-9000"
NOOR = "noor.haddad@larkfield.example"
EVENING = "2026-04-07T18:00:00Z"


def world(env: Env) -> Env:
    """A restaurant that is open every day with a table for two, one for six and a private room, and a dish for 20."""
    place = {
        **one(env, SLUG, "restaurants"),
        "id": PLACE,
        "name": "Test Kitchen",
        "opens": "12:00",
        "closes": "22:00",
        "closed_on": (),
        "sitting": 120,
        "large_party": 6,
        "deposit": 10.0,
        "cancel_hours": 24,
        "late_fee": 15.0,
        "private_minimum": 300.0,
    }
    env = added(env, SLUG, "restaurants", place)
    tables = (("TBL-9000", "main", 2), ("TBL-9001", "main", 6), ("TBL-9002", "private", 12))
    seats = [
        {"id": identity, "restaurant_id": PLACE, "name": f"Table {identity[-1]}", "area": area, "seats": count}
        for identity, area, count in tables
    ]
    env = added(env, SLUG, "tables", *seats)
    dish = {**one(env, SLUG, "menu_items"), "id": DISH, "restaurant_id": PLACE, "price": 20.0, "available": True}
    env = added(env, SLUG, "menu_items", dish)
    closure = {"id": "CLO-900", "restaurant_id": PLACE, "date": "2026-04-08", "reason": "Stocktaking."}
    return added(env, SLUG, "closures", closure)


def order(**more: Any) -> dict[str, Any]:
    """Arguments of create_reservation in the world."""
    return {"restaurant_id": PLACE, "diner_email": NOOR, "starts_at": EVENING, **more}


def booked(env: Env, **more: Any) -> tuple[Env, str]:
    """The world with a reservation."""
    env = world(env)
    observation = env.call(SLUG, "create_reservation", order(**more))
    assert observation["success"], observation
    return env, str(observation["data"]["id"])


def others(env: Env) -> str:
    """The address of another diner."""
    return str(next(row["email"] for row in rows(env, SLUG, "diners") if row["email"] != NOOR))


SOON = "2026-03-02T19:00:00Z"


@case(SLUG, "create_reservation", "closed")
def _(env: Env) -> Situation:
    return world(env), order(starts_at="2026-04-08T18:00:00Z")


@case(SLUG, "create_reservation", "diner_busy")
def _(env: Env) -> Situation:
    return booked(env)[0], order(starts_at="2026-04-07T19:30:00Z")


@case(SLUG, "create_reservation", "too_far_ahead")
def _(env: Env) -> Situation:
    return world(env), order(starts_at="2026-07-07T18:00:00Z")


@case(SLUG, "create_reservation", "no_table")
def _(env: Env) -> Situation:
    return world(env), order(party_size=8)


def _second(env: Env) -> Situation:
    env, _ = booked(env)
    observation = env.call(SLUG, "create_reservation", order(starts_at="2026-04-07T13:00:00Z"))
    return env, {"reservation_id": observation["data"]["id"], "starts_at": "2026-04-07T17:00:00Z"}


@case(SLUG, "modify_reservation", "diner_busy")
def _(env: Env) -> Situation:
    return _second(env)


@case(SLUG, "modify_reservation", "too_far_ahead")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"reservation_id": identity, "starts_at": "2026-07-07T18:00:00Z"}


@case(SLUG, "modify_reservation", "closed")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"reservation_id": identity, "starts_at": "2026-04-08T18:00:00Z"}


@case(SLUG, "modify_reservation", "in_the_past")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    return env, {"reservation_id": identity, "starts_at": "2026-02-08T18:00:00Z"}


@case(SLUG, "modify_reservation", "too_late")
def _(env: Env) -> Situation:
    env, identity = booked(env, starts_at=SOON)
    return env, {"reservation_id": identity, "party_size": 3}


@case(SLUG, "modify_reservation", "too_many_accepted")
def _(env: Env) -> Situation:
    env, identity = booked(env)
    guest = env.call(SLUG, "invite_guest", {"reservation_id": identity, "name": "A B", "email": "a@b.example"})
    env.call(SLUG, "record_answer", {"invitation_id": guest["data"]["id"], "answer": "accepted"})
    return env, {"reservation_id": identity, "party_size": 1}


@case(SLUG, "add_preorder_item", "too_late")
def _(env: Env) -> Situation:
    env, identity = booked(env, starts_at=SOON)
    return env, {"reservation_id": identity, "menu_item": DISH}


@case(SLUG, "remove_preorder_item", "too_late")
def _(env: Env) -> Situation:
    env = world(env)
    past = one(env, SLUG, "reservations", status="booked")
    row = {**past, "id": "RES-9000", "code": "TB-9999", "restaurant_id": PLACE, "table_id": "TBL-9000"}
    item = {"reservation_id": "RES-9000", "menu_item_id": DISH, "quantity": 1, "unit_price": 20.0, "remark": ""}
    env = added(env, SLUG, "reservations", {**row, "starts_at": SOON})
    return added(env, SLUG, "preorder_items", {"id": "PRE-9000", **item}), {"preorder_item_id": "PRE-9000"}


def wish(**more: Any) -> dict[str, Any]:
    """Arguments of join_waitlist for a day on which there is no table for so many."""
    return {"restaurant_id": PLACE, "diner_email": NOOR, "date": "2026-04-07", "party_size": 8, **more}


@case(SLUG, "join_waitlist", "already_waiting")
def _(env: Env) -> Situation:
    env = world(env)
    assert env.call(SLUG, "join_waitlist", wish())["success"]
    return env, wish()


@case(SLUG, "join_waitlist", "invalid_date")
def _(env: Env) -> Situation:
    return world(env), wish(date="2026-02-30")


@case(SLUG, "join_waitlist", "table_free")
def _(env: Env) -> Situation:
    return world(env), wish(party_size=2)


@case(SLUG, "accept_waitlist_table", "diner_busy")
def _(env: Env) -> Situation:
    entry = {
        "id": "WTL-900",
        "restaurant_id": PLACE,
        "diner_id": one(env, SLUG, "diners", email=NOOR)["id"],
        "date": "2026-04-07",
        "from_time": "18:00",
        "to_time": "19:00",
        "party_size": 4,
        "status": "waiting",
        "reservation_id": None,
    }
    env = added(world(env), SLUG, "waitlist_entries", entry)
    assert env.call(SLUG, "create_reservation", order())["success"]
    return env, {"entry_id": "WTL-900"}


@case(SLUG, "record_answer", "no_seat_left")
def _(env: Env) -> Situation:
    env, identity = booked(env, party_size=1)
    guest = env.call(SLUG, "invite_guest", {"reservation_id": identity, "name": "A B", "email": "a@b.example"})
    return env, {"invitation_id": guest["data"]["id"], "answer": "accepted"}


@case(SLUG, "join_waitlist", "in_the_past")
def _(env: Env) -> Situation:
    return world(env), wish(date="2026-02-20")


@case(SLUG, "join_waitlist", "invalid_times")
def _(env: Env) -> Situation:
    return world(env), wish(from_time="20:00", to_time="19:00")


@case(SLUG, "mark_favorite", "no_change")
def _(env: Env) -> Situation:
    favorite = one(env, SLUG, "favorites")
    return env, {name: favorite[name] for name in ("restaurant_id", "note")}


@case(SLUG, "create_reservation", "in_the_past")
def _(env: Env) -> Situation:
    return world(env), order(starts_at="2026-03-02T09:30:00Z")
