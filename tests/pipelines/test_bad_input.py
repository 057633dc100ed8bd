"""Specifications at the edge: each ends in a truthful report, of the import and of the build."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from services_app.builders.rules import build_with_rules
from services_app.engine.naming import exposed_names
from services_app.engine.schema import compile_schema
from services_app.pipelines.building import verify_built
from services_app.specs.files import load_text
from services_app.specs.lint_score import lint_report
from services_app.specs.model import Specification
from services_app.verification.report import VerificationReport
from services_app.verification.static import static_problems

pytestmark = [pytest.mark.timeout(600)]

TEXT = {"type": "string"}


def imported(*tools: dict[str, Any], name: str = "edge") -> Specification:
    return load_text(json.dumps({"name": name, "tools": list(tools)}), f"{name}.json")


def tool(name: str, schema: Any = None, **more: Any) -> dict[str, Any]:
    described = {"name": name, "description": "Of the case that is open."}
    return {**described, "inputSchema": schema or {"type": "object"}, **more}


def judged(spec: Specification) -> VerificationReport:
    """Build and verify; every tool must end with a verdict, each quarantine with a reason."""
    built = build_with_rules(spec)
    assert not static_problems(built.files, built.module)
    assert set(built.left_out) <= {each.name for each in spec.tools}
    assert all(reason.strip() for reason in built.left_out.values())
    info, report = verify_built(built, spec, lambda done, total, phase: None)
    assert info is not None, report.problems
    names = {each.name for each in report.tools} | set(built.left_out)
    assert names == {each.name for each in spec.tools}
    assert all(each.reason for each in report.tools if each.status == "quarantined")
    return report


@pytest.mark.slow
def test_seven_hundred_tools() -> None:
    nouns = [f"part{number}" for number in range(140)]
    one, titled = {"{}_id": TEXT}, {"{}_id": TEXT, "title": TEXT}
    shapes = (
        ("list_{}s", {}, ""),
        ("get_{}", one, "{}_id"),
        ("create_{}", {"title": TEXT}, "title"),
        ("delete_{}", one, "{}_id"),
        ("update_{}", titled, "{}_id"),
    )
    tools = [
        tool(
            shape.format(noun),
            {
                "type": "object",
                "properties": {key.format(noun): value for key, value in properties.items()},
                "required": [required.format(noun)] if required else [],
            },
        )
        for noun in nouns
        for shape, properties, required in shapes
    ]
    started = time.monotonic()
    spec = imported(*tools)
    assert (len(spec.tools), spec.refused) == (700, ())
    assert time.monotonic() - started < 20
    built = build_with_rules(spec)
    assert len(built.left_out) < 70
    assert time.monotonic() - started < 60
    assert not static_problems(built.files, built.module)
    assert len(set(exposed_names(spec.slug, (each.name for each in spec.tools)).values())) == 700


def test_five_megabytes_of_descriptions() -> None:
    long = "Lists the cases of the office. Returns the title, status and owner of each, and a lot more. " * 6_000
    spec = imported(
        *(tool(f"list_case{number}s", description=long) for number in range(10)), tool("get_case", description="x")
    )
    assert sum(len(each.description) for each in spec.tools) < 10 * 33_000
    assert sum(note.code == "bound:description" for note in spec.notes) >= 10, "the cut is said for each"
    assert {note.code for note in lint_report(spec).notes} >= {"description:long"}
    report = judged(spec)
    assert len(report.tools) >= 1


def test_chinese_names_and_texts() -> None:
    order = {"type": "object", "properties": {"订单号": TEXT, "数量": {"type": "integer", "description": "数量"}}}
    spec = imported(
        tool("查询订单", order, description="按订单号查询订单。"),
        tool("列出订单", description="列出所有订单。"),
        tool("查询 订单", description="另一种写法。"),
        tool("レポート出力", description="レポートを出力する。"),
        tool("list_orders", description="列出订单"),
        name="订单服务",
    )
    assert spec.slug
    assert [each.name for each in spec.tools] == ["查询订单", "列出订单", "查询 订单", "レポート出力", "list_orders"]
    exposed = exposed_names(spec.slug, (each.name for each in spec.tools))
    assert len(set(exposed.values())) == 5
    assert all(name.isascii() and len(name) <= 64 for name in exposed.values())
    judged(spec)


def test_only_invalid_schemas() -> None:
    bad = [
        {"type": "object", "properties": {"x": {"$ref": "#/$defs/Gone"}}},
        {"type": "object", "properties": {"x": {"$ref": "https://elsewhere.example/schema"}}},
        {"type": "array", "items": {}},
        {"type": "object", "properties": {"x": {"pattern": "("}}},
        "a text",
    ]
    spec = imported(*(tool(f"tool_{number}", schema) for number, schema in enumerate(bad)))
    assert len(spec.tools) + len(spec.refused) == len(bad)
    assert len(spec.refused) >= 2
    assert all(refusal.message.endswith(".") and refusal.code for refusal in spec.refused)
    for each in spec.tools:
        compile_schema(each.input_schema)
    report = lint_report(spec)
    assert report.score is not None
    assert report.score <= 100 * len(spec.tools) // len(bad)
    built = build_with_rules(spec)
    assert set(built.left_out) <= {each.name for each in spec.tools}


def test_no_usable_tool_at_all_is_a_report_and_not_a_crash() -> None:
    spec = imported(tool("one", {"properties": {"x": {"$ref": "#/$defs/Gone"}}}), tool("two", {"$ref": "#/nowhere"}))
    assert (spec.tools, [refusal.name for refusal in spec.refused]) == ((), ["one", "two"])
    assert lint_report(spec).score == 0
    built = build_with_rules(spec)
    assert built.left_out == {}
