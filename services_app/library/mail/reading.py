"""Tools that look at mail. None of them marks anything as read."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.mail.state import Attachment, Filter, Folder, Label, MailState, Message, service
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_range,
    cursor_page,
    keep,
    matches,
    newest_first,
    same,
    search,
    with_fields,
)

QUOTA_KB = 512_000


def row(state: MailState, message: Message) -> Json:
    """A message as list answers show it."""
    shown = brief(message, "id", "thread_id", "sender", "sender_name", "to", "subject", "sent_at", "folder", "read")
    shown["snippet"] = message.body[:80].replace("\n", " ")
    shown["attachments"] = state.attachments.count(message_id=message.id)
    return shown


@service.tool()
def get_profile(state: MailState, ctx: CallContext) -> Json:
    """Show whose mailbox this is, with the number of unread messages per folder and the storage used."""
    unread: dict[str, int] = {}
    for message in state.messages:
        if not message.read:
            unread[message.folder] = unread.get(message.folder, 0) + 1
    used = sum(attachment.size_kb for attachment in state.attachments) + 4 * len(state.messages)
    return {
        "email": ME.email,
        "name": ME.name,
        "messages": len(state.messages),
        "unread": unread,
        "storage_used_kb": used,
        "storage_quota_kb": QUOTA_KB,
    }


@service.tool()
def list_messages(
    state: MailState,
    ctx: CallContext,
    folder: Folder = "inbox",
    sender: f.Email | None = None,
    unread_only: bool = False,
    label: f.Label | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List the messages of a folder, newest first.

    Answers with headers and a snippet; get_message has the full text. Errors: `not_found` for an unknown label.

    Args:
        folder: Which folder to look into.
        sender: Only messages from this address.
        unread_only: Only messages not yet marked as read.
        label: Only messages with the label of this name.
        limit: At most so many messages.
        cursor: next_cursor of the previous page.
    """
    label_id = label_by_name(state, label).id if label else None
    found = [
        message
        for message in state.messages.find(folder=folder)
        if (sender is None or same(message.sender, sender))
        and not (unread_only and message.read)
        and (label_id is None or label_id in message.label_ids)
    ]
    return cursor_page("messages", [row(state, message) for message in newest_first(found, "sent_at")], limit, cursor)


def label_by_name(state: MailState, name: str) -> Label:
    """The label of this name, whatever its case; 404 otherwise."""
    for label in state.labels:
        if same(label.name, name):
            return label
    return state.labels.get(name)


@service.tool()
def search_messages(
    state: MailState,
    ctx: CallContext,
    query: Query | None = None,
    sender: f.Email | None = None,
    recipient: f.Email | None = None,
    after: f.Date | None = None,
    before: f.Date | None = None,
    cursor: Cursor = "",
) -> Json:
    """Search all folders except trash and spam for messages, newest first.

    Every word of the query must occur in the subject, the body or the name of an attachment.
    Errors: `invalid_range` (the last day lies before the first), `invalid_date`.

    Args:
        query: Words to look for.
        sender: Only messages from this address.
        recipient: Only messages to or in copy to this address.
        after: Only messages sent on this day or later.
        before: Only messages sent on this day or earlier.
        cursor: next_cursor of the previous page (20 messages each).
    """
    check_range(after, before)
    names: dict[str, str] = {}
    for attachment in state.attachments:
        names[attachment.message_id] = f"{names.get(attachment.message_id, '')} {attachment.filename}"
    found = [
        message
        for message in state.messages
        if message.folder not in ("trash", "spam")
        and (sender is None or same(message.sender, sender))
        and (recipient is None or any(same(address, recipient) for address in message.to + message.cc))
        and (after is None or message.sent_at[:10] >= after)
        and (before is None or message.sent_at[:10] <= before)
        and (query is None or matches(query, message.subject, message.body, names.get(message.id, "")))
    ]
    return cursor_page("messages", [row(state, message) for message in newest_first(found, "sent_at")], 20, cursor)


