"""What an issue tracker holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

IssueType = Annotated[Literal["bug", "story", "task"], LABEL]
Status = Annotated[Literal["to_do", "in_progress", "in_review", "done", "wont_do"], LABEL]
Priority = Annotated[Literal["lowest", "low", "medium", "high", "highest"], LABEL]
LinkType = Annotated[Literal["blocks", "duplicates", "relates_to"], LABEL]
SprintState = Annotated[Literal["future", "active", "closed"], LABEL]

OPEN = ("to_do", "in_progress", "in_review")
PRIORITIES = ("lowest", "low", "medium", "high", "highest")
# From which status an issue can go where.
TRANSITIONS = {
    "to_do": ("in_progress", "wont_do"),
    "in_progress": ("to_do", "in_review", "wont_do"),
    "in_review": ("in_progress", "done"),
    "done": ("to_do",),
    "wont_do": ("to_do",),
}

ProjectKey = Annotated[str, f.ref("projects")]
IssueId = Annotated[str, f.ref("issues")]
SprintId = Annotated[str, f.ref("sprints")]
Points = Annotated[int, f.count("points"), Field(ge=1, le=21)]


class Project(Record):
    about: ClassVar[About] = About("project", "projects", prefix="P", key="name")

    name: f.Title
    """The id is the key that its issues start with."""
    description: f.Text
    lead_email: f.Email
    wip_limit: Annotated[int, f.count("issues")]
    """Most issues that one person may have in progress."""


class Member(Record):
    about: ClassVar[About] = About("project member", "project members", prefix="MBR-", key="email")

    name: f.Person
    email: f.Email
    title: f.Label
    active: bool = True


class Sprint(Record):
    about: ClassVar[About] = About("sprint", "sprints", prefix="SPR-", width=3, key="name")

    project: ProjectKey
    name: f.Title
    goal: f.Text = ""
    state: SprintState
    capacity: Annotated[int, f.count("points")]
    """Story points that the team can do."""
    start_date: f.Date
    end_date: f.Date


class Issue(Record):
    about: ClassVar[About] = About("issue", "issues", prefix="ISS-", key="summary", carrier="document")

    project: ProjectKey
    summary: f.Title
    description: f.Text
    issue_type: IssueType
    status: Status = "to_do"
    priority: Priority = "medium"
    reporter_email: f.Email
    assignee_email: f.Email | None = None
    labels: tuple[f.Label, ...] = ()
    story_points: Annotated[int | None, f.count("points")] = None
    sprint_id: Annotated[str | None, f.ref("sprints")] = None
    fix_version: f.Code = ""
    due_date: f.Date | None = None
    parent_id: Annotated[str | None, f.ref("issues")] = None
    """The story that this issue is a part of."""
    created_at: f.SystemTime
    resolved_at: f.SystemTime | None = None


class Link(Record):
    about: ClassVar[About] = About("link", "links", prefix="LNK-", key="")

    link_type: LinkType
    source_id: IssueId
    target_id: IssueId


class Comment(Record):
    about: ClassVar[About] = About("comment", "comments", prefix="CMT-", key="", carrier="note")

    issue_id: IssueId
    author_email: f.Email
    body: f.Text
    written_at: f.SystemTime


class Worklog(Record):
    about: ClassVar[About] = About("work log", "work logs", prefix="WL-", key="")

    issue_id: IssueId
    author_email: f.Email
    minutes: Annotated[int, f.duration("minutes")]
    day: f.Date
    note: f.Text = ""


class Transition(Record):
    about: ClassVar[About] = About("change of status", "changes of status", prefix="TRN-", key="")

    issue_id: IssueId
    from_status: Status
    to_status: Status
    author_email: f.Email
    at: f.SystemTime


class IssuesState(State):
    projects: Table[Project]
    members: Table[Member]
    sprints: Table[Sprint]
    issues: Table[Issue]
    links: Table[Link]
    comments: Table[Comment]
    worklogs: Table[Worklog]
    transitions: Table[Transition]


service = Service(
    "issues",
    title="Issue Tracker",
    domain="engineering",
    description="Projects with issues, a status flow, sprints with capacity, links, comments and logged work.",
    state=IssuesState,
    files=sources(__file__, "engineering.py"),
)
