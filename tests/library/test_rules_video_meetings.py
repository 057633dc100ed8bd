"""The rules of video meetings, as short stories."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import ok, one, patched, refused, rows

SLUG = "video-meetings"


def test_registration_stops_at_the_limit_and_a_cancelled_place_is_free_again() -> None:
    env = environment(SLUG)
    meeting = ok(
        env,
        SLUG,
        "schedule_meeting",
        topic="Open day",
        start="2026-07-06T10:00:00Z",
        duration_minutes=60,
        registration="automatic",
        registration_limit=1,
    )
    first = {"meeting_id": meeting["id"], "email": "ana@north.example", "name": "Ana"}
    second = {"meeting_id": meeting["id"], "email": "ben@north.example", "name": "Ben"}
    row = ok(env, SLUG, "add_registrant", **first)
    assert (row["status"], row["places_left"]) == ("approved", 0)
    assert refused(env, SLUG, "add_registrant", **second) == "registration_full"
    ok(env, SLUG, "update_registrant_status", registrant_id=row["id"], action="cancel")
    assert ok(env, SLUG, "add_registrant", **second)["status"] == "approved"
    assert ok(env, SLUG, "cancel_meeting", meeting_id=meeting["id"])["notified"] == ["ben@north.example"]


def test_a_meeting_from_start_to_recording() -> None:
    env = environment(SLUG)
    meeting = one(env, SLUG, "meetings", topic="Carrier check-in")["id"]
    ok(env, SLUG, "update_meeting", meeting_id=meeting, auto_recording="cloud", waiting_room=True)
    guest = ok(env, SLUG, "add_registrant", meeting_id=meeting, email="ana@north.example", name="Ana")
    ok(env, SLUG, "update_registrant_status", registrant_id=guest["id"], action="approve")
    running = one(env, SLUG, "meetings", status="live", topic="Dispatch briefing")["id"]
    ok(env, SLUG, "start_meeting", meeting_id=meeting)
    # Whoever starts a meeting is no longer in the one before.
    assert refused(env, SLUG, "send_chat_message", meeting_id=running, text="Bye") == "not_in_meeting"
    waiting = ok(env, SLUG, "list_participants", meeting_id=meeting, presence="waiting")["participants"]
    assert [row["email"] for row in waiting] == ["ana@north.example"]
    private = {"meeting_id": meeting, "text": "Welcome", "to_email": "ana@north.example"}
    assert refused(env, SLUG, "send_chat_message", **private) == "recipient_absent"
    ok(env, SLUG, "admit_participant", participant_id=waiting[0]["id"])
    ok(env, SLUG, "send_chat_message", **private)
    ended = ok(env, SLUG, "end_meeting", meeting_id=meeting)
    recording = ok(env, SLUG, "get_recording", recording_id=ended["recording_id"])
    assert recording["minutes"] == ended["actual_minutes"] > 0
    assert {row["presence"] for row in rows(env, SLUG, "participants", meeting_id=meeting)} == {"left"}


def test_recordings_leave_the_company_only_when_shareable_and_for_a_time() -> None:
    env = environment(SLUG)
    mine = {row["id"] for row in rows(env, SLUG, "meetings", host_id=one(env, SLUG, "users", email=ME.email)["id"])}
    recording = next(
        row for row in env.rows(SLUG, "recordings") if row["meeting_id"] in mine and row["deleted_on"] is None
    )["id"]
    share = {"recording_id": recording, "email": "ana@north.example"}
    env = patched(env, SLUG, "recordings", recording, access="internal", legal_hold=True)
    assert refused(env, SLUG, "share_recording", **share) == "internal_only"
    assert refused(env, SLUG, "delete_recording", recording_id=recording) == "legal_hold"
    env = patched(env, SLUG, "recordings", recording, access="shareable", legal_hold=False)
    assert refused(env, SLUG, "share_recording", **share) == "end_date_needed"
    ok(env, SLUG, "share_recording", **share, expires_on="2026-04-01")
    again = ok(env, SLUG, "share_recording", **share, expires_on="2026-05-01", can_download=True)
    shares = ok(env, SLUG, "get_recording", recording_id=recording)["shares"]
    assert [row for row in shares if row["email"] == "ana@north.example"] == [again]
    ok(env, SLUG, "delete_recording", recording_id=recording)
    assert refused(env, SLUG, "get_transcript", recording_id=recording) == "in_trash"
    assert ok(env, SLUG, "recover_recording", recording_id=recording)["deleted_on"] is None


def test_usage_is_the_sum_of_the_meetings_held() -> None:
    env = environment(SLUG, scale="normal")
    report = ok(env, SLUG, "get_usage_report", from_day="2025-01-01", to_day="2026-03-02")
    held = rows(env, SLUG, "meetings", status="ended")
    assert report["total_meetings"] == len(held)
    shown = [ok(env, SLUG, "get_meeting", meeting_id=row["id"])["actual_minutes"] for row in held]
    assert report["total_minutes"] == sum(shown) == sum(row["minutes"] for row in report["hosts"])


def test_a_restricted_recording_is_closed_to_others() -> None:
    env = environment(SLUG, scale="normal")
    closed = next(row for row in env.rows(SLUG, "recordings") if row["access"] == "restricted")
    shared = [row["email"] for row in rows(env, SLUG, "recording_shares", recording_id=closed["id"])]
    listed = {row["id"] for row in ok(env, SLUG, "list_recordings", limit=100)["recordings"]}
    assert (closed["id"] in listed) == (ME.email in shared)
    if ME.email not in shared:
        assert refused(env, SLUG, "get_transcript", recording_id=closed["id"]) == "no_access"
