"""What a quarantined tool means for datasets and running jobs. Frozen versions never change; people are told."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from services_app.dependants import Impact
from training_app.models import DatasetVersion, TrainingRun
from webapp.common.run_models import LIVE


def impact_of_tools(tools: Iterable[UUID]) -> list[Impact]:
    """Frozen versions with tasks that use these tools, and live training runs on them, with a few of each."""
    ids = list(tools)
    versions = DatasetVersion.objects.filter(members__task__tool_uses__tool__in=ids).distinct()
    running = TrainingRun.objects.filter(dataset_version__in=versions, run__state__in=LIVE)
    few = tuple(
        (str(version), version.get_absolute_url()) for version in versions.select_related("dataset").order_by("-id")[:5]
    )
    live = tuple(
        (training.run.title, training.get_absolute_url())
        for training in running.select_related("run").order_by("-id")[:5]
    )
    return [Impact("dataset versions", versions.count(), few), Impact("running training jobs", running.count(), live)]


def mark_stale(_tools: Iterable[UUID], _reason: str) -> list[str]:
    """Nothing: a frozen version stays what it was, and its tasks are marked by their own app."""
    return []


def restore(_ids: Iterable[str]) -> int:
    """Nothing was marked."""
    return 0
