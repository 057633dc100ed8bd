"""Tools that find, open and describe tickets."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Example, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.help_desk.levels import described, live_ticket
from services_app.library.help_desk.state import (
    UNSOLVED,
    Category,
    Comment,
    HelpDeskState,
    Priority,
    Requester,
    TicketStatus,
    Visibility,
    service,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_range,
    check_text,
    cursor_page,
    keep,
    newest_first,
    same,
    search,
    some_changes,
)

TicketId = Annotated[str, f.ref("tickets")]
TeamName = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=80)]
Tag = Annotated[str, f.Semantic("label"), Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]


def requester_by_email(state: HelpDeskState, email: str) -> Requester:
    """The requester with this address; 422 `unknown_requester` otherwise."""
    for requester in state.requesters:
        if same(requester.email, email):
            return requester
    raise invalid(f"{email} is not a requester yet; use create_requester.", type="unknown_requester")


@service.tool()
def search_tickets(
    state: HelpDeskState,
    ctx: CallContext,
    query: Query | None = None,
    status: TicketStatus | None = None,
    requester_email: f.Email | None = None,
    priority: Priority | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """Find tickets by words in the subject, description, reference or tags, newest first.

    Args:
        query: Words that must all occur.
        status: Only tickets in this status.
        requester_email: Only tickets raised from this address.
        priority: Only tickets of this priority.
        limit: At most so many tickets.
        cursor: next_cursor of the previous page.
    """
    found = search(state.tickets, query, lambda row: (row.subject, row.description, row.reference, *row.tags))
    found = keep(found, status=status, priority=priority)
    if requester_email is not None:
        ids = {row.id for row in state.requesters if same(row.email, requester_email)}
        found = [row for row in found if row.requester_id in ids]
    found = newest_first(found, "created_at")
    page = cursor_page("tickets", found, limit, cursor)
    page["tickets"] = [described(state, ctx, row) for row in page["tickets"]]
    return page


@service.tool()
def list_queue(
    state: HelpDeskState,
    ctx: CallContext,
    team: TeamName | None = None,
    assignee_email: f.Email | None = None,
    breached_only: bool = False,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List unsolved tickets, those whose solution is due first at the top.

    Errors: `not_found` for an unknown team.

    Args:
        team: Only tickets of the team of this name.
        assignee_email: Only tickets assigned to this agent.
        breached_only: Only tickets with a broken promise.
        limit: At most so many tickets.
        cursor: next_cursor of the previous page.
    """
    team_id = team_by_name(state, team) if team else None
    rows = [described(state, ctx, row) for row in keep(state.tickets, team_id=team_id) if row.status in UNSOLVED]
    if assignee_email is not None:
        rows = [row for row in rows if row["assignee_email"] and same(row["assignee_email"], assignee_email)]
    rows = [row for row in rows if row["breached"] or not breached_only]
    rows.sort(key=lambda row: (row["resolution_due"] or "9999", row["id"]))
    return cursor_page("tickets", rows, limit, cursor)


def team_by_name(state: HelpDeskState, name: str) -> str:
    """Id of the team of this name; 404 otherwise."""
    for team in state.teams:
        if same(team.name, name):
            return team.id
    return state.teams.get(name).id


@service.tool()
def get_ticket(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId) -> Json:
    """Show a ticket with its due times, comments (oldest first) and the minutes spent on it.

    Errors: `not_found`.

    Args:
        ticket_id: Id of the ticket.
    """
    ticket = state.tickets.get(ticket_id)
    comments = sorted(state.comments.find(ticket_id=ticket_id), key=lambda row: (row.written_at, row.id))
    minutes = sum(entry.minutes for entry in state.time_entries.find(ticket_id=ticket_id))
    rating = state.ratings.first(ticket_id=ticket_id)
    return {
        **described(state, ctx, ticket),
        "comments": comments,
        "comment_count": len(comments),
        "minutes_spent": minutes,
        "rating": rating.score if rating else None,
    }


@service.tool(phrase="open a ticket about {subject} for {requester_email}")
def create_ticket(
    state: HelpDeskState,
    ctx: CallContext,
    subject: Name,
    description: Body,
    requester_email: f.Email,
    category: Category = "other",
    priority: Priority = "normal",
    reference: f.Code = "",
) -> Json:
    """Open a ticket for a requester; it goes to the team that handles its category.

    Tickets of important requesters never have a priority below high.
    Errors: `unknown_requester`, `duplicate_ticket` (an unsolved one has the same requester and subject), `blank_text`.

    Args:
        subject: What it is about, in a few words.
        description: The whole story.
        requester_email: Address of the person who asks.
        category: Kind of problem.
        priority: How urgent it is.
        reference: Order, contract or serial number.
    """
    requester = requester_by_email(state, requester_email)
    for other in state.tickets.find(requester_id=requester.id):
        if same(other.subject, subject) and other.status in UNSOLVED:
            raise conflict(
                f"Ticket {other.id} has the same requester and subject; add a comment there.", type="duplicate_ticket"
            )
    if requester.vip and priority in ("low", "normal"):
        priority = "high"
    ticket = state.tickets.create(
        subject=check_text(subject, "subject"),
        description=check_text(description, "description"),
        requester_id=requester.id,
        category=category,
        priority=priority,
        status="new",
        team_id=_team_for(state, category),
        reference=reference,
        created_at=ctx.now,
    )
    return described(state, ctx, ticket)


