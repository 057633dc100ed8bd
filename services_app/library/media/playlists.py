"""Tools for playlists."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.media.access import PartId, ProfileId, check_age, part_name, profile_of
from services_app.library.media.state import MediaState, Playlist, PlaylistItem, Profile, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_text,
    cursor_page,
    same,
    search,
    with_fields,
)

PlaylistId = Annotated[str, f.ref("playlists")]
ItemId = Annotated[str, f.ref("playlist_items")]
Position = Annotated[int, f.count("entries"), Field(ge=1, le=500)]
MOST_ITEMS = 100


def _items(state: MediaState, playlist_id: str) -> list[PlaylistItem]:
    return sorted(state.playlist_items.find(playlist_id=playlist_id), key=lambda row: row.position)


def _renumber(state: MediaState, items: list[PlaylistItem]) -> None:
    for position, row in enumerate(items, 1):
        if row.position != position:
            state.playlist_items.patch(row.id, position=position)


def _shown(state: MediaState, playlist: Playlist) -> Json:
    parts = [state.parts.get(row.part_id) for row in _items(state, playlist.id)]
    return with_fields(
        playlist,
        owner=state.profiles.get(playlist.owner_profile_id).name,
        entries=len(parts),
        minutes=sum(part.minutes for part in parts),
    )


def _changeable(state: MediaState, playlist_id: str, profile: Profile) -> Playlist:
    """A playlist that a profile may change; 403 `not_owner` otherwise."""
    playlist = state.playlists.get(playlist_id)
    if playlist.owner_profile_id != profile.id and not playlist.collaborative:
        owner = state.profiles.get(playlist.owner_profile_id).name
        raise forbidden(f"{playlist.name} belongs to {owner} and is not collaborative.", type="not_owner")
    return playlist


@service.tool()
def list_playlists(
    state: MediaState,
    ctx: CallContext,
    query: Query | None = None,
    owner_profile_id: ProfileId | None = None,
    containing_part_id: PartId | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List playlists by name, with their length.

    Args:
        query: Words in the name or description.
        owner_profile_id: Only playlists of this profile.
        containing_part_id: Only playlists with this track or episode.
        limit: At most so many playlists.
        cursor: next_cursor of the previous page.
    """
    found = search(state.playlists, query, lambda row: (row.name, row.description))
    found = [
        row
        for row in found
        if owner_profile_id in (None, row.owner_profile_id)
        and (
            containing_part_id is None
            or state.playlist_items.first(playlist_id=row.id, part_id=containing_part_id) is not None
        )
    ]
    found.sort(key=lambda row: (row.name.casefold(), row.id))
    page = cursor_page("playlists", found, limit, cursor)
    page["playlists"] = [_shown(state, row) for row in page["playlists"]]
    return page


@service.tool()
def get_playlist(state: MediaState, ctx: CallContext, playlist_id: PlaylistId) -> Json:
    """Show a playlist with its entries in order.

    Errors: `not_found`.

    Args:
        playlist_id: Id of the playlist.
    """
    playlist = state.playlists.get(playlist_id)
    names = {row.id: row.name for row in state.profiles}
    rows = []
    for row in _items(state, playlist_id):
        part = state.parts.get(row.part_id)
        rows.append(
            {
                "item_id": row.id,
                "position": row.position,
                "part_id": part.id,
                "name": part_name(state, part),
                "minutes": part.minutes,
                "added_by": names[row.added_by_profile_id],
            }
        )
    return {**_shown(state, playlist), "items": rows}


