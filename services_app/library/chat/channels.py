"""Tools for channels, their members and the people of the chat."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.chat.access import (
    ChannelName,
    channel_by,
    me,
    membership,
    owned,
    unread,
    user_by,
    visible_ids,
    writable,
)
from services_app.library.chat.state import Bookmark, Channel, ChannelKind, ChatState, Presence, User, service
from services_app.library.shared import (
    LABEL,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    some_changes,
    with_fields,
)

Who = Annotated[str, f.Semantic("email"), Field(min_length=1, max_length=120)]
NewName = Annotated[str, f.Semantic("label"), Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]


@service.tool()
def list_channels(
    state: ChatState,
    ctx: CallContext,
    query: Query | None = None,
    kind: ChannelKind | None = None,
    joined_only: bool = False,
    include_archived: bool = False,
    limit: Limit = 30,
    cursor: Cursor = "",
) -> Json:
    """List the channels you can see by name, with members and your unread messages.

    Args:
        query: Words in the name, topic or purpose.
        kind: Only channels of this kind.
        joined_only: Only channels you are a member of.
        include_archived: Also archived channels.
        limit: At most so many channels.
        cursor: next_cursor of the previous page.
    """
    ids, mine = visible_ids(state), me(state).id
    found = keep(search(state.channels, query, lambda row: (row.name, row.topic, row.purpose)), kind=kind)
    rows = []
    for channel in sorted(found, key=lambda row: (row.name, row.id)):
        own = membership(state, channel.id, mine)
        if channel.id in ids and (own or not joined_only) and (include_archived or not channel.archived):
            rows.append(_row(state, channel, unread(state, own) if own else None))
    return cursor_page("channels", rows, limit, cursor)


def _row(state: ChatState, channel: Channel, unread_count: int | None) -> Json:
    return {
        **brief(channel, "id", "name", "kind", "topic", "archived"),
        "members": state.memberships.count(channel_id=channel.id),
        "joined": unread_count is not None,
        "unread": unread_count or 0,
    }


@service.tool()
def get_channel(state: ChatState, ctx: CallContext, channel: ChannelName) -> Json:
    """Show a channel: topic, purpose, members, bookmarks, last message and your unread messages.

    Errors: `not_found` (also for private channels that you are not in).

    Args:
        channel: Name of the channel, with or without #.
    """
    found = channel_by(state, channel)
    own = membership(state, found.id, me(state).id)
    moments = [row.posted_at for row in state.messages.find(channel_id=found.id)]
    return with_fields(
        found,
        members=state.memberships.count(channel_id=found.id),
        messages=len(moments),
        pinned=state.messages.count(channel_id=found.id, pinned=True),
        last_message_at=max(moments, default=None),
        bookmarks=[brief(row, "id", "title", "url") for row in state.bookmarks.find(channel_id=found.id)],
        unread=unread(state, own) if own else 0,
    )


@service.tool(phrase="create the channel #{name}")
def create_channel(
    state: ChatState,
    ctx: CallContext,
    name: NewName,
    purpose: f.Text = "",
    kind: Annotated[Literal["public", "private"], LABEL] = "public",
) -> Channel:
    """Create a channel; you become its owner.

    Errors: `name_taken` (archived channels keep their names).

    Args:
        name: Lower-case letters, digits and hyphens.
        purpose: What it is for.
        kind: Whether everybody can find it.
    """
    if any(same(row.name, name) for row in state.channels):
        raise conflict(f"There is a channel #{name} already.", type="name_taken")
    channel = state.channels.create(name=name, kind=kind, purpose=purpose, created_at=ctx.now)
    state.memberships.create(channel_id=channel.id, user_id=me(state).id, role="owner", last_read_at=ctx.now)
    return channel


@service.tool(phrase="set the topic of #{channel} to {topic}")
def set_topic(state: ChatState, ctx: CallContext, channel: ChannelName, topic: Name) -> Channel:
    """Set the topic of a channel you are a member of.

    Errors: `not_found`, `channel_archived`, `not_a_member`, `announcements_only`, `direct_channel`, `blank_text`.

    Args:
        channel: Name of the channel.
        topic: New topic.
    """
    found = channel_by(state, channel)
    if found.kind == "direct":
        raise invalid("A direct conversation has no topic.", type="direct_channel")
    writable(state, found)
    return state.channels.patch(found.id, topic=check_text(topic, "topic"))


@service.tool(phrase="archive #{channel}")
def archive_channel(state: ChatState, ctx: CallContext, channel: ChannelName, archived: bool = True) -> Channel:
    """Archive a channel that you own, so that nothing can be posted there, or take it back.

    Errors: `not_found`, `not_an_owner`, `no_change`, `open_polls`.

    Args:
        channel: Name of the channel.
        archived: false takes it out of the archive.
    """
    found = owned(state, channel_by(state, channel))
    if found.archived == archived:
        raise conflict(f"#{found.name} is {'archived' if archived else 'not archived'} already.", type="no_change")
    if archived and state.polls.first(channel_id=found.id, closed=False):
        raise conflict(f"#{found.name} has an open poll; close it first.", type="open_polls")
    return state.channels.patch(found.id, archived=archived)


@service.tool(phrase="join #{channel}")
def join_channel(state: ChatState, ctx: CallContext, channel: ChannelName) -> Json:
    """Join a public channel; what was posted before counts as read.

    Errors: `not_found`, `already_member`, `channel_archived`.

    Args:
        channel: Name of the channel.
    """
    found = channel_by(state, channel)
    if membership(state, found.id, me(state).id):
        raise conflict(f"You are a member of #{found.name} already.", type="already_member")
    if found.archived:
        raise conflict(f"#{found.name} is archived.", type="channel_archived")
    state.memberships.create(channel_id=found.id, user_id=me(state).id, role="member", last_read_at=ctx.now)
    return _row(state, found, 0)


@service.tool(phrase="invite {user} to #{channel}")
def invite_to_channel(state: ChatState, ctx: CallContext, channel: ChannelName, user: Who) -> Json:
    """Add someone to a channel you are a member of; guests can only be added by an owner.

    Errors: `not_found`, `unknown_user`, `already_member`, `channel_archived`, `not_a_member`, `announcements_only`,
    `not_an_owner` (for guests), `direct_channel`.

    Args:
        channel: Name of the channel.
        user: Email address or handle of the person.
    """
    found, person = channel_by(state, channel), user_by(state, user)
    if found.kind == "direct":
        raise invalid("A direct conversation has two people; create a channel instead.", type="direct_channel")
    writable(state, found)
    if person.guest:
        owned(state, found)
    if membership(state, found.id, person.id):
        raise conflict(f"{person.name} is a member of #{found.name} already.", type="already_member")
    row = state.memberships.create(channel_id=found.id, user_id=person.id, role="member", last_read_at=ctx.now)
    return with_fields(row, user=person.name, members=state.memberships.count(channel_id=found.id))


@service.tool(phrase="remove {user} from #{channel}")
def remove_from_channel(state: ChatState, ctx: CallContext, channel: ChannelName, user: Who) -> Json:
    """Remove someone from a channel that you own; owners cannot be removed.

    Errors: `not_found`, `unknown_user`, `not_an_owner`, `no_such_member`, `is_owner`.

    Args:
        channel: Name of the channel.
        user: Email address or handle of the person.
    """
    found, person = owned(state, channel_by(state, channel)), user_by(state, user)
    row = membership(state, found.id, person.id)
    if row is None:
        raise conflict(f"{person.name} is not a member of #{found.name}.", type="no_such_member")
    if row.role == "owner":
        raise conflict(f"{person.name} owns #{found.name} and cannot be removed.", type="is_owner")
    state.memberships.delete(row.id)
    return {"removed": person.email, "channel": found.name, "members": state.memberships.count(channel_id=found.id)}


@service.tool()
def list_members(state: ChatState, ctx: CallContext, channel: ChannelName) -> Json:
    """List the members of a channel with role, presence and status.

    Errors: `not_found`.

    Args:
        channel: Name of the channel.
    """
    found = channel_by(state, channel)
    rows = []
    for row in state.memberships.find(channel_id=found.id):
        user = state.users.first(id=row.user_id)
        if user is not None:
            rows.append({**brief(user, "id", "name", "email", "title", "presence", "status_text"), "role": row.role})
    return {"channel": found.name, "members": rows, "total": len(rows)}


@service.tool()
def find_users(
    state: ChatState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    presence: Presence | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find people by name, handle, job title or address.

    Args:
        query: Words in the name, handle or title.
        email: The exact address.
        presence: Only people who are in this state.
        limit: At most so many people.
        cursor: next_cursor of the previous page.
    """
    found = keep(search(state.users, query, lambda row: (row.name, row.handle, row.title)), email=email)
    found = keep(found, presence=presence)
    found.sort(key=lambda row: (row.name, row.id))
    return cursor_page("users", found, limit, cursor)


