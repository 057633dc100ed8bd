"""Repairs of single keywords: each keeps the meaning, leaves a note and a schema that compiles."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine.schema import compile_schema
from tests.specs.helpers import codes, one, spec_for


def parameter(schema: Any, **root: Any) -> Any:
    """A parameter's schema after import; the whole schema must compile."""
    tool = one({"type": "object", "properties": {"p": schema}, **root})
    compile_schema(tool.input_schema)
    return tool.properties["p"]


def codes_of(schema: Any, **root: Any) -> list[str]:
    return codes(spec_for({"type": "object", "properties": {"p": schema}, **root}))


@pytest.mark.parametrize(
    ("served", "repaired", "code"),
    [
        ({"type": "any"}, {}, "type:any"),
        ({"type": ["string", "any"]}, {}, "type:any"),
        ({"type": "STRING"}, {"type": "string"}, "type:renamed"),
        ({"type": "int"}, {"type": "integer"}, "type:renamed"),
        ({"type": "string|null"}, {"type": ["string", "null"]}, "type:renamed"),
        ({"type": ["string", "string"]}, {"type": ["string"]}, "type:renamed"),
        ({"type": "string[]"}, {"type": "array", "items": {"type": "string"}}, "type:renamed"),
        ({"type": "Widget"}, {}, "type:unknown"),
        ({"type": []}, {}, "type:unknown"),
        ({"type": {"of": "string"}}, {}, "type:unknown"),
        ({"type": None, "description": "d"}, {"description": "d"}, "null:dropped"),
        (None, {}, "schema:null"),
        ("integer", {"type": "integer"}, "schema:shorthand"),
        ("the customer", {"description": "the customer"}, "schema:text"),
        ([1], {}, "schema:wrong-kind"),
        ({"enum": []}, {}, "enum:empty"),
        ({"enum": ["a", "b", "a"]}, {"enum": ["a", "b"]}, "enum:duplicates"),
        ({"enum": {"a": 1, "b": 2}}, {"enum": ["a", "b"]}, "enum:object"),
        ({"enum": "a"}, {"enum": ["a"]}, "enum:not-a-list"),
        ({"minLength": "3"}, {"minLength": 3}, "number:text"),
        ({"minimum": "0.5"}, {"minimum": 0.5}, "number:text"),
        ({"minLength": "three"}, {}, "keyword:invalid"),
        ({"maxItems": -1}, {}, "keyword:invalid"),
        ({"multipleOf": 0}, {}, "keyword:invalid"),
        ({"pattern": "(("}, {}, "keyword:invalid"),
        ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}, "limit:draft4"),
        ({"maximum": 3, "exclusiveMaximum": False}, {"maximum": 3}, "limit:draft4"),
        ({"additionalProperties": "false"}, {"additionalProperties": False}, "flag:text"),
        ({"description": 5}, {"description": "5"}, "text:not-text"),
        ({"description": ["a", "b"]}, {"description": "a\nb"}, "text:not-text"),
        ({"format": 5}, {}, "text:not-text"),
        ({"examples": "x"}, {"examples": ["x"]}, "examples:not-a-list"),
        ({"anyOf": []}, {}, "keyword:empty"),
        ({"oneOf": {"type": "string"}}, {"oneOf": [{"type": "string"}]}, "keyword:not-a-list"),
        (
            {"items": [{"type": "string"}], "additionalItems": False},
            {"prefixItems": [{"type": "string"}], "items": False},
            "items:tuple",
        ),
        ({"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}, "dependencies:rewritten"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, {}, "schema:nested-dialect"),
        ({"properties": ["a", "b"]}, {}, "keyword:invalid"),
        (
            {"properties": [{"name": "a", "type": "string"}]},
            {"properties": {"a": {"type": "string"}}},
            "properties:list",
        ),
    ],
)
def test_each_fault_has_one_repair_and_one_note(served: Any, repaired: Any, code: str) -> None:
    assert parameter(served) == repaired
    assert codes_of(served) == [code]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "number", "boolean"]},
        {"anyOf": [{"type": "number"}, {"not": {}}, {"type": "null"}]},
        {"type": "array", "prefixItems": [{"type": "number"}], "title": "grid"},
        {"type": "object", "additionalProperties": {}, "propertyNames": {"pattern": "^x"}},
        {"type": "string", "format": "activesupport-time-zone"},
        {"type": "string", "enum": [str(index) for index in range(312)]},
        {"type": "string", "default": "not in enum", "enum": ["a"]},
        {"type": "string", "default": [-1, 1]},
        {"default": None, "type": "string"},
        {"const": None},
        {"x-custom": {"type": "nonsense"}, "examples": [{"type": "nonsense"}]},
        {"description": "<b>bold</b> {{template}}"},
        {},
        True,
    ],
)
def test_what_is_legal_stays_exactly_as_served(schema: Any) -> None:
    assert parameter(schema) == schema
    assert codes_of(schema) == []


