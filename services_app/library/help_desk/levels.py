"""Service levels and workload: when a ticket is due, and how much an agent has."""

from __future__ import annotations

from services_app.engine import CallContext, conflict
from services_app.library.help_desk.state import UNSOLVED, HelpDeskState, Requester, Target, Ticket
from services_app.library.shared import Json, plus_minutes


def unsolved_of(state: HelpDeskState, agent_id: str) -> int:
    """Number of unsolved tickets assigned to an agent."""
    return sum(1 for ticket in state.tickets.find(assignee_id=agent_id) if ticket.status in UNSOLVED)


def target_of(state: HelpDeskState, ticket: Ticket) -> Target | None:
    """The target promised for a ticket, from its requester's plan and its priority."""
    requester = _find(state, ticket)
    if requester is None or requester.organization_id not in state.organizations:
        return None
    plan = state.organizations.get(requester.organization_id).plan
    return state.targets.first(plan=plan, priority=ticket.priority)


def _find(state: HelpDeskState, ticket: Ticket) -> Requester | None:
    return state.requesters.get(ticket.requester_id) if ticket.requester_id in state.requesters else None


def due_times(state: HelpDeskState, ctx: CallContext, ticket: Ticket) -> Json:
    """When the first answer and the solution are due, and whether a promise is broken now."""
    target = target_of(state, ticket)
    if target is None:
        return {"first_response_due": None, "resolution_due": None, "breached": False}
    answer = plus_minutes(ticket.created_at, target.first_response)
    solution = plus_minutes(ticket.created_at, target.resolution)
    late_answer = (ticket.first_response_at or ctx.now) > answer
    late_solution = (ticket.solved_at or ctx.now) > solution
    return {"first_response_due": answer, "resolution_due": solution, "breached": late_answer or late_solution}


def described(state: HelpDeskState, ctx: CallContext, ticket: Ticket) -> Json:
    """A ticket as answers show it: fields, names and due times."""
    requester = _find(state, ticket)
    assignee = state.agents.first(id=ticket.assignee_id) if ticket.assignee_id else None
    return {
        **ticket.plain(),
        "requester_name": requester.name if requester else None,
        "requester_email": requester.email if requester else None,
        "assignee_email": assignee.email if assignee else None,
        **due_times(state, ctx, ticket),
    }


def live_ticket(state: HelpDeskState, ticket_id: str) -> Ticket:
    """A ticket that is not closed; 409 `ticket_closed` otherwise."""
    ticket = state.tickets.get(ticket_id)
    if ticket.status == "closed":
        where = f"; go on in {ticket.merged_into}" if ticket.merged_into else "; create a new one"
        raise conflict(f"Ticket {ticket_id} is closed{where}.", type="ticket_closed")
    return ticket
