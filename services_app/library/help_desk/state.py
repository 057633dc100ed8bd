"""What a help desk holds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from services_app.engine import About, Record, Service, State, Table
from services_app.engine import fields as f
from services_app.library.shared import LABEL
from services_app.library.sources import sources

TicketStatus = Annotated[Literal["new", "open", "pending", "on_hold", "solved", "closed"], LABEL]
Priority = Annotated[Literal["low", "normal", "high", "urgent"], LABEL]
Category = Annotated[Literal["hardware", "software", "billing", "delivery", "access", "other"], LABEL]
Plan = Annotated[Literal["basic", "standard", "premium"], LABEL]
Visibility = Annotated[Literal["public", "internal"], LABEL]

UNSOLVED = ("new", "open", "pending", "on_hold")


class Team(Record):
    about: ClassVar[About] = About("support team", "support teams", prefix="TEAM-", width=2, key="name")

    name: f.Label
    email: f.Email
    handles: tuple[Category, ...]


class Agent(Record):
    about: ClassVar[About] = About("support agent", "support agents", prefix="AGT-", width=3, key="email")

    name: f.Person
    email: f.Email
    team_id: Annotated[str, f.ref("teams")]
    lead: bool = False
    away: bool = False
    max_open: Annotated[int, f.count("tickets")]
    """How many unsolved tickets may be assigned at a time."""


class Organization(Record):
    about: ClassVar[About] = About("organization", "organizations", prefix="ORG-", key="name")

    name: f.Organisation
    domain: f.Label
    plan: Plan
    support_hours: Annotated[int, f.duration("hours")]
    """Hours of support bought for this year."""
    account_manager_email: f.Email


class Requester(Record):
    about: ClassVar[About] = About("requester", "requesters", prefix="REQ-", key="email")

    name: f.Person
    email: f.Email
    phone: f.Phone
    organization_id: Annotated[str, f.ref("organizations")]
    vip: bool = False


class Ticket(Record):
    about: ClassVar[About] = About("support ticket", "support tickets", prefix="TKT-", key="subject")

    subject: f.Title
    description: f.Text
    requester_id: Annotated[str, f.ref("requesters")]
    category: Category
    priority: Priority
    status: TicketStatus
    team_id: Annotated[str, f.ref("teams")]
    assignee_id: Annotated[str | None, f.ref("agents")] = None
    reference: f.Code = ""
    """Order, contract or serial number that it is about."""
    tags: tuple[f.Label, ...] = ()
    created_at: f.SystemTime
    first_response_at: f.SystemTime | None = None
    solved_at: f.SystemTime | None = None
    merged_into: Annotated[str | None, f.ref("tickets")] = None
    escalated: bool = False


class Comment(Record):
    about: ClassVar[About] = About("comment", "comments", prefix="CMT-", key="", carrier="note")

    ticket_id: Annotated[str, f.ref("tickets")]
    author_name: f.Person
    author_email: f.Email
    visibility: Visibility
    body: f.Text
    written_at: f.SystemTime


class TimeEntry(Record):
    about: ClassVar[About] = About("time entry", "time entries", prefix="TIME-", key="")

    ticket_id: Annotated[str, f.ref("tickets")]
    agent_id: Annotated[str, f.ref("agents")]
    minutes: Annotated[int, f.duration("minutes")]
    work: f.Text
    spent_on: f.Date


class Article(Record):
    about: ClassVar[About] = About("help article", "help articles", prefix="KB-", key="title", carrier="document")

    title: f.Title
    body: f.Text
    category: Category
    published: bool
    helpful_votes: Annotated[int, f.count("votes")] = 0
    updated_at: f.SystemTime


class Target(Record):
    """A service level: how fast tickets of a priority are answered and solved."""

    about: ClassVar[About] = About("service level target", "service level targets", prefix="SLA-", width=2, key="")

    plan: Plan
    priority: Priority
    first_response: Annotated[int, f.duration("minutes")]
    resolution: Annotated[int, f.duration("minutes")]


class Rating(Record):
    about: ClassVar[About] = About("satisfaction rating", "satisfaction ratings", prefix="RTG-", key="")

    ticket_id: Annotated[str, f.ref("tickets")]
    score: Annotated[int, f.count("stars")]
    comment: f.Text = ""
    given_on: f.Date


class HelpDeskState(State):
    teams: Table[Team]
    agents: Table[Agent]
    organizations: Table[Organization]
    requesters: Table[Requester]
    tickets: Table[Ticket]
    comments: Table[Comment]
    time_entries: Table[TimeEntry]
    articles: Table[Article]
    targets: Table[Target]
    ratings: Table[Rating]


service = Service(
    "help-desk",
    title="Help desk",
    domain="customer support",
    description="Support tickets with comments, teams, service levels, time tracking and help articles.",
    state=HelpDeskState,
    files=sources(__file__),
)
