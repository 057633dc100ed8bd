"""Tools for following podcasts."""

from __future__ import annotations

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.media.access import ProfileId, TitleId, check_age, check_podcast, profile_of, shown_part
from services_app.library.media.state import Follow, MediaState, service
from services_app.library.shared import Cursor, Json, Limit, check_range, cursor_page, newest_first


@service.tool()
def list_new_episodes(
    state: MediaState,
    ctx: CallContext,
    profile_id: ProfileId | None = None,
    title_id: TitleId | None = None,
    published_from: f.Date | None = None,
    include_played: bool = False,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List episodes of the podcasts that a profile follows, newest first, with what is said in them.

    Errors: `not_found`, `invalid_date`.

    Args:
        profile_id: Whose podcasts; yours, if left out.
        title_id: Only episodes of this podcast.
        published_from: Only episodes published on this day or later.
        include_played: Show episodes that were played as well.
        limit: At most so many episodes.
        cursor: next_cursor of the previous page.
    """
    check_range(published_from, None)
    profile = profile_of(state, profile_id)
    followed = {row.title_id for row in state.follows.find(profile_id=profile.id) if title_id in (None, row.title_id)}
    found = [part for part in state.parts if part.title_id in followed and part.published_on >= (published_from or "")]
    rows = [
        {"podcast": state.titles.get(part.title_id).name, **shown_part(state, profile, part)}
        for part in newest_first(found, "published_on")
    ]
    rows = [row for row in rows if include_played or not row["played"]]
    return {"profile": profile.name, **cursor_page("episodes", rows, limit, cursor)}


@service.tool(phrase="follow the podcast {title_id}")
def follow_podcast(
    state: MediaState, ctx: CallContext, title_id: TitleId, profile_id: ProfileId | None = None
) -> Follow:
    """Follow a podcast, so that its episodes show up in list_new_episodes.

    Errors: `not_found`, `not_a_podcast`, `already_following`, `age_restricted`.

    Args:
        title_id: Id of the podcast.
        profile_id: Who follows it; you, if left out.
    """
    title, profile = state.titles.get(title_id), profile_of(state, profile_id)
    check_podcast(title)
    check_age(profile, title)
    if state.follows.first(profile_id=profile.id, title_id=title_id) is not None:
        raise conflict(f"{profile.name} follows {title.name} already.", type="already_following")
    return state.follows.create(profile_id=profile.id, title_id=title_id, since=ctx.today)


@service.tool(phrase="stop following the podcast {title_id}")
def unfollow_podcast(
    state: MediaState, ctx: CallContext, title_id: TitleId, profile_id: ProfileId | None = None
) -> Follow:
    """Stop following a podcast.

    Errors: `not_found`, `not_following`.

    Args:
        title_id: Id of the podcast.
        profile_id: Who follows it; you, if left out.
    """
    title, profile = state.titles.get(title_id), profile_of(state, profile_id)
    row = state.follows.first(profile_id=profile.id, title_id=title_id)
    if row is None:
        raise conflict(f"{profile.name} does not follow {title.name}.", type="not_following")
    return state.follows.delete(row.id)
