"""Siblings that speak of different records are caught; those that share one table pass."""

from __future__ import annotations

from tests.verification.planting import HEALTHY, failing, judge

TOOLS = '''
class Note(Record):
    about = About("note", prefix="NOT-")
    title: str


class Desk(State):
    items: Table[Item]
    notes: Table[Note]
    drafts: Table[Note]


service = Service("desk", title="Desk", description="Items and notes on a desk.", state=Desk)


@service.seed
def seed(state: Desk, ctx: SeedContext) -> None:
    for number in range(6):
        state.items.create(title=f"Item {number}", body="Some words about it")
        state.notes.create(title=f"Note {number}")
        state.drafts.add(Note(id=f"OTHER-{number}", title=f"Draft {number}"))


@service.tool()
def list_notes(state: Desk, ctx: CallContext) -> dict:
    """List notes; returns the latest 3 notes by default."""
    return {"notes": [note.plain() for note in state.notes]}


@service.tool()
def get_note(state: Desk, ctx: CallContext, note_id: str) -> Note:
    """Get a note."""
    return state.drafts.get(note_id)


@service.tool()
def create_note(state: Desk, ctx: CallContext, title: str) -> Note:
    """Create a note."""
    return state.drafts.add(Note(id=f"OTHER-{len(state.drafts)}", title=title))


@service.tool()
def list_items(state: Desk, ctx: CallContext) -> dict:
    """List items; returns up to 50 items by default."""
    return {"items": [item.plain() for item in state.items]}


@service.tool()
def get_item(state: Desk, ctx: CallContext, item_id: str) -> Item:
    """Get an item."""
    return state.items.get(item_id)


@service.tool()
def create_item(state: Desk, ctx: CallContext, title: str) -> Item:
    """Create an item."""
    return state.items.create(title=title)
'''


def test_two_tables_for_one_thing_are_found_out() -> None:
    head = HEALTHY.split("class Desk(State)", maxsplit=1)[0]
    report = judge(head + TOOLS)
    assert "listed_id" in failing(report, "get_note")
    assert "created_shows" in failing(report, "create_note")
    assert "default_size" in failing(report, "list_notes")
    for name in ("list_items", "get_item", "create_item"):
        assert not {"listed_id", "created_shows", "default_size"} & failing(report, name)
