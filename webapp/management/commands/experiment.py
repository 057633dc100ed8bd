"""./workbench experiment PRESET [--json]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from training_app import selectors
from training_app.engine.config import PRESETS as TRAINERS
from training_app.engine.experiment import PRESETS, PlanError, Sizes
from training_app.experiments import starting
from training_app.experiments.world import SOURCES
from training_app.launching import TINY
from webapp.common.models import Run
from webapp.common.runs import StateConflict, execute, resume, settle_gone, worker_is_gone
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow, follow_beside

LISTED = 5
NUMBERS = tuple(name for name in Sizes.model_fields if name != "values")


class Command(WorkbenchCommand):
    help = "Train several arms that differ in one thing, judge them on the same held-out tasks, compare them in pairs."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("preset", choices=PRESETS, nargs="?")
        parser.add_argument("--resume", metavar="ID", help="go on with an experiment that was stopped or killed: xpt_…")
        parser.add_argument("--source", choices=SOURCES, default="practice", help="where the tasks come from")
        parser.add_argument("--start", default=TINY, help="tiny, model:<directory or hub name> or run:<trn_…>")
        parser.add_argument("--trainer", choices=TRAINERS, default="cpu-proof", help="preset of the trainings")
        for name in NUMBERS:
            field = Sizes.model_fields[name]
            parser.add_argument(f"--{name.replace('_', '-')}", type=int, help=f"{field.description} ({field.default})")
        parser.add_argument("--values", help=f"{Sizes.model_fields['values'].description} Such as 1,2,3.")

    def work(self, options: Mapping[str, Any]) -> Any:
        if bool(options["preset"]) == bool(options["resume"]):
            raise CommandError("Name a preset, or the experiment to go on with: --resume xpt_…")
        result = self._resumed(options["resume"]) if options["resume"] else self._started(options)
        self._words(result)
        return result

    def _resumed(self, name: str) -> dict[str, Any]:
        row = selectors.experiment_named(name)
        if row is None:
            left = selectors.experiment_list().exclude(run__state="succeeded").order_by("-id")[:LISTED]
            others = ", ".join(f"{one.public_id} ({one.preset}, {one.run.state})" for one in left)
            raise CommandError(f"There is no experiment {name}. To go on with: {others or 'none'}.")
        try:
            return {**follow(self, _go_on(row.run)), "job": row.run.public_id}
        except StateConflict as error:
            raise CommandError(str(error)) from error

    def _started(self, options: Mapping[str, Any]) -> dict[str, Any]:
        sizes = {name: options[name] for name in NUMBERS if options[name] is not None}
        if options["values"]:
            sizes["values"] = [part.strip() for part in options["values"].split(",")]

        def start() -> Run:
            row = starting.start(
                options["preset"], source=options["source"], start=options["start"], trainer=options["trainer"],
                sizes=sizes, by=None,
            )  # fmt: skip
            return row.run

        payload = {name: options[name] for name in ("preset", "source", "start", "trainer")}
        try:
            starting.make_plan({**payload, "sizes": sizes})
        except PlanError as error:
            raise CommandError(str(error)) from error
        return follow_beside(self, starting.KIND, start)

    def _words(self, result: Mapping[str, Any]) -> None:
        for arm in result["arms"]:
            rate = arm["success_rate"]
            self.say(f"{arm['name']}: {rate['value']:.1%} [{rate['low']:.1%}, {rate['high']:.1%}] complete")
        equal = ", ".join(f"{count} {name}" for name, count in result["budget"]["equal"].items())
        self.say(f"Equal in every arm: {equal}. All of it is on the page of {result['experiment']}.")


def _go_on(run: Run) -> Run:
    """Queue a stopped run again. Raises StateConflict for one that has succeeded."""
    if run.is_live and settings.WORKBENCH_RUN_INLINE:
        # No worker is there that would settle what a killed command left.
        settle_gone(timezone.now(), worker_is_gone)
        run.refresh_from_db()
    if run.state == "queued" and settings.WORKBENCH_RUN_INLINE:
        execute(run.pk)
    return run if run.is_live or run.state == "succeeded" else resume(run, None)
