"""What writes leave behind: how records begin, what the service makes for them, what is changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of

FREE = {"type": "object", "additionalProperties": True}


def said(text: str, **schema: Any) -> dict[str, Any]:
    return {"type": "string", **schema, "description": text}


def press() -> Specification:
    """Books that begin somewhere, links that are made, names that are changed, requests that are decided."""
    decided = said("Whether to approve or deny.", enum=["approve", "deny"])
    return spec_of(
        tool("create_book", {"title": TEXT}, "title"),
        tool("list_books", {"status": said("Filter.", enum=["published", "draft", "withdrawn"])}),
        tool("get_book", {"book_id": TEXT}, "book_id"),
        tool("rename_book", {"book_id": TEXT, "newTitle": said("The new title.")}, "book_id newTitle"),
        tool("set_book_shelf", {"book_id": TEXT, "new_shelf": TEXT}, "book_id new_shelf"),
        tool("pin_book", {"book_id": TEXT}, "book_id"),
        tool("create_share_link", {"book_id": TEXT}, "book_id", description="Returns the public URL of the book."),
        tool("list_share_links", {"book_id": TEXT}),
        tool("create_access_request", {"reason": TEXT}, "reason"),
        tool("list_access_requests"),
        tool("approve_deny_access_request", {"request_id": WHOLE, "action": decided}, "request_id action"),
        name="press",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(press())) as call:
        yield call


def test_a_record_begins_in_the_first_of_its_states(call: Any) -> None:
    book = call("create_book", title="Tides")
    assert book["status"] == "draft"
    assert book["id"] in {row["id"] for row in call("list_books", status="draft")["books"]}


def test_flags_of_a_new_record_are_off_and_its_dates_are_set(call: Any) -> None:
    book = call("create_book", title="Dunes")
    assert book["pinned"] is False
    assert call("pin_book", book_id=book["id"])["pinned"] is True


def test_the_link_that_is_promised_is_made(call: Any) -> None:
    one, two = (call("create_book", title=title)["id"] for title in ("Reeds", "Moors"))
    first, second = (call("create_share_link", book_id=book) for book in (one, two))
    assert first["url"].startswith("https://")
    assert first["url"] != second["url"]
    assert call("list_share_links", book_id=one)["share_links"][0]["url"] == first["url"]


def test_a_new_value_takes_the_place_of_the_old_one(call: Any) -> None:
    book = call("create_book", title="Rocks")["id"]
    call("rename_book", book_id=book, newTitle="Stones")
    call("set_book_shelf", book_id=book, new_shelf="B4")
    shown = call("get_book", book_id=book)
    assert (shown["title"], shown["shelf"]) == ("Stones", "B4")
    assert not {"newTitle", "new_shelf"} & set(shown)


def test_what_is_decided_is_what_the_action_says(call: Any) -> None:
    one, two = (call("create_access_request", reason=reason)["id"] for reason in "xy")
    call("approve_deny_access_request", request_id=int(one), action="approve")
    call("approve_deny_access_request", request_id=int(two), action="deny")
    states = {row["id"]: row["status"] for row in call("list_access_requests")["access_requests"]}
    assert (states[one], states[two]) == ("approved", "denied")


def test_an_action_in_words_of_a_switch_is_left_out() -> None:
    spec = spec_of(
        tool("list_lamps"),
        tool("get_lamp", {"lamp_id": TEXT}, "lamp_id"),
        tool(
            "lamp_toggle",
            {"lamp_id": TEXT, "action": said("turn_on or turn_off")},
            "lamp_id",
            description="Enable or disable a lamp.",
        ),
        name="lamps",
    )
    assert "says what is done" in analyse(spec).left_out["lamp_toggle"]


def test_what_is_deleted_for_good_does_not_come_back() -> None:
    spec = spec_of(
        tool("create_message", {"subject": TEXT}, "subject"),
        tool("trash_message", {"id": TEXT}, "id", description="Move a message to the trash."),
        tool("delete_message", {"id": TEXT}, "id", description="Immediately and permanently delete a message."),
        tool("untrash_message", {"id": TEXT}, "id", description="Remove a message from the trash."),
        tool("get_message", {"id": TEXT}, "id"),
        name="post",
    )
    with calling(build_with_rules(spec)) as call:
        one, two = (call("create_message", subject=subject)["id"] for subject in "ab")
        call("trash_message", id=one), call("delete_message", id=two)
        assert call("untrash_message", id=one)["subject"] == "a"
        assert call("untrash_message", id=two)["code"] == 404


def test_an_object_of_fields_changes_the_fields() -> None:
    spec = spec_of(
        tool("create_asset", {"label": TEXT, "place": TEXT}, "label"),
        tool(
            "update_asset",
            {"asset_id": TEXT, "data": {**FREE, "description": "Fields to update as key-value pairs."}},
            "asset_id data",
        ),
        tool("get_asset", {"asset_id": TEXT}, "asset_id"),
        name="assets",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("create_asset", label="Crane", place="Quay")["id"]
        call("update_asset", asset_id=one, data={"place": "Dock", "colour": "red"})
        call("update_asset", asset_id=one, data={"weight": 4})
        shown = call("get_asset", asset_id=one)
        assert (shown["label"], shown["place"]) == ("Crane", "Dock")
        assert shown["data"] == {"colour": "red", "weight": 4}


def test_required_for_a_kind_is_required_for_it() -> None:
    kind = said("Kind of the item.", enum=["File", "ExternalUrl", "SubHeader"])
    item = {"kind": kind, "title": TEXT, "url": said("Required for 'ExternalUrl' and 'File' item kinds.")}
    spec = spec_of(tool("create_item", item, "kind"), tool("list_items"), name="items")
    with calling(build_with_rules(spec)) as call:
        assert call("create_item", kind="ExternalUrl", title="x")["code"] == 400
        assert call("create_item", kind="ExternalUrl", url="https://a.example")["kind"] == "ExternalUrl"
        assert call("create_item", kind="SubHeader", title="x")["kind"] == "SubHeader"


def test_watching_for_somebody_else_is_left_out() -> None:
    watcher = {"page_id": TEXT, "account_id": said("The account that watches; the caller if left out.")}
    spec = spec_of(
        tool("list_accounts"),
        tool("create_page", {"title": TEXT}, "title"),
        tool("get_page", {"page_id": TEXT}, "page_id"),
        tool("watch_page", watcher, "page_id"),
        tool("star_page", {"page_id": TEXT}, "page_id"),
        name="wiki",
    )
    left = analyse(spec).left_out
    assert "of whom" in left["watch_page"]
    assert "star_page" not in left


def test_what_is_inserted_in_a_document_and_shown_nowhere_is_left_out() -> None:
    spec = spec_of(
        tool("create_doc", {"title": TEXT, "text": TEXT}, "title"),
        tool("get_doc", {"doc_id": TEXT}, "doc_id"),
        tool("insert_table", {"doc_id": TEXT, "rows": WHOLE, "columns": WHOLE}, "doc_id rows columns"),
        tool("create_message", {"subject": TEXT}, "subject"),
        tool("list_messages"),
        tool("create_reply_draft", {"message_id": TEXT, "text": TEXT}, "message_id text"),
        name="docs",
    )
    left = analyse(spec).left_out
    assert "what is in the doc" in left["insert_table"]
    assert "no tool shows" in left["create_reply_draft"]


def test_what_is_added_as_a_text_is_got_as_a_text_item() -> None:
    spec = spec_of(
        tool("create_board", {"title": TEXT}, "title"),
        tool("list_boards"),
        tool("add_text_to_board", {"board_id": TEXT, "content": TEXT}, "board_id content"),
        tool("get_text_item", {"board_id": TEXT, "item_id": TEXT}, "board_id item_id"),
        tool("update_text_item", {"board_id": TEXT, "item_id": TEXT, "content": TEXT}, "board_id item_id"),
        name="boards",
    )
    with calling(build_with_rules(spec)) as call:
        board = call("create_board", title="Plan")["id"]
        text = call("add_text_to_board", board_id=board, content="Hello")["id"]
        call("update_text_item", board_id=board, item_id=text, content="Good day")
        assert call("get_text_item", board_id=board, item_id=text)["content"] == "Good day"


def test_a_body_that_names_again_what_is_sent_beside_it_is_opened() -> None:
    body = {"type": "object", "properties": {"shop_id": TEXT, "subject": TEXT, "amount": TEXT}}
    spec = spec_of(
        tool("create_offer", {"shop_id": TEXT, "request": body}, "shop_id request"),
        tool("list_offers", {"shop_id": TEXT}),
        tool("create_shop", {"title": TEXT}, "title"),
        name="offers",
    )
    with calling(build_with_rules(spec)) as call:
        one, two = (call("create_shop", title=title)["id"] for title in ("Quay", "Mill"))
        made = call("create_offer", shop_id=one, request={"shop_id": two, "subject": "Spring"})
        assert (made["shop_id"], made["subject"]) == (one, "Spring")
        assert all(row["amount"].isdigit() for row in call("list_offers")["offers"] if row["amount"])


def test_what_is_sent_bears_the_time_of_sending() -> None:
    spec = spec_of(
        tool("send_message", {"to": TEXT, "text": TEXT}, "to text"),
        tool("get_message", {"message_id": TEXT}, "message_id", description="Gets a message: text, to and sent_at."),
        name="messages",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("send_message", to="Ana", text="Hello")
        assert call("get_message", message_id=one["id"])["sent_at"]


def test_a_new_record_is_found_by_the_name_it_was_given() -> None:
    spec = spec_of(
        tool("create_branch", {"branch": said("The name of the new branch."), "ref": TEXT}, "branch ref"),
        tool("get_branch", {"branch_name": TEXT}, "branch_name"),
        tool("create_label", {"name": TEXT, "color": TEXT}, "name"),
        tool("get_label", {"title": said("The title of the label.")}, "title"),
        tool("create_access_token", {"expires": TEXT}, "expires"),
        tool("list_access_tokens"),
        tool("revoke_access_token", {"token": said("The token to revoke.")}, "token"),
        name="forge",
    )
    with calling(build_with_rules(spec)) as call:
        call("create_branch", branch="topic", ref="main")
        assert call("get_branch", branch_name="topic")["ref"] == "main"
        made = call("create_access_token", expires="2027-01-01")
        assert call("revoke_access_token", token=made["token"])["id"] == made["id"]


def test_who_an_issue_is_assigned_to_is_shown_with_it() -> None:
    spec = spec_of(
        tool("create_issue", {"summary": TEXT}, "summary"),
        tool("get_issue", {"issue_id": TEXT}, "issue_id"),
        tool("assign_issue", {"issue_id": TEXT, "assignee": said("Name of the user.")}, "issue_id assignee"),
        tool("create_card", {"title": TEXT}, "title"),
        tool("get_card", {"card_id": TEXT}, "card_id"),
        tool("create_member", {"title": TEXT}, "title"),
        tool("assign_member_to_card", {"card_id": TEXT, "member_id": TEXT}, "card_id member_id"),
        name="tracker",
    )
    with calling(build_with_rules(spec)) as call:
        issue = call("create_issue", summary="Leak")["id"]
        call("assign_issue", issue_id=issue, assignee="Ana"), call("assign_issue", issue_id=issue, assignee="Mei")
        assert call("get_issue", issue_id=issue)["assignee"] == "Mei"
        card, member = call("create_card", title="Roof")["id"], call("create_member", title="Ben")["id"]
        call("assign_member_to_card", card_id=card, member_id=member)
        assert call("get_card", card_id=card)["member_ids"] == [member]
