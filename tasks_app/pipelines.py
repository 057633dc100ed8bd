"""Generate, prove and roll out: what the jobs of this app carry out.

Every step is stored as soon as it is done and keyed by what it is about, so that a run that is taken up again
after its worker died repeats nothing and writes nothing twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from services_app.batch_models import BatchItem
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.protocol import Mounting
from services_app.environments import mounting_of
from services_app.models import EffectProfile, Service, Tool
from services_app.pipelines import batch, sessions
from services_app.pipelines.building import sandbox_words
from services_app.pipelines.lanes import Shared, Work
from tasks_app import editions
from tasks_app.authors.batch import SCALE, GenerateRequest, Written, write_task
from tasks_app.authors.workshop import Workshop
from tasks_app.composing import chances_of
from tasks_app.engine.flows import flow_of
from tasks_app.engine.profile import ServiceProfile, profile_service
from tasks_app.engine.proof import prove
from tasks_app.engine.rollout import Limits, Policy, roll_out
from tasks_app.engine.task import Proof, TaskSpec
from tasks_app.engine.trajectory import Trajectory as TrajectoryValue
from tasks_app.model_writing import ModelAuthoring, reworded, write_by_model
from tasks_app.models import Group, Task, TaskService, TaskTool, Trajectory, TrajectoryStep
from tasks_app.task_rows import columns_of
from webapp.common import clean
from webapp.common.models import Run, User
from webapp.common.runs import RunContext, RunFailed
from workers.sandbox.limits import SandboxError

State = BatchItem.State
GENERATION: Final = Shared("generate", "generate-lane", phase="authoring and proving", unit="tasks")


def ready_services() -> list[str]:
    """Slugs of services with at least three usable tools, one of which can be called."""
    usable = Counter(
        Tool.objects.filter(status__in=(Tool.Status.VERIFIED, Tool.Status.SIMULATED)).values_list(
            "service__slug", flat=True
        )
    )
    built = Service.objects.filter(current__isnull=False).values_list("slug", flat=True)
    return sorted(slug for slug in built if usable[slug] >= 3)


def generate(context: RunContext, request: GenerateRequest) -> dict[str, Any]:
    """Author and prove `count` tasks, together with helpers; each is stored as soon as it is proven."""
    run = context.run
    if not BatchItem.objects.filter(run=run).exists():
        batch.add_items(run, (BatchItem(name=f"Task {number + 1}") for number in range(request.count)))
    with _author(context, run, request) as write:
        GENERATION.together(context, write)
    items = list(BatchItem.objects.filter(run=run).order_by("position").values_list("result", flat=True))
    made = [result["task"] for result in items if "task" in result]
    reasons: Counter[str] = Counter()
    for result in items:
        reasons.update(result.get("rejected", {}))
    if not made:
        raise RunFailed("author:none", f"No task could be proven: {_most(reasons)}")
    figures = {"tasks": made, "wanted": request.count, "proven": len(made), "rejected": dict(reasons.most_common(20))}
    return figures | (sessions.result_of(run) if "by_model" in run.payload else {})


def generate_lane(context: RunContext) -> dict[str, Any]:
    """Help a generation on another worker."""
    parent = Run.objects.get(pk=context.payload["batch"])
    with _author(context, parent, GenerateRequest.parse(parent.payload)) as write:
        return {"written": GENERATION.help_out(context, write)}


@contextmanager
def _author(context: RunContext, owner: Run, request: GenerateRequest) -> Iterator[Work]:
    """What writes the task of an item: its number is the item's position, its run is `owner`."""
    pool = list(request.services) or ready_services()
    by_model = owner.payload.get("by_model")
    asked = ModelAuthoring.model_validate(by_model) if by_model else None
    with mounting_of(pool) as mounting:
        profiles = profiles_of(context, mounting, pool)
        request = with_chances(request, profiles)
        with closing(Workshop(mounting, profiles)) as workshop:

            def author(item: BatchItem) -> Written:
                if asked is not None and owner.payload["author"] == "model":
                    return write_by_model(context, item, mounting, profiles, request, pool, asked)
                written = write_task(mounting, workshop, request, pool, item.position)
                if asked is None or written.task is None:
                    return written
                return replace(written, task=reworded(context, item, mounting, written.task, asked))

            yield lambda item: _settled(context, owner, item, author(item))


