"""Training runs watched from the first line to the end, over a real process that writes what a trainer writes."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from tests.apps.training_rows import launch, split_version, use_stand_in
from training_app import supervision, training
from training_app.engine.rundir import RunDirectory
from training_app.models import DatasetVersion, Metric, TrainingRun
from training_app.run_files import training_directory
from webapp.common import runs
from webapp.common.models import Run
from workers.launchers.base import Identity
from workers.launchers.local import LocalLauncher

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


@pytest.fixture
def trainer(settings: Any, tmp_path: Path) -> Callable[..., None]:
    """`trainer("--steps", 20)` sets what the runs of this test start."""

    def use(*arguments: Any) -> None:
        use_stand_in(settings, tmp_path, *arguments)

    use()
    return use


@pytest.fixture
def version(trainer: Any) -> DatasetVersion:
    return split_version()


def events(run: Run) -> list[str]:
    return list(run.events.order_by("seq").values_list("message", flat=True))


def reload(row: TrainingRun) -> TrainingRun:
    return TrainingRun.objects.select_related("run").get(pk=row.pk)


def later(check: Callable[[], bool], act: Callable[[], None]) -> threading.Thread:
    """Do something from another thread, with a connection of its own, once a condition holds."""

    def work() -> None:
        try:
            for _ in range(1_200):
                if check():
                    return act()
                time.sleep(0.05)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def reached(row: TrainingRun, step: int) -> Callable[[], bool]:
    return lambda: Metric.objects.filter(training_run=row, step__gte=step).exists()


def leftovers(directory: RunDirectory) -> list[int]:
    """Processes that still name this run directory, and the child that a trainer left."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if str(directory.root).encode() in words and state not in "ZX":
                found.append(int(entry.name))
    child = directory.root / "child.pid"
    if child.exists():
        stat = Path("/proc") / child.read_text() / "stat"
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "ZX":
            found.append(int(child.read_text()))
    return found


def test_a_run_is_followed_to_its_end(version: DatasetVersion) -> None:
    row = launch(version)
    assert runs.execute(row.run_id)
    row = reload(row)
    assert row.run.state == "succeeded", events(row.run)
    assert row.process is None
    assert row.checkpoints == ["checkpoint-4", "checkpoint-8", "checkpoint-12"]
    losses = dict(row.metrics.filter(name="loss").values_list("step", "value"))
    assert losses == {step: 1.0 / step for step in range(1, 13)}
    names = set(row.metrics.values_list("name", flat=True))
    assert {"rollouts/reward", "rollouts/groups/alive", "clip_ratio/low_mean"} <= names
    assert "entropy" not in names  # not a number, so not a point
    assert (row.run.done, row.run.total) == (12, 12)
    assert "training starts at step 0" in events(row.run)
    assert row.preflight["figures"] == {"steps": 12}
    directory = training_directory(row)
    assert directory.config.exists()
    assert len((directory.root / "data" / "train.jsonl").read_text().splitlines()) == 3
    assert len((directory.root / "data" / "holdout.jsonl").read_text().splitlines()) == 1


def test_the_trainer_sees_no_secrets(version: DatasetVersion, monkeypatch: Any) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    monkeypatch.setenv("WORKBENCH_MODEL_API_KEY", "hush")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:hush@host/db")
    seen = supervision.base_environment(os.environ)
    assert "hush" not in " ".join(seen.values())
    assert {"PATH", "HOME"} <= set(seen)


def test_stop_and_keep_then_resume(version: DatasetVersion, trainer: Any) -> None:
    trainer("--steps", 60)
    row = launch(version)
    stop = later(reached(row, 5), lambda: runs.request_cancel(Run.objects.get(pk=row.run_id), None, "keep") and None)
    runs.execute(row.run_id)
    stop.join()
    row = reload(row)
    assert row.run.state == "cancelled"
    kept = row.run.result["step"]
    assert 5 <= kept < 60
    assert row.checkpoints[-1] == f"checkpoint-{kept}"
    assert not leftovers(training_directory(row))
    runs.resume(row.run, None)
    runs.execute(row.run_id)
    row = reload(row)
    assert row.run.state == "succeeded", events(row.run)
    assert f"training starts at step {kept}" in events(row.run)
    steps = list(row.metrics.filter(name="loss").order_by("step").values_list("step", flat=True))
    assert steps == list(range(1, 61))


def test_stop_now_ends_the_whole_group_of_a_deaf_trainer(
    version: DatasetVersion, trainer: Any, monkeypatch: Any
) -> None:
    monkeypatch.setitem(supervision.PATIENCE, "term", 0.5)
    trainer("--steps", 5_000, "--behaviour", "deaf", "--child")
    row = launch(version)
    directory = training_directory(row)
    stop = later(reached(row, 4), lambda: runs.request_cancel(Run.objects.get(pk=row.run_id), None, "now") and None)
    runs.execute(row.run_id)
    stop.join()
    row = reload(row)
    assert row.run.state == "cancelled"
    assert row.run.result["state"] == "killed"
    assert any("SIGKILL" in line for line in events(row.run))
    assert not leftovers(directory)
    assert row.checkpoints  # what was saved stays
    again = launch(version)
    trainer()
    runs.execute(again.run_id)
    assert reload(again).run.state == "succeeded"


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        ("crash", "run:crashed", "wrong shape"),
        ("killed", "run:killed", "the tensor has the wrong shape"),
        ("refuse", "preflight:refused", "the data set is empty"),
    ],
)
def test_a_failure_names_its_cause(
    version: DatasetVersion, trainer: Any, behaviour: str, kind: str, words: str
) -> None:
    trainer("--behaviour", behaviour)
    row = launch(version)
    runs.execute(row.run_id)
    run = Run.objects.get(pk=row.run_id)
    assert (run.state, run.failure_kind) == ("failed", kind)
    assert words in "\n".join([run.failure_message, *events(run)])
    assert reload(row).process is None
    if behaviour != "refuse":
        assert "Traceback: the tensor has the wrong shape" in events(run)[-2]  # what it said last, before the cause
        trainer()
        runs.resume(run, None)
        runs.execute(run.pk)
        row = reload(row)
        assert row.run.state == "succeeded"
        assert row.metrics.filter(name="loss").count() == 12  # step 5 was logged twice and counts once


