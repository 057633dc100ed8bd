"""Flags that say what is done are no values of records; a flag that adds takes nothing away."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.verification.parameters import Parameter
from services_app.verification.promised_controls import is_control
from tests.verification.planting import HEALTHY, failing, judge, report_of

TOOLS = '''
from typing import Annotated
from pydantic import Field


class Sheet(Record):
    about = About("sheet", prefix="SHE-")
    title: str
    skip_checks: bool = False
    hidden: bool = False
    archived: bool = False


class Desk(State):
    items: Table[Item]
    sheets: Table[Sheet]


service = Service("desk", title="Desk", description="Items on a desk.", state=Desk)


@service.seed
def seed(state: Desk, ctx: SeedContext) -> None:
    for number in range(4):
        state.sheets.create(title=f"Sheet {number}", hidden=number == 1, archived=number == 2)


@service.tool()
def list_sheets(
    state: Desk, ctx: CallContext,
    include_archived: Annotated[bool, Field(description="Whether to include archived sheets")] = False,
    include_hidden: Annotated[bool, Field(description="If true, include hidden sheets")] = False,
) -> dict:
    """List sheets."""
    rows = [s for s in state.sheets if (s.archived if include_archived else True) and (include_hidden or not s.hidden)]
    return {"sheets": [{"id": row.id, "title": row.title, "body": "on paper"} for row in rows]}


@service.tool()
def create_sheet(
    state: Desk, ctx: CallContext, title: str,
    skip_checks: Annotated[bool, Field(description="If true, skip all checks of the title")] = False,
    archived: Annotated[bool, Field(description="Whether the sheet is archived")] = False,
) -> Sheet:
    """Create a sheet."""
    return state.sheets.create(title=title, skip_checks=skip_checks, archived=archived)


@service.tool()
def create_plain_sheet(
    state: Desk, ctx: CallContext, title: str,
    force: Annotated[bool, Field(description="If true, overwrite a sheet of this title")] = False,
) -> Sheet:
    """Create a sheet."""
    found = state.sheets.first(title=title)
    if found is not None and not force:
        raise ToolError(409, "exists", "There is one.")
    return found or state.sheets.create(title=title)
'''
SOURCE = HEALTHY[: HEALTHY.index("class Desk")] + TOOLS


def test_controls_are_no_fields_and_what_adds_takes_nothing_away() -> None:
    report = judge(SOURCE)
    assert "control" in failing(report, "create_sheet")
    assert "control" not in failing(report, "create_plain_sheet")
    failed = {check.name for check in report_of(report, "list_sheets").checks if check.outcome == "fail"}
    assert "adds:include_archived" in failed
    assert "adds:include_hidden" not in failed
    checked = {check.name for check in report_of(report, "create_sheet").checks}
    assert "control:skip_checks" in checked
    assert "control:archived" not in checked


@pytest.mark.parametrize(
    ("name", "schema", "reads", "control"),
    [
        (
            "count",
            {"type": "boolean", "description": "When enabled, the response will include the count."},
            False,
            True,
        ),
        ("include_bio", {"type": "boolean", "description": "Whether to include the biography"}, True, True),
        ("dry", {"type": "boolean", "description": "Simulate the change"}, False, True),
        ("is_private", {"type": "boolean", "description": "Set to true to create a private channel"}, False, False),
        ("archived", {"type": "boolean", "description": "Whether the task is archived"}, True, False),
        ("response_format", {"type": "string"}, True, True),
        ("include", {"type": "string", "description": "Include these parts"}, True, False),
    ],
)
def test_what_is_a_control(name: str, schema: dict[str, Any], reads: bool, control: bool) -> None:
    assert is_control(Parameter(name, (name,), schema, False), reads=reads) is control