def with_chances(request: GenerateRequest, profiles: Mapping[str, ServiceProfile]) -> GenerateRequest:
    """The request with what its mode makes of the measured pool. Raises WalkError in words."""
    flows = {slug: flow_of(profile) for slug, profile in profiles.items()}
    return replace(request, chances=chances_of(request.mode, request.needed, flows, dict(request.weights)))


def _settled(context: RunContext, owner: Run, item: BatchItem, written: Written) -> batch.Settled:
    """Store the task of an item, or say why there is none."""
    found: dict[str, Any] = {"rejected": dict(written.reasons)}
    if written.task is None:
        context.log(f"{item.name} was given up after {written.tried} compositions.", level="warning")
        return batch.Settled(State.FAILED, _most(written.reasons), "author:none", result=found)
    context.log(f"{item.name} is proven: {' > '.join(written.task.graph.walk)}.")
    drawn = {**written.task.author, "mode": owner.payload.get("mode", "uniform")}
    task = store_task(
        written.task.model_copy(update={"author": drawn}), run=owner, by=owner.created_by, number=item.position
    )
    return batch.Settled(State.PROVEN, result={**found, "task": task.public_id})


def profiles_of(context: RunContext, mounting: Mounting, slugs: Iterable[str]) -> dict[str, ServiceProfile]:
    """Effect profiles of services, measured once per version."""
    profiles = {}
    for slug in slugs:
        environment = mounting.mount([slug], seed=0, scale=SCALE)
        version_hash = environment.catalogue.services[slug].version_hash
        known = EffectProfile.objects.filter(version_hash=version_hash).first()
        if known is None:
            context.checkpoint()
            context.progress(phase=f"measuring effects of {slug}")
            measured = profile_service(environment, slug)
            known, _ = EffectProfile.objects.get_or_create(
                version_hash=version_hash,
                defaults={"slug": slug, "profile": clean.json_value(measured.model_dump(mode="json"))},
            )
        environment.close()
        profiles[slug] = ServiceProfile.model_validate(known.profile)
    return profiles


def store_task(spec: TaskSpec, *, run: Run, by: User | None, number: int) -> Task:
    """The row of a proven task with what it mounts and calls; a task that exists already is returned."""
    slugs = [mounted.slug for mounted in spec.services]
    services = {row.slug: row for row in Service.objects.filter(slug__in=slugs).select_related("current")}
    with transaction.atomic():
        task, created = Task.objects.get_or_create(
            task_hash=spec.task_hash,
            defaults={**columns_of(spec), "run": run, "created_by": by, "seed": number},
        )
        if created:
            TaskService.objects.bulk_create(
                TaskService(
                    task=task,
                    service=services[mounted.slug],
                    service_version=services[mounted.slug].current,
                    role=mounted.role,
                    position=position,
                )
                for position, mounted in enumerate(spec.services)
            )
            used = {(call.service, call.tool) for call in spec.reference.calls}
            tools = Tool.objects.filter(service__in=services.values()).select_related("service")
            TaskTool.objects.bulk_create(
                TaskTool(task=task, tool=tool) for tool in tools if (tool.service.slug, tool.name) in used
            )
    return task


def prove_again(context: RunContext, tasks: Iterable[Task]) -> dict[str, Any]:
    """Run the proof of each task on the services as they are now; a task that holds is verified again."""
    rows = list(tasks)
    outcome: Counter[str] = Counter()
    for number, task in enumerate(rows):
        context.checkpoint()
        context.progress(done=number, total=len(rows), unit="tasks", phase="proving")
        status, reason, proof = _prove_one(task)
        spec = task.to_spec().with_proof(proof) if proof is not None else task.to_spec()
        with transaction.atomic():
            status, reason = editions.after_proof(task, status, reason)
            Task.objects.filter(pk=task.pk).update(
                status=status,
                status_reason=reason,
                proved_at=timezone.now(),
                spec=clean.text(spec.model_dump_json()),
                version=F("version") + 1,
            )
        outcome[status] += 1
        context.log(f"{task.public_id}: {status}{f' ({reason})' if reason else ''}")
    context.progress(done=len(rows), total=len(rows), unit="tasks", phase="done")
    return dict(outcome)


