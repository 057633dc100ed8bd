"""Two months of meetings: held, running and planned, with what was said in them."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.shared import plus_minutes
from services_app.library.video_meetings import texts
from services_app.library.video_meetings.live import MB_PER_MINUTE
from services_app.library.video_meetings.state import Meeting, MeetingsState, Recording, User, service

Lines = list[tuple[str, str]]


@service.seed
def fill(state: MeetingsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for index, person in enumerate(cast.staff[: 10 + ctx.size(15)]):
        state.users.create(
            name=person.name,
            email=person.email,
            department=person.team,
            plan="licensed" if index < 4 or ctx.random.random() < 0.6 else "basic",
            personal_meeting_number=_number(ctx),
        )
    _today(state, ctx, cast)
    for project in cast.projects[: ctx.size(46)]:
        _customer_call(state, ctx, cast, project, -ctx.random.randint(1, 60))
    for project in cast.projects[ctx.size(46) : ctx.size(66)]:
        _customer_call(state, ctx, cast, project, ctx.random.randint(1, 30))
    for _ in range(ctx.size(24)):
        _internal(state, ctx, cast)
    for index in range(ctx.size(9)):
        _public(state, ctx, cast, index)


def _number(ctx: SeedContext) -> str:
    draw = ctx.random
    return f"8{draw.randint(10, 99)} {draw.randint(1000, 9999)} {draw.randint(1000, 9999)}"


def _user(state: MeetingsState, person: Person) -> User | None:
    return state.users.first(email=person.email)


def _meeting(
    state: MeetingsState, ctx: SeedContext, host: User, *, topic: str, agenda: str, day: int, **more: object
) -> Meeting:
    """A meeting on a weekday at a time when its host is free."""
    minutes = 30 if host.plan == "basic" else ctx.random.choice((30, 45, 60, 60, 90))
    weekday = day % 7  # the session clock starts on a Monday
    day = day + 2 if weekday >= 5 else day
    for _ in range(20):
        start = ctx.moment(day, ctx.random.randint(8, 16), ctx.random.choice((0, 15, 30)))
        if "start" in more or not _taken(state, host, start, minutes):
            break
        day += 7 if day > 0 else -7
    ended = day < 0
    late = ctx.random.choice((0, 0, 1, 3, 6))
    values: dict[str, object] = {
        "number": _number(ctx),
        "topic": topic,
        "agenda": agenda,
        "host_id": host.id,
        "start": start,
        "duration_minutes": minutes,
        "status": "ended" if ended else "scheduled",
        "passcode": f"{ctx.random.randint(0, 999_999):06d}",
        "waiting_room": ctx.random.random() < 0.7,
        "auto_recording": "cloud" if host.plan == "licensed" and ctx.random.random() < 0.7 else "none",
        "started_at": plus_minutes(start, late) if ended else None,
        "ended_at": plus_minutes(start, minutes + ctx.random.choice((-8, -3, 0, 5, 12))) if ended else None,
    }
    return state.meetings.create(**(values | more))


def _taken(state: MeetingsState, host: User, start: str, minutes: int) -> bool:
    end = plus_minutes(start, minutes)
    return any(
        row.start < end and start < plus_minutes(row.start, row.duration_minutes)
        for row in state.meetings.find(host_id=host.id)
    )


def _customer_call(state: MeetingsState, ctx: SeedContext, cast: Cast, project: Project, day: int) -> None:
    facts = people.facts(ctx, project)
    topic, agenda, script, overview, steps = ctx.random.choice(texts.CUSTOMER)
    # Your calls and those of the account managers; some of theirs you may start in their place.
    host = (_user(state, project.owner) if ctx.random.random() < 0.6 else None) or state.users.get("USR-001")
    meeting = _meeting(state, ctx, host, topic=topic.format(**facts), agenda=agenda.format(**facts), day=day)
    if host.email != ME.email and ctx.random.random() < 0.3:
        state.meetings.patch(meeting.id, alternative_host_id="USR-001")
    if meeting.status == "scheduled":
        if ctx.random.random() < 0.15:
            reason = ctx.random.choice(texts.CANCELLED).format(**facts)
            state.meetings.patch(meeting.id, status="cancelled", cancel_reason=reason)
        elif ctx.random.random() < 0.5:
            _poll(state, ctx, meeting, "draft")
        return
    speaker = {"owner": host.name, "contact": project.contact.name}
    lines = [(speaker[who], text.format(**facts)) for who, text in script]
    _attended(state, ctx, meeting, [(host.name, host.email), (project.contact.name, project.contact.email)])
    _chat(state, ctx, meeting, project, facts)
    recording = _recorded(state, ctx, meeting, lines)
    if recording is not None and recording.access == "shareable" and ctx.random.random() < 0.5:
        last = ctx.date(ctx.random.randint(2, 40))
        state.recording_shares.create(
            recording_id=recording.id, email=project.contact.email, can_download=True, expires_on=last
        )
    state.summaries.create(
        meeting_id=meeting.id,
        overview=overview.format(**facts),
        next_steps=tuple(step.format(**facts) for step in steps),
    )
    if ctx.random.random() < 0.4:
        _poll(state, ctx, meeting, "closed")


def _internal(state: MeetingsState, ctx: SeedContext, cast: Cast) -> None:
    topic, agenda, script, overview, steps = ctx.random.choice(texts.INTERNAL)
    host, *guests = ctx.random.sample(list(state.users), 4)
    meeting = _meeting(state, ctx, host, topic=topic, agenda=agenda, day=ctx.random.choice((-1, 1, -1)) * 3)
    if meeting.status != "ended":
        return
    lines = [((host, guests[0])[who].name, text) for who, text in script]
    _attended(state, ctx, meeting, [(row.name, row.email) for row in (host, *guests)])
    recording = _recorded(state, ctx, meeting, lines)
    if recording is not None:
        secret = topic.startswith(("Hiring", "Pricing"))
        state.recordings.patch(recording.id, access="restricted" if secret else "internal")
        if secret and ctx.random.random() < 0.4:
            state.recording_shares.create(recording_id=recording.id, email=ME.email, can_download=False)
    state.summaries.create(meeting_id=meeting.id, overview=overview, next_steps=steps)


def _public(state: MeetingsState, ctx: SeedContext, cast: Cast, index: int) -> None:
    """A webinar with registrants; yours are the even ones."""
    topic, agenda = texts.PUBLIC[index % len(texts.PUBLIC)]
    product = cast.products[index % len(cast.products)]
    host = state.users.get("USR-001") if index % 2 == 0 else list(state.users)[1 + index % 3]
    limit = ctx.random.choice((None, 3, 6, 25))
    meeting = _meeting(
        state,
        ctx,
        host,
        topic=topic.format(product=product.name),
        agenda=agenda.format(product=product.name),
        day=3 + 2 * index,
        registration="manual" if index % 3 else "automatic",
        registration_limit=limit,
    )
    for project in ctx.random.sample(cast.projects[:80], ctx.random.randint(3, 9)):
        _registrant(state, ctx, meeting, project)


def _registrant(state: MeetingsState, ctx: SeedContext, meeting: Meeting, project: Project) -> None:
    person, facts = project.contact, people.facts(ctx, project)
    if state.registrants.first(meeting_id=meeting.id, email=person.email):
        return
    approved = state.registrants.count(meeting_id=meeting.id, status="approved")
    full = meeting.registration_limit is not None and approved >= meeting.registration_limit
    status = ctx.random.choice(("pending", "pending", "approved", "denied"))
    if meeting.registration == "automatic":
        status = "approved"
    if full and status == "approved":
        status = "cancelled" if meeting.registration == "automatic" else "pending"
    state.registrants.create(
        meeting_id=meeting.id,
        name=person.name,
        email=person.email,
        organization=person.company,
        comments=ctx.random.choice(texts.COMMENTS).format(**facts),
        status=status,
        registered_at=ctx.moment(-ctx.random.randint(1, 14), ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
    )


def _today(state: MeetingsState, ctx: SeedContext, cast: Cast) -> None:
    """What runs this morning (you may host it in a colleague's place), and what is about to start."""
    mine = state.users.get("USR-001")
    colleague = list(state.users)[2]
    running = _meeting(
        state,
        ctx,
        colleague,
        topic="Dispatch briefing",
        agenda="Trucks of the day, doors and drivers.",
        day=0,
        start=ctx.moment(0, 8, 45),
        status="live",
        started_at=ctx.moment(0, 8, 46),
        alternative_host_id=mine.id,
        auto_recording="cloud",
    )
    in_it = [(mine.name, mine.email), (colleague.name, colleague.email)]
    in_it += [(row.name, row.email) for row in list(state.users)[4:6]]
    for name, email in in_it:
        _present(state, running, name, email, "in_meeting", ctx.moment(0, 8, 47))
    for project in cast.projects[:4]:
        person = project.contact
        if not state.participants.first(meeting_id=running.id, email=person.email):
            _present(state, running, person.name, person.email, "waiting", ctx.moment(0, 8, 55))
    _chat(state, ctx, running, cast.projects[0], people.facts(ctx, cast.projects[0]))
    for question, options in texts.POLLS[:2]:
        state.polls.create(meeting_id=running.id, question=question, options=options)
    _ramps(state, ctx, mine)
    for minute, topic in ((0, "Carrier check-in"), (15, "Order desk: {po}")):
        project = cast.projects[minute]
        _meeting(
            state,
            ctx,
            mine,
            topic=topic.format(po=project.po_number),
            agenda=f"With {project.contact.name}, {project.company.name}.",
            day=0,
            start=ctx.moment(0, 9, minute),
            duration_minutes=15,
            registration="manual",
        )


def _ramps(state: MeetingsState, ctx: SeedContext, mine: User) -> None:
    """A running meeting without you, in which a poll is open."""
    other = _meeting(
        state,
        ctx,
        list(state.users)[3],
        topic="Loading ramps: daily check",
        agenda="Ten minutes.",
        day=0,
        start=ctx.moment(0, 8, 30),
        status="live",
        started_at=ctx.moment(0, 8, 31),
        alternative_host_id=mine.id,
    )
    poll = state.polls.create(
        meeting_id=other.id, question="Are all ramps clear?", options=("Yes", "No"), status="open"
    )
    for index, user in enumerate(list(state.users)[6:10]):
        _present(state, other, user.name, user.email, "in_meeting", ctx.moment(0, 8, 32 + index))
        if index < 3:
            answer = "No" if index == 2 else "Yes"
            state.poll_answers.create(poll_id=poll.id, email=user.email, option=answer)


def _present(state: MeetingsState, meeting: Meeting, name: str, email: str, presence: str, joined_at: str) -> None:
    state.participants.create(
        meeting_id=meeting.id, name=name, email=email, presence=presence, joined_at=joined_at, left_at=None
    )


def _attended(state: MeetingsState, ctx: SeedContext, meeting: Meeting, who: list[tuple[str, str]]) -> None:
    began, ended = meeting.started_at or meeting.start, meeting.ended_at or meeting.start
    for name, email in who:
        row = state.participants.create(
            meeting_id=meeting.id,
            name=name,
            email=email,
            presence="left",
            joined_at=plus_minutes(began, ctx.random.choice((0, 0, 1, 4))),
            left_at=ended,
        )
        if ctx.random.random() < 0.15:
            state.participants.patch(row.id, left_at=plus_minutes(row.joined_at, 11))


def _chat(state: MeetingsState, ctx: SeedContext, meeting: Meeting, project: Project, facts: dict[str, str]) -> None:
    sent = meeting.started_at or meeting.start
    more = {"phone": project.contact.phone, "wrong": str(project.seats + 3)}
    for text in ctx.random.sample(texts.CHAT, ctx.random.randint(1, 3)):
        sent = plus_minutes(sent, ctx.random.randint(1, 4))
        state.chat_messages.create(
            meeting_id=meeting.id,
            sender_name=project.contact.name,
            sender_email=project.contact.email,
            text=text.format(**facts, **more),
            sent_at=sent,
        )


def _recorded(state: MeetingsState, ctx: SeedContext, meeting: Meeting, lines: Lines) -> Recording | None:
    if meeting.auto_recording != "cloud":
        return None
    minutes = meeting.duration_minutes - 5
    recording = state.recordings.create(
        meeting_id=meeting.id,
        title=meeting.topic,
        recorded_at=meeting.started_at or meeting.start,
        minutes=minutes,
        size_mb=minutes * MB_PER_MINUTE,
        access=ctx.random.choice(("internal", "shareable", "shareable")),
        legal_hold=ctx.random.random() < 0.12,
    )
    if ctx.random.random() < 0.2 and not recording.legal_hold:
        recording = state.recordings.patch(recording.id, deleted_on=ctx.date(-ctx.random.choice((1, 3, 12, 44))))
    for index, (speaker, text) in enumerate(lines):
        state.transcript_lines.create(recording_id=recording.id, at_minute=1 + index * 3, speaker=speaker, text=text)
    return recording


def _poll(state: MeetingsState, ctx: SeedContext, meeting: Meeting, status: str) -> None:
    question, options = ctx.random.choice(texts.POLLS)
    poll = state.polls.create(
        meeting_id=meeting.id, question=question, options=options, anonymous=ctx.random.random() < 0.3, status=status
    )
    if status == "closed":
        for row in state.participants.find(meeting_id=meeting.id):
            state.poll_answers.create(poll_id=poll.id, email=row.email, option=ctx.random.choice(options))
