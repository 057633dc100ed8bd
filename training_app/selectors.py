"""Reads of datasets, exports, training runs and evaluations; each with a bounded number of queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from tasks_app.models import Task
from training_app.models import Dataset, DatasetMember, DatasetVersion, Evaluation, Experiment, Export, TrainingRun
from webapp.common import ids


def dataset_list() -> QuerySet[Dataset]:
    """Datasets with their number of versions and the newest one's number and rows."""
    newest = DatasetVersion.objects.filter(dataset=OuterRef("pk")).order_by("-number")
    return Dataset.objects.select_related("created_by").annotate(
        version_count=Count("versions"),
        newest=Max("versions__number"),
        newest_rows=Subquery(newest.values("stats__rows")[:1]),
    )


def versions_of(dataset: Dataset) -> QuerySet[DatasetVersion]:
    return _with_stale(dataset.versions.select_related("dataset", "created_by").order_by("-number"))


def version_named(slug: str, number: int) -> QuerySet[DatasetVersion]:
    found = DatasetVersion.objects.select_related("dataset", "created_by").filter(dataset__slug=slug, number=number)
    return _with_stale(found)


def _with_stale(versions: QuerySet[DatasetVersion]) -> QuerySet[DatasetVersion]:
    """Each version with its number of tasks that are stale by now (`stale_tasks`): its members stay what they are."""
    stale = Count("members__task", filter=Q(members__task__status=Task.Status.STALE), distinct=True)
    return versions.annotate(stale_tasks=stale)


def find_version(text: str) -> DatasetVersion | None:
    """`slug`, or `slug@3` for another than the newest version; None where there is none."""
    slug, _, number = text.partition("@")
    rows = DatasetVersion.objects.select_related("dataset").filter(dataset__slug=slug)
    if number:
        return rows.filter(number=int(number)).first() if number.isdecimal() and len(number) < 10 else None
    return rows.order_by("-number").first()


def rows_of(version: DatasetVersion) -> QuerySet[DatasetMember]:
    """Members for a list, without artifacts and bodies."""
    rows = version.members.select_related("task", "trajectory")
    return rows.defer("task__spec", "trajectory__body").order_by("position")


def export_list() -> QuerySet[Export]:
    return Export.objects.select_related("dataset_version__dataset", "run", "created_by")


def training_list() -> QuerySet[TrainingRun]:
    return TrainingRun.objects.select_related("run__created_by", "dataset_version__dataset", "start_from__run")


def evaluation_list() -> QuerySet[Evaluation]:
    return Evaluation.objects.select_related(
        "run__created_by", "dataset_version__dataset", "training_run__run", "training_run__dataset_version__dataset"
    )


def judged() -> QuerySet[Evaluation]:
    """Evaluations that have figures, newest first."""
    return evaluation_list().filter(results__success_rate__isnull=False).order_by("-id")


def judged_named(text: str) -> Evaluation | None:
    """An evaluation with figures by its shown id; None where there is none."""
    try:
        return judged().filter(pk=ids.parse("eval", text)).first()
    except ids.IdError:
        return None


def experiment_list() -> QuerySet[Experiment]:
    """Experiments, newest first."""
    return Experiment.objects.select_related("run__created_by")


def experiment_named(text: str) -> Experiment | None:
    """An experiment by its shown id; None where there is none."""
    try:
        return experiment_list().filter(pk=ids.parse("xpt", text)).first()
    except ids.IdError:
        return None


def metric_points(training: TrainingRun, names: list[str], after: int, limit: int) -> list[dict[str, Any]]:
    """Values at steps above `after`, in order of step and name; whole steps only, about `limit` rows."""
    rows = training.metrics.filter(step__gt=after).order_by("step", "name")
    if names:
        rows = rows.filter(name__in=names)
    found = list(rows[: limit + 1])
    if len(found) > limit:  # a step that is cut would be skipped by the next call
        last = found[-1].step
        found = [row for row in found if row.step < last] or list(rows.filter(step=last))
    return [{"step": row.step, "name": row.name, "value": row.value} for row in found]


def last_step(training: TrainingRun) -> int:
    """The newest step with a number; 0 before the first."""
    return int(training.metrics.aggregate(last=Max("step"))["last"] or 0)


def metric_names(training: TrainingRun) -> list[str]:
    return list(training.metrics.order_by("name").values_list("name", flat=True).distinct())


def task_links(hashes: list[str]) -> Mapping[str, tuple[str, str]]:
    """Task hash -> (address, beginning of the instruction) of those that exist."""
    rows = Task.objects.filter(task_hash__in=hashes).only("id", "task_hash", "instruction")
    return {task.task_hash: (task.get_absolute_url(), task.instruction[:120]) for task in rows}


def criteria_of(task_hash: str) -> Mapping[str, str]:
    """Criterion id -> its words, of a task that exists; else nothing."""
    task = Task.objects.filter(task_hash=task_hash).only("id", "spec").first()
    return {criterion.id: criterion.text for criterion in task.to_spec().rubric} if task is not None else {}


def dataset_rows() -> list[dict[str, Any]]:
    """One plain row per dataset, for the command line."""
    return [
        {
            "slug": dataset.slug, "title": dataset.title, "kind": dataset.kind, "query": dataset.query,
            "newest": getattr(dataset, "newest", None), "rows": getattr(dataset, "newest_rows", None),
        }
        for dataset in dataset_list().order_by("slug")
    ]  # fmt: skip
