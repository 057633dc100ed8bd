"""Tools for reading lists, alone and with others."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.library_lending.catalogue import TitleId
from services_app.library.library_lending.figures import me
from services_app.library.library_lending.state import LendingState, ReadingList, service
from services_app.library.shared import Json, Name, Query, check_text, same, search, with_fields

ListId = Annotated[str, f.ref("reading_lists")]
Note = Annotated[str, f.Semantic("text"), Field(max_length=1000)]
LONGEST = 50


def _shown(state: LendingState, row: ReadingList) -> Json:
    titles = {one.id: one for one in state.titles}
    entries = [
        with_fields(one, title=titles[one.title_id].title, author=titles[one.title_id].author)
        for one in state.list_entries.find(reading_list_id=row.id)
    ]
    owner = state.members.get(row.owner_id)
    return with_fields(row, owner_name=owner.name, entries=entries, titles=len(entries))


def _visible(state: LendingState, row: ReadingList) -> bool:
    member = me(state)
    return row.owner_id == member.id or any(same(email, member.email) for email in row.shared_with)


def _own(state: LendingState, list_id: str) -> ReadingList:
    row = state.reading_lists.get(list_id)
    if row.owner_id != me(state).id:
        raise forbidden(f"{list_id} belongs to somebody else; make a list of your own.", type="not_yours")
    return row


@service.tool()
def list_reading_lists(
    state: LendingState, ctx: CallContext, query: Query | None = None, own_only: bool = False
) -> Json:
    """Show your reading lists and those shared with you, with titles and notes.

    Args:
        query: Words of the name or the description.
        own_only: Only lists that you made.
    """
    found = [row for row in state.reading_lists if _visible(state, row)]
    found = search(found, query, lambda row: (row.name, row.description))
    found = [row for row in found if row.owner_id == me(state).id or not own_only]
    return {"reading_lists": [_shown(state, row) for row in found]}


@service.tool(phrase="start the reading list {name}")
def create_reading_list(state: LendingState, ctx: CallContext, name: Name, description: Note = "") -> Json:
    """Start a reading list.

    Errors: `name_taken`, `blank_text`.

    Args:
        name: Name of the list.
        description: What it is for.
    """
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.reading_lists.find(owner_id=me(state).id)):
        raise conflict(f"You have a list called {clean}.", type="name_taken")
    return _shown(state, state.reading_lists.create(name=clean, owner_id=me(state).id, description=description))


@service.tool(phrase="put {title_id} on the reading list {reading_list_id}")
def add_to_reading_list(
    state: LendingState, ctx: CallContext, reading_list_id: ListId, title_id: TitleId, note: Note = ""
) -> Json:
    """Put a title on a list of yours; fifty titles at most.

    Errors: `not_found`, `not_yours`, `already_listed`, `list_full`.

    Args:
        reading_list_id: Id of the list.
        title_id: Id of the title.
        note: Why it is on the list.
    """
    row, title = _own(state, reading_list_id), state.titles.get(title_id)
    entries = state.list_entries.find(reading_list_id=row.id)
    if any(one.title_id == title.id for one in entries):
        raise conflict(f"{title.title} is on {row.name} already.", type="already_listed")
    if len(entries) >= LONGEST:
        raise conflict(f"{row.name} has {LONGEST} titles; start another list.", type="list_full")
    state.list_entries.create(reading_list_id=row.id, title_id=title.id, note=note, added_on=ctx.today)
    return _shown(state, row)


@service.tool(phrase="take {title_id} off the reading list {reading_list_id}")
def remove_from_reading_list(state: LendingState, ctx: CallContext, reading_list_id: ListId, title_id: TitleId) -> Json:
    """Take a title off a list of yours.

    Errors: `not_found`, `not_yours`, `not_listed`.

    Args:
        reading_list_id: Id of the list.
        title_id: Id of the title.
    """
    row, title = _own(state, reading_list_id), state.titles.get(title_id)
    entry = state.list_entries.first(reading_list_id=row.id, title_id=title.id)
    if entry is None:
        raise conflict(f"{title.title} is not on {row.name}.", type="not_listed")
    state.list_entries.delete(entry.id)
    return _shown(state, row)


@service.tool(phrase="share the reading list {reading_list_id} with {email}")
def add_reader_to_list(state: LendingState, ctx: CallContext, reading_list_id: ListId, email: f.Email) -> Json:
    """Add a reader to those who see a list of yours.

    Errors: `not_found`, `not_yours`, `unknown_reader`, `already_shared`, `yourself`.

    Args:
        reading_list_id: Id of the list.
        email: Address of a reader of this library.
    """
    row = _own(state, reading_list_id)
    reader = next((one for one in state.members if same(one.email, email)), None)
    if reader is None:
        raise invalid(f"No reader of this library has the address {email}.", type="unknown_reader")
    if reader.id == row.owner_id:
        raise invalid("The list is your own; name another reader.", type="yourself")
    if any(same(one, email) for one in row.shared_with):
        raise conflict(f"{reader.name} sees {row.name} already.", type="already_shared")
    return _shown(state, state.reading_lists.patch(row.id, shared_with=(*row.shared_with, reader.email)))
