"""./workbench build [SLUG...|--all] [--jobs N] [--builder rules|model] [--model NAME]"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from services_app import actions
from services_app.batch_models import BatchItem
from services_app.models import Specification
from services_app.pipelines import batch
from services_app.pipelines.build_all import current_specifications
from services_app.pipelines.model_building import ModelBuild, model_build
from services_app.pipelines.model_requests import AskedError
from webapp.common.models import Run
from webapp.common.runs import StateConflict, request_cancel
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow
from webapp.management.own_worker import own_worker


class Command(WorkbenchCommand):
    help = "Build services from imported specifications and verify them."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="specifications to build")
        parser.add_argument("--all", action="store_true", help="every specification, the newest content of each")
        parser.add_argument("--jobs", type=int, help="services built at the same time with --all (default: the cores)")
        parser.add_argument("--builder", choices=("rules", "model"), default="rules")
        parser.add_argument("--model", default="", help="model by its LiteLLM name (default: WORKBENCH_MODEL)")
        parser.add_argument("--scratch", action="store_true", help="the model begins with empty files")
        parser.add_argument("--no-adversary", action="store_true", help="no test cases by a separate session")
        parser.add_argument("--turns", type=int, help="replies of the model at most")
        parser.add_argument("--cost", type=float, help="US dollars at most, for a model of known price")

    def work(self, options: Mapping[str, Any]) -> Any:
        by_model = _by_model(options)
        if options["all"] and by_model is not None:
            raise CommandError("A build with a model is asked for by name; --all builds by rules.")
        if options["all"]:
            return self._build_all(options["jobs"] or os.cpu_count() or 2)
        chosen = list(Specification.objects.filter(pk__in=current_specifications(), slug__in=options["slugs"]))
        missing = set(options["slugs"]) - {specification.slug for specification in chosen}
        if missing:
            raise CommandError(f"There is no specification {', '.join(sorted(missing))}; import it first.")
        if not chosen:
            raise CommandError("Name at least one specification, or give --all.")
        return [self._build(specification, by_model) for specification in chosen]

    def _build_all(self, jobs: int) -> list[dict[str, Any]]:
        if not current_specifications().exists():
            raise CommandError("There is no specification yet; import one first.")
        with own_worker(["build", "default"], jobs):
            run = actions.start_build_all(by=None, lanes=jobs)
            try:
                result = follow(self, run, on_look=self._show)
            except KeyboardInterrupt:
                self.say("Stopping; what is built stays. The next --all goes on from there.")
                _cancel(run)
                raise
        self.say(", ".join(f"{count} {state}" for state, count in batch.counts(run.pk).items()))
        self.say(f"{result['verified']} of {result['tools']} tools verified, {result['quarantined']} quarantined")
        failed = batch.items_of(run.pk, BatchItem.State.FAILED)
        for item in failed:
            self.say(f"  {item.name}: {item.message}")
        return [batch.row_of(item) for item in batch.items_of(run.pk).order_by("name")]

    def _show(self, run: Run) -> None:
        if run.total and (run.done, run.total) != getattr(self, "_shown", None):
            self._shown = (run.done, run.total)
            self.say(f"  {run.done} of {run.total} services")

    def _build(self, specification: Specification, by_model: ModelBuild | None) -> dict[str, Any]:
        self.say(f"{specification.slug} ({specification.tool_count} tools)")
        try:
            result = follow(self, actions.start_build(specification=specification, by=None, by_model=by_model))
        except CommandError as error:
            self.say(f"  {error}")
            return {"slug": specification.slug, "error": str(error)}
        self.say(f"  {result['verified']} tools verified, {result['quarantined']} quarantined")
        return {"slug": specification.slug, **result}


def _by_model(options: Mapping[str, Any]) -> ModelBuild | None:
    """What is asked of a model, None for a build by rules. Raises CommandError in words."""
    if options["builder"] == "rules":
        if options["model"]:
            raise CommandError("--model needs --builder model.")
        return None
    given = {"turns": options["turns"], "cost_usd": options["cost"]}
    asked = {
        "model": options["model"],
        "limits": {name: value for name, value in given.items() if value is not None},
        "scratch": options["scratch"],
        "adversary": not options["no_adversary"],
    }
    try:
        return model_build(asked)
    except AskedError as error:
        raise CommandError(str(error)) from error


def _cancel(run: Run) -> None:
    try:
        request_cancel(run, None, "keep")
    except StateConflict:
        pass  # it has ended meanwhile
