"""Create the training environment: `python -m training_app.trainers.install --progress-json`.

The training stack (torch, TRL, ...) lives apart from the workbench's own environment, in `.venv-train` at
the root of the repository, or where WORKBENCH_TRAIN_VENV says. torch comes first, by pip, since which build
is right depends on the machine; the rest is installed from `requirements/train.lock` with hashes and
without resolving. Running it again does nothing unless the lock changed. Only the standard library is used.

`--vllm` adds vLLM for machines with a GPU. It does not accept the transformers of the lock and brings its own, so it
comes after the lock and only where it is asked for; torch and TRL stay as they are.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

TORCH = "torch==2.13.0"
VLLM = ("vllm==0.31.0", "transformers==5.17.0", "trl==1.16.0", TORCH)
"""The newest vLLM that this TRL accepts, and the versions it must settle on with it."""
ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements" / "train.lock"
VARIABLE = "WORKBENCH_TRAIN_VENV"
COMMAND = ".venv/bin/python -m training_app.trainers.install"
"""What a person types, in the workbench's directory."""
PHASES = ("environment", "torch", "packages", "check")
_STAMP = "workbench-stamp.json"
_FOLDERS = ("torch", "trl", "transformers", "accelerate", "datasets", "peft", "safetensors", "tokenizers")
"""Packages whose absence makes a complete environment incomplete again, as their folders are called."""
_CHECK = "import torch, trl, transformers, datasets, peft, pyarrow, pydantic, orjson, jsonschema_rs, cel_expr_python"

Report = Callable[[str, int, str], None]
"""Called with phase, number of phases done, and a line for people."""


class InstallError(Exception):
    """A phase failed; `message` holds the last lines of its output."""

    def __init__(self, phase: str, message: str) -> None:
        super().__init__(f"{phase}: {message}")
        self.phase = phase
        self.message = message


def environment_path(variables: Mapping[str, str]) -> Path:
    """Where the training environment lies."""
    return Path(variables.get(VARIABLE) or ROOT / ".venv-train")


def python_path(variables: Mapping[str, str]) -> Path:
    """The interpreter that runs the trainers."""
    return environment_path(variables) / "bin" / "python"


def wanted_stamp() -> dict[str, str]:
    """What a complete environment says about itself: lock, torch and Python version."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    return {"lock": digest, "torch": TORCH, "python": ".".join(map(str, sys.version_info[:2]))}


def is_ready(path: Path) -> bool:
    """Is the environment complete and of the present lock? Packages that were removed since do not count as there."""
    try:
        stamp = json.loads((path / _STAMP).read_bytes())
    except (OSError, ValueError):
        return False
    return bool(stamp == wanted_stamp()) and not missing(path)


def missing(path: Path) -> list[str]:
    """Those of the main packages that the environment lacks."""
    return [name for name in _FOLDERS if not any(path.glob(f"lib/python*/site-packages/{name}/__init__.py"))]


def has_vllm(path: Path) -> bool:
    """Was vLLM added to the environment?"""
    return any(path.glob("lib/python*/site-packages/vllm-*.dist-info"))


def add_vllm(path: Path, report: Report) -> None:
    """Add vLLM to a complete environment. Raises InstallError."""
    with _exclusive(path):
        if not has_vllm(path):
            report("vllm", len(PHASES) - 1, f"installing {VLLM[0]} (some gigabytes)")
            python = str(path / "bin" / "python")
            _run("vllm", [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *VLLM])
        report("vllm", len(PHASES), "vLLM is there")


def install(path: Path, report: Report) -> None:
    """Bring the environment at `path` up to date. Raises InstallError; a second caller waits for the first."""
    with _exclusive(path):
        if is_ready(path):
            report("check", len(PHASES), "the training environment is ready")
            return
        python = path / "bin" / "python"
        pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        steps: tuple[tuple[str, list[str], str], ...] = (
            ("environment", [sys.executable, "-m", "venv", str(path)], f"creating {path.name}"),
            ("torch", [*pip, TORCH], f"installing {TORCH}"),
            (
                "packages",
                [*pip, "--no-deps", "--require-hashes", "-r", str(LOCK)],
                "installing the locked packages",
            ),
            ("check", [str(python), "-c", _CHECK], "importing what was installed"),
        )
        for done, (phase, command, message) in enumerate(steps):
            if phase == "environment" and python.exists():
                continue
            report(phase, done, message)
            _run(phase, command)
        (path / _STAMP).write_text(json.dumps(wanted_stamp()))
        report("check", len(PHASES), "the training environment is ready")


def main(arguments: list[str] | None = None) -> int:
    """Command line; 0 = ready, 1 = a phase failed (the last line says which)."""
    parser = argparse.ArgumentParser(description="Create or update the training environment.")
    parser.add_argument("--progress-json", action="store_true", help="print one JSON object per line")
    parser.add_argument("--vllm", action="store_true", help="add vLLM, for a machine with a GPU")
    options = parser.parse_args(arguments)

    def report(phase: str, done: int, message: str) -> None:
        line = {"phase": phase, "done": done, "total": len(PHASES), "message": message}
        text = json.dumps(line) if options.progress_json else f"[{done}/{len(PHASES)}] {message}"
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    try:
        install(environment_path(os.environ), report)
        if options.vllm:
            add_vllm(environment_path(os.environ), report)
    except InstallError as error:
        done = PHASES.index(error.phase) if error.phase in PHASES else len(PHASES) - 1
        report("failed", done, f"{error.phase}: {error.message}")
        return 1
    return 0


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    path.mkdir(parents=True, exist_ok=True)
    with (path / ".install.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(phase: str, command: list[str]) -> None:
    # An inherited PYTHONPATH or virtual environment must not leak into the new one.
    leaking = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    clean = {key: value for key, value in os.environ.items() if key not in leaking}
    result = subprocess.run(command, env=clean, capture_output=True, text=True, check=False, cwd=ROOT)
    if result.returncode:
        output = (result.stderr or result.stdout).strip().splitlines()
        raise InstallError(phase, " / ".join(output[-5:]) or f"exit status {result.returncode}")


if __name__ == "__main__":
    raise SystemExit(main())
