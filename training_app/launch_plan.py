"""How a launch would be carried out: the trainer's own command, and what a cluster would be given."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from training_app import launching, placing
from training_app.launching import LaunchError, Request
from training_app.supervision import ROOT
from training_app.training import launch_command
from workers.launchers.base import Command
from workers.launchers.clusters import RENDEZVOUS, plan

NEW_RUN = "trn_NEW"
"""Stands for the id that the run gets when it is launched."""


@dataclass(frozen=True)
class Shown:
    """trainer: the command that works. file and submit: what a cluster's tool gets, "" on this machine.

    missing: in words which tool is not here, "" where nothing is missing.
    """

    trainer: str
    file: str = ""
    submit: str = ""
    missing: str = ""

    def to_json(self) -> dict[str, str]:
        return {"trainer": self.trainer, "file": self.file, "submit": self.submit, "missing": self.missing}


def shown(request: Request, config: Mapping[str, Any], name: str = NEW_RUN) -> Shown:
    """The exact words; `name` is the run's id, which stands in the paths."""
    directory = Path(settings.WORKBENCH_FILES) / "training" / name
    arguments = launch_command(request.method, config, RENDEZVOUS[request.place.launcher])
    arguments += ["--run-dir", str(directory)]
    command = Command(arguments, ROOT, directory / "process.log", {"PYTHONPATH": str(ROOT)})
    planned = plan(command, placing.shape_of(name, config, request.hours), request.place)
    if planned is None:
        return Shown(shlex.join(arguments))
    missing = "" if planned.available else _missing(planned.program)
    return Shown(shlex.join(arguments), planned.text, planned.command, missing)


def check_place(request: Request, config: Mapping[str, Any]) -> None:
    """Raises LaunchError naming `launcher` where the cluster's tool is not on this machine, or `device` where the run
    is to work here and there is no GPU for it.
    """
    if request.place.launcher == "local" and (words := launching.device_words(config)):
        raise LaunchError(words, {"device": words})
    missing = shown(request, config).missing
    if missing:
        raise LaunchError(missing, {"launcher": missing})


def _missing(program: str) -> str:
    return (
        f"{program} is not installed on this machine, so nothing is submitted from here. "
        "The file and the command shown can be used where it is."
    )
