"""./workbench train sft|grpo --preset NAME --dataset SLUG[@N] [--start ...] [--set NAME=VALUE ...]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from training_app import actions, charts, launching
from training_app.engine.config import PRESETS
from training_app.forms import read_value
from webapp.management.base import WorkbenchCommand
from webapp.management.commands.export import find_version
from webapp.management.following import follow
from workers.launchers.clusters import NAMES, Place


class Command(WorkbenchCommand):
    help = "Train a model on a frozen dataset version and wait for the end."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("method", choices=("sft", "grpo"))
        parser.add_argument("--preset", choices=PRESETS, default="cpu-proof")
        parser.add_argument("--dataset", required=True, metavar="SLUG[@N]")
        parser.add_argument(
            "--start", default="tiny", help="tiny, model:<directory or hub name>, or run:<trn_...>[@checkpoint]"
        )
        parser.add_argument("--mode", choices=("", "meta", "direct"), default="")
        parser.add_argument("--set", action="append", default=[], dest="changes", metavar="NAME=VALUE")
        parser.add_argument("--hours", type=float, default=None, help="stop and keep after so long")
        parser.add_argument("--launcher", choices=NAMES, default="local", help="where it runs")
        parser.add_argument("--resources", default="", help="Slurm: partition; SkyPilot: accelerators, as H100:8")

    def work(self, options: Mapping[str, Any]) -> Any:
        request = launching.Request(
            method=options["method"],
            preset=options["preset"],
            version=find_version(options["dataset"]),
            start=options["start"],
            mode=options["mode"],
            overrides=dict(_pair(text) for text in options["changes"]),
            hours=options["hours"],
            place=Place(options["launcher"], options["resources"]),
        )
        try:
            training = actions.launch(request=request, by=None)
        except launching.LaunchError as error:
            raise CommandError(str(error)) from error
        self.say(f"{training.public_id} ({training.run.public_id})")
        result = follow(self, training.run)
        training.refresh_from_db()
        last = charts.headline(charts.read(training))
        shown = ", ".join(f"{name} {value:.4g}" for name, value in last.items() if value is not None)
        self.say(f"{result['step']} steps; mean of the last ones: {shown}")
        return {**result, "job": training.run.public_id, "last": last}


def _pair(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise CommandError(f"--set {text}: write it as NAME=VALUE, such as learning_rate=1e-3")
    return name, read_value(value)
