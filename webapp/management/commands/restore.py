"""Bring back what `backup` saved."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from webapp.management import backups
from webapp.management.base import WorkbenchCommand, migrate_if_needed
from workers.embedded.home import Home
from workers.embedded.instance import is_running


class Command(WorkbenchCommand):
    help = "Replace everything in the data folder and its database by a backup. Stop the workbench first."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` wrote")
        parser.add_argument("--yes", action="store_true", help="really replace what is there")

    def work(self, options: Mapping[str, Any]) -> dict[str, Any]:
        source = options["file"].absolute()
        if is_running(Home.at(settings.WORKBENCH_HOME)):
            raise CommandError("The workbench is running; stop it with `./workbench down` first.")
        if not options["yes"]:
            raise CommandError(f"This replaces everything in {settings.WORKBENCH_HOME}. Say --yes to do it.")
        connection.close()
        manifest = backups.read(source)
        migrate_if_needed()
        self.say(f"Restored the backup of {manifest['made_at']}.")
        return {"file": str(source), "made_at": manifest["made_at"]}
