"""What a company's file storage holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Role = Annotated[Literal["viewer", "editor", "manager"], LABEL]
Classification = Annotated[Literal["public", "internal", "confidential"], LABEL]
Audience = Annotated[Literal["company", "anyone"], LABEL]
Kind = Annotated[Literal["text", "spreadsheet", "pdf", "image"], LABEL]


class Drive(Record):
    about: ClassVar[About] = About("drive", "drives", prefix="DRV-", width=2, key="name")

    name: f.Title
    quota_kb: Annotated[int, f.count("kilobytes")]
    external_sharing: bool
    """Whether anything in it may be shared with people outside the company."""
    contact_email: f.Email


class DriveMember(Record):
    about: ClassVar[About] = About("drive member", "drive members", prefix="DM-", width=3, key="email")

    drive_id: Annotated[str, f.ref("drives")]
    email: f.Email
    role: Role


class Folder(Record):
    about: ClassVar[About] = About("drive folder", "drive folders", prefix="DIR-", width=3, key="name")

    drive_id: Annotated[str, f.ref("drives")]
    parent_id: Annotated[str | None, f.ref("folders")] = None
    name: f.Title
    restricted: bool = False
    """Members of the drive get in only when the folder, or what is in it, is shared with them."""
    created_at: f.SystemTime


class File(Record):
    about: ClassVar[About] = About("file", "files", prefix="FILE-", key="name", carrier="document")

    folder_id: Annotated[str, f.ref("folders")]
    name: f.Title
    kind: Kind
    content: f.Text
    """What can be read in it: text, rows, or what was recognized in a scan or picture."""
    size_kb: Annotated[int, f.count("kilobytes")]
    owner_email: f.Email
    classification: Classification = "internal"
    locked_by_email: f.Email | None = None
    lock_reason: f.Text = ""
    retain_until: f.Date | None = None
    version: Annotated[int, f.count("versions", system=True)] = 1
    modified_at: f.SystemTime
    modified_by_email: f.Email
    trashed_on: f.Date | None = None
    request_id: Annotated[str | None, f.ref("file_requests")] = None


class FileVersion(Record):
    about: ClassVar[About] = About("file version", "file versions", prefix="FV-", key="")

    file_id: Annotated[str, f.ref("files")]
    number: Annotated[int, f.count("versions", system=True)]
    content: f.Text
    size_kb: Annotated[int, f.count("kilobytes")]
    saved_at: f.SystemTime
    saved_by_email: f.Email


class Share(Record):
    about: ClassVar[About] = About("file share", "file shares", prefix="FS-", key="email", carrier="note")

    folder_id: Annotated[str | None, f.ref("folders")] = None
    file_id: Annotated[str | None, f.ref("files")] = None
    email: f.Email
    role: Role
    message: f.Text = ""


class SharedLink(Record):
    about: ClassVar[About] = About("shared link", "shared links", prefix="LNK-", key="url")

    file_id: Annotated[str, f.ref("files")]
    url: f.Url
    audience: Audience
    allow_download: bool
    expires_on: f.Date | None = None
    password: f.Code = ""
    created_by_email: f.Email
    created_on: f.Date


class FileRequest(Record):
    about: ClassVar[About] = About("file request", "file requests", prefix="FR-", width=3, key="title")

    folder_id: Annotated[str, f.ref("folders")]
    title: f.Title
    instructions: f.Text = ""
    requested_from_email: f.Email
    due_on: f.Date | None = None
    created_by_email: f.Email
    closed: bool = False


class FilesState(State):
    drives: Table[Drive]
    drive_members: Table[DriveMember]
    folders: Table[Folder]
    file_requests: Table[FileRequest]
    files: Table[File]
    file_versions: Table[FileVersion]
    shares: Table[Share]
    shared_links: Table[SharedLink]


service = Service(
    "files",
    title="Files",
    domain="productivity",
    description="Drives with folders and readable files: versions, locks, shares, links, file requests and quotas.",
    state=FilesState,
    files=sources(__file__),
)
