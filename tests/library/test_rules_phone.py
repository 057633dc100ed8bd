"""The rules of the phone, as short stories."""

from __future__ import annotations

import pytest

from services_app.library.phone.messages import segments
from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

SLUG = "phone"
OWN, DESK = "LN-005", "LN-002"


@pytest.mark.parametrize(
    ("text", "parts"), [("a", 1), ("a" * 160, 1), ("a" * 161, 2), ("ł" * 70, 1), ("ł" + "a" * 70, 2)]
)
def test_segments(text: str, parts: int) -> None:
    assert segments(text) == parts


def test_the_allowance_counts_what_is_sent_and_scheduled_in_its_month() -> None:
    env = environment(SLUG)
    shown = next(row for row in ok(env, SLUG, "list_lines")["lines"] if row["id"] == DESK)
    assert shown["sms_segments_left"] == 3
    message = {"number": "+31 10 555 9901", "line_id": DESK}
    assert ok(env, SLUG, "send_message", **message, text="x" * 161)["segments_left"] == 1
    assert refused(env, SLUG, "send_message", **message, text="x" * 161) == "allowance_used_up"
    march = ok(env, SLUG, "schedule_message", **message, text="One", send_at="2026-03-20T10:00:00Z")
    assert march["segments_left"] == 0
    assert refused(env, SLUG, "send_message", **message, text="Two") == "allowance_used_up"
    ok(env, SLUG, "schedule_message", **message, text="In April", send_at="2026-04-02T10:00:00Z")
    ok(env, SLUG, "cancel_scheduled_message", message_id=march["id"])
    ok(env, SLUG, "send_message", **message, text="Two")


def test_a_callback_has_to_be_made_before_the_call_is_resolved() -> None:
    env = environment(SLUG, scale="normal")
    refuse = {row["phone"] for row in rows(env, SLUG, "contacts", do_not_call=True)}
    own = {row["id"] for row in env.rows(SLUG, "lines") if row["owner_id"] in (None, "PU-001")}
    answered = {
        row["other_number"] for row in rows(env, SLUG, "calls", direction="outbound") if row["result"] == "answered"
    }
    call = next(
        row
        for row in rows(env, SLUG, "calls", disposition="callback_needed")
        if row["line_id"] in own and row["other_number"] not in refuse | answered
    )
    resolve = {"call_id": call["id"], "disposition": "resolved"}
    assert refused(env, SLUG, "set_call_disposition", **resolve) == "no_callback_made"
    back = ok(env, SLUG, "place_call", number=call["other_number"])
    assert refused(env, SLUG, "set_call_disposition", **resolve) == "no_callback_made"
    assert refused(env, SLUG, "place_call", number=call["other_number"]) == "line_busy"
    ok(env, SLUG, "add_call_note", call_id=back["id"], text="Agreed.")
    assert ok(env, SLUG, "end_call", call_id=back["id"])["minutes"] >= 1
    assert ok(env, SLUG, "set_call_disposition", **resolve)["disposition"] == "resolved"


def test_a_call_put_through_makes_the_colleague_busy() -> None:
    env = environment(SLUG)
    call = one(env, SLUG, "calls", line_id=DESK, result="in_progress")
    me = one(env, SLUG, "users", id="PU-001")
    moved = ok(env, SLUG, "transfer_call", call_id=call["id"], to_email=me["email"])
    assert (moved["transferred_to_name"], moved["extension"]) == (me["name"], me["extension"])
    assert one(env, SLUG, "users", id="PU-001")["status"] == "busy"
    assert refused(env, SLUG, "end_call", call_id=call["id"]) == "not_in_progress"


def test_numbers_are_the_same_in_every_notation_and_stop_is_kept_per_line() -> None:
    env = environment(SLUG, scale="normal")
    stopped = next(row for row in ok(env, SLUG, "list_conversations", limit=100)["conversations"] if row["opted_out"])
    compact = stopped["number"].replace(" ", "")
    assert refused(env, SLUG, "send_message", number=compact, text="Hi", line_id=stopped["line_id"]) == "opted_out"
    other = OWN if stopped["line_id"] != OWN else "LN-003"
    ok(env, SLUG, "send_message", number=compact, text="Hi", line_id=other)
    found = ok(env, SLUG, "search_contacts", query=compact)["contacts"]
    assert [row["name"] for row in found] == [stopped["contact_name"]]


def test_direct_lines_of_colleagues_are_closed() -> None:
    env = environment(SLUG, scale="normal")
    own = {row["id"] for row in ok(env, SLUG, "list_lines", mine_only=True)["lines"]}
    foreign = next(row for row in env.rows(SLUG, "calls") if row["line_id"] not in own)
    assert refused(env, SLUG, "get_call", call_id=foreign["id"]) == "not_your_line"
    assert {row["line_id"] for row in ok(env, SLUG, "list_calls", limit=100)["calls"]} <= own


def test_usage_adds_up() -> None:
    env = environment(SLUG, scale="normal")
    usage = ok(env, SLUG, "get_usage", from_day="2025-12-01", to_day="2026-03-02")
    assert usage["total_calls"] == len(env.rows(SLUG, "calls")) == sum(row["calls"] for row in usage["lines"])
    sent = rows(env, SLUG, "messages", status="sent")
    assert usage["total_sms_segments"] == sum(segments(row["text"]) for row in sent)
