"""What a run stands on before it starts: the device it asks for, and the files of its model. Needs torch."""

from __future__ import annotations

import json
import os
from pathlib import Path

import torch

from training_app.engine.checkpoints import whole_safetensors
from training_app.engine.errors import TrainingError

_CONFIGURATIONS = ("config.json", "adapter_config.json")


def check_device(device: str, precision: str) -> None:
    """Raises TrainingError("config:device") where this machine cannot compute so; nothing else is taken instead."""
    if device == "cpu":
        return
    if not torch.cuda.is_available():
        raise TrainingError(
            "config:device",
            f"device is cuda, and torch {torch.__version__} sees no GPU on this machine: set device to cpu and "
            "precision to float32 (as the preset cpu-proof does), or start the run on a machine with a GPU.",
        )
    here, wanted = torch.cuda.device_count(), int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    if wanted > here:
        raise TrainingError(
            "config:device",
            f"{wanted} processes are to train on this machine, one per GPU, and torch sees {here}: set processes to "
            f"{here} for each node.",
        )
    if precision == "bfloat16" and not torch.cuda.is_bf16_supported():
        raise TrainingError(
            "config:device",
            f"precision is bfloat16, which {torch.cuda.get_device_name()} does not compute: set precision to float32.",
        )


def check_model(model: str) -> None:
    """Raises TrainingError("model:broken") naming the file of a local model that is missing or cut.

    A hub name is left to the library that fetches it.
    """
    directory = Path(model)
    if not directory.is_dir():
        return
    weights = [file for pattern in ("*.safetensors", "*.bin") for file in sorted(directory.glob(pattern))]
    cut = [f for f in weights if f.suffix == ".safetensors" and not whole_safetensors(f)]
    if cut:
        sizes = ", ".join(f"{file.name} ({file.stat().st_size} bytes)" for file in cut)
        raise _broken(model, f"{sizes} is cut: its header names more than that")
    if not weights:
        raise _broken(model, "it holds no weights (*.safetensors)")
    configuration = next((directory / name for name in _CONFIGURATIONS if (directory / name).exists()), None)
    if configuration is None:
        raise _broken(model, "it holds no config.json")
    try:
        json.loads(configuration.read_bytes())
    except ValueError as error:
        raise _broken(model, f"{configuration.name} is no JSON ({error})") from error


def _broken(model: str, problem: str) -> TrainingError:
    return TrainingError(
        "model:broken",
        f"The model in {model} cannot be loaded: {problem}. Copy its files anew, or start from another checkpoint.",
    )
