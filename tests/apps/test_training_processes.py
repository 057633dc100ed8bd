"""A run of two real processes under torch's launcher, supervised and cancelled as a worker does it."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.apps.training_rows import freeze, install_passed, launch, make_lineages_differ
from tests.training.processes import at_work
from training_app import supervision
from training_app.engine.rundir import RunDirectory
from training_app.models import TrainingRun
from training_app.run_files import training_directory
from training_app.trainers.install import environment_path, is_ready
from webapp.common import runs
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db, pytest.mark.train, pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_cancel_ends_the_launcher_and_all_its_workers(settings: Any, tmp_path: Path, monkeypatch: Any) -> None:
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    settings.WORKBENCH_FILES, settings.WORKBENCH_RUN_INLINE = tmp_path / "files", True
    make_lineages_differ([row.task for row in install_passed()])
    row = launch(
        freeze("rl"),
        mode="direct",
        overrides={"processes": 2, "max_steps": 100_000, "epochs": 100_000, "global_batch": 2, "micro_batch": 1},
    )
    read, seen = supervision.journal.read_files, []

    def read_and_cancel(context: Any, subject: Any, directory: RunDirectory) -> None:
        read(context, subject, directory)
        if not seen and subject.metrics.filter(name="loss", step__gte=2).exists():
            seen.extend(at_work(directory))
            runs.request_cancel(Run.objects.get(pk=context.run.pk), None, "now")

    monkeypatch.setattr(supervision.journal, "read_files", read_and_cancel)
    runs.execute(row.run_id)
    row = TrainingRun.objects.select_related("run").get(pk=row.pk)
    directory = training_directory(row)
    assert len(seen) == 3, seen
    assert at_work(directory) == []
    assert (row.run.state, row.run.result["state"]) == ("cancelled", "interrupted"), row.run.failure_message
    assert row.process is None
    assert row.checkpoints == [f"checkpoint-{row.run.result['step']}"]
