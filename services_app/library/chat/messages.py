"""Tools for messages: reading, posting, threads, pins and reactions. Reading marks nothing as read."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, forbidden
from services_app.engine import fields as f
from services_app.library.chat.access import (
    ChannelName,
    MessageId,
    channel_by,
    me,
    membership,
    readable_message,
    shown,
    unread,
    user_by,
    visible_ids,
    writable,
)
from services_app.library.chat.channels import Who
from services_app.library.chat.state import Channel, ChatState, Message, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_range,
    check_text,
    cursor_page,
    newest_first,
    search,
)

Text = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=4000)]
Emoji = Annotated[str, f.Semantic("label"), Field(pattern=r"^[a-z0-9_+-]{1,30}$")]


@service.tool()
def read_channel(
    state: ChatState,
    ctx: CallContext,
    channel: ChannelName,
    since: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Read the messages of a channel, newest first, without the replies in threads.

    Errors: `not_found`, `invalid_date`.

    Args:
        channel: Name of the channel.
        since: Only messages of this day or later.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    check_range(since, None)
    found = channel_by(state, channel)
    rows = [
        row
        for row in state.messages.find(channel_id=found.id, thread_id=None)
        if since is None or row.posted_at[:10] >= since
    ]
    rows = newest_first(rows, "posted_at")
    page = cursor_page("messages", rows, limit, cursor)
    page["messages"] = [shown(state, row) for row in page["messages"]]
    return page


@service.tool()
def search_messages(
    state: ChatState,
    ctx: CallContext,
    query: Query,
    channel: ChannelName | None = None,
    author: Who | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Search the messages of all channels you can see, newest first, replies included.

    Errors: `not_found` (channel), `unknown_user`.

    Args:
        query: Words that must all occur.
        channel: Only in the channel of this name.
        author: Only by the person with this address or handle.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    ids = {channel_by(state, channel).id} if channel else visible_ids(state)
    writer = user_by(state, author).id if author else None
    found = [
        row
        for row in search(state.messages, query, lambda row: (row.text,))
        if row.channel_id in ids and (writer is None or row.author_id == writer)
    ]
    found = newest_first(found, "posted_at")
    page = cursor_page("messages", found, limit, cursor)
    page["messages"] = [shown(state, row) for row in page["messages"]]
    return page


@service.tool()
def get_thread(state: ChatState, ctx: CallContext, message_id: MessageId) -> Json:
    """Read a message and all replies to it, oldest first.

    Errors: `not_found`.

    Args:
        message_id: Id of the first message or of any reply.
    """
    message = readable_message(state, message_id)
    first = readable_message(state, message.thread_id) if message.thread_id else message
    replies = sorted(state.messages.find(thread_id=first.id), key=lambda row: (row.posted_at, row.id))
    return {"message": shown(state, first), "replies": [shown(state, row) for row in replies], "total": len(replies)}


@service.tool(phrase="post a message in #{channel}")
def post_message(state: ChatState, ctx: CallContext, channel: ChannelName, text: Text) -> Json:
    """Post a message in a channel you are a member of.

    Errors: `not_found`, `channel_archived`, `not_a_member`, `announcements_only` (only owners may post), `blank_text`.

    Args:
        channel: Name of the channel.
        text: The message.
    """
    found = channel_by(state, channel)
    writable(state, found)
    return shown(state, _post(state, ctx, found, check_text(text, "text")))


def _post(state: ChatState, ctx: CallContext, channel: Channel, text: str, thread_id: str | None = None) -> Message:
    return state.messages.create(
        channel_id=channel.id, author_id=me(state).id, text=text, posted_at=ctx.now, thread_id=thread_id
    )


@service.tool(phrase="reply in the thread of {message_id}")
def reply_in_thread(state: ChatState, ctx: CallContext, message_id: MessageId, text: Text) -> Json:
    """Reply to a message in its thread.

    Errors: `not_found`, `channel_archived`, `not_a_member`, `announcements_only`, `blank_text`.

    Args:
        message_id: Id of the message, or of a reply in the same thread.
        text: The reply.
    """
    message = readable_message(state, message_id)
    channel = state.channels.get(message.channel_id)
    writable(state, channel)
    return shown(state, _post(state, ctx, channel, check_text(text, "text"), message.thread_id or message.id))


@service.tool(phrase="send {user} a direct message")
def send_direct_message(state: ChatState, ctx: CallContext, user: Who, text: Text) -> Json:
    """Send someone a direct message; the conversation is opened if there is none.

    Errors: `unknown_user`, `yourself`, `do_not_disturb` (the person does not want to be disturbed), `blank_text`.

    Args:
        user: Email address or handle of the person.
        text: The message.
    """
    person, own = user_by(state, user), me(state)
    if person.id == own.id:
        raise conflict("You cannot write to yourself.", type="yourself")
    if person.presence == "do_not_disturb":
        raise conflict(
            f"{person.name} does not want to be disturbed; use a channel or try later.", type="do_not_disturb"
        )
    return shown(state, _post(state, ctx, _conversation(state, ctx, own.id, person.id), check_text(text, "text")))


def _conversation(state: ChatState, ctx: CallContext, first: str, second: str) -> Channel:
    """The direct channel of two people, opened when missing."""
    for channel in state.channels.find(kind="direct"):
        if {row.user_id for row in state.memberships.find(channel_id=channel.id)} == {first, second}:
            return channel
    name = "-".join(state.users.get(identity).handle.replace(".", "-") for identity in sorted((first, second)))
    channel = state.channels.create(name=name, kind="direct", created_at=ctx.now)
    for identity in (first, second):
        state.memberships.create(channel_id=channel.id, user_id=identity, role="member", last_read_at=ctx.now)
    return channel


def _own(state: ChatState, message_id: str) -> Message:
    message = readable_message(state, message_id)
    if message.author_id != me(state).id:
        raise forbidden(f"Message {message_id} is not yours.", type="not_your_message")
    if state.channels.get(message.channel_id).archived:
        raise conflict("The channel is archived.", type="channel_archived")
    return message


@service.tool(phrase="edit your message {message_id}")
def edit_message(state: ChatState, ctx: CallContext, message_id: MessageId, text: Text) -> Json:
    """Replace the text of a message of your own; it is shown as edited.

    Errors: `not_found`, `not_your_message`, `channel_archived`, `blank_text`.

    Args:
        message_id: Id of your message.
        text: New text.
    """
    _own(state, message_id)
    return shown(state, state.messages.patch(message_id, text=check_text(text, "text"), edited=True))


@service.tool(phrase="delete your message {message_id}")
def delete_message(state: ChatState, ctx: CallContext, message_id: MessageId) -> Json:
    """Delete a message of your own that nobody has replied to.

    Errors: `not_found`, `not_your_message`, `channel_archived`, `has_replies`.

    Args:
        message_id: Id of your message.
    """
    _own(state, message_id)
    if state.messages.first(thread_id=message_id):
        raise conflict(f"Message {message_id} has replies; edit it instead.", type="has_replies")
    for reaction in state.reactions.find(message_id=message_id):
        state.reactions.delete(reaction.id)
    state.messages.delete(message_id)
    return {"deleted": message_id}


@service.tool(phrase="pin {message_id}")
def pin_message(state: ChatState, ctx: CallContext, message_id: MessageId, pinned: bool = True) -> Json:
    """Pin a message to its channel, or take the pin off; ten pins per channel at most.

    Errors: `not_found`, `not_a_member`, `channel_archived`, `announcements_only`, `no_change`, `too_many_pins`.

    Args:
        message_id: Id of the message.
        pinned: false takes the pin off.
    """
    message = readable_message(state, message_id)
    channel = state.channels.get(message.channel_id)
    writable(state, channel)
    if message.pinned == pinned:
        raise conflict(f"Message {message_id} is {'pinned' if pinned else 'not pinned'} already.", type="no_change")
    if pinned and state.messages.count(channel_id=channel.id, pinned=True) >= 10:
        raise conflict(f"#{channel.name} has ten pins; take one off first.", type="too_many_pins")
    return shown(state, state.messages.patch(message_id, pinned=pinned))


@service.tool()
def list_pins(state: ChatState, ctx: CallContext, channel: ChannelName) -> Json:
    """List the pinned messages of a channel, newest first.

    Errors: `not_found`.

    Args:
        channel: Name of the channel.
    """
    found = channel_by(state, channel)
    rows = state.messages.find(channel_id=found.id, pinned=True)
    rows = newest_first(rows, "posted_at")
    return {"channel": found.name, "messages": [shown(state, row) for row in rows], "total": len(rows)}


@service.tool(phrase="react to {message_id} with {emoji}")
def add_reaction(state: ChatState, ctx: CallContext, message_id: MessageId, emoji: Emoji) -> Json:
    """React to a message with an emoji, each of you once per emoji.

    Errors: `not_found`, `not_a_member`, `already_reacted`.

    Args:
        message_id: Id of the message.
        emoji: Name of the emoji without colons, such as white_check_mark.
    """
    message, own = readable_message(state, message_id), me(state)
    if membership(state, message.channel_id, own.id) is None:
        raise forbidden("Join the channel before reacting.", type="not_a_member")
    if state.reactions.first(message_id=message_id, user_id=own.id, emoji=emoji):
        raise conflict(f"You have reacted with {emoji} already.", type="already_reacted")
    state.reactions.create(message_id=message_id, user_id=own.id, emoji=emoji)
    return shown(state, message)


@service.tool(phrase="mark #{channel} as read")
def mark_channel_read(state: ChatState, ctx: CallContext, channel: ChannelName) -> Json:
    """Mark everything in a channel as read.

    Errors: `not_found`, `not_a_member`, `nothing_unread`.

    Args:
        channel: Name of the channel.
    """
    found = channel_by(state, channel)
    own = membership(state, found.id, me(state).id)
    if own is None:
        raise forbidden(f"You are not a member of #{found.name}.", type="not_a_member")
    count = unread(state, own)
    if not count:
        raise conflict(f"Nothing in #{found.name} is unread.", type="nothing_unread")
    state.memberships.patch(own.id, last_read_at=ctx.now)
    return {"channel": found.name, "marked_read": count, "unread": 0}


@service.tool()
def unread_summary(state: ChatState, ctx: CallContext) -> Json:
    """List the channels with unread messages, most first, and the number in all."""
    rows = []
    for own in state.memberships.find(user_id=me(state).id):
        channel, count = state.channels.first(id=own.channel_id), unread(state, own)
        if channel is not None and count and not channel.archived:
            rows.append({"channel": channel.name, "kind": channel.kind, "unread": count})
    rows.sort(key=lambda row: (-int(str(row["unread"])), str(row["channel"])))
    return {"channels": rows, "total_unread": sum(int(str(row["unread"])) for row in rows)}
