"""Reads that answer for keys that nobody knows are caught; those that know what they hold, search or compute pass."""

from __future__ import annotations

from tests.verification.planting import HEALTHY, failing, judge

TOOLS = '''
@service.tool()
def get_quote(state: Desk, ctx: CallContext, symbol: str) -> dict:
    """Get the price of a symbol."""
    return {"symbol": symbol, "price": 10 + sum(map(ord, symbol)) % 90, "volume": len(symbol) * len(state.items)}


@service.tool()
def get_named(state: Desk, ctx: CallContext, label: str) -> dict:
    """Get the item of that title; label such as 'Item 1' or 'Item 2'."""
    found = state.items.first(title=label)
    if found is None:
        raise ToolError(404, "not_found", "There is none.")
    return found.plain()


@service.tool()
def list_shelf_items(state: Desk, ctx: CallContext, shelf: str) -> dict:
    """List the items on a shelf, which is a status."""
    return {"items": [item.plain() for item in state.items if item.status == shelf], "shelf": shelf}


@service.tool()
def search_items(state: Desk, ctx: CallContext, near: str) -> dict:
    """Search items that resemble a word."""
    return {"items": [{"id": item.id, "distance": abs(len(item.title) - len(near))} for item in state.items]}


@service.tool()
def get_word_count(state: Desk, ctx: CallContext, text: str) -> dict:
    """Count the words of a text."""
    return {"words": len(text.split()), "characters": len(text)}


@service.tool()
def check_item_access(state: Desk, ctx: CallContext, item_id: str) -> dict:
    """Check whether an item may be read."""
    return {"permitted": True, "score": len(item_id) + 7}
'''


def test_two_unheard_keys_that_both_get_an_answer_are_an_invention() -> None:
    report = judge(HEALTHY + TOOLS)
    assert "invents" in failing(report, "get_quote")
    assert "invents" in failing(report, "check_item_access")
    for healthy in ("get_named", "list_shelf_items", "search_items", "get_word_count", "get_item", "list_items"):
        assert "invents" not in failing(report, healthy)
    asked = [tool.name for tool in report.tools for check in tool.checks if check.name.startswith("invents:")]
    assert {"get_quote", "check_item_access", "get_named", "get_item"} <= set(asked)
