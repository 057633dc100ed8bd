"""Tools that show the library and the household."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, forbidden, given
from services_app.engine import fields as f
from services_app.library.media.access import (
    ProfileId,
    TitleId,
    free_copies,
    minutes_today,
    part_name,
    profile_of,
    shown_loan,
    shown_part,
    used_mb,
)
from services_app.library.media.state import Age, Kind, MediaState, Title, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    cursor_page,
    keep,
    mean,
    same,
    search,
    some_changes,
    with_fields,
)

TitleOrder = Annotated[Literal["name", "year", "rating"], LABEL]
DailyMinutes = Annotated[int, f.duration("minutes"), Field(ge=10, le=1440)]


def _average(state: MediaState, title: Title) -> float | None:
    return mean([row.stars for row in state.reviews.find(title_id=title.id)])


def _shown(state: MediaState, title: Title) -> Json:
    parts = state.parts.find(title_id=title.id)
    return {
        **brief(title, "id", "kind", "name", "creator", "year", "genres", "age_rating"),
        "parts": len(parts),
        "minutes": sum(part.minutes for part in parts),
        "average_stars": _average(state, title),
        "free_copies": free_copies(state, title),
    }


@service.tool()
def search_titles(  # noqa: PLR0913, PLR0917 - filters of the product
    state: MediaState,
    ctx: CallContext,
    query: Query | None = None,
    kind: Kind | None = None,
    genre: f.Label | None = None,
    profile_id: ProfileId | None = None,
    lendable: bool = False,
    order_by: TitleOrder = "name",
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find films, series, albums and podcasts by words in their name, creator, description or episodes.

    Errors: `not_found` for an unknown profile.

    Args:
        query: Words that must all occur.
        kind: Only titles of this kind.
        genre: Only titles of this genre.
        profile_id: Only titles that this profile may see.
        lendable: Only titles with a copy on the shelf right now.
        order_by: By name, newest year first, or best rated first.
        limit: At most so many titles.
        cursor: next_cursor of the previous page.
    """
    profile = state.profiles.get(profile_id) if profile_id else None
    names = {row.id: [part.name for part in state.parts.find(title_id=row.id)] for row in state.titles}
    found = search(state.titles, query, lambda row: (row.name, row.creator, row.description, *names[row.id]))
    found = [
        row
        for row in keep(found, kind=kind)
        if (genre is None or any(same(genre, one) for one in row.genres))
        and (not lendable or free_copies(state, row) > 0)
        and (profile is None or _may_see(profile.allowed_age, row))
    ]
    found.sort(key=lambda row: (row.name.casefold(), row.id))
    if order_by == "year":
        found.sort(key=lambda row: -row.year)
    elif order_by == "rating":
        found.sort(key=lambda row: -(_average(state, row) or 0))
    page = cursor_page("titles", found, limit, cursor)
    page["titles"] = [_shown(state, row) for row in page["titles"]]
    return page


def _may_see(allowed: str, title: Title) -> bool:
    ages = ("all", "6", "12", "16", "18")
    return ages.index(title.age_rating) <= ages.index(allowed)


@service.tool()
def get_title(state: MediaState, ctx: CallContext, title_id: TitleId, profile_id: ProfileId | None = None) -> Json:
    """Show a title with its episodes or tracks, reviews, and who has borrowed or reserved it.

    Errors: `not_found`.

    Args:
        title_id: Id of the title.
        profile_id: Profile whose progress is shown; yours, if left out.
    """
    title = state.titles.get(title_id)
    profile = profile_of(state, profile_id)
    parts = sorted(state.parts.find(title_id=title_id), key=lambda row: row.number)
    names = {row.id: row.name for row in state.profiles}
    return with_fields(
        title,
        profile=profile.name,
        episodes=[shown_part(state, profile, part) for part in parts],
        average_stars=_average(state, title),
        reviews=[
            {"profile": names[row.profile_id], **brief(row, "stars", "text", "written_on")}
            for row in state.reviews.find(title_id=title_id)
        ],
        free_copies=free_copies(state, title),
        loans=[shown_loan(state, ctx, row) for row in state.loans.find(title_id=title_id, returned_on=None)],
        waiting=[state.borrowers.get(row.borrower_id).name for row in state.reservations.find(title_id=title_id)],
    )


@service.tool()
def get_household(state: MediaState, ctx: CallContext) -> Json:
    """Show the profiles with their limits and minutes of today, the devices with their room, and what plays now."""
    names = {row.id: row.name for row in (*state.profiles, *state.devices)}
    return {
        "profiles": [with_fields(row, minutes_today=minutes_today(state, ctx, row)) for row in state.profiles],
        "devices": [
            with_fields(
                row,
                free_mb=row.capacity_mb - used_mb(state, row),
                downloads=[
                    {**brief(one, "id", "part_id"), "name": part_name(state, state.parts.get(one.part_id))}
                    for one in state.downloads.find(device_id=row.id)
                ],
            )
            for row in state.devices
        ],
        "playing_now": [
            {
                **brief(row, "id", "part_id", "from_minute", "started_at"),
                "name": part_name(state, state.parts.get(row.part_id)),
                "profile": names[row.profile_id],
                "device": names[row.device_id],
            }
            for row in state.streams
        ],
    }


@service.tool(phrase="change the limits of the profile {profile_id}")
def update_profile(
    state: MediaState,
    ctx: CallContext,
    profile_id: ProfileId,
    allowed_age: Age | Unset = UNSET,
    daily_minutes: DailyMinutes | Unset | None = UNSET,
) -> Json:
    """Change what a profile may see and for how long; what runs and is now too old for it is stopped.

    Errors: `not_found`, `nothing_to_change`, `own_profile` (yours has no limits).

    Args:
        profile_id: Id of the profile.
        allowed_age: Highest age rating that it may see.
        daily_minutes: Minutes a day; null for no limit.
    """
    profile = state.profiles.get(profile_id)
    changes = some_changes(given(allowed_age=allowed_age, daily_minutes=daily_minutes))
    if profile.id == profile_of(state, None).id:
        raise forbidden("Your own profile manages the others and has no limits.", type="own_profile")
    changed = state.profiles.patch(profile_id, **changes)
    stopped = []
    for stream in state.streams.find(profile_id=profile_id):
        if not _may_see(changed.allowed_age, state.titles.get(state.parts.get(stream.part_id).title_id)):
            state.streams.delete(stream.id)
            stopped.append(stream.id)
    return with_fields(changed, stopped_playbacks=stopped)
