"""What the two trainers do alike: open a run directory, load a model, train, and say how it ended.

Exit status: 0 = finished, stopped or interrupted (status.json says which), 1 = crashed, 2 = refused.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import platform
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from training_app.engine.config import TrainerConfig
from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory, checkpoint_problem
from training_app.exports.ndjson import read_ndjson
from training_app.exports.parquet import read_parquet
from training_app.trainers.callbacks import EarlyStop, Journal, JournalCallback

_PACKAGES = ("torch", "trl", "transformers", "accelerate", "peft", "datasets", "tokenizers", "safetensors")
Body = Callable[[RunDirectory, Journal], dict[str, Any]]
Config = TypeVar("Config", bound=BaseModel)


def main(description: str, body: Body, arguments: list[str] | None = None) -> int:
    """Parse `--run-dir`, run `body`, write `status.json` whatever happens; the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--run-dir", required=True, type=Path, help="directory with config.json")
    run = RunDirectory(parser.parse_args(arguments).run_dir.resolve())
    run.create()
    try:
        with _alone(run):
            return _run(run, body)
    except BlockingIOError:
        sys.stderr.write("run:busy: another process trains in this directory\n")
        return 2


@contextmanager
def _alone(run: RunDirectory) -> Iterator[None]:
    """A job that is delivered twice must not train twice; raises BlockingIOError for the second process."""
    with (run.root / ".lock").open("w") as file:
        if os.environ.get("RANK", "0") == "0":
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def _run(run: RunDirectory, body: Body) -> int:
    journal = Journal(run, main=os.environ.get("RANK", "0") == "0")
    journal.beat()
    try:
        outcome = body(run, journal)
    except TrainingError as error:
        _end(run, journal, "error", {"state": "refused", "kind": error.kind, "message": error.message})
        sys.stderr.write(f"{error.kind}: {error.message}\n")
        return 2
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        end = {"state": "failed", "kind": "run:crashed", "message": message, "trace": traceback.format_exc()}
        _end(run, journal, "error", end)
        raise
    _end(run, journal, "info", outcome)
    return 0


def _end(run: RunDirectory, journal: Journal, level: str, outcome: dict[str, Any]) -> None:
    if not journal.main:
        return
    journal.event(level, str(outcome.get("message") or outcome["state"]))
    run.write_json("status.json", {**outcome, "at": time.time(), "pid": os.getpid()})


def read_config(run: RunDirectory, kind: type[Config]) -> Config:
    """`config.json`. Raises TrainingError("config:invalid") naming each wrong field."""
    try:
        return kind.model_validate_json(run.config.read_bytes())
    except FileNotFoundError as error:
        raise TrainingError("config:invalid", "the run directory has no config.json") from error
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, e['loc'])) or 'configuration'}: {e['msg']}" for e in error.errors()]
        raise TrainingError("config:invalid", "; ".join(wrong)) from error


def read_records(path: str) -> list[dict[str, Any]]:
    """Records of a JSONL or Parquet file. Raises TrainingError("config:dataset")."""
    file = Path(path)
    try:
        return list(read_parquet(file) if file.suffix == ".parquet" else read_ndjson(file))
    except (OSError, ValueError) as error:
        raise TrainingError("config:dataset", f"cannot read {path}: {error}") from error


def prepare(config: TrainerConfig) -> None:
    """Environment variables and threads; before the model is loaded."""
    quiet(config.model, config.threads)


def quiet(model: str, threads: int) -> None:
    """Keep the libraries off the network for a local model, and at the given number of threads (0 =
    theirs).
    """
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    if Path(model).is_dir():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch

    if threads:
        torch.set_num_threads(threads)