def test_nullable_becomes_json_schema_in_every_position() -> None:
    root = {"$defs": {"Size": {"type": "integer"}}}
    assert parameter({"type": "string", "nullable": True}) == {"type": ["string", "null"]}
    assert parameter({"type": "string", "nullable": False}) == {"type": "string"}
    assert parameter({"type": "string", "enum": ["a"], "nullable": True}) == {
        "type": ["string", "null"],
        "enum": ["a", None],
    }
    assert parameter({"$ref": "#/$defs/Size", "nullable": True, "description": "d"}, **root) == {
        "description": "d",
        "anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}],
    }
    assert parameter({"anyOf": [{"type": "string"}], "nullable": True}) == {
        "anyOf": [{"type": "string"}, {"type": "null"}]
    }
    both = parameter({"allOf": [{"minimum": 1}], "anyOf": [{"type": "integer"}], "nullable": True})
    assert [compile_schema(both).is_valid(value) for value in (None, 1, 0, "x")] == [True, True, False, False]


def test_nullable_and_type_as_parameter_names_are_left_alone() -> None:
    properties = {
        "nullable": {"type": "boolean"},
        "enum": {"type": "string"},
        "items": {"type": "integer"},
        "$ref": {"type": "string"},
    }
    assert one({"type": "object", "properties": properties}).properties == properties


def test_enum_values_of_different_json_types_are_different() -> None:
    assert parameter({"enum": [1, True, "1", 1.0, None, False, 0]}) == {"enum": [1, True, "1", None, False, 0]}


@pytest.mark.parametrize(
    ("served", "names"),
    [
        ("a", ["a"]),
        (["a", "a", 3, None], ["a"]),
        ({"a": True, "b": False}, ["a"]),
        (None, []),
        (True, []),
        ([], []),
    ],
)
def test_required_ends_as_different_names(served: Any, names: list[str]) -> None:
    assert list(one({"type": "object", "properties": {"a": {}, "b": {}}, "required": served}).required) == names


def test_required_on_a_property_moves_to_its_parent_at_every_level() -> None:
    inner = {
        "type": "object",
        "properties": {"zip": {"type": "string", "required": True}, "town": {"type": "string", "required": False}},
    }
    tool = one({"type": "object", "required": ["x"], "properties": {"x": {}, "address": {**inner, "required": "true"}}})
    assert tool.required == ("x", "address")
    assert tool.properties["address"]["required"] == ["zip"]
    assert "required" not in tool.properties["address"]["properties"]["town"]


@pytest.mark.parametrize("declared", ["https://example.com/our-own", "http://json-schema.org/schema#", 7, ""])
def test_unknown_dialects_are_dropped(declared: Any) -> None:
    spec = spec_for({"$schema": declared, "type": "object", "properties": {"a": {"type": "string"}}})
    assert "$schema" not in spec.tools[0].input_schema
    assert codes(spec) == ["schema:unknown-dialect"]


