"""Whatever JSON stands where a schema or tool belongs: no crash, siblings unharmed, results that compile."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services_app.engine.schema import compile_schema
from services_app.specs.keywords import KNOWN, places, resolve, target_of
from services_app.specs.linter import lint
from services_app.specs.model import Specification
from tests.specs.helpers import spec_for, spec_of

WORDS = sorted(KNOWN | {"x-other"})
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.sampled_from(
        [
            "",
            "string",
            "object",
            "#",
            "#/$defs/a",
            "#/properties/a/items",
            "#a",
            "http://x/y",
            "((",
            "int",
            "é/~%20",
            "\ud800",
        ]
    ),
)
schemas = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
        st.dictionaries(st.sampled_from(["a", "b", "type", "properties", "name", "required"]), inner, max_size=3),
    ),
    max_leaves=25,
)
steady = settings(
    derandomize=True, deadline=None, max_examples=400, suppress_health_check=list(HealthCheck), database=None
)


@steady
@given(schemas)
def test_any_input_schema(schema: Any) -> None:
    _check(spec_for(schema, outputSchema=schema))


@steady
@given(
    st.dictionaries(st.sampled_from(WORDS), schemas, max_size=6),
    st.dictionaries(st.sampled_from(["a", "b", "c~/d"]), schemas),
)
def test_any_keywords_in_an_object_schema(root: dict[str, Any], properties: dict[str, Any]) -> None:
    spec = spec_for({**root, "type": "object", "properties": properties, "$defs": {"a": {"type": "string"}}})
    _check(spec)
    if len(spec.tools) == 2 and not isinstance(properties.get("type"), str):
        assert {name.encode("utf-8", "replace") for name in properties} <= {
            name.encode() for name in spec.tools[0].properties
        }


@steady
@given(schemas)
def test_any_tool(tool: Any) -> None:
    spec = spec_of(tool, {"name": "sibling", "inputSchema": {"type": "object"}})
    assert spec.tools[-1].name == "sibling"
    _check(spec)


def _check(spec: Specification) -> None:
    assert spec.tools[-1].name == "sibling"
    for tool in spec.tools:
        assert tool.input_schema["type"] == "object"
        assert isinstance(tool.properties, dict)
        compile_schema(tool.input_schema).problems({})
        for _, item in places(tool.input_schema):
            if isinstance(item, dict) and "$ref" in item:
                assert resolve(tool.input_schema, target_of(item["$ref"]))[0]
    for refused in spec.refused:
        assert refused.message
    assert Specification.model_validate_json(spec.model_dump_json()) == spec
    json.dumps(spec.model_dump(mode="json"), allow_nan=False).encode()
    lint(spec)
