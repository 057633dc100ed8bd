"""What a launch hands to the trainers for the choice of tasks, for evaluations while it trains, and for vLLM."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.apps.training_rows import freeze, install_passed, launch, make_lineages_differ, split_version, use_stand_in
from training_app import actions, journal, launching
from training_app.engine.config import SFTConfig
from training_app.launching import LaunchError, Request
from training_app.models import DatasetVersion, TrainingRun
from training_app.run_files import training_directory
from webapp.common import runs

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def version(db: None, settings: Any, tmp_path: Path) -> DatasetVersion:
    use_stand_in(settings, tmp_path)
    return split_version()


def finished(training: TrainingRun) -> TrainingRun:
    runs.execute(training.run_id)
    found = TrainingRun.objects.select_related("run").get(pk=training.pk)
    assert found.run.state == "succeeded", found.run.failure_message
    return found


def rows_of(path: str | Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_rows_of_grpo_say_k_and_l_of_their_tasks(version: DatasetVersion) -> None:
    training = finished(launch(version, "grpo", start="model:org/name", overrides={"curriculum_steps": 4}))
    config = training_directory(training).read_json("config.json") or {}
    assert config["curriculum_steps"] == 4
    sizes = {
        member.task.task_hash: (member.task.needed_count, member.task.walk_length)
        for member in version.members.filter(split="train").select_related("task")
    }
    rows = rows_of(config["dataset"])
    assert {row["task_id"]: (row["k"], row["l"]) for row in rows} == sizes


def test_a_run_with_evaluations_gets_held_out_tasks_and_their_world(version: DatasetVersion) -> None:
    training = finished(launch(version, overrides={"evaluate_every": 3, "evaluate_tasks": 1, "seed": 9}))
    config = SFTConfig.model_validate(training_directory(training).read_json("config.json"))
    played = config.evaluation
    assert played is not None
    held = set(version.members.filter(split="test").values_list("task__task_hash", flat=True))
    assert [row["task_id"] for row in rows_of(played.dataset)] == sorted(held)[:1]
    assert played.episode_arguments["mode"] == training.mode
    assert (Path(str(played.episode_arguments["directory"])) / "tasks.jsonl").exists()
    assert (played.temperature, played.seed, played.device) == (0.0, 9, "cpu")
    assert played.max_completion_length == launching.preset_values("grpo", "cpu-proof")["max_completion_length"]


def test_evaluations_need_a_held_out_split(settings: Any, tmp_path: Path) -> None:
    use_stand_in(settings, tmp_path)
    make_lineages_differ([row.task for row in install_passed()])
    whole = freeze(test=0.0)
    with pytest.raises(LaunchError, match="has no held-out split whose tasks could be played") as caught:
        launch(whole, overrides={"evaluate_every": 3})
    assert set(caught.value.fields) == {"evaluate_every"}
    assert launch(whole).pk


def test_what_is_played_is_not_for_the_user_to_set(version: DatasetVersion) -> None:
    with pytest.raises(LaunchError, match="sets evaluation itself"):
        launch(version, overrides={"evaluate_every": 3, "evaluation": {}})


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"vllm": "server"}, "vllm = server needs vllm_server"),
        ({"vllm": "server", "vllm_server": "sampler"}, "vllm_server: String should match pattern"),
        ({"vllm_server": "http://sampler:8000"}, "only used with vllm = server"),
        ({"curriculum_steps": 0}, "curriculum_steps: "),
        ({"lean_to_failures": 2}, "lean_to_failures: "),
    ],
)
def test_incomplete_choices_are_refused_in_words(
    version: DatasetVersion, overrides: dict[str, Any], words: str
) -> None:
    wanted = Request("grpo", "paper", version, "model:org/name", overrides=overrides)
    with pytest.raises(LaunchError, match=words):
        actions.check_launch(wanted)


def test_a_server_for_sampling_is_reached_by_overrides(version: DatasetVersion) -> None:
    overrides = {"vllm": "server", "vllm_server": "http://sampler:8000"}
    values, _, _ = actions.check_launch(Request("grpo", "paper", version, "model:org/name", overrides=overrides))
    assert (values["vllm"], values["vllm_server"]) == ("server", "http://sampler:8000")


# Pages and REST ------------------------------------------------------------------------------------------------


@pytest.fixture
def evaluated(version: DatasetVersion) -> TrainingRun:
    training = finished(launch(version, overrides={"evaluate_every": 4}))
    lines = [
        {
            "kind": "evaluation",
            "step": step,
            "success_rate": rate,
            "score": rate + 0.25,
            "success_low": 0.0,
            "tasks": 16,
        }
        for step, rate in ((0, 0.0), (4, 0.25), (8, 0.625))
    ]
    journal.store_metrics(training, lines)
    return training


def test_the_page_draws_what_was_played_and_shows_the_last_pair(evaluated: TrainingRun, client_as: Any) -> None:
    page = client_as("viewer").get(evaluated.run.get_absolute_url()).content.decode()
    assert "Held-out tasks, played while it trains" in page
    assert "16 tasks at most, played last" in page
    assert "n = 16 held-out tasks at most, one greedy attempt each, seed 0" in page
    assert "Held-out tasks are played after every 4 steps" in page
    assert "62" in page  # per cent complete of the last time
    assert "plays no tasks" not in page


def test_a_run_without_evaluations_says_how_to_have_them(version: DatasetVersion, client_as: Any) -> None:
    training = finished(launch(version))
    page = client_as("viewer").get(training.run.get_absolute_url()).content.decode()
    assert "set evaluate_every" in page
    assert "played last" not in page


def test_rest_gives_the_numbers_of_the_evaluations(evaluated: TrainingRun, api_as: Any) -> None:
    answer = api_as("jobs:read").get(
        f"/api/v1/training-runs/{evaluated.public_id}/metrics?names=evaluation/success_rate"
    )
    assert answer.status_code == 200, answer.content
    points = answer.json()["data"]
    assert [(point["step"], point["value"]) for point in points] == [(0, 0.0), (4, 0.25), (8, 0.625)]


def test_numbers_beyond_the_step_of_a_resume_are_taken_back(evaluated: TrainingRun) -> None:
    journal.store_metrics(evaluated, [{"kind": "begin", "step": 4}])
    steps = evaluated.metrics.filter(name="evaluation/score").order_by("step").values_list("step", flat=True)
    assert list(steps) == [0, 4]


def test_the_job_page_stays_within_its_budget_with_parent_child_and_evaluation(
    evaluated: TrainingRun, client_as: Any, django_assert_max_num_queries: Any
) -> None:
    version = evaluated.dataset_version
    child = launch(version, "grpo", start=f"run:{evaluated.public_id}@model")
    finished(child)
    evaluation = actions.evaluate(version=version, split="test", training=evaluated, by=None)
    assert evaluation.run.parent_id == evaluated.run_id or evaluation.training_run_id == evaluated.pk
    client = client_as("trainer")
    for training in (evaluated, child):
        client.get(training.run.get_absolute_url())
        with django_assert_max_num_queries(12):
            assert client.get(training.run.get_absolute_url()).status_code == 200
