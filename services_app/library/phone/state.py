"""What a business phone system holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

LineKind = Annotated[Literal["main", "direct", "toll_free"], LABEL]
AfterHours = Annotated[Literal["voicemail", "forward", "announcement"], LABEL]
UserStatus = Annotated[Literal["available", "busy", "do_not_disturb", "offline"], LABEL]
Direction = Annotated[Literal["inbound", "outbound"], LABEL]
Result = Annotated[Literal["in_progress", "answered", "missed", "voicemail", "no_answer", "transferred"], LABEL]
Disposition = Annotated[Literal["resolved", "callback_needed", "wrong_number", "sales_lead", "complaint"], LABEL]
MessageStatus = Annotated[Literal["received", "sent", "scheduled", "failed"], LABEL]


class User(Record):
    about: ClassVar[About] = About("phone user", "phone users", prefix="PU-", width=3, key="email")

    name: f.Person
    email: f.Email
    department: f.Label
    extension: f.Code
    status: UserStatus


class Line(Record):
    about: ClassVar[About] = About("phone line", "phone lines", prefix="LN-", width=3, key="label")

    number: f.Phone
    label: f.Title
    kind: LineKind
    owner_id: Annotated[str | None, f.ref("users")] = None
    """Whose direct line it is; none for shared lines."""
    sms_enabled: bool
    sms_allowance: Annotated[int, f.count("segments")]
    """Segments of text messages that may be sent in a calendar month."""
    opens: f.Time
    closes: f.Time
    after_hours: AfterHours
    forward_to: f.Phone = ""
    greeting: f.Text = ""


class Contact(Record):
    about: ClassVar[About] = About("phone contact", "phone contacts", prefix="CON-", key="name")

    name: f.Person
    phone: f.Phone
    email: f.Email
    company: f.Organisation
    job_title: f.Label = ""
    do_not_call: bool = False
    notes: f.Text = ""


class Call(Record):
    about: ClassVar[About] = About("call", "calls", prefix="CALL-", width=5, key="")

    line_id: Annotated[str, f.ref("lines")]
    direction: Direction
    other_number: f.Phone
    result: Result
    handled_by: Annotated[str | None, f.ref("users")] = None
    transferred_to: Annotated[str | None, f.ref("users")] = None
    started_at: f.SystemTime
    ended_at: f.SystemTime | None = None
    disposition: Disposition | None = None
    transcript: f.Text = ""


class CallNote(Record):
    about: ClassVar[About] = About("call note", "call notes", prefix="CN-", key="", carrier="note")

    call_id: Annotated[str, f.ref("calls")]
    author_email: f.Email
    text: f.Text
    written_at: f.SystemTime


class Voicemail(Record):
    about: ClassVar[About] = About("voicemail", "voicemails", prefix="VM-", key="", carrier="note")

    call_id: Annotated[str, f.ref("calls")]
    line_id: Annotated[str, f.ref("lines")]
    from_number: f.Phone
    seconds: Annotated[int, f.duration("seconds")]
    transcript: f.Text
    heard: bool = False
    left_at: f.SystemTime
    forwarded_to: Annotated[str | None, f.ref("users")] = None
    forward_comment: f.Text = ""


class Message(Record):
    about: ClassVar[About] = About("text message", "text messages", prefix="SMS-", width=5, key="", carrier="note")

    line_id: Annotated[str, f.ref("lines")]
    other_number: f.Phone
    direction: Direction
    text: f.Text
    status: MessageStatus
    at: f.SystemTime
    """When it was received or sent; when it will be, for scheduled ones."""
    read: bool = True


class BlockedNumber(Record):
    about: ClassVar[About] = About("blocked number", "blocked numbers", prefix="BLK-", width=3, key="number")

    number: f.Phone
    reason: f.Text = ""
    blocked_on: f.Date


class Queue(Record):
    about: ClassVar[About] = About("call queue", "call queues", prefix="Q-", width=2, key="name")

    name: f.Title
    line_id: Annotated[str, f.ref("lines")]
    supervisor_id: Annotated[str, f.ref("users")]
    longest_wait: Annotated[int, f.duration("minutes")]
    overflow: f.Text
    """What happens to callers who have waited that long."""


class QueueMember(Record):
    about: ClassVar[About] = About("queue member", "queue members", prefix="QM-", width=3, key="")

    queue_id: Annotated[str, f.ref("queues")]
    user_id: Annotated[str, f.ref("users")]
    available: bool


class PhoneState(State):
    users: Table[User]
    lines: Table[Line]
    contacts: Table[Contact]
    calls: Table[Call]
    call_notes: Table[CallNote]
    voicemails: Table[Voicemail]
    messages: Table[Message]
    blocked_numbers: Table[BlockedNumber]
    queues: Table[Queue]
    queue_members: Table[QueueMember]


service = Service(
    "phone",
    title="Phone",
    domain="communication",
    description="Business phone: call log, notes, voicemail, text messages, lines, call queues and blocked numbers.",
    state=PhoneState,
    files=sources(__file__),
)
