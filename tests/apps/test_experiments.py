"""Experiments end to end with stand-ins for trainer and judge: each step once, figures, refusals, permissions."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks_app.models import Task
from tests.apps.experiment_rows import SIZES, begin, prepare
from tests.catalogue import install_tasks
from training_app.experiments import starting
from training_app.models import DatasetVersion, Evaluation, Experiment, TrainingRun
from webapp.common.models import Run
from webapp.common.runs import resume

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


@pytest.fixture
def world(settings: Any, tmp_path: Path, inline_runs: None) -> None:
    prepare(settings, tmp_path)


def test_composed_against_single_service_reports_a_paired_difference(
    world: None, client_as: Any, api_as: Any, django_assert_max_num_queries: Any
) -> None:
    experiment = begin()
    assert (experiment.run.state, experiment.run.failure_message) == ("succeeded", "")
    results = experiment.results
    single, composed = results["arms"]
    assert (single["kinds"], composed["kinds"]) == ({"mail-3": 3, "shop-3": 3}, {"pair-3": 6})
    assert results["budget"] == {
        "equal": {"tasks": 6, "steps": 12, "sequences": 192}, "different": {}, "all_steps_done": True, "tokens": None,
    }  # fmt: skip
    (pair,) = results["pairs"]
    check_pair(pair, single, composed)
    held = DatasetVersion.objects.get(dataset__slug=experiment.data["dataset"], number=experiment.data["held_out"])
    assert held.stats["splits"] == {"test": {"rows": 4, "tasks": 4, "families": held.stats["families"]}}
    assert set(Evaluation.objects.values_list("dataset_version", flat=True)) == {held.pk}
    assert set(Evaluation.objects.values_list("seen_tasks", flat=True)) == {0}
    assert TrainingRun.objects.values("base").distinct().count() == 1  # the same starting weights
    client = client_as("viewer")
    with django_assert_max_num_queries(12):
        page = client.get(experiment.get_absolute_url()).content.decode()
    assert "composed − single-service" in page
    assert held.content_hash in page
    with django_assert_max_num_queries(12):
        assert "composed − single-service" in client.get("/experiments/").content.decode()
    assert experiment.get_absolute_url() in client.get(experiment.run.get_absolute_url()).content.decode()
    body = api_as("jobs:read").get(f"/api/v1/experiments/{experiment.public_id}").json()
    assert body["results"] == results
    assert body["plan"]["pairs"] == [["single-service", "composed"]]


def check_pair(pair: dict[str, Any], single: dict[str, Any], composed: dict[str, Any]) -> None:
    """The difference is that of the two rates, with an interval around it and a test; one pair needs no adjustment."""
    rate = pair["success_rate"]
    assert rate["difference"] == pytest.approx(composed["success_rate"]["value"] - single["success_rate"]["value"])
    assert rate["low"] <= rate["difference"] <= rate["high"]
    assert (rate["n"], rate["test"], pair["p_holm"]) == (4, "McNemar, exact", rate["p_value"])
    assert sum(pair["table"].values()) == 4
    assert set(pair["breakdowns"]["K"]) == {"1", "2"}


def test_a_composed_arm_that_does_worse_is_said_to_do_worse(
    settings: Any, tmp_path: Path, inline_runs: None, client_as: Any
) -> None:
    prepare(settings, tmp_path, "--best", 2)
    experiment = begin(held_out=20)
    single, composed = experiment.results["arms"]
    assert composed["success_rate"]["value"] < single["success_rate"]["value"]
    (pair,) = experiment.results["pairs"]
    rate = pair["success_rate"]
    assert (pair["first"], pair["second"]) == ("single-service", "composed")
    assert rate["difference"] == pytest.approx(composed["success_rate"]["value"] - single["success_rate"]["value"])
    assert rate["low"] <= rate["difference"] < 0
    assert rate["high"] < 0
    assert pair["score"]["difference"] < 0
    points = f"{abs(rate['difference']):.1%}"
    assert any(f"composed − single-service: -{points}" in one.message for one in experiment.run.events.all())
    page = client_as("viewer").get(experiment.get_absolute_url()).content.decode()
    assert f"−{points[:-1]}" in page.replace("-", "−")


def test_arms_that_do_the_same_differ_by_nothing(settings: Any, tmp_path: Path, inline_runs: None) -> None:
    prepare(settings, tmp_path, "--best", 9)
    (pair,) = begin(held_out=20).results["pairs"]
    assert (pair["success_rate"]["difference"], pair["success_rate"]["p_value"]) == (0.0, 1.0)


def test_what_is_done_is_not_done_again(settings: Any, tmp_path: Path, inline_runs: None) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    prepare(settings, tmp_path, "--broken", broken)
    experiment = begin()
    assert experiment.run.state == "failed"
    assert "judge what all arms start from did not succeed: out of memory" in experiment.run.failure_message
    kept = counts()
    broken.unlink()
    resume(experiment.run, None)
    experiment.refresh_from_db()
    assert (experiment.run.state, experiment.run.failure_message) == ("succeeded", "")
    assert counts() == kept
    assert experiment.results["arms"][0]["valid"] == 4


def counts() -> tuple[int, ...]:
    return Task.objects.count(), DatasetVersion.objects.count(), TrainingRun.objects.count()


def test_a_retry_takes_the_same_tasks(world: None) -> None:
    first, second = begin(), begin()
    assert first.results["held_out"]["tasks_hash"] == second.results["held_out"]["tasks_hash"]
    assert first.data["dataset"] != second.data["dataset"]
    assert [arm["content_hash"] for arm in first.results["arms"]] == [
        arm["content_hash"] for arm in second.results["arms"]
    ]


def test_rewards_share_their_start_and_several_seeds_their_tasks(world: None) -> None:
    experiment = begin("rewards", repeats=2)
    assert (experiment.run.state, experiment.run.failure_message) == ("succeeded", "")
    base = TrainingRun.objects.get(method="sft")
    arms = TrainingRun.objects.filter(method="grpo")
    assert set(arms.values_list("start_from", flat=True)) == {base.pk}
    assert sorted(row.config["reward"] for row in arms) == sorted(["completion_focused", "equal", "binary"] * 2)
    assert sorted({row.config["seed"] for row in arms}) == [3, 4]
    pairs = experiment.results["pairs"]
    assert [len(pair["by_seed"]) for pair in pairs] == [2, 2]
    assert all(pair["p_holm"] >= pair["success_rate"]["p_value"] for pair in pairs)
    assert experiment.results["arms"][0]["attempts"] == 4 * 2 * 2  # tasks, attempts, seeds


def test_sweeps_over_k_and_l_run(world: None) -> None:
    for preset, arms in (("k", 3), ("length", 4)):
        experiment = begin(preset, held_out=8)
        assert (experiment.run.state, experiment.run.failure_message) == ("succeeded", "")
        assert len(experiment.results["arms"]) == arms
        assert len(experiment.results["pairs"]) == arms - 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"preset": "k", "sizes": {"values": [1, 5]}}, "K = 5 is larger than the 3 services"),
        ({"preset": "composed", "source": "catalogue"}, "Of the kind one-service there are 0 training tasks"),
        ({"preset": "k", "source": "catalogue", "sizes": {"values": [2, 3]}}, "larger than the 0 services"),
        ({"preset": "composed", "start": "somewhere"}, "Start from tiny, model:"),
        ({"preset": "composed", "sizes": {"held_out": 2}}, "leave a kind of task without any"),
    ],
)
def test_refusals_come_before_anything_starts(db: None, api_as: Any, body: dict[str, Any], words: str) -> None:
    answer = api_as("jobs:write").post(
        "/api/v1/experiments", data=body, format="json", HTTP_IDEMPOTENCY_KEY=f"refused-{words[:20]}"
    )
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert not Experiment.objects.exists()
    assert not Run.objects.filter(kind=starting.KIND).exists()


def test_tasks_of_the_catalogue_are_taken_as_they_are(world: None) -> None:
    for number, task in enumerate(install_tasks(4)):
        Task.objects.filter(pk=task.pk).update(lineage=f"family-{number}", needed_count=2)
    sizes = {**SIZES, "tasks": 2, "held_out": 2, "values": [1, 2]}
    row = starting.start("scaling", source="catalogue", sizes=sizes, by=None)
    experiment = Experiment.objects.select_related("run").get(pk=row.pk)
    assert (experiment.run.state, experiment.run.failure_message) == ("succeeded", "")
    assert experiment.results["budget"]["different"] == {"tasks": [1, 2]}
    assert set(TrainingRun.objects.values_list("mode", flat=True)) == {"meta"}


def test_who_may_start(world: None, client_as: Any, api_as: Any) -> None:
    form = {"preset": "composed", "source": "practice", "trainer": "cpu-proof", "start": "tiny", **SIZES, "values": ""}
    viewer = client_as("viewer")
    assert "Trainers start experiments" in viewer.get("/experiments/").content.decode()
    assert viewer.post("/experiments/", form).status_code == 403
    key = {"HTTP_IDEMPOTENCY_KEY": "one"}
    assert api_as("jobs:read").post("/api/v1/experiments", {"preset": "k"}, format="json", **key).status_code == 403
    assert not Experiment.objects.exists()
    trainer = client_as("trainer")
    assert trainer.post("/experiments/", {**form, "values": "1, x"}).status_code == 422
    wrong = trainer.post("/experiments/", {**form, "preset": "k", "values": "1, 7"})
    assert "K = 7 is larger than the 3 services" in wrong.content.decode()
    answer = trainer.post("/experiments/", form)
    assert answer.status_code == 302
    assert Experiment.objects.get().get_absolute_url() == answer["Location"]


def test_the_command_line_refuses_in_words_and_goes_on(settings: Any, tmp_path: Path, inline_runs: None) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    prepare(settings, tmp_path, "--broken", broken)
    settings.WORKBENCH_HOME = tmp_path / "home"
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False
    with pytest.raises(CommandError, match="K = 8 is larger than the 3 services"):
        call_command("experiment", "k", "--values", "1,8", stdout=StringIO(), stderr=StringIO())
    with pytest.raises(CommandError, match="Name a preset"):
        call_command("experiment", stdout=StringIO(), stderr=StringIO())
    experiment = begin()
    assert experiment.run.state == "failed"
    with pytest.raises(CommandError, match=rf"To go on with: {experiment.public_id} \(composed, failed\)\."):
        call_command("experiment", "--resume", "xpt_lost", stdout=StringIO(), stderr=StringIO())
    broken.unlink()
    out = StringIO()
    call_command("experiment", "--resume", experiment.public_id, "--json", stdout=out, stderr=StringIO())
    experiment.refresh_from_db()
    told = json.loads(out.getvalue())
    assert told["pairs"] == experiment.results["pairs"]
    assert told["job"] == experiment.run.public_id