def test_draft_4_becomes_draft_7() -> None:
    tool = one(
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "properties": {
                "p": {"type": "number", "minimum": 3, "exclusiveMinimum": True},
                "t": {"type": "array", "items": [{"type": "string"}]},
            },
        }
    )
    validator = compile_schema(tool.input_schema)
    assert validator.is_valid({"p": 4, "t": ["x"]})
    assert not validator.is_valid({"p": 3})
    assert not validator.is_valid({"t": [1]})


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-06/schema#"]
)
def test_declared_older_drafts_keep_their_rules(draft: str) -> None:
    schema = {"$schema": draft, "type": "object", "properties": {"t": {"type": "array", "items": [{"type": "string"}]}}}
    spec = spec_for(schema)
    assert spec.tools[0].input_schema == schema
    assert codes(spec) == []


def test_a_bad_identifier_is_dropped() -> None:
    spec = spec_for({"$id": "not a uri :::", "type": "object", "properties": {"a": {"type": "string"}}})
    assert "$id" not in spec.tools[0].input_schema
    assert codes(spec) == ["id:dropped"]


def test_invalid_keywords_go_one_by_one_and_nothing_else_does() -> None:
    served = {"type": "string", "pattern": "[z-a]", "minLength": 2, "readOnly": "sometimes", "description": "kept"}
    assert parameter(served) == {"type": "string", "minLength": 2, "description": "kept"}
    assert codes_of(served) == ["keyword:invalid", "keyword:invalid"]


def test_a_parameter_called_pattern_is_not_taken_for_the_keyword() -> None:
    tool = one({"type": "object", "properties": {"pattern": {"type": "string", "pattern": "(("}}})
    assert tool.properties == {"pattern": {"type": "string"}}


def test_numbers_beyond_64_bit_are_rounded_for_use_and_exact_in_the_original() -> None:
    tool = one({"type": "object", "properties": {"n": {"maximum": 10**40}}})
    assert tool.properties["n"]["maximum"] == 1e40
    assert tool.raw["inputSchema"]["properties"]["n"]["maximum"] == 10**40


def test_absent_null_and_default_stay_three_different_things() -> None:
    schema = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string"},
            "title": {"type": "string"},
            "due": {"type": ["string", "null"], "default": None},
            "limit": {"type": "integer", "default": 20},
        },
    }
    tool = one(schema)
    assert tool.input_schema == schema
    validator = compile_schema(tool.input_schema)
    assert validator.is_valid({"id": "i1"})
    assert validator.is_valid({"id": "i1", "due": None})
    assert [problem.path for problem in validator.problems({"id": "i1", "title": None, "limit": None})] == [
        "title",
        "limit",
    ]


def test_text_that_looks_like_json_keeps_its_type() -> None:
    schema = {
        "type": "object",
        "properties": {
            "body": {"type": "string"},
            "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        },
    }
    validator = compile_schema(one(schema).input_schema)
    assert validator.is_valid({"body": '{"k":1}', "tags": None})
    assert not validator.is_valid({"body": {"k": 1}})
    assert not validator.is_valid({"tags": '["a"]'})


def test_optional_arguments_stay_optional_and_open_objects_open() -> None:
    """Nothing of a provider's strict mode may leak into the stored schema."""
    schema = {
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "place": {"properties": {"room": {"type": "string"}}},
        },
    }
    assert one(schema).input_schema == schema


def test_a_reference_that_is_no_text_is_removed() -> None:
    spec = spec_for({"type": "object", "properties": {"p": {"$ref": 5, "type": "string"}}})
    assert spec.tools[0].properties["p"] == {"type": "string"}
    assert codes(spec) == ["ref:not-text"]


def test_an_invalid_keyword_next_to_a_parameter_of_its_name() -> None:
    """What is removed is named exactly, and properties as a whole never are."""
    tool = one({"type": "object", "properties": {"contentMediaType": {"type": "string", "deprecated": "x"}, "a": {}}})
    assert tool.properties == {"contentMediaType": {"type": "string"}, "a": {}}


def test_a_list_where_a_truth_value_belongs_is_removed() -> None:
    assert parameter({"type": "object", "additionalProperties": ["a"]}) == {"type": "object"}
