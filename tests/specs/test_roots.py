"""IMPORT-5 and everything else that stands where an input schema belongs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services_app.engine.schema import compile_schema
from tests.specs.helpers import codes, note, one, refusal, spec_for, spec_of

CLOSED = {"type": "object", "additionalProperties": False}
EMPTY = {"type": "object", "properties": {}}


def test_tools_without_parameters_import_as_empty_objects_and_the_repairs_are_listed() -> None:
    spec = spec_of(
        {"name": "beep1", "inputSchema": {"type": "object"}},
        {"name": "beep2", "inputSchema": {}},
        {"name": "beep3", "inputSchema": {"type": "object", "properties": None, "required": None}},
        {"name": "beep4"},
        {"name": "beep5", "inputSchema": CLOSED},
    )
    assert [tool.input_schema for tool in spec.tools[:4]] == [EMPTY] * 4
    assert spec.tools[4].input_schema == {**CLOSED, "properties": {}}
    assert {note.tool for note in spec.notes} == {f"beep{index}" for index in range(1, 6)}
    assert codes(spec, "beep3") == ["null:dropped", "null:dropped", "properties:added"]
    assert "schema:missing" in codes(spec, "beep4")
    accepts = [compile_schema(tool.input_schema).is_valid({"x": 1}) for tool in spec.tools]
    assert accepts == [True, True, True, True, False]


@pytest.mark.parametrize(
    "schema", [None, True, "", "null", [], {}, {"type": None}, {"type": ["object", "null"]}, {"type": "dict"}]
)
def test_whatever_means_no_parameters_is_an_empty_object(schema: Any) -> None:
    assert one(schema).input_schema == EMPTY


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        (5, "schema:not-an-object"),
        (False, "schema:not-an-object"),
        ("not JSON", "schema:not-an-object"),
        ("[1]", "schema:not-an-object"),
        ([1, 2], "schema:not-an-object"),
        ({"type": "string"}, "schema:root-type"),
        ({"type": "array", "items": {"type": "string"}}, "schema:root-type"),
        ({"type": ["string", "null"]}, "schema:root-type"),
    ],
)
def test_what_cannot_describe_arguments_is_refused_with_the_reason(schema: Any, code: str) -> None:
    refused = refusal(schema)
    assert refused.code == code
    assert refused.pointer.startswith("/inputSchema")
    assert refused.message.endswith(".")


def test_a_schema_one_level_too_deep_is_moved_up() -> None:
    inner = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "additionalProperties": False,
        "properties": {"parcel": {"type": "string"}},
        "required": ["parcel"],
    }
    spec = spec_for({"type": "object", "properties": inner})
    assert spec.tools[0].input_schema == inner
    assert note(spec, "schema:nested").severity == "warning"
    assert not compile_schema(spec.tools[0].input_schema).is_valid({})


def test_parameters_that_are_called_type_and_properties_stay_parameters() -> None:
    properties = {"type": {"type": "string"}, "properties": {"type": "object"}, "required": {"type": "boolean"}}
    spec = spec_for({"type": "object", "properties": properties})
    assert spec.tools[0].properties == properties
    assert spec.notes_for("subject") == ()


@pytest.mark.parametrize("word", ["json", "schema", "jsonSchema", "parameters"])
def test_wrapped_schemas_are_taken_out(word: str) -> None:
    assert one({word: {"type": "object", "properties": {"a": {"type": "string"}}}}).properties == {
        "a": {"type": "string"}
    }


def test_a_parameter_called_json_is_no_wrapper() -> None:
    assert one({"type": "object", "properties": {"json": {"type": "object"}}}).properties.keys() == {"json"}


def test_bare_properties_get_a_schema_around_them() -> None:
    tool = one({"street": {"type": "string"}, "number": {"type": "integer", "required": True}})
    assert tool.properties == {"street": {"type": "string"}, "number": {"type": "integer"}}
    assert tool.required == ("number",)
    assert one({"street": "string", "number": "int"}).properties == {
        "street": {"type": "string"},
        "number": {"type": "integer"},
    }


def test_a_list_of_parameters_is_taken_by_name() -> None:
    tool = one(
        [
            {"name": "page", "in": "query", "required": True, "schema": {"type": "integer"}},
            {"name": "q", "type": "string"},
        ]
    )
    assert tool.properties == {"page": {"type": "integer"}, "q": {"type": "string"}}
    assert tool.required == ("page",)


def test_a_schema_given_as_json_text_is_read() -> None:
    spec = spec_for(json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}}))
    assert spec.tools[0].properties == {"a": {"type": "integer"}}
    assert codes(spec) == ["schema:json-text"]


@pytest.mark.parametrize("word", ["input_schema", "parameters"])
def test_other_words_for_the_input_schema_are_known(word: str) -> None:
    spec = spec_of({"name": "t", word: {"type": "object", "properties": {"a": {"type": "string"}}}})
    assert spec.tools[0].properties.keys() == {"a"}
    assert codes(spec, "t") == ["tool:schema-word"]


def test_a_choice_of_required_groups_at_the_root_is_kept() -> None:
    schema = {
        "type": "object",
        "properties": {"flight": {"type": "string"}, "plane": {"type": "string"}},
        "oneOf": [{"required": ["flight"]}, {"required": ["plane"]}],
    }
    validator = compile_schema(one(schema).input_schema)
    assert validator.is_valid({"flight": "X1"})
    assert not validator.is_valid({})
    assert not validator.is_valid({"flight": "X1", "plane": "Y"})


def test_a_broken_output_schema_is_left_out_and_the_tool_stays() -> None:
    good = {"type": "object", "properties": {"result": {"type": "string"}}, "x-wrap-result": True}
    assert one({"type": "object"}, outputSchema=good).output_schema == good
    spec = spec_for({"type": "object"}, outputSchema={"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}})
    assert spec.tools[0].output_schema is None
    remark = note(spec, "ref:dangling")
    assert remark.severity == "warning"
    assert remark.pointer == "/outputSchema/properties/a/$ref"


def test_what_was_served_is_kept_untouched() -> None:
    raw = {
        "name": "subject",
        "inputSchema": {"properties": None, "type": "OBJECT"},
        "_meta": {"tags": ["a"]},
        "annotations": {"readOnlyHint": True},
    }
    spec = spec_of(raw)
    assert spec.tools[0].raw == raw
    assert spec.raw == {"tools": [raw]}
    assert spec.tools[0].annotations == {"readOnlyHint": True}
    assert spec.tools[0].input_schema == EMPTY


def test_required_names_on_both_levels_of_a_nested_schema_are_joined() -> None:
    inner = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    assert one({"type": "object", "properties": inner, "required": ["b", "type"]}).required == ("b", "a")


def test_a_root_that_refers_and_has_its_own_parameters_keeps_both() -> None:
    schema = {
        "type": "object",
        "$ref": "#/$defs/Base",
        "properties": {"b": {"type": "string"}},
        "$defs": {"Base": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}},
    }
    validator = compile_schema(one(schema).input_schema)
    assert validator.is_valid({"a": 1, "b": "x"})
    assert not validator.is_valid({"b": "x"})
    assert not validator.is_valid({"a": 1, "b": 2})


def test_descriptions_that_are_no_text_are_read_as_text() -> None:
    spec = spec_for({}, description=["first", "second"])
    assert spec.tools[0].description == "first\nsecond"
    assert "text:not-text" in codes(spec)
