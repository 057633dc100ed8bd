"""What a tool for social media holds: profiles, posts, media, slots, blackouts, messages from outside and figures."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Network = Annotated[Literal["professional", "microblog", "photo", "video"], LABEL]
PostStatus = Annotated[Literal["draft", "in_review", "approved", "rejected", "scheduled", "published"], LABEL]
MediaKind = Annotated[Literal["image", "video"], LABEL]
Decision = Annotated[Literal["approved", "rejected"], LABEL]
MessageKind = Annotated[Literal["comment", "mention", "direct_message"], LABEL]
MessageStatus = Annotated[Literal["open", "answered", "closed"], LABEL]
Sentiment = Annotated[Literal["positive", "neutral", "negative"], LABEL]
Weekday = Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], LABEL]

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

ProfileId = Annotated[str, f.ref("profiles")]
PostId = Annotated[str, f.ref("posts")]
MediaId = Annotated[str, f.ref("media")]
TopicId = Annotated[str, f.ref("topics")]
MessageId = Annotated[str, f.ref("messages")]
PostText = Annotated[str, f.Semantic("text"), Field(min_length=1, max_length=3000)]
LinkUrl = Annotated[str, f.Semantic("url"), Field(pattern=r"^(https://\S+)?$", max_length=300)]


class Profile(Record):
    about: ClassVar[About] = About("social profile", "social profiles", prefix="PRO-", width=2, key="handle")

    handle: f.Label
    name: f.Title
    network: Network
    character_limit: Annotated[int, f.count("characters")]
    most_a_day: Annotated[int, f.count("posts")]
    needs_approval: bool
    approver_email: f.Email
    followers: Annotated[int, f.count("followers", system=True)]
    followers_30_days_ago: Annotated[int, f.count("followers", system=True)]


class QueueSlot(Record):
    about: ClassVar[About] = About("queue slot", "queue slots", prefix="SLOT-", width=3, key="")

    profile_id: ProfileId
    weekday: Weekday
    time: f.Time


class Topic(Record):
    about: ClassVar[About] = About("content campaign", "content campaigns", prefix="TOP-", width=3, key="name")

    name: f.Title
    brief: f.Text
    first_day: f.Date
    last_day: f.Date
    owner_email: f.Email


class Media(Record):
    about: ClassVar[About] = About("media file", "media files", prefix="MED-", key="title")

    title: f.Title
    kind: MediaKind
    alt_text: f.Text = ""
    """What the picture shows, for people who cannot see it."""
    credit: f.Label = ""
    licensed_until: f.Date | None = None
    """Not to be shown after this day; null for pictures of our own."""


class Post(Record):
    about: ClassVar[About] = About("post", "posts", prefix="POST-", key="text", carrier="document")

    profile_id: ProfileId
    topic_id: Annotated[str | None, f.ref("topics")] = None
    text: PostText
    link: f.Url = ""
    media_ids: Annotated[tuple[str, ...], f.ref("media")] = ()
    status: PostStatus = "draft"
    author_email: f.Email
    scheduled_at: f.Timestamp | None = None
    published_at: f.SystemTime | None = None
    updated_at: f.SystemTime


class PostNote(Record):
    about: ClassVar[About] = About("post note", "post notes", prefix="PN-", key="", carrier="note")

    post_id: PostId
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Reach(Record):
    about: ClassVar[About] = About("post figure", "post figures", prefix="FIG-", key="")

    post_id: PostId
    impressions: Annotated[int, f.count("impressions")]
    likes: Annotated[int, f.count("likes")]
    shares: Annotated[int, f.count("shares")]
    clicks: Annotated[int, f.count("clicks")]


class BlockedTerm(Record):
    about: ClassVar[About] = About("blocked term", "blocked terms", prefix="TERM-", width=3, key="term")

    term: f.Label
    reason: f.Text
    use_instead: f.Label = ""


class Blackout(Record):
    about: ClassVar[About] = About("blackout", "blackouts", prefix="BLK-", width=3, key="reason", carrier="note")

    reason: f.Text
    first_day: f.Date
    last_day: f.Date
    profile_id: Annotated[str | None, f.ref("profiles")] = None
    """Null for all profiles."""
    declared_by: f.Email


class Message(Record):
    about: ClassVar[About] = About(
        "social message", "social messages", prefix="MSG-", key="author_name", carrier="note"
    )

    profile_id: ProfileId
    post_id: Annotated[str | None, f.ref("posts")] = None
    kind: MessageKind
    author_name: f.Person
    author_company: f.Organisation = ""
    text: f.Text
    sentiment: Sentiment
    status: MessageStatus = "open"
    hidden: bool = False
    assignee_email: f.Email | None = None
    received_at: f.SystemTime


class Reply(Record):
    about: ClassVar[About] = About("reply", "replies", prefix="RPL-", key="", carrier="note")

    message_id: MessageId
    text: f.Text
    internal: bool
    """True for notes among colleagues, which nobody outside sees."""
    author_email: f.Email
    sent_at: f.SystemTime


class SocialState(State):
    profiles: Table[Profile]
    slots: Table[QueueSlot]
    topics: Table[Topic]
    media: Table[Media]
    posts: Table[Post]
    notes: Table[PostNote]
    reach: Table[Reach]
    blocked_terms: Table[BlockedTerm]
    blackouts: Table[Blackout]
    messages: Table[Message]
    replies: Table[Reply]


service = Service(
    "social",
    title="Social Media",
    domain="marketing",
    description="Posts to several profiles with approval, queue and blackouts, a media library, an inbox and figures.",
    state=SocialState,
    files=sources(__file__),
)
