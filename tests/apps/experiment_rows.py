"""What the tests of experiments start from: services of the practice world, stand-ins for trainer and judge."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.apps.training_rows import use_stand_in
from tests.catalogue import install_services
from training_app.experiments import starting
from training_app.models import Experiment

JUDGE = Path(__file__).with_name("stand_in_judge.py")
SIZES = {"tasks": 6, "held_out": 4, "steps": 12, "grpo_steps": 12, "seed": 3}
PRACTICE = ("mail", "notes", "shop-catalog")


def prepare(settings: Any, files: Path, *judging: Any) -> None:
    """Verified services, and processes that train and judge within a moment."""
    use_stand_in(settings, files, "--seconds", 0)
    settings.WORKBENCH_TRAINERS["evaluate"] = [sys.executable, str(JUDGE), *map(str, judging)]
    install_services(PRACTICE)


def begin(preset: str = "composed", **sizes: Any) -> Experiment:
    """An experiment as it is after `start`; with inline runs it has ended."""
    row = starting.start(preset, sizes={**SIZES, **sizes}, by=None)
    return Experiment.objects.select_related("run").get(pk=row.pk)
