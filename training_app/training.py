"""A training run from its row to its end: data, environment, model, process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings

from training_app import run_files
from training_app.engine.rundir import RunDirectory
from training_app.launching import TINY
from training_app.models import TrainingRun
from training_app.supervision import ROOT, Watch, base_environment, supervise
from training_app.trainers import install
from webapp.common.runs import RunContext, RunFailed

MODULES = {"sft": "training_app.trainers.sft", "grpo": "training_app.trainers.grpo"}
EVALUATOR = "training_app.trainers.evaluate"


def train(context: RunContext, training: TrainingRun) -> dict[str, Any]:
    """Prepare what is missing, then supervise the trainer; what it left."""
    context.progress(phase="writing the data")
    directory = run_files.write_training(training)
    prepare_environment(context, training.method)
    if training.base == TINY and not (directory.root / "start" / "config.json").exists():
        _build_tiny(context, training, directory)
    limit = training.hours * 3600 if training.hours else None
    status = supervise(context, training, Watch(directory, trainer_command(training.method), limit))
    return {
        "training_run": training.public_id,
        "step": status.get("step"),
        "steps": status.get("steps"),
        "early_stop": status.get("early_stop", False),
        "cpu_seconds": status.get("cpu_seconds"),
        "checkpoints": training.checkpoints,
    }


def trainer_command(kind: str) -> list[str]:
    """Program and arguments of a trainer (`sft`, `grpo`) or evaluator (`evaluate`); settings may name another."""
    own: dict[str, Sequence[str]] = getattr(settings, "WORKBENCH_TRAINERS", {})
    if kind in own:
        return list(own[kind])
    module = EVALUATOR if kind == "evaluate" else MODULES[kind]
    return [str(install.python_path(os.environ)), "-m", module]


def prepare_environment(context: RunContext, kind: str) -> None:
    """Install the training stack if it is not there yet; its phases are shown. Raises RunFailed."""
    if kind in getattr(settings, "WORKBENCH_TRAINERS", {}) or install.is_ready(install.environment_path(os.environ)):
        return
    context.log("The training environment is not there yet: installing it (once; it takes some minutes).")
    command = [sys.executable, "-m", "training_app.trainers.install", "--progress-json"]
    environment = {**base_environment(os.environ), "PATH": os.environ.get("PATH", "")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last = {"message": "no output"}
        for line in process.stdout:
            last = json.loads(line)
            context.progress(done=last["done"], total=last["total"], unit="phases", phase=str(last["message"])[:120])
            context.log(str(last["message"]))
            if context.cancel_requested():
                process.terminate()
    context.checkpoint()
    if process.returncode:
        raise RunFailed("install:failed", f"The training environment could not be installed: {last['message']}")


def _build_tiny(context: RunContext, training: TrainingRun, run: RunDirectory) -> None:
    """A random model of 0.3 M parameters with a tokenizer made from the data."""
    context.progress(phase="building the tiny model")
    own = getattr(settings, "WORKBENCH_TRAINERS", {})
    if training.method in own:
        return  # a trainer of somebody else's brings its own model
    arguments = [str(install.python_path(os.environ)), "-m", "training_app.trainers.tiny"]
    arguments += ["--data", str(run.root / "data" / "train.jsonl"), "--out", str(run.root / "start")]
    arguments += ["--seed", str(training.config["seed"])]
    done = subprocess.run(
        arguments, cwd=ROOT, env=base_environment(os.environ), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RunFailed("model:tiny", f"The tiny model could not be built: {done.stderr.strip()[-2000:]}")
    context.log("Built a random model.", **json.loads(done.stdout.splitlines()[-1]))
