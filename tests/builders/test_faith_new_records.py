"""What a new record shows: what was sent, what the service gives it, and no fields that nobody could fill."""

from __future__ import annotations

from typing import Any

from services_app.builders.rules import build_with_rules
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def test_fields_that_nobody_can_send_show_once_they_hold_something() -> None:
    spec = spec_of(
        tool("list_kites", description="Lists kites with title, author, inspected_at and wind_rating."),
        tool("get_kite", {"kite_id": TEXT}, "kite_id", description="A kite with its author and inspected_at."),
        tool("create_kite", {"title": TEXT, "colour": TEXT}, "title"),
        name="kites",
    )
    with calling(build_with_rules(spec)) as call:
        seeded = call("list_kites")["kites"][0]
        assert seeded["inspected_at"]
        made: dict[str, Any] = call("create_kite", title="Red")
        assert made["colour"] is None, "what could have been sent shows"
        assert made["author"], "whoever makes it is its author"
        assert "inspected_at" not in made
        shown = call("get_kite", kite_id=made["id"])
        assert shown == {**made, "inspected_at": None, "wind_rating": None}, "what its words promise is there, empty"


def test_patch_operations_are_no_field_of_a_record() -> None:
    body = {"type": "object", "additionalProperties": True, "description": "JSON Patch document (RFC 6902)."}
    spec = spec_of(
        tool("get_mill", {"mill_id": TEXT}, "mill_id"),
        tool("create_mill", {"title": TEXT}, "title"),
        tool("update_mill", {"mill_id": TEXT, "body": body}, "mill_id body"),
        name="mills",
    )
    assert "JSON Patch" in build_with_rules(spec).left_out["update_mill"]


def test_a_value_that_the_words_do_not_list_is_refused() -> None:
    spec = spec_of(
        tool("get_crate", {"crate_id": TEXT}, "crate_id"),
        tool(
            "create_crate",
            {
                "title": TEXT,
                "wood": {"type": "string", "description": "One of: oak, pine, elm"},
                "status": {"type": "string", "description": "OPEN, SEALED, or SENT"},
                "glue": {"type": "string", "description": "Kind of glue, e.g. bone, fish"},
            },
            "title",
        ),
        name="crates",
    )
    with calling(build_with_rules(spec)) as call:
        assert call("create_crate", title="A", wood="Pine", status="SEALED", glue="rice")["wood"] == "Pine"
        assert call("create_crate", title="B", wood="tin")["code"] == 400
        assert call("create_crate", title="C", status="LOST")["code"] == 400


def test_a_default_that_stands_for_all_hides_nothing() -> None:
    place = {"type": "string", "default": "-", "description": "Place of the pegs; '-' for all places."}
    spec = spec_of(
        tool("list_pegs", {"place": place}),
        tool("create_peg", {"name": TEXT, "place": {"type": "string", "default": "hall"}}, "name"),
        tool("delete_peg", {"name": TEXT}, "name"),
        name="pegs",
    )
    with calling(build_with_rules(spec)) as call:
        assert call("list_pegs")["total"] > 3
        assert call("list_pegs", place="-")["total"] == call("list_pegs")["total"]
