"""What the two trainers do alike: open a run directory, load a model, train, and say how it ended.

Exit status: 0 = finished, stopped or interrupted (status.json says which), 1 = failed, 2 = refused.

This module imports no part of the training environment, so that a missing one can be told in words.
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
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from training_app.engine.checkpoints import NAME, checkpoint_problem, clear_broken, unfinished
from training_app.engine.config import TrainerConfig
from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory
from training_app.exports.ndjson import read_ndjson
from training_app.exports.parquet import read_parquet
from training_app.trainers import endings, ranks
from training_app.trainers.journal import Journal

if TYPE_CHECKING:
    from training_app.trainers.callbacks import JournalCallback

_PACKAGES = ("torch", "trl", "transformers", "accelerate", "peft", "datasets", "tokenizers", "safetensors")
_BROKE_OFF = frozenset({"run:nan", "run:memory", "disk:full"})
"""Failures of a run that was at work; all others in words were found before, and refuse it."""
_BEGUN = time.time()
"""When this process began: what another one wrote after it belongs to the same attempt."""
Body = Callable[[RunDirectory, Journal], dict[str, Any]]
Config = TypeVar("Config", bound=BaseModel)


def main(description: str, body: Body, arguments: list[str] | None = None) -> int:
    """Parse `--run-dir`, run `body`, write `status.json` whatever happens; the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--run-dir", required=True, type=Path, help="directory with config.json")
    run = RunDirectory(parser.parse_args(arguments).run_dir.resolve())
    ranks.end_with_launcher()
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
        if ranks.number() == 0:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


@contextmanager
def environment_of(name: str) -> Iterator[None]:
    """Around the imports of a trainer from the training environment; `name` is its `__name__`.

    Where it is the program, a package that is missing refuses the run in words, as anything else does.
    """
    try:
        yield
    except ImportError as error:
        if name != "__main__":
            raise
        traceback.print_exc()
        lacking = endings.missing(error)

        def refuse(run: RunDirectory, journal: Journal) -> NoReturn:
            raise lacking

        raise SystemExit(main("A trainer whose environment is not complete", refuse)) from error


def _run(run: RunDirectory, body: Body) -> int:
    journal = Journal(run, main=ranks.number() == 0)
    try:
        journal.beat()
        if journal.main:
            endings.keep_reserve(run)
        outcome = body(run, journal)
    except TrainingError as error:
        return _fail(run, journal, error)
    except Exception as error:
        known = endings.explain(error, run)
        if known is not None:
            traceback.print_exc()
            return _fail(run, journal, known)
        message = f"{type(error).__name__}: {error}"
        end = {"state": "failed", "kind": "run:crashed", "message": message, "trace": traceback.format_exc()}
        _end(run, journal, "error", end)
        raise
    _end(run, journal, "info", outcome)
    ranks.leave_together()
    return 0


def _fail(run: RunDirectory, journal: Journal, error: TrainingError) -> int:
    """Say it in the log, in `status.json` and on the terminal; the exit status."""
    broke_off = error.kind in _BROKE_OFF
    sys.stderr.write(f"{error.kind}: {error.message}\n")
    end = {"state": "failed" if broke_off else "refused", "kind": error.kind, "message": error.message}
    _end(run, journal, "error", {**end, "step": journal.step})
    return 1 if broke_off else 2


def _end(run: RunDirectory, journal: Journal, level: str, outcome: dict[str, Any]) -> None:
    """The last words. A request to stop ends with the process that it was meant for.

    Of several processes the first one speaks, or whichever fails: after it the others fail for want of it.
    """
    told = run.read_json("status.json") if ranks.count() > 1 else None
    if level == "error" and told is not None and told["at"] >= _BEGUN:
        return
    if journal.main:
        endings.release_reserve(run)
        run.clear_stop()
        journal.event(level, str(outcome.get("message") or outcome["state"]))
    elif level == "error":
        outcome = {**outcome, "message": f"process {ranks.number()} of {ranks.count()}: {outcome['message']}"}
    else:
        return
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
    """Environment variables, threads, and a look at device and model; before the model is loaded."""
    ready(config.model, config.threads, config.device, config.precision)


def ready(model: str, threads: int, device: str, precision: str) -> None:
    """Keep the libraries off the network for a local model, and at the given number of threads (0 = theirs).

    Raises TrainingError for a device that is not here and a model whose files are broken.
    """
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    if Path(model).is_dir():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch

    from training_app.trainers.starting import check_device, check_model

    if threads:
        torch.set_num_threads(threads)
    check_device(device, precision)
    check_model(model)


