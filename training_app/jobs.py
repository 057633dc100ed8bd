"""Run kinds of this app. Each handler finds its row, or makes it anew for a retry, and calls one pipeline."""

from __future__ import annotations

from typing import Any

from celery.signals import task_postrun
from django.http import HttpRequest
from pydantic import ValidationError

from training_app import actions, evaluating, exporting, job_details, launching, supervision, training
from training_app.engine.errors import TrainingError
from training_app.engine.experiment import PlanError
from training_app.experiments import starting
from training_app.models import DatasetVersion, Evaluation, Experiment, Export, TrainingRun
from webapp.common import ids
from webapp.common.models import Run
from webapp.common.runs import RunContext, RunFailed, register

LEASE_SECONDS = 120


def _training_context(run: Run, request: HttpRequest) -> dict[str, Any]:
    return job_details.training_context(run, request)


def _evaluation_context(run: Run, request: HttpRequest) -> dict[str, Any]:
    return job_details.evaluation_context(run, request)


def _export_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    return {"export": Export.objects.filter(run=run).first()}


@register(
    "export", queue="export", lease_seconds=LEASE_SECONDS, detail_template="training/job_export.html",
    detail_context=_export_context,
)  # fmt: skip
def export(context: RunContext) -> dict[str, Any]:
    """Write the files of a dataset version: payload {dataset, version, format}."""
    row = Export.objects.select_related("dataset_version__dataset").filter(run=context.run).first()
    if row is None:
        row = Export.objects.create(
            dataset_version=_version(context.payload),
            format=context.payload["format"],
            run=context.run,
            created_by=context.run.created_by,
        )
    return exporting.write_export(context, row)


@register(
    "sft", queue="train", lease_seconds=LEASE_SECONDS, detail_template="training/job.html",
    detail_context=_training_context,
)  # fmt: skip
def sft(context: RunContext) -> dict[str, Any]:
    """Supervised fine-tuning: payload of `launching.Request`."""
    return _train(context)


@register(
    "grpo", queue="train", lease_seconds=LEASE_SECONDS, detail_template="training/job.html",
    detail_context=_training_context,
)  # fmt: skip
def grpo(context: RunContext) -> dict[str, Any]:
    """Group-relative policy optimisation: payload of `launching.Request`."""
    return _train(context)


def _train(context: RunContext) -> dict[str, Any]:
    try:
        row = _training_row(context)
        return training.train(context, row)
    except launching.LaunchError as error:
        raise RunFailed("config:launch", str(error)) from error
    except TrainingError as error:
        raise RunFailed(error.kind, error.message) from error
    except ValidationError as error:
        raise RunFailed("config:invalid", str(error)) from error


def _training_row(context: RunContext) -> TrainingRun:
    found = TrainingRun.objects.select_related("run", "dataset_version__dataset", "start_from")
    row = found.filter(run=context.run).first()
    if row is not None:
        return row
    request = launching.Request.parse(context.payload)
    return actions.create_training(context.run, request)


@register(
    "evaluate", queue="train", lease_seconds=LEASE_SECONDS, detail_template="training/job_evaluation.html",
    detail_context=_evaluation_context,
)  # fmt: skip
def evaluate(context: RunContext) -> dict[str, Any]:
    """Judge a checkpoint or a policy on a frozen split: payload of `actions.evaluate`."""
    row = Evaluation.objects.select_related("dataset_version__dataset", "training_run").filter(run=context.run).first()
    if row is None:
        trained = context.payload["training_run"]
        subject = TrainingRun.objects.get(pk=ids.parse("trn", trained)) if trained else None
        row = actions.create_evaluation(context.run, _version(context.payload), subject, context.payload)
    try:
        return evaluating.evaluate(context, row)
    except TrainingError as error:
        raise RunFailed(error.kind, error.message) from error


def _experiment_context(run: Run, _request: HttpRequest) -> dict[str, Any]:
    return {"experiment": Experiment.objects.select_related("run").filter(run=run).first()}


@register(
    starting.KIND, queue="default", lease_seconds=LEASE_SECONDS, max_attempts=5,
    detail_template="training/job_experiment.html", detail_context=_experiment_context,
)  # fmt: skip
def experiment(context: RunContext) -> dict[str, Any]:
    """Make, train and judge the arms of an experiment: payload of `experiments.starting.start`."""
    try:
        return starting.carry_out(context)
    except PlanError as error:
        raise RunFailed("experiment:plan", str(error)) from error


def _version(payload: dict[str, Any]) -> DatasetVersion:
    return DatasetVersion.objects.select_related("dataset").get(
        dataset__slug=payload["dataset"], number=payload["version"]
    )


@task_postrun.connect
def reap_after_sweep(sender: Any = None, **_: Any) -> None:
    """The sweep ends runs whose worker was lost while they were cancelled; their processes must end too."""
    if getattr(sender, "name", "") == "webapp.common.jobs.sweep":
        supervision.reap()
