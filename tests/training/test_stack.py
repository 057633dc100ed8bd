"""Runs the tests of the training stack with the interpreter that has it."""

import os
import subprocess
from pathlib import Path

import pytest

from training_app.trainers.install import ROOT, environment_path, is_ready, python_path

STACK = Path(__file__).parent / "stack"


@pytest.mark.train
@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_training_stack():
    assert is_ready(environment_path(os.environ)), "first run: python -m training_app.trainers.install"
    command = [str(python_path(os.environ)), "-m", "pytest", "-c", str(STACK / "pytest.ini"), str(STACK)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-6000:] + result.stderr[-2000:]