def load_tokenizer(model: str) -> Any:
    """The tokenizer of a checkpoint. Raises TrainingError("config:model")."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(model)
    except Exception as error:  # the library of the files raises bare Exceptions, such as for a cut tokenizer.json
        raise TrainingError(
            "config:model",
            f"No tokenizer can be read from {model} ({type(error).__name__}: {error}): check the name, or copy "
            "tokenizer.json and tokenizer_config.json of the model into its directory.",
        ) from error


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
        "logging_nan_inf_filter": False,  # it would show the mean of earlier losses instead
        # SIGTERM saves before the process ends; several processes answer it together (SaveOnSigterm).
        "enable_jit_checkpoint": ranks.count() == 1,
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

    from training_app.trainers.callbacks import SaveOnSigterm

    trainer.remove_callback(PrinterCallback)  # metrics.jsonl has it all
    if ranks.count() > 1:
        trainer.add_callback(SaveOnSigterm())
    if journal.main:
        _refuse_when_all_are_broken(run)
        for words in clear_broken(run.checkpoints):
            journal.event("warning", words)
    checkpoint = ranks.of_first(run.newest_checkpoint())
    if ranks.any_of_us(run.stop_requested()):
        return _never_started(run, checkpoint, steps)
    journal.event("info", f"resuming from {checkpoint.name}" if checkpoint else "starting from the model")
    begun = time.process_time()
    with _leaving_whole_files(run, journal, lambda: clear_broken(run.checkpoints)):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    cpu = round(time.process_time() - begun, 1)
    step = int(trainer.state.global_step)
    early = _stopped_early(trainer)
    finished = step >= steps or early
    state = "succeeded" if finished else "stopped" if callback.stopped else "interrupted"
    if state != "interrupted":  # time is short after SIGTERM, and the checkpoint is enough to go on
        with _leaving_whole_files(run, journal, lambda: _remove_model(run)):
            _save_model(trainer, run)
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


def _never_started(run: RunDirectory, checkpoint: Path | None, steps: int) -> dict[str, Any]:
    """The end of a run that was asked to stop while data and model were loaded."""
    step = int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0
    return {
        "state": "stopped",
        "step": step,
        "steps": steps,
        "checkpoint": checkpoint.name if checkpoint else "",
        "message": f"stopped before step {step + 1}, while the model was loaded",
    }


def _refuse_when_all_are_broken(run: RunDirectory) -> None:
    """Steps that were paid for are not silently made anew. Raises TrainingError("checkpoint:broken").

    A single checkpoint that was never written to its end is another matter: the process was killed before it had one.
    """
    found = [path for path in sorted(run.checkpoints.glob("checkpoint-*")) if NAME.match(path.name)]
    problems = {path.name: words for path in found if (words := checkpoint_problem(path))}
    if not found or len(problems) < len(found) or (len(found) == 1 and unfinished(found[0])):
        return
    listed = "; ".join(f"{name}: {words}" for name, words in problems.items())
    raise TrainingError(
        "checkpoint:broken",
        f"None of the {len(found)} checkpoints can be resumed from ({listed}), and nothing was removed: put whole "
        f"copies of the files back into {run.checkpoints} and resume, or start a clone of the run, which begins at "
        "step 1 again.",
    )


@contextmanager
def _leaving_whole_files(run: RunDirectory, journal: Journal, tidy: Callable[[], list[str]]) -> Iterator[None]:
    """When the disk becomes full, `tidy` takes away what was half written, which is of no use and takes the room of the
    next; it says what it did. Raises TrainingError("disk:full").
    """
    try:
        yield
    except Exception as error:
        known = endings.explain(error, run)  # before there is room again
        if known is None or known.kind != "disk:full":
            raise
        traceback.print_exc()
        if journal.main:
            endings.release_reserve(run)
            for words in tidy():
                journal.event("warning", words)
        raise known from error


def _save_model(trainer: Any, run: RunDirectory) -> None:
    """The final weights and their tokenizer."""
    trainer.save_model(str(run.model))
    if trainer.is_world_process_zero():
        trainer.processing_class.save_pretrained(str(run.model))


def _remove_model(run: RunDirectory) -> list[str]:
    shutil.rmtree(run.model, ignore_errors=True)
    return ["The final model was only half written and is removed; the newest checkpoint holds the same weights."]


def _peak_gib() -> float | None:
    """The most memory that torch held on this process's GPU; None on a CPU."""
    import torch

    return round(torch.cuda.max_memory_reserved() / 2**30, 2) if torch.cuda.is_available() else None


def _stopped_early(trainer: Any) -> bool:
    from training_app.trainers.callbacks import EarlyStop

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
