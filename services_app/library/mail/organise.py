"""Tools that keep a mailbox in order: reading state, folders, labels, filters, address book."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.mail.reading import filter_matches, label_by_name
from services_app.library.mail.state import Contact, Filter, Label, MailState, Message, service
from services_app.library.shared import LABEL, Json, Name, check_text, same, some_changes

MessageId = Annotated[str, f.ref("messages")]
Target = Annotated[Literal["inbox", "archive", "spam", "trash"], LABEL]
LabelName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=60)]


@service.tool(phrase="mark {message_id} as read")
def mark_read(state: MailState, ctx: CallContext, message_id: MessageId) -> Message:
    """Mark a message as read.

    Errors: `not_found`.

    Args:
        message_id: Id of the message.
    """
    return state.messages.patch(message_id, read=True)


@service.tool(phrase="move {message_id} to the {folder} folder")
def move_message(state: MailState, ctx: CallContext, message_id: MessageId, folder: Target) -> Message:
    """Move a message to the inbox, the archive, the spam folder or the trash.

    Errors: `not_found`, `not_received` (own messages can only go to the trash), `already_there`.

    Args:
        message_id: Id of the message.
        folder: Where to move it.
    """
    message = state.messages.get(message_id)
    if message.folder == folder:
        raise conflict(f"Message {message_id} is in {folder} already.", type="already_there")
    if message.folder in ("sent", "drafts", "scheduled") and folder != "trash":
        raise conflict(f"Message {message_id} is one of your own; it can only go to the trash.", type="not_received")
    return state.messages.patch(message_id, folder=folder, send_at=None)


@service.tool(phrase="delete {message_id} for good")
def delete_message(state: MailState, ctx: CallContext, message_id: MessageId) -> Json:
    """Delete a message in the trash for good, with its attachments.

    Errors: `not_found`, `not_in_trash` (move it to the trash first).

    Args:
        message_id: Id of a message in the trash.
    """
    if state.messages.get(message_id).folder != "trash":
        raise conflict(f"Message {message_id} is not in the trash; move it there first.", type="not_in_trash")
    files = state.attachments.find(message_id=message_id)
    for item in files:
        state.attachments.delete(item.id)
    for answer in state.messages.find(in_reply_to=message_id):
        state.messages.patch(answer.id, in_reply_to=None)
    state.messages.delete(message_id)
    return {"deleted": message_id, "attachments_deleted": len(files)}


@service.tool(phrase="create the label {name}")
def create_label(
    state: MailState,
    ctx: CallContext,
    name: LabelName,
    color: Annotated[Literal["grey", "blue", "green", "amber", "red", "violet"], LABEL] = "grey",
) -> Label:
    """Create a label; names are unique whatever their case.

    Errors: `duplicate_label`, `blank_text`.

    Args:
        name: Name of the label.
        color: Color shown beside it.
    """
    clean = check_text(name, "name")
    if any(same(label.name, clean) for label in state.labels):
        raise conflict(f"There is a label {clean!r} already; use add_label.", type="duplicate_label")
    return state.labels.create(name=clean, color=color)


@service.tool(phrase="label {message_id} as {label}")
def add_label(state: MailState, ctx: CallContext, message_id: MessageId, label: LabelName) -> Message:
    """Put an existing label on a message.

    Errors: `not_found` (message or label; labels are made with create_label), `already_labelled`.

    Args:
        message_id: Id of the message.
        label: Name of the label.
    """
    message, found = state.messages.get(message_id), label_by_name(state, label)
    if found.id in message.label_ids:
        raise conflict(f"Message {message_id} has the label {found.name!r} already.", type="already_labelled")
    return state.messages.patch(message_id, label_ids=(*message.label_ids, found.id))


@service.tool(phrase="take the label {label} off {message_id}")
def remove_label(state: MailState, ctx: CallContext, message_id: MessageId, label: LabelName) -> Message:
    """Take a label off a message.

    Errors: `not_found`, `not_labelled`.

    Args:
        message_id: Id of the message.
        label: Name of the label.
    """
    message, found = state.messages.get(message_id), label_by_name(state, label)
    if found.id not in message.label_ids:
        raise conflict(f"Message {message_id} does not have the label {found.name!r}.", type="not_labelled")
    return state.messages.patch(message_id, label_ids=tuple(item for item in message.label_ids if item != found.id))


@service.tool(phrase="add {email} to the address book as {name}")
def create_contact(
    state: MailState,
    ctx: CallContext,
    name: Name,
    email: f.Email,
    company: f.Organisation = "",
    title: f.Label = "",
    phone: f.Phone = "",
    note: f.Text = "",
) -> Contact:
    """Add a person to the address book; an address can be there once.

    Errors: `duplicate_contact`, `blank_text`.

    Args:
        name: Full name.
        email: Email address.
        company: Where they work.
        title: Job title.
        phone: Phone number.
        note: Anything worth remembering.
    """
    if any(same(contact.email, email) for contact in state.contacts):
        raise conflict(f"{email} is in the address book already; use update_contact.", type="duplicate_contact")
    return state.contacts.create(
        name=check_text(name, "name"), email=email, company=company, title=title, phone=phone, note=note
    )


@service.tool(phrase="update the contact {contact_id}")
def update_contact(  # noqa: PLR0913, PLR0917 - one per field of a contact
    state: MailState,
    ctx: CallContext,
    contact_id: Annotated[str, f.ref("contacts")],
    name: Name | Unset = UNSET,
    email: f.Email | Unset = UNSET,
    company: f.Organisation | Unset = UNSET,
    title: f.Label | Unset = UNSET,
    phone: f.Phone | Unset = UNSET,
    note: f.Text | Unset = UNSET,
) -> Contact:
    """Change a person in the address book; what is not sent stays as it is.

    Errors: `not_found`, `duplicate_contact`, `nothing_to_change`.

    Args:
        contact_id: Id of the contact.
        name: New full name.
        email: New email address.
        company: New company.
        title: New job title.
        phone: New phone number.
        note: New note, replacing the old one.
    """
    state.contacts.get(contact_id)
    changes = some_changes(given(name=name, email=email, company=company, title=title, phone=phone, note=note))
    if any(same(item.email, changes.get("email", "")) and item.id != contact_id for item in state.contacts):
        raise conflict(f"Another contact has the address {email}.", type="duplicate_contact")
    return state.contacts.patch(contact_id, **changes)


@service.tool(phrase="set up the filter {name}")
def create_filter(
    state: MailState,
    ctx: CallContext,
    name: Name,
    sender_contains: f.Label = "",
    subject_contains: f.Label = "",
    label: LabelName | None = None,
    archive: bool = False,
) -> Filter:
    """Set up a filter for incoming mail; use run_filter to apply it to the inbox as it is now.

    Errors: `incomplete_filter` (needs a condition and an action), `duplicate_filter`, `not_found` (the label).

    Args:
        name: Name of the filter.
        sender_contains: Words that must occur in the sender's address or name.
        subject_contains: Words that must occur in the subject.
        label: Name of the label to put on.
        archive: Move what matches out of the inbox.
    """
    if not (sender_contains.strip() or subject_contains.strip()) or not (label or archive):
        raise invalid("A filter needs a condition and an action (a label or archive).", type="incomplete_filter")
    if any(same(item.name, name) for item in state.filters):
        raise conflict(f"There is a filter {name!r} already.", type="duplicate_filter")
    return state.filters.create(
        name=name,
        sender_contains=sender_contains,
        subject_contains=subject_contains,
        label_id=label_by_name(state, label).id if label else None,
        archive=archive,
    )


@service.tool(phrase="run the filter {filter_id} over the inbox")
def run_filter(state: MailState, ctx: CallContext, filter_id: Annotated[str, f.ref("filters")]) -> Json:
    """Apply a filter to every message in the inbox and say which ones it changed.

    Errors: `not_found`.

    Args:
        filter_id: Id of the filter.
    """
    item = state.filters.get(filter_id)
    changed = []
    for message in state.messages.find(folder="inbox"):
        if not filter_matches(item, message):
            continue
        labels = message.label_ids
        if item.label_id and item.label_id not in labels:
            labels = (*labels, item.label_id)
        folder = "archive" if item.archive else "inbox"
        if (labels, folder) != (message.label_ids, message.folder):
            state.messages.patch(message.id, label_ids=labels, folder=folder)
            changed.append(message.id)
    return {"filter": item.id, "changed": changed, "count": len(changed)}
