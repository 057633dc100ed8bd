"""What a failed or refused run says of itself: the cause that is known, nothing that is not, and what to do."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.apps.problems import assert_problem
from tests.apps.training_rows import launch, split_version, use_stand_in
from training_app import actions, launching, run_files, supervision
from training_app.engine.experiment import PlanError
from training_app.experiments import starting
from training_app.launching import LaunchError
from training_app.models import DatasetVersion, TrainingRun
from webapp.common import runs
from webapp.common.models import Run
from workers.launchers.clusters import Place
from workers.launchers.memory import oom_kills

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]
PAPER = {"preset": "paper", "start": "model:org/name"}


@pytest.fixture
def version(settings: Any, tmp_path: Path) -> DatasetVersion:
    use_stand_in(settings, tmp_path)
    return split_version()


def failed(version: DatasetVersion, settings: Any, command: list[str]) -> Run:
    """A run whose trainer is this command, after it ended."""
    settings.WORKBENCH_TRAINERS = {"sft": command}
    row = launch(version)
    runs.execute(row.run_id)
    run = Run.objects.get(pk=row.run_id)
    assert run.state == "failed"
    return run


def python(line: str) -> list[str]:
    return [sys.executable, "-c", f"import os, signal, sys; print('the last line', flush=True); {line}"]


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "run:killed", "was ended from outside by SIGKILL, without a word"),
        ("sys.exit(3)", "run:crashed", "ended with exit status 3 before it could say why"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "run:crashed", "crashed (SIGSEGV)"),
    ],
)
def test_a_process_without_last_words_is_called_what_it_is(
    version: DatasetVersion, settings: Any, client_as: Any, line: str, kind: str, words: str
) -> None:
    run = failed(version, settings, python(line))
    assert run.failure_kind == kind
    assert words in run.failure_message
    page = client_as("trainer").get(run.get_absolute_url()).content.decode()
    card = page[page.index('role="alert"') :]
    assert "the last line" in card
    assert "out of memory" not in card
    assert "want of memory" not in card


def test_a_lack_of_memory_is_told_where_the_system_says_so(
    version: DatasetVersion, settings: Any, monkeypatch: Any
) -> None:
    counted = iter([4, 5])
    monkeypatch.setattr(supervision, "oom_kills", lambda: next(counted))
    run = failed(version, settings, python("os.kill(os.getpid(), signal.SIGKILL)"))
    assert run.failure_kind == "run:memory"
    assert "for want of memory" in run.failure_message


def test_the_counters_of_both_control_groups_and_of_the_machine_are_read(tmp_path: Path) -> None:
    assert oom_kills(tmp_path) == 0
    for name, text in {
        "proc/self/cgroup": "4:memory:/a/b\n3:cpu:/\n0::/c\n",
        "proc/vmstat": "nr_free_pages 12\noom_kill 2\n",
        "sys/fs/cgroup/memory/a/b/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 30\n",
        "sys/fs/cgroup/c/memory.events": "low 0\noom 9\noom_kill 400\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert oom_kills(tmp_path) == 432
    assert oom_kills() >= 0


def test_a_disk_without_room_for_a_word_is_told(version: DatasetVersion, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(supervision, "NO_ROOM", 1 << 62)
    run = failed(version, settings, python("sys.exit(1)"))
    assert run.failure_kind == "disk:full"
    assert "is full" in run.failure_message
    assert run.can_resume


def test_numbers_that_are_none_are_told_with_what_helps(
    version: DatasetVersion, settings: Any, client_as: Any, tmp_path: Path
) -> None:
    """As the real trainer ends (tests/training/stack/test_refusals.py)."""
    ended = {"state": "failed", "kind": "run:nan", "message": "Step 7 was not taken: its loss is nan.", "step": 6}
    (tmp_path / "status.json").write_text(json.dumps(ended))
    run = failed(
        version, settings, python(f"import shutil; shutil.copy({str(tmp_path / 'status.json')!r}, sys.argv[2])")
    )
    assert (run.failure_kind, run.failure_message) == ("run:nan", ended["message"])
    card = client_as("trainer").get(run.get_absolute_url()).content.decode()
    for piece in ("lower learning rate", "float32", "rows of that step", "the last line"):
        assert piece in card, piece


def test_a_missing_package_reaches_the_page_with_its_command(
    version: DatasetVersion, settings: Any, client_as: Any
) -> None:
    """The real trainer, with the interpreter of the workbench, which has no torch."""
    run = failed(version, settings, [sys.executable, "-m", "training_app.trainers.sft"])
    assert run.failure_kind == "install:missing"
    assert "`.venv/bin/python -m training_app.trainers.install`" in run.failure_message
    card = client_as("trainer").get(run.get_absolute_url()).content.decode()
    assert "Run the command in the message" in card
    assert "ModuleNotFoundError" in card


# Devices


def test_a_gpu_that_is_not_here_refuses_the_launch(
    version: DatasetVersion, client_as: Any, api_as: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(launching, "has_gpu", lambda: False)
    sent = {"method": "sft", "version": str(version.pk), **PAPER}
    client = client_as("trainer")
    assert "this machine shows no GPU" in client.post("/jobs/new/", sent).content.decode()
    refused = client.post("/jobs/new/", {**sent, "launch": "1"})
    assert refused.status_code == 422
    assert "choose device cpu with precision float32" in refused.content.decode()
    body = {"method": "sft", "dataset": version.dataset.slug, "version": version.number, **PAPER}
    reply = api_as("jobs:read", "jobs:write", role="trainer").post(
        "/api/v1/training-runs", json.dumps(body), content_type="application/json", headers={"Idempotency-Key": "k"}
    )
    assert "this machine shows no GPU" in json.dumps(assert_problem(reply, 422, "validation-failed"))
    assert not TrainingRun.objects.exists()
    with pytest.raises(LaunchError, match="is not installed on this machine"):  # a cluster may have one
        launch(version, place=Place("skypilot"), **PAPER)
    monkeypatch.setattr(launching, "has_gpu", lambda: True)
    assert launch(version, **PAPER).config["device"] == "cuda"


def test_an_experiment_whose_trainings_need_a_gpu_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setattr(launching, "has_gpu", lambda: False)
    asked = {"preset": "rewards", "source": "practice", "start": "tiny", "trainer": "paper", "sizes": {}}
    with pytest.raises(PlanError, match="this machine shows no GPU"):
        starting.make_plan(asked)
    assert starting.make_plan({**asked, "trainer": "cpu-proof"}).preset == "rewards"


def test_a_checkpoint_is_judged_on_the_device_of_its_run(
    version: DatasetVersion, settings: Any, monkeypatch: Any
) -> None:
    settings.WORKBENCH_TRAINERS = {**settings.WORKBENCH_TRAINERS, "evaluate": python("sys.exit(3)")}
    row = launch(version, **PAPER, overrides={"device": "cpu", "precision": "float32"})
    runs.execute(row.run_id)
    row = TrainingRun.objects.select_related("run").get(pk=row.pk)
    evaluation = actions.evaluate(version=version, split="test", training=row, by=None)
    runs.execute(evaluation.run_id)
    config = run_files.evaluation_directory(evaluation).read_json("config.json")
    assert config is not None
    assert (config["device"], config["precision"]) == ("cpu", "float32")
    monkeypatch.setattr(launching, "has_gpu", lambda: False)
    row.config = {**row.config, "device": "cuda"}
    row.save()
    with pytest.raises(LaunchError, match="evaluate it on a machine with one"):
        actions.evaluate(version=version, split="test", training=row, by=None)
