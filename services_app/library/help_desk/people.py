"""Tools for agents, requesters, help articles and satisfaction."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.help_desk.levels import unsolved_of
from services_app.library.help_desk.state import Agent, Article, Category, HelpDeskState, Rating, Requester, service
from services_app.library.shared import (
    Json,
    Limit,
    Offset,
    Query,
    brief,
    check_text,
    keep,
    mean,
    offset_page,
    same,
    search,
    with_fields,
)


def agent_by_email(state: HelpDeskState, email: str) -> Agent:
    """The agent with this address; 422 `unknown_agent` otherwise."""
    for agent in state.agents:
        if same(agent.email, email):
            return agent
    raise invalid(f"{email} is not a support agent; list_agents shows who is.", type="unknown_agent")


@service.tool()
def list_agents(
    state: HelpDeskState, ctx: CallContext, team: f.Label | None = None, available_only: bool = False
) -> Json:
    """List agents with their team, number of unsolved tickets and free places.

    Errors: `not_found` for an unknown team.

    Args:
        team: Only agents of the team of this name.
        available_only: Only agents who are there and can take another ticket.
    """
    names = {row.id: row.name for row in state.teams}
    if team is not None and not any(same(name, team) for name in names.values()):
        state.teams.get(team)
    rows = []
    for agent in state.agents:
        if team is not None and not same(names.get(agent.team_id, ""), team):
            continue
        unsolved = unsolved_of(state, agent.id)
        free = 0 if agent.away else max(0, agent.max_open - unsolved)
        if free or not available_only:
            rows.append(with_fields(agent, team=names.get(agent.team_id), unsolved=unsolved, free_places=free))
    return {"agents": rows, "total": len(rows)}


@service.tool(phrase="note that {agent_email} is away")
def set_agent_away(state: HelpDeskState, ctx: CallContext, agent_email: f.Email, away: bool = True) -> Agent:
    """Note that an agent is away, or back. Tickets stay assigned.

    Errors: `unknown_agent`, `no_change`.

    Args:
        agent_email: Address of the agent.
        away: false when the agent is back.
    """
    agent = agent_by_email(state, agent_email)
    if agent.away == away:
        raise conflict(f"{agent.name} is {'away' if away else 'there'} already.", type="no_change")
    return state.agents.patch(agent.id, away=away)


@service.tool()
def search_requesters(
    state: HelpDeskState,
    ctx: CallContext,
    query: Query | None = None,
    email: f.Email | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> Json:
    """Find the people who raise tickets, by name, organization or address.

    Args:
        query: Words in the name, address or organization.
        email: The exact address.
        limit: At most so many people.
        offset: Skip so many people.
    """
    names = {row.id: row.name for row in state.organizations}
    found = search(state.requesters, query, lambda row: (row.name, row.email, names.get(row.organization_id, "")))
    rows = [
        with_fields(row, organization=names.get(row.organization_id))
        for row in found
        if email is None or same(row.email, email)
    ]
    return offset_page("requesters", rows, limit, offset)


@service.tool(phrase="register {name} of {organization} as a requester")
def create_requester(
    state: HelpDeskState,
    ctx: CallContext,
    name: Annotated[str, f.Semantic("person"), Field(min_length=1, max_length=200)],
    email: f.Email,
    organization: f.Organisation,
    phone: f.Phone = "",
) -> Requester:
    """Register a person of a known organization, so that tickets can be opened for them.

    Errors: `duplicate_requester`, `unknown_organization`, `blank_text`.

    Args:
        name: Full name.
        email: Email address; each belongs to one person.
        organization: Name of the organization.
        phone: Phone number.
    """
    if any(same(row.email, email) for row in state.requesters):
        raise conflict(f"{email} is registered already.", type="duplicate_requester")
    for company in state.organizations:
        if same(company.name, organization):
            return state.requesters.create(
                name=check_text(name, "name"), email=email, phone=phone, organization_id=company.id
            )
    raise invalid(f"There is no organization {organization!r}.", type="unknown_organization")


@service.tool()
def search_articles(
    state: HelpDeskState,
    ctx: CallContext,
    query: Query | None = None,
    category: Category | None = None,
    include_drafts: bool = False,
) -> Json:
    """Find help articles by words in the title or text; get_article has the full text.

    Args:
        query: Words that must all occur.
        category: Only articles of this category.
        include_drafts: Also articles that are not published.
    """
    found = keep(search(state.articles, query, lambda row: (row.title, row.body)), category=category)
    rows = [
        brief(row, "id", "title", "category", "published", "helpful_votes", "updated_at")
        for row in found
        if row.published or include_drafts
    ]
    return {"articles": rows, "total": len(rows)}


@service.tool()
def get_article(state: HelpDeskState, ctx: CallContext, article_id: Annotated[str, f.ref("articles")]) -> Article:
    """Read a help article.

    Errors: `not_found`.

    Args:
        article_id: Id of the article.
    """
    return state.articles.get(article_id)


@service.tool(phrase="record {score} stars for the ticket {ticket_id}")
def rate_ticket(
    state: HelpDeskState,
    ctx: CallContext,
    ticket_id: Annotated[str, f.ref("tickets")],
    score: Annotated[int, f.count("stars"), Field(ge=1, le=5)],
    comment: f.Text = "",
) -> Rating:
    """Record how satisfied the requester was with a solved or closed ticket; once per ticket.

    Errors: `not_found`, `not_solved`, `already_rated`.

    Args:
        ticket_id: Id of the ticket.
        score: One to five stars.
        comment: What the requester said.
    """
    if state.tickets.get(ticket_id).status not in ("solved", "closed"):
        raise conflict(f"Ticket {ticket_id} is not solved yet.", type="not_solved")
    if state.ratings.first(ticket_id=ticket_id):
        raise conflict(f"Ticket {ticket_id} has been rated.", type="already_rated")
    return state.ratings.create(ticket_id=ticket_id, score=score, comment=comment, given_on=ctx.today)


@service.tool()
def satisfaction_report(state: HelpDeskState, ctx: CallContext, team: f.Label | None = None) -> Json:
    """Average satisfaction and number of ratings, per team.

    Args:
        team: Only the team of this name.
    """
    teams = {ticket.id: ticket.team_id for ticket in state.tickets}
    rows = []
    for row in state.teams:
        scores = [rating.score for rating in state.ratings if teams.get(rating.ticket_id) == row.id]
        if team is None or same(row.name, team):
            rows.append({"team": row.name, "ratings": len(scores), "average": mean(scores, 2)})
    return {"teams": rows, "ratings": sum(int(str(row["ratings"])) for row in rows)}
