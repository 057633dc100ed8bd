"""Every code of the linter is a documented rule, and the points follow the formula that is written down."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services_app.specs import linter
from services_app.specs.lint_rules import MOST_SERVICE_COST, RULES
from services_app.specs.lint_score import lint_report, tool_score
from tests.specs.helpers import spec_of
from tests.specs.test_linter import SOUND

FOLDER = Path(linter.__file__).parent


def test_each_code_is_a_rule_and_each_rule_is_looked_for() -> None:
    said: set[str] = set()
    for name in ("lint_names", "lint_schemas", "lint_texts"):
        said |= set(re.findall(r'"([a-z]+:[a-z-]+)"', (FOLDER / f"{name}.py").read_text()))
    assert said == set(RULES)


@pytest.mark.parametrize("code", sorted(RULES))
def test_rules_explain_themselves(code: str) -> None:
    rule = RULES[code]
    assert rule.code == code
    assert len(rule.title) < 70
    assert rule.why.endswith((".", "it."))
    assert rule.example
    assert 0 <= rule.cost <= 60


def test_severities_are_the_ones_that_are_said() -> None:
    for name in ("lint_names", "lint_schemas", "lint_texts"):
        text = (FOLDER / f"{name}.py").read_text()
        for severity, code in re.findall(r'book\.(info|warning)\(\s*[^,]+,\s*"([a-z]+:[a-z-]+)"', text):
            assert RULES[code].severity == severity, code


def test_a_sound_specification_has_all_points() -> None:
    report = lint_report(spec_of(*SOUND, name="hotel"))
    assert (report.score, set(report.tools.values()), report.notes) == (100, {100}, ())


def test_each_rule_costs_once() -> None:
    bare = {
        "name": "get_thing",
        "description": "Read one thing with all of its parts.",
        "inputSchema": {"type": "object", "properties": {"a": {}, "b": {}}},
    }
    report = lint_report(spec_of(bare))
    assert report.codes["get_thing"] == ("parameter:undescribed", "parameter:untyped")
    assert report.tools["get_thing"] == 100 - RULES["parameter:undescribed"].cost - RULES["parameter:untyped"].cost
    assert tool_score(RULES) == 0
    assert tool_score(["no:such-rule"]) == 100


def test_a_refused_tool_counts_as_nothing() -> None:
    broken = {"name": "broken", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Gone"}}}}
    assert lint_report(spec_of(*SOUND, broken, name="hotel")).score == 75


def test_remarks_on_the_whole_are_bounded() -> None:
    tools = [
        {
            "name": f"get_{noun}",
            "description": "Read one with everything that belongs to it.",
            "inputSchema": {
                "type": "object",
                "properties": {f"{noun}_id": {"type": "string", "description": "Id."}},
            },
        }
        for noun in "abcdefghij"
    ]
    others = [
        {**tool, "name": f"list_{tool['name'][-1]}s", "description": f"List all of kind {tool['name'][-1]}.",
         "inputSchema": {"type": "object", "properties": {
             f"{tool['name'][-1]}Id": {"type": "string", "description": "Id."}}}}
        for tool in tools
    ]  # fmt: skip
    report = lint_report(spec_of(*tools, *others))
    whole = [note for note in report.notes if note.tool is None]
    assert len(whole) * 3 > MOST_SERVICE_COST
    mean = round(sum(report.tools.values()) / len(report.tools))
    assert report.score == mean - MOST_SERVICE_COST
    assert report.to_json()["service"] == ["ids:spelling"] * len(whole)


@pytest.mark.parametrize(
    ("name", "annotations", "said"),
    [
        ("delete_guest", {"readOnlyHint": True}, True),
        ("delete_guest", {"readOnlyHint": False}, False),
        ("list_guests", {"destructiveHint": True}, True),
        ("list_guests", {"destructiveHint": True, "readOnlyHint": True}, False),
        ("list_guests", {}, False),
    ],
)
def test_names_against_annotations(name: str, annotations: dict[str, bool], said: bool) -> None:
    spec = spec_of({"name": name, "description": "Of the hotel that is open now.", "annotations": annotations})
    assert ("annotations:contradiction" in lint_report(spec).codes[name]) is said
