"""Writes that break what their description promises are caught; honest ones beside them pass."""

from __future__ import annotations

from tests.verification.planting import HEALTHY, judge, report_of

TOOLS = '''
from typing import Annotated, Any
from pydantic import Field


class Board(Record):
    about = About("board", prefix="BOA-")
    title: str
    updates: Any = None
    links: tuple[str, ...] = ()


class Tag(Record):
    about = About("tag", prefix="TAG-")
    title: str


class Link(Record):
    about = About("link", prefix="LIN-")
    title: str


class Card(Record):
    about = About("card", prefix="CAR-")
    label_id: str
    title: str


class Desk(State):
    boards: Table[Board]
    tags: Table[Tag]
    links: Table[Link]
    cards: Table[Card]


service = Service("desk", title="Desk", description="Boards on a desk.", state=Desk)


@service.seed
def seed(state: Desk, ctx: SeedContext) -> None:
    for number in range(4):
        state.boards.create(title=f"Board {number}")
        tag = state.tags.create(title=f"Tag {number}")
        state.cards.create(label_id=tag.id, title=f"Card {number}")


@service.tool()
def get_board(state: Desk, ctx: CallContext, board_id: str) -> Board:
    """Get a board."""
    return state.boards.get(board_id)


@service.tool()
def list_tags(state: Desk, ctx: CallContext) -> dict:
    """List tags."""
    return {"tags": [tag.plain() for tag in state.tags]}


@service.tool()
def list_cards(state: Desk, ctx: CallContext) -> dict:
    """List cards."""
    return {"cards": [card.plain() for card in state.cards]}


@service.tool()
def update_board(state: Desk, ctx: CallContext, board_id: str, updates: dict[str, Any]) -> Board:
    """Update a board."""
    return state.boards.patch(board_id, updates=updates)


@service.tool()
def update_board_fields(state: Desk, ctx: CallContext, board_id: str, changes: dict[str, Any]) -> Board:
    """Update a board."""
    return state.boards.patch(board_id, title=str(changes.get("title", "No title")))


@service.tool()
def delete_tag(state: Desk, ctx: CallContext, tag_id: str) -> dict:
    """Delete a tag."""
    for card in list(state.cards):
        if card.label_id == tag_id:
            state.cards.delete(card.id)
    return {"id": state.tags.delete(tag_id).id}


@service.tool()
def delete_tag_alone(state: Desk, ctx: CallContext, tag_id: str) -> dict:
    """Delete a tag."""
    return {"id": state.tags.delete(tag_id).id}


@service.tool()
def add_link(state: Desk, ctx: CallContext, title: str) -> Link:
    """Adds a link to the board."""
    return state.links.create(title=title)


@service.tool()
def add_link_shown(state: Desk, ctx: CallContext, title: str) -> Link:
    """Adds a link to the board."""
    for board in list(state.boards):
        state.boards.patch(board.id, links=(*board.links, title))
    return state.links.create(title=title)


@service.tool()
def copy_board(
    state: Desk, ctx: CallContext, source: Annotated[str, Field(description="The unique identifier of the board")]
) -> Board:
    """Copy a board."""
    found = state.boards.first(id=source)
    return state.boards.create(title=found.title if found else "Copy")


@service.tool()
def archive_board(
    state: Desk, ctx: CallContext, board_id: Annotated[str, Field(description="The unique identifier of the board")]
) -> Board:
    """Archive a board."""
    return state.boards.patch(board_id, title="Archived")
'''
SOURCE = HEALTHY[: HEALTHY.index("class Item")] + TOOLS
OURS = ("wrapper", "strays", "seen_where_said", "described_id")


def test_liars_are_caught_and_honest_tools_pass() -> None:
    report = judge(SOURCE)
    told = {
        tool.name: {c.name: c.outcome for c in report_of(report, tool.name).checks if c.name.split(":")[0] in OURS}
        for tool in report.tools
    }
    assert told["update_board"] == {"wrapper:updates": "fail"}
    assert told["update_board_fields"] == {"wrapper:changes": "pass"}
    assert told["delete_tag"] == {"strays": "fail"}
    assert told["delete_tag_alone"] == {"strays": "pass"}
    assert told["add_link"] == {"seen_where_said": "fail"}
    assert told["add_link_shown"] == {"seen_where_said": "pass"}
    assert told["archive_board"] == {"described_id:board_id": "pass"}
    assert told["copy_board"] == {"described_id:source": "fail"}
