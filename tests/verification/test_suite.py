"""Stand-ins, echoes, wrong totals, promised fields, contradictory cues, kept cases, negative controls."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.environment import ProductEnvironment
from services_app.engine.remote import ServiceHost
from services_app.engine.service import Service
from services_app.specs.files import load_file
from services_app.specs.vocabulary import read_name
from services_app.verification.controls import CONTROLS
from services_app.verification.cues import contradictions
from services_app.verification.gate import verify_service
from services_app.verification.report import VerificationReport
from tests.builders import specs
from tests.verification.planting import HEALTHY, SIBLINGS, failing, report_of
from tests.verification.test_liveness import TEXT, judged, spec_tool
from workers.sandbox.process import SandboxProcess

CORPUS = Path(__file__).parents[3] / "shared" / "data" / "mcp"


@pytest.mark.parametrize(
    ("name", "body", "check"),
    [
        (
            "get_item_note",
            "i = state.items.get(arguments['item_id'])\nreturn {'note': f'TODO {i.title}'}",
            "no_stand_in",
        ),
        (
            "get_item_twin",
            "state.items.get(arguments['item_id'])\nreturn {'item': arguments['item_id']}",
            "says_more_than_arguments",
        ),
        (
            "list_item_parts",
            "rows = [{**i.plain(), 'of': arguments['item_id']} for i in state.items]\nreturn {'r': rows, 'total': 2}",
            "total",
        ),
    ],
)
def test_answers_that_only_pretend(name: str, body: str, check: str) -> None:
    assert check in failing(judged(spec_tool(name, {"item_id": TEXT}, body, required="item_id")), name)


def test_fields_that_the_output_schema_names_are_looked_for() -> None:
    output = {"type": "object", "properties": dict.fromkeys(("id", "owner", "room", "shelf"), TEXT)}
    source = spec_tool(
        "get_item_place",
        {"item_id": TEXT},
        "return state.items.get(arguments['item_id']).plain()",
        "item_id",
        output_schema=output,
    )
    assert "result_fields" in failing(judged(source), "get_item_place")


def test_a_valid_call_that_breaks_is_found_wherever_it_was_made() -> None:
    body = "rows = [i.plain() for i in state.items]\nreturn {'items': rows[:arguments.get('limit', 9)]}"
    source = spec_tool("list_pieces", {"limit": {"type": "number"}}, body)
    assert {"edge", "never_breaks"} & failing(judged(source), "list_pieces")


@pytest.mark.parametrize(
    ("name", "description", "annotations", "changes", "wrong"),
    [
        ("get_item", "Deletes the item for good.", {}, False, True),
        ("delete_item", "Get an item.", {}, False, True),
        ("create_item", "Create an item.", {"readOnlyHint": True}, False, True),
        ("update_item", "Change an item.", {"readOnlyHint": True}, True, True),
        ("delete_item", "Delete an item.", {"destructiveHint": False}, True, True),
        ("list_items", "List items.", {"readOnlyHint": False}, True, True),
        ("get_or_create_item", "Creates an item if there is none.", {}, True, False),
        ("get_item", "Retrieve an item.", {"readOnlyHint": True}, False, False),
        ("list_items", "Retrieves and deletes old items.", {}, False, False),
        ("update_item", "An item is changed.", {}, True, False),
        ("delete_item", "Delete an item.", {"destructiveHint": True}, True, False),
    ],
)
def test_cues_that_contradict(
    name: str, description: str, annotations: dict[str, Any], changes: bool, wrong: bool
) -> None:
    reading = read_name(name, "", description)
    assert bool(contradictions(reading, name, description, annotations, changes=changes)) is wrong


def healthy() -> Service:
    space: dict[str, Any] = {}
    exec(compile(HEALTHY, "healthy.py", "exec", dont_inherit=True), space)
    found: Service = space["service"]
    return found


def with_cases(*cases: dict[str, Any], annotations: dict[str, Any] | None = None) -> VerificationReport:
    service = healthy()
    return verify_service(
        "desk", "", lambda: ProductEnvironment([service]), timer=time.monotonic, cases=cases, annotations=annotations
    )


def test_annotations_reach_the_gate() -> None:
    report = with_cases(annotations={"delete_item": {"readOnlyHint": True}})
    assert {"agrees", "read_only"} <= failing(report, "delete_item")


def case(tool: str, arguments: dict[str, Any], **expected: Any) -> dict[str, Any]:
    before = expected.pop("before", [])
    return {"tool": tool, "before": before, "arguments": arguments, "expected": expected}


def test_kept_cases_that_hold_are_passed_checks() -> None:
    report = with_cases(
        case("get_item", {"item_id": "nope"}, outcome="refused", code=404, contains="nope", unchanged=True),
        case("get_item", {"item_id": "ITM-0001"}, outcome="success", contains={"title": "Item 0"}),
        case("get_item", {"item_id": "ITM-0005"}, outcome="success", before=[["create_item", {"title": "New"}]]),
        case("tool_of_an_older_version", {}, outcome="success"),
    )
    assert set(report.verified) == SIBLINGS
    names = {check.name for check in report_of(report, "get_item").checks if check.outcome == "pass"}
    assert {"case:1", "case:2", "case:3"} <= names


@pytest.mark.parametrize(
    "broken",
    [
        case("get_item", {"item_id": "ITM-0001"}, outcome="refused"),
        case("get_item", {"item_id": "nope"}, outcome="success"),
        case("get_item", {"item_id": "nope"}, outcome="refused", code=409),
        case("get_item", {"item_id": "ITM-0001"}, outcome="success", contains={"title": "Another"}),
        case("create_item", {"title": "A"}, outcome="success", unchanged=True),
        case("get_item", {"item_id": "ITM-0001"}, outcome="success", before=[["get_item", {"item_id": "nope"}]]),
        case("get_item", {"item_id": "ITM-0001"}, outcome="perhaps"),
    ],
)
def test_a_kept_case_that_does_not_hold_quarantines_its_tool(broken: dict[str, Any]) -> None:
    report = with_cases(broken)
    assert report.quarantined == (broken["tool"],)
    assert report_of(report, broken["tool"]).reason.startswith("case:1")


def pretended(built: BuiltService, control: str) -> VerificationReport:
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        host = ServiceHost(process, {built.slug: built.module})
        mount = CONTROLS[control]
        return verify_service(
            built.slug, "", lambda: mount(host.mount([built.slug])), timer=time.monotonic, seconds=600
        )


@pytest.mark.parametrize("control", CONTROLS)
def test_of_what_only_pretends_next_to_nothing_is_verified(control: str) -> None:
    tools = verified = 0
    for make in (specs.garage, specs.library):
        report = pretended(build_with_rules(make()), control)
        assert report.tools
        tools, verified = tools + len(report.tools), verified + len(report.verified)
    assert verified <= tools // 20, control


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the specifications of public servers are not here")
@pytest.mark.parametrize("control", ["echo", "ignore"])
def test_of_public_servers_that_only_pretend_next_to_nothing_is_verified(control: str) -> None:
    tools = verified = 0
    for path in sorted(CORPUS.glob("*.json"))[::40]:
        built = build_with_rules(load_file(path))
        if "tools.py" in built.files and len(built.files["tools.py"]) < 60_000:
            report = pretended(built, control)
            tools, verified = tools + len(report.tools), verified + len(report.verified)
    assert tools > 20
    assert verified <= tools // 50
