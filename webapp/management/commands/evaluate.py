"""./workbench evaluate --dataset SLUG[@N] --split test (--run trn_... [--checkpoint C] | --policy NAME)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from training_app import actions
from training_app.launching import LaunchError
from training_app.models import DatasetMember, Evaluation
from training_app.training_api import find_training
from webapp.management.base import WorkbenchCommand
from webapp.management.commands.export import find_version
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "Judge a trained checkpoint or a policy on a frozen split."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="SLUG[@N]")
        parser.add_argument("--split", choices=DatasetMember.Split.values, default="test")
        parser.add_argument("--run", default="", metavar="trn_...", help="a training run")
        parser.add_argument("--checkpoint", default="", help="its final model or newest checkpoint when absent")
        parser.add_argument("--policy", default="", help="reference, noop, readonly, faulty, cheater, or a model")
        parser.add_argument("--attempts", type=int, default=1)
        parser.add_argument("--temperature", type=float, default=0.0)
        parser.add_argument("--seed", type=int, default=0)

    def work(self, options: Mapping[str, Any]) -> Any:
        try:
            evaluation = actions.evaluate(
                version=find_version(options["dataset"]),
                split=options["split"],
                training=find_training(options["run"]),
                checkpoint=options["checkpoint"],
                policy=options["policy"],
                attempts=options["attempts"],
                temperature=options["temperature"],
                seed=options["seed"],
                by=None,
            )
        except LaunchError as error:
            raise CommandError(str(error)) from error
        follow(self, evaluation.run)
        return self._report(Evaluation.objects.get(pk=evaluation.pk))

    def _report(self, evaluation: Evaluation) -> dict[str, Any]:
        results: dict[str, Any] = evaluation.results or {}
        for name in ("success_rate", "score"):
            if one := results.get(name):
                self.say(f"{name}: {one['value']:.1%} [{one['low']:.1%}, {one['high']:.1%}], n = {one['n']}")
        if evaluation.seen_tasks:
            self.say(f"{evaluation.seen_tasks} of the tasks belong to families that were trained on.")
        return {"evaluation": evaluation.public_id, "seen_tasks": evaluation.seen_tasks, **results}
