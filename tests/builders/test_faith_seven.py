"""Kinds of tools that were read and found to do less than they say: each built over a specification of our own."""

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

FLAG = {"type": "boolean"}
MEDIA = "application/vnd.depot+json;version=2"


def said(text: str, **schema: Any) -> dict[str, Any]:
    return {"type": "string", **schema, "description": text}


def depot() -> Specification:
    """Crates that are changed in lists, replaced whole, made in batches; notices that are read; shelves by alias."""
    crate = {"label": TEXT, "weight": WHOLE, "shelf_id": TEXT, "due": TEXT}
    items = {"type": "array", "items": {"type": "object", "properties": {"id": TEXT, "label": TEXT, "weight": WHOLE},
                                        "required": ["id"]}}  # fmt: skip
    pallets = {"type": "array", "items": {"type": "object", "properties": {"name": TEXT, "height": WHOLE},
                                          "required": ["name"]}}  # fmt: skip
    state = said("Filter by state. Defaults to open.", enum=["open", "shut", "all"])
    return spec_of(
        tool("create_crate", crate, "label"),
        tool("get_crate", {"crate_id": TEXT}, "crate_id"),
        tool("list_crates", {"labels": said("Comma-separated labels."), "state": state}),
        tool("update_crates", {"crates": items}, "crates", description="Changes several crates at once."),
        tool(
            "replace_crate",
            {"crate_id": TEXT, "label": TEXT, "weight": WHOLE},
            "crate_id label",
            description="Performs a full replacement of a crate.",
        ),
        tool("move_crate", {"crate_id": TEXT, "shelf_id": said("Or 'root' for the top.")}, "crate_id shelf_id"),
        tool("create_shelf", {"title": TEXT}, "title"),
        tool("get_shelf", {"shelf_id": said("Id of the shelf, or 'latest' for the last one made.")}, "shelf_id"),
        tool("list_shelves"),
        tool("create_pallets", {"pallets": pallets}, "pallets", description="Makes pallets, all-or-nothing."),
        tool("list_pallets"),
        tool("get_notice", {"notice_id": TEXT}, "notice_id"),
        tool("list_notices"),
        tool("create_notice", {"text": TEXT}, "text"),
        tool("mark_notice_as_read", {"notice_id": TEXT}, "notice_id", description="Mark a notice as read."),
        tool("mark_notice_unread", {"notice_id": TEXT}, "notice_id", description="Mark a notice as unread."),
        tool("mark_golden", {"crate_id": TEXT}, "crate_id", description="Mark a crate as golden."),
        name="depot",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(depot())) as call:
        yield call


def test_each_record_of_a_list_is_changed_to_its_own_values(call: Any) -> None:
    one, two = (call("create_crate", label=label, weight=1)["id"] for label in ("nails", "bolts"))
    call("update_crates", crates=[{"id": one, "label": "pins"}, {"id": two, "weight": 9}])
    assert call("get_crate", crate_id=one)["label"] == "pins"
    assert (call("get_crate", crate_id=two)["label"], call("get_crate", crate_id=two)["weight"]) == ("bolts", 9)


def test_a_list_with_an_unknown_record_changes_nothing(call: Any) -> None:
    one = call("create_crate", label="hooks")["id"]
    assert call("update_crates", crates=[{"id": one, "label": "rings"}, {"id": "no-such", "label": "x"}])["code"] == 404
    assert call("get_crate", crate_id=one)["label"] == "hooks"


def test_a_full_replacement_clears_what_is_not_sent(call: Any) -> None:
    one = call("create_crate", label="rope", weight=4)["id"]
    call("replace_crate", crate_id=one, label="cord")
    assert (call("get_crate", crate_id=one)["label"], call("get_crate", crate_id=one)["weight"]) == ("cord", None)


def test_a_batch_that_is_all_or_nothing_refuses_what_is_there(call: Any) -> None:
    call("create_pallets", pallets=[{"name": "low"}])
    before = call("list_pallets")["total"]
    assert call("create_pallets", pallets=[{"name": "high"}, {"name": "low"}])["code"] == 409
    assert call("list_pallets")["total"] == before


