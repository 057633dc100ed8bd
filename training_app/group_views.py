"""From a step of a GRPO run to its groups, from a group to its rollouts, from a rollout to the step that decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from training_app import group_summaries, lanes, rollout_files, selectors
from training_app.engine.rundir import RunDirectory
from training_app.group_summaries import GroupSummary
from training_app.job_views import training_of
from training_app.models import TrainingRun
from training_app.run_files import training_directory
from webapp.common.pages import render_page

ORDERS = ("worst", "played")


@require_safe
def training_rollouts(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The groups of one step, the worst first; `miss` keeps those with near misses of one criterion."""
    training = training_of(pk)
    directory = training_directory(training)
    steps = rollout_files.steps(directory)
    step = _asked_step(request, steps)
    groups = group_summaries.read(directory, step) if steps else ()
    miss = request.GET.get("miss", "")
    shown = [group for group in groups if not miss or miss in group.near_misses]
    order = request.GET.get("order", "worst")
    ordered = shown if order == "played" else group_summaries.worst_first(shown)
    context = {
        "training": training,
        "run": training.run,
        "steps": steps,
        "step": step,
        **_around(steps, step),
        "groups": _rows(training, step, ordered),
        "near_misses": group_summaries.near_misses(groups),
        "miss": miss,
        "order": order if order in ORDERS else "worst",
        "all": len(groups),
        "nav": "jobs",
    }
    return render_page(request, "training/rollouts.html", context, "step")


def _asked_step(request: HttpRequest, steps: Sequence[int]) -> int:
    """The step of the address, the newest one without; a chart's point between two steps opens the nearest."""
    asked = request.GET.get("step", "")
    if not asked:
        return steps[-1] if steps else 0
    if not asked.isdecimal() or len(asked) >= 10 or not steps or int(asked) > steps[-1]:
        raise Http404
    return min(steps, key=lambda step: abs(step - int(asked)))


def _around(steps: Sequence[int], step: int) -> dict[str, int | None]:
    place = steps.index(step) if step in steps else 0
    return {
        "before": steps[place - 1] if place > 0 else None,
        "after": steps[place + 1] if place + 1 < len(steps) else None,
    }


def _rows(training: TrainingRun, step: int, groups: Sequence[GroupSummary]) -> list[dict[str, Any]]:
    links = selectors.task_links([group.task_hash for group in groups])
    return [
        {
            "group": group,
            "task": links.get(group.task_hash),
            "href": reverse("training-group", args=[training.pk, step, group.number]),
            "criteria": sorted(group.pass_rates.items(), key=lambda entry: (entry[1], entry[0])),
        }
        for group in groups
    ]


@require_safe
def training_group(request: HttpRequest, pk: UUID, step: int, group: int) -> HttpResponse:
    """One group: the arithmetic of its reward, and the lanes of its rollouts against the best of them."""
    training = training_of(pk)
    directory = training_directory(training)
    found = next((one for one in rollout_files.groups(directory, step) if one.number == group), None)
    if found is None:
        raise Http404
    hrefs = [_rollout_href(training, step, group, row["index"]) for row in found.rollouts]
    texts = selectors.criteria_of(found.task_hash)
    numbers = [one.number for one in group_summaries.read(directory, step)]
    context = {
        "training": training,
        "run": training.run,
        "step": step,
        "group": found,
        "summary": GroupSummary.of(found),
        "task": selectors.task_links([found.task_hash]).get(found.task_hash),
        "matrix": rollout_files.matrix(found, hrefs, _("Criteria by rollouts")),
        "texts": texts,
        "lanes": _lanes(training, directory, step, found),
        "numbers": numbers,
        "nav": "jobs",
    }
    return render_page(request, "training/group.html", context)


def _rollout_href(training: TrainingRun, step: int, group: int, index: int) -> str:
    return reverse("training-rollout", args=[training.pk, step, group, index])


def _lanes(
    training: TrainingRun, directory: RunDirectory, step: int, group: rollout_files.StoredGroup
) -> list[dict[str, Any]]:
    """Each rollout with its steps; `first` is the number of the step where it leaves the best one's path."""
    steps = {row["index"]: lanes.steps_of(row) for row in rollout_files.whole_group(directory, step, group.number)}
    best = lanes.best_of(group.rollouts)
    made = []
    for row in group.rollouts:
        own = steps.get(row["index"], [])
        first = None if best is None or row["index"] == best else lanes.first_difference(own, steps.get(best, []))
        href = _rollout_href(training, step, group.number, row["index"])
        made.append({"row": row, "steps": own, "first": first, "best": row["index"] == best, "href": href})
    return made


@require_safe
def training_rollout(request: HttpRequest, pk: UUID, step: int, group: int, index: int) -> HttpResponse:
    """One rollout whole: its calls, what was sampled and observed, verdict, tokens, where it left the best one."""
    training = training_of(pk)
    rows = rollout_files.whole_group(training_directory(training), step, group)
    row = next((one for one in rows if one["index"] == index), None)
    if row is None:
        raise Http404
    context = {
        "training": training,
        "run": training.run,
        "row": row,
        "step": step,
        "steps": lanes.steps_of(row),
        **_against_best(rows, row),
        "verdict": _verdict(row),
        "indices": [one["index"] for one in rows],
        "nav": "jobs",
    }
    return render_page(request, "training/rollout.html", context)


def _verdict(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The criteria by name, with their words where the task is still there."""
    texts = selectors.criteria_of(str(row["task_id"]))
    verdict = row.get("verdict") or {}
    return [{"name": name, "met": met, "text": texts.get(name, "")} for name, met in sorted(verdict.items())]


def _against_best(rows: Sequence[dict[str, Any]], row: dict[str, Any]) -> dict[str, Any]:
    """The step where the rollout left the path of the best one, and what that one did there."""
    best = lanes.best_of(rows)
    if best is None or best == row["index"]:
        return {"first": None, "best": best, "instead": None}
    theirs = lanes.steps_of(next(one for one in rows if one["index"] == best))
    first = lanes.first_difference(lanes.steps_of(row), theirs)
    instead = theirs[first - 1] if first is not None and first <= len(theirs) else None
    return {"first": first, "best": best, "instead": instead}
