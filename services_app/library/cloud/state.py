"""What the cloud console holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Region = Annotated[Literal["eu-west-2", "eu-central-1", "us-east-2"], LABEL]
Environment = Annotated[Literal["production", "staging", "sandbox"], LABEL]
InstanceState = Annotated[Literal["running", "stopped", "terminated"], LABEL]
VolumeType = Annotated[Literal["gp3", "io2", "st1"], LABEL]
Protocol = Annotated[Literal["tcp", "udp"], LABEL]
CostCenter = Annotated[str, f.Semantic("code"), Field(pattern=r"^CC-\d{3}$")]
Gigabytes = Annotated[int, f.count("gigabytes"), Field(ge=1, le=16_384)]
Port = Annotated[int, f.count("port"), Field(ge=1, le=65_535)]
Cidr = Annotated[str, f.Semantic("code"), Field(pattern=r"^\d{1,3}(\.\d{1,3}){3}/\d{1,2}$")]
Note = Annotated[str, f.Semantic("text"), Field(max_length=2000)]

AccountId = Annotated[str, f.ref("accounts")]
InstanceId = Annotated[str, f.ref("instances")]
TypeName = Annotated[str, f.ref("instance_types")]
VolumeId = Annotated[str, f.ref("volumes")]
SnapshotId = Annotated[str, f.ref("snapshots")]
GroupId = Annotated[str, f.ref("security_groups")]

GB_MONTH = {"gp3": 0.08, "io2": 0.125, "st1": 0.045}
SNAPSHOT_GB_MONTH = 0.05
HOURS_OF_A_MONTH = 730


class Account(Record):
    about: ClassVar[About] = About("account", "accounts", prefix="acct-", key="name")

    name: f.Title
    environment: Environment
    owner_email: f.Email
    operator_emails: tuple[f.Email, ...]
    """Who may change resources."""
    description: f.Text


class Quota(Record):
    about: ClassVar[About] = About("quota", "quotas", prefix="quota-", width=2, key="")

    account: AccountId
    region: Region
    vcpu_limit: Annotated[int, f.count("vcpus")]


class QuotaRequest(Record):
    about: ClassVar[About] = About("quota request", "quota requests", prefix="qr-", key="", carrier="note")

    account: AccountId
    region: Region
    wanted_vcpus: Annotated[int, f.count("vcpus")]
    reason: f.Text
    status: Annotated[Literal["pending", "granted", "refused"], LABEL] = "pending"
    requested_by: f.Email
    requested_at: f.SystemTime


class InstanceType(Record):
    about: ClassVar[About] = About("instance type", "instance types", prefix="type-", key="id")

    vcpus: Annotated[int, f.count("vcpus")]
    memory_gb: Annotated[int, f.count("gigabytes")]
    hourly_price: f.Money
    retired: bool = False
    """Retired types run on, but none is launched any more."""


class Instance(Record):
    about: ClassVar[About] = About("instance", "instances", prefix="i-0a", width=6, key="name")

    name: f.Title
    account: AccountId
    region: Region
    instance_type: TypeName
    state: InstanceState = "running"
    private_ip: f.Code
    owner_email: f.Email
    cost_center: CostCenter
    purpose: f.Text
    """Why it is there, and often until when."""
    termination_protection: bool = False
    security_group_id: GroupId
    launched_at: f.SystemTime
    state_changed_at: f.SystemTime


class Volume(Record):
    about: ClassVar[About] = About("volume", "volumes", prefix="vol-0b", width=6, key="name")

    name: f.Title
    account: AccountId
    region: Region
    size_gb: Gigabytes
    volume_type: VolumeType
    encrypted: bool = True
    instance_id: Annotated[str | None, f.ref("instances")] = None
    root: bool = False
    """The volume an instance starts from; goes with it."""
    created_at: f.SystemTime


class Snapshot(Record):
    about: ClassVar[About] = About("snapshot", "snapshots", prefix="snap-0c", width=6, key="", carrier="note")

    volume_id: f.Code
    """May be gone by now."""
    account: AccountId
    region: Region
    size_gb: Gigabytes
    description: f.Text
    locked_until: f.Date | None = None
    created_at: f.SystemTime


class SecurityGroup(Record):
    about: ClassVar[About] = About("security group", "security groups", prefix="sg-0d", key="name")

    name: f.Title
    account: AccountId
    description: f.Text


class IngressRule(Record):
    about: ClassVar[About] = About("ingress rule", "ingress rules", prefix="sgr-", key="", carrier="note")

    group_id: GroupId
    protocol: Protocol = "tcp"
    from_port: Port
    to_port: Port
    cidr: Cidr
    description: f.Text = ""


class Budget(Record):
    about: ClassVar[About] = About("budget", "budgets", prefix="bdg-", width=2, key="name")

    name: f.Title
    account: AccountId
    monthly_limit: f.Money
    notify_emails: tuple[f.Email, ...]
    blocks_launches: bool = False
    """Whether nothing is launched that would exceed it."""


class CostRecord(Record):
    about: ClassVar[About] = About("cost record", "cost records", prefix="cost-", key="")

    account: AccountId
    month: Annotated[str, f.Semantic("code")]
    cost_center: CostCenter
    product: Annotated[Literal["compute", "storage", "network", "support"], LABEL]
    amount: f.Money


class Policy(Record):
    about: ClassVar[About] = About("policy", "policies", prefix="pol-", width=2, key="title", carrier="document")

    title: f.Title
    body: f.Text
    valid_from: f.Date
    superseded: bool = False


class CloudState(State):
    accounts: Table[Account]
    quotas: Table[Quota]
    quota_requests: Table[QuotaRequest]
    instance_types: Table[InstanceType]
    security_groups: Table[SecurityGroup]
    ingress_rules: Table[IngressRule]
    instances: Table[Instance]
    volumes: Table[Volume]
    snapshots: Table[Snapshot]
    budgets: Table[Budget]
    costs: Table[CostRecord]
    policies: Table[Policy]


service = Service(
    "cloud",
    title="Cloud Console",
    domain="engineering",
    description="Cloud accounts with instances, volumes, snapshots, security groups, quotas, budgets and costs.",
    state=CloudState,
    files=sources(__file__, "engineering.py"),
)
