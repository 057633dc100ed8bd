"""Write use cases of tasks: generate, prove, retire, roll out; and what a quarantined tool does to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from services_app.dependants import Impact, few_and_count
from tasks_app import composing
from tasks_app.authors.phrasebook import book_of
from tasks_app.authors.tongue import Language
from tasks_app.composing import Asked
from tasks_app.engine.chances import DEFAULT_MODE, Mode
from tasks_app.engine.walk import WalkError, check_walk
from tasks_app.model_writing import ModelAuthoring
from tasks_app.models import Task, TaskTool, Trajectory
from tasks_app.pipelines import ready_services
from webapp.common import activity
from webapp.common.models import Run, User
from webapp.common.runs import StateConflict, start_run

MAX_TASKS = 5_000
MAX_ROLLOUTS = 64
MOST_LANES = 16


def start_generation(  # noqa: PLR0913 - one for each thing that is asked
    *,
    count: int,
    k: int,
    distractors: int,
    length: tuple[int, int],
    seed: int,
    by: User | None,
    services: Sequence[str] = (),
    mode: Mode = DEFAULT_MODE,
    policy: str = "",
    author: str = "rules",
    language: Language = "en",
    by_model: ModelAuthoring | None = None,
    lanes: int | None = None,
) -> Run:
    """Start authoring tasks, on `lanes` workers at the same time (default: the cores).

    `mode` is how services are drawn; `policy` is the one whose failures direct it. Its weights are stored with the run.
    `language` is what the instructions are written in.
    `by_model` is the model that writes them, or that rewords what the rules author wrote (`model_authoring`).
    Raises WalkError in words for a request that cannot be met.
    """
    asked = check_request(
        count=count, k=k, distractors=distractors, length=length, services=services, mode=mode, policy=policy,
        language=language,
    )  # fmt: skip
    payload = {
        "count": count, "k": k, "distractors": distractors, "length": list(length), "seed": seed, "author": author,
        "mode": mode, "policy": policy, "language": language, "weights": composing.weights_of(asked),
        "services": list(asked.pool), "lanes": lanes or min(os.cpu_count() or 1, MOST_LANES),
    }  # fmt: skip
    title = f"Generate {count} tasks over {k} services"
    if by_model is not None:
        payload["by_model"] = by_model.model_dump(mode="json")
        title += f" with {by_model.model}"
    return start_run(kind="generate", title=title, payload=payload, by=by)


def check_request(
    *,
    count: int,
    k: int,
    distractors: int,
    length: tuple[int, int],
    services: Sequence[str],
    mode: Mode = DEFAULT_MODE,
    policy: str = "",
    language: Language = "en",
) -> Asked:
    """What is drawn from, with all services that are ready when none is named. Raises WalkError in words."""
    if not 1 <= count <= MAX_TASKS:
        raise WalkError(f"the number of tasks must be between 1 and {MAX_TASKS}, not {count}")
    pool = _spoken_of(services, language)
    if k + distractors > len(pool):
        raise WalkError(f"{k} needed services and {distractors} distractors are wanted; {len(pool)} are ready")
    if length[0] > length[1]:
        raise WalkError(f"the length range {length[0]}..{length[1]} is empty")
    for steps in length:
        check_walk(k, steps)
    asked = Asked(k, distractors, length, tuple(pool), mode, policy)
    composing.chances_of(mode, k, composing.known_flows(pool), composing.weights_of(asked))
    return asked


def _spoken_of(services: Sequence[str], language: Language) -> Sequence[str]:
    """The services that tasks in a language can be about; English does for all. Raises WalkError in words."""
    if language == "en":
        return services or ready_services()
    silent = [slug for slug in services if book_of(slug) is None]
    if silent:
        raise WalkError(f"instructions in {language} need a phrase book of each service; there is none of {silent[0]}")
    return services or [slug for slug in ready_services() if book_of(slug) is not None]


def start_proof(*, tasks: Iterable[Task], by: User | None) -> Run:
    """Start running the proofs of tasks again."""
    ids = [str(task.pk) for task in tasks]
    return start_run(kind="prove", title=f"Prove {len(ids)} tasks", payload={"tasks": ids}, by=by)


def start_rollouts(*, tasks: Iterable[Task], policy: str, count: int, by: User | None) -> Run:
    """Start playing tasks with a policy. Raises ValueError in words."""
    ids = [str(task.pk) for task in tasks]
    if not ids:
        raise ValueError("There is no task to play.")
    if not 1 <= count <= MAX_ROLLOUTS:
        raise ValueError(f"The number of rollouts per task must be between 1 and {MAX_ROLLOUTS}, not {count}.")
    payload = {"tasks": ids, "policy": policy, "n": count}
    return start_run(kind="rollout", title=f"Play {len(ids)} tasks with {policy}", payload=payload, by=by)


class TaskConflict(StateConflict):
    """The task is not in a state for this (409)."""

    def __init__(self, message: str, state: str) -> None:
        super().__init__("retire", state)
        self.args = (message,)


def retire(*, task: Task, by: User, reason: str) -> Task:
    """Take a task out of use; it stays readable. Raises TaskConflict when it is retired already."""
    with transaction.atomic():
        locked = Task.objects.select_for_update().get(pk=task.pk)
        if locked.status == Task.Status.RETIRED:
            raise TaskConflict("The task is retired already.", locked.status)
        before = locked.status
        locked.status, locked.status_reason = Task.Status.RETIRED, reason
        locked.version += 1
        locked.save(update_fields=["status", "status_reason", "version"])
        activity.record(
            actor=by, verb="task.retired", target=locked, before={"status": before}, after={"status": locked.status},
            reason=reason,
        )  # fmt: skip
    return locked


# What stands on a tool (registered with services_app.dependants)


def impact_of_tools(tools: Iterable[UUID]) -> list[Impact]:
    """How many tasks and trajectories use these tools, with a few of each."""
    ids = list(tools)
    tasks = Task.objects.filter(tool_uses__tool__in=ids, status=Task.Status.VERIFIED).distinct()
    trajectories = Trajectory.objects.filter(task__tool_uses__tool__in=ids).distinct()
    few, count = few_and_count(tasks.order_by("-id"))
    samples = tuple((task.instruction[:120], task.get_absolute_url()) for task in few)
    return [Impact("verified tasks", count, samples), Impact("trajectories", trajectories.count())]


def mark_stale(tools: Iterable[UUID], reason: str) -> list[str]:
    """Make verified tasks that use these tools stale; returns their ids."""
    return _mark(Task.objects.filter(tool_uses__tool__in=list(tools)), reason)


def mark_mounting(service: UUID, reason: str) -> list[str]:
    """Make verified tasks that mount this service stale, distractors included: their s0 is another one now."""
    return _mark(Task.objects.filter(mounted__service=service), reason)


def _mark(tasks: QuerySet[Task], reason: str) -> list[str]:
    ids = list(tasks.filter(status=Task.Status.VERIFIED).distinct().values_list("pk", flat=True))
    changed = {"status": Task.Status.STALE, "status_reason": reason, "version": F("version") + 1}
    Task.objects.filter(pk__in=ids).update(**changed)
    return [str(pk) for pk in ids]


def restore(ids: Iterable[str]) -> int:
    """Make tasks that became stale by one decision verified again, unless another of their tools is out of use."""
    broken = TaskTool.objects.exclude(tool__status__in=("verified", "simulated")).values("task")
    stale = Task.objects.filter(pk__in=list(ids), status=Task.Status.STALE).exclude(pk__in=broken)
    return stale.update(status=Task.Status.VERIFIED, status_reason="", version=F("version") + 1)
