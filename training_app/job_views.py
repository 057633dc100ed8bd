"""Pages of training runs: launch, live charts, numbers as CSV, rollouts by step, evaluations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from training_app import actions, evaluating, job_details, launching, rollout_files, selectors
from training_app.forms import EvaluateForm, LaunchForm
from training_app.launching import LaunchError, Request
from training_app.models import TrainingRun
from training_app.run_files import training_directory
from webapp.common.pages import check_role, render_page, require_role, signed_in
from webapp.common.roles import Role

MAX_STARTS = 30


@require_http_methods(["GET", "HEAD", "POST"])
def job_new(request: HttpRequest) -> HttpResponse:
    """The launch form. Any change asks for the preview again; the button sends `launch`."""
    launch = request.method == "POST" and "launch" in request.POST
    if launch:
        check_role(request, Role.TRAINER)
    form = LaunchForm(request.POST or None, initial=_initial(request))
    preview: dict[str, Any] = {}
    if form.is_bound and form.is_valid():
        try:
            wanted = _request(form)
            preview = _preview(request, wanted)
            if launch:
                return redirect(actions.launch(request=wanted, by=signed_in(request)))
        except LaunchError as error:
            for name, words in (error.fields or {"": str(error)}).items():
                known = name if name in form.fields else None
                form.add_error(known, words if known or not name else f"{name}: {words}")
    context = {
        "form": form,
        "settings": form.settings(),
        "starts": _starts(),
        "preview": preview,
        "may_launch": signed_in(request).has_role(Role.TRAINER),
        "has_versions": form.fields["version"].queryset.exists(),  # type: ignore[attr-defined] # a model choice
        "nav": "jobs",
    }
    return render_page(request, "training/launch.html", context, "launch-form", status=422 if launch else 200)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The address may name dataset, method and preset, or a run whose launch is repeated."""
    given = request.GET
    initial: dict[str, Any] = {"method": given.get("kind", "sft"), "preset": given.get("preset", "cpu-proof")}
    version = selectors.find_version(given.get("dataset", "")) if given.get("dataset") else None
    if version is not None:
        initial["version"] = version.pk
    start = given.get("start", "")
    return {**initial, "start": start or ("tiny" if initial["method"] == "sft" else ""), "max_simulated": 1}


def _request(form: LaunchForm) -> Request:
    data = form.cleaned_data
    limit = data["max_simulated"]
    return Request(
        method=data["method"],
        preset=data["preset"],
        version=data["version"],
        start=data["start"].strip(),
        mode=data["mode"],
        overrides=form.overrides(),
        hours=data["hours"],
        max_simulated=1.0 if limit is None else limit,
    )


def _preview(request: HttpRequest, wanted: Request) -> dict[str, Any]:
    actions.check_launch(wanted)
    config, start = launching.configure(wanted), launching.resolve_start(wanted)
    estimate = launching.estimate(wanted, config, start)
    return {
        "figures": sorted(estimate.figures.items()),
        "warnings": estimate.warnings,
        "command": launching.command_line(wanted),
        "api": launching.api_call(wanted, request.build_absolute_uri("/")[:-1]),
        "changed": sorted(wanted.overrides.items()),
    }


def _starts() -> list[tuple[str, str]]:
    """Suggestions for the starting point: earlier runs with something to start from."""
    found = [("tiny", _("a random model of 0.3 M parameters, for machines without a GPU"))]
    for training in selectors.training_list()[:MAX_STARTS]:
        found += [
            (f"run:{training.public_id}@{name}", f"{training} · {training.dataset_version} · {name}")
            for name in launching.usable_checkpoints(training)[:2]
        ]
    return found


def _training(pk: UUID) -> TrainingRun:
    training: TrainingRun = get_object_or_404(selectors.training_list(), pk=pk)
    return training


