"""Room on the disk of run directories: what a run will need, what checkpoints take, and which may go."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from training_app.engine.rundir import RunDirectory
from training_app.launching import Start
from training_app.models import TrainingRun
from training_app.run_files import training_directory, weights
from webapp.common.run_models import LIVE

RESERVE: Final = 512 << 20
"""Bytes that stay free for logs, rollouts and the database."""
# Adam keeps two numbers per weight in 32 bits beside the weights; with adapters, only for them.
_FULL, _ADAPTERS = 5.0, 0.2


@dataclass(frozen=True)
class Room:
    """Bytes: free now, needed by the run at its most (None = the size of its model is not known here)."""

    free: int
    needed: int | None

    @property
    def words(self) -> str:
        """Why the run does not fit, "" where it does."""
        least = RESERVE + (self.needed or 0)
        if self.free >= least:
            return ""
        return (
            f"{_gib(self.free)} are free where runs are kept; this run needs about {_gib(least)} for its checkpoints. "
            "Delete checkpoints of finished runs, or keep fewer of this one (keep_checkpoints)."
        )


def room_for(config: Mapping[str, Any], model: Path | None) -> Room:
    """What a run needs that starts from the weights in `model`; nothing is known of a model that is not here yet."""
    root = Path(settings.WORKBENCH_FILES)
    root.mkdir(parents=True, exist_ok=True)
    return Room(shutil.disk_usage(root).free, _needed(config, model))


def _needed(config: Mapping[str, Any], model: Path | None) -> int | None:
    size = sum(file.stat().st_size for file in model.glob("*.safetensors")) if model and model.is_dir() else 0
    if not size:
        return None
    factor = _ADAPTERS if config.get("lora") else _FULL
    # One checkpoint more than are kept exists while the newest is written; the final model comes on top.
    return int(size * factor * (int(config.get("keep_checkpoints", 2)) + 1)) + size


def directory_of(start: Start) -> Path | None:
    """Where the weights lie that a run starts from, if they lie here."""
    if start.run is not None:
        return weights(start.run, start.checkpoint)
    path = Path(start.base)
    return path if path.is_absolute() and path.is_dir() else None


@dataclass(frozen=True)
class Kept:
    """One checkpoint on the disk, or the final model; `used` names what still needs it."""

    name: str
    step: int | None
    bytes: int
    used: str = ""


def kept(training: TrainingRun) -> list[Kept]:
    """Everything of a run that can be started from, newest first."""
    run = training_directory(training)
    waiting = training.continued_by.filter(run__state__in=LIVE)
    users = set(waiting.values_list("start_checkpoint", flat=True))
    places = [(step, run.checkpoints / f"checkpoint-{step}") for step in run.checkpoint_steps()]
    found = [Kept(path.name, step, _size(path)) for step, path in places]
    if run.model.is_dir() and any(run.model.iterdir()):
        found.append(Kept("model", None, _size(run.model)))
    return [Kept(one.name, one.step, one.bytes, "run" if one.name in users else "") for one in reversed(found)]


def delete(training: TrainingRun, name: str) -> int:
    """Remove one checkpoint of a run that has ended; the bytes that became free.

    Raises ValueError for a run at work, a checkpoint that is not there, or one that a waiting run starts from.
    """
    if training.run.is_live:
        raise ValueError("The run is at work: its own rule keeps the newest checkpoints.")
    found = next((one for one in kept(training) if one.name == name), None)
    if found is None:
        raise ValueError(f"There is no checkpoint {name}.")
    if found.used:
        raise ValueError(f"A run that has not ended starts from {name}.")
    run = training_directory(training)
    shutil.rmtree(run.model if name == "model" else run.checkpoints / name)
    _note(training, run)
    return found.bytes


def rewind(training: TrainingRun, name: str) -> int:
    """Remove the checkpoints after `name`, so that a resume goes on from it; how many. Raises ValueError."""
    if training.run.is_live:
        raise ValueError("The run is at work.")
    run = training_directory(training)
    steps = run.checkpoint_steps()
    wanted = [step for step in steps if f"checkpoint-{step}" == name]
    if not wanted:
        raise ValueError(f"There is no checkpoint {name} to resume from.")
    later = [step for step in steps if step > wanted[0]]
    for step in later:
        shutil.rmtree(run.checkpoints / f"checkpoint-{step}")
    _note(training, run)
    return len(later)


def _note(training: TrainingRun, run: RunDirectory) -> None:
    training.checkpoints = [f"checkpoint-{step}" for step in run.checkpoint_steps()]
    training.save(update_fields=["checkpoints"])


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def _gib(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB"
