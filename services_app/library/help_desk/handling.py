"""Tools that move a ticket along: assigning, status, escalation, merging, time."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import CallContext, Example, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.help_desk.levels import described, live_ticket, unsolved_of
from services_app.library.help_desk.people import agent_by_email
from services_app.library.help_desk.state import UNSOLVED, Agent, HelpDeskState, Ticket, service
from services_app.library.help_desk.tickets import TeamName, TicketId, team_by_name
from services_app.library.shared import LABEL, Body, Json, check_text, days_between, same, with_fields

REOPEN_DAYS = 14
Waiting = Annotated[Literal["open", "pending", "on_hold"], LABEL]


@service.tool(phrase="assign {ticket_id} to {agent_email}")
def assign_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, agent_email: f.Email) -> Json:
    """Assign a ticket to an agent of its team.

    Errors: `not_found`, `ticket_closed`, `unknown_agent`, `wrong_team` (move_to_team first), `agent_away`,
    `agent_full` (has as many unsolved tickets as allowed), `already_assigned`.

    Args:
        ticket_id: Id of the ticket.
        agent_email: Address of the agent.
    """
    ticket, agent = live_ticket(state, ticket_id), agent_by_email(state, agent_email)
    if ticket.assignee_id == agent.id:
        raise conflict(f"Ticket {ticket_id} is assigned to {agent.name} already.", type="already_assigned")
    if agent.team_id != ticket.team_id:
        raise conflict(f"{agent.name} works in another team; use move_to_team first.", type="wrong_team")
    _must_take(state, agent)
    return described(state, ctx, state.tickets.patch(ticket_id, assignee_id=agent.id))


def _must_take(state: HelpDeskState, agent: Agent) -> None:
    if agent.away:
        raise conflict(f"{agent.name} is away.", type="agent_away")
    if unsolved_of(state, agent.id) >= agent.max_open:
        raise conflict(f"{agent.name} has {agent.max_open} unsolved tickets, as many as allowed.", type="agent_full")


@service.tool(phrase="move {ticket_id} to the {team} team")
def move_to_team(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, team: TeamName) -> Json:
    """Hand a ticket to another team; it is then assigned to nobody.

    Errors: `not_found` (ticket or team), `ticket_closed`, `same_team`.

    Args:
        ticket_id: Id of the ticket.
        team: Name of the team.
    """
    ticket, team_id = live_ticket(state, ticket_id), team_by_name(state, team)
    if ticket.team_id == team_id:
        raise conflict(f"Ticket {ticket_id} is with this team already.", type="same_team")
    return described(state, ctx, state.tickets.patch(ticket_id, team_id=team_id, assignee_id=None))


@service.tool(phrase="set {ticket_id} to {status}")
def set_status(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, status: Waiting) -> Json:
    """Set an unsolved ticket to open, pending (waits for the requester) or on hold (waits for a third party).

    Solving, closing and reopening have their own tools. Errors: `not_found`, `ticket_closed`, `ticket_solved`,
    `same_status`, `no_assignee` (only an assigned ticket can wait).

    Args:
        ticket_id: Id of the ticket.
        status: New status.
    """
    ticket = live_ticket(state, ticket_id)
    if ticket.status == "solved":
        raise conflict(f"Ticket {ticket_id} is solved; use reopen_ticket.", type="ticket_solved")
    if ticket.status == status:
        raise conflict(f"Ticket {ticket_id} is {status} already.", type="same_status")
    if status != "open" and ticket.assignee_id is None:
        raise conflict("Assign the ticket before it waits for someone.", type="no_assignee")
    return described(state, ctx, state.tickets.patch(ticket_id, status=status))


@service.tool(phrase="solve the ticket {ticket_id}")
def solve_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, answer: Body) -> Json:
    """Solve a ticket with a last public answer to the requester.

    Errors: `not_found`, `ticket_closed`, `ticket_solved`, `no_assignee` (somebody has to be responsible),
    `blank_text`.

    Args:
        ticket_id: Id of the ticket.
        answer: What the requester is told.
    """
    ticket = live_ticket(state, ticket_id)
    if ticket.status == "solved":
        raise conflict(f"Ticket {ticket_id} is solved already.", type="ticket_solved")
    if ticket.assignee_id is None:
        raise conflict("Assign the ticket before solving it.", type="no_assignee")
    _comment(state, ctx, ticket, check_text(answer, "answer"), "public")
    first = ticket.first_response_at or ctx.now
    changed = state.tickets.patch(ticket_id, status="solved", solved_at=ctx.now, first_response_at=first)
    return described(state, ctx, changed)


def _comment(state: HelpDeskState, ctx: CallContext, ticket: Ticket, body: str, visibility: str) -> None:
    state.comments.create(
        ticket_id=ticket.id,
        author_name=ME.name,
        author_email=ME.email,
        visibility=visibility,
        body=body,
        written_at=ctx.now,
    )


@service.tool(phrase="reopen the ticket {ticket_id}")
def reopen_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, reason: Body) -> Json:
    """Reopen a solved ticket within 14 days; the reason becomes an internal comment.

    Errors: `not_found`, `ticket_closed`, `not_solved`, `too_late`, `blank_text`.

    Args:
        ticket_id: Id of the ticket.
        reason: Why it is not solved after all.
    """
    ticket = live_ticket(state, ticket_id)
    if ticket.status != "solved":
        raise conflict(f"Ticket {ticket_id} is {ticket.status}, not solved.", type="not_solved")
    if ticket.solved_at and days_between(ticket.solved_at, ctx.now) > REOPEN_DAYS:
        raise conflict(f"Ticket {ticket_id} was solved on {ticket.solved_at[:10]}; open a new one.", type="too_late")
    _comment(state, ctx, ticket, check_text(reason, "reason"), "internal")
    return described(state, ctx, state.tickets.patch(ticket_id, status="open", solved_at=None))


@service.tool(phrase="close the ticket {ticket_id}")
def close_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId) -> Json:
    """Close a solved ticket for good; nothing about it can be changed afterwards.

    Errors: `not_found`, `ticket_closed`, `not_solved`.

    Args:
        ticket_id: Id of the ticket.
    """
    ticket = live_ticket(state, ticket_id)
    if ticket.status != "solved":
        raise conflict(f"Ticket {ticket_id} is {ticket.status}; solve it first.", type="not_solved")
    return described(state, ctx, state.tickets.patch(ticket_id, status="closed"))


@service.tool(phrase="escalate {ticket_id}")
def escalate_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, reason: Body) -> Json:
    """Escalate an unsolved ticket to the lead of its team, raising the priority by one step.

    The reason becomes an internal comment. Errors: `not_found`, `ticket_closed`, `ticket_solved`,
    `already_escalated`, `no_lead` (the team has no lead who is there), `blank_text`.

    Args:
        ticket_id: Id of the ticket.
        reason: Why it is escalated.
    """
    ticket = live_ticket(state, ticket_id)
    if ticket.status == "solved":
        raise conflict(f"Ticket {ticket_id} is solved; reopen it first.", type="ticket_solved")
    if ticket.escalated:
        raise conflict(f"Ticket {ticket_id} is escalated already.", type="already_escalated")
    lead = state.agents.first(team_id=ticket.team_id, lead=True, away=False)
    if lead is None:
        raise conflict("The team has no lead who is there; move the ticket to another team.", type="no_lead")
    steps = ("low", "normal", "high", "urgent")
    priority = steps[min(steps.index(ticket.priority) + 1, 3)]
    _comment(state, ctx, ticket, check_text(reason, "reason"), "internal")
    changed = state.tickets.patch(ticket_id, escalated=True, priority=priority, assignee_id=lead.id)
    return described(state, ctx, changed)


@service.tool(
    phrase="merge {ticket_id} into {into_id}",
    examples=(Example({"ticket_id": "TKT-0001", "into_id": "TKT-0015"}),),
)
def merge_tickets(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, into_id: TicketId) -> Json:
    """Merge a duplicate into another ticket of the same organization: comments and time move, it is closed.

    Errors: `not_found`, `ticket_closed` (either one), `same_ticket`, `other_organization`.

    Args:
        ticket_id: Id of the duplicate.
        into_id: Id of the ticket that stays.
    """
    ticket, target = live_ticket(state, ticket_id), live_ticket(state, into_id)
    if ticket.id == target.id:
        raise invalid("A ticket cannot be merged into itself.", type="same_ticket")
    companies = [state.requesters.get(row.requester_id).organization_id for row in (ticket, target)]
    if companies[0] != companies[1]:
        raise conflict("The two tickets are from different organizations.", type="other_organization")
    for comment in state.comments.find(ticket_id=ticket_id):
        state.comments.patch(comment.id, ticket_id=into_id)
    for entry in state.time_entries.find(ticket_id=ticket_id):
        state.time_entries.patch(entry.id, ticket_id=into_id)
    state.tickets.patch(ticket_id, status="closed", merged_into=into_id)
    tags = (*target.tags, *(tag for tag in ticket.tags if tag not in target.tags))[:8]
    merged = described(state, ctx, state.tickets.patch(into_id, tags=tags))
    return {**merged, "comment_count": state.comments.count(ticket_id=into_id)}


@service.tool(phrase="log {minutes} minutes on {ticket_id}")
def log_time(
    state: HelpDeskState,
    ctx: CallContext,
    ticket_id: TicketId,
    agent_email: f.Email,
    minutes: Annotated[int, f.duration("minutes"), Field(ge=1, le=600)],
    work: Body,
) -> Json:
    """Log time spent on a ticket; it is taken from the support hours of the organization.

    Errors: `not_found`, `ticket_closed`, `unknown_agent`, `no_hours_left` (the organization has used up its hours),
    `blank_text`.

    Args:
        ticket_id: Id of the ticket.
        agent_email: Who worked on it.
        minutes: How long.
        work: What was done.
    """
    ticket, agent = live_ticket(state, ticket_id), agent_by_email(state, agent_email)
    company = state.organizations.get(state.requesters.get(ticket.requester_id).organization_id)
    left = company.support_hours * 60 - minutes_used(state, company.id)
    if minutes > left:
        raise conflict(f"{company.name} has {max(left, 0)} minutes of support left.", type="no_hours_left")
    entry = state.time_entries.create(
        ticket_id=ticket_id, agent_id=agent.id, minutes=minutes, work=check_text(work, "work"), spent_on=ctx.today
    )
    return with_fields(entry, organization=company.name, minutes_left=left - minutes)


def minutes_used(state: HelpDeskState, organization_id: str) -> int:
    """Minutes spent on all tickets of an organization."""
    people = {row.id for row in state.requesters.find(organization_id=organization_id)}
    tickets = {row.id for row in state.tickets if row.requester_id in people}
    return sum(entry.minutes for entry in state.time_entries if entry.ticket_id in tickets)


@service.tool()
def get_organization(state: HelpDeskState, ctx: CallContext, organization: f.Organisation) -> Json:
    """Show an organization by name: plan, people, unsolved tickets and support time left.

    Errors: `not_found`.

    Args:
        organization: Name of the organization, or its id.
    """
    found = next((row for row in state.organizations if same(row.name, organization)), None)
    company = found or state.organizations.get(organization)
    people = state.requesters.find(organization_id=company.id)
    ids = {row.id for row in people}
    unsolved = sum(1 for row in state.tickets if row.requester_id in ids and row.status in UNSOLVED)
    used = minutes_used(state, company.id)
    return with_fields(
        company,
        requesters=people,
        unsolved_tickets=unsolved,
        minutes_used=used,
        minutes_left=company.support_hours * 60 - used,
    )


@service.tool()
def queue_summary(state: HelpDeskState, ctx: CallContext) -> Json:
    """Count the unsolved tickets by team, priority and status, and say how many promises are broken."""
    rows = [described(state, ctx, row) for row in state.tickets if row.status in UNSOLVED]
    names = {team.id: team.name for team in state.teams}
    counts: dict[str, dict[str, int]] = {"team_id": dict.fromkeys(names, 0), "priority": {}, "status": {}}
    for row in rows:
        for kind, found in counts.items():
            value = str(row[kind])
            found[value] = found.get(value, 0) + 1
    return {
        "unsolved": len(rows),
        "unassigned": sum(1 for row in rows if row["assignee_id"] is None),
        "breached": sum(1 for row in rows if row["breached"]),
        "by_team": {names.get(identity, identity): number for identity, number in counts["team_id"].items()},
        "by_priority": counts["priority"],
        "by_status": counts["status"],
    }
