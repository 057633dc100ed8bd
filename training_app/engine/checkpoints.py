"""Is a checkpoint directory whole? The layouts that transformers writes, told apart by their file names.

One process, or several with whole weights each: `model.safetensors`, `optimizer.pt`, `scheduler.pt`.
FSDP: whole states as `pytorch_model_fsdp.bin` and `optimizer.bin`, parts as the folders `pytorch_model_fsdp_0/` and
`optimizer_0/` (each is complete once its `.metadata` is there) or as one `..._rank<n>.bin` per process.
DeepSpeed: `latest` names the folder `global_step<n>/` with one file of optimizer states per process.
All of them: `rng_state*.pth` per process, and last of all `trainer_state.json`.

A killed process leaves a directory with some files missing or cut, so presence is not enough: safetensors must be as
long as their header says, and a torch archive must have its directory at the end.
"""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

NAME = re.compile(r"checkpoint-(\d+)$")
_SENTINEL = "checkpoint-is-incomplete.txt"
_STATE = "trainer_state.json"
_INDEX = "model.safetensors.index.json"
_FSDP_PARTS = ("pytorch_model_fsdp", "optimizer")


def checkpoint_problem(path: Path) -> str | None:
    """Why a checkpoint directory cannot be resumed from, in words; None if it can."""
    if words := unfinished(path):
        return words
    step = int(path.name.rpartition("-")[2]) if NAME.match(path.name) else None
    state = _state_step(path / _STATE)
    if step is not None and state != step:
        return f"{_STATE} is of step {state}"
    if _is_deepspeed(path):
        wrong = _deepspeed_problems(path)
    elif _is_fsdp(path):
        wrong = [*_fsdp_problems(path), *_broken_archives([path / "scheduler.pt"])]
    elif not list(path.glob("*.safetensors")):
        return "it has no weights"
    else:
        wrong = _broken_archives([path / "optimizer.pt", path / "scheduler.pt"])
    wrong = [*_broken_weights(path), *wrong]
    wrong += [] if list(path.glob("rng_state*.pth")) else ["rng_state.pth"]
    return f"{', '.join(wrong)} missing or cut" if wrong else None


def unfinished(path: Path) -> str | None:
    """In words, that the process ended while it was writing this directory; None if it came to the end."""
    if (path / _SENTINEL).exists():
        return "it was being written when the process ended"
    if _state_step(path / _STATE) is None:
        return f"{_STATE}, which is written last, is missing or cut"
    return None


def clear_broken(directory: Path) -> list[str]:
    """Take checkpoints that cannot be resumed from out of the way: what was done, one sentence for each.

    They would count as the newest when old ones are rotated out. Only what was never written to its end is removed:
    out of anything else somebody may still get something, so that it is kept under another name.
    """
    done = []
    for path in sorted(directory.glob("checkpoint-*")):
        problem = checkpoint_problem(path) if NAME.match(path.name) else None
        if problem and unfinished(path):
            shutil.rmtree(path)
            done.append(f"{path.name} cannot be used and is removed: {problem}")
        elif problem:
            kept = _free_name(path.with_name(f"unusable-{path.name}"))
            path.rename(kept)
            done.append(f"{path.name} cannot be used: {problem}. It is not needed, and kept as {kept}.")
    return done


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _is_deepspeed(path: Path) -> bool:
    return (path / "latest").is_file() or any(path.glob("global_step*"))


def _is_fsdp(path: Path) -> bool:
    return any(path.glob("pytorch_model_fsdp*")) or any(path.glob("optimizer_*")) or (path / "optimizer.bin").is_file()


def _deepspeed_problems(path: Path) -> list[str]:
    """Weights may lie in the folder alone (stage 3), and the scheduler in it or beside it."""
    try:
        folder = path / (path / "latest").read_text().strip()
    except (OSError, ValueError):
        return ["latest"]
    wrong: list[str] = []
    for kind in ("model_states", "optim_states"):
        files = sorted(folder.glob(f"*_{kind}.pt"))
        wrong += [f"{folder.name}/{name}" for name in _broken_archives(files)] or (
            [] if files else [f"{folder.name}/*_{kind}.pt"]
        )
    return wrong


def _fsdp_problems(path: Path) -> list[str]:
    wrong: list[str] = []
    for part in _FSDP_PARTS:
        folders = [folder for folder in sorted(path.glob(f"{part}_*")) if folder.is_dir()]
        files = [*sorted(path.glob(f"{part}.bin")), *sorted(path.glob(f"{part}_*.bin"))]
        wrong += [f"{folder.name}/" for folder in folders if not _whole_folder(folder)]
        wrong += _broken_archives(files)
        wrong += [] if folders or files else [part]
    return wrong


def _whole_folder(folder: Path) -> bool:
    """`torch.distributed.checkpoint` puts `.metadata` in place after every process has written its file."""
    parts = list(folder.glob("*.distcp"))
    return (folder / ".metadata").is_file() and bool(parts) and all(part.stat().st_size for part in parts)


def _broken_archives(files: Iterable[Path]) -> list[str]:
    return [file.name for file in files if not zipfile.is_zipfile(file)]


def _broken_weights(path: Path) -> list[str]:
    """Weight files that are cut, or that the index names and that are not there."""
    found = {file.name: file for file in sorted(path.glob("*.safetensors"))}
    cut = [name for name, file in found.items() if not whole_safetensors(file)]
    if not (path / _INDEX).exists():
        return cut
    try:
        named = set(json.loads((path / _INDEX).read_bytes())["weight_map"].values())
    except (ValueError, KeyError, TypeError, AttributeError):
        return [*cut, _INDEX]
    return [*cut, *sorted(named - set(found))]


def _state_step(path: Path) -> int | None:
    try:
        return int(json.loads(path.read_bytes())["global_step"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def whole_safetensors(path: Path) -> bool:
    """8 bytes length, a JSON header of that length, then the tensors up to the largest offset."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 + length:
            return False
        try:
            header = json.loads(file.read(length))
        except ValueError:
            return False
    if not isinstance(header, dict):
        return False
    ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    return size == 8 + length + max(ends, default=0)
