"""IMPORT-1 and IMPORT-2: references keep their targets, recursion stays finite, nothing is fetched."""

from __future__ import annotations

import json
import time

import pytest

from services_app.engine.schema import compile_schema
from services_app.specs.files import load_text
from services_app.specs.limits import ImportLimits
from tests.specs.helpers import codes, note, one, refusal, spec_for, spec_of

BOOKING = {
    "type": "object",
    "required": ["stay"],
    "properties": {
        "stay": {"$ref": "#/$defs/Stay"},
        "board": {"$ref": "#/$defs/Board", "description": "which meals are wanted"},
        "legacy_code": {"$ref": "#/definitions/Code"},
    },
    "$defs": {
        "Stay": {
            "type": "object",
            "required": ["night", "room"],
            "properties": {"night": {"type": "string"}, "room": {"$ref": "#/$defs/Room"}},
        },
        "Room": {"type": "object", "required": ["number"], "properties": {"number": {"type": "string"}}},
        "Board": {"enum": ["none", "half", "full"]},
    },
    "definitions": {"Code": {"type": "integer", "minimum": 1}},
}


def test_definitions_of_both_kinds_survive_with_the_text_beside_a_reference() -> None:
    schema = one(BOOKING).input_schema
    assert schema["$defs"].keys() == {"Stay", "Room", "Board"}
    assert schema["definitions"]["Code"]["minimum"] == 1
    assert schema["properties"]["board"]["description"] == "which meals are wanted"


def test_an_error_deep_in_a_definition_is_named_by_its_path() -> None:
    validator = compile_schema(one(BOOKING).input_schema)
    problems = validator.problems({"stay": {"night": "Monday", "room": {}}})
    assert [problem.path for problem in problems] == ["stay.room.number"]
    assert validator.is_valid({"stay": {"night": "Monday", "room": {"number": "12"}}, "board": "half"})


def test_a_dangling_reference_costs_only_its_own_tool_and_is_named() -> None:
    refused = refusal({"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Lost"}}}})
    assert refused.code == "ref:dangling"
    assert refused.pointer == "/inputSchema/properties/a/items/$ref"
    assert "#/$defs/Lost" in refused.message


@pytest.mark.parametrize(
    "reference",
    ["http://example.com/schema.json", "https://example.com/x#/$defs/A", "other.json", "file:///etc/passwd"],
)
def test_a_reference_to_elsewhere_is_refused_and_never_fetched(reference: str) -> None:
    assert refusal({"type": "object", "properties": {"a": {"$ref": reference}}}).code == "ref:remote"


def test_a_reference_to_something_that_is_no_schema_is_refused() -> None:
    refused = refusal({"type": "object", "properties": {"a": {"$ref": "#/required"}, "b": {}}, "required": ["b"]})
    assert refused.code == "ref:not-a-schema"


def test_recursive_types_import_quickly_as_plain_json_and_check_every_level() -> None:
    spec = spec_of(
        {
            "name": "keep_outline",
            "inputSchema": {
                "type": "object",
                "properties": {"top": {"$ref": "#/$defs/Entry"}},
                "$defs": {
                    "Entry": {
                        "type": "object",
                        "required": ["text"],
                        "properties": {
                            "text": {"type": "string"},
                            "below": {"type": "array", "items": {"$ref": "#/$defs/Entry"}},
                        },
                    }
                },
            },
        },
        {
            "name": "keep_filter",
            "inputSchema": {
                "type": "object",
                "properties": {"every": {"$ref": "#/$defs/Group"}},
                "$defs": {
                    "Group": {
                        "type": "object",
                        "properties": {"named": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Part"}}},
                    },
                    "Part": {
                        "type": "object",
                        "properties": {"groups": {"type": "array", "items": {"$ref": "#/$defs/Group"}}},
                    },
                },
            },
        },
        {
            "name": "keep_menu",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "top": {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string"},
                            "below": {"type": "array", "items": {"$ref": "#/properties/top"}},
                        },
                    }
                },
            },
        },
    )
    assert len(spec.tools) == 3
    assert spec.notes == ()
    json.dumps([tool.input_schema for tool in spec.tools])
    for name in ("keep_outline", "keep_menu"):
        validator = compile_schema(spec.tool(name).input_schema)
        assert validator.is_valid({"top": {"text": "a", "below": [{"text": "b", "below": [{"text": "c"}]}]}})
        problems = validator.problems({"top": {"text": "a", "below": [{"text": 5}]}})
        assert [problem.path for problem in problems] == ["top.below.0.text"]
    loop = compile_schema(spec.tool("keep_filter").input_schema)
    assert not loop.is_valid({"every": {"named": {"x": {"groups": [{"named": {"y": {"groups": 3}}}]}}}})


def test_references_into_alternatives_of_another_property_hold() -> None:
    schema = {
        "type": "object",
        "properties": {
            "block": {
                "anyOf": [
                    {"type": "object", "properties": {"inner": {"$ref": "#/properties/block/anyOf/1"}}},
                    {"type": "integer"},
                ]
            }
        },
    }
    validator = compile_schema(one(schema).input_schema)
    assert validator.is_valid({"block": {"inner": 3}})
    assert not validator.is_valid({"block": {"inner": "x"}})


