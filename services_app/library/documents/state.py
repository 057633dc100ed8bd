"""What a document store holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["policy", "contract", "minutes", "guide", "report", "note"], LABEL]
DocumentStatus = Annotated[Literal["draft", "in_review", "approved", "archived"], LABEL]
Visibility = Annotated[Literal["company", "restricted"], LABEL]
Role = Annotated[Literal["viewer", "commenter", "editor"], LABEL]
Decision = Annotated[Literal["pending", "approved", "changes_requested"], LABEL]

RANK = {"none": 0, "viewer": 1, "commenter": 2, "editor": 3, "owner": 4}


class Folder(Record):
    about: ClassVar[About] = About("folder", "folders", prefix="FLD-", width=3, key="name")

    name: f.Title
    parent_id: Annotated[str | None, f.ref("folders")] = None
    created_at: f.SystemTime


class Document(Record):
    about: ClassVar[About] = About("document", "documents", prefix="DOC-", key="title", carrier="document")

    folder_id: Annotated[str, f.ref("folders")]
    title: f.Title
    kind: Kind
    body: f.Text
    status: DocumentStatus
    owner_email: f.Email
    visibility: Visibility = "company"
    """Company documents can be read by everybody, restricted ones only by those they are shared with."""
    tags: tuple[f.Label, ...] = ()
    version: Annotated[int, f.count("versions", system=True)] = 1
    review_by: f.Date | None = None
    """Day by which the content has to be looked at again."""
    updated_at: f.SystemTime
    updated_by: f.Email


class Revision(Record):
    about: ClassVar[About] = About("revision", "revisions", prefix="REV-", width=5, key="")

    document_id: Annotated[str, f.ref("documents")]
    version: Annotated[int, f.count("versions", system=True)]
    title: f.Title
    body: f.Text
    summary: f.Text
    author_email: f.Email
    saved_at: f.SystemTime


class Share(Record):
    about: ClassVar[About] = About("share", "shares", prefix="SHR-", key="email")

    document_id: Annotated[str, f.ref("documents")]
    email: f.Email
    role: Role


class Comment(Record):
    about: ClassVar[About] = About("comment", "comments", prefix="CMT-", key="", carrier="note")

    document_id: Annotated[str, f.ref("documents")]
    author_email: f.Email
    text: f.Text
    resolved: bool = False
    written_at: f.SystemTime


class Review(Record):
    about: ClassVar[About] = About("review", "reviews", prefix="RVW-", key="")

    document_id: Annotated[str, f.ref("documents")]
    reviewer_email: f.Email
    decision: Decision = "pending"
    remark: f.Text = ""
    due_date: f.Date
    requested_at: f.SystemTime


class Template(Record):
    about: ClassVar[About] = About("template", "templates", prefix="TPL-", width=3, key="name")

    name: f.Title
    kind: Kind
    body: f.Text
    """Text with slots in double braces, {{customer}}."""


class DocumentsState(State):
    folders: Table[Folder]
    documents: Table[Document]
    revisions: Table[Revision]
    shares: Table[Share]
    comments: Table[Comment]
    reviews: Table[Review]
    templates: Table[Template]


service = Service(
    "documents",
    title="Documents",
    domain="productivity",
    description="Folders of documents with versions, sharing, comments, reviews and templates.",
    state=DocumentsState,
    files=sources(__file__),
)
