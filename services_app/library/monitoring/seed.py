"""Two days of values, some weeks of logs and events, and a quarter of alert episodes."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, ascii_name
from services_app.library.engineering import Change, Component, Engineering
from services_app.library.monitoring import texts
from services_app.library.monitoring.state import CatalogService, Host, Metric, Monitor, MonitoringState, service
from services_app.library.shared import plus_minutes

HOURS = 48
_PLACES = ("London", "Rotterdam", "Lyon")
_CRITICAL = ("fleet-tracker", "dock-scheduler", "telematics-gateway")
GATEWAYS = "telematics-gateway"


@service.seed
def fill(state: MonitoringState, ctx: SeedContext) -> None:
    world = engineering.build(ctx)
    components = [one for one in world.components if one.settings and one.slug != "scanner-firmware"]
    for name, unit, meaning in texts.METRICS:
        state.metrics.add(Metric.model_validate({"id": name, "unit": unit, "description": meaning}))
    for number, component in enumerate(components):
        _service(state, world, component, number)
    _hosts(state, ctx)
    for number in range(ctx.size(26)):
        _monitor(state, ctx, world, components, number)
    for number in range(ctx.size(44)):
        _event(state, ctx, world, components, number)
    for _ in range(ctx.size(240)):
        _log(state, ctx, world)
    _downtimes(state, ctx, world)
    _episodes(state, ctx, world)
    _objectives(state, ctx, world)
    _notebooks(state, ctx, world)


def _facts(ctx: SeedContext, change: Change) -> dict[str, str]:
    facts = people.facts(ctx, change.project)
    facts |= {"component": change.component.title, "key": change.key, "author": change.author.name}
    facts |= {"change": change.title, "why": change.why, "reviewer": change.reviewer.name, "path": change.path}
    return facts | {"version": change.version}


def _change(ctx: SeedContext, world: Engineering, slug: str) -> Change:
    """A piece of work on a component."""
    return ctx.random.choice([one for one in world.changes if one.component.slug == slug])


def _service(state: MonitoringState, world: Engineering, component: Component, number: int) -> None:
    owner = ME if number == 2 else world.engineers[number % len(world.engineers)]
    values = {"title": component.title, "description": component.purpose, "owner_email": owner.email}
    tier = "critical" if component.slug in _CRITICAL else "standard"
    state.services.add(CatalogService.model_validate({"id": component.slug, **values, "tier": tier}))


def _hosts(state: MonitoringState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    rows: list[dict[str, object]] = [
        {"name": one.name, "service": one.component.slug, "role": one.role, "place": one.place}
        for one in engineering.machines(ctx.size(30))
    ]
    for number in range(ctx.size(16)):
        company = cast.projects[number].company
        name = f"gw-{ascii_name(company.name).replace('.', '-')}-{number // 40 + 1}"
        place = {"service": GATEWAYS, "role": "gateway", "place": company.city, "customer": company.name}
        rows.append({"name": name, **place})
    for number, row in enumerate(rows):
        muted = number % 9 == 4
        facts = people.facts(ctx, cast.projects[number % len(cast.projects)])
        silent = ctx.random.choice((240, 1300, 4100)) if number % 11 == 7 else ctx.random.randint(0, 4)
        host = state.hosts.add(
            Host.model_validate(
                {
                    "id": row["name"],
                    **row,
                    "agent_version": f"7.{ctx.random.choice((58, 61, 61, 62))}.{ctx.random.randint(0, 2)}",
                    "last_reported_at": plus_minutes(ctx.now, -silent),
                    "muted_until": ctx.moment(ctx.random.randint(1, 9), 18) if muted else None,
                    "mute_message": texts.MUTES[number % len(texts.MUTES)].format(**facts) if muted else "",
                }
            )
        )
        _series(state, ctx, host, bad=number % 7 == 2)


def _series(state: MonitoringState, ctx: SeedContext, host: Host, *, bad: bool) -> None:
    """Values around what is usual; a bad host leaves the usual in its last hours."""
    for metric, usual, spread in texts.REPORTED[host.role]:
        values = []
        for hour in range(HOURS):
            value = usual + spread * (ctx.random.random() * 2 - 1)
            if bad and hour >= HOURS - 5:
                value = usual * 0.35 if host.role == "gateway" else usual * (1.3 if usual in (71, 48) else 2.6)
            share = metric in ("system.cpu.user", "system.disk.in_use", "gateway.signal", "http.requests.errors")
            values.append(round(min(value, 99.5), 1) if share else float(round(value)))
        first = plus_minutes(ctx.moment(0, int(ctx.now[11:13])), -60 * (HOURS - 1))
        state.series.create(metric=metric, host=host.id, first_at=first, values=tuple(values))


def _monitor(
    state: MonitoringState, ctx: SeedContext, world: Engineering, components: list[Component], number: int
) -> None:
    own = [component for component in components if component.slug != GATEWAYS]
    kind = number % len(texts.MONITORS)
    title, metric, aggregator, comparison, critical, warning, priority, message = texts.MONITORS[kind]
    turn = number // len(texts.MONITORS)
    slug = GATEWAYS if metric.startswith("gateway") else own[(number + turn) % len(own)].slug
    change = _change(ctx, world, slug)
    round_ = turn // (1 if slug == GATEWAYS else len(own))
    owner = ctx.random.choice((ME, change.author, change.reviewer))
    second = f", {ctx.random.choice(_PLACES)} {round_ + 1}" if round_ else ""
    state.monitors.create(
        name=title.format(component=change.component.title) + second,
        service=slug,
        metric=metric,
        aggregator=aggregator,
        window_hours=ctx.random.choice((1, 2, 4)),
        comparison=comparison,
        critical=critical,
        warning=warning,
        message=message.format(**_facts(ctx, change)),
        notify_emails=tuple(dict.fromkeys((owner.email, change.reviewer.email))),
        priority=priority,
        owner_email=owner.email,
        locked=number % 6 == 5,
        muted_until=ctx.moment(0, 12) if number % 9 == 3 else None,
        created_at=ctx.moment(-ctx.random.randint(40, 400), 10),
    )


def _event(
    state: MonitoringState, ctx: SeedContext, world: Engineering, components: list[Component], number: int
) -> None:
    change = _change(ctx, world, components[number % len(components)].slug)
    title, alert_type, source, text = texts.EVENTS[number % len(texts.EVENTS)]
    facts = _facts(ctx, change)
    state.events.create(
        title=title.format(**facts),
        text=text.format(**facts),
        service=change.component.slug,
        alert_type=alert_type,
        source=source,
        by_email=change.author.email,
        at=ctx.moment(-ctx.random.randint(1, 40), ctx.random.randint(6, 20), ctx.random.randint(0, 59)),
    )


def _log(state: MonitoringState, ctx: SeedContext, world: Engineering) -> None:
    host = ctx.random.choice(list(state.hosts))
    status, message = ctx.random.choice(texts.LOGS)
    state.logs.create(
        at=ctx.moment(-ctx.random.randint(1, 14), ctx.random.randint(0, 23), ctx.random.randint(0, 59)),
        service=host.service,
        host=host.id,
        status=status,
        message=message.format(**_facts(ctx, _change(ctx, world, host.service))),
    )


def _downtimes(state: MonitoringState, ctx: SeedContext, world: Engineering) -> None:
    """Some over, one active now, some to come; the days keep those of one scope apart."""
    services = list(state.services)
    for number in range(ctx.size(14)):
        where = services[number % len(services)]
        turn = number // len(services)
        day = 3 + 4 * turn if number % 2 else -6 - 4 * turn
        start = ctx.moment(day, 20) if number else ctx.moment(0, 8)
        mine = state.monitors.find(service=where.id)
        state.downtimes.create(
            service=where.id,
            monitor_id=mine[0].id if mine and number % 4 == 1 else None,
            start=start,
            end=plus_minutes(start, ctx.random.choice((60, 120, 180))),
            message=texts.DOWNTIMES[number % len(texts.DOWNTIMES)].format(**_facts(ctx, _change(ctx, world, where.id))),
            created_by=ctx.random.choice((ME.email, where.owner_email)),
            cancelled=number % 6 == 5,
        )


def _episodes(state: MonitoringState, ctx: SeedContext, world: Engineering) -> None:
    monitors: list[Monitor] = list(state.monitors)
    for number in range(ctx.size(60)):
        monitor = monitors[number % len(monitors)]
        start = ctx.moment(-ctx.random.randint(1, 85), ctx.random.randint(0, 22), ctx.random.randint(0, 59))
        comment = ctx.random.choice(texts.COMMENTS).format(**_facts(ctx, _change(ctx, world, monitor.service)))
        end = plus_minutes(start, ctx.random.choice((4, 9, 17, 26, 55)))
        state.episodes.create(monitor_id=monitor.id, started_at=start, ended_at=end, comment=comment)


def _objectives(state: MonitoringState, ctx: SeedContext, world: Engineering) -> None:
    for number, monitor in enumerate(list(state.monitors)[: ctx.size(9)]):
        change = _change(ctx, world, monitor.service)
        facts = _facts(ctx, change)
        slo = state.slos.create(
            name=f"{monitor.name} for {change.project.company.name}",
            service=monitor.service,
            monitor_ids=(monitor.id,),
            target=(99.9, 99.5, 99.95)[number % 3],
            timeframe=("30d", "7d", "90d")[number % 3],
            description=texts.SLO_TEXT.format(**facts),
        )
        for episode in state.episodes.find(monitor_id=monitor.id)[:1]:
            state.corrections.create(
                slo_id=slo.id,
                category=("deployment", "outside_business_hours")[number % 2],
                start=episode.started_at,
                end=plus_minutes(episode.started_at, 5),
                description=texts.CORRECTIONS[number % 2].format(**facts),
                created_by=ME.email if number % 2 == 0 else change.author.email,
            )


def _notebooks(state: MonitoringState, ctx: SeedContext, world: Engineering) -> None:
    for number, (title, age, body) in enumerate(texts.NOTEBOOKS):
        author = world.engineers[number % len(world.engineers)]
        state.notebooks.create(title=title, body=body, author_email=author.email, modified_on=ctx.date(age))
    for number in range(ctx.size(12)):
        change = world.changes[number]
        facts = _facts(ctx, change)
        state.notebooks.create(
            title=f"{change.component.title} at {change.project.company.name}: {change.project.title}",
            body=texts.FINDING.format(**facts),
            author_email=change.author.email,
            modified_on=ctx.date(-ctx.random.randint(1, 90)),
        )
