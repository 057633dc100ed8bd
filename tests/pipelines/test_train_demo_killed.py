"""`./workbench train-demo` without `up`, killed twice and called again: it goes on where it was, with what it has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from training_app.engine.metrics import read_records
from training_app.trainers.install import ROOT, environment_path, is_ready
from webapp.common.run_store import worker_is_gone, worker_name

# The command as it is, with a smaller world, and counts of what it left beside its figures.
DRIVER = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
import django
django.setup()
from collections import Counter
from django.core.management import call_command
from webapp import train_demo
from webapp.common.models import Run
train_demo.SIZES.update(
    tasks=24,
    sft={"max_steps": 24, "global_batch": 8, "micro_batch": 8, "save_every": 4, "stop_loss": None},
    grpo={"steps": 3, "group_size": 2, "groups_per_step": 1, "micro_batch": 2, "max_turns": 2, "max_turn_tokens": 8,
          "save_every": 1},
)
figures = train_demo.figures
def counted(run):
    from tasks_app.models import Task
    kinds = Counter(run.children.values_list("kind", "state"))
    found = figures(run) | {"counts": {
        "demos": Run.objects.filter(kind=train_demo.KIND).count(), "attempt": run.attempt,
        "tasks": Task.objects.filter(author="practice").count(),
        "children": {" ".join(key): count for key, count in kinds.items()},
    }}
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
    return found
train_demo.figures = counted
call_command("train_demo", "--json")
"""


def start(home: Path) -> subprocess.Popen[bytes]:
    variables = {**os.environ, "WORKBENCH_HOME": str(home), "PYTHONPATH": str(ROOT)}
    for name in [name for name in variables if name.startswith(("DATABASE", "CELERY", "DJANGO", "PYTEST"))]:
        del variables[name]
    with (home.parent / "command.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(home.parent / "result.json")], cwd=ROOT, env=variables, stdout=log,
            stderr=log, start_new_session=True,
        )  # fmt: skip


def wait_for(process: subprocess.Popen[bytes], ready: Callable[[], bool], log: Path, seconds: float = 400) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert process.poll() is None, log.read_text()[-3000:]
        assert time.monotonic() < end, log.read_text()[-3000:]
        time.sleep(0.05)


def steps_of(home: Path, method: str) -> list[int]:
    """Steps that the training with this method has logged."""
    found = []
    for config in home.glob("files/training/*/config.json"):
        if json.loads(config.read_bytes())["kind"] == method:
            found += [r["step"] for r in read_records(config.parent / "metrics.jsonl") if r["kind"] == "train"]
    return found


def kill(process: subprocess.Popen[bytes], home: Path, *, trainers: bool) -> None:
    """SIGKILL for the command and, as when the machine goes down, for the trainers it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    beats = home.glob("files/training/*/heartbeat.json") if trainers else ()
    for beat in beats:
        pid = json.loads(beat.read_bytes())["pid"]
        command = Path(f"/proc/{pid}/cmdline")
        if command.exists() and str(home).encode() in command.read_bytes():
            os.killpg(pid, signal.SIGKILL)


@pytest.mark.train
@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_killed_train_demo_goes_on_where_it_was(tmp_path: Path) -> None:
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    home, log = tmp_path / "home", tmp_path / "command.log"
    first = start(home)
    wait_for(first, lambda: max(steps_of(home, "sft"), default=0) >= 6, log)
    kill(first, home, trainers=True)
    before = max(steps_of(home, "sft"))
    second = start(home)
    wait_for(second, lambda: bool(steps_of(home, "grpo")), log)
    kill(second, home, trainers=False)
    third = start(home)
    third.wait(timeout=600)
    assert "A promise was not kept" in log.read_text()[-3000:]  # nothing is learned in so few steps
    result = json.loads((tmp_path / "result.json").read_bytes())
    assert result["counts"] == {
        "demos": 1,
        "attempt": 3,
        "tasks": 24,
        "children": {"verify succeeded": 2, "sft succeeded": 1, "grpo succeeded": 1, "evaluate succeeded": 5},
    }
    assert result["training"]["sft"]["steps"] == 24
    assert result["training"]["grpo"]["steps"] == 3
    begun = begins(home, "sft")
    assert begun[0] == 0
    assert begun[-1] in range(4, before + 1, 4), begun  # from a checkpoint, not from the start


def begins(home: Path, method: str) -> list[int]:
    """Steps after which the attempts at a training began."""
    configs = list(home.glob("files/training/*/config.json"))
    [run] = [path.parent for path in configs if json.loads(path.read_bytes())["kind"] == method]
    return [record["step"] for record in read_records(run / "metrics.jsonl") if record["kind"] == "begin"]


def test_a_worker_is_gone_when_its_process_on_this_machine_is() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    host = worker_name().rpartition(":")[0]
    assert worker_is_gone(f"{host}:{done.pid}")
    assert not worker_is_gone(worker_name())
    assert not worker_is_gone(f"another-{host}:{done.pid}")
    assert not worker_is_gone("")
