"""Own tests run on this side: counted, believed only for what calls answer, missed when there are none."""

from __future__ import annotations

import time
from typing import Any

import pytest

from services_app.engine.environment import ProductEnvironment
from services_app.engine.service import Service
from services_app.verification.gate import verify_service
from services_app.verification.own_tests import NotATestError, read_own_tests
from services_app.verification.report import VerificationReport
from tests.verification.planting import HEALTHY, report_of


def service(source: str = HEALTHY) -> Service:
    space: dict[str, Any] = {}
    exec(compile(source, "planted.py", "exec", dont_inherit=True), space)
    found: Service = space["service"]
    return found


def judged(tests: list[dict[str, Any]] | None) -> VerificationReport:
    made = service()
    return verify_service("desk", "", lambda: ProductEnvironment([made]), timer=time.monotonic, own_tests=tests)


def test_a_life_passes_and_is_counted() -> None:
    steps = [
        {"tool": "create_item", "arguments": {"title": "A"}, "expect": {"success": True}, "keep": {"made": ["id"]}},
        {"tool": "get_item", "arguments": {"item_id": {"kept": "made"}}, "expect": {"success": True}},
        {"tool": "list_items", "arguments": {}, "expect": {"success": True, "holds": {"kept": "made"}}},
        {"tool": "delete_item", "arguments": {"item_id": {"kept": "made"}}, "expect": {"success": True}},
        {"tool": "get_item", "arguments": {"item_id": {"kept": "made"}}, "expect": {"success": False}},
    ]
    report = judged([{"name": "life", "steps": steps}])
    assert report.own_tests == {"expected": 1, "ran": 1, "passed": 1, "failed": 0}
    assert not report.quarantined


@pytest.mark.parametrize(
    "step",
    [
        {"tool": "get_item", "arguments": {"item_id": "nope"}, "expect": {"success": True}},
        {"tool": "get_item", "arguments": {"item_id": "ITM-0001"}, "expect": {"success": False}},
        {"tool": "get_item", "arguments": {"item_id": "ITM-0001"}, "expect": {"success": True, "holds": "elsewhere"}},
        {
            "tool": "get_item",
            "arguments": {"item_id": "ITM-0001"},
            "expect": {"success": True},
            "keep": {"x": ["no", "such", "path"]},
        },
    ],
)
def test_a_failed_test_counts_against_the_tool_that_disappointed(step: dict[str, Any]) -> None:
    report = judged([{"name": "wrong", "steps": [step]}])
    assert report.own_tests["failed"] == 1
    assert report.quarantined == ("get_item",)
    assert report_of(report, "get_item").reason.startswith("own_test:wrong")


def test_no_tests_at_all_are_noted() -> None:
    assert "brings no tests" in judged([]).problems[0]
    assert judged(None).problems == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tests": 3}', '{"tests": [{"name": "x"}]}', '{"tests": [1]}'])
def test_a_file_that_holds_no_tests_is_refused(text: str) -> None:
    with pytest.raises(NotATestError):
        read_own_tests({"tests.json": text})


def test_a_service_without_the_file_has_none() -> None:
    assert read_own_tests({}) == []


def test_a_kept_value_is_sent_as_a_text_where_it_says_so() -> None:
    steps = [
        {"tool": "create_item", "arguments": {"title": "A"}, "expect": {"success": True}, "keep": {"made": ["id"]}},
        {"tool": "get_item", "arguments": {"item_id": {"kept": "made", "text": True}}, "expect": {"success": True}},
    ]
    assert judged([{"name": "text", "steps": steps}]).own_tests["passed"] == 1
