"""What follows from the records: who a campaign reaches, whether it may be sent, and how campaigns did."""

from __future__ import annotations

import re
from collections.abc import Sequence

from services_app.engine import CallContext
from services_app.library.marketing_mail.state import (
    Campaign,
    Delivery,
    MailingState,
    Member,
    Review,
    Segment,
    SendingPlan,
)
from services_app.library.shared import Json, percent, plus_minutes, same

MERGE_TAGS = ("first_name", "company", "unsubscribe", "view_in_browser")
_SLOT = re.compile(r"{{\s*(\w+)\s*}}")


def plan_of(state: MailingState) -> SendingPlan:
    return state.plans.get("PLAN-1")


def share(part: int, whole: int) -> float:
    """A rate in per cent, to one digit; 0 of nothing."""
    return percent(part, whole) or 0.0


def delivered_rates(deliveries: Sequence[Delivery]) -> Json:
    """How many were sent and bounced, and rates of those delivered."""
    arrived = [row for row in deliveries if row.outcome == "delivered"]
    opened = sum(1 for row in arrived if row.opened_at is not None)
    clicked = sum(1 for row in arrived if row.clicked_url is not None)
    return {
        "emails_sent": len(deliveries),
        "bounced": len(deliveries) - len(arrived),
        "opened": opened,
        "clicked": clicked,
        "open_rate": share(opened, len(arrived)),
        "click_rate": share(clicked, len(arrived)),
    }


def in_segment(state: MailingState, segment: Segment) -> list[Member]:
    """Subscribed members of the audience for whom every condition of the segment holds."""
    opened: set[str] | None = None
    if segment.opened_campaign_id is not None:
        rows = state.deliveries.find(campaign_id=segment.opened_campaign_id)
        opened = {state.members.get(row.member_id).email for row in rows if row.opened_at is not None}
    return [
        row
        for row in state.members.find(audience_id=segment.audience_id, status="subscribed")
        if (segment.tag is None or any(same(tag, segment.tag) for tag in row.tags))
        and (segment.country is None or same(row.country, segment.country))
        and (segment.joined_from is None or row.joined_on >= segment.joined_from)
        and (opened is None or row.email in opened)
    ]


def recipients(state: MailingState, campaign: Campaign) -> list[Member]:
    """The subscribed members whom a campaign is for, before the pause between two campaigns is looked at."""
    if campaign.segment_id is not None:
        return in_segment(state, state.segments.get(campaign.segment_id))
    return state.members.find(audience_id=campaign.audience_id, status="subscribed")


def rested(state: MailingState, campaign: Campaign, when: str) -> list[Member]:
    """Recipients who have not had a campaign within the pause; service notices go to all."""
    people = recipients(state, campaign)
    if campaign.category == "service":
        return people
    start = plus_minutes(when, -60 * plan_of(state).pause_hours)
    recent = {row.member_id for row in state.deliveries if start < row.sent_at <= when}
    addresses = {state.members.get(identity).email for identity in recent}
    return [row for row in people if row.email not in addresses]


def used_this_month(state: MailingState, ctx: CallContext) -> int:
    month = ctx.today[:7]
    return sum(1 for row in state.deliveries if row.sent_at[:7] == month)


def latest_review(state: MailingState, campaign: Campaign) -> Review | None:
    """The last review that was given after the last change of the campaign."""
    rows = [row for row in state.reviews.find(campaign_id=campaign.id) if row.reviewed_at >= campaign.updated_at]
    return rows[-1] if rows else None


def problems(state: MailingState, ctx: CallContext, campaign: Campaign) -> list[tuple[str, str]]:
    """What keeps a campaign from being sent: (error type, sentence)."""
    plan, reach = plan_of(state), len(recipients(state, campaign))
    review = latest_review(state, campaign)
    slots = _SLOT.findall(f"{campaign.subject} {campaign.body}")
    unknown = sorted(set(slots) - set(MERGE_TAGS))
    left = plan.monthly_emails - used_this_month(state, ctx)
    asked = review is not None and review.decision == "changes_requested"
    found = [
        (not campaign.body.strip(), "no_content", "The campaign has no text; set its content."),
        ("unsubscribe" not in slots, "no_unsubscribe_link", "The text lacks {{unsubscribe}}; add it."),
        (bool(unknown), "unknown_merge_tag", f"Nothing fills {', '.join(unknown)}; use {', '.join(MERGE_TAGS)}."),
        (reach == 0, "no_recipients", "Nobody is subscribed in this audience or segment; choose another."),
        (asked, "changes_requested", "The last review asks for changes; change the campaign first."),
        (
            reach > plan.review_above and (review is None or review.decision != "approved") and not asked,
            "review_missing",
            f"{reach} recipients are more than {plan.review_above}; somebody else has to approve it first.",
        ),
        (reach > left, "over_limit", f"{max(left, 0)} emails are left this month and {reach} are needed."),
    ]
    return [(kind, text) for wrong, kind, text in found if wrong]
