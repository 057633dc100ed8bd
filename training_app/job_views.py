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
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from training_app import actions, job_details, launch_plan, launching, selectors
from training_app.forms import EvaluateForm, LaunchForm
from training_app.launch_values import first_values
from training_app.launching import LaunchError, Request
from training_app.models import DatasetVersion, TrainingRun
from webapp.common.pages import check_role, render_page, require_role, signed_in
from webapp.common.roles import Role

MAX_STARTS = 30


@require_http_methods(["GET", "HEAD", "POST"])
def job_new(request: HttpRequest) -> HttpResponse:
    """The launch form, filled so that it can be sent as it is. Any change asks for the preview; the button launches."""
    launch = request.method == "POST" and "launch" in request.POST
    if launch:
        check_role(request, Role.TRAINER)
    clone = _clone(request)
    form = LaunchForm(request.POST or first_values(request.GET.dict(), clone))
    preview: dict[str, Any] = {}
    if form.is_valid():
        try:
            wanted = _request(form)
            preview = _preview(request, wanted)
            if launch:
                return redirect(actions.launch(request=wanted, by=signed_in(request)))
        except LaunchError as error:
            for name, words in (error.fields or {"": str(error)}).items():
                known = name if name in form.fields else None
                form.add_error(known, words if known or not name else f"{name}: {words}")
    has_versions = bool(form.data.get("version")) or DatasetVersion.objects.exists()
    if not request.POST and not has_versions:
        form.errors.clear()  # the page says what is missing; nothing was typed yet
    context = {
        "form": form,
        "settings": form.settings(),
        "starts": _starts(),
        "preview": preview,
        "clone": clone,
        "may_launch": signed_in(request).has_role(Role.TRAINER),
        "has_versions": has_versions,
        "nav": "jobs",
    }
    return render_page(request, "training/launch.html", context, "launch-form", status=422 if launch else 200)


def _clone(request: HttpRequest) -> TrainingRun | None:
    """The run whose launch is repeated with changes. Raises Http404 for one that is not there."""
    name = request.GET.get("clone", "")
    try:
        return launching.find_run(name) if name else None
    except LaunchError as error:
        raise Http404(str(error)) from error


def _request(form: LaunchForm) -> Request:
    data = form.cleaned_data
    limit = data["max_simulated"]
    return Request(
        method=data["method"],
        preset=data["preset"],
        version=data["version"],
        start=data["start"].strip(),
        mode=data["mode"],
        place=form.place(),
        overrides=form.overrides(),
        hours=data["hours"],
        max_simulated=1.0 if limit is None else limit,
    )


def _preview(request: HttpRequest, wanted: Request) -> dict[str, Any]:
    values, start, _mode = actions.check_launch(wanted)
    estimate = launching.estimate(wanted, launching.configure(wanted), start)
    return {
        "figures": sorted(estimate.figures.items()),
        "warnings": estimate.warnings,
        "command": launching.command_line(wanted),
        "api": launching.api_call(wanted, request.build_absolute_uri("/")[:-1]),
        "plan": launch_plan.shown(wanted, values),
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


def training_of(pk: UUID) -> TrainingRun:
    training: TrainingRun = get_object_or_404(selectors.training_list(), pk=pk)
    return training


@require_safe
def training_charts(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The live part of a training run's page, for polling; opened directly it goes to the whole page.

    `seen` is the last step on the reader's screen: while there is nothing newer, nothing is sent.
    """
    training = training_of(pk)
    if request.headers.get("HX-Request") != "true":
        return redirect(training)
    if training.run.is_live and request.GET.get("seen") == str(selectors.last_step(training)):
        return HttpResponse(status=204)
    context = {"training": training, "run": training.run, **job_details.live_context(training, request)}
    response = render_page(request, "training/job.html", context, "training-live")
    if "seen" not in request.GET:  # the reader moved a control
        response["HX-Push-Url"] = f"{training.get_absolute_url()}?{context['options'].query()}"
    return response


class _Line:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


@require_safe
def training_metrics(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The numbers of a run as CSV, row by row: all, or those of `names` (separated by commas)."""
    training = training_of(pk)
    names = [name for name in request.GET.get("names", "").split(",") if name]
    metrics = training.metrics.filter(name__in=names) if names else training.metrics.all()
    writer = csv.writer(_Line())

    def rows() -> Iterator[str]:
        yield writer.writerow(("step", "name", "value"))
        for row in metrics.order_by("step", "name").values_list("step", "name", "value").iterator(2_000):
            yield writer.writerow(row)

    response = StreamingHttpResponse(rows(), content_type="text/csv")
    response["Content-Disposition"] = f'attachment; filename="{training.public_id}.csv"'
    return response


@require_POST
@require_role(Role.TRAINER)
def training_evaluate(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Judge a run on a held-out split of its own dataset version."""
    training = training_of(pk)
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
