"""Situations in mail, calendar and chat; see cases.py."""

from __future__ import annotations

from typing import Any

from services_app.library.cast import ME
from tests.library.cases import MANY, Env, Situation, case
from tests.library.world import ok, one, patched

EVENT = {"title": "Planning", "start": "2026-07-06T10:00:00Z", "duration_minutes": 60}

# mail


@case("mail", "send_message", "too_many_recipients")
def _(env: Env) -> Situation:
    return env, {"to": MANY, "subject": "All", "body": "Hello"}


@case("mail", "create_draft", "too_many_recipients")
def _(env: Env) -> Situation:
    return env, {"to": MANY, "subject": "All"}


@case("mail", "forward_message", "too_many_recipients")
def _(env: Env) -> Situation:
    return env, {"to": MANY, "message_id": one(env, "mail", "messages", folder="inbox")["id"]}


@case("mail", "update_draft", "too_many_recipients")
def _(env: Env) -> Situation:
    return env, {"to": MANY, "draft_id": one(env, "mail", "messages", folder="drafts")["id"]}


@case("mail", "schedule_draft", "in_the_past")
def _(env: Env) -> Situation:
    draft = ok(env, "mail", "create_draft", subject="Later", body="Text", to=MANY[:1])
    return env, {"draft_id": draft["id"], "send_at": "2026-01-01T08:00:00Z"}


@case("mail", "create_filter", "duplicate_filter")
def _(env: Env) -> Situation:
    return env, {"name": "Parcel notices", "subject_contains": "parcel", "archive": True}


# calendar


def _event(env: Env, **changes: Any) -> dict[str, Any]:
    return dict(ok(env, "calendar", "create_event", **{**EVENT, **changes}))


def _invite(env: Env, event: dict[str, Any], *emails: str) -> None:
    for email in emails:
        ok(env, "calendar", "add_attendee", event_id=event["id"], email=email)


def _room(env: Env, name: str) -> str:
    return str(one(env, "calendar", "rooms", name=name)["id"])


@case("calendar", "create_event", "not_found")
def _(env: Env) -> Situation:
    return env, {**EVENT, "calendar_id": "CAL-99"}


@case("calendar", "create_event", "organizer_busy")
def _(env: Env) -> Situation:
    _event(env)
    return env, {**EVENT, "start": "2026-07-06T10:30:00Z"}


@case("calendar", "reschedule_event", "organizer_busy")
def _(env: Env) -> Situation:
    _event(env)
    other = _event(env, start="2026-07-07T10:00:00Z")
    return env, {"event_id": other["id"], "start": "2026-07-06T10:45:00Z"}


@case("calendar", "reschedule_event", "too_long")
def _(env: Env) -> Situation:
    return env, {"event_id": _event(env)["id"], "start": "2026-07-08T08:00:00Z", "duration_minutes": 900}


@case("calendar", "reschedule_event", "same_time")
def _(env: Env) -> Situation:
    return env, {"event_id": _event(env)["id"], "start": EVENT["start"]}


def _booked(env: Env, room: str, **changes: Any) -> dict[str, Any]:
    event = _event(env, **changes)
    ok(env, "calendar", "book_room", event_id=event["id"], room_id=_room(env, room))
    return event


@case("calendar", "reschedule_event", "room_out_of_service")
def _(env: Env) -> Situation:
    event = _booked(env, "Thames")
    env = patched(env, "calendar", "rooms", _room(env, "Thames"), out_of_service=True)
    return env, {"event_id": event["id"], "start": "2026-07-08T08:00:00Z"}


@case("calendar", "reschedule_event", "room_too_small")
def _(env: Env) -> Situation:
    event = _booked(env, "Thames")
    _invite(env, event, *MANY[:3])
    env = patched(env, "calendar", "rooms", _room(env, "Thames"), capacity=2)
    return env, {"event_id": event["id"], "start": "2026-07-08T08:00:00Z"}


@case("calendar", "reschedule_event", "room_taken")
def _(env: Env) -> Situation:
    event = _booked(env, "Thames")
    other = _booked(env, "Thames", start="2026-07-09T10:00:00Z")
    env = patched(env, "calendar", "events", event["id"], organizer_email="someone.else@many.example")
    return env, {"event_id": other["id"], "start": EVENT["start"]}


@case("calendar", "book_room", "room_taken")
def _(env: Env) -> Situation:
    event = _booked(env, "Thames")
    env = patched(env, "calendar", "events", event["id"], organizer_email="someone.else@many.example")
    return env, {"event_id": _event(env)["id"], "room_id": _room(env, "Thames")}


@case("calendar", "book_room", "room_too_small")
def _(env: Env) -> Situation:
    event = _event(env)
    _invite(env, event, *MANY[:6])
    return env, {"event_id": event["id"], "room_id": _room(env, "Thames")}


@case("calendar", "confirm_event", "nobody_coming")
def _(env: Env) -> Situation:
    event = _event(env)
    _invite(env, event, MANY[0])
    env = patched(env, "calendar", "events", event["id"], status="tentative")
    attendee = one(env, "calendar", "attendees", event_id=event["id"])
    return patched(env, "calendar", "attendees", attendee["id"], response="declined"), {"event_id": event["id"]}


