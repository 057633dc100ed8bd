"""Launch form, job pages with charts and rollouts, evaluations; REST of the same; roles and query counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from tasks_app.policies.rules import FaultyPolicy
from tests.apps.problems import assert_problem
from tests.apps.training_rows import (
    freeze,
    launch,
    request,
    split_version,
    use_stand_in,
)
from tests.catalogue import install_trajectory
from training_app import actions, evaluating, journal, launching
from training_app.engine.reward import group_reward
from training_app.exports.ndjson import write_ndjson
from training_app.launching import LaunchError
from training_app.models import DatasetVersion, Evaluation, TrainingRun
from training_app.run_files import training_directory
from webapp.common.models import Run

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def version(db: None, settings: Any, tmp_path: Path) -> DatasetVersion:
    use_stand_in(settings, tmp_path)
    return split_version()


def form(version: DatasetVersion, /, **changes: Any) -> dict[str, Any]:
    return {"method": "sft", "preset": "cpu-proof", "version": str(version.pk), "start": "tiny", **changes}


def finished_grpo(version: DatasetVersion, run_now: Any) -> TrainingRun:
    """A finished SFT run and a GRPO run that started from it, with the rollouts of one step."""
    sft = run_now(launch, version=version)
    row: TrainingRun = run_now(launch, version=version, method="grpo", start=f"run:{sft.public_id}")
    verdicts = [{"sent": True, "amount": n % 2 == 0} for n in range(4)]
    reward = group_reward(
        verdicts, variant="completion_focused", lam=0.01, min_valid=2, broken=(), unknown_everywhere="exclude_criterion"
    )
    task = version.members.first().task.task_hash  # type: ignore[union-attr]
    rows = [
        {
            "step": 3, "kind": "rollout", "group": 0, "index": n, "state": "alive", "skipped": "", "task_id": task,
            "reward": reward.rewards[n], "advantage": 0.5, "verdict": verdicts[n], "status": "completed", "detail": "",
            "pass_rates": dict(reward.pass_rates), "weights": dict(reward.weights), "turns": 3, "calls": 2,
            "tool_errors": 0, "prompt_tokens": 9, "sampled_tokens": 7, "observation_tokens": 5,
            "parts": [{"origin": "sampled", "tokens": 2, "text": "<script>x</script>"}],
        }
        for n in range(4)
    ]  # fmt: skip
    write_ndjson(training_directory(row).rollouts(3), rows)
    return TrainingRun.objects.select_related("run").get(pk=row.pk)


# Launch --------------------------------------------------------------------------------------------------------


def test_launch_from_the_form(version: DatasetVersion, client_as: Any) -> None:
    client = client_as("trainer")
    page = client.get(f"/jobs/new/?kind=sft&dataset={version.dataset.slug}").content.decode()
    assert "Show all" in page
    assert "0.004" in page  # the preset's learning rate stands in the field
    response = client.post("/jobs/new/", form(version, launch="1", **{"set-learning_rate": "2e-3", "set-seed": "0"}))
    assert response.status_code == 302
    training = TrainingRun.objects.get()
    assert response["Location"] == training.run.get_absolute_url()
    assert training.overrides == {"learning_rate": 0.002}  # the seed equals the preset's, so it does not differ
    assert training.run.queue == "train"
    assert training.run.state == "queued"
    assert training.mode == "meta"


def test_the_preview_says_what_it_amounts_to(version: DatasetVersion, client_as: Any) -> None:
    client = client_as("trainer")
    page = client.post("/jobs/new/", form(version, **{"set-epochs": "4"})).content.decode()
    assert "./workbench train sft --preset cpu-proof" in page
    assert "--set epochs=4" in page or "epochs=4" in page
    assert "Idempotency-Key" in page
    assert not TrainingRun.objects.exists()
    warned = client.post("/jobs/new/", form(version, preset="paper", start="model:org/name")).content.decode()
    assert "no GPU" in warned


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"set-learning_rate": "many"}, "learning_rate"),
        ({"set-global_batch": "7", "set-micro_batch": "4"}, "no multiple of micro_batch"),
        ({"start": "run:trn_" + "0" * 32}, "no such run"),
        ({"start": "elsewhere"}, "not understood"),
        ({"max_simulated": "2"}, "less than or equal to 1"),
        ({"version": "0" * 32}, "valid choice"),
        ({"set-precision": "bfloat16"}, "bfloat16 is some ten times slower"),
    ],
)
def test_a_wrong_launch_is_explained_and_starts_nothing(
    version: DatasetVersion, client_as: Any, changes: dict[str, str], words: str
) -> None:
    response = client_as("trainer").post("/jobs/new/", form(version, launch="1", **changes))
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not Run.objects.filter(kind="sft").exists()


def test_data_and_method_must_fit(version: DatasetVersion) -> None:
    tasks = freeze("rl", slug="tasks")
    with pytest.raises(LaunchError, match="train it with SFT first"):
        launch(tasks, "grpo")
    assert launch(tasks, mode="direct").mode == "direct"
    with pytest.raises(LaunchError, match="offer tools in mode meta"):
        launch(version, mode="direct")
    with pytest.raises(LaunchError, match="has no checkpoint"):
        launch(version, "grpo", start=f"run:{launch(version).public_id}")
    assert launch(tasks, "grpo", start="model:org/name").mode == "meta"


def test_only_trainers_launch(version: DatasetVersion, client_as: Any) -> None:
    for role in ("viewer", "annotator", "curator"):
        client = client_as(role)
        assert client.get("/jobs/new/").status_code == 200
        assert client.post("/jobs/new/", form(version, launch="1")).status_code == 403
    assert not TrainingRun.objects.exists()
    assert client_as("admin").post("/jobs/new/", form(version, launch="1")).status_code == 302


def test_presets_hold_the_numbers_of_the_paper() -> None:
    sft, grpo = launching.preset_values("sft", "paper"), launching.preset_values("grpo", "paper")
    assert (sft["epochs"], sft["global_batch"], sft["learning_rate"]) == (3, 32, 1e-4)
    assert (grpo["group_size"], grpo["epsilon"], grpo["epsilon_high"], grpo["lam"]) == (8, 0.2, 0.28, 0.01)
    assert (grpo["learning_rate"], grpo["beta"], grpo["entropy_coef"]) == (1e-5, 0, 0)


# Watching ------------------------------------------------------------------------------------------------------


def test_the_job_page_shows_charts_pairs_and_config(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = finished_grpo(version, run_now)
    journal.store_metrics(
        training,
        [{"kind": "rollouts", "step": 2, "reward": 0.6, "success_rate": 0.25, "rubric_score": 0.75, "dead_share": 0.5}],
    )
    page = client_as("trainer").get(training.run.get_absolute_url()).content.decode()
    for piece in (
        "Reward, success and score",
        "Groups without a gradient",
        "Loss",
        "<svg",
        "75",
        "25",
        "Whole configuration",
    ):
        assert piece in page, piece
    assert "Groups of step 3" in page
    live = client_as("viewer").get(
        f"/training/{training.public_id}/charts/", headers={"HX-Request": "true", "HX-Target": "training-live"}
    )
    assert live.status_code == 200
    assert "<html" not in live.content.decode()
    assert client_as("viewer").get(f"/training/{training.public_id}/charts/").status_code == 302


def test_numbers_as_csv(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = run_now(launch, version=version)
    text = b"".join(client_as("viewer").get(f"/training/{training.public_id}/metrics.csv").streaming_content).decode()
    rows = [line.split(",") for line in text.strip().splitlines()]
    assert rows[0] == ["step", "name", "value"]
    assert ["4", "loss", "0.25"] in rows


def test_groups_of_a_step_with_the_arithmetic(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = finished_grpo(version, run_now)
    client = client_as("viewer")
    base = f"/training/{training.public_id}/rollouts"
    assert f"{base}/3/0/" in client.get(f"{base}/?step=3").content.decode()
    page = client.get(f"{base}/3/0/").content.decode()
    assert "Advantage" in page
    assert "∅" in page  # all sent: no signal
    assert version.members.first().task.get_absolute_url() in page  # type: ignore[union-attr]
    one = client.get(f"/training/{training.public_id}/rollouts/3/0/1/").content.decode()
    assert "&lt;script&gt;x" in one
    assert "<script>x" not in one
    assert client.get(f"/training/{training.public_id}/rollouts/?step=9").status_code == 404
    assert client.get(f"/training/{training.public_id}/rollouts/3/0/9/").status_code == 404


def test_pages_stay_within_their_query_budget(
    version: DatasetVersion, run_now: Any, client_as: Any, django_assert_max_num_queries: Any
) -> None:
    training = finished_grpo(version, run_now)
    evaluation = run_now(actions.evaluate, version=version, split="test", policy="reference", by=None)
    client = client_as("trainer")
    base = f"/training/{training.public_id}"
    for path in ("/jobs/new/", f"{base}/rollouts/?step=3", f"{base}/rollouts/3/0/0/", evaluation.get_absolute_url()):
        with django_assert_max_num_queries(12):
            assert client.get(path).status_code == 200, path
    with django_assert_max_num_queries(12):  # the platform's own parts of the job page included
        assert client.get(training.run.get_absolute_url()).status_code == 200


# Evaluation ----------------------------------------------------------------------------------------------------


def test_policies_are_judged_with_intervals(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    good = run_now(actions.evaluate, version=version, split="train", policy="reference", by=None)
    bad = run_now(actions.evaluate, version=version, split="train", policy="noop", by=None)
    good, bad = Evaluation.objects.get(pk=good.pk), Evaluation.objects.get(pk=bad.pk)
    assert good.run.state == "succeeded", list(good.run.events.values_list("message", flat=True))
    assert good.results["success_rate"]["value"] == 1.0
    assert bad.results["success_rate"]["value"] == 0.0
    assert good.results["success_rate"]["low"] == pytest.approx(0.4385, abs=1e-3)  # Wilson, 3 of 3
    assert set(good.results["breakdowns"]) == {"domain", "K", "L", "shape", "simulated"}
    assert good.results["provenance"]["dataset_hash"] == version.content_hash
    page = client_as("viewer").get(good.get_absolute_url()).content.decode()
    assert "n = 3" in page
    assert version.content_hash in page
    assert f'<option value="{bad.public_id}">' in page


def test_an_evaluation_agrees_with_the_stored_verdicts(version: DatasetVersion) -> None:
    member = version.members.first()
    assert member is not None
    value = install_trajectory(member.task, FaultyPolicy()).to_value()
    attempt = evaluating.attempt_of(value, 0)
    assert attempt.solved is value.passed is False
    assert attempt.valid


def test_a_split_that_was_trained_on_is_named(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = run_now(launch, version=version)
    training = TrainingRun.objects.select_related("run").get(pk=training.pk)
    on_train = actions.evaluate(version=version, split="train", training=training, by=None)
    on_test = actions.evaluate(version=version, split="test", training=training, by=None)
    assert (on_train.seen_tasks, on_test.seen_tasks) == (3, 0)
    page = client_as("viewer").get(on_train.get_absolute_url()).content.decode()
    assert "trained on" in page


def test_evaluate_from_the_page(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    training = run_now(launch, version=version)
    url = f"/training/{training.public_id}/evaluate/"
    data = {"split": "test", "checkpoint": "model", "attempts": 2, "temperature": 1}
    assert client_as("curator").post(url, data).status_code == 403
    assert client_as("trainer").post(url, data).status_code == 302
    evaluation = Evaluation.objects.get()
    assert (evaluation.rollouts_per_task, evaluation.checkpoint, evaluation.split) == (2, "model", "test")


# REST ----------------------------------------------------------------------------------------------------------


def test_training_runs_over_rest(version: DatasetVersion, run_now: Any, api_as: Any) -> None:
    client = api_as("jobs:read", "jobs:write", role="trainer")
    body = {"method": "sft", "preset": "cpu-proof", "dataset": version.dataset.slug, "start": "tiny"}
    estimate = client.post("/api/v1/training-runs/estimate", {**body, "overrides": {"epochs": 2}}, format="json").json()
    assert estimate["figures"]["train_rows"] == 3
    assert estimate["config"]["epochs"] == 2
    path = "/api/v1/training-runs"
    started = run_now(client.post, path=path, data=body, format="json", headers={"Idempotency-Key": "a"})
    assert started.status_code == 202
    again = client.post(path, body, format="json", headers={"Idempotency-Key": "a"})
    assert again.json()["id"] == started.json()["id"]
    assert TrainingRun.objects.count() == 1
    row = client.get(path).json()["data"][0]
    assert row["state"] == "succeeded"
    assert row["usable"][0] == "model"
    points = client.get(f"{path}/{row['id']}/metrics?names=loss&after=4").json()
    assert [point["step"] for point in points["data"]] == list(range(5, 13))
    assert points["last"] == 12
    assert points["live"] is False
    by_job = client.get(f"/api/v1/jobs/{row['job']}/metrics?names=loss&limit=3").json()
    assert [point["step"] for point in by_job["data"]] == [1, 2, 3]
    wrong = client.post(
        path, {**body, "overrides": {"learning_rate": -1, "model": "x"}}, format="json",
        headers={"Idempotency-Key": "b"},
    )  # fmt: skip
    assert "/model" in {error["pointer"] for error in assert_problem(wrong, 422, "validation-failed")["errors"]}
    assert_problem(client.post(path, body, format="json"), 422, "validation-failed")


def test_roles_and_scopes_of_training_over_rest(version: DatasetVersion, api_as: Any) -> None:
    body = {"method": "sft", "preset": "cpu-proof", "dataset": version.dataset.slug, "start": "tiny"}
    for client in (api_as("jobs:read", "jobs:write", role="curator"), api_as("jobs:read", role="trainer")):
        assert client.get("/api/v1/training-runs").status_code == 200
        answer = client.post("/api/v1/training-runs", body, format="json", headers={"Idempotency-Key": "k"})
        assert_problem(answer, 403, "permission-denied")


def test_evaluations_over_rest(version: DatasetVersion, run_now: Any, api_as: Any) -> None:
    client = api_as("jobs:read", "jobs:write", role="trainer")
    body = {"dataset": version.dataset.slug, "split": "test", "policy": "reference"}
    started = run_now(
        client.post, path="/api/v1/evaluations", data=body, format="json", headers={"Idempotency-Key": "e"}
    )
    assert started.status_code == 202
    row = client.get("/api/v1/evaluations").json()["data"][0]
    assert row["results"]["success_rate"]["value"] == 1.0
    both = {**body, "training_run": "trn_" + "0" * 32}
    answer = client.post("/api/v1/evaluations", both, format="json", headers={"Idempotency-Key": "f"})
    assert_problem(answer, 422, "validation-failed")


def test_the_schema_names_every_operation_of_this_app(api_as: Any) -> None:
    schema = json.loads(api_as("catalog:read").get("/api/v1/schema/?format=json").content)
    wanted = {"/api/v1/datasets", "/api/v1/exports/{id}", "/api/v1/training-runs", "/api/v1/evaluations"}
    assert wanted <= set(schema["paths"])


def test_the_request_survives_its_payload(version: DatasetVersion) -> None:
    wanted = request(version, overrides={"epochs": 2}, hours=1.5)
    assert launching.Request.parse(wanted.payload()) == wanted