def test_what_is_marked_as_read_is_read_and_keeps_its_status(call: Any) -> None:
    one = call("create_notice", text="Stairs are closed.")["id"]
    call("mark_notice_as_read", notice_id=one)
    assert call("get_notice", notice_id=one)["read"] is True
    call("mark_notice_unread", notice_id=one)
    assert call("get_notice", notice_id=one)["read"] is False
    crate = call("create_crate", label="wire")["id"]
    assert call("mark_golden", crate_id=crate)["golden"] is True


def test_words_stand_for_records(call: Any) -> None:
    made = call("create_shelf", title="Attic")
    assert call("get_shelf", shelf_id="latest")["id"] == made["id"]
    crate = call("create_crate", label="tape")["id"]
    call("move_crate", crate_id=crate, shelf_id="root")
    assert call("get_crate", crate_id=crate)["shelf_id"] == call("list_shelves")["shelves"][0]["id"]
    assert call("move_crate", crate_id=crate, shelf_id="elsewhere")["code"] == 404


def test_labels_with_commas_are_several_labels(call: Any) -> None:
    call("create_crate", label="felt"), call("create_crate", label="silk")
    shown = {row["label"] for row in call("list_crates", labels="felt, silk")["crates"]}
    assert shown == {"felt", "silk"}


def test_a_default_in_words_filters_where_nothing_is_sent(call: Any) -> None:
    usual, every = call("list_crates"), call("list_crates", state="all")
    assert {row["state"] for row in usual["crates"]} == {"open"}
    assert usual == call("list_crates", state="open")
    assert every["total"] > usual["total"]


def test_a_media_type_that_another_tool_names_is_accepted() -> None:
    exact, vague = said(f"Must be set to {MEDIA}."), said("The version 2 JSON format.")
    spec = spec_of(
        tool("create_box", {"Accept": exact, "title": TEXT}, "Accept title"),
        tool("list_boxes", {"Accept": vague}, "Accept"),
        name="boxes",
    )
    with calling(build_with_rules(spec)) as call:
        assert call("list_boxes", Accept=MEDIA)["total"]
        assert call("list_boxes", Accept="application/json")["total"]
        assert call("list_boxes", Accept="text/html")["code"] == 400
        assert call("create_box", Accept="application/json", title="x")["code"] == 400


def test_keys_with_commas_have_rows_of_their_own() -> None:
    tickers = said("Comma-separated list of stock symbols")
    about = "Gets quotes of stocks: symbol, price and volume."
    spec = spec_of(tool("get_batch_quote", {"symbols": tickers}, "symbols", description=about), name="quotes")
    with calling(build_with_rules(spec)) as call:
        rows = call("get_batch_quote", symbols="AAPL,MSFT")
        rows = next(value for value in rows.values() if isinstance(value, list))
        assert [row["symbol"] for row in rows] == ["AAPL", "MSFT"]
        assert call("get_batch_quote", symbols="AAPL,NOBODY")["code"] == 404


def test_a_noun_in_two_spellings_is_one_thing() -> None:
    plan = analyse(
        spec_of(
            tool("create_action_runner", {"name": TEXT, "host": TEXT}, "name"),
            tool("get_actions_runner", {"id": TEXT}, "id"),
            name="runners",
        )
    )
    assert {planned.entity for planned in plan.tools} == {"action_runner"}


def test_orders_of_two_kinds_are_listed_as_orders() -> None:
    plan = analyse(
        spec_of(
            tool("place_stock_order", {"symbol": TEXT, "amount": WHOLE}, "symbol amount"),
            tool("place_option_order", {"symbol": TEXT, "amount": WHOLE}, "symbol amount"),
            tool("list_orders", {"symbol": TEXT}),
            tool("get_order", {"order_id": TEXT}, "order_id"),
            name="broker",
        )
    )
    assert {planned.entity for planned in plan.tools} == {"order"}


