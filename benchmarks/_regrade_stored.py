"""The part of `bench regrade` that needs a database; imported once Django is set up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from services_app.engine.catalogue import describe
from services_app.engine.environment import ProductEnvironment
from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from services_app.models import Service
from services_app.pipelines import storing
from services_app.verification.gate import verify_service
from tasks_app import pipelines, regrading
from tasks_app.engine.rollout import roll_out
from tasks_app.engine.task import TaskSpec
from tasks_app.models import Group, RegradedRollout, Task
from tasks_app.policies.rules import FaultyPolicy, NoopPolicy, ReferencePolicy
from webapp.common.models import Run
from webapp.common.runs import execute


def measure_stored(slugs: Sequence[str], write: Callable[[LocalMounting], TaskSpec], rollouts: int) -> dict[str, Any]:
    """Seconds from the start of the run to its result, with what it flips."""
    call_command("migrate", verbosity=0)
    now = timezone.now()
    run = Run.objects.create(kind="bench", title="Benchmark", queue="default", created_at=now, send_at=now)
    mounting = _installed(slugs, run)
    spec = write(mounting)
    task = pipelines.store_task(spec, run=run, by=None, number=0)
    stored = _play(task, spec, mounting, run, rollouts)
    change = regrading.Change({spec.rubric[0].id: "calls.size() == 0"})
    started = regrading.start_regrading(tasks=[task], change=change, by=None)
    begun = time.perf_counter()
    execute(started.pk)
    seconds = time.perf_counter() - begun
    started.refresh_from_db()
    rows = RegradedRollout.objects.filter(run=started)
    flips = Counter(flip["criterion"] for row in rows for flip in row.flips)
    return {
        "rollouts": rows.count(), "seconds": round(seconds, 3), "criteria": len(spec.rubric),
        "storing_seconds": round(stored, 3), "state": started.state,
        "only_the_changed_criterion_flips": set(flips) <= {spec.rubric[0].id},
        "difference": started.result.get("difference"),
    }  # fmt: skip


def _installed(slugs: Sequence[str], run: Run) -> LocalMounting:
    """The rows of verified services, and a mounting without their quarantined tools."""
    hidden = {}
    for slug in slugs:
        service = registry.load(slug)
        report = verify_service(
            slug, service.version_hash, partial(ProductEnvironment, [service]), timer=time.monotonic
        )
        hidden[slug] = report.quarantined
        context: Any = SimpleNamespace(run=run)
        storing.store_version(
            origin=Service.Origin.LIBRARY, info=describe(service), files=service.files, report=report,
            builder="hand", left_out={}, specification=None, context=context,
        )  # fmt: skip
    return LocalMounting([registry.load(slug) for slug in slugs], hidden)


def _play(task: Task, spec: TaskSpec, mounting: LocalMounting, run: Run, rollouts: int) -> float:
    """Store the rollouts of three policies again and again; how long the storing took, in seconds."""
    policies = (ReferencePolicy(), NoopPolicy(), FaultyPolicy())
    values = [roll_out(spec, policy, mounting, timer=time.monotonic) for policy in policies]
    groups = [Group.objects.create(task=task, run=run, policy=policy.name, size=rollouts) for policy in policies]
    begun = time.perf_counter()
    for number in range(rollouts):
        which = number % len(values)
        pipelines.store_trajectory(values[which], task=task, group=groups[which], index=number)
    return time.perf_counter() - begun
