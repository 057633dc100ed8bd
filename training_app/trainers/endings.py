"""What the libraries raise, in one sentence with a stable kind, where somebody can act on it. Knows no torch.

install:missing  a package of the training environment is not there
disk:full        a file could not be written to its end
run:memory       no memory was left, on the machine or on its GPU
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from training_app.engine.errors import TrainingError
from training_app.engine.rundir import RunDirectory
from training_app.trainers import install

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FULL_WORDS = ("No space left on device", "os error 28", "Disk quota exceeded")
_TORN_WORDS = ("PytorchStreamWriter failed", "unexpected pos")  # torch says so of any write that failed
_MEMORY_WORDS = ("can't allocate memory", "CUDA out of memory", "Cannot allocate memory")
_NEARLY_NOTHING = 1 << 20
"""Bytes: with less than that free, a write of torch that failed, failed for want of room."""
RESERVE = 64 << 10
"""Bytes kept for the last words of a run whose disk is full."""


def explain(error: BaseException, run: RunDirectory) -> TrainingError | None:
    """The failure in words; None where nothing better can be said than the error itself."""
    chain = list(_chain(error))
    if isinstance(error, ImportError):
        return missing(error)
    if is_full(error, run):
        path = next((str(each.filename) for each in chain if isinstance(each, OSError) and each.filename), "")
        return TrainingError("disk:full", _full_words(run, path or str(run.root)))
    if any(isinstance(each, MemoryError) or _says(each, _MEMORY_WORDS) for each in chain):
        return TrainingError("run:memory", f"No memory was left: {_first_line(error)}")
    return None


def missing(error: ImportError) -> TrainingError:
    """A package that is not installed, and the command that installs it."""
    extra = " --vllm" if "vllm" in f"{error.name} {error}".lower() else ""
    return TrainingError(
        "install:missing",
        f"The training environment cannot import {error.name or 'a package'} ({_first_line(error)}): run "
        f"`{install.COMMAND}{extra}` in the workbench's directory, then resume.",
    )


def is_full(error: BaseException, run: RunDirectory) -> bool:
    """Did a write fail because the disk, or somebody's share of it, is full?"""
    chain = list(_chain(error))
    if any((isinstance(each, OSError) and each.errno in _FULL) or _says(each, _FULL_WORDS) for each in chain):
        return True
    return any(_says(each, _TORN_WORDS) for each in chain) and shutil.disk_usage(run.root).free < _NEARLY_NOTHING


def keep_reserve(run: RunDirectory) -> None:
    """Take a little room now, so that a run whose disk becomes full can still say so."""
    with _reserve(run).open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, RESERVE)


def release_reserve(run: RunDirectory) -> None:
    """Give it back."""
    _reserve(run).unlink(missing_ok=True)


def _reserve(run: RunDirectory) -> Path:
    return run.root / ".reserve"


def _full_words(run: RunDirectory, path: str) -> str:
    newest = run.newest_checkpoint()
    size = sum(file.stat().st_size for file in newest.rglob("*") if file.is_file()) if newest else 0
    needed = f" where a checkpoint of this run takes {_mib(size)}" if size else ""
    kept = f"; {newest.name} is whole and kept" if newest else ""
    return (
        f"The disk of {path} is full: a file could not be written to its end, with "
        f"{_mib(shutil.disk_usage(run.root).free)} free{needed}{kept}. Delete checkpoints of finished "
        "runs (the page of each run lists them with their sizes) or other files of that disk, then resume."
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from or while handling, outermost first."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _says(error: BaseException, words: tuple[str, ...]) -> bool:
    text = str(error)
    return any(each in text for each in words)


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:300]


def _mib(count: int) -> str:
    return f"{count / (1 << 20):.1f} MiB"
