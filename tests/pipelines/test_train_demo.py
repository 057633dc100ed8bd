"""The proof of training on a small scale: real trainers, real tasks, every step once; too short to learn anything."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tasks_app.models import Task
from training_app.models import DatasetVersion, Evaluation, TrainingRun
from training_app.trainers.install import environment_path, is_ready
from webapp import train_demo
from webapp.common.models import Run

pytestmark = [pytest.mark.train, pytest.mark.slow, pytest.mark.timeout(1500)]
SIZES: dict[str, Any] = {
    "tasks": 24,
    "sft": {"max_steps": 4, "global_batch": 8, "micro_batch": 8},
    "grpo": {"steps": 1, "group_size": 2, "groups_per_step": 1, "micro_batch": 2, "max_turns": 2, "max_turn_tokens": 8},
}


@pytest.mark.django_db(transaction=True)
def test_every_step_is_done_once_and_told_honestly(
    inline_runs: None, settings: Any, tmp_path: Path, client_as: Any
) -> None:
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    settings.WORKBENCH_FILES = tmp_path / "files"
    run = train_demo.start(None, **SIZES)
    run.refresh_from_db()
    assert (run.state, run.failure_message) == ("succeeded", "")
    assert set(run.children.values_list("state", flat=True)) == {"succeeded"}
    version = DatasetVersion.objects.get()
    assert version.stats["overlap"] == 0
    assert Task.objects.filter(author="practice", status="verified").count() == 24
    assert list(TrainingRun.objects.order_by("id").values_list("method", "mode")) == [
        ("sft", "direct"), ("grpo", "direct"),
    ]  # fmt: skip
    result = run.result
    assert result["world"]["content_hash"] == version.content_hash
    assert {one["name"]: one["kept"] for one in result["promises"]} == {
        "loss_falls": False, "nothing_before": True, "completion_after_sft": False, "gain_by_grpo": False,
    }  # fmt: skip
    judged = {name: one["provenance"]["weights_sha256"] for name, one in result["evaluations"].items()}
    assert judged["before_training_greedy"] != judged["sft_greedy"] == result["training"]["sft"]["weights_sha256"]
    assert judged["grpo_sampled"] == result["training"]["grpo"]["weights_sha256"]
    assert result["comparison"]["tasks"] == version.members.filter(split="test").count()
    check_page(run, client_as)
    check_that_a_second_one_reuses_the_data(run)


def check_page(run: Run, client_as: Any) -> None:
    client = client_as("viewer")
    page = client.get(run.get_absolute_url()).content.decode()
    assert "They say nothing about how a model fares on other tasks" in page
    assert run.result["world"]["content_hash"] in page
    assert page.count("/evaluations/eval_") >= 5
    pair = run.result["comparison"]
    assert client.get(f"/evaluations/compare/?first={pair['first']}&second={pair['second']}").status_code == 200


def check_that_a_second_one_reuses_the_data(first: Run) -> None:
    again = train_demo.start(None, **SIZES)
    again.refresh_from_db()
    assert again.state == "succeeded"
    assert again.pk != first.pk
    assert DatasetVersion.objects.count() == 1
    assert TrainingRun.objects.count() == 4
    # The same seeds on the same machine: the same weights and the same outcomes.
    for method in ("sft", "grpo"):
        assert again.result["training"][method]["weights_sha256"] == first.result["training"][method]["weights_sha256"]
    assert Evaluation.objects.count() == 10
