"""What keeps a post from going out, where it may stand in time, and how answers show it."""

from __future__ import annotations

import re

from services_app.engine import CallContext, ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.shared import Json, fold, minutes_between, percent, plus_days, same, weekday_of, with_fields
from services_app.library.social.state import Post, Profile, Reach, SocialState

GAP_MINUTES = 60
REPEAT_DAYS = 30
QUEUE_DAYS = 28
_WORD = re.compile(r"[^\W_]+")


def engagement(figures: list[Reach]) -> Json:
    """Sums of the figures of posts, with likes, shares and clicks in per cent of the impressions."""
    shown = sum(row.impressions for row in figures)
    likes, shares = sum(row.likes for row in figures), sum(row.shares for row in figures)
    clicks = sum(row.clicks for row in figures)
    rate = percent(likes + shares + clicks, shown, 2)
    return {"impressions": shown, "likes": likes, "shares": shares, "clicks": clicks, "engagement_rate": rate}


def described(state: SocialState, post: Post) -> Json:
    """A post with its profile, notes, media and, once it is out, its figures."""
    profile = state.profiles.get(post.profile_id)
    topic = state.topics.get(post.topic_id) if post.topic_id else None
    found = with_fields(
        post,
        profile=profile.handle,
        network=profile.network,
        topic=topic.name if topic else None,
        characters=length(post),
        media=[{"id": row, "title": state.media.get(row).title} for row in post.media_ids],
        notes=state.notes.find(post_id=post.id),
    )
    return {**found, **engagement(state.reach.find(post_id=post.id))} if post.status == "published" else found


def length(post: Post) -> int:
    """Characters that count: a link counts 23, however long it is."""
    return len(post.text) + (24 if post.link else 0)


def _words(text: str) -> str:
    """The words of a text between single spaces, for comparison."""
    return " ".join(("", *_WORD.findall(fold(text)), ""))


def check_content(state: SocialState, post: Post, day: str) -> None:
    """Whether a post may be shown on a day: length, blocked terms, media and their licences."""
    profile = state.profiles.get(post.profile_id)
    if length(post) > profile.character_limit:
        raise invalid(
            f"{length(post)} characters are too many for {profile.handle}, which takes {profile.character_limit}.",
            type="too_long",
        )
    for row in state.blocked_terms:
        if _words(row.term) in _words(post.text):
            hint = f"; write {row.use_instead!r}" if row.use_instead else "; leave it out"
            raise invalid(f"{row.term!r} is blocked ({row.reason.rstrip('.')}){hint}.", type="blocked_term")
    media = [state.media.get(identity) for identity in post.media_ids]
    if profile.network in ("photo", "video") and not media:
        raise invalid(f"{profile.handle} shows posts with media only; add one from list_media.", type="media_missing")
    for file in media:
        if profile.network == "video" and file.kind != "video":
            raise invalid(f"{profile.handle} shows videos only, {file.id} is an image.", type="wrong_media")
        if file.kind == "image" and not file.alt_text.strip():
            raise invalid(f"{file.id} ({file.title}) lacks an alternative text; add it first.", type="alt_text_missing")
        if file.licensed_until is not None and file.licensed_until < day:
            raise forbidden(f"{file.id} may not be shown after {file.licensed_until}.", type="licence_expired")


def check_new(state: SocialState, post: Post, moment: str) -> None:
    """409 `repeated_text` when the profile said the same within thirty days before the moment, or is going to."""
    for row in state.posts.find(profile_id=post.profile_id):
        when = row.published_at or row.scheduled_at
        if row.id == post.id or when is None or not same(row.text, post.text):
            continue
        if abs(minutes_between(when, moment)) < REPEAT_DAYS * 1440:
            raise conflict(f"{row.id} says the same on {when[:10]}; change the text.", type="repeated_text")


def check_approved(state: SocialState, post: Post) -> None:
    """409 `wrong_status` for posts that are out, waiting or rejected; 403 `approval_missing` where one is needed."""
    if post.status not in ("draft", "approved"):
        raise conflict(f"{post.id} is {post.status}; this needs a draft or an approved post.", type="wrong_status")
    profile = state.profiles.get(post.profile_id)
    if profile.needs_approval and post.status != "approved":
        raise forbidden(
            f"{profile.handle} shows approved posts only; submit {post.id} to {profile.approver_email}.",
            type="approval_missing",
        )


def blocked_on(state: SocialState, profile: Profile, day: str) -> str:
    """The reason why a profile is silent on a day; empty when it is not."""
    for row in state.blackouts:
        if row.profile_id in (None, profile.id) and row.first_day <= day <= row.last_day:
            return row.reason
    return ""


def _others(state: SocialState, profile: Profile, own: str) -> list[str]:
    rows = (row for row in state.posts.find(profile_id=profile.id) if row.id != own)
    return [when for row in rows if (when := row.published_at or row.scheduled_at) is not None]


def why_not(state: SocialState, profile: Profile, moment: str, own: str = "") -> ToolError | None:
    """What speaks against a post of the profile at a moment: blackout, too many that day, too close to another."""
    reason, day = blocked_on(state, profile, moment[:10]), moment[:10]
    if reason:
        return forbidden(f"{profile.handle} is silent on {day}: {reason.rstrip('.')}.", type="blackout")
    others = _others(state, profile, own)
    if sum(when[:10] == day for when in others) >= profile.most_a_day:
        return conflict(f"{profile.handle} has {profile.most_a_day} posts on {day}, its most.", type="day_full")
    for when in others:
        if abs(minutes_between(when, moment)) < GAP_MINUTES:
            return conflict(f"Another post goes out at {when}; leave {GAP_MINUTES} minutes.", type="too_close")
    return None


def check_time(state: SocialState, profile: Profile, moment: str, own: str = "") -> None:
    """403 `blackout`, 409 `day_full` or `too_close`."""
    problem = why_not(state, profile, moment, own)
    if problem is not None:
        raise problem


def next_free_slot(state: SocialState, ctx: CallContext, profile: Profile, own: str = "") -> str | None:
    """The first moment of the profile's queue within four weeks at which nothing speaks against a post."""
    slots = sorted(state.slots.find(profile_id=profile.id), key=lambda row: row.time)
    for ahead in range(QUEUE_DAYS):
        day = plus_days(ctx.today, ahead)
        weekday = weekday_of(day)
        for slot in slots:
            moment = f"{day}T{slot.time}:00Z"
            if slot.weekday == weekday and moment > ctx.now and why_not(state, profile, moment, own) is None:
                return f.format_timestamp(f.parse_timestamp(moment))
    return None
