"""Pages of experiments: the list with the form that starts one, and one with its arms, pairs and budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from training_app import selectors
from training_app.engine.experiment import MOST, Plan, PlanError, Portion
from training_app.experiment_forms import ExperimentForm
from training_app.experiments import starting
from training_app.models import Experiment
from webapp.common.cursors import CursorError, paginate, read_limit
from webapp.common.pages import check_role, render_error, render_page, signed_in
from webapp.common.roles import Role


@require_http_methods(["GET", "HEAD", "POST"])
def experiment_list(request: HttpRequest) -> HttpResponse:
    """All experiments, newest first; a POST starts one."""
    sent = request.method == "POST"
    form = ExperimentForm(request.POST if sent else None, initial=ExperimentForm.first_values(_asked(request)))
    if sent:
        check_role(request, Role.TRAINER)
        if form.is_valid():
            try:
                return redirect(_start(request, form))
            except PlanError as error:
                form.add_error(None, str(error))
    try:
        page = paginate(
            selectors.experiment_list(), cursor=request.GET.get("cursor"), limit=read_limit(request.GET.get("limit"))
        )
    except CursorError as error:
        return render_error(request, 400, str(error))
    context = {
        "page": page,
        "rows": [(one, starting.TITLES[one.preset]) for one in page.rows],
        "form": form,
        "opened": sent or "preset" in request.GET or not page.rows,
        "presets": [(name, title, starting.WORDS[name]) for name, title in starting.TITLES.items()],
        "may_start": signed_in(request).has_role(Role.TRAINER),
        "nav": "jobs",
    }
    return render_page(request, "training/experiments.html", context, status=422 if sent else 200)


def _asked(request: HttpRequest) -> str:
    return request.GET.get("preset", "")


def _start(request: HttpRequest, form: ExperimentForm) -> Experiment:
    data = form.cleaned_data
    return starting.start(
        data["preset"],
        source=data["source"],
        start=data["start"].strip(),
        trainer=data["trainer"],
        sizes=form.sizes(),
        by=signed_in(request),
    )


@require_safe
def experiment_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Plan, jobs so far, and at the end every arm and every pair."""
    experiment = get_object_or_404(selectors.experiment_list(), pk=pk)
    plan = Plan.model_validate(experiment.plan)
    results = experiment.results
    context: dict[str, Any] = {
        "experiment": experiment,
        "run": experiment.run,
        "plan": plan,
        "title": starting.TITLES[experiment.preset],
        "question": starting.WORDS[experiment.preset],
        "jobs": list(experiment.run.children.order_by("created_at", "id")),
        "arms": _arms(plan, experiment),
        "results": results,
        "pairs": [_pair(one) for one in (results or {}).get("pairs", ())],
        "equal": _in_order((results or {}).get("budget", {}).get("equal", {})),
        "held_out": _portions(plan.held_out),
        "nav": "jobs",
    }
    return render_page(request, "training/experiment.html", context, "experiment-live")


def _arms(plan: Plan, experiment: Experiment) -> list[dict[str, Any]]:
    """Each arm as it was planned, with its frozen version and what came of it where there is something."""
    found = {one["name"]: one for one in (experiment.results or {}).get("arms", ())}
    versions = experiment.data.get("arms", {})
    return [
        {
            "plan": arm,
            "data": _portions(arm.data),
            "budget": _in_order(arm.budget),
            "version": versions.get(arm.name),
            "result": found.get(arm.name),
        }
        for arm in plan.trained
    ]


def _in_order(budget: Mapping[str, int]) -> list[tuple[str, int]]:
    """Stored figures come back in another order than the one in which people count."""
    return [(name, budget[name]) for name in ("tasks", "steps", "sequences", "rollouts") if name in budget]


def _portions(portions: Sequence[Portion]) -> list[tuple[int, str, str]]:
    """Count, kind, and the K and L of the kind in words."""
    return [(one.count, one.kind.name, f"K {_range(one.kind.needed)}, L {_range(one.kind.length)}") for one in portions]


def _range(values: tuple[int, int]) -> str:
    least, most = values
    return f"= {least}" if least == most else f"≥ {least}" if most >= MOST else f"= {least}–{most}"


def _pair(pair: dict[str, Any]) -> dict[str, Any]:
    """A pair with those breakdowns that have more than one value, in the order K, L, others."""
    parts = {name: values for name, values in pair["breakdowns"].items() if len(values) > 1}
    order = sorted(parts, key=lambda name: ({"K": 0, "L": 1}.get(name, 2), name))
    return {
        **pair,
        "parts": [(name, value, one) for name in order for value, one in parts[name].items() if name in ("K", "L")],
    }
