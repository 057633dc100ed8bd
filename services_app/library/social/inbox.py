"""Tools for what people outside write to and about us."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
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
    minutes_between,
    newest_first,
    same,
    search,
    with_fields,
)
from services_app.library.social.state import (
    Message,
    MessageId,
    MessageKind,
    MessageStatus,
    ProfileId,
    Sentiment,
    SocialState,
    service,
)


@service.tool()
def list_messages(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: SocialState,
    ctx: CallContext,
    query: Query | None = None,
    status: MessageStatus | None = None,
    kind: MessageKind | None = None,
    sentiment: Sentiment | None = None,
    profile_id: ProfileId | None = None,
    assignee_email: f.Email | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List comments, mentions and direct messages, the newest first, with how long open ones have waited.

    Args:
        query: Words in the text, or in the name or company of the author.
        status: Only open, answered or closed ones.
        kind: Only messages of this kind.
        sentiment: Only positive, neutral or negative ones.
        profile_id: Only messages to this profile.
        assignee_email: Only messages that this person looks after.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    found = search(state.messages, query, lambda row: (row.text, row.author_name, row.author_company))
    found = keep(found, status=status, kind=kind, sentiment=sentiment, profile_id=profile_id)
    found = keep(found, assignee_email=assignee_email)
    found = newest_first(found, "received_at")
    return cursor_page("messages", [_shown(ctx, row) for row in found], limit, cursor)


def _shown(ctx: CallContext, message: Message) -> Json:
    waiting = minutes_between(message.received_at, ctx.now) // 60 if message.status == "open" else None
    return with_fields(message, waiting_hours=waiting)


@service.tool()
def get_conversation(state: SocialState, ctx: CallContext, message_id: MessageId) -> Json:
    """Show a message with the post it is about, our replies, internal notes and other messages of the same author.

    Errors: `not_found`.

    Args:
        message_id: Id of the message.
    """
    message = state.messages.get(message_id)
    post = state.posts.get(message.post_id) if message.post_id else None
    others = [
        brief(row, "id", "kind", "text", "status", "received_at")
        for row in state.messages
        if same(row.author_name, message.author_name) and row.id != message_id
    ]
    return {
        **_shown(ctx, message),
        "profile": state.profiles.get(message.profile_id).handle,
        "post": brief(post, "id", "text", "link") if post else None,
        "replies": state.replies.find(message_id=message_id),
        "earlier_messages": others,
    }


def _mine(state: SocialState, message_id: str) -> Message:
    """A message that is not closed and not somebody else's: 409 `message_closed`, 403 `assigned_to_other`."""
    message = state.messages.get(message_id)
    if message.status == "closed":
        raise conflict(f"{message_id} is closed; nothing more is done about it.", type="message_closed")
    if message.assignee_email is not None and not same(message.assignee_email, ME.email):
        raise forbidden(
            f"{message.assignee_email} looks after {message_id}; assign it first.", type="assigned_to_other"
        )
    return message


@service.tool(phrase="reply to the message {message_id}")
def reply_to_message(
    state: SocialState, ctx: CallContext, message_id: MessageId, text: Body, internal: bool = False
) -> Json:
    """Answer a message in public or, for direct messages, in private; or leave a note for colleagues.

    Messages without an assignee become yours with a reply. A hidden comment is not answered.

    Errors: `not_found`, `message_closed`, `assigned_to_other`, `message_hidden`, `too_long`, `blank_text`.

    Args:
        message_id: Id of the message.
        text: The reply, no longer than the profile takes.
        internal: True for a note that nobody outside sees.
    """
    message = state.messages.get(message_id)
    check_text(text, "reply")
    if not internal:
        _mine(state, message_id)
        profile = state.profiles.get(message.profile_id)
        if message.hidden:
            raise conflict(f"{message_id} is hidden; show it again before you answer.", type="message_hidden")
        if len(text) > profile.character_limit:
            raise invalid(f"{profile.handle} takes {profile.character_limit} characters; shorten it.", type="too_long")
        owner = message.assignee_email or ME.email
        message = state.messages.patch(message_id, status="answered", assignee_email=owner)
    reply = state.replies.create(
        message_id=message_id, text=text, internal=internal, author_email=ME.email, sent_at=ctx.now
    )
    return with_fields(reply, message_status=message.status, assignee_email=message.assignee_email)


@service.tool(phrase="give the message {message_id} to {assignee_email}")
def assign_message(state: SocialState, ctx: CallContext, message_id: MessageId, assignee_email: f.Email) -> Json:
    """Give a message that is not closed to a colleague, or take it yourself.

    Errors: `not_found`, `message_closed`, `already_assigned`, `outside_company`.

    Args:
        message_id: Id of the message.
        assignee_email: Address of the colleague.
    """
    message = state.messages.get(message_id)
    if message.status == "closed":
        raise conflict(f"{message_id} is closed; nothing more is done about it.", type="message_closed")
    if outside(assignee_email):
        raise forbidden(f"{assignee_email} is outside the company; name a colleague.", type="outside_company")
    if same(message.assignee_email or "", assignee_email):
        raise conflict(f"{assignee_email} looks after {message_id} already.", type="already_assigned")
    return _shown(ctx, state.messages.patch(message_id, assignee_email=assignee_email))


@service.tool(phrase="close the message {message_id}")
def close_message(state: SocialState, ctx: CallContext, message_id: MessageId, outcome: Body) -> Json:
    """Close a message of yours or of nobody; negative ones have to be answered before.

    Errors: `not_found`, `message_closed`, `assigned_to_other`, `answer_missing`, `blank_text`.

    Args:
        message_id: Id of the message.
        outcome: What came of it; kept as an internal note.
    """
    message = _mine(state, message_id)
    check_text(outcome, "outcome")
    if message.sentiment == "negative" and message.status == "open" and not message.hidden:
        raise conflict(f"{message_id} is a complaint without an answer; reply first.", type="answer_missing")
    state.replies.create(message_id=message_id, text=outcome, internal=True, author_email=ME.email, sent_at=ctx.now)
    return _shown(ctx, state.messages.patch(message_id, status="closed"))


@service.tool(phrase="hide or show the comment {message_id}")
def hide_comment(state: SocialState, ctx: CallContext, message_id: MessageId, hidden: bool = True) -> Json:
    """Hide a comment from the public, or show it again; complaints by customers stay visible.

    Errors: `not_found`, `not_a_comment`, `customer_comment`, `no_change`.

    Args:
        message_id: Id of the message.
        hidden: False to show it again.
    """
    message = state.messages.get(message_id)
    if message.kind != "comment":
        raise conflict(f"{message_id} is a {message.kind.replace('_', ' ')}; only comments hide.", type="not_a_comment")
    if hidden and message.author_company and message.sentiment == "negative":
        raise forbidden(
            f"{message.author_name} of {message.author_company} is a customer; answer instead.", type="customer_comment"
        )
    if message.hidden == hidden:
        raise conflict(f"{message_id} is {'hidden' if hidden else 'visible'} already.", type="no_change")
    return _shown(ctx, state.messages.patch(message_id, hidden=hidden))
