"""How varied and how hard a set of stored tasks is, for the page and the API."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db.models import Avg, Count, Q, QuerySet

from services_app.models import Service, Tool
from tasks_app.engine.diversity import Traits, figures_of
from tasks_app.models import Task, Trajectory

MOST: Final = 1_000  # tasks that are measured at once, the newest


def figures(tasks: QuerySet[Task]) -> dict[str, Any]:
    """The figures of `tasks_app.engine.diversity` over the newest of these tasks, and what policies made of them.

    `matching` counts all tasks of the set, `tasks` those that were measured.
    """
    ids = tuple(tasks.order_by("-id").values_list("pk", flat=True)[:MOST])
    domains = tuple(Service.objects.order_by("slug").values_list("slug", "domain"))
    usable = Tool.objects.filter(status__in=(Tool.Status.VERIFIED, Tool.Status.SIMULATED))
    tools = tuple(usable.order_by("service__slug", "name").values_list("service__slug", "name"))
    matching = tasks.count() if len(ids) == MOST else len(ids)
    return {"matching": matching, **_measured(ids, domains, tools), "policies": _policies(ids)}


@lru_cache(maxsize=8)
def _measured(
    ids: tuple[UUID, ...], domains: tuple[tuple[str, str], ...], tools: tuple[tuple[str, str], ...]
) -> dict[str, Any]:
    """Kept, since the instruction and traits of a task never change and a thousand take over a second."""
    rows = Task.objects.filter(pk__in=ids).order_by("-id").values_list("instruction", "traits")
    traits = [Traits(instruction=instruction, **found) for instruction, found in rows]
    offered: dict[str, list[str]] = {}
    for slug, name in tools:
        offered.setdefault(slug, []).append(name)
    return figures_of(traits, domains=dict(domains), tools=offered)


def _policies(ids: tuple[UUID, ...]) -> list[dict[str, Any]]:
    """Per policy that played any of the tasks: n rollouts with a verdict, mean score, share that passed whole."""
    told = Trajectory.objects.filter(task__in=ids, passed__isnull=False)
    rows = told.values("policy").annotate(
        n=Count("pk"), mean=Avg("score"), whole=Count("pk", filter=Q(passed=True)), tasks=Count("task", distinct=True)
    )
    return [
        {"policy": row["policy"], "n": row["n"], "tasks": row["tasks"], "mean": row["mean"],
         "complete": row["whole"] / row["n"]}
        for row in rows.order_by("policy")
    ]  # fmt: skip
