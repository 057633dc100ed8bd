"""What a notes application holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Right = Annotated[Literal["view", "edit"], LABEL]


class Notebook(Record):
    about: ClassVar[About] = About("notebook", "notebooks", prefix="NB-", width=3, key="name")

    name: f.Title
    stack: f.Label = ""
    """Group in which the notebook stands."""
    owner_email: f.Email
    default: bool = False


class NotebookMember(Record):
    about: ClassVar[About] = About("notebook member", "notebook members", prefix="NBM-", key="email")

    notebook_id: Annotated[str, f.ref("notebooks")]
    email: f.Email
    right: Right


class Tag(Record):
    about: ClassVar[About] = About("tag", "tags", prefix="TAG-", width=3, key="name")

    name: f.Label


class Note(Record):
    about: ClassVar[About] = About("note", "notes", prefix="NOTE-", key="title", carrier="document")

    notebook_id: Annotated[str, f.ref("notebooks")]
    title: f.Title
    body: f.Text
    """Plain text; `[[Title]]` links to the note with that title."""
    tag_ids: tuple[Annotated[str, f.ref("tags")], ...] = ()
    pinned: bool = False
    locked: bool = False
    """Encrypted with a passphrase: title and tags are seen, the rest is not."""
    author_email: f.Email
    source_url: f.Url = ""
    version: Annotated[int, f.count("versions", system=True)] = 1
    created_at: f.SystemTime
    updated_at: f.SystemTime
    trashed_on: f.Date | None = None


class NoteVersion(Record):
    about: ClassVar[About] = About("note version", "note versions", prefix="NV-", key="")

    note_id: Annotated[str, f.ref("notes")]
    number: Annotated[int, f.count("versions", system=True)]
    title: f.Title
    body: f.Text
    saved_at: f.SystemTime


class ChecklistItem(Record):
    about: ClassVar[About] = About("checklist item", "checklist items", prefix="ITEM-", key="text", carrier="note")

    note_id: Annotated[str, f.ref("notes")]
    text: f.Text
    checked: bool = False
    due_date: f.Date | None = None
    assignee_email: f.Email | None = None
    checked_at: f.SystemTime | None = None


class Reminder(Record):
    about: ClassVar[About] = About("note reminder", "note reminders", prefix="RMD-", key="")

    note_id: Annotated[str, f.ref("notes")]
    remind_at: f.Timestamp
    done_at: f.SystemTime | None = None


class Attachment(Record):
    about: ClassVar[About] = About("attachment", "attachments", prefix="ATT-", key="filename", carrier="document")

    note_id: Annotated[str, f.ref("notes")]
    filename: f.Title
    size_kb: Annotated[int, f.count("kilobytes")]
    recognized_text: f.Text
    """What was read in the scan or photograph."""


class Share(Record):
    about: ClassVar[About] = About("note share", "note shares", prefix="NS-", key="email")

    note_id: Annotated[str, f.ref("notes")]
    email: f.Email
    right: Right
    message: f.Text = ""


class NotesState(State):
    notebooks: Table[Notebook]
    notebook_members: Table[NotebookMember]
    tags: Table[Tag]
    notes: Table[Note]
    note_versions: Table[NoteVersion]
    checklist_items: Table[ChecklistItem]
    reminders: Table[Reminder]
    attachments: Table[Attachment]
    shares: Table[Share]


service = Service(
    "notes",
    title="Notes",
    domain="productivity",
    description="Notebooks of notes with links, checklists, reminders, tags, attachments, versions and sharing.",
    state=NotesState,
    files=sources(__file__),
)