@service.tool(phrase="set your chat status")
def set_status(
    state: ChatState,
    ctx: CallContext,
    presence: Presence | Unset = UNSET,
    status_text: Annotated[str, f.Semantic("text"), Field(max_length=100)] | Unset = UNSET,
) -> User:
    """Set your own presence and status text; what is not sent stays as it is.

    Errors: `nothing_to_change`.

    Args:
        presence: Whether you can be reached.
        status_text: What others see; empty removes it.
    """
    changes = some_changes(given(presence=presence, status_text=status_text))
    return state.users.patch(me(state).id, **changes)


@service.tool(phrase="bookmark {url} as {title} in #{channel}")
def add_bookmark(
    state: ChatState,
    ctx: CallContext,
    channel: ChannelName,
    title: Name,
    url: Annotated[str, f.Semantic("url"), Field(pattern=r"^https://[^\s]+$", max_length=500)],
) -> Bookmark:
    """Put a link at the top of a channel.

    Errors: `not_found`, `channel_archived`, `not_a_member`, `announcements_only`, `duplicate_bookmark`, `blank_text`.

    Args:
        channel: Name of the channel.
        title: Title of the link.
        url: Address, beginning with https://.
    """
    found = channel_by(state, channel)
    writable(state, found)
    if state.bookmarks.first(channel_id=found.id, url=url):
        raise conflict(f"#{found.name} has this link already.", type="duplicate_bookmark")
    return state.bookmarks.create(channel_id=found.id, title=check_text(title, "title"), url=url, added_by=me(state).id)
