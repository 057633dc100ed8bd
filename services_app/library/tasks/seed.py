"""Boards of work: rollouts at customers, projects of your own, approvals that wait."""

from __future__ import annotations

from itertools import pairwise

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME
from services_app.library.cast import Project as Job
from services_app.library.staff import employments, weekly_hours
from services_app.library.tasks import texts
from services_app.library.tasks.planning import fill_from_template
from services_app.library.tasks.state import Project, Task, TasksState, service

_COLUMNS = (("To do", None), ("Doing", 6), ("Waiting", None), ("Done", None))


@service.seed
def fill(state: TasksState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for contract in employments(ctx)[: 10 + ctx.size(14)]:
        person, hours = contract.person, weekly_hours(contract)
        state.users.create(name=person.name, email=person.email, team=person.team, weekly_hours=hours)
    for name, description, team, sections, tasks in texts.TEMPLATES:
        template = state.templates.create(name=name, description=description, team=team, sections=sections)
        for section, task, kind, day, hours, after in tasks:
            state.template_tasks.create(
                template_id=template.id,
                section=section,
                name=task,
                kind=kind,
                day=day,
                estimate_hours=hours,
                after=after,
            )
    _stocktaking(state, ctx)
    for index in range(min(len(texts.OWN), ctx.size(5))):
        _own(state, ctx, index)
    for index, job in enumerate(cast.projects[: ctx.size(22)]):
        _rollout(state, ctx, job, archived=index % 6 == 2)


def _stocktaking(state: TasksState, ctx: SeedContext) -> None:
    """A project of yours from a template, with an approval that waits for you."""
    template = next(row for row in state.templates if row.name == "Stocktaking")
    project = _project(state, ctx, name="Stocktaking spring", team="operations", owner_id="WU-001", start=-4, end=21)
    fill_from_template(state, template, project, ctx.moment(-5, 10))
    for row in state.tasks.find(project_id=project.id):
        if row.name.startswith("Count"):
            user = state.users.get("WU-002" if "A to F" in row.name else "WU-003")
            state.tasks.patch(row.id, assignee_id=user.id)
            state.project_members.create(project_id=project.id, user_id=user.id)
    first = state.tasks.find(project_id=project.id)[0]
    for index, text in enumerate(texts.COUNTING):
        state.comments.create(
            task_id=first.id,
            author_id="WU-001" if index % 2 else "WU-002",
            text=text,
            written_at=ctx.moment(-3 + index // 2, 10 + index, 12),
        )


def _project(  # noqa: PLR0913 - a project has these parts
    state: TasksState,
    ctx: SeedContext,
    *,
    name: str,
    team: str,
    owner_id: str,
    start: int,
    end: int,
    brief: str = "",
    private: bool = False,
) -> Project:
    return state.projects.create(
        name=name,
        team=team,
        owner_id=owner_id,
        brief=brief,
        start_on=ctx.date(start),
        due_on=ctx.date(end),
        private=private,
        created_at=ctx.moment(min(start, -2) - 5, 10),
    )


def _board(state: TasksState, project: Project) -> list[str]:
    return [
        state.sections.create(project_id=project.id, name=name, position=position, wip_limit=limit).id
        for position, (name, limit) in enumerate(_COLUMNS)
    ]


def _own(state: TasksState, ctx: SeedContext, index: int) -> None:
    """A project of the house: yours, or of a colleague; the tender of a colleague is closed to you."""
    name, brief, steps = texts.OWN[index]
    others = [row.id for row in state.users][1:]
    owner = "WU-001" if index % 2 == 0 else ctx.random.choice(others)
    project = _project(
        state,
        ctx,
        name=name,
        team="operations",
        owner_id=owner,
        start=-20 - index,
        end=40 + index,
        brief=brief,
        private="Secret" in brief,
    )
    sections = _board(state, project)
    members = ctx.random.sample([identity for identity in others if identity != owner], 4)
    for identity in members:
        state.project_members.create(project_id=project.id, user_id=identity)
    if owner != "WU-001" and not project.private:
        state.project_members.create(project_id=project.id, user_id="WU-001")
    before: Task | None = None
    for step, (title, notes, hours) in enumerate(steps):
        task = state.tasks.create(
            project_id=project.id,
            section_id=sections[3 if step == 0 else ctx.random.choice((0, 0, 1, 2))],
            name=title,
            notes=notes,
            priority=ctx.random.choice(("low", "medium", "medium", "high")),
            assignee_id=ctx.random.choice((owner, *members[:2])),
            creator_id=owner,
            due_on=ctx.date(-3 + 6 * step),
            estimate_hours=hours,
            created_at=ctx.moment(-18, 9, step),
            completed_at=ctx.moment(-5, 15) if step == 0 else None,
        )
        if before is not None and step > 1:
            state.dependencies.create(task_id=task.id, waits_for_id=before.id)
        before = task


def _rollout(state: TasksState, ctx: SeedContext, job: Job, *, archived: bool) -> None:
    facts = people.facts(ctx, job)
    name = f"{job.company.short}: {job.title}"
    if state.projects.first(name=name):
        return
    owner = (state.users.first(email=job.owner.email) if ctx.random.random() < 0.6 else None) or state.users.get(
        "WU-001"
    )
    last = max(job.end, 25)
    facts |= {"end": people.in_words(ctx.date(last)), "soon": people.in_words(ctx.date(ctx.random.randint(3, 14)))}
    project = _project(
        state,
        ctx,
        name=name,
        team=owner.team,
        owner_id=owner.id,
        start=job.start,
        end=last,
        brief=f"{job.seats} x {job.product.name} for {job.company.name} under {job.contract}, order {job.po_number}.",
        private=owner.email != ME.email and ctx.random.random() < 0.1,
    )
    sections = _board(state, project)
    members = [row.id for row in ctx.random.sample(list(state.users)[1:], 3) if row.id != owner.id]
    if owner.email != ME.email and not project.private:
        members.append("WU-001")
    for identity in members:
        state.project_members.create(project_id=project.id, user_id=identity)
    made = [
        _task(state, ctx, project, sections, members, text, facts)
        for text in ctx.random.sample(texts.CUSTOMER, ctx.random.randint(4, 6))
        if not (archived and text[3] == "approval")
    ]
    left = [row for row in made if row.completed_at is None]
    for first, second in pairwise(left):
        state.dependencies.create(task_id=second.id, waits_for_id=first.id)
    for health, title, text in ctx.random.sample(texts.STATUS, ctx.random.randint(1, 2)):
        state.status_updates.create(
            project_id=project.id,
            author_id=owner.id,
            health=health,
            title=title.format(**facts),
            text=text.format(**facts),
            posted_at=ctx.moment(-ctx.random.randint(1, 25), 16, ctx.random.randint(0, 59)),
        )
    state.projects.patch(project.id, archived=archived)


def _task(
    state: TasksState,
    ctx: SeedContext,
    project: Project,
    sections: list[str],
    members: list[str],
    text: tuple[int, str, str, str, int, tuple[str, ...]],
    facts: dict[str, str],
) -> Task:
    column, name, notes, kind, hours, comments = text
    done = kind != "approval" and ctx.random.random() < 0.35
    everybody = [project.owner_id, *members]
    due = ctx.date(ctx.random.randint(-9, 24))
    task = state.tasks.create(
        project_id=project.id,
        section_id=sections[3 if done else column],
        name=name.format(**facts),
        notes=notes.format(**facts),
        kind=kind,
        priority=ctx.random.choice(("low", "medium", "medium", "high")),
        assignee_id="WU-001" if kind == "approval" and "WU-001" in everybody else ctx.random.choice(everybody),
        creator_id=ctx.random.choice(everybody),
        due_on=due,
        estimate_hours=hours,
        tags=tuple(ctx.random.sample(texts.TAGS, ctx.random.choice((0, 0, 1, 2)))),
        follower_ids=tuple(ctx.random.sample(everybody, 1)),
        approval="pending" if kind == "approval" else None,
        created_at=ctx.moment(-ctx.random.randint(12, 40), 9, ctx.random.randint(0, 59)),
        completed_at=ctx.moment(-ctx.random.randint(1, 10), 15) if done else None,
    )
    for index, comment in enumerate(comments):
        state.comments.create(
            task_id=task.id,
            author_id=ctx.random.choice(everybody),
            text=comment.format(**facts),
            written_at=ctx.moment(-9 + 3 * index, ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
        )
    if ctx.random.random() < 0.2:
        _subtasks(state, ctx, task, facts)
    return task


def _subtasks(state: TasksState, ctx: SeedContext, task: Task, facts: dict[str, str]) -> None:
    for name in texts.SUBTASKS[: ctx.random.randint(2, 4)]:
        state.tasks.create(
            project_id=task.project_id,
            parent_id=task.id,
            name=name.format(**facts),
            assignee_id=task.assignee_id,
            creator_id=task.creator_id,
            estimate_hours=1,
            created_at=task.created_at,
            completed_at=task.completed_at or (ctx.moment(-2, 12) if ctx.random.random() < 0.4 else None),
        )
