"""The rules of events, as short stories: what calls bring about."""

from __future__ import annotations

from collections import Counter

from tests.library.cases_events import (
    END,
    EVENT,
    FEW,
    KIND,
    SLUG,
    START,
    VENUE,
    buy,
    plan,
    purchase,
    running,
    today,
    world,
)
from tests.library.driver import environment
from tests.library.test_invariants import wander
from tests.library.world import ok, refused, rows


def test_takings_add_up_with_codes_refunds_and_fees() -> None:
    env = world(environment(SLUG))
    tickets = buy(env, quantity=2, discount_code="HALF")
    assert [row["paid"] for row in tickets] == [20.0, 20.0]
    full = buy(env, number=2)[0]
    assert ok(env, SLUG, "refund_ticket", ticket_id=full["id"])["status"] == "refunded"
    shown = ok(env, SLUG, "get_event", event_id=EVENT)["takings"]
    fees = round(2 * (20 * 0.025 + 0.59) + 40 * 0.025 + 0.59, 2)
    assert shown == {"gross": 80.0, "refunded": 40.0, "fees": fees, "payout": round(80 - 40 - fees, 2)}
    report = ok(env, SLUG, "get_sales_report", event_id=EVENT, group_by="discount_code")
    assert {row["discount_code"]: row["gross"] for row in report["rows"]} == {"HALF": 40.0, "none": 40.0}
    assert report["payout"] == shown["payout"]


def test_a_code_is_free_again_when_its_tickets_are_refunded() -> None:
    env = world(environment(SLUG))
    ticket = buy(env, discount_code="HALF")[0]
    assert refused(env, SLUG, "place_order", **purchase(discount_code="HALF")) == "code_used_up"
    ok(env, SLUG, "refund_ticket", ticket_id=ticket["id"])
    assert ok(env, SLUG, "place_order", **purchase(discount_code="HALF"))["total"] == 20.0


def test_the_last_ticket_is_sold_once_and_serves_who_waited() -> None:
    env = world(environment(SLUG))
    ticket = buy(env, FEW)[0]
    assert refused(env, SLUG, "place_order", **purchase(ticket_class_id=FEW)) == "sold_out"
    ok(env, SLUG, "join_ticket_waitlist", ticket_class_id=FEW, name="Cy", email="cy@x.example")
    ok(env, SLUG, "refund_ticket", ticket_id=ticket["id"])
    assert ok(env, SLUG, "list_ticket_waitlist", event_id=EVENT)["entries"][0]["tickets_left"] == 1
    ok(env, SLUG, "place_order", **purchase(ticket_class_id=FEW))
    assert ok(env, SLUG, "list_ticket_waitlist", event_id=EVENT, served=False)["total"] == 0


def test_late_refunds_give_nothing_back_and_cancelling_everything() -> None:
    env = today(environment(SLUG))
    first, second = buy(env)[0], buy(env, number=2)[0]
    late = ok(env, SLUG, "refund_ticket", ticket_id=first["id"])
    assert (late["status"], late["refunded"]) == ("void", 0.0)
    ok(env, SLUG, "cancel_event", event_id=EVENT, reason="Burst pipe")
    status = {row["id"]: (row["status"], row["refunded"]) for row in rows(env, SLUG, "tickets", event_id=EVENT)}
    assert status == {first["id"]: ("void", 0.0), second["id"]: ("refunded", 40.0)}


def test_a_venue_holds_one_event_at_a_time() -> None:
    env = world(environment(SLUG))
    assert refused(env, SLUG, "create_event", **plan()) == "venue_busy"
    assert VENUE not in [row["id"] for row in ok(env, SLUG, "list_venues", free_on=START[:10], limit=100)["venues"]]
    ok(env, SLUG, "cancel_event", event_id=EVENT, reason="Moved")
    assert ok(env, SLUG, "create_event", **plan(ends_at=END))["phase"] == "draft"


def test_everybody_comes_in_once() -> None:
    env, identity = running(environment(SLUG))
    ok(env, SLUG, "check_in_attendee", ticket_id=identity)
    assert refused(env, SLUG, "check_in_attendee", ticket_id=identity) == "already_checked_in"
    assert ok(env, SLUG, "get_event", event_id=EVENT)["checked_in"] == 1
    early = world(environment(SLUG))
    assert refused(early, SLUG, "check_in_attendee", ticket_id=buy(early)[0]["id"]) == "too_early"
    assert buy(early, number=3)[0]["ticket_class_id"] == KIND


def test_drawn_calls_never_sell_more_than_there_is() -> None:
    state = wander(SLUG, 2).state()[SLUG]
    valid = Counter(row["ticket_class_id"] for row in state["tickets"] if row["status"] == "valid")
    assert all(valid[row["id"]] <= row["quantity"] for row in state["ticket_classes"])
    offered: Counter[str] = Counter()
    for row in state["ticket_classes"]:
        offered[row["event_id"]] += row["quantity"]
    halls = {row["id"]: row["capacity"] for row in state["venues"]}
    for row in state["events"]:
        assert offered[row["id"]] <= row["capacity"] <= halls[row["venue_id"]]
    seats = Counter(row["session_id"] for row in state["session_seats"])
    assert all(seats[row["id"]] <= row["seats"] for row in state["sessions"])
