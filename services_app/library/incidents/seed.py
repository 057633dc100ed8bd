"""Some months of incidents, most of them settled, a few under way this morning."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast
from services_app.library.engineering import Change, Engineering
from services_app.library.incidents import texts
from services_app.library.incidents.state import Incident, IncidentsState, service
from services_app.library.shared import plus_minutes

_SEVERITIES = ("sev3", "sev2", "sev4", "sev1", "sev3", "sev2")
_STAGES = ("mitigated", "triggered", "acknowledged")


@service.seed
def fill(state: IncidentsState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    for person in (ME, *world.engineers, *cast.team("support")):
        state.responders.create(name=person.name, email=person.email, phone=person.phone)
    _on_call(state, ctx, cast, world)
    count = ctx.size(40)
    done = [change for change in world.changes if change.stage == "done"][:count]
    for number, change in enumerate(sorted(done, key=lambda change: (change.day, change.key))):
        live = number >= len(done) - len(_STAGES) - 1
        stage = _STAGES[(len(done) - number - 1) % len(_STAGES)] if live else "resolved"
        _incident(state, ctx, cast, world, change, number, stage)
    for number in range(ctx.size(12)):
        change = world.changes[number]
        summary, details = texts.ALERTS[number % len(texts.ALERTS)]
        state.alerts.create(
            service=change.component.slug,
            summary=summary,
            details=details.format(**_facts(ctx, change)),
            source="probe",
            status="firing" if number % 3 else "closed",
            fired_at=ctx.moment(0, 7, ctx.random.randint(0, 59)),
        )


def _on_call(state: IncidentsState, ctx: SeedContext, cast: Cast, world: Engineering) -> None:
    manager = next(person for person in world.engineers if person.title == "Engineering Manager")
    support = cast.team("support")
    rotations = (
        ("Platform on-call", world.engineers[:4], manager),
        ("Devices on-call", world.engineers[4:], manager),
        ("Customer desk on-call", [ME, *support[:3]], support[0]),
    )
    for name, members, escalate in rotations:
        state.schedules.create(
            name=name,
            member_emails=tuple(person.email for person in members),
            rotation_start=ctx.date(-210),
            escalate_to=escalate.email,
        )
    schedules = list(state.schedules)
    for component in world.components:
        kind = 2 if not component.settings else 1 if component.key in ("SCN", "TGW") else 0
        values = {"name": component.title, "description": component.purpose, "schedule_id": schedules[kind].id}
        runbook = texts.RUNBOOK.format(component=component.title, owner=manager.name)
        record = state.services.record_type.model_validate({"id": component.slug, **values, "runbook": runbook})
        state.services.add(record)
    for number in range(ctx.size(6)):
        schedule = schedules[number % len(schedules)]
        first = 5 + 9 * (number // len(schedules)) + number % len(schedules)
        state.overrides.create(
            schedule_id=schedule.id,
            email=support[number % len(support)].email,
            first_day=ctx.date(first if number else -3),
            last_day=ctx.date((first if number else -3) + 2),
            reason=texts.OVERRIDES[number % len(texts.OVERRIDES)].format(city=cast.companies[number].city),
        )


def _facts(ctx: SeedContext, change: Change) -> dict[str, str]:
    facts = people.facts(ctx, change.project)
    facts |= {"component": change.component.title, "key": change.key, "author": change.author.name}
    return facts | {"path": change.path}


def _incident(
    state: IncidentsState, ctx: SeedContext, cast: Cast, world: Engineering, change: Change, number: int, stage: str
) -> None:
    facts = _facts(ctx, change)
    title, summary, cause = texts.KINDS[number % len(texts.KINDS)]
    resolved = stage == "resolved"
    at = ctx.moment(change.day + 1 if resolved else 0, ctx.random.randint(5, 7), ctx.random.randint(0, 59))
    late = ctx.random.choice((2, 4, 9, 25, 70))
    steps = [plus_minutes(at, minutes) for minutes in (late, late + 20, late + 55)]
    reached = ("triggered", "acknowledged", "mitigated", "resolved").index(stage)
    incident = state.incidents.create(
        title=title.format(**facts),
        service=change.component.slug,
        severity=_SEVERITIES[number % len(_SEVERITIES)],
        status=stage,
        summary=summary.format(**facts),
        cause=cause if resolved else "",
        related_issue=change.key if resolved else "",
        reported_by=ctx.random.choice((ME.email, change.project.owner.email, change.reviewer.email)),
        triggered_at=at,
        acknowledged_at=steps[0] if reached > 0 else None,
        mitigated_at=steps[1] if reached > 1 else None,
        resolved_at=steps[2] if reached > 2 else None,
    )
    _people(state, ctx, world, change, incident, lead=reached > 0)
    _timeline(state, ctx, change, incident)
    summary, details = texts.ALERTS[number % len(texts.ALERTS)]
    state.alerts.create(
        service=incident.service,
        summary=summary,
        details=details.format(**facts),
        source="metrics",
        status="closed" if reached > 1 else "acknowledged" if reached else "firing",
        incident_id=incident.id,
        fired_at=at,
    )
    if resolved and incident.severity in ("sev1", "sev2"):
        _postmortem(state, ctx, change, incident)


def _people(
    state: IncidentsState, ctx: SeedContext, world: Engineering, change: Change, incident: Incident, *, lead: bool
) -> None:
    names = [(role, person) for role, person in (("responder", change.author), ("commander", change.reviewer))]
    if lead and ctx.random.random() < 0.5:
        names.append(("communications", ME))
    for role, person in names[: 3 if lead else 1]:
        state.assignments.create(incident_id=incident.id, role=role, email=person.email)
    project = change.project
    state.impacts.create(
        incident_id=incident.id,
        company=project.company.name,
        contact_email=project.contact.email,
        note=f"{project.seats} {project.product.unit}s under {project.po_number}.",
    )


def _timeline(state: IncidentsState, ctx: SeedContext, change: Change, incident: Incident) -> None:
    facts = _facts(ctx, change)
    rows = [("page", f"Paged {change.author.email}, on call for {incident.service}.", incident.triggered_at)]
    if incident.acknowledged_at:
        rows.append(("status", "Acknowledged.", incident.acknowledged_at))
        for text in ctx.random.sample(texts.NOTES, ctx.random.randint(1, 3)):
            moment = plus_minutes(incident.acknowledged_at, ctx.random.randint(1, 15))
            rows.append(("note", text.format(**facts), moment))
        rows.append(("update", texts.UPDATES[0], plus_minutes(incident.acknowledged_at, 16)))
    if incident.mitigated_at:
        rows.append(("status", ctx.random.choice(texts.MITIGATED), incident.mitigated_at))
    if incident.resolved_at:
        rows.append(("status", f"Resolved: {incident.cause}", incident.resolved_at))
    for kind, text, moment in sorted(rows, key=lambda row: row[2]):
        state.timeline.create(incident_id=incident.id, kind=kind, text=text, by_email=change.author.email, at=moment)


def _postmortem(state: IncidentsState, ctx: SeedContext, change: Change, incident: Incident) -> None:
    if len(state.postmortems) and ctx.random.random() < 0.2:
        return
    facts = _facts(ctx, change)
    first = not len(state.postmortems)  # waits for the signed-in user, whatever the scale
    status = "in_review" if first else ctx.random.choice(("draft", "in_review", "published", "published"))
    state.postmortems.create(
        incident_id=incident.id,
        status=status,
        author_email=change.author.email,
        what_happened=texts.STORY.format(**facts),
        root_cause=texts.ROOT.format(**facts),
        reviewer_email=None if status == "draft" else ME.email if first else change.reviewer.email,
        published_at=plus_minutes(incident.triggered_at, 2000) if status == "published" else None,
    )
    for text in ctx.random.sample(texts.ITEMS, ctx.random.randint(1, 3)):
        state.action_items.create(
            incident_id=incident.id,
            title=text.format(**facts),
            owner_email=ctx.random.choice((ME.email, change.author.email, change.reviewer.email)),
            due_date=ctx.date(ctx.random.randint(-20, 30)),
            status=ctx.random.choice(("open", "open", "done")),
        )
