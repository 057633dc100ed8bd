"""A tracker in the middle of a sprint: work that is done, under way and planned, and what customers reported."""

from __future__ import annotations

import itertools

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.engineering import COMPONENTS, Change, Component
from services_app.library.issues import texts
from services_app.library.issues.state import TRANSITIONS, Issue, IssuesState, service

_STATUS = {"done": "done", "review": "in_review", "doing": "in_progress", "planned": "to_do"}
_PATH = ("to_do", "in_progress", "in_review", "done")
_SPRINTS = ((-28, -15, "closed"), (-7, 6, "active"), (7, 20, "future"))
_LIMIT = 3


@service.seed
def fill(state: IssuesState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    for person in (ME, *world.engineers, *cast.team("support"), *cast.team("operations")[1:6]):
        state.members.create(name=person.name, email=person.email, title=person.title)
    leaver = cast.team("people")[-1]
    state.members.create(name=leaver.name, email=leaver.email, title=leaver.title, active=False)
    for number, component in enumerate(world.components):
        _project(state, ctx, component, world.engineers[number % len(world.engineers)], number)
    for change in world.changes[: ctx.size(64)]:
        _from_change(state, ctx, change)
    for number in range(ctx.size(50)):
        _report(state, ctx, cast, cast.projects[number], number)
    _links(state, ctx)
    _backlog(state)


def _project(state: IssuesState, ctx: SeedContext, component: Component, lead: Person, number: int) -> None:
    values = {"name": component.title, "description": component.purpose, "lead_email": lead.email, "wip_limit": _LIMIT}
    state.projects.add(state.projects.record_type.model_validate({"id": component.key, **values}))
    for index, (first, last, stage) in enumerate(_SPRINTS):
        if stage == "active" and number % 4 == 3:  # these teams are between two sprints
            continue
        state.sprints.create(
            project=component.key,
            name=f"{component.key} sprint {11 + index}",
            goal=texts.GOALS[(number + index) % len(texts.GOALS)],
            state=stage,
            capacity=18 + 4 * (number % 4),
            start_date=ctx.date(first),
            end_date=ctx.date(last),
        )


def _backlog(state: IssuesState) -> None:
    """Something for every team that is between two sprints to start with."""
    for sprint in state.sprints.find(state="future"):
        if not state.issues.find(sprint_id=sprint.id):
            waiting = [row for row in state.issues.find(project=sprint.project, status="to_do") if not row.parent_id]
            for row in waiting[:2]:
                state.issues.patch(row.id, sprint_id=sprint.id, story_points=row.story_points or 3)


def _from_change(state: IssuesState, ctx: SeedContext, change: Change) -> None:
    status = _STATUS[change.stage]
    key = change.component.key
    if status == "in_progress" and _doing(state, key, change.author.email) >= _LIMIT:
        status = "to_do"
    issue = _issue(
        state,
        change.key,
        change.component,
        summary=change.title,
        description=f"{change.why} Order {change.project.po_number}, account owner {change.project.owner.name}.",
        issue_type={"bug": "bug", "feature": "story", "chore": "task"}[change.kind],
        status=status,
        priority=ctx.random.choice(("low", "medium", "medium", "high", "highest")),
        reporter_email=ctx.random.choice((ME.email, change.project.owner.email, change.reviewer.email)),
        assignee_email=None if change.stage == "planned" and ctx.random.random() < 0.4 else change.author.email,
        labels=("customer", change.component.slug) if change.setting else (change.component.slug,),
        story_points=None if ctx.random.random() < 0.15 else ctx.random.choice((1, 2, 3, 3, 5, 8)),
        fix_version=change.version,
        due_date=ctx.date(change.day) if change.stage != "done" else None,
        created_at=ctx.moment(min(change.day, 0) - ctx.random.randint(8, 40), ctx.random.randint(8, 17)),
        resolved_at=ctx.moment(change.day, 16) if change.stage == "done" else None,
    )
    _plan(state, issue)
    _history(state, ctx, issue, change.author)
    _comments(state, ctx, issue, change.project, (change.author, change.reviewer))
    if issue.issue_type == "story" and ctx.random.random() < 0.5:
        _parts(state, ctx, issue, change)


def _doing(state: IssuesState, project: str, email: str) -> int:
    return state.issues.count(project=project, status="in_progress", assignee_email=email)


def _issue(state: IssuesState, key: str, component: Component, **fields: object) -> Issue:
    return state.issues.add(Issue.model_validate({"id": key, "project": component.key, **fields}))


def _plan(state: IssuesState, issue: Issue) -> None:
    """Into the sprint of its state, as long as the points fit."""
    stage = {"done": "closed", "in_progress": "active", "in_review": "active", "to_do": "future"}[issue.status]
    sprint = state.sprints.first(project=issue.project, state=stage)
    if sprint is None or issue.story_points is None:
        return
    planned = sum(row.story_points or 0 for row in state.issues.find(sprint_id=sprint.id))
    if planned + issue.story_points <= sprint.capacity - 5:
        state.issues.patch(issue.id, sprint_id=sprint.id)


def _history(state: IssuesState, ctx: SeedContext, issue: Issue, author: Person) -> None:
    """The steps from to_do to where it is, and the time that was logged on the way."""
    steps = _PATH[: _PATH.index(issue.status) + 1]
    start = max(-130, _days(ctx, issue.created_at))
    for index, (before, after) in enumerate(itertools.pairwise(steps)):
        moment = issue.resolved_at if after == "done" else ctx.moment(min(start + 2 + index, -1), 9 + index)
        state.transitions.create(
            issue_id=issue.id, from_status=before, to_status=after, author_email=author.email, at=moment
        )
        state.worklogs.create(
            issue_id=issue.id,
            author_email=author.email,
            minutes=ctx.random.choice((30, 60, 90, 150, 240)),
            day=(moment or ctx.now)[:10],
            note=f"{before} to {after}",
        )


def _days(ctx: SeedContext, moment: str) -> int:
    """Days from today to a moment."""
    return next((day for day in range(-200, 1) if ctx.date(day) == moment[:10]), 0)


def _comments(
    state: IssuesState, ctx: SeedContext, issue: Issue, project: Project, writers: tuple[Person, Person]
) -> None:
    facts = people.facts(ctx, project)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2, 3))):
        state.comments.create(
            issue_id=issue.id,
            author_email=ctx.random.choice((*writers, ME)).email,
            body=text.format(**facts),
            written_at=ctx.moment(-ctx.random.randint(1, 20), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )


def _parts(state: IssuesState, ctx: SeedContext, issue: Issue, change: Change) -> None:
    for index, what in enumerate(texts.PARTS[: ctx.random.randint(1, 3)]):
        done = issue.status == "done" or (index == 0 and issue.status == "in_review")
        _issue(
            state,
            f"{change.component.key}-{700 + state.issues.count(project=change.component.key)}",
            change.component,
            summary=texts.PART.format(what=what, key=issue.id),
            description=f"Part of {issue.id}: {issue.summary}.",
            issue_type="task",
            status="done" if done else "to_do",
            reporter_email=change.author.email,
            assignee_email=change.reviewer.email if done else None,
            parent_id=issue.id,
            created_at=issue.created_at,
            resolved_at=ctx.moment(-4, 15) if done else None,
        )


def _report(state: IssuesState, ctx: SeedContext, cast: Cast, project: Project, number: int) -> None:
    """Something a customer or colleague asked for that nobody has started."""
    facts = people.facts(ctx, project)
    summary, description, kind, labels = ctx.random.choice(texts.REPORTS)
    component = COMPONENTS[number % len(COMPONENTS)]
    older = state.issues.find(project=component.key, issue_type="bug", status="to_do")
    if older and number % 7 == 3:
        summary, description, kind, labels = texts.DUPLICATE
        facts |= {"summary": older[0].summary, "key": older[0].id}
    assignee = ctx.random.choice((*cast.team("support"), ME)) if ctx.random.random() < 0.5 else None
    issue = _issue(
        state,
        f"{component.key}-{20 + number // len(COMPONENTS)}",
        component,
        summary=summary.format(**facts),
        description=description.format(**facts),
        issue_type=kind,
        status="wont_do" if ctx.random.random() < 0.1 else "to_do",
        priority=ctx.random.choice(("low", "medium", "high")),
        reporter_email=ctx.random.choice((ME.email, project.owner.email)),
        assignee_email=assignee.email if assignee else None,
        labels=labels,
        story_points=ctx.random.choice((None, 1, 2, 3, 5)),
        due_date=ctx.date(ctx.random.randint(-12, 40)),
        created_at=ctx.moment(-ctx.random.randint(13, 60), ctx.random.randint(8, 17)),
    )
    if issue.status == "wont_do":
        state.issues.patch(issue.id, resolved_at=ctx.moment(-3, 11))
    _comments(state, ctx, issue, project, (ME, project.owner))


def _links(state: IssuesState, ctx: SeedContext) -> None:
    """Issues of one project that wait for each other or belong together; a later one never blocks an earlier one."""
    for project in state.projects:
        issues = [row for row in state.issues.find(project=project.id) if row.parent_id is None]
        for first, second in itertools.pairwise(issues):
            kind = ctx.random.choice(("blocks", "relates_to", "relates_to", ""))
            started = second.status != "to_do" and first.status in TRANSITIONS["to_do"] + ("to_do",)
            if kind and not (kind == "blocks" and started):
                state.links.create(link_type=kind, source_id=first.id, target_id=second.id)
        for row in issues:
            if row.summary.endswith("(reported again)"):
                key = row.description.split(",")[0].removeprefix("Same as ")
                state.links.create(link_type="relates_to", source_id=row.id, target_id=key)
