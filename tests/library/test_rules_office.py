"""The rules of mail, calendar, chat and documents, as short stories: what calls bring about."""

from __future__ import annotations

from services_app.library.cast import ME
from tests.library.driver import environment
from tests.library.world import added, ok, one, patched, refused, rows

# Mail


def test_a_reply_stays_in_the_conversation_and_reading_marks_nothing() -> None:
    env = environment("mail")
    message = next(
        row for row in rows(env, "mail", "messages", folder="inbox", read=False) if "no" not in row["sender"][:2]
    )
    unread = ok(env, "mail", "get_profile")["unread"]
    ok(env, "mail", "get_message", message_id=message["id"])
    assert ok(env, "mail", "get_profile")["unread"] == unread
    reply = ok(env, "mail", "reply_to_message", message_id=message["id"], body="Thank you.")
    assert reply["thread_id"] == message["thread_id"]
    assert reply["to"] == [message["sender"]]
    assert reply["subject"].startswith("Re: ")
    assert ok(env, "mail", "get_thread", thread_id=message["thread_id"])["messages"][-1]["id"] == reply["id"]
    ok(env, "mail", "mark_read", message_id=message["id"])
    assert ok(env, "mail", "get_profile")["unread"]["inbox"] == unread["inbox"] - 1


def test_reply_to_all_leaves_out_yourself_and_the_sender() -> None:
    env = environment("mail")
    message = next(row for row in env.rows("mail", "messages") if row["cc"] and row["folder"] == "inbox")
    reply = ok(env, "mail", "reply_to_message", message_id=message["id"], body="Yes.", reply_all=True)
    assert reply["cc"] == message["cc"]
    assert ME.email not in reply["to"] + reply["cc"]


def test_robots_and_spam_take_no_answer() -> None:
    env = environment("mail")
    robot = next(row for row in rows(env, "mail", "messages", folder="inbox") if row["sender"].startswith("no"))
    assert refused(env, "mail", "reply_to_message", message_id=robot["id"], body="Hi") == "no_reply_address"
    spam = one(env, "mail", "messages", folder="spam")
    assert refused(env, "mail", "reply_to_message", message_id=spam["id"], body="Hi") == "in_spam_or_trash"


def test_a_draft_is_sent_only_when_complete() -> None:
    env = environment("mail")
    draft = ok(env, "mail", "create_draft", subject="Plan")
    assert refused(env, "mail", "send_draft", draft_id=draft["id"]) == "incomplete_draft"
    ok(env, "mail", "update_draft", draft_id=draft["id"], to=["ana@north.example"], body="Here it is.")
    scheduled = ok(env, "mail", "schedule_draft", draft_id=draft["id"], send_at="2026-03-09T08:00:00Z")
    assert scheduled["folder"] == "scheduled"
    assert ok(env, "mail", "cancel_scheduled", message_id=draft["id"])["folder"] == "drafts"
    assert ok(env, "mail", "send_draft", draft_id=draft["id"])["folder"] == "sent"


def test_a_filter_sorts_the_inbox_once() -> None:
    env = environment("mail")
    item = one(env, "mail", "filters", name="Parcel notices")
    expected = next(row for row in ok(env, "mail", "list_filters")["filters"] if row["id"] == item["id"])["matching"]
    assert expected
    assert ok(env, "mail", "run_filter", filter_id=item["id"])["count"] == expected
    assert ok(env, "mail", "run_filter", filter_id=item["id"])["count"] == 0


def test_messages_are_found_by_words_people_and_file_names() -> None:
    env = environment("mail", scale="normal")
    attachment = next(row for row in env.rows("mail", "attachments") if row["filename"].startswith("Order"))
    found = ok(env, "mail", "search_messages", query=attachment["filename"].split(".")[0])["messages"]
    assert attachment["message_id"] in [row["id"] for row in found]
    contact = next(row for row in env.rows("mail", "contacts") if not row["name"].isascii())
    plain = contact["email"].split("@")[0].replace(".", " ")
    assert contact["id"] in [row["id"] for row in ok(env, "mail", "search_contacts", query=plain)["contacts"]]


# Calendar


