"""What a work management application holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

Health = Annotated[Literal["on_track", "at_risk", "off_track", "on_hold"], LABEL]
Kind = Annotated[Literal["task", "milestone", "approval"], LABEL]
Priority = Annotated[Literal["low", "medium", "high"], LABEL]
Approval = Annotated[Literal["pending", "approved", "rejected", "changes_requested"], LABEL]


class User(Record):
    about: ClassVar[About] = About("workspace user", "workspace users", prefix="WU-", width=3, key="email")

    name: f.Person
    email: f.Email
    team: f.Label
    weekly_hours: Annotated[int, f.duration("hours")]
    """Hours a week for which tasks can be planned."""


class Project(Record):
    about: ClassVar[About] = About("project", "projects", prefix="PRJ-", width=3, key="name")

    name: f.Title
    team: f.Label
    owner_id: Annotated[str, f.ref("users")]
    brief: f.Text = ""
    start_on: f.Date | None = None
    due_on: f.Date | None = None
    private: bool = False
    archived: bool = False
    created_at: f.SystemTime


class ProjectMember(Record):
    about: ClassVar[About] = About("project member", "project members", prefix="PM-", key="")

    project_id: Annotated[str, f.ref("projects")]
    user_id: Annotated[str, f.ref("users")]


class Section(Record):
    about: ClassVar[About] = About("section", "sections", prefix="SEC-", key="name")

    project_id: Annotated[str, f.ref("projects")]
    name: f.Label
    position: Annotated[int, f.count("places", system=True)]
    wip_limit: Annotated[int | None, f.count("tasks")] = None
    """How many open tasks may stand in this column."""


class Task(Record):
    about: ClassVar[About] = About("task", "tasks", prefix="TASK-", key="name")

    project_id: Annotated[str, f.ref("projects")]
    section_id: Annotated[str | None, f.ref("sections")] = None
    """None for subtasks, which stand below their parent."""
    parent_id: Annotated[str | None, f.ref("tasks")] = None
    name: f.Title
    notes: f.Text = ""
    kind: Kind = "task"
    priority: Priority = "medium"
    assignee_id: Annotated[str | None, f.ref("users")] = None
    creator_id: Annotated[str, f.ref("users")]
    due_on: f.Date | None = None
    estimate_hours: Annotated[int | None, f.duration("hours")] = None
    tags: tuple[f.Label, ...] = ()
    follower_ids: tuple[Annotated[str, f.ref("users")], ...] = ()
    approval: Approval | None = None
    created_at: f.SystemTime
    completed_at: f.SystemTime | None = None


class Dependency(Record):
    about: ClassVar[About] = About("dependency", "dependencies", prefix="DEP-", key="")

    task_id: Annotated[str, f.ref("tasks")]
    waits_for_id: Annotated[str, f.ref("tasks")]


class Comment(Record):
    about: ClassVar[About] = About("task comment", "task comments", prefix="TC-", key="", carrier="note")

    task_id: Annotated[str, f.ref("tasks")]
    author_id: Annotated[str, f.ref("users")]
    text: f.Text
    written_at: f.SystemTime


class StatusUpdate(Record):
    about: ClassVar[About] = About("status update", "status updates", prefix="SU-", key="", carrier="document")

    project_id: Annotated[str, f.ref("projects")]
    author_id: Annotated[str, f.ref("users")]
    health: Health
    title: f.Title
    text: f.Text
    posted_at: f.SystemTime


class Template(Record):
    about: ClassVar[About] = About("project template", "project templates", prefix="TPL-", width=2, key="name")

    name: f.Title
    description: f.Text
    team: f.Label
    sections: tuple[f.Label, ...]


class TemplateTask(Record):
    about: ClassVar[About] = About("template task", "template tasks", prefix="TT-", width=3, key="name")

    template_id: Annotated[str, f.ref("templates")]
    section: f.Label
    name: f.Title
    kind: Kind = "task"
    day: Annotated[int, f.count("days")]
    """Due so many days after the start of the project."""
    estimate_hours: Annotated[int, f.duration("hours")]
    after: f.Title = ""
    """Name of the task of this template that it waits for."""


class TasksState(State):
    users: Table[User]
    projects: Table[Project]
    project_members: Table[ProjectMember]
    sections: Table[Section]
    tasks: Table[Task]
    dependencies: Table[Dependency]
    comments: Table[Comment]
    status_updates: Table[StatusUpdate]
    templates: Table[Template]
    template_tasks: Table[TemplateTask]


service = Service(
    "tasks",
    title="Tasks",
    domain="productivity",
    description="Projects as boards of tasks with subtasks, dependencies, approvals, comments and workload.",
    state=TasksState,
    files=sources(__file__),
)