@service.tool(phrase="create the playlist {name}")
def create_playlist(
    state: MediaState,
    ctx: CallContext,
    name: Name,
    description: f.Text = "",
    collaborative: bool = False,
    owner_profile_id: ProfileId | None = None,
) -> Json:
    """Create an empty playlist; a profile has no two of the same name.

    Errors: `not_found`, `duplicate_name`, `blank_text`.

    Args:
        name: Name of the playlist.
        description: What it is for.
        collaborative: Whether all profiles may change it.
        owner_profile_id: Whose playlist; yours, if left out.
    """
    profile = profile_of(state, owner_profile_id)
    clean = check_text(name, "name")
    if any(same(row.name, clean) for row in state.playlists.find(owner_profile_id=profile.id)):
        raise conflict(f"{profile.name} has a playlist {clean} already.", type="duplicate_name")
    playlist = state.playlists.create(
        name=clean, owner_profile_id=profile.id, description=description, collaborative=collaborative
    )
    return _shown(state, playlist)


@service.tool(phrase="add {part_id} to the playlist {playlist_id}")
def add_to_playlist(
    state: MediaState,
    ctx: CallContext,
    playlist_id: PlaylistId,
    part_id: PartId,
    position: Position | None = None,
    profile_id: ProfileId | None = None,
) -> Json:
    """Add a track, an episode or a film to a playlist, at a position or at the end.

    Errors: `not_found`, `not_owner`, `already_there`, `playlist_full` (a hundred entries), `age_restricted` (for the
    owner of the playlist).

    Args:
        playlist_id: Id of the playlist.
        part_id: What to add.
        position: Place in the playlist, 1 for the first.
        profile_id: Who adds it; you, if left out.
    """
    profile = profile_of(state, profile_id)
    part = state.parts.get(part_id)
    playlist = _changeable(state, playlist_id, profile)
    check_age(state.profiles.get(playlist.owner_profile_id), state.titles.get(part.title_id))
    items = _items(state, playlist_id)
    if any(row.part_id == part_id for row in items):
        raise conflict(f"{part_name(state, part)} is in {playlist.name} already.", type="already_there")
    if len(items) >= MOST_ITEMS:
        raise conflict(f"{playlist.name} has {MOST_ITEMS} entries; remove one first.", type="playlist_full")
    at = len(items) if position is None else min(position - 1, len(items))
    row = state.playlist_items.create(
        playlist_id=playlist_id, part_id=part_id, position=at + 1, added_by_profile_id=profile.id
    )
    _renumber(state, [*items[:at], row, *items[at:]])
    return with_fields(row, name=part_name(state, part), entries=len(items) + 1)


@service.tool(phrase="move the entry {item_id} of a playlist to position {position}")
def move_in_playlist(
    state: MediaState, ctx: CallContext, item_id: ItemId, position: Position, profile_id: ProfileId | None = None
) -> Json:
    """Move an entry to another place of its playlist.

    Errors: `not_found`, `not_owner`, `same_position`.

    Args:
        item_id: Id of the entry, from get_playlist.
        position: New place, 1 for the first; beyond the last one means the end.
        profile_id: Who moves it; you, if left out.
    """
    item = state.playlist_items.get(item_id)
    _changeable(state, item.playlist_id, profile_of(state, profile_id))
    others = [row for row in _items(state, item.playlist_id) if row.id != item_id]
    at = min(position - 1, len(others))
    if at + 1 == item.position:
        raise conflict(f"It stands at position {item.position} already.", type="same_position")
    _renumber(state, [*others[:at], item, *others[at:]])
    order = [part_name(state, state.parts.get(row.part_id)) for row in _items(state, item.playlist_id)]
    return with_fields(state.playlist_items.get(item_id), order=order)


@service.tool(phrase="remove the entry {item_id} from its playlist")
def remove_from_playlist(
    state: MediaState, ctx: CallContext, item_id: ItemId, profile_id: ProfileId | None = None
) -> Json:
    """Remove an entry from its playlist; the others move up.

    Errors: `not_found`, `not_owner`.

    Args:
        item_id: Id of the entry, from get_playlist.
        profile_id: Who removes it; you, if left out.
    """
    item = state.playlist_items.get(item_id)
    _changeable(state, item.playlist_id, profile_of(state, profile_id))
    state.playlist_items.delete(item_id)
    left = _items(state, item.playlist_id)
    _renumber(state, left)
    return with_fields(item, entries_left=len(left))