@case("calendar", "set_reminder", "duplicate_reminder")
def _(env: Env) -> Situation:
    event = _event(env)
    ok(env, "calendar", "set_reminder", event_id=event["id"], minutes_before=10)
    return env, {"event_id": event["id"], "minutes_before": 10}


@case("calendar", "set_reminder", "too_many_reminders")
def _(env: Env) -> Situation:
    event = _event(env)
    for minutes in (5, 10, 15):
        ok(env, "calendar", "set_reminder", event_id=event["id"], minutes_before=minutes)
    return env, {"event_id": event["id"], "minutes_before": 20}


@case("calendar", "respond_to_invitation", "time_conflict")
def _(env: Env) -> Situation:
    first, second = _event(env), None
    _invite(env, first, ME.email)
    ok(env, "calendar", "respond_to_invitation", event_id=first["id"], response="accepted")
    env = patched(env, "calendar", "events", first["id"], organizer_email="someone.else@many.example")
    second = _event(env)
    _invite(env, second, ME.email)
    return env, {"event_id": second["id"], "response": "accepted"}


def _absent(env: Env) -> tuple[str, str]:
    """Two people; the first is away in July."""
    emails = sorted({row["email"] for row in env.rows("calendar", "attendees") if row["name"]})[:2]
    ok(env, "calendar", "record_absence", email=emails[0], first_day="2026-07-06", last_day="2026-07-10")
    return emails[0], emails[1]


@case("calendar", "record_absence", "overlapping_absence")
def _(env: Env) -> Situation:
    first, _second = _absent(env)
    return env, {"email": first, "first_day": "2026-07-10", "last_day": "2026-07-12"}


@case("calendar", "record_absence", "stand_in_absent")
def _(env: Env) -> Situation:
    first, second = _absent(env)
    return env, {"email": second, "first_day": "2026-07-08", "last_day": "2026-07-08", "stand_in_email": first}


# chat


@case("chat", "join_channel", "channel_archived")
def _(env: Env) -> Situation:
    channel = one(env, "chat", "channels", name="releases")
    return patched(env, "chat", "channels", channel["id"], archived=True), {"channel": "releases"}


@case("chat", "invite_to_channel", "not_an_owner")
def _(env: Env) -> Situation:
    return env, {"channel": "general", "user": one(env, "chat", "users", guest=True)["email"]}


@case("chat", "remove_from_channel", "is_owner")
def _(env: Env) -> Situation:
    return env, {"channel": "customer-orders", "user": ME.email}


@case("chat", "add_bookmark", "announcements_only")
def _(env: Env) -> Situation:
    return env, {"channel": "announcements", "title": "Rules", "url": "https://intranet.larkfield.example/rules"}


@case("chat", "send_direct_message", "yourself")
def _(env: Env) -> Situation:
    return env, {"user": ME.email, "text": "Note to self"}


def _said(env: Env, channel: str = "customer-orders") -> str:
    return str(ok(env, "chat", "post_message", channel=channel, text="A message of mine")["id"])


@case("chat", "edit_message", "blank_text")
def _(env: Env) -> Situation:
    return env, {"message_id": _said(env), "text": "  "}


@case("chat", "edit_message", "channel_archived")
def _(env: Env) -> Situation:
    message = _said(env)
    channel = one(env, "chat", "channels", name="customer-orders")
    return patched(env, "chat", "channels", channel["id"], archived=True), {"message_id": message, "text": "New"}


@case("chat", "delete_message", "channel_archived")
def _(env: Env) -> Situation:
    message = _said(env)
    channel = one(env, "chat", "channels", name="customer-orders")
    return patched(env, "chat", "channels", channel["id"], archived=True), {"message_id": message}


@case("chat", "pin_message", "channel_archived")
def _(env: Env) -> Situation:
    message = _said(env)
    channel = one(env, "chat", "channels", name="customer-orders")
    return patched(env, "chat", "channels", channel["id"], archived=True), {"message_id": message}


@case("chat", "archive_channel", "open_polls")
def _(env: Env) -> Situation:
    ok(env, "chat", "create_channel", name="votes")
    ok(env, "chat", "create_poll", channel="votes", question="Which?", options=["One", "Two"])
    return env, {"channel": "votes"}


@case("chat", "pin_message", "too_many_pins")
def _(env: Env) -> Situation:
    ok(env, "chat", "create_channel", name="pins")
    for _number in range(10):
        ok(env, "chat", "pin_message", message_id=_said(env, "pins"))
    return env, {"message_id": _said(env, "pins")}


@case("chat", "add_reaction", "already_reacted")
def _(env: Env) -> Situation:
    message = _said(env)
    ok(env, "chat", "add_reaction", message_id=message, emoji="tada")
    return env, {"message_id": message, "emoji": "tada"}


@case("chat", "create_poll", "same_options")
def _(env: Env) -> Situation:
    return env, {"channel": "general", "question": "Which?", "options": ["One", "one"]}


@case("chat", "create_poll", "poll_running")
def _(env: Env) -> Situation:
    return env, {"channel": "spring-event", "question": "Which?", "options": ["One", "Two"]}


@case("chat", "vote", "same_vote")
def _(env: Env) -> Situation:
    poll = one(env, "chat", "polls", question="Which day for the spring event?")
    ok(env, "chat", "vote", poll_id=poll["id"], option="14 May")
    return env, {"poll_id": poll["id"], "option": "14 may"}
