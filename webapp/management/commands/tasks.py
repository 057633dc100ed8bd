"""./workbench tasks generate|prove|regrade|list"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from services_app.pipelines.model_requests import AskedError
from tasks_app import actions, regrading, selectors
from tasks_app.authors.batch import walk_length
from tasks_app.authors.tongue import LANGUAGES
from tasks_app.engine.chances import DEFAULT_MODE, MODES
from tasks_app.engine.walk import WalkError
from tasks_app.model_writing import AUTHORS, ModelAuthoring, model_authoring
from webapp.common.ids import IdError
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow
from webapp.management.own_worker import own_worker


class Command(WorkbenchCommand):
    help = "Generate tasks, prove them again, or list them."

    def arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        generate = verbs.add_parser("generate", help="author and prove tasks")
        generate.add_argument("--count", type=int, default=20)
        generate.add_argument("--k", type=int, default=3, help="services that the task needs")
        generate.add_argument("--distractors", type=int, default=3, help="services that stand beside them")
        generate.add_argument("--length", default="5..7", help="length of the walk, A..B")
        generate.add_argument("--seed", type=int, default=0)
        generate.add_argument("--mode", choices=MODES, default=DEFAULT_MODE, help="how services are drawn")
        generate.add_argument("--language", choices=LANGUAGES, default="en", help="what instructions are written in")
        generate.add_argument("--policy", default="", help="with --mode failures: the policy whose rollouts count")
        generate.add_argument("--author", choices=AUTHORS, default="rules")
        generate.add_argument("--rephrase", action="store_true", help="a model rewords what the rules author wrote")
        generate.add_argument("--model", default="", help="model by its LiteLLM name (default: WORKBENCH_MODEL)")
        generate.add_argument("--solver", default="", help="a model that has to solve what the model author wrote")
        generate.add_argument("--turns", type=int, help="replies of the model for each task at most")
        generate.add_argument("--tokens", type=int, help="tokens for each task at most")
        generate.add_argument("--seconds", type=float, help="seconds for each task at most")
        generate.add_argument("--cost", type=float, help="US dollars for each task at most, for a model of known price")
        generate.add_argument("--jobs", type=int, help="tasks written at the same time (default: the cores)")
        generate.add_argument("--services", default="", help="draw only from these, separated by commas")
        prove = verbs.add_parser("prove", help="run proofs again")
        prove.add_argument("ids", nargs="*", metavar="ID")
        prove.add_argument("--all", action="store_true")
        regrade = verbs.add_parser("regrade", help="judge the stored rollouts of a task by a changed criterion")
        regrade.add_argument("ids", nargs=1, metavar="ID")
        regrade.add_argument("--criterion", required=True, help="id of the criterion, such as c3")
        regrade.add_argument("--expression", required=True, help="the CEL expression in its place")
        verbs.add_parser("list", help="all tasks, newest first")
        for verb in (generate, prove, regrade, verbs.choices["list"]):
            verb.add_argument("--json", action="store_true", help="print one JSON document instead of words")

    def work(self, options: Mapping[str, Any]) -> Any:
        return getattr(self, f"_{options['verb']}")(options)

    def _generate(self, options: Mapping[str, Any]) -> Any:
        jobs = options["jobs"] or os.cpu_count() or 1
        by_model = _by_model(options)
        wanted: dict[str, Any] = {
            "count": options["count"], "k": options["k"], "distractors": options["distractors"],
            "length": _length(options["length"]), "seed": options["seed"],
            "services": [slug for slug in options["services"].split(",") if slug],
            "mode": options["mode"], "policy": options["policy"], "language": options["language"],
        }  # fmt: skip
        try:
            actions.check_request(**{name: value for name, value in wanted.items() if name != "seed"})
        except WalkError as error:
            raise CommandError(str(error)) from error
        with own_worker(["author", "default"], jobs):
            more = {"author": options["author"], "by_model": by_model, "by": None, "lanes": jobs}
            result = follow(self, run := actions.start_generation(**wanted, **more))
        self.say(f"{result['proven']} of {result['wanted']} tasks proven.")
        return {**result, "tasks": selectors.task_figures(run=run)}

    def _prove(self, options: Mapping[str, Any]) -> Any:
        tasks = find_tasks(options)
        result = follow(self, actions.start_proof(tasks=tasks, by=None))
        self.say(", ".join(f"{count} {status}" for status, count in result.items()))
        return result

    def _regrade(self, options: Mapping[str, Any]) -> Any:
        (task,) = find_tasks({**options, "all": False})
        change = regrading.Change({options["criterion"]: options["expression"]})
        try:
            result = follow(self, run := regrading.start_regrading(tasks=[task], change=change, by=None))
        except regrading.RubricError as error:
            raise CommandError(str(error)) from error
        result |= regrading.flips_of(run)
        found = result["difference"]
        self.say(f"{found['flipped']} of {found['rollouts']} verdicts flip, {found['unknown']} cannot be told.")
        for flip in result["flips"]:
            words = ", ".join(f"{one['criterion']} {one['old']} > {one['new']}" for one in flip["criteria"])
            self.say(f"{flip['trajectory']}  passed {flip['old_passed']} > {flip['passed']}  {words}")
        return result

    def _list(self, options: Mapping[str, Any]) -> Any:
        rows = selectors.task_figures()
        for row in rows:
            self.say(f"{row['id']}  {row['status']:<9} K={row['k']} L={row['length']}  {row['instruction'][:80]}")
        return rows


def _by_model(options: Mapping[str, Any]) -> ModelAuthoring | None:
    """The part that a model plays. Raises CommandError in words."""
    names = {"turns": "turns", "tokens": "tokens", "seconds": "seconds", "cost_usd": "cost"}
    limits = {name: options[option] for name, option in names.items() if options[option] is not None}
    given = {"model": options["model"], "solver": options["solver"], "limits": limits}
    asked = {name: value for name, value in given.items() if value}
    try:
        return model_authoring(options["author"], asked, rephrase=options["rephrase"], language=options["language"])
    except AskedError as error:
        raise CommandError(str(error)) from error


def _length(text: str) -> tuple[int, int]:
    try:
        return walk_length(text)
    except ValueError as error:
        raise CommandError(f"--length {text}: write it as A..B, such as 5..7") from error


def find_tasks(options: Mapping[str, Any]) -> list[Any]:
    """The tasks named by id, or all that are not retired. Raises CommandError in words."""
    if not options["ids"] and not options["all"]:
        raise CommandError("Name at least one task, or give --all.")
    try:
        tasks = selectors.tasks_by_id(options["ids"]) if options["ids"] else list(selectors.live_tasks())
    except IdError as error:
        raise CommandError(str(error)) from error
    if not tasks:
        raise CommandError("There is no such task.")
    return tasks
