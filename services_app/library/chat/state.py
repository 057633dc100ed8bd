"""What a team chat holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

ChannelKind = Annotated[Literal["public", "private", "direct"], LABEL]
Presence = Annotated[Literal["active", "away", "do_not_disturb"], LABEL]
Role = Annotated[Literal["owner", "member"], LABEL]


class User(Record):
    about: ClassVar[About] = About("chat user", "chat users", prefix="U-", width=3, key="email")

    handle: f.Label
    name: f.Person
    email: f.Email
    title: f.Label
    presence: Presence
    status_text: f.Text = ""
    guest: bool = False
    """Guests from customers see only channels they are members of."""


class Channel(Record):
    about: ClassVar[About] = About("channel", "channels", prefix="CH-", width=3, key="name")

    name: f.Label
    kind: ChannelKind
    topic: f.Title = ""
    purpose: f.Text = ""
    archived: bool = False
    announcements_only: bool = False
    """Only owners may post."""
    created_at: f.SystemTime


class Membership(Record):
    about: ClassVar[About] = About("membership", "memberships", prefix="MEM-", key="")

    channel_id: Annotated[str, f.ref("channels")]
    user_id: Annotated[str, f.ref("users")]
    role: Role
    last_read_at: f.SystemTime


class Message(Record):
    about: ClassVar[About] = About("chat message", "chat messages", prefix="M-", width=5, key="", carrier="note")

    channel_id: Annotated[str, f.ref("channels")]
    author_id: Annotated[str, f.ref("users")]
    text: f.Text
    posted_at: f.SystemTime
    thread_id: Annotated[str | None, f.ref("messages")] = None
    """The message that started the thread, for replies."""
    edited: bool = False
    pinned: bool = False


class Reaction(Record):
    about: ClassVar[About] = About("reaction", "reactions", prefix="RX-", key="emoji")

    message_id: Annotated[str, f.ref("messages")]
    user_id: Annotated[str, f.ref("users")]
    emoji: f.Label


class Bookmark(Record):
    about: ClassVar[About] = About("bookmark", "bookmarks", prefix="BM-", key="title")

    channel_id: Annotated[str, f.ref("channels")]
    title: f.Title
    url: f.Url
    added_by: Annotated[str, f.ref("users")]


class Poll(Record):
    about: ClassVar[About] = About("poll", "polls", prefix="POLL-", width=3, key="question")

    channel_id: Annotated[str, f.ref("channels")]
    question: f.Title
    options: tuple[f.Label, ...]
    closed: bool = False
    created_by: Annotated[str, f.ref("users")]
    created_at: f.SystemTime


class Vote(Record):
    about: ClassVar[About] = About("vote", "votes", prefix="V-", key="")

    poll_id: Annotated[str, f.ref("polls")]
    user_id: Annotated[str, f.ref("users")]
    option: f.Label


class ChatState(State):
    users: Table[User]
    channels: Table[Channel]
    memberships: Table[Membership]
    messages: Table[Message]
    reactions: Table[Reaction]
    bookmarks: Table[Bookmark]
    polls: Table[Poll]
    votes: Table[Vote]


service = Service(
    "chat",
    title="Team chat",
    domain="communication",
    description="Channels, threads, direct messages, reactions, pins, bookmarks and polls of a team.",
    state=ChatState,
    files=sources(__file__),
)
