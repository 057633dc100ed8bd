"""Whether a worker on this machine could work: for health checks of containers."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from kombu.exceptions import OperationalError

from workers.celery_app import app


class Command(BaseCommand):
    help = "Exit with 0 when the database and the broker answer."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except Error as error:
            raise CommandError(f"The database does not answer: {error}") from error
        try:
            with app.connection_for_write(connect_timeout=5) as broker:
                broker.ensure_connection(max_retries=1, timeout=5)
        except (OperationalError, OSError) as error:
            raise CommandError(f"The broker does not answer: {error}") from error
        self.stdout.write("The database and the broker answer.")
