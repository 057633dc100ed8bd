"""Situations in video meetings; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import PEOPLE, Env, Situation, case
from tests.library.world import added, ok, one, patched

SLUG = "video-meetings"
LATER = {"topic": "Planning", "start": "2026-07-06T10:00:00Z", "duration_minutes": 60}
PEOPLE += [(SLUG, "users"), (SLUG, "registrants"), (SLUG, "participants")]


def _me(env: Env) -> str:
    return str(one(env, SLUG, "users", email=ME.email)["id"])


def _running(env: Env) -> dict[str, Any]:
    """The running meeting that you may host."""
    return one(env, SLUG, "meetings", status="live", alternative_host_id=_me(env))


def _planned(env: Env, **changes: Any) -> dict[str, Any]:
    return dict(ok(env, SLUG, "schedule_meeting", **{**LATER, **changes}))


@case(SLUG, "add_registrant", "already_registered")
def _(env: Env) -> Situation:
    who = {"meeting_id": _planned(env, registration="manual")["id"], "email": "ana@north.example", "name": "Ana"}
    ok(env, SLUG, "add_registrant", **who)
    return env, who


def _full(env: Env) -> str:
    """A meeting with one place, which is taken."""
    meeting = _planned(env, registration="automatic", registration_limit=1)
    ok(env, SLUG, "add_registrant", meeting_id=meeting["id"], email="ana@north.example", name="Ana")
    return str(meeting["id"])


@case(SLUG, "add_registrant", "registration_full")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _full(env), "email": "ben@north.example", "name": "Ben"}


@case(SLUG, "update_registrant_status", "registration_full")
def _(env: Env) -> Situation:
    meeting = _planned(env, registration="manual", registration_limit=1)
    rows = [
        ok(env, SLUG, "add_registrant", meeting_id=meeting["id"], email=f"{name}@north.example", name=name)
        for name in ("ana", "ben")
    ]
    ok(env, SLUG, "update_registrant_status", registrant_id=rows[0]["id"], action="approve")
    return env, {"registrant_id": rows[1]["id"], "action": "approve"}


def _registrant_in(env: Env, status: str) -> Situation:
    meeting = one(env, SLUG, "meetings", topic="Carrier check-in")
    arguments = {"meeting_id": meeting["id"], "email": "ana@north.example", "name": "Ana"}
    row = {
        "id": "REG-9000",
        **arguments,
        "organization": "",
        "comments": "",
        "status": "pending",
        "registered_at": "2026-02-01T09:00:00Z",
    }
    env = added(env, SLUG, "registrants", row)
    return patched(env, SLUG, "meetings", meeting["id"], status=status), {
        "registrant_id": "REG-9000",
        "action": "approve",
    }


@case(SLUG, "update_registrant_status", "meeting_ended")
def _(env: Env) -> Situation:
    return _registrant_in(env, "ended")


@case(SLUG, "update_registrant_status", "meeting_live")
def _(env: Env) -> Situation:
    return _registrant_in(env, "live")


@case(SLUG, "update_registrant_status", "meeting_cancelled")
def _(env: Env) -> Situation:
    return _registrant_in(env, "cancelled")


def _running_as(env: Env, status: str) -> Env:
    return patched(env, SLUG, "meetings", _running(env)["id"], status=status)


def _someone(env: Env) -> dict[str, Any]:
    row = one(env, SLUG, "participants", meeting_id=_running(env)["id"], presence="waiting")
    return {"participant_id": row["id"]}


def _draft(env: Env) -> dict[str, Any]:
    return {"poll_id": one(env, SLUG, "polls", meeting_id=_running(env)["id"])["id"]}


for status, error in (("cancelled", "meeting_cancelled"), ("ended", "meeting_ended"), ("scheduled", "not_live")):
    for tool, wanted in (("admit_participant", _someone), ("launch_poll", _draft), ("end_poll", _draft)):

        def situation(env: Env, status: str = status, wanted: Any = wanted) -> Situation:
            return _running_as(env, status), wanted(env)

        case(SLUG, tool, error)(situation)


@case(SLUG, "create_poll", "duplicate_options")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _running(env)["id"], "question": "When?", "options": ["Noon", "noon"]}


@case(SLUG, "create_poll", "too_many_polls")
def _(env: Env) -> Situation:
    meeting = _planned(env)["id"]
    for number in range(10):
        ok(env, SLUG, "create_poll", meeting_id=meeting, question=f"Question {number}", options=["Yes", "No"])
    return env, {"meeting_id": meeting, "question": "One more", "options": ["Yes", "No"]}


@case(SLUG, "schedule_meeting", "host_conflict")
def _(env: Env) -> Situation:
    _planned(env)
    return env, {**LATER, "start": "2026-07-06T10:30:00Z"}


@case(SLUG, "update_meeting", "host_conflict")
def _(env: Env) -> Situation:
    _planned(env)
    other = _planned(env, start="2026-07-07T10:00:00Z")
    return env, {"meeting_id": other["id"], "start": "2026-07-06T10:30:00Z"}


@case(SLUG, "schedule_meeting", "plan_limit")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "users", _me(env), plan="basic"), dict(LATER)


@case(SLUG, "update_meeting", "plan_limit")
def _(env: Env) -> Situation:
    meeting = one(env, SLUG, "meetings", topic="Carrier check-in")
    return patched(env, SLUG, "users", _me(env), plan="basic"), {"meeting_id": meeting["id"], "duration_minutes": 41}


@case(SLUG, "update_meeting", "below_approved")
def _(env: Env) -> Situation:
    meeting = _planned(env, registration="automatic")
    for name in ("ana", "ben"):
        ok(env, SLUG, "add_registrant", meeting_id=meeting["id"], email=f"{name}@north.example", name=name)
    return env, {"meeting_id": meeting["id"], "registration_limit": 1}


@case(SLUG, "update_meeting", "blank_text")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "topic": " "}


@case(SLUG, "update_meeting", "invalid_time")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "start": "2026-02-30T10:00:00Z"}


@case(SLUG, "update_meeting", "not_licensed")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "alternative_host_email": ME.email}


@case(SLUG, "update_meeting", "unknown_user")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "alternative_host_email": "ana@north.example"}


@case(SLUG, "recover_recording", "retention_over")
def _(env: Env) -> Situation:
    meeting = one(env, SLUG, "meetings", host_id=_me(env), status="ended")
    row = {
        "id": "REC-9000",
        "meeting_id": meeting["id"],
        "title": "Old",
        "recorded_at": "2025-12-01T09:00:00Z",
        "minutes": 30,
        "size_mb": 120,
        "access": "internal",
        "deleted_on": "2026-01-02",
    }
    return added(env, SLUG, "recordings", row), {"recording_id": "REC-9000"}


@case(SLUG, "add_registrant", "blank_text")
def _(env: Env) -> Situation:
    meeting = _planned(env, registration="manual")
    return env, {"meeting_id": meeting["id"], "email": "ana@north.example", "name": " "}


@case(SLUG, "launch_poll", "poll_closed")
def _(env: Env) -> Situation:
    poll = _draft(env)
    return patched(env, SLUG, "polls", poll["poll_id"], status="closed"), poll


@case(SLUG, "send_chat_message", "blank_text")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _running(env)["id"], "text": " "}


@case(SLUG, "send_chat_message", "recipient_absent")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _running(env)["id"], "text": "Hello", "to_email": "ana@north.example"}


@case(SLUG, "start_meeting", "host_in_meeting")
def _(env: Env) -> Situation:
    ok(env, SLUG, "start_meeting", meeting_id=one(env, SLUG, "meetings", topic="Carrier check-in")["id"])
    soon = next(row for row in env.rows(SLUG, "meetings") if row["topic"].startswith("Order desk"))
    return env, {"meeting_id": soon["id"]}


@case(SLUG, "schedule_meeting", "not_licensed")
def _(env: Env) -> Situation:
    return env, {**LATER, "alternative_host_email": ME.email}


@case(SLUG, "create_poll", "duplicate_question")
def _(env: Env) -> Situation:
    poll = {"meeting_id": _planned(env)["id"], "question": "When?", "options": ["Noon", "Later"]}
    ok(env, SLUG, "create_poll", **poll)
    return env, poll


@case(SLUG, "share_recording", "invalid_time")
def _(env: Env) -> Situation:
    meeting = one(env, SLUG, "meetings", host_id=_me(env), status="ended")
    row = {"id": "REC-9001", "meeting_id": meeting["id"], "title": "New", "recorded_at": "2026-02-01T09:00:00Z"}
    env = added(env, SLUG, "recordings", {**row, "minutes": 30, "size_mb": 120, "access": "shareable"})
    return env, {"recording_id": "REC-9001", "email": ME.email, "expires_on": "2026-06-31"}


@case(SLUG, "update_meeting", "in_the_past")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "start": "2026-01-05T10:00:00Z"}


@case(SLUG, "update_meeting", "registration_off")
def _(env: Env) -> Situation:
    return env, {"meeting_id": _planned(env)["id"], "registration_limit": 5}
