"""Save everything in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from webapp.management import backups
from webapp.management.base import WorkbenchCommand


class Command(WorkbenchCommand):
    help = "Write the database, the stored files and the key into one file. The workbench may go on running."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as workbench.tar.gz")

    def work(self, options: Mapping[str, Any]) -> dict[str, Any]:
        target = options["file"].absolute()
        size = backups.write(target, made_at=timezone.now().isoformat())
        self.say(f"Saved {target} ({size / (1 << 20):.1f} MB). Keep it safe: it holds the key and every password hash.")
        return {"file": str(target), "bytes": size}
