"""Two months of posts on five profiles, what is planned, and what people write back."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import DOMAIN, ME, Cast
from services_app.library.social import texts
from services_app.library.social.rules import why_not
from services_app.library.social.state import WEEKDAYS, Media, Post, Profile, SocialState, service


@service.seed
def fill(state: SocialState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _profiles(state, ctx, cast)
    for term, reason, instead in texts.BLOCKED:
        state.blocked_terms.create(term=term, reason=reason, use_instead=instead)
    for number in range(ctx.size(20)):
        title, kind, alt, credit, days = texts.MEDIA[number % len(texts.MEDIA)]
        facts = people.facts(ctx, cast.projects[number])
        state.media.create(
            title=title.format(**facts),
            kind=kind,
            alt_text=alt,
            credit=credit.format(**facts),
            licensed_until=None if days is None else ctx.date(days + number // 8),
        )
    _topics(state, ctx, cast)
    for number in range(ctx.size(70)):
        _out(state, ctx, cast, number)
    for number in range(ctx.size(40)):
        _coming(state, ctx, cast, number)
    for number in range(ctx.size(60)):
        _message(state, ctx, cast, number)


def _profiles(state: SocialState, ctx: SeedContext, cast: Cast) -> None:
    by_handle = {}
    for handle, name, network, characters, most, approval, team, times in texts.PROFILES:
        followers = ctx.random.randint(900, 14_000)
        profile = state.profiles.create(
            handle=handle,
            name=name,
            network=network,
            character_limit=characters,
            most_a_day=most,
            needs_approval=approval,
            approver_email=cast.team(team)[0].email if team else ME.email,
            followers=followers,
            followers_30_days_ago=followers - ctx.random.randint(-20, 240),
        )
        by_handle[handle] = profile.id
        for weekday in WEEKDAYS[:5]:
            for time in times:
                state.slots.create(profile_id=profile.id, weekday=weekday, time=time)
    for reason, first, last, handle_or_none, mine in texts.BLACKOUTS:
        state.blackouts.create(
            reason=reason,
            first_day=ctx.date(first),
            last_day=ctx.date(last),
            profile_id=by_handle[handle_or_none] if handle_or_none else None,
            declared_by=ME.email if mine else cast.team("marketing")[0].email,
        )


def _topics(state: SocialState, ctx: SeedContext, cast: Cast) -> None:
    for number in range(ctx.size(9)):
        name, brief = texts.TOPICS[number % len(texts.TOPICS)]
        facts = people.facts(ctx, cast.projects[number])
        turn = number // len(texts.TOPICS)
        start = -50 + 7 * number
        state.topics.create(
            name=f"{name.format(**facts)} {turn + 1}" if turn else name.format(**facts),
            brief=brief.format(**facts),
            first_day=ctx.date(start),
            last_day=ctx.date(start + 75),
            owner_email=ctx.random.choice((ME, *cast.team("marketing"))).email,
        )


def _usable(state: SocialState, ctx: SeedContext, profile: Profile, day: str) -> tuple[str, ...]:
    """A file that the profile may show on a day; none half of the time where none is needed."""
    if profile.network in ("professional", "microblog") and ctx.random.random() < 0.5:
        return ()

    def fits(row: Media) -> bool:
        shown = row.kind == "video" if profile.network == "video" else row.kind == "video" or bool(row.alt_text)
        return shown and (row.licensed_until is None or row.licensed_until >= day)

    return (ctx.random.choice(state.media.where(fits)).id,)


def _draft(
    state: SocialState, ctx: SeedContext, cast: Cast, number: int, pool: tuple[str, ...], when: str
) -> Post | None:
    profile = list(state.profiles)[(number + number // 5) % 5]
    facts = people.facts(ctx, cast.projects[number % 400])
    others = (*cast.team("marketing"), *cast.team("support")[:1])
    # What you have to approve is written by others, and a good part of the rest by you.
    author = ME if profile.approver_email != ME.email and number % 3 == 0 else ctx.random.choice(others)
    text = pool[(number + number // len(pool)) % len(pool)].format(**facts)
    if any(row.text == text and row.profile_id == profile.id for row in state.posts):
        return None
    return state.posts.create(
        profile_id=profile.id,
        topic_id=ctx.random.choice(list(state.topics)).id if ctx.random.random() < 0.7 else None,
        text=text,
        link=f"https://www.{DOMAIN}/news/{number + 1}" if ctx.random.random() < 0.4 else "",
        media_ids=_usable(state, ctx, profile, when[:10]),
        author_email=author.email,
        updated_at=ctx.moment(-3, 10, number % 60),
    )


def _out(state: SocialState, ctx: SeedContext, cast: Cast, number: int) -> None:
    # Newest last; five posts, one of each profile, share a day.
    age = 2 + (ctx.size(70) - 1 - number) * 58 // ctx.size(70)
    when = ctx.moment(-age, 7 + number % 5 * 2, number % 60)
    post = _draft(state, ctx, cast, number, texts.POSTS, when)
    if post is None or why_not(state, state.profiles.get(post.profile_id), when, post.id) is not None:
        if post is not None:
            state.posts.delete(post.id)
        return
    state.posts.patch(post.id, status="published", published_at=when, updated_at=when)
    shown = ctx.random.randint(300, 9000)
    state.reach.create(
        post_id=post.id,
        impressions=shown,
        likes=shown * ctx.random.randint(5, 40) // 1000,
        shares=shown * ctx.random.randint(0, 12) // 1000,
        clicks=shown * ctx.random.randint(2, 30) // 1000 if post.link else 0,
    )


def _coming(state: SocialState, ctx: SeedContext, cast: Cast, number: int) -> None:
    faulty = number % 7 == 6
    when = ctx.moment(1 + number % 16, 8 + number % 4 * 3, 10)
    post = _draft(state, ctx, cast, 300 + number, texts.FAULTY if faulty else texts.POSTS, when)
    if post is None:
        return
    profile = state.profiles.get(post.profile_id)
    wanted = ("draft", "scheduled", "in_review", "scheduled", "approved", "draft", "rejected", "in_review")[number % 8]
    if profile.approver_email == ME.email and number % 3:
        wanted = "in_review"
    if faulty or not profile.needs_approval:
        wanted = "scheduled" if wanted == "scheduled" and not faulty else "draft"
    if wanted == "scheduled" and why_not(state, profile, when, post.id) is None:
        state.posts.patch(post.id, status=wanted, scheduled_at=when)
    elif wanted != "scheduled":
        state.posts.patch(post.id, status=wanted)
    if wanted == "rejected" or ctx.random.random() < 0.35:
        state.notes.create(
            post_id=post.id,
            author_email=profile.approver_email,
            text=ctx.random.choice(texts.NOTES).format(**people.facts(ctx, cast.projects[(300 + number) % 400])),
            written_at=ctx.moment(-2, 16, number % 60),
        )


def _message(state: SocialState, ctx: SeedContext, cast: Cast, number: int) -> None:
    sentiment, text = texts.MESSAGES[(number + number // len(texts.MESSAGES)) % len(texts.MESSAGES)]
    project = cast.projects[number * 3 % 300]
    facts = people.facts(ctx, project)
    spam = "prize" in text
    kind = "comment" if spam else ("comment", "mention", "direct_message", "comment")[number % 4]
    post = ctx.random.choice(state.posts.find(status="published"))
    status = ("open", "answered", "open", "closed", "open")[number % 5]
    age = ctx.random.randint(0, 2) if status == "open" else ctx.random.randint(2, 40)
    support = ctx.random.choice(cast.team("support"))
    answered = status != "open"
    assignee = ctx.random.choice((ME, support)).email if answered or number % 3 == 0 else None
    message = state.messages.create(
        profile_id=post.profile_id,
        post_id=post.id if kind == "comment" else None,
        kind=kind,
        author_name="Lucky Winner" if spam else project.contact.name,
        author_company="" if spam else project.company.name,
        text=text.format(**facts),
        sentiment=sentiment,
        status=status,
        hidden=spam and answered,
        assignee_email=assignee,
        received_at=ctx.moment(-age, ctx.random.randint(5, 8), number % 60),
    )
    if answered and not spam:
        state.replies.create(
            message_id=message.id,
            text=ctx.random.choice(texts.REPLIES).format(**facts),
            internal=False,
            author_email=assignee or ME.email,
            sent_at=ctx.moment(-age + 1, 9, number % 60),
        )
    if number % 4 == 2:
        state.replies.create(
            message_id=message.id,
            text=ctx.random.choice(texts.INTERNAL).format(**facts),
            internal=True,
            author_email=support.email,
            sent_at=ctx.moment(0, 8, number % 60),
        )
