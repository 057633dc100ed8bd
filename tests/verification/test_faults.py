"""Planted faults: each is quarantined for its own reason, and the healthy tools beside it stay verified."""

from __future__ import annotations

from typing import Any

import pytest

from services_app.engine.environment import ProductEnvironment
from services_app.engine.service import Service
from services_app.verification.gate import verify_service
from services_app.verification.report import VerificationReport
from services_app.verification.static import static_problems
from tests.verification.planting import HEALTHY, SIBLINGS, failing, judge, judge_here, report_of

# fault -> (source of the tool, its name, the check that must fail)
WRONG: dict[str, tuple[str, str, str]] = {
    "a read that writes": (
        '''
@service.tool()
def get_first_item(state: Desk, ctx: CallContext, item_id: str) -> Item:
    """Get an item and count it."""
    return state.items.patch(item_id, status=state.items.get(item_id).status + "!")
''',
        "get_first_item",
        "read_only",
    ),
    "an order that follows hashes": (
        '''
@service.tool()
def list_item_titles(state: Desk, ctx: CallContext, limit: int = 50) -> dict:
    """List titles."""
    return {"titles": list({item.title for item in state.items})[:limit]}
''',
        "list_item_titles",
        "deterministic",
    ),
    "an unknown id that succeeds": (
        '''
@service.tool()
def get_item_status(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Get the status of an item."""
    item = state.items.first(id=item_id)
    return {"status": item.status if item else "unknown"}
''',
        "get_item_status",
        "unknown_id",
    ),
    "a write that does not write": (
        '''
@service.tool()
def update_item(state: Desk, ctx: CallContext, item_id: str, title: str) -> dict:
    """Update an item."""
    return {**state.items.get(item_id).plain(), "title": title}
''',
        "update_item",
        "writes",
    ),
    "a placeholder answer": (
        '''
@service.tool()
def search_items(state: Desk, ctx: CallContext, query: str) -> dict:
    """Search items."""
    return {"results": ["Example result 1", "Example result 2"]}
''',
        "search_items",
        "live",
    ),
    "text that is mangled": (
        '''
@service.tool()
def create_note(state: Desk, ctx: CallContext, title: str, body: str) -> Item:
    """Create a note."""
    return state.items.create(title=title, body=body.encode("ascii", "ignore").decode().strip())
''',
        "create_note",
        "text_survives",
    ),
    "a result without a stable type": (
        '''
@service.tool()
def get_item_parts(state: Desk, ctx: CallContext, item_id: str) -> object:
    """Get the parts of an item."""
    item = state.items.get(item_id)
    return item.plain() if item.id.endswith("1") else [item.title]
''',
        "get_item_parts",
        "stable_type",
    ),
    "a crash on some text": (
        '''
@service.tool()
def find_item(state: Desk, ctx: CallContext, title: str) -> dict:
    """Find items by title."""
    return {"items": [item.id for item in state.items if title.encode("latin-1") in item.title.encode("latin-1")]}
''',
        "find_item",
        "hostile_text",
    ),
    "a tool that never works": (
        '''
@service.tool()
def archive_item(state: Desk, ctx: CallContext, item_id: str) -> Item:
    """Archive an item."""
    raise ToolError(409, "not_now", "Try again later.")
''',
        "archive_item",
        "works",
    ),
    "a result that is not JSON": (
        '''
@service.tool()
def get_item_letters(state: Desk, ctx: CallContext, item_id: str) -> object:
    """Get the letters of a title."""
    return set(state.items.get(item_id).title)
''',
        "get_item_letters",
        "works",
    ),
}


@pytest.fixture(scope="module")
def report() -> VerificationReport:
    return judge(HEALTHY + "\n".join(source for source, _, _ in WRONG.values()))


@pytest.mark.parametrize("fault", WRONG)
def test_fault_is_quarantined_for_its_own_reason(report: VerificationReport, fault: str) -> None:
    _, tool, check = WRONG[fault]
    assert report_of(report, tool).status == "quarantined"
    assert check in failing(report, tool)


def test_siblings_of_faults_stay_verified(report: VerificationReport) -> None:
    assert set(report.verified) == SIBLINGS


def test_healthy_service_passes_whole() -> None:
    assert set(judge(HEALTHY).verified) == SIBLINGS


BROKEN_PAIRS = {
    "created is not found": (
        "return state.items.create(title=title, body=body)",
        'item = state.items.create(title=title, body=body)\n    return {**item.plain(), "id": "ITM-9999"}',
        "create_item",
        "created_is_found",
    ),
    "deleted is still found": (
        'return {"id": state.items.delete(item_id).id}',
        'return {"id": state.items.patch(item_id, status="gone").id}',
        "delete_item",
        "deleted_is_gone",
    ),
}