def _prove_one(task: Task) -> tuple[str, str, Proof | None]:
    spec = task.to_spec()
    try:
        with mounting_of(mounted.slug for mounted in spec.services) as mounting:
            environment = mounting.mount([mounted.slug for mounted in spec.services], scale=SCALE)
            changed = [
                mounted.slug
                for mounted in spec.services
                if environment.catalogue.services[mounted.slug].version_hash != mounted.version_hash
            ]
            environment.close()
            if changed:
                return Task.Status.STALE, f"made for another version of {', '.join(changed)}", None
            proof = prove(spec, lambda one: one.environment(mounting))
    except (EngineError, ServiceDefect, SandboxError) as error:
        return Task.Status.STALE, str(error), None
    if proof.passed:
        return Task.Status.VERIFIED, "", proof
    return Task.Status.REJECTED, f"fails: {', '.join(proof.failing)}", proof


def roll_out_tasks(
    context: RunContext, tasks: Iterable[Task], policy: Policy, *, count: int, limits: Limits
) -> dict[str, Any]:
    """Play each task `count` times with one policy; a trajectory that is stored already is not played again."""
    rows = list(tasks)
    total, done = len(rows) * count, 0
    outcome: Counter[str] = Counter()
    for task in rows:
        spec = task.to_spec()
        group, _ = Group.objects.get_or_create(run=context.run, task=task, policy=policy.name, defaults={"size": count})
        stored = set(group.trajectories.values_list("index", flat=True))
        try:
            with mounting_of(mounted.slug for mounted in spec.services) as mounting:
                for index in range(count):
                    if index not in stored:
                        context.checkpoint()
                        value = roll_out(spec, policy, mounting, timer=time.monotonic, limits=limits, seed=index)
                        store_trajectory(value, task=task, group=group, index=index)
                    done += 1
                    context.progress(done=done, total=total, unit="rollouts", phase=f"playing with {policy.name}")
        except (EngineError, ServiceDefect, SandboxError) as error:
            raise sandbox_words(error) from error
        outcome.update(group.trajectories.values_list("status", flat=True))
    context.log(f"{outcome['passed']} of {total} rollouts passed.")
    return {
        "policy": policy.name,
        "rollouts": total,
        **{status: outcome[status] for status in Trajectory.Status.values},
    }


def store_trajectory(value: TrajectoryValue, *, task: Task, group: Group, index: int) -> Trajectory:
    """The row of a trajectory and of its steps; the same index of a group is stored once."""
    body, changed = clean_body(value)
    with transaction.atomic():
        trajectory, created = Trajectory.objects.get_or_create(
            group=group,
            index=index,
            defaults={
                "task": task,
                "run": group.run,
                "policy": value.policy,
                "status": status_of(value),
                "passed": value.passed,
                "score": value.score,
                "stop_reason": value.stop_reason,
                "step_count": len(value.steps),
                "service_calls": sum(bool(step.service) for step in value.steps),
                "simulated_share": value.simulated_share,
                "prompt_tokens": value.usage.prompt_tokens,
                "completion_tokens": value.usage.completion_tokens,
                "cost_usd": value.usage.cost_usd,
                "duration_ms": value.duration_ms,
                "state_hash": value.state_hash,
                "sanitised": changed,
                "body": body,
            },
        )
        if created:
            TrajectoryStep.objects.bulk_create(
                TrajectoryStep(
                    trajectory=trajectory,
                    index=step.index,
                    service=step.service,
                    tool=step.tool,
                    success=step.success,
                    change_count=len(step.changes),
                    body=clean.text(step.model_dump_json()),
                )
                for step in value.steps
            )
    return trajectory


def clean_body(value: TrajectoryValue) -> tuple[str, bool]:
    """JSON text of a trajectory without its steps, and whether anything had to be replaced to store it."""
    raw = value.model_dump_json(exclude={"steps"})
    stored = clean.text(raw)
    return stored, stored != raw


def status_of(value: TrajectoryValue) -> str:
    """passed, partial (some criteria), failed, or error when the outcome could not be told."""
    if value.passed is None:
        return Trajectory.Status.ERROR
    if value.passed:
        return Trajectory.Status.PASSED
    return Trajectory.Status.PARTIAL if (value.score or 0.0) > 0 else Trajectory.Status.FAILED


def _most(reasons: Counter[str]) -> str:
    return "; ".join(f"{name} ({count})" for name, count in reasons.most_common(5)) or "no composition was possible"
