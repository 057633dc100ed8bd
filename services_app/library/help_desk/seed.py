"""A support desk with a backlog: some tickets new, some late, most of the old ones closed."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Company, Person, Project
from services_app.library.help_desk import texts
from services_app.library.help_desk.state import Agent, HelpDeskState, Ticket, service
from services_app.library.shared import plus_minutes

_TEAMS = (
    ("Field hardware", "hardware@support.larkfield.example", ("hardware", "delivery")),
    ("Applications", "applications@support.larkfield.example", ("software", "access")),
    ("Customer desk", "desk@support.larkfield.example", ("billing", "other")),
)
_HOURS = {"basic": 20, "standard": 60, "premium": 160}
# plan -> priority -> minutes to the first answer and to the solution
_TARGETS = {
    "basic": {"low": (2880, 20160), "normal": (1440, 10080), "high": (480, 4320), "urgent": (240, 2880)},
    "standard": {"low": (1440, 14400), "normal": (480, 7200), "high": (240, 2880), "urgent": (120, 1440)},
    "premium": {"low": (480, 7200), "normal": (240, 4320), "high": (60, 1440), "urgent": (30, 480)},
}
_STATUS = ("new", "open", "open", "pending", "on_hold", "solved", "solved", "closed", "closed")


@service.seed
def fill(state: HelpDeskState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _desk(state, ctx, cast)
    for company in cast.companies[: ctx.size(34)]:
        _organization(state, ctx, company)
    for category, title, body in texts.ARTICLES:
        state.articles.create(
            title=title,
            body=body,
            category=category,
            published=ctx.random.random() < 0.9 and title not in texts.DRAFTS,
            helpful_votes=ctx.random.randint(0, 60),
            updated_at=ctx.moment(-ctx.random.randint(10, 400), 14),
        )
    known = {requester.email for requester in state.requesters}
    projects = [project for project in cast.projects if project.contact.email in known][: ctx.size(110)]
    for project in projects:
        _ticket(state, ctx, project)


def _desk(state: HelpDeskState, ctx: SeedContext, cast: Cast) -> None:
    for name, email, handles in _TEAMS:
        state.teams.create(name=name, email=email, handles=handles)
    teams = list(state.teams)
    staff = [*cast.team("support"), *cast.team("engineering")[:3]]
    for index, person in enumerate(staff):
        state.agents.create(
            name=person.name,
            email=person.email,
            team_id=teams[index % len(teams)].id,
            lead=index < len(teams),
            away=index >= len(teams) and ctx.random.random() < 0.15,
            max_open=ctx.size(ctx.random.choice((10, 12, 14))),
        )
    for plan, priorities in _TARGETS.items():
        for priority, (first, solution) in priorities.items():
            state.targets.create(plan=plan, priority=priority, first_response=first, resolution=solution)


def _organization(state: HelpDeskState, ctx: SeedContext, company: Company) -> None:
    plan = ctx.random.choice(("basic", "basic", "standard", "standard", "premium"))
    row = state.organizations.create(
        name=company.name,
        domain=company.domain,
        plan=plan,
        support_hours=_HOURS[plan],
        account_manager_email=company.manager.email,
    )
    for person in company.people:
        state.requesters.create(
            name=person.name,
            email=person.email,
            phone=person.phone,
            organization_id=row.id,
            vip=person.title in ("Programme Director", "Head of Facilities"),
        )


def _ticket(state: HelpDeskState, ctx: SeedContext, project: Project) -> None:
    facts = people.facts(ctx, project)
    category, subject, description, script = ctx.random.choice(texts.TICKETS)
    status = ctx.random.choice(_STATUS)
    team = next(row for row in state.teams if category in row.handles)
    agents = [agent for agent in state.agents.find(team_id=team.id) if _has_room(state, agent)]
    agent = ctx.random.choice(agents) if agents and status not in ("new",) else None
    status = status if agent else "new"
    requester = next(row for row in state.requesters if row.email == project.contact.email)
    done = status in ("solved", "closed")
    day = -ctx.random.randint(12, 60) if done else -ctx.random.randint(1, 9)
    created = ctx.moment(day, ctx.random.randint(7, 16), ctx.random.randint(0, 59))
    ticket = state.tickets.create(
        subject=subject.format(**facts),
        description=description.format(**facts),
        requester_id=requester.id,
        category=category,
        priority=ctx.random.choice(("high", "urgent") if requester.vip else ("low", "normal", "normal", "high")),
        status=status,
        team_id=team.id,
        assignee_id=agent.id if agent else None,
        reference=ctx.random.choice((project.po_number, project.contract, "")),
        tags=tuple(ctx.random.sample(texts.TAGS, ctx.random.choice((0, 0, 1, 2)))),
        created_at=created,
        solved_at=ctx.moment(day + ctx.random.randint(3, 9), 15) if done else None,
    )
    if agent is not None:
        _talk(state, ctx, ticket, agent, project.contact, facts, script)
    if done and ctx.random.random() < 0.5:
        given = ctx.date(-1)
        score = ctx.random.choice((2, 3, 4, 4, 5, 5))
        state.ratings.create(ticket_id=ticket.id, score=score, comment=ctx.random.choice(texts.RATINGS), given_on=given)


def _has_room(state: HelpDeskState, agent: Agent) -> bool:
    open_ones = [row for row in state.tickets.find(assignee_id=agent.id) if row.status not in ("solved", "closed")]
    return len(open_ones) < agent.max_open - 1


def _talk(
    state: HelpDeskState,
    ctx: SeedContext,
    ticket: Ticket,
    agent: Agent,
    customer: Person,
    facts: dict[str, str],
    script: tuple[tuple[str, str, str], ...],
) -> None:
    """Comments and time on a ticket that somebody works on."""
    moment = ticket.created_at
    for who, visibility, text in script:
        moment = min(plus_minutes(moment, ctx.random.randint(15, 400)), ctx.moment(0, 8, 30))
        author = (agent.name, agent.email) if who == "agent" else (customer.name, customer.email)
        state.comments.create(
            ticket_id=ticket.id,
            author_name=author[0],
            author_email=author[1],
            visibility=visibility,
            body=text.format(**facts),
            written_at=moment,
        )
        answered = state.tickets.get(ticket.id).first_response_at
        if who == "agent" and visibility == "public" and answered is None:
            state.tickets.patch(ticket.id, first_response_at=moment)
    if ctx.random.random() < 0.6:
        state.time_entries.create(
            ticket_id=ticket.id,
            agent_id=agent.id,
            minutes=ctx.random.choice((10, 15, 20, 30, 45, 60, 90)),
            work=ctx.random.choice(texts.WORK).format(**facts),
            spent_on=moment[:10],
        )
