"""Launching from a preset, cloning, clusters, checkpoints and the room for them, and the failure card."""

from pathlib import Path
from typing import Any

import pytest

from tests.apps.problems import assert_problem
from tests.apps.training_rows import launch, request, split_version, use_stand_in
from training_app import actions, disk, launch_plan, launching, training
from training_app.advice import ADVICE, advice
from training_app.engine.config import PRESETS
from training_app.launching import LaunchError
from training_app.models import DatasetVersion, TrainingRun
from training_app.run_files import training_directory
from webapp.common import runs
from webapp.common.models import Activity, Run
from workers.launchers.clusters import Place

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def use(settings: Any, tmp_path: Path) -> Any:

    def use(*arguments: Any) -> None:
        use_stand_in(settings, tmp_path, *arguments)

    use()
    return use


@pytest.fixture
def version(db: None, use: Any) -> DatasetVersion:
    return split_version()


@pytest.fixture
def run_now(settings: Any, django_capture_on_commit_callbacks: Any) -> Any:
    settings.WORKBENCH_RUN_INLINE = True

    def run(action: Any, *arguments: Any, **named: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return action(*arguments, **named)

    return run


def reload(row: TrainingRun) -> TrainingRun:
    return TrainingRun.objects.select_related("run", "dataset_version__dataset").get(pk=row.pk)


# Launching -----------------------------------------------------------------------------------------------------


def test_the_form_can_be_sent_as_it_comes(version: DatasetVersion, client_as: Any) -> None:
    """Jobs, Train, Launch: three clicks. Dataset, preset and start are chosen, and the estimate is there."""
    client = client_as("trainer")
    page = client.get("/jobs/new/")
    form = page.context["form"]
    assert form.is_valid(), form.errors
    assert "./workbench train sft" in page.content.decode()
    sent = {name: "" if value is None else str(value) for name, value in form.data.items()}
    assert client.post("/jobs/new/", {**sent, "launch": "1"}).status_code == 302
    assert TrainingRun.objects.count() == 1
    launch(version, overrides={"seed": 3})
    TrainingRun.objects.update(preset="paper")
    assert client.get("/jobs/new/").context["form"].data["preset"] == "paper"  # what was used last


def test_without_data_the_form_says_what_is_missing(use: Any, client_as: Any) -> None:
    page = client_as("trainer").get("/jobs/new/").content.decode()
    assert "no frozen dataset version" in page
    assert "This field is required" not in page


def test_a_clone_holds_what_was_launched(version: DatasetVersion, client_as: Any) -> None:
    first = launch(version, overrides={"learning_rate": 0.002, "lora": {"rank": 4}}, hours=2)
    client = client_as("trainer")
    page = client.get(f"/jobs/new/?clone={first.public_id}")
    data = page.context["form"].data
    assert (data["set-learning_rate"], data["hours"], data["start"]) == ("0.002", 2.0, "tiny")
    assert "A clone of" in page.content.decode()
    sent = {name: str(value) for name, value in data.items()} | {"set-seed": "5", "launch": "1"}
    assert client.post("/jobs/new/", sent).status_code == 302
    second = TrainingRun.objects.exclude(pk=first.pk).get()
    assert second.config == {**first.config, "seed": 5}
    assert client.get("/jobs/new/?clone=trn_nothing").status_code == 404


def test_a_clone_over_rest(version: DatasetVersion, api_as: Any) -> None:
    first = launch(version, overrides={"learning_rate": 0.002, "seed": 1})
    api = api_as("jobs:read", "jobs:write", role="trainer")
    url = f"/api/v1/training-runs/{first.public_id}/clone"
    body = {"overrides": {"seed": None, "epochs": 4}}
    reply = api.post(url, body, format="json", headers={"Idempotency-Key": "k1"})
    assert reply.status_code == 202
    made = TrainingRun.objects.exclude(pk=first.pk).get()
    assert made.overrides == {"learning_rate": 0.002, "epochs": 4}
    wrong = api.post(url, {"overrides": {"epochs": -1}}, format="json", headers={"Idempotency-Key": "k2"})
    assert_problem(wrong, 422, "validation-failed")
    assert api.post(url, body, format="json").status_code == 422  # a launch needs its key


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("method", ["sft", "grpo"])
def test_every_preset_makes_a_configuration_and_a_command(
    version: DatasetVersion, settings: Any, method: str, preset: str
) -> None:
    settings.WORKBENCH_TRAINERS = {}
    wanted = request(version, method, preset=preset, start="model:org/name")
    config = launching.configure(wanted).model_dump(mode="json")
    command = launch_plan.shown(wanted, config).trainer
    assert f"-m training_app.trainers.{method} --run-dir" in command
    assert ("accelerate.commands.launch --num_processes 8" in command) == (preset == "multi-gpu")


def test_several_processes_go_through_accelerate(settings: Any) -> None:
    settings.WORKBENCH_TRAINERS = {}
    config = {"processes": 16, "nodes": 2, "sharding": "zero2", "precision": "bfloat16", "device": "cuda"}
    words = training.launch_command("sft", config, '--machine_rank "$N"')
    assert words[1:3] == ["-m", "accelerate.commands.launch"]
    assert words[-2:] == ["-m", "training_app.trainers.sft"]
    for part in ("--num_machines 2", '--machine_rank "$N"', "--mixed_precision bf16", "--zero_stage 2"):
        assert part in " ".join(words), part
    on_cpus = training.launch_command("sft", {"processes": 2, "device": "cpu"})
    assert on_cpus[1:6] == ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"processes": 3, "nodes": 2}, "do not divide into 2 nodes"),
        ({"sharding": "zero3"}, "more than one process"),
        ({"processes": 7}, "on 7 processes"),
    ],
)
def test_shapes_that_cannot_be_are_refused(version: DatasetVersion, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(LaunchError, match=words):
        launch(version, preset="paper", start="model:org/name", overrides=changes)


def test_a_cluster_that_is_not_here_is_shown_but_not_used(
    version: DatasetVersion, client_as: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    given = {"method": "sft", "preset": "multi-gpu", "version": str(version.pk), "start": "model:org/name"}
    given |= {"launcher": "slurm", "resources": "gpu"}
    client = client_as("trainer")
    page = client.post("/jobs/new/", given).content.decode()
    assert "#SBATCH --partition=gpu" in page
    assert "sbatch --parsable" in page
    assert "sbatch is not installed on this machine" in page
    refused = client.post("/jobs/new/", {**given, "launch": "1"})
    assert refused.status_code == 422
    assert not TrainingRun.objects.exists()


def test_a_run_on_a_cluster_is_followed_like_any_other(
    version: DatasetVersion, run_now: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    """Programs that stand in for Slurm's run the job in the background."""
    programs, state = tmp_path / "bin", tmp_path / "job.pid"
    programs.mkdir()
    for name, text in {
        "sbatch": f'setsid bash "$2" >/dev/null 2>&1 & echo $! > "{state}"; echo 77',
        "squeue": f'kill -0 $(cat "{state}") 2>/dev/null && echo RUNNING',
        "srun": 'exec "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/bash\n{text}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    row = reload(run_now(launch, version, place=Place("slurm")))
    assert row.run.state == "succeeded", list(row.run.events.values_list("message", flat=True))
    assert "Started slurm job 77." in row.run.events.values_list("message", flat=True)
    assert row.run.payload["place"] == {"launcher": "slurm"}
    assert row.metrics.filter(name="loss").count() == 12
    assert (training_directory(row).root / "job.sbatch").exists()


# Checkpoints and room ------------------------------------------------------------------------------------------


def test_checkpoints_show_their_size_and_can_go(version: DatasetVersion, run_now: Any, client_as: Any) -> None:
    row = reload(run_now(launch, version))
    (training_directory(row).model / "model.safetensors").write_bytes(b"x" * 2048)
    assert [one.name for one in disk.kept(row)] == ["model", "checkpoint-12", "checkpoint-8", "checkpoint-4"]
    url = f"/training/{row.public_id}/checkpoints/checkpoint-4/delete/"
    assert client_as("curator").post(url).status_code == 403
    trainer = client_as("trainer")
    assert "2.0 KiB" in trainer.get(row.run.get_absolute_url()).content.decode()
    assert trainer.post(url).status_code == 302
    assert reload(row).checkpoints == ["checkpoint-8", "checkpoint-12"]
    assert Activity.objects.filter(verb="checkpoint.deleted").exists()
    launch(version, "grpo", start=f"run:{row.public_id}@checkpoint-8")
    with pytest.raises(ValueError, match="starts from checkpoint-8"):
        disk.delete(reload(row), "checkpoint-8")
    with pytest.raises(ValueError, match="no checkpoint"):
        disk.delete(reload(row), "checkpoint-99")


def test_a_stopped_run_resumes_from_an_earlier_checkpoint(version: DatasetVersion, run_now: Any, use: Any) -> None:
    row = reload(run_now(launch, version))
    with pytest.raises(runs.StateConflict):
        actions.resume_from(training=row, name="checkpoint-4", by=None)
    Run.objects.filter(pk=row.run_id).update(state="cancelled", cancel_mode="keep")
    with pytest.raises(ValueError, match="no checkpoint checkpoint-5"):
        actions.resume_from(training=reload(row), name="checkpoint-5", by=None)
    assert reload(row).run.state == "cancelled"
    run_now(actions.resume_from, training=reload(row), name="checkpoint-4", by=None)
    row = reload(row)
    assert row.run.state == "succeeded"
    assert "training starts at step 4" in row.run.events.values_list("message", flat=True)
    assert row.metrics.filter(name="loss").count() == 12


def test_a_full_disk_is_told_before_anything_starts(version: DatasetVersion, run_now: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(disk, "RESERVE", 1 << 62)
    with pytest.raises(LaunchError, match="are free where runs are kept"):
        launch(version)
    assert not Run.objects.filter(kind="sft").exists()
    monkeypatch.setattr(disk, "RESERVE", 0)
    row = launch(version)
    monkeypatch.setattr(disk, "RESERVE", 1 << 62)  # it filled up while the run waited
    runs.execute(row.run_id)
    run = Run.objects.get(pk=row.run_id)
    assert (run.state, run.failure_kind) == ("failed", "disk:full")
    assert run.can_resume


def test_room_grows_with_what_is_kept(tmp_path: Path, settings: Any) -> None:
    settings.WORKBENCH_FILES = tmp_path
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "model.safetensors").write_bytes(b"x" * 1000)
    two, five = (disk.room_for({"keep_checkpoints": n}, tmp_path / "m").needed for n in (2, 5))
    assert (two, five) == (16_000, 31_000)
    assert disk.room_for({"keep_checkpoints": 2, "lora": {"rank": 4}}, tmp_path / "m").needed == 1_600
    assert disk.room_for({}, None).needed is None


# Failures ------------------------------------------------------------------------------------------------------


def test_the_failure_card_says_cause_last_lines_and_what_helps(
    version: DatasetVersion, run_now: Any, use: Any, client_as: Any
) -> None:
    use("--behaviour", "crash")
    row = reload(run_now(launch, version))
    page = client_as("trainer").get(row.run.get_absolute_url()).content.decode()
    card = page[page.index('role="alert"') :]
    for piece in ("run:crashed", "RuntimeError: wrong shape", "Traceback: the tensor has the wrong shape"):
        assert piece in card, piece
    assert str(ADVICE["run:crashed"]) in page.replace("&#x27;", "'")
    assert "Clone with changes" in page
    assert "Resume" in page


def test_advice_goes_by_kind_then_by_family() -> None:
    assert advice("config:invalid") == ADVICE["config:"]
    assert advice("run:killed") == ADVICE["run:killed"]
    assert advice("something:else") == ""
