"""Rows that the tests of the training app start from: trajectories of real tasks and frozen versions of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tasks_app.models import Task, Trajectory
from tasks_app.policies.rules import NoopPolicy, ReferencePolicy
from tests.catalogue import install_tasks, install_trajectory
from training_app import actions
from training_app.launching import Request
from training_app.models import DatasetVersion, TrainingRun

TASKS = 4
STAND_IN = Path(__file__).with_name("stand_in_trainer.py")


def use_stand_in(settings: Any, files: Path, *arguments: Any) -> None:
    """Runs of this test start a stand-in for a trainer, with these arguments, and keep their files below `files`."""
    settings.WORKBENCH_FILES = files / "files"
    settings.WORKBENCH_TRAINER_POLL = 0.05
    command = [sys.executable, str(STAND_IN), *map(str, arguments)]
    settings.WORKBENCH_TRAINERS = {"sft": command, "grpo": command}


def split_version() -> DatasetVersion:
    """A version of passed trajectories that has a held-out part."""
    make_lineages_differ([row.task for row in install_passed()])
    return freeze()


def install_passed(wanted: int = TASKS) -> list[Trajectory]:
    """Passed trajectories of the reference policy over proven tasks, and one that did not pass."""
    tasks = install_tasks(wanted)
    passed = [install_trajectory(task, ReferencePolicy()) for task in tasks]
    assert all(row.status == "passed" for row in passed)
    assert install_trajectory(tasks[0], NoopPolicy()).passed is False
    return passed


def freeze(kind: str = "sft", *, test: float = 0.25, slug: str = "small", seed: int = 0) -> DatasetVersion:
    """A frozen version of everything that is there."""
    dataset = actions.create_dataset(title="Small", slug=slug, kind=kind, by=None)
    version, _ = actions.freeze(dataset=dataset, shares={"train": 1 - test, "test": test}, seed=seed, by=None)
    return version


def request(version: DatasetVersion, method: str = "sft", **changes: Any) -> Request:
    values: dict[str, Any] = {"method": method, "preset": "cpu-proof", "version": version, "start": "tiny", **changes}
    return Request(**values)


def launch(version: DatasetVersion, method: str = "sft", **changes: Any) -> TrainingRun:
    return actions.launch(request=request(version, method, **changes), by=None)


def make_lineages_differ(tasks: list[Task]) -> None:
    """Each task its own family, so that few tasks can be split."""
    for number, task in enumerate(tasks):
        Task.objects.filter(pk=task.pk).update(lineage=f"family-{number}")
