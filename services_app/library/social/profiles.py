"""Tools for profiles, their queue, blackouts, guidelines and content campaigns."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Json,
    Query,
    brief,
    check_range,
    check_text,
    keep,
    same,
    search,
    with_fields,
)
from services_app.library.social.rules import blocked_on, engagement, next_free_slot
from services_app.library.social.state import (
    WEEKDAYS,
    Blackout,
    Network,
    Profile,
    ProfileId,
    SocialState,
    Weekday,
    service,
)


@service.tool()
def list_profiles(
    state: SocialState, ctx: CallContext, query: Query | None = None, network: Network | None = None
) -> Json:
    """List the company's profiles with limits, followers and who approves their posts.

    Args:
        query: Words in the handle, name or address of the approver.
        network: Only profiles on this kind of network.
    """
    found = search(state.profiles, query, lambda row: (row.handle, row.name, row.approver_email))
    rows = [_shown(row) for row in keep(found, network=network)]
    return {"profiles": rows, "total": len(rows)}


def _shown(profile: Profile) -> Json:
    return with_fields(profile, new_followers=profile.followers - profile.followers_30_days_ago)


@service.tool()
def get_profile(state: SocialState, ctx: CallContext, profile_id: ProfileId) -> Json:
    """Show a profile with its queue slots, the next free one, posts by status and why it is silent today, if it is.

    Errors: `not_found`.

    Args:
        profile_id: Id of the profile.
    """
    profile = state.profiles.get(profile_id)
    posts = state.posts.find(profile_id=profile_id)
    statuses: dict[str, int] = {}
    for row in posts:
        statuses[row.status] = statuses.get(row.status, 0) + 1
    slots = sorted(state.slots.find(profile_id=profile_id), key=lambda row: (WEEKDAYS.index(row.weekday), row.time))
    today = [row for row in posts if (row.published_at or row.scheduled_at or "")[:10] == ctx.today]
    ids = {row.id for row in posts}
    return {
        **_shown(profile),
        "queue_slots": [brief(row, "id", "weekday", "time") for row in slots],
        "next_free_slot": next_free_slot(state, ctx, profile),
        "posts_by_status": statuses,
        "posts_today": len(today),
        "silent_because": blocked_on(state, profile, ctx.today) or None,
        **engagement([row for row in state.reach if row.post_id in ids]),
    }


@service.tool(phrase="change the queue of the profile {profile_id} on {weekday} at {time}")
def set_queue_slot(
    state: SocialState, ctx: CallContext, profile_id: ProfileId, weekday: Weekday, time: f.Time, remove: bool = False
) -> Json:
    """Add a weekly time at which queued posts of a profile go out, or take one away; posts in the queue stay.

    Errors: `not_found`, `slot_exists`, `no_such_slot`, `not_approver`.

    Args:
        profile_id: A profile whose posts you approve, or one that needs no approval.
        weekday: Day of the week.
        time: Time of day in UTC.
        remove: True to take the slot away.
    """
    profile = state.profiles.get(profile_id)
    if profile.needs_approval and not same(profile.approver_email, ME.email):
        raise forbidden(f"Ask {profile.approver_email}, who decides about {profile.handle}.", type="not_approver")
    held = state.slots.first(profile_id=profile_id, weekday=weekday, time=time)
    if remove and held is None:
        raise conflict(f"{profile.handle} has no slot on {weekday} at {time}; see get_profile.", type="no_such_slot")
    if not remove and held is not None:
        raise conflict(f"{profile.handle} has a slot on {weekday} at {time} already.", type="slot_exists")
    if held is not None:
        state.slots.delete(held.id)
    else:
        state.slots.create(profile_id=profile_id, weekday=weekday, time=time)
    return get_profile(state, ctx, profile_id)


@service.tool()
def list_blackouts(
    state: SocialState, ctx: CallContext, profile_id: ProfileId | None = None, include_past: bool = False
) -> Json:
    """List the days on which nothing is posted, and why, the first to come first.

    Args:
        profile_id: Only those that hold for this profile, those for all profiles included.
        include_past: Show those that are over as well.
    """
    found = [
        row
        for row in state.blackouts
        if (profile_id is None or row.profile_id in (None, profile_id)) and (include_past or row.last_day >= ctx.today)
    ]
    found.sort(key=lambda row: (row.first_day, row.id))
    return {"blackouts": found, "total": len(found)}


@service.tool(phrase="declare a blackout from {first_day} to {last_day}")
def create_blackout(
    state: SocialState,
    ctx: CallContext,
    reason: Body,
    first_day: f.Date,
    last_day: f.Date,
    profile_id: ProfileId | None = None,
) -> Blackout:
    """Declare days on which nothing is posted; scheduled posts on these days have to be moved before.

    Errors: `not_found`, `posts_scheduled`, `in_the_past`, `invalid_range`, `invalid_date`, `blank_text`.

    Args:
        reason: Why.
        first_day: First day.
        last_day: Last day.
        profile_id: Only for this profile; for all, if left out.
    """
    if profile_id is not None:
        state.profiles.get(profile_id)
    check_text(reason, "reason")
    check_range(first_day, last_day)
    if last_day < ctx.today:
        raise invalid(f"{last_day} is over; it is {ctx.today}.", type="in_the_past")
    for row in state.posts.find(status="scheduled"):
        day = (row.scheduled_at or "")[:10]
        if profile_id in (None, row.profile_id) and first_day <= day <= last_day:
            raise conflict(f"{row.id} goes out on {day}; unschedule it first.", type="posts_scheduled")
    return state.blackouts.create(
        reason=reason, first_day=first_day, last_day=last_day, profile_id=profile_id, declared_by=ME.email
    )


@service.tool(phrase="end the blackout {blackout_id}")
def end_blackout(state: SocialState, ctx: CallContext, blackout_id: Annotated[str, f.ref("blackouts")]) -> Json:
    """Take back a blackout that you declared.

    Errors: `not_found`, `not_yours`.

    Args:
        blackout_id: Id of the blackout.
    """
    blackout = state.blackouts.get(blackout_id)
    if not same(blackout.declared_by, ME.email):
        raise forbidden(f"Only {blackout.declared_by} may end it.", type="not_yours")
    state.blackouts.delete(blackout_id)
    return {"ended": blackout.reason, "blackouts": [row.reason for row in state.blackouts]}


@service.tool()
def list_blocked_terms(state: SocialState, ctx: CallContext, query: Query | None = None) -> Json:
    """List words that posts must not contain, with the reason and what to write instead.

    Args:
        query: Words in the term, reason or substitute.
    """
    found = search(state.blocked_terms, query, lambda row: (row.term, row.reason, row.use_instead))
    return {"blocked_terms": found, "total": len(found)}


@service.tool()
def list_topics(
    state: SocialState, ctx: CallContext, query: Query | None = None, running_on: f.Date | None = None
) -> Json:
    """List content campaigns with brief, days, number of posts and what these have reached.

    Args:
        query: Words in the name, brief or address of the owner.
        running_on: Only those that run on this day.
    """
    rows = []
    for row in search(state.topics, query, lambda row: (row.name, row.brief, row.owner_email)):
        if running_on is None or row.first_day <= running_on <= row.last_day:
            ids = {post.id for post in state.posts.find(topic_id=row.id)}
            figures = engagement([figure for figure in state.reach if figure.post_id in ids])
            rows.append(with_fields(row, posts=len(ids), **figures))
    return {"topics": rows, "total": len(rows)}
