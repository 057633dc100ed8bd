"""Run one more worker, here or on another machine."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from workers import queues
from workers.embedded.layout import celery_worker


class Command(BaseCommand):
    help = "Take work from the broker named by CELERY_BROKER_URL (or from the instance that `up` runs)."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--queues", default=",".join(queues.ALL), help="names separated by commas")
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 2)
        parser.add_argument("--name", default="extra", help="shown in the worker's log")

    def handle(self, *_args: Any, **options: Any) -> None:
        names = [name.strip() for name in options["queues"].split(",") if name.strip()]
        unknown = [name for name in names if name not in queues.ALL]
        if unknown or not names:
            raise CommandError(
                f"The queues are {', '.join(queues.ALL)}; unknown: {', '.join(unknown) or 'none given'}."
            )
        command = celery_worker(names, processes=max(1, options["processes"]), node=options["name"])
        os.execv(command[0], command)  # noqa: S606 - a list, from our own table
