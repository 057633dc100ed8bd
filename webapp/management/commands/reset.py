"""Wipe the data folder."""

import shutil
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from workers.embedded.home import Home
from workers.embedded.instance import FolderLock, clear_leftovers


class Command(BaseCommand):
    help = "Delete everything in the data folder: database, queues, files, keys, logs."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="really delete")

    def handle(self, *_args: Any, **options: Any) -> None:
        home = Home.at(settings.WORKBENCH_HOME)
        if not home.root.exists():
            self.stdout.write(f"There is no data folder {home.root}.")
            return
        if not home.is_ours():
            raise CommandError(f"{home.root} is not a data folder of the workbench, so nothing was deleted.")
        if not options["yes"]:
            raise CommandError(f"This deletes everything in {home.root}. Say `./workbench reset --yes` to do it.")
        self._wipe(home)
        self.stdout.write(f"Deleted {home.root}.")

    def _wipe(self, home: Home) -> None:
        (home.root / "locks").mkdir(exist_ok=True)
        lock = FolderLock(home)
        if not lock.take():
            raise CommandError("The workbench is running; stop it with `./workbench down` first.")
        try:
            clear_leftovers(home)
            shutil.rmtree(home.sockets, ignore_errors=True)
            # The marker goes last: a wipe cut short can be repeated.
            for entry in sorted(home.root.iterdir(), key=lambda each: each == home.marker):
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
            home.root.rmdir()
        finally:
            lock.release()
