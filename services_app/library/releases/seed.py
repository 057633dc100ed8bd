"""Half a year of releases on their three-week train, some flags, and a freeze ahead."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast, Person, Project
from services_app.library.engineering import RELEASE_DAYS, Change, Component, Engineering
from services_app.library.releases import texts
from services_app.library.releases.state import Flag, Release, ReleasesState, service

_AREAS = {"scanner-firmware": ("quality", "operations"), "customer-config": ("operations",), "runbooks": ("support",)}


@service.seed
def fill(state: ReleasesState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    work = world.changes[: ctx.size(90)]
    for number, component in enumerate(world.components):
        owner = world.engineers[number % len(world.engineers)]
        values = {"name": component.title, "owner_email": owner.email}
        areas = _AREAS.get(component.slug, ("quality", "support"))
        state.components.add(
            state.components.record_type.model_validate({"id": component.slug, **values, "approvals_needed": areas})
        )
        mine = [change for change in work if change.component is component]
        state.releases.create(
            component=component.slug,
            version=component.version(len(RELEASE_DAYS)),
            planned_on=ctx.date(RELEASE_DAYS[-1] + 21),
            manager_email=owner.email,
        )
        for release in sorted({change.release for change in mine} | {len(RELEASE_DAYS) - 1, len(RELEASE_DAYS) - 2}):
            _release(state, ctx, cast, component, release, [one for one in mine if one.release == release], owner)
    for first, last, reason in texts.FREEZES:
        creator = ME if first > 30 else world.engineers[0]
        state.freezes.create(
            reason=reason, first_day=ctx.date(first), last_day=ctx.date(last), created_by=creator.email
        )
    for number in range(ctx.size(24)):
        _flag(state, ctx, cast, world, number)


def _release(
    state: ReleasesState,
    ctx: SeedContext,
    cast: Cast,
    component: Component,
    number: int,
    changes: list[Change],
    owner: Person,
) -> None:
    day = RELEASE_DAYS[number]
    out = day < 0
    project = changes[0].project if changes else cast.projects[number]
    facts = people.facts(ctx, project)
    # The first one that can be is ready to be shipped today, whatever the scale.
    ready = not out and bool(changes) and not state.releases.find(status="frozen")
    status = "shipped" if out else "frozen" if ready or (changes and ctx.random.random() < 0.5) else "planned"
    extra = ctx.random.choice(texts.EXTRAS).format(**facts)
    version = component.version(number)
    release = state.releases.create(
        component=component.slug,
        version=version,
        status=status,
        planned_on=ctx.date(0 if ready or (status == "frozen" and ctx.random.random() < 0.3) else day),
        manager_email=ME.email if not component.settings or ctx.random.random() < 0.3 else owner.email,
        notes=texts.NOTES.format(version=version, title=component.title, count=len(changes), extra=extra),
        shipped_at=ctx.moment(day, 13, 30) if out else None,
    )
    for change in changes:
        state.changes.create(
            release_id=release.id,
            issue=change.key,
            title=change.title,
            kind=change.kind,
            risk="high" if ctx.random.random() < 0.2 else "low",
            author_email=change.author.email,
            note=change.why,
        )
    _answers(state, ctx, release, project, owner, ready=ready)
    state.audit.create(
        subject=release.id,
        action="shipped" if out else f"planned {version}",
        by_email=release.manager_email,
        at=release.shipped_at or ctx.moment(-12, 10),
    )
    if number == len(RELEASE_DAYS) - 2 and changes and ctx.random.random() < 0.4:
        state.releases.patch(release.id, status="rolled_back", reason=texts.ROLLED_BACK.format(**facts))


def _answers(
    state: ReleasesState, ctx: SeedContext, release: Release, project: Project, owner: Person, *, ready: bool
) -> None:
    if release.status == "planned":
        return
    facts = people.facts(ctx, project)
    areas = list(state.components.get(release.component).approvals_needed)
    if any(row.risk == "high" for row in state.changes.find(release_id=release.id)) and "operations" not in areas:
        areas.append("operations")
    for area in areas:
        pending = release.status == "frozen" and not ready
        if pending and ctx.random.random() < 0.3:
            continue
        refused = pending and ctx.random.random() < 0.25
        state.approvals.create(
            release_id=release.id,
            area=area,
            answer="refused" if refused else "approved",
            by_email=owner.email,
            comment=ctx.random.choice(texts.REFUSED if refused else texts.AGREED).format(**facts),
            given_at=release.shipped_at or ctx.moment(-2, 15),
        )


def _flag(state: ReleasesState, ctx: SeedContext, cast: Cast, world: Engineering, number: int) -> None:
    name, description = texts.FLAGS[number % len(texts.FLAGS)]
    component = world.components[number % 6]
    project = cast.projects[number]
    key = name if number < len(texts.FLAGS) else f"{component.key.lower()}-{name}-{number // len(texts.FLAGS)}"
    owner = ctx.random.choice((ME, project.owner, *world.engineers))
    age = ctx.random.randint(10, 200)
    flag = state.flags.add(
        Flag.model_validate(
            {
                "id": key,
                "component": component.slug,
                "description": description.format(**people.facts(ctx, project)),
                "owner_email": owner.email,
                "permanent": number % 8 == 3,
                "archived": number % 9 == 7,
                "created_at": ctx.moment(-age, 11),
            }
        )
    )
    staging = ctx.random.choice((50.0, 100.0, 100.0))
    live = ctx.random.random() < 0.6
    share = ctx.random.choice((0.0, 10.0, 25.0, 50.0, staging)) if live else 0.0
    for environment, enabled, percentage in (("staging", number % 5 > 0, staging), ("production", live, share)):
        on = enabled and (environment == "staging" or number % 5 > 0)
        state.settings.create(flag=key, environment=environment, enabled=on, percentage=percentage)
    state.audit.create(subject=key, action="created", by_email=owner.email, at=flag.created_at)
    if live:
        state.audit.create(
            subject=key, action=f"rolled out to {share:g} % in production", by_email=owner.email, at=ctx.moment(-5, 16)
        )
    for other in ctx.random.sample(cast.projects[: ctx.size(40)], ctx.random.choice((0, 1, 2, 2, 3))):
        if state.targets.first(flag=key, company=other.company.name) is None:
            state.targets.create(
                flag=key,
                environment=ctx.random.choice(("production", "production", "staging")),
                company=other.company.name,
                receives=ctx.random.random() < 0.75,
                note=ctx.random.choice(texts.TARGETS).format(**people.facts(ctx, other)),
            )
