"""What the job pages of this app show beside the log."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from training_app import charts, launching, rollout_files, selectors
from training_app.models import Evaluation, TrainingRun
from training_app.run_files import training_directory
from training_app.training import trainer_command
from webapp.common.models import Run
from webapp.common.pages import signed_in
from webapp.common.roles import Role


def training_context(run: Run, request: HttpRequest) -> dict[str, Any]:
    """Charts, config, checkpoints, pre-flight, evaluations of a training run; empty before it has a row."""
    training = selectors.training_list().filter(run=run).first()
    return {"training": training, **live_context(training)} | (_rest(training, request) if training else {})


def live_context(training: TrainingRun | None) -> dict[str, Any]:
    """The part of the page that changes while the run works."""
    if training is None:
        return {}
    return {"charts": charts.draw(training), "headline": charts.headline(training)}


def _rest(training: TrainingRun, request: HttpRequest) -> dict[str, Any]:
    directory = training_directory(training)
    steps = rollout_files.steps(directory)
    report = training.preflight or {}
    return {
        "version": training.dataset_version,
        "splits": [split for split in training.dataset_version.stats.get("splits", {}) if split != "train"],
        "changed": launching.changed_fields(training.method, training.preset, training.config),
        "usable": launching.usable_checkpoints(training),
        "rollout_steps": steps,
        "last_step": steps[-1] if steps else None,
        "figures": sorted((report.get("figures") or {}).items()),
        "samples": report.get("samples") or [],
        "problems": report.get("problems") or [],
        "preflight_warnings": report.get("warnings") or [],
        "command": " ".join([*trainer_command(training.method), "--run-dir", str(directory.root)]),
        "evaluations": list(training.evaluations.select_related("run", "dataset_version__dataset")[:20]),
        "may_launch": signed_in(request).has_role(Role.TRAINER),
    }


def evaluation_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    """The evaluation of a run with its figures."""
    evaluation = selectors.evaluation_list().filter(run=run).first()
    return {"evaluation": evaluation, **(figures(evaluation) if evaluation else {})}


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
        "near_misses": (results.get("near_misses") or [])[:50],
        "links": selectors.task_links([miss["task_id"] for miss in (results.get("near_misses") or [])[:50]]),
    }
