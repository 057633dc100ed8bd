"""Fitting results to output schemas: facts under the names that are asked for, nothing invented."""

from typing import Any

import pytest

from services_app.engine.schema import compile_schema
from services_app.engine.shaping import fit

TEXT = {"type": "string"}
RECORD = {"type": "object", "properties": {"id": TEXT, "size": {"type": "integer"}}, "required": ["id", "size"]}


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ({"id": "a", "size": 3}, RECORD, {"id": "a", "size": 3}),
        ({"id": "a", "size": None}, RECORD, {"id": "a", "size": 0}),
        (
            {"cars": [{"id": "a", "size": "7"}], "total": 1},
            {
                "type": "object",
                "properties": {"items": {"type": "array", "items": RECORD}, "count": {"type": "integer"}},
            },
            {"items": [{"id": "a", "size": 7}], "count": 1},
        ),
        (
            {"id": "a"},
            {
                "type": "object",
                "properties": {
                    "data": {"$ref": "#/$defs/R"},
                    "error": {"type": ["string", "null"]},
                    "successful": {"type": "boolean"},
                },
                "required": ["data", "successful"],
                "$defs": {"R": RECORD},
            },
            {"data": {"id": "a", "size": 0}, "successful": True},
        ),
        ({"deleted": True, "id": "x"}, {"type": "object", "additionalProperties": False}, {}),
        (
            {"id": "x"},
            {"type": "object", "properties": {"result": TEXT}, "required": ["result"]},
            {"result": '{"id": "x"}'},
        ),
        (
            {"state": "strange"},
            {"type": "object", "properties": {"state": {"enum": ["open", "closed"], "type": "string"}}},
            {"state": "open"},
        ),
    ],
)
def test_fits(value: Any, schema: dict[str, Any], expected: Any) -> None:
    fitted = fit(value, schema)
    assert fitted == expected
    assert compile_schema(schema).is_valid(fitted)