def test_the_time_found_is_free_for_everybody_and_moves_when_taken() -> None:
    env = environment("calendar")
    emails = sorted(
        {row["email"] for row in env.rows("calendar", "attendees") if row["email"].endswith("larkfield.example")}
    )[:3]
    emails = list(dict.fromkeys([ME.email, *emails]))
    wanted = {"emails": emails, "duration_minutes": 60, "seats": 4}
    slot = ok(env, "calendar", "find_meeting_time", **wanted)
    for email in emails:
        busy = ok(env, "calendar", "check_availability", email=email, day=slot["start"][:10])["busy"]
        assert all(row["end"] <= slot["start"] or slot["end"] <= row["start"] for row in busy)
    event = ok(env, "calendar", "create_event", title="Together", start=slot["start"], duration_minutes=60)
    assert ok(env, "calendar", "book_room", event_id=event["id"], room_id=slot["room"]["id"])["room_name"]
    assert ok(env, "calendar", "find_meeting_time", **wanted)["start"] >= slot["end"]


def test_moving_an_event_asks_everybody_again_and_keeps_its_length() -> None:
    env = environment("calendar")
    event = ok(env, "calendar", "create_event", title="Talk", start="2026-08-03T09:00:00Z", duration_minutes=45)
    ok(env, "calendar", "add_attendee", event_id=event["id"], email=ME.email)
    ok(env, "calendar", "respond_to_invitation", event_id=event["id"], response="accepted")
    moved = ok(env, "calendar", "reschedule_event", event_id=event["id"], start="2026-08-04T09:00:00Z")
    assert (moved["end"], moved["duration_minutes"], moved["accepted"]) == ("2026-08-04T09:45:00Z", 45, 0)


def test_a_cancelled_event_frees_its_room_and_is_closed() -> None:
    env = environment("calendar")
    event = ok(env, "calendar", "create_event", title="Talk", start="2026-08-03T09:00:00Z", duration_minutes=60)
    room = one(env, "calendar", "rooms", name="Schelde")["id"]
    ok(env, "calendar", "book_room", event_id=event["id"], room_id=room)
    at = {"start": "2026-08-03T09:30:00Z", "duration_minutes": 15}
    assert room not in [row["id"] for row in ok(env, "calendar", "find_free_rooms", **at)["rooms"]]
    ok(env, "calendar", "cancel_event", event_id=event["id"], reason="Nobody has time.")
    assert room in [row["id"] for row in ok(env, "calendar", "find_free_rooms", **at)["rooms"]]
    assert refused(env, "calendar", "update_event", event_id=event["id"], title="Other") == "event_cancelled"


# Chat


def test_unread_counts_move_with_posts_and_reading() -> None:
    env = environment("chat")
    before = ok(env, "chat", "unread_summary")["total_unread"]
    channel = next(row for row in ok(env, "chat", "unread_summary")["channels"] if row["kind"] == "public")
    ok(env, "chat", "read_channel", channel=channel["channel"])
    assert ok(env, "chat", "unread_summary")["total_unread"] == before
    ok(env, "chat", "mark_channel_read", channel=f"#{channel['channel']}")
    assert ok(env, "chat", "unread_summary")["total_unread"] == before - channel["unread"]
    author = one(env, "chat", "memberships", channel_id=one(env, "chat", "channels", name=channel["channel"])["id"])
    message = {
        "id": "M-90000",
        "channel_id": author["channel_id"],
        "author_id": next(row["id"] for row in env.rows("chat", "users") if row["email"] != ME.email),
        "text": "New",
        "posted_at": "2026-03-03T10:00:00Z",
    }
    later = added(env, "chat", "messages", message)
    assert ok(later, "chat", "unread_summary")["total_unread"] == before - channel["unread"] + 1


def test_private_channels_are_hidden_from_those_outside() -> None:
    env = environment("chat")
    assert refused(env, "chat", "get_channel", channel="board-prep") == "not_found"
    assert "board-prep" not in [row["name"] for row in ok(env, "chat", "list_channels")["channels"]]
    hidden = {row["channel_id"] for row in env.rows("chat", "messages")} & {
        one(env, "chat", "channels", name="board-prep")["id"]
    }
    assert all(row["channel_id"] not in hidden for row in ok(env, "chat", "search_messages", query="the")["messages"])


