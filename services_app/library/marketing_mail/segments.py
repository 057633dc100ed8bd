"""Tools for segments and templates."""

from __future__ import annotations

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.marketing_mail.figures import in_segment
from services_app.library.marketing_mail.state import (
    AudienceId,
    CampaignId,
    Category,
    MailingState,
    Segment,
    SegmentId,
    Tag,
    TemplateId,
    service,
)
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    keep,
    same,
    search,
    with_fields,
)


@service.tool()
def list_segments(
    state: MailingState, ctx: CallContext, audience_id: AudienceId | None = None, query: Query | None = None
) -> Json:
    """List segments with their conditions and how many people they reach today.

    Args:
        audience_id: Only segments of this audience.
        query: Words in the name, tag or country.
    """
    found = search(state.segments, query, lambda row: (row.name, row.tag or "", row.country or ""))
    rows = [_shown(state, row) for row in keep(found, audience_id=audience_id)]
    return {"segments": rows, "total": len(rows)}


def _shown(state: MailingState, segment: Segment) -> Json:
    return with_fields(segment, reaches=len(in_segment(state, segment)))


@service.tool()
def list_segment_members(
    state: MailingState, ctx: CallContext, segment_id: SegmentId, limit: Limit = 25, cursor: Cursor = ""
) -> Json:
    """List the subscribed people for whom all conditions of a segment hold today.

    Errors: `not_found`.

    Args:
        segment_id: Id of the segment.
        limit: At most so many people.
        cursor: next_cursor of the previous page.
    """
    found = in_segment(state, state.segments.get(segment_id))
    rows = [brief(row, "id", "email", "name", "company", "country", "tags") for row in found]
    return cursor_page("members", rows, limit, cursor)


@service.tool(phrase="make the segment {name}")
def create_segment(
    state: MailingState,
    ctx: CallContext,
    audience_id: AudienceId,
    name: Name,
    tag: Tag | None = None,
    country: f.Place | None = None,
    joined_from: f.Date | None = None,
    opened_campaign_id: CampaignId | None = None,
) -> Json:
    """Make a segment of an audience; people are in it as long as all its conditions hold.

    Errors: `not_found`, `duplicate_name`, `no_condition`, `campaign_not_sent`, `invalid_date`, `blank_text`.

    Args:
        audience_id: Id of the audience.
        name: Name of the segment, unique in the audience.
        tag: People with this tag.
        country: People in this country.
        joined_from: People who joined on or after this day.
        opened_campaign_id: People who opened this campaign.
    """
    state.audiences.get(audience_id)
    if opened_campaign_id is not None and state.campaigns.get(opened_campaign_id).status != "sent":
        raise conflict(f"{opened_campaign_id} has not been sent; nobody can have opened it.", type="campaign_not_sent")
    clean = check_text(name, "name")
    if tag is None and country is None and joined_from is None and opened_campaign_id is None:
        raise invalid("Give at least one condition.", type="no_condition")
    if any(same(row.name, clean) for row in state.segments.find(audience_id=audience_id)):
        raise conflict(f"{audience_id} has a segment {clean!r} already.", type="duplicate_name")
    made = state.segments.create(
        audience_id=audience_id,
        name=clean,
        tag=tag,
        country=country,
        joined_from=check_date(joined_from) if joined_from else None,
        opened_campaign_id=opened_campaign_id,
        created_at=ctx.now,
    )
    return _shown(state, made)


@service.tool()
def list_templates(
    state: MailingState,
    ctx: CallContext,
    query: Query | None = None,
    category: Category | None = None,
    include_retired: bool = False,
) -> Json:
    """List templates for campaigns, without their text.

    Args:
        query: Words in the name, subject or text.
        category: Only templates for this kind of campaign.
        include_retired: Show those that are no longer to be used as well.
    """
    found = keep(search(state.templates, query, lambda row: (row.name, row.subject, row.body)), category=category)
    rows = [
        brief(row, "id", "name", "category", "subject", "retired")
        for row in found
        if include_retired or not row.retired
    ]
    return {"templates": rows, "total": len(rows)}


@service.tool()
def get_template(state: MailingState, ctx: CallContext, template_id: TemplateId) -> Json:
    """Show a template with its text and how many campaigns have its subject.

    Errors: `not_found`.

    Args:
        template_id: Id of the template.
    """
    template = state.templates.get(template_id)
    return with_fields(template, campaigns=state.campaigns.count(subject=template.subject))
