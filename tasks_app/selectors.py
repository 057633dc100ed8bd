"""Reads of tasks and trajectories; each with a bounded number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Avg, Count, Prefetch, Q, QuerySet

from services_app.models import ModelSession, Tool
from tasks_app.engine.task import TaskSpec
from tasks_app.models import Group, Task, TaskService, Trajectory
from webapp.common import ids
from webapp.common.ids import IdError
from webapp.common.models import Run

MAX_GROUP = 512  # rollouts of a group that are read at once


def live_tasks() -> QuerySet[Task]:
    """Tasks that are in use, oldest first."""
    return Task.objects.exclude(status=Task.Status.RETIRED).order_by("id")


def tasks_by_id(public_ids: Sequence[str]) -> list[Task]:
    """Tasks by their shown ids. Raises IdError for text that is no id of a task."""
    keys = [ids.parse(Task.prefix, text) for text in public_ids]
    return list(Task.objects.filter(pk__in=keys).order_by("id"))


def task_figures(*, run: Run | None = None) -> list[dict[str, Any]]:
    """One plain row per task, for the command line and reports."""
    tasks = Task.objects.order_by("-id") if run is None else Task.objects.filter(run=run).order_by("seed")
    return [
        {
            "id": task.public_id,
            "hash": task.task_hash,
            "status": task.status,
            "k": task.needed_count,
            "length": task.walk_length,
            "calls": task.call_count,
            "criteria": task.criterion_count,
            "tags": task.tags,
            "instruction": task.instruction,
        }
        for task in tasks.defer("spec")
    ]


def session_of(spec: TaskSpec) -> ModelSession | None:
    """The session of the model that wrote or reworded a task; None when none did, or when it is not kept here."""
    shown = str(spec.author.get("session", ""))
    try:
        return ModelSession.objects.only("id", "role").get(pk=ids.parse(ModelSession.prefix, shown))
    except (IdError, ModelSession.DoesNotExist):
        return None


def task_list() -> QuerySet[Task]:
    """Tasks for a list, without their artifacts, with the figures of their trajectories."""
    return Task.objects.defer("spec").annotate(
        rollouts=Count("trajectories"),
        passes=Count("trajectories", filter=Q(trajectories__passed=True)),
        mean_score=Avg("trajectories__score"),
    )


def trajectory_list() -> QuerySet[Trajectory]:
    """Trajectories for a list, without their bodies."""
    return Trajectory.objects.defer("body").select_related("task").defer("task__spec", "body")


def mounted_titles(task: Task) -> dict[str, str]:
    """Titles of the services mounted in a task, by slug."""
    return dict(task.mounted.values_list("service__slug", "service__title"))


def policies_seen() -> list[str]:
    return list(Trajectory.objects.order_by("policy").values_list("policy", flat=True).distinct()[:50])


def task_detail() -> QuerySet[Task]:
    """Tasks without their artifacts, with what they mount."""
    mounted = TaskService.objects.select_related("service", "service_version").defer(
        "service_version__files", "service_version__description", "service_version__report"
    )
    return Task.objects.defer("spec").select_related("created_by").prefetch_related(Prefetch("mounted", mounted))


def rollouts_of(group: Group) -> QuerySet[Trajectory]:
    """The rollouts of a group in order, with their bodies."""
    fields = ("index", "status", "passed", "score", "body")
    return group.trajectories.order_by("index").only(*fields)[:MAX_GROUP]


def tool_counts(slugs: Iterable[str]) -> dict[str, dict[str, int]]:
    """Number of tools by status for services, by slug: {"mail": {"verified": 29, "quarantined": 1}}."""
    rows = Tool.objects.filter(service__slug__in=list(slugs)).values("service__slug", "status").annotate(n=Count("pk"))
    counts: dict[str, dict[str, int]] = {}
    for row in rows.order_by():
        counts.setdefault(row["service__slug"], {})[row["status"]] = row["n"]
    return counts
