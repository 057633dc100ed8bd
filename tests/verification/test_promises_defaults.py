"""A stated default is what a call without the parameter does."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.verification.parameters import Parameter
from services_app.verification.promised_defaults import stated_default
from tests.verification.planting import HEALTHY, judge, report_of

TOOLS = '''
from typing import Annotated
from pydantic import Field


@service.tool()
def list_item_titles(
    state: Desk, ctx: CallContext,
    part: Annotated[str | None, Field(description="One of 'title', 'body' (default: 'title')")] = None,
    most: Annotated[int | None, Field(description="How many, default 2")] = None,
    least: Annotated[int | None, Field(description="Shortest title, default 3")] = None,
) -> dict:
    """List titles or bodies of items."""
    rows = [item for item in state.items if least is None or len(item.title) == least]
    rows = rows[: max(0, 2 if most is None else most)]
    return {"items": [{"text": item.body if part == "body" else item.title} for item in rows]}
'''


def test_left_out_is_the_same_as_the_default() -> None:
    report = report_of(judge(HEALTHY + TOOLS), "list_item_titles")
    outcomes = {check.name: check.outcome for check in report.checks if check.name.startswith("default:")}
    assert outcomes == {"default:part": "pass", "default:most": "pass", "default:least": "fail"}


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"type": "string", "default": "a"}, "a"),
        ({"type": "integer", "description": "Rows to show (default 20)"}, 20),
        ({"type": "integer", "description": "Page, defaults to 1."}, 1),
        ({"type": "boolean", "description": "Show all. Default: false"}, False),
        ({"type": "string", "description": "One of 'x', 'y'. Default: x"}, "x"),
        ({"type": "string", "description": "Defaults to 'USD'"}, "USD"),
        ({"type": "string", "description": "Defaults to the current user"}, None),
        ({"type": "string", "description": "The default branch"}, None),
        ({"type": "integer", "description": "Rows, default 20 per group"}, None),
        ({"type": "object", "default": {}}, None),
    ],
)
def test_defaults_that_are_stated(schema: dict[str, Any], default: Any) -> None:
    assert stated_default(Parameter("p", ("p",), schema, False)) == default
