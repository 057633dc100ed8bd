"""Writing tools over a specification of our own: states, flags, the trash, pairs, locks, actions, idempotency."""

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

FLAG = {"type": "boolean"}
TEXTS = {"type": "array", "items": TEXT}


def boatyard() -> Specification:
    """Boats that are written in every way, at berths; bills, and sails that one tool handles."""
    boat = {"name": TEXT, "berth_id": TEXT, "tags": TEXTS, "idempotency_key": TEXT}
    sail = {
        "operation": {"type": "string", "enum": ["create", "list", "get", "update", "delete"]},
        "sail_id": TEXT,
        "name": {"type": "string", "description": "Name of the sail (for create, update)"},
        "area": {"type": "integer", "description": "Area in square metres (for create and update)"},
    }
    return spec_of(
        tool("create_berth", {"name": TEXT}, "name"),
        tool("list_berths"),
        tool("delete_berth", {"berth_id": TEXT, "force": FLAG}, "berth_id"),
        tool("create_boat", boat, "name berth_id"),
        tool("get_boat", {"boat_id": TEXT}, "boat_id"),
        tool("list_boats"),
        tool("update_boat", {"boat_id": TEXT, "berth_id": TEXT, "name": TEXT, "add_tags": TEXTS, "remove_tags": TEXTS},
             "boat_id berth_id"),
        tool("delete_boat", {"boat_id": TEXT, "reason": TEXT}, "boat_id"),
        tool("restore_boat", {"boat_id": TEXT}, "boat_id"),
        tool("lock_boat", {"boat_id": TEXT}, "boat_id", description="Lock a boat: it becomes read-only."),
        tool("unlock_boat", {"boat_id": TEXT}, "boat_id"),
        tool("create_bill", {"text": TEXT}, "text"),
        tool("list_bills"),
        tool("finalize_bill", {"bill_id": TEXT}, "bill_id"),
        tool("cancel_bill", {"bill_id": TEXT}, "bill_id"),
        tool("create_sailor", {"name": TEXT}, "name"),
        tool("get_sailor", {"sailor_id": TEXT}, "sailor_id"),
        tool("assign_sailor_to_boat", {"sailor_id": TEXT, "boat_id": TEXT}, "sailor_id boat_id"),
        tool("unassign_sailor_from_boat", {"sailor_id": TEXT, "boat_id": TEXT}, "sailor_id boat_id"),
        tool("manage_sails", sail, "operation"),
        name="boatyard",
    )  # fmt: skip


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(boatyard())


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


@pytest.fixture
def boat(call: Callable[..., Any]) -> Any:
    berth = call("create_berth", name="North 4")
    return call("create_boat", name="Heron", berth_id=berth["id"], tags=["old"])


def test_everything_is_built(built: BuiltService) -> None:
    assert built.left_out == {}


def test_a_record_is_changed_only_where_it_lies(call: Any, boat: dict[str, Any]) -> None:
    other = call("create_berth", name="South 1")["id"]
    assert call("update_boat", boat_id=boat["id"], berth_id=other, name="X")["code"] == 404
    changed = call("update_boat", boat_id=boat["id"], berth_id=boat["berth_id"], name="X")
    assert changed == {**boat, "name": "X"}
    assert call("update_boat", boat_id=boat["id"], berth_id=boat["berth_id"])["type"] == "nothing_to_change"


def test_values_are_added_to_a_list_and_taken_away(call: Any, boat: dict[str, Any]) -> None:
    where = {"boat_id": boat["id"], "berth_id": boat["berth_id"]}
    assert call("update_boat", add_tags=["fast", "old"], **where)["tags"] == ["old", "fast"]
    assert call("update_boat", remove_tags=["old"], **where)["tags"] == ["fast"]


def test_the_same_idempotency_key_makes_one_record(call: Any, boat: dict[str, Any]) -> None:
    sent = {"name": "Tern", "berth_id": boat["berth_id"], "idempotency_key": "k"}
    first = call("create_boat", **sent)
    assert call("create_boat", **{**sent, "name": "Other"}) == first


def test_what_is_removed_comes_back_as_it_was(call: Any, boat: dict[str, Any]) -> None:
    assert call("restore_boat", boat_id=boat["id"])["code"] == 409
    call("delete_boat", boat_id=boat["id"], reason="sold")
    assert call("get_boat", boat_id=boat["id"])["code"] == 404
    assert call("restore_boat", boat_id=boat["id"]) == boat
    assert call("get_boat", boat_id=boat["id"]) == boat


def test_what_is_locked_is_neither_changed_nor_removed(call: Any, boat: dict[str, Any]) -> None:
    where = {"boat_id": boat["id"], "berth_id": boat["berth_id"]}
    assert call("lock_boat", boat_id=boat["id"])["locked"] is True
    assert call("lock_boat", boat_id=boat["id"])["code"] == 409
    assert call("update_boat", name="X", **where)["type"] == "locked"
    assert call("delete_boat", boat_id=boat["id"])["type"] == "locked"
    assert call("unlock_boat", boat_id=boat["id"])["locked"] is False
    assert call("update_boat", name="X", **where)["name"] == "X"


def test_what_is_in_use_goes_by_force_only_and_takes_along_what_hangs_on_it(call: Any, boat: dict[str, Any]) -> None:
    assert call("delete_berth", berth_id=boat["berth_id"])["type"] == "in_use"
    assert call("delete_berth", berth_id=boat["berth_id"], force=True)["deleted"] is True
    assert call("get_boat", boat_id=boat["id"])["code"] == 404


def test_states_are_left_only_where_that_is_allowed(call: Any) -> None:
    made = call("create_bill", text="Mast")
    assert made["status"] == "draft"
    assert call("finalize_bill", bill_id=made["id"])["status"] == "open"
    assert call("finalize_bill", bill_id=made["id"])["type"] == "no_change"
    assert call("cancel_bill", bill_id=made["id"])["status"] == "cancelled"
    assert call("finalize_bill", bill_id=made["id"])["type"] == "invalid_state"


def test_both_ends_of_a_pair_name_each_other(call: Any, boat: dict[str, Any]) -> None:
    sailor = call("create_sailor", name="Ida")["id"]
    pair = {"sailor_id": sailor, "boat_id": boat["id"]}
    call("assign_sailor_to_boat", **pair)
    call("assign_sailor_to_boat", **pair)
    assert call("get_boat", boat_id=boat["id"])["sailor_ids"] == [sailor]
    assert call("get_sailor", sailor_id=sailor)["boat_ids"] == [boat["id"]]
    call("unassign_sailor_from_boat", **pair)
    assert call("get_boat", boat_id=boat["id"])["sailor_ids"] == []
    assert call("unassign_sailor_from_boat", **pair)["code"] == 404


def test_an_action_does_what_a_tool_of_its_own_would(call: Any) -> None:
    assert call("manage_sails", operation="create", area=9)["type"] == "missing_argument"
    made = call("manage_sails", operation="create", name="Jib", area=9)
    assert call("manage_sails", operation="get", sail_id=made["id"]) == made
    assert call("manage_sails", operation="update", sail_id=made["id"], area=8)["area"] == 8
    assert made["id"] in [row["id"] for row in call("manage_sails", operation="list")["sails"]]
    assert call("manage_sails", operation="delete", sail_id=made["id"])["deleted"] is True
    assert call("manage_sails", operation="get", sail_id=made["id"])["code"] == 404
