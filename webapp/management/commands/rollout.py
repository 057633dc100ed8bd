"""./workbench rollout --policy reference|noop|readonly|faulty|cheater|MODEL [--n 8] [--tasks ID...|--all]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tasks_app import actions
from webapp.management.base import WorkbenchCommand
from webapp.management.commands.tasks import find_tasks
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "Play tasks with a policy and store the trajectories."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--policy", required=True, help="reference, noop, readonly, faulty, cheater, or a model")
        parser.add_argument("--n", type=int, default=1, help="rollouts per task")
        parser.add_argument("--tasks", nargs="*", default=[], dest="ids", metavar="ID")
        parser.add_argument("--all", action="store_true", help="every task that is not retired")

    def work(self, options: Mapping[str, Any]) -> Any:
        tasks = find_tasks({"ids": options["ids"], "all": options["all"] or not options["ids"]})
        try:
            run = actions.start_rollouts(tasks=tasks, policy=options["policy"], count=options["n"], by=None)
        except ValueError as error:
            raise CommandError(str(error)) from error
        result = follow(self, run)
        self.say(f"{result['passed']} of {result['rollouts']} rollouts passed.")
        return result
