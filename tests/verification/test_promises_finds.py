"""Documented values find rows, a part of a name is enough, an id or a name both do, and the order is as said."""

from __future__ import annotations

from tests.verification.planting import HEALTHY, judge, report_of

TOOLS = '''
from typing import Annotated, Literal
from pydantic import Field

Named = Annotated[str, Field(description="Item ID or title")]
Partly = Annotated[str, Field(description="Filter by partial title")]
Status = Annotated[str | None, Field(description="One of 'open', 'closed'")]
State = Annotated[Literal["open", "closed", "all"], Field(description="Which items are shown")]


def shown(rows: list) -> dict:
    days = ["2026-01-05", "2026-01-04", "2026-01-03", "2026-01-02", "2026-01-01", "2025-12-31", "2025-12-30"]
    return {"items": [{"id": row.id, "title": row.title, "made": day} for row, day in zip(rows, days)]}


@service.tool()
def list_items_whole(state: Desk, ctx: CallContext, title: Partly = "", status: Status = None) -> dict:
    """List items, oldest first."""
    rows = [row for row in state.items if title in ("", row.title)]
    return shown([row for row in rows if status is None or row.body == status])


@service.tool()
def list_items_partly(state: Desk, ctx: CallContext, title: Partly = "", status: Status = None) -> dict:
    """List items, newest first."""
    rows = [row for row in state.items if title.lower() in row.title.lower()]
    return shown([row for row in rows if status is None or row.status == status])


@service.tool()
def list_items_of_some(state: Desk, ctx: CallContext, which: State = "open") -> dict:
    """List items."""
    return shown([row for row in state.items if row.status == which])


@service.tool()
def list_items_of_all(state: Desk, ctx: CallContext, which: State = "open") -> dict:
    """List items."""
    return shown([row for row in state.items if which in ("all", row.status)])


@service.tool()
def get_item_by_id(state: Desk, ctx: CallContext, item: Named) -> Item:
    """Get an item."""
    return state.items.get(item)


@service.tool()
def get_item_by_any(state: Desk, ctx: CallContext, item: Named) -> Item:
    """Get an item."""
    return state.items.first(title=item) or state.items.get(item)


@service.tool()
def get_item_details(state: Desk, ctx: CallContext, id: str) -> dict:
    """Get the notes of an item by its ID."""
    own = state.items.get(id)
    return {"items": [item.plain() for item in state.items if item is not own]}


@service.tool()
def get_item_info(state: Desk, ctx: CallContext, id: str) -> dict:
    """Get an item by its ID."""
    return {"items": [state.items.get(id).plain()]}
'''
OURS = ("all", "finds", "finds_itself", "part", "either", "order")


def test_liars_are_caught_and_honest_tools_pass() -> None:
    report = judge(HEALTHY + TOOLS)
    told = {
        name: {c.name: c.outcome for c in report_of(report, name).checks if c.name.split(":")[0] in OURS}
        for name in (
            "list_items_whole",
            "list_items_partly",
            "list_items_of_some",
            "list_items_of_all",
            "get_item_by_id",
            "get_item_by_any",
            "get_item_details",
            "get_item_info",
        )
    }
    assert told == {
        "list_items_whole": {"finds:status": "fail", "part:title": "fail", "order": "fail"},
        "list_items_partly": {"finds:status": "pass", "part:title": "pass", "order": "pass"},
        "list_items_of_some": {"all:which": "fail", "finds:which": "pass"},
        "list_items_of_all": {"all:which": "pass", "finds:which": "pass"},
        "get_item_by_id": {"either:item": "fail"},
        "get_item_by_any": {"either:item": "pass"},
        "get_item_details": {"finds_itself": "fail"},
        "get_item_info": {"finds_itself": "pass"},
    }
