"""Tools that check, schedule and send campaigns, and tell how they did."""

from __future__ import annotations

import re

from services_app.engine import CallContext, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.marketing_mail.campaigns import described, in_status
from services_app.library.marketing_mail.figures import (
    delivered_rates,
    latest_review,
    plan_of,
    problems,
    recipients,
    rested,
    share,
    used_this_month,
)
from services_app.library.marketing_mail.state import (
    Campaign,
    CampaignId,
    MailingState,
    MemberId,
    Outcome,
    service,
)
from services_app.library.shared import Cursor, Json, Limit, check_future, cursor_page, keep, with_fields


@service.tool()
def get_sending_plan(state: MailingState, ctx: CallContext) -> Json:
    """Show what may be sent: emails left this month, quiet hours, pause between campaigns and when a review is due."""
    plan, used = plan_of(state), used_this_month(state, ctx)
    return with_fields(plan, sent_this_month=used, left_this_month=max(0, plan.monthly_emails - used))


@service.tool()
def get_send_checklist(state: MailingState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Show whether a campaign is ready to be sent, what is in the way, and whom it would reach now.

    Errors: `not_found`.

    Args:
        campaign_id: Id of the campaign.
    """
    campaign = state.campaigns.get(campaign_id)
    found = problems(state, ctx, campaign)
    people = recipients(state, campaign)
    review = latest_review(state, campaign)
    if campaign.status == "sent":
        found = [("wrong_status", f"It was sent at {campaign.sent_at}.")]
    return {
        "campaign_id": campaign_id,
        "title": campaign.title,
        "ready": not found,
        "problems": [{"type": kind, "message": text} for kind, text in found],
        "recipients": len(people),
        "held_back_by_pause": len(people) - len(rested(state, campaign, ctx.now)),
        "review": review.decision if review else None,
    }


@service.tool()
def preview_campaign(state: MailingState, ctx: CallContext, campaign_id: CampaignId, member_id: MemberId) -> Json:
    """Show a campaign as one subscriber would see it, with merge tags filled, and whether they are a recipient.

    Errors: `not_found`.

    Args:
        campaign_id: Id of the campaign.
        member_id: The subscriber.
    """
    campaign, member = state.campaigns.get(campaign_id), state.members.get(member_id)
    audience = state.audiences.get(campaign.audience_id)
    values = {
        "first_name": (member.name.split() or [""])[0],
        "company": member.company,
        "unsubscribe": f"https://mail.larkfield.example/unsubscribe/{member.id}",
        "view_in_browser": f"https://mail.larkfield.example/campaigns/{campaign.id}",
    }

    def filled(text: str) -> str:
        return re.sub(r"{{\s*(\w+)\s*}}", lambda slot: values.get(slot[1], slot[0]), text)

    return {
        "from": f"{audience.from_name} <{audience.from_email}>",
        "to": member.email,
        "reply_to": campaign.reply_to,
        "subject": filled(campaign.subject),
        "body": filled(campaign.body),
        "footer": audience.permission_reminder,
        "is_recipient": any(row.id == member_id for row in recipients(state, campaign)),
    }


def _checked(state: MailingState, ctx: CallContext, campaign_id: str, wanted: str) -> Campaign:
    """A campaign that may go out; the first problem as an error otherwise."""
    campaign = in_status(state, campaign_id, wanted)
    for kind, text in problems(state, ctx, campaign):
        raise (forbidden if kind in ("review_missing", "over_limit") else conflict)(text, type=kind)
    return campaign


@service.tool(phrase="schedule the campaign {campaign_id} for {send_at}")
def schedule_campaign(state: MailingState, ctx: CallContext, campaign_id: CampaignId, send_at: f.Timestamp) -> Json:
    """Schedule a draft that is ready; not in the quiet hours, and two campaigns of an audience an hour apart.

    Errors: `not_found`, `wrong_status`, `no_content`, `no_unsubscribe_link`, `unknown_merge_tag`, `no_recipients`,
    `changes_requested`, `review_missing`, `over_limit`, `quiet_hours`, `slot_taken`, `in_the_past`, `invalid_time`.

    Args:
        campaign_id: Id of the campaign.
        send_at: When to send it.
    """
    campaign = _checked(state, ctx, campaign_id, "draft")
    moment = check_future(ctx, send_at, "time of sending")
    plan, time = plan_of(state), moment[11:16]
    if time >= plan.quiet_from or time < plan.quiet_until:
        raise invalid(
            f"Nothing is sent between {plan.quiet_from} and {plan.quiet_until} UTC; choose another time.",
            type="quiet_hours",
        )
    for row in state.campaigns.find(audience_id=campaign.audience_id, status="scheduled"):
        if row.send_at is not None and row.send_at[:13] == moment[:13]:
            raise conflict(f"{row.id} ({row.title}) goes to this audience at {row.send_at}.", type="slot_taken")
    return described(state, state.campaigns.patch(campaign_id, status="scheduled", send_at=moment))


@service.tool(phrase="take the campaign {campaign_id} off the schedule")
def unschedule_campaign(state: MailingState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Make a scheduled campaign a draft again.

    Errors: `not_found`, `wrong_status`.

    Args:
        campaign_id: Id of the campaign.
    """
    in_status(state, campaign_id, "scheduled")
    return described(state, state.campaigns.patch(campaign_id, status="draft", send_at=None))


@service.tool(phrase="send the campaign {campaign_id}")
def send_campaign(state: MailingState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Send a draft that is ready to everybody it is for, at once; it cannot be called back.

    People who had another campaign within the pause of the plan are left out, unless it is a service notice.

    Errors: `not_found`, `wrong_status`, `no_content`, `no_unsubscribe_link`, `unknown_merge_tag`, `no_recipients`,
    `changes_requested`, `review_missing`, `over_limit`, `all_held_back`.

    Args:
        campaign_id: Id of the campaign.
    """
    campaign = _checked(state, ctx, campaign_id, "draft")
    people = rested(state, campaign, ctx.now)
    if not people:
        raise conflict(
            f"All recipients had a campaign within {plan_of(state).pause_hours} hours; schedule it for later.",
            type="all_held_back",
        )
    for row in people:
        state.deliveries.create(campaign_id=campaign_id, member_id=row.id, outcome="delivered", sent_at=ctx.now)
    sent = state.campaigns.patch(campaign_id, status="sent", send_at=None, sent_at=ctx.now)
    return with_fields(sent, emails_sent=len(people), held_back=len(recipients(state, campaign)) - len(people))


@service.tool()
def get_campaign_report(state: MailingState, ctx: CallContext, campaign_id: CampaignId) -> Json:
    """Show how a sent campaign did: openings, clicks by link, bounces, people lost, and the average of its audience.

    Errors: `not_found`, `wrong_status`.

    Args:
        campaign_id: Id of the campaign.
    """
    campaign = in_status(state, campaign_id, "sent")
    own = state.deliveries.find(campaign_id=campaign_id)
    peers = {row.id for row in state.campaigns.find(audience_id=campaign.audience_id, status="sent")}
    average = delivered_rates([row for row in state.deliveries if row.campaign_id in peers])
    links: dict[str, int] = {}
    for row in own:
        if row.clicked_url is not None:
            links[row.clicked_url] = links.get(row.clicked_url, 0) + 1
    lost = state.members.count(left_campaign_id=campaign_id)
    return {
        "campaign_id": campaign_id,
        "title": campaign.title,
        "subject": campaign.subject,
        "sent_at": campaign.sent_at,
        **delivered_rates(own),
        "unsubscribed": lost,
        "unsubscribe_rate": share(lost, len(own)),
        "clicks_by_link": links,
        "audience_open_rate": average["open_rate"],
        "audience_click_rate": average["click_rate"],
    }


@service.tool()
def list_campaign_recipients(
    state: MailingState,
    ctx: CallContext,
    campaign_id: CampaignId,
    outcome: Outcome | None = None,
    opened: bool | None = None,
    clicked: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List to whom a campaign was sent, with openings and clicks.

    Errors: `not_found`.

    Args:
        campaign_id: Id of the campaign.
        outcome: Only delivered or bounced mails.
        opened: Only people who opened it, or who did not.
        clicked: Only people who clicked a link, or who did not.
        limit: At most so many people.
        cursor: next_cursor of the previous page.
    """
    state.campaigns.get(campaign_id)
    found = [
        row
        for row in keep(state.deliveries.find(campaign_id=campaign_id), outcome=outcome)
        if opened in (None, row.opened_at is not None) and clicked in (None, row.clicked_url is not None)
    ]
    page = cursor_page("recipients", found, limit, cursor)
    people = {row.member_id: state.members.get(row.member_id) for row in page["recipients"]}
    page["recipients"] = [
        with_fields(row, email=people[row.member_id].email, name=people[row.member_id].name)
        for row in page["recipients"]
    ]
    return page
