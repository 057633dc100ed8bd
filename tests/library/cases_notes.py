"""Situations in notes; see cases.py."""

from __future__ import annotations

from typing import Any

from tests.library.cases import Env, Situation, case
from tests.library.world import added, ok, one, patched

SLUG = "notes"


def _own(env: Env, **arguments: Any) -> str:
    return str(ok(env, SLUG, "create_note", **{"title": "Own note", "body": "Text", **arguments})["id"])


def _closed(env: Env) -> dict[str, Any]:
    """A notebook that you may only read."""
    return one(env, SLUG, "notebooks", name="Sales handbook")


@case(SLUG, "add_checklist_item", "duplicate_item")
def _(env: Env) -> Situation:
    item = {"note_id": _own(env), "text": "Ring the bell"}
    ok(env, SLUG, "add_checklist_item", **item)
    return env, item


@case(SLUG, "add_checklist_item", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "text": "Ring the bell", "due_date": "2026-02-30"}


@case(SLUG, "add_checklist_item", "too_many_items")
def _(env: Env) -> Situation:
    note = _own(env)
    for number in range(50):
        ok(env, SLUG, "add_checklist_item", note_id=note, text=f"Step {number}")
    return env, {"note_id": note, "text": "One more"}


@case(SLUG, "append_to_note", "too_long")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env, body="x" * 20_000), "text": "x" * 20_000}


@case(SLUG, "create_note", "too_long")
def _(env: Env) -> Situation:
    return env, {"title": "Long", "body": "x" * 30_001}


@case(SLUG, "update_note", "too_long")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "body": "x" * 30_001}


@case(SLUG, "create_note", "read_only")
def _(env: Env) -> Situation:
    return env, {"title": "Mine", "notebook_id": _closed(env)["id"]}


@case(SLUG, "create_note", "blank_text")
def _(env: Env) -> Situation:
    return env, {"title": " "}


def _item(env: Env, **note: Any) -> Situation:
    identity = _own(env)
    item = ok(env, SLUG, "add_checklist_item", note_id=identity, text="Ring the bell")
    row = one(env, SLUG, "notes", id=identity)
    fresh = added(env, SLUG, "notes", {**row, "id": "NOTE-9000", **note})
    return added(fresh, SLUG, "checklist_items", {**item, "id": "ITEM-9000", "note_id": "NOTE-9000"}), {
        "item_id": "ITEM-9000"
    }


@case(SLUG, "check_item", "note_locked")
def _(env: Env) -> Situation:
    return _item(env, locked=True)


@case(SLUG, "check_item", "in_trash")
def _(env: Env) -> Situation:
    return _item(env, trashed_on="2026-03-01")


@case(SLUG, "pin_note", "too_many_pinned")
def _(env: Env) -> Situation:
    notes = [_own(env, title=f"Note {number}") for number in range(6)]
    for note in notes[:5]:
        ok(env, SLUG, "pin_note", note_id=note)
    return env, {"note_id": notes[5]}


@case(SLUG, "read_attachment", "note_locked")
def _(env: Env) -> Situation:
    row = env.rows(SLUG, "attachments")[0]
    return patched(env, SLUG, "notes", row["note_id"], locked=True), {"attachment_id": row["id"]}


@case(SLUG, "rename_tag", "same_name")
def _(env: Env) -> Situation:
    return env, {"tag": "call", "new_name": "call"}


@case(SLUG, "rename_tag", "blank_text")
def _(env: Env) -> Situation:
    return env, {"tag": "call", "new_name": " "}


@case(SLUG, "restore_note", "retention_over")
def _(env: Env) -> Situation:
    return patched(env, SLUG, "notes", "NOTE-0001", trashed_on="2026-01-15"), {"note_id": "NOTE-0001"}


@case(SLUG, "tag_note", "too_many_tags")
def _(env: Env) -> Situation:
    note = _own(env, tags=[f"tag{number}" for number in range(10)])
    return env, {"note_id": note, "tag": "call"}


@case(SLUG, "update_notebook", "blank_text")
def _(env: Env) -> Situation:
    return env, {"notebook_id": one(env, SLUG, "notebooks", name="Customers")["id"], "name": " "}


@case(SLUG, "update_notebook", "duplicate_name")
def _(env: Env) -> Situation:
    return env, {"notebook_id": one(env, SLUG, "notebooks", name="Customers")["id"], "name": "operations"}


@case(SLUG, "share_note", "outside_view_only")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "email": "ana@north.example", "right": "edit"}


@case(SLUG, "share_note", "own_address")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "email": one(env, SLUG, "notebooks", name="Inbox")["owner_email"]}


@case(SLUG, "share_note", "not_owner")
def _(env: Env) -> Situation:
    team = one(env, SLUG, "notebooks", name="Warehouse team")
    return env, {"note_id": _own(env, notebook_id=team["id"]), "email": "ana@north.example"}


@case(SLUG, "complete_reminder", "already_done")
def _(env: Env) -> Situation:
    note = _own(env)
    ok(env, SLUG, "set_reminder", note_id=note, remind_at="2026-04-01T09:00:00Z")
    ok(env, SLUG, "complete_reminder", note_id=note)
    return env, {"note_id": note}


@case(SLUG, "update_note", "blank_text")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "title": " "}


@case(SLUG, "list_reminders", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"until": "2026-02-30"}


@case(SLUG, "set_reminder", "invalid_time")
def _(env: Env) -> Situation:
    return env, {"note_id": _own(env), "remind_at": "2026-02-30T10:00:00Z"}


@case(SLUG, "search_notes", "invalid_date")
def _(env: Env) -> Situation:
    return env, {"updated_from": "2026-02-30"}
