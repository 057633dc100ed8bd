"""How trainers end where their environment is not what it should be; this interpreter has no torch."""

import subprocess
import sys
from pathlib import Path

import pytest

from training_app.engine.metrics import read_records
from training_app.engine.rundir import RunDirectory
from training_app.trainers import endings, install


def start(module: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """A trainer as the workbench starts it, with the interpreter of the workbench itself."""
    command = [sys.executable, "-m", f"training_app.trainers.{module}", "--run-dir", str(directory)]
    return subprocess.run(command, cwd=install.ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("module", ["sft", "grpo", "evaluate"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(module: str, tmp_path: Path) -> None:
    done = start(module, tmp_path)
    assert done.returncode == 2, done.stderr
    run = RunDirectory(tmp_path)
    status = run.read_json("status.json")
    assert status is not None
    assert (status["state"], status["kind"]) == ("refused", "install:missing")
    for piece in ("No module named", "`.venv/bin/python -m training_app.trainers.install`", "then resume"):
        assert piece in status["message"], piece
    assert [line["message"] for line in read_records(run.events)] == [status["message"]]
    assert "ModuleNotFoundError" in done.stderr


def test_vllm_has_its_own_words() -> None:
    raised = ImportError("vLLM is not available and `use_vllm` is set to True.")
    assert "trainers.install --vllm`" in endings.missing(raised).message
