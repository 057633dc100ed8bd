"""IMPORT-3 and IMPORT-6: names of tools and parameters survive as they are; clashes are never silent."""

from __future__ import annotations

import re

import pytest

from services_app.engine.naming import exposed_names
from services_app.engine.schema import compile_schema
from services_app.specs.linter import lint
from tests.specs.helpers import codes, one, spec_of

AWKWARD = [
    "invoice.send",
    "invoice_send",
    "invoice/send",
    "invoice send",
    "請求書",
    "type",
    "list",
    "__hidden",
    "A-b",
    "Controller_getQR",
]
LONG = [
    f"{verb}_monthly_statement_with_every_attachment_and_all_inherited_settings_for_partners"
    for verb in ("make", "drop")
]


def test_awkward_names_import_and_are_exposed_without_clash_in_any_order() -> None:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in AWKWARD + LONG]
    forward, backward = (
        spec_of(*tools, name="north-harbour-billing-desk"),
        spec_of(*reversed(tools), name="north-harbour-billing-desk"),
    )
    assert [tool.name for tool in forward.tools] == AWKWARD + LONG
    mapping = exposed_names(forward.slug, (tool.name for tool in forward.tools))
    assert mapping == exposed_names(backward.slug, (tool.name for tool in backward.tools))
    assert len(set(mapping.values())) == len(tools)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in mapping.values())
    assert forward.content_hash == backward.content_hash
    remarks = {item.tool for item in lint(forward) if item.code == "names:exposed"}
    assert {"invoice.send", "invoice/send", "invoice send", "請求書", *LONG} <= remarks
    (clash,) = [item for item in lint(forward) if item.code == "names:collision"]
    assert "'invoice.send'" in clash.message
    assert "'invoice_send'" in clash.message


def test_a_different_tool_of_the_same_name_is_refused_and_the_first_kept() -> None:
    first = {"name": "save", "description": "one", "inputSchema": {"type": "object"}}
    spec = spec_of(first, {**first, "description": "two"}, {"name": "other"})
    assert [(tool.name, tool.description) for tool in spec.tools] == [("save", "one"), ("other", "")]
    (refused,) = spec.refused
    assert (refused.name, refused.position, refused.code) == ("save", 1, "tool:duplicate")
    assert refused.raw["description"] == "two"


def test_the_same_tool_twice_is_taken_once_without_refusal() -> None:
    first = {"name": "save", "description": "one", "inputSchema": {"type": "object", "properties": {}}}
    spec = spec_of(first, dict(first))
    assert len(spec.tools) == 1
    assert spec.refused == ()
    assert codes(spec, "save") == ["tool:repeated"]


@pytest.mark.parametrize(
    "entry", [None, 5, "save", [], {}, {"name": ""}, {"name": "  "}, {"name": 5}, {"description": "nameless"}]
)
def test_entries_that_are_no_tools_are_refused_by_position(entry: object) -> None:
    spec = spec_of({"name": "fine"}, entry, {"name": "also-fine"})
    assert [tool.name for tool in spec.tools] == ["fine", "also-fine"]
    (refused,) = spec.refused
    assert refused.position == 1
    assert refused.code in ("tool:no-name", "tool:not-an-object")
    assert refused.raw == entry


def test_every_property_name_survives_under_its_own_name() -> None:
    properties = {
        "_id": {"type": "string"},
        "class": {"type": "string"},
        "from": {"type": "string"},
        "copy": {"type": "boolean"},
        "json": {"type": "object"},
        "schema": {"type": "string"},
        "model_config": {"type": "object"},
        "model_dump": {"type": "string"},
        "If-Match": {"type": "string"},
        "completed_at.after": {"type": "string"},
        "größe": {"type": "integer"},
        "$ref": {"type": "string"},
        "a/b~c": {"type": "string"},
        "": {"type": "string"},
        "team_Id": {"type": "string"},
        "team_id": {"type": "string"},
    }
    tool = one({"type": "object", "required": ["_id", "class"], "properties": properties})
    assert tool.properties == properties
    problems = compile_schema(tool.input_schema).problems({"class": "x"})
    assert [problem.path for problem in problems] == ["_id"]


def test_parameters_that_differ_only_in_case_are_kept_and_remarked() -> None:
    spec = spec_of(
        {
            "name": "log_time",
            "inputSchema": {
                "type": "object",
                "properties": {"team_Id": {"type": "string"}, "team_id": {"type": "string"}},
            },
        }
    )
    (remark,) = [item for item in lint(spec) if item.code == "names:case"]
    assert remark.pointer == "/inputSchema/properties/team_id"
    assert spec.tools[0].properties.keys() == {"team_Id", "team_id"}


def test_titles_come_from_the_tool_or_its_annotations() -> None:
    assert one({}, title="Send it", annotations={"title": "Other"}).title == "Send it"
    assert one({}, annotations={"title": "Other"}).title == "Other"
    assert one({}, annotations="nonsense", title=5).title == ""
