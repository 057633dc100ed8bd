"""What a mailing application holds: audiences and their members, segments, templates, campaigns and deliveries."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

MemberStatus = Annotated[Literal["subscribed", "pending", "unsubscribed", "cleaned", "archived"], LABEL]
CampaignStatus = Annotated[Literal["draft", "scheduled", "sent"], LABEL]
Category = Annotated[Literal["newsletter", "product", "event", "service"], LABEL]
Decision = Annotated[Literal["approved", "changes_requested"], LABEL]
Outcome = Annotated[Literal["delivered", "bounced"], LABEL]
Tag = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
Subject = Annotated[str, f.Semantic("title"), Field(min_length=1, max_length=150)]

AudienceId = Annotated[str, f.ref("audiences")]
MemberId = Annotated[str, f.ref("members")]
SegmentId = Annotated[str, f.ref("segments")]
TemplateId = Annotated[str, f.ref("templates")]
CampaignId = Annotated[str, f.ref("campaigns")]


class SendingPlan(Record):
    about: ClassVar[About] = About("sending plan", "sending plans", prefix="PLAN-", width=1, key="name")

    name: f.Title
    monthly_emails: Annotated[int, f.count("emails")]
    review_above: Annotated[int, f.count("recipients")]
    """A campaign to more people than this has to be approved by somebody who did not write it."""
    quiet_from: f.Time
    quiet_until: f.Time
    pause_hours: Annotated[int, f.duration("hours")]
    """Nobody gets two campaigns within so many hours, unless the second is a service notice."""


class Audience(Record):
    about: ClassVar[About] = About("audience", "audiences", prefix="AUD-", width=3, key="name")

    name: f.Title
    from_name: f.Label
    from_email: f.Email
    permission_reminder: f.Text
    """Why people get this mail, as shown at its foot."""
    double_opt_in: bool
    created_at: f.SystemTime


class Member(Record):
    about: ClassVar[About] = About("subscriber", "subscribers", prefix="MEM-", key="email")

    audience_id: AudienceId
    email: f.Email
    name: f.Person
    company: f.Organisation = ""
    country: f.Place = ""
    status: MemberStatus
    tags: tuple[Tag, ...] = ()
    joined_on: f.Date
    left_reason: f.Text = ""
    left_campaign_id: Annotated[str | None, f.ref("campaigns")] = None
    """The campaign whose link was used to unsubscribe."""


class MemberNote(Record):
    about: ClassVar[About] = About("subscriber note", "subscriber notes", prefix="NOTE-", key="", carrier="note")

    member_id: MemberId
    text: f.Text
    author_email: f.Email
    created_at: f.SystemTime


class Segment(Record):
    about: ClassVar[About] = About("segment", "segments", prefix="SEG-", width=3, key="name")

    audience_id: AudienceId
    name: f.Title
    tag: Tag | None = None
    country: f.Place | None = None
    joined_from: f.Date | None = None
    opened_campaign_id: Annotated[str | None, f.ref("campaigns")] = None
    created_at: f.SystemTime


class Template(Record):
    about: ClassVar[About] = About("mail template", "mail templates", prefix="TPL-", width=3, key="name")

    name: f.Title
    category: Category
    subject: Subject
    body: f.Text
    retired: bool = False


class Campaign(Record):
    about: ClassVar[About] = About("campaign", "campaigns", prefix="CMP-", key="title", carrier="document")

    title: f.Title
    """What colleagues call it; recipients never see it."""
    category: Category
    audience_id: AudienceId
    segment_id: Annotated[str | None, f.ref("segments")] = None
    subject: Subject
    preview_text: f.Text = ""
    reply_to: f.Email
    body: f.Text = ""
    status: CampaignStatus = "draft"
    send_at: f.Timestamp | None = None
    sent_at: f.SystemTime | None = None
    created_by: f.Email
    updated_at: f.SystemTime


class Review(Record):
    about: ClassVar[About] = About("campaign review", "campaign reviews", prefix="REV-", key="", carrier="note")

    campaign_id: CampaignId
    decision: Decision
    comment: f.Text
    by_email: f.Email
    reviewed_at: f.SystemTime


class Delivery(Record):
    about: ClassVar[About] = About("delivery", "deliveries", prefix="DLV-", width=5, key="")

    campaign_id: CampaignId
    member_id: MemberId
    outcome: Outcome
    sent_at: f.SystemTime
    opened_at: f.SystemTime | None = None
    clicked_url: f.Url | None = None


class MailingState(State):
    plans: Table[SendingPlan]
    audiences: Table[Audience]
    members: Table[Member]
    notes: Table[MemberNote]
    segments: Table[Segment]
    templates: Table[Template]
    campaigns: Table[Campaign]
    reviews: Table[Review]
    deliveries: Table[Delivery]


service = Service(
    "marketing-mail",
    title="Marketing Mail",
    domain="marketing",
    description="Audiences with subscribers, tags and segments, mail campaigns with reviews, sending and reports.",
    state=MailingState,
    files=sources(__file__),
)