def test_another_worker_takes_over_a_running_process(version: DatasetVersion, trainer: Any) -> None:
    trainer("--steps", 80)
    row = launch(version)

    def lose_the_lease() -> None:  # what the sweep does to a silent worker
        Run.objects.filter(pk=row.run_id).update(
            state="queued", fence=F("fence") + 1, lease_until=None, send_at=row.run.created_at
        )

    lost = later(reached(row, 4), lose_the_lease)
    runs.execute(row.run_id)
    lost.join()
    between = reload(row)
    assert between.run.state == "queued"
    first = Identity.from_json(between.process)
    assert LocalLauncher(base_environment={}).is_alive(first)
    runs.execute(row.run_id)
    row = reload(row)
    assert row.run.state == "succeeded"
    assert any(f"pid {first.pid}" in line for line in events(row.run))
    assert row.metrics.filter(name="loss").count() == 80
    assert sum("Started pid" in line for line in events(row.run)) == 1


def test_a_process_without_a_worker_is_reaped_when_its_run_has_ended(version: DatasetVersion, trainer: Any) -> None:
    trainer("--steps", 5_000, "--child")
    row = launch(version)

    def settle() -> None:  # a cancel, then the worker dies: the sweep closes the run without a worker
        Run.objects.filter(pk=row.run_id).update(
            state="cancelled", cancel_mode="now", fence=F("fence") + 1, lease_until=None, finished_at=row.run.created_at
        )

    lost = later(reached(row, 3), settle)
    runs.execute(row.run_id)
    lost.join()
    directory = training_directory(row)
    assert leftovers(directory)
    assert supervision.reap() == 1
    assert not leftovers(directory)
    assert reload(row).process is None
    assert supervision.reap() == 0


def test_a_strangers_process_is_never_stopped(version: DatasetVersion) -> None:
    row = launch(version)
    stranger = LocalLauncher(base_environment=os.environ)
    mine = Identity(os.getpid(), 1, "another boot")
    TrainingRun.objects.filter(pk=row.pk).update(process=mine.to_json())
    assert not stranger.is_alive(mine)
    assert supervision.stop_for_good(reload(row))


def test_the_limit_of_time_stops_and_keeps(version: DatasetVersion, trainer: Any) -> None:
    trainer("--steps", 5_000)
    row = launch(version, hours=1 / 3600)
    runs.execute(row.run_id)
    row = reload(row)
    assert row.run.state == "cancelled"
    assert row.run.result["reason"] == "the limit of time was reached"
    assert row.checkpoints


def test_a_retry_is_a_run_of_its_own_with_the_same_words(version: DatasetVersion, trainer: Any) -> None:
    trainer("--behaviour", "refuse")
    row = launch(version, overrides={"learning_rate": 0.002, "epochs": 2})
    runs.execute(row.run_id)
    trainer()
    retried = runs.retry(Run.objects.get(pk=row.run_id), None)
    runs.execute(retried.pk)
    again = TrainingRun.objects.get(run=retried)
    assert again.pk != row.pk
    assert again.config == row.config
    assert again.config["learning_rate"] == 0.002
    assert training_directory(again).root != training_directory(row).root


def test_grpo_gets_tasks_services_and_prompts_of_the_train_split_only(version: DatasetVersion) -> None:
    from tasks_app.bundle import read_tasks
    from training_app.episodes import bundled
    from training_app.exports.ndjson import read_ndjson

    sft = launch(version)
    runs.execute(sft.run_id)
    row = launch(version, "grpo", start=f"run:{sft.public_id}")
    runs.execute(row.run_id)
    assert reload(row).run.state == "succeeded"
    directory = training_directory(row)
    train = set(version.members.filter(split="train").values_list("task__task_hash", flat=True))
    assert {spec.task_hash for spec in read_tasks(directory.root / "bundle")} == train
    prompts = list(read_ndjson(directory.root / "data" / "train.jsonl"))
    assert {row["task_id"] for row in prompts} == train
    config = directory.read_json("config.json")
    assert config["model"] == str(training_directory(sft).model)
    assert config["provenance"]["dataset_hash"] == version.content_hash
    factory = bundled(**config["episode_arguments"])
    episode = factory.start(prompts[0]["task_id"])
    assert [message["content"] for message in prompts[0]["prompt"]] == [config["system_prompt"], episode.instruction]


def test_the_command_of_the_real_trainers() -> None:
    assert training.trainer_command("sft")[1:] == ["-m", "training_app.trainers.sft"]
    assert training.trainer_command("evaluate")[1:] == ["-m", "training_app.trainers.evaluate"]