@service.tool()
def get_message(state: MailState, ctx: CallContext, message_id: Annotated[str, f.ref("messages")]) -> Json:
    """Read one message in full, with its labels and the names of its attachments.

    Reading does not mark it as read. Errors: `not_found`.

    Args:
        message_id: Id of the message.
    """
    message = state.messages.get(message_id)
    labels = [label.name for label in state.labels if label.id in message.label_ids]
    files = [brief(item, "id", "filename", "kind", "size_kb") for item in state.attachments.find(message_id=message_id)]
    return with_fields(message, labels=labels, attachments=files)


@service.tool()
def get_thread(state: MailState, ctx: CallContext, thread_id: Annotated[str, f.ref("threads")]) -> Json:
    """Read a whole conversation, oldest message first, with everyone who took part.

    Errors: `not_found`.

    Args:
        thread_id: Id of the conversation, as messages show it.
    """
    thread = state.threads.get(thread_id)
    messages = newest_first(state.messages.find(thread_id=thread_id), "sent_at")[::-1]
    people = sorted({address for message in messages for address in (message.sender, *message.to, *message.cc)})
    unread = sum(1 for message in messages if not message.read)
    return with_fields(thread, participants=people, count=len(messages), unread=unread, messages=messages)


@service.tool()
def get_attachment(
    state: MailState, ctx: CallContext, attachment_id: Annotated[str, f.ref("attachments")]
) -> Attachment:
    """Open an attachment and read its text.

    Errors: `not_found`.

    Args:
        attachment_id: Id of the attachment, from get_message or search_attachments.
    """
    return state.attachments.get(attachment_id)


@service.tool()
def search_attachments(
    state: MailState, ctx: CallContext, query: Query, limit: Limit = 20, cursor: Cursor = ""
) -> Json:
    """Find attachments by words in their file name or text.

    Args:
        query: Words that must all occur.
        limit: At most so many attachments.
        cursor: next_cursor of the previous page.
    """
    found = search(state.attachments, query, lambda item: (item.filename, item.text))
    rows = [brief(item, "id", "message_id", "filename", "kind", "size_kb") for item in found]
    return cursor_page("attachments", rows, limit, cursor)


@service.tool()
def search_contacts(
    state: MailState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    company: f.Organisation | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find people in the address book, in the order of their names.

    Args:
        query: Words in the name, company, job title or note.
        email: The exact address.
        company: The exact company name.
        limit: At most so many contacts.
        cursor: next_cursor of the previous page.
    """
    found = search(state.contacts, query, lambda item: (item.name, item.company, item.title, item.note))
    found = [
        item
        for item in found
        if (email is None or same(item.email, email)) and (company is None or same(item.company, company))
    ]
    found.sort(key=lambda item: (item.name, item.id))
    return cursor_page("contacts", found, limit, cursor)


@service.tool()
def list_labels(state: MailState, ctx: CallContext) -> Json:
    """List the labels with the number of messages and of unread messages under each."""
    rows: list[Json] = []
    for label in state.labels:
        under = [message for message in state.messages if label.id in message.label_ids]
        unread = len(keep(under, read=False))
        rows.append(with_fields(label, messages=len(under), unread=unread))
    return {"labels": rows, "total": len(rows)}


@service.tool()
def list_filters(state: MailState, ctx: CallContext) -> Json:
    """List the filters that sort incoming mail, with the number of inbox messages each would match now."""
    inbox = state.messages.find(folder="inbox")
    rows = [
        with_fields(item, matching=sum(1 for message in inbox if filter_matches(item, message)))
        for item in state.filters
    ]
    return {"filters": rows, "total": len(rows)}


def filter_matches(item: Filter, message: Message) -> bool:
    """Whether a filter applies to a message: both parts that are given must occur."""
    return matches(item.sender_contains, message.sender, message.sender_name) and matches(
        item.subject_contains, message.subject
    )


@service.tool()
def get_auto_reply(state: MailState, ctx: CallContext) -> Json:
    """Show the automatic reply and whether it is being sent today."""
    for reply in state.auto_replies:
        active = reply.enabled and reply.first_day <= ctx.today <= reply.last_day
        return with_fields(reply, active_today=active)
    return {"enabled": False, "active_today": False}
