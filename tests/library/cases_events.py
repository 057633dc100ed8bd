"""Situations in events; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, one, patched

SLUG = "events"
PEOPLE += [(SLUG, "tickets"), (SLUG, "waitlist_entries")]
EVENT, KIND, FEW, VENUE = "EVT-900", "TCL-9000", "TCL-9001", "VEN-900"
START, END = "2026-05-12T09:00:00Z", "2026-05-12T17:00:00Z"


def world(env: Env, **more: Any) -> Env:
    """A live event in May for 100 people: 50 tickets at 40, one at 60, a code for one order, a session for one."""
    venue = {**one(env, SLUG, "venues"), "id": VENUE, "name": "Test Hall", "capacity": 120}
    event = {
        "id": EVENT,
        "name": "Test day",
        "category": "conference",
        "venue_id": VENUE,
        "organizer_email": "noor.haddad@larkfield.example",
        "starts_at": START,
        "ends_at": END,
        "capacity": 100,
        "status": "live",
        "refund_policy": "week_before",
        "summary": "",
        "cancel_reason": "",
    }
    kind = {"event_id": EVENT, "max_per_order": 4, "sales_end": START}
    code = {"event_id": EVENT, "code": "HALF", "percent_off": 50.0, "max_uses": 1, "valid_until": "2026-05-01"}
    session = {"event_id": EVENT, "room": "Hall", "starts_at": START, "ends_at": "2026-05-12T10:00:00Z", "seats": 1}
    env = added(env, SLUG, "venues", venue)
    env = added(env, SLUG, "events", {**event, **more})
    env = added(
        env,
        SLUG,
        "ticket_classes",
        {**kind, "id": KIND, "name": "Standard", "price": 40.0, "quantity": 50},
        {**kind, "id": FEW, "name": "Front row", "price": 60.0, "quantity": 1},
    )
    env = added(env, SLUG, "discount_codes", {**code, "id": "DSC-900"})
    return added(
        env,
        SLUG,
        "sessions",
        {**session, "id": "SES-900", "title": "Opening", "speaker": "Ada Example"},
        {**session, "id": "SES-901", "title": "Aside", "speaker": "Bo Example", "room": "Room 1", "seats": 9},
    )


def buy(env: Env, kind: str = KIND, number: int = 1, **more: Any) -> list[dict[str, Any]]:
    """The tickets of a new order."""
    buyer = {"buyer_name": f"Buyer {number}", "buyer_email": f"buyer{number}@x.example"}
    observation = env.call(SLUG, "place_order", {"ticket_class_id": kind, **buyer, **more})
    assert observation["success"], observation
    return list(observation["data"]["attendees"])


def today(env: Env) -> Env:
    """The world on the day of the event, an hour before it begins; tickets are still sold."""
    env = world(env, starts_at="2026-03-02T10:00:00Z", ends_at="2026-03-02T18:00:00Z")
    return patched(env, SLUG, "ticket_classes", KIND, sales_end="2026-03-02T10:00:00Z")


def running(env: Env) -> tuple[Env, str]:
    """The world half an hour after the beginning, with a ticket."""
    env = world(env, starts_at="2026-03-02T08:30:00Z", ends_at="2026-03-02T18:00:00Z")
    return env, str(buy(env)[0]["id"])


@case(SLUG, "create_event", "venue_busy")
def _(env: Env) -> Situation:
    return world(env), plan()


@case(SLUG, "create_event", "venue_too_small")
def _(env: Env) -> Situation:
    return world(env), plan(capacity=121)


def plan(**more: Any) -> dict[str, Any]:
    """Arguments of create_event at the venue and time of the world's event."""
    return {"name": "Another", "venue_id": VENUE, "starts_at": START, "ends_at": END, "capacity": 20, **more}


@case(SLUG, "update_event", "already_begun")
def _(env: Env) -> Situation:
    return running(env)[0], {"event_id": EVENT, "summary": "Late"}


@case(SLUG, "update_event", "sessions_outside")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "starts_at": "2026-05-12T11:00:00Z"}


@case(SLUG, "update_event", "blank_text")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "name": "  "}


@case(SLUG, "update_event", "name_taken")
def _(env: Env) -> Situation:
    taken = next(row["name"] for row in env.rows(SLUG, "events") if row["status"] == "live")
    return world(env), {"event_id": EVENT, "name": taken.upper()}


@case(SLUG, "update_event", "venue_busy")
def _(env: Env) -> Situation:
    env = world(env)
    later = plan(starts_at="2026-05-12T17:00:00Z", ends_at="2026-05-12T20:00:00Z")
    assert env.call(SLUG, "create_event", later)["success"]
    return env, {"event_id": EVENT, "ends_at": "2026-05-12T18:00:00Z"}


@case(SLUG, "update_event", "venue_too_small")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "capacity": 121}


