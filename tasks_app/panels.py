"""What tasks and trajectories show on Home: the completion gap by policy, the latest records, stale tasks."""

from __future__ import annotations

from typing import Any

from django.db.models import Avg, Count, Min, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tasks_app import selectors
from tasks_app.models import Task, Trajectory
from webapp.common import panels
from webapp.common.models import User
from webapp.common.roles import Role

POLICIES = 6
LATEST = 6


def _tasks(_request: HttpRequest) -> dict[str, Any]:
    """Tasks by status, and for the policies that played last their mean score beside their full completion."""
    counts = dict(Task.objects.order_by("status").values_list("status").annotate(Count("pk")))
    return {
        "counts": [(status, label, counts[status]) for status, label in Task.Status.choices if counts.get(status)],
        "gaps": completion_gaps(),
    }


def completion_gaps() -> list[dict[str, Any]]:
    """Per policy: n rollouts with a verdict, their mean score and the share that passed whole; best mean first."""
    told = Trajectory.objects.filter(passed__isnull=False)
    rows = told.values("policy").annotate(
        n=Count("pk"), tasks=Count("task", distinct=True), mean=Avg("score"), whole=Count("pk", filter=Q(passed=True))
    )
    ordered = sorted(rows, key=lambda row: (-row["mean"], row["policy"]))[:POLICIES]
    return [{**row, "complete": row["whole"] / row["n"]} for row in ordered]


def _latest(_request: HttpRequest) -> dict[str, Any]:
    """The newest trajectory of each policy, the policies that played last first."""
    newest = Trajectory.objects.order_by("policy", "-id").distinct("policy").values("pk")
    rows = selectors.trajectory_list().filter(pk__in=newest).order_by("-id")
    return {"trajectories": list(rows[:LATEST])}


def _turns(user: User) -> list[panels.Turn]:
    """Tasks that stand on something that changed since their proof."""
    if not user.has_role(Role.CURATOR):
        return []
    stale = Task.objects.filter(status=Task.Status.STALE)
    found = stale.aggregate(count=Count("pk"), oldest=Min("proved_at"))
    url = f"{reverse('tasks')}?status={Task.Status.STALE}"
    return [panels.Turn(_("Stale tasks to prove again or retire"), found["count"], url, found["oldest"])]


panels.register_card(panels.Card("tasks", _("Tasks and the completion gap"), "home/card_tasks.html", _tasks, 30))
panels.register_card(
    panels.Card("trajectories", _("Latest trajectory of each policy"), "home/card_trajectories.html", _latest, 40)
)
panels.register_turn("tasks", _turns)
panels.register_step(
    panels.Step("tasks", _("Compose services and generate tasks"), "/compose/", Task.objects.exists, 20)
)
panels.register_step(
    panels.Step("rollouts", _("Play a task and read its trajectory"), "/tasks/", Trajectory.objects.exists, 25)
)
