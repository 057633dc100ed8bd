"""A training run from its row to its end: data, environment, model, process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from training_app import disk, placing, run_files
from training_app.launching import TINY, Start
from training_app.models import TrainingRun
from training_app.supervision import ROOT, Watch, base_environment, supervise
from training_app.trainers import install
from webapp.common.runs import RunContext, RunFailed
from workers.launchers.clusters import RENDEZVOUS, Place

MODULES = {"sft": "training_app.trainers.sft", "grpo": "training_app.trainers.grpo"}
SHARDING: Final[Mapping[str, list[str]]] = {
    "none": ["--multi_gpu"],
    "zero2": ["--use_deepspeed", "--zero_stage", "2"],
    "zero3": ["--use_deepspeed", "--zero_stage", "3", "--zero3_init_flag", "true", "--zero3_save_16bit_model", "true"],
    "fsdp": [
        "--use_fsdp", "--fsdp_version", "2", "--fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP",
        "--fsdp_state_dict_type", "FULL_STATE_DICT",
    ],
}  # fmt: skip
"""What `accelerate launch` is told, as the configurations that TRL ships say it."""
EVALUATOR = "training_app.trainers.evaluate"


def train(context: RunContext, training: TrainingRun) -> dict[str, Any]:
    """Prepare what is missing, then supervise the trainer; what it left."""
    context.progress(phase="writing the data")
    start = Start(training.base, training.start_from, training.start_checkpoint)
    if words := disk.room_for(training.config, disk.directory_of(start)).words:
        raise RunFailed("disk:full", words)
    directory = run_files.write_training(training)
    prepare_environment(context, training.method)
    if training.base == TINY and not (directory.root / "start" / "config.json").exists():
        seed = int(training.config["seed"])
        build_tiny(context, directory.root / "data" / "train.jsonl", directory.root / "start", seed)
    limit = training.hours * 3600 if training.hours else None
    place = Place.from_json(context.payload.get("place") or {})
    command = launch_command(training.method, training.config, RENDEZVOUS[place.launcher])
    shape = placing.shape_of(training.public_id, training.config, training.hours)
    status = supervise(context, training, Watch(directory, command, limit, place=place, shape=shape))
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


def launch_command(kind: str, config: Mapping[str, Any], node: str = "") -> list[str]:
    """The trainer's command; several processes go through `accelerate`, on CPUs through torch's own launcher.

    On several nodes `node` holds accelerate's arguments for the rendezvous, which only the cluster knows.
    """
    command = trainer_command(kind)
    processes, nodes = int(config.get("processes", 1)), int(config.get("nodes", 1))
    if processes == 1 or kind in getattr(settings, "WORKBENCH_TRAINERS", {}):
        return command
    if config.get("device") == "cpu":  # accelerate would start a single process there
        return [
            command[0],
            "-m",
            "torch.distributed.run",
            "--standalone",
            "--nproc_per_node",
            str(processes),
            *command[1:],
        ]
    words = [command[0], "-m", "accelerate.commands.launch", "--num_processes", str(processes)]
    words += ["--num_machines", str(nodes), *(node.split() if nodes > 1 else ())]
    words += ["--mixed_precision", "bf16" if config.get("precision") == "bfloat16" else "no"]
    words += SHARDING[str(config.get("sharding", "none"))]
    return [*words, *command[1:]]


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


def build_tiny(context: RunContext, data: Path, out: Path, seed: int) -> None:
    """A random model of 0.3 M parameters with a tokenizer made from the SFT records in `data`."""
    context.progress(phase="building the tiny model")
    if "sft" in getattr(settings, "WORKBENCH_TRAINERS", {}):
        return  # a trainer of somebody else's brings its own model
    arguments = [str(install.python_path(os.environ)), "-m", "training_app.trainers.tiny"]
    arguments += ["--data", str(data), "--out", str(out), "--seed", str(seed)]
    done = subprocess.run(
        arguments, cwd=ROOT, env=base_environment(os.environ), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RunFailed("model:tiny", f"The tiny model could not be built: {done.stderr.strip()[-2000:]}")
    context.log("Built a random model.", **json.loads(done.stdout.splitlines()[-1]))
