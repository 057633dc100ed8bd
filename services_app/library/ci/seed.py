"""A few months of runs: builds of every branch, deployments that went out, wait or were refused."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast
from services_app.library.ci import texts
from services_app.library.ci.state import CiState, Pipeline, Run, service
from services_app.library.engineering import Change, Component, Engineering, sha

_PLATFORM = {"scanner-firmware": "device-lab", "telematics-gateway": "device-lab"}
_RUNNERS = (
    ("linux-1", "linux", "online", 4, ""),
    ("linux-2", "linux", "online", 4, ""),
    ("linux-3", "linux", "paused", 4, "Disk is nearly full; cleaned on Thursday."),
    ("lab-london", "device-lab", "online", 1, "Four scanners HS-4 on the shelf."),
    ("lab-lyon", "device-lab", "offline", 1, "Moved to another room."),
    ("mac-1", "macos", "online", 1, ""),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


@service.seed
def fill(state: CiState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    for name, platform, status, slots, note in _RUNNERS:
        state.runners.create(name=name, platform=platform, status=status, slots=slots, note=note)
    for number, component in enumerate(world.components):
        _pipelines(state, ctx, cast, world, component, number)
    work = [change for change in world.changes[: ctx.size(64)] if change.stage != "planned"]
    for change in sorted(work, key=lambda change: (change.stage != "done", change.day, change.key)):
        _runs(state, ctx, change)
    # Something always waits for the signed-in user, whatever the scale.
    for change in [one for one in world.changes if one.component.slug == "customer-config"][:2]:
        if state.runs.first(pipeline_id="customer-config-deploy", branch=change.branch) is None:
            _deployment(state, ctx, change, ctx.moment(0, 8, 50), pending=True)
    _muted(state, ctx)


def _pipelines(
    state: CiState, ctx: SeedContext, cast: Cast, world: Engineering, component: Component, number: int
) -> None:
    mine = not component.settings
    manager = next(person for person in world.engineers if person.title == "Engineering Manager")
    approvers = (ME.email, manager.email) if mine else (manager.email,)
    for kind, jobs in (("build", ("lint", "test", "build")), ("deploy", ("check", "deploy"))):
        pipeline = state.pipelines.add(
            Pipeline.model_validate(
                {
                    "id": f"{component.slug}-{kind}",
                    "name": f"{component.title}: {kind}",
                    "repo": component.slug,
                    "kind": kind,
                    "description": texts.BUILDS if kind == "build" else texts.DEPLOYS,
                    "enabled": not (component.slug == "runbooks" and kind == "deploy"),
                    "platform": _PLATFORM.get(component.slug, "linux"),
                    "job_names": jobs,
                    "approver_emails": approvers if kind == "deploy" else (),
                    "timeout_minutes": 30 if kind == "build" else 15,
                }
            )
        )
        if kind == "build" and number % 2 == 0:
            state.schedules.create(
                pipeline_id=pipeline.id,
                weekday=_DAYS[number % 5],
                time=f"{2 + number % 4:02d}:30",
                branch="main",
                owner_email=ME.email if mine else world.engineers[number % len(world.engineers)].email,
            )
    for name, value, secret in (("REGION_COUNT", "3", False), ("DEPLOY_TOKEN", "not-shown", True)):
        state.variables.create(
            repo=component.slug,
            name=name,
            value=value,
            secret=secret,
            updated_by=manager.email,
            updated_at=ctx.moment(-90 + number, 10),
        )


def _runs(state: CiState, ctx: SeedContext, change: Change) -> None:
    """A build of the branch, perhaps red at first; for finished work a deployment as well."""
    day = change.day if change.stage == "done" else -ctx.random.randint(1, 4)
    hour = ctx.random.randint(8, 15)
    red = ctx.random.random() < (0.35 if change.stage == "done" else 0.5)
    if red:
        _build(state, ctx, change, ctx.moment(day - 1, hour, 5), red=True)
    if change.stage == "done" or not red:
        live = change.stage == "doing" and ctx.random.random() < 0.5
        _build(state, ctx, change, ctx.moment(0 if live else day, 8 if live else hour, 40), red=False, live=live)
    if change.stage == "done" and change.component.slug != "runbooks":
        _deployment(state, ctx, change, ctx.moment(day, hour + 2, ctx.random.randint(0, 59)))
    elif change.stage == "review" and not change.component.settings and change.component.slug != "runbooks":
        _deployment(state, ctx, change, ctx.moment(0, 8, 20), pending=True)


def _facts(ctx: SeedContext, change: Change, run: Run) -> dict[str, str]:
    facts = people.facts(ctx, change.project)
    facts |= {"title": change.title, "key": change.key, "repo": change.component.slug, "version": change.version}
    facts |= {"branch": run.branch, "commit": run.commit, "path": change.path, "author_email": change.author.email}
    return facts | {"reviewer": change.reviewer.name, "setting": change.setting.name if change.setting else change.path}


def _run(state: CiState, ctx: SeedContext, change: Change, kind: str, branch: str, moment: str) -> Run:
    notes = ctx.random.choice(texts.NOTES) if kind == "deploy" else ""
    return state.runs.create(
        pipeline_id=f"{change.component.slug}-{kind}",
        title=f"{change.key} {change.title}",
        branch=branch,
        commit=sha(change.key, branch, moment),
        trigger="manual" if kind == "deploy" else "push",
        actor_email=change.author.email,
        note=notes.format(**people.facts(ctx, change.project)),
        created_at=moment,
    )


def _build(state: CiState, ctx: SeedContext, change: Change, moment: str, *, red: bool, live: bool = False) -> None:
    run = _run(state, ctx, change, "build", change.branch, moment)
    facts = _facts(ctx, change, run)
    test, message = ctx.random.choice(texts.FLAKY)
    message = message.format(**facts)
    outcome = texts.FAILED.format(test=test, message=message, reviewer=facts["reviewer"]) if red else texts.PASSED
    online = next(row.id for row in state.runners.find(platform=_PLATFORM.get(change.component.slug, "linux")))
    _job(state, ctx, run, "lint", "success", texts.LINT.format(**facts), online)
    if live:
        _job(state, ctx, run, "test", "in_progress", texts.TEST.format(**facts, outcome="Running"), online)
        state.jobs.create(run_id=run.id, name="build", status="queued")
        return
    job = _job(
        state, ctx, run, "test", "failure" if red else "success", texts.TEST.format(**facts, outcome=outcome), online
    )
    _artifact(state, ctx, run, "test-report.txt", texts.REPORT.format(**facts, outcome=outcome.splitlines()[0]), 40)
    if red:
        state.failures.create(job_id=job, test=test, message=message)
        state.jobs.create(run_id=run.id, name="build", status="cancelled")
        return
    _job(state, ctx, run, "build", "success", texts.BUILD.format(**facts), online)
    name = f"{change.component.slug}-{change.version}.tar.gz"
    _artifact(state, ctx, run, name, texts.MANIFEST.format(**facts), ctx.random.randint(900, 48_000))


def _job(state: CiState, ctx: SeedContext, run: Run, name: str, status: str, log: str, runner: str) -> str:
    minutes = None if status == "in_progress" else ctx.random.randint(1, 14)
    return state.jobs.create(run_id=run.id, name=name, status=status, log=log, runner_id=runner, minutes=minutes).id


def _artifact(state: CiState, ctx: SeedContext, run: Run, name: str, content: str, size: int) -> None:
    age = 30 if name.endswith(".txt") else 180
    day = next(day for day in range(-140, 2) if ctx.date(day) == run.created_at[:10])
    state.artifacts.create(run_id=run.id, name=name, content=content, size_kb=size, expires_on=ctx.date(day + age))


def _deployment(state: CiState, ctx: SeedContext, change: Change, moment: str, *, pending: bool = False) -> None:
    run = _run(state, ctx, change, "deploy", "main" if not pending else change.branch, moment)
    facts = _facts(ctx, change, run)
    runner = next(row.id for row in state.runners.find(platform=_PLATFORM.get(change.component.slug, "linux")))
    _job(state, ctx, run, "check", "success", texts.BUILD.format(**facts), runner)
    approver = state.pipelines.get(run.pipeline_id).approver_emails[-1]
    environment = "staging" if pending else "production"
    if pending:
        state.jobs.create(run_id=run.id, name="deploy", status="waiting")
        state.gates.create(run_id=run.id, environment=environment)
    elif ctx.random.random() < 0.12:
        state.jobs.create(run_id=run.id, name="deploy", status="cancelled")
        comment = f"Not before {facts['start']}, says {facts['contact']}."
        state.gates.create(
            run_id=run.id, environment=environment, decision="rejected", decided_by=approver, comment=comment
        )
    else:
        _job(state, ctx, run, "deploy", "success", texts.DEPLOY.format(**facts), runner)
        state.gates.create(run_id=run.id, environment=environment, decision="approved", decided_by=approver)


def _muted(state: CiState, ctx: SeedContext) -> None:
    """Two tests that people have given up on for now, and one whose time is over."""
    seen: set[tuple[str, str]] = set()
    for number, failure in enumerate(state.failures):
        run = state.runs.get(state.jobs.get(failure.job_id).run_id)
        repo = state.pipelines.get(run.pipeline_id).repo
        if (repo, failure.test) not in seen and len(seen) < 3:
            state.muted.create(
                repo=repo,
                test=failure.test,
                issue=run.title.split()[0],
                muted_by=run.actor_email,
                until=ctx.date(-4 if number == 0 else 9),
            )
        seen.add((repo, failure.test))
