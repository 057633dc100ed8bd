"""Who is who, and who may see and write what. You are the signed-in user of the chat."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import ToolError, conflict, forbidden, not_found
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.chat.state import Channel, ChatState, Membership, Message, User
from services_app.library.shared import Json, same

ChannelName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=80)]
MessageId = Annotated[str, f.ref("messages")]


def me(state: ChatState) -> User:
    """The signed-in user."""
    for user in state.users:
        if same(user.email, ME.email):
            return user
    raise forbidden("You are not a user of this chat.", type="not_a_user")


def user_by(state: ChatState, who: str) -> User:
    """The user with this email address, handle (with or without @) or id; 404 otherwise."""
    wanted = who.strip().removeprefix("@")
    for user in state.users:
        if same(user.email, wanted) or same(user.handle, wanted) or user.id == wanted:
            return user
    raise ToolError(404, "unknown_user", f"No user {who!r}; use find_users.")


def membership(state: ChatState, channel_id: str, user_id: str) -> Membership | None:
    return state.memberships.first(channel_id=channel_id, user_id=user_id)


def channel_by(state: ChatState, name: str) -> Channel:
    """The channel with this name (with or without #) or id that you can see; 404 otherwise."""
    wanted = name.strip().removeprefix("#")
    for channel in state.channels:
        if same(channel.name, wanted) or channel.id == wanted:
            return visible(state, channel)
    raise not_found("channel", name)


def visible(state: ChatState, channel: Channel) -> Channel:
    """Refuse private and direct channels that you are not in, without saying that they exist."""
    if channel.kind != "public" and membership(state, channel.id, me(state).id) is None:
        raise not_found("channel", channel.name)
    return channel


def visible_ids(state: ChatState) -> set[str]:
    """Ids of the channels you can read."""
    own = {row.channel_id for row in state.memberships.find(user_id=me(state).id)}
    return {channel.id for channel in state.channels if channel.kind == "public" or channel.id in own}


def writable(state: ChatState, channel: Channel) -> Membership:
    """Your membership of a channel that you may post in."""
    if channel.archived:
        raise conflict(f"#{channel.name} is archived; take it out of the archive first.", type="channel_archived")
    own = membership(state, channel.id, me(state).id)
    if own is None:
        raise forbidden(f"You are not a member of #{channel.name}; use join_channel.", type="not_a_member")
    if channel.announcements_only and own.role != "owner":
        raise forbidden(f"Only owners may post in #{channel.name}.", type="announcements_only")
    return own


def owned(state: ChatState, channel: Channel) -> Channel:
    """A channel that you own; 403 otherwise."""
    own = membership(state, channel.id, me(state).id)
    if own is None or own.role != "owner":
        raise forbidden(f"You are not an owner of #{channel.name}.", type="not_an_owner")
    return channel


def readable_message(state: ChatState, message_id: str) -> Message:
    """A message in a channel that you can see; 404 otherwise."""
    message = state.messages.get(message_id)
    visible(state, state.channels.get(message.channel_id))
    return message


def shown(state: ChatState, message: Message) -> Json:
    """A message as answers show it: with author, channel, reactions and number of replies."""
    author = state.users.first(id=message.author_id)
    channel = state.channels.first(id=message.channel_id)
    counts: dict[str, int] = {}
    for reaction in state.reactions.find(message_id=message.id):
        counts[reaction.emoji] = counts.get(reaction.emoji, 0) + 1
    return {
        **message.plain(),
        "channel": channel.name if channel else None,
        "author": author.name if author else None,
        "author_email": author.email if author else None,
        "replies": state.messages.count(thread_id=message.id),
        "reactions": counts,
    }


def unread(state: ChatState, own: Membership) -> int:
    """Messages by others in a channel since you last read it."""
    return sum(
        1
        for row in state.messages.find(channel_id=own.channel_id)
        if row.posted_at > own.last_read_at and row.author_id != own.user_id
    )
