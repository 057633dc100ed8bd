"""./workbench datasets list|create|freeze"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from training_app import actions, selectors
from training_app.datasets import DatasetError
from training_app.models import Dataset
from webapp.management.base import WorkbenchCommand


class Command(WorkbenchCommand):
    help = "List datasets, make one from a filter, or freeze a version of it."

    def arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="all datasets with their newest version")
        create = verbs.add_parser("create", help="name a selection of trajectories (sft) or tasks (rl)")
        create.add_argument("kind", choices=Dataset.Kind.values)
        create.add_argument("title")
        create.add_argument("--slug", default="", help="made from the title when absent")
        create.add_argument("--where", action="append", default=[], metavar="NAME=VALUE", help="filter, as in the API")
        freeze = verbs.add_parser("freeze", help="freeze what a dataset selects now")
        freeze.add_argument("slug")
        freeze.add_argument("--test", type=float, default=0.2, help="share of the rows held out for tests")
        freeze.add_argument("--validation", type=float, default=0.0)
        freeze.add_argument("--seed", type=int, default=0)
        for verb in verbs.choices.values():
            verb.add_argument("--json", action="store_true", help="print one JSON document instead of words")

    def work(self, options: Mapping[str, Any]) -> Any:
        try:
            return getattr(self, f"_{options['verb']}")(options)
        except DatasetError as error:
            raise CommandError(str(error)) from error

    def _list(self, _options: Mapping[str, Any]) -> Any:
        rows = selectors.dataset_rows()
        for row in rows:
            self.say(f"{row['slug']:<40} {row['kind']:<4} v{row['newest'] or '-'} {row['rows'] or 0} rows")
        return rows

    def _create(self, options: Mapping[str, Any]) -> Any:
        query = dict(_pair(text) for text in options["where"])
        dataset = actions.create_dataset(
            title=options["title"], kind=options["kind"], slug=options["slug"], query=query, by=None
        )
        self.say(f"Created {dataset.slug}.")
        return {"slug": dataset.slug, "kind": dataset.kind, "query": dataset.query}

    def _freeze(self, options: Mapping[str, Any]) -> Any:
        dataset = Dataset.objects.filter(slug=options["slug"]).first()
        if dataset is None:
            raise CommandError(f"There is no dataset {options['slug']}.")
        shares = {
            "train": 1 - options["test"] - options["validation"],
            "validation": options["validation"],
            "test": options["test"],
        }
        version, created = actions.freeze(dataset=dataset, shares=shares, seed=options["seed"], by=None)
        splits = ", ".join(f"{name} {counts['rows']}" for name, counts in version.stats["splits"].items())
        self.say(f"{version} is {'frozen' if created else 'the newest already'}: {splits}.")
        return {"dataset": dataset.slug, "version": version.number, "created": created, **version.stats}


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise CommandError(f"--where {text}: write it as NAME=VALUE, such as policy=reference")
    return name, value
