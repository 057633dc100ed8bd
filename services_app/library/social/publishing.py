"""Tools that put posts into time, for the media library and the figures."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import UNSET, CallContext, Unset, conflict, given
from services_app.engine import fields as f
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_future,
    check_range,
    check_text,
    cursor_page,
    keep,
    search,
    some_changes,
    weekday_of,
    with_fields,
)
from services_app.library.social.rules import (
    check_approved,
    check_content,
    check_new,
    check_time,
    described,
    engagement,
    next_free_slot,
)
from services_app.library.social.state import (
    Media,
    MediaId,
    MediaKind,
    PostId,
    ProfileId,
    Reach,
    SocialState,
    service,
)

GroupBy = Annotated[Literal["profile", "topic", "author", "weekday"], LABEL]


@service.tool(phrase="schedule the post {post_id} for {scheduled_at}")
def schedule_post(state: SocialState, ctx: CallContext, post_id: PostId, scheduled_at: f.Timestamp) -> Json:
    """Schedule a post, at least an hour from others of its profile, on a day that is neither full nor a blackout.

    Errors: `not_found`, `wrong_status`, `approval_missing`, `too_long`, `blocked_term`, `media_missing`,
    `wrong_media`, `alt_text_missing`, `licence_expired`, `repeated_text`, `blackout`, `day_full`, `too_close`,
    `in_the_past`, `invalid_time`.

    Args:
        post_id: A draft, or an approved post where the profile needs approval.
        scheduled_at: When it is to go out.
    """
    post = state.posts.get(post_id)
    check_approved(state, post)
    moment = check_future(ctx, scheduled_at, "time")
    check_content(state, post, moment[:10])
    check_new(state, post, moment)
    check_time(state, state.profiles.get(post.profile_id), moment, post_id)
    return described(state, state.posts.patch(post_id, status="scheduled", scheduled_at=moment, updated_at=ctx.now))


@service.tool(phrase="put the post {post_id} into the queue")
def add_to_queue(state: SocialState, ctx: CallContext, post_id: PostId) -> Json:
    """Schedule a post for the next free slot of its profile's queue, within four weeks.

    Errors: `not_found`, `wrong_status`, `approval_missing`, `too_long`, `blocked_term`, `media_missing`,
    `wrong_media`, `alt_text_missing`, `licence_expired`, `repeated_text`, `no_free_slot`.

    Args:
        post_id: A draft, or an approved post where the profile needs approval.
    """
    post = state.posts.get(post_id)
    check_approved(state, post)
    profile = state.profiles.get(post.profile_id)
    moment = next_free_slot(state, ctx, profile, post_id)
    check_content(state, post, (moment or ctx.now)[:10])
    if moment is None:
        raise conflict(f"The queue of {profile.handle} is full for four weeks; add a slot.", type="no_free_slot")
    check_new(state, post, moment)
    return described(state, state.posts.patch(post_id, status="scheduled", scheduled_at=moment, updated_at=ctx.now))


@service.tool(phrase="take the post {post_id} off the schedule")
def unschedule_post(state: SocialState, ctx: CallContext, post_id: PostId) -> Json:
    """Take a scheduled post off the schedule; its approval, where one was needed, still holds.

    Errors: `not_found`, `wrong_status`.

    Args:
        post_id: Id of the post.
    """
    post = state.posts.get(post_id)
    if post.status != "scheduled":
        raise conflict(f"{post_id} is {post.status}, not scheduled.", type="wrong_status")
    status = "approved" if state.profiles.get(post.profile_id).needs_approval else "draft"
    return described(state, state.posts.patch(post_id, status=status, scheduled_at=None, updated_at=ctx.now))


@service.tool(phrase="publish the post {post_id} now")
def publish_post(state: SocialState, ctx: CallContext, post_id: PostId) -> Json:
    """Publish a post at once, under the same rules as for scheduling.

    Errors: `not_found`, `wrong_status`, `approval_missing`, `too_long`, `blocked_term`, `media_missing`,
    `wrong_media`, `alt_text_missing`, `licence_expired`, `repeated_text`, `blackout`, `day_full`, `too_close`.

    Args:
        post_id: A draft, or an approved post where the profile needs approval.
    """
    post = state.posts.get(post_id)
    check_approved(state, post)
    check_content(state, post, ctx.today)
    check_new(state, post, ctx.now)
    check_time(state, state.profiles.get(post.profile_id), ctx.now, post_id)
    return described(state, state.posts.patch(post_id, status="published", published_at=ctx.now, updated_at=ctx.now))


@service.tool()
def list_media(
    state: SocialState,
    ctx: CallContext,
    query: Query | None = None,
    kind: MediaKind | None = None,
    usable_on: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the media library by title, with the posts that use each file.

    Errors: `invalid_date`.

    Args:
        query: Words in the title, alternative text or credit.
        kind: Only images or videos.
        usable_on: Only files that may be shown on this day.
        limit: At most so many files.
        cursor: next_cursor of the previous page.
    """
    day = check_date(usable_on) if usable_on else None
    found = keep(search(state.media, query, lambda row: (row.title, row.alt_text, row.credit)), kind=kind)
    found = [row for row in found if day is None or row.licensed_until is None or row.licensed_until >= day]
    found.sort(key=lambda row: (row.title, row.id))
    page = cursor_page("media", found, limit, cursor)
    page["media"] = [
        with_fields(row, used_in=[post.id for post in state.posts if row.id in post.media_ids]) for row in page["media"]
    ]
    return page


