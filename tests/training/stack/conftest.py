"""A data set, a tiny model made from it, and one run of SFT that the other tests start from."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from tests.training.toy import make_task, trajectory
from training_app.engine.config import grpo_preset, sft_preset
from training_app.engine.metrics import read_metrics
from training_app.engine.rundir import RunDirectory
from training_app.exports.ndjson import write_ndjson
from training_app.exports.sft import Selection, SFTOptions, prompt_record, sft_records
from training_app.trainers.tiny import build_tiny

ROOT = Path(__file__).resolve().parents[3]
torch.set_num_threads(1)


def records(count, mode="direct", first=0):
    source = (trajectory(f"toy-{n}", mode) for n in range(first, first + count))
    return list(sft_records(source, SFTOptions(), Selection()))


def prompts(path, task_ids):
    rows = [prompt_record({"task_id": t, "instruction": make_task(t).instruction}) for t in task_ids]
    write_ndjson(path, rows)
    return str(path)


class Attempt:
    """One process of a trainer on a run directory."""

    def __init__(self, module, directory):
        self.run = RunDirectory(Path(directory))
        self.log = self.run.root / "process.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", f"training_app.trainers.{module}", "--run-dir", str(directory)],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def finish(self, code=0):
        returned = self.process.wait(timeout=600)
        assert returned == code, self.log.read_text()[-3000:]
        return self.run.read_json("status.json")

    def reach(self, step):
        """Wait until the step was logged by this attempt."""
        while self.process.poll() is None:
            records = [json.loads(x) for x in self._lines()]
            begun = [i for i, r in enumerate(records) if r["kind"] == "begin" and r["pid"] == self.process.pid]
            if begun and any(r["kind"] == "train" and r["step"] >= step for r in records[begun[0] :]):
                return
            time.sleep(0.005)
        raise AssertionError(f"ended before step {step}: {self.log.read_text()[-3000:]}")

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait(timeout=60)

    def signal(self, number):
        os.killpg(self.process.pid, number)

    def _lines(self):
        if not self.run.metrics.exists():
            return []
        return [x for x in self.run.metrics.read_text().splitlines(keepends=True) if x.endswith("\n")]


def launch(module, directory, config):
    run = RunDirectory(Path(directory))
    run.create()
    run.config.write_text(config.to_json())
    return Attempt(module, directory)


def curve(run, key, kind="train"):
    return {r["step"]: r[key] for r in read_metrics(run.metrics) if r["kind"] == kind}


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """Directory with sft.jsonl (2,400 references), small.jsonl (320 of them) and model/ (random weights)."""
    directory = tmp_path_factory.mktemp("world")
    rows = records(2400)
    write_ndjson(directory / "sft.jsonl", rows)
    write_ndjson(directory / "small.jsonl", rows[:320])
    build_tiny(rows[:600], directory / "model")
    return directory


@pytest.fixture(scope="session")
def trained(world):
    """The finished run of the CPU preset."""
    config = sft_preset(
        "cpu-proof", model=str(world / "model"), dataset=str(world / "sft.jsonl"), seed=1, save_every=100
    )
    attempt = launch("sft", world / "run-sft", config)
    assert attempt.finish()["state"] == "succeeded"
    return attempt.run


def grpo_config(world, trained, task_ids, **changes):
    name = f"tasks-{abs(hash(tuple(task_ids)))}.jsonl"
    options = {
        "model": str(trained.model),
        "dataset": prompts(world / name, task_ids),
        "episodes": "tests.training.toy:ToyFactory",
        "reference": str(world / "small.jsonl"),
        "seed": 3,
    }
    return grpo_preset("cpu-proof", **options | changes)


@pytest.fixture(scope="session")
def short(world, trained, tmp_path_factory):
    """Six steps of four groups of four; one of the tasks always crashes, one is never judged."""
    tasks = ["toy-crash", "toy-unknown", *(f"toy-rl-{n}" for n in range(22))]
    config = grpo_config(
        world,
        trained,
        tasks,
        steps=6,
        group_size=4,
        groups_per_step=4,
        micro_batch=16,
        save_every=2,
        keep_checkpoints=9,
        invalid_pause=1.0,
    )
    attempt = launch("grpo", tmp_path_factory.mktemp("grpo"), config)
    assert attempt.finish()["state"] == "succeeded"
    return config, attempt.run