@pytest.mark.parametrize("fault", BROKEN_PAIRS)
def test_round_trips(fault: str) -> None:
    good, bad, tool, check = BROKEN_PAIRS[fault]
    assert good in HEALTHY
    report = judge(HEALTHY.replace(good, bad))
    assert check in failing(report, tool)
    assert "list_items" in report.verified


# fault -> (body of the tool, words of the reason)
LETHAL = {
    "an endless loop": ("while True:\n        pass", "timeout"),
    "two gigabytes": ("return {'size': len(bytearray(2 << 30))}", "memory bound"),
    "an output flood": ("while True:\n        print('x' * 10000)", "output"),
    "a result without end": ("return {'text': 'x' * (200 << 20)}", ""),
    "a fork": ("import os\n    return {'pid': os.fork()}", "the sandbox refused"),
    "a socket": (
        "import socket\n    return {'peer': str(socket.create_connection(('127.0.0.1', 9), 1))}",
        "the sandbox refused",
    ),
    "an exit": ("import os\n    os._exit(3)", "crash"),
}


@pytest.mark.parametrize("fault", LETHAL)
def test_lethal_tool_is_quarantined_with_the_bound_and_siblings_are_judged(fault: str) -> None:
    body, words = LETHAL[fault]
    source = f'''
@service.tool()
def compute_item(state: Desk, ctx: CallContext, number: int) -> dict:
    """Compute something about an item."""
    {body}
'''
    report = judge(HEALTHY + source)
    tool = report_of(report, "compute_item")
    assert tool.status == "quarantined"
    assert words in tool.reason
    assert set(report.verified) == SIBLINGS


def test_environment_of_the_host_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_FOR_THIS_TEST", "x")
    source = '''
@service.tool()
def get_item_environment(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Get what surrounds an item."""
    import json

    found = json.codecs.sys.modules["os"].environ
    return {"id": state.items.get(item_id).id, "secret": found["SECRET_FOR_THIS_TEST"]}
'''
    assert "works" in failing(judge(HEALTHY + source), "get_item_environment")
    assert any("codecs" in problem for problem in static_problems({"tools.py": HEALTHY + source}))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("import os", "imports os"),
        ("import socket", "imports socket"),
        ("from time import time", "imports time"),
        ("import random", "imports random"),
        ("import uuid", "imports uuid"),
        ("key = id(object())", "calls id()"),
        ("key = hash('a')", "calls hash()"),
        ("open('/etc/passwd')", "calls open()"),
        ("eval('1')", "calls eval()"),
        ("import datetime\nday = datetime.date.today()", "wall clock"),
        ("().__class__.__bases__", "__class__"),
        ("def broken(:", "not Python"),
    ],
)
def test_static_policy_names_what_it_refuses(line: str, words: str) -> None:
    problems = static_problems({"tools.py": line})
    assert any(words in problem for problem in problems)


# Faults of what runs the service, which the engine itself would prevent.


class FaultyEngine(ProductEnvironment):
    __slots__ = ()

    def fork(self) -> FaultyEngine:
        twin = super().fork()
        twin.__class__ = type(self)
        assert isinstance(twin, FaultyEngine)
        return twin


class AcceptsAnything(FaultyEngine):
    """An engine that does not validate arguments."""

    __slots__ = ()

    def call(self, service: str, tool: str, arguments: object = None) -> Any:
        observation = super().call(service, tool, arguments)
        refused = not observation["success"] and observation["error"]["type"] == "invalid_arguments"
        return {"success": True, "data": {}} if refused else observation


class KeepsHalfChanges(FaultyEngine):
    """An engine whose refused calls leave something behind."""

    __slots__ = ()

    def call(self, service: str, tool: str, arguments: object = None) -> Any:
        observation = super().call(service, tool, arguments)
        if not observation["success"]:
            super().call(service, "create_item", {"title": "left over"})
        return observation


def healthy_service() -> Service:
    space: dict[str, Any] = {}
    exec(compile(HEALTHY, "healthy.py", "exec", dont_inherit=True), space)
    service: Service = space["service"]
    return service


def test_engine_that_accepts_bad_arguments_is_caught() -> None:
    report = judge_here(lambda: AcceptsAnything([healthy_service()]))
    assert "refuses" in failing(report, "create_item")
    assert "refuses" in failing(report, "get_item")


def test_half_a_change_after_a_refusal_is_caught() -> None:
    report = judge_here(lambda: KeepsHalfChanges([healthy_service()]))
    assert {"refuses", "unknown_id"} <= failing(report, "get_item")


def test_too_little_time_ends_with_the_bound_and_quarantines_what_was_not_judged() -> None:
    clock = iter(range(10**9))
    report = verify_service(
        "desk", "", lambda: ProductEnvironment([healthy_service()]), timer=lambda: float(next(clock)), seconds=60
    )
    assert report.problems == ("verification took longer than 60 seconds",)
    last = report_of(report, "delete_item")
    assert last.status == "quarantined"
    assert "60 seconds" in last.reason
