"""A mailbox as it looks on a working Monday: customer conversations, colleagues, notices and some spam."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.mail import texts
from services_app.library.mail.state import MailState, Message, service

_LABELS = (
    ("Customers", "blue"),
    ("Orders", "green"),
    ("Contracts", "violet"),
    ("Finance", "amber"),
    ("Travel", "grey"),
    ("Follow up", "red"),
    ("Waiting", "grey"),
)
_CONTACT_NOTES = (
    "Prefers to be called before 11:00.",
    "Signs orders up to 10,000.00; above that ask for the finance lead.",
    "Always copy the site manager.",
    "Writes from a shared mailbox on Fridays.",
    "Met at the spring event; interested in training.",
    "",
    "",
    "",
)
_BY_SUBJECT = (("order", "Orders"), ("contract", "Contracts"), ("invoice", "Finance"), ("visit", "Travel"))


@service.seed
def fill(state: MailState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, color in _LABELS:
        state.labels.create(name=name, color=color)
    for index in range(ctx.size(64)):
        _customer(state, ctx, cast.projects[index])
    for _ in range(ctx.size(26)):
        _internal(state, ctx, cast)
    for index in range(ctx.size(18)):
        _automatic(state, ctx, cast.projects[index * 3 % len(cast.projects)], index)
    for sender, name, subject, body in texts.SPAM:
        _single(state, ctx, Person(name, sender, "", "", ""), subject, body, folder="spam")
    _address_book(state, ctx, cast)
    _drafts(state, ctx, cast)
    _filters(state)
    state.auto_replies.create(
        subject="Out of the office",
        body=texts.AUTO_REPLY,
        first_day=ctx.date(-24),
        last_day=ctx.date(-20),
        enabled=False,
    )


def _customer(state: MailState, ctx: SeedContext, project: Project) -> None:
    """One conversation about a project, from one of the scripts."""
    facts = people.facts(ctx, project)
    subject, script = ctx.random.choice(texts.CUSTOMER)
    subject = subject.format(**facts)
    thread = state.threads.create(subject=subject)
    day, minute = ctx.random.randint(-45, -2), ctx.random.randint(0, 50)
    archived = ctx.random.random() < 0.3
    previous: Message | None = None
    for index, (who, text) in enumerate(script):
        sender = {"them": project.contact, "me": ME, "owner": project.owner}[who]
        to = previous.sender if previous and who == "me" else ME.email if who != "me" else project.contact.email
        if who == "owner" and previous is not None:
            to = previous.sender
        previous = state.messages.create(
            thread_id=thread.id,
            sender=sender.email,
            sender_name=sender.name,
            to=(to,),
            cc=(project.owner.email,) if who == "them" and index == 0 else (),
            subject=subject if index == 0 else f"Re: {subject}",
            body=text.format(**facts),
            sent_at=ctx.moment(min(day + index, -1), 8 + index * 3, minute),
            folder="sent" if who == "me" else "archive" if archived else "inbox",
            read=who == "me" or archived or ctx.random.random() < 0.6,
            label_ids=_labels(state, ctx, subject),
            in_reply_to=previous.id if previous else None,
        )
        if index == 0 and who == "them" and ctx.random.random() < 0.6:
            _attach(state, ctx, previous, facts)


def _labels(state: MailState, ctx: SeedContext, subject: str) -> tuple[str, ...]:
    names = [label for word, label in _BY_SUBJECT if word in subject.lower()]
    names += ["Follow up"] if ctx.random.random() < 0.12 else []
    return tuple(label.id for label in state.labels if label.name in names)


def _attach(state: MailState, ctx: SeedContext, message: Message, facts: dict[str, str]) -> None:
    filename, kind, text = ctx.random.choice(texts.ATTACHMENTS)
    state.attachments.create(
        message_id=message.id,
        filename=filename.format(**facts),
        kind=kind,
        size_kb=ctx.random.randint(18, 2400),
        text=text.format(**facts),
    )


def _internal(state: MailState, ctx: SeedContext, cast: Cast) -> None:
    team, subject, body = ctx.random.choice(texts.INTERNAL)
    sender = ctx.random.choice(cast.team(team))
    closing = ctx.random.choice(
        (f"\n\n{sender.first}", f"\n\nThanks, {sender.name}", f"\n\n{sender.name}\n{sender.title}")
    )
    message = _single(state, ctx, sender, subject, body + closing)
    if ctx.random.random() < 0.3:
        answer = ctx.random.choice(cast.staff[1:])
        state.messages.create(
            thread_id=message.thread_id,
            sender=answer.email,
            sender_name=answer.name,
            to=(ME.email, sender.email),
            subject=f"Re: {subject}",
            body=texts.ANSWER.format(sender=sender.first, city=ctx.random.choice(cast.offices).city, me=answer.first),
            sent_at=ctx.moment(-1, 15, ctx.random.randint(0, 59)),
            folder="inbox",
            read=ctx.random.random() < 0.5,
            in_reply_to=message.id,
        )


def _automatic(state: MailState, ctx: SeedContext, project: Project, index: int) -> None:
    facts = people.facts(ctx, project)
    sender, name, subject, body = ctx.random.choice(texts.AUTOMATIC)
    robot = Person(name, sender, "", "", "")
    folder = "trash" if index % 3 == 2 else "inbox"
    _single(state, ctx, robot, subject.format(**facts), body.format(**facts), folder=folder)


def _single(
    state: MailState, ctx: SeedContext, sender: Person, subject: str, body: str, *, folder: str = "inbox"
) -> Message:
    thread = state.threads.create(subject=subject)
    return state.messages.create(
        thread_id=thread.id,
        sender=sender.email,
        sender_name=sender.name,
        to=(ME.email,),
        subject=subject,
        body=body,
        sent_at=ctx.moment(ctx.random.randint(-40, -2), ctx.random.randint(7, 17), ctx.random.randint(0, 59)),
        folder=folder,
        read=folder != "spam" and ctx.random.random() < 0.65,
    )


def _address_book(state: MailState, ctx: SeedContext, cast: Cast) -> None:
    outside = [person for company in cast.companies[: ctx.size(30)] for person in company.people[:2]]
    for person in [*cast.staff[1 : ctx.size(30)], *outside]:
        state.contacts.create(
            name=person.name,
            email=person.email,
            company=person.company,
            title=person.title,
            phone=person.phone,
            note=ctx.random.choice(_CONTACT_NOTES),
        )


def _drafts(state: MailState, ctx: SeedContext, cast: Cast) -> None:
    for index, project in enumerate(cast.projects[5 : 8 + ctx.size(6)]):
        facts = people.facts(ctx, project)
        scheduled = index % 3 == 2
        subject = f"{project.title}: next steps"
        state.messages.create(
            thread_id=state.threads.create(subject=subject).id,
            sender=ME.email,
            sender_name=ME.name,
            to=(project.contact.email,) if index % 3 else (),
            subject=subject,
            body=texts.DRAFT.format(**facts),
            sent_at=ctx.moment(-1, 16, index % 60),
            folder="scheduled" if scheduled else "drafts",
            read=True,
            send_at=ctx.moment(2, 8) if scheduled else None,
        )


def _filters(state: MailState) -> None:
    ids = {label.name: label.id for label in state.labels}
    state.filters.create(name="Orders from customers", subject_contains="order", label_id=ids["Orders"])
    state.filters.create(name="Parcel notices", sender_contains="parcelwise", archive=True)
    state.filters.create(name="Contracts", subject_contains="contract", label_id=ids["Contracts"])
