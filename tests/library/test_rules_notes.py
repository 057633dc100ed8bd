"""The rules of notes, as short stories."""

from __future__ import annotations

from tests.library.driver import environment
from tests.library.world import ok, one, refused, rows

SLUG = "notes"


def test_every_change_keeps_what_was_there_and_a_stale_writer_is_refused() -> None:
    env = environment(SLUG)
    note = ok(env, SLUG, "create_note", title="Plan", body="One")["id"]
    ok(env, SLUG, "append_to_note", note_id=note, text="Two")
    changed = ok(env, SLUG, "update_note", note_id=note, body="Three", expected_version=2)
    assert changed["version"] == 3
    assert refused(env, SLUG, "update_note", note_id=note, body="Four", expected_version=2) == "version_conflict"
    versions = ok(env, SLUG, "list_note_versions", note_id=note)["versions"]
    assert [(row["number"], row["body"]) for row in versions] == [(3, "Three"), (2, "One\n\nTwo"), (1, "One")]
    assert ok(env, SLUG, "restore_note_version", note_id=note, number=2)["body"] == "One\n\nTwo"
    assert ok(env, SLUG, "get_note", note_id=note)["version"] == 4


def test_links_are_seen_from_both_sides_and_end_with_the_note() -> None:
    env = environment(SLUG)
    ok(env, SLUG, "create_note", title="Roof", body="Leaks.")
    plan = ok(env, SLUG, "create_note", title="House plan", body="See [[roof]] and [[Cellar]].")
    roof = one(env, SLUG, "notes", title="Roof")["id"]
    shown = ok(env, SLUG, "get_note", note_id=plan["id"])["links"]
    assert shown == [{"title": "roof", "note_ids": [roof]}, {"title": "Cellar", "note_ids": []}]
    assert [row["id"] for row in ok(env, SLUG, "get_note", note_id=roof)["linked_from"]] == [plan["id"]]
    ok(env, SLUG, "move_note_to_trash", note_id=plan["id"])
    assert ok(env, SLUG, "get_note", note_id=roof)["linked_from"] == []


def test_renaming_a_tag_to_one_that_exists_merges_them() -> None:
    env = environment(SLUG)
    both = ok(env, SLUG, "create_note", title="Both", tags=["call", "visit"])["id"]
    wanted = {row["id"] for row in env.rows(SLUG, "notes")} & {
        row["id"]
        for tag in ("call", "visit")
        for row in rows(env, SLUG, "notes")
        if one(env, SLUG, "tags", name=tag)["id"] in row["tag_ids"]
    }
    assert ok(env, SLUG, "rename_tag", tag="visit", new_name="Call")["merged"]
    assert ok(env, SLUG, "get_note", note_id=both)["tags"] == ["call"]
    left = one(env, SLUG, "tags", name="call")["id"]
    assert {row["id"] for row in env.rows(SLUG, "notes") if left in row["tag_ids"]} == wanted


def test_shared_notebooks_are_read_or_written_by_right_and_locked_notes_by_nobody() -> None:
    env = environment(SLUG)
    rule = one(env, SLUG, "notes", title="Discount approvals")["id"]
    assert "Up to 15: sales manager" in ok(env, SLUG, "get_note", note_id=rule)["body"]
    assert refused(env, SLUG, "append_to_note", note_id=rule, text="Or me.") == "read_only"
    team = one(env, SLUG, "notes", title="Counting days")["id"]
    ok(env, SLUG, "append_to_note", note_id=team, text="Not on holidays.")
    locked = one(env, SLUG, "notes", title="Passwords")["id"]
    assert refused(env, SLUG, "get_note", note_id=locked) == "note_locked"
    assert ok(env, SLUG, "search_notes", query="kettle")["total"] == 0
    assert [row["preview"] for row in ok(env, SLUG, "search_notes", query="Passwords")["notes"]] == [""]


def test_the_trash_drops_reminder_and_pin_and_notebooks_are_deleted_empty() -> None:
    env = environment(SLUG)
    book = ok(env, SLUG, "create_notebook", name="Short-lived")["id"]
    note = ok(env, SLUG, "create_note", title="Plan", notebook_id=book)["id"]
    ok(env, SLUG, "pin_note", note_id=note)
    ok(env, SLUG, "set_reminder", note_id=note, remind_at="2026-04-01T09:00:00Z")
    ok(env, SLUG, "move_note_to_trash", note_id=note)
    assert refused(env, SLUG, "delete_notebook", notebook_id=book) == "not_empty"
    back = ok(env, SLUG, "restore_note", note_id=note)
    assert (back["pinned"], back["remind_at"]) == (False, None)
    ok(env, SLUG, "move_note", note_id=note, notebook_id=one(env, SLUG, "notebooks", name="Inbox")["id"])
    ok(env, SLUG, "delete_notebook", notebook_id=book)
