"""What the secrets manager holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Kind = Annotated[Literal["password", "api_key", "certificate", "ssh_key", "recovery_code"], LABEL]
Role = Annotated[Literal["viewer", "editor", "manager"], LABEL]
Sensitivity = Annotated[Literal["standard", "critical"], LABEL]
RequestStatus = Annotated[Literal["pending", "approved", "denied", "cancelled"], LABEL]
Decision = Annotated[Literal["approve", "deny"], LABEL]
Scope = Annotated[Literal["read", "write"], LABEL]

RANK = {"viewer": 1, "editor": 2, "manager": 3}
APPROVALS = {"standard": 1, "critical": 2}

VaultId = Annotated[str, f.ref("vaults")]
SecretId = Annotated[str, f.ref("secrets")]
GroupId = Annotated[str, f.ref("groups")]
Note = Annotated[str, f.Semantic("text"), Field(max_length=4000)]
Value = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=400)]
Username = Annotated[str, f.Semantic("code"), Field(max_length=120)]
Days = Annotated[int, f.duration("days"), Field(ge=1, le=365)]


class User(Record):
    about: ClassVar[About] = About("user", "users", prefix="USR-", key="email")

    name: f.Person
    email: f.Email
    team: f.Label
    suspended: bool = False


class Group(Record):
    about: ClassVar[About] = About("group", "groups", prefix="GRP-", width=2, key="name")

    name: f.Title
    description: f.Text
    owner_email: f.Email
    member_emails: tuple[f.Email, ...]


class Vault(Record):
    about: ClassVar[About] = About("vault", "vaults", prefix="VLT-", key="name")

    name: f.Title
    description: f.Text
    sensitivity: Sensitivity = "standard"
    approver_emails: tuple[f.Email, ...]
    """Who decides on access requests; a critical vault needs two of them."""


class Secret(Record):
    about: ClassVar[About] = About("secret", "secrets", prefix="SEC-", key="name")

    vault_id: VaultId
    name: f.Title
    kind: Kind
    username: f.Code = ""
    url: f.Url = ""
    notes: f.Text = ""
    owner_email: f.Email
    rotation_days: Days | None = None
    expires_on: f.Date | None = None
    exclusive: bool = False
    """Whether one person at a time may have it."""


class Version(Record):
    about: ClassVar[About] = About("secret version", "secret versions", prefix="VER-", width=5, key="")

    secret_id: SecretId
    number: Annotated[int, f.count("version", system=True)]
    value: f.Code
    created_by: f.Email
    created_at: f.SystemTime


class Lease(Record):
    about: ClassVar[About] = About("checkout", "checkouts", prefix="LSE-", key="", carrier="note")

    secret_id: SecretId
    email: f.Email
    reason: f.Text
    checked_out_at: f.SystemTime
    expires_at: f.Timestamp
    returned_at: f.SystemTime | None = None


class AccessRequest(Record):
    about: ClassVar[About] = About("access request", "access requests", prefix="REQ-", key="", carrier="note")

    vault_id: VaultId
    requester_email: f.Email
    role: Role
    days: Days
    reason: f.Text
    status: RequestStatus = "pending"
    created_at: f.SystemTime


class Approval(Record):
    about: ClassVar[About] = About("decision", "decisions", prefix="DEC-", key="", carrier="note")

    request_id: Annotated[str, f.ref("requests")]
    by_email: f.Email
    decision: Decision
    comment: f.Text = ""
    at: f.SystemTime


class Grant(Record):
    about: ClassVar[About] = About("access grant", "access grants", prefix="GRT-", key="")

    vault_id: VaultId
    email: f.Email | None = None
    """Who has access: a user, or else a group."""
    group_id: Annotated[str | None, f.ref("groups")] = None
    role: Role
    expires_on: f.Date | None = None
    granted_by: f.Email
    reason: f.Text = ""


class Token(Record):
    about: ClassVar[About] = About("service token", "service tokens", prefix="TOK-", key="name")

    name: f.Title
    vault_id: VaultId
    scope: Scope = "read"
    used_by: f.Text
    """What program uses it, and where."""
    ends_in: f.Code
    """The last four characters; the rest is shown once."""
    expires_on: f.Date
    owner_email: f.Email
    revoked: bool = False


class AuditEntry(Record):
    about: ClassVar[About] = About("audit entry", "audit entries", prefix="AUD-", width=5, key="")

    at: f.SystemTime
    by_email: f.Email
    action: f.Label
    subject: f.Code
    detail: f.Text = ""


class Policy(Record):
    about: ClassVar[About] = About("policy", "policies", prefix="POL-", width=2, key="title", carrier="document")

    title: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class SecretsState(State):
    users: Table[User]
    groups: Table[Group]
    vaults: Table[Vault]
    secrets: Table[Secret]
    versions: Table[Version]
    leases: Table[Lease]
    requests: Table[AccessRequest]
    approvals: Table[Approval]
    grants: Table[Grant]
    tokens: Table[Token]
    audit: Table[AuditEntry]
    policies: Table[Policy]


service = Service(
    "secrets",
    title="Secrets and Access",
    domain="engineering",
    description="Vaults of secrets with rotation and checkouts, access requests with approvals, grants and tokens.",
    state=SecretsState,
    files=sources(__file__, "engineering.py"),
)
