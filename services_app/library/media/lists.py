"""Tools for a profile's own list and reviews."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.media.access import ProfileId, TitleId, check_age, free_copies, profile_of
from services_app.library.media.state import Kind, ListItem, MediaState, Review, service
from services_app.library.shared import Cursor, Json, Limit, brief, cursor_page, newest_first

Stars = Annotated[int, f.count("stars"), Field(ge=1, le=5)]
MOST_ENTRIES = 50


@service.tool()
def get_my_list(
    state: MediaState,
    ctx: CallContext,
    profile_id: ProfileId | None = None,
    kind: Kind | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the titles that a profile wants to see or hear, with notes, the latest first.

    Errors: `not_found`.

    Args:
        profile_id: Whose list; yours, if left out.
        kind: Only titles of this kind.
        limit: At most so many entries.
        cursor: next_cursor of the previous page.
    """
    profile = profile_of(state, profile_id)
    titles = {row.id: row for row in state.titles}
    found = [row for row in state.list_items.find(profile_id=profile.id) if kind in (None, titles[row.title_id].kind)]
    found = newest_first(found, "added_on")
    page = cursor_page("entries", found, limit, cursor)
    page["entries"] = [
        {
            **brief(row, "title_id", "note", "added_on"),
            **brief(titles[row.title_id], "name", "kind", "age_rating"),
            "free_copies": free_copies(state, titles[row.title_id]),
        }
        for row in page["entries"]
    ]
    return {"profile": profile.name, **page}


@service.tool(phrase="put the title {title_id} on the list")
def add_to_my_list(
    state: MediaState,
    ctx: CallContext,
    title_id: TitleId,
    note: f.Text = "",
    profile_id: ProfileId | None = None,
) -> ListItem:
    """Put a title on a profile's list.

    Errors: `not_found`, `already_listed`, `list_full` (fifty titles), `age_restricted`.

    Args:
        title_id: Id of the title.
        note: Why, or who recommended it.
        profile_id: Whose list; yours, if left out.
    """
    title, profile = state.titles.get(title_id), profile_of(state, profile_id)
    check_age(profile, title)
    if state.list_items.first(profile_id=profile.id, title_id=title_id) is not None:
        raise conflict(f"{title.name} is on the list of {profile.name} already.", type="already_listed")
    if state.list_items.count(profile_id=profile.id) >= MOST_ENTRIES:
        raise conflict(f"The list of {profile.name} holds {MOST_ENTRIES} titles; remove one.", type="list_full")
    return state.list_items.create(profile_id=profile.id, title_id=title_id, note=note, added_on=ctx.today)


@service.tool(phrase="take the title {title_id} off the list")
def remove_from_my_list(
    state: MediaState, ctx: CallContext, title_id: TitleId, profile_id: ProfileId | None = None
) -> ListItem:
    """Take a title off a profile's list.

    Errors: `not_found`, `not_listed`.

    Args:
        title_id: Id of the title.
        profile_id: Whose list; yours, if left out.
    """
    title, profile = state.titles.get(title_id), profile_of(state, profile_id)
    row = state.list_items.first(profile_id=profile.id, title_id=title_id)
    if row is None:
        raise conflict(f"{title.name} is not on the list of {profile.name}; see get_my_list.", type="not_listed")
    return state.list_items.delete(row.id)


@service.tool(phrase="give the title {title_id} {stars} stars")
def rate_title(
    state: MediaState,
    ctx: CallContext,
    title_id: TitleId,
    stars: Stars,
    text: f.Text = "",
    profile_id: ProfileId | None = None,
) -> Review:
    """Rate a title of which the profile has played something; an earlier review is replaced.

    Errors: `not_found`, `not_played`.

    Args:
        title_id: Id of the title.
        stars: One to five.
        text: What was good or bad.
        profile_id: Who rates it; you, if left out.
    """
    title, profile = state.titles.get(title_id), profile_of(state, profile_id)
    parts = {row.id for row in state.parts.find(title_id=title_id)}
    if not any(row.part_id in parts for row in state.plays.find(profile_id=profile.id)):
        raise conflict(f"{profile.name} has played nothing of {title.name} yet.", type="not_played")
    row = state.reviews.first(profile_id=profile.id, title_id=title_id)
    if row is not None:
        return state.reviews.patch(row.id, stars=stars, text=text, written_on=ctx.today)
    return state.reviews.create(profile_id=profile.id, title_id=title_id, stars=stars, text=text, written_on=ctx.today)
