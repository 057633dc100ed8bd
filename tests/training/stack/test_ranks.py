"""Several processes under torch's launcher, on CPUs: they stop, save and end together, and groups stay whole."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.training.processes import at_work
from training_app.engine.config import sft_preset
from training_app.engine.metrics import read_records
from training_app.engine.rundir import RunDirectory
from workers.launchers.base import Command
from workers.launchers.local import LocalLauncher

from .conftest import ROOT, curve, grpo_config
from .test_runs import by_group, expected_advantages, expected_rewards

PATIENT = 240.0


class Launched:
    """A run of two processes, started and ended as the supervisor does it."""

    def __init__(self, module, directory, config):
        self.run = RunDirectory(Path(directory))
        self.run.create()
        (self.run.root / "status.json").unlink(missing_ok=True)
        self.run.config.write_text(config.to_json())
        self.launcher = LocalLauncher(base_environment={**os.environ, "OMP_NUM_THREADS": "1"})
        words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
        words += ["-m", f"training_app.trainers.{module}", "--run-dir", str(directory)]
        self.begun = len(self._records())
        self.identity = self.launcher.start(Command(words, ROOT, self.run.root / "process.log", {}))

    def reach(self, step):
        self._until(lambda: any(r["kind"] == "train" and r["step"] >= step for r in self._records()[self.begun :]))

    def finish(self):
        self._until(lambda: not self.launcher.is_alive(self.identity), alive=False)
        return self.run.read_json("status.json")

    def pids(self):
        """Everything that belongs to the run."""
        return [number for number, _ in at_work(self.run)]

    def log(self):
        return (self.run.root / "process.log").read_text()[-4000:]

    def _until(self, reached, alive=True):
        end = time.monotonic() + PATIENT
        while not reached():
            assert time.monotonic() < end, self.log()
            assert not alive or self.launcher.is_alive(self.identity), self.log()
            time.sleep(0.02)

    def _records(self):
        if not self.run.metrics.exists():
            return []
        lines = self.run.metrics.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]


@pytest.fixture
def started():
    """Starts runs, and leaves none behind."""
    every = []

    def start(module, directory, config):
        every.append(Launched(module, directory, config))
        return every[-1]

    yield start
    for each in every:
        each.launcher.stop(each.identity, patience=(0, 0, 10))


def test_two_processes_stop_save_and_end_together(world, tmp_path, started):
    """STOP, a cancel by SIGTERM and the death of the launcher, each followed by a resume."""
    config = sft_preset(
        "cpu-proof",
        model=str(world / "model"),
        dataset=str(world / "small.jsonl"),
        epochs=50,
        processes=2,
        micro_batch=8,
        save_every=1000,
        stop_loss=None,
    )
    attempt = started("sft", tmp_path, config)
    run = attempt.run
    attempt.reach(3)
    assert len(attempt.pids()) == 3
    run.request_stop("the test asks")
    stopped = attempt.finish()
    assert (stopped["state"], attempt.pids()) == ("stopped", [])
    assert run.checkpoint_steps() == (stopped["step"],)
    kept = run.newest_checkpoint()
    assert sorted(path.name for path in kept.glob("rng_state*")) == ["rng_state_0.pth", "rng_state_1.pth"]

    attempt = started("sft", tmp_path, config)
    attempt.reach(stopped["step"] + 2)
    ended = attempt.launcher.stop(attempt.identity, patience=(0, PATIENT, 10))
    assert (ended.by, ended.gone, attempt.pids()) == ("SIGTERM", True, [])
    interrupted = run.read_json("status.json")
    assert interrupted["state"] == "interrupted"
    assert run.checkpoint_steps() == (stopped["step"], interrupted["step"])

    attempt = started("sft", tmp_path, config)
    attempt.reach(interrupted["step"] + 1)
    os.kill(attempt.identity.pid, signal.SIGKILL)
    assert attempt.finish() is None
    assert attempt.pids() == []

    begun = [r["step"] for r in read_records(run.metrics) if r["kind"] == "begin"]
    assert begun == [0, stopped["step"], interrupted["step"]]
    losses = curve(run, "loss")
    assert sorted(losses) == list(range(1, max(losses) + 1))
    assert losses[max(losses)] < losses[1]


def test_groups_are_whole_over_two_processes(world, trained, tmp_path, started):
    """Three groups of four over two processes of six rollouts: the second group lies in both."""
    config = grpo_config(
        world,
        trained,
        ["toy-crash", *(f"toy-rl-{n}" for n in range(11))],
        steps=2,
        processes=2,
        group_size=4,
        groups_per_step=3,
        micro_batch=2,
        invalid_pause=1.0,
    )
    attempt = started("grpo", tmp_path, config)
    status = attempt.finish()
    assert status["state"] == "succeeded", attempt.log()
    seen = set()
    for step in (1, 2):
        groups = by_group(attempt.run, step)
        assert [len(rows) for rows in groups] == [4, 4, 4]
        for rows in groups:
            assert len({row["task_id"] for row in rows}) == 1
            seen.add(rows[0]["task_id"])
            rewards = [row["reward"] for row in rows]
            assert rewards == pytest.approx(expected_rewards(rows))
            assert [row["advantage"] for row in rows] == pytest.approx(expected_advantages(rewards))
        halves = [[part["text"] for part in row["parts"]] for row in groups[1]]
        assert halves[:2] != halves[2:]  # the processes draw with numbers of their own
    assert len(seen) == 6


def test_the_process_that_fails_says_why(world, trained, tmp_path, started):
    """Not the others, which only see that it is gone."""
    config = grpo_config(
        world,
        trained,
        ["toy-1", "toy-2"],
        steps=1,
        processes=2,
        group_size=2,
        groups_per_step=2,
        micro_batch=2,
        episodes="tests.training.stack.faults:BrokenInTheSecond",
    )
    attempt = started("grpo", tmp_path, config)
    status = attempt.finish()
    assert (status["state"], status["kind"]) == ("failed", "run:crashed")
    assert status["message"] == "process 1 of 2: RuntimeError: no room for the sandbox"
    assert attempt.pids() == []


ASKING = """
import pathlib, sys
from accelerate import PartialState
from training_app.trainers import ranks

rank = PartialState(cpu=True).process_index
out = pathlib.Path(sys.argv[1])
told = [ranks.any_of_us(rank == 1), ranks.any_of_us(False)]
told += [str(ranks.of_first(pathlib.Path("found") if rank == 0 else None)), ranks.of_first(None)]
(out / f"rank-{rank}").write_text(repr(told))
ranks.leave_together()
"""


def test_what_one_process_sees_all_know(tmp_path):
    program = tmp_path / "asking.py"
    program.write_text(ASKING)
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    subprocess.run([*words, program, tmp_path], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    for rank in range(2):
        assert (tmp_path / f"rank-{rank}").read_text() == "[True, False, 'found', None]"