def test_what_is_kept_in_a_local_file_is_left_out() -> None:
    place = said("Absolute local path to save the file.")
    spec = spec_of(
        tool("create_file", {"name": TEXT}, "name"),
        tool("download_file", {"file_id": TEXT, "target": place}, "file_id target"),
        name="files",
    )
    assert "a file" in analyse(spec).left_out["download_file"]


def test_an_empty_id_by_default_says_nothing() -> None:
    spec = spec_of(
        tool("create_album", {"name": TEXT}, "name"),
        tool("create_photo", {"title": TEXT, "album_id": TEXT}, "title"),
        tool("list_photos", {"album_id": {"type": "string", "default": ""}}),
        name="photos",
    )
    with calling(build_with_rules(spec)) as call:
        assert call("list_photos", album_id="") == call("list_photos")
        assert call("list_photos", album_id="no-such")["code"] == 404


def test_what_joins_and_leaves_is_added_and_taken_away() -> None:
    lists = {"type": "array", "items": TEXT}
    spec = spec_of(
        tool("create_item", {"title": TEXT, "groups": lists}, "title"),
        tool("update_item", {"id": TEXT, "groupsToJoin": lists, "groupsToLeave": lists}, "id"),
        tool("get_item", {"id": TEXT}, "id"),
        name="groups",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("create_item", title="Lamp", groups=["a", "b"])["id"]
        call("update_item", id=one, groupsToJoin=["c"], groupsToLeave=["a"])
        assert call("get_item", id=one)["groups"] == ["b", "c"]


def test_listed_counts_are_numbers() -> None:
    about = "Gets the total number of buy, hold and sell ratings of a stock, including buy, hold and sell."
    spec = spec_of(tool("get_grade_summary", {"symbol": TEXT}, "symbol", description=about), name="grades")
    own = next(iter(analyse(spec).entities.values()))
    assert {own.fields[name].type for name in ("buy", "hold", "sell")} == {"int"}


def test_what_refers_to_a_removed_record_goes_over_to_its_replacement() -> None:
    spec = spec_of(
        tool("create_verdict", {"title": TEXT}, "title"),
        tool("list_verdicts"),
        tool("delete_verdict", {"id": TEXT, "replaceWith": TEXT}, "id replaceWith"),
        tool("create_case", {"title": TEXT, "verdict_id": TEXT}, "title verdict_id"),
        tool("get_case", {"case_id": TEXT}, "case_id"),
        name="court",
    )
    with calling(build_with_rules(spec)) as call:
        old, new = (call("create_verdict", title=title)["id"] for title in ("open", "settled"))
        case = call("create_case", title="Fence", verdict_id=old)["id"]
        assert call("delete_verdict", id=old, replaceWith="no-such")["code"] == 404
        call("delete_verdict", id=old, replaceWith=new)
        assert call("get_case", case_id=case)["verdict_id"] == new


def test_the_body_named_after_what_is_changed_is_opened() -> None:
    body = {"anyOf": [{"type": "object", "properties": {"label": TEXT, "size": WHOLE}}, {"type": "null"}]}
    spec = spec_of(
        tool("list_cache_slots"),
        tool("get_cache_slot", {"cache_slot_id": TEXT}, "cache_slot_id"),
        tool(
            "update_cache_slot_for_machine",
            {"cache_slot_id": TEXT, "cache_slot": body},
            "cache_slot_id cache_slot",
        ),
        name="slots",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("list_cache_slots")["cache_slots"][0]["id"]
        call("update_cache_slot_for_machine", cache_slot_id=one, cache_slot={"label": "warm"})
        assert call("get_cache_slot", cache_slot_id=one)["label"] == "warm"


def test_the_last_word_of_a_noun_names_its_records() -> None:
    spec = spec_of(
        tool("list_contacts"),
        tool("get_contact", {"contact_id": TEXT}, "contact_id"),
        tool("list_work_contacts"),
        tool("create_work_contact", {"email": TEXT}, "email"),
        tool("delete_work_contact", {"contact_id": TEXT}, "contact_id"),
        name="people",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("create_work_contact", email="ana@north.example")["id"]
        call("delete_work_contact", contact_id=one)
        assert one not in {row["id"] for row in call("list_work_contacts")["work_contacts"]}
        assert call("delete_work_contact", contact_id=one)["code"] == 404


def test_a_field_holds_values_of_two_types() -> None:
    spec = spec_of(
        tool("create_chore", {"title": TEXT, "due": WHOLE}, "title"),
        tool("update_chore", {"chore_id": TEXT, "due": TEXT}, "chore_id"),
        tool("get_chore", {"chore_id": TEXT}, "chore_id"),
        name="chores",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("create_chore", title="Sweep", due=5)["id"]
        assert call("get_chore", chore_id=one)["due"] == 5
        call("update_chore", chore_id=one, due="tomorrow")
        assert call("get_chore", chore_id=one)["due"] == "tomorrow"


def test_what_finds_and_replaces_or_acts_by_a_word_is_left_out() -> None:
    left = analyse(
        spec_of(
            tool("create_page", {"title": TEXT}, "title"),
            tool("find_and_replace_page", {"page_id": TEXT, "find": TEXT, "put": TEXT}, "page_id find put"),
            tool(
                "configure_page",
                {"page_id": TEXT, "action": said("What to do: 'fold', 'bend' or 'twist'.")},
                "page_id action",
            ),
            name="pages",
        )
    ).left_out
    assert "replaces" in left["find_and_replace_page"]
    assert "what is done" in left["configure_page"]


def test_a_single_record_under_a_plural_name_is_got() -> None:
    spec = spec_of(
        tool("hook_events_list"),
        tool("hook_events_get", {"event_id": TEXT}, "event_id", description="Fetch a single hook event by event_id."),
        name="hooks",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("hook_events_list")["hook_events"][0]["id"]
        assert call("hook_events_get", event_id=one)["id"] == one


def test_an_object_inside_the_body_is_a_field_and_its_id_is_the_service_s() -> None:
    inner = {"type": "object", "properties": {"daily": WHOLE}}
    body = {"type": "object", "properties": {"id": TEXT, "budget": inner}}
    spec = spec_of(
        tool("create_drive", {"title": TEXT, "budget": inner}, "title"),
        tool("get_drive", {"driveId": TEXT}, "driveId"),
        tool("update_drive_budget", {"driveId": TEXT, "body": body}, "driveId body"),
        name="drives",
    )
    with calling(build_with_rules(spec)) as call:
        one = call("create_drive", title="Spring")["id"]
        assert call("update_drive_budget", driveId=one, body={"id": "x", "budget": {"daily": 7}})["id"] == one
        assert call("get_drive", driveId=one)["budget"] == {"daily": 7}


def test_a_search_by_named_fields_looks_at_no_others() -> None:
    person = {"full_name": TEXT, "email": TEXT, "comment": TEXT}
    about = "Search for clients by name or email."
    spec = spec_of(
        tool("create_client", person, "full_name"),
        tool("search_clients", {"query": TEXT}, "query", description=about),
        tool("find_clients", {"query": said("Search query (name or email)")}, "query"),
        name="clients",
    )
    with calling(build_with_rules(spec)) as call:
        call("create_client", full_name="Zoe Quill", email="zoe@north.example", comment="likes xylophones")
        for search in ("search_clients", "find_clients"):
            assert call(search, query="xylophones")["total"] == 0
            assert call(search, query="quill")["total"] == 1


def test_what_tells_a_parameter_apart_is_no_part_of_its_name() -> None:
    spec = spec_of(
        tool("create_board", {"title": TEXT}, "title"),
        tool("create_sketch", {"board_id_FileUpload": TEXT, "title": TEXT}, "board_id_FileUpload title"),
        tool("get_sketch", {"board_id": TEXT, "sketch_id": TEXT}, "board_id sketch_id"),
        name="boards",
    )
    with calling(build_with_rules(spec)) as call:
        board = call("create_board", title="North")["id"]
        one = call("create_sketch", board_id_FileUpload=board, title="Plan")
        assert call("get_sketch", board_id=board, sketch_id=one["id"])["board_id"] == board
        assert call("create_sketch", board_id_FileUpload="no-such", title="Plan")["code"] == 404
