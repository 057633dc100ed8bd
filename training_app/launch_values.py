"""What the launch form holds before anything was typed: enough to launch at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from training_app import launching, selectors
from training_app.engine.config import PRESETS
from training_app.models import DatasetVersion, TrainingRun


def first_values(given: Mapping[str, str], clone: TrainingRun | None) -> dict[str, Any]:
    """Form data from a run to clone, else from the address (`kind`, `preset`, `dataset`, `start`).

    What neither names: the newest dataset version, the preset of the last run of this kind, and a start that fits.
    """
    if clone is not None:
        return _of_run(clone)
    method = given.get("kind", "sft") if given.get("kind") in launching.CLASSES else "sft"
    last = selectors.training_list().filter(method=method).first()
    preset = given.get("preset") or (last.preset if last is not None else "cpu-proof")
    version = selectors.find_version(given["dataset"]) if given.get("dataset") else _newest()
    return {
        "method": method,
        "preset": preset if preset in PRESETS else "cpu-proof",
        "version": str(version.pk) if version is not None else "",
        "start": given.get("start") or _start(method),
        "mode": "",
        "max_simulated": 1,
        "launcher": "local",
    }


def _of_run(training: TrainingRun) -> dict[str, Any]:
    payload = training.run.payload
    place = payload.get("place") or {}
    typed = {
        f"set-{name}": value if isinstance(value, str) else json.dumps(value)
        for name, value in launching.changed_fields(training.method, training.preset, training.config).items()
    }
    return {
        "method": training.method,
        "preset": training.preset,
        "version": str(training.dataset_version_id),
        "start": payload.get("start", training.base),
        "mode": payload.get("mode", ""),
        "hours": "" if training.hours is None else training.hours,
        "max_simulated": payload.get("max_simulated", 1),
        "launcher": place.get("launcher", "local"),
        "resources": place.get("resources", ""),
        **typed,
    }


def _newest() -> DatasetVersion | None:
    return DatasetVersion.objects.select_related("dataset").order_by("-id").first()


def _start(method: str) -> str:
    """SFT begins with the tiny model, GRPO with the newest SFT run that left something."""
    if method == "sft":
        return launching.TINY
    for training in selectors.training_list().filter(method="sft")[:20]:
        usable = launching.usable_checkpoints(training)
        if usable:
            return f"run:{training.public_id}@{usable[0]}"
    return ""
