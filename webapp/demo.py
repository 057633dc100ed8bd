"""The demo world: the real pipeline on a small scale, one job with a child job for each long step.

Each stage looks at what is there and starts jobs only for what is missing. So a second demo reuses the first one's
world, and a demo whose worker died goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from services_app import actions as service_actions
from services_app.library import registry
from services_app.models import Service, Specification
from services_app.shipped import verify_missing
from tasks_app.models import Task, Trajectory
from tasks_app.pipelines import ready_services
from tasks_app.policies.rules import RULE_POLICIES
from training_app import actions as training_actions
from training_app.datasets import DatasetError
from training_app.models import DatasetVersion, Export
from webapp.common.child_runs import Job, Stage, go_through
from webapp.common.models import Run, User
from webapp.common.run_models import LIVE
from webapp.common.runs import RunContext, RunFailed, start_run

KIND: Final = "demo"
SPECIFICATIONS: Final = Path(__file__).parent / "demo_specs"
TASKS: Final[dict[str, Any]] = {
    "count": 8, "k": 3, "distractors": 2, "length": [5, 7], "seed": 1, "author": "rules",
}  # fmt: skip
# Effects are measured for every service that tasks may be drawn from, so the demo draws from a few.
DRAWN_FROM: Final = ("mail", "calendar", "chat", "crm", "help-desk", "documents", "sql-warehouse", "parcel-desk")
# The faulty policy leaves out another write each time, so its four rollouts of a task make a group with a spread.
ROLLOUTS: Final = {"faulty": 4}
FORMAT: Final = Export.Format.SFT.value
VERIFY: Final = "Demo: verify {} shipped services"


def start(by: User | None, **sizes: Any) -> Run:
    """Start making the demo world; the one that is being made already is returned instead of a second one.

    `sizes`: `tasks` is how many (8), `services` which shipped ones are verified (all).
    """
    live = Run.objects.filter(kind=KIND, state__in=LIVE).first()
    return live or start_run(kind=KIND, title="Demo world", payload=sizes, by=by)


def make(context: RunContext) -> dict[str, Any]:
    """Make what is missing of the demo world and say what it holds."""
    go_through(context, STAGES)
    return figures()


def verify(context: RunContext) -> list[Job]:
    """The shipped services that tasks are drawn from."""
    return verify_missing([slug for slug in _wanted(context) if slug in DRAWN_FROM], VERIFY)


def verify_rest(context: RunContext) -> list[Job]:
    """The other shipped services: last, so that nobody waits for them to see a task."""
    return verify_missing([slug for slug in _wanted(context) if slug not in DRAWN_FROM], VERIFY)


def _wanted(context: RunContext) -> Sequence[str]:
    wanted: Sequence[str] = context.payload.get("services") or registry.slugs()
    return wanted


def build(context: RunContext) -> list[Job]:
    """Import our own specifications; build those that no service was built from."""
    imported = [_import(path, context.run.created_by) for path in sorted(SPECIFICATIONS.glob("*.json"))]
    return [
        Job(
            "build",
            f"Demo: build {specification.title}",
            {"specification": str(specification.pk), "slug": specification.slug},
        )
        for specification in imported
        if not specification.services.filter(current__isnull=False).exists()
    ]


def _import(path: Path, by: User | None) -> Specification:
    specification, _ = service_actions.import_text(text=path.read_bytes(), name=path.name, by=by)
    return specification


def generate(context: RunContext) -> list[Job]:
    """Tasks, unless an earlier demo made some that still hold. Fewer than wanted is an outcome, not a gap."""
    if demo_tasks().exists():
        return []
    pool = [slug for slug in ready_services() if slug in DRAWN_FROM]
    count = int(context.payload.get("tasks") or TASKS["count"])
    return [Job("generate", f"Demo: generate {count} tasks", {**TASKS, "count": count, "services": pool})]


def play(_context: RunContext) -> list[Job]:
    """One job for each policy, over the tasks that it has not played."""
    jobs = []
    for policy in RULE_POLICIES:
        open_tasks = demo_tasks().exclude(pk__in=Trajectory.objects.filter(policy=policy).values("task"))
        ids = [str(pk) for pk in open_tasks.values_list("pk", flat=True)]
        if ids:
            payload = {"tasks": ids, "policy": policy, "n": ROLLOUTS.get(policy, 1)}
            jobs.append(Job("rollout", f"Demo: play {len(ids)} tasks with {policy}", payload))
    return jobs


def demo_tasks() -> Any:
    """Verified tasks that a demo made."""
    return Task.objects.filter(run__parent__kind=KIND, status=Task.Status.VERIFIED).order_by("id")


def ship(context: RunContext) -> list[Job]:
    """Freeze the passed trajectories as a dataset (equal content is not frozen twice) and export them once."""
    try:
        version = training_actions.passed_trajectories(by=context.run.created_by)
    except DatasetError as error:
        raise RunFailed("demo:dataset", str(error)) from error
    context.log(f"The passed trajectories are frozen as {version}.")
    if version.exports.filter(format=FORMAT, manifest__isnull=False).exists():
        return []
    payload = {"dataset": version.dataset.slug, "version": version.number, "format": FORMAT}
    return [Job("export", f"Demo: export {version}", payload)]


STAGES: Final[tuple[Stage, ...]] = (
    ("verifying shipped services", verify),
    ("building a service from a specification", build),
    ("generating tasks and proving them", generate),
    ("playing the tasks", play),
    ("freezing and exporting what passed", ship),
    ("verifying the other shipped services", verify_rest),
)


def figures() -> dict[str, Any]:
    """What the demo world holds."""
    tasks = demo_tasks()
    played = Trajectory.objects.filter(task__in=tasks)
    return {
        "services": Service.objects.filter(current__isnull=False).count(),
        "tasks": tasks.count(),
        "trajectories": played.count(),
        "passed": played.filter(passed=True).count(),
        "dataset": str(DatasetVersion.objects.filter(dataset__slug=training_actions.PASSED_SLUG).latest("number")),
    }
