"""What the training environment finds on this machine: asked in a process of its own, since only that one has torch."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from training_app.trainers import install

SECONDS = 90.0
"""For importing torch and asking the driver; the first import after an installation is slow."""
WANTED = ("torch", "trl", "transformers", "accelerate", "peft", "vllm")
_ASK = f"""
import importlib.metadata as metadata, json, platform
import torch
found = {{"python": platform.python_version()}}
for name in {WANTED!r}:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
device = {{}}
if torch.cuda.is_available():
    about = torch.cuda.get_device_properties(0)
    device = {{"name": about.name, "gib": round(about.total_memory / 2**30, 1), "cuda": torch.version.cuda or ""}}
print(json.dumps({{"versions": found, "device": device, "built_for": torch.version.cuda or ""}}))
"""


@dataclass(frozen=True)
class Machine:
    """The interpreter of the training environment and what it sees. `problem` says in words what must be done before
    anything can be checked here; "" where the check can begin. `gib`: memory of the first GPU.
    """

    python: str
    problem: str = ""
    device: str = ""
    gib: float = 0.0
    cuda: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_vllm(self) -> bool:
        """Can rollouts be sampled with vLLM?"""
        return "vllm" in self.versions


def probe(variables: Mapping[str, str]) -> Machine:
    """Look at the training environment and at the first GPU."""
    python = install.python_path(variables)
    if not install.is_ready(install.environment_path(variables)):
        return Machine(
            str(python),
            "The training environment is not there or not of this version. Make it with "
            "`.venv/bin/python -m training_app.trainers.install --vllm`, then run the check again.",
        )
    return ask(python)


def ask(python: Path) -> Machine:
    """What torch says in this interpreter."""
    try:
        done = subprocess.run(
            [str(python), "-c", _ASK], capture_output=True, text=True, check=False, timeout=SECONDS, cwd=install.ROOT
        )
    except subprocess.TimeoutExpired:
        return Machine(str(python), f"torch did not load within {SECONDS:.0f} s: is the driver of the GPU stuck?")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return Machine(str(python), f"torch does not load in the training environment: {last}")
    return _read(python, done.stdout.splitlines()[-1])


def _read(python: Path, line: str) -> Machine:
    found = json.loads(line)
    device, versions = found["device"], found["versions"]
    if device:
        return Machine(str(python), "", device["name"], device["gib"], device["cuda"], versions)
    built = found["built_for"]
    words = (
        f"torch is built for CUDA {built} but finds no GPU: check the driver with `nvidia-smi` and that the GPU is "
        "passed to this container."
        if built
        else "torch of the training environment is built for CPUs. Install a build for CUDA into it "
        f"(`{python} -m pip install --force-reinstall {install.TORCH}`) on a machine with an NVIDIA GPU."
    )
    return Machine(str(python), f"No GPU is usable here. {words}", versions=versions)
