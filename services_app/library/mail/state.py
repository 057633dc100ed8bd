"""What a mailbox holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Folder = Annotated[Literal["inbox", "sent", "drafts", "scheduled", "archive", "spam", "trash"], LABEL]


class Thread(Record):
    about: ClassVar[About] = About("conversation", "conversations", prefix="THR-", key="subject")

    subject: f.Title
    muted: bool = False


class Message(Record):
    about: ClassVar[About] = About("message", "messages", prefix="MSG-", key="subject")

    thread_id: Annotated[str, f.ref("threads")]
    sender: f.Email
    sender_name: f.Person
    to: tuple[f.Email, ...]
    cc: tuple[f.Email, ...] = ()
    subject: f.Title
    body: f.Text
    sent_at: f.SystemTime
    """When it was sent; for drafts, when it was last changed."""
    folder: Folder
    read: bool
    label_ids: tuple[Annotated[str, f.ref("labels")], ...] = ()
    in_reply_to: Annotated[str | None, f.ref("messages")] = None
    send_at: f.Timestamp | None = None
    """Only for scheduled messages."""


class Label(Record):
    about: ClassVar[About] = About("label", "labels", prefix="LBL-", key="name")

    name: f.Label
    color: Annotated[Literal["grey", "blue", "green", "amber", "red", "violet"], LABEL] = "grey"


class Attachment(Record):
    about: ClassVar[About] = About("attachment", "attachments", prefix="ATT-", key="filename", carrier="document")

    message_id: Annotated[str, f.ref("messages")]
    filename: f.Title
    kind: Annotated[Literal["pdf", "docx", "xlsx", "txt", "png"], LABEL]
    size_kb: Annotated[int, f.count("kilobytes")]
    text: f.Text
    """What can be read in it."""


class Contact(Record):
    about: ClassVar[About] = About("contact", "contacts", prefix="CTC-", key="email")

    name: f.Person
    email: f.Email
    company: f.Organisation
    title: f.Label = ""
    phone: f.Phone = ""
    note: f.Text = ""


class Filter(Record):
    about: ClassVar[About] = About("filter", "filters", prefix="FLT-", key="name")

    name: f.Title
    sender_contains: f.Label = ""
    subject_contains: f.Label = ""
    label_id: Annotated[str | None, f.ref("labels")] = None
    archive: bool = False


class AutoReply(Record):
    about: ClassVar[About] = About("automatic reply", "automatic replies", prefix="AR-", key="subject")

    subject: f.Title
    body: f.Text
    first_day: f.Date
    last_day: f.Date
    enabled: bool


class MailState(State):
    threads: Table[Thread]
    messages: Table[Message]
    labels: Table[Label]
    attachments: Table[Attachment]
    contacts: Table[Contact]
    filters: Table[Filter]
    auto_replies: Table[AutoReply]


service = Service(
    "mail",
    title="Mail",
    domain="communication",
    description="A mailbox: conversations, drafts, labels, attachments, filters and an address book.",
    state=MailState,
    files=sources(__file__),
)
