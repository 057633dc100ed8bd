"""What a quarantined tool means for datasets and running jobs. Frozen versions never change; people are told."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from services_app.dependants import Impact, few_and_count
from training_app.models import DatasetVersion, TrainingRun
from webapp.common.run_models import LIVE


def impact_of_tools(tools: Iterable[UUID]) -> list[Impact]:
    """Frozen versions with tasks that use these tools, and live training runs on them, with a few of each."""
    ids = list(tools)
    versions = DatasetVersion.objects.filter(members__task__tool_uses__tool__in=ids).distinct()
    running = TrainingRun.objects.filter(dataset_version__in=versions, run__state__in=LIVE)
    some, count = few_and_count(versions.select_related("dataset").order_by("-id"))
    live, live_count = few_and_count(running.select_related("run").order_by("-id"))
    return [
        Impact("dataset versions", count, tuple((str(version), version.get_absolute_url()) for version in some)),
        Impact("running training jobs", live_count, tuple((one.run.title, one.get_absolute_url()) for one in live)),
    ]


def mark_stale(_tools: Iterable[UUID], _reason: str) -> list[str]:
    """Nothing: a frozen version stays what it was, and its tasks are marked by their own app."""
    return []


def restore(_ids: Iterable[str]) -> int:
    """Nothing was marked."""
    return 0
