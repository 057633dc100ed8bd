"""Every value that a specification names for a reading parameter is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.verification.documented import named_by_schema
from services_app.verification.parameters import Parameter
from tests.verification.planting import HEALTHY, SIBLINGS, failing, judge, report_of

LISTING = '''
from typing import Annotated, Literal
from pydantic import Field


@service.tool()
def list_item_titles(
    state: Desk, ctx: CallContext,
    part: Annotated[str, Field(description="One of 'title', 'body'")] = "title",
    limit: int = 50,
) -> dict:
    """List titles or bodies of items."""
    if part not in ({ACCEPTED}):
        raise ToolError(400, "unknown_part", f"part cannot be {part}.")
    return {"items": [{"id": item.id, part: getattr(item, part)} for item in state.items][: max(0, limit)]}
'''


def judged(accepted: str) -> set[str]:
    report = judge(HEALTHY + LISTING.replace("{ACCEPTED}", accepted))
    assert {tool.name for tool in report.tools if tool.status == "verified"} >= SIBLINGS
    assert "documented:part" in {check.name for check in report_of(report, "list_item_titles").checks}
    return failing(report, "list_item_titles")


def test_a_documented_value_that_is_refused_fails() -> None:
    assert "documented" in judged("'title', 'other'")


def test_documented_values_that_are_taken_pass() -> None:
    assert "documented" not in judged("'title', 'body'")


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string", "enum": ["a", "b"]}, ["a", "b"]),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, [["a"], ["b"]]),
        ({"type": "array", "items": {"type": "string"}, "description": "One of 'a', 'b'"}, [["a"], ["b"]]),
        ({"type": "string", "description": "Valid values: a, b."}, ["a", "b"]),
        ({"type": "integer", "enum": list(range(12))}, list(range(8))),
        ({"type": "string", "description": "A name"}, []),
    ],
)
def test_values_that_a_schema_names(schema: dict[str, Any], values: list[Any]) -> None:
    assert named_by_schema(Parameter("kind", ("kind",), schema, False)) == values