def _team_for(state: HelpDeskState, category: str) -> str:
    for team in state.teams:
        if category in team.handles:
            return team.id
    raise conflict(f"No team handles {category} tickets.", type="no_team")


@service.tool(phrase="update the ticket {ticket_id}")
def update_ticket(
    state: HelpDeskState,
    ctx: CallContext,
    ticket_id: TicketId,
    subject: Name | Unset = UNSET,
    priority: Priority | Unset = UNSET,
    category: Category | Unset = UNSET,
    reference: f.Code | Unset = UNSET,
) -> Json:
    """Change a ticket that is not closed; what is not sent stays as it is. Due times follow the priority.

    Errors: `not_found`, `ticket_closed`, `nothing_to_change`, `vip_priority` (important requesters get at least high).

    Args:
        ticket_id: Id of the ticket.
        subject: New subject.
        priority: New priority.
        category: New category; the team stays.
        reference: New order, contract or serial number.
    """
    ticket = live_ticket(state, ticket_id)
    changes = some_changes(given(subject=subject, priority=priority, category=category, reference=reference))
    if changes.get("priority") in ("low", "normal") and state.requesters.get(ticket.requester_id).vip:
        raise conflict("The requester is important: the priority is at least high.", type="vip_priority")
    return described(state, ctx, state.tickets.patch(ticket_id, **changes))


@service.tool(phrase="tag {ticket_id} with {tag}")
def add_tag(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, tag: Tag) -> Json:
    """Put a tag on a ticket that is not closed.

    Errors: `not_found`, `ticket_closed`, `already_tagged`, `too_many_tags` (eight at most).

    Args:
        ticket_id: Id of the ticket.
        tag: Lower-case word, digits and hyphens allowed.
    """
    ticket = live_ticket(state, ticket_id)
    if tag in ticket.tags:
        raise conflict(f"Ticket {ticket_id} has the tag {tag} already.", type="already_tagged")
    if len(ticket.tags) >= 8:
        raise conflict(f"Ticket {ticket_id} has eight tags; remove one first.", type="too_many_tags")
    return described(state, ctx, state.tickets.patch(ticket_id, tags=(*ticket.tags, tag)))


@service.tool(
    phrase="take the tag {tag} off {ticket_id}",
    examples=(
        Example(
            {"ticket_id": "TKT-0001", "tag": "callback"},
            after=(("add_tag", {"ticket_id": "TKT-0001", "tag": "callback"}),),
        ),
    ),
)
def remove_tag(state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, tag: Tag) -> Json:
    """Take a tag off a ticket that is not closed.

    Errors: `not_found`, `ticket_closed`, `not_tagged`.

    Args:
        ticket_id: Id of the ticket.
        tag: The tag.
    """
    ticket = live_ticket(state, ticket_id)
    if tag not in ticket.tags:
        raise conflict(f"Ticket {ticket_id} does not have the tag {tag}.", type="not_tagged")
    return described(
        state, ctx, state.tickets.patch(ticket_id, tags=tuple(item for item in ticket.tags if item != tag))
    )


@service.tool(phrase="comment on the ticket {ticket_id}")
def add_comment(
    state: HelpDeskState, ctx: CallContext, ticket_id: TicketId, body: Body, visibility: Visibility = "public"
) -> Comment:
    """Add a comment: a public one answers the requester, an internal one is for colleagues.

    The first public comment counts as the first response. A public comment opens a new ticket.
    Errors: `not_found`, `ticket_closed`, `blank_text`.

    Args:
        ticket_id: Id of the ticket.
        body: Text of the comment.
        visibility: Whether the requester sees it.
    """
    ticket = live_ticket(state, ticket_id)
    comment = state.comments.create(
        ticket_id=ticket_id,
        author_name=ME.name,
        author_email=ME.email,
        visibility=visibility,
        body=check_text(body, "body"),
        written_at=ctx.now,
    )
    if visibility == "public" and (ticket.first_response_at is None or ticket.status == "new"):
        status = "open" if ticket.status == "new" else ticket.status
        state.tickets.patch(ticket_id, first_response_at=ticket.first_response_at or ctx.now, status=status)
    return comment


@service.tool()
def list_comments(
    state: HelpDeskState,
    ctx: CallContext,
    ticket_id: TicketId | None = None,
    query: Query | None = None,
    author_email: f.Email | None = None,
    written_after: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List comments, newest first, of one ticket or of all.

    Errors: `invalid_date`.

    Args:
        ticket_id: Only comments on this ticket.
        query: Words in the text.
        author_email: Only comments by this person.
        written_after: Only comments written on this day or later.
        limit: At most so many comments.
        cursor: next_cursor of the previous page.
    """
    check_range(written_after, None)
    found = search(state.comments, query, lambda row: (row.body,))
    found = keep(found, ticket_id=ticket_id, author_email=author_email)
    found = [row for row in found if written_after is None or row.written_at[:10] >= written_after]
    found = newest_first(found, "written_at")
    return cursor_page("comments", found, limit, cursor)