def test_a_definition_kept_under_the_other_word_is_found_and_noted() -> None:
    spec = spec_for(
        {"type": "object", "properties": {"a": {"$ref": "#/definitions/Size"}}, "$defs": {"Size": {"enum": ["s", "m"]}}}
    )
    assert spec.tools[0].properties["a"]["$ref"] == "#/$defs/Size"
    assert note(spec, "ref:rewritten").severity == "warning"


def test_anchors_and_ids_become_pointers() -> None:
    schema = {
        "$id": "https://shop.example/order.json",
        "type": "object",
        "properties": {
            "a": {"$ref": "#line"},
            "b": {"$ref": "https://shop.example/order.json#/$defs/Price"},
            "c": {"$ref": "address.json"},
            "d": {"$ref": "#old"},
        },
        "$defs": {
            "Line": {"$anchor": "line", "type": "string"},
            "Price": {"type": "number"},
            "Address": {
                "$id": "address.json",
                "properties": {"zip": {"$ref": "#/$defs/Zip"}},
                "$defs": {"Zip": {"type": "integer"}},
            },
            "Old": {"$id": "#old", "type": "boolean"},
        },
    }
    tool = one(schema)
    references = {name: part["$ref"] for name, part in tool.properties.items()}
    assert references == {"a": "#/$defs/Line", "b": "#/$defs/Price", "c": "#/$defs/Address", "d": "#/$defs/Old"}
    assert "$id" not in json.dumps(tool.input_schema)
    validator = compile_schema(tool.input_schema)
    assert validator.is_valid({"a": "x", "b": 1.5, "c": {"zip": 1}, "d": True})
    assert [problem.path for problem in validator.problems({"c": {"zip": "x"}})] == ["c.zip"]


def test_names_with_spaces_slashes_and_foreign_letters_are_escaped() -> None:
    names = ["a b", "x/y", "t~u", "größe", "Page[Item]"]
    steps = ["a b", "x~1y", "t~0u", "größe", "Page[Item]"]
    schema = {
        "type": "object",
        "properties": {f"p{index}": {"$ref": f"#/$defs/{step}"} for index, step in enumerate(steps)},
        "$defs": {name: {"type": "integer"} for name in names},
    }
    validator = compile_schema(one(schema).input_schema)
    assert validator.is_valid({f"p{index}": 1 for index in range(5)})
    assert len(validator.problems({f"p{index}": "x" for index in range(5)})) == 5


def test_a_root_that_is_only_a_reference_shows_its_parameters() -> None:
    spec = spec_for(
        {
            "$ref": "#/definitions/Arguments",
            "definitions": {
                "Arguments": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}}
            },
        }
    )
    assert spec.tools[0].properties == {"k": {"type": "string"}}
    assert spec.tools[0].required == ("k",)
    assert "root:reference" in codes(spec)


def test_references_that_go_round_in_a_circle_end() -> None:
    circle = {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}
    assert refusal({"$ref": "#/$defs/A", "$defs": circle}).code == "ref:loop"
    assert one({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": circle}).properties
    assert one({"$ref": "#"}).input_schema == {"type": "object", "properties": {}}


def test_dynamic_references_become_plain_ones() -> None:
    tool = one(
        {
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "type": "object",
            "properties": {"next": {"$recursiveRef": "#"}},
        }
    )
    assert tool.properties["next"] == {"$ref": "#"}


def test_an_unused_definition_may_refer_to_nothing() -> None:
    spec = spec_for(
        {
            "type": "object",
            "$defs": {
                "Dead": {"$ref": "#/$defs/None"},
                "Far": {"$ref": "http://example.com/x"},
                "Ok": {"type": "string"},
            },
        }
    )
    assert spec.tools[0].input_schema["$defs"] == {"Dead": {}, "Far": {}, "Ok": {"type": "string"}}
    assert codes(spec).count("ref:unused") == 2


def test_schemas_kept_under_words_of_their_own_are_repaired_too() -> None:
    tool = one(
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/components/schemas/Money"}},
            "components": {"schemas": {"Money": {"type": "float", "nullable": True}}},
        }
    )
    assert tool.input_schema["components"]["schemas"]["Money"] == {"type": ["number", "null"]}


def test_alternatives_that_multiply_are_refused_in_time() -> None:
    levels = {"L0": {"type": "string"}}
    for index in range(40):
        levels[f"L{index + 1}"] = {"anyOf": [{"$ref": f"#/$defs/L{index}"}] * 2}
    start = time.process_time()
    refused = refusal({"type": "object", "properties": {"a": {"$ref": "#/$defs/L40"}}, "$defs": levels})
    assert refused.code == "bound:alternatives"
    assert time.process_time() - start < 2


def test_the_number_of_references_is_bounded() -> None:
    schema = {
        "type": "object",
        "properties": {f"p{i}": {"$ref": f"#/$defs/D{i}"} for i in range(30)},
        "$defs": {f"D{i}": {} for i in range(30)},
    }
    text = json.dumps([{"name": "many", "inputSchema": schema}, {"name": "sibling"}])
    spec = load_text(text, "x.json", limits=ImportLimits(schema_refs=20))
    assert [(item.name, item.code) for item in spec.refused] == [("many", "bound:refs")]
    assert "20" in spec.refused[0].message