def load_tokenizer(model: str) -> Any:
    """The tokenizer of a checkpoint. Raises TrainingError("config:model")."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(model)
    except (OSError, ValueError) as error:
        raise TrainingError("config:model", f"no tokenizer in {model}: {error}") from error


def common_arguments(run: RunDirectory, config: TrainerConfig) -> dict[str, Any]:
    """Arguments that both TRL configurations take."""
    return {
        "output_dir": str(run.checkpoints),
        "use_cpu": config.device == "cpu",
        "bf16": config.precision == "bfloat16",
        "model_init_kwargs": {"dtype": config.precision},
        "gradient_checkpointing": config.gradient_checkpointing,
        "per_device_train_batch_size": config.micro_batch,
        "learning_rate": config.learning_rate,
        "lr_scheduler_type": config.schedule,
        "warmup_steps": config.warmup_steps,
        "adam_beta2": config.adam_beta2,
        "weight_decay": config.weight_decay,
        "max_grad_norm": config.max_gradient_norm,
        "seed": config.seed,
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": config.save_every,
        "save_total_limit": config.keep_checkpoints,
        "enable_jit_checkpoint": True,  # SIGTERM saves before the process ends
        "report_to": "none",
        "disable_tqdm": True,
        "dataloader_pin_memory": config.device == "cuda",
    }


def adapter(config: TrainerConfig) -> dict[str, Any]:
    """`peft_config` if the run trains adapters."""
    if config.lora is None:
        return {}
    from peft import LoraConfig

    lora = LoraConfig(
        r=config.lora.rank,
        lora_alpha=config.lora.alpha,
        target_modules=config.lora.target,
        task_type="CAUSAL_LM",
    )
    return {"peft_config": lora}


def train(trainer: Any, run: RunDirectory, journal: Journal, callback: JournalCallback, steps: int) -> dict[str, Any]:
    """Train from the newest complete checkpoint, save the final model, and say how it ended."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)  # metrics.jsonl has it all
    _remove_broken_checkpoints(run, journal)
    run.clear_stop()
    checkpoint = run.newest_checkpoint()
    journal.event("info", f"resuming from {checkpoint.name}" if checkpoint else "starting from the model")
    begun = time.process_time()
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    cpu = round(time.process_time() - begun, 1)
    step = int(trainer.state.global_step)
    early = _stopped_early(trainer)
    finished = step >= steps or early
    state = "succeeded" if finished else "stopped" if callback.stopped else "interrupted"
    if state != "interrupted":  # time is short after SIGTERM, and the checkpoint is enough to go on
        trainer.save_model(str(run.model))
        if trainer.is_world_process_zero():
            trainer.processing_class.save_pretrained(str(run.model))
    return {
        "state": state,
        "step": step,
        "steps": steps,
        "checkpoint": newest.name if (newest := run.newest_checkpoint()) else "",
        "early_stop": early,
        "cpu_seconds": cpu,
        "peak_gib": _peak_gib(),
        "message": f"{state} after step {step}",
    }


def _peak_gib() -> float | None:
    """The most memory that torch held on this process's GPU; None on a CPU."""
    import torch

    return round(torch.cuda.max_memory_reserved() / 2**30, 2) if torch.cuda.is_available() else None


def _stopped_early(trainer: Any) -> bool:
    return any(isinstance(c, EarlyStop) and c.fired for c in trainer.callback_handler.callbacks)


def environment(config: TrainerConfig) -> dict[str, Any]:
    """Versions and hardware, stored with the run."""
    import torch

    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    devices = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    return {
        "versions": versions | {"python": platform.python_version()},
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "gpus": devices,
        "threads": torch.get_num_threads(),
        "seed": config.seed,
        "provenance": config.provenance,
    }


def _remove_broken_checkpoints(run: RunDirectory, journal: Journal) -> None:
    """A half-written checkpoint would count as the newest when old ones are rotated out."""
    if not journal.main:
        return
    for path in sorted(run.checkpoints.glob("checkpoint-*")):
        problem = checkpoint_problem(path)
        if problem:
            journal.event("warning", f"{path.name} cannot be used and is removed: {problem}")
            shutil.rmtree(path)
