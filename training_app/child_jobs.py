"""Trainings and evaluations as child jobs of a larger job, which finds them again by their payload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from training_app.launching import Request
from training_app.models import DatasetVersion, Evaluation, TrainingRun
from webapp.common.child_runs import Job
from webapp.common.models import Run
from webapp.common.run_models import RunState


def training_job(title: str, request: Request) -> Job:
    """A run of kind sft or grpo."""
    return Job(request.method, title, request.payload())


def evaluation_job(
    title: str,
    training: TrainingRun,
    version: DatasetVersion,
    *,
    checkpoint: str = "model",
    attempts: int = 1,
    temperature: float,
    seed: int,
) -> Job:
    """Weights of a run judged on the held-out tasks of a version."""
    payload = {
        "dataset": version.dataset.slug, "version": version.number, "split": "test",
        "training_run": training.public_id, "checkpoint": checkpoint, "policy": "", "attempts": attempts,
        "temperature": temperature, "seed": seed, "mode": training.mode,
    }  # fmt: skip
    return Job("evaluate", title, payload)


def trainings_of(run: Run) -> QuerySet[TrainingRun]:
    """The trainings below a job, in the order in which they were made."""
    rows = TrainingRun.objects.select_related("run", "dataset_version__dataset", "start_from")
    return rows.filter(run__parent=run).order_by("id")


def evaluations_of(run: Run) -> QuerySet[Evaluation]:
    """The evaluations below a job, in the order in which they were made."""
    rows = Evaluation.objects.select_related("run", "training_run__run", "dataset_version__dataset")
    return rows.filter(run__parent=run).order_by("id")


def trained(run: Run, payload: Mapping[str, Any]) -> TrainingRun:
    """The training below a job that was asked for with this payload and succeeded; the newest of several."""
    found: TrainingRun = trainings_of(run).filter(run__payload=payload, run__state=RunState.SUCCEEDED).latest("id")
    return found