@service.tool(phrase="change the details of the media file {media_id}")
def update_media(
    state: SocialState,
    ctx: CallContext,
    media_id: MediaId,
    title: Name | Unset = UNSET,
    alt_text: f.Text | Unset = UNSET,
    licensed_until: f.Date | Unset | None = UNSET,
) -> Media:
    """Change title, alternative text or licence of a file; what is left out stays.

    Errors: `not_found`, `nothing_to_change`, `in_use` (a scheduled post goes out after the new end of the licence),
    `invalid_date`, `blank_text`.

    Args:
        media_id: Id of the file.
        title: New title.
        alt_text: What it shows, for people who cannot see it.
        licensed_until: Last day on which it may be shown; null for always.
    """
    state.media.get(media_id)
    changes = some_changes(given(title=title, alt_text=alt_text, licensed_until=licensed_until))
    if "title" in changes:
        check_text(changes["title"], "title")
    end = changes.get("licensed_until")
    if end is not None:
        check_date(end)
        for row in state.posts.find(status="scheduled"):
            if media_id in row.media_ids and (row.scheduled_at or "")[:10] > end:
                raise conflict(f"{row.id} shows it at {row.scheduled_at}; unschedule that first.", type="in_use")
    return state.media.patch(media_id, **changes)


@service.tool()
def get_analytics(
    state: SocialState,
    ctx: CallContext,
    group_by: GroupBy = "profile",
    profile_id: ProfileId | None = None,
    date_from: f.Date | None = None,
    date_until: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Report what published posts reached, by profile, content campaign, author or weekday, the most seen first.

    Errors: `not_found`, `invalid_date`, `invalid_range`.

    Args:
        group_by: What a row stands for.
        profile_id: Only posts of this profile.
        date_from: Only posts that went out on or after this day.
        date_until: Only posts that went out on or before this day.
        limit: At most so many rows.
        cursor: next_cursor of the previous page.
    """
    if profile_id is not None:
        state.profiles.get(profile_id)
    check_range(date_from, date_until)
    figures = {row.post_id: row for row in state.reach}
    groups: dict[str, list[Reach]] = {}
    counts: dict[str, int] = {}
    for post in state.posts.find(status="published"):
        day = (post.published_at or "")[:10]
        if profile_id not in (None, post.profile_id) or not (date_from or "") <= day <= (date_until or "9999"):
            continue
        key = {
            "profile": state.profiles.get(post.profile_id).handle,
            "topic": state.topics.get(post.topic_id).name if post.topic_id else "no campaign",
            "author": post.author_email,
            "weekday": weekday_of(day),
        }[group_by]
        counts[key] = counts.get(key, 0) + 1
        groups.setdefault(key, []).extend([figures[post.id]] if post.id in figures else [])
    rows: list[Json] = [{group_by: key, "posts": counts[key], **engagement(own)} for key, own in groups.items()]
    rows.sort(key=lambda row: (-row["impressions"], row[group_by]))
    totals = {"posts": sum(counts.values()), **engagement([row for own in groups.values() for row in own])}
    return {**cursor_page("rows", rows, limit, cursor), "totals": totals}
