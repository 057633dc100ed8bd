"""Half a year of campaigns to customers and friends of the house, some still being written."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import DOMAIN, ME, Cast, Company, Person
from services_app.library.marketing_mail import texts
from services_app.library.marketing_mail.state import Audience, Campaign, MailingState, service

_STATUS = ("subscribed",) * 7 + ("pending", "unsubscribed", "cleaned")
_MOST = 45  # deliveries of one seeded campaign


@service.seed
def fill(state: MailingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    state.plans.create(
        name="Standard",
        monthly_emails=max(600, ctx.size(900)),
        review_above=20,
        quiet_from="19:00",
        quiet_until="06:30",
        pause_hours=20,
    )
    for name, from_name, local, double, reminder in texts.AUDIENCES:
        state.audiences.create(
            name=name,
            from_name=from_name,
            from_email=f"{local}@{DOMAIN}",
            permission_reminder=reminder,
            double_opt_in=double,
            created_at=ctx.moment(-700, 10),
        )
    for number, company in enumerate(cast.companies[: ctx.size(40)]):
        for person in company.people:
            _memberships(state, ctx, cast, number, company, person)
    for name, category, subject, retired, body in texts.TEMPLATES:
        state.templates.create(name=name, category=category, subject=subject, body=body, retired=retired)
    for number in range(ctx.size(22)):
        _sent(state, ctx, cast, number)
    _segments(state, ctx, cast)
    for number in range(ctx.size(18)):
        _coming(state, ctx, cast, number)


def _memberships(
    state: MailingState, ctx: SeedContext, cast: Cast, number: int, company: Company, person: Person
) -> None:
    audiences = list(state.audiences)
    for audience in ctx.random.sample(audiences, ctx.random.choice((1, 1, 2))):
        status = ctx.random.choice(_STATUS)
        if status == "pending" and not audience.double_opt_in:
            status = "archived"
        facts = people.facts(ctx, cast.projects[(number * 3 + len(state.members)) % 200])
        member = state.members.create(
            audience_id=audience.id,
            email=person.email,
            name=person.name,
            company=company.name,
            country=company.country,
            status=status,
            tags=tuple(sorted(ctx.random.sample(texts.TAGS, ctx.random.choice((0, 1, 1, 2))))),
            joined_on=ctx.date(-ctx.random.randint(2 if status == "pending" else 20, 420)),
            left_reason=ctx.random.choice(texts.LEFT).format(**facts) if status == "unsubscribed" else "",
        )
        if ctx.random.random() < 0.2:
            state.notes.create(
                member_id=member.id,
                text=ctx.random.choice(texts.NOTES).format(**facts),
                author_email=ctx.random.choice((ME.email, company.manager.email)),
                created_at=ctx.moment(-ctx.random.randint(1, 90), 14),
            )


def _draft(state: MailingState, ctx: SeedContext, cast: Cast, number: int, audience: Audience, age: int) -> Campaign:
    title, category, subject, body = texts.CAMPAIGNS[number % len(texts.CAMPAIGNS)]
    project = cast.projects[number]
    if category == "service":  # only what we run can be down
        project = next(row for row in cast.projects[number:] if row.product.kind == "subscription")
    facts = {**people.facts(ctx, project), "issue": str(number + 1)}
    writer = ctx.random.choice((ME, *cast.team("marketing")))
    return state.campaigns.create(
        title=title.format(**facts),
        category=category,
        audience_id=audience.id,
        subject=subject.format(**facts)[:150],
        preview_text=f"About {facts['title']}",
        reply_to=writer.email,
        body=body.format(**facts),
        created_by=writer.email,
        updated_at=ctx.moment(-age, 9, number % 60),
    )


def _sent(state: MailingState, ctx: SeedContext, cast: Cast, number: int) -> None:
    audiences = list(state.audiences)
    audience = audiences[number % len(audiences)]
    # Two days apart at least, so that nobody got two campaigns within the pause; the first ones of this month.
    age = 1 + number * 2 if number < 3 else 3 + number * 150 // ctx.size(22)
    campaign = _draft(state, ctx, cast, number, audience, age + 2)
    sent_at = ctx.moment(-age, ctx.random.randint(8, 16), number % 60)
    campaign = state.campaigns.patch(campaign.id, status="sent", sent_at=sent_at)
    members = [row for row in state.members.find(audience_id=audience.id) if row.joined_on < sent_at[:10]]
    reached = [row for row in members if row.status in ("subscribed", "unsubscribed")][:_MOST]
    for row in reached:
        opened = ctx.random.random() < 0.5
        clicked = opened and ctx.random.random() < 0.35
        state.deliveries.create(
            campaign_id=campaign.id,
            member_id=row.id,
            outcome="delivered",
            sent_at=sent_at,
            opened_at=ctx.moment(-age + 1, 7, ctx.random.randint(0, 59)) if opened else None,
            clicked_url=ctx.random.choice(texts.LINKS) if clicked else None,
        )
    for row in [row for row in members if row.status == "cleaned"][:3]:
        state.deliveries.create(campaign_id=campaign.id, member_id=row.id, outcome="bounced", sent_at=sent_at)
    lost = [row for row in reached if row.status == "unsubscribed" and row.left_campaign_id is None]
    for row in lost[:1]:
        state.members.patch(row.id, left_campaign_id=campaign.id)


def _segments(state: MailingState, ctx: SeedContext, cast: Cast) -> None:
    sent = state.campaigns.find(status="sent")
    for audience in state.audiences:
        own = [row for row in sent if row.audience_id == audience.id]
        made = {"audience_id": audience.id, "created_at": ctx.moment(-40, 11)}
        state.segments.create(name="Decision makers", tag="decision maker", **made)
        state.segments.create(name="Joined this winter", joined_from=ctx.date(-92), **made)
        for row in own[:1]:
            state.segments.create(name=f"Opened {row.title}"[:200], opened_campaign_id=row.id, **made)
    for country in sorted({row.country for row in cast.companies})[: ctx.size(10)]:
        audience = ctx.random.choice(list(state.audiences))
        state.segments.create(
            audience_id=audience.id, name=f"In {country}", country=country, created_at=ctx.moment(-20, 15)
        )


def _coming(state: MailingState, ctx: SeedContext, cast: Cast, number: int) -> None:
    audiences = list(state.audiences)
    audience = audiences[(number + number // 4) % len(audiences)]
    campaign = _draft(state, ctx, cast, 60 + number, audience, 2 + number % 9)
    small = [row for row in state.segments.find(audience_id=audience.id) if row.opened_campaign_id is None]
    if number % 3:
        campaign = state.campaigns.patch(campaign.id, segment_id=ctx.random.choice(small).id)
    if number % 6 == 4:
        state.campaigns.patch(campaign.id, body=texts.WEAK_BODY if number % 12 == 4 else "")
        return
    facts = people.facts(ctx, cast.projects[60 + number])
    reviewer = ctx.random.choice([person for person in cast.team("marketing") if person.email != campaign.created_by])
    if number % 3 == 0 or number % 5 == 0:
        refused = number % 5 == 4
        state.reviews.create(
            campaign_id=campaign.id,
            decision="changes_requested" if refused else "approved",
            comment=ctx.random.choice(texts.CHANGES if refused else texts.APPROVED).format(**facts),
            by_email=reviewer.email,
            reviewed_at=ctx.moment(-1, 12, number % 60),
        )
        if not refused:
            state.campaigns.patch(
                campaign.id, status="scheduled", send_at=ctx.moment(2 + number, 8 + number % 8, 30 * (number % 2))
            )
