"""What the job pages of this app show beside the log."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from training_app import charts, disk, heat, launch_plan, launching, rollout_files, selectors
from training_app.advice import advice
from training_app.launching import Request
from training_app.models import Evaluation, TrainingRun
from training_app.run_files import training_directory
from webapp.common.models import Run
from webapp.common.pages import signed_in
from webapp.common.roles import Role
from workers.launchers.clusters import Place


def training_context(run: Run, request: HttpRequest) -> dict[str, Any]:
    """Charts, config, checkpoints, pre-flight, evaluations of a training run; empty before it has a row."""
    training = selectors.training_list().filter(run=run).first()
    context = {"training": training, "advice": advice(run.failure_kind)}
    return context if training is None else context | live_context(training, request) | _rest(training, request)


def live_context(training: TrainingRun, request: HttpRequest) -> dict[str, Any]:
    """The part of the page that changes while the run works; `task` in the address narrows the heat maps."""
    options = charts.Options.parse(request.GET.dict())
    evaluations = list(training.evaluations.select_related("run", "dataset_version__dataset").order_by("id")[:20])
    points = charts.read(training)
    last = charts.last_step(points)
    task = request.GET.get("task", "")[:32]
    return {
        "charts": charts.draw(training, options, points, charts.evaluation_markers(evaluations, last)),
        "headline": charts.headline(points),
        "maps": heat.maps(training, task=task) if training.method == "grpo" else None,
        "map_task": task,
        "options": options,
        "last_metric": last,
        "evaluations": evaluations,
    }


def _rest(training: TrainingRun, request: HttpRequest) -> dict[str, Any]:
    directory = training_directory(training)
    steps = rollout_files.steps(directory)
    report = training.preflight or {}
    return {
        "version": training.dataset_version,
        "splits": [split for split in training.dataset_version.stats.get("splits", {}) if split != "train"],
        "changed": launching.changed_fields(training.method, training.preset, training.config),
        "usable": launching.usable_checkpoints(training),
        "judgeable": launching.judgeable(training),
        "rollout_steps": steps,
        "last_step": steps[-1] if steps else None,
        "figures": sorted((report.get("figures") or {}).items()),
        "samples": report.get("samples") or [],
        "problems": report.get("problems") or [],
        "preflight_warnings": report.get("warnings") or [],
        "plan": launch_plan.shown(_request(training), training.config, training.public_id),
        "kept": disk.kept(training),
        "may_launch": signed_in(request).has_role(Role.TRAINER),
    }


def _request(training: TrainingRun) -> Request:
    """What was asked for, as far as its commands go."""
    payload = training.run.payload
    place = Place.from_json(payload.get("place") or {})
    start = str(payload.get("start", training.base))
    method: Any = training.method
    return Request(
        method, training.preset, training.dataset_version, start, training.mode, hours=training.hours, place=place
    )


def evaluation_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    """The evaluation of a run with its figures."""
    evaluation = selectors.evaluation_list().filter(run=run).first()
    return {"evaluation": evaluation, "advice": advice(run.failure_kind), **(figures(evaluation) if evaluation else {})}


def figures(evaluation: Evaluation) -> dict[str, Any]:
    """Results prepared for the page."""
    results = evaluation.results or {}
    criteria = results.get("criteria") or {}
    return {
        "results": results,
        "success": results.get("success_rate"),
        "score": results.get("score"),
        "criteria": sorted(criteria.items(), key=lambda entry: (entry[1]["value"], entry[0]))[:50],
        "breakdowns": {name: sorted(parts.items()) for name, parts in (results.get("breakdowns") or {}).items()},
        "at_k": _at_k(results),
        "unknown": sorted((results.get("invalid") or {}).items()),
        "provenance": list((results.get("provenance") or {}).items()),
        "near_misses_by_criterion": list((results.get("near_misses_by_criterion") or {}).items())[:20],
        "near_misses": (results.get("near_misses") or [])[:50],
        "links": selectors.task_links([miss["task_id"] for miss in (results.get("near_misses") or [])[:50]]),
    }


def _at_k(results: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """(k, pass@k, avg@k) with their intervals."""
    average = results.get("avg_at_k") or {}
    return [(k, one, average[k]) for k, one in (results.get("pass_at_k") or {}).items()]
