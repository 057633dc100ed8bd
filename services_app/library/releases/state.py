"""What a release manager keeps: releases with their changes, approvals and deployments, and feature flags."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

ReleaseStatus = Annotated[Literal["planned", "frozen", "shipped", "rolled_back", "cancelled"], LABEL]
ChangeKind = Annotated[Literal["feature", "bug", "chore"], LABEL]
Area = Annotated[Literal["quality", "support", "operations"], LABEL]
Answer = Annotated[Literal["approved", "refused"], LABEL]
Environment = Annotated[Literal["staging", "production"], LABEL]

ENVIRONMENTS = ("staging", "production")

ReleaseId = Annotated[str, f.ref("releases")]
FlagKey = Annotated[str, f.ref("flags")]
Version = Annotated[str, f.Semantic("code"), Field(pattern=r"^\d+\.\d+\.\d+$", max_length=20)]
IssueKey = Annotated[str, f.Semantic("code"), Field(pattern=r"^[A-Z]{2,5}-\d{1,5}$")]
Percentage = Annotated[float, f.Semantic("percent"), Field(ge=0, le=100)]


class Component(Record):
    about: ClassVar[About] = About("component", "components", prefix="CMP-", key="name")

    name: f.Title
    """The id is the name of its repository."""
    owner_email: f.Email
    approvals_needed: tuple[Area, ...]
    """Areas that have to agree before it is shipped."""


class Release(Record):
    about: ClassVar[About] = About("release", "releases", prefix="REL-", key="version")

    component: Annotated[str, f.ref("components")]
    version: f.Code
    status: ReleaseStatus = "planned"
    planned_on: f.Date
    manager_email: f.Email
    notes: f.Text = ""
    """What customers are told."""
    shipped_at: f.SystemTime | None = None
    reason: f.Text = ""
    """Why it was rolled back or cancelled."""


class Change(Record):
    about: ClassVar[About] = About("change", "changes", prefix="CHG-", key="issue", carrier="note")

    release_id: ReleaseId
    issue: f.Code
    title: f.Title
    kind: ChangeKind
    risk: Annotated[Literal["low", "high"], LABEL]
    author_email: f.Email
    note: f.Text = ""


class Approval(Record):
    about: ClassVar[About] = About("approval", "approvals", prefix="APR-", key="", carrier="note")

    release_id: ReleaseId
    area: Area
    answer: Answer
    by_email: f.Email
    comment: f.Text = ""
    given_at: f.SystemTime


class Freeze(Record):
    about: ClassVar[About] = About("release freeze", "release freezes", prefix="FRZ-", width=3, key="reason")

    reason: f.Text
    first_day: f.Date
    last_day: f.Date
    created_by: f.Email


class Flag(Record):
    about: ClassVar[About] = About("feature flag", "feature flags", prefix="flag-", key="", carrier="document")

    component: Annotated[str, f.ref("components")]
    description: f.Text
    """The id is the key that the code asks for."""
    owner_email: f.Email
    permanent: bool = False
    archived: bool = False
    created_at: f.SystemTime


class FlagState(Record):
    about: ClassVar[About] = About("flag setting", "flag settings", prefix="FS-", key="")

    flag: FlagKey
    environment: Environment
    enabled: bool = False
    percentage: f.Percent = 0.0
    """Share of customers who get it, besides those named."""


class Target(Record):
    about: ClassVar[About] = About("flag target", "flag targets", prefix="TGT-", key="company")

    flag: FlagKey
    environment: Environment
    company: f.Organisation
    receives: bool
    """False keeps a customer out, whatever the percentage."""
    note: f.Text = ""


class AuditEntry(Record):
    about: ClassVar[About] = About("audit entry", "audit entries", prefix="AUD-", width=5, key="", carrier="note")

    subject: f.Code
    """A flag key or a release id."""
    action: f.Text
    by_email: f.Email
    at: f.SystemTime


class ReleasesState(State):
    components: Table[Component]
    releases: Table[Release]
    changes: Table[Change]
    approvals: Table[Approval]
    freezes: Table[Freeze]
    flags: Table[Flag]
    settings: Table[FlagState]
    targets: Table[Target]
    audit: Table[AuditEntry]


service = Service(
    "releases",
    title="Releases and Flags",
    domain="engineering",
    description="Releases with their changes, approvals and freezes, and feature flags with rollouts and targets.",
    state=ReleasesState,
    files=sources(__file__, "engineering.py"),
)
