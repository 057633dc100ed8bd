"""Tools that write and send mail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.mail.state import AutoReply, MailState, Message, service
from services_app.library.shared import (
    Body,
    Name,
    check_date,
    check_future,
    check_range,
    check_text,
    fold,
    same,
    some_changes,
)

MAX_RECIPIENTS = 50
Recipients = Annotated[list[f.Email], Field(min_length=1, max_length=200)]
MessageId = Annotated[str, f.ref("messages")]


def _unique(addresses: list[str]) -> tuple[str, ...]:
    """Addresses without repeats, in order; 422 above the limit."""
    found = {fold(address): address for address in reversed(addresses)}
    if len(found) > MAX_RECIPIENTS:
        raise invalid(
            f"{len(found)} recipients are more than the {MAX_RECIPIENTS} allowed; send several messages.",
            type="too_many_recipients",
        )
    return tuple(reversed(found.values()))


def _store(
    state: MailState,
    ctx: CallContext,
    *,
    to: list[str],
    subject: str,
    body: str,
    cc: list[str] | None = None,
    folder: str = "sent",
    answers: Message | None = None,
) -> Message:
    """Put a message of ours into the mailbox, in the conversation it answers or in a new one."""
    receivers = _unique(to)
    copies = tuple(address for address in _unique(cc or []) if address not in receivers)
    thread_id = answers.thread_id if answers else state.threads.create(subject=subject).id
    return state.messages.create(
        thread_id=thread_id,
        sender=ME.email,
        sender_name=ME.name,
        to=receivers,
        cc=copies,
        subject=subject,
        body=body,
        sent_at=ctx.now,
        folder=folder,
        read=True,
        in_reply_to=answers.id if answers else None,
    )


def _prefixed(prefix: str, subject: str) -> str:
    return subject if fold(subject).startswith(fold(prefix)) else f"{prefix} {subject}"


def _answerable(message: Message) -> Message:
    if message.folder in ("spam", "trash"):
        raise conflict(
            f"Message {message.id} is in {message.folder}; move it to the inbox before answering.",
            type="in_spam_or_trash",
        )
    if message.folder in ("drafts", "scheduled"):
        raise conflict(f"Message {message.id} has not been sent yet; it cannot be answered.", type="not_sent")
    return message


@service.tool(phrase="email {to} about {subject}")
def send_message(
    state: MailState, ctx: CallContext, to: Recipients, subject: Name, body: Body, cc: list[f.Email] | None = None
) -> Message:
    """Send a new message, which starts a conversation of its own.

    Repeated addresses are sent to once; someone in `to` is left out of `cc`. To answer a message use
    reply_to_message instead. Errors: `too_many_recipients` (over 50), `blank_text`.

    Args:
        to: Addresses of the recipients.
        subject: Subject line.
        body: Text of the message.
        cc: Addresses that get a copy.
    """
    return _store(state, ctx, to=to, subject=check_text(subject, "subject"), body=check_text(body, "body"), cc=cc)


@service.tool(phrase="reply to {message_id}")
def reply_to_message(
    state: MailState, ctx: CallContext, message_id: MessageId, body: Body, reply_all: bool = False
) -> Message:
    """Reply to the sender of a message, in the same conversation.

    A reply to one of our own messages goes to its recipients. Replying does not mark anything as read.
    Errors: `not_found`, `no_reply_address` (the sender takes no answers), `in_spam_or_trash`, `not_sent`, `blank_text`.

    Args:
        message_id: Id of the message to answer.
        body: Text of the reply.
        reply_all: Also send it to everyone else who got the message.
    """
    message = _answerable(state.messages.get(message_id))
    if message.sender.startswith(("no-reply@", "noreply@")):
        raise conflict(f"{message.sender} takes no answers; write to someone else.", type="no_reply_address")
    ours = same(message.sender, ME.email)
    to = list(message.to) if ours else [message.sender]
    others = [address for address in message.to + message.cc if not same(address, ME.email) and address not in to]
    text = check_text(body, "body")
    subject = _prefixed("Re:", message.subject)
    return _store(state, ctx, to=to, subject=subject, body=text, cc=others if reply_all else None, answers=message)


@service.tool(phrase="forward {message_id} to {to}")
def forward_message(
    state: MailState, ctx: CallContext, message_id: MessageId, to: Recipients, comment: f.Text = ""
) -> Message:
    """Forward a message with its text and attachments to other people.

    Errors: `not_found`, `in_spam_or_trash`, `not_sent`, `too_many_recipients`.

    Args:
        message_id: Id of the message to pass on.
        to: Addresses of the recipients.
        comment: Text put above the forwarded message.
    """
    message = _answerable(state.messages.get(message_id))
    head = f"---------- Forwarded message ----------\nFrom: {message.sender_name} <{message.sender}>\n"
    body = f"{comment}\n\n{head}Subject: {message.subject}\n\n{message.body}".strip()
    sent = _store(state, ctx, to=to, subject=_prefixed("Fwd:", message.subject), body=body, answers=message)
    for item in state.attachments.find(message_id=message_id):
        state.attachments.create(
            message_id=sent.id, filename=item.filename, kind=item.kind, size_kb=item.size_kb, text=item.text
        )
    return sent


@service.tool(phrase="draft a message to {to} about {subject}")
def create_draft(
    state: MailState, ctx: CallContext, subject: Name, body: f.Text = "", to: list[f.Email] | None = None
) -> Message:
    """Save a draft without sending it.

    Errors: `too_many_recipients`, `blank_text`.

    Args:
        subject: Subject line.
        body: Text so far; may be empty.
        to: Recipients, if known already.
    """
    return _store(state, ctx, to=to or [], subject=check_text(subject, "subject"), body=body, folder="drafts")


def _draft(state: MailState, draft_id: str) -> Message:
    draft = state.messages.get(draft_id)
    if draft.folder != "drafts":
        raise conflict(f"Message {draft_id} is in {draft.folder}, it is not a draft.", type="not_a_draft")
    return draft


@service.tool(phrase="change the draft {draft_id}")
def update_draft(
    state: MailState,
    ctx: CallContext,
    draft_id: MessageId,
    to: list[f.Email] | Unset = UNSET,
    cc: list[f.Email] | Unset = UNSET,
    subject: Name | Unset = UNSET,
    body: f.Text | Unset = UNSET,
) -> Message:
    """Change a draft; what is not sent stays as it is.

    Errors: `not_found`, `not_a_draft`, `nothing_to_change`, `too_many_recipients`.

    Args:
        draft_id: Id of the draft.
        to: All recipients, replacing the earlier ones.
        cc: All copies, replacing the earlier ones.
        subject: New subject line.
        body: New text.
    """
    _draft(state, draft_id)
    changes = some_changes(given(to=to, cc=cc, subject=subject, body=body))
    for part in ("to", "cc"):
        if part in changes:
            changes[part] = _unique(changes[part])
    return state.messages.patch(draft_id, sent_at=ctx.now, **changes)


def _sendable(draft: Message) -> None:
    missing = [part for part, value in (("recipients", draft.to), ("body", draft.body.strip())) if not value]
    if missing:
        raise invalid(f"The draft has no {' and no '.join(missing)}; use update_draft first.", type="incomplete_draft")


@service.tool(phrase="send the draft {draft_id}")
def send_draft(state: MailState, ctx: CallContext, draft_id: MessageId) -> Message:
    """Send a draft.

    Errors: `not_found`, `not_a_draft`, `incomplete_draft` (no recipient or an empty body).

    Args:
        draft_id: Id of the draft.
    """
    _sendable(_draft(state, draft_id))
    return state.messages.patch(draft_id, folder="sent", sent_at=ctx.now)


@service.tool(phrase="schedule the draft {draft_id} for {send_at}")
def schedule_draft(state: MailState, ctx: CallContext, draft_id: MessageId, send_at: f.Timestamp) -> Message:
    """Have a draft sent at a later time.

    Errors: `not_found`, `not_a_draft`, `incomplete_draft`, `in_the_past`, `invalid_time`.

    Args:
        draft_id: Id of the draft.
        send_at: When to send it, UTC.
    """
    _sendable(_draft(state, draft_id))
    moment = check_future(ctx, send_at, "sending time")
    return state.messages.patch(draft_id, folder="scheduled", send_at=moment)


@service.tool(phrase="call off the scheduled message {message_id}")
def cancel_scheduled(state: MailState, ctx: CallContext, message_id: MessageId) -> Message:
    """Take a scheduled message back to the drafts.

    Errors: `not_found`, `not_scheduled`.

    Args:
        message_id: Id of the scheduled message.
    """
    message = state.messages.get(message_id)
    if message.folder != "scheduled":
        raise conflict(f"Message {message_id} is in {message.folder}; it is not scheduled.", type="not_scheduled")
    return state.messages.patch(message_id, folder="drafts", send_at=None, sent_at=ctx.now)


@service.tool(phrase="set an automatic reply from {first_day} to {last_day}")
def set_auto_reply(
    state: MailState,
    ctx: CallContext,
    subject: Name,
    body: Body,
    first_day: f.Date,
    last_day: f.Date,
    enabled: bool = True,
) -> AutoReply:
    """Set the automatic reply for a range of days, replacing an earlier one.

    Errors: `invalid_range`, `invalid_date`, `in_the_past` (the last day is over).

    Args:
        subject: Subject line of the answer.
        body: Text of the answer.
        first_day: First day on which it is sent.
        last_day: Last day on which it is sent.
        enabled: false keeps the text and switches it off.
    """
    check_range(check_date(first_day), check_date(last_day))
    if last_day < ctx.today:
        raise invalid(f"The last day {last_day} is over; today is {ctx.today}.", type="in_the_past")
    wanted = {"subject": subject, "body": body, "first_day": first_day, "last_day": last_day, "enabled": enabled}
    for reply in state.auto_replies:
        return state.auto_replies.patch(reply.id, **wanted)
    return state.auto_replies.create(**wanted)
