"""Django's shell on the workbench's data, whether or not `up` runs."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands.shell import Command as DjangoShell

from workers.embedded.home import Home, HomeError
from workers.embedded.parts import PartError
from workers.embedded.session import services


class Command(DjangoShell):
    def handle(self, *args: Any, **options: Any) -> None:
        home = Home.at(settings.WORKBENCH_HOME)
        try:
            with services(
                home,
                "shell",
                database=settings.WORKBENCH_EMBEDDED_DATABASE,
                broker=settings.WORKBENCH_EMBEDDED_BROKER,
                say=self.stderr.write,
            ):
                super().handle(*args, **options)
        except (HomeError, PartError) as error:
            raise CommandError(str(error)) from error
