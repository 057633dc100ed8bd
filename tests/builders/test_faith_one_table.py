"""One thing is one table: tools that call it by a longer, a shorter or another name work on the same records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.specs.model import Specification
from tests.builders.running import calling
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of


def rota() -> Specification:
    """Shift plans whose swaps are listed by their long name, and taken by short and by odd names."""
    return spec_of(
        tool("list_plans"),
        tool("create_plan", {"title": TEXT}, "title"),
        tool("list_plan_swaps", {"plan_id": TEXT}, "plan_id"),
        tool("create_plan_swap", {"plan_id": TEXT, "reason": TEXT}, "plan_id reason"),
        tool("get_swap", {"swap_id": TEXT}, "swap_id"),
        tool("list_door_passes"),
        tool("create_door_pass", {"holder": TEXT}, "holder"),
        tool("get_door_pass", {"token_id": TEXT}, "token_id"),
        tool("list_lane_fields", {"lane_id": TEXT}, "lane_id"),
        tool("create_lane_field", {"lane_id": TEXT, "label": TEXT}, "lane_id label"),
        tool("list_lanes"),
        tool("create_lane", {"title": TEXT}, "title"),
        tool("list_hall_fields"),
        tool("create_hall_field", {"label": TEXT}, "label"),
        tool("list_lane_field_options", {"lane_id": TEXT, "field_id": TEXT}, "lane_id field_id"),
        tool("create_lane_field_option", {"lane_id": TEXT, "field_id": TEXT, "text": TEXT}, "lane_id field_id text"),
        tool("list_night_rules"),
        tool("create_night_rule", {"text": TEXT}, "text"),
        tool("delete_night_rule", {"duty_rule_id": TEXT}, "duty_rule_id"),
        name="rota",
    )


@pytest.fixture(scope="module")
def call() -> Iterator[Any]:
    with calling(build_with_rules(rota())) as call:
        yield call


def test_a_short_name_gets_what_the_long_one_lists(call: Any) -> None:
    plan = call("create_plan", title="May")["id"]
    made = call("create_plan_swap", plan_id=plan, reason="ill")
    assert call("get_swap", swap_id=made["id"])["reason"] == "ill"
    listed = call("list_plan_swaps", plan_id=plan)["plan_swaps"]
    assert [row["id"] for row in listed] == [made["id"]]


def test_an_id_of_another_name_is_the_id_that_the_list_shows(call: Any) -> None:
    made = call("create_door_pass", holder="Ana")
    assert call("get_door_pass", token_id=made["id"])["holder"] == "Ana"
    shown = call("list_door_passes")["door_passes"][0]
    assert call("get_door_pass", token_id=shown["id"]) == shown


def test_an_id_names_what_the_tool_speaks_of(call: Any) -> None:
    lane = call("create_lane", title="East")["id"]
    field = call("create_lane_field", lane_id=lane, label="Width")["id"]
    option = call("create_lane_field_option", lane_id=lane, field_id=field, text="narrow")
    assert call("list_lane_field_options", lane_id=lane, field_id=field)["lane_field_options"] == [option]


def test_an_id_of_another_front_word_removes_the_record(call: Any) -> None:
    made = call("create_night_rule", text="Lights out")
    call("delete_night_rule", duty_rule_id=made["id"])
    assert made["id"] not in [row["id"] for row in call("list_night_rules")["night_rules"]]


def test_an_id_is_what_its_words_call_it() -> None:
    said = {"type": "string", "description": "The unique identifier of the bell contract."}
    spec = spec_of(
        tool("list_bell_contracts"),
        tool("create_bell_contract", {"text": TEXT}, "text"),
        tool("get_bell_contract", {"bell_id": said}, "bell_id"),
        tool("delete_bell", {"bell_id": said}, "bell_id"),
        name="bells",
    )
    with calling(build_with_rules(spec)) as call:
        made = call("create_bell_contract", text="Ring at noon")
        assert call("get_bell_contract", bell_id=made["id"])["text"] == "Ring at noon"
        call("delete_bell", bell_id=made["id"])
        assert call("get_bell_contract", bell_id=made["id"])["code"] == 404


def test_an_id_of_a_place_is_no_id_of_the_record() -> None:
    spec = spec_of(
        tool("list_door_passes", {"site_id": TEXT}, "site_id"),
        tool("create_door_pass", {"site_id": TEXT, "holder": TEXT}, "site_id holder"),
        tool("delete_door_pass", {"site_id": TEXT, "holder": TEXT}, "site_id holder"),
        tool("list_gates", {"site_id": TEXT}, "site_id"),
        name="sites",
    )
    with calling(build_with_rules(spec)) as call:
        row = call("list_door_passes", site_id="SIT-0001")["door_passes"]
        assert all(one["id"] != "SIT-0001" for one in row)


def test_what_lies_under_another_of_its_kind_needs_that_one() -> None:
    above = {"type": "string", "description": "ID of the parent leaf"}
    spec = spec_of(
        tool("list_leaves"),
        tool("get_leaf", {"leaf_id": TEXT}, "leaf_id"),
        tool("create_leaf", {"title": TEXT, "parent_id": above}, "title"),
        tool("move_leaf", {"leaf_id": TEXT, "target_parent_id": above}, "leaf_id target_parent_id"),
        tool("list_clerks"),
        tool("create_clerk", {"label": TEXT}, "label"),
        tool(
            "create_errand",
            {"text": TEXT, "runner_id": {"type": "string", "description": "Clerk ID of the runner"}},
            "text",
        ),
        tool("list_errands", {"runner_id": TEXT}),
        name="leaves",
    )
    with calling(build_with_rules(spec)) as call:
        top = call("create_leaf", title="Top")["id"]
        low = call("create_leaf", title="Low", parent_id=top)["id"]
        assert call("get_leaf", leaf_id=low)["parent_id"] == top
        assert call("create_leaf", title="Lost", parent_id="nowhere")["code"] == 404
        assert call("move_leaf", leaf_id=low, target_parent_id="nowhere")["code"] == 404
        clerk = call("create_clerk", label="Ana")["id"]
        errand = call("create_errand", text="Post", runner_id=clerk)
        assert call("list_errands", runner_id=clerk)["errands"] == [errand]
