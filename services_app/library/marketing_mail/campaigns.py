"""Tools that find, write and review campaigns."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import DOMAIN, ME, outside
from services_app.library.marketing_mail.figures import delivered_rates, recipients
from services_app.library.marketing_mail.state import (
    AudienceId,
    Campaign,
    CampaignId,
    CampaignStatus,
    Category,
    Decision,
    MailingState,
    Review,
    SegmentId,
    Subject,
    TemplateId,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
    with_fields,
    within,
)

Preview = Annotated[str, f.Semantic("text"), Field(max_length=200)]
Text = Annotated[str, f.Semantic("text"), Field(max_length=20_000)]


def described(state: MailingState, campaign: Campaign) -> Json:
    """A campaign with the names of what it refers to, its reach or result, and its reviews."""
    segment = state.segments.get(campaign.segment_id) if campaign.segment_id else None
    more: Json = {
        "audience": state.audiences.get(campaign.audience_id).name,
        "segment": segment.name if segment else None,
        "reviews": state.reviews.find(campaign_id=campaign.id),
    }
    if campaign.status == "sent":
        return with_fields(campaign, **more, **delivered_rates(state.deliveries.find(campaign_id=campaign.id)))
    return with_fields(campaign, **more, recipients=len(recipients(state, campaign)))


def in_status(state: MailingState, campaign_id: str, wanted: str) -> Campaign:
    """The campaign if it has this status; 409 `wrong_status`."""
    campaign = state.campaigns.get(campaign_id)
    if campaign.status != wanted:
        hint = " Unschedule it first." if campaign.status == "scheduled" else ""
        raise conflict(
            f"{campaign_id} is {campaign.status}; this needs a {wanted} campaign.{hint}", type="wrong_status"
        )
    return campaign


def _own_segment(state: MailingState, audience_id: str, segment_id: str | None) -> str | None:
    if segment_id is not None and state.segments.get(segment_id).audience_id != audience_id:
        raise conflict(f"{segment_id} belongs to another audience; list_segments shows which.", type="other_audience")
    return segment_id


def _verified(address: str) -> str:
    if outside(address):
        raise forbidden(f"Answers can go to addresses of {DOMAIN} only, not to {address}.", type="unverified_domain")
    return address


def _new_title(state: MailingState, title: str, own: str = "") -> str:
    clean = check_text(title, "title")
    if any(same(row.title, clean) and row.id != own for row in state.campaigns):
        raise conflict(f"There is a campaign {clean!r} already; choose another title.", type="duplicate_title")
    return clean


@service.tool()
def search_campaigns(  # noqa: PLR0913, PLR0917 - one per filter that people use
    state: MailingState,
    ctx: CallContext,
    query: Query | None = None,
    status: CampaignStatus | None = None,
    audience_id: AudienceId | None = None,
    category: Category | None = None,
    sent_from: f.Date | None = None,
    sent_until: f.Date | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find campaigns by words, status, audience or day of sending, the last changed first.

    Errors: `invalid_date`, `invalid_range`.

    Args:
        query: Words in the title, subject or text.
        status: Only campaigns with this status.
        audience_id: Only campaigns to this audience.
        category: Only campaigns of this kind.
        sent_from: Only those sent on or after this day.
        sent_until: Only those sent on or before this day.
        limit: At most so many campaigns.
        cursor: next_cursor of the previous page.
    """
    found = search(state.campaigns, query, lambda row: (row.title, row.subject, row.body))
    found = keep(found, status=status, audience_id=audience_id, category=category)
    found = within(found, "sent_at", sent_from, sent_until)
    found = newest_first(found, "updated_at")
    names = ("id", "title", "subject", "category", "status", "audience_id", "send_at", "sent_at", "created_by")
    return cursor_page("campaigns", [brief(row, *names) for row in found], limit, cursor)


