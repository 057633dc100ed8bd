"""Evaluations paired by task on a page and over REST, weights before training, launches that would mislead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.apps.training_rows import launch, split_version, use_stand_in
from training_app import actions, launching, run_files
from training_app.models import DatasetVersion, TrainingRun

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def version(db: None, settings: Any, tmp_path: Path) -> DatasetVersion:
    use_stand_in(settings, tmp_path)
    return split_version()


def test_two_evaluations_are_compared_by_task(
    version: DatasetVersion, run_now: Any, client_as: Any, api_as: Any, django_assert_max_num_queries: Any
) -> None:
    good = run_now(actions.evaluate, version=version, split="train", policy="reference", by=None)
    bad = run_now(actions.evaluate, version=version, split="train", policy="noop", attempts=1, by=None)
    address = f"first={bad.public_id}&second={good.public_id}"
    client = client_as("viewer")
    with django_assert_max_num_queries(12):
        page = client.get(f"/evaluations/compare/?{address}").content.decode()
    assert "McNemar, exact: p = 0.2500" in page  # 2 / 2^3
    assert "+100.0" in page
    assert version.members.filter(split="train")[0].task.instruction[:20] in page
    data = api_as("jobs:read").get(f"/api/v1/evaluations/compare?{address}").json()
    assert data["success_rate"]["difference"] == 1.0
    assert data["success_rate"]["first"]["high"] == pytest.approx(0.5615, abs=1e-3)
    assert data["table"] == {"both": 0, "gained": 3, "lost": 0, "neither": 0}
    assert len(data["gained"]) == 3
    assert (data["unknown_first"], data["unknown_second"]) == (0, 0)


def test_comparisons_of_what_is_not_there_say_so(
    version: DatasetVersion, run_now: Any, client_as: Any, api_as: Any
) -> None:
    empty = client_as("viewer").get("/evaluations/compare/").content.decode()
    assert "Nothing to compare yet" in empty
    train = run_now(actions.evaluate, version=version, split="train", policy="noop", by=None)
    test = run_now(actions.evaluate, version=version, split="test", policy="noop", by=None)
    half = client_as("viewer").get(f"/evaluations/compare/?first={train.public_id}&second=eval_x").content.decode()
    assert "Choose two evaluations" in half
    apart = f"first={train.public_id}&second={test.public_id}"
    assert "no task in common" in client_as("viewer").get(f"/evaluations/compare/?{apart}").content.decode()
    client = api_as("jobs:read")
    assert client.get(f"/api/v1/evaluations/compare?{apart}").status_code == 400
    missing = client.get(f"/api/v1/evaluations/compare?first={train.public_id}")
    assert missing.status_code == 400
    assert missing.json()["parameter"] == "second"


def test_the_weights_before_training_can_be_judged(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = run_now(launch, version=version)
    training = TrainingRun.objects.select_related("run").get(pk=training.pk)
    assert launching.judgeable(training)[-1] == "start"
    assert "start" not in launching.usable_checkpoints(training)
    before = actions.evaluate(version=version, split="train", training=training, checkpoint="start", by=None)
    assert (before.checkpoint, before.seen_tasks) == ("start", 0)
    assert run_files.weights(training, "start") == run_files.training_directory(training).root / "start"
    page = client_as("trainer").get(training.get_absolute_url()).content.decode()
    assert "start, before training" in page


def test_launches_that_would_mislead_are_refused_with_the_numbers(version: DatasetVersion, run_now: Any) -> None:
    with pytest.raises(launching.LaunchError, match="3 groups of 6 make 18 rollouts, no multiple of micro_batch 4"):
        launch(version, "grpo", overrides={"group_size": 6, "groups_per_step": 3, "micro_batch": 4})
    everything = freeze_all(version)
    training = run_now(launch, version=everything)
    with pytest.raises(launching.LaunchError, match=r"1 of 1 held-out tasks of .* belong to families"):
        launch(version, "grpo", start=f"run:{training.public_id}")
    same = run_now(launch, version=version)
    assert launch(version, "grpo", start=f"run:{same.public_id}").method == "grpo"


def freeze_all(version: DatasetVersion) -> DatasetVersion:
    """The same rows without a held-out split."""
    frozen, _ = actions.freeze(dataset=version.dataset, shares={"train": 1.0}, seed=0, by=None)
    return frozen
