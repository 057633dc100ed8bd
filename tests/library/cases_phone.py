"""Situations on the phone; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, patched

SLUG = "phone"
NUMBER = "+31 10 555 9901"
DESK, OWN, NOTICES = "LN-002", "LN-005", "LN-003"
LATER = {"number": NUMBER, "text": "Hello", "send_at": "2026-04-06T10:00:00Z"}
PEOPLE += [(SLUG, "users"), (SLUG, "contacts")]


def _message(**changes: Any) -> dict[str, Any]:
    row = {
        "id": "SMS-90000",
        "line_id": OWN,
        "other_number": NUMBER,
        "direction": "inbound",
        "text": "STOP",
        "status": "received",
        "at": "2026-03-01T10:00:00Z",
        "read": True,
    }
    return {**row, **changes}


@case(SLUG, "cancel_scheduled_message", "not_your_line")
def _(env: Env) -> Situation:
    other = next(row for row in env.rows(SLUG, "lines") if row["owner_id"] not in (None, "PU-001"))
    row = _message(line_id=other["id"], direction="outbound", status="scheduled", text="Hi")
    return added(env, SLUG, "messages", row), {"message_id": "SMS-90000"}


@case(SLUG, "create_contact", "blank_text")
def _(env: Env) -> Situation:
    return env, {"name": " ", "phone": NUMBER, "email": "ana@north.example"}


@case(SLUG, "create_contact", "duplicate_number")
def _(env: Env) -> Situation:
    phone = "".join(env.rows(SLUG, "contacts")[0]["phone"].split())
    return env, {"name": "Ana", "phone": phone, "email": "ana@north.example"}


@case(SLUG, "update_contact", "blank_text")
def _(env: Env) -> Situation:
    return env, {"contact_id": env.rows(SLUG, "contacts")[0]["id"], "name": " "}


@case(SLUG, "forward_voicemail", "already_forwarded")
def _(env: Env) -> Situation:
    own = {row["id"] for row in env.rows(SLUG, "lines") if row["owner_id"] in (None, "PU-001")}
    mine = next(row for row in env.rows(SLUG, "voicemails") if row["line_id"] in own)
    arguments = {"voicemail_id": mine["id"], "to_email": env.rows(SLUG, "users")[1]["email"]}
    ok(env, SLUG, "forward_voicemail", **arguments)
    return env, arguments


@case(SLUG, "place_call", "do_not_call")
def _(env: Env) -> Situation:
    row = env.rows(SLUG, "contacts")[0]
    return patched(env, SLUG, "contacts", row["id"], do_not_call=True), {"number": row["phone"]}


@case(SLUG, "place_call", "own_number")
def _(env: Env) -> Situation:
    return env, {"number": one(env, SLUG, "lines", id=OWN)["number"]}


@case(SLUG, "place_call", "line_busy")
def _(env: Env) -> Situation:
    return env, {"number": NUMBER, "line_id": DESK}


@case(SLUG, "place_call", "number_blocked")
def _(env: Env) -> Situation:
    return env, {"number": env.rows(SLUG, "blocked_numbers")[0]["number"]}


@case(SLUG, "block_number", "number_of_contact")
def _(env: Env) -> Situation:
    return env, {"number": one(env, SLUG, "contacts", do_not_call=False)["phone"]}


@case(SLUG, "send_message", "number_blocked")
def _(env: Env) -> Situation:
    return env, {"number": env.rows(SLUG, "blocked_numbers")[0]["number"], "text": "Hello"}


@case(SLUG, "schedule_message", "number_blocked")
def _(env: Env) -> Situation:
    return env, {**LATER, "number": env.rows(SLUG, "blocked_numbers")[0]["number"]}


@case(SLUG, "schedule_message", "not_found")
def _(env: Env) -> Situation:
    return env, {**LATER, "line_id": "LN-999"}


@case(SLUG, "schedule_message", "not_your_line")
def _(env: Env) -> Situation:
    other = next(row for row in env.rows(SLUG, "lines") if row["owner_id"] not in (None, "PU-001"))
    return env, {**LATER, "line_id": other["id"]}


@case(SLUG, "schedule_message", "invalid_time")
def _(env: Env) -> Situation:
    return env, {**LATER, "send_at": "2026-02-30T10:00:00Z"}


@case(SLUG, "schedule_message", "invalid_number")
def _(env: Env) -> Situation:
    return env, {**LATER, "number": "12"}


@case(SLUG, "schedule_message", "blank_text")
def _(env: Env) -> Situation:
    return env, {**LATER, "text": "  "}


@case(SLUG, "schedule_message", "no_sms")
def _(env: Env) -> Situation:
    return env, {**LATER, "line_id": "LN-001"}


@case(SLUG, "schedule_message", "quiet_hours")
def _(env: Env) -> Situation:
    return env, {**LATER, "send_at": "2026-04-06T22:00:00Z"}


@case(SLUG, "schedule_message", "too_long")
def _(env: Env) -> Situation:
    return env, {**LATER, "text": "x" * 1601}


@case(SLUG, "send_message", "too_long")
def _(env: Env) -> Situation:
    return env, {"number": NUMBER, "text": "x" * 1601}


@case(SLUG, "schedule_message", "opted_out")
def _(env: Env) -> Situation:
    return added(env, SLUG, "messages", _message()), dict(LATER)


@case(SLUG, "send_message", "opted_out")
def _(env: Env) -> Situation:
    return added(env, SLUG, "messages", _message()), {"number": NUMBER, "text": "Hello"}


@case(SLUG, "schedule_message", "allowance_used_up")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "lines", OWN, sms_allowance=0), dict(LATER)


@case(SLUG, "send_message", "allowance_used_up")
def _(env: Env) -> Situation:
    return env, {"number": NUMBER, "text": "x" * 500, "line_id": DESK}


@case(SLUG, "set_queue_availability", "last_available")
def _(env: Env) -> Situation:
    for row in env.rows(SLUG, "queue_members"):
        if row["queue_id"] == "Q-01" and row["user_id"] != "PU-001":
            env = patched(env, SLUG, "queue_members", row["id"], available=False)
    return env, {"queue_id": "Q-01", "available": False}


@case(SLUG, "set_queue_availability", "not_a_member")
def _(env: Env) -> Situation:
    return env, {"queue_id": "Q-03", "available": True}


def _call(env: Env) -> dict[str, Any]:
    return one(env, SLUG, "calls", line_id=DESK, result="in_progress")


@case(SLUG, "transfer_call", "same_user")
def _(env: Env) -> Situation:
    call = _call(env)
    return env, {"call_id": call["id"], "to_email": one(env, SLUG, "users", id=call["handled_by"])["email"]}


@case(SLUG, "transfer_call", "user_unavailable")
def _(env: Env) -> Situation:
    user = env.rows(SLUG, "users")[4]
    env = patched(env, SLUG, "users", user["id"], status="do_not_disturb")
    return env, {"call_id": _call(env)["id"], "to_email": user["email"]}


@case(SLUG, "set_call_disposition", "call_in_progress")
def _(env: Env) -> Situation:
    return env, {"call_id": _call(env)["id"], "disposition": "resolved"}


@case(SLUG, "set_call_disposition", "no_callback_made")
def _(env: Env) -> Situation:
    row = {
        "id": "CALL-90000",
        "line_id": OWN,
        "direction": "inbound",
        "other_number": NUMBER,
        "result": "missed",
        "started_at": "2026-03-01T10:00:00Z",
        "ended_at": "2026-03-01T10:01:00Z",
        "disposition": "callback_needed",
    }
    return added(env, SLUG, "calls", row), {"call_id": "CALL-90000", "disposition": "resolved"}


@case(SLUG, "update_call_handling", "forward_loop")
def _(env: Env) -> Situation:
    return env, {"line_id": OWN, "forward_to": one(env, SLUG, "lines", id=OWN)["number"].replace(" ", "")}


@case(SLUG, "update_call_handling", "forward_number_missing")
def _(env: Env) -> Situation:
    return env, {"line_id": OWN, "after_hours": "forward"}


@case(SLUG, "update_call_handling", "invalid_hours")
def _(env: Env) -> Situation:
    return env, {"line_id": OWN, "opens": "20:00"}


@case(SLUG, "mark_conversation_read", "nothing_unread")
def _(env: Env) -> Situation:
    return added(env, SLUG, "messages", _message()), {"number": NUMBER}
