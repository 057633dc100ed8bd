"""The real trainer on real trajectories, supervised as a worker does it; needs the training environment."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.apps.training_rows import freeze, install_passed, launch, make_lineages_differ
from training_app import actions, supervision
from training_app.models import Evaluation, TrainingRun
from training_app.run_files import training_directory
from training_app.trainers.install import environment_path, is_ready
from webapp.common import runs
from webapp.common.models import Run

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.train,
    pytest.mark.slow,
    pytest.mark.timeout(1500),
]


def test_sft_then_grpo_then_evaluation_on_our_own_tasks(settings: Any, tmp_path: Path) -> None:
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    settings.WORKBENCH_FILES = tmp_path / "files"
    settings.WORKBENCH_RUN_INLINE = True
    make_lineages_differ([row.task for row in install_passed()])
    version = freeze("rl")

    sft = launch(
        version, mode="direct", overrides={"max_steps": 6, "global_batch": 1, "micro_batch": 1, "save_every": 3}
    )
    runs.execute(sft.run_id)
    sft = TrainingRun.objects.select_related("run").get(pk=sft.pk)
    assert sft.run.state == "succeeded", list(sft.run.events.values_list("message", flat=True))
    losses = [value for _, value in sft.metrics.filter(name="loss").order_by("step").values_list("step", "value")]
    assert len(losses) == 6
    assert losses[-1] < losses[0]
    assert sft.preflight["figures"]["records"] == 3
    assert (training_directory(sft).model / "model.safetensors").exists()

    grpo = launch(
        version,
        "grpo",
        start=f"run:{sft.public_id}",
        overrides={"steps": 1, "group_size": 2, "groups_per_step": 1, "micro_batch": 2, "max_turns": 3,
                   "max_turn_tokens": 16},
    )  # fmt: skip
    runs.execute(grpo.run_id)
    grpo = TrainingRun.objects.select_related("run").get(pk=grpo.pk)
    assert grpo.run.state == "succeeded", grpo.run.failure_message
    rewards = grpo.metrics.get(name="rollouts/reward", step=1).value
    assert 0 <= rewards <= 1

    evaluation = actions.evaluate(version=version, split="test", training=grpo, by=None)
    runs.execute(evaluation.run_id)
    evaluation = Evaluation.objects.select_related("run").get(pk=evaluation.pk)
    assert evaluation.run.state == "succeeded", evaluation.run.failure_message
    assert evaluation.results["success_rate"]["n"] == 1
    assert evaluation.seen_tasks == 0


def test_a_stop_asked_while_the_model_is_loaded_holds(settings: Any, tmp_path: Path, monkeypatch: Any) -> None:
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    settings.WORKBENCH_FILES = tmp_path / "files"
    settings.WORKBENCH_RUN_INLINE = True
    make_lineages_differ([row.task for row in install_passed()])
    begin = supervision._start

    def start_and_ask(context: Any, *rest: Any) -> Any:
        running = begin(context, *rest)
        runs.request_cancel(Run.objects.get(pk=context.run.pk), None, "keep")
        return running

    monkeypatch.setattr(supervision, "_start", start_and_ask)
    row = launch(freeze("rl"), mode="direct", overrides={"max_steps": 2, "global_batch": 1, "micro_batch": 1})
    runs.execute(row.run_id)
    row = TrainingRun.objects.select_related("run").get(pk=row.pk)
    assert (row.run.state, row.run.result["step"]) == ("cancelled", 0), row.run.failure_message
    assert not row.metrics.exists()
    monkeypatch.setattr(supervision, "_start", begin)
    runs.resume(row.run, None)
    runs.execute(row.run_id)
    assert TrainingRun.objects.select_related("run").get(pk=row.pk).run.state == "succeeded"
