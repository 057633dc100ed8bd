"""Tools that find, write and approve posts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    within,
)
from services_app.library.social.rules import check_content, described
from services_app.library.social.state import (
    Decision,
    LinkUrl,
    Post,
    PostId,
    PostStatus,
    PostText,
    ProfileId,
    SocialState,
    TopicId,
    service,
)

MediaIds = Annotated[list[Annotated[str, f.ref("media")]], Field(max_length=4)]
Note = Annotated[str, f.Semantic("text"), Field(max_length=1000)]


@service.tool()
def list_posts(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SocialState,
    ctx: CallContext,
    query: Query | None = None,
    status: PostStatus | None = None,
    profile_id: ProfileId | None = None,
    topic_id: TopicId | None = None,
    date_from: f.Date | None = None,
    date_until: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List posts by words, status, profile, campaign or day of publication, the last changed first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the text, link or address of the author.
        status: Only posts with this status.
        profile_id: Only posts of this profile.
        topic_id: Only posts of this content campaign.
        date_from: Only posts that went or go out on or after this day.
        date_until: Only posts that went or go out on or before this day.
        limit: At most so many posts.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.posts, status=status, profile_id=profile_id, topic_id=topic_id)
    found = search(found, query, lambda row: (row.text, row.link, row.author_email))
    if date_from is not None or date_until is not None:
        out = within(found, "published_at", date_from, date_until)
        found = out + within([row for row in found if row.published_at is None], "scheduled_at", date_from, date_until)
    found = newest_first(found, "updated_at")
    names = ("id", "profile_id", "topic_id", "text", "status", "author_email", "scheduled_at", "published_at")
    page = cursor_page("posts", found, limit, cursor)
    page["posts"] = [
        {**brief(row, *names), "profile": state.profiles.get(row.profile_id).handle} for row in page["posts"]
    ]
    return page


@service.tool()
def get_post(state: SocialState, ctx: CallContext, post_id: PostId) -> Json:
    """Show a post with its profile, media, notes and, once it is out, its figures and the messages about it.

    Errors: `not_found`.

    Args:
        post_id: Id of the post.
    """
    post = state.posts.get(post_id)
    messages = [
        brief(row, "id", "kind", "author_name", "text", "status", "sentiment")
        for row in state.messages.find(post_id=post_id)
    ]
    return {**described(state, post), "messages": messages}


def editable(state: SocialState, post_id: str) -> Post:
    """A post that can still be changed; 409 `wrong_status`."""
    post = state.posts.get(post_id)
    if post.status in ("scheduled", "published"):
        hint = "unschedule it first" if post.status == "scheduled" else "it is out"
        raise conflict(f"{post_id} is {post.status}; {hint}.", type="wrong_status")
    return post


def _media(state: SocialState, media_ids: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(state.media.get(identity).id for identity in media_ids))


@service.tool(phrase="draft a post for the profile {profile_id}")
def create_post(
    state: SocialState,
    ctx: CallContext,
    profile_id: ProfileId,
    text: PostText,
    link: LinkUrl = "",
    media_ids: MediaIds | None = None,
    topic_id: TopicId | None = None,
) -> Json:
    """Draft a post; whether it may be shown is checked when it is submitted, scheduled or published.

    Errors: `not_found`, `blank_text`.

    Args:
        profile_id: Profile that is to show it.
        text: What it says.
        link: Page it points to; counts as 24 characters.
        media_ids: Up to four files of the media library.
        topic_id: Content campaign it belongs to.
    """
    state.profiles.get(profile_id)
    if topic_id is not None:
        state.topics.get(topic_id)
    check_text(text, "text")
    post = state.posts.create(
        profile_id=profile_id,
        topic_id=topic_id,
        text=text,
        link=link,
        media_ids=_media(state, media_ids or []),
        author_email=ME.email,
        updated_at=ctx.now,
    )
    return described(state, post)


@service.tool(phrase="change the post {post_id}")
def update_post(
    state: SocialState,
    ctx: CallContext,
    post_id: PostId,
    text: PostText | Unset = UNSET,
    link: LinkUrl | Unset = UNSET,
    media_ids: MediaIds | Unset = UNSET,
    topic_id: TopicId | Unset | None = UNSET,
) -> Json:
    """Change a post that is neither scheduled nor out; it is a draft again and an approval is lost.

    Errors: `not_found`, `wrong_status`, `nothing_to_change`, `blank_text`.

    Args:
        post_id: Id of the post.
        text: New text.
        link: New page; empty for none.
        media_ids: New files, all of them.
        topic_id: New content campaign; null for none.
    """
    editable(state, post_id)
    changes = some_changes(given(text=text, link=link, media_ids=media_ids, topic_id=topic_id))
    if "text" in changes:
        check_text(changes["text"], "text")
    if "media_ids" in changes:
        changes["media_ids"] = _media(state, changes["media_ids"])
    if changes.get("topic_id") is not None:
        state.topics.get(changes["topic_id"])
    return described(state, state.posts.patch(post_id, **changes, status="draft", updated_at=ctx.now))


@service.tool(phrase="copy the post {post_id} to the profile {profile_id}")
def duplicate_post(state: SocialState, ctx: CallContext, post_id: PostId, profile_id: ProfileId) -> Json:
    """Copy text, link, media and campaign of a post into a new draft for the same or another profile.

    Errors: `not_found`.

    Args:
        post_id: Id of the post to copy.
        profile_id: Profile of the copy.
    """
    post = state.posts.get(post_id)
    state.profiles.get(profile_id)
    values = brief(post, "topic_id", "text", "link", "media_ids")
    copy = state.posts.create(profile_id=profile_id, **values, author_email=ME.email, updated_at=ctx.now)
    return described(state, copy)


@service.tool(phrase="delete the post {post_id}")
def delete_post(state: SocialState, ctx: CallContext, post_id: PostId) -> Json:
    """Delete a post of yours that is neither scheduled nor out.

    Errors: `not_found`, `wrong_status`, `not_yours`.

    Args:
        post_id: Id of the post.
    """
    post = editable(state, post_id)
    if not same(post.author_email, ME.email):
        raise forbidden(f"Only {post.author_email} may delete {post_id}.", type="not_yours")
    for row in state.notes.find(post_id=post_id):
        state.notes.delete(row.id)
    state.posts.delete(post_id)
    return {"deleted": post_id, "drafts_left": state.posts.count(author_email=ME.email, status="draft")}


@service.tool(phrase="submit the post {post_id} for approval")
def submit_for_approval(state: SocialState, ctx: CallContext, post_id: PostId, note: Note = "") -> Json:
    """Hand a draft or rejected post to the approver of its profile; its content has to keep the rules by today.

    Errors: `not_found`, `wrong_status`, `no_approval_needed`, `too_long`, `blocked_term`, `media_missing`,
    `wrong_media`, `alt_text_missing`, `licence_expired`.

    Args:
        post_id: Id of the post.
        note: A word to the approver.
    """
    post = state.posts.get(post_id)
    profile = state.profiles.get(post.profile_id)
    if post.status not in ("draft", "rejected"):
        raise conflict(
            f"{post_id} is {post.status}; only drafts and rejected posts are submitted.", type="wrong_status"
        )
    if not profile.needs_approval:
        raise conflict(f"{profile.handle} needs no approval; schedule the post.", type="no_approval_needed")
    check_content(state, post, ctx.today)
    if note.strip():
        state.notes.create(post_id=post_id, author_email=ME.email, text=note, written_at=ctx.now)
    changed = state.posts.patch(post_id, status="in_review", updated_at=ctx.now)
    return {**described(state, changed), "approver_email": profile.approver_email}


@service.tool(phrase="decide on the post {post_id}: {decision}")
def review_post(state: SocialState, ctx: CallContext, post_id: PostId, decision: Decision, comment: Body) -> Json:
    """Approve or reject a post in review, on a profile whose approver you are; never one that you wrote.

    Errors: `not_found`, `wrong_status`, `not_approver`, `own_post`, `blank_text`.

    Args:
        post_id: Id of the post.
        decision: Approved or rejected.
        comment: The reason, for the author.
    """
    post = state.posts.get(post_id)
    profile = state.profiles.get(post.profile_id)
    check_text(comment, "comment")
    if post.status != "in_review":
        raise conflict(f"{post_id} is {post.status}; only posts in review are decided on.", type="wrong_status")
    if not same(profile.approver_email, ME.email):
        raise forbidden(f"{profile.approver_email} decides about {profile.handle}.", type="not_approver")
    if same(post.author_email, ME.email):
        raise forbidden("You wrote it; ask a colleague to submit it instead.", type="own_post")
    state.notes.create(post_id=post_id, author_email=ME.email, text=comment, written_at=ctx.now)
    return described(state, state.posts.patch(post_id, status=decision, updated_at=ctx.now))
