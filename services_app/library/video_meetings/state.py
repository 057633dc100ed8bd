"""What a video meeting account holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Plan = Annotated[Literal["basic", "licensed"], LABEL]
MeetingStatus = Annotated[Literal["scheduled", "live", "ended", "cancelled"], LABEL]
AutoRecording = Annotated[Literal["none", "cloud"], LABEL]
Registration = Annotated[Literal["off", "automatic", "manual"], LABEL]
RegistrantStatus = Annotated[Literal["pending", "approved", "denied", "cancelled"], LABEL]
Presence = Annotated[Literal["waiting", "in_meeting", "left", "removed"], LABEL]
Access = Annotated[Literal["internal", "shareable", "restricted"], LABEL]
PollStatus = Annotated[Literal["draft", "open", "closed"], LABEL]


class User(Record):
    about: ClassVar[About] = About("meeting user", "meeting users", prefix="USR-", width=3, key="email")

    name: f.Person
    email: f.Email
    department: f.Label
    plan: Plan
    """Basic hosts hold meetings of at most 40 minutes and have no cloud recording."""
    personal_meeting_number: f.Code


class Meeting(Record):
    about: ClassVar[About] = About("video meeting", "video meetings", prefix="MTG-", key="topic")

    number: f.Code
    """What people dial or type to join: eleven digits."""
    topic: f.Title
    agenda: f.Text = ""
    host_id: Annotated[str, f.ref("users")]
    alternative_host_id: Annotated[str | None, f.ref("users")] = None
    start: f.Timestamp
    duration_minutes: Annotated[int, f.duration("minutes")]
    status: MeetingStatus = "scheduled"
    passcode: f.Code
    waiting_room: bool = True
    auto_recording: AutoRecording = "none"
    registration: Registration = "off"
    registration_limit: Annotated[int | None, f.count("people")] = None
    started_at: f.SystemTime | None = None
    ended_at: f.SystemTime | None = None
    cancel_reason: f.Text = ""


class Registrant(Record):
    about: ClassVar[About] = About("registrant", "registrants", prefix="REG-", key="email", carrier="note")

    meeting_id: Annotated[str, f.ref("meetings")]
    name: f.Person
    email: f.Email
    organization: f.Organisation = ""
    comments: f.Text = ""
    """What they wrote under questions and comments."""
    status: RegistrantStatus
    registered_at: f.SystemTime


class Participant(Record):
    about: ClassVar[About] = About("participant", "participants", prefix="PTC-", key="email")

    meeting_id: Annotated[str, f.ref("meetings")]
    name: f.Person
    email: f.Email
    presence: Presence
    joined_at: f.SystemTime
    left_at: f.SystemTime | None = None


class ChatMessage(Record):
    about: ClassVar[About] = About(
        "meeting chat message", "meeting chat messages", prefix="CHM-", key="", carrier="note"
    )

    meeting_id: Annotated[str, f.ref("meetings")]
    sender_name: f.Person
    sender_email: f.Email
    to_email: f.Email | None = None
    """Only for this participant; everyone, if none."""
    text: f.Text
    sent_at: f.SystemTime


class Poll(Record):
    about: ClassVar[About] = About("meeting poll", "meeting polls", prefix="PLL-", key="question")

    meeting_id: Annotated[str, f.ref("meetings")]
    question: f.Title
    options: tuple[f.Label, ...]
    anonymous: bool = False
    status: PollStatus = "draft"


class PollAnswer(Record):
    about: ClassVar[About] = About("poll answer", "poll answers", prefix="ANS-", key="")

    poll_id: Annotated[str, f.ref("polls")]
    email: f.Email
    option: f.Label


class Recording(Record):
    about: ClassVar[About] = About("cloud recording", "cloud recordings", prefix="REC-", key="title")

    meeting_id: Annotated[str, f.ref("meetings")]
    title: f.Title
    recorded_at: f.SystemTime
    minutes: Annotated[int, f.duration("minutes")]
    size_mb: Annotated[int, f.count("megabytes")]
    access: Access
    """Internal ones stay with colleagues, restricted ones with the host and those they were shared with."""
    legal_hold: bool = False
    deleted_on: f.Date | None = None
    """In the trash since this day; it can be recovered for thirty days."""


class TranscriptLine(Record):
    about: ClassVar[About] = About("transcript line", "transcript lines", prefix="TL-", width=5, key="", carrier="note")

    recording_id: Annotated[str, f.ref("recordings")]
    at_minute: Annotated[int, f.duration("minutes")]
    speaker: f.Person
    text: f.Text


class RecordingShare(Record):
    about: ClassVar[About] = About("recording share", "recording shares", prefix="RSH-", key="email")

    recording_id: Annotated[str, f.ref("recordings")]
    email: f.Email
    can_download: bool
    expires_on: f.Date | None = None


class Summary(Record):
    about: ClassVar[About] = About("meeting summary", "meeting summaries", prefix="SUM-", key="", carrier="document")

    meeting_id: Annotated[str, f.ref("meetings")]
    overview: f.Text
    next_steps: tuple[f.Text, ...]


class MeetingsState(State):
    users: Table[User]
    meetings: Table[Meeting]
    registrants: Table[Registrant]
    participants: Table[Participant]
    chat_messages: Table[ChatMessage]
    polls: Table[Poll]
    poll_answers: Table[PollAnswer]
    recordings: Table[Recording]
    transcript_lines: Table[TranscriptLine]
    recording_shares: Table[RecordingShare]
    summaries: Table[Summary]


service = Service(
    "video-meetings",
    title="Video meetings",
    domain="communication",
    description="Scheduled and running video meetings with registration, polls, chat, recordings and transcripts.",
    state=MeetingsState,
    files=sources(__file__),
)
