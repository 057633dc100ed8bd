"""What a CI system holds. The status of a run follows from its jobs and is never stored."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

JobStatus = Annotated[Literal["queued", "in_progress", "waiting", "success", "failure", "cancelled"], LABEL]
Trigger = Annotated[Literal["push", "schedule", "manual"], LABEL]
Kind = Annotated[Literal["build", "deploy"], LABEL]
Platform = Annotated[Literal["linux", "macos", "device-lab"], LABEL]
RunnerStatus = Annotated[Literal["online", "paused", "offline"], LABEL]
Weekday = Annotated[Literal["monday", "tuesday", "wednesday", "thursday", "friday"], LABEL]
Decision = Annotated[Literal["pending", "approved", "rejected"], LABEL]

PipelineId = Annotated[str, f.ref("pipelines")]
RunId = Annotated[str, f.ref("runs")]
JobId = Annotated[str, f.ref("jobs")]
ArtifactId = Annotated[str, f.ref("artifacts")]
BranchName = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=100, pattern=r"^[\w./-]+$")]
RepoName = Annotated[str, f.Semantic("code"), Field(min_length=1, max_length=60)]

UNFINISHED = ("queued", "in_progress", "waiting")
MOST_ATTEMPTS = 3


class Pipeline(Record):
    about: ClassVar[About] = About("pipeline", "pipelines", prefix="PL-", key="name")

    name: f.Title
    repo: f.Code
    kind: Kind
    description: f.Text
    enabled: bool = True
    platform: Platform
    """What its jobs need to run on."""
    job_names: tuple[f.Label, ...]
    approver_emails: tuple[f.Email, ...] = ()
    """Who may approve its deployments."""
    timeout_minutes: Annotated[int, f.duration("minutes")]


class Run(Record):
    about: ClassVar[About] = About("run", "runs", prefix="RUN-", width=5, key="title")

    pipeline_id: PipelineId
    title: f.Title
    branch: f.Code
    commit: f.Code
    trigger: Trigger
    actor_email: f.Email
    note: f.Text = ""
    attempt: Annotated[int, f.count("attempts", system=True)] = 1
    created_at: f.SystemTime


class Job(Record):
    about: ClassVar[About] = About("job", "jobs", prefix="JOB-", width=5, key="", carrier="document")

    run_id: RunId
    name: f.Label
    status: JobStatus
    runner_id: Annotated[str | None, f.ref("runners")] = None
    log: f.Text = ""
    minutes: Annotated[int | None, f.duration("minutes")] = None
    """How long it took; None until it has finished."""


class TestResult(Record):
    about: ClassVar[About] = About("test failure", "test failures", prefix="TF-", width=5, key="test", carrier="note")

    job_id: JobId
    test: f.Code
    message: f.Text


class MutedTest(Record):
    about: ClassVar[About] = About("muted test", "muted tests", prefix="MUT-", key="test")

    repo: f.Code
    test: f.Code
    issue: f.Code
    """Key of the issue under which it is to be repaired."""
    muted_by: f.Email
    until: f.Date


class Artifact(Record):
    about: ClassVar[About] = About("artifact", "artifacts", prefix="ART-", key="name", carrier="document")

    run_id: RunId
    name: f.Code
    size_kb: Annotated[int, f.count("kilobytes")]
    content: f.Text
    """Text of a report; a manifest for a package."""
    expires_on: f.Date


class Gate(Record):
    about: ClassVar[About] = About("deployment approval", "deployment approvals", prefix="GATE-", key="")

    run_id: RunId
    environment: f.Label
    decision: Decision = "pending"
    decided_by: f.Email | None = None
    comment: f.Text = ""


class Runner(Record):
    about: ClassVar[About] = About("runner", "runners", prefix="RNR-", width=2, key="name")

    name: f.Label
    platform: Platform
    status: RunnerStatus
    slots: Annotated[int, f.count("jobs")]
    """Jobs that it can work on at a time."""
    note: f.Text = ""


class Variable(Record):
    about: ClassVar[About] = About("variable", "variables", prefix="VAR-", key="name")

    repo: f.Code
    name: f.Code
    value: f.Text
    secret: bool = False
    updated_by: f.Email
    updated_at: f.SystemTime


class Schedule(Record):
    about: ClassVar[About] = About("schedule", "schedules", prefix="SCH-", width=3, key="")

    pipeline_id: PipelineId
    weekday: Weekday
    time: f.Time
    branch: f.Code
    owner_email: f.Email


class CiState(State):
    pipelines: Table[Pipeline]
    runners: Table[Runner]
    runs: Table[Run]
    jobs: Table[Job]
    failures: Table[TestResult]
    muted: Table[MutedTest]
    artifacts: Table[Artifact]
    gates: Table[Gate]
    variables: Table[Variable]
    schedules: Table[Schedule]


service = Service(
    "ci",
    title="Continuous Integration",
    domain="engineering",
    description="Pipelines and their runs with jobs, logs, test failures, artifacts, deployment approvals and runners.",
    state=CiState,
    files=sources(__file__, "engineering.py"),
)
