"""Make an installation ready to serve: tables, static files, the first admin."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from webapp.management.static_files import collect_if_changed


class Command(BaseCommand):
    help = "Migrate, collect the static files and create the first admin; run it once before the servers start."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def handle(self, *_args: Any, **_options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=1, stdout=self.stdout)
        collect_if_changed(self.stdout.write)
        call_command("first_start", stdout=self.stdout)
