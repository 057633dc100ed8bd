"""Bounds: the words say which one was hit, and siblings are unharmed."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from services_app.specs.errors import SpecError
from services_app.specs.files import load_text
from services_app.specs.limits import ImportLimits, measure, prune
from services_app.specs.model import Specification
from tests.specs.helpers import note, refusal, spec_of


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "code", "words"),
    [
        (nested(40), "bound:depth", "60 levels"),
        (
            {"type": "object", "properties": {f"p{index}": {"type": "string"} for index in range(30_000)}},
            "bound:nodes",
            "50,000",
        ),
        ({"type": "object", "description": "y" * (2 << 20)}, "bound:bytes", "1,048,576"),
    ],
)
def test_oversized_schemas_are_refused_by_name_of_the_bound(schema: Any, code: str, words: str) -> None:
    refused = refusal(schema)
    assert refused.code == code
    assert words in refused.message


def test_a_schema_just_inside_the_bounds_is_fine() -> None:
    spec = spec_of({"name": "deep", "inputSchema": nested(29)})
    assert len(spec.tools) == 1
    assert measure(spec.tools[0].input_schema).depth <= 60


def test_data_far_deeper_than_any_reader_goes_is_cut_from_the_original_with_a_note() -> None:
    text = json.dumps({"tools": [{"name": "fine"}, {"name": "deep", "inputSchema": 1}]}).replace(
        '"inputSchema": 1', '"inputSchema": ' + '{"a":' * 800 + "1" + "}" * 800
    )
    spec = load_text(text, "deep.json")
    assert [tool.name for tool in spec.tools] == ["fine"]
    assert spec.refused[0].code == "bound:depth"
    assert note(spec, "raw:depth").tool is None
    assert Specification.model_validate_json(spec.model_dump_json()) == spec


def test_a_file_nested_beyond_what_can_be_parsed_is_one_clear_error() -> None:
    with pytest.raises(SpecError) as caught:
        load_text("[" * 200_000, "abyss.json")
    assert caught.value.kind == "file:too-deep"


def test_files_and_lists_beyond_the_limit_are_refused_whole() -> None:
    with pytest.raises(SpecError) as caught:
        load_text("x" * 100, "big.json", limits=ImportLimits(file_bytes=99))
    assert caught.value.kind == "file:too-large"
    with pytest.raises(SpecError) as caught:
        load_text(
            json.dumps([{"name": f"t{index}"} for index in range(11)]), "many.json", limits=ImportLimits(tools=10)
        )
    assert caught.value.kind == "file:too-many-tools"
    assert "11" in caught.value.message


def test_endless_names_are_refused_and_endless_descriptions_cut() -> None:
    spec = spec_of({"name": "n" * 300}, {"name": "t", "description": "d" * 40_000})
    assert [item.code for item in spec.refused] == ["bound:name"]
    assert len(spec.tools[0].description) == 32_000
    assert note(spec, "bound:description").tool == "t"


def test_large_but_legal_schemas_import_quickly() -> None:
    kinds = {
        f"K{index}": {
            "type": "object",
            "properties": {
                "next": {"$ref": f"#/$defs/K{(index + 1) % 400}"},
                "text": {"type": "string", "description": "x" * 200},
            },
        }
        for index in range(400)
    }
    start = time.process_time()
    spec = spec_of(
        {
            "name": "board",
            "inputSchema": {"type": "object", "properties": {"first": {"$ref": "#/$defs/K0"}}, "$defs": kinds},
        }
    )
    assert len(spec.tools) == 1
    assert time.process_time() - start < 3


def test_measure_counts_values_and_levels() -> None:
    assert measure(1) == (1, 0)
    assert measure({"a": [1, 2, {"b": 3}]}) == (6, 3)
    assert measure([]) == (1, 0)


def test_prune_keeps_everything_above_the_cut() -> None:
    assert prune({"a": {"b": 1}}, 2) == ({"a": {"b": 1}}, False)
    cut, changed = prune({"a": {"b": [1]}, "c": 2}, 2)
    assert changed
    assert cut["c"] == 2
    assert isinstance(cut["a"]["b"], str)


def test_notes_are_few_and_short_whatever_is_served() -> None:
    long = "n" * 3000
    properties = {f"p{index}": {"type": "any"} for index in range(2000)}
    spec = spec_of(
        {"name": "noisy", "inputSchema": {"type": "object", "properties": properties}},
        {"name": "long", "inputSchema": {"type": "object", "properties": {long: {"$ref": f"#/$defs/{long}"}}}},
    )
    noisy = spec.notes_for("noisy")
    assert len(noisy) == 301
    assert noisy[-1].code == "notes:more"
    assert spec.tools[0].properties == {name: {} for name in properties}
    assert spec.refused[0].code == "ref:dangling"
    assert all(len(item.message) <= 500 and len(item.pointer) <= 500 for item in (*spec.notes, *spec.refused))
