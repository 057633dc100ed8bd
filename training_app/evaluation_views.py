"""Pages of evaluations: one with its figures, and two paired by task."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from training_app import evaluating, job_details, selectors
from training_app.models import Evaluation
from webapp.common.pages import render_page

OFFERED = 20
LISTED = 50


@require_safe
def evaluation_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Figures with their intervals."""
    evaluation = get_object_or_404(selectors.evaluation_list(), pk=pk)
    same = selectors.judged().filter(dataset_version=evaluation.dataset_version, split=evaluation.split)
    context = {
        "evaluation": evaluation,
        "run": evaluation.run,
        "others": list(same.exclude(pk=evaluation.pk)[:OFFERED]),
        **job_details.figures(evaluation),
        "nav": "jobs",
    }
    return render_page(request, "training/evaluation.html", context)


@require_safe
def compare_evaluations(request: HttpRequest) -> HttpResponse:
    """`first` and `second` name two evaluations with figures; differences are second minus first."""
    first, second = (selectors.judged_named(request.GET.get(name, "")) for name in ("first", "second"))
    comparison = None
    if first is not None and second is not None:
        try:
            comparison = evaluating.compare_evaluations(first, second)
        except ValueError as error:
            messages.error(request, str(error))
    context: dict[str, Any] = {
        "first": first,
        "second": second,
        "offered": list(selectors.judged()[:OFFERED]),
        "comparison": comparison,
        "differing": _differing(first, second) if comparison and first and second else [],
        **_moved(comparison),
        "nav": "jobs",
    }
    return render_page(request, "training/evaluations.html", context)


def _differing(first: Evaluation, second: Evaluation) -> list[tuple[str, Any, Any]]:
    """What both evaluations rest on and where they differ, beside the weights: it limits what a difference says."""
    a, b = ((each.results or {}).get("provenance") or {} for each in (first, second))
    names = [name for name in dict.fromkeys([*a, *b]) if name != "weights_sha256"]
    return [(name, a.get(name, "–"), b.get(name, "–")) for name in names if a.get(name) != b.get(name)]


def _moved(comparison: dict[str, Any] | None) -> dict[str, Any]:
    """Tasks that came out otherwise, with their pages; one query."""
    if comparison is None:
        return {}
    moved = {name: comparison[name][:LISTED] for name in ("gained", "lost")}
    links = selectors.task_links([task for tasks in moved.values() for task in tasks])
    return {name: [(task, *links.get(task, ("", ""))) for task in tasks] for name, tasks in moved.items()}
