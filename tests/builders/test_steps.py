"""Writes that ask first how things are, over a specification of our own: columns, merges, drafts, tokens, reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

NUMBER = {"type": "integer"}
TEXTS = {"type": "array", "items": TEXT}
TARGET = {"type": "object", "properties": {"id": TEXT, "model": {"type": "string", "enum": ["album", "page"]}}}
STATE = {"type": "string", "enum": ["open", "closed"]}
WHY = {"type": "string", "enum": ["done", "copy"], "description": "Ignored unless state is changed."}
SHIFT = {"type": "object", "properties": {"name": TEXT, "day": TEXT}}


def studio() -> Specification:
    """A studio: cards on a board, albums with photos, drafts, rules of the house, what is written in threads."""
    event = {"type": "string", "enum": ["APPROVE", "REQUEST_CHANGES"], "description": "If omitted, it is PENDING."}
    body = {"type": "string", "description": "Required if `event` is `REQUEST_CHANGES`."}
    index = {"type": "integer", "description": "Position of the step (0-based)"}
    moved = {"card_id": TEXT, "from_column": TEXT, "to_column": TEXT}
    token = {"type": "string", "description": "Token from the preview"}
    return spec_of(
        tool("create_card", {"title": TEXT, "column": TEXT}, "title column"),
        tool("list_cards"),
        tool("move_card", moved, "card_id from_column to_column"),
        tool("delete_card", {"card_id": TEXT, "confirmation_token": token, "require_title_match": TEXT}, "card_id"),
        tool("create_album", {"name": TEXT}, "name"),
        tool("list_albums"),
        tool("merge_albums", {"id": TEXT, "move_photos_to": TEXT}, "id move_photos_to"),
        tool("create_photo", {"title": TEXT, "album_id": TEXT}, "title album_id"),
        tool("list_photos"),
        tool("transfer_photos", {"ids": TEXTS, "mode": {"type": "string", "enum": ["copy", "move"]}, "target": TARGET},
             "ids mode target"),
        tool("create_draft_remark", {"body": TEXT, "album_id": TEXT}, "body album_id"),
        tool("list_draft_remarks"),
        tool("create_remark", {"body": TEXT, "album_id": TEXT}, "body album_id"),
        tool("list_remarks"),
        tool("bulk_publish_draft_remarks", {"album_id": TEXT, "remark": TEXT}, "album_id"),
        tool("create_review", {"event": event, "body": body}, ""),
        tool("list_reviews"),
        tool("create_task", {"title": TEXT, "state": STATE}, "title"),
        tool("update_task", {"task_id": TEXT, "title": TEXT, "state": STATE, "state_reason": WHY}, "task_id"),
        tool("task_transition", {"task_id": TEXT, "target_state": TEXT, "comment": TEXT}, "task_id target_state"),
        tool("list_tasks"),
        tool("get_quiet_hours", {"album_id": TEXT}, "album_id"),
        tool("update_quiet_hours", {"album_id": TEXT, "value": TEXT}, "album_id value"),
        tool("reset_quiet_hours", {"album_id": TEXT}, "album_id", description="Reset the hours to their default."),
        tool("add_step", {"title": TEXT, "done": {"type": "boolean"}}, "title"),
        tool("list_steps"),
        tool("mark_step_done", {"index": index}, "index", description="Mark a step as done."),
        tool("list_album_shifts", {"id": TEXT}, "id"),
        tool("create_album_shifts", {"id": TEXT, "shifts": {"type": "array", "items": SHIFT}}, "id shifts"),
        name="studio",
    )  # fmt: skip


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(studio())


@pytest.fixture(scope="module")
def host(built: BuiltService) -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module})


@pytest.fixture
def call(host: ServiceHost, built: BuiltService) -> Callable[..., Any]:
    environment = host.mount([built.slug])

    def make(name: str, /, **arguments: Any) -> Any:
        found = environment.call(built.slug, name, arguments)
        return found["data"] if found["success"] else found["error"]

    return make


def test_everything_is_built(built: BuiltService) -> None:
    assert built.left_out == {}


def test_card_leaves_the_column_where_it_lies(call: Any) -> None:
    card = call("create_card", title="Frames", column="New")["id"]
    assert call("move_card", card_id=card, from_column="Late", to_column="Done")["type"] == "moved_meanwhile"
    assert call("move_card", card_id=card, from_column="New", to_column="New")["type"] == "no_change"
    assert call("move_card", card_id=card, from_column="New", to_column="Done")["column"] == "Done"


def test_removal_needs_the_token_of_its_preview(call: Any) -> None:
    one, two = (call("create_card", title=title, column="New")["id"] for title in ("Frames", "Glass"))
    token = call("delete_card", card_id=one)["confirmation_token"]
    assert one in str(call("list_cards"))
    assert call("delete_card", card_id=two, confirmation_token=token)["type"] == "wrong_token"
    assert call("delete_card", card_id=one, confirmation_token=token, require_title_match="X")["type"] == "mismatch"
    assert call("delete_card", card_id=one, confirmation_token=token)["deleted"] is True


def test_what_lies_in_a_merged_album_lies_in_the_other(call: Any) -> None:
    one, two = (call("create_album", name=name)["id"] for name in ("Spring", "Summer"))
    photo = call("create_photo", title="Quay", album_id=one)["id"]
    assert call("merge_albums", id=one, move_photos_to=one)["type"] == "same_record"
    call("merge_albums", id=one, move_photos_to=two)
    row = next(row for row in call("list_photos")["photos"] if row["id"] == photo)
    assert row["album_id"] == two
    assert one not in [row["id"] for row in call("list_albums")["albums"]]


def test_copies_keep_the_source_and_moves_do_not(call: Any) -> None:
    one, two = (call("create_album", name=name)["id"] for name in ("Spring", "Summer"))
    photo = call("create_photo", title="Quay", album_id=one)
    sent = {"ids": [photo["id"]], "target": {"id": two, "model": "album"}}
    (twin,) = call("transfer_photos", mode="copy", **sent)["photos"]
    assert twin == {**photo, "id": twin["id"], "album_id": two, "target": sent["target"]}
    (same,) = call("transfer_photos", mode="move", **sent)["photos"]
    assert (same["id"], same["album_id"]) == (photo["id"], two)
    assert call("transfer_photos", mode="move", ids=[photo["id"], "nope"], target=sent["target"])["code"] == 404
    assert call("transfer_photos", mode="move", ids=[photo["id"]], target={"id": "x", "model": "album"})["code"] == 404


def test_drafts_are_published_together_with_a_summary(call: Any) -> None:
    album = call("create_album", name="Spring")["id"]
    draft = call("create_draft_remark", body="Crop it", album_id=album)["id"]
    made = call("bulk_publish_draft_remarks", album_id=album, remark="Good")["published"]
    assert [row["body"] for row in made] == ["Crop it", "Good"]
    assert draft not in str(call("list_draft_remarks", limit=100))
    assert call("bulk_publish_draft_remarks", album_id=album) == {"published": []}


def test_event_of_a_review_decides_its_state(call: Any) -> None:
    assert call("create_review")["state"] == "PENDING"
    assert call("create_review", event="APPROVE")["state"] == "APPROVED"
    assert call("create_review", event="REQUEST_CHANGES")["type"] == "missing_argument"
    assert call("create_review", event="REQUEST_CHANGES", body="Crop it")["state"] == "CHANGES_REQUESTED"


def test_reason_belongs_to_the_end(call: Any) -> None:
    task = call("create_task", title="Glass", state="open")["id"]
    assert call("update_task", task_id=task, state_reason="done")["type"] == "nothing_to_change"
    assert call("update_task", task_id=task, state="closed", state_reason="done")["state_reason"] == "done"
    assert call("update_task", task_id=task, state="open", state_reason="done")["state_reason"] is None


def test_state_by_its_name(call: Any) -> None:
    task = call("create_task", title="Glass", state="open")["id"]
    found = call("task_transition", task_id=task, target_state="CLOSED", comment="Sold")
    assert (found["from_status"], found["to_status"]) == ("open", "closed")
    assert call("task_transition", task_id=task, target_state="lost")["type"] == "unknown_status"


def test_setting_goes_back_to_its_default(call: Any) -> None:
    album = call("create_album", name="Spring")["id"]
    assert call("update_quiet_hours", album_id=album, value="22-6")["quiet_hours"] == "22-6"
    assert call("get_quiet_hours", album_id=album)["quiet_hours"] == "22-6"
    assert call("reset_quiet_hours", album_id=album)["quiet_hours"] is None


def test_step_by_its_position(call: Any) -> None:
    made = call("add_step", title="Last", done=False)["id"]
    last = call("list_steps")["total"] - 1
    found = call("mark_step_done", index=last)
    assert (found["id"], found["done"]) == (made, True)
    assert call("mark_step_done", index=last + 1)["type"] == "out_of_range"


def test_several_are_made_under_one_parent(call: Any) -> None:
    album = call("create_album", name="Spring")["id"]
    made = call("create_album_shifts", id=album, shifts=[{"name": "Ana", "day": "Monday"}, {"name": "Bo"}])
    shown = call("list_album_shifts", id=album)["album_shifts"]
    assert [row["name"] for row in shown] == ["Ana", "Bo"]
    assert [row["id"] for row in made["album_shifts"]] == [row["id"] for row in shown]
    assert call("create_album_shifts", id="nope", shifts=[{"name": "Cy"}])["code"] == 404