def test_a_channel_is_joined_before_posting_and_a_direct_conversation_is_opened_once() -> None:
    env = environment("chat")
    assert refused(env, "chat", "post_message", channel="lunch", text="Hungry") == "not_a_member"
    ok(env, "chat", "join_channel", channel="lunch")
    assert ok(env, "chat", "post_message", channel="lunch", text="Hungry")["channel"] == "lunch"
    other = next(row for row in env.rows("chat", "users") if row["presence"] == "active" and row["email"] != ME.email)
    first = ok(env, "chat", "send_direct_message", user=other["email"], text="One")
    second = ok(env, "chat", "send_direct_message", user=f"@{other['handle']}", text="Two")
    assert first["channel_id"] == second["channel_id"]


def test_a_vote_can_be_changed_and_a_tie_has_no_leader() -> None:
    env = environment("chat")
    ok(env, "chat", "create_channel", name="votes")
    poll = ok(env, "chat", "create_poll", channel="votes", question="Which?", options=["One", "Two"])
    assert poll["leader"] is None
    assert ok(env, "chat", "vote", poll_id=poll["id"], option="one")["leader"] == "One"
    changed = ok(env, "chat", "vote", poll_id=poll["id"], option="Two")
    assert changed["counts"] == {"One": 0, "Two": 1}
    ok(env, "chat", "close_poll", poll_id=poll["id"])
    assert refused(env, "chat", "vote", poll_id=poll["id"], option="One") == "poll_closed"


# Documents


def test_a_document_is_reviewed_approved_locked_and_reopened() -> None:
    env = environment("documents")
    folder = one(env, "documents", "folders", name="Policies")["id"]
    document = ok(env, "documents", "create_document", folder_id=folder, title="Parking", body="Free on Sundays.")["id"]
    ok(
        env,
        "documents",
        "request_review",
        document_id=document,
        reviewer_email="ivo.rossi@larkfield.example",
        due_date="2026-03-09",
    )
    assert refused(env, "documents", "approve_document", document_id=document) == "reviews_open"
    review = one(env, "documents", "reviews", document_id=document)
    env = patched(env, "documents", "reviews", review["id"], decision="approved")
    changed = ok(env, "documents", "append_text", document_id=document, text="Ten spaces are for visitors.")
    assert changed["version"] == 2
    # The text has changed, so the answer of the reviewer no longer counts.
    assert refused(env, "documents", "approve_document", document_id=document) == "reviews_open"
    env = patched(env, "documents", "reviews", review["id"], decision="approved")
    assert ok(env, "documents", "approve_document", document_id=document)["status"] == "approved"
    assert refused(env, "documents", "append_text", document_id=document, text="More") == "document_locked"
    ok(env, "documents", "reopen_document", document_id=document)
    restored = ok(env, "documents", "restore_revision", document_id=document, version=1)
    assert (restored["body"], restored["version"]) == ("Free on Sundays.", 3)


def test_restricted_documents_are_seen_by_those_they_are_shared_with() -> None:
    env = environment("documents")
    shared = {row["document_id"] for row in rows(env, "documents", "shares", email=ME.email)}
    drafts = [row for row in rows(env, "documents", "documents", status="draft") if row["owner_email"] != ME.email]
    document = next(row for row in drafts if row["id"] not in shared)
    assert refused(env, "documents", "append_text", document_id=document["id"], text="Hi") == "no_permission"
    env = patched(env, "documents", "documents", document["id"], visibility="restricted")
    assert refused(env, "documents", "get_document", document_id=document["id"]) == "not_found"
    found = ok(env, "documents", "search_documents", query=document["title"], limit=100)["documents"]
    assert document["id"] not in [row["id"] for row in found]
    share = {"id": "SHR-9999", "document_id": document["id"], "email": ME.email, "role": "viewer"}
    env = added(env, "documents", "shares", share)
    assert ok(env, "documents", "get_document", document_id=document["id"])["your_role"] == "viewer"
    assert refused(env, "documents", "add_comment", document_id=document["id"], text="Hi") == "no_permission"


def test_a_template_is_filled() -> None:
    env = environment("documents")
    template = next(row for row in ok(env, "documents", "list_templates")["templates"] if row["kind"] == "minutes")
    values = {slot: f"<{slot}>" for slot in template["slots"]}
    folder = one(env, "documents", "folders")["id"]
    made = ok(
        env, "documents", "create_from_template", template_id=template["id"], folder_id=folder, title="M", values=values
    )
    assert all(value in made["body"] for value in values.values())
    assert "{{" not in made["body"]