@require_safe
def training_charts(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The live part of a training run's page, for polling; opened directly it goes to the whole page."""
    training = _training(pk)
    if request.headers.get("HX-Request") != "true":
        return redirect(training)
    context = {"training": training, "run": training.run, **job_details.live_context(training)}
    return render_page(request, "training/job.html", context, "training-live")


class _Line:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


@require_safe
def training_metrics(_request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """All numbers of a run as CSV, row by row."""
    training = _training(pk)
    writer = csv.writer(_Line())

    def rows() -> Iterator[str]:
        yield writer.writerow(("step", "name", "value"))
        for row in training.metrics.order_by("step", "name").values_list("step", "name", "value").iterator(2_000):
            yield writer.writerow(row)

    response = StreamingHttpResponse(rows(), content_type="text/csv")
    response["Content-Disposition"] = f'attachment; filename="{training.public_id}.csv"'
    return response


@require_safe
def training_rollouts(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The groups of one step, each with its table of criteria and the reward's arithmetic."""
    training = _training(pk)
    directory = training_directory(training)
    steps = rollout_files.steps(directory)
    asked = request.GET.get("step", "")
    step = int(asked) if asked.isdecimal() and len(asked) < 10 else (steps[-1] if steps else 0)
    if steps and step not in steps:
        raise Http404
    groups = rollout_files.groups(directory, step) if steps else []
    links = selectors.task_links([group.task_hash for group in groups])
    place = steps.index(step) if step in steps else 0
    context = {
        "training": training,
        "run": training.run,
        "steps": steps,
        "step": step,
        "before": steps[place - 1] if place > 0 else None,
        "after": steps[place + 1] if place + 1 < len(steps) else None,
        "groups": [_group(training, step, group, links) for group in groups],
        "nav": "jobs",
    }
    return render_page(request, "training/rollouts.html", context, "step")


def _group(training: TrainingRun, step: int, group: rollout_files.StoredGroup, links: Any) -> dict[str, Any]:
    hrefs = [
        reverse("training-rollout", args=[training.pk, step, group.number, row["index"]]) for row in group.rollouts
    ]
    caption = _("Task %(task)s: criteria by rollouts") % {"task": group.task_hash[:8]}
    return {"group": group, "matrix": rollout_files.matrix(group, hrefs, caption), "task": links.get(group.task_hash)}


@require_safe
def training_rollout(request: HttpRequest, pk: UUID, step: int, group: int, index: int) -> HttpResponse:
    """One rollout whole: sampled text and observations, verdict, tokens."""
    training = _training(pk)
    row = rollout_files.rollout(training_directory(training), step, group, index)
    if row is None:
        raise Http404
    verdict = sorted((row.get("verdict") or {}).items())
    size = training.config.get("group_size", 0)
    context = {"training": training, "run": training.run, "row": row, "step": step, "verdict": verdict, "nav": "jobs"}
    return render_page(request, "training/rollout.html", context | {"size": range(int(size))})


@require_POST
@require_role(Role.TRAINER)
def training_evaluate(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Judge a run on a held-out split of its own dataset version."""
    training = _training(pk)
    form = EvaluateForm(request.POST)
    if not form.is_valid():
        wrong = (f"{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items())
        messages.error(request, "; ".join(wrong))
        return redirect(training)
    data = form.cleaned_data
    try:
        evaluation = actions.evaluate(
            version=training.dataset_version,
            split=data["split"],
            training=training,
            checkpoint=data["checkpoint"],
            attempts=data["attempts"],
            temperature=data["temperature"],
            seed=data["seed"] or 0,
            by=signed_in(request),
        )
    except LaunchError as error:
        messages.error(request, str(error))
        return redirect(training)
    return redirect(evaluation.run)


@require_safe
def evaluation_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Figures with their intervals; `?against=eval_…` pairs two evaluations by task."""
    evaluation = get_object_or_404(selectors.evaluation_list(), pk=pk)
    same = selectors.evaluation_list().filter(
        dataset_version=evaluation.dataset_version, split=evaluation.split, results__isnull=False
    )
    others = list(same.exclude(pk=evaluation.pk)[:20])
    against = next((other for other in others if other.public_id == request.GET.get("against")), None)
    comparison = None
    if against is not None:
        try:
            comparison = evaluating.compare_evaluations(against, evaluation)
        except ValueError as error:
            messages.error(request, str(error))
    context = {
        "evaluation": evaluation,
        "run": evaluation.run,
        "others": others,
        "against": against,
        "comparison": comparison,
        **job_details.figures(evaluation),
        "nav": "jobs",
    }
    return render_page(request, "training/evaluation.html", context)
