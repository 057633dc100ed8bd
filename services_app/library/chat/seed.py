"""A team's chat: channels with threads, a few guests, direct messages, polls."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Project
from services_app.library.chat import texts
from services_app.library.chat.state import Channel, ChatState, Message, User, service
from services_app.library.shared import plus_minutes


@service.seed
def fill(state: ChatState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _users(state, ctx, cast)
    for row in texts.CHANNELS:
        _channel(state, ctx, cast, row)
    for index in range(ctx.size(84)):
        _thread(state, ctx, cast.projects[index % len(cast.projects)], texts.THREADS[index % len(texts.THREADS)])
    for index in range(ctx.size(10)):
        _direct(state, ctx, cast.projects[index + 3], state.users.first(email=cast.staff[index + 1].email))
    _polls(state, ctx)
    for name, title, url in texts.BOOKMARKS:
        channel = _named(state, name)
        owner = state.memberships.find(channel_id=channel.id)[0].user_id
        state.bookmarks.create(channel_id=channel.id, title=title, url=url, added_by=owner)
    office_move = _named(state, "office-move")
    state.channels.patch(office_move.id, archived=True)


def _users(state: ChatState, ctx: SeedContext, cast: Cast) -> None:
    guests = [company.people[0] for company in cast.companies[: ctx.size(6)]]
    for person in [*cast.staff[: 1 + ctx.size(40)], *guests]:
        me = person is ME
        state.users.create(
            handle=person.handle if person.company == ME.company else f"{person.handle}.guest",
            name=person.name,
            email=person.email,
            title=person.title,
            presence="active" if me else ctx.random.choice(("active", "active", "away", "do_not_disturb")),
            status_text="" if me else ctx.random.choice(texts.STATUS),
            guest=person.company != ME.company,
        )


def _channel(state: ChatState, ctx: SeedContext, cast: Cast, row: tuple[str, str, str, str, str, bool]) -> None:
    name, kind, team, topic, purpose, announcements = row
    channel = state.channels.create(
        name=name,
        kind=kind,
        topic=topic,
        purpose=purpose,
        announcements_only=announcements,
        created_at=ctx.moment(-ctx.random.randint(200, 800), 10),
    )
    users = [user for user in state.users if not user.guest]
    mine = next(user for user in users if user.email == ME.email)
    emails = [person.email for person in cast.team(team)] if team else [ME.email]
    owner = next((user for user in users if user.email in emails), mine)
    members = ctx.random.sample(users, max(3, len(users) // 3))
    # You are not in every channel: some have to be joined first, and one private one stays hidden.
    wanted = [owner, *members] if name in ("board-prep", "lunch", "releases") else [owner, mine, *members]
    if name in ("board-prep", "lunch", "releases"):
        wanted = [user for user in wanted if user is not mine]
    if name == "customer-orders":
        wanted.append(next(user for user in state.users if user.guest))
    for user in {user.id: user for user in wanted}.values():
        state.memberships.create(
            channel_id=channel.id,
            user_id=user.id,
            role="owner" if user is owner else "member",
            last_read_at=ctx.moment(-ctx.random.randint(1, 6), ctx.random.randint(8, 17)),
        )


def _named(state: ChatState, name: str) -> Channel:
    return next(channel for channel in state.channels if channel.name == name)


def _members(state: ChatState, channel: Channel) -> list[str]:
    return [row.user_id for row in state.memberships.find(channel_id=channel.id)]


def _thread(state: ChatState, ctx: SeedContext, project: Project, script: tuple[str, str, tuple[str, ...]]) -> None:
    name, text, replies = script
    channel, facts = _named(state, name), people.facts(ctx, project)
    members = _members(state, channel)
    author = members[0] if channel.announcements_only else ctx.random.choice(members)
    moment = ctx.moment(-ctx.random.randint(1, 28), ctx.random.randint(7, 16), ctx.random.randint(0, 59))
    first = _say(state, channel, author, text.format(**facts), moment)
    for reply in replies:
        moment = min(plus_minutes(moment, ctx.random.randint(3, 90)), ctx.moment(0, 8, 45))
        _say(state, channel, ctx.random.choice(members), reply.format(**facts), moment, thread_id=first.id)
    if ctx.random.random() < 0.15:
        state.messages.patch(first.id, pinned=True)
    for user in ctx.random.sample(members, ctx.random.choice((0, 0, 1, 2))):
        state.reactions.create(message_id=first.id, user_id=user, emoji=ctx.random.choice(texts.EMOJI))


def _say(
    state: ChatState, channel: Channel, author: str, text: str, moment: str, *, thread_id: str | None = None
) -> Message:
    return state.messages.create(
        channel_id=channel.id, author_id=author, text=text, posted_at=moment, thread_id=thread_id
    )


def _direct(state: ChatState, ctx: SeedContext, project: Project, user: User | None) -> None:
    mine = state.users.first(email=ME.email)
    if user is None or mine is None:
        return
    facts = people.facts(ctx, project)
    channel = state.channels.create(
        name="-".join(sorted((mine.handle.replace(".", "-"), user.handle.replace(".", "-")))),
        kind="direct",
        created_at=ctx.moment(-90, 9),
    )
    for member in (mine, user):
        state.memberships.create(
            channel_id=channel.id, user_id=member.id, role="member", last_read_at=ctx.moment(-4, 12)
        )
    for days in (-9, -2):
        text = ctx.random.choice(texts.DIRECT).format(**facts)
        _say(state, channel, user.id, text, ctx.moment(days, ctx.random.randint(8, 17), ctx.random.randint(0, 59)))


def _polls(state: ChatState, ctx: SeedContext) -> None:
    for name, question, options, closed in texts.POLLS:
        channel = _named(state, name)
        members = _members(state, channel)
        poll = state.polls.create(
            channel_id=channel.id,
            question=question,
            options=options,
            closed=closed,
            created_by=members[0],
            created_at=ctx.moment(-ctx.random.randint(2, 9), 11),
        )
        mine = state.users.first(email=ME.email)
        for user in members[1:]:
            if mine is None or user != mine.id:
                state.votes.create(poll_id=poll.id, user_id=user, option=ctx.random.choice(options))
