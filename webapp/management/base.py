"""The base of every verb that reads or writes data: services up, tables up to date, one way to answer."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from workers.embedded.home import Home, HomeError
from workers.embedded.parts import PartError
from workers.embedded.session import Whose, services


class WorkbenchCommand(BaseCommand):
    """Subclasses define `arguments` and `work`; `work` returns what `--json` prints.

    While `up` runs, the command works on that instance and its workers do the long runs. Otherwise the
    embedded services are started for the time of the command and runs happen inside this process
    (`settings.WORKBENCH_RUN_INLINE`).
    """

    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    as_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of words")
        self.arguments(parser)

    def arguments(self, parser: CommandParser) -> None:
        """The command's own arguments."""

    def work(self, options: Mapping[str, Any]) -> Any:
        """Do it; returns a JSON-able value, or None. Raises CommandError with a sentence."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Words for a person; silent with --json, where only the document goes to standard output."""
        if not self.as_json:
            self.stdout.write(text)

    def handle(self, *_args: Any, **options: Any) -> None:
        self.as_json = bool(options.pop("json", False))
        try:
            result = self._with_services(options)
        except (HomeError, PartError) as error:
            raise CommandError(str(error)) from error
        if self.as_json:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str, indent=2))

    def _with_services(self, options: Mapping[str, Any]) -> Any:
        home = Home.at(settings.WORKBENCH_HOME)
        name = type(self).__module__.rpartition(".")[2]
        with services(
            home,
            name,
            database=settings.WORKBENCH_EMBEDDED_DATABASE,
            broker=settings.WORKBENCH_EMBEDDED_BROKER,
            say=self._tell,
        ) as whose:
            _decide_where_runs_happen(whose)
            try:
                migrate_if_needed()
                return self.work(options)
            finally:
                if whose == "own":
                    connection.close()  # the server is about to stop

    def _tell(self, text: str) -> None:
        self.stderr.write(text)


def _decide_where_runs_happen(whose: Whose) -> None:
    """Without `up` and without a broker of production there is no worker that would take a queued run."""
    if whose != "instance" and settings.WORKBENCH_EMBEDDED_BROKER:
        settings.WORKBENCH_RUN_INLINE = True


def migrate_if_needed() -> None:
    """Bring an embedded database up to date; in production that is the operator's decision.

    Raises CommandError.
    """
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not missing:
        return
    if not settings.WORKBENCH_EMBEDDED_DATABASE:
        raise CommandError(f"The database lacks {len(missing)} migrations; run `./workbench migrate` first.")
    call_command("migrate", interactive=False, verbosity=0)
