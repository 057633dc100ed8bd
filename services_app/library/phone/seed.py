"""Two months of calls, voicemail and text messages on the lines of the company."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Project
from services_app.library.phone import texts
from services_app.library.phone.messages import used_segments
from services_app.library.phone.state import Call, Line, PhoneState, service
from services_app.library.shared import plus_minutes


@service.seed
def fill(state: PhoneState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _office(state, ctx, cast)
    _now(state, ctx, cast)
    for company in cast.companies[: ctx.size(36)]:
        for person in company.people:
            refuses = ctx.random.random() < 0.07
            note = texts.NO_CALLS.format(start=ctx.date(-40), email=person.email)
            state.contacts.create(
                name=person.name,
                phone=_free_number(state, person.phone),
                email=person.email,
                company=person.company,
                job_title=person.title,
                do_not_call=refuses,
                notes=note if refuses else ctx.random.choice(texts.NOTES),
            )
    known = {row.email for row in state.contacts}
    projects = [project for project in cast.projects if project.contact.email in known]
    for project in projects[: ctx.size(110)]:
        _call(state, ctx, project)
    for project in projects[: ctx.size(30)]:
        _conversation(state, ctx, project)
    for project in projects[: ctx.size(7)]:
        _scheduled(state, ctx, project)
    for number, reason in texts.BLOCKED[: ctx.size(5)]:
        state.blocked_numbers.create(number=number, reason=reason, blocked_on=ctx.date(-ctx.random.randint(2, 90)))
    # The order desk has nearly used up what it may send this month.
    desk = state.lines.get("LN-002")
    state.lines.patch(desk.id, sms_allowance=used_segments(state, desk.id, ctx.today[:7]) + 3)


def _free_number(state: PhoneState, number: str) -> str:
    """The number of a person; with another last digit where a contact has it already."""
    while state.contacts.first(phone=number):
        number = f"{number[:-1]}{(int(number[-1]) + 1) % 10}"
    return number


def _office(state: PhoneState, ctx: SeedContext, cast: Cast) -> None:
    for index, person in enumerate(cast.staff[: 8 + ctx.size(16)]):
        status = ctx.random.choice(("available", "available", "busy", "do_not_disturb", "offline"))
        state.users.create(
            name=person.name,
            email=person.email,
            department=person.team,
            extension=str(101 + index),
            status="available" if person is ME else status,
        )
    for (label, kind, number, sms, opens, closes, after), greeting in zip(texts.LINES, texts.GREETINGS, strict=True):
        state.lines.create(
            number=number,
            label=label,
            kind=kind,
            sms_enabled=sms,
            sms_allowance=300 if sms else 0,
            opens=opens,
            closes=closes,
            after_hours=after,
            forward_to="+44 7700 900155" if after == "forward" else "",
            greeting=greeting,
        )
    for person, user in zip(cast.staff, state.users, strict=False):
        state.lines.create(
            number=person.phone,
            label=f"Direct line of {person.name}",
            kind="direct",
            owner_id=user.id,
            sms_enabled=person is ME or ctx.random.random() < 0.5,
            sms_allowance=40,
            opens="08:00",
            closes="17:00",
            after_hours="voicemail",
        )
    for name, label, wait, overflow in texts.QUEUES:
        line = next(row for row in state.lines if row.label == label)
        supervisor = "PU-001" if label == "Order desk" else "PU-003"
        queue = state.queues.create(
            name=name, line_id=line.id, supervisor_id=supervisor, longest_wait=wait, overflow=overflow
        )
        members = ["PU-001", *[row.id for row in ctx.random.sample(list(state.users)[1:], 4)]]
        for index, user_id in enumerate(members[1 if name == "Reception" else 0 :]):
            state.queue_members.create(queue_id=queue.id, user_id=user_id, available=index < 2)


def _now(state: PhoneState, ctx: SeedContext, cast: Cast) -> None:
    """Two calls in progress: the order desk can be put through, the support hotline too."""
    for index, (line_id, user_id) in enumerate((("LN-002", "PU-002"), ("LN-004", "PU-004"))):
        state.calls.create(
            line_id=line_id,
            direction="inbound",
            other_number=cast.projects[index].contact.phone,
            result="in_progress",
            handled_by=user_id,
            started_at=ctx.moment(0, 8, 52 + index),
        )


def _line(state: PhoneState, ctx: SeedContext) -> Line:
    """Mostly your line and the shared ones; now and then the line of a colleague."""
    own = state.lines.get("LN-005")
    desk, hotline = state.lines.get("LN-002"), state.lines.get("LN-004")
    others = [row for row in state.lines if row.owner_id not in (None, "PU-001")]
    return ctx.random.choice((own, own, own, desk, desk, desk, hotline, ctx.random.choice(others)))


def _call(state: PhoneState, ctx: SeedContext, project: Project) -> None:
    facts = {**people.facts(ctx, project), "phone": _number(state, project)}
    line = _line(state, ctx)
    moment = ctx.moment(-ctx.random.randint(1, 55), ctx.random.randint(8, 17), ctx.random.randint(0, 59))
    if ctx.random.random() < 0.28:
        _left_a_message(state, ctx, line, facts, moment)
        return
    direction, result, transcript, notes, disposition = ctx.random.choice(texts.CALLS)
    talked = result == "answered"
    handled = line.owner_id or f"PU-{ctx.random.randint(1, 8):03d}"
    call = state.calls.create(
        line_id=line.id,
        direction=direction,
        other_number=facts["phone"],
        result=result,
        handled_by=handled if talked or direction == "outbound" else None,
        started_at=moment,
        ended_at=plus_minutes(moment, ctx.random.randint(2, 24) if talked else 1),
        disposition=disposition,
        transcript=transcript.format(**facts),
    )
    _notes(state, ctx, call, [text.format(**facts) for text in notes], project.owner.email)


def _notes(state: PhoneState, ctx: SeedContext, call: Call, notes: list[str], author: str) -> None:
    moment = call.ended_at or call.started_at
    for text in notes:
        moment = plus_minutes(moment, ctx.random.randint(2, 200))
        state.call_notes.create(
            call_id=call.id, author_email=ctx.random.choice((ME.email, author)), text=text, written_at=moment
        )


def _left_a_message(state: PhoneState, ctx: SeedContext, line: Line, facts: dict[str, str], moment: str) -> None:
    call = state.calls.create(
        line_id=line.id,
        direction="inbound",
        other_number=facts["phone"],
        result="voicemail",
        started_at=moment,
        ended_at=plus_minutes(moment, 1),
        disposition=ctx.random.choice((None, "callback_needed")),
    )
    state.voicemails.create(
        call_id=call.id,
        line_id=line.id,
        from_number=facts["phone"],
        seconds=ctx.random.randint(9, 58),
        transcript=ctx.random.choice(texts.VOICEMAILS).format(**facts),
        heard=ctx.random.random() < 0.45,
        left_at=plus_minutes(moment, 1),
    )


def _number(state: PhoneState, project: Project) -> str:
    contact = state.contacts.first(email=project.contact.email)
    return contact.phone if contact else project.contact.phone


def _conversation(state: PhoneState, ctx: SeedContext, project: Project) -> None:
    facts, number = people.facts(ctx, project), _number(state, project)
    line = ctx.random.choice(("LN-002", "LN-003", "LN-005", "LN-005"))
    if any(row.other_number == number for row in state.messages.find(line_id=line)):
        return
    script = ctx.random.choice(texts.CONVERSATIONS)
    recent = ctx.random.random() < 0.3
    moment = ctx.moment(-1 if recent else -ctx.random.randint(2, 40), ctx.random.randint(8, 16), 5)
    for index, (who, text) in enumerate(script):
        moment = plus_minutes(moment, ctx.random.randint(2, 90))
        state.messages.create(
            line_id=line,
            other_number=number,
            direction="inbound" if who == "them" else "outbound",
            text=text.format(**facts),
            status="received" if who == "them" else "sent",
            at=moment,
            read=not (recent and who == "them" and index == len(script) - 1),
        )


def _scheduled(state: PhoneState, ctx: SeedContext, project: Project) -> None:
    facts = people.facts(ctx, project)
    state.messages.create(
        line_id=ctx.random.choice(("LN-002", "LN-003", "LN-005")),
        other_number=_number(state, project),
        direction="outbound",
        text="Larkfield: we come on {end} for the {title}. Please keep gate and socket free.".format(**facts),
        status="scheduled",
        at=ctx.moment(ctx.random.randint(1, 20), 8, 30),
    )