@service.tool()
def get_campaign(state: MailingState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Show a campaign with its text, audience, reviews, and its reach or, once sent, its figures.

    Errors: `not_found`.

    Args:
        campaign_id: Id of the campaign.
    """
    return described(state, state.campaigns.get(campaign_id))


@service.tool(phrase="draft the campaign {title} for the audience {audience_id}")
def create_campaign(  # noqa: PLR0913, PLR0917 - fields of the product
    state: MailingState,
    ctx: CallContext,
    title: Name,
    audience_id: AudienceId,
    subject: Subject,
    category: Category = "newsletter",
    body: Text = "",
    segment_id: SegmentId | None = None,
    template_id: TemplateId | None = None,
    reply_to: f.Email | None = None,
) -> Json:
    """Draft a campaign, with a text of its own or that of a template.

    The text needs {{unsubscribe}} and may have {{first_name}}, {{company}} and {{view_in_browser}}.

    Errors: `not_found`, `duplicate_title`, `other_audience`, `retired_template`, `unverified_domain`, `blank_text`.

    Args:
        title: What colleagues call it.
        audience_id: Id of the audience.
        subject: Subject line.
        category: What it is; service notices reach people who had another campaign just before.
        body: Its text; taken from the template where it is empty.
        segment_id: Only people in this segment; the whole audience, if left out.
        template_id: Template whose text to start from.
        reply_to: Where answers go, an address of the company; that of the audience, if left out.
    """
    audience = state.audiences.get(audience_id)
    template = state.templates.get(template_id) if template_id else None
    if template is not None and template.retired:
        raise conflict(f"{template.name} is retired; list_templates shows those in use.", type="retired_template")
    campaign = state.campaigns.create(
        title=_new_title(state, title),
        category=category,
        audience_id=audience_id,
        segment_id=_own_segment(state, audience_id, segment_id),
        subject=check_text(subject, "subject"),
        reply_to=_verified(reply_to or audience.from_email),
        body=body or (template.body if template else ""),
        created_by=ME.email,
        updated_at=ctx.now,
    )
    return described(state, campaign)


@service.tool(phrase="change the campaign {campaign_id}")
def update_campaign(  # noqa: PLR0913, PLR0917 - fields of the product
    state: MailingState,
    ctx: CallContext,
    campaign_id: CampaignId,
    title: Name | Unset = UNSET,
    subject: Subject | Unset = UNSET,
    preview_text: Preview | Unset = UNSET,
    body: Text | Unset = UNSET,
    segment_id: SegmentId | Unset | None = UNSET,
    reply_to: f.Email | Unset = UNSET,
) -> Json:
    """Change a draft; what is left out stays. Reviews given before no longer count.

    Errors: `not_found`, `wrong_status`, `nothing_to_change`, `duplicate_title`, `other_audience`,
    `unverified_domain`, `blank_text`.

    Args:
        campaign_id: Id of the campaign.
        title: New title.
        subject: New subject line.
        preview_text: Line shown beside the subject.
        body: New text, whole.
        segment_id: New segment; null for the whole audience.
        reply_to: Where answers go.
    """
    campaign = in_status(state, campaign_id, "draft")
    changes = some_changes(
        given(
            title=title,
            subject=subject,
            preview_text=preview_text,
            body=body,
            segment_id=segment_id,
            reply_to=reply_to,
        )
    )
    if "title" in changes:
        changes["title"] = _new_title(state, changes["title"], own=campaign_id)
    if "subject" in changes:
        check_text(changes["subject"], "subject")
    if "segment_id" in changes:
        _own_segment(state, campaign.audience_id, changes["segment_id"])
    if "reply_to" in changes:
        _verified(changes["reply_to"])
    return described(state, state.campaigns.patch(campaign_id, **changes, updated_at=ctx.now))


@service.tool(phrase="copy the campaign {campaign_id} as {title}")
def replicate_campaign(
    state: MailingState,
    ctx: CallContext,
    campaign_id: CampaignId,
    title: Name,
    not_opened_only: bool = False,
) -> Json:
    """Copy a campaign into a new draft of yours, without its date and reviews.

    Errors: `not_found`, `duplicate_title`, `not_sent`, `blank_text`.

    Args:
        campaign_id: Id of the campaign to copy.
        title: Title of the copy.
        not_opened_only: Mark the subject as a reminder; only for a sent campaign that somebody has not opened.
    """
    source = state.campaigns.get(campaign_id)
    subject = source.subject
    if not_opened_only:
        rows = state.deliveries.find(campaign_id=campaign_id, outcome="delivered", opened_at=None)
        if not rows:
            raise invalid(f"{campaign_id} has nobody to be reminded; leave this out.", type="not_sent")
        subject = f"Reminder: {subject}"[:150]
    copy = state.campaigns.create(
        title=_new_title(state, title),
        category=source.category,
        audience_id=source.audience_id,
        segment_id=source.segment_id,
        subject=subject,
        preview_text=source.preview_text,
        reply_to=source.reply_to,
        body=source.body,
        created_by=ME.email,
        updated_at=ctx.now,
    )
    return described(state, copy)


@service.tool(phrase="review the campaign {campaign_id}: {decision}")
def review_campaign(
    state: MailingState, ctx: CallContext, campaign_id: CampaignId, decision: Decision, comment: Body
) -> Review:
    """Approve a draft that a colleague wrote, or ask for changes.

    Errors: `not_found`, `wrong_status`, `own_campaign`, `same_decision`, `blank_text`.

    Args:
        campaign_id: Id of the campaign.
        decision: Approved or changes_requested.
        comment: The reason, or what has to change.
    """
    campaign = in_status(state, campaign_id, "draft")
    check_text(comment, "comment")
    if campaign.created_by == ME.email:
        raise forbidden("You wrote this campaign; somebody else has to review it.", type="own_campaign")
    rows = state.reviews.find(campaign_id=campaign_id, by_email=ME.email)
    if rows and rows[-1].decision == decision and rows[-1].reviewed_at >= campaign.updated_at:
        raise conflict(f"Your last review says {decision} already.", type="same_decision")
    return state.reviews.create(
        campaign_id=campaign_id, decision=decision, comment=comment, by_email=ME.email, reviewed_at=ctx.now
    )
