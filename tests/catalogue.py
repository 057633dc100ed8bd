"""A small catalogue for tests: shipped services with their real reports, and proven tasks over them.

Reports and tasks are made by the real gate and author, once per test process; each test only writes the rows.
"""

from __future__ import annotations

import time
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any

from services_app.engine.catalogue import describe
from services_app.engine.environment import ProductEnvironment
from services_app.engine.protocol import LocalMounting
from services_app.library import registry
from services_app.models import Service
from services_app.pipelines import storing
from services_app.verification.gate import verify_service
from services_app.verification.report import VerificationReport
from tasks_app import pipelines as task_pipelines
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.profile import ServiceProfile, profile_service
from tasks_app.engine.rollout import Policy, roll_out
from tasks_app.engine.sampling import sample_composition
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import Trajectory as TrajectoryValue
from tasks_app.models import Group, Task, Trajectory
from tests.factories import make_run

SLUGS = ("mail", "crm", "help-desk")


@cache
def report_of(slug: str) -> VerificationReport:
    service = registry.load(slug)
    return verify_service(
        slug, service.version_hash, lambda: ProductEnvironment([service], scale="small"), timer=time.monotonic
    )


@cache
def mounting() -> LocalMounting:
    hidden = {slug: report_of(slug).quarantined for slug in SLUGS}
    return LocalMounting([registry.load(slug) for slug in SLUGS], hidden)


@cache
def profiles() -> dict[str, ServiceProfile]:
    return {slug: profile_service(mounting().mount([slug]), slug) for slug in SLUGS}


@cache
def workshop() -> Workshop:
    return Workshop(mounting(), profiles())


@cache
def proven_specs(wanted: int = 2) -> tuple[TaskSpec, ...]:
    """Proven tasks with K = 2 needed services and one distractor."""
    found: list[TaskSpec] = []
    for seed in count():
        drawn = sample_composition(SLUGS, needed=2, distractors=1, length=(3, 4), seed=seed)
        environment = mounting().mount(drawn.mounted, seed=seed % 7)
        spec = RulesAuthor(environment, workshop(), state_seed=seed % 7).write(drawn.walk, seed=seed)
        if isinstance(spec, TaskSpec) and spec.proof.passed:
            found.append(spec)
        if len(found) == wanted:
            break
        assert seed < 60, "the author no longer realises small walks"
    return tuple(found)


def install_services(slugs: tuple[str, ...] = SLUGS) -> list[Service]:
    """Rows of shipped services as a verification run leaves them."""
    context: Any = SimpleNamespace(run=make_run(kind="verify", state="succeeded"))
    return [
        storing.store_version(
            origin=Service.Origin.LIBRARY,
            info=describe(registry.load(slug)),
            files=registry.load(slug).files,
            report=report_of(slug),
            builder="hand",
            left_out={},
            specification=None,
            context=context,
        )
        for slug in slugs
    ]


def install_tasks(wanted: int = 2) -> list[Task]:
    """Rows of services and of proven tasks over them."""
    install_services()
    run = make_run(kind="generate", state="succeeded")
    return [
        task_pipelines.store_task(spec, run=run, by=None, number=number)
        for number, spec in enumerate(proven_specs(wanted))
    ]


def play(spec: TaskSpec, policy: Policy, **options: Any) -> TrajectoryValue:
    """One rollout on the shipped services of this process."""
    return roll_out(spec, policy, mounting(), timer=time.monotonic, **options)


def install_trajectory(task: Task, policy: Policy, *, index: int = 0) -> Trajectory:
    """The row of one rollout of a task."""
    run = make_run(kind="rollout", state="succeeded")
    group = Group.objects.create(task=task, run=run, policy=policy.name, size=1)
    return task_pipelines.store_trajectory(play(task.to_spec(), policy), task=task, group=group, index=index)