@case(SLUG, "update_event", "over_capacity")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "capacity": 50}


@case(SLUG, "publish_event", "already_begun")
def _(env: Env) -> Situation:
    env = world(env, status="draft", starts_at="2026-03-02T08:00:00Z", ends_at="2026-03-02T18:00:00Z")
    return env, {"event_id": EVENT}


@case(SLUG, "publish_event", "no_tickets")
def _(env: Env) -> Situation:
    env = world(env)
    draft = env.call(SLUG, "create_event", plan(starts_at=END, ends_at="2026-05-12T20:00:00Z"))
    return env, {"event_id": draft["data"]["id"]}


@case(SLUG, "cancel_event", "already_begun")
def _(env: Env) -> Situation:
    return running(env)[0], {"event_id": EVENT, "reason": "Late"}


@case(SLUG, "update_ticket_class", "below_sold")
def _(env: Env) -> Situation:
    env = world(env)
    buy(env, quantity=3)
    return env, {"ticket_class_id": KIND, "quantity": 2}


@case(SLUG, "update_ticket_class", "invalid_time")
def _(env: Env) -> Situation:
    return world(env), {"ticket_class_id": KIND, "sales_end": "2026-02-30T10:00:00Z"}


@case(SLUG, "create_discount_code", "invalid_date")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "code": "NEW", "percent_off": 5, "valid_until": "2026-02-30"}


def purchase(**more: Any) -> dict[str, Any]:
    return {"ticket_class_id": KIND, "buyer_name": "Cy", "buyer_email": "cy@x.example", **more}


@case(SLUG, "place_order", "code_used_up")
def _(env: Env) -> Situation:
    env = world(env)
    buy(env, discount_code="half")
    return env, purchase(discount_code="HALF")


@case(SLUG, "place_order", "code_expired")
def _(env: Env) -> Situation:
    return patched(world(env), SLUG, "discount_codes", "DSC-900", valid_until="2026-02-01"), purchase(
        discount_code="HALF"
    )


@case(SLUG, "place_order", "sold_out")
def _(env: Env) -> Situation:
    return world(env), purchase(ticket_class_id=FEW, quantity=2)


@case(SLUG, "refund_ticket", "already_begun")
def _(env: Env) -> Situation:
    env, identity = running(env)
    return env, {"ticket_id": identity}


@case(SLUG, "join_ticket_waitlist", "already_waiting")
def _(env: Env) -> Situation:
    env = world(env)
    arguments = {"ticket_class_id": FEW, "name": "Cy", "email": "cy@x.example", "quantity": 2}
    assert env.call(SLUG, "join_ticket_waitlist", arguments)["success"]
    return env, arguments


def _inside(env: Env) -> tuple[Env, str]:
    env, identity = running(env)
    assert env.call(SLUG, "check_in_attendee", {"ticket_id": identity})["success"]
    return env, identity


@case(SLUG, "transfer_ticket", "already_checked_in")
def _(env: Env) -> Situation:
    env, identity = _inside(env)
    return env, {"ticket_id": identity, "name": "Cy", "email": "cy@x.example"}


@case(SLUG, "check_in_attendee", "already_checked_in")
def _(env: Env) -> Situation:
    env, identity = _inside(env)
    return env, {"ticket_id": identity}


def _session(**more: Any) -> dict[str, Any]:
    return {"event_id": EVENT, "title": "More", "speaker": "Cy", "room": "Room 2", "start_time": "09:00", **more}


@case(SLUG, "add_session", "outside_event")
def _(env: Env) -> Situation:
    return world(env), _session(start_time="16:30")


@case(SLUG, "add_session", "room_busy")
def _(env: Env) -> Situation:
    return world(env), _session(room="hall")


@case(SLUG, "add_session", "speaker_busy")
def _(env: Env) -> Situation:
    return world(env), _session(speaker="Bo Example")


@case(SLUG, "reserve_session_seat", "session_overlaps")
def _(env: Env) -> Situation:
    env = world(env)
    ticket = buy(env)[0]["id"]
    assert env.call(SLUG, "reserve_session_seat", {"ticket_id": ticket, "session_id": "SES-900"})["success"]
    return env, {"ticket_id": ticket, "session_id": "SES-901"}


@case(SLUG, "reserve_session_seat", "session_full")
def _(env: Env) -> Situation:
    env = world(env)
    first, second = buy(env)[0]["id"], buy(env, number=2)[0]["id"]
    assert env.call(SLUG, "reserve_session_seat", {"ticket_id": first, "session_id": "SES-900"})["success"]
    return env, {"ticket_id": second, "session_id": "SES-900"}


@case(SLUG, "send_announcement", "nobody")
def _(env: Env) -> Situation:
    return world(env), {"event_id": EVENT, "subject": "Hello", "body": "Nobody there."}
