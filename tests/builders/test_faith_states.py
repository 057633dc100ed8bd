"""Flags that say how the work is done, previews, hollow reads, writes by filters, parents that a bare id names."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.plan import Plan, ToolPlan
from services_app.builders.states import is_state, reshapes, work_said
from services_app.specs.model import Source, Specification, ToolSpec


def tool(name: str, properties: dict[str, Any], *, about: str = "", required: tuple[str, ...] = ()) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=name, description=about, input_schema=schema)


def plan_of(*tools: ToolSpec) -> Plan:
    return analyse(
        Specification(slug="works", title="Works", source=Source(kind="file", locator="works.json"), tools=tools)
    )


def planned(plan: Plan, name: str) -> ToolPlan:
    return next(item for item in plan.tools if item.name == name)


def flag(said: str) -> dict[str, Any]:
    return {"type": "boolean", "description": said}


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("name", "said", "state"),
    [
        ("archived", "Only archived boards", True),
        ("is_read", "", True),
        ("pool", "Swimming pool", True),
        ("raw_response", "Return full API response if true", False),
        ("skip_invalid", "", False),
        ("ascending", "Sort in ascending order", True),
    ],
)
def test_flags_that_choose_are_told_from_flags_that_work(name: str, said: str, state: bool) -> None:
    assert is_state(name, flag(said)) is state


def test_what_a_flag_of_a_write_does() -> None:
    assert work_said(flag("If true (default), returns a preview. If false, applies the update.")) == "dry_run"
    assert work_said(flag("Set to true to reference the task by its custom task ID")) == "presentation"
    assert work_said(flag("If true, overwrite the file that is there")) == "more"
    assert work_said(flag("Whether the page is published")) == ""
    assert reshapes(flag("Group the response by student instead of a flat list"))
    assert not reshapes(flag("Only groups that are open"))


def test_a_preview_that_is_on_by_default_keeps_nothing() -> None:
    draft = flag("If true, validate and show preview without creating (default: true)")
    plan = plan_of(
        tool("create_invoice", {"title": TEXT, "draft": draft}, required=("title",)), tool("list_invoices", {})
    )
    made = planned(plan, "create_invoice")
    assert made.dry_run == "draft"
    assert made.defaults["draft"] is True
    assert "draft" not in plan.entities["invoice"].fields


def test_a_flag_of_work_is_no_column_of_the_rows() -> None:
    plan = plan_of(
        tool("create_note", {"title": TEXT, "text": TEXT}, required=("title",)),
        tool("list_notes", {"title": TEXT, "generate_preview": flag("Generate a preview when supported")}),
    )
    assert "generate_preview" in planned(plan, "list_notes").inert
    assert "generate_preview" not in plan.entities["note"].fields


def test_lists_of_values_choose_by_the_field_that_each_record_has() -> None:
    several = {"type": "array", "items": {"type": "string", "enum": ["open", "done"]}}
    plan = plan_of(
        tool("create_task", {"title": TEXT, "status": TEXT}, required=("title",)),
        tool("list_tasks", {"statuses": several}),
    )
    assert [item.field for item in planned(plan, "list_tasks").filters] == ["status"]


def test_records_are_deleted_by_the_filters_that_are_sent() -> None:
    words = {"type": "array", "items": {"type": "string"}}
    numbers = {"type": "array", "items": {"type": "integer"}}
    plan = plan_of(
        tool("create_job", {"title": TEXT, "status": TEXT}, required=("title",)),
        tool("list_jobs", {"statuses": words}),
        tool("delete_jobs", {"statuses": words, "uids": numbers}, about="Delete jobs based on provided filters"),
    )
    gone = planned(plan, "delete_jobs")
    assert gone.kind == "written"
    assert "some_filter" in gone.body[0]


def test_a_bare_id_names_the_record_itself_where_another_tool_lists_such_records() -> None:
    plan = plan_of(
        tool("business_units_create", {"name": TEXT}, required=("name",)),
        tool("business_units_search", {"keywords": TEXT}),
        tool("business_units_get", {"id": TEXT}, required=("id",)),
    )
    assert planned(plan, "business_units_get").kind == "get"


def test_a_read_that_shows_only_what_it_is_asked_by_is_left_out() -> None:
    plan = plan_of(tool("get_flux_reading", {"grain": TEXT, "window_kind": TEXT}, about="Gets a flux reading"))
    assert "nothing says what" in plan.left_out["get_flux_reading"]


def test_a_state_that_is_sent_is_the_state_that_is_set() -> None:
    states = {"type": "string", "enum": ["active", "resolved"]}
    plan = plan_of(
        tool("create_issue", {"title": TEXT}, required=("title",)),
        tool("get_issue", {"issue_id": TEXT}, required=("issue_id",)),
        tool("resolve_issue", {"issue_id": TEXT, "workflow_state": states}, required=("issue_id", "workflow_state")),
    )
    assert planned(plan, "resolve_issue").kind == "update"
