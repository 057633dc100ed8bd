"""References by key and name, records in seeds that hold what their schema says, writes that nobody could aim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from services_app.recipes.values import Chance, shaped
from services_app.specs.documented import documented_values, exampled_values
from services_app.specs.model import Specification
from services_app.verification.own_tests import read_own_tests, run_own_tests
from tests.builders.running import calling
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

LIST = {"type": "array", "items": TEXT}
ADDRESS = {"type": "object", "properties": {"city": TEXT, "kind": {"enum": ["home", "work"], "type": "string"}}}


def said(description: str, kind: str = "string") -> dict[str, Any]:
    return {"type": kind, "description": description}


def tracker() -> Specification:
    """Projects with keys, tickets that lie in them, people with addresses, drafts that are sent."""
    project = said("The key of the project")
    return spec_of(
        tool("list_projects", {"query": TEXT}),
        tool("create_project", {"name": TEXT, "key": TEXT}, "name"),
        tool(
            "create_ticket", {"projectKey": project, "title": TEXT, "severity": said("Severity (low, high)")}, "title"
        ),
        tool("list_tickets", {"projectId": TEXT, "projectKey": project, "max_tickets": WHOLE}),
        tool("get_ticket", {"ticket_id": TEXT}, "ticket_id"),
        tool("list_users", {"emails": LIST}),
        tool(
            "create_user", {"name": TEXT, "address": ADDRESS, "hobby": said("Hobby (e.g. 'chess', 'rowing')")}, "name"
        ),
        tool("create_draft", {"subject": TEXT}, "subject"),
        tool("get_draft", {"draft_id": TEXT}, "draft_id"),
        tool("send_draft", {"draft_id": TEXT}, "draft_id"),
        tool("create_pattern", {"str": TEXT, "title": TEXT}, "title"),
        tool("list_patterns"),
        tool(
            "move_in_direction", {"direction": {"type": "string", "enum": ["up", "down"]}, "steps": WHOLE}, "direction"
        ),
        tool("set_reaction", {"emoji": TEXT}),
        tool("suite_upsert", {"id": WHOLE, "title": TEXT}, "title", description="Create or update a suite."),
        tool("list_suites"),
        tool("download_patterns", {"output_path": TEXT}),
        tool("open_window", {"mode": TEXT}),
        tool("rename_table", {"table_name": TEXT, "new_name": TEXT}, "table_name"),
        tool("list_tables", {"table_name": TEXT}),
        name="tracker",
    )


@pytest.fixture(scope="module")
def built() -> BuiltService:
    return build_with_rules(tracker())


@pytest.fixture(scope="module")
def call(built: BuiltService) -> Iterator[Any]:
    with calling(built) as call:
        yield call


def test_a_project_is_named_by_its_key_or_its_id(call: Any) -> None:
    project = call("list_projects")["projects"][0]
    by_key = call("list_tickets", projectKey=project["key"])
    assert by_key["total"] > 0
    assert by_key == call("list_tickets", projectKey=project["id"]) == call("list_tickets", projectId=project["id"])
    assert {row["projectId"] for row in by_key["tickets"]} == {project["id"]}
    assert call("list_tickets", projectKey="no such key")["code"] == 404


def test_what_is_made_under_a_key_lies_in_that_project(call: Any) -> None:
    project = call("list_projects")["projects"][1]
    made = call("create_ticket", projectKey=project["key"], title="Leaking tap")
    assert made["id"] in [row["id"] for row in call("list_tickets", projectId=project["id"])["tickets"]]
    assert call("create_ticket", projectKey="no such key", title="Lost")["code"] == 404


def test_a_cap_on_rows_is_no_field_of_them(call: Any) -> None:
    assert len(call("list_tickets", max_tickets=2)["tickets"]) == 2


def test_seeded_people_have_names_addresses_and_hobbies(call: Any) -> None:
    users = call("list_users")["users"]
    assert all(set(user["address"]) == {"city", "kind"} for user in users)
    assert {user["address"]["kind"] for user in users} == {"home", "work"}
    assert {user["hobby"] for user in users} == {"chess", "rowing"}
    assert not any("refit" in user["name"] for user in users)


def test_listed_words_of_a_creation_are_what_records_hold(call: Any) -> None:
    assert {row["severity"] for row in call("list_tickets")["tickets"]} <= {"low", "high", None}


def test_a_draft_that_is_sent_is_the_draft_that_was_made(call: Any) -> None:
    made = call("create_draft", subject="Hello")
    assert call("send_draft", draft_id=made["id"])["status"] == "sent"
    assert call("get_draft", draft_id=made["id"])["status"] == "sent"
    assert call("send_draft", draft_id="no such draft")["code"] == 404


def test_an_upsert_changes_the_record_of_the_id_that_is_sent(call: Any) -> None:
    made = call("suite_upsert", title="Smoke")
    assert call("suite_upsert", title="Full", id=made["id"]) == {**made, "title": "Full"}
    assert call("suite_upsert", title="Lost", id=99_999)["code"] == 404


def test_a_renamed_table_is_found_by_its_new_name(call: Any) -> None:
    old = call("list_tables")["tables"][0]["table_name"]
    call("rename_table", table_name=old, new_name="ledger")
    assert [row["table_name"] for row in call("list_tables", table_name="ledger")["tables"]] == ["ledger"]


def test_writes_that_nobody_could_aim_are_left_out_in_words(built: BuiltService) -> None:
    assert built.left_out["set_reaction"] == "it changes what the name calls a reaction, and no tool makes or shows one"
    assert "direction" in built.left_out["move_in_direction"]
    assert "output_path" in built.left_out["download_patterns"]
    assert built.left_out["open_window"] == "it opens something, and no parameter names a record"


def test_a_field_may_be_called_like_a_type(call: Any) -> None:
    assert call("create_pattern", title="Waves", str="~~")["str"] == "~~"


def test_own_tests_send_numbered_ids_as_the_parameter_takes_them() -> None:
    spec = spec_of(
        tool("create_lamp", {"colour": TEXT}, "colour"),
        tool("get_lamp", {"lamp_id": TEXT}),
        tool("delete_lamp", {"lamp_id": WHOLE}, "lamp_id"),
        name="lamps",
    )
    made = build_with_rules(spec)
    with SandboxProcess("services_app.engine.host", files=made.packaged()) as process:
        host = ServiceHost(process, {made.slug: made.module})
        counts, failures = run_own_tests(made.slug, lambda: host.mount([made.slug]), read_own_tests(made.files))
    assert counts["passed"] == counts["expected"], failures
    assert {"kept": "made", "text": True} in _values(json.loads(made.files["tests.json"]))


def _values(data: Any) -> list[Any]:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else []
    return [data, *(value for part in inner for value in _values(part))]


@pytest.mark.parametrize(
    ("name", "description", "values"),
    [
        ("severity", "Rule severity (ERROR, WARNING, INFO)", ("ERROR", "WARNING", "INFO")),
        ("visibility", "Visibility: public, unlisted, or direct", ("public", "unlisted", "direct")),
        ("type", "annotation or alert", ("annotation", "alert")),
        ("color", "A color (e.g. red, blue)", ()),
        ("title", "Title (short, plain)", ()),
    ],
)
def test_bare_words_side_by_side_are_values_of_what_chooses(name: str, description: str, values: Any) -> None:
    assert documented_values(name, said(description)) == values


def test_quoted_examples_are_read() -> None:
    assert exampled_values(said("Filter by category (e.g. 'Bowls', 'Salads')")) == ("Bowls", "Salads")
    assert exampled_values(said("Filter by 'category'")) == ()


def test_a_shape_makes_objects_lists_and_choices() -> None:
    made = shaped({"parts": [{"size": ("S", "L")}], "place": "place"}, 0, Chance(1))
    assert set(made) == {"parts", "place"}
    assert all(part["size"] in ("S", "L") for part in made["parts"])
