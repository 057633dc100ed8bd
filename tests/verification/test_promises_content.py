"""Answers that lack what their description promises are caught; those that hold it, in other words too, pass."""

from __future__ import annotations

import pytest

from services_app.verification.promised_words import promised_lists, returned_lists
from tests.verification.planting import HEALTHY, failing, judge, report_of

TOOLS = '''
@service.tool()
def get_item_facts(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Get an item's facts, including its width, weight and colour."""
    return {"id": item_id, "title": state.items.get(item_id).title}


@service.tool()
def get_item_measures(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Get an item's measures, including its width, weight and owner."""
    item = state.items.get(item_id)
    return {"title": item.title, "width_cm": len(item.title), "weight": len(item.body), "author": item.body}


@service.tool()
def list_item_owners(state: Desk, ctx: CallContext) -> dict:
    """List who owns which item.

    Returns a list of owners with:
    - login: their name
    - items_owned: how many they own
    - joined: since when
    """
    return {"owners": [{"id": item.id, "body": item.body} for item in state.items]}


@service.tool()
def list_item_sheets(state: Desk, ctx: CallContext, title: str = "", sort_flag: str = "") -> dict:
    """List the sheets of items."""
    rows = [item for item in state.items if title in item.title and sort_flag in item.id]
    return {"sheets": [{"id": item.id, "sort_flag": item.id} for item in rows]}


@service.tool()
def list_item_names(state: Desk, ctx: CallContext, title: str = "") -> dict:
    """List the names of items."""
    return {"names": [{"id": item.id, "title": item.title} for item in state.items if title in item.title]}
'''


def test_what_a_description_promises_stands_in_an_answer() -> None:
    report = judge(HEALTHY + TOOLS)
    assert "promised_content" in failing(report, "get_item_facts")
    assert "promised_content" in failing(report, "list_item_owners")
    assert "promised_content" not in failing(report, "get_item_measures")
    note = next(c.note for c in report_of(report, "get_item_facts").checks if c.outcome == "fail" and c.note)
    assert "width, weight, colour" in note
    assert "promised_content" in {check.name for check in report_of(report, "get_item_measures").checks}


def test_an_answer_holds_more_than_an_id_and_what_may_be_asked_for() -> None:
    report = judge(HEALTHY + TOOLS)
    assert "says_something" in failing(report, "list_item_sheets")
    for honest in ("list_item_names", "get_item_measures", "list_items", "get_item"):
        assert "says_something" not in failing(report, honest)


@pytest.mark.parametrize(
    ("text", "promised"),
    [
        ("Get disk space, including total, used, and free space in GB.", [["used", "free space in GB"]]),
        ("Retrieves a file, with details such as size, type and time.", [["size", "type", "time"]]),
        ("Lists filings such as 10-K, 8-K.", []),
        ("List items with filters for title, status and date.", []),
        ("Account analytics (reach, impressions, profile views).", [["reach", "impressions", "profile views"]]),
        ("Get stats. Returns vault statistics: note count, orphans.", [["note count", "orphans"]]),
        ("Search items. Useful for finding size, type and owner.", []),
        ("Get it.\\n\\nArgs:\\n    x: including a, b and c", []),
        ("Returns details and information.", []),
    ],
)
def test_lists_that_prose_promises(text: str, promised: list[list[str]]) -> None:
    assert [[said for said, _ in items] for items in promised_lists(text.replace("\\n", "\n"))] == promised


@pytest.mark.parametrize(
    ("text", "returned"),
    [
        ("Delete it. Returns {key, deleted, reason?}", [["key", "deleted", "reason"]]),
        ("Graph.\ndata: {nodes: [{path, title}], edges: [{from, to}]}", [["nodes", "edges"]]),
        ("Add.\nReturns a pool including:\n- name: its name\n- slots: how many\n", [["name", "slots"]]),
        ('Get.\nReturns:\n{\n "domain": "a",\n "note": "b"\n}', [["domain", "note"]]),
        ("Create a record with a name, a size and a weight.", []),
    ],
)
def test_lists_that_any_tool_says_it_returns(text: str, returned: list[list[str]]) -> None:
    assert [[said for said, _ in items] for items in returned_lists(text)] == returned
