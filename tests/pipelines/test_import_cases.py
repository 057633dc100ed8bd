"""Field cases of importing, from the file to the call: imported, built, mounted in the sandbox, asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.naming import exposed_names
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.specs.files import load_text
from services_app.specs.model import Specification
from workers.sandbox.process import SandboxProcess

pytestmark = pytest.mark.timeout(240)

TEXT = {"type": "string"}


def imported(*tools: dict[str, Any], name: str = "case") -> Specification:
    return load_text(json.dumps({"name": name, "tools": list(tools)}), f"{name}.json")


def tool(name: str, properties: dict[str, Any], required: str = "", **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required.split(), **more}
    return {"name": name, "description": f"{name.replace('_', ' ').capitalize()}.", "inputSchema": schema}


@contextmanager
def mounted(spec: Specification) -> Iterator[Environment]:
    built = build_with_rules(spec)
    assert built.left_out == {}
    with SandboxProcess(files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module}).mount([built.slug])


def refused(environment: Environment, slug: str, name: str, arguments: Any) -> str:
    observation = environment.call(slug, name, arguments)
    assert observation["success"] is False, observation
    return json.dumps(observation["error"], ensure_ascii=False)


def test_import_1_shared_definitions_are_checked_to_the_bottom() -> None:
    definitions = {
        "$defs": {
            "Slot": {"type": "object", "required": ["day", "room"],
                     "properties": {"day": TEXT, "room": {"$ref": "#/$defs/Room"}}},
            "Room": {"type": "object", "required": ["code"], "properties": {"code": TEXT}},
            "Mode": {"enum": ["onsite", "remote"]},
        }
    }  # fmt: skip
    mode = {"$ref": "#/$defs/Mode", "description": "how the visit happens"}
    visit = tool("create_visit", {"slot": {"$ref": "#/$defs/Slot"}, "mode": mode}, "slot", **definitions)
    gone = tool("create_trip", {"slot": {"$ref": "#/$defs/Gone"}}, "slot", **definitions)
    spec = imported(visit, gone, tool("list_visits", {}))
    assert [(refusal.name, "Gone" in refusal.message) for refusal in spec.refused] == [("create_trip", True)]
    assert spec.tool("create_visit").properties["mode"]["description"] == "how the visit happens"
    with mounted(spec) as environment:
        error = refused(environment, "case", "create_visit", {"slot": {"day": "Mon", "room": {}}})
        assert "code" in error
        assert "room" in error
        good = {"slot": {"day": "Mon", "room": {"code": "A1"}}, "mode": "remote"}
        assert environment.call("case", "create_visit", good)["success"]


def test_import_2_recursion_is_checked_at_every_level() -> None:
    node = {"type": "object", "required": ["label"],
            "properties": {"label": TEXT, "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}  # fmt: skip
    kids = {"type": "array", "items": {"$ref": "#/properties/root"}}
    menu = {"type": "object", "properties": {"label": TEXT, "kids": kids}}
    spec = imported(
        tool("create_tree", {"root": {"$ref": "#/$defs/N"}}, "root", **{"$defs": {"N": node}}),
        tool("create_menu", {"root": menu}, "root"),
        tool("list_trees", {}),
        {**tool("list_menus", {}), "description": "List menus. Returns the label, price and season of each menu."},
    )
    assert spec.refused == ()
    deep = {"root": {"label": "a", "kids": [{"label": "b", "kids": [{"label": "c"}]}]}}
    wrong = {"root": {"label": "a", "kids": [{"label": 5}]}}
    with mounted(spec) as environment:
        for name in ("create_tree", "create_menu"):
            assert environment.call("case", name, deep)["success"], name
            assert "label" in refused(environment, "case", name, wrong)


def test_import_3_seven_names_stay_seven_in_any_order() -> None:
    names = [
        "report.export", "report_export", "report/export", "report export", "レポート出力",
        "create_workspace_page_with_attachments_and_inherited_permission_rules_for_all",
        "delete_workspace_page_with_attachments_and_inherited_permission_rules_for_all",
    ]  # fmt: skip
    slug = "atlas-knowledge-and-records-hub"
    mapping = exposed_names(slug, names)
    assert mapping == exposed_names(slug, reversed(names))
    assert len(set(mapping.values())) == len(names)
    assert all(len(name) <= 64 and name.isascii() for name in mapping.values())
    spec = imported(*(tool(name, {}) for name in names), name=slug)
    assert [each.name for each in spec.tools] == names
    assert imported(*(tool(name, {}) for name in reversed(names)), name=slug).content_hash == spec.content_hash


def test_import_4_json_text_is_read_only_where_a_structure_is_wanted() -> None:
    tags = {"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}
    spec = imported(
        tool("create_note", {"body": TEXT, "tags": tags, "meta": {"type": "object"}}, "body"),
        tool("get_note", {"note_id": TEXT}, "note_id"),
    )
    sent = {"body": '{"k":1}', "tags": '["a","b"]', "meta": '{"k":1}'}
    with mounted(spec) as environment:
        observation = environment.call("case", "create_note", sent)
        assert observation["success"], observation
        made = observation["data"]
        assert made["body"] == '{"k":1}'
        assert (made["tags"], made["meta"]) == (["a", "b"], {"k": 1})
        assert set(environment.calls[-1].coerced) == {"tags", "meta"}


@pytest.mark.parametrize("schema", [{"type": "object"}, {}, {"type": "object", "properties": None, "required": None}])
def test_import_5_tools_without_parameters_take_nothing_in_every_form(schema: Any) -> None:
    lists = {"name": "list_pings", "description": "List pings.", "inputSchema": schema}
    spec = imported(lists, tool("create_ping", {"title": TEXT}, "title"))
    assert spec.tool("list_pings").properties == {}
    with mounted(spec) as environment:
        for arguments in ({}, None, ""):
            assert environment.call("case", "list_pings", arguments)["success"], arguments


def test_import_5_a_closed_tool_refuses_what_it_does_not_know() -> None:
    closed = {
        "name": "list_pings", "description": "List.", "inputSchema": {"type": "object", "additionalProperties": False}
    }  # fmt: skip
    spec = imported(closed, tool("create_ping", {"title": TEXT}, "title"))
    with mounted(spec) as environment:
        assert environment.call("case", "list_pings", {})["success"]
        assert "x" in refused(environment, "case", "list_pings", {"x": 1})


def test_import_6_awkward_property_names_survive_to_the_state() -> None:
    fields = {
        "_id": TEXT, "class": TEXT, "from": TEXT, "copy": {"type": "boolean"}, "json": {"type": "object"},
        "schema": TEXT, "model_config": {"type": "object"}, "model_dump": TEXT, "x-ratio": {"type": "number"},
        "date": {"type": ["string", "null"], "format": "date"}, "größe": {"type": "integer"},
    }  # fmt: skip
    spec = imported(tool("create_thing", fields, "_id class"), tool("list_things", {}))
    sent = {
        "_id": "t-77", "class": "a", "from": "b", "copy": True, "json": {"k": 1}, "schema": "c", "model_config": {},
        "model_dump": "d", "x-ratio": 1.5, "date": "2026-05-01", "größe": 3,
    }  # fmt: skip
    with mounted(spec) as environment:
        assert "_id" in refused(environment, "case", "create_thing", {"class": "a"})
        observation = environment.call("case", "create_thing", sent)
        assert observation["success"], observation
        listed = json.dumps(environment.call("case", "list_things")["data"], ensure_ascii=False)
        for name in ("class", "from", "copy", "json", "schema", "model_dump", "x-ratio", "date", "größe"):
            assert f'"{name}"' in listed, name


def test_import_7_absent_null_and_default_are_three_things() -> None:
    due = {"type": ["string", "null"], "default": None}
    spec = imported(
        tool("create_item", {"title": TEXT, "due": due}, "title"),
        tool("get_item", {"item_id": TEXT}, "item_id"),
        tool("update_item", {"item_id": TEXT, "title": TEXT, "due": due}, "item_id"),
        tool("list_items", {"limit": {"type": "integer", "default": 2}}),
    )
    with mounted(spec) as environment:
        made = environment.call("case", "create_item", {"title": "T", "due": "2026-05-01"})["data"]
        identity = {"item_id": made["id"]}

        def now() -> tuple[Any, Any]:
            found = environment.call("case", "get_item", identity)["data"]
            return found["title"], found["due"]

        environment.call("case", "update_item", identity)
        assert now() == ("T", "2026-05-01")
        assert environment.calls[-2].arguments == identity, "arguments are kept as they were sent"
        assert environment.call("case", "update_item", {**identity, "due": None})["success"]
        assert now() == ("T", None)
        assert "title" in refused(environment, "case", "update_item", {**identity, "title": None})
        assert "limit" in refused(environment, "case", "list_items", {"limit": None})
        assert now() == ("T", None)
